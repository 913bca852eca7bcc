//! In a stream: text that may become a call is held back until that is decided, so that nobody reads half a call.

use crate::message::ToolCall;

use super::found::{ARGUMENT_KEYS, Names};
use super::{Extracted, WRAPPERS, extract_with};

/// How a call may begin, besides the wrappers.
const OPENERS: [&str; 6] =
    ["<function=", "<invoke ", "<｜DSML｜invoke ", "<|DSML|invoke ", "<|channel|>commentary", "<tool_call"];

/// Keys that begin the JSON of a call.
const FIRST_KEYS: [&str; 8] = ["name", "tool_name", "tool", "function", "id", "type", "tool_call_id", "index"];

/// Whether a call begins at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Begins {
    No,
    /// More text decides.
    Undecided,
    Yes,
}

/// Holds back text that may become a call.
#[derive(Debug)]
pub(crate) struct Hold {
    names: Names,
    seed: usize,
    held: String,
    /// A call seems to have begun: everything waits for the end.
    begun: bool,
}

impl Hold {
    pub(crate) const fn new(names: Names, seed: usize) -> Self {
        Self { names, seed, held: String::new(), begun: false }
    }

    /// What is held so far.
    pub(crate) fn held(&self) -> &str {
        &self.held
    }

    /// What is held, as text: no call is looked for.
    pub(crate) fn release(&mut self) -> String {
        self.begun = false;
        std::mem::take(&mut self.held)
    }

    /// Takes a piece of text and gives back what can be shown.
    pub(crate) fn push(&mut self, piece: &str) -> String {
        if self.names.is_empty() {
            return piece.to_owned();
        }
        self.held.push_str(piece);
        if self.begun {
            return String::new();
        }
        for (at, c) in self.held.char_indices() {
            if !matches!(c, '<' | '[' | '{' | '`') {
                continue;
            }
            match begins(self.held.get(at..).unwrap_or_default(), &self.names) {
                Begins::No => {}
                decision => {
                    self.begun = decision == Begins::Yes;
                    let rest = self.held.split_off(at);
                    return std::mem::replace(&mut self.held, rest);
                }
            }
        }
        std::mem::take(&mut self.held)
    }

    /// The end of the text: what is left to show, and the calls.
    pub(crate) fn finish(&mut self) -> (String, Vec<ToolCall>) {
        let held = std::mem::take(&mut self.held);
        if held.is_empty() {
            return (held, Vec::new());
        }
        let Extracted { calls, text } = extract_with(&held, &self.names, self.seed);
        (text, calls)
    }
}

/// Whether `mark` begins the text, or the text is too short to tell.
fn mark(text: &str, mark: &str) -> Begins {
    if text.starts_with(mark) {
        Begins::Yes
    } else if mark.starts_with(text) {
        Begins::Undecided
    } else {
        Begins::No
    }
}

fn any(decisions: impl Iterator<Item = Begins>) -> Begins {
    decisions.fold(Begins::No, |so_far, next| match (so_far, next) {
        (Begins::Yes, _) | (_, Begins::Yes) => Begins::Yes,
        (Begins::Undecided, _) | (_, Begins::Undecided) => Begins::Undecided,
        _ => Begins::No,
    })
}

fn begins(text: &str, names: &Names) -> Begins {
    match text.chars().next() {
        Some('<') => any(WRAPPERS.iter().chain(&OPENERS).map(|opener| mark(text, opener))),
        Some('[') => {
            let inner = text.get(1..).unwrap_or_default().trim_start();
            let json = match inner.chars().next() {
                None => Begins::Undecided,
                Some('{') => object(inner),
                Some(_) => Begins::No,
            };
            let python = names.iter().map(|name| mark(inner, &format!("{name}(")));
            any([json, mark(text, "[TOOL_CALLS]")].into_iter().chain(python))
        }
        Some('{') => object(text),
        Some('`') => fence(text),
        _ => Begins::No,
    }
}

fn fence(text: &str) -> Begins {
    let Some(inner) = text.strip_prefix("```") else { return mark(text, "```") };
    let label = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let body = inner.trim_start_matches(label);
    if inner.len() - body.len() > 16 {
        return Begins::No;
    }
    let body = body.trim_start();
    match body.chars().next() {
        None => Begins::Undecided,
        Some('{') => object(body),
        Some('[') => match body.get(1..).unwrap_or_default().trim_start() {
            "" => Begins::Undecided,
            item => object(item),
        },
        Some(_) => Begins::No,
    }
}

/// Whether an object begins as that of a call does: by its first key.
fn object(text: &str) -> Begins {
    let Some(inner) = text.strip_prefix('{').map(str::trim_start) else { return Begins::No };
    let Some(quote) = inner.chars().next() else { return Begins::Undecided };
    if quote == '{' && text.starts_with("{{") {
        return object(inner);
    }
    let key = inner.trim_start_matches(['"', '\'']);
    let quoted = matches!(quote, '"' | '\'');
    if !quoted && !quote.is_ascii_alphabetic() {
        return Begins::No;
    }
    any(FIRST_KEYS.iter().chain(&ARGUMENT_KEYS).map(|name| match key.strip_prefix(name) {
        Some("") => Begins::Undecided,
        Some(rest) if rest.starts_with(['"', '\'', ':', ' ']) => Begins::Yes,
        Some(_) => Begins::No,
        None if name.starts_with(key) => Begins::Undecided,
        None => Begins::No,
    }))
}
