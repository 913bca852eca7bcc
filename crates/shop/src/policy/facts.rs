//! What the rules look at, gathered from the records. `None` is *not known*.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};

use crate::customer::{AbuseSignal, Customer, MethodKind};
use crate::order::{EntryKind, LineFlag, Order, OrderState, ParcelState, Receipt};
use crate::{LineId, Money};

/// Whose law protects the buyer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Jurisdiction {
    /// The People's Republic of China.
    #[serde(rename = "CN")]
    Cn,
    /// A member of the European Union.
    #[serde(rename = "EU")]
    Eu,
    /// The United Kingdom.
    #[serde(rename = "UK")]
    Uk,
    /// A country whose law the rules do not hold: the shop's own rules decide.
    #[serde(rename = "other")]
    Other,
}

/// Why the buyer wants money back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReasonClass {
    /// No reason, or one that is the buyer's own.
    NoReason,
    /// It is not wanted any more while it is on its way, or before it left.
    TransitCancel,
    /// It does not work as it should.
    QualityDefect,
    /// It is another article than was bought.
    WrongItem,
    /// It did not arrive.
    NotReceived,
    /// It arrived damaged.
    Damaged,
    /// A reason that fits none of these: a person reads it.
    Other,
}

/// What the buyer has shown for a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Evidence {
    /// Nothing.
    #[default]
    None,
    /// A description that fits the article.
    Described,
    /// A photograph or film.
    Photo,
    /// The shop or the carrier has confirmed it.
    Confirmed,
}

/// Where the parcel of a line is, as far as it matters for a refund.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Parcel {
    /// It has not left.
    NotShipped,
    /// It is on its way.
    InTransit,
    /// The buyer has it since this day, in the shop's time zone.
    Delivered {
        /// The day.
        on: Date,
        /// Into whose hands.
        receipt: Receipt,
    },
    /// Waits in a locker or at a counter.
    WaitsForPickup,
    /// The buyer would not take it; it is not back.
    Refused,
    /// It is on its way back.
    Returning,
    /// It is back.
    Returned,
    /// Lost, or something is wrong.
    Lost,
}

impl Parcel {
    /// The name in rules.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::NotShipped => "not_shipped",
            Self::InTransit => "in_transit",
            Self::Delivered { .. } => "delivered",
            Self::WaitsForPickup => "waits_for_pickup",
            Self::Refused => "refused",
            Self::Returning => "returning",
            Self::Returned => "returned",
            Self::Lost => "lost",
        }
    }
}

/// How the order was paid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Payment {
    /// Beforehand, by something to which money can be sent back.
    Prepaid,
    /// In cash to the carrier, who has it.
    CodPaid,
    /// In cash to the carrier, who does not have it yet.
    CodUnpaid,
    /// Not at all.
    Unpaid,
}

/// Pieces of a line that money is wanted for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wanted {
    /// The line.
    pub line: LineId,
    /// How many pieces.
    pub quantity: u32,
}

/// What the buyer asks for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// For what; `None` is everything that is left of the order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<Vec<Wanted>>,
    /// Why; `None` when nobody could tell.
    pub reason: Option<ReasonClass>,
    /// What was shown for it.
    #[serde(default)]
    pub evidence: Evidence,
    /// Whether the article was unsealed, activated or used beyond a look; `None` is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opened: Option<bool>,
}

/// What is known of one wanted line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineFacts {
    /// The line.
    pub line: LineId,
    /// How many pieces are wanted back.
    pub quantity: u32,
    /// How many were bought.
    pub ordered: u32,
    /// What one piece cost.
    pub unit_price: Money,
    /// The discount on the wanted pieces.
    pub discount: Money,
    /// The tax on the wanted pieces that is not in the price.
    pub tax: Money,
    /// The most that may be paid back for them, after what was paid back before.
    pub limit: Money,
    /// The shop's category.
    pub category: Option<String>,
    /// What is known of the article.
    pub flags: Option<Vec<LineFlag>>,
    /// Whether the buyer agreed at purchase that it cannot be returned.
    pub exclusion_agreed: Option<bool>,
    /// Whether it was unsealed, activated or used beyond a look.
    pub opened: Option<bool>,
    /// Where its parcel is.
    pub parcel: Option<Parcel>,
}

/// Everything the rules look at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    /// Whose law protects the buyer.
    pub jurisdiction: Option<Jurisdiction>,
    /// The day of the request, in the shop's time zone.
    pub today: Date,
    /// The day of the order, in the shop's time zone.
    pub placed: Date,
    /// How far the order is.
    pub order: OrderState,
    /// Why.
    pub reason: Option<ReasonClass>,
    /// What was shown for it.
    pub evidence: Evidence,
    /// How the order was paid.
    pub payment: Option<Payment>,
    /// Whether a chargeback is open.
    pub dispute_open: Option<bool>,
    /// The buyer's tier.
    pub tier: String,
    /// Signs of abuse on record.
    pub signals: Vec<AbuseSignal>,
    /// What is wanted.
    pub lines: Vec<LineFacts>,
    /// Whether that is everything that is left of the order.
    pub whole_order: bool,
    /// What delivery cost and was not paid back.
    pub shipping: Money,
    /// The part of it that was paid for more than standard delivery.
    pub express: Money,
    /// A coupon's minimum that the kept lines no longer reach, and how much of the coupon is on the kept lines.
    pub broken_coupon: Option<Money>,
    /// A line that came as a gift and is not sent back with the rest.
    pub gift_kept: bool,
    /// The day the last parcel of the order was delivered; `None` while one is under way.
    pub last_delivery: Option<Date>,
    /// What may still be paid back in all.
    pub refundable: Money,
}

/// Whose law protects a buyer in a country; `None` when the country is not one that is known by its code or name.
#[must_use]
pub fn jurisdiction(country: &str) -> Option<Jurisdiction> {
    const EU: [&str; 27] = [
        "AT", "BE", "BG", "HR", "CY", "CZ", "DK", "EE", "FI", "FR", "DE", "GR", "HU", "IE", "IT", "LV", "LT", "LU",
        "MT", "NL", "PL", "PT", "RO", "SK", "SI", "ES", "SE",
    ];
    let country = country.trim();
    let upper = country.to_uppercase();
    match upper.as_str() {
        "" => None,
        "CN" | "CHN" | "CHINA" | "中国" | "中华人民共和国" => Some(Jurisdiction::Cn),
        "GB" | "UK" | "GBR" | "UNITED KINGDOM" | "英国" => Some(Jurisdiction::Uk),
        "GERMANY" | "DEUTSCHLAND" | "FRANCE" | "ITALY" | "SPAIN" | "NETHERLANDS" | "IRELAND" | "AUSTRIA" | "EU" => {
            Some(Jurisdiction::Eu)
        }
        "USA" | "UNITED STATES" => Some(Jurisdiction::Other),
        code if EU.contains(&code) => Some(Jurisdiction::Eu),
        code if code.len() == 2 && code.bytes().all(|b| b.is_ascii_uppercase()) => Some(Jurisdiction::Other),
        _ => None,
    }
}

/// Gathers the facts of a request from the records. `zone` is the shop's time zone: days are its days.
#[must_use]
pub fn facts(order: &Order, customer: &Customer, request: &Request, now: Timestamp, zone: &TimeZone) -> Facts {
    let day = |at: Timestamp| at.to_zoned_datetime(zone.clone()).date();
    let zero = Money::zero(order.currency);
    let wanted = request.lines.clone().unwrap_or_else(|| left_of(order));
    let lines: Vec<LineFacts> = wanted.iter().filter_map(|w| line_facts(order, w, request, &day)).collect();
    let whole_order =
        left_of(order).iter().all(|left| wanted.iter().any(|w| w.line == left.line && w.quantity >= left.quantity));
    let delivery_paid_back = order.refunded_of(None).map_or(zero, |(_, money)| money);
    let shipping = order.shipping.checked_sub(delivery_paid_back).unwrap_or(zero);
    let all_arrived = order.shipments.iter().all(|s| s.delivered().is_some()) && order.state == OrderState::Delivered;
    let last = order.shipments.iter().filter_map(|s| s.delivered()).map(|(at, _)| day(at)).max();
    Facts {
        jurisdiction: order.country.as_deref().and_then(jurisdiction),
        today: day(now),
        placed: day(order.placed),
        order: order.state,
        reason: request.reason,
        evidence: request.evidence,
        payment: payment(order),
        dispute_open: order.dispute_open,
        tier: customer.tier.clone(),
        signals: customer.signals.clone(),
        whole_order,
        shipping: Money { minor: shipping.minor.max(0), ..shipping },
        express: order.express.unwrap_or(zero),
        broken_coupon: broken_coupon(order, &lines),
        gift_kept: gift_kept(order, &wanted),
        last_delivery: last.filter(|_| all_arrived),
        refundable: order.refundable().unwrap_or(zero),
        lines,
    }
}

/// What is left of an order to be paid back.
fn left_of(order: &Order) -> Vec<Wanted> {
    let left = order.lines.iter().filter_map(|line| {
        let (paid_back, _) = order.refunded_of(Some(&line.id)).ok()?;
        let quantity = line.quantity.saturating_sub(line.cancelled).saturating_sub(paid_back);
        (quantity > 0).then(|| Wanted { line: line.id.clone(), quantity })
    });
    left.collect()
}

fn line_facts(
    order: &Order,
    wanted: &Wanted,
    request: &Request,
    day: &impl Fn(Timestamp) -> Date,
) -> Option<LineFacts> {
    let line = order.line(&wanted.line)?;
    let zero = Money::zero(order.currency);
    let (before, _) = order.refunded_of(Some(&line.id)).unwrap_or((0, zero));
    let before = before.saturating_add(line.cancelled);
    Some(LineFacts {
        line: line.id.clone(),
        quantity: wanted.quantity,
        ordered: line.quantity,
        unit_price: line.unit_price,
        discount: line.discount.share_of_pieces(before, wanted.quantity, line.quantity),
        tax: line.tax.share_of_pieces(before, wanted.quantity, line.quantity),
        limit: order.refund_limit(&line.id, wanted.quantity).unwrap_or(zero),
        category: line.category.clone(),
        flags: line.flags.clone(),
        exclusion_agreed: line.exclusion_agreed,
        opened: request.opened,
        parcel: parcel(order, &line.id, day),
    })
}

fn parcel(order: &Order, line: &LineId, day: &impl Fn(Timestamp) -> Date) -> Option<Parcel> {
    let Some(shipment) = order.shipment_of(line) else {
        return match order.state {
            OrderState::Unpaid | OrderState::Paid | OrderState::Processing | OrderState::PartlyShipped => {
                Some(Parcel::NotShipped)
            }
            // It left, or arrived, and there is no parcel on record: when it arrived is not known.
            OrderState::Shipped => Some(Parcel::InTransit),
            OrderState::Delivered | OrderState::Cancelled => None,
        };
    };
    match shipment.state {
        ParcelState::Delivered => shipment.delivered().map(|(at, receipt)| Parcel::Delivered { on: day(at), receipt }),
        ParcelState::Pending | ParcelState::InfoReceived if order.state.is_before_dispatch() => {
            Some(Parcel::NotShipped)
        }
        ParcelState::Pending
        | ParcelState::InfoReceived
        | ParcelState::PickedUp
        | ParcelState::InTransit
        | ParcelState::OutForDelivery
        | ParcelState::FailedAttempt
        | ParcelState::Customs => Some(Parcel::InTransit),
        ParcelState::AvailableForPickup => Some(Parcel::WaitsForPickup),
        ParcelState::Refused => Some(Parcel::Refused),
        ParcelState::Returning => Some(Parcel::Returning),
        ParcelState::Returned => Some(Parcel::Returned),
        ParcelState::Exception | ParcelState::Expired => Some(Parcel::Lost),
        ParcelState::Cancelled => Some(Parcel::NotShipped),
    }
}

fn payment(order: &Order) -> Option<Payment> {
    let mut paid = order.ledger.iter().filter(|e| e.kind == EntryKind::Payment && e.counts()).peekable();
    if paid.peek().is_none() {
        return (order.state == OrderState::Unpaid).then_some(Payment::Unpaid);
    }
    let (mut cash, mut unpaid_cash) = (false, false);
    for entry in paid {
        cash |= entry.method_kind == MethodKind::CashOnDelivery;
        unpaid_cash |= entry.method_kind == MethodKind::CashOnDelivery && entry.amount.minor == 0;
    }
    Some(match (cash, unpaid_cash) {
        (false, _) => Payment::Prepaid,
        (true, true) => Payment::CodUnpaid,
        (true, false) => Payment::CodPaid,
    })
}

/// The part of a threshold coupon that stays on the kept lines although they no longer reach its minimum.
fn broken_coupon(order: &Order, wanted: &[LineFacts]) -> Option<Money> {
    let coupon = order.discounts.iter().find(|d| d.min_spend.is_some())?;
    let threshold = coupon.min_spend?;
    let mut kept_value = Money::zero(order.currency);
    let mut kept_discount = Money::zero(order.currency);
    for line in &order.lines {
        let back = wanted.iter().find(|w| w.line == line.id);
        let pieces = line.quantity.saturating_sub(line.cancelled).saturating_sub(back.map_or(0, |w| w.quantity));
        kept_value = kept_value.checked_add(line.unit_price.times(pieces).ok()?).ok()?;
        let discount = line.discount.share_of_pieces(0, pieces, line.quantity);
        kept_discount = kept_discount.checked_add(discount).ok()?;
    }
    (kept_value.minor > 0 && kept_value.minor < threshold.minor).then_some(kept_discount)
}

fn gift_kept(order: &Order, wanted: &[Wanted]) -> bool {
    let is_gift = |line: &&crate::order::Line| line.flags.as_ref().is_some_and(|f| f.contains(&LineFlag::Gift));
    let mut gifts = order.lines.iter().filter(is_gift);
    gifts.any(|gift| !gift.is_cancelled() && !wanted.iter().any(|w| w.line == gift.id))
}
