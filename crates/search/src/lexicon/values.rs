//! Names of colours, materials, seasons and the like in both languages, with what is wider and what is near.

use std::sync::LazyLock;

use mercer_shop::Lang;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{SEGMENTER, phrase_key};
use crate::analysis::{Segmenter, is_stop_word, squash};
use crate::request::Field;

/// The table that ships with the program.
pub static VALUES: LazyLock<Values> = LazyLock::new(|| Values::read(super::VALUE_FILE));

/// One value of a property.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Value {
    /// The property.
    pub field: Field,
    /// Its stable key.
    pub key: String,
    /// Keys of wider values: navy is blue.
    pub wider: Vec<String>,
    /// Keys of values that will do when someone asks for this one.
    pub near: Vec<String>,
    /// Chinese words, the label first.
    pub zh: Vec<String>,
    /// English words, the label first.
    pub en: Vec<String>,
}

/// All values, found by property and key or by words.
#[derive(Debug, Default)]
pub struct Values {
    values: Vec<Value>,
    by_key: FxHashMap<(Field, String), usize>,
    by_phrase: FxHashMap<String, Vec<usize>>,
    ambiguous: FxHashSet<(String, usize)>,
    longest: usize,
}

impl Values {
    fn read(text: &str) -> Self {
        let mut table = Self::default();
        let mut field = None;
        for line in text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()) {
            if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
                field = Field::from_key(name);
            } else if let (Some(field), [key, wider, near, zh, en]) =
                (&field, line.split(';').map(str::trim).collect::<Vec<_>>().as_slice())
            {
                table.push(Value {
                    field: field.clone(),
                    key: (*key).to_owned(),
                    wider: list(wider),
                    near: list(near),
                    zh: list(zh),
                    en: list(en),
                });
            }
        }
        table.index();
        table
    }

    fn push(&mut self, mut value: Value) {
        for word in value.zh.iter_mut().chain(&mut value.en) {
            if let Some(plain) = word.strip_suffix('?').map(str::to_owned) {
                self.ambiguous.insert((phrase_key(&SEGMENTER, &plain), self.values.len()));
                *word = plain;
            }
        }
        self.by_key.insert((value.field.clone(), value.key.clone()), self.values.len());
        self.values.push(value);
    }

    fn index(&mut self) {
        for (at, value) in self.values.iter().enumerate() {
            for phrase in value.zh.iter().chain(&value.en).chain(std::iter::once(&value.key)) {
                let phrase = phrase_key(&SEGMENTER, phrase);
                self.longest = self.longest.max(phrase.split(' ').count());
                let places = self.by_phrase.entry(phrase).or_default();
                if !places.contains(&at) {
                    places.push(at);
                }
            }
        }
    }

    /// The most words a name here has.
    #[must_use]
    pub fn longest(&self) -> usize {
        self.longest
    }

    /// The values that these terms, joined by a blank, name.
    pub fn named(&self, terms: &str) -> impl Iterator<Item = &Value> {
        self.by_phrase.get(terms).into_iter().flatten().filter_map(|at| self.values.get(*at))
    }

    /// Whether these terms name the value only beside the name of an article: *coffee* is a colour of shoes and a drink.
    #[must_use]
    pub fn is_ambiguous(&self, terms: &str, value: &Value) -> bool {
        let place = self.by_key.get(&(value.field.clone(), value.key.clone()));
        place.is_some_and(|place| self.ambiguous.contains(&(terms.to_owned(), *place)))
    }

    /// The value of a key.
    #[must_use]
    pub fn get(&self, field: &Field, key: &str) -> Option<&Value> {
        self.by_key.get(&(field.clone(), key.to_owned())).and_then(|at| self.values.get(*at))
    }

    /// The keys that a feed's own wording of a value names, longest names first: `Navy Blue Melange` names `navy` and `grey`.
    #[must_use]
    pub fn normalise(&self, field: &Field, wording: &str, segmenter: &Segmenter) -> Vec<String> {
        let terms: Vec<String> = segmenter.query_words(wording).into_iter().map(|word| word.term).collect();
        self.scan(field, &terms).into_iter().map(|(value, _, _)| value.key.clone()).collect()
    }

    /// Values of a field among terms: the value, where its name starts and how many terms it has. Names do not overlap.
    #[must_use]
    pub fn scan(&self, field: &Field, terms: &[String]) -> Vec<(&Value, usize, usize)> {
        let mut found: Vec<(&Value, usize, usize)> = Vec::new();
        let mut at = 0;
        while at < terms.len() {
            let hit = (1..=self.longest.min(terms.len() - at)).rev().find_map(|length| {
                let phrase = terms.get(at..at + length)?.join(" ");
                self.named(&phrase).find(|value| value.field == *field).map(|value| (value, at, length))
            });
            at += hit.map_or(1, |(_, _, length)| length);
            if let Some(hit) = hit
                && !found.iter().any(|(known, _, _)| known.key == hit.0.key)
            {
                found.push(hit);
            }
        }
        found
    }
}

fn list(text: &str) -> Vec<String> {
    text.split(',').map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

/// The label of a value in a language, when the table knows it by key or by name.
#[must_use]
pub fn label(field: &Field, value: &str, lang: Lang) -> Option<String> {
    let key = squash(value);
    let named = |known: &Value| match lang {
        Lang::Zh => known.zh.first().cloned(),
        Lang::En => known.en.first().cloned(),
    };
    if let Some(known) = VALUES.get(field, value).or_else(|| VALUES.get(field, &key)) {
        return named(known);
    }
    // A feed's own wording, of several values perhaps: `Navy Blue`, `Black & White`. Told only when every word of it is.
    let words = SEGMENTER.query_words(value).into_iter().filter(|word| !is_stop_word(&word.surface));
    let terms: Vec<String> = words.map(|word| word.term).collect();
    let found = VALUES.scan(field, &terms);
    let told: usize = found.iter().map(|(_, _, length)| length).sum();
    let joint = match lang {
        Lang::Zh => "、",
        Lang::En => ", ",
    };
    let labels: Option<Vec<String>> = found.iter().map(|(value, _, _)| named(value)).collect();
    labels.filter(|labels| !labels.is_empty() && told == terms.len()).map(|labels| labels.join(joint))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_feeds_colour_is_known_by_its_shade_and_labelled_in_both_languages() {
        let segmenter = &*SEGMENTER;
        assert_eq!(VALUES.normalise(&Field::Colour, "Navy Blue", segmenter), ["navy"]);
        assert_eq!(VALUES.normalise(&Field::Colour, "Black,Silver", segmenter), ["black", "silver"]);
        assert_eq!(VALUES.normalise(&Field::Colour, "藏青色", segmenter), ["navy"]);
        assert_eq!(VALUES.normalise(&Field::Colour, "Gray", segmenter), ["grey"]);
        assert_eq!(VALUES.get(&Field::Colour, "navy").unwrap().wider, ["blue"]);
        assert_eq!(label(&Field::Colour, "navy", Lang::Zh).as_deref(), Some("藏青色"));
        assert_eq!(label(&Field::Usage, "Formal", Lang::Zh).as_deref(), Some("正式"));
        assert_eq!(label(&Field::Colour, "Navy Blue", Lang::Zh).as_deref(), Some("藏青色"));
        assert_eq!(label(&Field::Colour, "Black & White", Lang::Zh).as_deref(), Some("黑色、白色"));
        assert_eq!(label(&Field::Colour, "蓝色", Lang::En).as_deref(), Some("blue"));
        assert_eq!(label(&Field::Colour, "Midnight Sparkle", Lang::Zh), None);
    }
}
