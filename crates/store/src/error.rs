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
    /// A newer program wrote the database.
    #[error("the database in {} has schema {found}, and this program knows schemas up to {known}; use a newer Mercer", folder.display())]
    Newer {
        /// The folder.
        folder: PathBuf,
        /// The database's schema.
        found: i64,
        /// The newest schema this program knows.
        known: i64,
    },
    /// The database refused.
    #[error("the database in {} cannot be opened", folder.display())]
    Database {
        /// The folder.
        folder: PathBuf,
        /// Why.
        #[source]
        source: sqlx::Error,
    },
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
