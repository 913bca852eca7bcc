//! An answer, taken apart, beside what is known.

use std::ops::Range;

use super::{
    Citation, Claim, Kind,
    chars::Text,
    known::Known,
    names::{Mention, mentions},
    scan::{Quantity, Unit, close_ranges, quantities},
    sentences::{Sentence, sentences},
    tokens::{Token, tokens},
    wording,
};

#[derive(Debug)]
pub(super) struct View<'a> {
    pub(super) answer: &'a str,
    /// The answer in lower case (ASCII only, so that places agree).
    pub(super) lower: String,
    pub(super) known: &'a Known,
    pub(super) complete: bool,
    pub(super) words: Vec<Token>,
    pub(super) sentences: Vec<Sentence>,
    pub(super) mentions: Vec<Mention>,
    pub(super) quantities: Vec<Quantity>,
    /// The phrases that may be claims in words.
    pub(super) phrases: Vec<(&'static str, Range<usize>)>,
}

impl<'a> View<'a> {
    pub(super) fn new(answer: &'a str, known: &'a Known, complete: bool) -> Self {
        let words = tokens(answer);
        let sentences = sentences(answer);
        let mentions = mentions(known, answer, &words);
        let text = Text::new(answer);
        let mut quantities = quantities(&text);
        close_ranges(&text, &mut quantities);
        let is_marker = |q: &Quantity| {
            sentences.iter().any(|s| s.item.is_some_and(|item| q.span.end <= item && s.span.start <= q.span.start))
                && q.unit == Unit::Plain
        };
        quantities.retain(|q| {
            let in_name = mentions.iter().any(|m| m.span.start <= q.span.start && q.span.end <= m.span.end);
            !in_name && !is_marker(q)
        });
        let lower = answer.to_ascii_lowercase();
        let phrases = wording::found_in(&lower);
        Self { answer, lower, phrases, known, complete, words, sentences, mentions, quantities }
    }

    pub(super) fn claim(&self, span: Range<usize>, kind: Kind, support: Option<Citation>) -> Claim {
        let text = self.answer.get(span.clone()).unwrap_or_default().trim().to_owned();
        Claim { span, kind, text, support, pending: false }
    }

    /// The sentence at a byte, with its number.
    pub(super) fn sentence(&self, at: usize) -> Option<(usize, &Sentence)> {
        let i = self.sentences.partition_point(|sentence| sentence.span.end <= at);
        self.sentences.get(i).map(|sentence| (i, sentence)).filter(|(_, sentence)| sentence.span.start <= at)
    }

    /// The text of a sentence in lower case.
    pub(super) fn lower_of(&self, span: &Range<usize>) -> &str {
        self.lower.get(span.clone()).unwrap_or_default()
    }

    pub(super) fn strong_in(&self, span: &Range<usize>) -> impl Iterator<Item = &Mention> {
        self.mentions.iter().filter(move |m| m.strong && span.start <= m.span.start && m.span.end <= span.end)
    }

    /// The things a place in the answer speaks of; empty when that is open.
    pub(super) fn bound(&self, at: &Range<usize>) -> Vec<usize> {
        let Some((number, sentence)) = self.sentence(at.start) else { return Vec::new() };
        let here = self.strong_in(&sentence.span).collect::<Vec<_>>();
        let before = here.iter().filter(|m| m.span.end <= at.start).copied().collect::<Vec<_>>();
        let after = here.iter().find(|m| m.span.start >= at.end).copied();
        let last_amount = self
            .quantities
            .iter()
            .filter(|q| {
                matches!(q.unit, Unit::Money(_)) && q.span.end <= at.start && q.span.start >= sentence.span.start
            })
            .map(|q| q.span.end)
            .next_back()
            .unwrap_or(sentence.span.start);
        let mut things: Vec<usize> = Vec::new();
        let clause = self.clause(&sentence.span, at);
        let in_clause = |m: &&&Mention| clause.start <= m.span.start && m.span.end <= clause.end;
        if let Some(next) = after.filter(|next| in_clause(&next) && !before.iter().any(|m| in_clause(&m))) {
            return next.things.clone();
        }
        if let Some(last) = before.last() {
            let recent = before.iter().filter(|m| m.span.start >= last_amount).collect::<Vec<_>>();
            if recent.is_empty() {
                things.extend(&last.things);
            } else {
                things.extend(recent.iter().flat_map(|m| &m.things));
            }
            if let Some(next) = after.filter(|next| self.connects(at.end, next.span.start)) {
                things.extend(&next.things);
            }
        } else if let Some(next) = after {
            things.extend(&next.things);
        } else if self
            .mentions
            .iter()
            .all(|m| !(sentence.span.start <= m.span.start && m.span.end <= sentence.span.end))
        {
            things = self.carried(number);
        }
        let respectively =
            ["respectively", "分别", "each"].iter().any(|word| self.lower_of(&sentence.span).contains(word));
        if respectively {
            things.extend(here.iter().flat_map(|m| &m.things));
        }
        things
    }

    /// The part of a sentence between commas, semicolons and dashes that holds a place.
    fn clause(&self, sentence: &Range<usize>, at: &Range<usize>) -> Range<usize> {
        let ends = |i: usize, c: char| {
            let inside = |i: usize| {
                self.answer.get(i..).and_then(|rest| rest.chars().next()).is_some_and(|c| c.is_ascii_digit())
            };
            matches!(c, '，' | '；' | ';' | '–' | '—') || c == ',' && !inside(i + 1)
        };
        let head = self.answer.get(sentence.start..at.start).unwrap_or_default();
        let tail = self.answer.get(at.end..sentence.end).unwrap_or_default();
        let start = head
            .char_indices()
            .rfind(|(i, c)| ends(sentence.start + i, *c))
            .map_or(sentence.start, |(i, c)| sentence.start + i + c.len_utf8());
        let end = tail.char_indices().find(|(i, c)| ends(at.end + i, *c)).map_or(sentence.end, |(i, _)| at.end + i);
        start..end
    }

    /// What the sentences before spoke of, as long as each goes on about it.
    fn carried(&self, number: usize) -> Vec<usize> {
        let mut at = number;
        while let Some(sentence) = self.sentences.get(at).filter(|s| s.follows) {
            let Some(before) = at.checked_sub(1).and_then(|i| self.sentences.get(i)) else { break };
            let between = self.answer.get(before.span.end..sentence.span.start).unwrap_or_default();
            if between.contains("\n\n") {
                break;
            }
            if let Some(last) = self.strong_in(&before.span).last() {
                return last.things.clone();
            }
            at -= 1;
        }
        Vec::new()
    }

    fn connects(&self, from: usize, to: usize) -> bool {
        let between = self.answer.get(from..to).unwrap_or_default().trim_matches([' ', '*', '"', '“', '「', '(']);
        matches!(
            between,
            "" | "for"
                | "for the"
                | "for our"
                | "的"
                | "的是"
                | ":"
                | "："
                | "-"
                | "–"
                | "—"
                | "is the"
                | "gets you the"
                | "买"
        )
    }

    /// Whether one of some words stands in the answer within so many bytes before or after a span.
    pub(super) fn near(&self, span: &Range<usize>, before: usize, after: usize, words: &[&str]) -> bool {
        let mut start = span.start.saturating_sub(before);
        while !self.lower.is_char_boundary(start) {
            start -= 1;
        }
        let mut end = (span.end + after).min(self.lower.len());
        while !self.lower.is_char_boundary(end) {
            end += 1;
        }
        let head = self.lower.get(start..span.start).unwrap_or_default();
        let tail = self.lower.get(span.end..end).unwrap_or_default();
        words.iter().any(|word| head.contains(word) || tail.contains(word))
    }
}
