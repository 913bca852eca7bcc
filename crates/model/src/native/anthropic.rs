//! Anthropic Messages, and those who speak it too (DeepSeek, Moonshot, Zhipu and others below `/anthropic`).
//!
//! Thoughts come signed. With a call they must come back unchanged before its result, so they travel with the call as its
//! echo. Calls come as a block each, their arguments in pieces.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::{Reader, Reply, address, input};
use crate::event::Usage;
use crate::http::HttpRequest;
use crate::json::{Object, Value};
use crate::message::{Echo, ImageData, ImagePart, Message, Part, Role, ToolCall};
use crate::openai::refusal;
use crate::redacted::Redacted;
use crate::request::{ChatRequest, ToolChoice};
use crate::settings::{Endpoint, Wire};

/// The version of the protocol that is spoken.
const VERSION: &str = "2023-06-01";
/// The most tokens to write when the caller says nothing: the protocol wants a number.
const MAX_TOKENS: u32 = 4_096;
/// The least budget of thinking that is taken.
const LEAST_THINKING: u32 = 1_024;

/// The request, pure.
pub(super) fn request(request: &ChatRequest, endpoint: &Endpoint) -> HttpRequest {
    let base = endpoint.base_url.split('?').next().unwrap_or_default().trim_end_matches('/');
    let path = if base.ends_with("/v1") { "/messages" } else { "/v1/messages" };
    let mut headers = vec![("anthropic-version", Redacted::new(VERSION.to_owned()))];
    if let Some(key) = &endpoint.api_key {
        headers.push(("x-api-key", key.clone()));
    }
    HttpRequest { url: address(endpoint, path, ""), headers, body: body(request, endpoint).to_string() }
}

fn text(text: &str) -> Value {
    Value::from([("type", "text".into()), ("text", text.into())])
}

/// Marks a block up to which the provider may keep what it has read.
fn cached(block: Value) -> Value {
    let Value::Object(mut members) = block else { return block };
    members.insert("cache_control".to_owned(), Value::from([("type", "ephemeral".into())]));
    Value::Object(members)
}

fn body(request: &ChatRequest, endpoint: &Endpoint) -> Value {
    let mut body = Object::default();
    let mut put = |name: &str, value: Value| drop(body.insert(name.to_owned(), value));
    let thinking = endpoint.thinking.map(|tokens| tokens.max(LEAST_THINKING));
    put("model", endpoint.model.as_str().into());
    // The budget of thinking is part of the limit.
    put("max_tokens", request.max_tokens.unwrap_or(MAX_TOKENS).saturating_add(thinking.unwrap_or(0)).into());
    put("stream", true.into());
    let system = request.messages.iter().filter(|message| message.role == Role::System).map(Message::text);
    let system = system.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n\n");
    if !system.is_empty() {
        put("system", vec![cached(text(&system))].into());
    }
    put("messages", messages(&request.messages, endpoint).into());
    if !request.tools.is_empty() {
        let tool = |tool: &crate::ToolDef| {
            Value::from([
                ("name", tool.name.as_str().into()),
                ("description", tool.description.as_str().into()),
                ("input_schema", Value::from_serde(&tool.parameters)),
            ])
        };
        put("tools", request.tools.iter().map(tool).collect::<Vec<_>>().into());
        let choice = match &request.tool_choice {
            ToolChoice::Auto => None,
            ToolChoice::None => Some(Value::from([("type", "none".into())])),
            // A demanded call is refused together with thinking.
            ToolChoice::Required | ToolChoice::Tool(_) if thinking.is_some() => None,
            ToolChoice::Required => Some(Value::from([("type", "any".into())])),
            ToolChoice::Tool(name) => Some(Value::from([("type", "tool".into()), ("name", name.as_str().into())])),
        };
        if let Some(choice) = choice {
            put("tool_choice", choice);
        }
    }
    match (thinking, request.temperature) {
        (Some(tokens), _) => {
            put("thinking", Value::from([("type", "enabled".into()), ("budget_tokens", tokens.into())]));
        }
        (None, Some(temperature)) => {
            let number = crate::json::Number::new(&temperature.clamp(0.0, 1.0).to_string());
            put("temperature", number.map_or(Value::Null, Value::Number));
        }
        (None, None) => {}
    }
    if !request.stop.is_empty() {
        let stop: Vec<Value> = request.stop.iter().map(|text| text.as_str().into()).collect();
        put("stop_sequences", stop.into());
    }
    Value::Object(body)
}

/// The conversation: turns alternate, so what one side says in a row is one message, results of tools first.
fn messages(messages: &[Message], endpoint: &Endpoint) -> Vec<Value> {
    let mut turns: Vec<(&str, Vec<Value>)> = Vec::new();
    for message in messages {
        let (role, blocks) = match message.role {
            Role::System => continue,
            Role::User => ("user", content(message, endpoint)),
            Role::Tool => ("user", vec![result(message, endpoint)]),
            Role::Assistant => ("assistant", assistant(message)),
        };
        if blocks.is_empty() {
            continue;
        }
        match turns.last_mut() {
            Some((last, before)) if *last == role => before.extend(blocks),
            Some(_) => turns.push((role, blocks)),
            None => {
                // The first word is the person's.
                if role == "assistant" {
                    turns.push(("user", vec![text("…")]));
                }
                turns.push((role, blocks));
            }
        }
    }
    turns.into_iter().map(|(role, blocks)| Value::from([("role", role.into()), ("content", blocks.into())])).collect()
}

fn content(message: &Message, endpoint: &Endpoint) -> Vec<Value> {
    let part = |part: &Part| match part {
        Part::Text(words) if words.trim().is_empty() => None,
        Part::Text(words) => Some(text(words)),
        Part::Image(_) if endpoint.sees == Some(false) => Some(text("[a picture, which this model cannot see]")),
        Part::Image(image) => Some(picture(image)),
    };
    message.parts.iter().filter_map(part).collect()
}

fn picture(image: &ImagePart) -> Value {
    let source = match &image.data {
        ImageData::Url(url) => Value::from([("type", "url".into()), ("url", url.as_str().into())]),
        ImageData::Bytes(bytes) => Value::from([
            ("type", "base64".into()),
            ("media_type", image.media_type.as_str().into()),
            ("data", STANDARD.encode(bytes).into()),
        ]),
    };
    Value::from([("type", "image".into()), ("source", source)])
}

fn result(message: &Message, endpoint: &Endpoint) -> Value {
    let id = plain_id(message.tool_call_id.as_deref().unwrap_or_default());
    Value::from([
        ("type", "tool_result".into()),
        ("tool_use_id", id.into()),
        ("content", content(message, endpoint).into()),
    ])
}

/// Ids of other providers may hold what this one does not take.
fn plain_id(id: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '_' | '-') { c } else { '_' };
    if id.is_empty() { "call".to_owned() } else { id.chars().map(plain).collect() }
}

fn assistant(message: &Message) -> Vec<Value> {
    let mut blocks = Vec::new();
    for echo in message.tool_calls.iter().filter_map(|call| call.echo.as_ref()) {
        if let (Wire::Anthropic, serde_json::Value::Array(thoughts)) = (echo.wire, &echo.state) {
            blocks.extend(thoughts.iter().map(Value::from_serde));
        }
    }
    let words = message.text();
    if !words.trim().is_empty() {
        blocks.push(text(words.trim_end()));
    }
    blocks.extend(message.tool_calls.iter().map(|call| {
        Value::from([
            ("type", "tool_use".into()),
            ("id", plain_id(&call.id).into()),
            ("name", call.name.as_str().into()),
            ("input", input(&call.arguments)),
        ])
    }));
    blocks
}

/// A block in the making.
#[derive(Debug)]
enum Block {
    Text,
    Thinking { thought: String, signature: String },
    Redacted { data: String },
    Call { id: String, name: String, written: String, given: Option<String> },
    Other,
}

/// Reads the events of a message.
#[derive(Debug, Default)]
pub(super) struct Messages {
    blocks: BTreeMap<u64, Block>,
    usage: BTreeMap<String, u64>,
}

fn string<'v>(value: &'v Value, key: &str) -> &'v str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

fn whole(value: Option<&Value>) -> Option<u64> {
    match value? {
        Value::Number(number) => number.as_str().parse().ok(),
        _ => None,
    }
}

impl Messages {
    fn used(&mut self, usage: Option<&Value>) {
        for name in ["input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"] {
            if let Some(tokens) = whole(usage.and_then(|usage| usage.get(name))) {
                self.usage.insert(name.to_owned(), tokens);
            }
        }
    }

    fn begin(&mut self, index: u64, block: &Value, reply: &mut Reply) {
        let begun = match string(block, "type") {
            "text" => {
                reply.text(string(block, "text"));
                Block::Text
            }
            "thinking" => {
                reply.thought(string(block, "thinking"));
                Block::Thinking {
                    thought: string(block, "thinking").to_owned(),
                    signature: string(block, "signature").to_owned(),
                }
            }
            "redacted_thinking" => Block::Redacted { data: string(block, "data").to_owned() },
            "tool_use" => {
                let given = block.get("input").filter(|input| input.as_object().is_some_and(|input| !input.is_empty()));
                Block::Call {
                    id: string(block, "id").to_owned(),
                    name: string(block, "name").to_owned(),
                    written: String::new(),
                    given: given.map(ToString::to_string),
                }
            }
            _ => Block::Other,
        };
        self.blocks.insert(index, begun);
    }

    fn delta(&mut self, index: u64, delta: &Value, reply: &mut Reply) {
        match (self.blocks.get_mut(&index), string(delta, "type")) {
            (Some(Block::Call { written, .. }), "input_json_delta") => {
                written.push_str(string(delta, "partial_json"));
                reply.written += 1;
            }
            (Some(Block::Thinking { thought, .. }), "thinking_delta") => {
                thought.push_str(string(delta, "thinking"));
                reply.thought(string(delta, "thinking"));
            }
            (Some(Block::Thinking { signature, .. }), "signature_delta") => {
                signature.push_str(string(delta, "signature"));
            }
            (_, "text_delta") => reply.text(string(delta, "text")),
            _ => {}
        }
    }

    /// All blocks are there: the calls, the first with the thoughts that must come back with it.
    fn close(&mut self, reply: &mut Reply) {
        let mut thoughts: Vec<serde_json::Value> = Vec::new();
        for block in std::mem::take(&mut self.blocks).into_values() {
            match block {
                Block::Thinking { thought, signature } if !signature.is_empty() => {
                    thoughts.push(serde_json::json!({"type": "thinking", "thinking": thought, "signature": signature}));
                }
                Block::Redacted { data } => {
                    thoughts.push(serde_json::json!({"type": "redacted_thinking", "data": data}));
                }
                Block::Call { id, name, written, given } if !name.is_empty() => {
                    let arguments =
                        if written.trim().is_empty() { given.unwrap_or_else(|| "{}".into()) } else { written };
                    let mut call = ToolCall::new(id, name, arguments);
                    if !thoughts.is_empty() {
                        let state = serde_json::Value::Array(std::mem::take(&mut thoughts));
                        call.echo = Some(Echo { wire: Wire::Anthropic, state });
                    }
                    reply.calls.push(call);
                }
                _ => {}
            }
        }
        let of = |name: &str| self.usage.get(name).copied().unwrap_or(0);
        let cached = of("cache_read_input_tokens");
        let prompt = of("input_tokens") + cached + of("cache_creation_input_tokens");
        if prompt + of("output_tokens") > 0 {
            reply.usage = Some(Usage {
                prompt_tokens: prompt,
                completion_tokens: of("output_tokens"),
                cached_tokens: cached,
                ..Usage::default()
            });
        }
        reply.done = true;
    }

    fn stopped(reply: &mut Reply, value: Option<&Value>) {
        let reason = value.map(|value| string(value, "stop_reason")).unwrap_or_default();
        if !reason.is_empty() {
            reply.finish = Some(reason.to_owned());
        }
    }
}

impl Reader for Messages {
    fn take(&mut self, value: &Value, reply: &mut Reply) {
        let index = whole(value.get("index")).unwrap_or(0);
        match string(value, "type") {
            "message_start" => self.used(value.get("message").and_then(|message| message.get("usage"))),
            "content_block_start" => {
                if let Some(block) = value.get("content_block") {
                    self.begin(index, block, reply);
                }
            }
            "content_block_delta" => {
                if let Some(delta) = value.get("delta") {
                    self.delta(index, delta, reply);
                }
            }
            "message_delta" => {
                self.used(value.get("usage"));
                Self::stopped(reply, value.get("delta"));
            }
            "message_stop" => self.close(reply),
            // A whole message, from a proxy that does not stream.
            "message" => {
                let blocks = match value.get("content") {
                    Some(Value::Array(blocks)) => blocks.as_slice(),
                    _ => &[],
                };
                for (index, block) in (0_u64..).zip(blocks) {
                    self.begin(index, block, reply);
                }
                self.used(value.get("usage"));
                Self::stopped(reply, Some(value));
                self.close(reply);
            }
            "" => {
                let detail = refusal::excerpt(&value.to_string());
                reply.failed = Some(crate::ModelError::BadResponse { detail });
            }
            _ => {}
        }
    }
}
