//! What goes wrong in a node, and what goes wrong in the engine.

use std::any::Any;
use std::fmt;

use crate::effect::EffectError;
use crate::store::StoreError;
use crate::{ApplyError, RunId, RunStatus, ThreadId};

/// What kind of failure a node had.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeErrorKind {
    /// It failed; trying again is not known to help.
    Failed,
    /// It failed for a reason that may pass.
    Transient,
    /// An attempt took longer than the node's run timeout.
    Timeout,
    /// An attempt was silent for longer than the node's idle timeout.
    Idle,
    /// It panicked.
    Panic,
    /// An effect may or may not have happened; a person has to say.
    EffectUnknown,
    /// The attempt lost its run to another worker, or the store failed; the engine stops the attempt.
    Lost,
}

impl NodeErrorKind {
    /// A stable code for it.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Failed => "node_failed",
            Self::Transient => "node_transient",
            Self::Timeout => "node_timeout",
            Self::Idle => "node_idle",
            Self::Panic => "node_panicked",
            Self::EffectUnknown => "effect_unknown",
            Self::Lost => "attempt_lost",
        }
    }
}

/// A failure of a node. Any error turns into one with `?`, and then counts as one that does not pass by itself.
pub struct NodeError {
    kind: NodeErrorKind,
    message: String,
}

impl NodeError {
    /// A failure that does not pass by itself.
    pub fn new(message: impl Into<String>) -> Self {
        Self { kind: NodeErrorKind::Failed, message: message.into() }
    }

    /// A failure that may pass: the default retry rule tries again.
    pub fn transient(message: impl Into<String>) -> Self {
        Self { kind: NodeErrorKind::Transient, message: message.into() }
    }

    pub(crate) fn of(kind: NodeErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }

    /// What kind it is.
    #[must_use]
    pub fn kind(&self) -> NodeErrorKind {
        self.kind
    }

    /// What happened, for an operator.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Whether it may pass: transient, or a timeout.
    #[must_use]
    pub fn is_transient(&self) -> bool {
        matches!(self.kind, NodeErrorKind::Transient | NodeErrorKind::Timeout | NodeErrorKind::Idle)
    }
}

impl fmt::Debug for NodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {}", self.kind, self.message)
    }
}

impl fmt::Display for NodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl<E: std::error::Error + Send + Sync + 'static> From<E> for NodeError {
    fn from(error: E) -> Self {
        let kind = match (&error as &dyn Any).downcast_ref::<EffectError>() {
            Some(EffectError::Unknown { .. }) => NodeErrorKind::EffectUnknown,
            Some(EffectError::NotDone { .. }) => NodeErrorKind::Transient,
            Some(EffectError::Lost(_)) => NodeErrorKind::Lost,
            Some(EffectError::Encoding(_)) | None => NodeErrorKind::Failed,
        };
        let mut message = error.to_string();
        let mut source = error.source();
        while let Some(cause) = source {
            message = format!("{message}: {cause}");
            source = cause.source();
        }
        Self { kind, message }
    }
}

/// A request to the engine that was not carried out.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// No such thread.
    #[error("there is no thread {0}")]
    ThreadNotFound(ThreadId),
    /// No such run.
    #[error("there is no run {0}")]
    RunNotFound(RunId),
    /// No such checkpoint on that thread.
    #[error("thread {thread} has no checkpoint {checkpoint}")]
    CheckpointNotFound {
        /// The thread.
        thread: ThreadId,
        /// What was asked for.
        checkpoint: String,
    },
    /// No graph of that name is registered.
    #[error("no graph named {0:?} is registered")]
    NoGraph(String),
    /// The thread already has a run that is not over.
    #[error("thread {thread} is busy with {run}, owned by {owner}")]
    Busy {
        /// The thread.
        thread: ThreadId,
        /// The run it is busy with.
        run: RunId,
        /// The worker that has it.
        owner: String,
    },
    /// The run cannot do that in its status.
    #[error("run {run} is {status}; it cannot be {action}")]
    WrongStatus {
        /// The run.
        run: RunId,
        /// Its status.
        status: RunStatus,
        /// What was asked.
        action: &'static str,
    },
    /// The answers do not fit what was asked. Nothing was written.
    #[error("the answer was refused: {0}")]
    Answer(AnswerError),
    /// The entry that the caller named does not exist, or the graph's entry decision chose an undeclared node.
    #[error("graph {graph:?} cannot be entered at {node:?}")]
    Entry {
        /// The graph.
        graph: String,
        /// The node.
        node: String,
    },
    /// The input contradicts the state. Nothing was written.
    #[error("an update was refused")]
    Apply(#[from] ApplyError),
    /// The graph has changed since the run was stored and nodes that it needs are gone.
    #[error("graph {graph:?} has changed and no longer has {}", missing.join(", "))]
    GraphChanged {
        /// The graph.
        graph: String,
        /// What is gone.
        missing: Vec<String>,
    },
    /// No effect of that key waits for a person's word: it has its result, or never began.
    #[error("no effect with the key {0} is open")]
    EffectNotOpen(String),
    /// Another worker has taken the run over.
    #[error("run {run} was taken over by {owner}")]
    Superseded {
        /// The run.
        run: RunId,
        /// The worker that has it now.
        owner: String,
    },
    /// The engine is stopping and takes no new runs.
    #[error("the engine is stopping")]
    Draining,
    /// Something stored cannot be read by this program.
    #[error("stored {what} cannot be read: {reason}")]
    Unreadable {
        /// What it is.
        what: &'static str,
        /// Why.
        reason: String,
    },
    /// The store failed.
    #[error("the store failed")]
    Store(#[source] StoreError),
}

/// Why answers to interrupts were refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AnswerError {
    /// One value was given and several questions are open.
    #[error("several questions are open ({}); answer them by id", .0.join(", "))]
    Ambiguous(Vec<String>),
    /// Open questions were not answered.
    #[error("no answer to {}", .0.join(", "))]
    Missing(Vec<String>),
    /// An answer was given to something that was not asked.
    #[error("nothing was asked under {}", .0.join(", "))]
    Unknown(Vec<String>),
    /// An answer does not fit the question's schema.
    #[error("the answer to {id} does not fit: {reason}")]
    Invalid {
        /// The question.
        id: String,
        /// What does not fit.
        reason: String,
    },
}

impl From<StoreError> for EngineError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Superseded { run, owner } => Self::Superseded { run, owner },
            StoreError::Busy { thread, run: Some(run), owner } => Self::Busy { thread, run, owner },
            other => Self::Store(other),
        }
    }
}

pub(crate) fn unreadable(what: &'static str) -> impl Fn(serde_json::Error) -> EngineError {
    move |error| EngineError::Unreadable { what, reason: error.to_string() }
}
