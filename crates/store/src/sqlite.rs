//! The store over SQLite.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use mercer_graph::store::{
    Batch, CheckpointRecord, Checkpointer, EffectRecord, EventChunk, RunFilter, RunRow, StoreError, TaskRecord,
    ThreadFilter, ThreadRow,
};
use mercer_graph::{CheckpointId, RunId, TaskId, ThreadId};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{ConnectOptions, SqliteConnection};
use tokio::sync::{mpsc, oneshot};

use crate::folder::Folder;
use crate::migrate::{Refused, migrate};
use crate::writer::{Change, Job};
use crate::{FileStore, ImportStore, OpenError, read, writer};

/// What an acknowledged write survives.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Safety {
    /// The loss of power: each group of commits is flushed to the disk before it is acknowledged (`synchronous=FULL`).
    #[default]
    PowerLoss,
    /// The death of the process, `kill -9` included, but not that of the machine: the last commits may be missing after a
    /// power loss, and effects journaled in them may then happen again (`synchronous=NORMAL`).
    ProcessDeath,
}

/// Threads, runs, checkpoints, events, effects, files and imports in one folder. Clones are the same store.
///
/// The folder belongs to one process at a time; it is free again when the last clone is dropped or the process dies.
#[derive(Debug, Clone)]
pub struct SqliteStore {
    pub(crate) shared: Arc<Shared>,
}

#[derive(Debug)]
pub(crate) struct Shared {
    jobs: mpsc::Sender<Job>,
    pub(crate) readers: SqlitePool,
    pub(crate) folder: Arc<Folder>,
}

/// How many writes may wait; those that come after wait to be let in.
const WAITING: usize = 4096;

impl SqliteStore {
    /// Opens the store in a folder, which is made if it is not there, so that an acknowledged write survives the loss of
    /// power. Older schemas are brought up to date.
    ///
    /// # Errors
    /// [`OpenError`]: another process has the folder, a newer program wrote the database, or it cannot be opened.
    pub async fn open(folder: &Path) -> Result<Self, OpenError> {
        Self::open_with(folder, Safety::default()).await
    }

    /// Opens the store with a chosen safety.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub async fn open_with(folder: &Path, safety: Safety) -> Result<Self, OpenError> {
        let lock = Arc::new(Folder::take(folder)?);
        let refused = |source| OpenError::Database { folder: folder.to_owned(), source };
        let synchronous = match safety {
            Safety::PowerLoss => SqliteSynchronous::Full,
            Safety::ProcessDeath => SqliteSynchronous::Normal,
        };
        let options = SqliteConnectOptions::new()
            .filename(folder.join("mercer.db"))
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(synchronous)
            .busy_timeout(Duration::from_secs(10))
            .foreign_keys(false);
        let mut connection: SqliteConnection = options.connect().await.map_err(refused)?;
        migrate(&mut connection).await.map_err(|error| match error {
            Refused::Newer { found, known } => OpenError::Newer { folder: folder.to_owned(), found, known },
            Refused::Database(source) => refused(source),
        })?;
        let reading = options.read_only(true).create_if_missing(false);
        let readers = SqlitePoolOptions::new().max_connections(4).connect_lazy_with(reading);
        let (jobs, waiting) = mpsc::channel(WAITING);
        // The writer ends by itself when the last handle, and with it the channel, is gone; it keeps the folder until then.
        let held = Arc::clone(&lock);
        tokio::spawn(async move {
            writer::run(connection, waiting).await;
            drop(held);
        });
        Ok(Self { shared: Arc::new(Shared { jobs, readers, folder: lock }) })
    }

    /// The files of the folder.
    #[must_use]
    pub fn files(&self) -> FileStore {
        FileStore::new(self.clone())
    }

    /// The imports table.
    #[must_use]
    pub fn imports(&self) -> ImportStore {
        ImportStore::new(self.clone())
    }

    pub(crate) async fn change(&self, change: Change) -> Result<(), StoreError> {
        let (reply, answer) = oneshot::channel();
        let gone = |_| StoreError::failed("the database writer has stopped");
        self.shared.jobs.send((change, reply)).await.map_err(gone)?;
        answer.await.map_err(|_closed| StoreError::failed("the database writer has stopped"))?
    }
}

impl Checkpointer for SqliteStore {
    async fn commit(&self, batch: Batch) -> Result<(), StoreError> {
        self.change(Change::Batch(batch)).await
    }

    async fn thread(&self, id: &ThreadId) -> Result<Option<ThreadRow>, StoreError> {
        read::thread(&self.shared.readers, id).await
    }

    async fn threads(&self, filter: &ThreadFilter) -> Result<Vec<ThreadRow>, StoreError> {
        read::threads(&self.shared.readers, filter).await
    }

    async fn run(&self, id: &RunId) -> Result<Option<RunRow>, StoreError> {
        read::run(&self.shared.readers, id).await
    }

    async fn runs(&self, filter: &RunFilter) -> Result<Vec<RunRow>, StoreError> {
        read::runs(&self.shared.readers, filter).await
    }

    async fn run_of_key(&self, thread: &ThreadId, key: &str) -> Result<Option<RunRow>, StoreError> {
        read::run_of_key(&self.shared.readers, thread, key).await
    }

    async fn unfinished(&self) -> Result<Vec<RunRow>, StoreError> {
        read::unfinished(&self.shared.readers).await
    }

    async fn queued(&self, thread: &ThreadId) -> Result<Option<RunRow>, StoreError> {
        read::queued(&self.shared.readers, thread).await
    }

    async fn checkpoint(&self, id: &CheckpointId) -> Result<Option<CheckpointRecord>, StoreError> {
        read::checkpoint(&self.shared.readers, id).await
    }

    async fn line(&self, id: &CheckpointId) -> Result<Vec<CheckpointRecord>, StoreError> {
        read::line(&self.shared.readers, id).await
    }

    async fn ancestors(&self, id: &CheckpointId, limit: usize) -> Result<Vec<CheckpointRecord>, StoreError> {
        read::ancestors(&self.shared.readers, id, limit).await
    }

    async fn checkpoint_at(&self, run: &RunId, step: u64) -> Result<Option<CheckpointRecord>, StoreError> {
        read::checkpoint_at(&self.shared.readers, run, step).await
    }

    async fn run_checkpoints(
        &self,
        run: &RunId,
        after: Option<u64>,
        limit: usize,
    ) -> Result<Vec<CheckpointRecord>, StoreError> {
        read::run_checkpoints(&self.shared.readers, run, after, limit).await
    }

    async fn tasks(&self, run: &RunId) -> Result<Vec<TaskRecord>, StoreError> {
        read::tasks(&self.shared.readers, run).await
    }

    async fn task(&self, run: &RunId, task: &TaskId) -> Result<Option<TaskRecord>, StoreError> {
        read::task(&self.shared.readers, run, task).await
    }

    async fn events(&self, run: &RunId, after: u64, limit: usize) -> Result<Vec<EventChunk>, StoreError> {
        read::events(&self.shared.readers, run, after, limit).await
    }

    async fn effect(&self, key: &str) -> Result<Option<EffectRecord>, StoreError> {
        read::effect(&self.shared.readers, key).await
    }

    async fn run_effects(&self, run: &RunId, limit: usize) -> Result<Vec<EffectRecord>, StoreError> {
        read::run_effects(&self.shared.readers, run, limit).await
    }
}
