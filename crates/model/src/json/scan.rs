//! Finding the JSON in a text: past thoughts, fences, tags and prose, and never a piece of something larger.

use super::envelope::Envelopes;
use super::lenient::{Outcome, candidate, key_stands_at};
use super::read::fuel;
use super::repair::{Repair, Repairs};
use super::value::Value;
use super::verdict::{Reason, Verdict};
use crate::thoughts;

/// A value of a text.
pub(super) struct Place {
    pub(super) start: usize,
    pub(super) value: Value,
    pub(super) repairs: Repairs,
}

/// What a text holds.
#[derive(Default)]
pub(super) struct Found {
    pub(super) values: Vec<Place>,
    pub(super) around: Repairs,
}

fn not_json(reason: Reason) -> Box<Verdict> {
    Box::new(Verdict::NotJson { reason })
}

/// Finds the values of a text, outside of thoughts.
pub(super) fn scan(text: &str) -> Result<Found, Box<Verdict>> {
    let mut found = Found::default();
    let mut fuel = fuel(text);
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        if let Some(marks) = thoughts::opening(rest) {
            found.around.push(Repair::Thoughts);
            let close = thoughts::find_close(rest, marks).ok_or_else(|| not_json(Reason::NoJson))?;
            at += close + marks.close.len();
            continue;
        }
        if let Some(marks) = thoughts::closing(rest) {
            // Everything before was thought; the opening mark was in the prompt.
            found.values.clear();
            found.around = Repairs::default();
            found.around.push(Repair::Thoughts);
            at += marks.close.len();
            continue;
        }
        let first = rest.chars().next().unwrap_or(' ');
        if begins_value(first, rest, at) {
            match candidate(text, at, &mut fuel) {
                Outcome::Complete { value, end, repairs, .. } => {
                    if follows_key(text, at) || goes_on(text, end) {
                        return Err(not_json(Reason::Syntax { at }));
                    }
                    found.values.push(Place { start: at, value, repairs });
                    at = found.skip_extra_closes(text, end);
                    if goes_on(text, at) {
                        return Err(not_json(Reason::Syntax { at }));
                    }
                    continue;
                }
                Outcome::Cut { partial } => return Err(Box::new(Verdict::Truncated { partial: Some(partial) })),
                Outcome::Refused(reason) => return Err(not_json(reason)),
                Outcome::Nothing => {}
            }
        }
        at += found.pass(rest, first);
    }
    Ok(found)
}

/// Whether `"key":` stands right before: then the value is a member of something that could not be read.
fn follows_key(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default().trim_end();
    before.strip_suffix([':', '：']).is_some_and(|key| key.trim_end().ends_with(['"', '\'', '”']))
}

/// Whether `, "key":` stands right after: then the value ends too early.
fn goes_on(text: &str, at: usize) -> bool {
    let rest = text.get(at..).unwrap_or_default().trim_start();
    rest.strip_prefix([',', '，']).is_some_and(|rest| key_stands_at(rest.trim_start()))
}

/// Brackets open values; a list must hold objects or begin the text, for prose has brackets too.
fn begins_value(first: char, rest: &str, at: usize) -> bool {
    match first {
        '{' | '｛' => true,
        '[' | '［' => at == 0 || rest.chars().skip(1).find(|c| !c.is_whitespace()).is_some_and(|c| "{｛".contains(c)),
        _ => false,
    }
}

/// The object of a text that lacks only its first bracket.
pub(super) fn missing_open(text: &str) -> Option<Result<(Value, Repairs), Reason>> {
    if !key_stands_at(text) || !text.ends_with(['}', '｝']) {
        return None;
    }
    let whole = format!("{{{text}");
    match candidate(&whole, 0, &mut fuel(&whole)) {
        Outcome::Complete { value, end, mut repairs, .. } if end == whole.len() => {
            repairs.push(Repair::MissingOpen);
            Some(Ok((value, repairs)))
        }
        Outcome::Refused(reason) => Some(Err(reason)),
        _ => Some(Err(Reason::Syntax { at: 0 })),
    }
}

/// The text up to where a model that writes `Action:` lines makes up the tool's result, and whether it did.
pub(super) fn before_observation(text: &str) -> (&str, bool) {
    let mut acted = false;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let words = line.trim_start();
        if acted && ["Observation:", "Observation：", "观察：", "观察:"].iter().any(|mark| words.starts_with(mark))
        {
            return (text.get(..at).unwrap_or(text), true);
        }
        acted |= super::envelope::input_line(words);
        at += line.len();
    }
    (text, false)
}

impl Found {
    fn skip_extra_closes(&mut self, text: &str, end: usize) -> usize {
        let rest = text.get(end..).unwrap_or_default();
        let length = rest.len() - rest.trim_start_matches([' ', '\n', '\r', '\t', '}', ']']).len();
        if rest.get(..length).is_some_and(|skipped| skipped.contains(['}', ']'])) {
            self.around.push(Repair::ExtraClose);
            return end + length;
        }
        end
    }

    /// Passes over what is no value, noting what it is; returns its length.
    fn pass(&mut self, rest: &str, first: char) -> usize {
        if rest.starts_with("```") {
            self.around.push(Repair::Fence);
            let label = rest.trim_start_matches('`');
            let word = label.len() - label.trim_start_matches(|c: char| c.is_ascii_alphanumeric()).len();
            return rest.len() - label.len() + word;
        }
        if first == '<'
            && let Some(end) = rest.get(..rest.len().min(64)).unwrap_or(rest).find('>')
        {
            self.around.push(Repair::Tag);
            return end + 1;
        }
        if !first.is_whitespace() {
            self.around.push(Repair::Prose);
        }
        first.len_utf8()
    }

    /// The values, those that are the arguments of a named call put into its object.
    pub(super) fn named(self, text: &str, envelopes: &Envelopes<'_>) -> Result<Vec<(Value, Repairs)>, Box<Verdict>> {
        let single = self.values.len() == 1;
        let named = |Place { start, value, mut repairs }: Place| match envelopes
            .name_before(text, start, &value, single)
            .map_err(not_json)?
        {
            Some(called) => {
                repairs.push(Repair::ActionLines);
                Ok((called.around(value), repairs))
            }
            None => Ok((value, repairs)),
        };
        self.values.into_iter().map(named).collect()
    }
}
