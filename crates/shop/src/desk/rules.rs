//! What a shop allows to be done to its orders. Part of the policy files, next to the refund rules.

use serde::{Deserialize, Serialize};

use crate::order::OrderState;

/// Where money may go back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RefundTo {
    /// Only where it came from.
    #[default]
    Original,
    /// Where it came from, or onto a gift card the customer has.
    OriginalOrGiftCard,
    /// To any way to pay the customer has.
    AnyOwn,
}

/// When an order may be called off.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CancelRules {
    /// In which states.
    pub states: Vec<OrderState>,
    /// For which reasons; `None` is any.
    #[serde(default)]
    pub reasons: Option<Vec<String>>,
    /// Whether only all of it.
    #[serde(default)]
    pub whole_order_only: bool,
}

/// When an order may be changed before it leaves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChangeRules {
    /// In which states.
    pub states: Vec<OrderState>,
    /// Whether its articles may be changed once, after which nothing may be changed and nothing called off.
    #[serde(default)]
    pub items_once_then_locked: bool,
    /// Where a price difference may go back.
    #[serde(default)]
    pub difference_to: RefundTo,
}

/// When delivered pieces may be returned or exchanged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReturnRules {
    /// In which states.
    pub states: Vec<OrderState>,
    /// Whether an order can have one return or exchange at all.
    #[serde(default)]
    pub once: bool,
    /// Where the money of a return may go.
    #[serde(default)]
    pub refund_to: RefundTo,
}

/// What a shop allows to be done to its orders.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OrderRules {
    /// Calling off.
    pub cancel: CancelRules,
    /// Changing address, articles and payment.
    pub change: ChangeRules,
    /// Returning and exchanging.
    pub returns: ReturnRules,
}

impl Default for OrderRules {
    fn default() -> Self {
        let early = vec![OrderState::Unpaid, OrderState::Paid];
        Self {
            cancel: CancelRules { states: early.clone(), reasons: None, whole_order_only: false },
            change: ChangeRules { states: early, items_once_then_locked: false, difference_to: RefundTo::Original },
            returns: ReturnRules {
                states: vec![OrderState::Delivered, OrderState::PartlyShipped],
                once: false,
                refund_to: RefundTo::Original,
            },
        }
    }
}
