//! Files that people gave or agents made: bytes by content on disk, rows in the database.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mercer_graph::StoreError;
use mercer_shop::{FileMeta, Files, NewFile, StorageError, Stored, TenantId};
use sha2::{Digest, Sha256};
use sqlx::sqlite::SqliteRow;
use sqlx::{SqliteConnection, query};

use crate::error::{disk, failed, storage};
use crate::rows::{Columns, nanoseconds, number};
use crate::sql;
use crate::sqlite::SqliteStore;
use crate::writer::Change;

/// The files of a data folder. The same bytes are kept once, however often they are put.
#[derive(Debug, Clone)]
pub struct FileStore {
    store: SqliteStore,
}

fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |mut text, byte| {
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
    std::fs::rename(&draft, path)?;
    // The new name is durable once its folder is.
    std::fs::File::open(shelf)?.sync_all()
}

impl FileStore {
    pub(crate) fn new(store: SqliteStore) -> Self {
        Self { store }
    }

    async fn write(&self, file: NewFile) -> Result<FileMeta, StorageError> {
        let folder = self.store.shared.folder.path.clone();
        let id = format!("fil_{}", uuid::Uuid::now_v7().simple());
        let (content, own) = (Arc::clone(&file.content), id.clone());
        let kept = tokio::task::spawn_blocking(move || {
            let sha256 = hash(&content);
            keep(&place(&folder, &sha256), &content, &own).map(|()| sha256)
        });
        let sha256 = kept.await.unwrap_or_else(|panic| Err(std::io::Error::other(panic))).map_err(disk)?;
        let meta = FileMeta {
            id,
            tenant: file.tenant,
            media_type: file.media_type,
            name: file.name,
            bytes: u64::try_from(file.content.len()).unwrap_or(u64::MAX),
            sha256,
            created: file.created,
        };
        self.store.change(Change::File(meta.clone())).await.map_err(storage)?;
        Ok(meta)
    }

    async fn read(&self, tenant: &TenantId, id: &str) -> Result<Option<(FileMeta, Arc<[u8]>)>, StorageError> {
        let found = query(sql::FILE).bind(id).bind(tenant.as_str()).fetch_optional(&self.store.shared.readers).await;
        let Some(row) = found.map_err(|error| storage(failed(error)))? else { return Ok(None) };
        let meta = meta(&row).map_err(storage)?;
        let bytes = tokio::fs::read(place(&self.store.shared.folder.path, &meta.sha256)).await.map_err(disk)?;
        if hash(&bytes) != meta.sha256 {
            return Err(StorageError::Failed(format!("the bytes of {id} were changed or damaged")));
        }
        Ok(Some((meta, bytes.into())))
    }
}

impl Files for FileStore {
    fn put(&self, file: NewFile) -> Stored<'_, FileMeta> {
        Box::pin(self.write(file))
    }

    fn get<'a>(&'a self, tenant: &'a TenantId, id: &'a str) -> Stored<'a, Option<(FileMeta, Arc<[u8]>)>> {
        Box::pin(self.read(tenant, id))
    }
}

pub(crate) async fn insert(connection: &mut SqliteConnection, meta: &FileMeta) -> Result<(), StoreError> {
    let file = query(sql::INSERT_FILE)
        .bind(meta.id.as_str())
        .bind(meta.tenant.as_str())
        .bind(meta.sha256.as_str())
        .bind(meta.media_type.as_str())
        .bind(meta.name.as_str())
        .bind(number(meta.bytes, "a file")?)
        .bind(nanoseconds(meta.created)?);
    file.execute(connection).await.map(drop).map_err(failed)
}

fn meta(row: &SqliteRow) -> Result<FileMeta, StoreError> {
    let mut columns = Columns::of(row);
    Ok(FileMeta {
        id: columns.take()?,
        tenant: columns.parsed("tenant")?,
        sha256: columns.take()?,
        media_type: columns.take()?,
        name: columns.take()?,
        bytes: columns.number("file size")?,
        created: columns.time()?,
    })
}
