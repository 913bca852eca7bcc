//! Corrections of words that the catalogue does not know, from the words it knows.
//!
//! A correction keeps the first letter (or swaps the first two), is one edit away for words of four to seven letters and two
//! for longer ones; two letters in the wrong order count as one edit. Of several, the nearest and then the most frequent wins.

use rustc_hash::FxHashMap;
use tantivy::Searcher;
use tantivy::schema::Field;

/// Known words with how many products have them.
#[derive(Debug, Default)]
pub(crate) struct Spelling {
    /// By first letter.
    words: FxHashMap<char, Vec<(String, u32)>>,
}

impl Spelling {
    pub(crate) fn of(searcher: &Searcher, fields: &[Field]) -> Self {
        let mut counts: FxHashMap<String, u32> = FxHashMap::default();
        for reader in searcher.segment_readers() {
            for field in fields {
                let Ok(inverted) = reader.inverted_index(*field) else { continue };
                let Ok(mut terms) = inverted.terms().stream() else { continue };
                while terms.advance() {
                    let Ok(term) = std::str::from_utf8(terms.key()) else { continue };
                    if term.len() >= 3 && term.bytes().all(|b| b.is_ascii_lowercase()) {
                        *counts.entry(term.to_owned()).or_default() += terms.value().doc_freq;
                    }
                }
            }
        }
        let mut spelling = Self::default();
        for (word, count) in counts {
            if let Some(first) = word.chars().next() {
                spelling.words.entry(first).or_default().push((word, count));
            }
        }
        for words in spelling.words.values_mut() {
            words.sort_unstable();
        }
        spelling
    }

    /// The known word that was most likely meant.
    pub(crate) fn correct(&self, word: &str) -> Option<&str> {
        let allowed = match word.len() {
            0..=3 => return None,
            4..=7 => 1,
            _ => 2,
        };
        if !word.bytes().all(|b| b.is_ascii_lowercase()) {
            return None;
        }
        let mut letters = word.chars();
        let firsts = [letters.next(), letters.next()];
        let candidates = firsts.into_iter().flatten().filter_map(|first| self.words.get(&first)).flatten();
        candidates
            .filter(|(known, _)| known.len().abs_diff(word.len()) <= allowed)
            .filter_map(|(known, count)| {
                let edits = distance(word, known, allowed)?;
                let swapped = known.as_bytes().first() != word.as_bytes().first();
                // Another first letter is only a typo when the first two are swapped.
                if swapped && known.as_bytes().get(1) != word.as_bytes().first() {
                    return None;
                }
                Some((edits, std::cmp::Reverse(*count), known.as_str()))
            })
            .min()
            .map(|(_, _, known)| known)
    }

    /// A much more frequent word that a rare known one may have been meant for.
    pub(crate) fn suggest(&self, word: &str) -> Option<&str> {
        let first = word.chars().next()?;
        let of_letter = self.words.get(&first)?;
        let own = of_letter.iter().find(|(known, _)| known == word)?.1;
        if word.len() < 5 || own > 2 {
            return None;
        }
        let others = of_letter.iter().filter(|(known, count)| known != word && *count >= 50 * own.max(1));
        let near =
            others.filter_map(|(known, count)| Some((distance(word, known, 1)?, std::cmp::Reverse(*count), known)));
        near.min().map(|(_, _, known)| known.as_str())
    }

    /// Splits a word into two known ones, the commonest split first: `goldbracelets` is `gold bracelets`.
    pub(crate) fn split<'a>(&self, word: &'a str, known: impl Fn(&str) -> u64) -> Option<(&'a str, &'a str)> {
        if word.len() < 6 || !word.bytes().all(|b| b.is_ascii_lowercase()) {
            return None;
        }
        (3..=word.len() - 3)
            .filter_map(|at| word.split_at_checked(at))
            .map(|(left, right)| (known(left).min(known(right)), left, right))
            .filter(|(count, _, _)| *count > 0)
            .max_by_key(|(count, left, _)| (*count, left.len()))
            .map(|(_, left, right)| (left, right))
    }
}

/// Optimal string alignment distance (Damerau–Levenshtein without edits of edited pairs), when it is at most `limit`.
pub(crate) fn distance(one: &str, other: &str, limit: usize) -> Option<usize> {
    let (a, b): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    if a.len().abs_diff(b.len()) > limit {
        return None;
    }
    let width = b.len() + 1;
    let mut before: Vec<usize> = vec![0; width];
    let mut last: Vec<usize> = (0..width).collect();
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1; width];
        for (j, y) in b.iter().enumerate() {
            let get = |row: &[usize], at: usize| row.get(at).copied().unwrap_or(usize::MAX / 2);
            let change = get(&last, j) + usize::from(x != y);
            let mut best = change.min(get(&last, j + 1) + 1).min(get(&row, j) + 1);
            if i > 0 && j > 0 && a.get(i - 1) == Some(y) && b.get(j - 1) == Some(x) {
                best = best.min(get(&before, j - 1) + 1);
            }
            if let Some(cell) = row.get_mut(j + 1) {
                *cell = best;
            }
        }
        if row.iter().min().is_some_and(|least| *least > limit) {
            return None;
        }
        before = std::mem::replace(&mut last, row);
    }
    last.last().copied().filter(|edits| *edits <= limit)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_swap_is_one_edit_and_far_words_have_no_distance() {
        assert_eq!(distance("dress", "derss", 2), Some(1));
        assert_eq!(distance("jacket", "jaket", 2), Some(1));
        assert_eq!(distance("jacket", "bracelet", 2), None);
        assert_eq!(distance("same", "same", 0), Some(0));
    }

    proptest! {
        #[test]
        fn distance_is_symmetric(one in "[a-d]{0,8}", other in "[a-d]{0,8}") {
            prop_assert_eq!(distance(&one, &other, 3), distance(&other, &one, 3));
        }
    }
}
