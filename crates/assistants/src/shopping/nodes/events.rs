//! What observers of a run are told, in the words the server and the terminal know.

use mercer_agent::ToolResult;
use mercer_graph::{Ctx, EventBody};
use mercer_model::ToolCall;
use mercer_shop::Lang;
use serde_json::{Value, json};

use crate::shopping::cards::Card;
use crate::shopping::graph::Room;
use crate::shopping::message::{Cited, ToolLine};
use crate::shopping::tools::{self, Results};
use crate::shopping::wish::Wish;

fn emit(ctx: &Ctx<Room>, name: &str, data: Value) {
    ctx.emit(EventBody::custom(name, data));
}

pub(super) fn tool_call(ctx: &Ctx<Room>, call: &ToolCall) {
    let arguments = serde_json::from_str(&call.arguments).unwrap_or_else(|_| Value::String(call.arguments.clone()));
    emit(ctx, "tool_call", json!({ "id": call.id, "name": call.name, "arguments": arguments }));
}

pub(super) fn tool_result(ctx: &Ctx<Room>, result: &ToolResult, lang: Lang) {
    let mut data = json!({
        "id": result.call_id, "name": result.name, "ok": result.is_ok(), "summary": summary(result, lang),
    });
    if let Some(fields) = data.as_object_mut() {
        match &result.outcome {
            Ok(output) => fields.insert("output".into(), output.clone()),
            Err(failure) => fields.insert("error".into(), json!(failure.model_text)),
        };
    }
    emit(ctx, "tool_result", data);
}

pub(super) fn conditions(ctx: &Ctx<Room>, wish: &Wish, lang: Lang) {
    emit(ctx, "conditions", json!({ "conditions": wish.chips(lang) }));
}

pub(super) fn products(ctx: &Ctx<Room>, message: &str, cards: &[Card]) {
    emit(ctx, "products", json!({ "message": message, "products": cards }));
}

pub(super) fn citations(ctx: &Ctx<Room>, message: &str, citations: &[Cited]) {
    emit(ctx, "citations", json!({ "message": message, "citations": citations }));
}

pub(super) fn fallback(ctx: &Ctx<Room>, reason: &str) {
    emit(ctx, "fallback", json!({ "reason": reason }));
}

pub(super) fn restart(ctx: &Ctx<Room>, message: &str) {
    ctx.emit(EventBody::MessageRestarted { message: message.to_owned() });
}

/// The line on a call that stays with the answer.
pub(super) fn line(result: &ToolResult, lang: Lang) -> ToolLine {
    ToolLine {
        id: result.call_id.clone(),
        name: result.name.clone(),
        arguments: result.arguments.clone(),
        ok: result.is_ok(),
        summary: summary(result, lang),
    }
}

/// What came of a call, in a few words: `red · dress · under ¥300 → 24`.
fn summary(result: &ToolResult, lang: Lang) -> String {
    let value = match &result.outcome {
        Ok(value) => value,
        Err(failure) => return failure.model_text.clone(),
    };
    let text = |pointer: &str| value.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned();
    match result.name.as_str() {
        tools::SEARCH | tools::SIMILAR => {
            serde_json::from_value::<Results>(value.clone()).map(|r| searched(&r)).unwrap_or_default()
        }
        tools::PRODUCT | tools::STOCK => text("/name"),
        tools::COMPARE => {
            let products = value.get("products").and_then(Value::as_array);
            let names = products.into_iter().flatten().filter_map(|p| p.get("name").and_then(Value::as_str));
            names.collect::<Vec<_>>().join(" / ")
        }
        tools::IMAGE => serde_json::from_value::<crate::shopping::picture::Seen>(value.clone())
            .map(|s| s.summary())
            .unwrap_or_default(),
        tools::SHAPE => {
            let count = value.get("products").and_then(Value::as_u64).unwrap_or_default();
            match lang {
                Lang::Zh => format!("{count} 件商品"),
                Lang::En => format!("{count} products"),
            }
        }
        _ => String::new(),
    }
}

fn searched(results: &Results) -> String {
    let mut parts = results.conditions.clone();
    if !results.words.is_empty() {
        parts.push(results.words.clone());
    }
    let what = parts.join(" · ");
    if what.is_empty() { format!("→ {}", results.total) } else { format!("{what} → {}", results.total) }
}
