//! Who did what, when and why: written with every command, never changed.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Actor;
use crate::policy::RuleId;
use crate::{CommandKey, CustomerId, DecisionId, OrderId};

/// One line of the audit trail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditLine {
    /// When.
    pub at: Timestamp,
    /// Who.
    pub actor: Actor,
    /// What, as a code: `refund`, `decide_approval`.
    pub what: String,
    /// The order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<OrderId>,
    /// The customer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub customer: Option<CustomerId>,
    /// What came of it, as stored.
    pub outcome: Value,
    /// The rules it rests on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<RuleId>,
    /// The decision it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<DecisionId>,
    /// The run it was done in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// The command.
    pub key: CommandKey,
}
