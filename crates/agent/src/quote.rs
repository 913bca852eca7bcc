//! Text that other people wrote, made safe to stand in a prompt as data.
//!
//! This does not look for attacks: whatever a text says, it stays a quoted field. It removes what a reader cannot see and
//! limits the length. What keeps an instruction inside a text from mattering is that tools take their targets from
//! records and the session.

use serde_json::Value;

/// How long a quoted field may be unless a caller says otherwise, in characters.
pub const FIELD_LIMIT: usize = 2_000;

/// A text without invisible and direction-changing characters and of at most `limit` characters; a cut is marked with `…`.
/// Line breaks and tabs stay.
#[must_use]
pub fn clean(text: &str, limit: usize) -> String {
    let mut out = String::with_capacity(text.len().min(limit.saturating_mul(4)));
    for (taken, c) in text.chars().filter(|c| !is_hidden(*c)).enumerate() {
        if taken == limit {
            out.push('…');
            break;
        }
        out.push(c);
    }
    out
}

/// As [`clean`], on one line.
#[must_use]
pub fn field(text: &str, limit: usize) -> String {
    let line = text.chars().map(|c| if c.is_whitespace() { ' ' } else { c }).collect::<String>();
    clean(&line, limit)
}

/// A text as a JSON string, the form in which it stands in a prompt: it cannot end its own quotation or look like a role.
#[must_use]
pub fn quoted(text: &str, limit: usize) -> String {
    Value::String(clean(text, limit)).to_string()
}

/// Cleans every text in a value, keys included.
#[must_use]
pub fn clean_value(value: Value, limit: usize) -> Value {
    match value {
        Value::String(text) => Value::String(clean(&text, limit)),
        Value::Array(items) => Value::Array(items.into_iter().map(|item| clean_value(item, limit)).collect()),
        Value::Object(fields) => {
            Value::Object(fields.into_iter().map(|(key, item)| (clean(&key, 100), clean_value(item, limit))).collect())
        }
        other @ (Value::Null | Value::Bool(_) | Value::Number(_)) => other,
    }
}

/// Whether a reader cannot see a character: controls, zero-width and bidi marks, variation selectors beyond the emoji
/// one, tag characters, private use.
fn is_hidden(c: char) -> bool {
    match c {
        '\n' | '\t' | '\u{fe0f}' => false,
        '\u{ad}'
        | '\u{34f}'
        | '\u{61c}'
        | '\u{115f}'
        | '\u{1160}'
        | '\u{17b4}'
        | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' => true,
        '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' => true,
        '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{fe00}'..='\u{fe0e}' => true,
        '\u{e000}'..='\u{f8ff}'
        | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}'
        | '\u{f0000}'..='\u{10ffff}' => true,
        _ => c.is_control(),
    }
}
