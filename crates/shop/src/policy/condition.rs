//! What a rule asks of the facts, in three values: yes, no, not known.

use jiff::civil::{Date, Weekday};
use serde::{Deserialize, Serialize};

use super::{Evidence, Facts, Jurisdiction, LineFacts, Parcel, Payment, ReasonClass};
use crate::order::{LineFlag, OrderState, Receipt};

/// Yes, no, or the names of the facts that are missing to tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Truth {
    Yes,
    No,
    Unknown(Vec<String>),
}

impl From<bool> for Truth {
    fn from(holds: bool) -> Self {
        if holds { Self::Yes } else { Self::No }
    }
}

impl Truth {
    fn unknown(fact: &str) -> Self {
        Self::Unknown(vec![fact.to_owned()])
    }

    /// A no decides, whatever is not known.
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::No, _) | (_, Self::No) => Self::No,
            (Self::Yes, rest) | (rest, Self::Yes) => rest,
            (Self::Unknown(mut left), Self::Unknown(right)) => {
                left.extend(right);
                Self::Unknown(left)
            }
        }
    }

    /// A yes decides, whatever is not known.
    fn or(self, other: Self) -> Self {
        self.not().and(other.not()).not()
    }

    fn not(self) -> Self {
        match self {
            Self::Yes => Self::No,
            Self::No => Self::Yes,
            unknown @ Self::Unknown(_) => unknown,
        }
    }
}

/// One value, or several of which one is enough.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum OneOf<T> {
    /// This one.
    One(T),
    /// Any of these.
    Any(Vec<T>),
}

impl<T: PartialEq> OneOf<T> {
    fn holds(&self, value: &T) -> bool {
        match self {
            Self::One(one) => one == value,
            Self::Any(any) => any.contains(value),
        }
    }

    fn values(&self) -> &[T] {
        match self {
            Self::One(one) => std::slice::from_ref(one),
            Self::Any(any) => any,
        }
    }
}

/// Days since delivery: the day of delivery is day 0, the day after it is day 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Days {
    /// The first day that counts.
    #[serde(default)]
    pub from: i32,
    /// The last; none is for ever.
    #[serde(default)]
    pub to: Option<i32>,
    /// Whether a last day on a Saturday or Sunday moves to the Monday.
    #[serde(default)]
    pub weekend: bool,
}

impl Days {
    /// The last day as a date.
    pub(super) fn last(self, delivered: Date) -> Option<Date> {
        let last = delivered.checked_add(jiff::Span::new().try_days(self.to?).ok()?).ok()?;
        let more = match last.weekday() {
            Weekday::Saturday if self.weekend => 2,
            Weekday::Sunday if self.weekend => 1,
            _ => 0,
        };
        last.checked_add(jiff::Span::new().try_days(more).ok()?).ok()
    }

    fn hold(self, delivered: Date, today: Date) -> Truth {
        let Some(day) = days_between(delivered, today).filter(|day| *day >= 0) else {
            // Delivered in the future: a clock is wrong somewhere.
            return Truth::unknown("delivery_date");
        };
        let begun = day >= i64::from(self.from);
        let over = self.to.is_some() && self.last(delivered).is_none_or(|last| today > last);
        (begun && !over).into()
    }
}

/// Whole days from one date to another.
pub(super) fn days_between(from: Date, to: Date) -> Option<i64> {
    from.until(to).ok().map(|span| i64::from(span.get_days()))
}

/// What a rule asks. All that is named has to hold.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Condition {
    /// Whose law protects the buyer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jurisdiction: Option<OneOf<Jurisdiction>>,
    /// How far the order is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order: Option<OneOf<OrderState>>,
    /// Where the line's parcel is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parcel: Option<OneOf<String>>,
    /// Into whose hands it was delivered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub receipt: Option<OneOf<Receipt>>,
    /// Days since the line was delivered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub day: Option<Days>,
    /// Days since the last line of the order was delivered; while one is under way this is day 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order_day: Option<Days>,
    /// Why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<OneOf<ReasonClass>>,
    /// What was shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<OneOf<Evidence>>,
    /// How it was paid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payment: Option<OneOf<Payment>>,
    /// The buyer's tier.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tier: Option<OneOf<String>>,
    /// The shop's category.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub category: Option<OneOf<String>>,
    /// The article has one of these marks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flag: Option<OneOf<LineFlag>>,
    /// The buyer agreed at purchase that it cannot be returned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exclusion_agreed: Option<bool>,
    /// It was unsealed, activated or used beyond a look.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opened: Option<bool>,
    /// A dispute is open. Nobody having said so counts as no.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dispute: Option<bool>,
    /// There are signs of abuse on record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signals: Option<bool>,
    /// Everything that is left of the order is wanted back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub whole_order: Option<bool>,
    /// The kept lines no longer reach a coupon's minimum.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub broken_coupon: Option<bool>,
    /// A gift that came with the order is not sent back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gift_kept: Option<bool>,
    /// Something is left that could be paid back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refundable: Option<bool>,
    /// One of these holds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub any: Vec<Condition>,
    /// None of these holds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub none: Vec<Condition>,
}

/// Whether a value is one of the wanted; not asked is yes, not known is not known.
fn one_of<T: PartialEq>(wanted: Option<&OneOf<T>>, value: Option<&T>, name: &str) -> Truth {
    match (wanted, value) {
        (None, _) => Truth::Yes,
        (Some(_), None) => Truth::unknown(name),
        (Some(wanted), Some(value)) => wanted.holds(value).into(),
    }
}

fn flag(wanted: Option<bool>, value: Option<bool>, name: &str) -> Truth {
    match (wanted, value) {
        (None, _) => Truth::Yes,
        (Some(_), None) => Truth::unknown(name),
        (Some(wanted), Some(value)) => (wanted == value).into(),
    }
}

impl Condition {
    /// Whether the facts are so for a line.
    pub(super) fn holds(&self, facts: &Facts, line: &LineFacts) -> Truth {
        let parcel = line.parcel.map(|p| p.name().to_owned());
        let (on, receipt) = match line.parcel {
            Some(Parcel::Delivered { on, receipt }) => (Some(on), Some(receipt)),
            _ => (None, None),
        };
        let left = line.limit.minor > 0 && facts.refundable.minor > 0;
        let plain = [
            one_of(self.jurisdiction.as_ref(), facts.jurisdiction.as_ref(), "jurisdiction"),
            one_of(self.order.as_ref(), Some(&facts.order), "order"),
            one_of(self.parcel.as_ref(), parcel.as_ref(), "parcel"),
            one_of(self.receipt.as_ref(), receipt.as_ref(), "receipt"),
            one_of(self.reason.as_ref(), facts.reason.as_ref(), "reason"),
            one_of(self.evidence.as_ref(), Some(&facts.evidence), "evidence"),
            one_of(self.payment.as_ref(), facts.payment.as_ref(), "payment"),
            one_of(self.tier.as_ref(), Some(&facts.tier), "tier"),
            // A category is the shop's own word: a line without one is in none.
            self.category.as_ref().is_none_or(|c| line.category.as_ref().is_some_and(|is| c.holds(is))).into(),
            self.marked(line),
            flag(self.exclusion_agreed, line.exclusion_agreed, "exclusion_agreed"),
            flag(self.opened, line.opened, "opened"),
            flag(self.dispute, Some(facts.dispute_open == Some(true)), "dispute"),
            flag(self.signals, Some(!facts.signals.is_empty()), "signals"),
            flag(self.whole_order, Some(facts.whole_order), "whole_order"),
            flag(self.broken_coupon, Some(facts.broken_coupon.is_some()), "broken_coupon"),
            flag(self.gift_kept, Some(facts.gift_kept), "gift_kept"),
            flag(self.refundable, Some(left), "refundable"),
        ];
        let mut truth = plain.into_iter().fold(Truth::Yes, Truth::and);
        if let Some(days) = self.day {
            truth = truth.and(on.map_or_else(|| Truth::unknown("delivery_date"), |on| days.hold(on, facts.today)));
        }
        if let Some(days) = self.order_day {
            // Before the last parcel the time has not begun: that is inside of it.
            let since = if on.is_some() { Some(facts.last_delivery.unwrap_or(facts.today)) } else { None };
            truth = truth.and(since.map_or_else(|| Truth::unknown("delivery_date"), |on| days.hold(on, facts.today)));
        }
        if !self.any.is_empty() {
            truth = truth.and(self.any.iter().map(|c| c.holds(facts, line)).fold(Truth::No, Truth::or));
        }
        self.none.iter().fold(truth, |truth, c| truth.and(c.holds(facts, line).not()))
    }

    fn marked(&self, line: &LineFacts) -> Truth {
        let Some(wanted) = &self.flag else { return Truth::Yes };
        match &line.flags {
            None => Truth::unknown("flags"),
            Some(flags) => wanted.values().iter().any(|flag| flags.contains(flag)).into(),
        }
    }
}
