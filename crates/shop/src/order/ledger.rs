//! What was paid and what was paid back, and what may still be.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::Order;
use crate::customer::MethodKind;
use crate::policy::{PolicyRef, ReasonClass};
use crate::{ApprovalId, EntryId, LineId, MethodId, Money, MoneyError};

/// In or out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EntryKind {
    /// The buyer paid.
    Payment,
    /// The buyer is paid back.
    Refund,
}

/// Whether the money has moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EntryState {
    /// It has, or the payment provider was told to.
    Done,
    /// Promised: it waits until the parcel or the goods are back. It counts as paid back.
    Pending,
    /// It could not be; it no longer counts.
    Failed,
    /// Taken back before it moved; it no longer counts.
    Withdrawn,
}

/// A part of a refund that belongs to a line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Share {
    /// The line; `None` is delivery.
    pub line: Option<LineId>,
    /// For how many pieces.
    pub quantity: u32,
    /// How much.
    pub amount: Money,
}

/// One movement of money. Amounts are positive; the kind says the direction.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Its id.
    pub id: EntryId,
    /// In or out.
    pub kind: EntryKind,
    /// Whether it has moved.
    pub state: EntryState,
    /// From or to which way to pay.
    pub method: MethodId,
    /// What that is.
    pub method_kind: MethodKind,
    /// How much.
    pub amount: Money,
    /// When it was written.
    pub at: Timestamp,
    /// For a refund of lines: which, how many, how much each. They add up to `amount`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shares: Vec<Share>,
    /// For a refund: why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<ReasonClass>,
    /// For a refund: the rules it follows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub policy: Option<PolicyRef>,
    /// For a refund that a person agreed to: which question that was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval: Option<ApprovalId>,
}

impl Entry {
    /// Whether it counts: it has moved or is promised.
    #[must_use]
    pub fn counts(&self) -> bool {
        matches!(self.state, EntryState::Done | EntryState::Pending)
    }

    fn is(&self, kind: EntryKind) -> bool {
        self.kind == kind && self.counts()
    }
}

/// What may still be paid back to one way to pay.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remaining {
    /// The way to pay.
    pub method: MethodId,
    /// What it is.
    pub kind: MethodKind,
    /// What came from it.
    pub captured: Money,
    /// What went back to it or is promised.
    pub refunded: Money,
    /// What may still go back: never negative.
    pub remaining: Money,
}

impl Order {
    fn moved(&self, keep: impl Fn(&Entry) -> bool) -> Result<Money, MoneyError> {
        Money::sum(self.currency, self.ledger.iter().filter(|e| keep(e)).map(|e| e.amount))
    }

    /// What was paid, before refunds.
    ///
    /// # Errors
    /// When the ledger mixes currencies or the sum does not fit.
    pub fn paid(&self) -> Result<Money, MoneyError> {
        self.moved(|e| e.is(EntryKind::Payment))
    }

    /// What was paid back or is promised.
    ///
    /// # Errors
    /// As [`paid`](Self::paid).
    pub fn refunded(&self) -> Result<Money, MoneyError> {
        self.moved(|e| e.is(EntryKind::Refund))
    }

    /// What may still be paid back in all.
    ///
    /// # Errors
    /// As [`paid`](Self::paid).
    pub fn refundable(&self) -> Result<Money, MoneyError> {
        let left = self.paid()?.checked_sub(self.refunded()?)?;
        Ok(Money { minor: left.minor.max(0), ..left })
    }

    /// What may still go back to each way to pay, in the order they first paid.
    ///
    /// # Errors
    /// As [`paid`](Self::paid).
    pub fn tenders(&self) -> Result<Vec<Remaining>, MoneyError> {
        let mut tenders: Vec<Remaining> = Vec::new();
        for entry in self.ledger.iter().filter(|e| e.counts()) {
            let at = match tenders.iter().position(|t| t.method == entry.method) {
                Some(at) => at,
                None => {
                    let zero = Money::zero(self.currency);
                    tenders.push(Remaining {
                        method: entry.method.clone(),
                        kind: entry.method_kind,
                        captured: zero,
                        refunded: zero,
                        remaining: zero,
                    });
                    tenders.len() - 1
                }
            };
            if let Some(tender) = tenders.get_mut(at) {
                let sum = match entry.kind {
                    EntryKind::Payment => &mut tender.captured,
                    EntryKind::Refund => &mut tender.refunded,
                };
                *sum = sum.checked_add(entry.amount)?;
            }
        }
        for tender in &mut tenders {
            let left = tender.captured.checked_sub(tender.refunded)?;
            tender.remaining = Money { minor: left.minor.max(0), ..left };
        }
        Ok(tenders)
    }

    /// Pieces and money of a line that were paid back or are promised; `None` asks for delivery.
    ///
    /// # Errors
    /// As [`paid`](Self::paid).
    pub fn refunded_of(&self, line: Option<&LineId>) -> Result<(u32, Money), MoneyError> {
        let shares = self.ledger.iter().filter(|e| e.is(EntryKind::Refund)).flat_map(|e| &e.shares);
        let mut sum = (0_u32, Money::zero(self.currency));
        for share in shares.filter(|s| s.line.as_ref() == line) {
            sum = (sum.0.saturating_add(share.quantity), sum.1.checked_add(share.amount)?);
        }
        Ok(sum)
    }

    /// The most that may be paid back for so many pieces of a line, after what was paid back already; zero when the line has
    /// not so many pieces left.
    ///
    /// # Errors
    /// As [`paid`](Self::paid).
    pub fn refund_limit(&self, line: &LineId, quantity: u32) -> Result<Money, MoneyError> {
        let zero = Money::zero(self.currency);
        let Some(found) = self.line(line) else { return Ok(zero) };
        let (pieces, money) = self.refunded_of(Some(line))?;
        let gone = pieces.saturating_add(found.cancelled);
        if gone.saturating_add(quantity) > found.quantity {
            return Ok(zero);
        }
        let total = found.total()?;
        let due = total.share_of_pieces(gone, quantity, found.quantity);
        let left = total.checked_sub(money)?;
        Ok(if due.minor <= left.minor { due } else { Money { minor: left.minor.max(0), ..left } })
    }
}
