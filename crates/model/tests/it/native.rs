//! Anthropic Messages and Gemini, by hand-made cases in the form their documentation gives.

use mercer_model::native::{NativeChat, NativeDecoder};
use mercer_model::settings::{Price, Timeouts};
use mercer_model::{
    ChatEvent, ChatReply, ChatRequest, Echo, Endpoint, FinishReason, Fold, ImageData, ImagePart, Message, ModelError,
    ToolCall, ToolChoice, ToolDef, Wire, complete,
};
use serde_json::{Value, json};

use crate::server::{Server, Step, chunk, response, stream_head};

fn search() -> ToolDef {
    ToolDef {
        name: "search".into(),
        description: "Search.".into(),
        parameters: json!({"type": "object", "properties": {"text": {"type": "string"}}, "additionalProperties": false}),
    }
}

fn ask() -> ChatRequest {
    ChatRequest::new("test", vec![Message::system("Be brief."), Message::user("red shoes?")]).with_tools(vec![search()])
}

fn endpoint(wire: Wire, url: &str) -> Endpoint {
    Endpoint {
        wire: Some(wire),
        ..Endpoint::new(if wire == Wire::Gemini { "gemini-2.5-flash" } else { "claude-sonnet-4-5" }, url)
    }
}

type Events = Vec<Result<ChatEvent, ModelError>>;

/// All events of a body that arrives in these pieces, texts joined so that the cut does not matter.
fn decode(wire: Wire, body: &[u8], cuts: &[usize]) -> Events {
    let mut decoder = NativeDecoder::new(wire, &ask()).unwrap();
    let mut events = Vec::new();
    let mut from = 0;
    for &to in cuts.iter().chain(std::iter::once(&body.len())) {
        events.extend(decoder.push(&body[from..to]));
        from = to;
    }
    events.extend(decoder.end(None));
    events
}

/// Adds text to the last part when that is of the same kind.
fn fold(parts: &mut Vec<String>, kind: &str, text: &str) {
    match parts.last_mut().filter(|last| last.starts_with(kind)) {
        Some(last) => last.push_str(text),
        None => parts.push(format!("{kind}{text}")),
    }
}

/// Events in a line.
fn shown(events: &Events) -> String {
    let mut parts: Vec<String> = Vec::new();
    for event in events {
        match event {
            Ok(ChatEvent::Text(text)) => fold(&mut parts, "text ", text),
            Ok(ChatEvent::Reasoning(text)) => fold(&mut parts, "thought ", text),
            Ok(ChatEvent::ToolCall(call)) => {
                let echo = call.echo.as_ref().map_or(String::new(), |echo| format!(" echo {}", echo.state));
                parts.push(format!("call {} {}{echo}", call.name, call.arguments));
            }
            Ok(ChatEvent::Usage(usage)) if usage.estimated => parts.push("usage estimated".into()),
            Ok(ChatEvent::Usage(u)) => parts.push(format!(
                "usage {}+{} cached {} thought {}",
                u.prompt_tokens, u.completion_tokens, u.cached_tokens, u.reasoning_tokens
            )),
            Ok(ChatEvent::Done(reason)) => parts.push(format!("done {reason:?}")),
            Ok(other) => parts.push(format!("{other:?}")),
            Err(error) => parts.push(format!("error {}", error.kind())),
        }
    }
    parts.join(" | ")
}

fn named(events: &[Value]) -> String {
    events.iter().map(|event| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap())).collect()
}

fn plain(events: &[Value]) -> String {
    events.iter().map(|event| format!("data: {event}\r\n\r\n")).collect()
}

fn start() -> Value {
    json!({"type": "message_start", "message": {"id": "msg_1", "role": "assistant", "content": [], "usage": {"input_tokens": 20, "cache_read_input_tokens": 100, "cache_creation_input_tokens": 5, "output_tokens": 1}}})
}

fn stop(reason: &str) -> [Value; 2] {
    [
        json!({"type": "message_delta", "delta": {"stop_reason": reason}, "usage": {"output_tokens": 30}}),
        json!({"type": "message_stop"}),
    ]
}

#[expect(clippy::needless_pass_by_value, reason = "the cases read better without references")]
fn block(index: u64, block: Value, deltas: &[Value]) -> Vec<Value> {
    let mut events = vec![json!({"type": "content_block_start", "index": index, "content_block": block})];
    events.extend(deltas.iter().map(|delta| json!({"type": "content_block_delta", "index": index, "delta": delta})));
    events.push(json!({"type": "content_block_stop", "index": index}));
    events
}

fn message(blocks: Vec<Vec<Value>>, reason: &str) -> String {
    let all: Vec<Value> = std::iter::once(start())
        .chain([json!({"type": "ping"})])
        .chain(blocks.into_iter().flatten())
        .chain(stop(reason))
        .collect();
    named(&all)
}

fn words(index: u64, pieces: &[&str]) -> Vec<Value> {
    let deltas: Vec<Value> = pieces.iter().map(|piece| json!({"type": "text_delta", "text": piece})).collect();
    block(index, json!({"type": "text", "text": ""}), &deltas)
}

fn thinking(index: u64) -> Vec<Value> {
    block(
        index,
        json!({"type": "thinking", "thinking": "", "signature": ""}),
        &[
            json!({"type": "thinking_delta", "thinking": "Let me "}),
            json!({"type": "thinking_delta", "thinking": "look."}),
            json!({"type": "signature_delta", "signature": "EqQB"}),
        ],
    )
}

fn tool(index: u64, id: &str, pieces: &[&str]) -> Vec<Value> {
    let deltas: Vec<Value> =
        pieces.iter().map(|piece| json!({"type": "input_json_delta", "partial_json": piece})).collect();
    block(index, json!({"type": "tool_use", "id": id, "name": "search", "input": {}}), &deltas)
}

const USED: &str = "usage 125+30 cached 100 thought 0";

/// A name, a body, and the events that must come of it.
fn anthropic() -> Vec<(&'static str, String, String)> {
    let error = json!({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}});
    let redacted = block(1, json!({"type": "redacted_thinking", "data": "EmwK"}), &[]);
    let whole = json!({"type": "message", "role": "assistant", "content": [{"type": "text", "text": "hi"}, {"type": "tool_use", "id": "t", "name": "search", "input": {"id": 12345}}], "stop_reason": "tool_use", "usage": {"input_tokens": 7, "output_tokens": 3}});
    vec![
        (
            "text",
            message(vec![words(0, &["你好", "，world"])], "end_turn"),
            format!("text 你好，world | {USED} | done Stop"),
        ),
        (
            "a call in pieces, digits kept",
            message(
                vec![words(0, &["I look."]), tool(1, "t1", &["", "{\"id\":1002345678", "90123456789}"])],
                "tool_use",
            ),
            format!("text I look. | call search {{\"id\":100234567890123456789}} | {USED} | done ToolCalls"),
        ),
        (
            "two calls and no arguments",
            message(vec![tool(0, "t1", &[]), tool(1, "t1", &["{}"])], "tool_use"),
            format!("call search {{}} | call search {{}} | {USED} | done ToolCalls"),
        ),
        (
            "signed thoughts go with the call",
            message(vec![thinking(0), redacted, words(2, &["So."]), tool(3, "t1", &["{}"])], "tool_use"),
            format!(
                "thought Let me look. | text So. | call search {{}} echo {} | {USED} | done ToolCalls",
                json!([{"type": "thinking", "thinking": "Let me look.", "signature": "EqQB"}, {"type": "redacted_thinking", "data": "EmwK"}])
            ),
        ),
        (
            "thoughts and an answer",
            message(vec![thinking(0), words(1, &["Yes."])], "end_turn"),
            format!("thought Let me look. | text Yes. | {USED} | done Stop"),
        ),
        (
            "thoughts only are no answer",
            message(vec![thinking(0)], "end_turn"),
            "thought Let me look. | error empty".into(),
        ),
        (
            "cut by the limit: no call",
            message(vec![words(0, &["So"]), tool(1, "t1", &["{\"a\":"])], "max_tokens"),
            format!("text So | {USED} | done Length"),
        ),
        ("refused", message(vec![words(0, &["I "])], "refusal"), "text I  | error content_filtered".into()),
        (
            "the context is full",
            message(vec![words(0, &["I "])], "model_context_window_exceeded"),
            format!("text I  | {USED} | done Length"),
        ),
        ("paused", message(vec![words(0, &["I "])], "pause_turn"), "text I  | error unavailable".into()),
        ("overloaded in the stream", named(&[start(), error]), "error unavailable".into()),
        ("cut off", named(&[start()]) + &named(&words(0, &["half"])), "text half | error truncated".into()),
        (
            "unknown events and blocks are passed over",
            named(&[json!({"type": "future_event"})])
                + &message(
                    vec![
                        block(
                            0,
                            json!({"type": "server_tool_use", "id": "s"}),
                            &[json!({"type": "input_json_delta", "partial_json": "{"})],
                        ),
                        words(1, &["ok"]),
                    ],
                    "end_turn",
                ),
            format!("text ok | {USED} | done Stop"),
        ),
        (
            "without a stream",
            whole.to_string(),
            "text hi | call search {\"id\":12345} | usage 7+3 cached 0 thought 0 | done ToolCalls".into(),
        ),
        ("a proxy's page", "<html><title>Sign in</title></html>".into(), "error bad_response".into()),
        ("nothing", String::new(), "error bad_response".into()),
        ("an event that is not JSON", "event: x\ndata: {\"type\":\n\n".into(), "error bad_response".into()),
    ]
}

#[expect(clippy::needless_pass_by_value, reason = "the cases read better without references")]
fn piece(parts: Value, reason: Option<&str>) -> Value {
    let mut candidate = json!({"content": {"role": "model", "parts": parts}, "index": 0});
    if let Some(reason) = reason {
        candidate["finishReason"] = reason.into();
    }
    json!({"candidates": [candidate], "usageMetadata": {"promptTokenCount": 12, "candidatesTokenCount": 8, "thoughtsTokenCount": 5, "cachedContentTokenCount": 3}})
}

fn gemini() -> Vec<(&'static str, String, String)> {
    const USED: &str = "usage 12+13 cached 3 thought 5";
    let call = |args: &str, more: &str| -> String {
        format!("{{\"functionCall\":{{\"name\":\"search\",\"args\":{args}{more}}}}}")
    };
    let raw = |parts: &str, reason: &str| {
        format!(
            "data: {{\"candidates\":[{{\"content\":{{\"parts\":[{parts}]}},\"finishReason\":\"{reason}\"}}],\"usageMetadata\":{{\"promptTokenCount\":12,\"candidatesTokenCount\":8,\"thoughtsTokenCount\":5,\"cachedContentTokenCount\":3}}}}\n\n"
        )
    };
    vec![
        (
            "text",
            plain(&[piece(json!([{"text": "你"}]), None), piece(json!([{"text": "好"}]), Some("STOP"))]),
            format!("text 你好 | {USED} | done Stop"),
        ),
        (
            "a call, digits kept",
            raw(&call("{\"id\":100234567890123456789}", ""), "STOP"),
            format!("call search {{\"id\":100234567890123456789}} | {USED} | done ToolCalls"),
        ),
        (
            "two calls, the first signed",
            raw(
                &format!(
                    "{{\"functionCall\":{{\"name\":\"search\",\"args\":{{}},\"id\":\"f1\"}},\"thoughtSignature\":\"CsQ=\"}},{}",
                    call("{\"text\":\"a\"}", "")
                ),
                "STOP",
            ),
            format!(
                "call search {{}} echo {} | call search {{\"text\":\"a\"}} | {USED} | done ToolCalls",
                json!({"id": "f1", "thoughtSignature": "CsQ="})
            ),
        ),
        (
            "thoughts are apart",
            plain(&[
                piece(json!([{"text": "Hm", "thought": true}]), None),
                piece(json!([{"text": "Yes", "thoughtSignature": "x"}]), Some("STOP")),
            ]),
            format!("thought Hm | text Yes | {USED} | done Stop"),
        ),
        (
            "thoughts only are no answer",
            plain(&[piece(json!([{"text": "Hm", "thought": true}]), Some("STOP"))]),
            "thought Hm | error empty".into(),
        ),
        (
            "cut by the limit",
            plain(&[piece(json!([{"text": "So"}]), Some("MAX_TOKENS"))]),
            format!("text So | {USED} | done Length"),
        ),
        ("safety", plain(&[piece(json!([{"text": "I "}]), Some("SAFETY"))]), "text I  | error content_filtered".into()),
        ("a malformed call", plain(&[piece(json!([]), Some("MALFORMED_FUNCTION_CALL"))]), "error unavailable".into()),
        (
            "the prompt is blocked",
            plain(&[json!({"promptFeedback": {"blockReason": "SAFETY"}})]),
            "error content_filtered".into(),
        ),
        ("cut off", plain(&[piece(json!([{"text": "half"}]), None)]), "text half | error truncated".into()),
        (
            "an error in the stream",
            plain(&[json!({"error": {"code": 503, "message": "overloaded", "status": "UNAVAILABLE"}})]),
            "error unavailable".into(),
        ),
        (
            "a list in place of a stream",
            json!([piece(json!([{"text": "a"}]), None), piece(json!([{"text": "b"}]), Some("STOP"))]).to_string(),
            format!("text ab | {USED} | done Stop"),
        ),
        ("one object", piece(json!([{"text": "a"}]), Some("STOP")).to_string(), format!("text a | {USED} | done Stop")),
        ("a proxy's page", "<html></html>".into(), "error bad_response".into()),
    ]
}

#[test]
fn every_case_gives_its_events() {
    let mut wrong = Vec::new();
    for (wire, cases) in [(Wire::Anthropic, anthropic()), (Wire::Gemini, gemini())] {
        for (name, body, wanted) in cases {
            let got = shown(&decode(wire, body.as_bytes(), &[]));
            if got != wanted {
                wrong.push(format!("{wire}: {name}\n  got    {got}\n  wanted {wanted}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn cuts_change_nothing_and_a_broken_stream_ends_once() {
    for (wire, cases) in [(Wire::Anthropic, anthropic()), (Wire::Gemini, gemini())] {
        for (name, body, _) in cases {
            let whole = shown(&decode(wire, body.as_bytes(), &[]));
            for cut in 0..body.len() {
                assert_eq!(shown(&decode(wire, body.as_bytes(), &[cut])), whole, "{wire}: {name} cut at {cut}");
                let mut decoder = NativeDecoder::new(wire, &ask()).unwrap();
                let mut events = decoder.push(&body.as_bytes()[..cut]);
                events.extend(decoder.end(Some(ModelError::Unavailable {
                    status: None,
                    retry_after: None,
                    detail: "reset".into(),
                })));
                let ends = events.iter().filter(|e| matches!(e, Err(_) | Ok(ChatEvent::Done(_)))).count();
                assert_eq!(ends, 1, "{wire}: {name} broken at {cut}: {events:?}");
            }
        }
    }
}

fn picture() -> ImagePart {
    ImagePart { media_type: "image/png".into(), data: ImageData::Bytes(vec![1, 2, 3].into()), id: None }
}

fn reply(wire: Wire, body: &str) -> ChatReply {
    let mut fold = Fold::default();
    decode(wire, body.as_bytes(), &[]).into_iter().for_each(|event| fold.push(event.unwrap()));
    fold.finish().unwrap()
}

#[test]
fn a_conversation_goes_to_anthropic_with_pictures_calls_results_and_signed_thoughts() {
    let said = reply(
        Wire::Anthropic,
        &message(
            vec![
                thinking(0),
                words(1, &["I look. "]),
                tool(2, "t:1", &["{\"id\":100234567890123456789}"]),
                tool(3, "t2", &["{}"]),
            ],
            "tool_use",
        ),
    );
    let mut request = ask();
    request.messages[1] = Message::user("this?").with_image(picture());
    request.messages.push(said.to_message());
    request.messages.extend([Message::tool("t:1", "{\"n\":1}"), Message::tool("t2", "no"), Message::user("and blue?")]);
    (request.temperature, request.stop, request.tool_choice) =
        (Some(0.2), vec!["Observation:".into()], ToolChoice::Required);
    let model =
        NativeChat::new(&endpoint(Wire::Anthropic, "https://api.anthropic.com"), reqwest_client(), Timeouts::default());
    let sent = model.request(&request);
    assert_eq!(sent.url, "https://api.anthropic.com/v1/messages");
    assert!(sent.body.contains("\"input\":{\"id\":100234567890123456789}"), "{}", sent.body);
    let plain = sent.body.replace("100234567890123456789", "1");
    let body: Value = serde_json::from_str(&plain).unwrap();
    assert_eq!(
        body["messages"],
        json!([
            {"role": "user", "content": [{"type": "text", "text": "this?"}, {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AQID"}}]},
            {"role": "assistant", "content": [
                {"type": "thinking", "thinking": "Let me look.", "signature": "EqQB"},
                {"type": "text", "text": "I look."},
                {"type": "tool_use", "id": "t_1", "name": "search", "input": {"id": 1}},
                {"type": "tool_use", "id": "t2", "name": "search", "input": {}},
            ]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "t_1", "content": [{"type": "text", "text": "{\"n\":1}"}]},
                {"type": "tool_result", "tool_use_id": "t2", "content": [{"type": "text", "text": "no"}]},
                {"type": "text", "text": "and blue?"},
            ]},
        ])
    );
    assert_eq!(body["system"][0]["text"], "Be brief.");
    assert_eq!(body["tools"][0]["input_schema"]["properties"]["text"]["type"], "string");
    assert_eq!(
        (&body["tool_choice"], &body["stop_sequences"], &body["temperature"]),
        (&json!({"type": "any"}), &json!(["Observation:"]), &json!(0.2))
    );

    let thinks = Endpoint { thinking: Some(2_000), ..endpoint(Wire::Anthropic, "https://x.example/anthropic/v1/?a=b") };
    let sent = NativeChat::new(&thinks, reqwest_client(), Timeouts::default()).request(&request);
    let body: Value = serde_json::from_str(&sent.body.replace("100234567890123456789", "1")).unwrap();
    assert_eq!(sent.url, "https://x.example/anthropic/v1/messages?a=b");
    assert_eq!((&body["thinking"]["budget_tokens"], &body["max_tokens"]), (&json!(2_000), &json!(6_096)));
    assert!(body.get("temperature").is_none() && body.get("tool_choice").is_none(), "both are refused with thinking");
}

#[test]
fn a_conversation_goes_to_gemini_with_pictures_calls_results_and_signatures() {
    let body = plain(&[piece(
        json!([{"functionCall": {"name": "search", "args": {"text": "red"}, "id": "f1"}, "thoughtSignature": "CsQ="}, {"functionCall": {"name": "search", "args": {}}}]),
        Some("STOP"),
    )]);
    let said = reply(Wire::Gemini, &body);
    let ids: Vec<String> = said.tool_calls.iter().map(|call| call.id.clone()).collect();
    assert!(ids[0] == "f1" && !ids[1].is_empty() && ids[1] != "f1");
    let mut request = ask();
    request.messages[1] = Message::user("this?").with_image(picture());
    request.messages.push(said.to_message());
    request.messages.extend([Message::tool(&ids[0], "{\"n\":1}"), Message::tool(&ids[1], "nothing")]);
    request.tool_choice = ToolChoice::Tool("search".into());
    let model = NativeChat::new(
        &Endpoint { thinking: Some(512), ..endpoint(Wire::Gemini, "https://g.example/v1beta") },
        reqwest_client(),
        Timeouts::default(),
    );
    let sent = model.request(&request);
    assert_eq!(sent.url, "https://g.example/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse");
    let body: Value = serde_json::from_str(&sent.body).unwrap();
    assert_eq!(
        body,
        json!({
            "systemInstruction": {"parts": [{"text": "Be brief."}]},
            "contents": [
                {"role": "user", "parts": [{"text": "this?"}, {"inlineData": {"mimeType": "image/png", "data": "AQID"}}]},
                {"role": "model", "parts": [
                    {"functionCall": {"id": "f1", "name": "search", "args": {"text": "red"}}, "thoughtSignature": "CsQ="},
                    {"functionCall": {"name": "search", "args": {}}},
                ]},
                {"role": "user", "parts": [
                    {"functionResponse": {"id": "f1", "name": "search", "response": {"n": 1}}},
                    {"functionResponse": {"name": "search", "response": {"result": "nothing"}}},
                ]},
            ],
            "tools": [{"functionDeclarations": [{"name": "search", "description": "Search.", "parametersJsonSchema": search().parameters}]}],
            "toolConfig": {"functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": ["search"]}},
            "generationConfig": {"thinkingConfig": {"thinkingBudget": 512, "includeThoughts": true}},
        })
    );
}

#[test]
fn what_one_provider_signed_goes_to_no_other() {
    let mut call = ToolCall::new("c1", "search", "{}");
    call.echo = Some(Echo { wire: Wire::Gemini, state: json!({"thoughtSignature": "SECRET-OF-GEMINI"}) });
    let mut request = ask();
    request.messages.push(Message::assistant("").with_tool_calls(vec![call]));
    request.messages.push(Message::tool("c1", "x"));
    let anthropic =
        NativeChat::new(&endpoint(Wire::Anthropic, "https://a.example"), reqwest_client(), Timeouts::default());
    assert!(!anthropic.request(&request).body.contains("SECRET-OF-GEMINI"));
    let stored = serde_json::to_string(&request.messages).unwrap();
    let back: Vec<Message> = serde_json::from_str(&stored).unwrap();
    assert_eq!(back, request.messages, "the echo survives being stored");
    let old: ToolCall = serde_json::from_value(json!({"id": "c", "name": "n", "arguments": "{}"})).unwrap();
    assert_eq!(old, ToolCall::new("c", "n", "{}"), "calls stored before there were echoes are read");
}

fn reqwest_client() -> reqwest::Client {
    mercer_model::http::client(&mercer_model::http::HttpSettings::default()).unwrap()
}

#[tokio::test]
async fn keys_go_in_the_providers_own_headers_and_replies_are_priced() {
    let body = message(vec![words(0, &["hi"])], "end_turn");
    let server = Server::start(vec![vec![stream_head(), chunk(&body), Step::Hang]]).await;
    let price = Price::new("USD", "3", Some("0.3"), "15").unwrap();
    let endpoint = Endpoint { price: Some(price), ..endpoint(Wire::Anthropic, &server.url).with_key("k-secret") };
    let model = NativeChat::new(&endpoint, reqwest_client(), Timeouts::default());
    let reply = complete(&model, ask()).await.unwrap();
    // 25 × 3 + 100 × 0.3 + 30 × 15 = 555 millionths of a dollar.
    assert_eq!((reply.text.as_str(), reply.usage.cost.unwrap().nanos), ("hi", 555_000));
    let head = &server.requests()[0].to_lowercase();
    assert!(
        head.starts_with("post /v1/messages ")
            && head.contains("x-api-key: k-secret")
            && head.contains("anthropic-version: 2023-06-01"),
        "{head}"
    );

    let body = plain(&[piece(json!([{"text": "hi"}]), Some("STOP"))]);
    let server = Server::start(vec![response("200 OK", "", &body)]).await;
    let model = NativeChat::new(
        &self::endpoint(Wire::Gemini, &server.url).with_key("k-secret"),
        reqwest_client(),
        Timeouts::default(),
    );
    assert_eq!(complete(&model, ask()).await.unwrap().finish, FinishReason::Stop);
    let head = server.requests()[0].to_lowercase();
    assert!(
        head.starts_with("post /v1/models/gemini-2.5-flash:streamgeneratecontent?alt=sse ")
            && head.contains("x-goog-api-key: k-secret"),
        "{head}"
    );
}

#[tokio::test]
async fn refusals_of_both_are_of_our_kinds() {
    let gemini = r#"{"error":{"code":429,"message":"Quota exceeded","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"34s"}]}}"#;
    for (wire, status, body, wanted) in [
        (
            Wire::Anthropic,
            "529 Overloaded",
            r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#,
            "unavailable Overloaded",
        ),
        (
            Wire::Anthropic,
            "401 Unauthorized",
            r#"{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}"#,
            "auth invalid x-api-key",
        ),
        (
            Wire::Anthropic,
            "400 Bad Request",
            r#"{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}"#,
            "context_too_long prompt is too long",
        ),
        (Wire::Gemini, "429 Too Many Requests", gemini, "rate_limited Quota exceeded"),
        (
            Wire::Gemini,
            "400 Bad Request",
            r#"[{"error":{"code":400,"message":"API key not valid","status":"INVALID_ARGUMENT"}}]"#,
            "bad_request API key not valid",
        ),
    ] {
        let server = Server::start(vec![response(status, "", body)]).await;
        let model = NativeChat::new(&endpoint(wire, &server.url), reqwest_client(), Timeouts::default());
        let error = complete(&model, ask()).await.unwrap_err();
        let (kind, words) = wanted.split_once(' ').unwrap();
        assert!(error.kind() == kind && error.to_string().contains(words), "{wanted}: {error:?}");
        if kind == "rate_limited" {
            assert_eq!(error.retry_after(), Some(std::time::Duration::from_secs(34)));
        }
    }
    let blind = Endpoint { tools: Some(false), ..endpoint(Wire::Gemini, "http://127.0.0.1:1") };
    let error = complete(&NativeChat::new(&blind, reqwest_client(), Timeouts::default()), ask()).await.unwrap_err();
    assert!(matches!(error, ModelError::ToolsUnsupported { .. }), "{error:?}");
}
