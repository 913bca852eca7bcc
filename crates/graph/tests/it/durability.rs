//! Steps stored at once, later, or at the end; and events that are stored before their superstep is over.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use mercer_graph::conformance::crash;
use mercer_graph::conformance::graphs::{Chain, FanOut};
use mercer_graph::store::{
    Batch, CheckpointRecord, EffectRecord, EventChunk, RunFilter, RunRow, StoreError, TaskRecord, ThreadFilter,
    ThreadRow,
};
use mercer_graph::{
    CheckpointId, Checkpointer, Ctx, Durability, Engine, EngineOptions, Graph, MemoryStore, RunId, RunOptions,
    RunStatus, Step, TaskId, ThreadId,
};
use tokio::sync::Semaphore;

use crate::world::{Log, World, engine, events, line, lines, says, texts, thread};

#[tokio::test]
async fn runs_whose_steps_are_stored_later_survive_a_crash_at_every_store_operation_too() {
    for durability in [Durability::Async, Durability::Exit] {
        let chain = crash::sweep_in(durability, async || MemoryStore::new(), &Chain(6)).await;
        let fan_out = crash::sweep_in(durability, async || MemoryStore::new(), &FanOut(4)).await;
        assert!(chain > 30 && fan_out > 30, "{durability:?}: {chain}, {fan_out}");
    }
}

/// A store that counts its commits and lets them through one by one.
#[derive(Debug, Clone)]
struct Slow {
    inner: MemoryStore,
    commits: Arc<AtomicUsize>,
    gate: Arc<Semaphore>,
}

impl Slow {
    fn open() -> Self {
        Self { inner: MemoryStore::new(), commits: Arc::default(), gate: Arc::new(Semaphore::new(10_000)) }
    }

    fn count(&self) -> usize {
        self.commits.load(Ordering::SeqCst)
    }
}

macro_rules! through {
    ($($name:ident($($arg:ident: $type:ty),*) -> $out:ty;)*) => {
        impl Checkpointer for Slow {
            async fn commit(&self, batch: Batch) -> Result<(), StoreError> {
                self.gate.acquire().await.unwrap().forget();
                self.commits.fetch_add(1, Ordering::SeqCst);
                self.inner.commit(batch).await
            }

            $(async fn $name(&self, $($arg: $type),*) -> Result<$out, StoreError> {
                self.inner.$name($($arg),*).await
            })*
        }
    };
}

through! {
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

fn ten(world: &World) -> Graph<Log, World> {
    let mut graph = Graph::named("ten").entry("n0");
    for number in 0..10 {
        let world = world.clone();
        graph = graph.node(&format!("n{number}"), move |_, _| {
            world.note(number.to_string());
            std::future::ready(Ok(Step::update(line(number.to_string()))))
        });
        graph = match number {
            9 => graph.end("n9"),
            _ => graph.edge(&format!("n{number}"), &format!("n{}", number + 1)),
        };
    }
    graph.build().unwrap()
}

#[tokio::test]
async fn steps_stored_later_do_not_wait_for_the_store_and_none_is_missing_at_the_end() {
    for (durability, most) in [(Durability::Sync, 12), (Durability::Async, 12), (Durability::Exit, 3)] {
        let store = Slow::open();
        let engine = Engine::new(store.clone(), EngineOptions::default());
        let world = World::default();
        let agent = engine.register(ten(&world), world.clone());
        let thread = thread(&agent).await;
        store.gate.forget_permits(10_000);
        // The start gets through; everything after it has to wait.
        store.gate.add_permits(1);
        let options = RunOptions { durability: Some(durability), ..RunOptions::default() };
        let run = agent.start(&thread, vec![line("begin")], options).await.unwrap();
        for _ in 0..1000 {
            tokio::task::yield_now().await;
        }
        let ran = world.noted().len();
        assert_eq!(ran, if durability == Durability::Sync { 1 } else { 10 }, "{durability:?}");
        let before = store.count();
        store.gate.add_permits(10_000);
        assert_eq!(engine.wait(&run).await.unwrap().status, RunStatus::Done, "{durability:?}");
        assert!(store.count() - before < most, "{durability:?}: {} commits", store.count() - before);
        let expected: Vec<String> = std::iter::once("begin".to_owned()).chain((0..10).map(|n| n.to_string())).collect();
        assert_eq!(lines(&agent, &thread).await, expected);
        assert_eq!(agent.history(&thread, 50, None).await.unwrap().len(), 11, "every step is in the history");
        let seen = events(&engine, &run, 0).await;
        assert_eq!(seen.iter().map(|event| event.seq).collect::<Vec<_>>(), (1..=seen.len() as u64).collect::<Vec<_>>());
    }
}

#[tokio::test]
async fn a_superstep_that_emits_much_has_its_events_stored_before_it_is_over() {
    let (engine, store) = engine();
    let gate = Arc::new(Semaphore::new(0));
    let open = Arc::clone(&gate);
    let talk = move |ctx: Ctx<World>, _: Arc<Log>| {
        let open = Arc::clone(&open);
        async move {
            for number in 0..5000 {
                ctx.emit_message_delta("m", if number % 2 == 0 { "a" } else { "b" });
                if number % 100 == 0 {
                    tokio::task::yield_now().await;
                }
            }
            open.acquire().await.unwrap().forget();
            Ok(Step::update(line("said")))
        }
    };
    let graph = Graph::named("talk").entry("talk").node("talk", talk).edge("talk", "b").node("b", says("b")).end("b");
    let agent = engine.register(graph.build().unwrap(), World::default());
    let thread = thread(&agent).await;
    let run = agent.start(&thread, vec![], RunOptions::default()).await.unwrap();
    let stored = async || engine.run(&run).await.unwrap().unwrap().events;
    for _ in 0..10_000 {
        if stored().await > 4000 {
            break;
        }
        tokio::task::yield_now().await;
    }
    assert!(stored().await > 4000, "{} of 5,000 are stored while the node still runs", stored().await);
    gate.add_permits(1);
    engine.wait(&run).await.unwrap();
    let seen = events(&engine, &run, 0).await;
    assert_eq!(texts(&seen), "ab".repeat(2500));
    assert_eq!(seen.iter().map(|event| event.seq).collect::<Vec<_>>(), (1..=seen.len() as u64).collect::<Vec<_>>());
    drop(store);
}
