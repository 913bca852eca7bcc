//! The desk as it is used: five things a store does, and everything that is read on top of them.

use std::fmt;
use std::future::Future;
use std::pin::Pin;

use jiff::Timestamp;
use serde::de::DeserializeOwned;

use super::case::Pause;
use super::{
    Approval, ApprovalState, AuditLine, Command, DeskError, Done, Imported, Kind, Mail, MailState, MailStep, Page,
    Query, Record, Recorded, Row, Ticket, TicketState,
};
use crate::contact::Email;
use crate::customer::Customer;
use crate::order::{Entry, Order};
use crate::storage::Stored;
use crate::{
    ApprovalId, CommandKey, CustomerId, DecisionId, MailId, OrderId, Product, ProductId, StorageError, TenantId,
    TicketId,
};

/// A boxed future with its error.
pub type Answer<'a, T, E> = Pin<Box<dyn Future<Output = Result<T, E>> + Send + 'a>>;

/// Why refunds are stopped, by whom and since when.
type Stopped = (String, String, Timestamp);

/// The one door through which money and orders change, and what is read of them. Every read is of one tenant's records; what is
/// another's is not there.
pub trait Desk: Send + Sync + fmt::Debug {
    /// Carries a command out in one transaction. The same key again gives the recorded outcome and changes nothing, so it may be
    /// repeated when it is not known whether it happened.
    fn execute<'a>(
        &'a self,
        tenant: &'a TenantId,
        key: &'a CommandKey,
        command: &'a Command,
        at: Timestamp,
    ) -> Answer<'a, Done, DeskError>;

    /// Does a step of the sender over the outbox: gives the mails it changed, as they are afterwards.
    fn mail<'a>(&'a self, tenant: &'a TenantId, step: &'a MailStep, at: Timestamp) -> Stored<'a, Vec<Mail>>;

    /// Takes records in: the same again changes nothing, and what a command did is never undone.
    fn import<'a>(&'a self, tenant: &'a TenantId, records: &'a [Record]) -> Stored<'a, Imported>;

    /// One stored record.
    fn row<'a>(&'a self, tenant: &'a TenantId, kind: Kind, id: &'a str) -> Stored<'a, Option<Row>>;

    /// Stored records.
    fn rows<'a>(&'a self, tenant: &'a TenantId, query: Query) -> Stored<'a, Vec<Row>>;

    /// An order by its number; also when its dashes were left out, if only one order can be meant.
    fn order<'a>(&'a self, tenant: &'a TenantId, id: &'a OrderId) -> Stored<'a, Option<Order>> {
        Box::pin(async move {
            if let Some(row) = self.row(tenant, Kind::Order, id.as_str()).await? {
                return Ok(Some(row.read()?));
            }
            let query = Query { lookup: Some(id.loose()), ..Query::all(Kind::Order, 2) };
            match self.rows(tenant, query).await?.as_slice() {
                [only] => Ok(Some(only.read()?)),
                _ => Ok(None),
            }
        })
    }

    /// An order by a number in any spelling; nothing when it is not one.
    fn find_order<'a>(&'a self, tenant: &'a TenantId, text: &'a str) -> Stored<'a, Option<Order>> {
        Box::pin(async move {
            match OrderId::new(text) {
                Ok(id) => self.order(tenant, &id).await,
                Err(_not_a_number) => Ok(None),
            }
        })
    }

    /// All orders, the latest import first; `states` by name, empty is any.
    fn orders<'a>(&'a self, tenant: &'a TenantId, limit: usize, after: Option<u64>) -> Stored<'a, Page<Order>> {
        let query = Query { after, ..Query::all(Kind::Order, limit) };
        Box::pin(async move { page(&self.rows(tenant, query).await?, limit) })
    }

    /// A customer's orders, the latest import first.
    fn orders_of<'a>(
        &'a self,
        tenant: &'a TenantId,
        customer: &'a CustomerId,
        limit: usize,
        after: Option<u64>,
    ) -> Stored<'a, Page<Order>> {
        let query = Query { customer: Some(customer.to_string()), after, ..Query::all(Kind::Order, limit) };
        Box::pin(async move { page(&self.rows(tenant, query).await?, limit) })
    }

    /// A customer.
    fn customer<'a>(&'a self, tenant: &'a TenantId, id: &'a CustomerId) -> Stored<'a, Option<Customer>> {
        Box::pin(async move { one(self.row(tenant, Kind::Customer, id.as_str()).await?) })
    }

    /// A customer by e-mail address.
    fn customer_by_email<'a>(&'a self, tenant: &'a TenantId, email: &'a Email) -> Stored<'a, Option<Customer>> {
        let query = Query { lookup: Some(email.to_string()), ..Query::all(Kind::Customer, 1) };
        Box::pin(async move { one(self.rows(tenant, query).await?.into_iter().next()) })
    }

    /// A product that an order's line refers to.
    fn product<'a>(&'a self, tenant: &'a TenantId, id: &'a ProductId) -> Stored<'a, Option<Product>> {
        Box::pin(async move { one(self.row(tenant, Kind::Product, id.as_str()).await?) })
    }

    /// An order's ledger, oldest first; empty when there is no such order.
    fn ledger<'a>(&'a self, tenant: &'a TenantId, order: &'a OrderId) -> Stored<'a, Vec<Entry>> {
        Box::pin(async move { Ok(self.order(tenant, order).await?.map(|o| o.ledger).unwrap_or_default()) })
    }

    /// A decision.
    fn decision<'a>(&'a self, tenant: &'a TenantId, id: &'a DecisionId) -> Stored<'a, Option<Recorded>> {
        Box::pin(async move { one(self.row(tenant, Kind::Decision, id.as_str()).await?) })
    }

    /// The decision on a request, by the request's key.
    fn decision_on<'a>(
        &'a self,
        tenant: &'a TenantId,
        order: &'a OrderId,
        request_key: &'a str,
    ) -> Stored<'a, Option<Recorded>> {
        let query = Query {
            order: Some(order.to_string()),
            lookup: Some(request_key.to_owned()),
            ..Query::all(Kind::Decision, 1)
        };
        Box::pin(async move { one(self.rows(tenant, query).await?.into_iter().next()) })
    }

    /// The decisions on an order, the newest first.
    fn decisions<'a>(&'a self, tenant: &'a TenantId, order: &'a OrderId) -> Stored<'a, Vec<Recorded>> {
        let query = Query { order: Some(order.to_string()), ..Query::all(Kind::Decision, 500) };
        Box::pin(async move { many(&self.rows(tenant, query).await?) })
    }

    /// What a command did, by its key.
    fn outcome<'a>(&'a self, tenant: &'a TenantId, key: &'a CommandKey) -> Stored<'a, Option<Done>> {
        Box::pin(async move {
            let Some(row) = self.row(tenant, Kind::Command, key.as_str()).await? else { return Ok(None) };
            let done = row.doc.get("done").cloned().unwrap_or_default();
            let done: Done = serde_json::from_value(done).map_err(|e| StorageError::Failed(e.to_string()))?;
            Ok(Some(Done { repeated: true, ..done }))
        })
    }

    /// A ticket.
    fn ticket<'a>(&'a self, tenant: &'a TenantId, id: &'a TicketId) -> Stored<'a, Option<Ticket>> {
        Box::pin(async move { one(self.row(tenant, Kind::Ticket, id.as_str()).await?) })
    }

    /// Tickets in these states (empty is any), the newest first; of one conversation when it is named.
    fn tickets<'a>(
        &'a self,
        tenant: &'a TenantId,
        (states, thread, order): (&'a [TicketState], Option<&'a str>, Option<&'a OrderId>),
        limit: usize,
        after: Option<u64>,
    ) -> Stored<'a, Page<Ticket>> {
        let query = Query {
            states: states.iter().map(|s| s.name().to_owned()).collect(),
            lookup: thread.map(ToOwned::to_owned),
            order: order.map(ToString::to_string),
            after,
            ..Query::all(Kind::Ticket, limit)
        };
        Box::pin(async move { page(&self.rows(tenant, query).await?, limit) })
    }

    /// A question to staff.
    fn approval<'a>(&'a self, tenant: &'a TenantId, id: &'a ApprovalId) -> Stored<'a, Option<Approval>> {
        Box::pin(async move { one(self.row(tenant, Kind::Approval, id.as_str()).await?) })
    }

    /// Questions to staff in these states (empty is any), the newest first; of one order when it is named.
    fn approvals<'a>(
        &'a self,
        tenant: &'a TenantId,
        (states, order): (&'a [ApprovalState], Option<&'a OrderId>),
        limit: usize,
        after: Option<u64>,
    ) -> Stored<'a, Page<Approval>> {
        let query = Query {
            states: states.iter().map(|s| s.name().to_owned()).collect(),
            order: order.map(ToString::to_string),
            after,
            ..Query::all(Kind::Approval, limit)
        };
        Box::pin(async move { page(&self.rows(tenant, query).await?, limit) })
    }

    /// A mail.
    fn mail_of<'a>(&'a self, tenant: &'a TenantId, id: &'a MailId) -> Stored<'a, Option<Mail>> {
        Box::pin(async move { one(self.row(tenant, Kind::Mail, id.as_str()).await?) })
    }

    /// Mails in these states (empty is any), the newest first; of one order when it is named.
    fn mails<'a>(
        &'a self,
        tenant: &'a TenantId,
        (states, order): (&'a [MailState], Option<&'a OrderId>),
        limit: usize,
        after: Option<u64>,
    ) -> Stored<'a, Page<Mail>> {
        let query = Query {
            states: states.iter().map(|s| s.name().to_owned()).collect(),
            order: order.map(ToString::to_string),
            after,
            ..Query::all(Kind::Mail, limit)
        };
        Box::pin(async move { page(&self.rows(tenant, query).await?, limit) })
    }

    /// The audit trail, the newest first; of one order when it is named.
    fn audit<'a>(
        &'a self,
        tenant: &'a TenantId,
        order: Option<&'a OrderId>,
        limit: usize,
        after: Option<u64>,
    ) -> Stored<'a, Page<AuditLine>> {
        let query = Query { order: order.map(ToString::to_string), after, ..Query::all(Kind::Audit, limit) };
        Box::pin(async move { page(&self.rows(tenant, query).await?, limit) })
    }

    /// Why refunds are stopped, by whom and since when; `None` when they are not.
    fn refunds_paused<'a>(&'a self, tenant: &'a TenantId) -> Stored<'a, Option<Stopped>> {
        Box::pin(async move {
            let pause: Option<Pause> = one(self.row(tenant, Kind::Switch, "refunds_paused").await?)?;
            Ok(pause.filter(|p| p.paused).map(|p| (p.reason, p.by, p.since)))
        })
    }
}

fn one<T: DeserializeOwned>(row: Option<Row>) -> Result<Option<T>, StorageError> {
    row.map(|row| row.read()).transpose()
}

fn many<T: DeserializeOwned>(rows: &[Row]) -> Result<Vec<T>, StorageError> {
    rows.iter().map(Row::read).collect()
}

fn page<T: DeserializeOwned>(rows: &[Row], limit: usize) -> Result<Page<T>, StorageError> {
    let next = rows.last().map(|row| row.seq).filter(|_| rows.len() == limit);
    Ok(Page { items: many(rows)?, next })
}
