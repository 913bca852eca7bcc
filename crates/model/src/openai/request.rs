//! From our request to the body of Chat Completions. Pure.

use serde_json::{Map, Value, json};

use super::quirks::Quirks;
use crate::json::parse_strict;
use crate::message::{Message, Part, Role};
use crate::request::{ChatRequest, ToolChoice};
use crate::settings::Endpoint;

/// The body, compact, its members in a fixed order of names.
pub(super) fn body(request: &ChatRequest, endpoint: &Endpoint, quirks: Quirks) -> String {
    let mut body = Map::new();
    body.insert("model".into(), json!(endpoint.model));
    body.insert("messages".into(), messages(&request.messages, endpoint, quirks));
    body.insert("stream".into(), json!(!quirks.no_stream));
    if !quirks.no_stream && !quirks.no_stream_options {
        body.insert("stream_options".into(), json!({"include_usage": true}));
    }
    if !request.tools.is_empty() {
        let tool = |tool: &crate::ToolDef| {
            let function = json!({"name": tool.name, "description": tool.description, "parameters": tool.parameters});
            json!({"type": "function", "function": function})
        };
        body.insert("tools".into(), request.tools.iter().map(tool).collect());
        match &request.tool_choice {
            ToolChoice::Auto => {}
            ToolChoice::None => drop(body.insert("tool_choice".into(), json!("none"))),
            ToolChoice::Required => drop(body.insert("tool_choice".into(), json!("required"))),
            ToolChoice::Tool(name) => {
                body.insert("tool_choice".into(), json!({"type": "function", "function": {"name": name}}));
            }
        }
    }
    if let Some(limit) = request.max_tokens {
        let name = if quirks.max_completion_tokens { "max_completion_tokens" } else { "max_tokens" };
        body.insert(name.into(), json!(limit));
    }
    if let Some(temperature) = request.temperature.filter(|_| !quirks.no_temperature) {
        // As written: 0.7, not 0.699999988.
        body.insert("temperature".into(), temperature.to_string().parse::<f64>().map_or(Value::Null, Value::from));
    }
    if let Some(format) = request.response_format.as_ref().filter(|_| !quirks.no_response_format) {
        body.insert("response_format".into(), format.clone());
    }
    if !request.stop.is_empty() && !quirks.no_stop {
        body.insert("stop".into(), json!(request.stop));
    }
    Value::Object(body).to_string()
}

/// System messages go first, as one: some chat templates take no other.
fn messages(messages: &[Message], endpoint: &Endpoint, quirks: Quirks) -> Value {
    let system = messages.iter().filter(|message| message.role == Role::System).map(Message::text);
    let system = system.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n\n");
    let mut list = Vec::with_capacity(messages.len());
    if !system.is_empty() {
        list.push(json!({"role": "system", "content": system}));
    }
    for message in messages {
        match message.role {
            Role::System => {}
            Role::User => list.push(json!({"role": "user", "content": content(message, endpoint)})),
            Role::Assistant => list.push(assistant(message, quirks)),
            Role::Tool => {
                let id = message.tool_call_id.as_deref().unwrap_or_default();
                list.push(json!({"role": "tool", "tool_call_id": id, "content": message.text()}));
            }
        }
    }
    Value::Array(list)
}

/// Text alone as text; with pictures as parts.
fn content(message: &Message, endpoint: &Endpoint) -> Value {
    if message.images().next().is_none() {
        return json!(message.text());
    }
    let part = |part: &Part| match part {
        Part::Text(text) => json!({"type": "text", "text": text}),
        Part::Image(_) if endpoint.sees == Some(false) => {
            json!({"type": "text", "text": "[a picture, which this model cannot see]"})
        }
        Part::Image(image) => json!({"type": "image_url", "image_url": {"url": image.to_url()}}),
    };
    message.parts.iter().map(part).collect()
}

fn assistant(message: &Message, quirks: Quirks) -> Value {
    let text = message.text();
    let mut object = Map::new();
    object.insert("role".into(), json!("assistant"));
    let silent = text.is_empty() && !message.tool_calls.is_empty();
    object.insert("content".into(), if silent { Value::Null } else { json!(text) });
    let reasoning = match &message.reasoning {
        None if quirks.reasoning_always => Some(""),
        reasoning => reasoning.as_deref(),
    };
    if let (Some(field), Some(reasoning), false) = (quirks.reasoning_field, reasoning, quirks.no_reasoning) {
        object.insert(field.into(), json!(reasoning));
    }
    if !message.tool_calls.is_empty() {
        let call = |call: &crate::ToolCall| {
            // Chat templates parse the arguments and fail on what is no object.
            let is_object = parse_strict(&call.arguments).is_ok_and(|value| value.as_object().is_some());
            let arguments = if is_object { call.arguments.as_str() } else { "{}" };
            json!({"id": call.id, "type": "function", "function": {"name": call.name, "arguments": arguments}})
        };
        object.insert("tool_calls".into(), message.tool_calls.iter().map(call).collect());
    }
    Value::Object(object)
}
