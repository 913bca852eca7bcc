//! One atomic change of a store.

use jiff::Timestamp;

use super::{CheckpointRecord, EffectRecord, EventChunk, RunProgress, RunRow, RunStatus, TaskRecord, ThreadRow};
use crate::{CheckpointId, RunId, ThreadId};

/// What must hold for a batch to be written.
#[derive(Debug, Clone, PartialEq)]
pub enum Guard {
    /// The run has this epoch and revision; else [`Superseded`](super::StoreError::Superseded).
    Run {
        /// The run.
        run: RunId,
        /// Its epoch.
        epoch: u32,
        /// Its revision.
        revision: u64,
    },
    /// The run has this epoch, whatever its revision; else [`Superseded`](super::StoreError::Superseded).
    Epoch {
        /// The run.
        run: RunId,
        /// Its epoch.
        epoch: u32,
    },
    /// The thread has this active run and this head; else [`Busy`](super::StoreError::Busy).
    Thread {
        /// The thread.
        thread: ThreadId,
        /// Its active run.
        active: Option<RunId>,
        /// Its head.
        head: Option<CheckpointId>,
    },
    /// The journal has no entry for the effect; else [`Exists`](super::StoreError::Exists).
    NoEffect(String),
}

/// One write of a batch. Writes happen in order.
#[derive(Debug, Clone, PartialEq)]
pub enum Write {
    /// A new thread; [`Exists`](super::StoreError::Exists) when there is one of that id.
    InsertThread(ThreadRow),
    /// Another title.
    Title {
        /// The thread.
        thread: ThreadId,
        /// Its title from now on.
        title: Option<String>,
        /// When it was changed.
        at: Timestamp,
    },
    /// Another head.
    Head {
        /// The thread.
        thread: ThreadId,
        /// Its head from now on.
        head: Option<CheckpointId>,
        /// When it was changed.
        at: Timestamp,
    },
    /// Another active run.
    Active {
        /// The thread.
        thread: ThreadId,
        /// Its active run from now on.
        active: Option<RunId>,
        /// The run that this is about.
        last: RunId,
        /// That run's status.
        status: RunStatus,
        /// When it was changed.
        at: Timestamp,
    },
    /// A new run; [`Exists`](super::StoreError::Exists) when the thread has one with the same key.
    InsertRun(RunRow),
    /// Progress of a run.
    Run(RunProgress),
    /// A new checkpoint.
    Checkpoint(CheckpointRecord),
    /// A finished task of an open superstep; written again, it stays as it was.
    Task(TaskRecord),
    /// The superstep of a run is over: its finished tasks are in a checkpoint now.
    ClearTasks(RunId),
    /// Events.
    Events(EventChunk),
    /// An effect was started or has its result.
    Effect(EffectRecord),
    /// An effect is known not to have happened.
    ForgetEffect(String),
    /// A thread goes with its runs, checkpoints, tasks and events. Effects stay: what happened outside has happened.
    DeleteThread(ThreadId),
}

/// Guards and writes that happen as a whole or not at all.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Batch {
    /// What must hold.
    pub guards: Vec<Guard>,
    /// What is written.
    pub writes: Vec<Write>,
}

impl Batch {
    /// An empty batch.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// About how many bytes its writes have.
    #[must_use]
    pub fn size(&self) -> usize {
        let size = |write: &Write| match write {
            Write::Checkpoint(record) => {
                record.updates.len() + record.frontier.len() + record.snapshot.as_ref().map_or(0, Vec::len)
            }
            Write::Task(record) => record.outcome.len(),
            Write::Events(chunk) => chunk.events.len(),
            Write::Effect(record) => record.key.len() + record.result.as_ref().map_or(0, Vec::len),
            _ => 256,
        };
        self.writes.iter().map(size).sum()
    }

    /// With one more guard.
    #[must_use]
    pub fn guard(mut self, guard: Guard) -> Self {
        self.guards.push(guard);
        self
    }

    /// With one more write.
    #[must_use]
    pub fn write(mut self, write: Write) -> Self {
        self.writes.push(write);
        self
    }
}
