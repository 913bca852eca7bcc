//! `gate`: holds the model's answer against the evidence. What does not hold goes back to the model once, then to the rules.

use std::collections::BTreeMap;
use std::sync::Arc;

use mercer_graph::{Ctx, NodeError};
use mercer_shop::ProductId;

use super::{Step, events};
use crate::shopping::dialogue::{Act, Focus};
use crate::shopping::gating::verify;
use crate::shopping::graph::Room;
use crate::shopping::mention::{self, Mentions};
use crate::shopping::message::ChatMessage;
use crate::shopping::state::{Shopping, Turn, Update, is_known};
use crate::shopping::tools::{self, Item, Results};

/// The most cards of an answer.
const CARDS: usize = 12;

pub(in crate::shopping) async fn gate(_ctx: Ctx<Room>, state: Arc<Shopping>) -> Result<Step, NodeError> {
    let turn = state.turn()?;
    let Some(react) = &turn.react else { return Err(NodeError::new("there is no model's answer to check")) };
    let Some(answer) = react.finish().as_ref().and_then(|finish| finish.answer().cloned()) else {
        return Err(NodeError::new("the model has not answered"));
    };
    let mentions = mention::read(&answer.text);
    let verdict = verify(&state, turn, &mentions);
    if !verdict.complaints.is_empty() {
        tracing::info!(complaints = ?verdict.complaints, "an answer does not hold");
        return Ok(Step::update(Update::Objected { complaints: verdict.complaints }));
    }
    let (products, matched) = cards(&state, turn, &mentions);
    let focus = focus(&state, turn, &products);
    let mut message = ChatMessage::assistant(turn.answer.clone(), mentions.text, turn.lang);
    message.product_ids = products;
    message.matched = matched;
    message.citations = verdict.citations;
    message.tools = turn.results.iter().map(|result| events::line(result, turn.lang)).collect();
    Ok(Step::update(Update::Drafted { message: Box::new(message), focus }))
}

/// The products of an answer: those it marks; else those it names; else, when it names none, what its last search found.
fn cards(state: &Shopping, turn: &Turn, answer: &Mentions) -> (Vec<ProductId>, Vec<Vec<String>>) {
    let items = found(turn);
    let matched: BTreeMap<&str, &Vec<String>> = items.iter().map(|item| (item.id.as_str(), &item.matched)).collect();
    let mut ids: Vec<&str> = answer.ids.iter().map(String::as_str).collect();
    if ids.is_empty() {
        let named = |item: &&Item| item.name.chars().count() > 2 && answer.text.contains(item.name.as_str());
        ids = items.iter().filter(named).map(|item| item.id.as_str()).collect();
    }
    if ids.is_empty()
        && matches!(turn.act(), Act::Search(_) | Act::More { .. } | Act::Similar { .. } | Act::Look { .. })
    {
        ids = items.iter().map(|item| item.id.as_str()).collect();
    }
    let known = ids.into_iter().filter_map(|id| is_known(state, id)).take(CARDS);
    known
        .map(|id| {
            let why = matched.get(id.as_str()).map(|m| (*m).clone()).unwrap_or_default();
            (id, why)
        })
        .unzip()
}

/// What the last search of the turn found.
fn found(turn: &Turn) -> Vec<Item> {
    let results = turn.results.iter().rev().filter(|r| r.name == tools::SEARCH || r.name == tools::SIMILAR);
    let mut outputs = results.filter_map(|r| r.outcome.as_ref().ok());
    outputs
        .next()
        .and_then(|value| serde_json::from_value::<Results>(value.clone()).ok())
        .map(|r| r.items)
        .unwrap_or_default()
}

fn focus(state: &Shopping, turn: &Turn, products: &[ProductId]) -> Option<Focus> {
    match (turn.act(), products) {
        (Act::Look { images }, _) => images.first().cloned().map(Focus::Picture),
        (Act::About { product, .. }, _) => Some(Focus::Product(product.clone())),
        (_, [only]) => Some(Focus::Product(only.clone())),
        (Act::Search(asking), [_, ..]) if !asking.refined => None,
        _ => state.focus.clone(),
    }
}
