//! One SQL text with its values, for either database.

use sqlx::postgres::PgArguments;
use sqlx::query::Query;
use sqlx::sqlite::SqliteArguments;
use sqlx::{Postgres, Sqlite};

/// A value that is bound to a statement: a number, a text or bytes, or the absence of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// A number, or none.
    Number(Option<i64>),
    /// A text, or none.
    Text(Option<String>),
    /// Bytes, or none.
    Bytes(Option<Vec<u8>>),
}

macro_rules! from {
    ($($type:ty => $variant:ident($value:ident => $owned:expr);)*) => {$(
        impl From<$type> for Value {
            fn from($value: $type) -> Self {
                Self::$variant(Some($owned))
            }
        }

        impl From<Option<$type>> for Value {
            fn from(value: Option<$type>) -> Self {
                Self::$variant(value.map(|$value| $owned))
            }
        }
    )*};
}

from! {
    i64 => Number(value => value);
    u32 => Number(value => i64::from(value));
    String => Text(value => value);
    &str => Text(value => value.to_owned());
    &String => Text(value => value.clone());
    Vec<u8> => Bytes(value => value);
    &[u8] => Bytes(value => value.to_vec());
}

/// A statement with its values. Its text is written once for both databases: `$1`, `$2` … for the values, and only what SQLite and
/// PostgreSQL understand alike. Values are never part of the text.
#[derive(Debug, Clone)]
pub struct Statement {
    text: &'static str,
    locking: &'static str,
    values: Vec<Value>,
}

/// A statement without values yet.
#[must_use]
pub fn sql(text: &'static str) -> Statement {
    Statement { text, locking: text, values: Vec::new() }
}

/// A query in its two forms: the second one locks the rows it reads until the transaction ends, on a database that has several
/// writers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Locking {
    pub(crate) plain: &'static str,
    pub(crate) locking: &'static str,
}

impl From<Locking> for Statement {
    fn from(query: Locking) -> Self {
        Self { text: query.plain, locking: query.locking, values: Vec::new() }
    }
}

impl Statement {
    /// With the next value.
    #[must_use]
    pub fn bind(mut self, value: impl Into<Value>) -> Self {
        self.values.push(value.into());
        self
    }

    pub(super) fn sqlite(self) -> Query<'static, Sqlite, SqliteArguments> {
        self.values.into_iter().fold(sqlx::query(self.text), |query, value| match value {
            Value::Number(number) => query.bind(number),
            Value::Text(text) => query.bind(text),
            Value::Bytes(bytes) => query.bind(bytes),
        })
    }

    pub(super) fn postgres(self) -> Query<'static, Postgres, PgArguments> {
        self.values.into_iter().fold(sqlx::query(self.locking), |query, value| match value {
            Value::Number(number) => query.bind(number),
            Value::Text(text) => query.bind(text.map(storable)),
            Value::Bytes(bytes) => query.bind(bytes),
        })
    }
}

/// PostgreSQL's texts cannot hold the character NUL. Bytes and JSON are not concerned; a title or a file's name shows its picture.
fn storable(text: String) -> String {
    if text.contains('\0') { text.replace('\0', "\u{2400}") } else { text }
}
