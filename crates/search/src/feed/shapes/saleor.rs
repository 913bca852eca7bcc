//! A Saleor database dump (Django fixture): one list of records of all kinds that refer to each other by number. The whole is read
//! before the first product is given out.

use std::collections::{BTreeMap, HashMap};

use mercer_shop::{Currency, Money, Stock};

use super::cells::attribute;
use super::{Cx, Shape, hash};
use crate::feed::draft::{Draft, Problem, VariantDraft, is_colour_name};
use crate::feed::node::Node;
use crate::feed::record::Record;
use crate::feed::report::ProblemKind;
use crate::feed::{text, values};

type Id = String;

/// Pictures of a product in their order, with their alternative texts.
type Media = BTreeMap<(i64, Id), (String, String)>;

/// Records that products refer to, by their numbers.
#[derive(Default)]
pub(crate) struct Saleor {
    categories: HashMap<Id, (String, Option<Id>)>,
    variants: HashMap<Id, Vec<(Id, String, String)>>,
    prices: HashMap<Id, Vec<(Currency, String)>>,
    stock: HashMap<Id, u32>,
    media: HashMap<Id, Media>,
    unpublished: HashMap<Id, bool>,
    attributes: HashMap<Id, String>,
    values: HashMap<Id, (String, Id)>,
    of_product: HashMap<Id, Vec<Id>>,
    assignments: HashMap<Id, Id>,
    of_assignment: HashMap<Id, Vec<Id>>,
}

fn field<'a>(fields: &'a Node, name: &str) -> Option<&'a str> {
    fields.get(name).and_then(Node::text).filter(|text| !text.is_empty())
}

impl Saleor {
    fn note(&mut self, model: &str, pk: &str, fields: &Node) {
        let get = |name: &str| field(fields, name).map(str::to_owned);
        let own = || pk.to_owned();
        match model {
            "product.category" => {
                self.categories.insert(own(), (get("name").unwrap_or_default(), get("parent")));
            }
            "product.productvariant" => {
                let variant = (own(), get("sku").unwrap_or_default(), get("name").unwrap_or_default());
                self.variants.entry(get("product").unwrap_or_default()).or_default().push(variant);
            }
            "product.productvariantchannellisting" => {
                let currency = field(fields, "currency").and_then(|code| Currency::new(code).ok());
                if let (Some(variant), Some(currency), Some(amount)) = (get("variant"), currency, get("price_amount")) {
                    self.prices.entry(variant).or_default().push((currency, amount));
                }
            }
            "warehouse.stock" => {
                let pieces = field(fields, "quantity").and_then(values::pieces);
                if let (Some(variant), Some(pieces)) = (get("product_variant"), pieces) {
                    let total = self.stock.entry(variant).or_default();
                    *total = total.saturating_add(pieces);
                }
            }
            "product.productmedia" => {
                if let (Some(product), Some(image)) = (get("product"), get("image")) {
                    let order = field(fields, "sort_order").and_then(|order| order.parse().ok()).unwrap_or(i64::MAX);
                    let media = self.media.entry(product).or_default();
                    media.insert((order, own()), (image, get("alt").unwrap_or_default()));
                }
            }
            "product.productchannellisting" => {
                let published = field(fields, "is_published").and_then(values::truth) != Some(false);
                let hidden = self.unpublished.entry(get("product").unwrap_or_default()).or_insert(true);
                *hidden &= !published;
            }
            "attribute.attribute" => {
                self.attributes.insert(own(), get("name").unwrap_or_default());
            }
            "attribute.attributevalue" => {
                let value = (get("name").unwrap_or_default(), get("attribute").unwrap_or_default());
                self.values.insert(own(), value);
            }
            "attribute.assignedproductattributevalue" => {
                self.of_product.entry(get("product").unwrap_or_default()).or_default().extend(get("value"));
            }
            "attribute.assignedvariantattribute" => {
                self.assignments.insert(own(), get("variant").unwrap_or_default());
            }
            "attribute.assignedvariantattributevalue" => {
                self.of_assignment.entry(get("assignment").unwrap_or_default()).or_default().extend(get("value"));
            }
            _ => {}
        }
    }

    /// The names and values of attributes.
    fn named(&self, values: &[Id]) -> Vec<(&str, &str)> {
        let named = values.iter().filter_map(|id| self.values.get(id));
        named.filter_map(|(value, id)| Some((self.attributes.get(id)?.as_str(), value.as_str()))).collect()
    }

    fn category(&self, id: &str) -> Vec<&str> {
        let mut levels = Vec::new();
        let mut next = Some(id);
        while let Some((name, parent)) = next.and_then(|id| self.categories.get(id)).filter(|_| levels.len() < 12) {
            levels.push(name.as_str());
            next = parent.as_deref();
        }
        levels.reverse();
        levels
    }

    /// The price in the shop's currency, else in the first one listed.
    fn price(&self, variant: &str, currency: Currency) -> Option<Money> {
        let listed = self.prices.get(variant)?;
        let (currency, amount) = listed.iter().find(|(c, _)| *c == currency).or_else(|| listed.first())?;
        Money::parse_decimal(amount, *currency).ok()
    }

    fn variants(&self, pk: &str, draft: &mut Draft, cx: &mut Cx<'_>) {
        let variants = self.variants.get(pk).map(Vec::as_slice).unwrap_or_default();
        for (variant, sku, name) in variants {
            let mut made =
                VariantDraft { sku: Some(sku.clone()).filter(|sku| !sku.is_empty()), ..VariantDraft::default() };
            made.price = self.price(variant, cx.currency);
            made.stock = self.stock.get(variant).map_or(Stock::Unknown, |pieces| Stock::Pieces(*pieces));
            let assigned = self.assignments.iter().filter(|(_, of)| *of == variant).map(|(id, _)| id);
            let mut values: Vec<&Id> = assigned.filter_map(|id| self.of_assignment.get(id)).flatten().collect();
            values.sort();
            let values: Vec<Id> = values.into_iter().cloned().collect();
            for (name, value) in self.named(&values) {
                made.options.insert(text::line(name).into_owned(), text::line(value).into_owned());
            }
            if made.options.is_empty() && variants.len() > 1 && !name.is_empty() {
                made.values.push(name.clone());
            }
            if made.price.is_none() {
                cx.note(ProblemKind::MissingPrice, "price_amount", "a variant has no price; it counts as unknown");
            }
            draft.variants.push(made);
        }
    }
}

fn parts(record: Record<'_>) -> Option<(&str, &str, &Node)> {
    let Record::Node(node) = record else { return None };
    Some((record.get("model")?, record.get("pk")?, node.get("fields")?))
}

impl Shape for Saleor {
    fn grouped(&self) -> bool {
        true
    }

    fn survey(&mut self, record: Record<'_>) -> u64 {
        let Some((model, pk, fields)) = parts(record) else { return 0 };
        self.note(model, pk, fields);
        hash(model, pk)
    }

    fn wants(&self, record: Record<'_>) -> bool {
        record.get("model") == Some("product.product")
    }

    fn draft(&mut self, record: Record<'_>, line: u64, cx: &mut Cx<'_>) -> Result<Draft, Problem> {
        let none = || Problem::new(ProblemKind::BadId, "pk", "the record has no number or no fields");
        let (_, pk, fields) = parts(record).ok_or_else(none)?;
        let mut draft = Draft::new(pk, line);
        draft.head = true;
        if let Some(name) = field(fields, "name") {
            let problem = draft.set_title(name);
            cx.note_if(problem);
        }
        if let Some(body) = field(fields, "description_plaintext") {
            let problem = draft.set_description(body);
            cx.note_if(problem);
        }
        draft.set_category(self.category(field(fields, "category").unwrap_or_default()));
        draft.rating = field(fields, "rating").and_then(values::centistars).filter(|stars| *stars > 0);
        draft.released = field(fields, "created_at").and_then(values::timestamp);
        for (name, value) in self.named(self.of_product.get(pk).map(Vec::as_slice).unwrap_or_default()) {
            attribute(&mut draft, &text::line(name), value);
        }
        for (image, alt) in self.media.get(pk).into_iter().flat_map(BTreeMap::values) {
            draft.add_image(image);
            if let Some(last) = draft.images.last_mut().filter(|_| !alt.is_empty()) {
                last.alt = Some(alt.clone());
            }
        }
        if self.unpublished.get(pk) == Some(&true) {
            draft.hidden = Some("the shop does not show it: it is published in no channel");
        }
        self.variants(pk, &mut draft, cx);
        for variant in &draft.variants {
            let colours = variant.options.iter().filter(|(name, _)| is_colour_name(name));
            colours.for_each(|(_, colour)| crate::feed::draft::push(&mut draft.colours, colour));
        }
        Ok(draft)
    }

    fn maps_to(&self, column: &str) -> Option<String> {
        Some(
            match column {
                "pk" => "id",
                "fields.name" => "title",
                "fields.description_plaintext" => "description",
                "fields.category" => "category",
                "fields.sku" => "sku",
                "fields.price_amount" => "price",
                "fields.image" => "image",
                "fields.rating" => "rating",
                _ => return None,
            }
            .to_owned(),
        )
    }
}
