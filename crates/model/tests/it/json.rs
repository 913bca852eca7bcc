//! The JSON reader: the shared cases with their right verdicts, and laws that hold for any text.

use mercer_model::FinishReason::{Length, Stop};
use mercer_model::json::cases::check;
use mercer_model::json::{Reason, Repair, Value, Verdict, parse_strict, read};
use proptest::prelude::*;
use serde::Deserialize;
use serde_json::json;

/// The arguments of the tools in the cases.
fn arguments(required: &[&str]) -> serde_json::Value {
    let text = || json!({"type": "string"});
    json!({
        "type": "object",
        "properties": {
            "order_id": text(), "tracking_no": text(), "amount": text(), "reason": text(), "note": text(),
            "text": text(), "body": text(), "to": text(), "template": text(), "path": text(), "订单号": text(),
            "原因": text(), "quantity": {"type": "integer"}, "opened": {"type": "boolean"},
            "coupon": {"type": ["string", "null"]}, "items": {"type": "array", "items": text()},
        },
        "required": required,
        "additionalProperties": false,
    })
}

fn all_right(name: &str, file: &str) {
    let report = check(file).unwrap();
    eprintln!("{name}: {} of {} right", report.right, report.total);
    let misses = report
        .misses
        .iter()
        .map(|miss| format!("{}: {}\n  wanted {}\n  got    {}", miss.id, miss.why, miss.wanted, miss.got));
    assert!(report.misses.is_empty(), "{}", misses.collect::<Vec<_>>().join("\n"));
}

#[test]
fn every_shared_case_gets_its_verdict() {
    let Some(text) = crate::shared::read("cases/malformed_json.jsonl") else { return };
    all_right("shared cases", &text);
}

#[test]
fn every_case_of_our_own_gets_its_verdict() {
    all_right("own cases", include_str!("../cases/malformed.jsonl"));
}

#[test]
fn a_file_that_is_no_file_of_cases_is_named_by_its_line() {
    let error = check("{\"raw\":\"x\",\"action\":\"reject\"}\n\n{\"raw\":1}\n").unwrap_err();
    assert_eq!(error.to_string(), "line 3: it has no raw text");
    let error = check("{\"raw\":\"x\",\"action\":\"maybe\"}").unwrap_err();
    assert!(error.to_string().starts_with("line 1: its action"), "{error}");
}

#[test]
fn a_cut_answer_is_truncated_though_it_looks_whole() {
    let verdict = read(r#"{"order_id":"A-1"}"#, &json!(true), Length);
    assert!(matches!(verdict, Verdict::Truncated { partial: Some(_) }), "{verdict:?}");
    assert!(matches!(read("", &json!(true), Length), Verdict::Truncated { partial: None }));
}

/// What a text reads as, short: the JSON and whether it may be written, or why not.
fn shown(text: &str, schema: &serde_json::Value) -> String {
    let verdict = read(text, schema, Stop);
    let writes = if verdict.clone().for_write().is_ok() { "w" } else { "r" };
    match verdict {
        Verdict::Clean(value) => format!("clean {value}"),
        Verdict::Repaired { value, .. } => format!("{writes} {value}"),
        Verdict::Ambiguous { candidates } => format!("ambiguous {}", candidates.len()),
        Verdict::Truncated { .. } => "truncated".into(),
        Verdict::NotJson { reason } => format!("no: {reason}"),
    }
}

#[test]
fn what_models_write_in_place_of_json() {
    let any = json!({"type": "object"});
    let mut wrong = Vec::new();
    for (text, wanted) in [
        ("｛“订单号”：“A-23”，“金额”：“5.00”｝", r#"w {"订单号":"A-23","金额":"5.00"}"#),
        ("{\"note\":\"line one\nline two\"}", r#"w {"note":"line one\nline two"}"#),
        (r#"{"amount": 1,299.00}"#, "no: the JSON is wrong at character 16"),
        (r#"{"amount": 1"#, "truncated"),
        (r#"{"a": [1, 2"#, "truncated"),
        (r#"{"a": {"b": {"c": 1}"#, "truncated"),
        (r#"{"a": }"#, "no: a key has no value"),
        (r#"{"a": 1, "a": 1}"#, r#"no: the key "a" stands twice"#),
        ("{'a': 1, 'a': 2}", r#"no: the key "a" stands twice"#),
        (r#"{"d": Decimal("3")}"#, "no: a calculation stands where a value belongs: write the result"),
        (r#"{"d": f"x"}"#, "no: a calculation stands where a value belongs: write the result"),
        (r#"{"d": 2024-01-05}"#, r#"r {"d":"2024-01-05"}"#),
        (r#"{"a": "x" "b": "y"}"#, r#"r {"a":"x","b":"y"}"#),
        (r#"{"a": "1",, "b": "2"}"#, r#"r {"a":"1","b":"2"}"#),
        (r#"{"p": "C:\new\Users"}"#, r#"r {"p":"C:\\new\\Users"}"#),
        (r#"{"a": 1]"#, "no: the JSON is wrong at character 7"),
        (r#"I think {"a": 1} or {"a": 2}"#, "ambiguous 2"),
        (r#"{"a": 1} {"a": 1}"#, r#"r {"a":1}"#),
        (r#"maybe {"a": 1}? no.</think>{"a": 2}"#, r#"w {"a":2}"#),
        (r#"<think>maybe {"a": 1}"#, "no: the answer holds no JSON"),
        (r#"see [1] and {A-10}: {"a": 1}"#, r#"w {"a":1}"#),
        ("```json\n{\"a\": {\"b\": 1}\n```", r#"r {"a":{"b":1}}"#),
        (r#"{"a": "\ud83d\ude00 \ud83d"}"#, r#"r {"a":"😀 \\ud83d"}"#),
        // Cut anywhere: never usable.
        (r#"{"a": tr"#, "truncated"),
        (r#"{"a": "x", "b"#, "truncated"),
        (r#"{"a": "x\"#, "truncated"),
        (r#"{"a": "x","#, "truncated"),
        ("```json\n{\"a\": [1,\n```", "truncated"),
        (r#"{"a": "x, "b": 1}"#, "no: the JSON is wrong at character 13"),
        // Numbers as people write them.
        (r#"{"a": 0012}"#, r#"r {"a":"0012"}"#),
        (r#"{"a": +5}"#, "no: a calculation stands where a value belongs: write the result"),
        (r#"{"a": 100%}"#, "no: a calculation stands where a value belongs: write the result"),
        (r#"{"a": -1.50e2}"#, r#"clean {"a":-1.50e2}"#),
        (r#"{"a": ¥59.90}"#, r#"r {"a":"¥59.90"}"#),
        (r#"{"a": ５９}"#, r#"r {"a":"５９"}"#),
        // Lists of values where one is wanted.
        (r#"[{"a": 1}]"#, r#"w {"a":1}"#),
        (r#"[{"a": 1}, {"a": 2}]"#, "ambiguous 2"),
        (r#"[1, 2]"#, "no: the answer must be object, not array"),
        // Two blocks.
        ("```json\n{\"a\": 1}\n```\n```json\n{\"a\": 2}\n```", "ambiguous 2"),
        // Doubled braces of a template.
        (r#"{{"a": 1}}"#, r#"w {"a":1}"#),
        // Other quotes and marks.
        ("{“a”: “x”, ‘b’: 1}", r#"w {"a":"x","b":1}"#),
        ("{\"a\"：\"x\"，\"b\"：［1，2］}", r#"w {"a":"x","b":[1,2]}"#),
        ("{“a”: “他说“好”，走了”}", r#"r {"a":"他说“好”，走了"}"#),
        ("{\"a\":\u{a0}1}", r#"w {"a":1}"#),
        (r#"{"a": (1, 2)}"#, "no: a calculation stands where a value belongs: write the result"),
        (r#"{"a": ObjectId("x")}"#, "no: a calculation stands where a value belongs: write the result"),
        (r#"{"a" "b"}"#, "truncated"),
        (r#"<answer>{"a": 1}</answer>"#, r#"w {"a":1}"#),
        (r#"call = {"a": 1};"#, r#"w {"a":1}"#),
    ] {
        let got = shown(text, &any);
        if got != wanted {
            wrong.push(format!("{text}\n  got    {got}\n  wanted {wanted}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_schema_coerces_what_has_one_meaning() {
    let of = |schema: serde_json::Value, text: &str| {
        shown(&format!("{{\"v\":{text}}}"), &json!({"type": "object", "properties": {"v": schema}}))
    };
    assert_eq!(of(json!({"type": "number"}), r#""59.90""#), r#"w {"v":59.90}"#);
    assert_eq!(of(json!({"type": "integer"}), "2.0"), r#"w {"v":2}"#);
    assert_eq!(of(json!({"type": "string"}), "100234567890123456789"), r#"w {"v":"100234567890123456789"}"#);
    assert_eq!(of(json!({"enum": ["Refund", "Return"]}), r#""refund""#), r#"w {"v":"Refund"}"#);
    assert_eq!(of(json!({"type": "array", "items": {"type": "string"}}), r#""red""#), r#"r {"v":["red"]}"#);
    assert_eq!(of(json!({"anyOf": [{"type": "integer"}, {"type": "null"}]}), r#""3""#), r#"w {"v":3}"#);
    assert_eq!(of(json!({"type": "string"}), "null"), "w {}");
    for (schema, text) in [
        (json!({"type": "number"}), r#""1,299.00""#),
        (json!({"type": "integer"}), "2.5"),
        (json!({"type": "integer"}), r#""02""#),
        (json!({"type": "integer"}), "true"),
        (json!({"type": "boolean"}), "1"),
        (json!({"type": "boolean"}), r#""是""#),
        (json!({"type": "array", "items": {"type": "string"}}), r#""red, blue""#),
        (json!({"enum": ["a", "b"]}), r#""c""#),
    ] {
        assert!(of(schema.clone(), text).starts_with("no:"), "{schema} {text}");
    }
}

#[test]
fn references_of_derived_schemas_are_followed() {
    let schema = json!({
        "type": "object",
        "properties": {"line": {"$ref": "#/$defs/Line"}},
        "$defs": {"Line": {"type": "object", "properties": {"quantity": {"type": "integer"}}, "required": ["quantity"]}},
    });
    assert_eq!(shown(r#"{"line":{"quantity":"2"}}"#, &schema), r#"w {"line":{"quantity":2}}"#);
    assert_eq!(shown(r#"{"line":{}}"#, &schema), r#"no: /line lacks "quantity""#);
}

#[test]
fn values_become_rust_types_without_losing_a_digit() {
    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(rename_all = "lowercase")]
    enum Kind {
        Refund,
    }
    #[derive(Debug, Deserialize, PartialEq)]
    struct Proposal {
        kind: Kind,
        lines: Vec<u32>,
        share: f64,
        note: Option<String>,
    }
    let verdict = read(r#"{"kind":"refund","lines":[1,2],"share":0.65,"note":null}"#, &json!(true), Stop);
    let proposal = Proposal { kind: Kind::Refund, lines: vec![1, 2], share: 0.65, note: None };
    assert_eq!(verdict.typed::<Proposal>(), Verdict::Clean(proposal));

    let long = parse_strict("100234567890123456789").unwrap();
    assert!(long.clone().parse::<f64>().is_err() && long.to_serde().is_err());
    assert_eq!(parse_strict("18446744073709551615").unwrap().parse::<u64>(), Ok(u64::MAX));
}

#[test]
fn a_complaint_tells_the_model_what_to_do() {
    let words = |text: &str| read(text, &json!({"type": "object"}), Stop).complaint().map(|c| c.to_string());
    assert_eq!(words("{}"), None);
    assert_eq!(
        words(r#"{"a": ...}"#).unwrap(),
        "Your answer cannot be used: items were left out with \"...\": write all of them. Send one JSON object."
    );
    assert!(words("{a: 1,}").unwrap().contains("a key without quotes, a trailing comma"));
}

#[test]
fn depth_and_tangles_are_bounded() {
    let deep = "[".repeat(200_000);
    assert_eq!(parse_strict(&deep), Err(Reason::TooDeep));
    for piece in
        ["{", "[{", "{\"a\":", "{\"a\" \"", "{'a':'", "{\"a\":\"\\\"", "<think>", "```", "{a:\"x\" \"", "“", "{“"]
    {
        let text = piece.repeat(100_000);
        assert!(read(&text, &json!(true), Stop).for_write().is_err(), "{piece}");
    }
}

fn pieces() -> impl Strategy<Value = String> {
    let tokens = vec![
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        "\"",
        "'",
        "\\",
        "\\\"",
        "“",
        "”",
        "，",
        "：",
        "｛",
        "｝",
        "a",
        "order",
        " ",
        "\n",
        "1",
        "1,299.00",
        "-",
        "NaN",
        "true",
        "None",
        "//",
        "/*",
        "*/",
        "#",
        "...",
        "+",
        "```json",
        "```",
        "<think>",
        "</think>",
        "<tool_call>",
        "\u{feff}",
        "\\u12",
        "\\ud83d",
        "é",
        "😀",
        "undefined",
        "Action:",
        "Action Input:",
    ];
    proptest::collection::vec(proptest::sample::select(tokens), 0..40).prop_map(|tokens| tokens.concat())
}

fn json_value() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        "\\PC{0,12}".prop_map(Into::into),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Into::into),
            proptest::collection::btree_map("[a-z\"\\\\“]{0,6}", inner, 0..4)
                .prop_map(|map| serde_json::Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(text in prop_oneof![pieces(), "\\PC{0,60}"]) {
        for schema in [json!(true), arguments(&["order_id"]), json!({"type": "array"})] {
            drop(read(&text, &schema, Stop));
            drop(read(&text, &schema, Length));
        }
    }

    #[test]
    fn valid_json_is_clean_and_unchanged(value in json_value()) {
        let text = value.to_string();
        prop_assert_eq!(parse_strict(&Value::from_serde(&value).to_string()).unwrap(), Value::from_serde(&value));
        prop_assert_eq!(read(&text, &json!(true), Stop), Verdict::Clean(Value::from_serde(&value)));
        prop_assert_eq!(Value::from_serde(&value).to_serde().unwrap(), value);
    }

    #[test]
    fn an_object_in_prose_or_a_fence_is_the_same_object(value in json_value(), fence in any::<bool>()) {
        let object = json!({"value": value});
        let text = if fence { format!("Here:\n```json\n{object}\n```\nDone.") } else { format!("Here: {object} Done.") };
        match read(&text, &json!(true), Stop) {
            Verdict::Repaired { value, repairs } => {
                prop_assert_eq!(value, Value::from_serde(&object));
                prop_assert!(repairs.harmless() && repairs.iter().all(|r| matches!(r, Repair::Prose | Repair::Fence)));
            }
            other => prop_assert!(false, "{other:?}"),
        }
    }

    #[test]
    fn a_cut_object_is_never_good_for_a_write(value in json_value(), cut in 1usize..200) {
        let text = json!({"value": value, "last": "x"}).to_string();
        let end = text.char_indices().map(|(at, _)| at).filter(|&at| at > 0).take(cut).last().unwrap_or(1);
        prop_assert!(read(&text[..end], &json!({"type": "object"}), Stop).for_write().is_err(), "{}", &text[..end]);
    }
}
