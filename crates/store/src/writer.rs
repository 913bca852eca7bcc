//! Those who write: each commits whatever is waiting in one transaction. SQLite has one of them, PostgreSQL a few.
//!
//! A batch whose guards do not hold is answered and leaves no trace: guards and admissions are checked before its first write,
//! and they see the batches before it. When the database itself refuses, the whole transaction is rolled back and its changes are
//! done again one by one, so that only the one at fault is told so. A lost connection is opened anew, and what had not been
//! committed is done again; whether a commit happened whose answer was lost is asked afterwards.

use std::sync::Arc;
use std::time::Duration;

use mercer_graph::store::{Batch, StoreError};
use sqlx::postgres::PgPool;
use tokio::sync::{Mutex, mpsc, oneshot};
use tokio::time::Instant;

use crate::db::{Columns, Tx, sql};
use crate::error::{Trouble, failed, trouble};
use crate::fence::Fences;
use crate::transaction::Work;
use crate::write;

/// The most changes in one transaction of SQLite.
const TOGETHER: usize = 1024;
/// The most in one of PostgreSQL, where rows stay locked until its end.
const TOGETHER_SHARED: usize = 64;
/// How often a transaction is repeated that others were in the way of.
const TRIES: u32 = 8;

/// What is to be written.
pub(crate) enum Change {
    Batch(Batch),
    Work(Box<dyn Work>),
}

pub(crate) type Job = (Change, oneshot::Sender<Result<(), StoreError>>);

/// The changes that wait, for whichever writer is free.
pub(crate) type Waiting = Arc<Mutex<mpsc::Receiver<Job>>>;

/// Where a writer's connection comes from.
pub(crate) enum Source {
    /// The only one there is.
    Sqlite,
    /// A pool, as often as the server goes away and comes back within this time.
    Postgres { pool: PgPool, patience: Duration },
}

pub(crate) struct Writer {
    source: Source,
    tx: Option<Tx>,
    fences: Fences,
}

/// Why a transaction did not come to its end.
struct Broken {
    error: StoreError,
    /// The transaction's number and the answers to its changes, when it broke during the commit.
    committing: Option<(String, Vec<Result<(), StoreError>>)>,
}

impl From<StoreError> for Broken {
    fn from(error: StoreError) -> Self {
        Self { error, committing: None }
    }
}

impl Writer {
    pub(crate) fn new(source: Source, tx: Option<Tx>) -> Self {
        Self { source, tx, fences: Fences::default() }
    }

    /// Writes until every handle to the store is gone.
    pub(crate) async fn run(mut self, waiting: Waiting) {
        let together = if matches!(self.source, Source::Sqlite) { TOGETHER } else { TOGETHER_SHARED };
        let mut group = Vec::with_capacity(together);
        loop {
            let taken = waiting.lock().await.recv_many(&mut group, together).await;
            if taken == 0 {
                break;
            }
            let (mut changes, replies): (Vec<Change>, Vec<_>) = group.drain(..).unzip();
            let results = self.write(&mut changes).await;
            for (reply, result) in replies.into_iter().zip(results) {
                // Whoever asked may be gone; the write has happened all the same.
                let _gone = reply.send(result).is_err();
            }
            self.fences.trim();
        }
        if let Some(tx) = self.tx
            && let Err(error) = tx.close().await
        {
            tracing::warn!(%error, "the database was not closed cleanly");
        }
    }

    async fn write(&mut self, changes: &mut [Change]) -> Vec<Result<(), StoreError>> {
        let error = match self.patiently(changes).await {
            Ok(results) => return results,
            Err(error) => error,
        };
        tracing::error!(%error, cause = ?std::error::Error::source(&error), "a group of {} writes failed", changes.len());
        let alone = changes.len() > 1 && trouble(&error) != Trouble::Lost;
        if !alone {
            let text = error.to_string();
            let others = (1..changes.len()).map(|_| Err(StoreError::failed(text.clone()))).collect::<Vec<_>>();
            return std::iter::once(Err(error)).chain(others).collect();
        }
        let mut results = Vec::with_capacity(changes.len());
        for change in changes {
            let result = self.patiently(std::slice::from_mut(change)).await;
            results.push(result.and_then(|mut results| results.pop().unwrap_or(Ok(()))));
        }
        results
    }

    /// One transaction, repeated while what is in its way passes.
    async fn patiently(&mut self, changes: &mut [Change]) -> Result<Vec<Result<(), StoreError>>, StoreError> {
        let (mut tries, mut lost_since, mut committing) = (0, None, None);
        loop {
            let broken = match self.attempt(changes, &mut committing).await {
                Ok(results) => return Ok(results),
                Err(broken) => broken,
            };
            self.fences.forget();
            tries += 1;
            match (trouble(&broken.error), &self.source) {
                (Trouble::Lost, Source::Postgres { patience, .. }) => {
                    self.tx = None;
                    committing = broken.committing.or(committing);
                    let since = *lost_since.get_or_insert_with(Instant::now);
                    if since.elapsed() >= *patience {
                        return Err(broken.error);
                    }
                    tracing::warn!(error = %broken.error, "the database is gone; waiting for it");
                    tokio::time::sleep(Duration::from_millis(20 * u64::from(tries.min(25)))).await;
                }
                (Trouble::Again, _) if tries < TRIES => {
                    self.roll_back().await;
                    tokio::time::sleep(Duration::from_millis(u64::from(rand_of(tries)))).await;
                }
                _ => {
                    self.roll_back().await;
                    return Err(broken.error);
                }
            }
        }
    }

    async fn roll_back(&mut self) {
        let Some(tx) = &mut self.tx else { return };
        // Outside a transaction this is refused, and that is fine too.
        if tx.roll_back().await.is_err() && tx.is_shared() {
            self.tx = None;
        }
    }

    async fn attempt(
        &mut self,
        changes: &mut [Change],
        committing: &mut Option<(String, Vec<Result<(), StoreError>>)>,
    ) -> Result<Vec<Result<(), StoreError>>, Broken> {
        let tx = match (&mut self.tx, &self.source) {
            (Some(tx), _) => tx,
            (none, Source::Postgres { pool, .. }) => {
                none.insert(Tx::postgres(pool.acquire().await.map_err(|error| Broken::from(failed(error)))?))
            }
            (None, Source::Sqlite) => return Err(StoreError::failed("the database is closed").into()),
        };
        if let Some((number, _)) = committing.as_ref() {
            let happened = committed(tx, number).await?;
            if let Some((_, results)) = committing.take().filter(|_| happened) {
                return Ok(results);
            }
        }
        if tx.is_shared() {
            // Others write too: what was read before this transaction may have changed.
            self.fences.forget();
        }
        together(tx, &mut self.fences, changes).await
    }
}

/// A pause that differs between writers that met: their stacks lie elsewhere.
fn rand_of(tries: u32) -> u32 {
    let spread = uuid::Uuid::new_v4().as_fields().0 % 8;
    tries * 4 + spread
}

/// Whether a transaction happened whose commit was not answered. One that PostgreSQL still works on is asked for again.
async fn committed(tx: &mut Tx, number: &str) -> Result<bool, StoreError> {
    let row = tx.one(sql("SELECT pg_xact_status(CAST($1 AS xid8))").bind(number)).await?;
    let status: Option<String> = match row {
        Some(row) => Columns::of(&row).take()?,
        None => None,
    };
    match status.as_deref() {
        Some("committed") => Ok(true),
        Some("aborted") => Ok(false),
        _ => Err(failed(sqlx::Error::Protocol("a commit is still under way".to_owned()))),
    }
}

/// One transaction. The outer error is the database's; the inner ones are refusals of single changes.
async fn together(
    tx: &mut Tx,
    fences: &mut Fences,
    changes: &mut [Change],
) -> Result<Vec<Result<(), StoreError>>, Broken> {
    tx.begin().await?;
    let mut results = Vec::with_capacity(changes.len());
    for change in changes {
        let result = match change {
            Change::Batch(batch) => one(tx, fences, batch).await,
            Change::Work(work) => apart(tx, work.as_mut()).await?,
        };
        match result {
            Err(error) if error.is_failure() && !matches!(change, Change::Work(_)) => return Err(error.into()),
            other => results.push(other),
        }
    }
    let number = if tx.is_shared() { number(tx).await? } else { None };
    match (tx.commit().await, number) {
        (Ok(()), _) => Ok(results),
        (Err(error), Some(number)) => Err(Broken { error, committing: Some((number, results)) }),
        // Nothing was written, or nobody else can have seen it.
        (Err(error), None) => Err(error.into()),
    }
}

/// The transaction's number, if it has written anything.
async fn number(tx: &mut Tx) -> Result<Option<String>, StoreError> {
    let row = tx.one(sql("SELECT CAST(pg_current_xact_id_if_assigned() AS TEXT)")).await?;
    row.map_or(Ok(None), |row| Columns::of(&row).take())
}

async fn one(tx: &mut Tx, fences: &mut Fences, batch: &Batch) -> Result<(), StoreError> {
    for guard in &batch.guards {
        fences.check(tx, guard).await?;
    }
    for write in &batch.writes {
        write::admit(tx, write).await?;
    }
    for write in &batch.writes {
        // What is missing now was not admitted by anybody's check: the batch is half written, and only a rollback helps.
        write::write(tx, write).await.map_err(half_written)?;
        fences.follow(write);
    }
    Ok(())
}

fn half_written(error: StoreError) -> StoreError {
    if error.is_failure() { error } else { StoreError::failed(error.to_string()) }
}

/// A module's work: when it fails, what it wrote is undone and the rest of the transaction stays.
async fn apart(tx: &mut Tx, work: &mut dyn Work) -> Result<Result<(), StoreError>, StoreError> {
    tx.execute(sql("SAVEPOINT work")).await?;
    let result = work.run(tx).await;
    if let Err(error) = &result {
        if trouble(error) != Trouble::Other {
            return Err(result.err().unwrap_or_else(|| StoreError::failed("the work failed")));
        }
        tx.execute(sql("ROLLBACK TO SAVEPOINT work")).await?;
    }
    tx.execute(sql("RELEASE SAVEPOINT work")).await?;
    Ok(result)
}
