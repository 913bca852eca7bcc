//! The values that facets offer, numbered once for all segments, so that counting works on numbers and never on texts.

use rustc_hash::FxHashMap;
use tantivy::Searcher;

use super::facts::facet_term;
use super::generation::io;
use super::schema::column;
use super::vocabulary::Vocabulary;
use crate::error::SearchError;
use crate::request::Field;

/// What a term of a segment is that no facet offers.
pub(crate) const NOT_OFFERED: u32 = u32::MAX;

/// One property's values: a run of numbers.
#[derive(Debug)]
pub(crate) struct Offered {
    pub field: Field,
    /// The number of the first value.
    pub first: usize,
    /// The values as shown.
    pub shown: Vec<String>,
}

/// Values by number, and the number of each term of each segment.
#[derive(Debug, Default)]
pub(crate) struct FacetValues {
    pub offered: Vec<Offered>,
    /// How many values there are.
    pub count: usize,
    segments: Vec<Vec<u32>>,
}

impl FacetValues {
    pub(crate) fn of(searcher: &Searcher, vocabulary: &Vocabulary) -> Result<Self, SearchError> {
        let mut values = Self::default();
        let mut numbers: FxHashMap<String, u32> = FxHashMap::default();
        for (key, entries) in &vocabulary.fields {
            let Some(field) = Field::from_key(key) else { continue };
            let first = values.count;
            for value in entries.keys() {
                numbers.insert(facet_term(&field, value), u32::try_from(values.count).unwrap_or(NOT_OFFERED));
                values.count += 1;
            }
            let shown = entries.values().map(|entry| entry.shown.clone()).collect();
            values.offered.push(Offered { field, first, shown });
        }
        for reader in searcher.segment_readers() {
            let mut of_segment = Vec::new();
            if let Some(terms) = reader.fast_fields().str(column::FACETS)? {
                let mut stream = terms.dictionary().stream().map_err(io)?;
                while stream.advance() {
                    let number = std::str::from_utf8(stream.key()).ok().and_then(|term| numbers.get(term));
                    of_segment.push(number.copied().unwrap_or(NOT_OFFERED));
                }
            }
            values.segments.push(of_segment);
        }
        Ok(values)
    }

    /// The numbers of a segment's terms, by their ordinals.
    pub(crate) fn of_segment(&self, segment: usize) -> &[u32] {
        self.segments.get(segment).map_or(&[], Vec::as_slice)
    }
}
