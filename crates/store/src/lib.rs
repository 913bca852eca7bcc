//! Where Mercer keeps its facts: one folder with one SQLite database and the files beside it.
//!
//! [`SqliteStore`] implements the engine's [`Checkpointer`](mercer_graph::Checkpointer); its [`FileStore`] and [`ImportStore`]
//! implement the shop's traits. One task writes: it takes whatever
//! batches are waiting and commits them in one transaction (group commit), so that many threads share one `fsync`. Reads go to a
//! pool of their own. sqlx is in this crate and nowhere else.

mod error;
mod fence;
mod files;
mod folder;
mod imports;
mod migrate;
mod read;
mod rows;
mod sql;
mod sqlite;
mod write;
mod writer;

pub use error::OpenError;
pub use files::FileStore;
pub use imports::ImportStore;
pub use sqlite::{Safety, SqliteStore};
