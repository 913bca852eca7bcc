//! The driver: it loads, runs tasks, and commits; what it decides by is in [`core`](crate::core).

mod agent;
mod attempt;
mod behind;
mod codec;
mod control;
mod look;
mod program;
mod query;
mod start;
mod superstep;
mod task;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures::future::BoxFuture;
use serde_json::Value;
use tokio::sync::watch;
use tokio::task::JoinSet;

pub use agent::{Agent, Snapshot};
pub use control::Answers;
pub use look::{EffectView, Question, StepView, TakenLine, Way};
pub(crate) use program::{AnyProgram, Program};
pub use query::{CheckpointView, GraphView, HistoryFilter};
pub use start::{Multitask, RunOptions};

use crate::cache::Cache;
use crate::ctx::Ctx;
use crate::live::Live;
use crate::store::Checkpointer;
use crate::store::dynamic::DynStore;
use crate::{Clock, EngineError, Graph, RunId, RunRow, State, StoreError, SystemClock};

/// How an engine behaves.
#[derive(Debug, Clone)]
pub struct EngineOptions {
    /// Who it is, for others who find a run taken.
    pub worker: String,
    /// Where it reads the time of day.
    pub clock: Arc<dyn Clock>,
    /// The step limit of a run that names none.
    pub step_limit: u32,
    /// How long a task may take to return once its run is cancelled.
    pub grace: Duration,
    /// How often an attempt is begun anew when the store fails, before the run is left to the next start.
    pub store_retries: u32,
    /// How durable the steps of a run are that says nothing about it, and of every run that is taken up after a crash.
    pub durability: Durability,
    /// How long, after the grace, a cancel waits for a node that does not yield. Then the run is over without it, and
    /// whatever the node still does is refused.
    pub patience: Duration,
}

/// When the steps of a run are stored. Starts, questions, ends and effects are stored at once in every mode.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Durability {
    /// Each before the next one begins.
    #[default]
    Sync,
    /// While the next ones run; at most a bounded number of them is not stored yet. A crash may lose those: the tasks in them
    /// run again, with the same identities and effect keys.
    Async,
    /// When the run ends or parks, or when much has come together. A crash loses what was not stored: the run begins again,
    /// with the same identities and effect keys.
    Exit,
}

impl Default for EngineOptions {
    fn default() -> Self {
        Self {
            worker: "mercer".to_owned(),
            clock: Arc::new(SystemClock),
            step_limit: 64,
            grace: Duration::from_millis(200),
            store_retries: 5,
            durability: Durability::Sync,
            patience: Duration::from_secs(5),
        }
    }
}

/// What a new thread is.
#[derive(Debug, Clone, Default)]
pub struct NewThread {
    /// The shop it belongs to.
    pub tenant: String,
    /// The graph that runs on it.
    pub agent: String,
    /// Its title.
    pub title: Option<String>,
    /// Anything its creator wants to remember.
    pub metadata: Value,
}

/// Runs graphs on threads. Clones are the same engine.
#[derive(Clone)]
pub struct Engine {
    pub(crate) inner: Arc<Inner>,
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine").field("options", &self.inner.options).finish_non_exhaustive()
    }
}

pub(crate) struct Inner {
    pub(crate) store: Box<dyn DynStore>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) options: EngineOptions,
    programs: Mutex<BTreeMap<String, Arc<dyn AnyProgram>>>,
    running: Mutex<BTreeMap<RunId, Arc<Running>>>,
    drivers: Mutex<JoinSet<()>>,
    draining: watch::Sender<bool>,
    pub(crate) cache: Cache,
}

/// Why a run is asked to stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stop {
    /// Keep what it did.
    Cancel,
    /// Go back to where the thread was before it.
    Rollback,
}

/// A run that this process has in hand: running, or queued behind another.
#[derive(Debug)]
pub(crate) struct Running {
    pub(crate) live: Live,
    stop: watch::Sender<Option<Stop>>,
    /// A driver has it. Two of them would end each other.
    driven: AtomicBool,
}

impl Running {
    pub(crate) fn new(run: RunId, epoch: u32, stored: u64) -> Arc<Self> {
        Arc::new(Self {
            live: Live::new(run, epoch, stored),
            stop: watch::Sender::new(None),
            driven: AtomicBool::new(false),
        })
    }

    /// Whether the caller is to drive it: nobody else does.
    pub(crate) fn take_the_wheel(&self) -> bool {
        !self.driven.swap(true, Ordering::AcqRel)
    }

    pub(crate) fn is_driven(&self) -> bool {
        self.driven.load(Ordering::Acquire)
    }

    /// The driver leaves a run that waits on in the queue.
    pub(crate) fn leave_the_wheel(&self) {
        self.driven.store(false, Ordering::Release);
    }

    pub(crate) fn ask_to_stop(&self, stop: Stop) {
        self.stop.send_if_modified(|asked| {
            let first = asked.is_none();
            asked.get_or_insert(stop);
            first
        });
    }

    pub(crate) fn stop_asked(&self) -> Option<Stop> {
        *self.stop.borrow()
    }

    pub(crate) async fn stopped(&self) {
        let mut stop = self.stop.subscribe();
        // The sender lives in `self`, so the wait can only end with a value.
        let _asked = stop.wait_for(Option::is_some).await.map(|_| ());
    }
}

fn hold<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Inner {
    pub(crate) fn program(&self, name: &str) -> Result<Arc<dyn AnyProgram>, EngineError> {
        hold(&self.programs).get(name).cloned().ok_or_else(|| EngineError::NoGraph(name.to_owned()))
    }

    pub(crate) fn running(&self, run: &RunId) -> Option<Arc<Running>> {
        hold(&self.running).get(run).cloned()
    }

    /// A stored run as this process has it, taken in hand if it was not.
    pub(crate) fn in_hand(&self, run: &RunRow) -> Arc<Running> {
        let fresh = || Running::new(run.id.clone(), run.epoch, run.events);
        Arc::clone(hold(&self.running).entry(run.id.clone()).or_insert_with(fresh))
    }

    pub(crate) fn enlist(&self, run: &RunId, running: &Arc<Running>) {
        hold(&self.running).insert(run.clone(), Arc::clone(running));
    }

    /// The run is no longer in this process's hands: its readers and waiters are told.
    pub(crate) fn dismiss(&self, run: &RunId) {
        let running = hold(&self.running).remove(run);
        if let Some(running) = running {
            running.live.end();
        }
    }

    /// A driver lets go of its run. Somebody else may have it in hand by now.
    pub(crate) fn let_go(&self, run: &RunId, mine: &Arc<Running>) {
        let mut running = hold(&self.running);
        if running.get(run).is_some_and(|current| Arc::ptr_eq(current, mine)) {
            running.remove(run);
        }
        drop(running);
        mine.live.end();
    }

    pub(crate) fn is_draining(&self) -> bool {
        *self.draining.borrow()
    }

    /// Carries a request out to its end although its caller may stop waiting: a commit whose run nobody then drives would leave
    /// the thread busy for ever.
    pub(crate) async fn whole<T: Send + 'static>(
        request: impl Future<Output = Result<T, EngineError>> + Send + 'static,
    ) -> Result<T, EngineError> {
        match tokio::spawn(request).await {
            Ok(done) => done,
            Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
            Err(error) => Err(EngineError::Store(StoreError::failed(error.to_string()))),
        }
    }

    pub(crate) fn spawn(&self, driver: BoxFuture<'static, ()>) {
        let mut drivers = hold(&self.drivers);
        while drivers.try_join_next().is_some() {}
        drivers.spawn(driver);
    }
}

impl Engine {
    /// An engine over a store.
    #[must_use]
    pub fn new(store: impl Checkpointer, options: EngineOptions) -> Self {
        let inner = Inner {
            store: Box::new(store),
            clock: Arc::clone(&options.clock),
            options,
            programs: Mutex::default(),
            running: Mutex::default(),
            drivers: Mutex::default(),
            draining: watch::Sender::new(false),
            cache: Cache::default(),
        };
        Self { inner: Arc::new(inner) }
    }

    /// Makes a graph known under its name and gives the typed handle to it. Graphs are registered before
    /// [`recover`](Engine::recover).
    pub fn register<S, D>(&self, graph: Graph<S, D>, deps: D) -> Agent<S>
    where
        S: State,
        D: Clone + Send + Sync + 'static,
    {
        let nodes = graph.nodes.into_iter().map(|(name, run)| {
            let deps = deps.clone();
            let bound: program::Bound<S> = Arc::new(move |scope, state| run(Ctx::new(scope, deps.clone()), state));
            (name, bound)
        });
        let program = Arc::new(Program::new(graph.plan, nodes.collect()));
        let name = program.plan.name.clone();
        hold(&self.inner.programs).insert(name, Arc::clone(&program) as Arc<dyn AnyProgram>);
        Agent { engine: self.clone(), program }
    }

    /// Stops at the next superstep boundary: runs that are not over go on when an engine over the same store recovers.
    pub async fn drain(&self) {
        self.inner.draining.send_replace(true);
        let mut drivers = std::mem::take(&mut *hold(&self.inner.drivers));
        while drivers.join_next().await.is_some() {}
        self.forget_all();
    }

    /// Stops at once, as a crash would: every task is dropped where it is.
    pub async fn abort(&self) {
        self.inner.draining.send_replace(true);
        let mut drivers = std::mem::take(&mut *hold(&self.inner.drivers));
        drivers.shutdown().await;
        self.forget_all();
    }

    /// Tells whoever waits for a run, one in the queue for example, that it does not go on here.
    fn forget_all(&self) {
        let gone = std::mem::take(&mut *hold(&self.inner.running));
        gone.values().for_each(|running| running.live.end());
    }
}
