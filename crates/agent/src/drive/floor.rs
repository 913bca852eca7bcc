//! A floor that fits any tools: it says what the reads returned, and adds nothing.

use serde_json::Value;

use crate::{
    Lang,
    evidence::{Scalars, cut},
    quote,
    tool::ToolResult,
};

/// How many lines of one result are said.
const LINES: usize = 24;
/// Characters of one result.
const CHARACTERS: usize = 4_000;

/// Says what was found, tool by tool, in the words of the results.
#[must_use]
pub fn plain_floor(_question: &str, results: &[ToolResult], lang: Lang) -> String {
    let mut text = String::new();
    for result in results {
        match &result.outcome {
            Ok(value) => {
                text.push_str(&format!("{}:\n", result.name));
                lines(&cut(value, CHARACTERS), &mut text, lang);
            }
            Err(failure) => text.push_str(&format!("{}: {}\n", result.name, failure.model_text)),
        }
    }
    if text.is_empty() {
        text = lang
            .pick("没有模型可用，也没有查到任何内容。", "No model is available, and nothing was looked up.")
            .to_owned();
    }
    text
}

fn lines(value: &Value, text: &mut String, lang: Lang) {
    for (said, (pointer, scalar)) in Scalars::of(value).enumerate() {
        if said == LINES {
            text.push_str(lang.pick("  …（更多内容略）\n", "  … (more was found)\n"));
            return;
        }
        let scalar = match scalar {
            Value::String(words) => quote::field(words, 200),
            other => other.to_string(),
        };
        text.push_str(&format!("  {}: {scalar}\n", pointer.trim_start_matches('/')));
    }
}
