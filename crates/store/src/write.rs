//! One write of a batch as a statement.

use mercer_graph::store::{CheckpointRecord, RunProgress, RunRow, StoreError, ThreadRow, Write};

use crate::db::{Tx, sql as query};
use crate::rows::{nanoseconds, number};
use crate::sql;

fn json(value: &impl serde::Serialize) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|error| StoreError::failed(error.to_string()))
}

fn changed(result: Result<u64, StoreError>, what: &impl ToString) -> Result<(), StoreError> {
    match result? {
        0 => Err(StoreError::Missing(what.to_string())),
        _ => Ok(()),
    }
}

fn done(result: Result<u64, StoreError>) -> Result<(), StoreError> {
    result.map(drop)
}

/// Refuses what is there already or is not there, before anything of the batch is written.
pub(crate) async fn admit(tx: &mut Tx, write: &Write) -> Result<(), StoreError> {
    match write {
        Write::InsertThread(row) => match tx.one(query(sql::THREAD_EXISTS).bind(row.id.as_str())).await? {
            Some(_) => Err(StoreError::Exists(row.id.to_string())),
            None => Ok(()),
        },
        Write::InsertRun(row) => {
            let same = query(sql::RUN_EXISTS).bind(row.id.as_str()).bind(row.thread.as_str()).bind(row.key.as_deref());
            match tx.one(same).await? {
                Some(_) => Err(StoreError::Exists(row.id.to_string())),
                None => Ok(()),
            }
        }
        Write::Title { thread, .. } => {
            let found = tx.one(query(sql::THREAD_EXISTS).bind(thread.as_str())).await?;
            found.map(drop).ok_or_else(|| StoreError::Missing(thread.to_string()))
        }
        _ => Ok(()),
    }
}

pub(crate) async fn write(tx: &mut Tx, write: &Write) -> Result<(), StoreError> {
    match write {
        Write::InsertThread(row) => insert_thread(tx, row).await,
        Write::Title { thread, title, at } => {
            let title = query(sql::TITLE).bind(thread.as_str()).bind(title.as_deref()).bind(nanoseconds(*at)?);
            changed(tx.execute(title).await, thread)
        }
        Write::Head { thread, head, at } => {
            let head = head.as_ref().map(|head| head.as_str());
            let moved = query(sql::HEAD).bind(thread.as_str()).bind(head).bind(nanoseconds(*at)?);
            changed(tx.execute(moved).await, thread)
        }
        Write::Active { thread, active, last, status, at } => {
            let taken = query(sql::ACTIVE)
                .bind(thread.as_str())
                .bind(active.as_ref().map(|run| run.as_str()))
                .bind(last.as_str())
                .bind(status.as_str())
                .bind(nanoseconds(*at)?);
            changed(tx.execute(taken).await, thread)
        }
        Write::InsertRun(row) => insert_run(tx, row).await,
        Write::Run(progress) => run_progress(tx, progress).await,
        Write::Checkpoint(record) => checkpoint(tx, record).await,
        Write::Task(record) => {
            let task = query(sql::INSERT_TASK)
                .bind(record.run.as_str())
                .bind(record.task.as_str())
                .bind(record.outcome.as_slice());
            done(tx.execute(task).await)
        }
        Write::ClearTasks(run) => done(tx.execute(query(sql::CLEAR_TASKS).bind(run.as_str())).await),
        Write::Events(chunk) => {
            let events = query(sql::INSERT_EVENTS)
                .bind(chunk.run.as_str())
                .bind(number(chunk.first, "an event number")?)
                .bind(number(chunk.last, "an event number")?)
                .bind(chunk.events.as_slice());
            done(tx.execute(events).await)
        }
        Write::Effect(record) => {
            let effect = query(sql::PUT_EFFECT)
                .bind(record.key.as_str())
                .bind(record.run.as_str())
                .bind(nanoseconds(record.started)?)
                .bind(record.result.as_deref());
            done(tx.execute(effect).await)
        }
        Write::ForgetEffect(key) => done(tx.execute(query(sql::FORGET_EFFECT).bind(key.as_str())).await),
        Write::DeleteThread(thread) => {
            for statement in sql::DELETE_THREAD {
                done(tx.execute(query(statement).bind(thread.as_str())).await)?;
            }
            Ok(())
        }
    }
}

async fn insert_thread(tx: &mut Tx, row: &ThreadRow) -> Result<(), StoreError> {
    let thread = query(sql::INSERT_THREAD)
        .bind(row.id.as_str())
        .bind(row.tenant.as_str())
        .bind(row.agent.as_str())
        .bind(row.title.as_deref())
        .bind(json(&row.metadata)?)
        .bind(nanoseconds(row.created)?)
        .bind(nanoseconds(row.updated)?)
        .bind(row.head.as_ref().map(|id| id.as_str()))
        .bind(row.active.as_ref().map(|id| id.as_str()))
        .bind(row.last_run.as_ref().map(|id| id.as_str()))
        .bind(row.status.map(|status| status.as_str()))
        .bind(row.forked_from.as_ref().map(|id| id.as_str()));
    done(tx.execute(thread).await)
}

async fn insert_run(tx: &mut Tx, row: &RunRow) -> Result<(), StoreError> {
    let run = query(sql::INSERT_RUN)
        .bind(row.id.as_str())
        .bind(row.thread.as_str())
        .bind(row.tenant.as_str())
        .bind(row.agent.as_str())
        .bind(row.status.as_str())
        .bind(nanoseconds(row.created)?)
        .bind(nanoseconds(row.updated)?)
        .bind(i64::from(row.steps))
        .bind(i64::from(row.step_limit))
        .bind(row.error.as_ref().map(json).transpose()?)
        .bind(i64::from(row.epoch))
        .bind(number(row.revision, "a revision")?)
        .bind(number(row.events, "an event number")?)
        .bind(row.owner.as_str())
        .bind(json(&row.metadata)?)
        .bind(row.shape.as_str())
        .bind(row.base.as_ref().map(|id| id.as_str()))
        .bind(row.entry.as_deref())
        .bind(row.key.as_deref())
        .bind(row.input.as_deref());
    done(tx.execute(run).await)
}

async fn run_progress(tx: &mut Tx, progress: &RunProgress) -> Result<(), StoreError> {
    let run = query(sql::RUN_PROGRESS)
        .bind(progress.run.as_str())
        .bind(progress.status.as_str())
        .bind(nanoseconds(progress.updated)?)
        .bind(i64::from(progress.steps))
        .bind(i64::from(progress.step_limit))
        .bind(progress.error.as_ref().map(json).transpose()?)
        .bind(i64::from(progress.epoch))
        .bind(number(progress.revision, "a revision")?)
        .bind(number(progress.events, "an event number")?)
        .bind(progress.owner.as_str())
        .bind(progress.base.as_ref().map(|id| id.as_str()));
    changed(tx.execute(run).await, &progress.run)
}

async fn checkpoint(tx: &mut Tx, record: &CheckpointRecord) -> Result<(), StoreError> {
    let checkpoint = query(sql::INSERT_CHECKPOINT)
        .bind(record.id.as_str())
        .bind(record.thread.as_str())
        .bind(record.run.as_ref().map(|id| id.as_str()))
        .bind(record.parent.as_ref().map(|id| id.as_str()))
        .bind(record.origin.as_ref().map(|id| id.as_str()))
        .bind(number(record.step, "a step")?)
        .bind(nanoseconds(record.at)?)
        .bind(record.source.as_str())
        .bind(record.updates.as_slice())
        .bind(record.frontier.as_slice())
        .bind(record.snapshot.as_deref());
    done(tx.execute(checkpoint).await)
}
