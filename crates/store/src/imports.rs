//! Imports of product feeds, as their progress is remembered across restarts.

use jiff::Timestamp;
use mercer_graph::StoreError;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::sqlite::SqliteRow;
use sqlx::{SqliteConnection, query};

use crate::error::{failed, stored};
use crate::rows::{Columns, nanoseconds, number};
use crate::sql;
use crate::sqlite::SqliteStore;
use crate::writer::Change;

/// Where an import stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ImportState {
    /// It reads rows.
    Running,
    /// Its products are on sale.
    Done,
    /// It gave up; the catalogue is as it was.
    Failed,
    /// It was cancelled; the catalogue is as it was.
    Cancelled,
}

impl ImportState {
    const ALL: [Self; 4] = [Self::Running, Self::Done, Self::Failed, Self::Cancelled];

    /// Its stored name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }
}

/// An import.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ImportRow {
    /// Its identity, `imp_…`.
    pub id: String,
    /// The shop.
    pub tenant: String,
    /// Where it stands.
    pub state: ImportState,
    /// When it began.
    pub created: Timestamp,
    /// When it last changed.
    pub updated: Timestamp,
    /// How far it is, in the words of whoever imports.
    pub progress: Value,
    /// What came of it.
    pub report: Option<Value>,
}

/// The imports of a data folder.
#[derive(Debug, Clone)]
pub struct Imports {
    store: SqliteStore,
}

impl Imports {
    pub(crate) fn new(store: SqliteStore) -> Self {
        Self { store }
    }

    /// A new identity.
    #[must_use]
    pub fn fresh_id() -> String {
        format!("imp_{}", uuid::Uuid::now_v7().simple())
    }

    /// Writes an import's row, whether it is new or not.
    ///
    /// # Errors
    /// The database's failure.
    pub async fn put(&self, row: ImportRow) -> Result<(), StoreError> {
        self.store.change(Change::Import(row)).await
    }

    /// An import.
    ///
    /// # Errors
    /// The database's failure.
    pub async fn get(&self, id: &str) -> Result<Option<ImportRow>, StoreError> {
        let row = query(sql::IMPORT).bind(id).fetch_optional(&self.store.shared.readers).await.map_err(failed)?;
        row.as_ref().map(read).transpose()
    }

    /// A tenant's imports, the newest first.
    ///
    /// # Errors
    /// The database's failure.
    pub async fn list(&self, tenant: &str, limit: usize) -> Result<Vec<ImportRow>, StoreError> {
        let listed = query(sql::IMPORTS).bind(tenant).bind(number(limit, "a limit")?);
        let rows = listed.fetch_all(&self.store.shared.readers).await.map_err(failed)?;
        rows.iter().map(read).collect()
    }
}

pub(crate) async fn put(connection: &mut SqliteConnection, row: &ImportRow) -> Result<(), StoreError> {
    let text = |value: &Value| value.to_string();
    let import = query(sql::PUT_IMPORT)
        .bind(row.id.as_str())
        .bind(row.tenant.as_str())
        .bind(row.state.as_str())
        .bind(nanoseconds(row.created)?)
        .bind(nanoseconds(row.updated)?)
        .bind(text(&row.progress))
        .bind(row.report.as_ref().map(text));
    import.execute(connection).await.map(drop).map_err(failed)
}

fn read(row: &SqliteRow) -> Result<ImportRow, StoreError> {
    let mut columns = Columns::of(row);
    Ok(ImportRow {
        id: columns.take()?,
        tenant: columns.take()?,
        state: {
            let name: &str = columns.take()?;
            ImportState::ALL.into_iter().find(|state| state.as_str() == name).ok_or_else(|| stored("import state"))?
        },
        created: columns.time()?,
        updated: columns.time()?,
        progress: columns.json("progress")?,
        report: columns
            .take::<Option<&str>>()?
            .map(|text| serde_json::from_str(text).ok().ok_or_else(|| stored("report")))
            .transpose()?,
    })
}
