//! Sending a request and streaming the reply, with the waits of the settings.

use std::sync::{Arc, Mutex, PoisonError};

use async_stream::stream;
use futures::StreamExt as _;
use jiff::Timestamp;
use tokio::time::Instant;

use super::decode::{Decoder, DecoderOptions, Facts};
use super::quirks::Quirks;
use super::{refusal, request, request_to, usage};
use crate::chat::{Capabilities, ChatModel, ChatStream, Support};
use crate::error::{ModelError, Phase};
use crate::event::ChatEvent;
use crate::http::{Http, HttpResponse, Transport};
use crate::limits::{LAST_WORDS, Limits, priced, refusal_text};
use crate::request::{ChatRequest, ToolChoice};
use crate::settings::{Endpoint, Timeouts};

/// How many things a server may teach in one call before it is given up.
const LESSONS: usize = 4;
/// After so many calls in which a demanded tool was not called, the server has no tools.
const IGNORED_DEMANDS: u32 = 2;

/// What was learned about the server so far.
#[derive(Debug, Clone, Copy)]
struct Known {
    quirks: Quirks,
    tools: Support,
    calls_natively: bool,
    ignored_demands: u32,
}

/// A chat model behind an OpenAI-compatible endpoint. Cheap to clone.
#[derive(Debug, Clone)]
pub struct OpenAiChat {
    endpoint: Arc<Endpoint>,
    timeouts: Timeouts,
    transport: Arc<dyn Transport>,
    known: Arc<Mutex<Known>>,
}

impl OpenAiChat {
    /// The model over this client (see [`crate::http::client`]).
    #[must_use]
    pub fn new(endpoint: &Endpoint, http: reqwest::Client, timeouts: Timeouts) -> Self {
        Self::over(endpoint, Arc::new(Http { client: http, connect_timeout: timeouts.connect }), timeouts)
    }

    /// The model over any transport, such as a recording.
    #[must_use]
    pub fn over(endpoint: &Endpoint, transport: Arc<dyn Transport>, timeouts: Timeouts) -> Self {
        let tools = match endpoint.tools {
            None => Support::Unknown,
            Some(true) => Support::Supported,
            Some(false) => Support::Unsupported,
        };
        let known = Known { quirks: Quirks::of(&endpoint.model), tools, calls_natively: false, ignored_demands: 0 };
        Self { endpoint: Arc::new(endpoint.clone()), timeouts, transport, known: Arc::new(Mutex::new(known)) }
    }

    /// What it sends over, to be wrapped in a recorder.
    #[must_use]
    pub fn transport(&self) -> Arc<dyn Transport> {
        Arc::clone(&self.transport)
    }

    fn known(&self) -> Known {
        *self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn learn(&self, change: impl FnOnce(&mut Known)) {
        change(&mut self.known.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Sends until the server takes the request, leaving out what it refuses.
    async fn send(&self, request: &ChatRequest, limit: Limits) -> Result<HttpResponse, ModelError> {
        for _ in 0..=LESSONS {
            let quirks = self.known().quirks;
            let body = request::body(request, &self.endpoint, quirks);
            let limit = if quirks.no_stream { limit.for_whole() } else { limit };
            let response =
                limit.first(self.transport.post(request_to(&self.endpoint, "/chat/completions", body))).await??;
            if (200..300).contains(&response.status) {
                return Ok(response);
            }
            let (status, retry_after) = (response.status, response.retry_after.clone());
            let text = limit.first(refusal_text(response)).await?;
            if !request.tools.is_empty() && refusal::refuses_tools(&text) {
                self.learn(|known| known.tools = Support::Unsupported);
                return Err(ModelError::ToolsUnsupported { detail: refusal::message(&text) });
            }
            match quirks.learn(status, &text, request) {
                Some(quirks) => self.learn(|known| known.quirks = quirks),
                None => return Err(refusal::refused(status, retry_after.as_deref(), Timestamp::now(), &text)),
            }
        }
        Err(ModelError::BadRequest { status: 400, detail: "the server refuses one thing after the other".into() })
    }

    fn remember(&self, facts: Facts, demanded: bool, offered: bool) {
        self.learn(|known| {
            known.quirks.headless |= facts.headless;
            known.calls_natively |= facts.called_natively;
            known.quirks.reasoning_field = facts.reasoning_field.or(known.quirks.reasoning_field);
            if facts.called {
                known.tools = Support::Supported;
            } else if offered && demanded && known.tools == Support::Unknown {
                known.ignored_demands += 1;
                if known.ignored_demands >= IGNORED_DEMANDS {
                    known.tools = Support::Unsupported;
                }
            }
        });
    }
}

impl ChatModel for OpenAiChat {
    fn name(&self) -> &str {
        &self.endpoint.model
    }

    fn stream(&self, mut request: ChatRequest) -> ChatStream {
        let model = self.clone();
        let events = stream! {
            yield Ok(ChatEvent::Started { model: model.endpoint.model.clone() });
            let known = model.known();
            if known.tools == Support::Unsupported && !request.tools.is_empty() {
                yield Err(ModelError::ToolsUnsupported { detail: "as the server said before".into() });
                return;
            }
            let limit = Limits::new(model.timeouts);
            let sent = model.send(&request, limit).await;
            let limit = if model.known().quirks.no_stream { limit.for_whole() } else { limit };
            let mut body = match sent {
                Ok(response) => response.body,
                Err(error) => {
                    yield Err(error);
                    return;
                }
            };
            if request.tool_choice == ToolChoice::None {
                request.tools.clear();
            }
            let offered = !request.tools.is_empty();
            let demanded = matches!(request.tool_choice, ToolChoice::Required | ToolChoice::Tool(_));
            let mut decoder = Decoder::new(DecoderOptions {
                tools: std::mem::take(&mut request.tools).into_iter().map(|tool| tool.name).collect(),
                seed: request.messages.len(),
                prompt_estimate: usage::estimate_request(&request),
                headless: known.quirks.headless,
                calls_natively: known.calls_natively,
            });
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
                    Ok(Some(Ok(bytes))) => {
                        let mut events = decoder.push(&bytes);
                        if decoder.complete() {
                            events.extend(decoder.end(None));
                        }
                        events
                    }
                    Ok(Some(Err(error))) => decoder.end(Some(error)),
                    Ok(None) => decoder.end(None),
                    Err(timeout) => decoder.give_up(timeout),
                };
                if decoder.ended() {
                    model.remember(decoder.facts(), demanded, offered);
                }
                for event in events {
                    yield priced(event, &model.endpoint);
                }
            }
        };
        events.boxed()
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { tools: self.known().tools, vision: self.endpoint.sees() }
    }
}
