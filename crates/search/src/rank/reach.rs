//! Which products a word reaches, and how strongly.

use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocId, SegmentReader, Term};

use super::filter::Bits;
use super::plan::{Alternative, postings};
use super::tally::Tally;
use crate::error::SearchError;
use crate::index::Generation;

/// A field's weight in BM25F and how strongly its length counts (b).
pub(super) struct Weighted {
    pub(super) field: Field,
    pub(super) weight: f32,
    pub(super) b: f32,
    pub(super) average: f32,
    /// Whether it says what the product is and does not only speak of it.
    pub(super) names: bool,
}

#[expect(clippy::cast_precision_loss, reason = "token counts in an average need no more than 24 bits")]
pub(super) fn weighted(generation: &Generation) -> Result<Vec<Weighted>, SearchError> {
    let fields = generation.fields;
    let documents = generation.searcher.num_docs().max(1) as f32;
    [(fields.title, 1.6, 0.55, true), (fields.facts, 0.9, 0.4, true), (fields.text, 1.4, 0.75, false)]
        .into_iter()
        .map(|(field, weight, b, names)| {
            let mut tokens = 0;
            for reader in generation.searcher.segment_readers() {
                tokens += reader.inverted_index(field)?.total_num_tokens();
            }
            Ok(Weighted { field, weight, b, average: (tokens as f32 / documents).max(1.0), names })
        })
        .collect()
}

/// Finds the products that meet one alternative, all or only those within a set.
pub(super) struct Reach<'a> {
    pub(super) reader: &'a SegmentReader,
    pub(super) weighted: &'a [Weighted],
    pub(super) within: Option<&'a Bits>,
}

impl Reach<'_> {
    /// Adds what the alternative contributes to the frequencies of its group, and notes the products that have it in name or facts.
    pub(super) fn run(
        &self,
        alternative: &Alternative,
        tallies: &mut [Tally],
        reached: &mut Vec<DocId>,
        mut named: Option<&mut Bits>,
    ) -> Result<(), SearchError> {
        let mut add = |doc: DocId, amount: f32, names: bool| {
            if self.within.is_some_and(|within| !within.contains(doc)) {
                return;
            }
            if let Some(tally) = tallies.get_mut(doc as usize) {
                if tally.tf <= 0.0 {
                    reached.push(doc);
                }
                tally.tf += amount;
            }
            if names && let Some(named) = &mut named {
                named.insert(doc);
            }
        };
        match alternative {
            Alternative::Word(term, boost) => {
                for Weighted { field, weight, b, average, names } in self.weighted {
                    let lengths = self.reader.get_fieldnorms_reader(*field)?;
                    let norms: Vec<f32> = (0..=u8::MAX)
                        .map(|id| {
                            let length = length(tantivy::fieldnorm::FieldNormReader::id_to_fieldnorm(id));
                            boost * weight / (1.0 - b + b * length / average)
                        })
                        .collect();
                    let term = Term::from_field_text(*field, term);
                    postings(self.reader, &term, IndexRecordOption::WithFreqs, |doc, count| {
                        let norm = norms.get(usize::from(lengths.fieldnorm_id(doc))).copied().unwrap_or_default();
                        add(doc, norm * length(count), *names);
                    })?;
                }
            }
            Alternative::All(field, terms, boost) => {
                let weight = boost * self.weighted.first().map_or(1.0, |title| title.weight);
                let mut having: Option<Bits> = None;
                for term in terms {
                    let with = self.with([(*field, term.as_str())])?;
                    match &mut having {
                        Some(having) => having.keep(&with, true),
                        None => having = Some(with),
                    }
                }
                for doc in having.iter().flat_map(Bits::iter) {
                    add(doc, weight, true);
                }
            }
            Alternative::Among(inner, words) => {
                let fields = self.weighted.iter().map(|weighted| weighted.field);
                let agreeing =
                    self.with(fields.flat_map(|field| words.iter().map(move |word| (field, word.as_str()))))?;
                Reach { within: Some(&agreeing), ..*self }.run(inner, tallies, reached, named)?;
            }
        }
        Ok(())
    }

    /// The products with at least one of these words.
    fn with<'t>(&self, words: impl IntoIterator<Item = (Field, &'t str)>) -> Result<Bits, SearchError> {
        let mut with = Bits::none(self.reader.max_doc());
        for (field, word) in words {
            let term = Term::from_field_text(field, word);
            postings(self.reader, &term, IndexRecordOption::Basic, |doc, _| with.insert(doc))?;
        }
        Ok(with)
    }
}

#[expect(clippy::cast_precision_loss, reason = "lengths and frequencies need no more than 24 bits")]
pub(super) fn length(count: u32) -> f32 {
    count as f32
}
