//! The gate on a stream: text is let through up to the last sentence whose claims are settled.

use super::{Claim, Gate, check_part, known::Known, sentences::is_marker};
use crate::Lang;

/// An answer that is being written.
#[derive(Debug)]
pub struct Stream {
    known: Known,
    lang: Lang,
    text: String,
    released: usize,
    checked: usize,
    blocked: Option<Claim>,
}

/// The end of a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Released {
    /// The rest that may be shown; empty when the answer did not pass.
    pub rest: String,
    /// What the gate found in the whole answer.
    pub gate: Gate,
}

impl Stream {
    /// A stream at its start.
    #[must_use]
    pub fn new(known: Known, lang: Lang) -> Self {
        Self { known, lang, text: String::new(), released: 0, checked: 0, blocked: None }
    }

    /// Takes the next piece and returns what may be shown now. Once a claim is unsupported nothing more is let through.
    pub fn push(&mut self, piece: &str) -> String {
        self.text.push_str(piece);
        if self.blocked.is_some() {
            return String::new();
        }
        let end = last_end(&self.text);
        if end <= self.checked {
            return String::new();
        }
        self.checked = end;
        let Some(part) = self.text.get(..end) else { return String::new() };
        let gate = check_part(part, &self.known, self.lang, false);
        self.blocked = gate.unsupported().find(|claim| !claim.pending).cloned();
        let settled = gate
            .unsupported()
            .map(|claim| claim.span.start)
            .min()
            .map_or(end, |first| last_end(part.get(..first).unwrap_or_default()));
        self.release(settled)
    }

    /// The claim that stopped the stream.
    #[must_use]
    pub fn blocked(&self) -> Option<&Claim> {
        self.blocked.as_ref()
    }

    /// Whether something has been shown.
    #[must_use]
    pub fn has_shown(&self) -> bool {
        self.released > 0
    }

    /// All text so far.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Checks the whole answer and returns what may still be shown.
    #[must_use]
    pub fn finish(mut self) -> Released {
        let gate = check_part(&self.text, &self.known, self.lang, true);
        let rest = if gate.passes() { self.release(self.text.len()) } else { String::new() };
        Released { rest, gate }
    }

    fn release(&mut self, to: usize) -> String {
        let piece = self.text.get(self.released..to).unwrap_or_default().to_owned();
        self.released = self.released.max(to);
        piece
    }
}

/// Where the last finished sentence ends. A full stop counts when a space follows, since `1.` may become `1.5`; a mark of
/// the end of a line always does.
fn last_end(text: &str) -> usize {
    let mut end = 0;
    let mut line = 0;
    let mut chars = text.char_indices().peekable();
    let mut before = '\0';
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, next)| *next);
        let closed = match c {
            '\n' => true,
            '。' | '！' | '？' => next.is_some_and(|next| !matches!(next, '”' | '」' | '』' | '*')),
            '.' => next.is_some_and(char::is_whitespace) && !(before.is_ascii_digit() && is_marker(text, line, at)),
            '!' | '?' => next.is_some_and(char::is_whitespace),
            _ => false,
        };
        if closed {
            end = at + c.len_utf8();
            line = end;
        }
        before = c;
    }
    end
}
