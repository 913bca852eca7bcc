//! Shortens a result for a model by its structure: fewer items and shorter texts, never half a number or half a record.

use serde_json::{Map, Value, json};

use super::scalars::escaped;
use crate::quote;

/// (items of a list, characters of a text), from generous to meagre.
const LEVELS: [(usize, usize); 10] =
    [(100, 2_000), (50, 800), (30, 400), (20, 240), (12, 160), (8, 120), (5, 90), (3, 60), (2, 40), (1, 30)];

/// How many cut places are listed; the rest is only counted.
const LISTED: usize = 6;

/// The value, cleaned of invisible characters and cut until its JSON has at most `budget` characters.
///
/// A cut value becomes `{"shown": …, "left_out": […], "to_see_more": …}`, where `left_out` says what is missing and where.
#[must_use]
pub fn cut(value: &Value, budget: usize) -> Value {
    let value = quote::clean_value(value.clone(), usize::MAX);
    if length(&value) <= budget {
        return value;
    }
    for (items, characters) in LEVELS {
        let shown = at_level(&value, items, characters);
        if length(&shown) <= budget {
            return shown;
        }
    }
    json!({
        "shown": outline(&value),
        "left_out": [{ "at": "", "characters": length(&value) }],
        "to_see_more": ADVICE,
    })
}

const ADVICE: &str = "Call the tool again with a narrower question, a higher offset, or for one item by its id.";

fn at_level(value: &Value, items: usize, characters: usize) -> Value {
    let mut left_out = Vec::new();
    let shown = shorten(value, "", items, characters, &mut left_out);
    let more = left_out.len().saturating_sub(LISTED);
    left_out.truncate(LISTED);
    if more > 0 {
        left_out.push(json!({ "places_more": more }));
    }
    json!({ "shown": shown, "left_out": left_out, "to_see_more": ADVICE })
}

fn shorten(value: &Value, at: &str, items: usize, characters: usize, left_out: &mut Vec<Value>) -> Value {
    match value {
        Value::String(text) => {
            let length = text.chars().count();
            if length <= characters {
                return value.clone();
            }
            left_out.push(json!({ "at": at, "characters": length - characters }));
            Value::String(quote::clean(text, characters))
        }
        Value::Array(list) => {
            if list.len() > items {
                left_out.push(json!({ "at": at, "items": list.len() - items, "of": list.len() }));
            }
            let kept = list.iter().take(items).enumerate();
            Value::Array(
                kept.map(|(i, item)| shorten(item, &format!("{at}/{i}"), items, characters, left_out)).collect(),
            )
        }
        Value::Object(fields) => Value::Object(
            fields
                .iter()
                .map(|(key, item)| {
                    (key.clone(), shorten(item, &format!("{at}/{}", escaped(key)), items, characters, left_out))
                })
                .collect(),
        ),
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

/// What a value consists of, when not even one item of each list fits.
fn outline(value: &Value) -> Value {
    match value {
        Value::Array(list) => Value::String(format!("a list of {} items", list.len())),
        Value::Object(fields) => {
            let mut out = Map::new();
            for (key, item) in fields.iter().take(20) {
                let item = match item {
                    Value::Array(list) => Value::String(format!("a list of {} items", list.len())),
                    Value::Object(inner) => Value::String(format!("an object with {} fields", inner.len())),
                    Value::String(text) => Value::String(quote::clean(text, 30)),
                    Value::Null | Value::Bool(_) | Value::Number(_) => item.clone(),
                };
                out.insert(key.clone(), item);
            }
            Value::Object(out)
        }
        other => other.clone(),
    }
}

fn length(value: &Value) -> usize {
    value.to_string().chars().count()
}
