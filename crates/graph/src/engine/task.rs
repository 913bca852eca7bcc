//! One task: attempts within their timeouts, retried by policy.

use std::collections::BTreeSet;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use futures::FutureExt;
use futures::future::BoxFuture;
use tokio::task::JoinHandle;
use tokio::time::Instant;

use super::attempt::Attempt;
use super::program::Bound;
use super::superstep::run_error;
use crate::core::Task;
use crate::ctx::Scope;
use crate::{EventBody, NodeError, NodeErrorKind, NodePolicy, State, Step};

/// A task that ended.
pub(crate) struct Ended<S: State> {
    pub(crate) task: Task,
    pub(crate) result: Result<Step<S>, NodeError>,
    /// The journal of effects failed under it.
    pub(crate) lost: bool,
}

/// A spawned task that is dropped with its owner.
struct Owned<T>(JoinHandle<T>);

impl<T> Drop for Owned<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Starts a task: in the driver's own task when it is alone, else on any thread of the runtime.
pub(crate) fn launch<S: State>(attempt: &Attempt<S>, task: Task, alone: bool) -> BoxFuture<'static, Ended<S>> {
    let scope = Arc::new(Scope {
        inner: Arc::clone(&attempt.inner),
        running: Arc::clone(&attempt.running),
        run: attempt.run.id.clone(),
        thread: attempt.run.thread.clone(),
        tenant: attempt.run.tenant.clone(),
        epoch: attempt.run.epoch,
        task: task.clone(),
        makes: attempt.makes,
        step: attempt.run.steps + 1,
        step_limit: attempt.run.step_limit,
        beat: Mutex::new(Instant::now()),
        shown: Mutex::new(BTreeSet::new()),
        lost: AtomicBool::new(false),
    });
    let policy = attempt.program.plan.policies.get(&task.node).cloned().unwrap_or_default();
    let state = Arc::clone(&attempt.state);
    let Some(node) = attempt.program.nodes.get(&task.node).cloned() else {
        let result = Err(NodeError::new(format!("the graph has no node {}", task.node)));
        return Box::pin(async move { Ended { task, result, lost: false } });
    };
    let work = async move {
        let result = execute(&scope, &node, &state, &policy).await;
        drop(state);
        (result, scope.is_lost())
    };
    if alone {
        return Box::pin(work.map(|(result, lost)| Ended { task, result, lost }));
    }
    let mut owned = Owned(tokio::spawn(work));
    Box::pin(async move {
        let (result, lost) = match (&mut owned.0).await {
            Ok(ended) => ended,
            Err(error) => (Err(NodeError::of(NodeErrorKind::Panic, error.to_string())), false),
        };
        Ended { task, result, lost }
    })
}

async fn execute<S: State>(
    scope: &Arc<Scope>,
    node: &Bound<S>,
    state: &Arc<S>,
    policy: &NodePolicy,
) -> Result<Step<S>, NodeError> {
    let mut attempt = 1;
    loop {
        let error = match once(scope, node, state, policy).await {
            Ok(step) => return Ok(step),
            Err(error) => error,
        };
        let hopeless = matches!(error.kind(), NodeErrorKind::Lost | NodeErrorKind::EffectUnknown) || scope.is_lost();
        let rule = policy.retry.iter().find(|rule| (rule.on)(&error)).filter(|rule| attempt < rule.attempts);
        let Some(rule) = rule.filter(|_| !hopeless) else { return Err(error) };
        let shown = scope.take_shown();
        let error = run_error(&scope.task.node, &error);
        scope.emit(EventBody::TaskRetried { task: scope.task.id.clone(), attempt, error });
        shown.into_iter().for_each(|message| scope.emit(EventBody::MessageRestarted { message }));
        tokio::time::sleep(rule.pause(attempt, rand::random())).await;
        attempt += 1;
    }
}

/// One attempt, within its timeouts. A panic is an error like any other.
async fn once<S: State>(
    scope: &Arc<Scope>,
    node: &Bound<S>,
    state: &Arc<S>,
    policy: &NodePolicy,
) -> Result<Step<S>, NodeError> {
    scope.beat();
    let begun = Instant::now();
    // A node may panic before it returns its future, so the call is inside the guarded future.
    let call = async { node(Arc::clone(scope), Arc::clone(state)).await };
    let guarded =
        AssertUnwindSafe(call).catch_unwind().map(|caught| caught.unwrap_or_else(|panic| Err(panicked(&*panic))));
    tokio::pin!(guarded);
    loop {
        let idle_end = policy.idle_timeout.map(|idle| scope.last_beat() + idle);
        let run_end = policy.run_timeout.map(|limit| begun + limit);
        let wake = match (idle_end, run_end) {
            (Some(idle), Some(run)) => Some(idle.min(run)),
            (idle, run) => idle.or(run),
        };
        let Some(wake) = wake else { return guarded.await };
        tokio::select! {
            biased;
            result = &mut guarded => return result,
            () = tokio::time::sleep_until(wake) => {}
        }
        let now = Instant::now();
        if let Some(limit) = policy.run_timeout.filter(|limit| now >= begun + *limit) {
            return Err(NodeError::of(NodeErrorKind::Timeout, format!("no result within {limit:?}")));
        }
        if let Some(idle) = policy.idle_timeout.filter(|idle| now >= scope.last_beat() + *idle) {
            return Err(NodeError::of(NodeErrorKind::Idle, format!("silent for {idle:?}")));
        }
    }
}

fn panicked(panic: &(dyn std::any::Any + Send)) -> NodeError {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "panicked".to_owned());
    NodeError::of(NodeErrorKind::Panic, text)
}
