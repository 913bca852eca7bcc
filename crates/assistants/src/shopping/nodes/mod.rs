//! The nodes of the shopping graph.

mod agent;
mod answer;
mod events;
mod floor;
mod gate;
mod tools;
mod understand;

pub(super) use agent::agent;
pub(super) use answer::{answer, apologise};
pub(super) use floor::floor;
pub(super) use gate::gate;
pub(super) use tools::tools;
pub(super) use understand::understand;

use mercer_agent::ToolCtx;
use mercer_graph::{Ctx, NodeError};
use mercer_shop::{Lang, TenantId};

use super::desk::Desk;
use super::graph::Room;
use super::state::Shopping;

type Step = mercer_graph::Step<Shopping>;

/// The desk of the thread's tenant.
fn desk(ctx: &Ctx<Room>, state: &Shopping) -> Result<Desk, NodeError> {
    let tenant = TenantId::new(ctx.tenant())?;
    Ok(Desk::open(&ctx.deps().deps, tenant, state)?)
}

/// The context in which the tools of this turn are called.
fn tool_context(ctx: &Ctx<Room>, state: &Shopping, lang: Lang) -> Result<ToolCtx<Desk>, NodeError> {
    let now = ctx.deps().deps.clock.now();
    Ok(desk(ctx, state)?.context(ctx.thread_id().as_str(), lang, now))
}

/// The language as the agent crate knows it.
fn agent_lang(lang: Lang) -> mercer_agent::Lang {
    mercer_agent::Lang::from_tag(lang.tag())
}
