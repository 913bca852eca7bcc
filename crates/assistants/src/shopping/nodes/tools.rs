//! `tools`: makes the calls that are due, together, and keeps what they tell about the wish and the pictures.

use std::sync::Arc;

use futures::future::join_all;
use mercer_agent::{ToolCtx, ToolResult};
use mercer_graph::{Ctx, NodeError};
use serde::Deserialize;

use super::{Step, events, tool_context};
use crate::shopping::desk::{Desk, lang_of};
use crate::shopping::graph::Room;
use crate::shopping::picture::Seen;
use crate::shopping::state::{Shopping, Update};
use crate::shopping::tools::{self, AnalyzeImageStyle, FindSimilar, SearchProducts};
use crate::shopping::wish::Wish;

pub(in crate::shopping) async fn tools(ctx: Ctx<Room>, state: Arc<Shopping>) -> Result<Step, NodeError> {
    let turn = state.turn()?;
    let calls = turn.calls();
    let with = tool_context(&ctx, &state, turn.lang)?;
    let registry = &ctx.deps().tools;
    let (ctx, with, lang) = (&ctx, &with, turn.lang);
    let results = join_all(calls.iter().map(|call| async move {
        events::tool_call(ctx, call);
        let result = registry.call(with, call).await;
        events::tool_result(ctx, &result, lang);
        result
    }))
    .await;
    let wish = results.iter().rev().find_map(|result| wish_of(result, with));
    if let Some(wish) = &wish {
        events::conditions(ctx, wish, lang);
    }
    let seen = results.iter().filter_map(seen).collect();
    Ok(Step::update(Update::Returned { results, wish, seen }))
}

/// The wish that a search was for.
fn wish_of(result: &ToolResult, with: &ToolCtx<Desk>) -> Option<Wish> {
    result.outcome.as_ref().ok()?;
    let lang = lang_of(with);
    match result.name.as_str() {
        tools::SEARCH => SearchProducts::deserialize(&result.arguments).ok()?.wish(with.deps(), lang).ok(),
        tools::SIMILAR => {
            let image = FindSimilar::deserialize(&result.arguments).ok()?.image_id?;
            let seen = with.deps().pictures.get(&image)?.as_ref()?;
            FindSimilar::wish_of(with.deps(), seen, lang).ok()
        }
        _ => None,
    }
}

fn seen(result: &ToolResult) -> Option<(String, Seen)> {
    if result.name != tools::IMAGE {
        return None;
    }
    let call = AnalyzeImageStyle::deserialize(&result.arguments).ok()?;
    let seen = Seen::deserialize(result.outcome.as_ref().ok()?).ok()?;
    Some((call.image_id, seen))
}
