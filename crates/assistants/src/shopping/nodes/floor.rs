//! `floor`: the rules' turn. It is also where a turn comes when the model failed.

use std::sync::Arc;

use mercer_agent::React;
use mercer_graph::{Ctx, Failure, NodeError};

use super::{Step, desk, events};
use crate::shopping::floor::{Move, Said, next};
use crate::shopping::graph::Room;
use crate::shopping::message::ChatMessage;
use crate::shopping::state::{Driver, Shopping, Turn, Update};

/// Why rules lead when the model's answer could not be supported.
const UNSUPPORTED: &str = "unsupported_claims";
/// Why rules lead when a node failed.
const INTERNAL: &str = "internal";

pub(in crate::shopping) async fn floor(ctx: Ctx<Room>, state: Arc<Shopping>) -> Result<Step, NodeError> {
    let turn = state.turn()?;
    let mut step = Step::nothing();
    let mut turn_by_rules = turn.clone();
    if turn.driver == Driver::Model {
        let reason = if ctx.input::<Failure>().is_ok() { INTERNAL.to_owned() } else { reason(turn) };
        events::fallback(&ctx, &reason);
        turn_by_rules.driver = Driver::Rules;
        turn_by_rules.fallback = Some(reason.clone());
        step = step.and(Update::FellBack { reason });
    }
    match next(&state, &turn_by_rules, &desk(&ctx, &state)?) {
        Move::Call(calls) => Ok(step.and(Update::Planned { calls })),
        Move::Say(said) => {
            let focus = said.focus.clone();
            Ok(step.and(Update::Drafted { message: Box::new(message(&turn_by_rules, said)), focus }))
        }
    }
}

fn reason(turn: &Turn) -> String {
    match turn.react.as_ref().and_then(React::finish) {
        Some(finish) if finish.answer().is_none() => finish.code().to_owned(),
        _ => UNSUPPORTED.to_owned(),
    }
}

fn message(turn: &Turn, said: Said) -> ChatMessage {
    let mut message = ChatMessage::assistant(turn.answer.clone(), said.text, turn.lang);
    (message.product_ids, message.matched) = said.products.into_iter().unzip();
    message.tools = turn.results.iter().map(|result| events::line(result, turn.lang)).collect();
    message.by_rules = true;
    message.fallback.clone_from(&turn.fallback);
    message
}
