//! Reads, from a pool that writers do not wait for.

use mercer_graph::store::{
    CheckpointRecord, EffectRecord, EventChunk, RunFilter, RunRow, StoreError, TaskRecord, ThreadFilter, ThreadRow,
    page,
};
use mercer_graph::{CheckpointId, RunId, TaskId, ThreadId};
use sqlx::sqlite::{SqlitePool, SqliteRow};
use sqlx::{Sqlite, query};

use crate::error::failed;
use crate::rows::{self, number};
use crate::sql;

type Query = sqlx::query::Query<'static, Sqlite, sqlx::sqlite::SqliteArguments>;

async fn one<T>(
    pool: &SqlitePool,
    query: Query,
    read: impl Fn(&SqliteRow) -> Result<T, StoreError>,
) -> Result<Option<T>, StoreError> {
    query.fetch_optional(pool).await.map_err(failed)?.map(|row| read(&row)).transpose()
}

async fn all<T>(
    pool: &SqlitePool,
    query: Query,
    read: impl Fn(&SqliteRow) -> Result<T, StoreError>,
) -> Result<Vec<T>, StoreError> {
    query.fetch_all(pool).await.map_err(failed)?.iter().map(read).collect()
}

pub(crate) async fn thread(pool: &SqlitePool, id: &ThreadId) -> Result<Option<ThreadRow>, StoreError> {
    one(pool, query(sql::THREAD).bind(id.to_string()), rows::thread).await
}

pub(crate) async fn threads(pool: &SqlitePool, filter: &ThreadFilter) -> Result<Vec<ThreadRow>, StoreError> {
    let listed = query(sql::THREADS)
        .bind(filter.tenant.clone())
        .bind(filter.agent.clone())
        .bind(filter.before.as_ref().map(ToString::to_string))
        .bind(number(page(filter.limit), "a limit")?);
    all(pool, listed, rows::thread).await
}

pub(crate) async fn run(pool: &SqlitePool, id: &RunId) -> Result<Option<RunRow>, StoreError> {
    one(pool, query(sql::RUN).bind(id.to_string()), rows::run).await
}

pub(crate) async fn runs(pool: &SqlitePool, filter: &RunFilter) -> Result<Vec<RunRow>, StoreError> {
    let statement = if filter.thread.is_some() { sql::RUNS_OF_THREAD } else { sql::RUNS };
    let mut listed = query(statement)
        .bind(filter.tenant.clone())
        .bind(filter.agent.clone())
        .bind(filter.status.map(|status| status.as_str()))
        .bind(filter.before.as_ref().map(ToString::to_string))
        .bind(number(page(filter.limit), "a limit")?);
    if let Some(thread) = &filter.thread {
        listed = listed.bind(thread.to_string());
    }
    all(pool, listed, rows::run).await
}

pub(crate) async fn run_of_key(pool: &SqlitePool, thread: &ThreadId, key: &str) -> Result<Option<RunRow>, StoreError> {
    one(pool, query(sql::RUN_OF_KEY).bind(thread.to_string()).bind(key.to_owned()), rows::run).await
}

pub(crate) async fn unfinished(pool: &SqlitePool) -> Result<Vec<RunRow>, StoreError> {
    all(pool, query(sql::UNFINISHED), rows::run).await
}

pub(crate) async fn queued(pool: &SqlitePool, thread: &ThreadId) -> Result<Option<RunRow>, StoreError> {
    one(pool, query(sql::QUEUED).bind(thread.to_string()), rows::run).await
}

pub(crate) async fn checkpoint(pool: &SqlitePool, id: &CheckpointId) -> Result<Option<CheckpointRecord>, StoreError> {
    one(pool, query(sql::CHECKPOINT).bind(id.to_string()), rows::checkpoint).await
}

pub(crate) async fn line(pool: &SqlitePool, id: &CheckpointId) -> Result<Vec<CheckpointRecord>, StoreError> {
    all(pool, query(sql::LINE).bind(id.to_string()), rows::checkpoint).await
}

pub(crate) async fn ancestors(
    pool: &SqlitePool,
    id: &CheckpointId,
    limit: usize,
) -> Result<Vec<CheckpointRecord>, StoreError> {
    let listed = query(sql::ANCESTORS).bind(id.to_string()).bind(number(limit, "a limit")?);
    all(pool, listed, rows::checkpoint).await
}

pub(crate) async fn checkpoint_at(
    pool: &SqlitePool,
    run: &RunId,
    step: u64,
) -> Result<Option<CheckpointRecord>, StoreError> {
    let at = query(sql::CHECKPOINT_AT).bind(run.to_string()).bind(number(step, "a step")?);
    one(pool, at, rows::checkpoint).await
}

pub(crate) async fn run_checkpoints(
    pool: &SqlitePool,
    run: &RunId,
    after: Option<u64>,
    limit: usize,
) -> Result<Vec<CheckpointRecord>, StoreError> {
    let after = after.map(|step| i64::try_from(step).unwrap_or(i64::MAX));
    let listed = query(sql::RUN_CHECKPOINTS).bind(run.to_string()).bind(after).bind(number(limit, "a limit")?);
    all(pool, listed, rows::checkpoint).await
}

pub(crate) async fn tasks(pool: &SqlitePool, run: &RunId) -> Result<Vec<TaskRecord>, StoreError> {
    all(pool, query(sql::TASKS).bind(run.to_string()), |row| rows::task(run, row)).await
}

pub(crate) async fn task(pool: &SqlitePool, run: &RunId, task: &TaskId) -> Result<Option<TaskRecord>, StoreError> {
    let found = query(sql::TASK).bind(run.to_string()).bind(task.to_string());
    one(pool, found, |row| rows::task(run, row)).await
}

pub(crate) async fn events(
    pool: &SqlitePool,
    run: &RunId,
    after: u64,
    limit: usize,
) -> Result<Vec<EventChunk>, StoreError> {
    // Numbers beyond what the database can hold were never given.
    let after = i64::try_from(after).unwrap_or(i64::MAX);
    let listed = query(sql::EVENTS).bind(run.to_string()).bind(after).bind(number(limit, "a limit")?);
    all(pool, listed, |row| rows::events(run, row)).await
}

pub(crate) async fn effect(pool: &SqlitePool, key: &str) -> Result<Option<EffectRecord>, StoreError> {
    one(pool, query(sql::EFFECT).bind(key.to_owned()), rows::effect).await
}

pub(crate) async fn run_effects(pool: &SqlitePool, run: &RunId, limit: usize) -> Result<Vec<EffectRecord>, StoreError> {
    all(pool, query(sql::RUN_EFFECTS).bind(run.to_string()).bind(number(limit, "a limit")?), rows::effect).await
}
