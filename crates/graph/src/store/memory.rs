//! A store in memory, for tests and programs that need no durability.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{
    Batch, CheckpointRecord, Checkpointer, EffectRecord, EventChunk, Guard, RunFilter, RunRow, RunStatus, StoreError,
    TaskRecord, ThreadFilter, ThreadRow, Write, page,
};
use crate::{CheckpointId, RunId, TaskId, ThreadId};

/// Everything in memory. Clones share it, so that a test can start a second engine over the same facts.
#[derive(Debug, Clone, Default)]
pub struct MemoryStore {
    tables: Arc<Mutex<Tables>>,
}

#[derive(Debug, Clone, Default)]
struct Tables {
    threads: BTreeMap<ThreadId, ThreadRow>,
    runs: BTreeMap<RunId, RunRow>,
    checkpoints: BTreeMap<CheckpointId, CheckpointRecord>,
    tasks: BTreeMap<(RunId, TaskId), TaskRecord>,
    events: BTreeMap<(RunId, u64), EventChunk>,
    effects: BTreeMap<String, EffectRecord>,
}

impl MemoryStore {
    /// An empty store.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn tables(&self) -> MutexGuard<'_, Tables> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Tables {
    fn check(&self, guard: &Guard) -> Result<(), StoreError> {
        match guard {
            Guard::Run { run, epoch, revision } => self.fence(run, *epoch, Some(*revision)),
            Guard::Epoch { run, epoch } => self.fence(run, *epoch, None),
            Guard::Thread { thread, active, head } => {
                let row = self.threads.get(thread).ok_or_else(|| StoreError::Missing(thread.to_string()))?;
                if row.active == *active && row.head == *head {
                    return Ok(());
                }
                let run = row.active.clone();
                let owner = run.as_ref().and_then(|run| self.runs.get(run)).map(|run| run.owner.clone());
                Err(StoreError::Busy { thread: thread.clone(), run, owner: owner.unwrap_or_default() })
            }
            Guard::NoEffect(key) if self.effects.contains_key(key) => Err(StoreError::Exists(format!("effect {key}"))),
            Guard::NoEffect(_) => Ok(()),
        }
    }

    fn fence(&self, run: &RunId, epoch: u32, revision: Option<u64>) -> Result<(), StoreError> {
        let row = self.runs.get(run).ok_or_else(|| StoreError::Missing(run.to_string()))?;
        if row.epoch == epoch && revision.is_none_or(|revision| revision == row.revision) {
            return Ok(());
        }
        Err(StoreError::Superseded { run: run.clone(), owner: row.owner.clone() })
    }

    fn thread(&mut self, id: &ThreadId) -> Result<&mut ThreadRow, StoreError> {
        self.threads.get_mut(id).ok_or_else(|| StoreError::Missing(id.to_string()))
    }

    fn admit(&self, write: &Write) -> Result<(), StoreError> {
        match write {
            Write::InsertThread(row) if self.threads.contains_key(&row.id) => {
                Err(StoreError::Exists(row.id.to_string()))
            }
            Write::InsertRun(row) => {
                let same = |run: &&RunRow| run.thread == row.thread && run.key.is_some() && run.key == row.key;
                match self.runs.get(&row.id).or_else(|| self.runs.values().find(same)) {
                    Some(run) => Err(StoreError::Exists(run.id.to_string())),
                    None => Ok(()),
                }
            }
            Write::Title { thread, .. } if !self.threads.contains_key(thread) => {
                Err(StoreError::Missing(thread.to_string()))
            }
            _ => Ok(()),
        }
    }

    fn write(&mut self, write: Write) -> Result<(), StoreError> {
        match write {
            Write::InsertThread(row) => drop(self.threads.insert(row.id.clone(), row)),
            Write::Title { thread, title, at } => {
                let row = self.thread(&thread)?;
                (row.title, row.updated) = (title, at);
            }
            Write::Head { thread, head, at } => {
                let row = self.thread(&thread)?;
                (row.head, row.updated) = (head, at);
            }
            Write::Active { thread, active, last, status, at } => {
                let row = self.thread(&thread)?;
                (row.active, row.last_run, row.status, row.updated) = (active, Some(last), Some(status), at);
            }
            Write::InsertRun(row) => drop(self.runs.insert(row.id.clone(), row)),
            Write::Run(progress) => {
                let missing = || StoreError::Missing(progress.run.to_string());
                self.runs.get_mut(&progress.run).ok_or_else(missing)?.advance(progress);
            }
            Write::Checkpoint(record) => drop(self.checkpoints.insert(record.id.clone(), record)),
            Write::Task(record) => {
                self.tasks.entry((record.run.clone(), record.task.clone())).or_insert(record);
            }
            Write::ClearTasks(run) => self.tasks.retain(|(of, _), _| *of != run),
            Write::Events(chunk) => drop(self.events.insert((chunk.run.clone(), chunk.last), chunk)),
            Write::Effect(record) => drop(self.effects.insert(record.key.clone(), record)),
            Write::ForgetEffect(key) => drop(self.effects.remove(&key)),
            Write::DeleteThread(thread) => self.delete(&thread),
        }
        Ok(())
    }

    fn delete(&mut self, thread: &ThreadId) {
        let gone: Vec<RunId> = self.runs.values().filter(|r| r.thread == *thread).map(|r| r.id.clone()).collect();
        self.runs.retain(|_, run| run.thread != *thread);
        self.tasks.retain(|(run, _), _| !gone.contains(run));
        self.events.retain(|(run, _), _| !gone.contains(run));
        self.checkpoints.retain(|_, checkpoint| checkpoint.thread != *thread);
        self.threads.remove(thread);
    }

    fn back_from(&self, id: &CheckpointId) -> impl Iterator<Item = &CheckpointRecord> {
        let parent = |record: &&CheckpointRecord| record.parent.as_ref().and_then(|id| self.checkpoints.get(id));
        std::iter::successors(self.checkpoints.get(id), parent)
    }
}

impl Checkpointer for MemoryStore {
    async fn commit(&self, batch: Batch) -> Result<(), StoreError> {
        let mut tables = self.tables();
        batch.guards.iter().try_for_each(|guard| tables.check(guard))?;
        batch.writes.iter().try_for_each(|write| tables.admit(write))?;
        batch.writes.into_iter().try_for_each(|write| tables.write(write))
    }

    async fn thread(&self, id: &ThreadId) -> Result<Option<ThreadRow>, StoreError> {
        Ok(self.tables().threads.get(id).cloned())
    }

    async fn threads(&self, filter: &ThreadFilter) -> Result<Vec<ThreadRow>, StoreError> {
        let tables = self.tables();
        let place = |row: &ThreadRow| (row.updated, row.id.clone());
        let before = filter.before.as_ref().and_then(|id| tables.threads.get(id)).map(place);
        let mut rows: Vec<ThreadRow> = tables
            .threads
            .values()
            .filter(|row| filter.tenant.as_ref().is_none_or(|tenant| *tenant == row.tenant))
            .filter(|row| filter.agent.as_ref().is_none_or(|agent| *agent == row.agent))
            .filter(|row| before.as_ref().is_none_or(|before| place(row) < *before))
            .cloned()
            .collect();
        rows.sort_by_key(|row| std::cmp::Reverse(place(row)));
        rows.truncate(page(filter.limit));
        Ok(rows)
    }

    async fn run(&self, id: &RunId) -> Result<Option<RunRow>, StoreError> {
        Ok(self.tables().runs.get(id).cloned())
    }

    async fn runs(&self, filter: &RunFilter) -> Result<Vec<RunRow>, StoreError> {
        let tables = self.tables();
        let newest_first = tables.runs.values().rev();
        let rows = newest_first
            .filter(|row| filter.tenant.as_ref().is_none_or(|tenant| *tenant == row.tenant))
            .filter(|row| filter.thread.as_ref().is_none_or(|thread| *thread == row.thread))
            .filter(|row| filter.agent.as_ref().is_none_or(|agent| *agent == row.agent))
            .filter(|row| filter.status.is_none_or(|status| status == row.status))
            .filter(|row| filter.before.as_ref().is_none_or(|before| row.id < *before));
        Ok(rows.take(page(filter.limit)).cloned().collect())
    }

    async fn run_of_key(&self, thread: &ThreadId, key: &str) -> Result<Option<RunRow>, StoreError> {
        let tables = self.tables();
        let found = tables.runs.values().find(|run| run.thread == *thread && run.key.as_deref() == Some(key));
        Ok(found.cloned())
    }

    async fn unfinished(&self) -> Result<Vec<RunRow>, StoreError> {
        Ok(self.tables().runs.values().filter(|run| run.status.is_active()).cloned().collect())
    }

    async fn queued(&self, thread: &ThreadId) -> Result<Option<RunRow>, StoreError> {
        let tables = self.tables();
        let waits = |run: &&RunRow| run.thread == *thread && run.status == RunStatus::Queued;
        Ok(tables.runs.values().find(waits).cloned())
    }

    async fn checkpoint(&self, id: &CheckpointId) -> Result<Option<CheckpointRecord>, StoreError> {
        Ok(self.tables().checkpoints.get(id).cloned())
    }

    async fn line(&self, id: &CheckpointId) -> Result<Vec<CheckpointRecord>, StoreError> {
        let tables = self.tables();
        let mut line = Vec::new();
        for record in tables.back_from(id) {
            line.push(record.clone());
            if record.snapshot.is_some() {
                break;
            }
        }
        Ok(line)
    }

    async fn ancestors(&self, id: &CheckpointId, limit: usize) -> Result<Vec<CheckpointRecord>, StoreError> {
        let bare = |record: &CheckpointRecord| CheckpointRecord { snapshot: None, ..record.clone() };
        Ok(self.tables().back_from(id).take(limit).map(bare).collect())
    }

    async fn checkpoint_at(&self, run: &RunId, step: u64) -> Result<Option<CheckpointRecord>, StoreError> {
        let tables = self.tables();
        let found = tables.checkpoints.values().find(|c| c.run.as_ref() == Some(run) && c.step == step);
        Ok(found.map(|record| CheckpointRecord { snapshot: None, ..record.clone() }))
    }

    async fn run_checkpoints(
        &self,
        run: &RunId,
        after: Option<u64>,
        limit: usize,
    ) -> Result<Vec<CheckpointRecord>, StoreError> {
        let tables = self.tables();
        let made = tables.checkpoints.values().filter(|record| record.run.as_ref() == Some(run));
        let mut records: Vec<CheckpointRecord> = made
            .filter(|record| after.is_none_or(|after| record.step > after))
            .map(|record| CheckpointRecord { snapshot: None, ..record.clone() })
            .collect();
        records.sort_by_key(|record| record.step);
        records.truncate(limit);
        Ok(records)
    }

    async fn tasks(&self, run: &RunId) -> Result<Vec<TaskRecord>, StoreError> {
        let tables = self.tables();
        Ok(tables.tasks.values().filter(|record| record.run == *run).cloned().collect())
    }

    async fn task(&self, run: &RunId, task: &TaskId) -> Result<Option<TaskRecord>, StoreError> {
        Ok(self.tables().tasks.get(&(run.clone(), task.clone())).cloned())
    }

    async fn events(&self, run: &RunId, after: u64, limit: usize) -> Result<Vec<EventChunk>, StoreError> {
        let tables = self.tables();
        let from = (run.clone(), after.saturating_add(1));
        let chunks = tables.events.range(from..).take_while(|((of, _), _)| of == run);
        Ok(chunks.take(limit).map(|(_, chunk)| chunk.clone()).collect())
    }

    async fn effect(&self, key: &str) -> Result<Option<EffectRecord>, StoreError> {
        Ok(self.tables().effects.get(key).cloned())
    }

    async fn run_effects(&self, run: &RunId, limit: usize) -> Result<Vec<EffectRecord>, StoreError> {
        let tables = self.tables();
        let mut effects: Vec<EffectRecord> =
            tables.effects.values().filter(|effect| effect.run == *run).cloned().collect();
        effects.sort_by(|a, b| (a.started, &a.key).cmp(&(b.started, &b.key)));
        effects.truncate(limit);
        Ok(effects)
    }
}
