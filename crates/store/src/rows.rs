//! Rows to records.

use jiff::Timestamp;
use mercer_graph::store::{
    CheckpointRecord, EffectRecord, EventChunk, RunRow, RunStatus, StoreError, TaskRecord, ThreadRow,
};
use mercer_graph::{RunId, TaskId};

use crate::db::{Columns, Row};
use crate::error::{stored, too_large};

pub(crate) fn nanoseconds(at: Timestamp) -> Result<i64, StoreError> {
    i64::try_from(at.as_nanosecond()).ok().ok_or_else(|| too_large("a time"))
}

pub(crate) fn number(value: impl TryInto<i64>, what: &'static str) -> Result<i64, StoreError> {
    value.try_into().ok().ok_or_else(|| too_large(what))
}

fn status(columns: &mut Columns<'_>) -> Result<Option<RunStatus>, StoreError> {
    let name: Option<&str> = columns.take()?;
    name.map(|name| RunStatus::stored(name).ok_or_else(|| stored("status"))).transpose()
}

pub(crate) fn thread(row: &Row) -> Result<ThreadRow, StoreError> {
    let mut columns = Columns::of(row);
    Ok(ThreadRow {
        id: columns.parsed("thread id")?,
        tenant: columns.take()?,
        agent: columns.take()?,
        title: columns.take()?,
        metadata: columns.json("metadata")?,
        created: columns.time()?,
        updated: columns.time()?,
        head: columns.maybe("checkpoint id")?,
        active: columns.maybe("run id")?,
        last_run: columns.maybe("run id")?,
        status: status(&mut columns)?,
        forked_from: columns.maybe("thread id")?,
    })
}

pub(crate) fn run(row: &Row) -> Result<RunRow, StoreError> {
    let mut columns = Columns::of(row);
    Ok(RunRow {
        id: columns.parsed("run id")?,
        thread: columns.parsed("thread id")?,
        tenant: columns.take()?,
        agent: columns.take()?,
        status: status(&mut columns)?.ok_or_else(|| stored("status"))?,
        created: columns.time()?,
        updated: columns.time()?,
        steps: columns.number("steps")?,
        step_limit: columns.number("step limit")?,
        error: columns
            .take::<Option<&str>>()?
            .map(|text| serde_json::from_str(text).ok().ok_or_else(|| stored("error")))
            .transpose()?,
        epoch: columns.number("epoch")?,
        revision: columns.number("revision")?,
        events: columns.number("event number")?,
        owner: columns.take()?,
        metadata: columns.json("metadata")?,
        shape: columns.take()?,
        base: columns.maybe("checkpoint id")?,
        entry: columns.take()?,
        key: columns.take()?,
        input: columns.take()?,
    })
}

pub(crate) fn checkpoint(row: &Row) -> Result<CheckpointRecord, StoreError> {
    let mut columns = Columns::of(row);
    Ok(CheckpointRecord {
        id: columns.parsed("checkpoint id")?,
        thread: columns.parsed("thread id")?,
        run: columns.maybe("run id")?,
        parent: columns.maybe("checkpoint id")?,
        origin: columns.maybe("checkpoint id")?,
        step: columns.number("step")?,
        at: columns.time()?,
        source: columns.take()?,
        updates: columns.take()?,
        frontier: columns.take()?,
        snapshot: columns.take()?,
    })
}

pub(crate) fn task(run: &RunId, row: &Row) -> Result<TaskRecord, StoreError> {
    let mut columns = Columns::of(row);
    Ok(TaskRecord { run: run.clone(), task: TaskId::stored(columns.take()?), outcome: columns.take()? })
}

pub(crate) fn events(run: &RunId, row: &Row) -> Result<EventChunk, StoreError> {
    let mut columns = Columns::of(row);
    let (first, last) = (columns.number("event number")?, columns.number("event number")?);
    Ok(EventChunk { run: run.clone(), first, last, events: columns.take()? })
}

pub(crate) fn effect(row: &Row) -> Result<EffectRecord, StoreError> {
    let mut columns = Columns::of(row);
    Ok(EffectRecord {
        key: columns.take()?,
        run: columns.parsed("run id")?,
        started: columns.time()?,
        result: columns.take()?,
    })
}
