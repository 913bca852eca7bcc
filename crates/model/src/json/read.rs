//! From a text to a verdict: strict first, then what can be found in it.

use super::coerce::{coerce, refuses_lists};
use super::lenient::{Outcome, candidate};
use super::repair::{Repair, Repairs};
use super::strict;
use super::value::{Object, Value};
use super::verdict::{Reason, Verdict};
use crate::event::FinishReason;
use crate::thoughts;

/// Reads the JSON value of this schema that a model wrote.
///
/// `schema` is a JSON Schema; `true` takes anything. Types, enums, constants, required and additional members are
/// checked and coerced; ranges and patterns are left to the tool's own validation. With [`FinishReason::Length`] the
/// verdict is [`Verdict::Truncated`] whatever the text looks like.
#[must_use]
pub fn read(text: &str, schema: &serde_json::Value, finish: FinishReason) -> Verdict {
    let mut repairs = Repairs::default();
    let trimmed = text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '\u{feff}' | '\u{200b}' | '\u{2060}'));
    if trimmed.len() != text.trim().len() {
        repairs.push(Repair::Blank);
    }
    if finish == FinishReason::Length {
        return Verdict::Truncated { partial: partial(trimmed) };
    }
    if trimmed.is_empty() {
        return Verdict::NotJson { reason: Reason::Empty };
    }
    match strict::parse(trimmed) {
        Ok(value) => settle(value, schema, repairs),
        Err(Reason::Syntax { .. }) => match decoded(trimmed) {
            Some(value) => {
                repairs.push(Repair::Decoded);
                settle(value, schema, repairs)
            }
            None => {
                scan(trimmed).and_then(|found| found.choose(trimmed, schema, repairs)).unwrap_or_else(|other| *other)
            }
        },
        Err(reason) => Verdict::NotJson { reason },
    }
}

fn partial(text: &str) -> Option<Value> {
    strict::parse(text).ok().or_else(|| match candidate(text, text.find('{')?, &mut fuel(text)) {
        Outcome::Complete { value, .. } | Outcome::Cut { partial: value } => Some(value),
        Outcome::Refused(_) | Outcome::Nothing => None,
    })
}

/// Work allowed for a text: linear in its length.
pub(crate) const fn fuel(text: &str) -> usize {
    text.len().saturating_mul(16).saturating_add(4_096)
}

fn settle(value: Value, schema: &serde_json::Value, mut repairs: Repairs) -> Verdict {
    match value {
        // A list of values where one is wanted: they are as many candidates.
        Value::Array(items) if refuses_lists(schema) && !items.is_empty() && items.iter().all(Value::is_object) => {
            repairs.push(Repair::Unlisted);
            let values = items.into_iter().map(|item| (item, Repairs::default())).collect();
            choose(values, schema, repairs).unwrap_or_else(|other| *other)
        }
        value => match coerce(value, schema, &mut repairs) {
            Ok(value) if repairs.is_empty() => Verdict::Clean(value),
            Ok(value) => Verdict::Repaired { value, repairs },
            Err(reason) => Verdict::NotJson { reason },
        },
    }
}

/// A text whose quotes are all escaped, as if it had been cut out of a JSON string.
fn decoded(text: &str) -> Option<Value> {
    let inner = text.strip_prefix(['{', '['])?.trim_start_matches(['{', '[', ' ']);
    if !inner.starts_with("\\\"") {
        return None;
    }
    match strict::parse(&format!("\"{text}\"")) {
        Ok(Value::String(json)) => strict::parse(&json).ok(),
        _ => None,
    }
}

/// What a text holds.
#[derive(Default)]
struct Found {
    values: Vec<(Value, Repairs)>,
    around: Repairs,
}

fn not_json(reason: Reason) -> Box<Verdict> {
    Box::new(Verdict::NotJson { reason })
}

/// Finds the values of a text, outside of thoughts.
fn scan(text: &str) -> Result<Found, Box<Verdict>> {
    let mut found = Found::default();
    let mut fuel = fuel(text);
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        if let Some(marks) = thoughts::opening(rest) {
            found.around.push(Repair::Thoughts);
            let close = rest.find(marks.close).ok_or_else(|| not_json(Reason::NoJson))?;
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
                    found.values.push((value, repairs));
                    at = found.skip_extra_closes(text, end);
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

/// Brackets open values; a list must hold objects or begin the text, for prose has brackets too.
fn begins_value(first: char, rest: &str, at: usize) -> bool {
    match first {
        '{' | '｛' => true,
        '[' | '［' => at == 0 || rest.chars().skip(1).find(|c| !c.is_whitespace()).is_some_and(|c| "{｛".contains(c)),
        _ => false,
    }
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

    fn choose(self, text: &str, schema: &serde_json::Value, mut repairs: Repairs) -> Result<Verdict, Box<Verdict>> {
        repairs.extend(&self.around);
        let mut values = self.values;
        if let (Some(called), [(input, input_repairs)]) = (action_lines(text, schema), values.as_slice()) {
            let mut object = Object::new();
            object.insert(called.name_key, Value::String(called.name));
            object.insert(called.input_key, input.clone());
            let mut own = input_repairs.clone();
            own.push(Repair::ActionLines);
            values = vec![(Value::Object(object), own)];
        }
        choose(values, schema, repairs)
    }
}

/// The one value that fits, or that there are several or none.
fn choose(
    values: Vec<(Value, Repairs)>,
    schema: &serde_json::Value,
    mut repairs: Repairs,
) -> Result<Verdict, Box<Verdict>> {
    let mut fitting: Vec<(Value, Repairs)> = Vec::new();
    let mut misfit = None;
    for (value, mut own) in values {
        match coerce(value, schema, &mut own) {
            Ok(value) if fitting.iter().any(|(other, _)| *other == value) => repairs.push(Repair::Repeated),
            Ok(value) => fitting.push((value, own)),
            Err(reason) => misfit = misfit.or(Some(reason)),
        }
    }
    if fitting.len() > 1 {
        return Ok(Verdict::Ambiguous { candidates: fitting.into_iter().map(|(value, _)| value).collect() });
    }
    let Some((value, own)) = fitting.pop() else {
        return Err(not_json(misfit.unwrap_or(Reason::NoJson)));
    };
    if misfit.is_some() {
        repairs.push(Repair::OtherIgnored);
    }
    repairs.extend(&own);
    Ok(Verdict::Repaired { value, repairs })
}

/// A call in the lines of the ReAct paper.
struct ActionLines {
    name_key: String,
    name: String,
    input_key: String,
}

/// `Action: name` and `Action Input:` once each, when the schema has members for both.
fn action_lines(text: &str, schema: &serde_json::Value) -> Option<ActionLines> {
    let mut names = text.lines().filter_map(|line| line.trim_start().strip_prefix("Action:"));
    let name = names.next()?.trim();
    let inputs = text.lines().filter(|line| line.trim_start().starts_with("Action Input:")).count();
    if names.next().is_some() || inputs != 1 || name.is_empty() {
        return None;
    }
    let key = |wanted: &[&str]| wanted.iter().find(|key| has_property(schema, key)).map(|key| (*key).to_owned());
    Some(ActionLines {
        name_key: key(&["tool", "name", "action"])?,
        name: name.to_owned(),
        input_key: key(&["args", "arguments", "parameters", "action_input", "input"])?,
    })
}

fn has_property(schema: &serde_json::Value, key: &str) -> bool {
    let here = schema.get("properties").and_then(|properties| properties.get(key)).is_some();
    let branches = ["oneOf", "anyOf"].iter().filter_map(|word| schema.get(word)?.as_array());
    here || branches.flatten().any(|branch| branch.get("properties").and_then(|p| p.get(key)).is_some())
}
