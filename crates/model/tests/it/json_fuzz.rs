//! The reader on mutated cases: no panic, no hang, nothing written that was not there. `fuzz/` goes on where this ends.

use mercer_model::FinishReason::Stop;
use mercer_model::json::{MAX_DEPTH, Value, Verdict, parse_strict, read};
use proptest::prelude::*;
use serde_json::json;

fn raws() -> Vec<String> {
    let own = include_str!("../cases/malformed.jsonl");
    let texts = own
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["raw"].as_str().unwrap().to_owned());
    texts.filter(|text| text.len() < 2_000).collect()
}

#[derive(Debug, Clone)]
enum Change {
    Cut(usize),
    Drop(usize, usize),
    Put(usize, &'static str),
    Double(usize, usize),
    Join(usize),
}

fn change() -> impl Strategy<Value = Change> {
    let marks = vec![
        "{",
        "}",
        "[",
        "]",
        "\"",
        "'",
        "\\",
        ",",
        ":",
        "：",
        "“",
        "<think>",
        "</think>",
        "```",
        "<tool_call>",
        "NaN",
        "...",
        "\u{feff}",
        "\0",
        "/*",
        "Action:",
        "<function=",
    ];
    let at = 0usize..400;
    prop_oneof![
        at.clone().prop_map(Change::Cut),
        (at.clone(), 1usize..20).prop_map(|(at, n)| Change::Drop(at, n)),
        (at.clone(), proptest::sample::select(marks)).prop_map(|(at, mark)| Change::Put(at, mark)),
        (at.clone(), 1usize..40).prop_map(|(at, n)| Change::Double(at, n)),
        at.prop_map(Change::Join),
    ]
}

fn mutated(text: &str, changes: &[Change], all: &[String]) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for change in changes {
        let place = |at: usize, chars: &[char]| if chars.is_empty() { 0 } else { at % chars.len() };
        match change {
            Change::Cut(at) => chars.truncate(place(*at, &chars)),
            Change::Drop(at, n) => {
                let from = place(*at, &chars);
                chars.drain(from..(from + n).min(chars.len()));
            }
            Change::Put(at, mark) => {
                let at = place(*at, &chars);
                chars.splice(at..at, mark.chars());
            }
            Change::Double(at, n) => {
                let from = place(*at, &chars);
                let piece: Vec<char> = chars[from..(from + n).min(chars.len())].to_vec();
                chars.splice(from..from, piece);
            }
            Change::Join(at) => chars.extend(all[at % all.len()].chars()),
        }
    }
    chars.into_iter().collect()
}

/// How many bytes of text and numbers a value holds, and how deep it is.
fn size(value: &Value) -> (usize, usize) {
    match value {
        Value::Null | Value::Bool(_) => (0, 0),
        Value::Number(number) => (number.as_str().len(), 0),
        Value::String(text) => (text.len(), 0),
        Value::Array(items) => items.iter().map(size).fold((0, 1), |(n, d), (m, e)| (n + m, d.max(e + 1))),
        Value::Object(members) => members
            .iter()
            .map(|(key, value)| (key.len(), size(value)))
            .fold((0, 1), |(n, d), (k, (m, e))| (n + k + m, d.max(e + 1))),
    }
}

proptest! {
    #[test]
    fn mutated_cases_are_read_within_bounds(which in 0usize..1_000, changes in proptest::collection::vec(change(), 1..6)) {
        let all = raws();
        let text = mutated(&all[which % all.len()], &changes, &all);
        let verdict = read(&text, &json!({"type": "object"}), Stop);
        let strict = parse_strict(text.trim());
        match &verdict {
            Verdict::Clean(value) | Verdict::Repaired { value, .. } => {
                let (bytes, depth) = size(value);
                prop_assert!(bytes <= text.len() * 3 && depth <= MAX_DEPTH + 2, "{text:?}: {verdict:?}");
                // What is given out can be written down and read again unchanged.
                prop_assert_eq!(&parse_strict(&value.to_string()).unwrap(), value);
            }
            Verdict::Ambiguous { candidates } => prop_assert!(candidates.len() > 1 && candidates.len() <= text.len()),
            Verdict::Truncated { .. } | Verdict::NotJson { .. } => {}
        }
        if let (Ok(value @ Value::Object(_)), Verdict::Clean(read)) = (&strict, &verdict) {
            prop_assert_eq!(value, read);
        }
        // Every number given out stands in the text as it is.
        if let Ok(value) = verdict.for_read() {
            each_number(&value, &mut |number| assert!(text.contains(number) || text.contains("\\u"), "{number} is not in {text:?}"));
        }
    }
}

fn each_number(value: &Value, see: &mut impl FnMut(&str)) {
    match value {
        Value::Number(number) => see(number.as_str()),
        Value::Array(items) => items.iter().for_each(|item| each_number(item, see)),
        Value::Object(members) => members.values().for_each(|value| each_number(value, see)),
        _ => {}
    }
}

#[test]
fn a_megabyte_of_arguments_is_read_and_ten_thousand_levels_are_refused() {
    let long = json!({"text": "长".repeat(350_000)}).to_string();
    assert!(long.len() > 1_000_000);
    assert!(matches!(read(&long, &json!({"type": "object"}), Stop), Verdict::Clean(_)));
    let python = long.replace('"', "'");
    assert!(read(&python, &json!({"type": "object"}), Stop).for_write().is_ok());
    for text in [
        "[".repeat(10_000),
        "{\"a\":".repeat(10_000),
        format!("{}1{}", "{\"a\":".repeat(10_000), "}".repeat(10_000)),
        "{'a':".repeat(10_000),
    ] {
        assert!(read(&text, &json!(true), Stop).for_read().is_err());
    }
}
