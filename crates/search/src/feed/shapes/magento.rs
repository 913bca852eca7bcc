//! Magento's (Adobe Commerce's) product CSV: a configurable product lists the SKUs of its variations, which are rows of their own
//! that are not shown alone; further rows hold the texts of other languages.

use std::collections::{HashMap, HashSet};

use mercer_shop::{Lang, Stock};

use super::cells::{attribute, label};
use super::{Cx, Shape, hash};
use crate::feed::draft::{Draft, Problem, VariantDraft, image, push};
use crate::feed::record::{Record, key};
use crate::feed::report::ProblemKind;
use crate::feed::{text, values};

#[derive(Default)]
pub(crate) struct Magento {
    /// From a variation's SKU to its configurable product.
    parents: HashMap<u64, (u64, String)>,
    /// The option codes of a configurable product.
    options: HashMap<u64, Vec<String>>,
    /// SKUs that have a row.
    rows: HashSet<u64>,
}

/// Columns and the fields they fill, for the preview.
const FIELDS: [(&str, &str); 22] = [
    ("sku", "id"),
    ("store_view_code", "language"),
    ("product_type", "type"),
    ("categories", "category"),
    ("name", "title"),
    ("description", "description"),
    ("short_description", "description"),
    ("product_online", "published"),
    ("visibility", "published"),
    ("price", "price"),
    ("special_price", "sale_price"),
    ("special_price_from_date", "sale_price"),
    ("special_price_to_date", "sale_price"),
    ("base_image", "image"),
    ("additional_images", "image"),
    ("additional_attributes", "attributes"),
    ("qty", "stock"),
    ("is_in_stock", "availability"),
    ("allow_backorders", "availability"),
    ("created_at", "released"),
    ("configurable_variations", "variants"),
    ("url_key", "ignore"),
];

/// Attributes that say nothing about the product.
const TECHNICAL: [&str; 4] = ["has_options", "required_options", "options_container", "tax_class_id"];

impl Magento {
    fn sell(record: Record<'_>, variant: &mut VariantDraft, cx: &mut Cx<'_>) {
        let dated = record.first(&["special_price_from_date", "special_price_to_date"]).is_some();
        let mut special = record.get("special_price");
        if dated && special.is_some() {
            special = None;
            cx.note(
                ProblemKind::BadValue,
                "special_price",
                "the special price counts for some days only; the price is used",
            );
        }
        let price = cx.wanted_price("price", record.get("price"), false);
        let special = special.and_then(|text| cx.price("special_price", text, false));
        let lower = special.filter(|s| price.is_none_or(|p| s.minor < p.minor && s.minor > 0));
        (variant.price, variant.list_price) = (lower.or(price), lower.and(price));
        let untracked = record.get("manage_stock") == Some("0") && record.get("use_config_manage_stock") == Some("0");
        let pieces = record.get("qty").and_then(values::pieces);
        variant.stock = match (untracked, record.get("is_in_stock").and_then(values::truth), pieces) {
            (true, _, _) => Stock::NotTracked,
            (false, Some(false), _) => Stock::Flag(false),
            (false, _, Some(pieces)) => Stock::Pieces(pieces),
            (false, Some(true), None) => Stock::Flag(true),
            (false, None, None) => Stock::Unknown,
        };
        variant.backorder = record.get("allow_backorders").is_some_and(|b| b != "0");
    }

    fn texts(record: Record<'_>, draft: &mut Draft, cx: &mut Cx<'_>) {
        let view = record.get("store_view_code").unwrap_or_default().to_lowercase();
        let lang = ["zh", "cn", "chinese"].iter().any(|code| view.contains(code)).then_some(Lang::Zh);
        if let Some(name) = record.get("name") {
            match lang {
                Some(lang) => draft.title.set(lang, text::line(name)),
                None => {
                    let problem = draft.set_title(name);
                    cx.note_if(problem);
                }
            }
        }
        if let Some(body) = record.first(&["description", "short_description"]) {
            match lang {
                Some(lang) => draft.description.set(lang, text::body(body)),
                None => {
                    let problem = draft.set_description(body);
                    cx.note_if(problem);
                }
            }
        }
    }

    fn head(&self, record: Record<'_>, draft: &mut Draft, cx: &mut Cx<'_>) {
        draft.head = true;
        Self::texts(record, draft, cx);
        let paths: Vec<&str> = record.get("categories").unwrap_or_default().split(',').map(str::trim).collect();
        let levels = |path: &'_ str| -> Vec<String> {
            path.split('/')
                .map(str::trim)
                .filter(|l| !l.is_empty() && *l != "Default Category")
                .map(str::to_owned)
                .collect()
        };
        let mut paths = paths.into_iter().map(levels).filter(|levels| !levels.is_empty());
        if let Some(path) = paths.next() {
            draft.set_category(path.iter().map(String::as_str));
        }
        paths.filter_map(|path| path.last().cloned()).for_each(|leaf| push(&mut draft.tags, &leaf));
        for (name, value) in pairs(record.get("additional_attributes").unwrap_or_default()) {
            if !TECHNICAL.contains(&name) {
                let value = value.replace('|', ", ");
                attribute(draft, &title_case(name), &value);
            }
        }
        for column in ["base_image", "additional_images"] {
            record.get(column).into_iter().flat_map(|cell| cell.split(',')).for_each(|source| draft.add_image(source));
        }
        draft.released = record.get("created_at").and_then(values::timestamp);
        draft.url = record.get("url_key").filter(|url| url.contains("://")).map(str::to_owned);
        let off = record.get("product_online").is_some_and(|online| online != "1");
        let unseen = record.get("visibility").is_some_and(|v| v.eq_ignore_ascii_case("Not Visible Individually"));
        if off || unseen {
            draft.hidden = Some("the shop does not show it: it is off line, or not visible individually");
        }
    }

    /// Variations that the configurable product lists and that have no row.
    fn missing(&self, record: Record<'_>, draft: &mut Draft, cx: &mut Cx<'_>) {
        let price = record.get("price").and_then(|text| cx.price("price", text, false));
        for variation in variations(record) {
            let sku = variation.iter().find(|(name, _)| *name == "sku").map(|(_, value)| *value);
            let Some(sku) = sku.filter(|sku| !self.rows.contains(&hash("sku", sku))) else { continue };
            let mut variant = VariantDraft { sku: Some(sku.to_owned()), price, ..VariantDraft::default() };
            for (name, value) in variation.iter().filter(|(name, _)| *name != "sku") {
                variant.options.insert(title_case(name), text::line(value).into_owned());
            }
            cx.note(
                ProblemKind::MissingParent,
                "configurable_variations",
                format!("the variation {sku} has no row of its own"),
            );
            draft.variants.push(variant);
        }
    }
}

/// `sku=A,size=S|sku=B,size=M`.
fn variations(record: Record<'_>) -> Vec<Vec<(&str, &str)>> {
    let cell = record.get("configurable_variations").unwrap_or_default();
    cell.split('|').map(pairs).filter(|pairs| !pairs.is_empty()).collect()
}

impl Shape for Magento {
    fn grouped(&self) -> bool {
        true
    }

    fn survey(&mut self, record: Record<'_>) -> u64 {
        let sku = record.get("sku").unwrap_or_default();
        let own = hash("sku", sku);
        self.rows.insert(own);
        for variation in variations(record) {
            let names = variation.iter().filter(|(name, _)| *name != "sku").map(|(name, _)| (*name).to_owned());
            self.options.entry(own).or_insert_with(|| names.collect());
            if let Some((_, child)) = variation.iter().find(|(name, _)| *name == "sku") {
                self.parents.entry(hash("sku", child)).or_insert_with(|| (own, sku.to_owned()));
            }
        }
        own
    }

    fn resolve(&self, key: u64) -> u64 {
        self.parents.get(&key).map_or(key, |(parent, _)| *parent)
    }

    fn draft(&mut self, record: Record<'_>, line: u64, cx: &mut Cx<'_>) -> Result<Draft, Problem> {
        let sku = record.get("sku").ok_or_else(|| Problem::new(ProblemKind::BadId, "sku", "the row has no SKU"))?;
        let parent = self.parents.get(&hash("sku", sku));
        let other_language = record.get("store_view_code").is_some_and(|view| !view.eq_ignore_ascii_case("default"));
        let mut draft = Draft::new(parent.map_or(sku, |(_, parent)| parent), line);
        if other_language {
            if parent.is_none() {
                Self::texts(record, &mut draft, cx);
            }
            return Ok(draft);
        }
        let Some((parent, _)) = parent else {
            self.head(record, &mut draft, cx);
            if variations(record).is_empty() {
                draft.common.sku = Some(sku.to_owned());
                Self::sell(record, &mut draft.common, cx);
            } else {
                self.missing(record, &mut draft, cx);
            }
            return Ok(draft);
        };
        let names = self.options.get(parent).map(Vec::as_slice).unwrap_or_default();
        let mut variant = VariantDraft { sku: Some(sku.to_owned()), ..VariantDraft::default() };
        Self::sell(record, &mut variant, cx);
        let attributes = pairs(record.get("additional_attributes").unwrap_or_default());
        for name in names {
            if let Some((_, value)) = attributes.iter().find(|(known, _)| known == name) {
                variant.options.insert(title_case(name), text::line(value).into_owned());
            }
        }
        variant.image = record.get("base_image").map(image);
        if record.get("product_online").is_some_and(|online| online != "1") {
            return Err(Problem::new(ProblemKind::NotForSale, "product_online", "the variation is off line"));
        }
        draft.variants.push(variant);
        Ok(draft)
    }

    fn maps_to(&self, column: &str) -> Option<String> {
        let key = key(column);
        FIELDS.iter().find(|(name, _)| *name == key).map(|(_, field)| (*field).to_owned())
    }
}

/// `size=XS,color=Black`; a comma before something without `=` belongs to the value.
fn pairs(cell: &str) -> Vec<(&str, &str)> {
    let mut out: Vec<(&str, &str)> = Vec::new();
    let mut start = 0;
    let mut ends = cell.match_indices(',').map(|(at, _)| at).chain([cell.len()]).peekable();
    while let Some(end) = ends.next() {
        let next = cell.get(end + 1..).unwrap_or_default();
        let next = next.get(..ends.peek().map_or(next.len(), |at| at - end - 1)).unwrap_or_default();
        if ends.peek().is_some() && !next.contains('=') {
            continue;
        }
        if let Some((name, value)) = cell.get(start..end).and_then(|pair| pair.split_once('=')) {
            out.push((name.trim(), value.trim()));
        }
        start = end + 1;
    }
    out
}

/// `style_general` is `Style general`.
fn title_case(name: &str) -> String {
    let spaced = label(name);
    let mut letters = spaced.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
