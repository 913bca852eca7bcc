//! `understand`: reads the message by rules, decides who leads, and plans the look at new pictures.

use std::sync::Arc;

use mercer_agent::react::Protocol;
use mercer_agent::{Limits, React};
use mercer_graph::{Ctx, NodeError};
use mercer_model::{Support, ToolCall};
use mercer_search::{SearchRequest, Sort};
use serde_json::json;

use super::{Step, agent_lang, desk, events};
use crate::shopping::desk::Desk;
use crate::shopping::dialogue::{Act, Asking, Heard, Reading, Scene, read};
use crate::shopping::graph::Room;
use crate::shopping::state::{Driver, Shopping, Turn, Update};
use crate::shopping::tools::{self, Shape};
use crate::shopping::wish::Wish;

/// How many pictures of one message are looked at.
const PICTURES: usize = 4;
/// Why rules lead when no model is configured.
pub(super) const NO_MODEL: &str = "no_model";

pub(in crate::shopping) async fn understand(ctx: Ctx<Room>, state: Arc<Shopping>) -> Result<Step, NodeError> {
    let turn = state.turn()?;
    let desk = desk(&ctx, &state)?;
    let mut reading = match &turn.removed {
        Some(chip) => chip_removed(&state, chip),
        None => by_rules(&state, turn, &desk)?,
    };
    if let Some(wish) = &mut reading.wish {
        desk.name_kinds(wish)?;
        if wish.sort == Sort::Rating && !rated(&desk, wish).await {
            wish.sort = Sort::Relevance;
        }
    }
    let (driver, react) = match &ctx.deps().deps.models.chat {
        Some(model) if turn.removed.is_none() => {
            let protocol = match model.capabilities().tools {
                Support::Unsupported => Protocol::Json,
                Support::Supported | Support::Unknown => Protocol::Native,
            };
            let react = React::new(Limits::default())
                .with_tools(ctx.deps().tools.specs())
                .with_lang(agent_lang(turn.lang))
                .with_protocol(protocol);
            (Driver::Model, Some(Box::new(react)))
        }
        _ => (Driver::Rules, None),
    };
    let fallback = (driver == Driver::Rules && turn.removed.is_none()).then(|| NO_MODEL.to_owned());
    if let Some(reason) = &fallback {
        events::fallback(&ctx, reason);
    }
    if let Some(wish) = &reading.wish {
        events::conditions(&ctx, wish, turn.lang);
    }
    let planned = if desk.can_see() { looks(&state, turn) } else { Vec::new() };
    let at = ctx.deps().deps.clock.now();
    // The model is told what the shop holds, so that counts as known.
    let shop = if driver == Driver::Model { Some(serde_json::to_value(Shape::of(&desk, turn.lang)?)?) } else { None };
    Ok(Step::update(Update::Read { reading, driver, react, fallback, planned, at, shop }))
}

/// Whether a product that meets the conditions has a rating; without one there is no order by rating.
async fn rated(desk: &Desk, wish: &Wish) -> bool {
    let request = SearchRequest {
        conditions: wish.conditions.clone(),
        sort: Sort::Rating,
        understand: false,
        limit: 1,
        ..SearchRequest::default()
    };
    let best = desk.search(request).await;
    best.is_ok_and(|best| best.hits.iter().any(|hit| hit.product.rating_centistars.is_some()))
}

fn by_rules(state: &Shopping, turn: &Turn, desk: &Desk) -> Result<Reading, NodeError> {
    let heard = Heard::new(&turn.text);
    let understood = desk.understand(heard.core(), turn.lang)?;
    let scene =
        Scene { wish: state.wish.as_ref(), shown: &state.shown, focus: state.focus.as_ref(), pictures: &turn.images };
    Ok(read(&heard, &understood, &scene))
}

/// The standing wish without a chip; a chip that is not there changes nothing, and the wish is searched again.
fn chip_removed(state: &Shopping, chip: &str) -> Reading {
    let Some(standing) = &state.wish else { return Act::Nothing.into() };
    let mut wish = standing.without(chip).unwrap_or_else(|| standing.clone());
    wish.offset = 0;
    let vague = wish.is_empty();
    Reading { act: Act::Search(Asking { refined: true, vague, ..Asking::default() }), wish: Some(wish) }
}

/// The calls that look at the message's new pictures, under the ids the rules look for.
fn looks(state: &Shopping, turn: &Turn) -> Vec<ToolCall> {
    let new = turn.images.iter().filter(|image| !matches!(state.pictures.get(*image), Some(Some(_))));
    new.take(PICTURES)
        .enumerate()
        .map(|(at, image)| {
            let slot = if at == 0 { "look".to_owned() } else { format!("look_{at}") };
            ToolCall::new(
                format!("rule_{}_{slot}", turn.number),
                tools::IMAGE,
                json!({ "image_id": image }).to_string(),
            )
        })
        .collect()
}
