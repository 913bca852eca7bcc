//! Why a command is not carried out. A refusal changes nothing.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::order::{OrderState, ReturnState};
use crate::{Currency, DecisionId, LineId, Money, StorageError};

/// Why not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case", tag = "code")]
pub enum Refusal {
    /// There is none, or it is not the asker's: the two look alike.
    #[error("there is no such {what}")]
    NotFound {
        /// What was looked for.
        what: String,
    },
    /// The asker may not do that.
    #[error("this is for staff")]
    StaffOnly,
    /// The order changed since it was looked at.
    #[error("the order changed meanwhile (version {found}, expected {expected})")]
    Changed {
        /// The version it was decided on.
        expected: u64,
        /// The version it has.
        found: u64,
    },
    /// The order's state does not allow it.
    #[error("an order that is {} cannot {wish}", state.name())]
    State {
        /// How far it is.
        state: OrderState,
        /// What was wanted.
        wish: String,
    },
    /// It was changed before, and that can be done once.
    #[error("the articles of this order were changed already; that can be done once")]
    AlreadyModified,
    /// The shop does not take this reason.
    #[error("{reason:?} is not one of the reasons for this; they are {}", allowed.join(", "))]
    Reason {
        /// The reason.
        reason: String,
        /// Those it takes.
        allowed: Vec<String>,
    },
    /// Only the whole order can be called off.
    #[error("only the whole order can be called off")]
    WholeOrderOnly,
    /// The order has no such line.
    #[error("the order has no line {line}")]
    NoLine {
        /// The line.
        line: String,
    },
    /// More pieces than are left.
    #[error("{wanted} of line {line} are wanted, {left} are left")]
    Quantity {
        /// The line.
        line: LineId,
        /// How many were asked for.
        wanted: u32,
        /// How many are left.
        left: u32,
    },
    /// No line was named.
    #[error("no line was named")]
    NoLines,
    /// The other variant does not exist, is of another product or is sold out.
    #[error("{sku} is not an available variant of the same product")]
    Variant {
        /// The variant.
        sku: String,
    },
    /// The customer has no such way to pay.
    #[error("the customer has no payment method {method}")]
    NoMethod {
        /// The way to pay.
        method: String,
    },
    /// The order is paid that way already.
    #[error("the order is paid with that method already")]
    SameMethod,
    /// The order has more than one payment.
    #[error("the order has more than one payment; its method cannot be changed")]
    SeveralPayments,
    /// The balance does not cover it.
    #[error("the balance of {method} is {balance}, {needed} are needed")]
    Balance {
        /// The way to pay.
        method: String,
        /// What is on it.
        balance: Money,
        /// What is needed.
        needed: Money,
    },
    /// The money may not go there.
    #[error("money may go back only {}", to.join(" or "))]
    Target {
        /// Where it may go.
        to: Vec<String>,
    },
    /// More than may be paid back.
    #[error("{wanted} are more than the {limit} that may be paid back ({of})")]
    TooMuch {
        /// How much was asked for.
        wanted: Money,
        /// The most that is possible.
        limit: Money,
        /// What limits it: `line`, `delivery`, `order`, `payment method`, `policy`.
        of: String,
    },
    /// Nothing, or less.
    #[error("an amount must be more than nothing")]
    Nothing,
    /// Another currency.
    #[error("the order is in {expected}, not {found}")]
    Currency {
        /// The order's.
        expected: Currency,
        /// The one that was named.
        found: Currency,
    },
    /// Refunds are stopped.
    #[error("refunds are paused: {reason}")]
    Paused {
        /// Why.
        reason: String,
    },
    /// A chargeback or another dispute is open.
    #[error("a dispute is open at the payment provider; nothing is paid back meanwhile")]
    Dispute,
    /// It was paid in cash: nothing can be sent back to that.
    #[error("it was paid in cash; a person has to agree on a bank account")]
    NeedsAccount,
    /// The rules do not allow it, and no person has.
    #[error("the policy does not allow this without a person")]
    NotAllowed,
    /// The line was called off.
    #[error("line {line} was called off")]
    LineCancelled {
        /// The line.
        line: LineId,
    },
    /// A return or an exchange of these pieces is open.
    #[error("a return or exchange is open already")]
    ReturnOpen,
    /// A return cannot go from one state to the other.
    #[error("a return that is {from:?} cannot become {to:?}")]
    ReturnStep {
        /// How far it is.
        from: ReturnState,
        /// What was wanted.
        to: ReturnState,
    },
    /// An address without street, town or country.
    #[error("the address needs a street, a town and a country")]
    Address,
    /// Another decision on these lines stands.
    #[error("the decision {decision} on these lines stands")]
    DecisionStands {
        /// Which.
        decision: DecisionId,
    },
    /// It was decided or done by somebody else first.
    #[error("this is {state} already")]
    Over {
        /// What it is.
        state: String,
    },
    /// The customer has no address to which a mail could go.
    #[error("the customer has no e-mail address on record")]
    NoEmail,
    /// Too many wrong tries.
    #[error("too many wrong tries; locked until {until}")]
    Locked {
        /// Until when.
        until: Timestamp,
    },
    /// An approval that would do something that cannot be approved.
    #[error("this cannot be put before staff")]
    NotApprovable,
    /// The amounts of the records do not add up: nothing is done with them.
    #[error("the amounts of this order do not add up: {0}", detail)]
    Amounts {
        /// What is wrong.
        detail: String,
    },
}

impl Refusal {
    /// The refusal's stable code, as in stored records: `too_much`.
    #[must_use]
    pub fn code(&self) -> String {
        let json = serde_json::to_value(self).unwrap_or_default();
        json.get("code").and_then(serde_json::Value::as_str).unwrap_or("refused").to_owned()
    }

    pub(super) fn missing(what: &str) -> Self {
        Self::NotFound { what: what.to_owned() }
    }
}

impl From<crate::MoneyError> for Refusal {
    fn from(error: crate::MoneyError) -> Self {
        Self::Amounts { detail: error.to_string() }
    }
}

/// Why a command has no outcome.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DeskError {
    /// It is not allowed; nothing was written.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The key was used for another command; nothing was written.
    #[error("the key of this command was used for another one")]
    KeyReused,
    /// The storage failed; it is not known whether something was written, and the same key may be tried again.
    #[error(transparent)]
    Storage(#[from] StorageError),
}
