//! What guards compare with. Over SQLite only one writer changes these rows, so it may remember those of the runs it wrote last
//! instead of asking the database each time. Over PostgreSQL the rows are locked when they are read, and remembered until the
//! transaction ends.

use std::collections::BTreeMap;

use mercer_graph::store::{Guard, StoreError, Write};
use mercer_graph::{CheckpointId, RunId, ThreadId};

use crate::db::{Columns, Statement, Tx, sql as statement};
use crate::sql;

/// How many rows are remembered before all are forgotten.
const REMEMBERED: usize = 4096;

#[derive(Debug, Clone)]
struct RunFence {
    epoch: u32,
    revision: u64,
    owner: String,
}

#[derive(Debug, Clone)]
struct ThreadFence {
    active: Option<RunId>,
    head: Option<CheckpointId>,
}

/// Remembered fences. Those of an uncommitted transaction are among them; when it fails, all have to be forgotten.
#[derive(Debug, Default)]
pub(crate) struct Fences {
    runs: BTreeMap<RunId, RunFence>,
    threads: BTreeMap<ThreadId, ThreadFence>,
}

impl Fences {
    pub(crate) fn forget(&mut self) {
        self.runs.clear();
        self.threads.clear();
    }

    pub(crate) fn trim(&mut self) {
        if self.runs.len() + self.threads.len() > REMEMBERED {
            self.forget();
        }
    }

    pub(crate) async fn check(&mut self, tx: &mut Tx, guard: &Guard) -> Result<(), StoreError> {
        match guard {
            Guard::Run { run, epoch, revision } => self.run(tx, run, *epoch, Some(*revision)).await,
            Guard::Epoch { run, epoch } => self.run(tx, run, *epoch, None).await,
            Guard::Thread { thread, active, head } => {
                let stands = self.thread(tx, thread).await?;
                if stands.active == *active && stands.head == *head {
                    return Ok(());
                }
                let owner = match &stands.active {
                    Some(run) => self.fence(tx, run).await?.owner,
                    None => String::new(),
                };
                Err(StoreError::Busy { thread: thread.clone(), run: stands.active, owner })
            }
            Guard::NoEffect(key) => {
                // Of two who find nothing, one must wait for the other.
                tx.lock(key).await?;
                match tx.one(statement(sql::EFFECT_EXISTS).bind(key)).await? {
                    Some(_) => Err(StoreError::Exists(format!("effect {key}"))),
                    None => Ok(()),
                }
            }
        }
    }

    async fn run(&mut self, tx: &mut Tx, run: &RunId, epoch: u32, revision: Option<u64>) -> Result<(), StoreError> {
        let stands = self.fence(tx, run).await?;
        if stands.epoch == epoch && revision.is_none_or(|revision| revision == stands.revision) {
            return Ok(());
        }
        Err(StoreError::Superseded { run: run.clone(), owner: stands.owner })
    }

    async fn fence(&mut self, tx: &mut Tx, run: &RunId) -> Result<RunFence, StoreError> {
        if let Some(known) = self.runs.get(run) {
            return Ok(known.clone());
        }
        let row = tx.one(Statement::from(sql::FENCE).bind(run.as_str())).await?;
        let row = row.ok_or_else(|| StoreError::Missing(run.to_string()))?;
        let mut columns = Columns::of(&row);
        let fence =
            RunFence { epoch: columns.number("epoch")?, revision: columns.number("revision")?, owner: columns.take()? };
        self.runs.insert(run.clone(), fence.clone());
        Ok(fence)
    }

    async fn thread(&mut self, tx: &mut Tx, thread: &ThreadId) -> Result<ThreadFence, StoreError> {
        if let Some(known) = self.threads.get(thread) {
            return Ok(known.clone());
        }
        let row = tx.one(Statement::from(sql::THREAD_STATE).bind(thread.as_str())).await?;
        let row = row.ok_or_else(|| StoreError::Missing(thread.to_string()))?;
        let mut columns = Columns::of(&row);
        let fence = ThreadFence { active: columns.maybe("run id")?, head: columns.maybe("checkpoint id")? };
        self.threads.insert(thread.clone(), fence.clone());
        Ok(fence)
    }

    /// Follows a write.
    pub(crate) fn follow(&mut self, write: &Write) {
        match write {
            Write::Run(progress) => {
                let fence =
                    RunFence { epoch: progress.epoch, revision: progress.revision, owner: progress.owner.clone() };
                self.runs.insert(progress.run.clone(), fence);
            }
            Write::InsertRun(run) => {
                let fence = RunFence { epoch: run.epoch, revision: run.revision, owner: run.owner.clone() };
                self.runs.insert(run.id.clone(), fence);
            }
            Write::Head { thread, head, .. } => {
                if let Some(known) = self.threads.get_mut(thread) {
                    known.head.clone_from(head);
                }
            }
            Write::Active { thread, active, .. } => {
                if let Some(known) = self.threads.get_mut(thread) {
                    known.active.clone_from(active);
                }
            }
            Write::DeleteThread(_) => self.forget(),
            Write::InsertThread(_)
            | Write::Title { .. }
            | Write::Checkpoint(_)
            | Write::Task(_)
            | Write::ClearTasks(_)
            | Write::Events(_)
            | Write::Effect(_)
            | Write::ForgetEffect(_) => {}
        }
    }
}
