//! One number a product: what a search adds up, segment by segment.

use std::sync::Mutex;

use tantivy::DocId;

use super::filter::Bits;

/// Saturation of the term frequency (BM25's k1).
const K1: f32 = 1.2;

/// A document's numbers in a search.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Tally {
    pub(super) score: f32,
    /// The weighted frequency of the word being looked up.
    pub(super) tf: f32,
    /// Bit i: it has word i of the plan.
    pub(super) mask: u32,
}

/// The most numbers kept for the next searches: 48 MB.
const MOST_SPARE: usize = 4 << 20;

/// Numbers of past searches, all zero. Fresh memory of this size would cost more than many a search.
static SPARE: Mutex<Vec<Vec<Tally>>> = Mutex::new(Vec::new());

pub(super) fn tallies(documents: usize) -> Vec<Tally> {
    let mut spare = SPARE.lock().map(|mut spare| spare.pop()).ok().flatten().unwrap_or_default();
    spare.resize(documents, Tally::default());
    spare
}

/// The weight of the words that a mask says; neighbours mostly have the same mask.
pub(super) struct Cover {
    pub(super) weights: Vec<f32>,
    pub(super) last: (u32, f32),
}

impl Cover {
    pub(super) fn of_words(weights: Vec<f32>) -> Self {
        Self { weights, last: (0, 0.0) }
    }

    pub(super) fn of(&mut self, mask: u32) -> f32 {
        if self.last.0 != mask {
            let had = self.weights.iter().enumerate().filter(|(word, _)| mask & bit(*word) != 0);
            self.last = (mask, had.map(|(_, weight)| weight).sum());
        }
        self.last.1
    }
}

/// One segment's numbers.
pub(super) struct Part {
    pub(super) bits: Bits,
    pub(super) tallies: Vec<Tally>,
    pub(super) touched: Vec<DocId>,
    /// Products that only go with what was asked for.
    pub(super) accessories: Bits,
    /// Products that are called or classed what an article's name in the query says; `None` when it says none.
    pub(super) named: Option<Bits>,
}

impl Part {
    /// The documents that may be results: those with a word where words are asked for, else all that meet the filters.
    pub(super) fn candidates(&self, needs_words: bool) -> Box<dyn Iterator<Item = DocId> + '_> {
        if needs_words {
            Box::new(self.touched.iter().copied().filter(|doc| self.bits.contains(*doc)))
        } else {
            Box::new(self.bits.iter())
        }
    }

    /// Turns a document's frequency of a word into score, once a word.
    pub(super) fn saturate(&mut self, doc: DocId, word: usize, weight: f32) {
        let Some(tally) = self.tallies.get_mut(doc as usize) else { return };
        let tf = std::mem::take(&mut tally.tf);
        if tally.mask == 0 {
            self.touched.push(doc);
        }
        // Words beyond the last bit share it.
        tally.mask |= bit(word);
        tally.score += weight * tf * (K1 + 1.0) / (K1 + tf);
    }

    pub(super) fn tally(&self, doc: DocId) -> Tally {
        self.tallies.get(doc as usize).copied().unwrap_or_default()
    }

    /// Multiplies a document's score.
    pub(super) fn multiply(&mut self, doc: DocId, factor: f32) {
        if let Some(tally) = self.tallies.get_mut(doc as usize) {
            tally.score *= factor;
        }
    }

    /// Gives the numbers back for the next search. Only documents that were touched have any.
    pub(super) fn recycle(mut self) {
        for doc in self.touched {
            if let Some(tally) = self.tallies.get_mut(doc as usize) {
                *tally = Tally::default();
            }
        }
        let Ok(mut spare) = SPARE.lock() else { return };
        if spare.iter().map(Vec::len).sum::<usize>() + self.tallies.len() <= MOST_SPARE {
            spare.push(self.tallies);
        }
    }

    /// Whether a product is what an article's name in the query says, and does not only go with it.
    pub(super) fn is_named(&self, doc: DocId) -> bool {
        self.named.as_ref().is_some_and(|named| named.contains(doc)) && !self.accessories.contains(doc)
    }

    pub(super) fn accessories_reached(&self) -> usize {
        self.touched.iter().filter(|doc| self.accessories.contains(**doc)).count()
    }
}

pub(super) fn bit(group: usize) -> u32 {
    1 << group.min(31)
}
