//! Shopify's product CSV, with the header of old and the one of 2026: rows with one handle are one product, the first carries its texts.

use std::collections::HashMap;

use mercer_shop::{Availability, Stock};

use super::cells::{attribute, label};
use super::{Cx, Shape, hash};
use crate::feed::draft::{Draft, Problem, VariantDraft, image, push};
use crate::feed::record::{Header, Record, key};
use crate::feed::report::ProblemKind;
use crate::feed::{text, values};

pub(crate) struct Shopify {
    /// Whether the table says how stock is counted.
    tracks: bool,
    /// Metafield columns: their key and their name for people.
    metafields: Vec<(String, String)>,
    last: String,
}

const HANDLE: [&str; 2] = ["handle", "url_handle"];
const VALUES: [&str; 3] = ["option1_value", "option2_value", "option3_value"];
const NAMES: [&str; 3] = ["option1_name", "option2_name", "option3_name"];

/// Columns and the fields they fill, for the preview.
const FIELDS: [(&str, &str); 39] = [
    ("handle", "id"),
    ("url_handle", "id"),
    ("title", "title"),
    ("body_html", "description"),
    ("description", "description"),
    ("vendor", "brand"),
    ("product_category", "category"),
    ("type", "category"),
    ("tags", "tags"),
    ("published", "published"),
    ("published_on_online_store", "published"),
    ("status", "published"),
    ("option1_name", "option_names"),
    ("option2_name", "option_names"),
    ("option3_name", "option_names"),
    ("option1_value", "option_values"),
    ("option2_value", "option_values"),
    ("option3_value", "option_values"),
    ("variant_sku", "sku"),
    ("sku", "sku"),
    ("variant_barcode", "barcode"),
    ("barcode", "barcode"),
    ("variant_price", "price"),
    ("price", "price"),
    ("variant_compare_at_price", "list_price"),
    ("compare_at_price", "list_price"),
    ("variant_inventory_tracker", "stock"),
    ("inventory_tracker", "stock"),
    ("variant_inventory_qty", "stock"),
    ("inventory_quantity", "stock"),
    ("variant_inventory_policy", "availability"),
    ("continue_selling_when_out_of_stock", "availability"),
    ("image_src", "image"),
    ("product_image_url", "image"),
    ("image_alt_text", "image"),
    ("variant_image", "variant_image"),
    ("variant_image_url", "variant_image"),
    ("google_shopping_gender", "gender"),
    ("google_shopping_age_group", "age_group"),
];

impl Shopify {
    pub(crate) fn new(header: &Header) -> Self {
        let metafields = header.names.iter().filter(|name| name.contains("metafields.") || name.contains("metafield:"));
        let metafields = metafields.map(|name| (key(name), metafield(name))).collect();
        let tracks = header.has("variant_inventory_tracker") || header.has("inventory_tracker");
        Self { tracks, metafields, last: String::new() }
    }

    fn handle<'a>(&'a self, record: Record<'a>) -> Option<&'a str> {
        // A row without a handle and without a title continues the product above.
        let above = || (!self.last.is_empty() && record.get("title").is_none()).then_some(self.last.as_str());
        record.first(&HANDLE).or_else(above)
    }

    fn variant(&self, record: Record<'_>, cx: &mut Cx<'_>) -> Option<VariantDraft> {
        let price = record.first(&["variant_price", "price"]);
        let sku = record.first(&["variant_sku", "sku"]);
        if price.is_none() && sku.is_none() && record.get("option1_value").is_none() {
            return None;
        }
        let plain = |text: &str| text.trim_start_matches(['\'', '’']).to_owned();
        let mut variant = VariantDraft { sku: sku.map(plain), ..VariantDraft::default() };
        variant.values = VALUES.iter().map(|column| record.get(column).unwrap_or_default().to_owned()).collect();
        variant.price = cx.wanted_price("Price", price, false);
        let before = record.first(&["variant_compare_at_price", "compare_at_price"]).filter(|text| !zero(text));
        variant.list_price = before.and_then(|text| cx.price("Compare-at price", text, false));
        variant.barcode = record.first(&["variant_barcode", "barcode"]).and_then(values::barcode);
        variant.image = record.first(&["variant_image", "variant_image_url"]).map(image);
        variant.stock = self.stock(record);
        variant.backorder = record.get("variant_inventory_policy").is_some_and(|p| p.eq_ignore_ascii_case("continue"))
            || record.get("continue_selling_when_out_of_stock").and_then(values::truth) == Some(true);
        if variant.stock == Stock::NotTracked {
            variant.availability = Some(Availability::InStock);
        }
        Some(variant)
    }

    fn stock(&self, record: Record<'_>) -> Stock {
        if self.tracks && record.first(&["variant_inventory_tracker", "inventory_tracker"]).is_none() {
            return Stock::NotTracked;
        }
        let pieces = record.first(&["variant_inventory_qty", "inventory_quantity"]).and_then(values::pieces);
        pieces.map_or(Stock::Unknown, Stock::Pieces)
    }

    fn head(&self, record: Record<'_>, draft: &mut Draft, cx: &mut Cx<'_>) {
        draft.head = true;
        if let Some(title) = record.get("title") {
            let problem = draft.set_title(title);
            cx.note_if(problem);
        }
        if let Some(body) = record.first(&["body_html", "description"]) {
            let problem = draft.set_description(body);
            cx.note_if(problem);
        }
        draft.brand = record.get("vendor").map(|vendor| text::line(vendor).into_owned());
        categories(record, draft);
        record.get("tags").into_iter().flat_map(|tags| tags.split(',')).for_each(|tag| push(&mut draft.tags, tag));
        draft.gender = record.get("google_shopping_gender").and_then(values::gender);
        draft.age_group = record.get("google_shopping_age_group").and_then(values::age_group);
        draft.option_names =
            NAMES.iter().map(|name| text::line(record.get(name).unwrap_or_default()).into_owned()).collect();
        for (key, name) in &self.metafields {
            if let Some(value) = record.get(key) {
                attribute(draft, name, value);
            }
        }
        let published = record.first(&["published", "published_on_online_store"]).and_then(values::truth);
        let active = record.get("status").is_none_or(|status| status.eq_ignore_ascii_case("active"));
        if published == Some(false) || !active {
            draft.hidden = Some("the shop does not show it: it is not published, a draft, or archived");
        }
    }
}

impl Shape for Shopify {
    fn grouped(&self) -> bool {
        true
    }

    fn survey(&mut self, record: Record<'_>) -> u64 {
        let handle = self.handle(record).unwrap_or_default().to_owned();
        self.last = handle;
        hash("handle", &self.last)
    }

    fn rewind(&mut self) {
        self.last.clear();
    }

    fn draft(&mut self, record: Record<'_>, line: u64, cx: &mut Cx<'_>) -> Result<Draft, Problem> {
        let handle = self.handle(record).map(str::to_owned);
        self.last = handle.clone().unwrap_or_default();
        let handle = handle.ok_or_else(|| Problem::new(ProblemKind::BadId, "Handle", "the row has no handle"))?;
        let mut draft = Draft::new(&handle, line);
        if record.get("title").is_some() {
            self.head(record, &mut draft, cx);
        }
        if let Some(source) = record.first(&["image_src", "product_image_url"]) {
            draft.add_image(source);
            if let (Some(alt), Some(image)) = (record.get("image_alt_text"), draft.images.first_mut()) {
                image.alt = Some(text::cut(&text::line(alt), 500).to_owned());
            }
        }
        draft.variants.extend(self.variant(record, cx));
        Ok(draft)
    }

    fn maps_to(&self, column: &str) -> Option<String> {
        let key = key(column);
        let metafield = self.metafields.iter().find(|(k, _)| *k == key).map(|(_, name)| format!("attribute:{name}"));
        let fields: HashMap<&str, &str> = FIELDS.into_iter().collect();
        metafield.or_else(|| fields.get(key.as_str()).map(|field| (*field).to_owned()))
    }
}

/// Shopify writes 0 for "no compare-at price".
fn zero(text: &str) -> bool {
    text.bytes().all(|b| matches!(b, b'0' | b'.' | b','))
}

/// The category path, with the shop's own type as its last level.
fn categories(record: Record<'_>, draft: &mut Draft) {
    let path = record.first(&["product_category", "google_shopping_google_product_category"]).unwrap_or_default();
    let levels =
        path.split('>').map(str::trim).filter(|level| !level.is_empty() && !level.bytes().all(|b| b.is_ascii_digit()));
    let mut levels: Vec<&str> = levels.collect();
    if let Some(kind) = record.get("type").filter(|kind| !levels.iter().any(|level| level.eq_ignore_ascii_case(kind))) {
        levels.push(kind);
    }
    draft.set_category(levels);
}

/// `Color (product.metafields.shopify.color-pattern)` is `Color`.
fn metafield(name: &str) -> String {
    let before = name.split(['(', '[']).next().unwrap_or_default().trim();
    let last = name.trim_end_matches([')', ']']).rsplit('.').next().unwrap_or(name);
    if before.is_empty() || before.starts_with("Metafield:") { label(last) } else { before.to_owned() }
}
