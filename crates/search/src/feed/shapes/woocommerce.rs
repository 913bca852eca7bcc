//! WooCommerce's product CSV: variations name their parent by SKU or `id:123`, which may come later in the file.

use std::collections::{HashMap, HashSet};

use indexmap::IndexMap;
use mercer_shop::{Availability, Stock};

use super::cells::attribute;
use super::{Cx, Shape, hash};
use crate::feed::draft::{Draft, Problem, VariantDraft, image, push};
use crate::feed::record::{Header, Record, key};
use crate::feed::report::ProblemKind;
use crate::feed::{text, values};

pub(crate) struct WooCommerce {
    /// Keys of the name and value columns of each attribute.
    attributes: Vec<(String, String)>,
    /// From a SKU to the product's key.
    aliases: HashMap<u64, u64>,
    parents: HashSet<u64>,
}

/// Columns and the fields they fill, for the preview.
const FIELDS: [(&str, &str); 24] = [
    ("id", "id"),
    ("type", "type"),
    ("sku", "sku"),
    ("name", "title"),
    ("published", "published"),
    ("visibility_in_catalog", "published"),
    ("short_description", "description"),
    ("description", "description"),
    ("in_stock", "availability"),
    ("stock", "stock"),
    ("backorders_allowed", "availability"),
    ("sale_price", "sale_price"),
    ("regular_price", "price"),
    ("date_sale_price_starts", "sale_price"),
    ("date_sale_price_ends", "sale_price"),
    ("categories", "category"),
    ("tags", "tags"),
    ("images", "image"),
    ("parent", "group"),
    ("external_url", "url"),
    ("brands", "brand"),
    ("gtin_upc_ean_or_isbn", "barcode"),
    ("weight_kg", "attribute:Weight (kg)"),
    ("purchase_note", "ignore"),
];

/// What kind of row it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Variation,
    Variable,
    Grouped,
    Simple,
}

fn kind(record: Record<'_>) -> Kind {
    let types = record.get("type").unwrap_or_default().to_lowercase();
    let is = |word: &str| types.split(',').any(|t| t.trim() == word);
    if is("variation") {
        Kind::Variation
    } else if is("variable") {
        Kind::Variable
    } else if is("grouped") {
        Kind::Grouped
    } else {
        Kind::Simple
    }
}

impl WooCommerce {
    pub(crate) fn new(header: &Header) -> Self {
        let pair = |n: usize| (format!("attribute_{n}_name"), format!("attribute_{n}_value_s"));
        let attributes = (1..=100).map(pair).take_while(|(name, _)| header.has(name)).collect();
        Self { attributes, aliases: HashMap::new(), parents: HashSet::new() }
    }

    fn own_key(record: Record<'_>) -> Option<u64> {
        record.get("id").map(|id| hash("id", id)).or_else(|| record.get("sku").map(|sku| hash("sku", sku)))
    }

    fn attributes<'a>(&self, record: Record<'a>) -> Vec<(&'a str, &'a str)> {
        let pair = |(name, value): &(String, String)| Some((record.get(name)?, record.get(value)?));
        self.attributes.iter().filter_map(pair).collect()
    }

    fn sell(record: Record<'_>, wanted: bool, variant: &mut VariantDraft, cx: &mut Cx<'_>) {
        let regular = record.get("regular_price");
        let dated = record.first(&["date_sale_price_starts", "date_sale_price_ends"]).is_some();
        let mut sale = record.get("sale_price");
        if dated && sale.is_some() {
            if regular.is_some() {
                sale = None;
            }
            cx.note(
                ProblemKind::BadValue,
                "Sale price",
                "the sale price counts for some days only; the regular price is used",
            );
        }
        let before = regular.and_then(|text| cx.price("Regular price", text, false));
        let now = sale.and_then(|text| cx.price("Sale price", text, false));
        if wanted && regular.is_none() && sale.is_none() {
            cx.wanted_price("Regular price", None, false);
        }
        (variant.price, variant.list_price) = (now.or(before), now.and(before));
        variant.stock = match (record.get("stock").and_then(values::pieces), record.get("in_stock")) {
            (Some(pieces), _) => Stock::Pieces(pieces),
            (None, Some(flag)) if flag.eq_ignore_ascii_case("backorder") => {
                variant.availability = Some(Availability::Backorder);
                Stock::Unknown
            }
            (None, Some(flag)) => values::truth(flag).map_or(Stock::Unknown, Stock::Flag),
            (None, None) => Stock::Unknown,
        };
        variant.backorder = record.get("backorders_allowed").is_some_and(|b| matches!(b, "1" | "notify" | "yes"));
        variant.barcode = record.get("gtin_upc_ean_or_isbn").and_then(values::barcode);
        variant.sku = record.get("sku").map(|sku| sku.trim_start_matches('\'').to_owned());
    }

    fn variation(&self, record: Record<'_>, draft: &mut Draft, cx: &mut Cx<'_>) {
        let mut variant = VariantDraft::default();
        Self::sell(record, true, &mut variant, cx);
        let mut options = IndexMap::new();
        for (name, value) in self.attributes(record) {
            options.insert(text::line(name).into_owned(), text::line(&unescape(value)).into_owned());
        }
        variant.options = options;
        variant.image =
            record.get("images").and_then(|cell| split(cell).into_iter().next()).map(|source| image(&source));
        draft.variants.push(variant);
    }

    fn head(&self, record: Record<'_>, kind: Kind, draft: &mut Draft, cx: &mut Cx<'_>) {
        draft.head = true;
        if let Some(name) = record.get("name") {
            let problem = draft.set_title(name);
            cx.note_if(problem);
        }
        if let Some(body) = record.first(&["description", "short_description"]) {
            // The exporter writes line ends as two characters.
            let problem = draft.set_description(&body.replace("\\n", "\n"));
            cx.note_if(problem);
        }
        let mut paths = record.get("categories").map(split).unwrap_or_default().into_iter();
        if let Some(path) = paths.next() {
            draft.set_category(path.split('>'));
        }
        for path in paths {
            push(&mut draft.tags, path.rsplit('>').next().unwrap_or_default());
        }
        record.get("tags").map(split).unwrap_or_default().iter().for_each(|tag| push(&mut draft.tags, tag));
        record.get("images").map(split).unwrap_or_default().iter().for_each(|source| draft.add_image(source));
        draft.brand = record.get("brands").map(|brand| text::line(brand).into_owned());
        draft.url = record.get("external_url").map(str::to_owned);
        for (name, value) in self.attributes(record) {
            let values = split(value);
            let colours = crate::feed::draft::is_colour_name(name) && kind == Kind::Variable;
            if colours {
                values.iter().for_each(|value| push(&mut draft.colours, value));
            }
            attribute(draft, &text::line(name), &values.join(", "));
        }
        if let Some(weight) = record.get("weight_kg") {
            draft.add_attribute("Weight (kg)", weight);
        }
        let published = record.get("published").is_none_or(|p| p == "1" || p.eq_ignore_ascii_case("true"));
        if !published || record.get("visibility_in_catalog").is_some_and(|v| v.eq_ignore_ascii_case("hidden")) {
            draft.hidden = Some("the shop does not show it: it is not published, or hidden in the catalogue");
        }
        if kind != Kind::Variable {
            Self::sell(record, kind != Kind::Grouped, &mut draft.common, cx);
        }
    }
}

impl Shape for WooCommerce {
    fn grouped(&self) -> bool {
        true
    }

    fn survey(&mut self, record: Record<'_>) -> u64 {
        if kind(record) == Kind::Variation {
            let parent = record.get("parent").unwrap_or_default();
            return parent.strip_prefix("id:").map_or_else(|| hash("sku", parent), |id| hash("id", id));
        }
        let key = Self::own_key(record).unwrap_or_default();
        if let Some(sku) = record.get("sku") {
            self.aliases.entry(hash("sku", sku)).or_insert(key);
        }
        self.parents.insert(key);
        key
    }

    fn resolve(&self, key: u64) -> u64 {
        self.aliases.get(&key).copied().unwrap_or(key)
    }

    fn draft(&mut self, record: Record<'_>, line: u64, cx: &mut Cx<'_>) -> Result<Draft, Problem> {
        let kind = kind(record);
        if kind != Kind::Variation {
            let id = record.first(&["id", "sku"]);
            let id = id.ok_or_else(|| Problem::new(ProblemKind::BadId, "ID", "the row has neither an ID nor a SKU"))?;
            let mut draft = Draft::new(id, line);
            self.head(record, kind, &mut draft, cx);
            return Ok(draft);
        }
        let parent = record.get("parent").ok_or_else(|| {
            Problem::new(ProblemKind::MissingParent, "Parent", "the variation does not say which product it belongs to")
        })?;
        let mut draft = Draft::new(parent.strip_prefix("id:").unwrap_or(parent), line);
        if record.get("published").is_some_and(|p| p != "1") {
            return Err(Problem::new(ProblemKind::NotForSale, "Published", "the variation is not published"));
        }
        let key = parent.strip_prefix("id:").map_or_else(|| hash("sku", parent), |id| hash("id", id));
        if !self.parents.contains(&self.resolve(key)) {
            let reason = format!("the product {parent:?} is not in the feed; its variations make one of their own");
            cx.note(ProblemKind::MissingParent, "Parent", reason);
            let name = record.get("name").unwrap_or_default();
            let problem = draft.set_title(name.rsplit_once(" - ").map_or(name, |(name, _)| name));
            cx.note_if(problem);
        }
        self.variation(record, &mut draft, cx);
        Ok(draft)
    }

    fn maps_to(&self, column: &str) -> Option<String> {
        let key = key(column);
        if self.attributes.iter().any(|(name, value)| *name == key || *value == key) {
            return Some("attributes".to_owned());
        }
        FIELDS.iter().find(|(name, _)| *name == key).map(|(_, field)| (*field).to_owned())
    }
}

/// Entries of a list; `\,` is a comma inside an entry.
fn split(cell: &str) -> Vec<String> {
    let mut out = vec![String::new()];
    let mut escaped = false;
    for c in cell.chars() {
        match c {
            '\\' if !escaped => {
                escaped = true;
                continue;
            }
            ',' if !escaped => out.push(String::new()),
            c => {
                if let Some(last) = out.last_mut() {
                    if escaped && c != ',' {
                        last.push('\\');
                    }
                    last.push(c);
                }
            }
        }
        escaped = false;
    }
    out.iter().map(|entry| entry.trim().to_owned()).filter(|entry| !entry.is_empty()).collect()
}

/// One value; `\,` is a comma.
fn unescape(cell: &str) -> String {
    cell.replace("\\,", ",")
}
