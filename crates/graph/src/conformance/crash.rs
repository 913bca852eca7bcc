//! Crashes on purpose: the same scenario, with the store failing at operation 1, 2, 3 … before or after it happened.
//!
//! To sweep a graph, write a [`Scenario`]: `play` registers the graph on the engine it is given (with services that live in the
//! world) and calls [`drive`]; `check` looks at the engine and the world when it is over. Then call [`sweep`] with a function
//! that makes an empty store.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::store::{
    Batch, CheckpointRecord, Checkpointer, EffectRecord, EventChunk, RunFilter, RunRow, StoreError, TaskRecord,
    ThreadFilter, ThreadRow,
};
use crate::{
    Agent, Answers, CheckpointId, Durability, Engine, EngineError, EngineOptions, NewThread, Question, RunId,
    RunOptions, RunStatus, State, TaskId, ThreadId,
};

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
    run_checkpoints(run: &RunId, after: Option<u64>, limit: usize) -> Vec<CheckpointRecord>;
    tasks(run: &RunId) -> Vec<TaskRecord>;
    task(run: &RunId, task: &TaskId) -> Option<TaskRecord>;
    events(run: &RunId, after: u64, limit: usize) -> Vec<EventChunk>;
    effect(key: &str) -> Option<EffectRecord>;
    run_effects(run: &RunId, limit: usize) -> Vec<EffectRecord>;
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

/// One life of a scenario: makes the thread, recovers what a former life left, starts one run (the same one in every life) and
/// answers what it asks until it is over. Every graph is to be registered before.
///
/// # Errors
/// Whatever the dying store makes of it; [`EngineError::Draining`] when the attempt was lost with the store.
pub async fn drive<S: State>(
    agent: &Agent<S>,
    thread: &ThreadId,
    tenant: &str,
    updates: Vec<S::Update>,
    answer: impl Fn(&Question) -> serde_json::Value,
) -> Result<crate::RunRow, EngineError> {
    let engine = agent.engine();
    let new = NewThread { tenant: tenant.to_owned(), agent: agent.name().to_owned(), ..NewThread::default() };
    engine.ensure_thread(thread.clone(), new).await?;
    engine.recover().await?;
    let options = RunOptions { idempotency_key: Some("once".to_owned()), ..RunOptions::default() };
    let run = agent.start(thread, updates, options).await?;
    loop {
        let row = engine.wait(&run).await?;
        match row.status {
            RunStatus::Interrupted => {
                let questions = engine.questions(&row).await?;
                let answers: BTreeMap<String, serde_json::Value> =
                    questions.iter().map(|question| (question.id.clone(), answer(question))).collect();
                engine.resume(&run, Answers::Each(answers)).await?;
            }
            RunStatus::Running | RunStatus::Queued => return Err(EngineError::Draining),
            _ => return Ok(row),
        }
    }
}

/// Plays the scenario with a crash at every operation of the store, and a second one soon after the restart; checks each end.
/// Returns the number of crashes.
///
/// # Panics
/// When the scenario does not come to its end after the crashes, or the check panics.
pub async fn sweep<C: Checkpointer + Clone, S: Scenario>(fresh: impl AsyncFn() -> C, scenario: &S) -> usize {
    sweep_in(Durability::Sync, fresh, scenario).await
}

/// [`sweep`] with engines that store steps as `durability` says.
///
/// # Panics
/// As there.
pub async fn sweep_in<C: Checkpointer + Clone, S: Scenario>(
    durability: Durability,
    fresh: impl AsyncFn() -> C,
    scenario: &S,
) -> usize {
    let options = || EngineOptions { store_retries: 0, durability, ..EngineOptions::default() };
    let mut crashes = 0;
    for when in [When::Before, When::After] {
        for dies_at in 1.. {
            let (store, world) = (fresh().await, S::World::default());
            let crash = format!("operation {dies_at}, {when:?}");
            let first = Dying::new(store.clone(), dies_at, when);
            live(Engine::new(first.clone(), options()), scenario, &world).await;
            let died = first.is_dead();
            if died {
                crashes += 1;
                let second = Dying::new(store.clone(), dies_at % 11 + 1, when);
                live(Engine::new(second, options()), scenario, &world).await;
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

/// One life of an engine over a store that will die.
async fn live<S: Scenario>(engine: Engine, scenario: &S, world: &S::World) {
    // An error is the crash; without one the store outlived the scenario.
    let _survived = scenario.play(&engine, world).await.is_ok();
    engine.abort().await;
}
