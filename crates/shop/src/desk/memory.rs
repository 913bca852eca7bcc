//! The desk in memory: for tests, and for replaying a set of tasks.

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::pin;
use std::sync::{Mutex, PoisonError};
use std::task::{Context, Poll, Waker};

use jiff::Timestamp;

use super::{
    Answer, Command, Desk, DeskError, Done, Imported, Kind, Mail, MailStep, OrderRules, Query, Record, Records, Row,
    Sort, execute, import_records, mail_step,
};
use crate::storage::Stored;
use crate::{CommandKey, StorageError, TenantId};

/// One tenant's records, and the place of the last one that was made.
#[derive(Debug, Default)]
struct Rows {
    by_id: BTreeMap<(Kind, String), Row>,
    last: u64,
}

/// A desk whose records are gone with it.
#[derive(Debug, Default)]
pub struct MemoryDesk {
    rules: OrderRules,
    tenants: Mutex<BTreeMap<TenantId, Rows>>,
}

impl MemoryDesk {
    /// An empty desk of a shop with these rules.
    #[must_use]
    pub fn new(rules: OrderRules) -> Self {
        Self { rules, tenants: Mutex::default() }
    }

    /// Runs something over a tenant's records as one transaction.
    fn transaction<T, E: From<StorageError>>(
        &self,
        tenant: &TenantId,
        work: impl AsyncFnOnce(&mut Transaction<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut tenants = self.tenants.lock().unwrap_or_else(PoisonError::into_inner);
        let rows = tenants.entry(tenant.clone()).or_default();
        let mut transaction = Transaction { last: rows.last, rows, written: Vec::new() };
        let result = at_once(work(&mut transaction))?;
        let Transaction { rows, written, last } = transaction;
        if result.is_ok() {
            rows.last = last;
            for row in written {
                rows.by_id.insert((row.kind, row.id.clone()), row);
            }
        }
        result
    }
}

/// The result of a future that waits for nothing; all of them here do.
fn at_once<T>(future: impl Future<Output = T>) -> Result<T, StorageError> {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(result) => Ok(result),
        Poll::Pending => Err(StorageError::Failed("the memory was waited for".to_owned())),
    }
}

struct Transaction<'a> {
    rows: &'a mut Rows,
    written: Vec<Row>,
    last: u64,
}

impl Transaction<'_> {
    fn find(&self, kind: Kind, id: &str) -> Option<&Row> {
        let written = self.written.iter().rev().find(|row| row.kind == kind && row.id == id);
        written.or_else(|| self.rows.by_id.get(&(kind, id.to_owned())))
    }
}

impl Records for Transaction<'_> {
    async fn get(&mut self, kind: Kind, id: &str) -> Result<Option<Row>, StorageError> {
        Ok(self.find(kind, id).cloned())
    }

    async fn list(&mut self, query: &Query) -> Result<Vec<Row>, StorageError> {
        let stored =
            self.rows.by_id.values().filter(|row| self.written.iter().all(|w| (w.kind, &w.id) != (row.kind, &row.id)));
        Ok(listed(stored.chain(&self.written), query))
    }

    async fn put(&mut self, mut row: Row) -> Result<(), StorageError> {
        row.seq = if let Some(known) = self.find(row.kind, &row.id) {
            known.seq
        } else {
            self.last += 1;
            self.last
        };
        self.written.retain(|w| (w.kind, &w.id) != (row.kind, &row.id));
        self.written.push(row);
        Ok(())
    }
}

fn listed<'a>(rows: impl Iterator<Item = &'a Row>, query: &Query) -> Vec<Row> {
    let mut found: Vec<Row> = rows.filter(|row| query.matches(row)).cloned().collect();
    match query.sort {
        Sort::NewestFirst => {
            found.sort_by_key(|row| std::cmp::Reverse(row.seq));
            found.retain(|row| query.after.is_none_or(|after| row.seq < after));
        }
        Sort::OldestFirst => {
            found.sort_by_key(|row| row.seq);
            found.retain(|row| query.after.is_none_or(|after| row.seq > after));
        }
    }
    found.truncate(query.limit);
    found
}

impl Desk for MemoryDesk {
    fn execute<'a>(
        &'a self,
        tenant: &'a TenantId,
        key: &'a CommandKey,
        command: &'a Command,
        at: Timestamp,
    ) -> Answer<'a, Done, DeskError> {
        let done = self.transaction(tenant, async |records: &mut Transaction<'_>| {
            execute(records, (tenant, &self.rules), key, command, at).await
        });
        Box::pin(std::future::ready(done))
    }

    fn mail<'a>(&'a self, tenant: &'a TenantId, step: &'a MailStep, at: Timestamp) -> Stored<'a, Vec<Mail>> {
        let mails = self.transaction(tenant, async |records: &mut Transaction<'_>| mail_step(records, step, at).await);
        Box::pin(std::future::ready(mails))
    }

    fn import<'a>(&'a self, tenant: &'a TenantId, records: &'a [Record]) -> Stored<'a, Imported> {
        let counts = self.transaction(tenant, async |rows: &mut Transaction<'_>| import_records(rows, records).await);
        Box::pin(std::future::ready(counts))
    }

    fn row<'a>(&'a self, tenant: &'a TenantId, kind: Kind, id: &'a str) -> Stored<'a, Option<Row>> {
        let row = self.transaction(tenant, async |records: &mut Transaction<'_>| records.get(kind, id).await);
        Box::pin(std::future::ready(row))
    }

    fn rows<'a>(&'a self, tenant: &'a TenantId, query: Query) -> Stored<'a, Vec<Row>> {
        let rows = self.transaction(tenant, async |records: &mut Transaction<'_>| records.list(&query).await);
        Box::pin(std::future::ready(rows))
    }
}
