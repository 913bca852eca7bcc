//! What a customer's words mean in this catalogue: conditions, an order, and the words that are left.
//!
//! No model: amounts and sizes are read by patterns, everything else by the longest phrase that the lexicon or the catalogue's own
//! vocabulary knows. What cannot be a condition here (a material that no product states) stays a word to match.

mod names;
mod numerals;
mod patterns;
mod phrases;
mod words;

use mercer_shop::Lang;

use crate::index::Generation;
use crate::lexicon::Synonyms;
use crate::request::Understood;

pub(crate) use names::Names;
pub use patterns::cheaper_than;

/// Reads a text against a catalogue.
pub(crate) fn understand(
    text: &str,
    lang: Option<Lang>,
    generation: Option<&Generation>,
    synonyms: &Synonyms,
) -> Understood {
    let lang = lang.or_else(|| Lang::of(text)).unwrap_or_default();
    let mut understood = Understood { lang, text: text.trim().to_owned(), ..Understood::default() };
    let Some(generation) = generation else { return understood };
    let rest = patterns::read(text, generation, &mut understood);
    phrases::read(&rest, generation, synonyms, &mut understood);
    understood
}
