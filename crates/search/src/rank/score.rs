//! Runs a plan over the index.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocAddress, DocId, SegmentReader, Term};

use super::filter::Bits;
use super::plan::{Alternative, Group, Plan, Weight, postings};
use crate::error::SearchError;
use crate::index::{Generation, NOT_OFFERED, column};
use crate::request::Sort;

/// Saturation of the term frequency (BM25's k1).
const K1: f32 = 1.2;
/// A product must have this share of the weight of the best product's words to count as a result.
const COVERAGE: f32 = 0.45;
/// What a sold-out product's score is multiplied by.
const SOLD_OUT: f32 = 0.8;
/// What the score of something that only goes with the article asked for is multiplied by.
const ACCESSORY: f32 = 0.45;

/// What a synonym counts beside the word itself.
const SYNONYM: f32 = 0.75;

/// The score of a pinned product.
const PINNED: f32 = 1_000_000.0;

/// A field's weight in BM25F and how strongly its length counts (b).
struct Weighted {
    field: Field,
    weight: f32,
    b: f32,
    average: f32,
    /// Whether it says what the product is and does not only speak of it.
    names: bool,
}

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

/// One segment's numbers.
struct Part {
    bits: Bits,
    score: Vec<f32>,
    mask: Vec<u32>,
    touched: Vec<DocId>,
    /// Products that only go with what was asked for.
    accessories: Bits,
    /// Products that are called or classed what an article's name in the query says; `None` when it says none.
    named: Option<Bits>,
}

impl Part {
    /// The documents that may be results: those with a word where words are asked for, else all that meet the filters.
    fn candidates(&self, needs_words: bool) -> Box<dyn Iterator<Item = DocId> + '_> {
        if needs_words {
            Box::new(self.touched.iter().copied().filter(|doc| self.bits.contains(*doc)))
        } else {
            Box::new(self.bits.iter())
        }
    }

    /// Adds to a document's score for a word, once a word.
    fn add(&mut self, doc: DocId, word: usize, amount: f32) {
        let (Some(score), Some(mask)) = (self.score.get_mut(doc as usize), self.mask.get_mut(doc as usize)) else {
            return;
        };
        if *mask == 0 {
            self.touched.push(doc);
        }
        // Words beyond the last bit share it and all count.
        if *mask & bit(word) == 0 || word > 31 {
            *score += amount;
        }
        *mask |= bit(word);
    }

    /// Whether a product is what an article's name in the query says, and does not only go with it.
    fn is_named(&self, doc: DocId) -> bool {
        self.named.as_ref().is_some_and(|named| named.contains(doc)) && !self.accessories.contains(doc)
    }

    fn accessories_reached(&self) -> usize {
        self.touched.iter().filter(|doc| self.accessories.contains(**doc)).count()
    }
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
    let cover =
        |mask: u32| -> f32 { required.iter().enumerate().filter(|(i, _)| mask & bit(*i) != 0).map(|(_, w)| w).sum() };
    let needs_words = plan.groups.iter().any(|group| group.required);
    let mut best = (0.0, 0);
    for (doc, part) in parts.iter().flat_map(|part| part.touched.iter().map(move |doc| (*doc, part))) {
        let mask = part.mask.get(doc as usize).copied().unwrap_or_default();
        let covered = cover(mask);
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
            let mask = part.mask.get(doc as usize).copied().unwrap_or_default();
            if needs_words && cover(mask) < best.0 * COVERAGE {
                continue;
            }
            found.total += 1;
            if found.carried == Some(false) && part.is_named(doc) {
                found.carried = Some(true);
            }
            if let Some(facets) = &mut facets {
                facets.count(doc);
            }
            let score = part.score.get(doc as usize).copied().unwrap_or_default();
            let beaten = heap.len() == keep
                && heap.peek().is_none_or(|least: &std::cmp::Reverse<Ranked>| {
                    sort == Sort::Relevance && most(score) < least.0.score
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
    found.ranked = heap.into_sorted_vec().into_iter().map(|std::cmp::Reverse(ranked)| ranked).collect();
    Ok(found)
}

fn bit(group: usize) -> u32 {
    1 << group.min(31)
}

#[expect(clippy::cast_precision_loss, reason = "token counts in an average need no more than 24 bits")]
fn weighted(generation: &Generation) -> Result<Vec<Weighted>, SearchError> {
    let fields = generation.fields;
    let documents = generation.searcher.num_docs().max(1) as f32;
    [(fields.title, 1.6, 0.55, true), (fields.facts, 0.9, 0.4, true), (fields.text, 1.4, 0.6, false)]
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
        score: vec![0.0; documents],
        mask: vec![0; documents],
        touched: Vec::new(),
        accessories: Bits::none(reader.max_doc()),
        named: plan.names_article().then(|| Bits::none(reader.max_doc())),
    };
    let mut frequency = vec![0.0_f32; documents];
    for (at, (group, idf)) in plan.groups.iter().zip(idf).enumerate() {
        for (alternatives, share) in [(&group.alternatives, 1.0), (&group.synonyms, SYNONYM)] {
            let mut reached = Vec::new();
            let mut named = part.named.as_mut().filter(|_| group.required && group.article);
            for alternative in alternatives {
                let reach = Reach { reader, weighted, within: None };
                reach.run(alternative, &mut frequency, &mut reached, named.as_deref_mut())?;
            }
            for doc in reached {
                let Some(tf) = frequency.get_mut(doc as usize).map(std::mem::take) else { continue };
                part.add(doc, at, share * idf * tf * (K1 + 1.0) / (K1 + tf));
            }
        }
    }
    adjust(reader, plan, idf.iter().sum(), &mut part)?;
    Ok(part)
}

/// Finds the products that meet one alternative, all or only those within a set.
struct Reach<'a> {
    reader: &'a SegmentReader,
    weighted: &'a [Weighted],
    within: Option<&'a Bits>,
}

impl Reach<'_> {
    /// Adds what the alternative contributes to the frequencies of its group, and notes the products that have it in name or facts.
    fn run(
        &self,
        alternative: &Alternative,
        frequency: &mut [f32],
        reached: &mut Vec<DocId>,
        mut named: Option<&mut Bits>,
    ) -> Result<(), SearchError> {
        let mut add = |doc: DocId, amount: f32, names: bool| {
            if self.within.is_some_and(|within| !within.contains(doc)) {
                return;
            }
            if let Some(tf) = frequency.get_mut(doc as usize) {
                if *tf <= 0.0 {
                    reached.push(doc);
                }
                *tf += amount;
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
                Reach { within: Some(&agreeing), ..*self }.run(inner, frequency, reached, named)?;
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
fn length(count: u32) -> f32 {
    count as f32
}

/// Boosts by kind, and notes what only goes with the article asked for.
fn adjust(reader: &SegmentReader, plan: &Plan, weight: f32, part: &mut Part) -> Result<(), SearchError> {
    for boost in &plan.boosts {
        let mut having = Bits::none(reader.max_doc());
        for term in &boost.terms {
            postings(reader, term, IndexRecordOption::Basic, |doc, _| having.insert(doc))?;
        }
        for doc in having.iter() {
            if let Some(score) = part.score.get_mut(doc as usize).filter(|score| **score > 0.0) {
                *score += boost.share * weight;
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
    if accessories * 2 > reached {
        return;
    }
    for part in parts {
        for doc in part.accessories.iter() {
            if let Some(score) = part.score.get_mut(doc as usize) {
                *score *= ACCESSORY;
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
            if let Some(score) = part.score.get_mut(doc as usize) {
                *score *= weight.factor;
            }
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
                if let (Some(score), Some(mask)) = (part.score.get_mut(doc as usize), part.mask.get_mut(doc as usize)) {
                    *score = PINNED - f32::from(at) * PINNED / 1_000.0;
                    if *mask == 0 {
                        part.touched.push(doc);
                    }
                    *mask = u32::MAX;
                }
            }
        }
    }
    Ok(())
}

/// The columns that order results.
struct Numbers {
    order: tantivy::columnar::Column<u64>,
    available: tantivy::columnar::Column<u64>,
    popularity: Option<tantivy::columnar::Column<u64>>,
    sorted: Option<tantivy::columnar::Column<i64>>,
}

impl Numbers {
    fn of(reader: &SegmentReader, sort: Sort) -> Result<Self, SearchError> {
        let columns = reader.fast_fields();
        let sorted = match sort {
            Sort::PriceAsc | Sort::PriceDesc => columns.column_opt(column::PRICE)?,
            Sort::Newest => columns.column_opt(column::RELEASED)?,
            Sort::Relevance | Sort::Popular | Sort::Rating => None,
        };
        let popularity = columns.column_opt(if sort == Sort::Rating { column::RATING } else { column::POPULARITY })?;
        Ok(Self { order: columns.u64(column::ORDER)?, available: columns.u64(column::AVAILABLE)?, popularity, sorted })
    }

    #[expect(clippy::cast_precision_loss, reason = "prices and times below 2^53 are exact")]
    fn rank(&self, address: DocAddress, score: f32, mask: u32, sort: Sort) -> Ranked {
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

/// The most that a score can become by popularity.
fn most(score: f32) -> f32 {
    score + score.max(1.0) / 20.0
}

/// At most a twentieth of the score, growing with the logarithm of the popularity.
#[expect(clippy::cast_possible_truncation, reason = "a bonus needs no more than 24 bits")]
fn popularity_bonus(score: f32, popularity: f64, sort: Sort) -> f32 {
    if sort == Sort::Rating {
        return 0.0;
    }
    let share = ((1.0 + popularity).ln() / 20.0).min(1.0) as f32 / 20.0;
    share * score.max(1.0)
}

/// Counts of a segment's facet terms by ordinal.
struct FacetCounts {
    column: Option<tantivy::columnar::StrColumn>,
    counts: Vec<usize>,
}

impl FacetCounts {
    fn of(reader: &SegmentReader) -> Result<Self, SearchError> {
        let column = reader.fast_fields().str(column::FACETS)?;
        let counts = vec![0; column.as_ref().map_or(0, |column| column.num_terms())];
        Ok(Self { column, counts })
    }

    fn count(&mut self, doc: DocId) {
        let Some(column) = &self.column else { return };
        for ord in column.term_ords(doc) {
            if let Some(count) = usize::try_from(ord).ok().and_then(|ord| self.counts.get_mut(ord)) {
                *count += 1;
            }
        }
    }

    /// Adds the counts to those of all segments, by the numbers of the values.
    fn add_to(&self, all: &mut [usize], numbers: &[u32]) {
        for (count, number) in self.counts.iter().zip(numbers).filter(|(_, number)| **number != NOT_OFFERED) {
            if let Some(sum) = all.get_mut(*number as usize) {
                *sum += count;
            }
        }
    }
}
