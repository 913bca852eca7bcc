//! Reads, from a pool that writers do not wait for.

use mercer_graph::store::{
    CheckpointRecord, EffectRecord, EventChunk, RunFilter, RunRow, StoreError, TaskRecord, ThreadFilter, ThreadRow,
    page,
};
use mercer_graph::{CheckpointId, RunId, TaskId, ThreadId};

use crate::db::{Pool, Row, Statement, sql as query};
use crate::rows::{self, number};
use crate::sql;

async fn one<T>(
    pool: &Pool,
    query: Statement,
    read: impl Fn(&Row) -> Result<T, StoreError>,
) -> Result<Option<T>, StoreError> {
    pool.one(query).await?.map(|row| read(&row)).transpose()
}

async fn all<T>(
    pool: &Pool,
    query: Statement,
    read: impl Fn(&Row) -> Result<T, StoreError>,
) -> Result<Vec<T>, StoreError> {
    pool.all(query).await?.iter().map(read).collect()
}

pub(crate) async fn thread(pool: &Pool, id: &ThreadId) -> Result<Option<ThreadRow>, StoreError> {
    one(pool, query(sql::THREAD).bind(id.as_str()), rows::thread).await
}

pub(crate) async fn threads(pool: &Pool, filter: &ThreadFilter) -> Result<Vec<ThreadRow>, StoreError> {
    let listed = query(sql::THREADS)
        .bind(filter.tenant.clone())
        .bind(filter.agent.clone())
        .bind(filter.before.as_ref().map(ToString::to_string))
        .bind(number(page(filter.limit), "a limit")?);
    all(pool, listed, rows::thread).await
}

pub(crate) async fn run(pool: &Pool, id: &RunId) -> Result<Option<RunRow>, StoreError> {
    one(pool, query(sql::RUN).bind(id.as_str()), rows::run).await
}

pub(crate) async fn runs(pool: &Pool, filter: &RunFilter) -> Result<Vec<RunRow>, StoreError> {
    let statement = if filter.thread.is_some() { sql::RUNS_OF_THREAD } else { sql::RUNS };
    let mut listed = query(statement)
        .bind(filter.tenant.clone())
        .bind(filter.agent.clone())
        .bind(filter.status.map(|status| status.as_str()))
        .bind(filter.before.as_ref().map(ToString::to_string))
        .bind(number(page(filter.limit), "a limit")?);
    if let Some(thread) = &filter.thread {
        listed = listed.bind(thread.as_str());
    }
    all(pool, listed, rows::run).await
}

pub(crate) async fn run_of_key(pool: &Pool, thread: &ThreadId, key: &str) -> Result<Option<RunRow>, StoreError> {
    one(pool, query(sql::RUN_OF_KEY).bind(thread.as_str()).bind(key), rows::run).await
}

pub(crate) async fn unfinished(pool: &Pool) -> Result<Vec<RunRow>, StoreError> {
    all(pool, query(sql::UNFINISHED), rows::run).await
}

pub(crate) async fn queued(pool: &Pool, thread: &ThreadId) -> Result<Option<RunRow>, StoreError> {
    one(pool, query(sql::QUEUED).bind(thread.as_str()), rows::run).await
}

pub(crate) async fn checkpoint(pool: &Pool, id: &CheckpointId) -> Result<Option<CheckpointRecord>, StoreError> {
    one(pool, query(sql::CHECKPOINT).bind(id.as_str()), rows::checkpoint).await
}

pub(crate) async fn line(pool: &Pool, id: &CheckpointId) -> Result<Vec<CheckpointRecord>, StoreError> {
    all(pool, query(sql::LINE).bind(id.as_str()), rows::checkpoint).await
}

pub(crate) async fn ancestors(
    pool: &Pool,
    id: &CheckpointId,
    limit: usize,
) -> Result<Vec<CheckpointRecord>, StoreError> {
    let listed = query(sql::ANCESTORS).bind(id.as_str()).bind(number(limit, "a limit")?);
    all(pool, listed, rows::checkpoint).await
}

pub(crate) async fn checkpoint_at(pool: &Pool, run: &RunId, step: u64) -> Result<Option<CheckpointRecord>, StoreError> {
    let at = query(sql::CHECKPOINT_AT).bind(run.as_str()).bind(number(step, "a step")?);
    one(pool, at, rows::checkpoint).await
}

pub(crate) async fn run_checkpoints(
    pool: &Pool,
    run: &RunId,
    after: Option<u64>,
    limit: usize,
) -> Result<Vec<CheckpointRecord>, StoreError> {
    // The first step has number 0, so that everything lies after -1.
    let after = after.map_or(-1, |step| i64::try_from(step).unwrap_or(i64::MAX));
    let listed = query(sql::RUN_CHECKPOINTS).bind(run.as_str()).bind(after).bind(number(limit, "a limit")?);
    all(pool, listed, rows::checkpoint).await
}

pub(crate) async fn tasks(pool: &Pool, run: &RunId) -> Result<Vec<TaskRecord>, StoreError> {
    all(pool, query(sql::TASKS).bind(run.as_str()), |row| rows::task(run, row)).await
}

pub(crate) async fn task(pool: &Pool, run: &RunId, task: &TaskId) -> Result<Option<TaskRecord>, StoreError> {
    let found = query(sql::TASK).bind(run.as_str()).bind(task.as_str());
    one(pool, found, |row| rows::task(run, row)).await
}

pub(crate) async fn events(pool: &Pool, run: &RunId, after: u64, limit: usize) -> Result<Vec<EventChunk>, StoreError> {
    // Numbers beyond what the database can hold were never given.
    let after = i64::try_from(after).unwrap_or(i64::MAX);
    let listed = query(sql::EVENTS).bind(run.as_str()).bind(after).bind(number(limit, "a limit")?);
    all(pool, listed, |row| rows::events(run, row)).await
}

pub(crate) async fn effect(pool: &Pool, key: &str) -> Result<Option<EffectRecord>, StoreError> {
    one(pool, query(sql::EFFECT).bind(key), rows::effect).await
}

pub(crate) async fn run_effects(pool: &Pool, run: &RunId, limit: usize) -> Result<Vec<EffectRecord>, StoreError> {
    all(pool, query(sql::RUN_EFFECTS).bind(run.as_str()).bind(number(limit, "a limit")?), rows::effect).await
}
