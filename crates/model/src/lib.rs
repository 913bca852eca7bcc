//! Everything that talks to a model, and nothing that knows a shop.
//!
//! The rest of Mercer sees one neutral set of types ([`Message`], [`ChatRequest`], [`ChatEvent`]) and one small trait,
//! [`ChatModel`], held as `Arc<dyn ChatModel>`. A model's output is data: nothing here executes it, opens it as a path or
//! evaluates it.
//!
//! **Invariant:** a stream ends in exactly one of [`ChatEvent::Done`] or an error. Truncated text is never a success.
//! **Invariant:** a key never appears in a Debug text, an error, a log line or a serialised value (see [`Redacted`]).

mod chat;
mod connect;
mod embedding;
mod error;
mod event;
pub mod http;
pub mod json;
mod limits;
mod message;
pub mod native;
pub mod openai;
pub mod probe;
mod redacted;
mod request;
pub mod resilience;
mod scripted;
pub mod settings;
pub mod text_calls;
mod thoughts;

pub use chat::{Capabilities, ChatModel, ChatStream, Support, complete};
pub use connect::{Models, chat_over};
pub use embedding::{EmbeddingModel, Embeddings};
pub use error::{ModelError, Phase};
pub use event::{ChatEvent, ChatReply, Cost, FinishReason, Fold, Usage};
pub use message::{Echo, ImageData, ImagePart, Message, Part, Role, ToolCall};
pub use redacted::Redacted;
pub use request::{ChatRequest, ToolChoice, ToolDef};
pub use scripted::{Script, Scripted};
pub use settings::{Endpoint, ModelRole, ModelSettings, Wire};
