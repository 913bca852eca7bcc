//! Files that people gave or agents made: rows in the database, and their bytes by content — on disk beside SQLite, in a table of
//! PostgreSQL, where every node sees them.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mercer_graph::StoreError;
use mercer_shop::{FileMeta, Files, NewFile, StorageError, Stored, TenantId};
use sha2::{Digest, Sha256};

use crate::Store;
use crate::db::{Columns, Row, sql as query};
use crate::error::{disk, storage, stored};
use crate::rows::{nanoseconds, number};
use crate::sql;

/// The files of a store. The same bytes are kept once, however often they are put.
#[derive(Debug, Clone)]
pub struct FileStore {
    store: Store,
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
    pub(crate) fn new(store: Store) -> Self {
        Self { store }
    }

    async fn write(&self, file: NewFile) -> Result<FileMeta, StorageError> {
        let id = format!("fil_{}", uuid::Uuid::now_v7().simple());
        let content = Arc::clone(&file.content);
        let (folder, own) = (self.store.shared.folder.clone(), id.clone());
        let hashed = tokio::task::spawn_blocking(move || {
            let sha256 = hash(&content);
            match folder {
                Some(folder) => keep(&place(&folder.path, &sha256), &content, &own).map(|()| sha256),
                None => Ok(sha256),
            }
        });
        let sha256 = hashed.await.unwrap_or_else(|panic| Err(std::io::Error::other(panic))).map_err(disk)?;
        let meta = FileMeta {
            id,
            tenant: file.tenant,
            media_type: file.media_type,
            name: file.name,
            bytes: u64::try_from(file.content.len()).unwrap_or(u64::MAX),
            sha256,
            created: file.created,
        };
        self.insert(meta.clone(), file.content).await.map_err(storage)?;
        Ok(meta)
    }

    async fn insert(&self, meta: FileMeta, content: Arc<[u8]>) -> Result<(), StoreError> {
        let (bytes, created) = (number(meta.bytes, "a file")?, nanoseconds(meta.created)?);
        let in_table = self.store.shared.folder.is_none();
        let work = self.store.transaction(move |tx| {
            let row = query(sql::INSERT_FILE)
                .bind(meta.id.as_str())
                .bind(meta.tenant.as_str())
                .bind(meta.sha256.as_str())
                .bind(meta.media_type.as_str())
                .bind(meta.name.as_str())
                .bind(bytes)
                .bind(created);
            let blob = in_table.then(|| query(sql::INSERT_BLOB).bind(meta.sha256.as_str()).bind(&*content));
            Box::pin(async move {
                if let Some(blob) = blob {
                    tx.execute(blob).await?;
                }
                tx.execute(row).await.map(drop)
            })
        });
        work.await
    }

    async fn read(&self, tenant: &TenantId, id: &str) -> Result<Option<(FileMeta, Arc<[u8]>)>, StorageError> {
        let found = self.store.shared.readers.one(query(sql::FILE).bind(id).bind(tenant.as_str())).await;
        let Some(row) = found.map_err(storage)? else { return Ok(None) };
        let meta = meta(&row).map_err(storage)?;
        let bytes = match &self.store.shared.folder {
            Some(folder) => tokio::fs::read(place(&folder.path, &meta.sha256)).await.map_err(disk)?,
            None => self.blob(&meta.sha256).await.map_err(storage)?,
        };
        if hash(&bytes) != meta.sha256 {
            return Err(StorageError::Failed(format!("the bytes of {id} were changed or damaged")));
        }
        Ok(Some((meta, bytes.into())))
    }

    async fn blob(&self, sha256: &str) -> Result<Vec<u8>, StoreError> {
        let row = self.store.shared.readers.one(query(sql::BLOB).bind(sha256)).await?;
        row.map_or_else(|| Err(stored("file")), |row| Columns::of(&row).take())
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

fn meta(row: &Row) -> Result<FileMeta, StoreError> {
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
