//! What real servers send, byte for byte, and the events that come of it: the same whatever the chunks.

use mercer_model::openai::{Decoder, DecoderOptions};
use mercer_model::{ChatEvent, FinishReason, ModelError};
use proptest::prelude::*;

type Events = Vec<Result<ChatEvent, ModelError>>;

fn options(headless: bool) -> DecoderOptions {
    let tools = ["search", "query_order"].map(str::to_owned).to_vec();
    DecoderOptions { tools, seed: 1, prompt_estimate: 10, headless, calls_natively: false }
}

fn decode(bytes: &[u8], cuts: &[usize]) -> Events {
    let mut decoder = Decoder::new(options(false));
    let mut events = Vec::new();
    let mut start = 0;
    for &cut in cuts.iter().chain([&bytes.len()]) {
        events.extend(decoder.push(&bytes[start..cut]));
        start = cut;
    }
    events.extend(decoder.end(None));
    events
}

/// Events as short lines, neighbouring pieces joined.
fn shown(events: &Events) -> String {
    let mut lines: Vec<String> = Vec::new();
    for event in events {
        let line = match event {
            Ok(ChatEvent::Text(text)) => format!("text {text}"),
            Ok(ChatEvent::Reasoning(text)) => format!("thought {text}"),
            Ok(ChatEvent::Restarted) => "restarted".into(),
            Ok(ChatEvent::ToolCall(call)) => format!("call {} {}", call.name, call.arguments),
            Ok(ChatEvent::Usage(usage)) => {
                if usage.estimated {
                    "usage estimated".into()
                } else {
                    format!("usage {}", usage.total())
                }
            }
            Ok(ChatEvent::Done(reason)) => format!("done {reason:?}"),
            Ok(other) => format!("{other:?}"),
            Err(error) => format!("error {}", error.kind()),
        };
        match (lines.last_mut(), line.split_once(' ')) {
            (Some(last), Some((kind @ ("text" | "thought"), more))) if last.starts_with(&format!("{kind} ")) => {
                last.push_str(more);
            }
            _ => lines.push(line),
        }
    }
    lines.join(" | ").replace('\n', "\\n")
}

fn sse(chunks: &[&str]) -> String {
    chunks.iter().map(|chunk| format!("data: {chunk}\n\n")).collect()
}

fn delta(inner: &str) -> String {
    format!(r#"{{"choices":[{{"index":0,"delta":{inner},"finish_reason":null}}]}}"#)
}

fn finish(reason: &str) -> String {
    format!(r#"{{"choices":[{{"index":0,"delta":{{}},"finish_reason":"{reason}"}}]}}"#)
}

fn calls(deltas: &[&str], reason: &str) -> String {
    let mut chunks: Vec<String> = deltas.iter().map(|d| delta(&format!(r#"{{"tool_calls":[{d}]}}"#))).collect();
    chunks.push(finish(reason));
    chunks.push("[DONE]".into());
    sse(&chunks.iter().map(String::as_str).collect::<Vec<_>>())
}

fn text(pieces: &[&str], reason: &str) -> String {
    let mut chunks: Vec<String> =
        pieces.iter().map(|p| delta(&serde_json::json!({"content": p}).to_string())).collect();
    chunks.push(finish(reason));
    chunks.push("[DONE]".into());
    sse(&chunks.iter().map(String::as_str).collect::<Vec<_>>())
}

const USAGE: &str = r#"{"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":3}}"#;

/// Every oddity: its name, the bytes, and what comes of them.
fn oddities() -> Vec<(&'static str, String, &'static str)> {
    let hello = delta(r#"{"role":"assistant","content":"你好，"}"#);
    let world = delta(r#"{"content":"world"}"#);
    let stop = finish("stop");
    vec![
        // Framing.
        ("plain", sse(&[&hello, &world, &stop, USAGE, "[DONE]"]), "text 你好，world | usage 10 | done Stop"),
        ("CRLF", sse(&[&hello, &world, &stop, USAGE, "[DONE]"]).replace('\n', "\r\n"), "text 你好，world | usage 10 | done Stop"),
        ("CR", sse(&[&hello, &world, &stop, USAGE, "[DONE]"]).replace('\n', "\r"), "text 你好，world | usage 10 | done Stop"),
        ("no blank after data:", sse(&[&hello, &stop, USAGE, "[DONE]"]).replace("data: ", "data:"), "text 你好， | usage 10 | done Stop"),
        ("no blank line between events", sse(&[&hello, &stop, USAGE, "[DONE]"]).replace("\n\n", "\n"), "text 你好， | usage 10 | done Stop"),
        ("comments keep it alive", format!(": OPENROUTER PROCESSING\n\n:\n\n{}: ping\n\n{}", sse(&[&hello]), sse(&[&stop, USAGE])), "text 你好， | usage 10 | done Stop"),
        ("byte order mark", format!("\u{feff}{}", sse(&[&hello, &stop, USAGE])), "text 你好， | usage 10 | done Stop"),
        ("event and id fields", format!("event: message\nid: 1\nretry: 5\n{}", sse(&[&hello, &stop, USAGE])), "text 你好， | usage 10 | done Stop"),
        ("data over two lines", "data: {\"choices\":[{\"delta\":\ndata: {\"content\":\"x\"}}]}\n\n".to_owned() + &sse(&[&stop, USAGE]), "text x | usage 10 | done Stop"),
        ("no [DONE]", sse(&[&hello, &stop]), "text 你好， | usage estimated | done Stop"),
        ("no line end at the end", sse(&[&hello, &stop]).trim_end().to_owned(), "text 你好， | usage estimated | done Stop"),
        ("[DONE] without a reason", sse(&[&hello, "[DONE]"]), "text 你好， | usage estimated | done Stop"),
        ("cut without a reason", sse(&[&hello, &world]), "text 你好，world | error truncated"),
        ("cut inside an event", sse(&[&hello]) + "data: {\"choices\":[{\"del", "text 你好， | error bad_response"),
        ("nothing at all", String::new(), "error bad_response"),
        ("only comments", ": ping\n\n".into(), "error truncated"),
        // Usage.
        ("usage glued to the last chunk", sse(&[&hello, r#"{"choices":[{"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":7,"completion_tokens":3}}"#]), "text 你好， | usage 10 | done Stop"),
        ("usage in every chunk", sse(&[r#"{"choices":[{"delta":{"content":"a"}}],"usage":{"prompt_tokens":7,"completion_tokens":1}}"#, r#"{"choices":[{"delta":{"content":"b"},"finish_reason":"stop"}],"usage":{"prompt_tokens":7,"completion_tokens":2}}"#]), "text ab | usage 9 | done Stop"),
        ("usage null and in the choice", sse(&[r#"{"choices":[{"delta":{"content":"a"},"usage":null}],"usage":null}"#, r#"{"choices":[{"delta":{},"finish_reason":"stop","usage":{"prompt_tokens":7,"completion_tokens":3}}]}"#]), "text a | usage 10 | done Stop"),
        // Errors in a 200.
        ("error object in the stream", sse(&[&hello, r#"{"error":{"message":"overloaded","code":503}}"#]), "text 你好， | error unavailable"),
        ("error text in the stream", sse(&[r#"{"error":"rate limit reached"}"#]), "error rate_limited"),
        ("bare error line", sse(&[&hello]) + "{\"object\":\"error\",\"message\":\"boom\",\"code\":400}\n", "text 你好， | error bad_request"),
        ("error object as a whole body", r#"{"error":{"message":"no","type":"invalid_request_error"}}"#.into(), "error bad_request"),
        ("tools refused in a 200", r#"{"error":{"message":"m does not support tools"}}"#.into(), "error tools_unsupported"),
        ("null error is none", sse(&[r#"{"error":null,"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}"#]), "text a | usage estimated | done Stop"),
        ("a proxy's page", "\n<!DOCTYPE html><html><title>Sign in</title></html>".into(), "error bad_response"),
        ("JSON of something else", r#"{"status":"ok"}"#.into(), "error bad_response"),
        // Finish reasons.
        ("length", text(&["cut of"], "length"), "text cut of | usage estimated | done Length"),
        ("max_tokens in capitals", text(&["cut"], "MAX_TOKENS"), "text cut | usage estimated | done Length"),
        ("content filter", text(&["I "], "content_filter"), "text I  | error content_filtered"),
        ("aborted", text(&["I "], "abort"), "text I  | error unavailable"),
        ("unknown reason", text(&["I "], "because"), "text I  | error bad_response"),
        ("stop with calls", calls(&[r#"{"index":0,"id":"c1","function":{"name":"search","arguments":"{}"}}"#], "stop"), "call search {} | usage estimated | done ToolCalls"),
        ("tool_calls without calls", text(&["hello"], "tool_calls"), "text hello | usage estimated | done Stop"),
        ("tool_calls with nothing", text(&[], "tool_calls"), "error empty"),
        ("calls cut by length are none", calls(&[r#"{"index":0,"id":"c1","function":{"name":"search","arguments":"{\"a\":1}"}}"#], "length"), "usage estimated | done Length"),
        // Tool calls.
        ("arguments in pieces", calls(&[r#"{"index":0,"id":"c1","type":"function","function":{"name":"search","arguments":""}}"#, r#"{"index":0,"function":{"arguments":"{\"te"}}"#, r#"{"index":0,"function":{"arguments":"xt\":\"a\"}"}}"#], "tool_calls"), r#"call search {"text":"a"} | usage estimated | done ToolCalls"#),
        ("two interleaved", calls(&[r#"{"index":0,"id":"c1","function":{"name":"search","arguments":"{\"a\""}}"#, r#"{"index":1,"id":"c2","function":{"name":"query_order","arguments":"{\"b\""}}"#, r#"{"index":0,"function":{"arguments":":1}"}}"#, r#"{"index":1,"function":{"arguments":":2}"}}"#], "tool_calls"), r#"call search {"a":1} | call query_order {"b":2} | usage estimated | done ToolCalls"#),
        ("no index, whole calls", calls(&[r#"{"id":"","function":{"name":"search","arguments":"{\"a\":1}"}}"#, r#"{"id":"","function":{"name":"search","arguments":"{\"a\":2}"}}"#], "stop"), r#"call search {"a":1} | call search {"a":2} | usage estimated | done ToolCalls"#),
        ("index always 0 with new ids", calls(&[r#"{"index":0,"id":"c1","function":{"name":"search","arguments":"{\"a\":1}"}}"#, r#"{"index":0,"id":"c2","function":{"name":"search","arguments":"{\"a\":2}"}}"#], "tool_calls"), r#"call search {"a":1} | call search {"a":2} | usage estimated | done ToolCalls"#),
        ("two of one index in a chunk", calls(&[r#"{"index":0,"id":"c1","function":{"name":"search","arguments":"{\"a\""}},{"index":0,"function":{"arguments":":1}"}}"#], "tool_calls"), r#"call search {"a":1} | usage estimated | done ToolCalls"#),
        ("index drifts without id", calls(&[r#"{"index":0,"id":"c1","function":{"name":"search","arguments":"{\"a\""}}"#, r#"{"index":1,"function":{"arguments":":1"}}"#, r#"{"index":2,"function":{"arguments":"}"}}"#], "tool_calls"), r#"call search {"a":1} | usage estimated | done ToolCalls"#),
        ("id and name in every delta", calls(&[r#"{"index":0,"id":"c1","function":{"name":"search","arguments":"{\"a\""}}"#, r#"{"index":0,"id":"c1","function":{"name":"search","arguments":":1}"}}"#, r#"{"index":0,"id":"c1","function":{"name":"search","arguments":""}}"#], "tool_calls"), r#"call search {"a":1} | usage estimated | done ToolCalls"#),
        ("name in pieces", calls(&[r#"{"index":0,"id":"c1","function":{"name":"query_"}}"#, r#"{"index":0,"function":{"name":"order"}}"#, r#"{"index":0,"function":{"arguments":"{}"}}"#], "tool_calls"), "call query_order {} | usage estimated | done ToolCalls"),
        ("arguments as an object, digits kept", calls(&[r#"{"index":0,"id":"c1","function":{"name":"search","arguments":{"id":100234567890123456789}}}"#], "tool_calls"), r#"call search {"id":100234567890123456789} | usage estimated | done ToolCalls"#),
        ("empty arguments", calls(&[r#"{"index":0,"id":"c1","function":{"name":"search","arguments":""}}"#], "tool_calls"), "call search {} | usage estimated | done ToolCalls"),
        ("null arguments and null id", calls(&[r#"{"index":0,"id":null,"function":{"name":"search","arguments":null}}"#], "tool_calls"), "call search {} | usage estimated | done ToolCalls"),
        ("an empty object first", calls(&[r#"{"index":0,"id":"c1","function":{"name":"search","arguments":"{}"}}"#, r#"{"index":0,"function":{"arguments":"{\"a\":1}"}}"#], "tool_calls"), r#"call search {"a":1} | usage estimated | done ToolCalls"#),
        ("one delta as an object", sse(&[&delta(r#"{"tool_calls":{"id":"c1","function":{"name":"search","arguments":"{}"}}}"#), &finish("tool_calls")]), "call search {} | usage estimated | done ToolCalls"),
        ("legacy function_call", sse(&[&delta(r#"{"function_call":{"name":"search","arguments":"{\"a\":"}}"#), &delta(r#"{"function_call":{"arguments":"1}"}}"#), &finish("function_call")]), r#"call search {"a":1} | usage estimated | done ToolCalls"#),
        ("text and a call", sse(&[&hello, &delta(r#"{"tool_calls":[{"index":0,"id":"c1","function":{"name":"search","arguments":"{}"}}]}"#), &finish("tool_calls")]), "text 你好， | call search {} | usage estimated | done ToolCalls"),
        // Calls as text.
        ("a tagged call in the text", text(&["Let me look. ", "<tool_", "call>{\"name\":\"search\",", "\"arguments\":{}}</tool_call>"], "stop"), "text Let me look.  | call search {} | usage estimated | done ToolCalls"),
        ("a fenced call in the text", text(&["`", "``json\n{\"na", "me\": \"search\", \"arguments\": {\"text\": \"red\"}}\n```"], "stop"), r#"call search {"text":"red"} | usage estimated | done ToolCalls"#),
        ("a call in doubled braces", text(&["{{\"", "name\": \"search\", \"arguments\": {}}", "}"], "stop"), "call search {} | usage estimated | done ToolCalls"),
        ("fenced code is text", text(&["```py\nprint({'a': 1})\n", "```"], "stop"), "text ```py\\nprint({'a': 1})\\n``` | usage estimated | done Stop"),
        ("JSON of an unknown name is text", text(&["{\"name\": \"Nike\", ", "\"arguments\": {}}"], "stop"), r#"text {"name": "Nike", "arguments": {}} | usage estimated | done Stop"#),
        ("a native call wins over text", sse(&[&delta(r#"{"content":"{\"name\":\"search\",\"arguments\":{}}"}"#), &delta(r#"{"tool_calls":[{"index":0,"id":"c1","function":{"name":"search","arguments":"{}"}}]}"#), &finish("stop")]), r#"text {"name":"search","arguments":{}} | call search {} | usage estimated | done ToolCalls"#),
        // Reasoning.
        ("reasoning_content, first empty", sse(&[&delta(r#"{"role":"assistant","content":null,"reasoning_content":""}"#), &delta(r#"{"reasoning_content":"hm"}"#), &hello, &stop]), "thought hm | text 你好， | usage estimated | done Stop"),
        ("reasoning", sse(&[&delta(r#"{"reasoning":"hm"}"#), &hello, &stop]), "thought hm | text 你好， | usage estimated | done Stop"),
        ("reasoning only is no answer", sse(&[&delta(r#"{"reasoning_content":"I should refund"}"#), &stop]), "thought I should refund | error empty"),
        ("a call in the reasoning never runs", sse(&[&delta(r#"{"reasoning_content":"<tool_call>{\"name\":\"search\",\"arguments\":{}}</tool_call>"}"#), &stop]), r#"thought <tool_call>{"name":"search","arguments":{}}</tool_call> | error empty"#),
        ("think block", text(&["<thi", "nk>\nhm {\"name\":\"search\",\"arguments\":{}}</th", "ink>\n\nhello"], "stop"), "thought \\nhm {\"name\":\"search\",\"arguments\":{}} | text hello | usage estimated | done Stop"),
        ("the opening mark was in the prompt", text(&["I think ", "so</think>", "yes"], "stop"), "text I think  | restarted | thought so | text yes | usage estimated | done Stop"),
        ("an open think block is no answer", text(&["<think>hm"], "stop"), "thought hm | error empty"),
        ("parts with thinking", sse(&[&delta(r#"{"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},{"type":"text","text":"yes"}]}"#), &stop]), "thought hm | text yes | usage estimated | done Stop"),
        // No stream.
        ("one JSON object", r#"{"choices":[{"message":{"role":"assistant","content":"hello","reasoning_content":"hm"},"finish_reason":"stop"}],"usage":{"prompt_tokens":7,"completion_tokens":3}}"#.into(), "thought hm | text hello | usage 10 | done Stop"),
        ("one JSON object with calls", "  {\"choices\":[{\"message\":{\"content\":null,\"tool_calls\":[{\"id\":\"c1\",\"type\":\"function\",\"function\":{\"name\":\"search\",\"arguments\":\"{}\"}}]},\"finish_reason\":\"tool_calls\"}]}".into(), "call search {} | usage estimated | done ToolCalls"),
    ]
}

#[test]
fn every_oddity_gives_its_events() {
    let mut wrong = Vec::new();
    let all = oddities();
    for (name, bytes, wanted) in &all {
        let got = shown(&decode(bytes.as_bytes(), &[]));
        if got != *wanted {
            wrong.push(format!("{name}\n  got    {got}\n  wanted {wanted}"));
        }
    }
    println!("oddities: {} of {} right", all.len() - wrong.len(), all.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_cut_at_any_byte_changes_nothing() {
    for (name, bytes, _) in oddities() {
        let whole = decode(bytes.as_bytes(), &[]);
        for cut in 0..bytes.len() {
            assert_eq!(decode(bytes.as_bytes(), &[cut]), whole, "{name} cut at {cut}");
        }
        let every: Vec<usize> = (1..bytes.len()).collect();
        assert_eq!(decode(bytes.as_bytes(), &every), whole, "{name} byte by byte");
    }
}

#[test]
fn a_stream_ends_in_exactly_one_of_done_or_error_wherever_it_breaks() {
    for (name, bytes, _) in oddities() {
        for end in 0..=bytes.len() {
            let mut decoder = Decoder::new(options(false));
            let mut events = decoder.push(&bytes.as_bytes()[..end]);
            let broken = ModelError::Unavailable { status: None, retry_after: None, detail: "reset".into() };
            events.extend(decoder.end(Some(broken)));
            let ends = events.iter().filter(|event| matches!(event, Err(_) | Ok(ChatEvent::Done(_)))).count();
            assert_eq!(ends, 1, "{name} broken at {end}: {events:?}");
            assert!(matches!(events.last(), Some(Err(_) | Ok(ChatEvent::Done(_)))), "{name} broken at {end}");
            assert!(decoder.end(None).is_empty() && decoder.push(b"data: x\n\n").is_empty());
        }
    }
}

#[test]
fn a_reset_before_the_first_token_says_so_and_after_it_says_truncated() {
    let broken = || Some(ModelError::Unavailable { status: None, retry_after: None, detail: "reset".into() });
    let mut before = Decoder::new(options(false));
    assert!(matches!(before.end(broken())[..], [Err(ModelError::Unavailable { .. })]));
    let mut after = Decoder::new(options(false));
    drop(after.push(sse(&[&delta(r#"{"content":"a"}"#)]).as_bytes()));
    assert!(after.shown());
    assert!(matches!(after.end(broken())[..], [Err(ModelError::Truncated { .. })]));
}

#[test]
fn a_model_known_to_begin_in_its_thoughts_shows_nothing_of_them() {
    let run = |bytes: String| {
        let mut decoder = Decoder::new(options(true));
        let mut events = decoder.push(bytes.as_bytes());
        events.extend(decoder.end(None));
        shown(&events)
    };
    let thought = run(text(&["I think ", "so</think>", "\nyes"], "stop"));
    assert_eq!(thought, "thought I think so | text yes | usage estimated | done Stop");
    let answer = run(text(&["a whole ", "answer"], "stop"));
    assert_eq!(answer, "text a whole answer | usage estimated | done Stop");
}

#[test]
fn a_call_quoted_among_words_is_none_where_calls_come_in_the_protocol() {
    let run = |pieces: &[&str]| {
        let mut decoder = Decoder::new(DecoderOptions { calls_natively: true, ..options(false) });
        let mut events = decoder.push(text(pieces, "stop").as_bytes());
        events.extend(decoder.end(None));
        shown(&events)
    };
    let call = r#"<tool_call>{"name":"search","arguments":{}}</tool_call>"#;
    assert_eq!(
        run(&["One review says: ", call]),
        format!("text One review says: {call} | usage estimated | done Stop")
    );
    assert_eq!(run(&[call, " says a review"]), format!("text {call} says a review | usage estimated | done Stop"));
    assert_eq!(run(&[call]), "call search {} | usage estimated | done ToolCalls");
}

#[test]
fn without_tools_nothing_is_a_call() {
    let mut decoder = Decoder::new(DecoderOptions::default());
    let mut events = decoder.push(text(&["{\"name\":\"search\",\"arguments\":{}}"], "stop").as_bytes());
    events.extend(decoder.end(None));
    assert!(matches!(events.last(), Some(Ok(ChatEvent::Done(FinishReason::Stop)))));
}

proptest! {
    #[test]
    fn any_cuts_give_the_same_events(which in 0usize..64, mut cuts in proptest::collection::vec(0usize..4_000, 0..12)) {
        let all = oddities();
        let (_, bytes, _) = &all[which % all.len()];
        cuts.retain(|&cut| cut <= bytes.len());
        cuts.sort_unstable();
        prop_assert_eq!(decode(bytes.as_bytes(), &cuts), decode(bytes.as_bytes(), &[]));
    }

    #[test]
    fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let mut decoder = Decoder::new(options(false));
        drop(decoder.push(b"data: "));
        drop(decoder.push(&bytes));
        drop(decoder.end(None));
    }
}
