//! Sets of answers to measure the gate with: true ones, and ones with planted falsehoods.
//!
//! A set is JSON lines of `{id, lang, user, evidence: [{tool, result}], answer, false_claims: [text…]}`. `user` is one text
//! or a list of them. A line without `evidence` is about the evidence, the language and the customer's words of the line
//! before it, so that a long result need not be repeated.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::time::Instant;

use super::{Gate, Kind, Known, check_known};
use crate::{Evidence, Lang};

/// A line of a set.
#[derive(Debug, Clone, Deserialize)]
struct Line {
    id: String,
    #[serde(default)]
    lang: Option<String>,
    #[serde(default)]
    user: Option<Words>,
    #[serde(default)]
    evidence: Option<Vec<Shown>>,
    answer: String,
    #[serde(default)]
    false_claims: Vec<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
enum Words {
    One(String),
    Many(Vec<String>),
}

/// What a tool returned.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Shown {
    /// The tool.
    pub tool: String,
    /// Its result.
    pub result: Value,
}

/// An answer of a set, with what is known.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// Its id.
    pub id: String,
    /// The language of the conversation.
    pub lang: Lang,
    /// The customer's words.
    pub user: Vec<String>,
    /// What tools returned, oldest first.
    pub evidence: Vec<Shown>,
    /// The answer.
    pub answer: String,
    /// What of it is false; empty for a true answer.
    pub false_claims: Vec<String>,
}

/// A line that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum SetError {
    /// Not a line of a set.
    #[error("line {line}: {source}")]
    Line {
        /// Its number, from 1.
        line: usize,
        /// Why.
        source: serde_json::Error,
    },
    /// The first line has no evidence.
    #[error("line {line} has no evidence and there is no line before it that has")]
    NoEvidence {
        /// Its number, from 1.
        line: usize,
    },
}

/// Reads a set.
///
/// # Errors
/// At the first line that cannot be read.
pub fn read(text: &str) -> Result<Vec<Case>, SetError> {
    let mut cases: Vec<Case> = Vec::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let number = number + 1;
        let line: Line = serde_json::from_str(line).map_err(|source| SetError::Line { line: number, source })?;
        let before = cases.last();
        let user = match line.user {
            Some(Words::One(text)) => vec![text],
            Some(Words::Many(texts)) => texts,
            None if line.evidence.is_some() => Vec::new(),
            None => before.map(|case| case.user.clone()).unwrap_or_default(),
        };
        let lang = line.lang.map(|tag| Lang::from_tag(&tag)).or_else(|| before.map(|case| case.lang));
        let evidence = line.evidence.or_else(|| before.map(|case| case.evidence.clone()));
        let evidence = evidence.ok_or(SetError::NoEvidence { line: number })?;
        cases.push(Case {
            id: line.id,
            lang: lang.unwrap_or_default(),
            user,
            evidence,
            answer: line.answer,
            false_claims: line.false_claims,
        });
    }
    Ok(cases)
}

/// A claim that the gate held back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Held {
    /// What it is about.
    pub kind: Kind,
    /// Its text.
    pub text: String,
}

/// What the gate made of an answer.
#[derive(Debug, Clone, Serialize)]
pub struct Judged {
    /// The case.
    pub id: String,
    /// The answer.
    pub answer: String,
    /// What of it is false.
    pub false_claims: Vec<String>,
    /// What was held back.
    pub held: Vec<Held>,
    /// One of the false claims itself was held back, not only something else in the answer.
    pub at_claim: bool,
    /// How long it took, the arranging of the evidence aside.
    #[serde(skip)]
    pub took: Duration,
}

impl Judged {
    /// The answer is false and was let through.
    #[must_use]
    pub fn missed(&self) -> bool {
        !self.false_claims.is_empty() && self.held.is_empty()
    }

    /// The answer is true and was held back.
    #[must_use]
    pub fn disturbed(&self) -> bool {
        self.false_claims.is_empty() && !self.held.is_empty()
    }
}

impl Case {
    /// The evidence, arranged.
    #[must_use]
    pub fn known(&self) -> Known {
        let mut evidence = Evidence::new();
        for shown in &self.evidence {
            evidence.push_record(&shown.tool, shown.result.clone());
        }
        Known::of(&evidence, &self.user)
    }

    /// Holds the answer against the evidence.
    #[must_use]
    pub fn judge(&self) -> Judged {
        let known = self.known();
        let began = Instant::now();
        let gate = check_known(&self.answer, &known, self.lang);
        let took = began.elapsed();
        Judged {
            id: self.id.clone(),
            answer: self.answer.clone(),
            false_claims: self.false_claims.clone(),
            at_claim: self.at_claim(&gate),
            held: gate.unsupported().map(|claim| Held { kind: claim.kind, text: claim.text.clone() }).collect(),
            took,
        }
    }

    /// Whether something held back stands within a false claim's sentence, or holds it.
    fn at_claim(&self, gate: &Gate) -> bool {
        let places = self.false_claims.iter().flat_map(|text| self.answer.match_indices(text.as_str()));
        let mut spans = places.map(|(at, text)| at..at + text.len());
        spans.any(|span| gate.unsupported().any(|claim| claim.span.start < span.end && span.start < claim.span.end))
    }
}

/// What the gate made of a set.
#[derive(Debug, Clone, Serialize)]
pub struct Measured {
    /// How many answers.
    pub answers: usize,
    /// How many of them are false.
    pub false_answers: usize,
    /// How many false answers were held back.
    pub caught: usize,
    /// For how many of those a false claim itself was held back.
    pub at_claim: usize,
    /// How many answers are true.
    pub true_answers: usize,
    /// How many true answers were held back.
    pub disturbed: usize,
    /// Share of the false answers held back, in percent.
    pub caught_percent: f64,
    /// Share of the true answers held back, in percent.
    pub disturbed_percent: f64,
    /// The longest check, in microseconds.
    pub slowest_us: u128,
    /// False answers let through and true ones held back.
    pub misses: Vec<Judged>,
}

/// Judges every answer of a set.
#[must_use]
pub fn measure(cases: &[Case]) -> Measured {
    let judged = cases.iter().map(Case::judge).collect::<Vec<_>>();
    let is_false = |judged: &&Judged| !judged.false_claims.is_empty();
    let false_answers = judged.iter().filter(is_false).count();
    let true_answers = judged.len() - false_answers;
    let caught = judged.iter().filter(is_false).filter(|judged| !judged.missed()).count();
    let disturbed = judged.iter().filter(|judged| judged.disturbed()).count();
    Measured {
        answers: judged.len(),
        false_answers,
        caught,
        at_claim: judged.iter().filter(|judged| judged.at_claim).count(),
        true_answers,
        disturbed,
        caught_percent: percent(caught, false_answers),
        disturbed_percent: percent(disturbed, true_answers),
        slowest_us: judged.iter().map(|judged| judged.took.as_micros()).max().unwrap_or_default(),
        misses: judged.into_iter().filter(|judged| judged.missed() || judged.disturbed()).collect(),
    }
}

fn percent(part: usize, whole: usize) -> f64 {
    let number = |n: usize| u32::try_from(n).map_or(f64::MAX, f64::from);
    if whole == 0 { 0.0 } else { 100.0 * number(part) / number(whole) }
}
