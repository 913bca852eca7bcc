//! Imports of products, remembered across restarts.

use mercer_graph::StoreError;
use mercer_shop::{ImportRow, ImportState, Imports, Stored, TenantId};
use sqlx::sqlite::SqliteRow;
use sqlx::{SqliteConnection, query};

use crate::error::{failed, storage, stored};
use crate::rows::{Columns, nanoseconds, number};
use crate::sql;
use crate::sqlite::SqliteStore;
use crate::writer::Change;

/// The imports of a data folder.
#[derive(Debug, Clone)]
pub struct ImportStore {
    store: SqliteStore,
}

impl ImportStore {
    pub(crate) fn new(store: SqliteStore) -> Self {
        Self { store }
    }

    async fn one(&self, tenant: &TenantId, id: &str) -> Result<Option<ImportRow>, StoreError> {
        let found = query(sql::IMPORT).bind(id).bind(tenant.as_str()).fetch_optional(&self.store.shared.readers).await;
        found.map_err(failed)?.as_ref().map(read).transpose()
    }

    async fn page(&self, tenant: &TenantId, limit: usize, before: Option<&str>) -> Result<Vec<ImportRow>, StoreError> {
        let listed = query(sql::IMPORTS).bind(tenant.as_str()).bind(number(limit, "a limit")?).bind(before);
        let rows = listed.fetch_all(&self.store.shared.readers).await.map_err(failed)?;
        rows.iter().map(read).collect()
    }

    async fn running(&self) -> Result<Vec<ImportRow>, StoreError> {
        let rows = query(sql::IMPORTS_RUNNING).fetch_all(&self.store.shared.readers).await.map_err(failed)?;
        rows.iter().map(read).collect()
    }
}

impl Imports for ImportStore {
    fn save(&self, row: ImportRow) -> Stored<'_, ()> {
        Box::pin(async move { self.store.change(Change::Import(row)).await.map_err(storage) })
    }

    fn get<'a>(&'a self, tenant: &'a TenantId, id: &'a str) -> Stored<'a, Option<ImportRow>> {
        Box::pin(async move { self.one(tenant, id).await.map_err(storage) })
    }

    fn list<'a>(&'a self, tenant: &'a TenantId, limit: usize, before: Option<&'a str>) -> Stored<'a, Vec<ImportRow>> {
        Box::pin(async move { self.page(tenant, limit, before).await.map_err(storage) })
    }

    fn unfinished(&self) -> Stored<'_, Vec<ImportRow>> {
        Box::pin(async move { self.running().await.map_err(storage) })
    }
}

fn name(state: ImportState) -> &'static str {
    match state {
        ImportState::Running => "running",
        ImportState::Done => "done",
        ImportState::Failed => "failed",
        ImportState::Cancelled => "cancelled",
    }
}

fn state(stored_name: &str) -> Option<ImportState> {
    let all = [ImportState::Running, ImportState::Done, ImportState::Failed, ImportState::Cancelled];
    all.into_iter().find(|state| name(*state) == stored_name)
}

pub(crate) async fn put(connection: &mut SqliteConnection, row: &ImportRow) -> Result<(), StoreError> {
    let import = query(sql::PUT_IMPORT)
        .bind(row.id.as_str())
        .bind(row.tenant.as_str())
        .bind(name(row.state))
        .bind(nanoseconds(row.created)?)
        .bind(nanoseconds(row.updated)?)
        .bind(row.request.to_string())
        .bind(row.report.to_string());
    import.execute(connection).await.map(drop).map_err(failed)
}

fn read(row: &SqliteRow) -> Result<ImportRow, StoreError> {
    let mut columns = Columns::of(row);
    Ok(ImportRow {
        id: columns.take()?,
        tenant: columns.parsed("tenant")?,
        state: state(columns.take()?).ok_or_else(|| stored("import state"))?,
        created: columns.time()?,
        updated: columns.time()?,
        request: columns.json("request")?,
        report: columns.json("report")?,
    })
}
