//! A model that says what a test told it to say.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use futures::StreamExt as _;

use crate::chat::{Capabilities, ChatModel, ChatStream, Support};
use crate::error::ModelError;
use crate::event::{ChatEvent, ChatReply};
use crate::message::ToolCall;
use crate::request::ChatRequest;

/// What a scripted model does on one call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Script(Vec<Result<ChatEvent, ModelError>>);

impl Script {
    /// These events, as they are.
    #[must_use]
    pub fn events(events: Vec<Result<ChatEvent, ModelError>>) -> Self {
        Self(events)
    }

    /// Text is shown, then the call fails.
    pub fn broken_after(text: &str, error: ModelError) -> Self {
        let mut events = pieces(text);
        events.push(Err(error));
        Self(events)
    }
}

/// Text as a stream shows it: a word at a time.
fn pieces(text: &str) -> Vec<Result<ChatEvent, ModelError>> {
    text.split_inclusive([' ', '，', '。', '\n']).map(|piece| Ok(ChatEvent::Text(piece.to_owned()))).collect()
}

impl From<ChatReply> for Script {
    fn from(reply: ChatReply) -> Self {
        let ChatReply { text, reasoning, tool_calls, finish, usage, model: _ } = reply;
        let mut events: Vec<_> = reasoning.map(|text| Ok(ChatEvent::Reasoning(text))).into_iter().collect();
        events.extend(pieces(&text));
        events.extend(tool_calls.into_iter().map(|call| Ok(ChatEvent::ToolCall(call))));
        events.push(Ok(ChatEvent::Usage(usage)));
        events.push(Ok(ChatEvent::Done(finish)));
        Self(events)
    }
}

impl From<&str> for Script {
    fn from(text: &str) -> Self {
        ChatReply::text(text).into()
    }
}

impl From<ToolCall> for Script {
    fn from(call: ToolCall) -> Self {
        ChatReply::calls(vec![call]).into()
    }
}

impl From<ModelError> for Script {
    fn from(error: ModelError) -> Self {
        Self(vec![Err(error)])
    }
}

type Answer = Box<dyn FnMut(&ChatRequest) -> Script + Send>;

/// A model for tests: it plays its scripts in order and remembers what it was asked.
#[derive(Clone)]
pub struct Scripted {
    name: String,
    capabilities: Capabilities,
    answer: Arc<Mutex<Answer>>,
    requests: Arc<Mutex<Vec<ChatRequest>>>,
}

impl fmt::Debug for Scripted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scripted").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Scripted {
    /// Plays these, one a call. A call after the last fails with [`ModelError::BadResponse`].
    pub fn new<S: Into<Script>>(scripts: impl IntoIterator<Item = S>) -> Self {
        let mut scripts: VecDeque<Script> = scripts.into_iter().map(Into::into).collect();
        Self::answering(move |_| {
            scripts
                .pop_front()
                .unwrap_or_else(|| ModelError::BadResponse { detail: "the script has ended".into() }.into())
        })
    }

    /// Asks the function on each call.
    pub fn answering(answer: impl FnMut(&ChatRequest) -> Script + Send + 'static) -> Self {
        Self {
            name: "scripted".into(),
            capabilities: Capabilities::new(Support::Supported, true),
            answer: Arc::new(Mutex::new(Box::new(answer))),
            requests: Arc::default(),
        }
    }

    /// The same model under another name.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// The same model with these capabilities.
    #[must_use]
    pub const fn with_capabilities(mut self, capabilities: Capabilities) -> Self {
        self.capabilities = capabilities;
        self
    }

    /// What it was asked so far.
    #[must_use]
    pub fn requests(&self) -> Vec<ChatRequest> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl ChatModel for Scripted {
    fn name(&self) -> &str {
        &self.name
    }

    fn stream(&self, request: ChatRequest) -> ChatStream {
        let model = self.clone();
        let events = async move {
            let script = (model.answer.lock().unwrap_or_else(PoisonError::into_inner))(&request);
            model.requests.lock().unwrap_or_else(PoisonError::into_inner).push(request);
            let started = Ok(ChatEvent::Started { model: model.name.clone() });
            futures::stream::iter(std::iter::once(started).chain(script.0))
        };
        futures::stream::once(events).flatten().boxed()
    }

    fn capabilities(&self) -> Capabilities {
        self.capabilities
    }
}
