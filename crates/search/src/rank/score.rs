//! Runs a plan over the index.

use std::collections::BinaryHeap;

use tantivy::schema::IndexRecordOption;
use tantivy::{DocAddress, SegmentReader, Term};

use super::filter::Bits;
use super::order::{FacetCounts, Numbers, Ranked};
use super::plan::{Alternative, Group, Plan, Weight, postings};
use super::reach::{Reach, Weighted, weighted};
use super::tally::{Cover, Part, Tally, tallies};
use crate::error::SearchError;
use crate::index::Generation;
use crate::request::Sort;

/// A product must have this share of the weight of the best product's words to count as a result.
const COVERAGE: f32 = 0.45;
/// What the score of something that only goes with the article asked for is multiplied by.
const ACCESSORY: f32 = 0.45;

/// What a synonym counts beside the word itself.
const SYNONYM: f32 = 0.8;

/// The score of a pinned product.
const PINNED: f32 = 1_000_000.0;

/// What running a plan gives.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// The best, in order.
    pub ranked: Vec<Ranked>,
    /// How many match.
    pub total: usize,
    /// Bits of the words that the best-covered result has.
    pub best_mask: u32,
    /// Whether results are called or classed what an article's name in the query says; `None` when the query says none.
    pub carried: Option<bool>,
    /// Counts by the number of the value (see [`FacetValues`](crate::index::FacetValues)), when asked for.
    pub facets: Vec<usize>,
}

/// Runs a plan: the `keep` best by `sort`, the number of all matches, and facet counts when asked for.
pub(crate) fn run(
    generation: &Generation,
    plan: &Plan,
    sort: Sort,
    keep: usize,
    count_facets: bool,
) -> Result<Found, SearchError> {
    let weighted = weighted(generation)?;
    let idf: Vec<f32> = plan.groups.iter().map(|group| idf(generation, group)).collect::<Result<_, _>>()?;
    let mut parts = Vec::new();
    for reader in generation.searcher.segment_readers() {
        parts.push(part(reader, plan, &idf, &weighted)?);
    }
    demote_accessories(&mut parts);
    for weight in &plan.weights {
        weigh(generation, weight, &mut parts)?;
    }
    pin(generation, plan, &mut parts)?;
    let required: Vec<f32> =
        plan.groups.iter().zip(&idf).map(|(group, idf)| if group.required { *idf } else { 0.0 }).collect();
    let mut cover = Cover::of_words(required);
    let needs_words = plan.groups.iter().any(|group| group.required);
    let mut best = (0.0, 0);
    for (doc, part) in parts.iter().flat_map(|part| part.touched.iter().map(move |doc| (*doc, part))) {
        let mask = part.tally(doc).mask;
        let covered = cover.of(mask);
        if covered > best.0 && part.bits.contains(doc) {
            best = (covered, mask);
        }
    }
    let carried = plan.names_article().then_some(false);
    let mut found = Found { best_mask: best.1, carried, ..Found::default() };
    if needs_words && best.0 <= 0.0 {
        return Ok(found);
    }
    let values = if count_facets { Some(generation.facet_values()?) } else { None };
    found.facets = vec![0; values.map_or(0, |values| values.count)];
    let mut heap = BinaryHeap::new();
    for ((segment, reader), part) in (0_u32..).zip(generation.searcher.segment_readers()).zip(&parts) {
        let numbers = Numbers::of(reader, sort)?;
        let mut facets = if count_facets { Some(FacetCounts::of(reader)?) } else { None };
        for doc in part.candidates(needs_words) {
            let Tally { score, mask, .. } = part.tally(doc);
            if needs_words && cover.of(mask) < best.0 * COVERAGE {
                continue;
            }
            found.total += 1;
            if found.carried == Some(false) && part.is_named(doc) {
                found.carried = Some(true);
            }
            if let Some(facets) = &mut facets {
                facets.count(doc);
            }
            let beaten = heap.len() == keep
                && heap.peek().is_none_or(|least: &std::cmp::Reverse<Ranked>| {
                    sort == Sort::Relevance && numbers.most(score) < least.0.score
                });
            if beaten {
                continue;
            }
            let ranked = numbers.rank(DocAddress::new(segment, doc), score, mask, sort);
            if heap.len() < keep {
                heap.push(std::cmp::Reverse(ranked));
            } else if heap.peek().is_some_and(|least| ranked > least.0) {
                heap.pop();
                heap.push(std::cmp::Reverse(ranked));
            }
        }
        if let (Some(facets), Some(values)) = (facets, values) {
            facets.add_to(&mut found.facets, values.of_segment(segment as usize));
        }
    }
    parts.into_iter().for_each(Part::recycle);
    found.ranked = heap.into_sorted_vec().into_iter().map(|std::cmp::Reverse(ranked)| ranked).collect();
    Ok(found)
}

/// BM25's inverse document frequency, from the most frequent alternative.
#[expect(clippy::cast_precision_loss, reason = "document counts in a logarithm need no more than 24 bits")]
fn idf(generation: &Generation, group: &Group) -> Result<f32, SearchError> {
    let mut most = 0;
    for alternative in group.alternatives.iter().chain(&group.synonyms) {
        most = most.max(having(generation, alternative)?);
    }
    let (all, having) = (generation.searcher.num_docs() as f32, most as f32);
    Ok((1.0 + (all - having + 0.5).max(0.5) / (having + 0.5)).ln())
}

/// At most how many products an alternative is met by.
fn having(generation: &Generation, alternative: &Alternative) -> Result<u64, SearchError> {
    let fields = generation.fields;
    Ok(match alternative {
        Alternative::Word(term, _) => {
            let mut most = 0;
            for field in [fields.title, fields.facts, fields.text] {
                most = most.max(generation.searcher.doc_freq(&Term::from_field_text(field, term))?);
            }
            most
        }
        Alternative::All(field, terms, _) => {
            let mut least = u64::MAX;
            for term in terms {
                least = least.min(generation.searcher.doc_freq(&Term::from_field_text(*field, term))?);
            }
            least
        }
        Alternative::Among(inner, _) => having(generation, inner)?,
    })
}

fn part(reader: &SegmentReader, plan: &Plan, idf: &[f32], weighted: &[Weighted]) -> Result<Part, SearchError> {
    let documents = reader.max_doc() as usize;
    let mut bits = Bits::alive(reader);
    for filter in &plan.filters {
        filter.apply(reader, &mut bits)?;
    }
    let mut part = Part {
        bits,
        tallies: tallies(documents),
        touched: Vec::new(),
        accessories: Bits::none(reader.max_doc()),
        named: plan.names_article().then(|| Bits::none(reader.max_doc())),
    };
    for (at, (group, idf)) in plan.groups.iter().zip(idf).enumerate() {
        let reach = Reach { reader, weighted, within: None };
        let mut reached = Vec::new();
        let mut named = part.named.as_mut().filter(|_| group.required && group.article);
        for alternative in &group.alternatives {
            reach.run(alternative, &mut part.tallies, &mut reached, named.as_deref_mut())?;
        }
        // The word itself outranks what means the same; beside the word a synonym counts like it.
        let having_the_word = reached.len();
        for alternative in &group.synonyms {
            reach.run(alternative, &mut part.tallies, &mut reached, named.as_deref_mut())?;
        }
        for (place, doc) in reached.into_iter().enumerate() {
            part.saturate(doc, at, if place < having_the_word { *idf } else { SYNONYM * idf });
        }
    }
    adjust(reader, plan, idf.iter().sum(), &mut part)?;
    Ok(part)
}

/// Boosts by kind, and notes what only goes with the article asked for.
fn adjust(reader: &SegmentReader, plan: &Plan, weight: f32, part: &mut Part) -> Result<(), SearchError> {
    for boost in &plan.boosts {
        let mut having = Bits::none(reader.max_doc());
        for term in &boost.terms {
            postings(reader, term, IndexRecordOption::Basic, |doc, _| having.insert(doc))?;
        }
        for doc in having.iter() {
            if let Some(tally) = part.tallies.get_mut(doc as usize).filter(|tally| tally.score > 0.0) {
                tally.score += boost.share * weight;
            }
        }
    }
    for term in &plan.accessories {
        postings(reader, term, IndexRecordOption::Basic, |doc, _| part.accessories.insert(doc))?;
    }
    Ok(())
}

/// Puts accessories behind the article, unless the shop has hardly anything but accessories for it: then they are what it has.
fn demote_accessories(parts: &mut [Part]) {
    let reached: usize = parts.iter().map(|part| part.touched.len()).sum();
    let accessories: usize = parts.iter().map(Part::accessories_reached).sum();
    if accessories * 5 > reached * 4 {
        return;
    }
    for part in parts {
        for doc in part.accessories.iter() {
            if let Some(tally) = part.tallies.get_mut(doc as usize) {
                tally.score *= ACCESSORY;
            }
        }
    }
}

/// Multiplies the scores of what a rule speaks of.
fn weigh(generation: &Generation, weight: &Weight, parts: &mut [Part]) -> Result<(), SearchError> {
    for (reader, part) in generation.searcher.segment_readers().iter().zip(parts) {
        let mut having = Bits::none(reader.max_doc());
        for term in &weight.terms {
            postings(reader, term, IndexRecordOption::Basic, |doc, _| having.insert(doc))?;
        }
        for doc in having.iter() {
            part.multiply(doc, weight.factor);
        }
    }
    Ok(())
}

/// Puts pinned products first, in their order, where they meet the filters; they count as having every word.
fn pin(generation: &Generation, plan: &Plan, parts: &mut [Part]) -> Result<(), SearchError> {
    for (at, term) in (1_u8..).zip(&plan.pins) {
        for (reader, part) in generation.searcher.segment_readers().iter().zip(&mut *parts) {
            let mut pinned = Vec::new();
            postings(reader, term, IndexRecordOption::Basic, |doc, _| pinned.push(doc))?;
            for doc in pinned {
                if let Some(tally) = part.tallies.get_mut(doc as usize) {
                    tally.score = PINNED - f32::from(at) * PINNED / 1_000.0;
                    if tally.mask == 0 {
                        part.touched.push(doc);
                    }
                    tally.mask = u32::MAX;
                }
            }
        }
    }
    Ok(())
}
