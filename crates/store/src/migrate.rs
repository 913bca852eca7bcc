//! Brings a database to this program's schema when it is opened, and refuses one that a newer program wrote.

use sqlx::{Row, SqliteConnection};

/// The migrations; each ends by setting `user_version` to its number. One that was released is never changed.
const MIGRATIONS: [&str; 1] = [include_str!("../migrations/0001_engine.sql")];

/// What is wrong with a database's schema.
pub(crate) enum Refused {
    Newer { found: i64, known: i64 },
    Database(sqlx::Error),
}

impl From<sqlx::Error> for Refused {
    fn from(error: sqlx::Error) -> Self {
        Self::Database(error)
    }
}

pub(crate) async fn migrate(connection: &mut SqliteConnection) -> Result<(), Refused> {
    let known = i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX);
    let found: i64 = sqlx::query("PRAGMA user_version").fetch_one(&mut *connection).await?.try_get(0)?;
    if found > known {
        return Err(Refused::Newer { found, known });
    }
    let done = usize::try_from(found).unwrap_or_default();
    for migration in MIGRATIONS.into_iter().skip(done) {
        sqlx::query("BEGIN IMMEDIATE").execute(&mut *connection).await?;
        sqlx::raw_sql(migration).execute(&mut *connection).await?;
        sqlx::query("COMMIT").execute(&mut *connection).await?;
    }
    Ok(())
}
