//! The typed handle to a registered graph.

use std::sync::Arc;

use super::codec::{self, Wrote};
use super::superstep::follow;
use super::{Answers, CheckpointView, Engine, Inner, Program, RunOptions, start};
use crate::core::{Departure, Exit};
use crate::store::{Batch, CheckpointRecord, Guard, Write};
use crate::{ApplyError, CheckpointId, EngineError, RunId, START, State, ThreadId};

/// A registered graph, by the type of its state.
pub struct Agent<S: State> {
    pub(crate) engine: Engine,
    pub(crate) program: Arc<Program<S>>,
}

impl<S: State> Clone for Agent<S> {
    fn clone(&self) -> Self {
        Self { engine: self.engine.clone(), program: Arc::clone(&self.program) }
    }
}

impl<S: State> std::fmt::Debug for Agent<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Agent").field("graph", &self.program.plan.name).finish_non_exhaustive()
    }
}

/// A thread's state as of a checkpoint.
#[derive(Debug, Clone)]
pub struct Snapshot<S> {
    /// The state.
    pub state: S,
    /// The checkpoint; `None` before the first run.
    pub checkpoint: Option<CheckpointId>,
    /// The nodes that run next.
    pub next: Vec<String>,
}

impl<S: State> Agent<S> {
    /// The engine it is registered with.
    #[must_use]
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// The graph's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.program.plan.name
    }

    /// Starts a run: the state is repaired, the updates are applied, the graph is entered. When it returns, the run is
    /// durable. A caller that stops waiting changes nothing: the run begins all the same, and is driven.
    ///
    /// # Errors
    /// [`EngineError::ThreadNotFound`], [`EngineError::Busy`] (see [`Multitask`](crate::Multitask)), [`EngineError::Apply`] and
    /// [`EngineError::Entry`] when the input does not fit, [`EngineError::Draining`], or the store's failure. After any of
    /// them but the last nothing was written; a start whose outcome is not known is safe to repeat with an idempotency key.
    pub async fn start(
        &self,
        thread: &ThreadId,
        updates: Vec<S::Update>,
        options: RunOptions,
    ) -> Result<RunId, EngineError> {
        let (program, inner, thread) = (Arc::clone(&self.program), Arc::clone(&self.engine.inner), thread.clone());
        Inner::whole(
            async move { start::start(&program, &inner, &thread, start::Begin::Enter(updates), options).await },
        )
        .await
    }

    /// See [`Engine::resume`].
    ///
    /// # Errors
    /// As there.
    pub async fn resume(&self, run: &RunId, answers: impl Into<Answers>) -> Result<(), EngineError> {
        self.engine.resume(run, answers).await
    }

    /// A thread's state at its head; `None` when there is no such thread.
    ///
    /// # Errors
    /// The store's failure, or a state that this program cannot read.
    pub async fn state(&self, thread: &ThreadId) -> Result<Option<Snapshot<S>>, EngineError> {
        let Some(row) = self.engine.inner.store.thread(thread).await? else { return Ok(None) };
        self.snapshot(row.head.as_ref()).await.map(Some)
    }

    /// A thread's state at one of its checkpoints.
    ///
    /// # Errors
    /// [`EngineError::CheckpointNotFound`], the store's failure, or a state that this program cannot read.
    pub async fn state_at(&self, thread: &ThreadId, at: &CheckpointId) -> Result<Snapshot<S>, EngineError> {
        let record = self.engine.checkpoint_of(thread, at).await?;
        self.snapshot(Some(&record.id)).await
    }

    async fn snapshot(&self, at: Option<&CheckpointId>) -> Result<Snapshot<S>, EngineError> {
        let loaded = codec::load::<S>(&self.engine.inner, at).await?;
        let next = loaded.frontier.nodes();
        Ok(Snapshot { state: loaded.state, checkpoint: loaded.head.map(|head| head.id), next })
    }

    /// See [`Engine::history_json`].
    ///
    /// # Errors
    /// As there.
    pub async fn history(
        &self,
        thread: &ThreadId,
        limit: usize,
        before: Option<&CheckpointId>,
    ) -> Result<Vec<CheckpointView>, EngineError> {
        self.engine.history_json(thread, limit, before).await
    }

    /// See [`Engine::fork`].
    ///
    /// # Errors
    /// As there.
    pub async fn fork(&self, thread: &ThreadId, at: Option<&CheckpointId>) -> Result<ThreadId, EngineError> {
        self.engine.fork(thread, at).await
    }

    /// Changes the state of a thread at rest. With `as_node` it is as if that node had returned the updates: what follows it
    /// runs next when the thread goes on.
    ///
    /// # Errors
    /// [`EngineError::ThreadNotFound`], [`EngineError::Busy`], [`EngineError::Apply`], [`EngineError::Entry`] for a node that does
    /// not exist, or the store's failure.
    pub async fn update_state(
        &self,
        thread: &ThreadId,
        updates: Vec<S::Update>,
        as_node: Option<&str>,
    ) -> Result<CheckpointId, EngineError> {
        let inner = &self.engine.inner;
        let row = inner.store.thread(thread).await?.ok_or_else(|| EngineError::ThreadNotFound(thread.clone()))?;
        let mut loaded = codec::load::<S>(inner, row.head.as_ref()).await?;
        updates.iter().cloned().try_for_each(|update| loaded.state.apply(update))?;
        let step = loaded.next_step();
        let frontier = match as_node {
            None => loaded.frontier,
            Some(node) if !self.program.nodes.contains_key(node) => {
                return Err(EngineError::Entry { graph: self.program.plan.name.clone(), node: node.to_owned() });
            }
            Some(node) => {
                let left =
                    Departure { node: node.to_owned(), input: None, answers: Default::default(), exit: Exit::Edges };
                follow(&self.program.plan, &loaded.state, &loaded.frontier, &[left], step)
                    .map_err(|error| ApplyError::new(error.to_string()))?
            }
        };
        let at = inner.clock.now();
        let wrote = vec![Wrote { task: None, node: as_node.unwrap_or(START).to_owned(), updates }];
        let record = CheckpointRecord {
            id: CheckpointId::fresh(),
            thread: thread.clone(),
            run: None,
            parent: row.head.clone(),
            origin: None,
            step,
            at,
            source: "update".to_owned(),
            updates: codec::encode("updates", &wrote)?,
            frontier: codec::encode("frontier", &frontier)?,
            snapshot: None,
        };
        let id = record.id.clone();
        let batch = Batch::new()
            .guard(Guard::Thread { thread: thread.clone(), active: None, head: row.head })
            .write(Write::Checkpoint(record))
            .write(Write::Head { thread: thread.clone(), head: Some(id.clone()), at });
        inner.store.commit(batch).await?;
        Ok(id)
    }
}
