//! One superstep: run what has not finished, make each finished task durable, commit all of it together.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures::StreamExt;
use futures::future::BoxFuture;
use futures::stream::FuturesUnordered;
use serde_json::Value;

use super::attempt::{Attempt, Change, Made};
use super::codec::{self, Wrote};
use super::task::{self, Ended};
use crate::core::{self, CoreError, Departure, Done, Exit, Frontier, Target, Task};
use crate::ctx::Failure;
use crate::error::unreadable;
use crate::store::{TaskRecord, Write};
use crate::{EngineError, EventBody, NodeError, NodeErrorKind, RunError, RunStatus, State, Step, StoreError, TaskId};

pub(crate) fn run_error(node: &str, error: &NodeError) -> RunError {
    let (code, message) = (error.kind().code().to_owned(), error.message().to_owned());
    RunError { code, node: Some(node.to_owned()), message }
}

impl<S: State> Attempt<S> {
    /// Runs the frontier's tasks and commits. Returns when the superstep is over, or the run was ended.
    pub(crate) async fn superstep(&mut self) -> Result<(), EngineError> {
        let todo: Vec<Task> =
            self.frontier.tasks.iter().filter(|task| !self.finished.contains_key(&task.id)).cloned().collect();
        if let Some(last) = self.run_tasks(todo).await? {
            return self.close_superstep(last).await;
        }
        Ok(())
    }

    /// Runs tasks side by side. Each one that finishes while others run is stored at once; the last one is left to the
    /// superstep's commit and returned. `None` says that the run ended instead.
    async fn run_tasks(&mut self, todo: Vec<Task>) -> Result<Option<Vec<(Option<String>, EventBody)>>, EngineError> {
        let mut open: FuturesUnordered<BoxFuture<'static, Ended<S>>> = FuturesUnordered::new();
        let alone = todo.len() == 1;
        for task in todo {
            let started = EventBody::TaskStarted { task: task.id.clone(), node: task.node.clone() };
            self.running.live.emit(self.inner.clock.now(), self.makes, Some(&task.node), started);
            open.push(task::launch(self, task, alone));
        }
        let running = Arc::clone(&self.running);
        let grace = self.inner.options.grace;
        let stop = async {
            running.stopped().await;
            tokio::time::sleep(grace).await;
        };
        tokio::pin!(stop);
        loop {
            let ended = tokio::select! {
                biased;
                ended = open.next() => ended,
                () = &mut stop => return Ok(None),
                () = running.live.pressed() => {
                    // So many events that they are stored before the superstep is over.
                    self.commit(Change::default()).await?;
                    continue;
                }
            };
            let Some(ended) = ended else { return Ok(Some(Vec::new())) };
            let step = match self.settle(&ended).await? {
                Some(step) => step,
                None => return Ok(None),
            };
            let event = (Some(ended.task.node.clone()), finished_event(&ended.task, &step)?);
            if open.is_empty() {
                self.finished.insert(ended.task.id, step);
                return Ok(Some(vec![event]));
            }
            self.store_task(&ended.task, &step, event).await?;
            self.finished.insert(ended.task.id, step);
        }
    }

    /// What a task that ended comes to: its step, a step to its error handler, or the end of the run.
    async fn settle(&mut self, ended: &Ended<S>) -> Result<Option<Step<S>>, EngineError> {
        if ended.lost {
            return Err(EngineError::Store(StoreError::failed("the journal of effects could not be written")));
        }
        let error = match &ended.result {
            Ok(step) => return Ok(Some(step.clone())),
            Err(error) => error,
        };
        if error.kind() == NodeErrorKind::Lost {
            return Err(EngineError::Store(StoreError::failed(error.message())));
        }
        let failure = Failure { node: ended.task.node.clone(), error: run_error(&ended.task.node, error) };
        let plan = &self.program.plan;
        let own = plan.policies.get(&ended.task.node).and_then(|policy| policy.on_error.clone());
        let general = plan.failure.clone().filter(|handler| *handler != ended.task.node);
        // Whether an effect happened is for a person to say; no handler may paper over it.
        if error.kind() != NodeErrorKind::EffectUnknown
            && let Some(node) = own.or(general)
        {
            let input = serde_json::to_value(&failure).map_err(unreadable("failure"))?;
            return Ok(Some(Step { updates: Vec::new(), exit: Exit::To(vec![Target { node, input: Some(input) }]) }));
        }
        let change = self.keep_finished(RunStatus::Failed, Some(failure.error))?;
        self.commit(change).await?;
        Ok(None)
    }

    async fn store_task(
        &mut self,
        task: &Task,
        step: &Step<S>,
        event: (Option<String>, EventBody),
    ) -> Result<(), EngineError> {
        let outcome = codec::encode("task outcome", step)?;
        let record = TaskRecord { run: self.run.id.clone(), task: task.id.clone(), outcome };
        let (writes, events) = (vec![Write::Task(record)], vec![event]);
        self.commit(Change { writes, events, ..Change::default() }).await
    }

    /// Every task has finished: applies their updates in path order, asks the core what is next, and commits.
    async fn close_superstep(&mut self, events: Vec<(Option<String>, EventBody)>) -> Result<(), EngineError> {
        let tasks = std::mem::take(&mut self.frontier.tasks);
        let several = tasks.len() > 1;
        let mut finished = std::mem::take(&mut self.finished);
        let (mut wrote, mut departures) = (Vec::with_capacity(tasks.len()), Vec::with_capacity(tasks.len()));
        for task in tasks {
            let Some(step) = finished.remove(&task.id) else { continue };
            departures.push(task.left(step.exit));
            wrote.push(Wrote { task: Some(task.id), node: task.node, updates: step.updates });
        }
        let updates = codec::encode("updates", &wrote)?;
        let frontier = match self.advance(wrote, &departures) {
            Ok(frontier) => frontier,
            Err(error) => return self.break_off(&error, events).await,
        };
        let mut change = Change { step: true, events, ..Change::default() };
        let open: Vec<_> = frontier.open().cloned().collect();
        if !open.is_empty() {
            change.status = Some(RunStatus::Interrupted);
            change.events.push((None, EventBody::Interrupted { interrupts: open }));
        } else if frontier.is_over() {
            change.status = Some(RunStatus::Done);
            change.events.push((None, EventBody::RunFinished { status: RunStatus::Done, error: None }));
        }
        if several {
            change.writes.push(Write::ClearTasks(self.run.id.clone()));
        }
        change.checkpoint = Some(Made { source: "step", updates, frontier });
        self.commit(change).await
    }

    fn advance(&mut self, wrote: Vec<Wrote<S::Update>>, departures: &[Departure]) -> Result<Frontier, CoreError> {
        let done = wrote.into_iter().map(|task| Done { node: task.node, updates: task.updates }).collect();
        core::apply(Arc::make_mut(&mut self.state), done)?;
        follow(&self.program.plan, &self.state, &self.frontier, departures, self.makes)
    }

    /// The graph's own code contradicted itself: the run fails at the last checkpoint.
    async fn break_off(
        &mut self,
        error: &CoreError,
        mut events: Vec<(Option<String>, EventBody)>,
    ) -> Result<(), EngineError> {
        let code = match error {
            CoreError::Undeclared { .. } => "undeclared_target",
            CoreError::SameQuestion { .. } => "same_question",
            CoreError::Conflict { .. } => "conflicting_writes",
            CoreError::Refused { .. } => "update_refused",
        };
        let error = RunError { code: code.to_owned(), node: None, message: error.to_string() };
        let mut change = Change::end(RunStatus::Failed, Some(error));
        events.append(&mut change.events);
        change.events = events;
        change.writes.push(Write::ClearTasks(self.run.id.clone()));
        self.commit(change).await
    }

    /// Ends the run in the middle of a superstep: what finished is folded into the state, what did not is left in the
    /// frontier for whoever goes on.
    pub(crate) fn keep_finished(&mut self, status: RunStatus, error: Option<RunError>) -> Result<Change, EngineError> {
        let mut change = Change::end(status, error);
        let finished = std::mem::take(&mut self.finished);
        if finished.is_empty() {
            return Ok(change);
        }
        let wrote: Vec<Wrote<S::Update>> = self
            .frontier
            .tasks
            .iter()
            .filter_map(|task| {
                let updates = finished.get(&task.id)?.updates.clone();
                Some(Wrote { task: Some(task.id.clone()), node: task.node.clone(), updates })
            })
            .collect();
        let updates = codec::encode("updates", &wrote)?;
        let done = wrote.into_iter().map(|task| Done { node: task.node, updates: task.updates }).collect();
        let mut state = (*self.state).clone();
        if core::apply(&mut state, done).is_ok() {
            self.state = Arc::new(state);
            let frontier = core::remaining(&self.frontier, &self.left(&finished));
            change.checkpoint = Some(Made { source: "stop", updates, frontier });
            change.writes.push(Write::ClearTasks(self.run.id.clone()));
        }
        Ok(change)
    }

    fn left(&self, finished: &BTreeMap<TaskId, Step<S>>) -> BTreeMap<TaskId, Departure> {
        let left = |task: &Task| finished.get(&task.id).map(|step| (task.id.clone(), task.left(step.exit.clone())));
        self.frontier.tasks.iter().filter_map(left).collect()
    }
}

/// What follows departures, with the branches evaluated on the state.
pub(crate) fn follow<S: State>(
    plan: &crate::graph::Plan<S>,
    state: &S,
    frontier: &Frontier,
    departures: &[Departure],
    step: u64,
) -> Result<Frontier, CoreError> {
    let mut undeclared = None;
    let mut choose = |node: &str, index: usize| {
        let Some(branch) = plan.branches.get(node).and_then(|branches| branches.get(index)) else {
            return crate::END.to_owned();
        };
        let target = (branch.choose)(state).into_owned();
        if !branch.targets.contains(&target) {
            undeclared = Some(CoreError::Undeclared { from: format!("the branch of {node}"), to: target.clone() });
        }
        target
    };
    let next = core::next(&plan.routes, frontier, departures, step, &mut choose)?;
    match undeclared {
        Some(error) => Err(error),
        None => Ok(next),
    }
}

fn finished_event<S: State>(task: &Task, step: &Step<S>) -> Result<EventBody, EngineError> {
    let updates: Value = serde_json::to_value(&step.updates).map_err(unreadable("updates"))?;
    Ok(EventBody::TaskFinished { task: task.id.clone(), node: task.node.clone(), updates })
}
