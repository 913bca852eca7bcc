//! Taking thoughts out of the answer when the server leaves them in it.
//!
//! The opening mark may have been in the prompt, so that the text begins inside the thoughts and only the closing mark
//! tells. An answer without any closing mark is an answer.

use crate::thoughts::{Marks, THOUGHTS};

/// A piece of the text, as what it turned out to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    /// Part of the answer.
    Answer(String),
    /// Part of the thoughts.
    Thought(String),
    /// All given out as answer so far was thought.
    WasThought,
}

/// Splits text into answer and thoughts.
#[derive(Debug)]
pub(super) struct Split {
    pending: String,
    inside: Option<Marks>,
    /// Wait for a closing mark before giving anything out, because this model begins inside its thoughts.
    headless: bool,
    /// The last character given out or dropped; an opening mark counts at the start of a line only.
    line_start: bool,
    answered: bool,
    /// Up to here no mark was found, so that a long wait is not searched again and again.
    searched: usize,
}

/// Longer than any mark.
const LONGEST_MARK: usize = 40;

impl Split {
    pub(super) const fn new(headless: bool) -> Self {
        Self { pending: String::new(), inside: None, headless, line_start: true, answered: false, searched: 0 }
    }

    /// Takes text and gives back what is decided.
    pub(super) fn push(&mut self, text: &str) -> Vec<Piece> {
        self.pending.push_str(text);
        let mut pieces = Vec::new();
        while self.step(&mut pieces) {}
        pieces
    }

    /// The end of the text: what is left.
    pub(super) fn finish(&mut self) -> Vec<Piece> {
        let rest = std::mem::take(&mut self.pending);
        let mut pieces = Vec::new();
        if self.inside.is_some() {
            pieces.extend((!rest.is_empty()).then_some(Piece::Thought(rest)));
        } else {
            self.answer(rest, &mut pieces);
        }
        pieces
    }

    /// Decides one piece; false when more text is needed.
    fn step(&mut self, pieces: &mut Vec<Piece>) -> bool {
        if let Some(marks) = self.inside {
            return self.inside_thoughts(marks, pieces);
        }
        let from = self.pending.floor_char_boundary(self.searched.saturating_sub(LONGEST_MARK));
        let recent = self.pending.get(from..).unwrap_or_default();
        let open =
            THOUGHTS.iter().flat_map(|marks| recent.match_indices(marks.open).map(|(at, _)| (from + at, *marks)));
        let open = open.filter(|(at, _)| self.begins_line(*at)).min_by_key(|(at, _)| *at);
        // These close nothing that was not opened.
        let closers =
            THOUGHTS.iter().map(|marks| marks.close).filter(|close| !matches!(*close, "<|end|>" | "<channel|>"));
        let close = closers.filter_map(|close| Some((from + recent.find(close)?, close.len())));
        let close = close.min_by_key(|(at, _)| *at);
        self.searched = if open.is_none() && close.is_none() { self.pending.len() } else { 0 };
        match (open, close) {
            (Some((at, marks)), close) if close.is_none_or(|(close, _)| at < close) => {
                let rest = self.pending.split_off(at);
                let before = std::mem::replace(&mut self.pending, rest);
                self.answer(before, pieces);
                self.pending.drain(..marks.open.len());
                self.inside = Some(marks);
                self.headless = false;
                true
            }
            (_, Some((at, length))) => {
                let rest = self.pending.split_off(at + length);
                let mut before = std::mem::replace(&mut self.pending, rest);
                before.truncate(at);
                if self.answered {
                    pieces.push(Piece::WasThought);
                    self.answered = false;
                }
                pieces.push(Piece::Thought(before));
                (self.headless, self.line_start) = (false, true);
                true
            }
            _ => self.release(pieces),
        }
    }

    fn inside_thoughts(&mut self, marks: Marks, pieces: &mut Vec<Piece>) -> bool {
        let (end, closed) = match self.pending.find(marks.close) {
            Some(at) => (at, true),
            None => (self.pending.len() - held_suffix(&self.pending, std::iter::once(marks.close)), false),
        };
        let rest = self.pending.split_off(end);
        let thought = std::mem::replace(&mut self.pending, rest);
        if !thought.is_empty() {
            pieces.push(Piece::Thought(thought));
        }
        if closed {
            self.pending.drain(..marks.close.len());
            (self.inside, self.line_start) = (None, true);
        }
        closed
    }

    /// Gives out what cannot be the beginning of a mark.
    fn release(&mut self, pieces: &mut Vec<Piece>) -> bool {
        if self.headless {
            return false;
        }
        self.searched = 0;
        let held = held_suffix(&self.pending, THOUGHTS.iter().flat_map(|marks| [marks.open, marks.close]));
        let rest = self.pending.split_off(self.pending.len() - held);
        let text = std::mem::replace(&mut self.pending, rest);
        self.answer(text, pieces);
        false
    }

    fn answer(&mut self, text: String, pieces: &mut Vec<Piece>) {
        // Blank lines around thoughts belong to neither.
        let text = if self.answered { text } else { text.trim_start().to_owned() };
        if let Some(last) = text.chars().next_back() {
            self.line_start = last == '\n';
            self.answered = true;
            pieces.push(Piece::Answer(text));
        }
    }

    fn begins_line(&self, at: usize) -> bool {
        let before = self.pending.get(..at).unwrap_or_default().trim_end_matches([' ', '\t']);
        if before.is_empty() {
            self.line_start
        } else {
            before.ends_with('\n') || (!self.answered && before.trim().is_empty())
        }
    }
}

/// How many bytes at the end may be the beginning of one of the marks.
fn held_suffix<'a>(text: &str, marks: impl Iterator<Item = &'a str>) -> usize {
    let longest =
        |mark: &str| (1..mark.len()).rev().find(|&n| mark.get(..n).is_some_and(|start| text.ends_with(start)));
    marks.filter_map(longest).max().unwrap_or(0)
}
