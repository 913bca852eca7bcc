//! Records that come in from elsewhere: the same again changes nothing, and what a command did is never undone.

use serde::{Deserialize, Serialize};

use crate::Product;
use crate::customer::Customer;
use crate::order::Order;

/// A record to take in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Record {
    /// An order.
    Order(Box<Order>),
    /// A customer.
    Customer(Box<Customer>),
    /// A product that lines refer to.
    Product(Box<Product>),
}

/// What came of an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Imported {
    /// Records that were not there.
    pub new: usize,
    /// Records that were there and said something else.
    pub changed: usize,
    /// Records that were there and said the same.
    pub same: usize,
}

impl Imported {
    /// Adds another count to this one.
    pub fn add(&mut self, other: Self) {
        self.new += other.new;
        self.changed += other.changed;
        self.same += other.same;
    }
}

/// The order as it is after an import. An order that a command has changed keeps its ledger, lines, address and returns: the
/// import brings its parcels, the buyer's note and whether a dispute is open.
pub(super) fn merged_order(mut stored: Order, incoming: &Order) -> Order {
    if !stored.touched {
        return Order { version: stored.version + 1, ..incoming.clone() };
    }
    for parcel in &incoming.shipments {
        match stored.shipments.iter_mut().find(|s| s.tracking == parcel.tracking) {
            Some(known) => {
                known.learn(parcel.events.clone());
                known.state = parcel.state;
            }
            None => stored.shipments.push(parcel.clone()),
        }
    }
    let forward = incoming.state > stored.state && stored.state != crate::order::OrderState::Cancelled;
    if forward && incoming.state != crate::order::OrderState::Cancelled {
        stored.state = incoming.state;
    }
    stored.note = incoming.note.clone();
    stored.dispute_open = incoming.dispute_open;
    stored.source_hash = incoming.source_hash.clone();
    stored.version += 1;
    stored
}

/// The customer as they are after an import: balances that a command moved stay.
pub(super) fn merged_customer(stored: &Customer, incoming: &Customer) -> Customer {
    let mut merged = Customer { version: stored.version + 1, ..incoming.clone() };
    for (id, method) in &mut merged.methods {
        if let Some(known) = stored.methods.get(id) {
            method.balance = known.balance.or(method.balance);
        }
    }
    for (id, method) in &stored.methods {
        merged.methods.entry(id.clone()).or_insert_with(|| method.clone());
    }
    for signal in &stored.signals {
        if !merged.signals.contains(signal) {
            merged.signals.push(*signal);
        }
    }
    merged.email = merged.email.or_else(|| stored.email.clone());
    merged.phone = merged.phone.or_else(|| stored.phone.clone());
    merged
}
