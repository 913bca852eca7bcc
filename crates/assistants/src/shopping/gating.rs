//! Between the model's words and the customer: the fact gate and the shop's own checks, on whole answers and on streams.

use mercer_agent::Evidence;
use mercer_agent::gate::{self, Citation, Known};
use mercer_shop::Lang;

use super::check;
use super::mention::{Marks, Mentions};
use super::message::Cited;
use super::state::{Shopping, Turn};

/// What came of holding an answer against the evidence.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Verdict {
    /// What is wrong, in words for the model.
    pub complaints: Vec<String>,
    /// Where its statements come from.
    pub citations: Vec<Cited>,
}

/// Holds an answer against the evidence of its thread and the shop's own rules.
#[must_use]
pub(super) fn verify(state: &Shopping, turn: &Turn, answer: &Mentions) -> Verdict {
    let mut verdict = facts(&answer.text, &state.evidence, turn.lang);
    verdict.complaints.extend(check::complaints(state, turn, answer));
    verdict
}

fn facts(text: &str, evidence: &Evidence, lang: Lang) -> Verdict {
    let lang = mercer_agent::Lang::from_tag(lang.tag());
    let gate = gate::check(text, evidence, &[], lang);
    let source = |support: &Citation| match support {
        Citation::Evidence { at } => Some(at.to_string()),
        Citation::Derived { from } => from.first().map(ToString::to_string),
        Citation::Said | Citation::Answer => None,
    };
    let cited = gate
        .claims
        .iter()
        .filter_map(|claim| Some(Cited { text: claim.text.clone(), source: source(claim.support.as_ref()?)? }));
    let complaints = if gate.passes() { Vec::new() } else { vec![gate.complaint(lang)] };
    Verdict { citations: cited.collect(), complaints }
}

/// Lets a streaming answer through, sentence by sentence, as long as each holds.
#[derive(Debug)]
pub(super) struct Screen<'a> {
    state: &'a Shopping,
    turn: &'a Turn,
    marks: Marks,
    gate: gate::Stream,
    /// What was let through.
    pub released: String,
    stopped: bool,
    begun: bool,
}

impl<'a> Screen<'a> {
    /// A screen for the answer of a turn.
    #[must_use]
    pub(super) fn new(state: &'a Shopping, turn: &'a Turn) -> Self {
        let known = Known::of(&state.evidence, &[]);
        let gate = gate::Stream::new(known, mercer_agent::Lang::from_tag(turn.lang.tag()));
        Self { state, turn, marks: Marks::default(), gate, released: String::new(), stopped: false, begun: false }
    }

    /// The products named so far.
    #[must_use]
    pub(super) fn ids(&self) -> &[String] {
        &self.marks.ids
    }

    /// Takes a piece and returns what may be shown.
    pub(super) fn push(&mut self, piece: &str) -> String {
        if self.stopped {
            return String::new();
        }
        let mut text = self.marks.push(piece);
        if !self.begun {
            text = text.trim_start().to_owned();
            self.begun = !text.is_empty();
            // A call written as text, not an answer.
            self.stopped = text.starts_with(['{', '[', '`', '<']);
        }
        let ready = if self.stopped { String::new() } else { self.gate.push(&text) };
        if ready.is_empty() {
            return ready;
        }
        let so_far = Mentions { text: format!("{}{ready}", self.released), ids: self.marks.ids.clone() };
        if !check::complaints(self.state, self.turn, &so_far).is_empty() {
            self.stopped = true;
            return String::new();
        }
        self.released = so_far.text;
        ready
    }
}
