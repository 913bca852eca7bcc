//! The order of results, and what is counted over all of them: numbers from the index's columns.

use std::cmp::Ordering;

use tantivy::{DocAddress, DocId, SegmentReader};

use crate::error::SearchError;
use crate::index::{NOT_OFFERED, column};
use crate::request::Sort;

/// What a sold-out product's score is multiplied by.
const SOLD_OUT: f32 = 0.8;

/// A ranked document.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Ranked {
    pub address: DocAddress,
    pub score: f32,
    /// The value sorted by before the score; larger comes first.
    pub key: f64,
    pub order: u64,
    /// Bit i: the product has word i of the plan.
    pub mask: u32,
}

impl Eq for Ranked {}

impl Ord for Ranked {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key
            .total_cmp(&other.key)
            .then(self.score.total_cmp(&other.score))
            .then(other.order.cmp(&self.order))
            .then(other.address.cmp(&self.address))
    }
}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The columns that order results.
pub(super) struct Numbers {
    pub(super) order: tantivy::columnar::Column<u64>,
    pub(super) available: tantivy::columnar::Column<u64>,
    pub(super) popularity: Option<tantivy::columnar::Column<u64>>,
    pub(super) sorted: Option<tantivy::columnar::Column<i64>>,
}

impl Numbers {
    pub(super) fn of(reader: &SegmentReader, sort: Sort) -> Result<Self, SearchError> {
        let columns = reader.fast_fields();
        let sorted = match sort {
            Sort::PriceAsc | Sort::PriceDesc => columns.column_opt(column::PRICE)?,
            Sort::Newest => columns.column_opt(column::RELEASED)?,
            Sort::Relevance | Sort::Popular | Sort::Rating => None,
        };
        let popularity = columns.column_opt(if sort == Sort::Rating { column::RATING } else { column::POPULARITY })?;
        // Where no product has any, there is nothing to look up.
        let popularity = popularity.filter(|column: &tantivy::columnar::Column<u64>| column.max_value() > 0);
        Ok(Self { order: columns.u64(column::ORDER)?, available: columns.u64(column::AVAILABLE)?, popularity, sorted })
    }

    /// The most that a score can become by popularity.
    pub(super) fn most(&self, score: f32) -> f32 {
        if self.popularity.is_some() { score + score.max(1.0) / 20.0 } else { score }
    }

    #[expect(clippy::cast_precision_loss, reason = "prices and times below 2^53 are exact")]
    pub(super) fn rank(&self, address: DocAddress, score: f32, mask: u32, sort: Sort) -> Ranked {
        let doc = address.doc_id;
        let popularity = self.popularity.as_ref().and_then(|column| column.first(doc)).unwrap_or_default() as f64;
        let sorted = self.sorted.as_ref();
        let key = match sort {
            Sort::Relevance => 0.0,
            Sort::PriceAsc => {
                sorted.and_then(|c| c.values_for_doc(doc).min()).map_or(f64::NEG_INFINITY, |p| -(p as f64))
            }
            Sort::PriceDesc => sorted.and_then(|c| c.values_for_doc(doc).max()).map_or(f64::NEG_INFINITY, |p| p as f64),
            Sort::Newest => sorted.and_then(|c| c.first(doc)).map_or(f64::NEG_INFINITY, |at| at as f64),
            Sort::Popular | Sort::Rating => popularity,
        };
        let sold_out = self.available.first(doc) == Some(0);
        let wanted = score * if sold_out { SOLD_OUT } else { 1.0 } + popularity_bonus(score, popularity, sort);
        Ranked { address, score: wanted, key, order: self.order.first(doc).unwrap_or_default(), mask }
    }
}

/// At most a twentieth of the score, growing with the logarithm of the popularity.
#[expect(clippy::cast_possible_truncation, reason = "a bonus needs no more than 24 bits")]
pub(super) fn popularity_bonus(score: f32, popularity: f64, sort: Sort) -> f32 {
    if sort == Sort::Rating {
        return 0.0;
    }
    let share = ((1.0 + popularity).ln() / 20.0).min(1.0) as f32 / 20.0;
    share * score.max(1.0)
}

/// Counts of a segment's facet terms by ordinal.
pub(super) struct FacetCounts {
    pub(super) column: Option<tantivy::columnar::StrColumn>,
    pub(super) counts: Vec<usize>,
}

impl FacetCounts {
    pub(super) fn of(reader: &SegmentReader) -> Result<Self, SearchError> {
        let column = reader.fast_fields().str(column::FACETS)?;
        let counts = vec![0; column.as_ref().map_or(0, |column| column.num_terms())];
        Ok(Self { column, counts })
    }

    pub(super) fn count(&mut self, doc: DocId) {
        let Some(column) = &self.column else { return };
        for ord in column.term_ords(doc) {
            if let Some(count) = usize::try_from(ord).ok().and_then(|ord| self.counts.get_mut(ord)) {
                *count += 1;
            }
        }
    }

    /// Adds the counts to those of all segments, by the numbers of the values.
    pub(super) fn add_to(&self, all: &mut [usize], numbers: &[u32]) {
        for (count, number) in self.counts.iter().zip(numbers).filter(|(_, number)| **number != NOT_OFFERED) {
            if let Some(sum) = all.get_mut(*number as usize) {
                *sum += count;
            }
        }
    }
}
