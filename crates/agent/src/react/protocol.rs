//! The JSON protocol, for models without tool calls: one object a turn.
//!
//! Two shapes are read, `{"thought","action","action_input"}` with `action: "Finish"` to answer, and the short
//! `{"thought","tool","arg","reply"}` with `tool: "finish"`. Which one is taught is the protocol's choice; both are always read.

use mercer_model::{
    FinishReason, ToolCall, ToolDef,
    json::{self, Verdict},
    text_calls,
};
use serde_json::{Map, Value, json};

use super::{
    Answer, Poor,
    reading::{Intent, known_name},
};
use crate::{Lang, tool::ToolSpec};

/// The instructions, with the tools.
pub(super) fn instructions(lang: Lang, tools: &[ToolDef], short: bool) -> String {
    let long = (include_str!("prompts/json_protocol.zh.txt"), include_str!("prompts/json_protocol.en.txt"));
    let brief = (include_str!("prompts/json_short.zh.txt"), include_str!("prompts/json_short.en.txt"));
    let (zh, en) = if short { brief } else { long };
    let mut text = lang.pick(zh, en).to_owned();
    let input = if short { "arg" } else { "action_input" };
    for tool in tools {
        let line = json!({ "name": tool.name, "description": tool.description, input: tool.parameters });
        text.push_str("- ");
        text.push_str(&line.to_string());
        text.push('\n');
    }
    text
}

/// What a server is told to keep to, when it can.
pub(super) fn response_format() -> Value {
    json!({ "type": "json_object" })
}

/// Reads a reply under the protocol.
pub(super) fn read(text: &str, tools: &[ToolSpec]) -> Intent {
    let verdict = json::read(text, &json!({ "type": "object" }), FinishReason::Stop);
    let doubtful = matches!(&verdict, Verdict::Repaired { repairs, .. } if !repairs.harmless());
    let object = verdict.for_read().ok().and_then(|value| value.to_serde().ok());
    let framed = |object: &Map<String, Value>| FRAME.iter().any(|key| object.contains_key(*key));
    match object {
        Some(Value::Object(object)) if framed(&object) => frame(object, text, tools, doubtful),
        _ => match written_calls(text, tools) {
            Some((calls, rest)) => Intent::Calls { calls, text: rest, written: false },
            None if looks_framed(text) => Intent::Poor { poor: Poor::Unreadable, said: Some(text.to_owned()) },
            // Prose without any frame: the model forgot the protocol and answered.
            None => Intent::Answer(Answer { text: text.to_owned(), ..Answer::default() }),
        },
    }
}

/// The fields that make an object a turn of the protocol.
const FRAME: &[&str] = &["action", "tool", "answer", "reply", "final_answer"];

/// Calls that a model wrote into its text in the form of its own training, and the text around them.
pub(super) fn written_calls(text: &str, tools: &[ToolSpec]) -> Option<(Vec<ToolCall>, String)> {
    let names = tools.iter().map(|spec| spec.name.as_str()).collect::<Vec<_>>();
    let found = text_calls::extract(text, &names);
    (!found.calls.is_empty()).then_some((found.calls, found.text))
}

fn frame(mut object: Map<String, Value>, text: &str, tools: &[ToolSpec], doubtful: bool) -> Intent {
    let name = ["action", "tool"].iter().find_map(|key| object.remove(*key));
    let input = ["action_input", "arg", "args", "arguments"].iter().find_map(|key| object.remove(*key));
    object.remove("thought");
    match name.as_ref().and_then(Value::as_str) {
        Some(name) if !is_finish(name) => {
            let mut call = known_name(&ToolCall::new("", name, String::new()), tools);
            let writes = tools.iter().any(|spec| spec.name == call.name && !spec.nature.is_read());
            if writes && doubtful {
                return Intent::Poor { poor: Poor::Unreadable, said: Some(text.to_owned()) };
            }
            call.arguments = arguments(input, &call.name, tools);
            Intent::Calls { calls: vec![call], text: text.to_owned(), written: false }
        }
        _ => finish(object, input, text),
    }
}

fn is_finish(name: &str) -> bool {
    let name = name.trim().to_lowercase();
    matches!(name.as_str(), "finish" | "final" | "final answer" | "final_answer" | "answer" | "none" | "")
}

/// The arguments as JSON text: an object, JSON in a text, or a bare value for the tool's main argument.
fn arguments(input: Option<Value>, name: &str, tools: &[ToolSpec]) -> String {
    let main = || tools.iter().find(|spec| spec.name == name).and_then(|spec| spec.main_argument.clone());
    let bare = |value: Value| match main() {
        Some(main) => Value::Object([(main, value)].into_iter().collect()).to_string(),
        None => value.to_string(),
    };
    match input {
        None | Some(Value::Null) => "{}".to_owned(),
        Some(object @ Value::Object(_)) => object.to_string(),
        Some(Value::String(text)) => match serde_json::from_str::<Map<String, Value>>(&text) {
            Ok(object) => Value::Object(object).to_string(),
            Err(_) if text.trim().is_empty() => "{}".to_owned(),
            Err(_) => bare(Value::String(text)),
        },
        Some(other) => bare(other),
    }
}

fn finish(mut object: Map<String, Value>, input: Option<Value>, text: &str) -> Intent {
    if let Some(Value::Object(fields)) = input {
        object.extend(fields);
    } else if let Some(Value::String(answer)) = input {
        object.entry("answer").or_insert(Value::String(answer));
    }
    let answer = ["answer", "reply", "final_answer", "response", "text", "content"].iter().find_map(|key| match object
        .get(*key)
    {
        Some(Value::String(text)) if !text.trim().is_empty() => Some((*key, text.trim().to_owned())),
        _ => None,
    });
    match answer {
        Some((key, text)) => {
            object.remove(key);
            Intent::Answer(Answer { text, fields: object })
        }
        None if object.is_empty() => Intent::Poor { poor: Poor::Empty, said: Some(text.to_owned()) },
        // An answer of fields only, such as a verdict.
        None => Intent::Answer(Answer { text: String::new(), fields: object }),
    }
}

/// Whether a text tries to keep to a protocol: braces, or the words of the classic prompt.
fn looks_framed(text: &str) -> bool {
    text.starts_with(['{', '[', '`'])
        || ["\"action\"", "\"tool\"", "Action:", "Observation:", "action_input", "<tool_call"]
            .iter()
            .any(|mark| text.contains(mark))
}
