//! Crashes on purpose: the same scenario, with the store failing at operation 1, 2, 3 … before or after it happened.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::store::{
    Batch, CheckpointRecord, Checkpointer, EffectRecord, EventChunk, RunFilter, RunRow, StoreError, TaskRecord,
    ThreadFilter, ThreadRow,
};
use crate::{CheckpointId, Engine, EngineError, EngineOptions, RunId, TaskId, ThreadId};

/// Whether the failing operation happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// It does not.
    Before,
    /// It does, but nobody learns of it.
    After,
}

/// A store that dies at an operation: that one and all after it fail.
#[derive(Debug, Clone)]
pub struct Dying<C> {
    inner: C,
    dies_at: usize,
    when: When,
    done: Arc<AtomicUsize>,
}

fn dead() -> StoreError {
    StoreError::failed("killed by the test")
}

impl<C: Checkpointer> Dying<C> {
    /// A store that dies at its operation number `dies_at`, from 1.
    pub fn new(inner: C, dies_at: usize, when: When) -> Self {
        Self { inner, dies_at, when, done: Arc::default() }
    }

    /// Whether it has died.
    #[must_use]
    pub fn is_dead(&self) -> bool {
        self.done.load(Ordering::SeqCst) >= self.dies_at
    }

    async fn pass<T>(&self, operation: impl Future<Output = Result<T, StoreError>> + Send) -> Result<T, StoreError> {
        let number = self.done.fetch_add(1, Ordering::SeqCst) + 1;
        if number > self.dies_at || (number == self.dies_at && self.when == When::Before) {
            return Err(dead());
        }
        let result = operation.await;
        if number == self.dies_at { Err(dead()) } else { result }
    }
}

macro_rules! pass {
    ($($name:ident($($arg:ident: $type:ty),*) -> $out:ty;)*) => {
        impl<C: Checkpointer> Checkpointer for Dying<C> {
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
    tasks(run: &RunId) -> Vec<TaskRecord>;
    task(run: &RunId, task: &TaskId) -> Option<TaskRecord>;
    events(run: &RunId, after: u64, limit: usize) -> Vec<EventChunk>;
    effect(key: &str) -> Option<EffectRecord>;
}

/// What a sweep does.
pub trait Scenario {
    /// What is outside the engine and outlives its crashes.
    type World: Default;

    /// Takes a fresh engine to the scenario's end: registers graphs, recovers, goes on from wherever it stands.
    ///
    /// # Errors
    /// Whatever the dying store makes of it.
    fn play(&self, engine: &Engine, world: &Self::World) -> impl Future<Output = Result<(), EngineError>>;

    /// Looks at the end.
    fn check(&self, engine: &Engine, world: &Self::World, crash: &str) -> impl Future<Output = ()>;
}

/// Plays the scenario with a crash at every operation of the store, and a second one soon after the restart; checks each end.
/// Returns the number of crashes.
///
/// # Panics
/// When the scenario does not come to its end after the crashes, or the check panics.
pub async fn sweep<C: Checkpointer + Clone, S: Scenario>(fresh: impl AsyncFn() -> C, scenario: &S) -> usize {
    let mut crashes = 0;
    for when in [When::Before, When::After] {
        for dies_at in 1.. {
            let (store, world) = (fresh().await, S::World::default());
            let crash = format!("operation {dies_at}, {when:?}");
            let first = Dying::new(store.clone(), dies_at, when);
            live(first.clone(), scenario, &world).await;
            let died = first.is_dead();
            if died {
                crashes += 1;
                let second = Dying::new(store.clone(), dies_at % 11 + 1, when);
                live(second, scenario, &world).await;
            }
            let engine = Engine::new(store, options());
            let end = scenario.play(&engine, &world).await;
            assert!(end.is_ok(), "after a crash at {crash}: {end:?}");
            scenario.check(&engine, &world, &crash).await;
            engine.drain().await;
            if !died {
                break;
            }
        }
    }
    crashes
}

fn options() -> EngineOptions {
    EngineOptions { store_retries: 0, ..EngineOptions::default() }
}

/// One life of an engine over a store that will die.
async fn live<C: Checkpointer, S: Scenario>(store: Dying<C>, scenario: &S, world: &S::World) {
    let engine = Engine::new(store, options());
    // An error is the crash; without one the store outlived the scenario.
    let _survived = scenario.play(&engine, world).await.is_ok();
    engine.abort().await;
}
