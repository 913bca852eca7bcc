//! General knowledge of shop words that is the same for every catalogue: values of common properties and synonyms, as data files.

mod synonyms;
mod values;

use std::sync::LazyLock;

use rustc_hash::FxHashSet;

use crate::analysis::Segmenter;

pub use synonyms::{Also, Synonyms, article_label};
pub use values::{VALUES, Value, Values, label};

const VALUE_FILE: &str = include_str!("../../data/lexicon.txt");
const ACCESSORY_FILE: &str = include_str!("../../data/accessories.txt");
const SYNONYM_FILE: &str = include_str!("../../data/synonyms.txt");

/// Cuts text with the general dictionary and the words of the files here; catalogues extend it by their own names.
pub static SEGMENTER: LazyLock<Segmenter> = LazyLock::new(|| {
    let files = [VALUE_FILE, SYNONYM_FILE];
    let lines = files.iter().flat_map(|file| file.lines()).filter(|line| !line.starts_with('#'));
    Segmenter::new(
        lines
            .flat_map(|line| line.split([',', ';', '>', ':']))
            .map(|word| word.trim().trim_start_matches('~').trim().trim_end_matches('?'))
            .filter(|word| !word.is_ascii()),
    )
});

/// The terms of a phrase joined by a blank: the form in which phrases are looked up.
#[must_use]
pub fn phrase_key(segmenter: &Segmenter, text: &str) -> String {
    let terms: Vec<String> = segmenter.query_words(text).into_iter().map(|word| word.term).collect();
    terms.join(" ")
}

/// Whether a stem is such a noun.
#[must_use]
pub fn is_accessory(term: &str) -> bool {
    static NOUNS: LazyLock<FxHashSet<&str>> = LazyLock::new(|| accessories().collect());
    NOUNS.contains(term)
}

/// Nouns for what only goes with an article, English stems and Chinese word ends.
pub fn accessories() -> impl Iterator<Item = &'static str> {
    let lines = ACCESSORY_FILE.lines().filter(|line| !line.starts_with('#'));
    lines.flat_map(|line| line.split(',')).map(str::trim).filter(|word| !word.is_empty())
}
