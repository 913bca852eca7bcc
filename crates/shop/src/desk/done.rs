//! What a command did.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::order::OrderState;
use crate::{ApprovalId, CustomerId, DecisionId, EntryId, MailId, Money, OrderId, ReturnId, TicketId};

use super::CodeCheck;

/// What a command did. The same key again gives the same, with `repeated` set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Done {
    /// When it was done.
    pub at: Timestamp,
    /// What came of it.
    pub outcome: Outcome,
    /// The decision that was recorded with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<DecisionId>,
    /// The mail that was queued with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mail: Option<MailId>,
    /// The ticket that was opened with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ticket: Option<TicketId>,
    /// The order's version afterwards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
    /// Whether it was done before and this is only the record of it.
    #[serde(default, skip_serializing)]
    pub repeated: bool,
}

/// What came of a command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "is")]
pub enum Outcome {
    /// What goes with the command was recorded.
    Recorded,
    /// Money was paid back or promised.
    Refunded {
        /// The order.
        order: OrderId,
        /// The entries of the ledger, one for each way to pay.
        entries: Vec<EntryId>,
        /// How much in all.
        amount: Money,
        /// Whether it waits for goods or a parcel.
        pending: bool,
    },
    /// The order is in a state.
    Order {
        /// The order.
        order: OrderId,
        /// Its state.
        state: OrderState,
        /// What was paid back with it.
        refunded: Money,
    },
    /// A return or an exchange is in a state.
    Return {
        /// The order.
        order: OrderId,
        /// The return.
        id: ReturnId,
        /// What the buyer still has to pay for an exchange; negative is what they get back.
        difference: Option<Money>,
    },
    /// A question waits for staff.
    Asked {
        /// The question.
        approval: ApprovalId,
    },
    /// A question was answered with yes, and what it asked for was done.
    Approved {
        /// The question.
        approval: ApprovalId,
        /// What was done.
        done: Box<Outcome>,
    },
    /// A question was answered with no.
    Rejected {
        /// The question.
        approval: ApprovalId,
    },
    /// A ticket was opened or changed.
    Ticket {
        /// The ticket.
        ticket: TicketId,
    },
    /// A mail was queued or settled.
    Mail {
        /// The mail.
        mail: MailId,
    },
    /// Refunds are stopped or go on.
    Paused {
        /// Whether they are stopped.
        paused: bool,
    },
    /// A code was sent, or would have been, had there been such a customer: the two look alike.
    CodeSent {
        /// Until when it holds.
        expires: Timestamp,
    },
    /// What came of a check of who somebody is.
    Checked {
        /// What.
        check: CodeCheck,
        /// Who they are, when it went well.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        customer: Option<CustomerId>,
    },
    /// A customer's record was changed.
    Customer {
        /// Whose.
        customer: CustomerId,
    },
}
