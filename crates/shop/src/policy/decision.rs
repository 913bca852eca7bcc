//! What the policy says, and why.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use super::RuleId;
use crate::{LineId, Money};

/// What is to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Pay back.
    Approve,
    /// Pay back once something is shown or sent.
    Conditional,
    /// Do not pay back.
    Reject,
    /// A person decides.
    Manual,
}

impl Verdict {
    /// The name in rules and records.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Approve => "approve",
            Self::Conditional => "conditional",
            Self::Reject => "reject",
            Self::Manual => "manual",
        }
    }
}

/// How sure a decision is, in hundredths: 92 is written 0.92.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Confidence(u8);

impl Confidence {
    /// Under this a decision is looked at a second time.
    pub const REVIEW: Self = Self(75);

    /// So many hundredths; more than 100 is 100.
    #[must_use]
    pub const fn hundredths(hundredths: u8) -> Self {
        Self(if hundredths > 100 { 100 } else { hundredths })
    }

    /// Reads `0.92`; what is not a number between 0 and 1 is not a confidence.
    #[must_use]
    pub fn from_fraction(fraction: f64) -> Option<Self> {
        if !(0.0..=1.0).contains(&fraction) {
            return None;
        }
        let wanted = (fraction * 100.0).round();
        (0..=100_u8).find(|n| (f64::from(*n) - wanted).abs() < 0.5).map(Self)
    }

    /// The confidence in hundredths.
    #[must_use]
    pub fn as_hundredths(self) -> u8 {
        self.0
    }

    /// The confidence as a fraction.
    #[must_use]
    pub fn as_fraction(self) -> f64 {
        f64::from(self.0) / 100.0
    }

    /// Whether it is too low to act without a second look.
    #[must_use]
    pub fn needs_review(self) -> bool {
        self < Self::REVIEW
    }
}

impl std::fmt::Display for Confidence {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{:02}", self.0 / 100, self.0 % 100)
    }
}

impl Serialize for Confidence {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.as_fraction())
    }
}

impl<'de> Deserialize<'de> for Confidence {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let fraction = f64::deserialize(deserializer)?;
        Self::from_fraction(fraction).ok_or_else(|| serde::de::Error::custom("a confidence lies between 0 and 1"))
    }
}

/// Who pays for the way back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FreightPayer {
    /// The buyer.
    Buyer,
    /// The shop.
    Shop,
    /// Nothing is sent back.
    None,
}

/// When the money moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Payout {
    /// At once.
    Now,
    /// When the parcel that is on its way is back.
    ParcelBack,
    /// When the buyer has sent the goods back and they are there.
    GoodsBack,
    /// Not at all, or a person says when.
    None,
}

/// What the buyer has to do or show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Need {
    /// A photograph or film of the fault.
    Photo,
    /// The goods back, complete and unused.
    GoodsBack,
    /// Gifts that came with them, or their value is deducted.
    GiftsBack,
    /// Refuse the parcel at the door, unless it can be stopped.
    RefuseAtDoor,
    /// Proof of dispatch.
    ReturnTracking,
    /// A bank account that can be checked.
    BankAccount,
    /// A word on how it was opened or used.
    ConditionReport,
}

/// What can be offered instead.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Alternative {
    /// Another piece.
    Exchange,
    /// A repair.
    Repair,
    /// A part of the price back.
    PriceReduction,
    /// Credit at the shop.
    StoreCredit,
    /// The maker's guarantee.
    Warranty,
    /// A person who looks at it.
    Person,
}

/// A last day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deadline {
    /// Of what: `claim` (until when the buyer may ask), `send_back`, `refund` (until when the shop must have paid).
    pub what: String,
    /// The last day, in the shop's time zone.
    pub date: Date,
}

/// What the policy says of one line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineDecision {
    /// The line.
    pub line: LineId,
    /// How many pieces were asked for.
    pub quantity: u32,
    /// What is to be done with it.
    pub verdict: Verdict,
    /// How much is paid back for it; zero for a refusal, and what would be due for a condition or a person.
    pub amount: Money,
    /// How the amount came about, step by step: `¥299 × 1 − ¥20 discount = ¥279`.
    pub derivation: String,
    /// The rules it rests on, the deciding one first.
    pub rules: Vec<RuleId>,
    /// How sure that is.
    pub confidence: Confidence,
}

/// What the policy says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    /// What is to be done.
    pub verdict: Verdict,
    /// How sure that is: of the least sure line.
    pub confidence: Confidence,
    /// How much is paid back in all, delivery included; what would be due for a condition or a person.
    pub amount: Money,
    /// Each line.
    pub lines: Vec<LineDecision>,
    /// The part of `amount` that is for delivery.
    pub shipping: Money,
    /// Who pays for the way back.
    pub freight: FreightPayer,
    /// When the money moves.
    pub payout: Payout,
    /// Last days.
    pub deadlines: Vec<Deadline>,
    /// What the buyer has to do or show.
    pub needs: Vec<Need>,
    /// What can be offered instead.
    pub alternatives: Vec<Alternative>,
    /// Every rule it rests on, the deciding one first.
    pub rules: Vec<RuleId>,
    /// Facts that decide and are not known.
    pub unknown: Vec<String>,
    /// The version of the rules.
    pub version: String,
    /// The hash of the rules' text.
    pub rules_hash: String,
}

impl Decision {
    /// What a ledger entry keeps of it.
    #[must_use]
    pub fn reference(&self) -> PolicyRef {
        PolicyRef {
            verdict: self.verdict,
            confidence: self.confidence,
            amount: self.amount,
            rules: self.rules.clone(),
            rules_hash: self.rules_hash.clone(),
        }
    }
}

/// What a record keeps of the decision it follows from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PolicyRef {
    /// What it said.
    pub verdict: Verdict,
    /// How sure.
    pub confidence: Confidence,
    /// The most it allows.
    pub amount: Money,
    /// The rules it rests on.
    pub rules: Vec<RuleId>,
    /// The hash of the rules' text.
    pub rules_hash: String,
}
