//! The agents of a shop, one folder an agent: graph, tools, prompts, floor, conversations.
//!
//! [`Assistants::build`] registers their graphs with an engine and gives what a server or a terminal needs: say something, take a
//! chip away, read a conversation.

mod assistants;
pub mod eval;
pub mod shopping;

pub use assistants::{Assistants, SetupError};
