//! `answer`: tells the answer with its cards. `apologise` does when nothing else can.

use std::sync::Arc;

use mercer_graph::{Ctx, Failure, NodeError};
use mercer_shop::Lang;

use super::{Step, desk, events};
use crate::shopping::cards::Card;
use crate::shopping::dialogue::{Act, Shown};
use crate::shopping::graph::Room;
use crate::shopping::message::ChatMessage;
use crate::shopping::state::{Shopping, Update};

pub(in crate::shopping) async fn answer(ctx: Ctx<Room>, state: Arc<Shopping>) -> Result<Step, NodeError> {
    let turn = state.turn()?;
    let draft = turn.draft.as_ref().ok_or_else(|| NodeError::new("there is no answer to tell"))?;
    let products = desk(&ctx, &state)?.products(&draft.product_ids)?;
    let shown: Vec<Shown> = products.iter().map(|p| Card::shown(p, turn.lang)).collect();
    if !products.is_empty() {
        let matched = |id| draft.product_ids.iter().position(|p| p == id).and_then(|at| draft.matched.get(at));
        let cards: Vec<Card> =
            products.iter().map(|p| Card::of(p, turn.lang, matched(&p.id).map_or(&[][..], Vec::as_slice))).collect();
        events::products(&ctx, &draft.id, &cards);
    }
    tell(&ctx, draft, &turn.streamed);
    if !draft.citations.is_empty() {
        events::citations(&ctx, &draft.id, &draft.citations);
    }
    // A look at one product or a comparison leaves the list that numbers refer to.
    let lists = !matches!(turn.act(), Act::About { .. } | Act::Compare { .. });
    let shown = if lists { shown } else { Vec::new() };
    Ok(Step::update(Update::Answered { run: ctx.run_id().to_string(), shown }))
}

/// Shows what of the answer was not streamed yet.
fn tell(ctx: &Ctx<Room>, draft: &ChatMessage, streamed: &str) {
    match draft.text.strip_prefix(streamed) {
        Some("") => {}
        None if draft.text == streamed.trim_end() => {}
        Some(rest) => ctx.emit_message_delta(&draft.id, rest),
        None => {
            events::restart(ctx, &draft.id);
            ctx.emit_message_delta(&draft.id, &draft.text);
        }
    }
}

pub(in crate::shopping) async fn apologise(ctx: Ctx<Room>, state: Arc<Shopping>) -> Result<Step, NodeError> {
    let failure: Failure = ctx.input()?;
    tracing::error!(node = failure.node, error = ?failure.error, "a turn could not be answered");
    let Some(turn) = &state.turn else { return Ok(Step::nothing()) };
    let text = match turn.lang {
        Lang::Zh => "店铺系统暂时出了问题。您的消息已保留，请稍后再试。",
        Lang::En => {
            "Something in the shop is out of order at the moment. Your message is kept; please try again in a while."
        }
    };
    let mut message = ChatMessage::assistant(turn.answer.clone(), text.to_owned(), turn.lang);
    message.by_rules = true;
    message.error = Some("internal".to_owned());
    events::fallback(&ctx, "internal");
    tell(&ctx, &message, &turn.streamed);
    let focus = state.focus.clone();
    Ok(Step::update(Update::Drafted { message: Box::new(message), focus })
        .and(Update::Answered { run: ctx.run_id().to_string(), shown: Vec::new() }))
}
