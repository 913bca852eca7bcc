//! The catalogue's names of categories and brands, by their words.

use rustc_hash::FxHashMap;

use crate::analysis::Segmenter;
use crate::index::Vocabulary;
use crate::lexicon::phrase_key;
use crate::request::Field;

/// Phrases that name categories or brands here.
#[derive(Debug, Default)]
pub(crate) struct Names {
    /// Phrase of a level's name to the name as shown.
    levels: FxHashMap<String, String>,
    /// Last word of a level's name of several words to those names.
    heads: FxHashMap<String, Vec<String>>,
    brands: FxHashMap<String, (String, usize)>,
    longest: usize,
}

impl Names {
    pub(crate) fn of(vocabulary: &Vocabulary, segmenter: &Segmenter) -> Self {
        let mut names = Self { longest: 1, ..Self::default() };
        for (phrase, level) in &vocabulary.levels {
            let shown = level.shown.get(mercer_shop::Lang::En).to_owned();
            names.longest = names.longest.max(phrase.split(' ').count());
            if let Some(head) = head(phrase) {
                names.heads.entry(head).or_default().push(shown.clone());
            }
            // The phrase as the catalogue's own segmenter cuts it, when that differs.
            names.levels.entry(phrase_key(segmenter, &shown)).or_insert_with(|| shown.clone());
            names.levels.insert(phrase.clone(), shown);
        }
        for (_, entry) in vocabulary.values(&Field::Brand) {
            let phrase = phrase_key(segmenter, &entry.shown);
            names.longest = names.longest.max(phrase.split(' ').count());
            names.brands.insert(phrase, (entry.shown.clone(), entry.count));
        }
        names
    }

    /// The most words a name has.
    pub(crate) fn longest(&self) -> usize {
        self.longest.min(6)
    }

    /// Category names that a phrase means: the name itself, and longer names of which it is the last word.
    pub(crate) fn categories(&self, phrase: &str) -> Vec<String> {
        let mut found: Vec<String> = self.levels.get(phrase).cloned().into_iter().collect();
        found.extend(self.heads.get(phrase).into_iter().flatten().cloned());
        found
    }

    /// The brand that a phrase names, as shown, and its number of products.
    pub(crate) fn brand(&self, phrase: &str) -> Option<(&str, usize)> {
        self.brands.get(phrase).map(|(shown, count)| (shown.as_str(), *count))
    }
}

/// The last word of a name of several words: *jacket* of *rain jacket*.
fn head(phrase: &str) -> Option<String> {
    phrase.rsplit_once(' ').map(|(_, last)| last.to_owned()).filter(|last| last.chars().count() > 1)
}
