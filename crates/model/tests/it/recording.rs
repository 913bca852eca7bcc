//! Recordings: what was recorded is replayed byte for byte, requests are matched, secrets are not in them.

use std::sync::Arc;

use mercer_model::http::{Body, HttpSettings, Recorder, Recording, Replay, Transport, client, find_secret};
use mercer_model::openai::OpenAiChat;
use mercer_model::settings::Timeouts;
use mercer_model::{ChatRequest, Endpoint, FinishReason, Message, ModelError, complete};

use mercer_model::probe::conversation;

use crate::server::{Server, chunk, delta, stream_head};

fn ask(text: &str) -> ChatRequest {
    ChatRequest::new("test", vec![Message::user(text)])
}

fn endpoint(url: &str) -> Endpoint {
    Endpoint::new("m", url).with_key("a-plain-looking-key")
}

#[tokio::test]
async fn what_is_recorded_is_replayed_and_another_request_is_not_answered() {
    let end = "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
    let server = Server::start(vec![vec![stream_head(), chunk(&delta("你好 a-plain-looking-key")), chunk(end)]]).await;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hello.json");
    let live = OpenAiChat::new(&endpoint(&server.url), client(&HttpSettings::default()).unwrap(), Timeouts::default());
    let recorder = Recorder::new(live.transport(), &path);
    let recorded = OpenAiChat::over(&endpoint(&server.url), Arc::new(recorder), Timeouts::default());
    let said = "hi, my key is sk-abcdefghijklmnopqrstuvwxyz";
    let first = complete(&recorded, ask(said)).await.unwrap();
    assert_eq!(first.text, "你好 a-plain-looking-key");

    let text = std::fs::read_to_string(&path).unwrap();
    assert!(!text.contains("a-plain-looking-key") && find_secret(&text).is_none(), "{text}");
    let replay = Arc::new(Replay::parse(&text).unwrap());
    let transport = Arc::clone(&replay) as Arc<dyn Transport>;
    let replayed = OpenAiChat::over(&endpoint("http://elsewhere/v1"), Arc::clone(&transport), Timeouts::default());
    let second = complete(&replayed, ask(said)).await.unwrap();
    assert_eq!((second.text.as_str(), replay.left()), ("你好 [redacted]", 0));

    let other =
        OpenAiChat::over(&endpoint("http://x/v1"), Arc::new(Replay::parse(&text).unwrap()), Timeouts::default());
    let error = complete(&other, ask("something else")).await.unwrap_err();
    assert!(
        matches!(&error, ModelError::BadResponse { detail } if detail.contains("another request was recorded")),
        "{error}"
    );
}

/// The conversation of `mercer record`, on a recording of it.
#[tokio::test]
async fn a_small_real_model_that_writes_its_calls_as_text_is_understood() {
    let text = include_str!("../recordings/llama-cpp-qwen2.5-coder-1.5b.json");
    let replay = Arc::new(Replay::parse(text).unwrap());
    let endpoint = Endpoint::new("qwen2.5-coder-1.5b", "http://127.0.0.1/v1");
    let model = OpenAiChat::over(&endpoint, Arc::clone(&replay) as Arc<dyn Transport>, Timeouts::default());
    let replies = conversation(&model).await.unwrap();
    assert_eq!(replies[0].text, "你好，世界！");
    assert_eq!((replies[0].usage.prompt_tokens, replies[0].usage.estimated), (34, false));
    for reply in &replies[1..] {
        assert_eq!((reply.text.as_str(), reply.finish), ("", FinishReason::ToolCalls));
        assert_eq!(reply.tool_calls[0].name, "search_products");
        assert_eq!(reply.tool_calls[0].arguments, r#"{"text":"red running shoes"}"#);
    }
    assert_eq!((replies.len(), replay.left()), (3, 0));
}

#[test]
fn a_piece_cut_inside_a_character_keeps_its_bytes() {
    let bytes = &"好".as_bytes()[..2];
    assert!(matches!(Body::new(bytes), Body::Base64(_)));
    assert_eq!(Body::new(bytes).bytes().unwrap(), bytes);
}

#[test]
fn secrets_are_known_by_their_form() {
    for secret in [
        "sk-proj-abcdefghijklmnop1234",
        "Bearer abcdefghijklmnop",
        "AIzaSyA1234567890abcdefghijklmnop",
        "gsk_abcdefghijklmnop123",
    ] {
        assert!(find_secret(&format!("{{\"x\":\"{secret}\"}}")).is_some(), "{secret}");
    }
    for text in ["a task-oriented-approach-here", "sk-short", "Bearer of news", "disk-formatting-is-dangerous-now"] {
        assert_eq!(find_secret(text), None, "{text}");
    }
}

#[test]
fn no_recording_in_the_repository_holds_a_secret() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/recordings");
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(find_secret(&text), None, "{}", path.display());
        let recording: Recording = serde_json::from_str(&text).unwrap();
        assert!(recording.version == 1 && !recording.exchanges.is_empty(), "{}", path.display());
        seen += 1;
    }
    assert!(seen > 0);
}
