//! The adapter over a real socket, with the faults of real servers.

use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt as _;
use mercer_model::http::{HttpSettings, client};
use mercer_model::openai::OpenAiChat;
use mercer_model::settings::Timeouts;
use mercer_model::{
    ChatEvent, ChatModel, ChatRequest, Endpoint, FinishReason, ImageData, ImagePart, Message, ModelError, Phase,
    Support, ToolCall, ToolChoice, ToolDef, complete,
};
use serde_json::json;

use crate::server::{Server, Step, answer, chunk, delta, response, stream_head};

fn timeouts() -> Timeouts {
    let ms = Duration::from_millis;
    Timeouts { connect: ms(5_000), first_token: ms(1_500), idle: ms(1_000), total: ms(5_000) }
}

pub(crate) fn model(server: &Server) -> OpenAiChat {
    let endpoint = Endpoint::new("test-model", &server.url).with_key("sk-very-secret-key-123456");
    OpenAiChat::new(&endpoint, client(&HttpSettings::default()).unwrap(), timeouts())
}

fn ask() -> ChatRequest {
    ChatRequest::new("test", vec![Message::system("Be brief."), Message::user("hi")])
}

fn with_tools() -> ChatRequest {
    let parameters = json!({"type": "object", "properties": {"text": {"type": "string"}}});
    ask().with_tools(vec![ToolDef { name: "search".into(), description: "Search.".into(), parameters }])
}

async fn fails(steps: Vec<Step>) -> ModelError {
    let server = Server::start(vec![steps]).await;
    let error = complete(&model(&server), ask()).await.unwrap_err();
    for shown in [error.to_string(), error.operator(), format!("{error:?}"), serde_json::to_string(&error).unwrap()] {
        assert!(!shown.contains("very-secret"), "{shown}");
    }
    error
}

#[tokio::test]
async fn a_request_carries_the_key_the_conversation_and_the_tools() {
    let server = Server::start(vec![answer("hello")]).await;
    let mut request = with_tools();
    request.temperature = Some(0.7);
    request.max_tokens = Some(100);
    request.tool_choice = ToolChoice::Tool("search".into());
    request.messages.push(Message::assistant("").with_tool_calls(vec![ToolCall::new(
        "c1",
        "search",
        "{\"text\": broken",
    )]));
    request.messages.push(Message::tool("c1", "[]"));
    request.messages.push(Message::system("Also: be kind."));
    request.messages.push(Message::user("and this?").with_image(ImagePart {
        media_type: "image/png".into(),
        data: ImageData::Bytes(Arc::from(*b"png")),
        id: Some("fil_1".into()),
    }));
    let reply = complete(&model(&server), request).await.unwrap();
    assert_eq!((reply.text.as_str(), reply.finish, reply.model.as_str()), ("hello", FinishReason::Stop, "test-model"));
    assert!(reply.usage.estimated && reply.usage.prompt_tokens > 800);

    let head = server.requests()[0].split_once("\r\n\r\n").unwrap().0.to_lowercase();
    assert!(head.starts_with("post /v1/chat/completions "), "{head}");
    assert!(head.contains("authorization: bearer sk-very-secret-key-123456") && head.contains("user-agent: mercer/"));
    assert_eq!(
        server.bodies()[0],
        json!({
            "model": "test-model",
            "messages": [
                {"role": "system", "content": "Be brief.\n\nAlso: be kind."},
                {"role": "user", "content": "hi"},
                {"role": "assistant", "content": null, "tool_calls": [
                    {"id": "c1", "type": "function", "function": {"name": "search", "arguments": "{}"}}]},
                {"role": "tool", "tool_call_id": "c1", "content": "[]"},
                {"role": "user", "content": [
                    {"type": "text", "text": "and this?"},
                    {"type": "image_url", "image_url": {"url": "data:image/png;base64,cG5n"}}]},
            ],
            "stream": true,
            "stream_options": {"include_usage": true},
            "tools": [{"type": "function", "function": {"name": "search", "description": "Search.",
                "parameters": {"type": "object", "properties": {"text": {"type": "string"}}}}}],
            "tool_choice": {"type": "function", "function": {"name": "search"}},
            "max_tokens": 100,
            "temperature": 0.7,
        })
    );
}

#[tokio::test]
async fn refusals_keep_what_the_server_asks_for_and_no_key() {
    let limited = fails(response(
        "429 Too Many Requests",
        "retry-after: 7\r\n",
        r#"{"error":{"message":"slow down sk-very-secret-key-123456"}}"#,
    ))
    .await;
    assert!(
        matches!(&limited, ModelError::RateLimited { retry_after: Some(wait), .. } if wait.as_secs() == 7),
        "{limited:?}"
    );
    let date = "retry-after: Mon, 30 Nov 2099 12:00:00 GMT\r\n";
    let busy = fails(response("503 Service Unavailable", date, "<html><title>Busy</title>")).await;
    assert!(matches!(&busy, ModelError::Unavailable { status: Some(503), retry_after: Some(_), .. }), "{busy:?}");
    assert!(matches!(
        fails(response("529 Overloaded", "", "")).await,
        ModelError::Unavailable { status: Some(529), .. }
    ));
    assert!(matches!(fails(response("401 Unauthorized", "", "{}")).await, ModelError::Auth { status: 401, .. }));
    let page = fails(response("200 OK", "content-type: text/html\r\n", "<!doctype html><title>Sign in</title>")).await;
    assert!(page.to_string().contains("web page titled \"Sign in\""), "{page}");
}

#[tokio::test]
async fn waits_end_with_the_wait_that_was_too_long() {
    let which = |error: ModelError| match error {
        ModelError::Timeout { which, .. } => which,
        other => panic!("{other:?}"),
    };
    assert_eq!(which(fails(vec![Step::Hang]).await), Phase::FirstToken);
    assert_eq!(which(fails(vec![stream_head(), chunk(": ping\n\n"), Step::Hang]).await), Phase::FirstToken);
    assert_eq!(which(fails(vec![stream_head(), chunk(&delta("a")), Step::Hang]).await), Phase::Idle);
    let trickle = (0..80).flat_map(|_| [chunk(&delta("a")), Step::Wait(Duration::from_millis(100))]);
    assert_eq!(which(fails(std::iter::once(stream_head()).chain(trickle).collect()).await), Phase::Total);
}

#[tokio::test]
async fn a_server_that_keeps_the_connection_open_after_its_reason_is_not_waited_for() {
    let end = "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n";
    let server = Server::start(vec![vec![stream_head(), chunk(&delta("a")), chunk(end), Step::Hang]]).await;
    assert_eq!(complete(&model(&server), ask()).await.unwrap().text, "a");
}

#[tokio::test]
async fn a_broken_connection_is_unavailable_before_the_first_token_and_truncated_after_it() {
    assert!(matches!(fails(vec![]).await, ModelError::Unavailable { status: None, .. }));
    assert!(matches!(fails(vec![stream_head()]).await, ModelError::Unavailable { .. }));
    assert!(matches!(fails(vec![stream_head(), chunk(&delta("We refund"))]).await, ModelError::Truncated { .. }));

    let nobody = Endpoint::new("m", "http://127.0.0.1:9/v1");
    let model = OpenAiChat::new(&nobody, client(&HttpSettings::default()).unwrap(), timeouts());
    assert!(matches!(complete(&model, ask()).await, Err(ModelError::Unavailable { .. })));
}

#[tokio::test]
async fn a_server_without_tools_is_found_out_once_and_remembered() {
    for (status, body) in [
        (
            "400 Bad Request",
            r#"{"error":{"message":"registry.ollama.ai/library/gemma3:4b does not support tools","type":"api_error"}}"#,
        ),
        (
            "400 Bad Request",
            r#"{"object":"error","message":"\"auto\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set","code":400}"#,
        ),
        (
            "500 Internal Server Error",
            r#"{"error":{"code":500,"message":"tools param requires --jinja flag","type":"server_error"}}"#,
        ),
    ] {
        let server = Server::start(vec![response(status, "", body), answer("plain")]).await;
        let model = model(&server);
        assert_eq!(model.capabilities().tools, Support::Unknown);
        for _ in 0..2 {
            assert!(matches!(complete(&model, with_tools()).await, Err(ModelError::ToolsUnsupported { .. })), "{body}");
        }
        assert_eq!(model.capabilities().tools, Support::Unsupported);
        assert_eq!(server.requests().len(), 1, "the second time nothing is sent");
        assert_eq!(complete(&model, ask()).await.unwrap().text, "plain");
    }
}

#[tokio::test]
async fn a_server_that_ignores_tools_is_found_out_when_a_call_was_demanded() {
    let server = Server::start(vec![answer("no"), answer("no")]).await;
    let model = model(&server);
    let demand = || ChatRequest { tool_choice: ToolChoice::Required, ..with_tools() };
    for _ in 0..2 {
        assert_eq!(complete(&model, demand()).await.unwrap().text, "no");
    }
    assert_eq!(model.capabilities().tools, Support::Unsupported);
}

#[tokio::test]
async fn a_call_in_the_text_shows_that_tools_work() {
    let server =
        Server::start(vec![answer("```json\n{\"name\": \"search\", \"arguments\": {\"text\": \"red\"}}\n```")]).await;
    let model = model(&server);
    let reply = complete(&model, with_tools()).await.unwrap();
    assert_eq!((reply.text.as_str(), reply.finish), ("", FinishReason::ToolCalls));
    assert_eq!(reply.tool_calls[0].arguments, r#"{"text":"red"}"#);
    assert_eq!(model.capabilities().tools, Support::Supported);
}

#[tokio::test]
async fn what_a_server_refuses_is_left_out_from_then_on() {
    let refusal = |words: &str| response("400 Bad Request", "", &json!({"error": {"message": words}}).to_string());
    let server = Server::start(vec![
        refusal("Extra inputs are not permitted: stream_options"),
        refusal("Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."),
        refusal("Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported."),
        refusal("Missing `reasoning_content` field in the assistant message at message index 1"),
        answer("one"),
        answer("two"),
    ])
    .await;
    let model = model(&server);
    let request = || ChatRequest {
        temperature: Some(0.2),
        max_tokens: Some(5),
        messages: vec![Message::user("a"), Message::assistant("b"), Message::user("c")],
        ..ask()
    };
    assert_eq!(complete(&model, request()).await.unwrap().text, "one");
    assert_eq!(complete(&model, request()).await.unwrap().text, "two");
    let bodies = server.bodies();
    assert_eq!(bodies.len(), 6);
    for body in &bodies[4..] {
        assert!(
            body.get("stream_options").is_none()
                && body.get("temperature").is_none()
                && body.get("max_tokens").is_none()
        );
        assert_eq!(
            (&body["max_completion_tokens"], &body["messages"][1]["reasoning_content"]),
            (&json!(5), &json!(""))
        );
    }
}

#[tokio::test]
async fn a_server_that_refuses_to_stream_is_asked_for_the_whole() {
    let refusal =
        response("400 Bad Request", "", r#"{"error":{"message":"Streaming is not supported for this model"}}"#);
    let whole = r#"{"choices":[{"message":{"content":"hello"},"finish_reason":"stop"}],"usage":{"prompt_tokens":2,"completion_tokens":1}}"#;
    // Slower than a first token may be: the whole answer has the whole time.
    let slow = std::iter::once(Step::Wait(Duration::from_millis(1_800))).chain(response("200 OK", "", whole)).collect();
    let server = Server::start(vec![refusal, slow]).await;
    let reply = complete(&model(&server), ask()).await.unwrap();
    assert_eq!((reply.text.as_str(), reply.usage.total()), ("hello", 3));
    assert_eq!(server.bodies()[1]["stream"], json!(false));
    assert!(server.bodies()[1].get("stream_options").is_none());
}

#[tokio::test]
async fn reasoning_is_echoed_in_the_field_it_came_in() {
    let chunks = "data: {\"choices\":[{\"delta\":{\"reasoning\":\"hm\",\"content\":\"yes\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
    let server = Server::start(vec![vec![stream_head(), chunk(chunks)], answer("again")]).await;
    let model = model(&server);
    let reply = complete(&model, ask()).await.unwrap();
    assert_eq!((reply.text.as_str(), reply.reasoning.as_deref()), ("yes", Some("hm")));
    let mut next = ask();
    next.messages.extend([reply.to_message(), Message::user("sure?")]);
    complete(&model, next).await.unwrap();
    assert_eq!(server.bodies()[1]["messages"][2], json!({"role": "assistant", "content": "yes", "reasoning": "hm"}));
}

#[tokio::test]
async fn nothing_is_sent_before_the_stream_is_polled_and_dropping_it_cancels() {
    let server = Server::start(vec![vec![stream_head(), chunk(&delta("a")), Step::Hang]]).await;
    let model = model(&server);
    drop(model.stream(ask()));
    assert!(server.requests().is_empty());
    let mut events = model.stream(ask());
    assert!(matches!(events.next().await, Some(Ok(ChatEvent::Started { .. }))));
    assert_eq!(events.next().await, Some(Ok(ChatEvent::Text("a".into()))));
    drop(events);
}
