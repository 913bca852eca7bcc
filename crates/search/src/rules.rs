//! A tenant's own rules for its search: synonyms, pinned products, boosts and burials, from `rules.toml` in the catalogue's folder.
//!
//! ```toml
//! synonyms = ["togs > swimsuit", "trainers, sneakers"]
//! [[pin]]
//! query = "dress"
//! products = ["d3", "d1"]
//! [[boost]]              # `bury` likewise; without `query` for every search
//! field = "brand"
//! values = ["Acme"]
//! factor = 1.5
//! ```

use std::fs;
use std::path::Path;

use serde::Deserialize;

use crate::error::SearchError;
use crate::index::Generation;
use crate::lexicon::{SEGMENTER, Synonyms, phrase_key};
use crate::rank::Weight;
use crate::request::{Condition, Field};

/// The file's name in the catalogue's folder.
pub(crate) const FILE: &str = "rules.toml";
/// What products are multiplied by when a rule does not say.
const BOOST: f32 = 1.5;
const BURY: f32 = 0.4;

/// The rules as written.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Written {
    synonyms: Vec<String>,
    pin: Vec<Pin>,
    boost: Vec<Weighed>,
    bury: Vec<Weighed>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Pin {
    query: String,
    products: Vec<String>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Weighed {
    query: Option<String>,
    field: Option<String>,
    values: Vec<String>,
    products: Vec<String>,
    factor: Option<f32>,
}

/// Rules ready to be applied.
#[derive(Debug, Clone)]
pub(crate) struct Rules {
    /// The general synonyms and the tenant's own.
    pub synonyms: Synonyms,
    written: Written,
    text: String,
}

impl Default for Rules {
    fn default() -> Self {
        Self { synonyms: Synonyms::general(), written: Written::default(), text: String::new() }
    }
}

impl Rules {
    /// The text of a catalogue's rules; empty when it has none.
    pub(crate) fn text(root: &Path) -> Result<String, SearchError> {
        let path = root.join(FILE);
        match fs::read_to_string(&path) {
            Ok(text) => Ok(text),
            Err(missing) if missing.kind() == std::io::ErrorKind::NotFound => Ok(String::new()),
            Err(error) => Err(SearchError::io("read", path)(error)),
        }
    }

    pub(crate) fn read(root: &Path, text: &str) -> Result<Self, SearchError> {
        let written: Written =
            toml::from_str(text).map_err(|source| SearchError::Rules { path: root.join(FILE), source })?;
        let synonyms = Synonyms::general().with(written.synonyms.iter().map(String::as_str));
        Ok(Self { synonyms, written, text: text.to_owned() })
    }

    pub(crate) fn is_of(&self, text: &str) -> bool {
        self.text == text
    }

    /// Ids that come first for this text, in order.
    pub(crate) fn pins(&self, text: &str) -> Vec<String> {
        let asked = phrase_key(&SEGMENTER, text);
        let pins = self.written.pin.iter().filter(|pin| phrase_key(&SEGMENTER, &pin.query) == asked);
        pins.flat_map(|pin| pin.products.iter().cloned()).collect()
    }

    /// Factors that apply to this text.
    pub(crate) fn weights(&self, text: &str, generation: &Generation) -> Vec<Weight> {
        let asked = phrase_key(&SEGMENTER, text);
        let boosts = self.written.boost.iter().map(|rule| (rule, BOOST));
        let buries = self.written.bury.iter().map(|rule| (rule, BURY));
        boosts
            .chain(buries)
            .filter(|(rule, _)| rule.query.as_ref().is_none_or(|query| phrase_key(&SEGMENTER, query) == asked))
            .map(|(rule, usual)| {
                let field = rule.field.as_deref().and_then(Field::from_key);
                let condition = field.map(|field| Condition::any_of(field, rule.values.iter().cloned()));
                Weight::new(condition.as_ref(), &rule.products, rule.factor.unwrap_or(usual), generation)
            })
            .collect()
    }
}
