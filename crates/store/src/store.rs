//! The store: opened over a folder with SQLite, or connected to PostgreSQL.

use std::path::Path;
use std::str::FromStr as _;
use std::sync::Arc;
use std::time::Duration;

use mercer_graph::StoreError;
use sqlx::postgres::{PgConnectOptions, PgConnection, PgPoolOptions};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection as _, SqliteConnection};
use tokio::sync::{Mutex, mpsc, oneshot};

use crate::db::{Pool, Tx};
use crate::folder::Folder;
use crate::schema::{self, Refused};
use crate::writer::{Change, Job, Source, Writer};
use crate::{FileStore, ImportStore, OpenError};

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

/// How PostgreSQL is used.
#[derive(Debug, Clone, Copy)]
pub struct PostgresOptions {
    /// Connections that write, each a group of commits at a time.
    pub writers: u32,
    /// Connections that read.
    pub readers: u32,
    /// How long a server that has gone away is waited for before what was asked of it fails.
    pub patience: Duration,
}

impl Default for PostgresOptions {
    fn default() -> Self {
        Self { writers: 4, readers: 8, patience: Duration::from_secs(30) }
    }
}

/// Threads, runs, checkpoints, events, effects, files and imports. Clones are the same store.
///
/// Over SQLite it is a folder that belongs to one process at a time; it is free again when the last clone is dropped or the process
/// dies. Over PostgreSQL it is a database that several processes may share; the fences of the engine keep them apart.
#[derive(Debug, Clone)]
pub struct Store {
    pub(crate) shared: Arc<Shared>,
}

#[derive(Debug)]
pub(crate) struct Shared {
    jobs: mpsc::Sender<Job>,
    pub(crate) readers: Pool,
    /// The data folder, with SQLite and the bytes of files in it; PostgreSQL needs none.
    pub(crate) folder: Option<Arc<Folder>>,
}

/// How many writes may wait; those that come after wait to be let in.
const WAITING: usize = 4096;

impl Store {
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
        let place = folder.display().to_string();
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
        let connection: Result<SqliteConnection, sqlx::Error> = options.connect().await;
        let mut tx = Tx::sqlite(connection.map_err(|source| OpenError::Database { place: place.clone(), source })?);
        schema::migrate(&mut tx).await.map_err(|refused| refuse(place, refused))?;
        let reading = options.read_only(true).create_if_missing(false);
        let readers = SqlitePoolOptions::new().max_connections(4).connect_lazy_with(reading);
        let (jobs, waiting) = mpsc::channel(WAITING);
        // The writer ends by itself when the last handle, and with it the channel, is gone; it keeps the folder until then.
        let held = Arc::clone(&lock);
        tokio::spawn(async move {
            Writer::new(Source::Sqlite, Some(tx)).run(Arc::new(Mutex::new(waiting))).await;
            drop(held);
        });
        Ok(Self { shared: Arc::new(Shared { jobs, readers: Pool::Sqlite(readers), folder: Some(lock) }) })
    }

    /// Connects to the PostgreSQL database at an address such as `postgres://user:password@host/database`. Its tables are made if
    /// they are not there, and older ones are brought up to date.
    ///
    /// # Errors
    /// [`OpenError`]: the address is none, a newer program wrote the database, or it cannot be reached.
    pub async fn connect(url: &str) -> Result<Self, OpenError> {
        Self::connect_with(url, PostgresOptions::default()).await
    }

    /// Connects with chosen options.
    ///
    /// # Errors
    /// As [`connect`](Self::connect).
    pub async fn connect_with(url: &str, options: PostgresOptions) -> Result<Self, OpenError> {
        let address = PgConnectOptions::from_str(url).map_err(|_secret| OpenError::Address)?;
        let address = address.application_name("mercer").statement_cache_capacity(256);
        let place = place(&address);
        let refused = |source| OpenError::Database { place: place.clone(), source };
        // The first connection fails at once when the address is wrong; later ones are waited for.
        let first = tokio::time::timeout(FIRST, PgConnection::connect_with(&address)).await;
        let first = first.unwrap_or(Err(sqlx::Error::PoolTimedOut)).map_err(refused)?;
        drop(first.close().await.map_err(refused));
        let pool = |connections| {
            let pool = PgPoolOptions::new().max_connections(connections).acquire_timeout(Duration::from_secs(5));
            pool.test_before_acquire(false).connect_lazy_with(address.clone())
        };
        let (writers, readers) = (pool(options.writers), pool(options.readers));
        let mut tx = Tx::postgres(writers.acquire().await.map_err(refused)?);
        schema::migrate(&mut tx).await.map_err(|refused| refuse(place.clone(), refused))?;
        drop(tx);
        let (jobs, waiting) = mpsc::channel(WAITING);
        let waiting = Arc::new(Mutex::new(waiting));
        for _ in 0..options.writers {
            let source = Source::Postgres { pool: writers.clone(), patience: options.patience };
            tokio::spawn(Writer::new(source, None).run(Arc::clone(&waiting)));
        }
        let readers = Pool::Postgres { pool: readers, patience: options.patience };
        Ok(Self { shared: Arc::new(Shared { jobs, readers, folder: None }) })
    }

    /// The files that people gave or agents made.
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

/// How long the first connection to a server may take.
const FIRST: Duration = Duration::from_secs(10);

/// A server and its database, without user and password.
fn place(address: &PgConnectOptions) -> String {
    let database = address.get_database().unwrap_or("its default database");
    match address.get_socket() {
        Some(socket) => format!("PostgreSQL at {} ({database})", socket.display()),
        None => format!("PostgreSQL at {}:{} ({database})", address.get_host(), address.get_port()),
    }
}

fn refuse(place: String, refused: Refused) -> OpenError {
    match refused {
        Refused::Newer { found, known } => OpenError::Newer { place, found, known },
        Refused::Database(source) => OpenError::Schema { place, source },
    }
}
