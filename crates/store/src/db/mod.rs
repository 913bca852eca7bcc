//! A thin layer over the two databases: a statement, a row, a transaction. It hides which of them it is and nothing else.
//!
//! Statements are ordinary SQL in the words both understand. What differs — placeholders, row types, whether others may write at
//! the same time — is decided here, so that the tables of the engine, the files and every module are written down once.

mod row;
mod statement;

use std::time::Duration;

use mercer_graph::StoreError;
use sha2::{Digest as _, Sha256};
use sqlx::pool::PoolConnection;
use sqlx::postgres::PgPool;
use sqlx::sqlite::SqlitePool;
use sqlx::{Postgres, SqliteConnection};
use tokio::time::Instant;

pub use row::{Column, Columns, Row};
pub(crate) use statement::Locking;
pub use statement::{Statement, Value, sql};

use crate::error::{Trouble, failed, trouble};
use row::Either;

/// The connection of an open transaction: whatever is done with it happens as a whole or not at all.
#[derive(Debug)]
pub struct Tx(Link);

#[derive(Debug)]
enum Link {
    Sqlite(Box<SqliteConnection>),
    Postgres(PoolConnection<Postgres>),
}

impl Tx {
    pub(crate) fn sqlite(connection: SqliteConnection) -> Self {
        Self(Link::Sqlite(Box::new(connection)))
    }

    pub(crate) fn postgres(connection: PoolConnection<Postgres>) -> Self {
        Self(Link::Postgres(connection))
    }

    /// Whether others may write at the same time.
    pub(crate) fn is_shared(&self) -> bool {
        matches!(self.0, Link::Postgres(_))
    }

    /// Executes a statement and says how many rows it changed.
    ///
    /// # Errors
    /// The database's failure.
    pub async fn execute(&mut self, statement: Statement) -> Result<u64, StoreError> {
        let changed = match &mut self.0 {
            Link::Sqlite(link) => statement.sqlite().execute(&mut **link).await.map(|done| done.rows_affected()),
            Link::Postgres(link) => statement.postgres().execute(&mut **link).await.map(|done| done.rows_affected()),
        };
        changed.map_err(failed)
    }

    /// The first row of a query.
    ///
    /// # Errors
    /// The database's failure.
    pub async fn one(&mut self, statement: Statement) -> Result<Option<Row>, StoreError> {
        let row = match &mut self.0 {
            Link::Sqlite(link) => {
                statement.sqlite().fetch_optional(&mut **link).await.map(|row| row.map(Either::Sqlite))
            }
            Link::Postgres(link) => {
                statement.postgres().fetch_optional(&mut **link).await.map(|row| row.map(Either::Postgres))
            }
        };
        row.map(|row| row.map(Row)).map_err(failed)
    }

    /// Every row of a query.
    ///
    /// # Errors
    /// The database's failure.
    pub async fn all(&mut self, statement: Statement) -> Result<Vec<Row>, StoreError> {
        match &mut self.0 {
            Link::Sqlite(link) => {
                let rows = statement.sqlite().fetch_all(&mut **link).await.map_err(failed)?;
                Ok(rows.into_iter().map(|row| Row(Either::Sqlite(row))).collect())
            }
            Link::Postgres(link) => {
                let rows = statement.postgres().fetch_all(&mut **link).await.map_err(failed)?;
                Ok(rows.into_iter().map(|row| Row(Either::Postgres(row))).collect())
            }
        }
    }

    /// Lets one transaction at a time go on under this name; it is free again when the transaction ends. What is read after it
    /// holds until then, as far as everybody who changes it takes the same name. SQLite has one writer anyway.
    ///
    /// # Errors
    /// The database's failure; it is repeated when two transactions wait for each other.
    pub async fn lock(&mut self, name: &str) -> Result<(), StoreError> {
        if !self.is_shared() {
            return Ok(());
        }
        let digest = Sha256::digest(name.as_bytes());
        let number = digest.iter().take(8).fold(0_i64, |number, byte| (number << 8) | i64::from(*byte));
        self.one(sql("SELECT pg_advisory_xact_lock($1)").bind(number)).await.map(drop)
    }

    /// Executes statements without values, as one text. For what this program wrote itself: schemas.
    pub(crate) async fn raw(&mut self, text: String) -> Result<(), sqlx::Error> {
        let text = sqlx::raw_sql(sqlx::AssertSqlSafe(text));
        match &mut self.0 {
            Link::Sqlite(link) => text.execute(&mut **link).await.map(drop),
            Link::Postgres(link) => text.execute(&mut **link).await.map(drop),
        }
    }

    pub(crate) async fn begin(&mut self) -> Result<(), StoreError> {
        let text = if self.is_shared() { "BEGIN" } else { "BEGIN IMMEDIATE" };
        self.raw(text.to_owned()).await.map_err(failed)
    }

    pub(crate) async fn commit(&mut self) -> Result<(), StoreError> {
        self.raw("COMMIT".to_owned()).await.map_err(failed)
    }

    /// Ends a transaction that is not to happen; outside of one nothing happens.
    pub(crate) async fn roll_back(&mut self) -> Result<(), sqlx::Error> {
        self.raw("ROLLBACK".to_owned()).await
    }

    pub(crate) async fn close(self) -> Result<(), sqlx::Error> {
        match self.0 {
            Link::Sqlite(link) => sqlx::Connection::close(*link).await,
            Link::Postgres(link) => {
                drop(link);
                Ok(())
            }
        }
    }
}

/// Connections for reading. A server that has gone away is waited for: reading twice changes nothing.
#[derive(Debug, Clone)]
pub(crate) enum Pool {
    Sqlite(SqlitePool),
    Postgres { pool: PgPool, patience: Duration },
}

impl Pool {
    pub(crate) async fn one(&self, statement: Statement) -> Result<Option<Row>, StoreError> {
        match self {
            Self::Sqlite(pool) => {
                let row = statement.sqlite().fetch_optional(pool).await.map_err(failed)?;
                Ok(row.map(|row| Row(Either::Sqlite(row))))
            }
            Self::Postgres { pool, patience } => {
                let row = patiently(*patience, || statement.clone().postgres().fetch_optional(pool)).await?;
                Ok(row.map(|row| Row(Either::Postgres(row))))
            }
        }
    }

    pub(crate) async fn all(&self, statement: Statement) -> Result<Vec<Row>, StoreError> {
        match self {
            Self::Sqlite(pool) => {
                let rows = statement.sqlite().fetch_all(pool).await.map_err(failed)?;
                Ok(rows.into_iter().map(|row| Row(Either::Sqlite(row))).collect())
            }
            Self::Postgres { pool, patience } => {
                let rows = patiently(*patience, || statement.clone().postgres().fetch_all(pool)).await?;
                Ok(rows.into_iter().map(|row| Row(Either::Postgres(row))).collect())
            }
        }
    }
}

/// Reads again while the server is away.
async fn patiently<T, F>(patience: Duration, read: impl Fn() -> F) -> Result<T, StoreError>
where
    F: Future<Output = Result<T, sqlx::Error>>,
{
    let begun = Instant::now();
    loop {
        let error = match read().await {
            Ok(value) => return Ok(value),
            Err(error) => failed(error),
        };
        if trouble(&error) != Trouble::Lost || begun.elapsed() >= patience {
            return Err(error);
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}
