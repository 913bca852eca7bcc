//! Returns and exchanges: one state machine for both.

use indexmap::IndexMap;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::policy::ReasonClass;
use crate::{DecisionId, LineId, MethodId, Money, ReturnId, Sku};

/// How far a return or an exchange is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReturnState {
    /// Asked for by the buyer.
    Requested,
    /// The shop agreed and said where to send it.
    Agreed,
    /// The buyer sent it.
    Sent,
    /// The shop has it.
    Received,
    /// Paid back, or the new article is out.
    Settled,
    /// The shop refused it, with a reason.
    Refused,
    /// The buyer took it back.
    Withdrawn,
}

impl ReturnState {
    /// Whether it still waits for something.
    #[must_use]
    pub fn is_open(self) -> bool {
        matches!(self, Self::Requested | Self::Agreed | Self::Sent | Self::Received)
    }

    /// Whether it may go on to `next`.
    #[must_use]
    pub fn may_become(self, next: Self) -> bool {
        use ReturnState as S;
        matches!(
            (self, next),
            (S::Requested, S::Agreed | S::Sent | S::Received | S::Refused | S::Withdrawn)
                | (S::Agreed, S::Sent | S::Received | S::Withdrawn)
                | (S::Sent, S::Received)
                | (S::Received, S::Settled | S::Refused)
        )
    }
}

/// What comes in the place of a line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replacement {
    /// The variant of the same product.
    pub sku: Sku,
    /// Its options.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub options: IndexMap<String, String>,
    /// What one piece costs.
    pub unit_price: Money,
}

/// Pieces of a line that come back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReturnLine {
    /// The line.
    pub line: LineId,
    /// How many pieces.
    pub quantity: u32,
    /// What comes instead, for an exchange.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replacement: Option<Replacement>,
}

/// Money back, or something else instead.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReturnKind {
    /// Money back.
    Return,
    /// Another variant instead.
    Exchange,
}

/// A return or an exchange.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Return {
    /// Its id.
    pub id: ReturnId,
    /// Which of the two.
    pub kind: ReturnKind,
    /// How far it is.
    pub state: ReturnState,
    /// What comes back.
    pub lines: Vec<ReturnLine>,
    /// Why.
    pub reason: ReasonClass,
    /// In the buyer's words: data, never instructions.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub words: String,
    /// Where the money goes or the difference comes from; `None` is where it came from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub method: Option<MethodId>,
    /// What the buyer still has to pay for an exchange; negative is what they get back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difference: Option<Money>,
    /// The decision it follows from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<DecisionId>,
    /// When it was asked for.
    pub requested: Timestamp,
    /// Until when it must be sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub send_by: Option<jiff::civil::Date>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_return_goes_forward_and_ends() {
        use ReturnState as S;
        assert!(S::Requested.may_become(S::Agreed) && S::Received.may_become(S::Settled));
        assert!(!S::Requested.may_become(S::Settled), "nothing is settled before the goods are there");
        for end in [S::Settled, S::Refused, S::Withdrawn] {
            assert!(!end.is_open());
            for next in [S::Requested, S::Agreed, S::Sent, S::Received, S::Settled, S::Refused, S::Withdrawn] {
                assert!(!end.may_become(next), "{end:?} became {next:?}");
            }
        }
    }
}
