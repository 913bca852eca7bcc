//! Providers that do not speak OpenAI's protocol, spoken to in their own: Anthropic Messages and Gemini.
//!
//! Kept crates were weighed first. `genai` carries tools, pictures and streams for both, but gives the arguments of calls
//! as `serde_json` values, which lose digits beyond 64 bits, and has its own HTTP client, so that a recording could not
//! replay its bytes; `rig` brings its own agent loop and message types; the community crates for one provider are young
//! and leave signed thoughts out. What is needed is two pure functions a provider, so they are here, in the manner of
//! [`crate::openai`]: our types to a body, bytes to our events.

mod anthropic;
mod feed;
mod gemini;

use std::fmt;
use std::sync::Arc;

use async_stream::stream;
use futures::StreamExt as _;
use jiff::Timestamp;
use tokio::time::Instant;

use crate::chat::{Capabilities, ChatModel, ChatStream, Support};
use crate::error::{ModelError, Phase};
use crate::event::{ChatEvent, FinishReason, Usage};
use crate::http::{Http, HttpRequest, HttpResponse, Transport};
use crate::limits::{LAST_WORDS, Limits, priced, refusal_text};
use crate::message::ToolCall;
use crate::openai::{estimate_request, refusal, usage};
use crate::request::ChatRequest;
use crate::settings::{Endpoint, Timeouts, Wire};
use crate::text_calls;
use feed::Feed;

type Events = Vec<Result<ChatEvent, ModelError>>;

/// What a provider's protocol makes of one event of its stream.
trait Reader: Send + fmt::Debug {
    /// Takes one JSON value of the stream, or the whole response.
    fn take(&mut self, value: &crate::json::Value, reply: &mut Reply);
}

/// The reply in the making, the same for every provider.
#[derive(Debug, Default)]
struct Reply {
    events: Events,
    calls: Vec<ToolCall>,
    /// The provider's word for why it ended.
    finish: Option<String>,
    /// The provider said that nothing follows.
    done: bool,
    usage: Option<Usage>,
    answered: bool,
    reasoned: bool,
    shown: bool,
    written: u64,
    failed: Option<ModelError>,
}

impl Reply {
    fn text(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        self.written += usage::estimate(text);
        self.shown = true;
        self.answered |= !text.trim().is_empty();
        self.events.push(Ok(ChatEvent::Text(text.to_owned())));
    }

    fn thought(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        self.written += usage::estimate(text);
        self.reasoned = true;
        self.events.push(Ok(ChatEvent::Reasoning(text.to_owned())));
    }
}

/// Decodes one response of a provider: pure, the same events whatever the chunks.
#[derive(Debug)]
pub struct NativeDecoder {
    feed: Feed,
    reader: Box<dyn Reader>,
    reply: Reply,
    /// Makes made-up call ids differ between messages.
    seed: usize,
    prompt_estimate: u64,
    ended: bool,
}

impl NativeDecoder {
    /// A decoder for the response to this request.
    ///
    /// # Errors
    /// Nothing for OpenAI's protocol, which has a decoder of its own.
    #[must_use]
    pub fn new(wire: Wire, request: &ChatRequest) -> Option<Self> {
        let reader: Box<dyn Reader> = match wire {
            Wire::OpenAi => return None,
            Wire::Anthropic => Box::new(anthropic::Messages::default()),
            Wire::Gemini => Box::new(gemini::Content),
        };
        Some(Self {
            feed: Feed::default(),
            reader,
            reply: Reply::default(),
            seed: request.messages.len(),
            prompt_estimate: estimate_request(request),
            ended: false,
        })
    }

    /// Takes bytes and gives back the events they complete.
    pub fn push(&mut self, bytes: &[u8]) -> Events {
        if self.ended {
            return Vec::new();
        }
        let values = self.feed.push(bytes);
        self.take(values)
    }

    /// The body is over, perhaps broken off by an error.
    pub fn end(&mut self, broken: Option<ModelError>) -> Events {
        if self.ended {
            return Vec::new();
        }
        let values = self.feed.end();
        let mut events = self.take(values);
        if self.ended {
            return events;
        }
        if self.reply.finish.is_some() {
            self.conclude(&mut events);
        } else {
            let error = match broken {
                Some(error) if !self.reply.shown => error,
                Some(error) => ModelError::Truncated { detail: error.to_string() },
                None if self.feed.is_empty() => ModelError::BadResponse { detail: "it is empty".into() },
                None => ModelError::Truncated { detail: "the stream ended without a finish reason".into() },
            };
            self.fail(error, &mut events);
        }
        events
    }

    /// The caller waited too long. A reply that said why it ended is whole.
    pub fn give_up(&mut self, timeout: ModelError) -> Events {
        if self.reply.finish.is_some() {
            return self.end(None);
        }
        let mut events = Vec::new();
        self.fail(timeout, &mut events);
        events
    }

    fn take(&mut self, values: Result<Vec<crate::json::Value>, ModelError>) -> Events {
        let values = match values {
            Ok(values) => values,
            Err(error) => {
                let mut events = Vec::new();
                self.fail(error, &mut events);
                return events;
            }
        };
        for value in values {
            if let Some(error) = refusal::in_stream(&value) {
                self.reply.failed = Some(error);
            } else {
                self.reader.take(&value, &mut self.reply);
            }
            if self.reply.failed.is_some() {
                break;
            }
        }
        let mut events = std::mem::take(&mut self.reply.events);
        if let Some(error) = self.reply.failed.take() {
            self.fail(error, &mut events);
        } else if self.reply.done {
            self.conclude(&mut events);
        }
        events
    }

    fn fail(&mut self, error: ModelError, events: &mut Events) {
        self.ended = true;
        events.push(Err(error));
    }

    fn conclude(&mut self, events: &mut Events) {
        let finish = self.reply.finish.as_deref().unwrap_or("stop");
        let reason = match refusal::finish(finish) {
            Ok(reason) => reason,
            Err(error) => return self.fail(error, events),
        };
        let mut calls = std::mem::take(&mut self.reply.calls);
        for n in 0..calls.len() {
            let taken = |id: &str| id.is_empty() || calls.iter().take(n).any(|call| call.id == id);
            let Some(call) = calls.get(n) else { continue };
            self.reply.written += usage::estimate(&call.name) + usage::estimate(&call.arguments);
            let made = taken(&call.id).then(|| text_calls::id(self.seed, n, &call.name));
            if let (Some(id), Some(call)) = (made, calls.get_mut(n)) {
                call.id = id;
            }
        }
        if reason == FinishReason::Length {
            // A call may be cut anywhere: none is given out.
            calls.clear();
        } else if calls.is_empty() && !self.reply.answered {
            return self.fail(ModelError::Empty { reasoning_only: self.reply.reasoned }, events);
        }
        let called = !calls.is_empty();
        events.extend(calls.into_iter().map(|call| Ok(ChatEvent::ToolCall(call))));
        events.push(Ok(ChatEvent::Usage(self.reply.usage.take().unwrap_or_else(|| Usage {
            prompt_tokens: self.prompt_estimate,
            completion_tokens: self.reply.written,
            estimated: true,
            ..Usage::default()
        }))));
        events.push(Ok(ChatEvent::Done(match reason {
            FinishReason::Length => FinishReason::Length,
            FinishReason::Stop | FinishReason::ToolCalls if called => FinishReason::ToolCalls,
            FinishReason::Stop | FinishReason::ToolCalls => FinishReason::Stop,
        })));
        self.ended = true;
    }

    /// Whether the last event was given out.
    #[must_use]
    pub const fn ended(&self) -> bool {
        self.ended
    }

    /// Whether a finish reason came: little may follow.
    #[must_use]
    pub const fn finishing(&self) -> bool {
        self.reply.finish.is_some()
    }

    /// Whether the model is writing.
    #[must_use]
    pub fn receiving(&self) -> bool {
        self.reply.written > 0 || !self.reply.calls.is_empty()
    }
}

/// A chat model behind a protocol of its own. Cheap to clone.
#[derive(Debug, Clone)]
pub struct NativeChat {
    wire: Wire,
    endpoint: Arc<Endpoint>,
    timeouts: Timeouts,
    transport: Arc<dyn Transport>,
}

impl NativeChat {
    /// The model over this client. The protocol is [`Endpoint::wire`]'s, Anthropic's when that is OpenAI's.
    #[must_use]
    pub fn new(endpoint: &Endpoint, http: reqwest::Client, timeouts: Timeouts) -> Self {
        Self::over(endpoint, Arc::new(Http { client: http, connect_timeout: timeouts.connect }), timeouts)
    }

    /// The model over any transport, such as a recording.
    #[must_use]
    pub fn over(endpoint: &Endpoint, transport: Arc<dyn Transport>, timeouts: Timeouts) -> Self {
        let wire = if endpoint.wire() == Wire::Gemini { Wire::Gemini } else { Wire::Anthropic };
        Self { wire, endpoint: Arc::new(endpoint.clone()), timeouts, transport }
    }

    /// What is sent for a request.
    #[must_use]
    pub fn request(&self, request: &ChatRequest) -> HttpRequest {
        match self.wire {
            Wire::Gemini => gemini::request(request, &self.endpoint),
            Wire::Anthropic | Wire::OpenAi => anthropic::request(request, &self.endpoint),
        }
    }

    async fn send(&self, request: &ChatRequest, limit: Limits) -> Result<HttpResponse, ModelError> {
        let response = limit.first(self.transport.post(self.request(request))).await??;
        if (200..300).contains(&response.status) {
            return Ok(response);
        }
        let (status, retry_after) = (response.status, response.retry_after.clone());
        let text = limit.first(refusal_text(response)).await?;
        if !request.tools.is_empty() && refusal::refuses_tools(&text) {
            return Err(ModelError::ToolsUnsupported { detail: refusal::message(&text) });
        }
        Err(refusal::refused(status, retry_after.as_deref(), Timestamp::now(), &text))
    }
}

impl ChatModel for NativeChat {
    fn name(&self) -> &str {
        &self.endpoint.model
    }

    fn stream(&self, request: ChatRequest) -> ChatStream {
        let model = self.clone();
        let events = stream! {
            yield Ok(ChatEvent::Started { model: model.endpoint.model.clone() });
            if model.endpoint.tools == Some(false) && !request.tools.is_empty() {
                yield Err(ModelError::ToolsUnsupported { detail: "as the settings say".into() });
                return;
            }
            let limit = Limits::new(model.timeouts);
            let mut body = match model.send(&request, limit).await {
                Ok(response) => response.body,
                Err(error) => {
                    yield Err(error);
                    return;
                }
            };
            let Some(mut decoder) = NativeDecoder::new(model.wire, &request) else { return };
            while !decoder.ended() {
                let next = body.next();
                let piece = if decoder.finishing() {
                    limit.within(next, Instant::now() + LAST_WORDS, Phase::Idle, LAST_WORDS).await
                } else if decoder.receiving() {
                    limit.idle(next).await
                } else {
                    limit.first(next).await
                };
                let events = match piece {
                    Ok(Some(Ok(bytes))) => decoder.push(&bytes),
                    Ok(Some(Err(error))) => decoder.end(Some(error)),
                    Ok(None) => decoder.end(None),
                    Err(timeout) => decoder.give_up(timeout),
                };
                for event in events {
                    yield priced(event, &model.endpoint);
                }
            }
        };
        events.boxed()
    }

    fn capabilities(&self) -> Capabilities {
        let tools = if self.endpoint.tools == Some(false) { Support::Unsupported } else { Support::Supported };
        Capabilities { tools, vision: self.endpoint.sees() }
    }
}

/// The address of a path below the endpoint's, its query kept, and `more` added to it.
fn address(endpoint: &Endpoint, path: &str, more: &str) -> String {
    let (base, query) = endpoint.base_url.split_once('?').unwrap_or((&endpoint.base_url, ""));
    let query: Vec<&str> = [query, more].into_iter().filter(|part| !part.is_empty()).collect();
    let mark = if query.is_empty() { "" } else { "?" };
    format!("{}{path}{mark}{}", base.trim_end_matches('/'), query.join("&"))
}

/// The arguments of a call as an object with every digit kept; what is no object is sent as an empty one.
fn input(arguments: &str) -> crate::json::Value {
    let value = crate::json::parse_strict(arguments).ok().filter(crate::json::Value::is_object);
    value.unwrap_or_else(|| crate::json::Value::Object(crate::json::Object::default()))
}
