//! Imports of products, remembered across restarts.

use mercer_graph::StoreError;
use mercer_shop::{ImportRow, ImportState, Imports, Stored, TenantId};

use crate::Store;
use crate::db::{Columns, Row, sql as query};
use crate::error::{storage, stored};
use crate::rows::{nanoseconds, number};
use crate::sql;

/// The imports of a store.
#[derive(Debug, Clone)]
pub struct ImportStore {
    store: Store,
}

impl ImportStore {
    pub(crate) fn new(store: Store) -> Self {
        Self { store }
    }

    async fn put(&self, row: ImportRow) -> Result<(), StoreError> {
        let (created, updated) = (nanoseconds(row.created)?, nanoseconds(row.updated)?);
        let work = self.store.transaction(move |tx| {
            let import = query(sql::PUT_IMPORT)
                .bind(row.id.as_str())
                .bind(row.tenant.as_str())
                .bind(name(row.state))
                .bind(created)
                .bind(updated)
                .bind(row.request.to_string())
                .bind(row.report.to_string());
            Box::pin(async move { tx.execute(import).await.map(drop) })
        });
        work.await
    }

    async fn one(&self, tenant: &TenantId, id: &str) -> Result<Option<ImportRow>, StoreError> {
        let found = self.store.shared.readers.one(query(sql::IMPORT).bind(id).bind(tenant.as_str())).await?;
        found.as_ref().map(read).transpose()
    }

    async fn page(&self, tenant: &TenantId, limit: usize, before: Option<&str>) -> Result<Vec<ImportRow>, StoreError> {
        let listed = query(sql::IMPORTS).bind(tenant.as_str()).bind(number(limit, "a limit")?).bind(before);
        let rows = self.store.shared.readers.all(listed).await?;
        rows.iter().map(read).collect()
    }

    async fn running(&self) -> Result<Vec<ImportRow>, StoreError> {
        let rows = self.store.shared.readers.all(query(sql::IMPORTS_RUNNING)).await?;
        rows.iter().map(read).collect()
    }
}

impl Imports for ImportStore {
    fn save(&self, row: ImportRow) -> Stored<'_, ()> {
        Box::pin(async move { self.put(row).await.map_err(storage) })
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

fn read(row: &Row) -> Result<ImportRow, StoreError> {
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
