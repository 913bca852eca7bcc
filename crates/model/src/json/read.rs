//! From a text to a verdict: strict first, then what can be found in it.

use super::coerce::{coerce, refuses_lists};
use super::envelope::{Envelopes, own_tags, unwrapped};
use super::lenient::{Outcome, candidate, is_invisible};
use super::repair::{Repair, Repairs};
use super::scan::{before_observation, missing_open, scan};
use super::strict;
use super::value::Value;
use super::verdict::{Reason, Verdict};
use crate::event::FinishReason;

/// Reads the JSON value of this schema that a model wrote.
///
/// `schema` is a JSON Schema; `true` takes anything. Types, enums, constants, required and additional members are
/// checked and coerced; ranges and patterns are left to the tool's own validation. With [`FinishReason::Length`] the
/// verdict is [`Verdict::Truncated`] whatever the text looks like.
#[must_use]
pub fn read(text: &str, schema: &serde_json::Value, finish: FinishReason) -> Verdict {
    let mut repairs = Repairs::default();
    let trimmed = text.trim_matches(|c: char| c.is_whitespace() || is_invisible(c));
    if trimmed.len() != text.trim().len() {
        repairs.push(Repair::Blank);
    }
    if finish == FinishReason::Length {
        return Verdict::Truncated { partial: partial(trimmed) };
    }
    if trimmed.is_empty() {
        return Verdict::NotJson { reason: Reason::Empty };
    }
    let verdict = match strict::parse(trimmed) {
        Ok(value) => settle(value, schema, repairs),
        Err(Reason::Syntax { .. }) => loosely(trimmed, schema, repairs),
        Err(reason) => return Verdict::NotJson { reason },
    };
    match &verdict {
        Verdict::Clean(value) | Verdict::Repaired { value, .. } if leaves_out(value) => {
            Verdict::NotJson { reason: Reason::Ellipsis }
        }
        _ => verdict,
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

/// Whether a list ends with `"..."` where further items belong.
fn leaves_out(value: &Value) -> bool {
    match value {
        Value::Array(items) => {
            let dots = |item: &Value| matches!(item.as_str().map(str::trim), Some("..." | "…" | "……"));
            (items.len() > 1 && items.last().is_some_and(dots)) || items.iter().any(leaves_out)
        }
        Value::Object(members) => members.values().any(leaves_out),
        _ => false,
    }
}

/// What is no JSON as a whole: encoded once more, in a model's own tags, or somewhere in a text.
fn loosely(text: &str, schema: &serde_json::Value, mut repairs: Repairs) -> Verdict {
    if let Some((value, repair)) = decoded(text) {
        repairs.push(repair);
        return settle(value, schema, repairs);
    }
    let (text, observed) = before_observation(text);
    if observed {
        repairs.push(Repair::Observation);
    }
    let envelopes = Envelopes::of(schema);
    if let Some(found) = own_tags(text, &envelopes, &mut repairs) {
        return match found {
            Ok(values) => choose(values, schema, repairs).unwrap_or_else(|other| *other),
            Err(reason) => Verdict::NotJson { reason },
        };
    }
    if let Some(found) = missing_open(text) {
        return match found {
            Ok((value, own)) => {
                repairs.extend(&own);
                settle(value, schema, repairs)
            }
            Err(reason) => Verdict::NotJson { reason },
        };
    }
    scan(text)
        .and_then(|found| {
            repairs.extend(&found.around);
            choose(found.named(text, &envelopes)?, schema, repairs)
        })
        .unwrap_or_else(|other| *other)
}

fn settle(value: Value, schema: &serde_json::Value, mut repairs: Repairs) -> Verdict {
    match value {
        // A list of values where one is wanted: they are as many candidates.
        value @ Value::Array(_) if refuses_lists(schema) => {
            choose(vec![(value, Repairs::default())], schema, repairs).unwrap_or_else(|other| *other)
        }
        value if unwrapped(&value, schema).is_some() => {
            choose(vec![(value, Repairs::default())], schema, repairs).unwrap_or_else(|other| *other)
        }
        value => match coerce(value, schema, &mut repairs) {
            Ok(value) if repairs.is_empty() => Verdict::Clean(value),
            Ok(value) => Verdict::Repaired { value, repairs },
            Err(reason) => Verdict::NotJson { reason },
        },
    }
}

/// A text that is JSON once its quotes are read differently: all escaped, or all written as HTML entities.
fn decoded(text: &str) -> Option<(Value, Repair)> {
    let inner = text.strip_prefix(['{', '['])?.trim_start_matches(['{', '[', ' ']);
    if inner.starts_with("\\\"") {
        return match strict::parse(&format!("\"{text}\"")) {
            Ok(Value::String(json)) => strict::parse(&json).ok().map(|value| (value, Repair::Decoded)),
            _ => None,
        };
    }
    let entities = (inner.starts_with("&quot;") || inner.starts_with("&#34;")) && !text.contains('"');
    if !entities {
        return None;
    }
    let plain = [
        ("&quot;", "\""),
        ("&#34;", "\""),
        ("&#39;", "'"),
        ("&apos;", "'"),
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&amp;", "&"),
    ]
    .iter()
    .fold(text.to_owned(), |text, (entity, plain)| text.replace(entity, plain));
    strict::parse(&plain).ok().map(|value| (value, Repair::Entities))
}

/// The one value that fits, or that there are several or none.
fn choose(
    values: Vec<(Value, Repairs)>,
    schema: &serde_json::Value,
    mut repairs: Repairs,
) -> Result<Verdict, Box<Verdict>> {
    let mut fitting: Vec<(Value, Repairs)> = Vec::new();
    let mut misfit = None;
    let lists = refuses_lists(schema);
    let mut pending = values;
    pending.reverse();
    while let Some((value, mut own)) = pending.pop() {
        if let Some(inner) = unwrapped(&value, schema) {
            own.push(Repair::Envelope);
            pending.extend(inner.into_iter().rev().map(|value| (value, own.clone())));
            continue;
        }
        let value = match value {
            Value::Array(items) if lists && !items.is_empty() && items.iter().all(Value::is_object) => {
                own.push(Repair::Unlisted);
                pending.extend(items.into_iter().rev().map(|value| (value, own.clone())));
                continue;
            }
            value => value,
        };
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
        let reason = misfit.unwrap_or(Reason::NoJson);
        return Err(Box::new(Verdict::NotJson { reason }));
    };
    if misfit.is_some() {
        repairs.push(Repair::OtherIgnored);
    }
    repairs.extend(&own);
    Ok(Verdict::Repaired { value, repairs })
}
