//! What a reply means: an answer, calls, or neither.

use mercer_model::{ChatReply, FinishReason, ToolCall};

use super::{Answer, Poor, Protocol, protocol};
use crate::tool::ToolSpec;

/// What the model wants.
#[derive(Debug, PartialEq)]
pub(super) enum Intent {
    /// To answer.
    Answer(Answer),
    /// To call tools. `written`: the calls stood in the text of a model that was to use the provider's calls.
    Calls { calls: Vec<ToolCall>, text: String, written: bool },
    /// Nothing that can be used. `said` is what the transcript keeps of it.
    Poor { poor: Poor, said: Option<String> },
}

/// Reads a reply.
pub(super) fn read(reply: &ChatReply, by: Protocol, tools: &[ToolSpec]) -> Intent {
    if reply.finish == FinishReason::Length {
        return Intent::Poor { poor: Poor::Truncated, said: None };
    }
    if !reply.tool_calls.is_empty() {
        let calls = reply.tool_calls.iter().map(|call| known_name(call, tools)).collect();
        return Intent::Calls { calls, text: reply.text.clone(), written: false };
    }
    let text = reply.text.trim();
    if text.is_empty() {
        let thought = reply.reasoning.as_deref().is_some_and(|reasoning| !reasoning.trim().is_empty());
        return Intent::Poor { poor: if thought { Poor::ReasoningOnly } else { Poor::Empty }, said: None };
    }
    match by {
        Protocol::Native => native(text, tools),
        Protocol::Json | Protocol::JsonShort => protocol::read(text, tools),
    }
}

fn native(text: &str, tools: &[ToolSpec]) -> Intent {
    match protocol::written_calls(text, tools) {
        Some((calls, rest)) => Intent::Calls { calls, text: rest, written: true },
        None => Intent::Answer(Answer { text: text.to_owned(), ..Answer::default() }),
    }
}

/// The call under the tool's own name, when the model wrote it a little differently (`functions.search`, `Search`).
pub(super) fn known_name(call: &ToolCall, tools: &[ToolSpec]) -> ToolCall {
    let mut call = call.clone();
    if !tools.iter().any(|spec| spec.name == call.name) {
        let plain = plain(&call.name);
        if let Some(spec) = tools.iter().find(|spec| self::plain(&spec.name) == plain) {
            call.name.clone_from(&spec.name);
        }
    }
    call
}

fn plain(name: &str) -> String {
    let name = name.trim().rsplit(['.', '/']).next().unwrap_or_default();
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
