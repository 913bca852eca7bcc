//! How far an order is, and what may happen to it next.

use serde::{Deserialize, Serialize};

/// How far an order is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OrderState {
    /// Placed, and nothing was paid; cash on delivery counts as this until the carrier has the money.
    Unpaid,
    /// Paid, and nothing was packed.
    Paid,
    /// Being packed: too late to change it.
    Processing,
    /// Some lines are on their way.
    PartlyShipped,
    /// All lines are on their way.
    Shipped,
    /// The buyer has all of it.
    Delivered,
    /// Called off.
    Cancelled,
}

/// What happens to an order as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OrderEvent {
    /// Money came in for all of it.
    Pay,
    /// Packing began.
    Pack,
    /// A part left.
    ShipPart,
    /// The rest left.
    ShipAll,
    /// All of it arrived.
    Deliver,
    /// It is called off.
    Cancel,
}

impl OrderState {
    /// Where an event leads from here; `None` when it cannot happen here.
    #[must_use]
    pub fn after(self, event: OrderEvent) -> Option<Self> {
        use OrderEvent as E;
        use OrderState as S;
        match (self, event) {
            (S::Unpaid, E::Pay) => Some(S::Paid),
            (S::Unpaid | S::Paid, E::Pack) => Some(S::Processing),
            (S::Unpaid | S::Paid | S::Processing | S::PartlyShipped, E::ShipPart) => Some(S::PartlyShipped),
            (S::Unpaid | S::Paid | S::Processing | S::PartlyShipped | S::Shipped, E::ShipAll) => Some(S::Shipped),
            (S::Shipped | S::PartlyShipped | S::Delivered, E::Deliver) => Some(S::Delivered),
            (S::Unpaid | S::Paid, E::Cancel) => Some(S::Cancelled),
            _ => None,
        }
    }

    /// Whether nothing has left the house.
    #[must_use]
    pub fn is_before_dispatch(self) -> bool {
        matches!(self, Self::Unpaid | Self::Paid | Self::Processing)
    }

    /// The name in stored records and rules.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Unpaid => "unpaid",
            Self::Paid => "paid",
            Self::Processing => "processing",
            Self::PartlyShipped => "partly_shipped",
            Self::Shipped => "shipped",
            Self::Delivered => "delivered",
            Self::Cancelled => "cancelled",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_left_the_house_is_not_cancelled_and_a_cancelled_order_stays_so() {
        use OrderEvent as E;
        assert_eq!(OrderState::Paid.after(E::Cancel), Some(OrderState::Cancelled));
        for state in [OrderState::Processing, OrderState::PartlyShipped, OrderState::Shipped, OrderState::Delivered] {
            assert_eq!(state.after(E::Cancel), None, "{state:?}");
        }
        for event in [E::Pay, E::Pack, E::ShipPart, E::ShipAll, E::Deliver, E::Cancel] {
            assert_eq!(OrderState::Cancelled.after(event), None, "{event:?}");
        }
        assert_eq!(OrderState::Unpaid.after(E::Pack), Some(OrderState::Processing), "cash on delivery");
    }
}
