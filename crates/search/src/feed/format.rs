//! The formats that are known, and how each is recognised.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::error::FeedError;
use super::guess;
use super::mapping::Mapping;
use super::node::Node;
use super::record::{Header, key};
use super::shapes::Shape;
use super::shapes::google::Google;
use super::shapes::magento::Magento;
use super::shapes::mapped::Mapped;
use super::shapes::saleor::Saleor;
use super::shapes::shopify::Shopify;
use super::shapes::woocommerce::WooCommerce;

/// A feed's format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Format {
    /// Our own: products as JSON, or a table or list with our column names.
    Mercer,
    /// Shopify product CSV, old and new header.
    Shopify,
    /// WooCommerce product CSV.
    WooCommerce,
    /// Magento (Adobe Commerce) product CSV.
    Magento,
    /// OpenAI product feed.
    OpenAi,
    /// Google Merchant feed: RSS, Atom, TSV, CSV.
    Google,
    /// The Kaggle fashion `styles.csv`.
    Kaggle,
    /// Icecat data as JSON, as published with CHORUS.
    Icecat,
    /// litemall goods as JSON.
    Litemall,
    /// dummyjson.com products.
    DummyJson,
    /// Vendure product CSV.
    Vendure,
    /// Saleor database dump as JSON.
    Saleor,
    /// Medusa products as JSON.
    Medusa,
    /// newbee-mall goods as JSON.
    Newbee,
    /// Agentic Commerce Protocol product feed.
    Acp,
    /// Anything else, by a mapping file or by its column names.
    Generic,
}

/// All formats, with their names.
const NAMES: [(Format, &str); 16] = [
    (Format::Mercer, "mercer"),
    (Format::Shopify, "shopify"),
    (Format::WooCommerce, "woocommerce"),
    (Format::Magento, "magento"),
    (Format::OpenAi, "openai"),
    (Format::Google, "google"),
    (Format::Kaggle, "kaggle"),
    (Format::Icecat, "icecat"),
    (Format::Litemall, "litemall"),
    (Format::DummyJson, "dummyjson"),
    (Format::Vendure, "vendure"),
    (Format::Saleor, "saleor"),
    (Format::Medusa, "medusa"),
    (Format::Newbee, "newbee"),
    (Format::Acp, "acp"),
    (Format::Generic, "generic"),
];

impl Format {
    /// Its name, as in `--format shopify`.
    #[must_use]
    pub fn name(self) -> &'static str {
        NAMES.iter().find(|(format, _)| *format == self).map_or("generic", |(_, name)| name)
    }

    /// All formats.
    pub fn all() -> impl Iterator<Item = Self> {
        NAMES.iter().map(|(format, _)| *format)
    }

    /// The columns that must be there; of each group one is enough.
    fn anchors(self) -> &'static [&'static [&'static str]] {
        match self {
            Self::Shopify => &[
                &["handle", "url_handle"],
                &["title"],
                &["option1_name", "option1_value"],
                &["variant_price", "price", "variant_sku", "sku"],
            ],
            Self::WooCommerce => &[
                &["type"],
                &["sku"],
                &["name"],
                &["regular_price"],
                &["published", "visibility_in_catalog", "tax_status"],
            ],
            Self::Magento => {
                &[&["sku"], &["product_type"], &["name"], &["attribute_set_code", "store_view_code"], &["price"]]
            }
            Self::OpenAi => &[
                &["item_id", "id"],
                &["title"],
                &["is_eligible_search", "is_eligible_checkout", "enable_search", "enable_checkout"],
            ],
            Self::Google => &[
                &["id"],
                &["title"],
                &["link", "image_link"],
                &["price"],
                &["availability", "condition", "gtin", "mpn", "google_product_category", "item_group_id"],
            ],
            Self::Kaggle => &[&["id"], &["articletype"], &["productdisplayname"]],
            Self::Icecat => &[&["id"], &["title"], &["supplier"], &["short_description", "img_500x500", "ean"]],
            Self::Litemall => &[&["id"], &["name"], &["counter_price"], &["retail_price"]],
            Self::DummyJson => &[&["id"], &["title"], &["discountpercentage"]],
            Self::Vendure => &[&["name"], &["slug"], &["optiongroups"], &["optionvalues"], &["sku"]],
            Self::Saleor => {
                &[&["model"], &["pk"], &["fields_name", "fields_slug", "fields_product", "fields_currency"]]
            }
            Self::Medusa => &[&["handle"], &["title"], &["is_giftcard"], &["options_title", "variants"]],
            Self::Newbee => &[&["id"], &["name"], &["selling_price"], &["original_price"], &["cover"]],
            Self::Acp => &[&["id"], &["variants_price_amount"]],
            Self::Mercer | Self::Generic => &[],
        }
    }

    /// A column that the format needs and that is not there.
    pub(crate) fn missing(self, columns: &Columns<'_>) -> Option<&'static str> {
        let keys = columns.keys();
        let missing = self.anchors().iter().find(|group| !group.iter().any(|name| keys.iter().any(|k| k == name)));
        missing.and_then(|group| group.first().copied())
    }

    fn mapping(self) -> Option<&'static str> {
        Some(match self {
            Self::Kaggle => include_str!("mappings/kaggle.toml"),
            Self::Icecat => include_str!("mappings/icecat.toml"),
            Self::Litemall => include_str!("mappings/litemall.toml"),
            Self::DummyJson => include_str!("mappings/dummyjson.toml"),
            Self::Vendure => include_str!("mappings/vendure.toml"),
            Self::Medusa => include_str!("mappings/medusa.toml"),
            Self::Newbee => include_str!("mappings/newbee.toml"),
            Self::Acp => include_str!("mappings/acp.toml"),
            Self::Mercer
            | Self::Shopify
            | Self::WooCommerce
            | Self::Magento
            | Self::OpenAi
            | Self::Google
            | Self::Saleor
            | Self::Generic => {
                return None;
            }
        })
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Format {
    type Err = FeedError;

    fn from_str(text: &str) -> Result<Self, FeedError> {
        let wanted = text.trim().to_ascii_lowercase();
        let found = NAMES.iter().find(|(_, name)| *name == wanted).map(|(format, _)| *format);
        found.ok_or_else(|| {
            let names: Vec<&str> = NAMES.iter().map(|(_, name)| *name).collect();
            FeedError::Mapping(format!("{text:?} is not a format; use one of {}", names.join(", ")))
        })
    }
}

/// What is known of a part's columns.
pub(crate) enum Columns<'a> {
    Table(&'a Header),
    Items(&'a [Node]),
}

impl Columns<'_> {
    /// All column names; paths into items with dots.
    pub(crate) fn names(&self) -> Vec<String> {
        match self {
            Self::Table(header) => header.names.clone(),
            Self::Items(items) => {
                let (mut names, variants, inner) = guess::node_columns(items);
                if let Some(path) = variants {
                    names.extend(inner.into_iter().map(|name| format!("{path}[].{name}")));
                }
                names
            }
        }
    }

    fn keys(&self) -> Vec<String> {
        let mut keys: Vec<String> = self.names().iter().map(|name| key(name)).collect();
        if let Self::Items(items) = self {
            for path in ["variants", "variants.price.amount", "options.title"] {
                let found = items.iter().any(|item| {
                    let mut out = Vec::new();
                    item.at(path, &mut out);
                    !out.is_empty()
                });
                if found {
                    keys.push(key(path));
                }
            }
        }
        keys
    }
}

/// A format that fits, how sure that is, and the mapping when it is one.
#[derive(Debug, Clone)]
pub(crate) struct Fit {
    pub(crate) format: Format,
    pub(crate) confidence: f32,
    pub(crate) mapping: Option<Mapping>,
}

/// The formats that fit, the likeliest first.
pub(crate) fn fits(columns: &Columns<'_>) -> Vec<Fit> {
    let keys = columns.keys();
    let mut out = Vec::new();
    if let Columns::Items(items) = columns
        && items.iter().any(is_own)
    {
        out.push(Fit { format: Format::Mercer, confidence: 0.99, mapping: None });
    }
    for format in Format::all() {
        let anchors = format.anchors();
        let fits = anchors.iter().all(|group| group.iter().any(|name| keys.iter().any(|k| k == name)));
        if !anchors.is_empty() && fits {
            out.push(Fit { format, confidence: 0.95, mapping: None });
        }
    }
    let guessed = match columns {
        Columns::Table(header) => guess::mapping(&header.names),
        Columns::Items(items) => guess::node_mapping(items),
    };
    if let Some((mapping, confidence)) = guessed {
        out.push(Fit { format: Format::Generic, confidence, mapping: Some(mapping) });
    }
    out
}

/// A product as we write it: its name is a map by language.
pub(crate) fn is_own(item: &Node) -> bool {
    let title = item
        .get("title")
        .is_some_and(|t| matches!(t, Node::Map(_)) && (t.get("zh").is_some() || t.get("en").is_some()));
    title && item.get("id").is_some()
}

/// The code or mapping that reads a format.
pub(crate) fn shape(
    fit: &Fit,
    columns: &Columns<'_>,
    own: Option<&Mapping>,
) -> Result<(Box<dyn Shape>, Option<Mapping>), FeedError> {
    let header = match columns {
        Columns::Table(header) => Some(*header),
        Columns::Items(_) => None,
    };
    let mapping = match (own, fit.format.mapping()) {
        (Some(mapping), _) => Some(mapping.clone()),
        (None, Some(text)) => Some(Mapping::parse(text)?),
        (None, None) => fit.mapping.clone(),
    };
    let none = Header::default();
    let coded: Option<Box<dyn Shape>> = match fit.format {
        _ if own.is_some() => None,
        Format::Shopify => Some(Box::new(Shopify::new(header.unwrap_or(&none)))),
        Format::WooCommerce => Some(Box::new(WooCommerce::new(header.unwrap_or(&none)))),
        Format::Magento => Some(Box::<Magento>::default()),
        Format::OpenAi | Format::Google => Some(Box::new(Google)),
        Format::Saleor => Some(Box::<Saleor>::default()),
        _ => None,
    };
    if let Some(shape) = coded {
        return Ok((shape, None));
    }
    if let Some(mapping) = &mapping {
        return Ok((Box::new(Mapped::new(mapping.clone(), header)?), Some(mapping.clone())));
    }
    // Our own products are read as they are; what is no product is read by its names.
    let fallback = match columns {
        Columns::Table(header) => guess::mapping(&header.names),
        Columns::Items(items) => guess::node_mapping(items),
    };
    let mapping = fallback.map(|(mapping, _)| mapping).unwrap_or_default();
    Ok((Box::new(Mapped::new(mapping.clone(), header)?), Some(mapping)))
}
