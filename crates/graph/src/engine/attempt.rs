//! One worker's try at a run: it holds the fence, commits, and goes on until the run is over or lost.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use super::behind::Behind;
use super::codec::{self, Head, Loaded, Spacing};
use super::{Inner, Program, Running, Stop, control, start};
use crate::core::Frontier;
use crate::store::{Batch, CheckpointRecord, EventChunk, Guard, Write};
use crate::{
    CheckpointId, EngineError, EventBody, RunError, RunId, RunRow, RunStatus, State, Step, StoreError, TaskId, event,
};

pub(crate) struct Attempt<S: State> {
    pub(crate) inner: Arc<Inner>,
    pub(crate) program: Arc<Program<S>>,
    pub(crate) running: Arc<Running>,
    /// The row as it is stored.
    pub(crate) run: RunRow,
    pub(crate) state: Arc<S>,
    pub(crate) frontier: Frontier,
    pub(crate) head: Option<CheckpointId>,
    /// The number of the next checkpoint.
    pub(crate) makes: u64,
    pub(crate) spacing: Spacing,
    /// Tasks of the open superstep that a former attempt finished.
    pub(crate) finished: BTreeMap<TaskId, Step<S>>,
    /// What is to be stored later, in the modes that store later.
    pub(crate) behind: Behind,
}

/// A checkpoint to be written.
pub(crate) struct Made {
    pub(crate) source: &'static str,
    pub(crate) updates: Vec<u8>,
    pub(crate) frontier: Frontier,
}

/// What one commit changes.
#[derive(Default)]
pub(crate) struct Change {
    pub(crate) checkpoint: Option<Made>,
    pub(crate) status: Option<RunStatus>,
    pub(crate) error: Option<RunError>,
    /// Whether a superstep is over.
    pub(crate) step: bool,
    /// Whether it makes this attempt the run's owner.
    pub(crate) claim: bool,
    /// Whether the thread goes back to where it was before the run.
    pub(crate) rollback: bool,
    pub(crate) writes: Vec<Write>,
    pub(crate) events: Vec<(Option<String>, EventBody)>,
}

impl Change {
    /// The run ends.
    pub(crate) fn end(status: RunStatus, error: Option<RunError>) -> Self {
        let events = vec![(None, EventBody::RunFinished { status, error: error.clone() })];
        Self { status: Some(status), error, events, ..Self::default() }
    }
}

/// Makes a chunk of the events, if there are any.
pub(crate) fn chunk(run: &RunId, epoch: u32, events: &[crate::Event]) -> Result<Option<EventChunk>, EngineError> {
    let (Some(first), Some(last)) = (events.first(), events.last()) else { return Ok(None) };
    let bytes = event::encode(epoch, events).map_err(crate::error::unreadable("events"))?;
    Ok(Some(EventChunk { run: run.clone(), first: first.seq, last: last.seq, events: bytes }))
}

impl<S: State> Attempt<S> {
    /// Writes a change under the fence, or hands it to be written later, as the run's durability says. After an error the
    /// attempt is over: what is stored has to be read again.
    pub(crate) async fn commit(&mut self, change: Change) -> Result<(), EngineError> {
        let now = self.inner.clock.now();
        let guard = Guard::Run { run: self.run.id.clone(), epoch: self.run.epoch, revision: self.run.revision };
        let mut batch = Batch { guards: vec![guard], writes: change.writes };
        let mut next = self.run.progress();
        (next.updated, next.revision, next.error) = (now, next.revision + 1, change.error);
        next.status = change.status.unwrap_or(next.status);
        next.steps += u32::from(change.step);
        if change.claim {
            next.epoch += 1;
            next.owner.clone_from(&self.inner.options.worker);
            self.running.live.attempt(next.epoch, next.events);
        }
        let mut events = change.events;
        let made = match change.checkpoint {
            None => None,
            Some(made) => {
                let (record, frontier) = self.record(made, now)?;
                let (id, sizes) = (record.id.clone(), (record.updates.len(), record.snapshot.as_ref().map(Vec::len)));
                batch = batch.write(Write::Checkpoint(record));
                Some((id, sizes, frontier))
            }
        };
        if let Some((id, _, frontier)) = &made {
            let (id, next) = (id.clone(), frontier.nodes());
            let place = events.iter().position(|(_, body)| is_last(body)).unwrap_or(events.len());
            events.insert(place, (None, EventBody::Checkpoint { id, next }));
        }
        // What changes who has the run, or whether it is over, is stored at once, and after everything before it.
        let later = self.behind.is_later() && change.status.is_none() && !change.claim && !change.rollback;
        let staged = self.running.live.stage(now, self.makes, events, !later);
        if let Some(chunk) = chunk(&self.run.id, next.epoch, &staged)? {
            next.events = chunk.last;
            batch = batch.write(Write::Events(chunk));
        }
        let thread = self.run.thread.clone();
        let moved = match &made {
            Some((id, ..)) => Some(Some(id.clone())),
            None => change.rollback.then(|| self.run.base.clone()),
        };
        if let Some(head) = moved.clone() {
            batch = batch.write(Write::Head { thread: thread.clone(), head, at: now });
        }
        if next.status != self.run.status {
            let active = next.status.is_active().then(|| self.run.id.clone());
            let (last, status) = (self.run.id.clone(), next.status);
            batch = batch.write(Write::Active { thread, active, last, status, at: now });
        }
        batch = batch.write(Write::Run(next.clone()));
        if later {
            self.behind.put(batch, next.events).await?;
        } else {
            self.behind.flush().await?;
            self.inner.store.commit(batch).await?;
            self.running.live.stored(next.events);
        }
        self.run.advance(next);
        if let Some(head) = moved {
            self.head = head;
        }
        if let Some((_, (updates, snapshot), frontier)) = made {
            self.spacing.wrote(updates, snapshot);
            (self.frontier, self.makes) = (frontier, self.makes + 1);
        }
        Ok(())
    }

    fn record(&self, made: Made, at: jiff::Timestamp) -> Result<(CheckpointRecord, Frontier), EngineError> {
        let snapshot = match self.spacing.is_due(made.updates.len()) {
            true => Some(codec::encode("snapshot", &*self.state)?),
            false => None,
        };
        let record = CheckpointRecord {
            id: CheckpointId::fresh(),
            thread: self.run.thread.clone(),
            run: Some(self.run.id.clone()),
            parent: self.head.clone(),
            origin: None,
            step: self.makes,
            at,
            source: made.source.to_owned(),
            updates: made.updates,
            frontier: codec::encode("frontier", &made.frontier)?,
            snapshot,
        };
        Ok((record, made.frontier))
    }

    /// Goes on until the run is over, parked, stopped or the engine drains, and keeps the state for a run that follows soon.
    async fn go(mut self) -> Result<(), EngineError> {
        self.drive().await?;
        self.behind.flush().await?;
        // After a failure or a rollback the state here may not be that of the head.
        let rests = matches!(self.run.status, RunStatus::Done | RunStatus::Interrupted | RunStatus::StepLimit);
        if let Some(id) = self.head.filter(|_| rests) {
            let head = Some(Head { id, step: self.makes.saturating_sub(1) });
            let state = Arc::unwrap_or_clone(self.state);
            self.program.keep(Loaded { state, frontier: self.frontier, head, spacing: self.spacing });
        }
        Ok(())
    }

    /// Superstep after superstep.
    async fn drive(&mut self) -> Result<(), EngineError> {
        if let Err(EngineError::GraphChanged { missing, .. }) = self.program.has_all(&self.frontier) {
            let message = format!("the graph has changed and no longer has {}", missing.join(", "));
            let error = RunError { code: "graph_changed".to_owned(), node: None, message };
            return self.commit(Change::end(RunStatus::Failed, Some(error))).await;
        }
        while self.run.status == RunStatus::Running {
            if let Some(stop) = self.running.stop_asked() {
                return self.stop(stop).await;
            }
            if self.inner.is_draining() {
                return Ok(());
            }
            if self.frontier.is_over() {
                return self.commit(Change::end(RunStatus::Done, None)).await;
            }
            if self.run.steps >= self.run.step_limit {
                return self.commit(Change::end(RunStatus::StepLimit, None)).await;
            }
            self.superstep().await?;
        }
        Ok(())
    }

    async fn stop(&mut self, stop: Stop) -> Result<(), EngineError> {
        let mut change = match stop {
            Stop::Cancel => self.keep_finished(RunStatus::Cancelled, None)?,
            Stop::Rollback => Change::end(RunStatus::Cancelled, None),
        };
        if stop == Stop::Rollback {
            let message = "rolled back for a newer run".to_owned();
            change.error = Some(RunError { code: "rolled_back".to_owned(), node: None, message });
            change.rollback = true;
        }
        change.writes.push(Write::ClearTasks(self.run.id.clone()));
        self.commit(change).await
    }
}

fn is_last(body: &EventBody) -> bool {
    matches!(body, EventBody::RunFinished { .. } | EventBody::Interrupted { .. })
}

/// Takes a stored run on and sees it to its end.
pub(crate) async fn take_up<S: State>(program: Arc<Program<S>>, inner: Arc<Inner>, run: RunRow, running: Arc<Running>) {
    conduct(program, inner, run, running, None).await;
}

/// Sees a run to its end, beginning anew when the store fails, and then launches what is queued behind it.
pub(crate) async fn conduct<S: State>(
    program: Arc<Program<S>>,
    inner: Arc<Inner>,
    run: RunRow,
    running: Arc<Running>,
    mut begun: Option<Attempt<S>>,
) {
    let mut failures = 0;
    loop {
        let result = match begun.take() {
            Some(attempt) => attempt.go().await,
            None => match claim(&program, &inner, &running, &run.id).await {
                Ok(Some(attempt)) => attempt.go().await,
                Ok(None) => Ok(()),
                Err(error) => Err(error),
            },
        };
        match result {
            Ok(()) => break,
            Err(EngineError::Busy { run: faster, owner, .. }) if faster == run.id => {
                tracing::warn!(run = %run.id, owner, "the run was taken out of the queue by another");
                break;
            }
            // Another run was faster on this thread; when it ends, this one is launched again. It may have ended by now.
            Err(EngineError::Busy { .. }) => {
                running.leave_the_wheel();
                return control::launch_next_surely(&inner, &run.thread).await;
            }
            Err(EngineError::Superseded { owner, .. }) => {
                tracing::warn!(run = %run.id, owner, "the run was taken over");
                break;
            }
            // The thread was changed while this run's turn had come: it looks again.
            Err(EngineError::Store(StoreError::Busy { run: None, .. })) if !inner.is_draining() => {}
            Err(EngineError::Store(error)) => {
                if !error.is_failure() || failures >= inner.options.store_retries || inner.is_draining() {
                    tracing::error!(run = %run.id, %error, "the store failed; the run goes on at the next start");
                    inner.let_go(&run.id, &running);
                    // It may have come to its end in a commit whose answer was lost.
                    return control::launch_next_surely(&inner, &run.thread).await;
                }
                failures += 1;
                tracing::warn!(run = %run.id, %error, failures, "the store failed; the attempt begins anew");
                tokio::time::sleep(Duration::from_millis(50) * 2_u32.saturating_pow(failures)).await;
            }
            Err(error) => {
                if let Err(second) = fail(&inner, &run.id, &error).await {
                    tracing::error!(run = %run.id, %error, %second, "a run that cannot go on could not be marked");
                }
                break;
            }
        }
    }
    inner.let_go(&run.id, &running);
    control::launch_next_surely(&inner, &run.thread).await;
}

async fn claim<S: State>(
    program: &Arc<Program<S>>,
    inner: &Arc<Inner>,
    running: &Arc<Running>,
    run: &RunId,
) -> Result<Option<Attempt<S>>, EngineError> {
    let row = inner.store.run(run).await?.ok_or_else(|| EngineError::RunNotFound(run.clone()))?;
    if row.status == RunStatus::Queued {
        return start::dequeue(program, inner, running, row).await.map(Some);
    }
    if row.status != RunStatus::Running {
        return Ok(None);
    }
    let thread = inner.store.thread(&row.thread).await?;
    let thread = thread.ok_or_else(|| EngineError::ThreadNotFound(row.thread.clone()))?;
    let loaded = codec::load::<S>(inner, thread.head.as_ref()).await?;
    let mut finished = BTreeMap::new();
    for record in inner.store.tasks(run).await? {
        finished.insert(record.task, codec::outcome::<S>(&record.outcome)?);
    }
    let epoch = row.epoch + 1;
    let mut attempt = Attempt::over(program, inner, running, row, loaded);
    attempt.finished = finished;
    let events = vec![(None, EventBody::RunResumed { epoch })];
    attempt.commit(Change { claim: true, events, ..Change::default() }).await?;
    Ok(Some(attempt))
}

impl<S: State> Attempt<S> {
    pub(crate) fn over(
        program: &Arc<Program<S>>,
        inner: &Arc<Inner>,
        running: &Arc<Running>,
        run: RunRow,
        loaded: Loaded<S>,
    ) -> Self {
        Self {
            inner: Arc::clone(inner),
            program: Arc::clone(program),
            running: Arc::clone(running),
            run,
            makes: loaded.next_step(),
            head: loaded.head.map(|head| head.id),
            state: Arc::new(loaded.state),
            frontier: loaded.frontier,
            spacing: loaded.spacing,
            finished: BTreeMap::new(),
            behind: Behind::new(inner, running, inner.options.durability),
        }
    }
}

/// Marks a run failed that cannot even be loaded or begun.
async fn fail(inner: &Inner, run: &RunId, error: &EngineError) -> Result<(), EngineError> {
    let row = inner.store.run(run).await?.ok_or_else(|| EngineError::RunNotFound(run.clone()))?;
    if !row.status.is_active() {
        return Ok(());
    }
    let code = match error {
        EngineError::Apply(_) => "input_refused",
        EngineError::Entry { .. } => "no_entry",
        EngineError::GraphChanged { .. } => "graph_changed",
        _ => "unreadable",
    };
    let error = RunError { code: code.to_owned(), node: None, message: control::chain(error) };
    control::close(inner, &row, RunStatus::Failed, Some(error)).await
}
