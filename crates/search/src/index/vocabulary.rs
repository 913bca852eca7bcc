//! The catalogue's own words: which values its products have, how often, and its price span. Written with every generation.

use std::collections::BTreeMap;

use mercer_shop::{Currency, Localized, Product};
use serde::{Deserialize, Serialize};

use super::facts::Fact;
use crate::request::Field;

/// The most different values of a free attribute that are worth offering as a choice.
const MOST_VALUES: usize = 500;

/// A value as it is shown and on how many products.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Entry {
    pub shown: String,
    pub count: usize,
}

/// A category level's name, by its words, in the languages the feed has.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Level {
    pub shown: Localized,
    pub count: usize,
}

/// Lowest and highest price in minor units, and how many products have a price.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Span {
    pub low: i64,
    pub high: i64,
    pub products: usize,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Vocabulary {
    pub products: usize,
    pub fields: BTreeMap<String, BTreeMap<String, Entry>>,
    pub levels: BTreeMap<String, Level>,
    pub prices: BTreeMap<Currency, Span>,
    pub chinese_products: usize,
    /// Products that have a category.
    pub categorised: usize,
}

impl Vocabulary {
    pub(crate) fn add(&mut self, product: &Product, facts: &[Fact], levels: &[String], has_chinese: bool) {
        self.products += 1;
        self.chinese_products += usize::from(has_chinese);
        self.categorised += usize::from(!product.category.is_empty());
        for fact in facts {
            self.fact(fact);
        }
        self.levels(product, levels);
        if let Some((low, high)) = product.price_range() {
            let span =
                self.prices.entry(low.currency).or_insert(Span { low: low.minor, high: high.minor, products: 0 });
            span.low = span.low.min(low.minor);
            span.high = span.high.max(high.minor);
            span.products += 1;
        }
    }

    fn fact(&mut self, fact: &Fact) {
        let key = fact.field.key();
        if !self.fields.contains_key(&key) {
            self.fields.insert(key.clone(), BTreeMap::new());
        }
        let Some(values) = self.fields.get_mut(&key) else { return };
        if let Some(entry) = values.get_mut(&fact.key) {
            entry.count += 1;
        } else if values.len() < MOST_VALUES || !matches!(fact.field, Field::Attribute(_)) {
            values.insert(fact.key.clone(), Entry { shown: fact.shown.clone(), count: 1 });
        }
    }

    fn levels(&mut self, product: &Product, levels: &[String]) {
        for phrase in levels {
            if let Some(level) = self.levels.get_mut(phrase) {
                level.count += 1;
                continue;
            }
            let named = product.category.iter().find(|level| {
                let names = [&level.en, &level.zh].into_iter().flatten();
                names.into_iter().any(|name| crate::lexicon::phrase_key(&crate::lexicon::SEGMENTER, name) == *phrase)
            });
            let shown = named.cloned().unwrap_or_else(|| Localized::from_text(phrase.clone()));
            self.levels.insert(phrase.clone(), Level { shown, count: 1 });
        }
    }

    /// Adds what another part of the same import saw.
    pub(crate) fn merge(&mut self, other: Self) {
        self.products += other.products;
        self.chinese_products += other.chinese_products;
        self.categorised += other.categorised;
        for (field, values) in other.fields {
            let mine = self.fields.entry(field).or_default();
            for (key, entry) in values {
                mine.entry(key).and_modify(|known| known.count += entry.count).or_insert(entry);
            }
        }
        for (phrase, level) in other.levels {
            self.levels.entry(phrase).and_modify(|known| known.count += level.count).or_insert(level);
        }
        for (currency, span) in other.prices {
            let mine = self.prices.entry(currency).or_insert(Span { products: 0, ..span });
            mine.low = mine.low.min(span.low);
            mine.high = mine.high.max(span.high);
            mine.products += span.products;
        }
    }

    /// The values of a field.
    pub(crate) fn values(&self, field: &Field) -> impl Iterator<Item = (&str, &Entry)> {
        self.fields.get(&field.key()).into_iter().flatten().map(|(key, entry)| (key.as_str(), entry))
    }

    /// How many products have this value.
    pub(crate) fn count(&self, field: &Field, key: &str) -> usize {
        self.fields.get(&field.key()).and_then(|values| values.get(key)).map_or(0, |entry| entry.count)
    }

    /// Whether nearly all products have a category, so that one can be demanded.
    pub(crate) fn is_categorised(&self) -> bool {
        self.categorised * 10 >= self.products * 8
    }

    /// The currency of most prices.
    pub(crate) fn currency(&self) -> Option<Currency> {
        self.prices.iter().max_by_key(|(_, span)| span.products).map(|(currency, _)| *currency)
    }
}
