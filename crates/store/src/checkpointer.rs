//! The engine's trait, on either database.

use mercer_graph::store::{
    Batch, CheckpointRecord, Checkpointer, EffectRecord, EventChunk, RunFilter, RunRow, StoreError, TaskRecord,
    ThreadFilter, ThreadRow,
};
use mercer_graph::{CheckpointId, RunId, TaskId, ThreadId};

use crate::writer::Change;
use crate::{Store, read};

impl Checkpointer for Store {
    async fn commit(&self, batch: Batch) -> Result<(), StoreError> {
        self.change(Change::Batch(batch)).await
    }

    async fn thread(&self, id: &ThreadId) -> Result<Option<ThreadRow>, StoreError> {
        read::thread(&self.shared.readers, id).await
    }

    async fn threads(&self, filter: &ThreadFilter) -> Result<Vec<ThreadRow>, StoreError> {
        read::threads(&self.shared.readers, filter).await
    }

    async fn run(&self, id: &RunId) -> Result<Option<RunRow>, StoreError> {
        read::run(&self.shared.readers, id).await
    }

    async fn runs(&self, filter: &RunFilter) -> Result<Vec<RunRow>, StoreError> {
        read::runs(&self.shared.readers, filter).await
    }

    async fn run_of_key(&self, thread: &ThreadId, key: &str) -> Result<Option<RunRow>, StoreError> {
        read::run_of_key(&self.shared.readers, thread, key).await
    }

    async fn unfinished(&self) -> Result<Vec<RunRow>, StoreError> {
        read::unfinished(&self.shared.readers).await
    }

    async fn queued(&self, thread: &ThreadId) -> Result<Option<RunRow>, StoreError> {
        read::queued(&self.shared.readers, thread).await
    }

    async fn checkpoint(&self, id: &CheckpointId) -> Result<Option<CheckpointRecord>, StoreError> {
        read::checkpoint(&self.shared.readers, id).await
    }

    async fn line(&self, id: &CheckpointId) -> Result<Vec<CheckpointRecord>, StoreError> {
        read::line(&self.shared.readers, id).await
    }

    async fn ancestors(&self, id: &CheckpointId, limit: usize) -> Result<Vec<CheckpointRecord>, StoreError> {
        read::ancestors(&self.shared.readers, id, limit).await
    }

    async fn checkpoint_at(&self, run: &RunId, step: u64) -> Result<Option<CheckpointRecord>, StoreError> {
        read::checkpoint_at(&self.shared.readers, run, step).await
    }

    async fn run_checkpoints(
        &self,
        run: &RunId,
        after: Option<u64>,
        limit: usize,
    ) -> Result<Vec<CheckpointRecord>, StoreError> {
        read::run_checkpoints(&self.shared.readers, run, after, limit).await
    }

    async fn tasks(&self, run: &RunId) -> Result<Vec<TaskRecord>, StoreError> {
        read::tasks(&self.shared.readers, run).await
    }

    async fn task(&self, run: &RunId, task: &TaskId) -> Result<Option<TaskRecord>, StoreError> {
        read::task(&self.shared.readers, run, task).await
    }

    async fn events(&self, run: &RunId, after: u64, limit: usize) -> Result<Vec<EventChunk>, StoreError> {
        read::events(&self.shared.readers, run, after, limit).await
    }

    async fn effect(&self, key: &str) -> Result<Option<EffectRecord>, StoreError> {
        read::effect(&self.shared.readers, key).await
    }

    async fn run_effects(&self, run: &RunId, limit: usize) -> Result<Vec<EffectRecord>, StoreError> {
        read::run_effects(&self.shared.readers, run, limit).await
    }
}
