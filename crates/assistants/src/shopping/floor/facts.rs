//! The facts of an answer about a search.

use mercer_shop::Lang;
use serde::Serialize;

use super::KINDS;
use crate::shopping::dialogue::{Asking, Best, Topic};
use crate::shopping::tools::{Item, Results, Shape};
use crate::shopping::wish::Wish;

/// What the templates know of a search.
#[derive(Debug, Clone, Default, Serialize)]
pub(super) struct Facts {
    total: usize,
    shown: usize,
    /// The wish in words.
    what: String,
    first: Option<Item>,
    given_up: Vec<String>,
    unknown_words: Vec<String>,
    corrected: Option<String>,
    did_you_mean: Option<String>,
    other_currency: Option<String>,
    /// The words that are matched as words.
    words: String,
    /// What the shop does not have.
    missing: String,
    /// What is left of the wish without it.
    rest: String,
    categories: Vec<String>,
    best: Option<Best>,
    carried: bool,
    disliked: bool,
    beyond: Option<Topic>,
}

impl Facts {
    pub(super) fn of(results: &Results, wish: &Wish, shape: &Shape, lang: Lang) -> Self {
        let words = quoted(&wish.text, lang);
        let conditions: Vec<String> = results.conditions.clone();
        let kind_label = || {
            wish.conditions
                .iter()
                .find(|c| c.field == mercer_search::Field::Category && !c.is_negative())
                .map(|c| wish.label(c, lang))
        };
        let kind_given_up = results.given_up_fields.iter().any(|f| f == "category");
        let missing = if kind_given_up || wish.text.is_empty() {
            kind_label().unwrap_or_else(|| words.clone())
        } else {
            words.clone()
        };
        let kept = conditions.iter().filter(|c| **c != missing && !results.given_up.contains(c));
        let given_up_words = Some(results.given_up_words.join(" ")).filter(|words| !words.is_empty());
        let given_up_words = given_up_words.map(|words| quoted(&words, lang));
        Self {
            total: results.total,
            shown: results.items.len(),
            what: conditions
                .iter()
                .cloned()
                .chain((!words.is_empty()).then(|| words.clone()))
                .collect::<Vec<_>>()
                .join(" · "),
            first: results.items.first().cloned(),
            given_up: results.given_up.iter().cloned().chain(given_up_words).collect(),
            unknown_words: results.unknown_words.clone(),
            corrected: results.corrected.clone(),
            did_you_mean: results.did_you_mean.clone(),
            other_currency: results.other_currency.clone(),
            rest: kept.cloned().collect::<Vec<_>>().join(" · "),
            missing,
            words,
            categories: kinds(shape, KINDS),
            ..Self::default()
        }
    }

    pub(super) fn asking(mut self, asking: Asking) -> Self {
        self.best = asking.best;
        self.carried = asking.carried;
        self.beyond = asking.beyond;
        self
    }

    pub(super) fn disliked(mut self, disliked: bool) -> Self {
        self.disliked = disliked;
        self
    }

    /// Whether the first result settles a superlative: a price superlative needs a price.
    pub(super) fn settles(&self, best: Best) -> bool {
        match best {
            Best::Cheapest | Best::Dearest => self.first.as_ref().is_some_and(|item| item.price.is_some()),
            Best::Newest | Best::Popular | Best::Rated => true,
        }
    }
}

/// Words in quotation marks of their language.
fn quoted(words: &str, lang: Lang) -> String {
    match (words.is_empty(), lang) {
        (true, _) => String::new(),
        (false, Lang::Zh) => words.to_owned(),
        (false, Lang::En) => format!("“{words}”"),
    }
}

/// The names of the largest kinds.
pub(super) fn kinds(shape: &Shape, most: usize) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for kind in &shape.categories {
        if names.len() < most && !names.contains(&kind.name) {
            names.push(kind.name.clone());
        }
    }
    names
}
