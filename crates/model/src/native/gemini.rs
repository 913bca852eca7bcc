//! Gemini's `streamGenerateContent`.
//!
//! Calls come whole, as objects. A thought's signature stands on the part it led to; with a call it must come back, so it
//! travels with the call as its echo. Ids of calls are optional: one that was given is sent back, one of ours is not.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::{Reader, Reply, address, input};
use crate::ModelError;
use crate::event::Usage;
use crate::http::HttpRequest;
use crate::json::{Object, Value, parse_strict};
use crate::message::{Echo, ImageData, ImagePart, Message, Part, Role, ToolCall};
use crate::openai::refusal;
use crate::request::{ChatRequest, ToolChoice};
use crate::settings::{Endpoint, Wire};

/// The request, pure.
pub(super) fn request(request: &ChatRequest, endpoint: &Endpoint) -> HttpRequest {
    let model = endpoint.model.trim_start_matches("models/");
    let url = address(endpoint, &format!("/models/{model}:streamGenerateContent"), "alt=sse");
    let headers = endpoint.api_key.iter().map(|key| ("x-goog-api-key", key.clone())).collect();
    HttpRequest { url, headers, body: body(request, endpoint).to_string() }
}

fn text(text: &str) -> Value {
    Value::from([("text", text.into())])
}

fn body(request: &ChatRequest, endpoint: &Endpoint) -> Value {
    let mut body = Object::default();
    let mut put = |name: &str, value: Value| drop(body.insert(name.to_owned(), value));
    let system = request.messages.iter().filter(|message| message.role == Role::System).map(Message::text);
    let system = system.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n\n");
    if !system.is_empty() {
        put("systemInstruction", Value::from([("parts", vec![text(&system)].into())]));
    }
    put("contents", contents(&request.messages, endpoint).into());
    if !request.tools.is_empty() {
        let tool = |tool: &crate::ToolDef| {
            Value::from([
                ("name", tool.name.as_str().into()),
                ("description", tool.description.as_str().into()),
                ("parametersJsonSchema", Value::from_serde(&tool.parameters)),
            ])
        };
        let tools: Vec<Value> = request.tools.iter().map(tool).collect();
        put("tools", vec![Value::from([("functionDeclarations", tools.into())])].into());
        let calling = match &request.tool_choice {
            ToolChoice::Auto => None,
            ToolChoice::None => Some(Value::from([("mode", "NONE".into())])),
            ToolChoice::Required => Some(Value::from([("mode", "ANY".into())])),
            ToolChoice::Tool(name) => {
                Some(Value::from([("mode", "ANY".into()), ("allowedFunctionNames", vec![name.as_str().into()].into())]))
            }
        };
        if let Some(calling) = calling {
            put("toolConfig", Value::from([("functionCallingConfig", calling)]));
        }
    }
    let config = config(request, endpoint);
    if !config.is_empty() {
        put("generationConfig", Value::Object(config));
    }
    Value::Object(body)
}

fn config(request: &ChatRequest, endpoint: &Endpoint) -> Object {
    let mut config = Object::default();
    let mut put = |name: &str, value: Value| drop(config.insert(name.to_owned(), value));
    if let Some(number) = request.temperature.and_then(|t| crate::json::Number::new(&t.to_string())) {
        put("temperature", Value::Number(number));
    }
    if let Some(limit) = request.max_tokens {
        put("maxOutputTokens", limit.into());
    }
    if !request.stop.is_empty() {
        let stop: Vec<Value> = request.stop.iter().map(|text| text.as_str().into()).collect();
        put("stopSequences", stop.into());
    }
    // JSON cannot be demanded together with tools.
    if request.tools.is_empty()
        && let Some(format) = &request.response_format
    {
        put("responseMimeType", "application/json".into());
        if let Some(schema) = format.pointer("/json_schema/schema") {
            put("responseJsonSchema", Value::from_serde(schema));
        }
    }
    if let Some(tokens) = endpoint.thinking {
        put("thinkingConfig", Value::from([("thinkingBudget", tokens.into()), ("includeThoughts", true.into())]));
    }
    config
}

/// The conversation: what one side says in a row is one content.
fn contents(messages: &[Message], endpoint: &Endpoint) -> Vec<Value> {
    let mut turns: Vec<(&str, Vec<Value>)> = Vec::new();
    for (n, message) in messages.iter().enumerate() {
        let before = messages.get(..n).unwrap_or_default();
        let (role, parts) = match message.role {
            Role::System => continue,
            Role::User => ("user", content(message, endpoint)),
            Role::Tool => ("user", vec![result(message, before)]),
            Role::Assistant => ("model", assistant(message)),
        };
        if parts.is_empty() {
            continue;
        }
        match turns.last_mut() {
            Some((last, before)) if *last == role => before.extend(parts),
            _ => turns.push((role, parts)),
        }
    }
    turns.into_iter().map(|(role, parts)| Value::from([("role", role.into()), ("parts", parts.into())])).collect()
}

fn content(message: &Message, endpoint: &Endpoint) -> Vec<Value> {
    let part = |part: &Part| match part {
        Part::Text(words) if words.is_empty() => None,
        Part::Text(words) => Some(text(words)),
        Part::Image(_) if endpoint.sees == Some(false) => Some(text("[a picture, which this model cannot see]")),
        Part::Image(image) => Some(picture(image)),
    };
    message.parts.iter().filter_map(part).collect()
}

fn picture(image: &ImagePart) -> Value {
    let kind = ("mimeType", Value::from(image.media_type.as_str()));
    match &image.data {
        ImageData::Url(url) => Value::from([("fileData", Value::from([kind, ("fileUri", url.as_str().into())]))]),
        ImageData::Bytes(bytes) => {
            Value::from([("inlineData", Value::from([kind, ("data", STANDARD.encode(bytes).into())]))])
        }
    }
}

/// The echo of a call, when it is ours to send back.
fn echoed<'c>(call: &'c ToolCall, key: &str) -> Option<&'c str> {
    let echo = call.echo.as_ref().filter(|echo| echo.wire == Wire::Gemini)?;
    echo.state.get(key)?.as_str()
}

fn result(message: &Message, before: &[Message]) -> Value {
    let id = message.tool_call_id.as_deref().unwrap_or_default();
    let call = before.iter().rev().flat_map(|message| &message.tool_calls).find(|call| call.id == id);
    let name = call.map(|call| call.name.as_str()).or(message.name.as_deref()).unwrap_or("tool");
    let words = message.text();
    let response = parse_strict(&words).ok().filter(Value::is_object);
    let response = response.unwrap_or_else(|| Value::from([("result", words.into())]));
    let mut members = Object::default();
    if let Some(id) = call.and_then(|call| echoed(call, "id")) {
        members.insert("id".to_owned(), id.into());
    }
    members.insert("name".to_owned(), name.into());
    members.insert("response".to_owned(), response);
    Value::from([("functionResponse", Value::Object(members))])
}

fn assistant(message: &Message) -> Vec<Value> {
    let mut parts = Vec::new();
    let words = message.text();
    if !words.is_empty() {
        parts.push(text(&words));
    }
    for call in &message.tool_calls {
        let mut members = Object::default();
        if let Some(id) = echoed(call, "id") {
            members.insert("id".to_owned(), id.into());
        }
        members.insert("name".to_owned(), call.name.as_str().into());
        members.insert("args".to_owned(), input(&call.arguments));
        let mut part = Object::default();
        part.insert("functionCall".to_owned(), Value::Object(members));
        if let Some(signature) = echoed(call, "thoughtSignature") {
            part.insert("thoughtSignature".to_owned(), signature.into());
        }
        parts.push(Value::Object(part));
    }
    parts
}

/// Reads the pieces of a response.
#[derive(Debug)]
pub(super) struct Content;

fn string<'v>(value: &'v Value, key: &str) -> &'v str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

fn count(usage: &Value, key: &str) -> u64 {
    match usage.get(key) {
        Some(Value::Number(number)) => number.as_str().parse().unwrap_or(0),
        _ => 0,
    }
}

fn part(part: &Value, reply: &mut Reply) {
    let signature = string(part, "thoughtSignature");
    if let Some(call) = part.get("functionCall") {
        let id = string(call, "id");
        let arguments =
            call.get("args").filter(|args| args.is_object()).map_or_else(|| "{}".to_owned(), Value::to_string);
        let mut made = ToolCall::new(id, string(call, "name"), arguments);
        let mut state = serde_json::Map::new();
        for (key, value) in [("id", id), ("thoughtSignature", signature)] {
            if !value.is_empty() {
                state.insert(key.to_owned(), value.into());
            }
        }
        if !state.is_empty() {
            made.echo = Some(Echo { wire: Wire::Gemini, state: state.into() });
        }
        if !made.name.is_empty() {
            reply.calls.push(made);
        }
    } else if part.get("thought") == Some(&Value::Bool(true)) {
        reply.thought(string(part, "text"));
    } else {
        reply.text(string(part, "text"));
    }
}

impl Reader for Content {
    fn take(&mut self, value: &Value, reply: &mut Reply) {
        if let Some(usage) = value.get("usageMetadata") {
            let thoughts = count(usage, "thoughtsTokenCount");
            let told = Usage {
                prompt_tokens: count(usage, "promptTokenCount") + count(usage, "toolUsePromptTokenCount"),
                completion_tokens: count(usage, "candidatesTokenCount") + thoughts,
                cached_tokens: count(usage, "cachedContentTokenCount"),
                reasoning_tokens: thoughts,
                ..Usage::default()
            };
            if told.total() > 0 {
                reply.usage = Some(told);
            }
        }
        let blocked = value.get("promptFeedback").map(|feedback| string(feedback, "blockReason")).unwrap_or_default();
        if !blocked.is_empty() {
            reply.failed = Some(ModelError::ContentFiltered);
            return;
        }
        let Some(Value::Array(candidates)) = value.get("candidates") else {
            if value.get("usageMetadata").is_none() {
                reply.failed = Some(ModelError::BadResponse { detail: refusal::excerpt(&value.to_string()) });
            }
            return;
        };
        let Some(candidate) = candidates.first() else { return };
        if let Some(Value::Array(parts)) = candidate.get("content").and_then(|content| content.get("parts")) {
            parts.iter().for_each(|p| part(p, reply));
        }
        let reason = string(candidate, "finishReason");
        if !reason.is_empty() && reason != "FINISH_REASON_UNSPECIFIED" {
            reply.finish = Some(reason.to_owned());
        }
    }
}
