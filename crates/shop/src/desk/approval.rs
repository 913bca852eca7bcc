//! Questions to staff: something that is done only when a person says so.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Command, NewMail};
use crate::{ApprovalId, CustomerId, Money, OrderId};

/// A question to put before staff.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewApproval {
    /// The order.
    pub order: OrderId,
    /// What is done when a person says yes: a refund, a return, an exchange, a cancellation or a change.
    pub command: Box<Command>,
    /// How much it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount: Option<Money>,
    /// Why a person is asked, as codes: `above_limit`, `low_confidence`, `abuse_signal`.
    pub risks: Vec<String>,
    /// In a sentence or two.
    pub summary: String,
    /// What was found out.
    #[serde(default)]
    pub facts: Value,
    /// The conversation or run that asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thread: Option<String>,
    /// The run that asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// The mail that goes with a no. The mail that goes with a yes is in the command.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mail_if_rejected: Option<NewMail>,
}

/// A person's answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ruling {
    /// Yes.
    Approve {
        /// The mail that goes with it, in the place of the one that was asked with.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mail: Option<NewMail>,
    },
    /// Yes, but less.
    Edit {
        /// How much; at most what was asked.
        amount: Money,
        /// Why.
        reason: String,
        /// The mail that goes with it, in the place of the one that was asked with.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mail: Option<NewMail>,
    },
    /// No.
    Reject {
        /// Why.
        reason: String,
        /// The mail that goes with it, in the place of the one that was asked with.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mail: Option<NewMail>,
    },
}

/// How far a question is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ApprovalState {
    /// Waits for a person.
    Open,
    /// Answered with yes, and done.
    Approved,
    /// Answered with no.
    Rejected,
}

impl ApprovalState {
    /// The name in stored records.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Approved => "approved",
            Self::Rejected => "rejected",
        }
    }
}

/// A question to staff.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Approval {
    /// Its id.
    pub id: ApprovalId,
    /// Whose order it is about.
    pub customer: CustomerId,
    /// What was asked.
    #[serde(flatten)]
    pub asked: NewApproval,
    /// How far it is.
    pub state: ApprovalState,
    /// When it was asked.
    pub opened: Timestamp,
    /// Who answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// When.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answered: Option<Timestamp>,
    /// Why, or with which amount.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ruling: Option<Ruling>,
    /// Counts the changes, from 1.
    pub revision: u64,
}
