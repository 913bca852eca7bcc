//! A deterministic simulation: random graphs under a store that is slow and fails, engines that die and clocks that jump, all from
//! one seed. Whatever happens, each thread must end with the state of an undisturbed run, and each effect must have happened.
//!
//! `MERCER_SIM_SEEDS=5000` tries more seeds; `MERCER_SIM_SEED=7` tries one. A seed that failed once is kept in [`KEPT`].

mod plan;
mod store;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use mercer_graph::{
    Agent, Answers, Checkpointer as _, Clock, Durability, Engine, EngineError, EngineOptions, MemoryStore, Multitask,
    NewThread, RunOptions, RunStatus, ThreadId,
};
use serde_json::json;
use tokio::time::Instant;

use crate::world::{Log, line};
use plan::{Plan, Service};
use store::Unruly;

/// Seeds that failed once, or that show something the others do not.
const KEPT: [u64; 4] = [0, 1075, 1346, 4711];
const SEEDS: u64 = 60;
const THREADS: usize = 3;
/// How the line begins with which a run begins.
pub(crate) const BEGINS: &str = "begin ";

/// Numbers that are the same for the same seed (SplitMix64).
#[derive(Debug, Clone)]
pub(crate) struct Dice(Arc<Mutex<u64>>);

impl Dice {
    fn new(seed: u64) -> Self {
        Self(Arc::new(Mutex::new(seed)))
    }

    fn roll(&self) -> u64 {
        let mut state = self.0.lock().unwrap();
        *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = *state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Below `end`.
    pub(crate) fn below(&self, end: u64) -> u64 {
        self.roll() % end.max(1)
    }

    /// Once in so many.
    pub(crate) fn once_in(&self, many: u64) -> bool {
        self.below(many) == 0
    }

    /// One of several.
    pub(crate) fn of<T: Copy>(&self, several: &[T]) -> T {
        several[usize::try_from(self.below(several.len() as u64)).unwrap()]
    }
}

/// The runtime's paused time, with jumps back and forth.
#[derive(Debug)]
struct Jumping(Dice, Instant);

impl Clock for Jumping {
    fn now(&self) -> Timestamp {
        let since = SignedDuration::try_from(self.1.elapsed()).unwrap();
        let jump = if self.0.once_in(10) { SignedDuration::from_secs(600) } else { SignedDuration::ZERO };
        Timestamp::from_second(1_800_000_000).unwrap() + since - jump
    }
}

/// The engine that lives now. Clients and nodes outlive it.
#[derive(Debug, Clone)]
struct Alive {
    now: Arc<Mutex<(Engine, Agent<Log>)>>,
}

fn raise(store: &Unruly, dice: &Dice, durability: Durability, plan: &Plan, service: &Service) -> (Engine, Agent<Log>) {
    let options = EngineOptions {
        clock: Arc::new(Jumping(dice.clone(), Instant::now())),
        durability,
        store_retries: 2,
        ..EngineOptions::default()
    };
    let engine = Engine::new(store.clone(), options);
    let agent = engine.register(plan.graph(), service.clone());
    (engine, agent)
}

fn thread_id(number: usize) -> ThreadId {
    format!("thr_sim-{number}").parse().unwrap()
}

/// Sees a thread's two runs to their ends over whatever engine lives.
async fn client(alive: Alive, plan: Plan, dice: Dice, number: usize) {
    loop {
        let (engine, agent) = alive.now.lock().unwrap().clone();
        match two_runs(&engine, &agent, &plan, number).await {
            Ok(()) => return,
            Err(_died) => tokio::time::sleep(Duration::from_millis(dice.below(40))).await,
        }
    }
}

async fn two_runs(engine: &Engine, agent: &Agent<Log>, plan: &Plan, number: usize) -> Result<(), EngineError> {
    let id = thread_id(number);
    let new = NewThread { tenant: "default".into(), agent: "sim".into(), ..NewThread::default() };
    engine.ensure_thread(id.clone(), new).await?;
    let begin = async |which: &str| {
        let options = RunOptions {
            idempotency_key: Some(which.to_owned()),
            multitask: Multitask::Enqueue,
            ..RunOptions::default()
        };
        agent.start(&id, vec![line(format!("{BEGINS}{which} {number}"))], options).await
    };
    let first = begin("one").await?;
    // A run that asks would be given up when another begins, so only one that does not is queued up behind.
    if !plan.asks() {
        begin("two").await?;
    }
    to_the_end(engine, &first).await?;
    let second = begin("two").await?;
    to_the_end(engine, &second).await
}

async fn to_the_end(engine: &Engine, run: &mercer_graph::RunId) -> Result<(), EngineError> {
    loop {
        let row = engine.wait(run).await?;
        match row.status {
            RunStatus::Done => return Ok(()),
            RunStatus::Interrupted => {
                let asked = engine.questions(&row).await?;
                let answers = asked.into_iter().map(|question| (question.id.clone(), json!(question.id))).collect();
                engine.resume(run, Answers::Each(answers)).await?;
            }
            RunStatus::Running | RunStatus::Queued => {
                engine.recover().await?;
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            other => panic!("{run} is {other}: {:?}", row.error),
        }
    }
}

/// How a world ended: the lines of each thread, and which effects happened.
#[derive(Debug, PartialEq)]
struct End {
    lines: BTreeMap<usize, Vec<String>>,
    effects: Vec<String>,
}

async fn play(plan: &Plan, seed: u64, memory: &MemoryStore, disturbed: bool) -> End {
    let dice = Dice::new(seed ^ 0x0D15_EA5E);
    let store = Unruly::over(memory.clone(), dice.clone(), disturbed);
    let (service, durability) = (
        Service::default(),
        match disturbed {
            true => dice.of(&[Durability::Sync, Durability::Sync, Durability::Async, Durability::Exit]),
            false => Durability::Sync,
        },
    );
    let alive = Alive { now: Arc::new(Mutex::new(raise(&store, &dice, durability, plan, &service))) };
    let clients: Vec<_> =
        (0..THREADS).map(|number| tokio::spawn(client(alive.clone(), plan.clone(), dice.clone(), number))).collect();
    let crashes = if disturbed { dice.below(6) } else { 0 };
    for _ in 0..crashes {
        tokio::time::sleep(Duration::from_millis(dice.below(120))).await;
        let (engine, _) = alive.now.lock().unwrap().clone();
        engine.abort().await;
        let raised = raise(&store, &dice, durability, plan, &service);
        *alive.now.lock().unwrap() = raised.clone();
        let _another_recover_follows = raised.0.recover().await.is_ok();
    }
    for client in clients {
        client.await.unwrap();
    }
    let (engine, agent) = alive.now.lock().unwrap().clone();
    store.calm();
    let mut lines = BTreeMap::new();
    for number in 0..THREADS {
        lines.insert(number, agent.state(&thread_id(number)).await.unwrap().unwrap().state.lines);
        sound(&engine, number).await;
    }
    engine.drain().await;
    let (effects, most) = service.asked();
    let disturbances = usize::try_from(crashes).unwrap() + store.failures() + 1;
    assert!(most <= disturbances, "an effect was asked for {most} times with {disturbances} disturbances");
    End { lines, effects }
}

/// The event log of each run: numbers rise by one, each task finished once, and the end is the end.
async fn sound(engine: &Engine, number: usize) {
    let filter = mercer_graph::RunFilter { thread: Some(thread_id(number)), ..Default::default() };
    let runs = engine.runs(&filter).await.unwrap();
    assert_eq!(runs.len(), 2);
    for run in runs {
        let events = crate::world::events(engine, &run.id, 0).await;
        let numbers: Vec<u64> = events.iter().map(|event| event.seq).collect();
        assert_eq!(numbers, (1..=events.len() as u64).collect::<Vec<_>>());
        let mut finished: Vec<String> = events
            .iter()
            .filter_map(|event| match &event.body {
                mercer_graph::EventBody::TaskFinished { task, .. } => Some(task.to_string()),
                _ => None,
            })
            .collect();
        let all = finished.len();
        finished.sort();
        finished.dedup();
        assert_eq!(finished.len(), all, "a finished task never runs again");
        assert_eq!(events.last().map(|event| event.body.kind()), Some("run_finished"));
    }
}

/// A world that does not come to its end within ten hours of its own time never will.
async fn in_time(plan: &Plan, seed: u64, disturbed: bool) -> End {
    let memory = MemoryStore::new();
    let hours = Duration::from_secs(36_000);
    match tokio::time::timeout(hours, play(plan, seed, &memory, disturbed)).await {
        Ok(end) => end,
        Err(_late) => {
            let runs = memory.runs(&mercer_graph::RunFilter::default()).await.unwrap();
            let stand: Vec<_> =
                runs.iter().map(|run| (&run.thread, &run.key, run.status, run.steps, &run.error)).collect();
            panic!("it does not come to an end: {stand:#?}\n{plan:#?}");
        }
    }
}

fn simulate(seed: u64) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    runtime.block_on(async {
        let plan = Plan::drawn(&Dice::new(seed));
        let calm = in_time(&plan, seed, false).await;
        let rough = in_time(&plan, seed, true).await;
        assert_eq!(rough, calm, "{plan:#?}");
    });
}

#[test]
fn whatever_fails_and_whoever_dies_every_thread_ends_as_if_nothing_had_happened() {
    let number = |name: &str| std::env::var_os(name)?.to_str()?.parse::<u64>().ok();
    let seeds: Vec<u64> = match number("MERCER_SIM_SEED") {
        Some(seed) => vec![seed],
        None => KEPT.into_iter().chain(1_000..1_000 + number("MERCER_SIM_SEEDS").unwrap_or(SEEDS)).collect(),
    };
    for seed in seeds {
        if let Err(panic) = std::panic::catch_unwind(|| simulate(seed)) {
            eprintln!("seed {seed} fails: repeat it with MERCER_SIM_SEED={seed}, mend it, and add it to KEPT");
            std::panic::resume_unwind(panic);
        }
    }
}
