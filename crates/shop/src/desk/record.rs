//! Records as a store keeps them: a document, a kind, an id, and what it is found by.
//!
//! [`Records`] is all that a database has to offer; every rule of the desk is written once on top of it.

use std::future::Future;

use jiff::Timestamp;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::StorageError;

/// What a record is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// An order. Found by its loose number.
    Order,
    /// A customer. Found by e-mail.
    Customer,
    /// A product that orders refer to.
    Product,
    /// A decision. Found by request key.
    Decision,
    /// A ticket. Found by thread.
    Ticket,
    /// A question to staff.
    Approval,
    /// A mail.
    Mail,
    /// A line of the audit trail.
    Audit,
    /// The outcome of a command, by its key.
    Command,
    /// A guard against guessing.
    Guard,
    /// A switch of the shop, such as `refunds_paused`.
    Switch,
}

impl Kind {
    /// The name in the database.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Order => "order",
            Self::Customer => "customer",
            Self::Product => "product",
            Self::Decision => "decision",
            Self::Ticket => "ticket",
            Self::Approval => "approval",
            Self::Mail => "mail",
            Self::Audit => "audit",
            Self::Command => "command",
            Self::Guard => "guard",
            Self::Switch => "switch",
        }
    }
}

/// A stored record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// What it is.
    pub kind: Kind,
    /// Its id, unique within tenant and kind.
    pub id: String,
    /// Its place in the order of making; 0 for a record that is new, which the store gives the next place.
    pub seq: u64,
    /// The order it belongs to.
    pub order: Option<String>,
    /// The customer it belongs to.
    pub customer: Option<String>,
    /// What it is found by besides its id.
    pub lookup: Option<String>,
    /// Its state, to list by.
    pub state: Option<String>,
    /// When it is due.
    pub due: Option<Timestamp>,
    /// The record's version of its format.
    pub format: u32,
    /// The record.
    pub doc: Value,
}

impl Row {
    /// A new row.
    ///
    /// # Errors
    /// When the record cannot be written as JSON.
    pub fn new(kind: Kind, id: impl Into<String>, record: &impl Serialize) -> Result<Self, StorageError> {
        let doc = serde_json::to_value(record).map_err(|error| StorageError::Failed(error.to_string()))?;
        Ok(Self {
            kind,
            id: id.into(),
            seq: 0,
            order: None,
            customer: None,
            lookup: None,
            state: None,
            due: None,
            format: 1,
            doc,
        })
    }

    /// The record.
    ///
    /// # Errors
    /// When a newer program wrote it, or it cannot be read.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, StorageError> {
        if self.format > 1 {
            let (kind, id) = (self.kind.name(), &self.id);
            return Err(StorageError::Failed(format!("the {kind} {id} was written by a newer program")));
        }
        T::deserialize(&self.doc).map_err(|error| {
            StorageError::Failed(format!("the stored {} {} cannot be read: {error}", self.kind.name(), self.id))
        })
    }
}

/// In which order rows are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sort {
    /// The newest first.
    #[default]
    NewestFirst,
    /// The oldest first.
    OldestFirst,
}

/// Which rows are wanted. What is `None` is not asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    /// What they are.
    pub kind: Kind,
    /// Of this order.
    pub order: Option<String>,
    /// Of this customer.
    pub customer: Option<String>,
    /// Found by this.
    pub lookup: Option<String>,
    /// In one of these states; empty is any.
    pub states: Vec<String>,
    /// Due by then.
    pub due_by: Option<Timestamp>,
    /// In which order.
    pub sort: Sort,
    /// After this place in that order.
    pub after: Option<u64>,
    /// At most so many.
    pub limit: usize,
}

impl Query {
    /// All of a kind, the newest first.
    #[must_use]
    pub fn all(kind: Kind, limit: usize) -> Self {
        Self {
            kind,
            order: None,
            customer: None,
            lookup: None,
            states: Vec::new(),
            due_by: None,
            sort: Sort::NewestFirst,
            after: None,
            limit,
        }
    }

    /// Whether a row is wanted, its place and the limit aside.
    #[must_use]
    pub fn matches(&self, row: &Row) -> bool {
        let same = |wanted: &Option<String>, has: &Option<String>| wanted.is_none() || wanted == has;
        row.kind == self.kind
            && same(&self.order, &row.order)
            && same(&self.customer, &row.customer)
            && same(&self.lookup, &row.lookup)
            && (self.states.is_empty() || row.state.as_ref().is_some_and(|s| self.states.contains(s)))
            && self.due_by.is_none_or(|by| row.due.is_some_and(|due| due <= by))
    }
}

/// A part of a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Page<T> {
    /// The records.
    pub items: Vec<T>,
    /// Where to go on; `None` at the end.
    pub next: Option<u64>,
}

/// One tenant's records inside one transaction.
pub trait Records: Send {
    /// A record.
    fn get(&mut self, kind: Kind, id: &str) -> impl Future<Output = Result<Option<Row>, StorageError>> + Send;

    /// Records.
    fn list(&mut self, query: &Query) -> impl Future<Output = Result<Vec<Row>, StorageError>> + Send;

    /// Writes a record in the place of the one of its kind and id. A record that is new gets the next place.
    fn put(&mut self, row: Row) -> impl Future<Output = Result<(), StorageError>> + Send;
}
