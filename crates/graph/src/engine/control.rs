//! Answers, cancels, recovery and the queue of a thread.

use std::collections::BTreeMap;
use std::error::Error as _;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use super::attempt::{Attempt, Change, Made, chunk, conduct};
use super::codec::{self, Wrote};
use super::{Engine, Inner, Program, RunOptions, Running, Stop};
use crate::core::Frontier;
use crate::error::AnswerError;
use crate::store::{Batch, EffectRecord, Guard, Write};
use crate::{EngineError, Event, EventBody, Interrupt, RunError, RunId, RunRow, RunStatus, State, ThreadId};

/// How often a waiter looks into the store.
const LOOK: Duration = Duration::from_secs(5);

/// Answers to the open questions of a run.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Answers {
    /// None: for a run that waits for nothing.
    #[default]
    None,
    /// The answer to the only question.
    One(Value),
    /// Answers by question.
    Each(BTreeMap<String, Value>),
}

impl From<Value> for Answers {
    fn from(value: Value) -> Self {
        Self::One(value)
    }
}

/// The frontier with every open question answered, or why the answers do not fit.
pub(crate) fn answered(frontier: &Frontier, answers: &Answers) -> Result<Frontier, EngineError> {
    let open: BTreeMap<&str, &Interrupt> = frontier.open().map(|question| (question.id.as_str(), question)).collect();
    let mut given = match answers {
        Answers::None => BTreeMap::new(),
        Answers::Each(given) => given.clone(),
        Answers::One(value) => match open.keys().collect::<Vec<_>>().as_slice() {
            [id] => BTreeMap::from([((**id).to_owned(), value.clone())]),
            [] => return Err(EngineError::Answer(AnswerError::Unknown(vec!["(one answer)".to_owned()]))),
            several => {
                let ids = several.iter().map(|id| (**id).to_owned()).collect();
                return Err(EngineError::Answer(AnswerError::Ambiguous(ids)));
            }
        },
    };
    let unknown: Vec<String> = given.keys().filter(|id| !open.contains_key(id.as_str())).cloned().collect();
    if !unknown.is_empty() {
        return Err(EngineError::Answer(AnswerError::Unknown(unknown)));
    }
    let missing: Vec<String> = open.keys().filter(|id| !given.contains_key(**id)).map(|id| (*id).to_owned()).collect();
    if !missing.is_empty() {
        return Err(EngineError::Answer(AnswerError::Missing(missing)));
    }
    for question in open.values() {
        fits(question, given.get(&question.id).unwrap_or(&Value::Null)).map_err(EngineError::Answer)?;
    }
    let mut frontier = frontier.clone();
    for task in &mut frontier.tasks {
        for question in std::mem::take(&mut task.waits) {
            let answer = given.remove(&question.id).unwrap_or(Value::Null);
            task.answers.insert(question.id, answer);
        }
    }
    Ok(frontier)
}

fn fits(question: &Interrupt, answer: &Value) -> Result<(), AnswerError> {
    let Some(schema) = &question.schema else { return Ok(()) };
    let invalid = |reason: String| AnswerError::Invalid { id: question.id.clone(), reason };
    let validator =
        jsonschema::validator_for(schema).map_err(|error| invalid(format!("the schema itself: {error}")))?;
    validator.validate(answer).map_err(|error| invalid(error.to_string()))
}

/// Resumes a parked run with answers, or one that stopped with what it has.
pub(crate) async fn resume<S: State>(
    program: Arc<Program<S>>,
    inner: Arc<Inner>,
    run: RunRow,
    answers: Answers,
) -> Result<(), EngineError> {
    if inner.is_draining() {
        return Err(EngineError::Draining);
    }
    let wrong = || EngineError::WrongStatus { run: run.id.clone(), status: run.status, action: "resumed" };
    if !matches!(run.status, RunStatus::Interrupted | RunStatus::StepLimit | RunStatus::Failed | RunStatus::Cancelled) {
        return Err(wrong());
    }
    let thread =
        inner.store.thread(&run.thread).await?.ok_or_else(|| EngineError::ThreadNotFound(run.thread.clone()))?;
    if thread.last_run.as_ref() != Some(&run.id) || thread.active.is_some() {
        return Err(wrong());
    }
    let loaded = codec::load::<S>(&inner, thread.head.as_ref()).await?;
    let frontier = answered(&loaded.frontier, &answers)?;
    if frontier.is_over() && frontier.carried.is_empty() {
        return Err(wrong());
    }
    program.has_all(&frontier)?;
    let running = Running::new(run.id.clone(), run.epoch, run.events);
    let epoch = run.epoch + 1;
    let mut attempt = Attempt::over(&program, &inner, &running, run.clone(), loaded);
    let updates = codec::encode("updates", &Vec::<Wrote<S::Update>>::new())?;
    let checkpoint = (run.status == RunStatus::Interrupted).then_some(Made { source: "answer", updates, frontier });
    let events = vec![(None, EventBody::RunResumed { epoch })];
    let status = Some(RunStatus::Running);
    running.take_the_wheel();
    inner.enlist(&run.id, &running);
    let change = Change { checkpoint, status, claim: true, events, ..Change::default() };
    if let Err(error) = attempt.commit(change).await {
        inner.dismiss(&run.id);
        return Err(error);
    }
    inner.clone().spawn(Box::pin(conduct(program, inner, run, running, Some(attempt))));
    Ok(())
}

/// The batch that ends a run which no driver has in hand.
pub(crate) fn closing(
    inner: &Inner,
    run: &RunRow,
    status: RunStatus,
    error: Option<RunError>,
) -> Result<Batch, EngineError> {
    let at = inner.clock.now();
    let mut next = run.progress();
    (next.status, next.updated, next.error, next.revision) = (status, at, error.clone(), next.revision + 1);
    // A higher epoch makes a driver stale that has the run after all.
    (next.epoch, next.events) = (next.epoch + 1, next.events + 1);
    let body = EventBody::RunFinished { status, error };
    let event = Event { run: run.id.clone(), seq: next.events, epoch: next.epoch, at, step: 0, node: None, body };
    let mut batch = Batch::new()
        .guard(Guard::Run { run: run.id.clone(), epoch: run.epoch, revision: run.revision })
        .write(Write::Run(next.clone()))
        .write(Write::ClearTasks(run.id.clone()));
    batch.writes.extend(chunk(&run.id, next.epoch, &[event])?.map(Write::Events));
    if run.status != RunStatus::Queued {
        let (thread, last) = (run.thread.clone(), run.id.clone());
        batch = batch.write(Write::Active { thread, active: None, last, status, at });
    }
    Ok(batch)
}

pub(crate) async fn close(
    inner: &Inner,
    run: &RunRow,
    status: RunStatus,
    error: Option<RunError>,
) -> Result<(), EngineError> {
    inner.store.commit(closing(inner, run, status, error)?).await?;
    inner.dismiss(&run.id);
    Ok(())
}

/// Stops a run and waits until it has stopped.
pub(crate) async fn stop(inner: &Arc<Inner>, run: &RunId, stop: Stop) -> Result<(), EngineError> {
    loop {
        let row = inner.store.run(run).await?.ok_or_else(|| EngineError::RunNotFound(run.clone()))?;
        if row.status != RunStatus::Queued
            && let Some(running) = inner.running(run)
        {
            // Also when the row is over already: then the driver here has lost the run and does not know it yet.
            running.ask_to_stop(stop);
            let longest = inner.options.grace + inner.options.patience;
            if tokio::time::timeout(longest, running.live.ended()).await.is_ok() {
                continue;
            }
            // A node that never yields holds its driver. The run ends without it: what the driver still writes is refused.
            tracing::error!(run = %row.id, "a node does not yield; its run is closed without it");
            let row = inner.store.run(run).await?.ok_or_else(|| EngineError::RunNotFound(run.clone()))?;
            if !row.status.is_active() {
                inner.dismiss(run);
                continue;
            }
            let message = "stopped while a node did not yield".to_owned();
            let error = RunError { code: "node_stuck".to_owned(), node: None, message };
            match close(inner, &row, RunStatus::Cancelled, Some(error)).await {
                Err(EngineError::Superseded { .. }) => continue,
                Err(error) => return Err(error),
                Ok(()) => {
                    launch_next_surely(inner, &row.thread).await;
                    return Ok(());
                }
            }
        }
        if !row.status.is_active() && row.status != RunStatus::Interrupted {
            return Ok(());
        }
        match close(inner, &row, RunStatus::Cancelled, None).await {
            Err(EngineError::Superseded { .. }) => {}
            Err(error) => return Err(error),
            Ok(()) => {
                launch_next_surely(inner, &row.thread).await;
                return Ok(());
            }
        }
    }
}

/// Launches the oldest queued run of a thread that has no active one.
pub(crate) async fn launch_next(inner: &Arc<Inner>, thread: &ThreadId) -> Result<(), EngineError> {
    if inner.is_draining() {
        return Ok(());
    }
    let Some(next) = inner.store.queued(thread).await? else { return Ok(()) };
    let row = inner.store.thread(thread).await?;
    if row.is_none_or(|row| row.active.is_some()) {
        return Ok(());
    }
    launch(inner, next)
}

/// [`launch_next`], again and again while the store fails: whoever waits for a queued run must not wait for a call that failed.
pub(crate) async fn launch_next_surely(inner: &Arc<Inner>, thread: &ThreadId) {
    let mut pause = Duration::from_millis(50);
    while let Err(error) = launch_next(inner, thread).await {
        if inner.is_draining() || !matches!(error, EngineError::Store(_)) {
            tracing::error!(%thread, %error, "the next queued run could not be launched");
            return;
        }
        tracing::warn!(%thread, %error, "the next queued run could not be launched yet");
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(Duration::from_secs(5));
    }
}

fn launch(inner: &Arc<Inner>, run: RunRow) -> Result<(), EngineError> {
    let program = inner.program(&run.agent)?;
    let running = inner.in_hand(&run);
    if running.take_the_wheel() {
        inner.spawn(program.take_up(Arc::clone(inner), run, running));
    }
    Ok(())
}

/// An error with its causes in one text.
pub(crate) fn chain(error: &EngineError) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text = format!("{text}: {cause}");
        source = cause.source();
    }
    text
}

impl Engine {
    /// Answers a parked run's questions and lets it go on; without answers, goes on with a run that failed, was cancelled
    /// or reached its step limit. A wrong, missing, ambiguous or invalid answer is an error before anything is written.
    ///
    /// # Errors
    /// [`EngineError::Answer`], [`EngineError::WrongStatus`] when the run waits for nothing or the thread has gone on, or
    /// the store's failure.
    pub async fn resume(&self, run: &RunId, answers: impl Into<Answers>) -> Result<(), EngineError> {
        let row = self.inner.store.run(run).await?.ok_or_else(|| EngineError::RunNotFound(run.clone()))?;
        let program = self.inner.program(&row.agent)?;
        Inner::whole(program.resume(Arc::clone(&self.inner), row, answers.into())).await
    }

    /// [`resume`](Engine::resume) with answers by question; none for a run that waits for nothing.
    ///
    /// # Errors
    /// As there.
    pub async fn resume_json(&self, run: &RunId, answers: BTreeMap<String, Value>) -> Result<(), EngineError> {
        self.resume(run, Answers::Each(answers)).await
    }

    /// Raises a run's step limit to `step_limit`, counted from its beginning, and goes on with it.
    ///
    /// # Errors
    /// As [`resume`](Engine::resume).
    pub async fn resume_with_limit(&self, run: &RunId, step_limit: u32) -> Result<(), EngineError> {
        let mut row = self.inner.store.run(run).await?.ok_or_else(|| EngineError::RunNotFound(run.clone()))?;
        let program = self.inner.program(&row.agent)?;
        row.step_limit = step_limit;
        Inner::whole(program.resume(Arc::clone(&self.inner), row, Answers::None)).await
    }

    /// A new run that goes on where the thread stands, instead of entering the graph: on a fork, for example.
    ///
    /// # Errors
    /// As [`Agent::start`](crate::Agent::start), and [`EngineError::Answer`] when open questions are not answered.
    pub async fn go_on(
        &self,
        thread: &ThreadId,
        answers: impl Into<Answers>,
        options: RunOptions,
    ) -> Result<RunId, EngineError> {
        let row = self.inner.store.thread(thread).await?.ok_or_else(|| EngineError::ThreadNotFound(thread.clone()))?;
        let program = self.inner.program(&row.agent)?;
        Inner::whole(program.go_on(Arc::clone(&self.inner), thread.clone(), answers.into(), options)).await
    }

    /// Stops a run at once, whatever it is doing, and returns when it has stopped. What its finished tasks did is kept; the
    /// thread can go on. A run that is over stays as it is.
    ///
    /// # Errors
    /// [`EngineError::RunNotFound`] or the store's failure.
    pub async fn cancel(&self, run: &RunId) -> Result<(), EngineError> {
        let (inner, run) = (Arc::clone(&self.inner), run.clone());
        Inner::whole(async move { stop(&inner, &run, Stop::Cancel).await }).await
    }

    /// Waits until a run is over or parked, and gives its row. A run that no engine here has in hand is given as it is.
    ///
    /// # Errors
    /// [`EngineError::RunNotFound`] or the store's failure.
    pub async fn wait(&self, run: &RunId) -> Result<RunRow, EngineError> {
        if let Some(running) = self.inner.running(run) {
            // A run that waits in the queue here may be taken by another worker, which tells nobody here of its end.
            while tokio::time::timeout(LOOK, running.live.ended()).await.is_err() {
                match self.inner.store.run(run).await? {
                    Some(row) if row.status.is_active() => {}
                    _ => break,
                }
            }
        }
        self.inner.store.run(run).await?.ok_or_else(|| EngineError::RunNotFound(run.clone()))
    }

    /// Takes on every run of a registered graph that a former process left, and says which. Called once at start, after
    /// every graph is registered.
    ///
    /// # Errors
    /// The store's failure.
    pub async fn recover(&self) -> Result<Vec<RunId>, EngineError> {
        let mut taken = Vec::new();
        for run in self.inner.store.unfinished().await? {
            if self.inner.program(&run.agent).is_err() {
                tracing::warn!(run = %run.id, agent = run.agent, "no graph of that name is registered; the run waits");
                continue;
            }
            if self.inner.running(&run.id).is_some_and(|running| running.is_driven()) {
                continue;
            }
            taken.push(run.id.clone());
            match run.status {
                RunStatus::Running => launch(&self.inner, run)?,
                _ => self.line_up(run).await?,
            }
        }
        Ok(taken)
    }

    /// Takes a queued run in hand, and launches the first in its thread's queue if its turn has come.
    async fn line_up(&self, run: RunRow) -> Result<(), EngineError> {
        let running = self.inner.in_hand(&run);
        let result = self.still_waits(&run).await;
        if !running.is_driven() && !matches!(result, Ok(true)) {
            // The next call takes it on, if there is anything to take on.
            self.inner.let_go(&run.id, &running);
        }
        result.map(drop)
    }

    /// Whether a run is still in the queue once whatever may run on its thread does. Its turn may have come, and its driver be
    /// gone, since it was found there.
    async fn still_waits(&self, run: &RunRow) -> Result<bool, EngineError> {
        launch_next(&self.inner, &run.thread).await?;
        let row = self.inner.store.run(&run.id).await?;
        Ok(row.is_some_and(|row| row.status == RunStatus::Queued) && !self.inner.is_draining())
    }

    /// Takes a person's word for an effect whose outcome is not known: it happened with this result, or (`None`) it did
    /// not. `key` is the one in [`EffectError::Unknown`](crate::EffectError::Unknown).
    ///
    /// # Errors
    /// [`EngineError::EffectNotOpen`], or the store's failure.
    pub async fn settle_effect(&self, key: &str, result: Option<&Value>) -> Result<(), EngineError> {
        let open = self.inner.store.effect(key).await?.filter(|effect| effect.result.is_none());
        let record = open.ok_or_else(|| EngineError::EffectNotOpen(key.to_owned()))?;
        let write = match result {
            None => Write::ForgetEffect(key.to_owned()),
            Some(value) => {
                let result = Some(codec::encode("effect", value)?);
                Write::Effect(EffectRecord { result, ..record })
            }
        };
        Ok(self.inner.store.commit(Batch::new().write(write)).await?)
    }
}
