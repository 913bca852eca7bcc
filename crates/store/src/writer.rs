//! The one task that writes: it commits whatever is waiting in one transaction.
//!
//! A batch whose guards do not hold is answered and leaves no trace: guards and admissions are checked before its first write,
//! and they see the batches before it. When the database itself fails, the whole transaction is rolled back and every batch in
//! it is told so.

use mercer_graph::store::{Batch, StoreError};
use mercer_shop::{FileMeta, ImportRow};
use sqlx::{Connection, SqliteConnection};
use tokio::sync::{mpsc, oneshot};

use crate::fence::Fences;
use crate::{error::failed, files, imports, write};

/// The most batches in one transaction.
const TOGETHER: usize = 1024;

/// What is to be written.
pub(crate) enum Change {
    Batch(Batch),
    File(FileMeta),
    Import(ImportRow),
}

pub(crate) type Job = (Change, oneshot::Sender<Result<(), StoreError>>);

/// Writes until every handle to the store is gone.
pub(crate) async fn run(mut connection: SqliteConnection, mut jobs: mpsc::Receiver<Job>) {
    let mut fences = Fences::default();
    let mut waiting = Vec::with_capacity(TOGETHER);
    while jobs.recv_many(&mut waiting, TOGETHER).await > 0 {
        let group = std::mem::take(&mut waiting);
        let (changes, replies): (Vec<Change>, Vec<_>) = group.into_iter().unzip();
        match together(&mut connection, &mut fences, &changes).await {
            Ok(results) => {
                for (reply, result) in replies.into_iter().zip(results) {
                    // Whoever asked may be gone; the write has happened all the same.
                    let _gone = reply.send(result).is_err();
                }
            }
            Err(error) => {
                fences.forget();
                tracing::error!(%error, "a group of {} writes failed", replies.len());
                // Outside a transaction this is refused, and that is fine too.
                let _rolled_back = sqlx::query("ROLLBACK").execute(&mut connection).await.is_ok();
                let text = error.to_string();
                for reply in replies {
                    let _gone = reply.send(Err(StoreError::failed(text.clone()))).is_err();
                }
            }
        }
        fences.trim();
    }
    if let Err(error) = connection.close().await {
        tracing::warn!(%error, "the database was not closed cleanly");
    }
}

/// One transaction. The outer error is the database's; the inner ones are refusals of single changes.
async fn together(
    connection: &mut SqliteConnection,
    fences: &mut Fences,
    changes: &[Change],
) -> Result<Vec<Result<(), StoreError>>, StoreError> {
    sqlx::query("BEGIN IMMEDIATE").execute(&mut *connection).await.map_err(failed)?;
    let mut results = Vec::with_capacity(changes.len());
    for change in changes {
        let result = match change {
            Change::Batch(batch) => one(connection, fences, batch).await,
            Change::File(meta) => files::insert(connection, meta).await,
            Change::Import(row) => imports::put(connection, row).await,
        };
        match result {
            Err(error) if error.is_failure() => return Err(error),
            other => results.push(other),
        }
    }
    sqlx::query("COMMIT").execute(&mut *connection).await.map_err(failed)?;
    Ok(results)
}

async fn one(connection: &mut SqliteConnection, fences: &mut Fences, batch: &Batch) -> Result<(), StoreError> {
    for guard in &batch.guards {
        fences.check(connection, guard).await?;
    }
    for write in &batch.writes {
        write::admit(connection, write).await?;
    }
    for write in &batch.writes {
        // What is missing now was not admitted by anybody's check: the batch is half written, and only a rollback helps.
        write::write(connection, write).await.map_err(|error| StoreError::failed(error.to_string()))?;
        fences.follow(write);
    }
    Ok(())
}
