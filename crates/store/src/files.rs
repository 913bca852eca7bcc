//! Files that people gave or agents made: bytes by content on disk, rows in the database.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use mercer_graph::StoreError;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use sqlx::sqlite::SqliteRow;
use sqlx::{SqliteConnection, query};

use crate::error::failed;
use crate::rows::{Columns, nanoseconds, number};
use crate::sql;
use crate::sqlite::SqliteStore;
use crate::writer::Change;

/// A file's identity, `fil_…`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct FileId(String);

impl FileId {
    fn fresh() -> Self {
        Self(format!("fil_{}", uuid::Uuid::now_v7().simple()))
    }

    /// The identity as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for FileId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::str::FromStr for FileId {
    type Err = FileError;

    fn from_str(text: &str) -> Result<Self, FileError> {
        match text.strip_prefix("fil_") {
            Some(rest) if !rest.is_empty() && rest.len() <= 64 && rest.chars().all(|c| c.is_ascii_alphanumeric()) => {
                Ok(Self(text.to_owned()))
            }
            _ => Err(FileError::NotAnId(text.chars().take(80).collect())),
        }
    }
}

impl TryFrom<String> for FileId {
    type Error = FileError;

    fn try_from(text: String) -> Result<Self, FileError> {
        text.parse()
    }
}

impl From<FileId> for String {
    fn from(id: FileId) -> Self {
        id.0
    }
}

/// Why a file cannot be put or got.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The text is not a file id.
    #[error("{0:?} is not a file id")]
    NotAnId(String),
    /// There is no such file.
    #[error("there is no file {0}")]
    Missing(FileId),
    /// The bytes on disk are not those that were put.
    #[error("the bytes of {0} were changed or damaged")]
    Damaged(FileId),
    /// The disk refused.
    #[error("the bytes of a file could not be {doing}")]
    Disk {
        /// `read` or `written`.
        doing: &'static str,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// The database refused.
    #[error("the row of a file could not be read or written")]
    Store(#[from] StoreError),
}

/// What is known of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileMeta {
    /// Its identity.
    pub id: FileId,
    /// The shop it belongs to.
    pub tenant: String,
    /// The hash of its bytes, in hexadecimal.
    pub sha256: String,
    /// Its media type, as its putter determined it.
    pub media_type: String,
    /// The name it came with; shown, never used as a path.
    pub name: Option<String>,
    /// Its size.
    pub bytes: u64,
    /// When it was put.
    pub created: Timestamp,
}

/// The files of a data folder. The same bytes are kept once, however often they are put.
#[derive(Debug, Clone)]
pub struct FileStore {
    store: SqliteStore,
}

fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _infallible = write!(text, "{byte:02x}");
        text
    })
}

fn place(folder: &Path, sha256: &str) -> PathBuf {
    let shelf: String = sha256.chars().take(2).collect();
    folder.join("files").join(shelf).join(sha256)
}

/// Writes bytes under their hash: to a name of its own first, then renamed, so that a file is there whole or not at all.
fn keep(path: &Path, bytes: &[u8], own: &str) -> std::io::Result<()> {
    if path.exists() {
        return Ok(());
    }
    let shelf = path.parent().unwrap_or(path);
    std::fs::create_dir_all(shelf)?;
    let draft = shelf.join(own);
    let mut file = std::fs::File::create(&draft)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    std::fs::rename(&draft, path)
}

impl FileStore {
    pub(crate) fn new(store: SqliteStore) -> Self {
        Self { store }
    }

    /// Keeps a file.
    ///
    /// # Errors
    /// [`FileError::Disk`] and [`FileError::Store`].
    pub async fn put(
        &self,
        bytes: Vec<u8>,
        media_type: &str,
        name: Option<&str>,
        tenant: &str,
    ) -> Result<FileMeta, FileError> {
        let meta = FileMeta {
            id: FileId::fresh(),
            tenant: tenant.to_owned(),
            sha256: hex(&Sha256::digest(&bytes)),
            media_type: media_type.to_owned(),
            name: name.map(str::to_owned),
            bytes: u64::try_from(bytes.len()).unwrap_or(u64::MAX),
            created: Timestamp::now(),
        };
        let path = place(&self.store.shared.folder.path, &meta.sha256);
        let own = meta.id.to_string();
        let kept = tokio::task::spawn_blocking(move || keep(&path, &bytes, &own)).await;
        kept.unwrap_or_else(|panic| Err(std::io::Error::other(panic)))
            .map_err(|source| FileError::Disk { doing: "written", source })?;
        self.store.change(Change::File(meta.clone())).await?;
        Ok(meta)
    }

    /// What is known of a file; `None` when there is none of that id.
    ///
    /// # Errors
    /// [`FileError::Store`].
    pub async fn meta(&self, id: &FileId) -> Result<Option<FileMeta>, FileError> {
        let row =
            query(sql::FILE).bind(id.as_str()).fetch_optional(&self.store.shared.readers).await.map_err(failed)?;
        Ok(row.as_ref().map(read).transpose()?)
    }

    /// A file with its bytes, checked against their hash.
    ///
    /// # Errors
    /// [`FileError::Missing`], [`FileError::Damaged`], [`FileError::Disk`] and [`FileError::Store`].
    pub async fn get(&self, id: &FileId) -> Result<(FileMeta, Vec<u8>), FileError> {
        let meta = self.meta(id).await?.ok_or_else(|| FileError::Missing(id.clone()))?;
        let path = place(&self.store.shared.folder.path, &meta.sha256);
        let bytes = tokio::fs::read(path).await.map_err(|source| FileError::Disk { doing: "read", source })?;
        if hex(&Sha256::digest(&bytes)) != meta.sha256 {
            return Err(FileError::Damaged(id.clone()));
        }
        Ok((meta, bytes))
    }
}

pub(crate) async fn insert(connection: &mut SqliteConnection, meta: &FileMeta) -> Result<(), StoreError> {
    let file = query(sql::INSERT_FILE)
        .bind(meta.id.as_str())
        .bind(meta.tenant.as_str())
        .bind(meta.sha256.as_str())
        .bind(meta.media_type.as_str())
        .bind(meta.name.as_deref())
        .bind(number(meta.bytes, "a file")?)
        .bind(nanoseconds(meta.created)?);
    file.execute(connection).await.map(drop).map_err(failed)
}

fn read(row: &SqliteRow) -> Result<FileMeta, StoreError> {
    let mut columns = Columns::of(row);
    Ok(FileMeta {
        id: columns.parsed("file id")?,
        tenant: columns.take()?,
        sha256: columns.take()?,
        media_type: columns.take()?,
        name: columns.take()?,
        bytes: columns.number("file size")?,
        created: columns.time()?,
    })
}
