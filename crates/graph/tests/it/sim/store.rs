//! A store that takes its time and fails, before or after it did what it was asked.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use mercer_graph::store::{
    Batch, CheckpointRecord, EffectRecord, EventChunk, RunFilter, RunRow, StoreError, TaskRecord, ThreadFilter,
    ThreadRow,
};
use mercer_graph::{CheckpointId, Checkpointer, MemoryStore, RunId, TaskId, ThreadId};

use super::Dice;

#[derive(Debug, Clone)]
pub(super) struct Unruly {
    inner: MemoryStore,
    dice: Dice,
    unruly: Arc<AtomicBool>,
    failures: Arc<AtomicUsize>,
}

impl Unruly {
    pub(super) fn over(inner: MemoryStore, dice: Dice, unruly: bool) -> Self {
        Self { inner, dice, unruly: Arc::new(AtomicBool::new(unruly)), failures: Arc::default() }
    }

    /// From now on it does what it is asked.
    pub(super) fn calm(&self) {
        self.unruly.store(false, Ordering::SeqCst);
    }

    pub(super) fn failures(&self) -> usize {
        self.failures.load(Ordering::SeqCst)
    }

    async fn pass<T>(&self, operation: impl Future<Output = Result<T, StoreError>> + Send) -> Result<T, StoreError> {
        if !self.unruly.load(Ordering::SeqCst) {
            return operation.await;
        }
        let fail = || {
            self.failures.fetch_add(1, Ordering::SeqCst);
            Err(StoreError::failed("the dice say so"))
        };
        tokio::time::sleep(Duration::from_millis(self.dice.below(4))).await;
        if self.dice.once_in(60) {
            return fail();
        }
        let result = operation.await;
        tokio::time::sleep(Duration::from_millis(self.dice.below(3))).await;
        if self.dice.once_in(60) { fail() } else { result }
    }
}

macro_rules! pass {
    ($($name:ident($($arg:ident: $type:ty),*) -> $out:ty;)*) => {
        impl Checkpointer for Unruly {
            $(async fn $name(&self, $($arg: $type),*) -> Result<$out, StoreError> {
                self.pass(self.inner.$name($($arg),*)).await
            })*
        }
    };
}

pass! {
    commit(batch: Batch) -> ();
    thread(id: &ThreadId) -> Option<ThreadRow>;
    threads(filter: &ThreadFilter) -> Vec<ThreadRow>;
    run(id: &RunId) -> Option<RunRow>;
    runs(filter: &RunFilter) -> Vec<RunRow>;
    run_of_key(thread: &ThreadId, key: &str) -> Option<RunRow>;
    unfinished() -> Vec<RunRow>;
    queued(thread: &ThreadId) -> Option<RunRow>;
    checkpoint(id: &CheckpointId) -> Option<CheckpointRecord>;
    line(id: &CheckpointId) -> Vec<CheckpointRecord>;
    ancestors(id: &CheckpointId, limit: usize) -> Vec<CheckpointRecord>;
    checkpoint_at(run: &RunId, step: u64) -> Option<CheckpointRecord>;
    run_checkpoints(run: &RunId, after: Option<u64>, limit: usize) -> Vec<CheckpointRecord>;
    tasks(run: &RunId) -> Vec<TaskRecord>;
    task(run: &RunId, task: &TaskId) -> Option<TaskRecord>;
    events(run: &RunId, after: u64, limit: usize) -> Vec<EventChunk>;
    effect(key: &str) -> Option<EffectRecord>;
    run_effects(run: &RunId, limit: usize) -> Vec<EffectRecord>;
}
