//! Matters for a person.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{CustomerId, OrderId, TicketId};

/// What a ticket is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TicketKind {
    /// A conversation that a person takes over.
    Handover,
    /// A decision that a person takes.
    Escalation,
    /// A complaint.
    Complaint,
    /// A question.
    Question,
}

/// How far a ticket is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TicketState {
    /// Nobody has it.
    Open,
    /// Somebody has it.
    Taken,
    /// The agent has the conversation again.
    GivenBack,
    /// Over.
    Closed,
}

impl TicketState {
    /// The name in stored records.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Taken => "taken",
            Self::GivenBack => "given_back",
            Self::Closed => "closed",
        }
    }
}

/// A ticket to open.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewTicket {
    /// What it is about.
    pub kind: TicketKind,
    /// Whose matter it is, when that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub customer: Option<CustomerId>,
    /// The order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<OrderId>,
    /// The conversation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thread: Option<String>,
    /// Why a person is needed, as a code: `frustration`, `policy`.
    pub reason: String,
    /// In a sentence or two.
    pub summary: String,
    /// What was found out.
    #[serde(default)]
    pub facts: Value,
    /// What could be answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<String>,
}

/// Something that was written to a ticket.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TicketNote {
    /// By whom.
    pub by: String,
    /// When.
    pub at: Timestamp,
    /// What.
    pub text: String,
}

/// A ticket.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ticket {
    /// Its id.
    pub id: TicketId,
    /// What was said when it was opened.
    #[serde(flatten)]
    pub about: NewTicket,
    /// How far it is.
    pub state: TicketState,
    /// Who has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// When it was opened.
    pub opened: Timestamp,
    /// When it changed last.
    pub changed: Timestamp,
    /// What staff wrote, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<TicketNote>,
    /// Counts the changes, from 1.
    pub revision: u64,
}
