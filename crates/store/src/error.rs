//! Why a store cannot be opened, and how database errors are told to the engine.

use std::path::PathBuf;

use mercer_graph::StoreError;
use mercer_shop::StorageError;

/// Why a store cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Another process has the folder.
    #[error("{} is in use by another Mercer (process {owner}); stop it first, or choose another data folder", folder.display())]
    InUse {
        /// The folder.
        folder: PathBuf,
        /// The process that has it, as it wrote itself down.
        owner: String,
    },
    /// The folder cannot be made or read.
    #[error("{} cannot be used as a data folder", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// The address of a PostgreSQL database is not one. It is not repeated, for it may hold a password.
    #[error("the database's address is not of the form postgres://user:password@host:port/database")]
    Address,
    /// A newer program wrote the database.
    #[error(
        "the database in {place} has schema {found}, and this program knows schemas up to {known}; use a newer Mercer"
    )]
    Newer {
        /// The folder, or the server and the database's name.
        place: String,
        /// The database's schema.
        found: i64,
        /// The newest schema this program knows.
        known: i64,
    },
    /// The database refused.
    #[error("the database in {place} cannot be opened")]
    Database {
        /// The folder, or the server and the database's name.
        place: String,
        /// Why.
        #[source]
        source: sqlx::Error,
    },
    /// The database's tables could not be made or brought up to date; they are as they were.
    #[error("the tables of the database in {place} could not be brought up to date; they are as they were")]
    Schema {
        /// The folder, or the server and the database's name.
        place: String,
        /// Why.
        #[source]
        source: StoreError,
    },
}

/// What can be done about a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// Two transactions were in each other's way, and this one was undone: it is done again.
    Again,
    /// The connection is gone or cannot be had: another is opened.
    Lost,
    /// Nothing.
    Other,
}

/// Tells a passing failure from one that stays. The codes are PostgreSQL's (appendix A of its manual).
pub(crate) fn trouble(error: &StoreError) -> Trouble {
    let StoreError::Failed { source: Some(source), .. } = error else { return Trouble::Other };
    match source.downcast_ref::<sqlx::Error>() {
        Some(sqlx::Error::Database(error)) => match error.code().as_deref() {
            // Serialisation failure, deadlock, a row that another transaction inserted first, a lock that was not to be had.
            Some("40001" | "40P01" | "23505" | "55P03") => Trouble::Again,
            // Shutdown, crash, start, too many connections.
            Some("57P01" | "57P02" | "57P03" | "53300") => Trouble::Lost,
            Some(code) if code.starts_with("08") && code.len() == 5 => Trouble::Lost,
            _ => Trouble::Other,
        },
        Some(
            sqlx::Error::Io(_) | sqlx::Error::Protocol(_) | sqlx::Error::PoolTimedOut | sqlx::Error::WorkerCrashed,
        ) => Trouble::Lost,
        _ => Trouble::Other,
    }
}

pub(crate) fn failed(source: sqlx::Error) -> StoreError {
    StoreError::Failed { message: "the database failed".to_owned(), source: Some(Box::new(source)) }
}

pub(crate) fn stored(what: &'static str) -> StoreError {
    StoreError::failed(format!("a stored {what} cannot be read"))
}

pub(crate) fn too_large(what: &'static str) -> StoreError {
    StoreError::failed(format!("{what} is too large to be stored"))
}

#[expect(clippy::needless_pass_by_value, reason = "map_err hands errors over by value")]
pub(crate) fn storage(error: StoreError) -> StorageError {
    let cause = std::error::Error::source(&error).map(|cause| format!(": {cause}")).unwrap_or_default();
    StorageError::Failed(format!("{error}{cause}"))
}

#[expect(clippy::needless_pass_by_value, reason = "map_err hands errors over by value")]
pub(crate) fn disk(error: std::io::Error) -> StorageError {
    match error.kind() {
        std::io::ErrorKind::StorageFull => StorageError::Full,
        _ => StorageError::Failed(error.to_string()),
    }
}
