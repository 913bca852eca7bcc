//! A row of either database, read column by column.

use jiff::Timestamp;
use mercer_graph::StoreError;
use sqlx::postgres::PgRow;
use sqlx::sqlite::SqliteRow;
use sqlx::{Decode, Postgres, Row as _, Sqlite, Type};

use crate::error::{failed, stored};

/// A row that a query gave.
pub struct Row(pub(super) Either);

pub(super) enum Either {
    Sqlite(SqliteRow),
    Postgres(PgRow),
}

impl std::fmt::Debug for Row {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match &self.0 {
            Either::Sqlite(_) => "Row(Sqlite)",
            Either::Postgres(_) => "Row(Postgres)",
        })
    }
}

/// What a column may be read as: `i64`, `String`, `&str`, `Vec<u8>`, `&[u8]`, and `Option`s of them.
pub trait Column<'a>: Decode<'a, Sqlite> + Type<Sqlite> + Decode<'a, Postgres> + Type<Postgres> {}

impl<'a, T> Column<'a> for T where T: Decode<'a, Sqlite> + Type<Sqlite> + Decode<'a, Postgres> + Type<Postgres> {}

/// Reads a row's columns from left to right.
#[derive(Debug)]
pub struct Columns<'a> {
    row: &'a Row,
    next: usize,
}

impl<'a> Columns<'a> {
    /// At the row's first column.
    #[must_use]
    pub fn of(row: &'a Row) -> Self {
        Self { row, next: 0 }
    }

    /// The next column.
    ///
    /// # Errors
    /// When it is of another type, or there is none.
    pub fn take<T: Column<'a>>(&mut self) -> Result<T, StoreError> {
        let value = match &self.row.0 {
            Either::Sqlite(row) => row.try_get(self.next),
            Either::Postgres(row) => row.try_get(self.next),
        };
        self.next += 1;
        value.map_err(failed)
    }

    /// The next column, a text that is read as a `T`.
    ///
    /// # Errors
    /// When it is none; `what` is in the message.
    pub fn parsed<T: std::str::FromStr>(&mut self, what: &'static str) -> Result<T, StoreError> {
        self.take::<&str>()?.parse().ok().ok_or_else(|| stored(what))
    }

    /// The next column, a text or nothing.
    ///
    /// # Errors
    /// As [`parsed`](Self::parsed).
    pub fn maybe<T: std::str::FromStr>(&mut self, what: &'static str) -> Result<Option<T>, StoreError> {
        let text: Option<&str> = self.take()?;
        text.map(|text| text.parse().ok().ok_or_else(|| stored(what))).transpose()
    }

    /// The next column, a number that fits into a `T`.
    ///
    /// # Errors
    /// When it does not; `what` is in the message.
    pub fn number<T: TryFrom<i64>>(&mut self, what: &'static str) -> Result<T, StoreError> {
        T::try_from(self.take::<i64>()?).ok().ok_or_else(|| stored(what))
    }

    /// The next column, a time in nanoseconds since 1970.
    ///
    /// # Errors
    /// When it is none.
    pub fn time(&mut self) -> Result<Timestamp, StoreError> {
        Timestamp::from_nanosecond(i128::from(self.take::<i64>()?)).ok().ok_or_else(|| stored("time"))
    }

    /// The next column, a text that holds JSON.
    ///
    /// # Errors
    /// When it does not hold a `T`; `what` is in the message.
    pub fn json<T: serde::de::DeserializeOwned>(&mut self, what: &'static str) -> Result<T, StoreError> {
        serde_json::from_str(self.take::<&str>()?).ok().ok_or_else(|| stored(what))
    }
}
