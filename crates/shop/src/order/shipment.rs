//! Parcels and what carriers say of them, in canonical states.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::LineId;

/// Where a parcel is, in words that are the same for every carrier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ParcelState {
    /// Nothing is known yet.
    Pending,
    /// The carrier was told.
    InfoReceived,
    /// The carrier has it.
    PickedUp,
    /// On its way.
    InTransit,
    /// On its last way.
    OutForDelivery,
    /// Lies in a locker or at a counter for the buyer to fetch.
    AvailableForPickup,
    /// The buyer has it.
    Delivered,
    /// Nobody was there.
    FailedAttempt,
    /// Something is wrong.
    Exception,
    /// The buyer would not take it.
    Refused,
    /// On its way back.
    Returning,
    /// Back at the shop.
    Returned,
    /// The dispatch was called off.
    Cancelled,
    /// At customs.
    Customs,
    /// Nothing was heard for too long.
    Expired,
}

impl ParcelState {
    /// All of them.
    pub const ALL: [Self; 15] = [
        Self::Pending,
        Self::InfoReceived,
        Self::PickedUp,
        Self::InTransit,
        Self::OutForDelivery,
        Self::AvailableForPickup,
        Self::Delivered,
        Self::FailedAttempt,
        Self::Exception,
        Self::Refused,
        Self::Returning,
        Self::Returned,
        Self::Cancelled,
        Self::Customs,
        Self::Expired,
    ];

    /// The name in stored records, rules and files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::InfoReceived => "info_received",
            Self::PickedUp => "picked_up",
            Self::InTransit => "in_transit",
            Self::OutForDelivery => "out_for_delivery",
            Self::AvailableForPickup => "available_for_pickup",
            Self::Delivered => "delivered",
            Self::FailedAttempt => "failed_attempt",
            Self::Exception => "exception",
            Self::Refused => "refused",
            Self::Returning => "returning",
            Self::Returned => "returned",
            Self::Cancelled => "cancelled",
            Self::Customs => "customs",
            Self::Expired => "expired",
        }
    }

    /// The state of a name.
    #[must_use]
    pub fn read(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.name() == name)
    }
}

/// Into whose hands a parcel was delivered: by law only the addressee's, or another's with consent, starts the clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Receipt {
    /// The addressee signed, or the carrier does not tell.
    #[default]
    Addressee,
    /// Somebody else took it.
    Proxy,
    /// A locker or a counter took it.
    Locker,
}

/// One thing a carrier said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// When, as the carrier says.
    pub at: Timestamp,
    /// What it means.
    pub state: ParcelState,
    /// For a delivery: into whose hands.
    #[serde(default)]
    pub receipt: Receipt,
    /// Where.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub place: String,
    /// The carrier's words: data, never instructions.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
}

/// A parcel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shipment {
    /// Unique within the order.
    pub id: String,
    /// The carrier, as the shop names it.
    pub carrier: String,
    /// The tracking number.
    pub tracking: String,
    /// What is in it; empty means all of the order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<LineId>,
    /// Where it is.
    pub state: ParcelState,
    /// What the carrier said, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<Event>,
}

impl Shipment {
    /// When the buyer got it, and into whose hands: the first delivery that the carrier told of.
    #[must_use]
    pub fn delivered(&self) -> Option<(Timestamp, Receipt)> {
        self.events.iter().find(|event| event.state == ParcelState::Delivered).map(|event| (event.at, event.receipt))
    }

    /// Takes in what a carrier said: known events are left out, the rest is put in order, and the latest says where it is.
    ///
    /// Whether anything was new.
    pub fn learn(&mut self, events: Vec<Event>) -> bool {
        let before = self.events.len();
        for event in events {
            if !self.events.contains(&event) {
                self.events.push(event);
            }
        }
        self.events.sort_by_key(|event| event.at);
        if let Some(last) = self.events.last() {
            self.state = last.state;
        }
        self.events.len() > before
    }
}
