//! A product as a shop sells it, independent of the feed it came from.

use indexmap::IndexMap;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{Localized, Money, ProductId, Sku};

/// For whom an article is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Gender {
    /// Women.
    Women,
    /// Men.
    Men,
    /// Girls.
    Girls,
    /// Boys.
    Boys,
    /// Everyone.
    Unisex,
}

/// The age an article is made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AgeGroup {
    /// Up to about two years.
    Infant,
    /// Children.
    Kids,
    /// Adults.
    Adult,
}

/// The season an article is made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Season {
    /// Spring.
    Spring,
    /// Summer.
    Summer,
    /// Autumn.
    Autumn,
    /// Winter.
    Winter,
}

/// What is known of the stock of a variant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stock {
    /// The feed does not say.
    #[default]
    Unknown,
    /// The shop does not count this variant: it can be bought.
    NotTracked,
    /// So many pieces; 0 is sold out.
    Pieces(u32),
    /// Sold out or in stock without a number.
    Flag(bool),
}

/// Whether a variant can be bought now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Availability {
    /// Can be bought and shipped.
    InStock,
    /// Can be ordered before it exists.
    Preorder,
    /// Can be ordered and waits for stock.
    Backorder,
    /// Cannot be bought now.
    OutOfStock,
    /// The feed does not say.
    #[default]
    Unknown,
}

/// A picture of a product.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImageRef {
    /// Where the feed says the picture is: a web address, or a path relative to the feed's picture folder or archive.
    pub source: String,
    /// The stored file once the picture was read, by the hash of its content.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// What it shows, for those who cannot see it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alt: Option<String>,
}

/// One buyable variant of a product.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Variant {
    /// Its stock keeping unit.
    pub sku: Sku,
    /// Option name to value, in the feed's order: `{"Size": "M", "Color": "Red"}`.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub options: IndexMap<String, String>,
    /// What it costs now; `None` is unknown, never free.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price: Option<Money>,
    /// What it cost before, when the feed states a higher list price.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub list_price: Option<Money>,
    /// What is known of its stock.
    #[serde(default)]
    pub stock: Stock,
    /// Whether it can be bought now.
    #[serde(default)]
    pub availability: Availability,
    /// GTIN, EAN or UPC, digits only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub barcode: Option<String>,
    /// Its own picture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image: Option<ImageRef>,
}

/// A product (SPU): what one card shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Product {
    /// The shop's own id.
    pub id: ProductId,
    /// Its name.
    pub title: Localized,
    /// Plain text; markup is removed at import.
    #[serde(default, skip_serializing_if = "Localized::is_empty")]
    pub description: Localized,
    /// The maker.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub brand: Option<String>,
    /// Category path from general to special, each level in one or both languages.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub category: Vec<Localized>,
    /// Colours as the feed names them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub colours: Vec<String>,
    /// For whom it is made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gender: Option<Gender>,
    /// For which age it is made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub age_group: Option<AgeGroup>,
    /// The seasons it is made for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seasons: Vec<Season>,
    /// What it is worn or used for, such as `Formal` or `Running`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub usage: Vec<String>,
    /// What it is made of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub materials: Vec<String>,
    /// Anything else the feed says, name to value.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub attributes: IndexMap<String, String>,
    /// Free labels.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// At least one variant; a product without options has exactly one without options.
    pub variants: Vec<Variant>,
    /// Pictures, the main one first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub images: Vec<ImageRef>,
    /// Its page in the shop.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Sales, views or another measure of how much it is wanted, when the feed states one; larger is more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub popularity: Option<u32>,
    /// Mean rating in hundredths of a star (0–500), when the feed states one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating_centistars: Option<u16>,
    /// When it came into the shop, when the feed says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub released: Option<Timestamp>,
}

impl Product {
    /// The lowest and the highest known price, when all known prices share a currency; `None` when no price is known.
    #[must_use]
    pub fn price_range(&self) -> Option<(Money, Money)> {
        let mut prices = self.variants.iter().filter_map(|v| v.price);
        let first = prices.next()?;
        prices.try_fold((first, first), |(low, high), price| {
            let comparable = price.currency == low.currency;
            let low = if price.minor < low.minor { price } else { low };
            let high = if price.minor > high.minor { price } else { high };
            comparable.then_some((low, high))
        })
    }

    /// The best availability among the variants.
    #[must_use]
    pub fn availability(&self) -> Availability {
        self.variants.iter().map(|v| v.availability).min().unwrap_or_default()
    }

    /// The main picture.
    #[must_use]
    pub fn main_image(&self) -> Option<&ImageRef> {
        self.images.first().or_else(|| self.variants.iter().find_map(|v| v.image.as_ref()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Currency;

    fn variant(price: Option<i64>, availability: Availability) -> Variant {
        Variant {
            sku: Sku::new("S").unwrap(),
            options: IndexMap::new(),
            price: price.map(|minor| Money::new(minor, Currency::CNY)),
            list_price: None,
            stock: Stock::Unknown,
            availability,
            barcode: None,
            image: None,
        }
    }

    #[test]
    fn a_product_shows_its_known_price_span_and_its_best_availability() {
        let json = r#"{"id":"p1","title":{"en":"Dress"},"variants":[]}"#;
        let mut product: Product = serde_json::from_str(json).unwrap();
        assert_eq!(product.price_range(), None);
        assert_eq!(product.availability(), Availability::Unknown);
        product.variants = vec![
            variant(Some(29_900), Availability::OutOfStock),
            variant(None, Availability::Unknown),
            variant(Some(19_900), Availability::InStock),
        ];
        let (low, high) = product.price_range().unwrap();
        assert_eq!((low.minor, high.minor), (19_900, 29_900));
        assert_eq!(product.availability(), Availability::InStock);
        let stored = serde_json::to_string(&product).unwrap();
        assert_eq!(serde_json::from_str::<Product>(&stored).unwrap(), product);
    }
}
