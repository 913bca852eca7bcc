//! What every agent shares: tools, the loop that drives a model, the memory of a conversation, and the gate between an
//! answer and a person.
//!
//! Everything that decides is pure: [`react::React`] says what to do next and is fed with what happened; [`gate`] holds an
//! answer against the [`evidence`] of its thread and never calls a model. Only [`tool::Registry::call`] is asynchronous.
//! Commerce is not known here: a shop's words reach the gate as evidence.

pub mod drive;
pub mod evidence;
pub mod fallback;
pub mod gate;
pub mod history;
mod lang;
pub mod plan;
pub mod profile;
pub mod quote;
pub mod react;
pub mod reflect;
pub mod tool;

pub use evidence::{Address, Evidence};
pub use lang::Lang;
pub use react::{Finish, Limits, Next, React};
pub use tool::{Failure, FailureKind, Nature, Principal, Registry, Tool, ToolCtx, ToolError, ToolResult, ToolSpec};
