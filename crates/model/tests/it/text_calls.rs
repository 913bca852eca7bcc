//! Calls written as text, in every format seen.

use mercer_model::text_calls::extract;
use proptest::prelude::*;

const TOOLS: [&str; 3] = ["search", "query_order", "refund"];

/// The calls of a text as `name arguments`, and what is left of it.
fn found(text: &str) -> (Vec<String>, String) {
    let extracted = extract(text, &TOOLS);
    (extracted.calls.iter().map(|call| format!("{} {}", call.name, call.arguments)).collect(), extracted.text)
}

/// Texts and the calls in them.
pub(crate) const FORMATS: [(&str, &[&str]); 33] = [
    (r#"{{"name": "search", "arguments": {"text": "red"}}}}"#, &[r#"search {"text":"red"}"#]),
    (r#"{{"name": "search", "arguments": {"text": "red"}}}"#, &[r#"search {"text":"red"}"#]),
    (
        "<tool_call>\n{\"name\": \"search\", \"arguments\": {\"text\": \"红鞋\"}}\n</tool_call>",
        &[r#"search {"text":"红鞋"}"#],
    ),
    (
        "<tool_call>{\"name\":\"search\",\"arguments\":{}}</tool_call>\n<tool_call>{\"name\":\"refund\",\"arguments\":{\"a\":1}}</tool_call>",
        &["search {}", r#"refund {"a":1}"#],
    ),
    (
        "<tool_call>{'name': 'search', 'arguments': {'text': 'x', 'new': True}}</tool_call>",
        &[r#"search {"text":"x","new":true}"#],
    ),
    ("<tool_call>{\"name\":\"search\",\"arguments\":{\"text\":\"x\"}}", &[r#"search {"text":"x"}"#]),
    (
        "<tool_call>{\"name\":\"search\",\"arguments\":{\"text\":\"literal </tool_call> text\"}}</tool_call>",
        &[r#"search {"text":"literal </tool_call> text"}"#],
    ),
    (
        "<tool_call>\n<function=search>\n<parameter=text>\nred shoes\n</parameter>\n<parameter=limit>\n5\n</parameter>\n</function>\n</tool_call>",
        &[r#"search {"text":"red shoes","limit":"5"}"#],
    ),
    (
        "<function=search>\n<parameter=text>\nred\n</parameter>\n</function>\n</tool_call>",
        &[r#"search {"text":"red"}"#],
    ),
    (
        "<tool_call>search\n<arg_key>text</arg_key>\n<arg_value>red</arg_value>\n</tool_call>",
        &[r#"search {"text":"red"}"#],
    ),
    (
        "<minimax:tool_call><invoke name=\"search\"><parameter name=\"text\">red</parameter></invoke></minimax:tool_call>",
        &[r#"search {"text":"red"}"#],
    ),
    (
        "<|tool_calls_section_begin|><|tool_call_begin|>functions.search:0<|tool_call_argument_begin|>{\"text\":\"red\"}<|tool_call_end|><|tool_calls_section_end|>",
        &[r#"search {"text":"red"}"#],
    ),
    (
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>search\n```json\n{\"text\":\"red\"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
        &[r#"search {"text":"red"}"#],
    ),
    (
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>search<｜tool▁sep｜>{\"text\":\"a\"}<｜tool▁call▁end｜><｜tool▁call▁begin｜>refund<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
        &[r#"search {"text":"a"}"#, "refund {}"],
    ),
    (
        "<｜DSML｜function_calls><｜DSML｜invoke name=\"search\"><｜DSML｜parameter name=\"text\" string=\"true\">5</｜DSML｜parameter><｜DSML｜parameter name=\"limit\" string=\"false\">5</｜DSML｜parameter></｜DSML｜invoke></｜DSML｜function_calls>",
        &[r#"search {"text":"5","limit":5}"#],
    ),
    ("<|DSML|function_calls><|DSML|invoke name=\"search\"></|DSML|invoke></|DSML|function_calls>", &["search {}"]),
    ("[TOOL_CALLS][{\"name\":\"search\",\"arguments\":{\"text\":\"red\"}}]", &[r#"search {"text":"red"}"#]),
    ("[TOOL_CALLS]search{\"text\":\"red\"}", &[r#"search {"text":"red"}"#]),
    (
        "[TOOL_CALLS]search[ARGS]{\"text\":\"red\"}[TOOL_CALLS]refund[CALL_ID]abc123def[ARGS]{}",
        &[r#"search {"text":"red"}"#, "refund {}"],
    ),
    (
        "<|python_tag|>{\"name\":\"search\",\"parameters\":{\"text\":\"red\"}}; {\"name\":\"refund\",\"parameters\":{}}<|eom_id|>",
        &[r#"search {"text":"red"}"#, "refund {}"],
    ),
    ("{\"name\": \"search\", \"parameters\": {\"text\": \"red\"}}", &[r#"search {"text":"red"}"#]),
    (
        "{\"type\": \"function\", \"function\": {\"name\": \"search\", \"arguments\": \"{\\\"text\\\":\\\"red\\\"}\"}}",
        &[r#"search {"text":"red"}"#],
    ),
    (
        "[search(text=\"red\", limit=5, new=True, tags=['a','b']), refund()]",
        &[r#"search {"text":"red","limit":5,"new":true,"tags":["a","b"]}"#, "refund {}"],
    ),
    ("<function=search>{\"text\":\"red\"}</function>", &[r#"search {"text":"red"}"#]),
    (
        "<|channel|>commentary to=functions.search <|constrain|>json<|message|>{\"text\":\"red\"}<|call|>",
        &[r#"search {"text":"red"}"#],
    ),
    (
        "<|START_ACTION|>[{\"tool_call_id\":\"0\",\"tool_name\":\"search\",\"parameters\":{}}]<|END_ACTION|>",
        &["search {}"],
    ),
    ("<tool_calls>[{\"name\":\"search\",\"arguments\":{}}]</tool_calls>", &["search {}"]),
    ("```json\n{\"name\": \"search\", \"arguments\": {\"text\": \"red\"}}\n```", &[r#"search {"text":"red"}"#]),
    (
        "```\n{\"name\": \"search\", \"arguments\": {}}\n{\"name\": \"refund\", \"arguments\": {}}\n```",
        &["search {}", "refund {}"],
    ),
    (
        "[{\"name\":\"search\",\"arguments\":{\"id\":100234567890123456789}}]",
        &[r#"search {"id":100234567890123456789}"#],
    ),
    ("<tool_call>{\"name\":\"search\"}</tool_call>", &["search {}"]),
    ("{\"tool\":\"search\",\"args\":{\"a\":1}}}", &[r#"search {"a":1}"#]),
    (
        "<tool_call>{\"name\":\"search\",\"arguments\":{\"text\":\"a \"big\" one\"}}</tool_call>",
        &[r#"search {"text":"a "big" one"}"#],
    ),
];

#[test]
fn every_format_is_read() {
    let mut wrong = Vec::new();
    for (text, wanted) in FORMATS {
        let (calls, rest) = found(text);
        if calls != wanted || !rest.is_empty() {
            wrong.push(format!("{text}\n  got {calls:?} rest {rest:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn text_around_a_call_stays_text() {
    let (calls, rest) = found("Let me look.\n<tool_call>{\"name\":\"search\",\"arguments\":{}}</tool_call>\n");
    assert_eq!((calls.len(), rest.as_str()), (1, "Let me look."));
}

#[test]
fn what_is_no_call_stays_as_it_is() {
    for text in [
        "<think>maybe {\"name\":\"refund\",\"arguments\":{\"amount\":999}}</think>I cannot do that.",
        "<tool_call>{\"name\":\"delete_everything\",\"arguments\":{}}</tool_call>",
        "{\"name\": \"search\"}",
        "{\"name\": \"search\", \"price\": 3, \"arguments\": {}}",
        "{\"name\": \"Nike\", \"arguments\": {}}",
        "<tool_call>{\"name\":\"refund\",\"arguments\":{\"amount\":1",
        "<tool_call>{\"name\":\"refund\",\"arguments\":{\"amount\":NaN}}</tool_call>",
        "[refund(amount=3*59)]",
        "[search(text=open('/etc/passwd'))]",
        "Prices: [1] ¥300, {A-10}. ```rust\nfn main() {}\n```",
        "",
    ] {
        assert_eq!(found(text), (vec![], text.to_owned()), "{text}");
    }
}

#[test]
fn doubt_about_a_call_reaches_whoever_reads_its_arguments() {
    use mercer_model::json::read;
    let schema =
        serde_json::json!({"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": false});
    for text in [
        r#"<tool_call>{"name":"refund","arguments":{"a":"1"}</tool_call>"#,
        r#"<tool_call>{"name":"refund","arguments":{"a": damaged}}</tool_call>"#,
        r#"<tool_call>{"name":"refund" "arguments":{"a":"1"}}</tool_call>"#,
    ] {
        for call in extract(text, &TOOLS).calls {
            let verdict = read(&call.arguments, &schema, mercer_model::FinishReason::ToolCalls);
            assert!(verdict.for_write().is_err(), "{text}");
        }
    }
}

#[test]
fn ids_are_unique_in_a_message_and_fit_every_provider() {
    let calls = extract(FORMATS[3].0, &TOOLS).calls;
    assert_ne!(calls[0].id, calls[1].id);
    assert!(calls.iter().all(|call| call.id.len() == 9 && call.id.bytes().all(|b| b.is_ascii_alphanumeric())));
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(parts in proptest::collection::vec(proptest::sample::select(
        FORMATS.iter().flat_map(|(text, _)| { let cut = text.char_indices().map(|(at, _)| at).nth(text.chars().count() / 2).unwrap_or(0); [&text[..cut], &text[cut..]] }).collect::<Vec<_>>()), 0..5)) {
        drop(extract(&parts.concat(), &TOOLS));
    }
}
