//! How the engine's facts are stored: records, atomic batches, and the trait that a store implements.
//!
//! A store knows nothing of graphs. It keeps rows and answers one kind of write: a [`Batch`] of guards and writes that
//! happens as a whole or not at all. Everything the engine must not do twice rests on that.

mod batch;
pub(crate) mod dynamic;
pub mod memory;
mod records;

use std::future::Future;

pub use batch::{Batch, Guard, Write};
pub use records::{
    CheckpointRecord, EffectRecord, EventChunk, RunError, RunFilter, RunProgress, RunRow, RunStatus, TaskRecord,
    ThreadFilter, ThreadRow, page,
};

use crate::{CheckpointId, RunId, TaskId, ThreadId};

/// Why a store did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The run's epoch or revision is no longer the one that the batch stated: somebody else has it.
    #[error("run {run} was taken over by {owner}")]
    Superseded {
        /// The run.
        run: RunId,
        /// Who has it.
        owner: String,
    },
    /// The thread is not as the batch stated: a run is active on it, or its head moved.
    #[error("thread {thread} was changed by {owner}")]
    Busy {
        /// The thread.
        thread: ThreadId,
        /// The run that is active on it.
        run: Option<RunId>,
        /// The worker that has that run.
        owner: String,
    },
    /// What was to be created is there already.
    #[error("{0} exists already")]
    Exists(String),
    /// What was to be changed is not there.
    #[error("{0} does not exist")]
    Missing(String),
    /// The store itself failed; whether the write happened is not known.
    #[error("{message}")]
    Failed {
        /// What failed.
        message: String,
        /// The store's own error.
        #[source]
        source: Option<Box<dyn std::error::Error + Send + Sync>>,
    },
}

impl StoreError {
    /// A failure of the store itself.
    pub fn failed(message: impl Into<String>) -> Self {
        Self::Failed { message: message.into(), source: None }
    }

    /// Whether the store itself failed, so that it is not known whether the write happened.
    #[must_use]
    pub fn is_failure(&self) -> bool {
        matches!(self, Self::Failed { .. })
    }
}

/// A durable store of threads, runs, checkpoints, events and effects.
///
/// Reads see every batch that was acknowledged before they began.
pub trait Checkpointer: Send + Sync + 'static {
    /// Checks the guards and does the writes, as a whole or not at all. When it returns `Ok` the batch is durable.
    fn commit(&self, batch: Batch) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// A thread.
    fn thread(&self, id: &ThreadId) -> impl Future<Output = Result<Option<ThreadRow>, StoreError>> + Send;

    /// Threads, the one changed last first.
    fn threads(&self, filter: &ThreadFilter) -> impl Future<Output = Result<Vec<ThreadRow>, StoreError>> + Send;

    /// A run.
    fn run(&self, id: &RunId) -> impl Future<Output = Result<Option<RunRow>, StoreError>> + Send;

    /// Runs, the newest first.
    fn runs(&self, filter: &RunFilter) -> impl Future<Output = Result<Vec<RunRow>, StoreError>> + Send;

    /// The run of a thread that was started with an idempotency key.
    fn run_of_key(
        &self,
        thread: &ThreadId,
        key: &str,
    ) -> impl Future<Output = Result<Option<RunRow>, StoreError>> + Send;

    /// Every run that is queued or running, the oldest first.
    fn unfinished(&self) -> impl Future<Output = Result<Vec<RunRow>, StoreError>> + Send;

    /// The oldest queued run of a thread.
    fn queued(&self, thread: &ThreadId) -> impl Future<Output = Result<Option<RunRow>, StoreError>> + Send;

    /// A checkpoint.
    fn checkpoint(
        &self,
        id: &CheckpointId,
    ) -> impl Future<Output = Result<Option<CheckpointRecord>, StoreError>> + Send;

    /// A checkpoint and its ancestors back to the nearest that holds a snapshot, or to the root; the newest first.
    fn line(&self, id: &CheckpointId) -> impl Future<Output = Result<Vec<CheckpointRecord>, StoreError>> + Send;

    /// A checkpoint and its ancestors, at most `limit` of them, without their snapshots; the newest first.
    fn ancestors(
        &self,
        id: &CheckpointId,
        limit: usize,
    ) -> impl Future<Output = Result<Vec<CheckpointRecord>, StoreError>> + Send;

    /// The checkpoint that a run made as number `step` of its thread, without its snapshot.
    fn checkpoint_at(
        &self,
        run: &RunId,
        step: u64,
    ) -> impl Future<Output = Result<Option<CheckpointRecord>, StoreError>> + Send;

    /// The checkpoints that a run made, with numbers above `after` if it is given, without their snapshots; the oldest first.
    fn run_checkpoints(
        &self,
        run: &RunId,
        after: Option<u64>,
        limit: usize,
    ) -> impl Future<Output = Result<Vec<CheckpointRecord>, StoreError>> + Send;

    /// The tasks of a run's open superstep that have finished.
    fn tasks(&self, run: &RunId) -> impl Future<Output = Result<Vec<TaskRecord>, StoreError>> + Send;

    /// One such task.
    fn task(&self, run: &RunId, task: &TaskId) -> impl Future<Output = Result<Option<TaskRecord>, StoreError>> + Send;

    /// Chunks that hold events of a run with numbers above `after`, in order, at most `limit` chunks.
    fn events(
        &self,
        run: &RunId,
        after: u64,
        limit: usize,
    ) -> impl Future<Output = Result<Vec<EventChunk>, StoreError>> + Send;

    /// What the journal says about an effect.
    fn effect(&self, key: &str) -> impl Future<Output = Result<Option<EffectRecord>, StoreError>> + Send;

    /// What the journal has of effects that a run started, the oldest first.
    fn run_effects(
        &self,
        run: &RunId,
        limit: usize,
    ) -> impl Future<Output = Result<Vec<EffectRecord>, StoreError>> + Send;
}
