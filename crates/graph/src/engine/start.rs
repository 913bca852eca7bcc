//! How a run begins: its input is applied and its first checkpoint written in the commit that makes it exist.

use std::sync::Arc;

use serde_json::Value;

use super::attempt::{Attempt, chunk, conduct};
use super::behind::Behind;
use super::codec::{self, Loaded, Wrote};
use super::control::{self, Answers};
use super::{Durability, Inner, Program, Running, Stop};
use crate::core::Frontier;
use crate::store::{Batch, CheckpointRecord, Guard, Write};
use crate::{
    CheckpointId, EngineError, EventBody, RunId, RunRow, RunStatus, START, State, StoreError, ThreadId, ThreadRow,
};

/// What to do when the thread already has a run that is not over.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Multitask {
    /// Refuse, naming the run and its owner.
    #[default]
    Reject,
    /// Wait for it.
    Enqueue,
    /// Stop it, keep what it did.
    Interrupt,
    /// Stop it and go back to where the thread was before it.
    Rollback,
}

/// How a run is started.
#[derive(Debug, Clone, Default)]
pub struct RunOptions {
    /// What to do when the thread is busy.
    pub multitask: Multitask,
    /// The most supersteps; the engine's own limit if absent.
    pub step_limit: Option<u32>,
    /// The node to enter at, instead of the graph's own decision.
    pub entry: Option<String>,
    /// Anything its starter wants to remember.
    pub metadata: Value,
    /// A second start on the thread with the same key is the first one.
    pub idempotency_key: Option<String>,
    /// When its steps are stored; the engine's own setting if absent. A run that is taken up after a crash or from the queue,
    /// or resumed, goes on with the engine's setting.
    pub durability: Option<Durability>,
}

/// With what a run begins.
pub(crate) enum Begin<S: State> {
    /// With updates, at an entry.
    Enter(Vec<S::Update>),
    /// Where the thread stands, with answers to what is open.
    GoOn(Answers),
}

/// How often a start looks again when somebody else changed the thread meanwhile.
const LOOKS: usize = 64;

pub(crate) async fn start<S: State>(
    program: &Arc<Program<S>>,
    inner: &Arc<Inner>,
    thread: &ThreadId,
    begin: Begin<S>,
    options: RunOptions,
) -> Result<RunId, EngineError> {
    for _ in 0..LOOKS {
        if inner.is_draining() {
            return Err(EngineError::Draining);
        }
        let row = inner.store.thread(thread).await?.ok_or_else(|| EngineError::ThreadNotFound(thread.clone()))?;
        if let Some(key) = &options.idempotency_key
            && let Some(run) = inner.store.run_of_key(thread, key).await?
        {
            return Ok(run.id);
        }
        if let Some(active) = &row.active {
            match (options.multitask, &begin) {
                (Multitask::Interrupt, _) => control::stop(inner, active, Stop::Cancel).await?,
                (Multitask::Rollback, _) => control::stop(inner, active, Stop::Rollback).await?,
                (Multitask::Enqueue, Begin::Enter(updates)) => {
                    return enqueue(program, inner, &row, updates, &options).await;
                }
                (Multitask::Enqueue | Multitask::Reject, _) => return Err(busy(inner, thread, active).await?),
            }
            continue;
        }
        match begin_now(program, inner, &row, &begin, &options).await {
            Err(EngineError::Busy { .. } | EngineError::Store(StoreError::Busy { .. } | StoreError::Exists(_))) => {}
            other => return other,
        }
    }
    Err(EngineError::Store(StoreError::failed(format!("thread {thread} keeps changing"))))
}

async fn busy(inner: &Inner, thread: &ThreadId, active: &RunId) -> Result<EngineError, EngineError> {
    let owner = inner.store.run(active).await?.map(|run| run.owner).unwrap_or_default();
    Ok(EngineError::Busy { thread: thread.clone(), run: active.clone(), owner })
}

fn new_run<S: State>(program: &Program<S>, inner: &Inner, thread: &ThreadRow, options: &RunOptions) -> RunRow {
    let now = inner.clock.now();
    RunRow {
        id: RunId::fresh(),
        thread: thread.id.clone(),
        tenant: thread.tenant.clone(),
        agent: program.plan.name.clone(),
        status: RunStatus::Queued,
        created: now,
        updated: now,
        steps: 0,
        step_limit: options.step_limit.unwrap_or(inner.options.step_limit),
        error: None,
        epoch: 0,
        revision: 0,
        events: 0,
        owner: inner.options.worker.clone(),
        metadata: options.metadata.clone(),
        shape: program.plan.hash.clone(),
        base: thread.head.clone(),
        entry: options.entry.clone(),
        key: options.idempotency_key.clone(),
        input: None,
    }
}

async fn enqueue<S: State>(
    program: &Arc<Program<S>>,
    inner: &Arc<Inner>,
    thread: &ThreadRow,
    updates: &[S::Update],
    options: &RunOptions,
) -> Result<RunId, EngineError> {
    let mut run = new_run(program, inner, thread, options);
    run.input = Some(codec::encode("input", &updates)?);
    let running = Running::new(run.id.clone(), 0, 0);
    inner.enlist(&run.id, &running);
    let written = inner.store.commit(Batch::new().write(Write::InsertRun(run.clone()))).await;
    if let Err(error) = written {
        inner.dismiss(&run.id);
        return match error {
            // Somebody started with the same key a moment ago.
            StoreError::Exists(_) => again(inner, thread, options).await,
            error => Err(error.into()),
        };
    }
    // The active run may have ended before this one was queued.
    control::launch_next_surely(inner, &thread.id).await;
    if inner.is_draining() {
        // Nobody here will launch it.
        inner.dismiss(&run.id);
    }
    Ok(run.id)
}

async fn again(inner: &Inner, thread: &ThreadRow, options: &RunOptions) -> Result<RunId, EngineError> {
    let key = options.idempotency_key.as_deref().unwrap_or_default();
    let run = inner.store.run_of_key(&thread.id, key).await?;
    run.map(|run| run.id).ok_or_else(|| EngineError::Store(StoreError::failed("a run appeared and vanished")))
}

/// The first checkpoint of a run, ready to be written.
struct Opening<S: State> {
    thread: ThreadRow,
    loaded: Loaded<S>,
    frontier: Frontier,
    updates: Vec<u8>,
    source: &'static str,
}

async fn open<S: State>(
    program: &Program<S>,
    inner: &Inner,
    thread: &ThreadRow,
    begin: &Begin<S>,
    entry: Option<&str>,
) -> Result<Opening<S>, EngineError> {
    let mut loaded = program.load(inner, thread.head.as_ref()).await?;
    let mut wrote: Vec<Wrote<S::Update>> = Vec::new();
    let (frontier, source) = match begin {
        Begin::Enter(updates) => {
            for (node, updates) in [("repair", loaded.state.repair()), (START, updates.clone())] {
                updates.iter().cloned().try_for_each(|update| loaded.state.apply(update))?;
                if !updates.is_empty() {
                    wrote.push(Wrote { task: None, node: node.to_owned(), updates });
                }
            }
            let node = program.enter(&loaded.state, entry)?;
            (Frontier::entered(&node, loaded.next_step()), "input")
        }
        Begin::GoOn(answers) => (control::answered(&loaded.frontier, answers)?, "answer"),
    };
    program.has_all(&frontier)?;
    let updates = codec::encode("updates", &wrote)?;
    Ok(Opening { thread: thread.clone(), loaded, frontier, updates, source })
}

async fn begin_now<S: State>(
    program: &Arc<Program<S>>,
    inner: &Arc<Inner>,
    thread: &ThreadRow,
    begin: &Begin<S>,
    options: &RunOptions,
) -> Result<RunId, EngineError> {
    let opening = open(program, inner, thread, begin, options.entry.as_deref()).await?;
    let run = new_run(program, inner, thread, options);
    let running = Running::new(run.id.clone(), 1, 0);
    running.take_the_wheel();
    inner.enlist(&run.id, &running);
    let begun = write(program, inner, &running, run.clone(), opening, Batch::new()).await;
    let attempt = match begun {
        Ok(mut attempt) => {
            if let Some(durability) = options.durability {
                attempt.behind = Behind::new(inner, &attempt.running, durability);
            }
            attempt
        }
        Err(error) => {
            inner.dismiss(&run.id);
            return Err(error);
        }
    };
    let id = run.id.clone();
    let (program, driver) = (Arc::clone(program), Arc::clone(inner));
    inner.spawn(Box::pin(conduct(program, driver, run, running, Some(attempt))));
    Ok(id)
}

/// A queued run's turn has come.
pub(crate) async fn dequeue<S: State>(
    program: &Arc<Program<S>>,
    inner: &Arc<Inner>,
    running: &Arc<Running>,
    mut run: RunRow,
) -> Result<Attempt<S>, EngineError> {
    let thread =
        inner.store.thread(&run.thread).await?.ok_or_else(|| EngineError::ThreadNotFound(run.thread.clone()))?;
    let updates =
        serde_json::from_slice(run.input.as_deref().unwrap_or(b"[]")).map_err(crate::error::unreadable("input"))?;
    let opening = open(program, inner, &thread, &Begin::Enter(updates), run.entry.as_deref()).await?;
    running.live.attempt(run.epoch + 1, run.events);
    let fence = Guard::Run { run: run.id.clone(), epoch: run.epoch, revision: run.revision };
    run.base.clone_from(&thread.head);
    write(program, inner, running, run, opening, Batch::new().guard(fence)).await
}

/// Commits a run's first checkpoint and makes the run active on its thread.
async fn write<S: State>(
    program: &Arc<Program<S>>,
    inner: &Arc<Inner>,
    running: &Arc<Running>,
    mut run: RunRow,
    opening: Opening<S>,
    batch: Batch,
) -> Result<Attempt<S>, EngineError> {
    let now = inner.clock.now();
    let queued = !batch.guards.is_empty();
    let Opening { thread, loaded, frontier, updates, source } = opening;
    let step = loaded.next_step();
    let mut attempt = Attempt::over(program, inner, running, run.clone(), loaded);
    let due = attempt.spacing.is_due(updates.len());
    let snapshot = due.then(|| codec::encode("snapshot", &*attempt.state)).transpose()?;
    let checkpoint = CheckpointRecord {
        id: CheckpointId::fresh(),
        thread: thread.id.clone(),
        run: Some(run.id.clone()),
        parent: thread.head.clone(),
        origin: None,
        step,
        at: now,
        source: source.to_owned(),
        updates,
        frontier: codec::encode("frontier", &frontier)?,
        snapshot,
    };
    let shown = EventBody::Checkpoint { id: checkpoint.id.clone(), next: frontier.nodes() };
    let events = running.live.stage(now, step, vec![(None, EventBody::RunStarted), (None, shown)], true);
    (run.status, run.epoch, run.revision, run.updated) = (RunStatus::Running, run.epoch + 1, run.revision + 1, now);
    run.owner.clone_from(&inner.options.worker);
    let events = chunk(&run.id, run.epoch, &events)?;
    run.events = events.as_ref().map_or(run.events, |chunk| chunk.last);
    let mut batch = batch.guard(Guard::Thread { thread: thread.id.clone(), active: None, head: thread.head.clone() });
    batch = give_up_interrupted(inner, &thread, batch).await?;
    batch = match queued {
        true => batch.write(Write::Run(run.progress())),
        false => batch.write(Write::InsertRun(run.clone())),
    };
    batch.writes.extend(events.map(Write::Events));
    let (head, last, status) = (Some(checkpoint.id.clone()), run.id.clone(), run.status);
    let batch = batch
        .write(Write::Checkpoint(checkpoint.clone()))
        .write(Write::Head { thread: thread.id.clone(), head: head.clone(), at: now })
        .write(Write::Active { thread: thread.id.clone(), active: Some(last.clone()), last, status, at: now });
    inner.store.commit(batch).await?;
    running.live.stored(run.events);
    attempt.spacing.wrote(checkpoint.updates.len(), checkpoint.snapshot.as_ref().map(Vec::len));
    (attempt.run, attempt.frontier, attempt.head, attempt.makes) = (run, frontier, head, step + 1);
    Ok(attempt)
}

/// A run that waits for answers on this thread is over once another begins.
async fn give_up_interrupted(inner: &Inner, thread: &ThreadRow, batch: Batch) -> Result<Batch, EngineError> {
    let (Some(last), Some(RunStatus::Interrupted)) = (&thread.last_run, thread.status) else { return Ok(batch) };
    match inner.store.run(last).await? {
        Some(run) if run.status == RunStatus::Interrupted => {
            let mut closing = control::closing(inner, &run, RunStatus::Cancelled, None)?;
            // The thread's own row is written by the run that begins.
            closing.writes.retain(|write| !matches!(write, Write::Active { .. }));
            closing.guards.extend(batch.guards);
            closing.writes.extend(batch.writes);
            Ok(closing)
        }
        _ => Ok(batch),
    }
}
