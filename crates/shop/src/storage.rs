//! What a shop keeps besides threads, seen through one trait a concern. `mercer-store` implements them; so do small in-memory forms here,
//! so that everything above can be tested without a database.

use std::collections::BTreeMap;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::TenantId;

/// A boxed future, so that the traits can be held as `dyn`.
pub type Stored<'a, T> = Pin<Box<dyn Future<Output = Result<T, StorageError>> + Send + 'a>>;

/// Why something could not be stored or read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StorageError {
    /// The storage behind the trait failed; the text is for the operator.
    #[error("storage failed: {0}")]
    Failed(String),
    /// The disk has no room.
    #[error("the disk is full")]
    Full,
}

/// What is known of a stored file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileMeta {
    /// Opaque id, `fil_…`.
    pub id: String,
    /// Whose file it is.
    pub tenant: TenantId,
    /// Media type by content, such as `image/jpeg`.
    pub media_type: String,
    /// The name it was uploaded with; shown, never opened.
    pub name: String,
    /// Size in bytes.
    pub bytes: u64,
    /// SHA-256 of the content, lower-case hex.
    pub sha256: String,
    /// When it was stored.
    pub created: Timestamp,
}

/// A file to store.
#[derive(Clone)]
pub struct NewFile {
    /// Whose file it is.
    pub tenant: TenantId,
    /// Media type by content.
    pub media_type: String,
    /// The name it was uploaded with.
    pub name: String,
    /// The content.
    pub content: Arc<[u8]>,
    /// When it arrives.
    pub created: Timestamp,
}

impl fmt::Debug for NewFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NewFile")
            .field("tenant", &self.tenant)
            .field("media_type", &self.media_type)
            .field("name", &self.name)
            .field("bytes", &self.content.len())
            .finish_non_exhaustive()
    }
}

/// Uploaded files, fetched by opaque id.
pub trait Files: Send + Sync + fmt::Debug {
    /// Stores a file and names it.
    fn put(&self, file: NewFile) -> Stored<'_, FileMeta>;

    /// A tenant's file and its content; `None` when the tenant has none of that id, also when another tenant has.
    fn get<'a>(&'a self, tenant: &'a TenantId, id: &'a str) -> Stored<'a, Option<File>>;
}

/// How far an import has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ImportState {
    /// Reading, or waiting for its turn; an import found so at start was cut off and starts over.
    Running,
    /// The catalogue was swapped.
    Done,
    /// Nothing was changed; the report says why.
    Failed,
    /// Stopped by a person; nothing was changed.
    Cancelled,
}

/// One import of products, with its request and its report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportRow {
    /// Opaque id, `imp_…`.
    pub id: String,
    /// Whose catalogue it fills.
    pub tenant: TenantId,
    /// How far it is.
    pub state: ImportState,
    /// What was asked, as JSON of the program that runs it: source, format, mapping, currency.
    pub request: serde_json::Value,
    /// What came out: counts, problems by kind, samples, the error.
    pub report: serde_json::Value,
    /// When it was asked for.
    pub created: Timestamp,
    /// When it changed last.
    pub updated: Timestamp,
}

/// The imports of all tenants.
pub trait Imports: Send + Sync + fmt::Debug {
    /// Writes a row, replacing the one of the same id.
    fn save(&self, row: ImportRow) -> Stored<'_, ()>;

    /// A tenant's import.
    fn get<'a>(&'a self, tenant: &'a TenantId, id: &'a str) -> Stored<'a, Option<ImportRow>>;

    /// A tenant's imports, newest first; `before` is the id to go on after.
    fn list<'a>(&'a self, tenant: &'a TenantId, limit: usize, before: Option<&'a str>) -> Stored<'a, Vec<ImportRow>>;

    /// The imports of every tenant that were cut off while running.
    fn unfinished(&self) -> Stored<'_, Vec<ImportRow>>;
}

/// A file's record and content.
pub type File = (FileMeta, Arc<[u8]>);

/// Files and imports in memory, for tests and for a look without a data folder.
#[derive(Debug, Default)]
pub struct InMemory {
    files: Mutex<BTreeMap<String, File>>,
    imports: Mutex<BTreeMap<String, ImportRow>>,
}

impl Files for InMemory {
    fn put(&self, file: NewFile) -> Stored<'_, FileMeta> {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        let meta = FileMeta {
            id: format!("fil_{:08}", files.len()),
            tenant: file.tenant,
            media_type: file.media_type,
            name: file.name,
            bytes: file.content.len() as u64,
            sha256: String::new(),
            created: file.created,
        };
        files.insert(meta.id.clone(), (meta.clone(), file.content));
        Box::pin(std::future::ready(Ok(meta)))
    }

    fn get<'a>(&'a self, tenant: &'a TenantId, id: &'a str) -> Stored<'a, Option<File>> {
        let files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        let found = files.get(id).filter(|(meta, _)| meta.tenant == *tenant).cloned();
        Box::pin(std::future::ready(Ok(found)))
    }
}

impl Imports for InMemory {
    fn save(&self, row: ImportRow) -> Stored<'_, ()> {
        let mut imports = self.imports.lock().unwrap_or_else(PoisonError::into_inner);
        imports.insert(row.id.clone(), row);
        Box::pin(std::future::ready(Ok(())))
    }

    fn get<'a>(&'a self, tenant: &'a TenantId, id: &'a str) -> Stored<'a, Option<ImportRow>> {
        let imports = self.imports.lock().unwrap_or_else(PoisonError::into_inner);
        let found = imports.get(id).filter(|row| row.tenant == *tenant).cloned();
        Box::pin(std::future::ready(Ok(found)))
    }

    fn list<'a>(&'a self, tenant: &'a TenantId, limit: usize, before: Option<&'a str>) -> Stored<'a, Vec<ImportRow>> {
        let imports = self.imports.lock().unwrap_or_else(PoisonError::into_inner);
        let newest_first = imports.values().rev().filter(|row| row.tenant == *tenant);
        let rows =
            newest_first.filter(|row| before.is_none_or(|id| row.id.as_str() < id)).take(limit).cloned().collect();
        Box::pin(std::future::ready(Ok(rows)))
    }

    fn unfinished(&self) -> Stored<'_, Vec<ImportRow>> {
        let imports = self.imports.lock().unwrap_or_else(PoisonError::into_inner);
        let rows = imports.values().filter(|row| row.state == ImportState::Running).cloned().collect();
        Box::pin(std::future::ready(Ok(rows)))
    }
}
