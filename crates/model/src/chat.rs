//! The trait all chat models share.

use std::fmt;

use futures::StreamExt as _;
use futures::stream::BoxStream;

use crate::error::ModelError;
use crate::event::{ChatEvent, ChatReply, Fold};
use crate::request::ChatRequest;

/// A reply in the making. It ends after the first [`ChatEvent::Done`] or the first error.
pub type ChatStream = BoxStream<'static, Result<ChatEvent, ModelError>>;

/// Whether a server can do something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Support {
    /// Not tried yet: assume so, and look at what comes back.
    #[default]
    Unknown,
    /// It was seen to work.
    Supported,
    /// It was seen to be refused.
    Unsupported,
}

/// What is known about a model by now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Capabilities {
    /// Tool calls in the protocol. When `Unsupported`, use the JSON protocol.
    pub tools: Support,
    /// Pictures in messages.
    pub vision: bool,
}

impl Capabilities {
    /// What is known, from its parts.
    #[must_use]
    pub const fn new(tools: Support, vision: bool) -> Self {
        Self { tools, vision }
    }
}

/// A model that chats. Held as `Arc<dyn ChatModel>`.
pub trait ChatModel: Send + Sync + fmt::Debug {
    /// The model's name, for people and the ledger.
    fn name(&self) -> &str;

    /// Asks, and streams the reply. Nothing is sent before the stream is polled; dropping the stream cancels the call.
    fn stream(&self, request: ChatRequest) -> ChatStream;

    /// What is known about the model; may change after a call.
    fn capabilities(&self) -> Capabilities;
}

/// Asks and waits for the whole reply.
///
/// # Errors
/// Whatever the stream ended with.
pub async fn complete(model: &dyn ChatModel, request: ChatRequest) -> Result<ChatReply, ModelError> {
    let mut fold = Fold::default();
    fold.push(ChatEvent::Started { model: model.name().to_owned() });
    let mut stream = model.stream(request);
    while let Some(event) = stream.next().await {
        fold.push(event?);
    }
    fold.finish()
}
