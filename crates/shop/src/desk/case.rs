//! The records a command is decided over, and what it changes in them.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

use super::{Approval, AuditLine, Guard, Mail, OrderRules, Recorded, Ticket};
use crate::customer::Customer;
use crate::order::Order;
use crate::{CommandKey, Product, ProductId, TenantId};

/// Why refunds are stopped.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(super) struct Pause {
    pub(super) paused: bool,
    pub(super) reason: String,
    pub(super) by: String,
    pub(super) since: jiff::Timestamp,
}

/// The records of a command. A record that is not there is `None`.
#[derive(Debug, Clone)]
pub struct Case {
    /// Whose records they are.
    pub tenant: TenantId,
    /// The command's key, from which new ids are made.
    pub key: CommandKey,
    /// What the shop allows.
    pub rules: OrderRules,
    /// The order.
    pub order: Option<Order>,
    /// The order's customer, or the one the command names.
    pub customer: Option<Customer>,
    /// The products of the order's lines.
    pub products: BTreeMap<ProductId, Product>,
    /// The decisions on the order, oldest first.
    pub decisions: Vec<Recorded>,
    /// The question the command answers or refers to.
    pub approval: Option<Approval>,
    /// The ticket the command names.
    pub ticket: Option<Ticket>,
    /// The mail the command names or would queue, when it was queued before.
    pub mail: Option<Mail>,
    /// The customer a queued mail goes to, when that is not the case's customer.
    pub addressee: Option<Customer>,
    /// The guard the command tries.
    pub guard: Option<Guard>,
    /// Why refunds are stopped, when they are.
    pub paused: Option<String>,
}

impl Case {
    /// A case without records.
    #[must_use]
    pub fn new(tenant: TenantId, key: CommandKey, rules: OrderRules) -> Self {
        Self {
            tenant,
            key,
            rules,
            order: None,
            customer: None,
            products: BTreeMap::new(),
            decisions: Vec::new(),
            approval: None,
            ticket: None,
            mail: None,
            addressee: None,
            guard: None,
            paused: None,
        }
    }

    /// An id made of the shop, a kind and facts: the same facts are the same id, in every run and on every machine.
    pub(super) fn id(&self, prefix: &str, facts: &[&str]) -> String {
        let mut hash = Sha256::new();
        for fact in [self.tenant.as_str(), prefix].iter().chain(facts) {
            // The length goes in too, so that no two lists of facts run together.
            hash.update(fact.len().to_be_bytes());
            hash.update(fact.as_bytes());
        }
        let hex: String = hash.finalize().iter().take(10).map(|byte| format!("{byte:02x}")).collect();
        format!("{prefix}_{hex}")
    }
}

/// A record that a command changes: the whole record as it is afterwards.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// The order.
    Order(Box<Order>),
    /// The customer.
    Customer(Box<Customer>),
    /// A decision.
    Decision(Box<Recorded>),
    /// A question to staff.
    Approval(Box<Approval>),
    /// A ticket.
    Ticket(Box<Ticket>),
    /// A mail.
    Mail(Box<Mail>),
    /// A guard.
    Guard(Box<Guard>),
    /// Refunds are stopped or go on.
    Pause {
        /// Whether they are stopped.
        paused: bool,
        /// Why.
        reason: String,
        /// By whom.
        by: String,
        /// Since when.
        since: jiff::Timestamp,
    },
    /// A line of the audit trail.
    Audit(Box<AuditLine>),
}
