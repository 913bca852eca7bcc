//! A line of an order, with its share of every discount.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use crate::{LineId, Localized, Money, MoneyError, ProductId, Sku};

/// What the law or the shop knows about the article of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LineFlag {
    /// Made to the buyer's wish.
    CustomMade,
    /// Spoils or goes out of date soon.
    Perishable,
    /// Digital content, or sealed audio, video or software.
    Digital,
    /// Newspaper or magazine.
    Newspaper,
    /// Touches body or food: not to be sold again once unsealed.
    Hygiene,
    /// Loses its value once activated or tried.
    Activation,
    /// Sold as near its date, with a mark.
    NearExpiry,
    /// Sold as defective, with a mark.
    MarkedDefective,
    /// Sold as final.
    FinalSale,
    /// Phone, computer, television, sound: the Chinese three guarantees apply.
    Electronics,
    /// Durable goods with the reversed burden of proof.
    Durable,
    /// Came as a gift with another line, for nothing.
    Gift,
}

/// A discount on the whole order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Discount {
    /// The coupon or the campaign.
    pub code: String,
    /// How much it took off.
    pub amount: Money,
    /// What had to be bought for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_spend: Option<Money>,
}

/// A line of an order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// Unique within the order.
    pub id: LineId,
    /// The product, when the shop says which.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub product: Option<ProductId>,
    /// The variant.
    pub sku: Sku,
    /// Its name.
    pub title: Localized,
    /// Option name to value, in the shop's order.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub options: IndexMap<String, String>,
    /// How many pieces.
    pub quantity: u32,
    /// What one piece cost before discounts.
    pub unit_price: Money,
    /// What discounts took off the whole line, its share of the order's discounts included.
    pub discount: Money,
    /// Tax on the whole line that is not in the price; zero when prices include it.
    pub tax: Money,
    /// The shop's category, by which rules may tell it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// What is known about the article; `None` when nobody has said, which is not the same as nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flags: Option<Vec<LineFlag>>,
    /// Whether the buyer agreed at purchase that the article cannot be returned; `None` is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exclusion_agreed: Option<bool>,
    /// Pieces that were called off.
    #[serde(default)]
    pub cancelled: u32,
}

impl Line {
    /// What the buyer pays for the whole line: price × pieces − discount + tax.
    ///
    /// # Errors
    /// When the line mixes currencies or the sum does not fit.
    pub fn total(&self) -> Result<Money, MoneyError> {
        self.unit_price.times(self.quantity)?.checked_sub(self.discount)?.checked_add(self.tax)
    }

    /// Whether nothing of it is left to be delivered or returned.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.cancelled >= self.quantity
    }
}
