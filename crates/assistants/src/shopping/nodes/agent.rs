//! `agent`: asks the model, and streams what may be shown of its reply.

use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt as _;
use mercer_agent::react::Protocol;
use mercer_agent::{Limits, Next};
use mercer_graph::{Ctx, NodeError};
use mercer_model::{ChatEvent, ChatReply, ChatRequest, Fold, ModelError, Phase};
use mercer_shop::ProductId;

use super::{Step, agent_lang, desk, events};
use crate::shopping::cards::Card;
use crate::shopping::gating::Screen;
use crate::shopping::graph::Room;
use crate::shopping::prompt::prompt;
use crate::shopping::state::{Shopping, Turn, Update, is_known};
use crate::shopping::tools::Shape;

pub(in crate::shopping) async fn agent(ctx: Ctx<Room>, state: Arc<Shopping>) -> Result<Step, NodeError> {
    let turn = state.turn()?;
    let (Some(react), Some(model)) = (&turn.react, ctx.deps().deps.models.chat.clone()) else {
        return Err(NodeError::new("no model is configured any more"));
    };
    let Next::CallModel { protocol, .. } = react.next() else { return Ok(Step::nothing()) };
    let shape = Shape::of(&desk(&ctx, &state)?, turn.lang)?;
    let definitions = ctx.deps().tools.definitions(agent_lang(turn.lang));
    let request = react.request(prompt(&state, &shape, definitions, turn.lang)?);
    let limit = Limits::default().wall.saturating_sub(react.spent().wall);
    let mut telling = Telling::new(&ctx, &state, turn, protocol);
    let asked = tokio::time::timeout(limit, ask(&*model, request, &mut telling)).await;
    let reply = asked.unwrap_or(Err(ModelError::Timeout { which: Phase::Total, limit }));
    let streamed = telling.screen.released;
    let wall_ms = elapsed(&ctx, turn);
    Ok(Step::update(match reply {
        Ok(reply) => Update::Replied { reply: Box::new(reply), wall_ms, streamed },
        Err(error) => {
            tracing::warn!(reason = error.operator(), "the model did not reply");
            Update::ModelFailed { error, wall_ms, streamed }
        }
    }))
}

async fn ask(
    model: &dyn mercer_model::ChatModel,
    request: ChatRequest,
    telling: &mut Telling<'_>,
) -> Result<ChatReply, ModelError> {
    let mut fold = Fold::default();
    let mut stream = model.stream(request);
    while let Some(event) = stream.next().await {
        let event = event?;
        telling.ctx.heartbeat();
        match &event {
            ChatEvent::Text(piece) => telling.push(piece),
            ChatEvent::Restarted => telling.restart(),
            _ => {}
        }
        fold.push(event);
    }
    fold.finish()
}

/// Milliseconds since the turn was taken up.
fn elapsed(ctx: &Ctx<Room>, turn: &Turn) -> u64 {
    let since = turn.at.map(|at| ctx.deps().deps.clock.now().duration_since(at)).unwrap_or_default();
    Duration::try_from(since).map_or(0, |d| u64::try_from(d.as_millis()).unwrap_or(u64::MAX))
}

/// Shows the text of a reply as it comes, with cards as soon as they are named.
struct Telling<'a> {
    ctx: &'a Ctx<Room>,
    turn: &'a Turn,
    state: &'a Shopping,
    screen: Screen<'a>,
    /// A reply that is a JSON object is not shown as it comes.
    silent: bool,
    /// Text of an earlier step is still shown.
    stale: bool,
    carded: usize,
}

impl<'a> Telling<'a> {
    fn new(ctx: &'a Ctx<Room>, state: &'a Shopping, turn: &'a Turn, protocol: Protocol) -> Self {
        Self {
            ctx,
            turn,
            state,
            screen: Screen::new(state, turn),
            silent: protocol.is_json(),
            stale: !turn.streamed.is_empty(),
            carded: 0,
        }
    }

    fn push(&mut self, piece: &str) {
        if self.silent {
            return;
        }
        let text = self.screen.push(piece);
        if text.is_empty() {
            return;
        }
        if self.stale {
            events::restart(self.ctx, &self.turn.answer);
            self.stale = false;
        }
        self.ctx.emit_message_delta(&self.turn.answer, &text);
        self.show_cards();
    }

    /// What was taken for the answer was not.
    fn restart(&mut self) {
        self.stale |= !self.screen.released.is_empty();
        self.screen = Screen::new(self.state, self.turn);
        self.carded = 0;
    }

    fn show_cards(&mut self) {
        let ids = self.screen.ids();
        if ids.len() == self.carded {
            return;
        }
        self.carded = ids.len();
        let known: Vec<ProductId> = ids.iter().filter_map(|id| is_known(self.state, id)).collect();
        match desk(self.ctx, self.state).and_then(|desk| Ok(desk.products(&known)?)) {
            Ok(products) => {
                let cards: Vec<Card> = products.iter().map(|p| Card::of(p, self.turn.lang, &[])).collect();
                events::products(self.ctx, &self.turn.answer, &cards);
            }
            // They come with the answer.
            Err(error) => tracing::warn!(%error, "cards cannot be shown yet"),
        }
    }
}
