//! A durable state-graph engine.
//!
//! A [`Graph`] is nodes and edges over one [`State`]. An [`Engine`] runs graphs on threads: it stores what every finished
//! task did before anything depends on it, so that a run survives the death of its process at any instruction and a
//! finished task never runs again. State is a fold of updates; what runs next and what a set of finished tasks does are
//! two pure functions in [`core`]; one async driver does the rest, and everything it writes goes through the
//! [`Checkpointer`] trait in atomic batches.
//!
//! The crate knows no commerce, no model and no database. [`MemoryStore`] is here for tests and small programs; SQLite is in
//! `mercer-store`.

mod build;
mod cache;
mod check;
mod clock;
#[cfg(feature = "conformance")]
pub mod conformance;
pub mod core;
mod ctx;
mod diff;
mod effect;
mod engine;
mod error;
mod event;
mod graph;
mod id;
mod live;
mod mount;
mod policy;
mod shape;
mod state;
mod step;
pub mod store;

pub use build::Builder;
pub use check::{BuildError, Problem};
pub use clock::{Clock, SystemClock};
pub use ctx::{Ctx, Failure};
pub use diff::{Difference, DifferenceKind, differences};
pub use effect::{EffectError, EffectFault, EffectKey, OnUnknown};
pub use engine::{
    Agent, Answers, CheckpointView, Durability, EffectView, Engine, EngineOptions, GraphView, HistoryFilter, Multitask,
    NewThread, Question, RunOptions, Snapshot, StepView, TakenLine, Way,
};
pub use error::{AnswerError, EngineError, NodeError, NodeErrorKind};
pub use event::{Event, EventBody};
pub use graph::Graph;
pub use id::{CheckpointId, IdError, RunId, TaskId, ThreadId};
pub use policy::{NodePolicy, Retry};
pub use shape::{EdgeKind, GraphShape, ShapeEdge, ShapeNode};
pub use state::{ApplyError, State};
pub use step::{END, Interrupt, START, Step};
pub use store::memory::MemoryStore;
pub use store::{Checkpointer, RunError, RunFilter, RunRow, RunStatus, StoreError, ThreadFilter, ThreadRow};
