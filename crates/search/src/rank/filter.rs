//! Conditions as sets of documents.

use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, DocSet, SegmentReader, TERMINATED, Term};

use crate::analysis::squash;
use crate::error::SearchError;
use crate::index::{Generation, SEVERAL_VARIANTS, column, facet_term, io, level_term, path_key, variant_term};
use crate::lexicon::{VALUES, phrase_key};
use crate::request::{Condition, Field, Op};

/// A set of documents of one segment.
#[derive(Debug, Clone)]
pub(crate) struct Bits(Vec<u64>);

impl Bits {
    pub(crate) fn none(documents: u32) -> Self {
        Self(vec![0; documents as usize / 64 + 1])
    }

    pub(crate) fn alive(reader: &SegmentReader) -> Self {
        let mut bits = Self::none(reader.max_doc());
        if !reader.has_deletes() {
            let last = reader.max_doc() % 64;
            bits.0.fill(u64::MAX);
            if let Some(word) = bits.0.last_mut() {
                *word = (1 << last) - 1;
            }
            return bits;
        }
        for doc in 0..reader.max_doc() {
            if !reader.is_deleted(doc) {
                bits.insert(doc);
            }
        }
        bits
    }

    pub(crate) fn insert(&mut self, doc: DocId) {
        if let Some(word) = self.0.get_mut(doc as usize / 64) {
            *word |= 1 << (doc % 64);
        }
    }

    pub(crate) fn contains(&self, doc: DocId) -> bool {
        self.0.get(doc as usize / 64).is_some_and(|word| word & (1 << (doc % 64)) != 0)
    }

    pub(crate) fn keep(&mut self, other: &Self, when: bool) {
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine &= if when { *theirs } else { !*theirs };
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = DocId> + '_ {
        (0_u32..).zip(&self.0).flat_map(|(at, word)| {
            let mut rest = *word;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros())?;
                rest &= rest - 1;
                Some(at * 64 + bit)
            })
        })
    }
}

/// A condition in the terms of the index.
#[derive(Debug, Clone)]
pub(crate) enum Filter {
    /// Has at least one of these terms, or (`false`) none of them.
    Terms(Vec<Term>, bool),
    /// Has at least one of these terms, or has not the mark of products with several variants.
    Variant(Vec<Term>, Term),
    /// Has a variant at a price from the first to the second amount.
    Price(i64, i64),
}

impl Filter {
    /// Keeps of `bits` what meets the filter.
    pub(crate) fn apply(&self, reader: &SegmentReader, bits: &mut Bits) -> Result<(), SearchError> {
        match self {
            Self::Terms(terms, wanted) => {
                bits.keep(&having(terms, reader)?, *wanted);
            }
            Self::Variant(terms, several) => {
                let mut lacking = having(std::slice::from_ref(several), reader)?;
                lacking.keep(&having(terms, reader)?, false);
                bits.keep(&lacking, false);
            }
            Self::Price(low, high) => {
                let prices = reader.fast_fields().i64(column::PRICE)?;
                let mut having = Bits::none(reader.max_doc());
                for doc in bits.iter() {
                    if prices.values_for_doc(doc).any(|price| (*low..=*high).contains(&price)) {
                        having.insert(doc);
                    }
                }
                bits.keep(&having, true);
            }
        }
        Ok(())
    }
}

/// The documents with at least one of these terms.
fn having(terms: &[Term], reader: &SegmentReader) -> Result<Bits, SearchError> {
    let mut having = Bits::none(reader.max_doc());
    for term in terms {
        let inverted = reader.inverted_index(term.field())?;
        let Some(mut postings) = inverted.read_postings(term, IndexRecordOption::Basic).map_err(io)? else { continue };
        while postings.doc() != TERMINATED {
            having.insert(postings.doc());
            postings.advance();
        }
    }
    Ok(having)
}

/// The filter that colour, size and availability, where more than one is asked for, be those of one and the same variant.
pub(crate) fn joint(conditions: &[Condition], generation: &Generation) -> Option<Filter> {
    let wanted = |field: &Field| -> Vec<Option<String>> {
        let asked = conditions.iter().find_map(|condition| match &condition.op {
            Op::AnyOf(values) if condition.field == *field => Some(values),
            _ => None,
        });
        let keys = asked.into_iter().flatten().flat_map(|value| match field {
            Field::Size => sizes(value, generation),
            _ => known(field, value, generation),
        });
        let keys: Vec<Option<String>> = keys.map(Some).collect();
        if keys.is_empty() { vec![None] } else { keys }
    };
    let fields = [Field::Colour, Field::Size, Field::Availability].map(|field| wanted(&field));
    if fields.iter().filter(|keys| keys.iter().any(Option::is_some)).count() < 2 {
        return None;
    }
    let [colours, sizes, availabilities] = fields;
    let mut terms = Vec::new();
    for colour in &colours {
        for size in &sizes {
            for availability in &availabilities {
                let text = variant_term(colour.as_deref(), size.as_deref(), availability.as_deref());
                terms.push(Term::from_field_text(generation.fields.facets, &text));
            }
        }
    }
    Some(Filter::Variant(terms, Term::from_field_text(generation.fields.facets, SEVERAL_VARIANTS)))
}

/// The filters of a condition. All of them must hold.
pub(crate) fn filters(condition: &Condition, generation: &Generation) -> Vec<Filter> {
    let terms =
        |values: &[String]| values.iter().flat_map(|value| terms(&condition.field, value, generation)).collect();
    match &condition.op {
        Op::AnyOf(values) => vec![Filter::Terms(terms(values), true)],
        Op::NoneOf(values) => {
            let mut excluded: Vec<Term> = terms(values);
            if matches!(condition.field, Field::Material | Field::Words) {
                excluded.extend(values.iter().flat_map(|value| word_terms(value, generation)));
            }
            vec![Filter::Terms(excluded, false)]
        }
        Op::AtMost(high) => price(condition, i64::MIN, *high, generation),
        Op::AtLeast(low) => price(condition, *low, i64::MAX, generation),
        Op::Between(low, high) => price(condition, *low, *high, generation),
    }
}

fn price(condition: &Condition, low: i64, high: i64, generation: &Generation) -> Vec<Filter> {
    let mut filters = vec![Filter::Price(low, high)];
    if let Some(currency) = condition.currency {
        let term = Term::from_field_text(generation.fields.facets, &format!("currency={}", currency.code()));
        filters.push(Filter::Terms(vec![term], true));
    }
    filters
}

/// A word or, for several words, the pairs of neighbours.
fn word_terms(value: &str, generation: &Generation) -> Vec<Term> {
    let words = generation.segmenter.terms(value);
    let fields = generation.fields;
    match words.as_slice() {
        [word] => [fields.title, fields.facts].map(|field| Term::from_field_text(field, word)).to_vec(),
        several => several.windows(2).map(|pair| Term::from_field_text(fields.pairs, &pair.join("_"))).collect(),
    }
}

fn terms(field: &Field, value: &str, generation: &Generation) -> Vec<Term> {
    let keys: Vec<String> = match field {
        Field::Category if value.contains('>') => vec![facet_term(field, &path_key(value))],
        Field::Category => {
            vec![level_term(&phrase_key(&generation.segmenter, value)), facet_term(field, &squash(value))]
        }
        Field::Words => Vec::new(),
        Field::Size => sizes(value, generation).iter().map(|key| facet_term(field, key)).collect(),
        Field::Brand | Field::Price | Field::Attribute(_) => vec![facet_term(field, &squash(value))],
        _ => known(field, value, generation).iter().map(|key| facet_term(field, key)).collect(),
    };
    keys.iter().map(|key| Term::from_field_text(generation.fields.facets, key)).collect()
}

/// The keys that will do for a value the lexicon may know: the value itself, what is near it, and articles for everyone.
fn known(field: &Field, value: &str, generation: &Generation) -> Vec<String> {
    let mut keys = match VALUES.get(field, value) {
        Some(known) => vec![known.key.clone()],
        None => VALUES.normalise(field, value, &generation.segmenter),
    };
    keys.push(squash(value));
    keys.push(value.to_owned());
    let near: Vec<String> = keys.iter().filter_map(|key| VALUES.get(field, key)).flat_map(|v| v.near.clone()).collect();
    keys.extend(near);
    if *field == Field::Gender {
        keys.push("unisex".to_owned());
    }
    keys.sort_unstable();
    keys.dedup();
    keys
}

/// Whether the catalogue has a size.
pub(crate) fn size_is_known(value: &str, generation: &Generation) -> bool {
    let known = |key: &String| generation.vocabulary.count(&Field::Size, key) > 0;
    sizes(value, generation).iter().any(known)
}

/// The catalogue's sizes that a customer's size means: `42` also means `EU 42`, `m` also `Medium`.
fn sizes(value: &str, generation: &Generation) -> Vec<String> {
    let wanted = squash(value);
    let spelled = match wanted.as_str() {
        "xs" => "extra small",
        "s" => "small",
        "m" => "medium",
        "l" => "large",
        "xl" => "extra large",
        "small" => "s",
        "medium" => "m",
        "large" => "l",
        "2xl" => "xxl",
        "xxl" => "2xl",
        _ => "",
    };
    let mut keys: Vec<String> = generation
        .vocabulary
        .values(&Field::Size)
        .filter(|(key, _)| {
            *key == wanted
                || *key == spelled
                || (wanted.starts_with(|c: char| c.is_ascii_digit())
                    && key.split(' ').any(|part| part.trim_end_matches(['码', '号']) == wanted))
        })
        .map(|(key, _)| key.to_owned())
        .collect();
    if keys.is_empty() {
        keys.push(wanted);
    }
    keys
}
