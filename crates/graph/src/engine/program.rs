//! A registered graph with its services bound, and its face without the state's type.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use futures::future::BoxFuture;
use serde_json::Value;

use super::codec::Loaded;
use super::{Answers, GraphView, Inner, RunOptions, Running, codec, control, start};
use crate::core::Frontier;
use crate::ctx::Scope;
use crate::error::unreadable;
use crate::graph::{Entry, Plan};
use crate::store::CheckpointRecord;
use crate::{CheckpointId, EngineError, NodeError, RunId, RunRow, State, Step, ThreadId, ThreadRow};

pub(crate) type Bound<S> =
    Arc<dyn Fn(Arc<Scope>, Arc<S>) -> BoxFuture<'static, Result<Step<S>, NodeError>> + Send + Sync>;

pub(crate) struct Program<S: State> {
    pub(crate) plan: Arc<Plan<S>>,
    pub(crate) nodes: BTreeMap<String, Bound<S>>,
    warm: Mutex<VecDeque<Loaded<S>>>,
}

/// How many states are kept after their run, for a run that follows soon on the same thread.
const WARM: usize = 16;
/// The largest state that is kept, in encoded bytes.
const WARM_SIZE: usize = 1 << 20;

impl<S: State> Program<S> {
    pub(crate) fn new(plan: Arc<Plan<S>>, nodes: BTreeMap<String, Bound<S>>) -> Self {
        Self { plan, nodes, warm: Mutex::default() }
    }

    /// Keeps a state in memory as of its checkpoint. A checkpoint never changes, so it cannot become stale.
    pub(crate) fn keep(&self, loaded: Loaded<S>) {
        if loaded.spacing.size() > WARM_SIZE {
            return;
        }
        let mut warm = self.warm.lock().unwrap_or_else(PoisonError::into_inner);
        warm.push_back(loaded);
        if warm.len() > WARM {
            warm.pop_front();
        }
    }

    /// The state as of a checkpoint, from memory or from the store.
    pub(crate) async fn load(&self, inner: &Inner, at: Option<&CheckpointId>) -> Result<Loaded<S>, EngineError> {
        if let Some(loaded) = self.take(at) {
            return Ok(loaded);
        }
        codec::load(inner, at).await
    }

    fn take(&self, at: Option<&CheckpointId>) -> Option<Loaded<S>> {
        let mut warm = self.warm.lock().unwrap_or_else(PoisonError::into_inner);
        let place = warm.iter().position(|kept| at.is_some() && kept.head.as_ref().map(|head| &head.id) == at)?;
        warm.remove(place)
    }

    /// The node at which a run enters, and whether it may.
    pub(crate) fn enter(&self, state: &S, named: Option<&str>) -> Result<String, EngineError> {
        let (node, allowed) = match (named, &self.plan.entry) {
            (Some(node), _) => (node.to_owned(), self.nodes.contains_key(node)),
            (None, Entry::Node(node)) => (node.clone(), true),
            (None, Entry::Branch(branch)) => {
                let node = (branch.choose)(state).into_owned();
                let declared = branch.targets.contains(&node);
                (node, declared)
            }
        };
        if allowed { Ok(node) } else { Err(EngineError::Entry { graph: self.plan.name.clone(), node }) }
    }

    /// Refuses a frontier whose nodes this graph does not have.
    pub(crate) fn has_all(&self, frontier: &Frontier) -> Result<(), EngineError> {
        let tasks = frontier.tasks.iter().map(|task| &task.node);
        let carried = frontier.carried.iter().map(|departure| &departure.node);
        let mut missing: Vec<String> = tasks
            .chain(carried)
            .chain(&frontier.deferred)
            .filter(|node| !self.nodes.contains_key(*node))
            .cloned()
            .collect();
        missing.sort();
        missing.dedup();
        if missing.is_empty() {
            Ok(())
        } else {
            Err(EngineError::GraphChanged { graph: self.plan.name.clone(), missing })
        }
    }
}

/// A graph whose state's type nobody needs to know.
pub(crate) trait AnyProgram: Send + Sync {
    fn view(&self) -> GraphView;
    /// Takes a stored run on: one that another process left, or one whose turn in the queue has come.
    fn take_up(self: Arc<Self>, inner: Arc<Inner>, run: RunRow, running: Arc<Running>) -> BoxFuture<'static, ()>;
    fn resume(
        self: Arc<Self>,
        inner: Arc<Inner>,
        run: RunRow,
        answers: Answers,
    ) -> BoxFuture<'static, Result<(), EngineError>>;
    fn go_on(
        self: Arc<Self>,
        inner: Arc<Inner>,
        thread: ThreadId,
        answers: Answers,
        options: RunOptions,
    ) -> BoxFuture<'static, Result<RunId, EngineError>>;
    fn state_json(&self, inner: Arc<Inner>, at: Option<CheckpointId>)
    -> BoxFuture<'static, Result<Value, EngineError>>;
    /// The first checkpoint of a fork.
    fn copy(
        &self,
        inner: Arc<Inner>,
        from: ThreadRow,
        at: CheckpointId,
        to: ThreadId,
    ) -> BoxFuture<'static, Result<CheckpointRecord, EngineError>>;
}

impl<S: State> AnyProgram for Program<S> {
    fn view(&self) -> GraphView {
        GraphView { mermaid: self.plan.shape.mermaid(), shape: self.plan.shape.clone(), hash: self.plan.hash.clone() }
    }

    fn take_up(self: Arc<Self>, inner: Arc<Inner>, run: RunRow, running: Arc<Running>) -> BoxFuture<'static, ()> {
        Box::pin(super::attempt::take_up(self, inner, run, running))
    }

    fn resume(
        self: Arc<Self>,
        inner: Arc<Inner>,
        run: RunRow,
        answers: Answers,
    ) -> BoxFuture<'static, Result<(), EngineError>> {
        Box::pin(control::resume(self, inner, run, answers))
    }

    fn go_on(
        self: Arc<Self>,
        inner: Arc<Inner>,
        thread: ThreadId,
        answers: Answers,
        options: RunOptions,
    ) -> BoxFuture<'static, Result<RunId, EngineError>> {
        Box::pin(async move { start::start(&self, &inner, &thread, start::Begin::GoOn(answers), options).await })
    }

    fn state_json(
        &self,
        inner: Arc<Inner>,
        at: Option<CheckpointId>,
    ) -> BoxFuture<'static, Result<Value, EngineError>> {
        Box::pin(async move {
            let loaded = codec::load::<S>(&inner, at.as_ref()).await?;
            serde_json::to_value(&loaded.state).map_err(unreadable("state"))
        })
    }

    fn copy(
        &self,
        inner: Arc<Inner>,
        from: ThreadRow,
        at: CheckpointId,
        to: ThreadId,
    ) -> BoxFuture<'static, Result<CheckpointRecord, EngineError>> {
        Box::pin(async move {
            let loaded = codec::load::<S>(&inner, Some(&at)).await?;
            let missing = || EngineError::CheckpointNotFound { thread: from.id.clone(), checkpoint: at.to_string() };
            let head = loaded.head.as_ref().ok_or_else(missing)?;
            Ok(CheckpointRecord {
                id: CheckpointId::fresh(),
                thread: to,
                run: None,
                parent: None,
                origin: Some(at.clone()),
                step: head.step,
                at: inner.clock.now(),
                source: "fork".to_owned(),
                updates: codec::encode("updates", &Vec::<codec::Wrote<S::Update>>::new())?,
                frontier: codec::encode("frontier", &loaded.frontier)?,
                snapshot: Some(codec::encode("snapshot", &loaded.state)?),
            })
        })
    }
}
