//! The store erased to one type, once, when an engine is made.

use futures::future::BoxFuture;

use super::{
    Batch, CheckpointRecord, Checkpointer, EffectRecord, EventChunk, RunFilter, RunRow, StoreError, TaskRecord,
    ThreadFilter, ThreadRow,
};
use crate::{CheckpointId, RunId, TaskId, ThreadId};

type Read<'a, T> = BoxFuture<'a, Result<T, StoreError>>;

macro_rules! erase {
    ($($name:ident($($arg:ident: $type:ty),*) -> $out:ty;)*) => {
        pub(crate) trait DynStore: Send + Sync {
            $(fn $name<'a>(&'a self, $($arg: $type),*) -> Read<'a, $out>;)*
        }

        impl<C: Checkpointer> DynStore for C {
            $(fn $name<'a>(&'a self, $($arg: $type),*) -> Read<'a, $out> {
                Box::pin(Checkpointer::$name(self, $($arg),*))
            })*
        }
    };
}

erase! {
    commit(batch: Batch) -> ();
    thread(id: &'a ThreadId) -> Option<ThreadRow>;
    threads(filter: &'a ThreadFilter) -> Vec<ThreadRow>;
    run(id: &'a RunId) -> Option<RunRow>;
    runs(filter: &'a RunFilter) -> Vec<RunRow>;
    run_of_key(thread: &'a ThreadId, key: &'a str) -> Option<RunRow>;
    unfinished() -> Vec<RunRow>;
    queued(thread: &'a ThreadId) -> Option<RunRow>;
    checkpoint(id: &'a CheckpointId) -> Option<CheckpointRecord>;
    line(id: &'a CheckpointId) -> Vec<CheckpointRecord>;
    ancestors(id: &'a CheckpointId, limit: usize) -> Vec<CheckpointRecord>;
    checkpoint_at(run: &'a RunId, step: u64) -> Option<CheckpointRecord>;
    run_checkpoints(run: &'a RunId, after: Option<u64>, limit: usize) -> Vec<CheckpointRecord>;
    tasks(run: &'a RunId) -> Vec<TaskRecord>;
    task(run: &'a RunId, task: &'a TaskId) -> Option<TaskRecord>;
    events(run: &'a RunId, after: u64, limit: usize) -> Vec<EventChunk>;
    effect(key: &'a str) -> Option<EffectRecord>;
    run_effects(run: &'a RunId, limit: usize) -> Vec<EffectRecord>;
}
