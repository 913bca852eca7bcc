//! What is known of a product as property and value, normalised by the lexicon: what filters and facets work on.

use std::collections::BTreeSet;

use mercer_shop::{AgeGroup, Availability, Gender, Lang, Product, Season};

use crate::analysis::squash;
use crate::lexicon::{SEGMENTER, VALUES, phrase_key};
use crate::request::Field;

/// The longest value that becomes a facet, in bytes; longer texts are descriptions.
const LONGEST_VALUE: usize = 60;
/// The most free attributes of one product that become facets.
const MOST_ATTRIBUTES: usize = 40;

/// One property of a product: the key it is compared by and the text it is shown as.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fact {
    pub field: Field,
    pub key: String,
    pub shown: String,
}

impl Fact {
    /// The term of the facet field.
    pub(crate) fn term(&self) -> String {
        facet_term(&self.field, &self.key)
    }
}

/// The facet term of a field and a key.
pub(crate) fn facet_term(field: &Field, key: &str) -> String {
    format!("{}={key}", field.key())
}

/// The facet term of the name of one category level, by its words, in either language.
pub(crate) fn level_term(phrase: &str) -> String {
    format!("level={phrase}")
}

/// The key of a category path as it is shown, `Apparel > Tops`.
pub(crate) fn path_key(shown: &str) -> String {
    shown.split('>').map(squash).collect::<Vec<_>>().join(" > ")
}

/// Everything known of a product as property and value.
pub(crate) fn facts(product: &Product) -> Vec<Fact> {
    let mut found = Found { facts: Vec::new() };
    found.category(product);
    if let Some(brand) = &product.brand {
        found.raw(Field::Brand, brand);
    }
    found.options(product);
    found.named(product);
    found.inferred(product);
    found.facts
}

/// The facet term that marks products whose variants differ, and so have [`variant_term`]s.
pub(crate) const SEVERAL_VARIANTS: &str = "variants=several";
/// The most such terms of one product.
const MOST_COMBINED: usize = 2_000;

/// The facet term of what one and the same variant is: any of a colour, a size and an availability.
pub(crate) fn variant_term(colour: Option<&str>, size: Option<&str>, availability: Option<&str>) -> String {
    let part = |value: Option<&str>| value.unwrap_or("*").to_owned();
    format!("variant={}|{}|{}", part(colour), part(size), part(availability))
}

/// What each variant of a product with several is at once; empty where there is only one, of which all facts hold together.
pub(crate) fn variant_terms(product: &Product, facts: &[Fact]) -> Vec<String> {
    if product.variants.len() < 2 {
        return Vec::new();
    }
    let mut terms = BTreeSet::from([SEVERAL_VARIANTS.to_owned()]);
    for variant in &product.variants {
        let mut own = Found { facts: Vec::new() };
        for (name, value) in &variant.options {
            match property(name) {
                Some(Field::Size) => own.raw(Field::Size, value),
                Some(field @ Field::Colour) => own.worded(&field, value),
                _ => {}
            }
        }
        // What a variant does not say of itself is what the product says.
        let keys = |field: &Field| -> Vec<Option<&str>> {
            let facts = if own.has(field) { &own.facts } else { facts };
            let stated = facts.iter().filter(|fact| fact.field == *field).map(|fact| Some(fact.key.as_str()));
            stated.chain([None]).collect()
        };
        let (colours, sizes) = (keys(&Field::Colour), keys(&Field::Size));
        for colour in &colours {
            for size in &sizes {
                for availability in [Some(availability_key(variant.availability)), None] {
                    // One alone is a fact of the product.
                    if [*colour, *size, availability].iter().flatten().count() < 2 {
                        continue;
                    }
                    terms.insert(variant_term(*colour, *size, availability));
                }
            }
        }
        if terms.len() > MOST_COMBINED {
            return Vec::new();
        }
    }
    terms.into_iter().collect()
}

/// Names of category levels as phrase keys, in both languages.
pub(crate) fn level_names(product: &Product) -> Vec<String> {
    let mut names = Vec::new();
    for level in &product.category {
        for text in [&level.en, &level.zh].into_iter().flatten() {
            let name = phrase_key(&SEGMENTER, text);
            if !name.is_empty() && !names.contains(&name) {
                names.push(name);
            }
        }
    }
    names
}

struct Found {
    facts: Vec<Fact>,
}

impl Found {
    fn push(&mut self, field: Field, key: String, shown: String) {
        if !key.is_empty() && !self.facts.iter().any(|fact| fact.field == field && fact.key == key) {
            self.facts.push(Fact { field, key, shown });
        }
    }

    fn raw(&mut self, field: Field, value: &str) {
        if value.len() <= LONGEST_VALUE && !value.trim().is_empty() {
            self.push(field, squash(value), value.trim().to_owned());
        }
    }

    fn has(&self, field: &Field) -> bool {
        self.facts.iter().any(|fact| fact.field == *field)
    }

    /// A value in the feed's words: what the lexicon knows it as, with the wider values, or the words themselves.
    fn worded(&mut self, field: &Field, wording: &str) {
        let keys = VALUES.normalise(field, wording, &SEGMENTER);
        if keys.is_empty() {
            self.raw(field.clone(), wording);
        }
        for key in keys {
            self.known(field, &key);
        }
    }

    fn known(&mut self, field: &Field, key: &str) {
        self.push(field.clone(), key.to_owned(), key.to_owned());
        let wider = VALUES.get(field, key).map(|value| value.wider.clone()).unwrap_or_default();
        for key in wider {
            self.known(field, &key);
        }
    }

    fn category(&mut self, product: &Product) {
        let mut path = String::new();
        for level in &product.category {
            let name = level.get(Lang::En).trim();
            if name.is_empty() {
                continue;
            }
            if !path.is_empty() {
                path.push_str(" > ");
            }
            path.push_str(name);
            self.push(Field::Category, path_key(&path), path.clone());
        }
    }

    /// Variant options and free attributes, under the property their name says.
    fn options(&mut self, product: &Product) {
        let options = product.variants.iter().flat_map(|variant| &variant.options);
        for (name, value) in options.chain(product.attributes.iter().take(MOST_ATTRIBUTES)) {
            match property(name) {
                Some(Field::Size) => self.raw(Field::Size, value),
                Some(field) => self.worded(&field, value),
                None if value.chars().any(char::is_alphabetic) => self.raw(Field::Attribute(name.clone()), value),
                None => {}
            }
        }
    }

    /// Properties that the product has fields for.
    fn named(&mut self, product: &Product) {
        for colour in &product.colours {
            self.worded(&Field::Colour, colour);
        }
        for material in &product.materials {
            self.worded(&Field::Material, material);
        }
        for usage in &product.usage {
            self.worded(&Field::Usage, usage);
        }
        for season in &product.seasons {
            self.known(&Field::Season, season_key(*season));
        }
        if let Some(gender) = product.gender {
            self.known(&Field::Gender, gender_key(gender));
        }
        if let Some(age) = product.age_group {
            self.known(&Field::AgeGroup, age_key(age));
        }
        self.known(&Field::Availability, availability_key(product.availability()));
    }

    /// Properties that only the title or the category names say.
    fn inferred(&mut self, product: &Product) {
        let names = [&product.title].into_iter().chain(&product.category);
        let texts = names.flat_map(|name| [&name.en, &name.zh]).flatten();
        let terms: Vec<Vec<String>> =
            texts.map(|text| SEGMENTER.query_words(text).into_iter().map(|word| word.term).collect()).collect();
        for field in [Field::Colour, Field::Material, Field::Gender, Field::AgeGroup] {
            if self.has(&field) {
                continue;
            }
            let keys: Vec<&str> = terms
                .iter()
                .flat_map(|terms| VALUES.scan(&field, terms).into_iter().map(move |hit| (hit, terms)))
                // A *wine glass* is not wine red.
                .filter(|((value, at, length), terms)| {
                    let name = terms.get(*at..at + length).unwrap_or_default().join(" ");
                    field != Field::Colour || !VALUES.is_ambiguous(&name, value)
                })
                .map(|((value, _, _), _)| value.key.as_str())
                .collect();
            for key in keys {
                self.known(&field, key);
            }
        }
        let child = |fact: &Fact| fact.field == Field::Gender && matches!(fact.key.as_str(), "girls" | "boys");
        if !self.has(&Field::AgeGroup) && self.facts.iter().any(child) {
            self.known(&Field::AgeGroup, "kids");
        }
    }
}

/// The property that an option or attribute name speaks of.
fn property(name: &str) -> Option<Field> {
    let folded = squash(name);
    let last = folded.rsplit(' ').next().unwrap_or_default();
    Some(match (folded.as_str(), last) {
        ("颜色" | "颜色分类" | "主要颜色" | "色彩", _) | (_, "color" | "colour" | "colours" | "colors") => {
            Field::Colour
        }
        ("尺码" | "尺寸" | "码数" | "鞋码" | "size" | "shoe size" | "clothing size", _) => Field::Size,
        (
            "材质" | "面料" | "材料" | "主要材质" | "面料材质" | "material" | "fabric" | "materials" | "composition",
            _,
        ) => Field::Material,
        _ => return None,
    })
}

fn season_key(season: Season) -> &'static str {
    match season {
        Season::Spring => "spring",
        Season::Summer => "summer",
        Season::Autumn => "autumn",
        Season::Winter => "winter",
    }
}

fn gender_key(gender: Gender) -> &'static str {
    match gender {
        Gender::Women => "women",
        Gender::Men => "men",
        Gender::Girls => "girls",
        Gender::Boys => "boys",
        Gender::Unisex => "unisex",
    }
}

fn age_key(age: AgeGroup) -> &'static str {
    match age {
        AgeGroup::Infant => "infant",
        AgeGroup::Kids => "kids",
        AgeGroup::Adult => "adult",
    }
}

fn availability_key(availability: Availability) -> &'static str {
    match availability {
        Availability::InStock => "in_stock",
        Availability::Preorder => "preorder",
        Availability::Backorder => "backorder",
        Availability::OutOfStock => "out_of_stock",
        Availability::Unknown => "unknown",
    }
}
