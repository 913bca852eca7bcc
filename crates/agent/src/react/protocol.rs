//! The JSON protocol, for models without tool calls: one object a turn.
//!
//! Two shapes are read, `{"thought","action","action_input"}` with `action: "Finish"` to answer, and the short
//! `{"thought","tool","arg","reply"}` with `tool: "finish"`. Only the first is taught.

use mercer_model::{ToolCall, ToolDef};
use serde_json::{Map, Value, json};

use super::{
    Answer, Poor,
    reading::{Intent, known_name},
};
use crate::{Lang, tool::ToolSpec};

/// The instructions, with the tools.
pub(super) fn instructions(lang: Lang, tools: &[ToolDef]) -> String {
    let mut text = lang
        .pick(include_str!("prompts/json_protocol.zh.txt"), include_str!("prompts/json_protocol.en.txt"))
        .to_owned();
    for tool in tools {
        let line = json!({ "name": tool.name, "description": tool.description, "action_input": tool.parameters });
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
    if let Some((calls, rest)) = written_calls(text, tools) {
        return Intent::Calls { calls, text: rest, written: false };
    }
    match object_in(text) {
        Some(object) => frame(object, text, tools),
        None if looks_framed(text) => Intent::Poor { poor: Poor::Unreadable, said: Some(text.to_owned()) },
        // Prose without any frame: the model forgot the protocol and answered.
        None => Intent::Answer(Answer { text: text.to_owned(), ..Answer::default() }),
    }
}

/// Calls that a model wrote into its text in the form of its own training, and the text around them.
pub(super) fn written_calls(text: &str, tools: &[ToolSpec]) -> Option<(Vec<ToolCall>, String)> {
    let object = object_in(text)?;
    let (name, arguments) = call_in(&object)?;
    let call = known_name(&ToolCall::new("", name, arguments), tools);
    tools.iter().any(|spec| spec.name == call.name).then(|| (vec![call], String::new()))
}

/// `{"name": …, "arguments": …}` and its kin.
fn call_in(object: &Map<String, Value>) -> Option<(String, String)> {
    let name = object.get("name")?.as_str()?.to_owned();
    let arguments = object.get("arguments").or_else(|| object.get("parameters"))?;
    let text = match arguments {
        Value::String(text) => text.clone(),
        Value::Object(_) => arguments.to_string(),
        Value::Null => "{}".to_owned(),
        Value::Bool(_) | Value::Number(_) | Value::Array(_) => return None,
    };
    Some((name, text))
}

/// The one JSON object a text consists of, a fence around it aside.
fn object_in(text: &str) -> Option<Map<String, Value>> {
    let text = text.trim();
    let text = text.strip_prefix("```json").or_else(|| text.strip_prefix("```")).unwrap_or(text);
    let text = text.trim().strip_suffix("```").unwrap_or(text).trim();
    serde_json::from_str(text).ok()
}

fn frame(mut object: Map<String, Value>, text: &str, tools: &[ToolSpec]) -> Intent {
    let name = ["action", "tool"].iter().find_map(|key| object.remove(*key));
    let input = ["action_input", "arg", "args", "arguments"].iter().find_map(|key| object.remove(*key));
    object.remove("thought");
    match name.as_ref().and_then(Value::as_str) {
        Some(name) if !is_finish(name) => {
            let call = ToolCall::new("", name, String::new());
            let mut call = known_name(&call, tools);
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
