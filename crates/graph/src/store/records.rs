//! The rows of a store.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{CheckpointId, RunId, TaskId, ThreadId};

/// A thread.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ThreadRow {
    /// Its identity.
    pub id: ThreadId,
    /// The shop it belongs to.
    pub tenant: String,
    /// The graph that runs on it.
    pub agent: String,
    /// Its title, if it has one.
    pub title: Option<String>,
    /// Anything its creator wanted to remember.
    pub metadata: Value,
    /// When it was created.
    pub created: Timestamp,
    /// When it last changed.
    pub updated: Timestamp,
    /// Its newest checkpoint.
    pub head: Option<CheckpointId>,
    /// The run that is active on it.
    pub active: Option<RunId>,
    /// The run that was last active on it.
    pub last_run: Option<RunId>,
    /// The status of that run.
    pub status: Option<RunStatus>,
    /// The thread it was forked from.
    pub forked_from: Option<ThreadId>,
}

/// Where a run stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunStatus {
    /// Waits for the thread's active run to end.
    Queued,
    /// Runs, or will go on when its engine is started again.
    Running,
    /// Waits for answers.
    Interrupted,
    /// Reached the end.
    Done,
    /// A node failed.
    Failed,
    /// Was cancelled.
    Cancelled,
    /// Stopped at its step limit; it can go on with a higher one.
    StepLimit,
}

impl RunStatus {
    /// Every status.
    pub const ALL: [Self; 7] =
        [Self::Queued, Self::Running, Self::Interrupted, Self::Done, Self::Failed, Self::Cancelled, Self::StepLimit];

    /// Its stored name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Interrupted => "interrupted",
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
            Self::StepLimit => "step_limit",
        }
    }

    /// Reads a stored name.
    #[must_use]
    pub fn stored(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == name)
    }

    /// Whether the run does or will do something by itself.
    #[must_use]
    pub fn is_active(self) -> bool {
        matches!(self, Self::Queued | Self::Running)
    }
}

impl std::fmt::Display for RunStatus {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Why a run failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunError {
    /// A stable code.
    pub code: String,
    /// The node that failed, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<String>,
    /// What happened, for an operator.
    pub message: String,
}

impl std::fmt::Display for RunError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.node {
            Some(node) => write!(f, "{node}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

/// A run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunRow {
    /// Its identity.
    pub id: RunId,
    /// Its thread.
    pub thread: ThreadId,
    /// The thread's tenant.
    pub tenant: String,
    /// The graph.
    pub agent: String,
    /// Where it stands.
    pub status: RunStatus,
    /// When it was asked for.
    pub created: Timestamp,
    /// When it last changed.
    pub updated: Timestamp,
    /// Supersteps it has made.
    pub steps: u32,
    /// The most it may make.
    pub step_limit: u32,
    /// Why it failed.
    pub error: Option<RunError>,
    /// The number of attempts at it; a higher one makes every lower one stale.
    pub epoch: u32,
    /// Rises with each commit of the driver.
    pub revision: u64,
    /// The number of its last stored event.
    pub events: u64,
    /// Who has it.
    pub owner: String,
    /// Anything its starter wanted to remember.
    pub metadata: Value,
    /// The hash of the graph's shape when it was started.
    pub shape: String,
    /// The thread's head before it, to go back to on a rollback.
    pub base: Option<CheckpointId>,
    /// The entry that the caller named.
    pub entry: Option<String>,
    /// The caller's key against starting twice.
    pub key: Option<String>,
    /// The encoded updates of a queued run.
    #[serde(skip)]
    pub input: Option<Vec<u8>>,
}

/// What changes in a run row as it goes on.
#[derive(Debug, Clone, PartialEq)]
pub struct RunProgress {
    /// The run.
    pub run: RunId,
    /// See [`RunRow`].
    pub status: RunStatus,
    /// See [`RunRow`].
    pub updated: Timestamp,
    /// See [`RunRow`].
    pub steps: u32,
    /// See [`RunRow`].
    pub step_limit: u32,
    /// See [`RunRow`].
    pub error: Option<RunError>,
    /// See [`RunRow`].
    pub epoch: u32,
    /// See [`RunRow`].
    pub revision: u64,
    /// See [`RunRow`].
    pub events: u64,
    /// See [`RunRow`].
    pub owner: String,
    /// See [`RunRow`].
    pub base: Option<CheckpointId>,
}

impl RunRow {
    /// The changing part of the row.
    #[must_use]
    pub fn progress(&self) -> RunProgress {
        RunProgress {
            run: self.id.clone(),
            status: self.status,
            updated: self.updated,
            steps: self.steps,
            step_limit: self.step_limit,
            error: self.error.clone(),
            epoch: self.epoch,
            revision: self.revision,
            events: self.events,
            owner: self.owner.clone(),
            base: self.base.clone(),
        }
    }

    /// Takes over the changing part.
    pub fn advance(&mut self, progress: RunProgress) {
        self.status = progress.status;
        self.updated = progress.updated;
        self.steps = progress.steps;
        self.step_limit = progress.step_limit;
        self.error = progress.error;
        self.epoch = progress.epoch;
        self.revision = progress.revision;
        self.events = progress.events;
        self.owner = progress.owner;
        self.base = progress.base;
    }
}

/// What a superstep left. Never changed once written.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckpointRecord {
    /// Its identity.
    pub id: CheckpointId,
    /// Its thread.
    pub thread: ThreadId,
    /// The run that made it, if a run did.
    pub run: Option<RunId>,
    /// The checkpoint before it.
    pub parent: Option<CheckpointId>,
    /// The checkpoint of another thread that it is a copy of, for the first of a fork.
    pub origin: Option<CheckpointId>,
    /// Its number on the thread's line, from 0.
    pub step: u64,
    /// When it was made.
    pub at: Timestamp,
    /// What made it: `input`, `step`, `answer`, `update`, `stop` or `fork`.
    pub source: String,
    /// The encoded updates that lead from the parent's state to this one's.
    pub updates: Vec<u8>,
    /// The encoded frontier.
    pub frontier: Vec<u8>,
    /// The encoded state, now and then.
    pub snapshot: Option<Vec<u8>>,
}

/// A finished task of a superstep that is not over.
#[derive(Debug, Clone, PartialEq)]
pub struct TaskRecord {
    /// The run.
    pub run: RunId,
    /// The task.
    pub task: TaskId,
    /// What it returned, encoded.
    pub outcome: Vec<u8>,
}

/// Some consecutive events of a run, stored together.
#[derive(Debug, Clone, PartialEq)]
pub struct EventChunk {
    /// The run.
    pub run: RunId,
    /// The number of the first.
    pub first: u64,
    /// The number of the last.
    pub last: u64,
    /// The events, encoded.
    pub events: Vec<u8>,
}

/// The journal's entry for an effect.
#[derive(Debug, Clone, PartialEq)]
pub struct EffectRecord {
    /// Its key.
    pub key: String,
    /// The run that started it.
    pub run: RunId,
    /// When it was started.
    pub started: Timestamp,
    /// Its encoded result, once there is one.
    pub result: Option<Vec<u8>>,
}

/// Which threads to list.
#[derive(Debug, Clone, Default)]
pub struct ThreadFilter {
    /// Of this tenant.
    pub tenant: Option<String>,
    /// Of this graph.
    pub agent: Option<String>,
    /// At most so many; 0 means 50.
    pub limit: usize,
    /// After this one in the list.
    pub before: Option<ThreadId>,
}

/// Which runs to list.
#[derive(Debug, Clone, Default)]
pub struct RunFilter {
    /// Of this tenant.
    pub tenant: Option<String>,
    /// On this thread.
    pub thread: Option<ThreadId>,
    /// Of this graph.
    pub agent: Option<String>,
    /// In this status.
    pub status: Option<RunStatus>,
    /// At most so many; 0 means 50.
    pub limit: usize,
    /// Older than this one.
    pub before: Option<RunId>,
}

/// The number of rows that a filter's `limit` stands for.
#[must_use]
pub fn page(limit: usize) -> usize {
    if limit == 0 { 50 } else { limit }
}
