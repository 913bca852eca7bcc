//! The fact gate: what an answer claims, held against what is known.
//!
//! Claims are numbers with what they count, dates, ids, quotations, product names, states, superlatives, discounts,
//! delivery times and promises, in Chinese and English. Each is matched against the evidence of its thread and the
//! customer's own words; what nothing supports must not be said. The gate is deterministic, keeps no state beyond
//! [`Known`], and never calls a model.
//!
//! It does not judge opinions or advice, and it does not read meaning beyond the forms listed: a sentence without a
//! claim passes.

mod chars;
mod decimal;
mod fields;
mod ids;
mod known;
mod money;
mod names;
mod numbers;
mod numerals;
mod phrases;
mod scan;
mod sentences;
pub mod set;
mod status;
mod stream;
mod tokens;
mod units;
mod view;
mod wording;

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::{
    Lang,
    evidence::{Address, Evidence},
};

pub use known::Known;
pub use stream::{Released, Stream};

/// What a claim is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// An amount of money.
    Money,
    /// A percentage.
    Percent,
    /// A number of things.
    Count,
    /// A measure, size or rating.
    Measure,
    /// Another number.
    Number,
    /// A day.
    Date,
    /// A length of time.
    Duration,
    /// An id, code or address.
    Id,
    /// Words given as somebody's or a record's.
    Quote,
    /// A product's name.
    Name,
    /// A state of stock or of an order.
    Status,
    /// The most or least of something.
    Superlative,
    /// Something the shop is to do.
    Promise,
    /// A reduction, a coupon, something free.
    Discount,
    /// When something arrives.
    Delivery,
}

/// What supports a claim.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "snake_case")]
pub enum Citation {
    /// A value that a tool returned.
    Evidence {
        /// Where.
        at: Address,
    },
    /// The customer said so.
    Said,
    /// It follows from values that tools returned: a sum, difference, share, or a count or comparison over a result.
    Derived {
        /// From which, as far as they are single values.
        from: Vec<Address>,
    },
    /// It counts what the answer itself lists.
    Answer,
}

/// A claim of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// Its bytes in the answer.
    pub span: Range<usize>,
    /// What it is about.
    pub kind: Kind,
    /// Its text.
    pub text: String,
    /// What supports it.
    pub support: Option<Citation>,
    /// Nothing supports it yet, but what follows may: it counts a list that is not finished.
    #[serde(default)]
    pub pending: bool,
}

/// What the gate found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gate {
    /// All claims, in the order of the answer.
    pub claims: Vec<Claim>,
}

impl Gate {
    /// The claims that nothing supports.
    pub fn unsupported(&self) -> impl Iterator<Item = &Claim> {
        self.claims.iter().filter(|claim| claim.support.is_none())
    }

    /// Whether the answer may be said.
    #[must_use]
    pub fn passes(&self) -> bool {
        self.unsupported().next().is_none()
    }

    /// What a model is told about an answer that may not be said.
    #[must_use]
    pub fn complaint(&self, lang: Lang) -> String {
        let mut texts: Vec<String> = Vec::new();
        for claim in self.unsupported().take(8) {
            let text = crate::quote::quoted(&claim.text, 80);
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
        let list = texts.join(lang.pick("、", ", "));
        lang.pick(
            format!("以下内容在工具结果和客户的话里都没有依据：{list}。请去掉或改正，只说有依据的内容，不要承诺、不要编造折扣或到货时间。"),
            format!(
                "Nothing in the tool results or the customer's words supports: {list}. Answer again without or with the right \
                 values, say only what is supported, and promise nothing."
            ),
        )
    }
}

/// Checks an answer. `said` are words of the customer that the evidence does not hold yet.
#[must_use]
pub fn check(answer: &str, evidence: &Evidence, said: &[String], lang: Lang) -> Gate {
    check_known(answer, &Known::of(evidence, said), lang)
}

/// Checks an answer against evidence that was arranged before.
#[must_use]
pub fn check_known(answer: &str, known: &Known, lang: Lang) -> Gate {
    check_part(answer, known, lang, true)
}

/// Checks the beginning of an answer; `complete` when it is all of it. Both languages are always read: an answer may mix
/// them.
fn check_part(answer: &str, known: &Known, _lang: Lang, complete: bool) -> Gate {
    let view = view::View::new(answer, known, complete);
    let mut claims = numbers::claims(&view);
    names_in(&view, &mut claims);
    ids::claims(&view, &mut claims);
    wording::claims(&view, &mut claims);
    claims.sort_by_key(|claim| (claim.span.start, claim.span.end));
    Gate { claims }
}

fn names_in(view: &view::View<'_>, claims: &mut Vec<Claim>) {
    for mention in view.mentions.iter().filter(|mention| mention.strong) {
        let at = mention
            .things
            .first()
            .and_then(|thing| view.known.things.get(*thing))
            .and_then(|thing| view.known.address(thing.place));
        claims.push(view.claim(mention.span.clone(), Kind::Name, at.map(|at| Citation::Evidence { at })));
    }
    let priced = |span: &Range<usize>| {
        view.quantities.iter().any(|q| matches!(q.unit, scan::Unit::Money(_)) && span.contains(&q.span.start))
    };
    let mut judged: Vec<Range<usize>> = Vec::new();
    for candidate in names::candidates(view.known, view.answer, &view.words, &view.sentences, priced) {
        let span = candidate.span;
        let inside = |outer: &Range<usize>| outer.start <= span.start && span.end <= outer.end;
        if view.mentions.iter().any(|mention| inside(&mention.span)) || judged.iter().any(inside) {
            continue;
        }
        let Some(text) = view.answer.get(span.clone()) else { continue };
        let support = match names::judge(view.known, text, candidate.tenths) {
            names::Verdict::Plain => continue,
            names::Verdict::Said => Some(Citation::Said),
            names::Verdict::Thing(thing) => view
                .known
                .things
                .get(thing)
                .and_then(|thing| view.known.address(thing.place))
                .map(|at| Citation::Evidence { at }),
            names::Verdict::Unknown => None,
        };
        judged.push(span.clone());
        claims.push(view.claim(span, Kind::Name, support));
    }
}
