//! Where Mercer keeps its facts: one folder with a SQLite database and the files beside it, or one PostgreSQL database.
//!
//! [`Store`] implements the engine's [`Checkpointer`](mercer_graph::Checkpointer) on either; its [`FileStore`] and [`ImportStore`]
//! implement the shop's traits. Writers take whatever batches are waiting and commit them in one transaction (group commit), so
//! that many threads share one `fsync`. Reads go to a pool of their own. sqlx is in this crate and nowhere else.
//!
//! # A module with tables of its own
//!
//! 1. *Tables.* Add `migrations/000N_name.sql` with the next free number and a line at the end of `MIGRATIONS` in `schema.rs`. It is
//!    written once, in SQLite's words: `INTEGER PRIMARY KEY` for a number the database gives, `INTEGER`, `TEXT`, `BLOB`, `STRICT` or
//!    `STRICT, WITHOUT ROWID`, plain indexes; for PostgreSQL these words are replaced. Times are `INTEGER` nanoseconds, truth values
//!    0 and 1, JSON is `TEXT`. A migration that was released is never changed.
//! 2. *Statements.* `sql("SELECT … WHERE tenant = $1").bind(tenant)` ([`db::sql`]): one text for both databases, `$1` for values,
//!    `INSERT … ON CONFLICT (key) DO UPDATE SET x = excluded.x`, no functions of one database alone. Rows are read with
//!    [`db::Columns`].
//! 3. *One transaction.* `store.transaction(move |tx| Box::pin(async move { … }))` ([`Store::transaction`]): load rows through `tx`,
//!    call a pure function, write rows through `tx`, return its value. All of it happens or nothing. A refusal is an ordinary value
//!    (`Ok(Err(refusal))`) of a function that wrote nothing, or an `Err` that undoes what was written. The function may run again,
//!    after a deadlock or a lost connection, so it captures what it needs and clones it for each run.
//! 4. *Who waits for whom.* What is decided from rows that were read needs `tx.lock("desk tenant order")` first: over PostgreSQL
//!    several processes write at once, and the lock lets one at a time go on under that name until its transaction ends. SQLite has one
//!    writer, so there it costs nothing. Or let the row have a version and update it `WHERE id = $1 AND version = $2`.
//! 5. *Reads.* `store.shared.readers.one(statement)` and `.all(statement)`, outside of any transaction.
//!
//! `imports.rs` is a small example of all five.

mod checkpointer;
pub mod db;
mod error;
mod fence;
mod files;
mod folder;
mod imports;
mod read;
mod rows;
mod schema;
mod sql;
mod store;
#[cfg(feature = "testing")]
pub mod testing;
mod transaction;
mod write;
mod writer;

pub use error::OpenError;
pub use files::FileStore;
pub use imports::ImportStore;
pub use store::{PostgresOptions, Safety, Store};
pub use transaction::Working;

/// The store by its former name.
pub type SqliteStore = Store;
