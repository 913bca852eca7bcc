//! Google Merchant feeds (RSS, Atom, TSV, CSV) and OpenAI's product feed, which names its columns alike: one row a buyable item, items of
//! one group are one product.

use mercer_shop::Availability;

use super::cells::{attribute, images, label};
use super::{Cx, Shape, hash};
use crate::feed::draft::{Draft, Problem, VariantDraft, image, push};
use crate::feed::node::Node;
use crate::feed::record::{Record, key};
use crate::feed::report::ProblemKind;
use crate::feed::{text, values};

pub(crate) struct Google;

const ID: [&str; 2] = ["id", "item_id"];
const GROUP: [&str; 2] = ["item_group_id", "group_id"];
const LINK: [&str; 3] = ["link", "url", "product_url"];
const IMAGE: [&str; 2] = ["image_link", "image_url"];
const MORE_IMAGES: [&str; 3] = ["additional_image_link", "additional_image_urls", "additional_image_links"];
/// What distinguishes the items of a group, and the option it becomes.
const OPTIONS: [(&str, &str); 4] =
    [("color", "Color"), ("size", "Size"), ("pattern", "Pattern"), ("material", "Material")];

/// Columns and the fields they fill, for the preview.
const FIELDS: [(&str, &str); 34] = [
    ("id", "id"),
    ("item_id", "id"),
    ("item_group_id", "group"),
    ("group_id", "group"),
    ("title", "title"),
    ("description", "description"),
    ("link", "url"),
    ("url", "url"),
    ("product_url", "url"),
    ("image_link", "image"),
    ("image_url", "image"),
    ("additional_image_link", "image"),
    ("additional_image_links", "image"),
    ("additional_image_urls", "image"),
    ("availability", "availability"),
    ("price", "price"),
    ("sale_price", "sale_price"),
    ("sale_price_effective_date", "sale_price"),
    ("brand", "brand"),
    ("gtin", "barcode"),
    ("mpn", "attribute:Model"),
    ("condition", "attribute:Condition"),
    ("product_type", "category"),
    ("product_category", "category"),
    ("google_product_category", "category"),
    ("color", "colour"),
    ("size", "option:Size"),
    ("gender", "gender"),
    ("age_group", "age_group"),
    ("material", "material"),
    ("pattern", "attribute:Pattern"),
    ("variant_dict", "option_values"),
    ("star_rating", "rating"),
    ("is_eligible_search", "published"),
];

impl Google {
    fn sell(record: Record<'_>, cx: &mut Cx<'_>) -> VariantDraft {
        let mut variant = VariantDraft { sku: record.first(&ID).map(str::to_owned), ..VariantDraft::default() };
        let price = cx.wanted_price("price", record.get("price"), false);
        let mut sale = record.get("sale_price");
        let dates = ["sale_price_effective_date", "sale_price_start_date", "sale_price_end_date"];
        if sale.is_some() && record.first(&dates).is_some() {
            sale = None;
            cx.note(ProblemKind::BadValue, "sale_price", "the sale price counts for some days only; the price is used");
        }
        let sale = sale.and_then(|text| cx.price("sale_price", text, false));
        let lower = sale.filter(|s| price.is_none_or(|p| s.minor > 0 && s.minor < p.minor));
        (variant.price, variant.list_price) = (lower.or(price), lower.and(price));
        if let Some(word) = record.get("availability") {
            variant.availability = values::availability(word);
            if variant.availability.is_none() {
                let reason = format!("{:?} is not an availability", text::cut(word, 60));
                cx.note(ProblemKind::BadValue, "availability", reason);
            }
        }
        variant.barcode = record.first(&["gtin", "ean", "upc"]).and_then(values::barcode);
        variant
    }

    fn options(record: Record<'_>, variant: &mut VariantDraft) {
        if let Some(Ok(Node::Map(entries))) = record.get("variant_dict").map(serde_json::from_str::<Node>) {
            for (name, value) in entries {
                if let Some(value) = value.text() {
                    variant.options.insert(label(&name), text::line(value).into_owned());
                }
            }
        }
        for (column, name) in OPTIONS {
            if let Some(value) = record.get(column)
                && !variant.options.keys().any(|known| known.eq_ignore_ascii_case(name))
            {
                variant.options.insert(name.to_owned(), text::line(value).into_owned());
            }
        }
    }

    fn describe(record: Record<'_>, draft: &mut Draft, cx: &mut Cx<'_>) {
        if let Some(title) = record.get("title") {
            let problem = draft.set_title(title);
            cx.note_if(problem);
        }
        if let Some(body) = record.get("description") {
            let problem = draft.set_description(body);
            cx.note_if(problem);
        }
        draft.brand = record.get("brand").map(|brand| text::line(brand).into_owned());
        draft.url = record.first(&LINK).map(|url| text::entities(url).into_owned());
        let paths = ["product_type", "product_category", "google_product_category"]
            .into_iter()
            .flat_map(|name| record.all(name));
        let path = paths.map(text::entities).find(|path| !path.bytes().all(|b| b.is_ascii_digit()));
        draft.set_category(path.as_deref().unwrap_or_default().split('>'));
        let colours = record.get("color").unwrap_or_default();
        let colours = text::entities(colours);
        colours.split(['/', ',']).for_each(|colour| push(&mut draft.colours, colour));
        draft.gender = record.get("gender").and_then(values::gender);
        draft.age_group = record.get("age_group").and_then(values::age_group);
        record
            .get("material")
            .into_iter()
            .flat_map(|m| m.split(['/', ',']))
            .for_each(|m| push(&mut draft.materials, m));
        record.first(&IMAGE).into_iter().for_each(|source| draft.add_image(source));
        for column in MORE_IMAGES {
            record.all(column).into_iter().flat_map(images).for_each(|source| draft.add_image(source));
        }
        draft.rating = record.first(&["star_rating", "product_review_rating"]).and_then(values::centistars);
        draft.popularity = record.first(&["popularity_score", "review_count"]).and_then(values::pieces);
        for (column, name) in
            [("mpn", "Model"), ("pattern", "Pattern"), ("condition", "Condition"), ("size_system", "Size system")]
        {
            if let Some(value) = record.get(column).filter(|value| !value.eq_ignore_ascii_case("new")) {
                attribute(draft, name, value);
            }
        }
        for n in 0..5 {
            record.get(&format!("custom_label_{n}")).into_iter().for_each(|label| push(&mut draft.tags, label));
        }
        let searchable = record.first(&["is_eligible_search", "enable_search"]).and_then(values::truth);
        if searchable == Some(false) {
            draft.hidden = Some("the feed says it is not to be found: is_eligible_search is false");
        }
    }
}

impl Shape for Google {
    fn grouped(&self) -> bool {
        true
    }

    fn survey(&mut self, record: Record<'_>) -> u64 {
        // An item without a group is its own; its id must not meet the id of a group.
        let own = || record.first(&ID).map_or(0, |id| hash("id", id));
        record.first(&GROUP).map_or_else(own, |group| hash("group", group))
    }

    fn draft(&mut self, record: Record<'_>, line: u64, cx: &mut Cx<'_>) -> Result<Draft, Problem> {
        let id = record.first(&ID).ok_or_else(|| Problem::new(ProblemKind::BadId, "id", "the item has no id"))?;
        let group = record.first(&GROUP);
        let mut draft = Draft::new(group.unwrap_or(id), line);
        Self::describe(record, &mut draft, cx);
        let mut variant = Self::sell(record, cx);
        if group.is_some() {
            Self::options(record, &mut variant);
            variant.image = draft.images.first().cloned();
        } else if let Some(size) = record.get("size") {
            draft.add_attribute("Size", size);
        }
        if draft.hidden.is_some() && group.is_some() {
            // Only this item: the others of its group may be shown.
            return Err(Problem::new(ProblemKind::NotForSale, "is_eligible_search", "the item is not to be found"));
        }
        if variant.availability == Some(Availability::Unknown) {
            variant.availability = None;
        }
        if let Some(image) = record.first(&IMAGE).filter(|_| group.is_none()).map(image) {
            variant.image = Some(image);
        }
        draft.variants.push(variant);
        Ok(draft)
    }

    fn maps_to(&self, column: &str) -> Option<String> {
        let key = key(column);
        FIELDS.iter().find(|(name, _)| *name == key).map(|(_, field)| (*field).to_owned())
    }
}
