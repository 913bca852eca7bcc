//! What a node is given besides the state.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::time::Instant;

use crate::core::Task;
use crate::effect::{self, EffectError, EffectFault, EffectKey, OnUnknown};
use crate::engine::{Inner, Running};
use crate::{EventBody, NodeError, RunError, RunId, TaskId, ThreadId};

/// What an error handler reads with `ctx.input()`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// The node that failed.
    pub node: String,
    /// Why.
    pub error: RunError,
}

/// One task as the engine runs it.
pub(crate) struct Scope {
    pub(crate) inner: Arc<Inner>,
    pub(crate) running: Arc<Running>,
    pub(crate) run: RunId,
    pub(crate) thread: ThreadId,
    pub(crate) tenant: String,
    pub(crate) epoch: u32,
    pub(crate) task: Task,
    /// The number of the checkpoint that the superstep makes.
    pub(crate) makes: u64,
    /// The superstep in the run, from 1.
    pub(crate) step: u32,
    pub(crate) step_limit: u32,
    pub(crate) beat: Mutex<Instant>,
    /// Messages that this attempt has begun to show.
    pub(crate) shown: Mutex<BTreeSet<String>>,
    /// The store failed or the run was taken over while an effect was journaled.
    pub(crate) lost: AtomicBool,
}

fn hold<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Scope {
    pub(crate) fn emit(&self, body: EventBody) {
        *hold(&self.beat) = Instant::now();
        self.running.live.emit(self.inner.clock.now(), self.makes, Some(&self.task.node), body);
    }

    pub(crate) fn last_beat(&self) -> Instant {
        *hold(&self.beat)
    }

    pub(crate) fn beat(&self) {
        *hold(&self.beat) = Instant::now();
    }

    pub(crate) fn take_shown(&self) -> BTreeSet<String> {
        std::mem::take(&mut hold(&self.shown))
    }

    pub(crate) fn is_lost(&self) -> bool {
        self.lost.load(Ordering::Acquire)
    }
}

/// The context of one task: its services, its identity, and the ways it may act.
pub struct Ctx<D> {
    scope: Arc<Scope>,
    deps: D,
    /// The subgraph it is in, with a slash at its end; empty outside of any.
    within: String,
}

impl<D: Clone> Clone for Ctx<D> {
    fn clone(&self) -> Self {
        Self { scope: Arc::clone(&self.scope), deps: self.deps.clone(), within: self.within.clone() }
    }
}

impl<D> std::fmt::Debug for Ctx<D> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ctx").field("run", &self.scope.run).field("task", &self.scope.task).finish_non_exhaustive()
    }
}

impl<D> Ctx<D> {
    pub(crate) fn new(scope: Arc<Scope>, deps: D) -> Self {
        Self { scope, deps, within: String::new() }
    }

    /// The same task as a node of a subgraph sees it.
    pub(crate) fn inside<E>(self, subgraph: &str, deps: E) -> Ctx<E> {
        Ctx { scope: self.scope, deps, within: format!("{}{subgraph}/", self.within) }
    }

    pub(crate) fn scope(&self) -> &Scope {
        &self.scope
    }

    /// The subgraphs that the task is in, the outermost first.
    #[must_use]
    pub fn namespace(&self) -> Vec<&str> {
        self.within.split_terminator('/').collect()
    }

    /// The services that the graph was registered with.
    #[must_use]
    pub fn deps(&self) -> &D {
        &self.deps
    }

    /// The run.
    #[must_use]
    pub fn run_id(&self) -> &RunId {
        &self.scope.run
    }

    /// The thread.
    #[must_use]
    pub fn thread_id(&self) -> &ThreadId {
        &self.scope.thread
    }

    /// The thread's tenant.
    #[must_use]
    pub fn tenant(&self) -> &str {
        &self.scope.tenant
    }

    /// The task: the same identity however often it has to start over.
    #[must_use]
    pub fn task_id(&self) -> &TaskId {
        &self.scope.task.id
    }

    /// The superstep in this run, from 1.
    #[must_use]
    pub fn step(&self) -> u32 {
        self.scope.step
    }

    /// Supersteps that may follow this one before the run stops at its limit.
    #[must_use]
    pub fn remaining_steps(&self) -> u32 {
        self.scope.step_limit.saturating_sub(self.scope.step)
    }

    /// The task's own input: an item of a fan-out, or the [`Failure`] that an error handler is for.
    ///
    /// # Errors
    /// When it has none, or one of another form.
    pub fn input<T: DeserializeOwned>(&self) -> Result<T, NodeError> {
        let input = self.scope.task.input.as_ref();
        let input =
            input.ok_or_else(|| NodeError::new(format!("{} was entered without an input", self.scope.task.node)))?;
        Ok(T::deserialize(input)?)
    }

    /// The answer to a question that this task's predecessor asked.
    #[must_use]
    pub fn answer(&self, interrupt_id: &str) -> Option<&Value> {
        self.scope.task.answers.get(&format!("{}{interrupt_id}", self.within))
    }

    /// Shows more text of a message, at once and again to those who come later.
    pub fn emit_message_delta(&self, message_id: &str, text: &str) {
        self.emit(EventBody::MessageDelta { message: message_id.to_owned(), text: text.to_owned() });
    }

    /// Shows an event: a custom one, a delta, or the restart of a message. Events that only the engine makes are not shown.
    pub fn emit(&self, body: EventBody) {
        match &body {
            EventBody::MessageDelta { message, .. } => {
                hold(&self.scope.shown).insert(message.clone());
            }
            EventBody::MessageRestarted { message } => {
                hold(&self.scope.shown).remove(message);
            }
            EventBody::Custom { .. } => {}
            other => {
                tracing::warn!(kind = other.kind(), node = self.scope.task.node, "a node may not emit this event");
                return;
            }
        }
        self.scope.emit(body);
    }

    /// Says that the node is alive, for its idle timeout.
    pub fn heartbeat(&self) {
        self.scope.beat();
    }

    /// Ends when the run is asked to stop. A node has a short grace to return what it has; then it is dropped.
    pub async fn cancelled(&self) {
        self.scope.running.stopped().await;
    }

    /// Does something outside the state at most once for its key, and gives its recorded result ever after.
    ///
    /// The journal says *started* before `run` is polled and has the result before this returns. An effect that started and
    /// has no result — the process died, or `run` could not say — follows `on_unknown`.
    ///
    /// # Errors
    /// [`EffectError`].
    pub async fn effect<T, F>(
        &self,
        name: &str,
        key: EffectKey,
        on_unknown: OnUnknown,
        run: F,
    ) -> Result<T, EffectError>
    where
        T: Serialize + DeserializeOwned + Send,
        F: Future<Output = Result<T, EffectFault>> + Send,
    {
        effect::perform(&self.scope, name, &key, on_unknown, run).await
    }
}
