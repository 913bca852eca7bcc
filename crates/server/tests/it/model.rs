//! A model's server that fails in each of the ways servers fail: the customer has the rules' answer, and it says that it is theirs.

use std::sync::Arc;
use std::time::Duration;

use mercer_model::Endpoint;
use mercer_model::http::HttpSettings;
use mercer_model::openai::OpenAiChat;
use mercer_model::settings::Timeouts;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use crate::ask::Ask;
use crate::shop::Shop;

const STREAM: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";

fn piece(text: &str) -> String {
    let chunk = json!({"id": "c", "object": "chat.completion.chunk", "model": "m",
        "choices": [{"index": 0, "delta": {"role": "assistant", "content": text}, "finish_reason": null}]});
    format!("data: {chunk}\n\n")
}

/// A server that answers each request with these bytes and closes, or never answers.
async fn server(answer: Option<String>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        let mut held = Vec::new();
        while let Ok((mut connection, _)) = listener.accept().await {
            let Some(answer) = answer.clone() else {
                held.push(connection);
                continue;
            };
            tokio::spawn(async move {
                read_request(&mut connection).await;
                connection.write_all(answer.as_bytes()).await.unwrap();
                connection.shutdown().await.unwrap();
            });
        }
    });
    format!("http://{address}/v1")
}

async fn read_request(connection: &mut tokio::net::TcpStream) {
    let mut read = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let count = connection.read(&mut buffer).await.unwrap();
        read.extend_from_slice(&buffer[..count]);
        let text = String::from_utf8_lossy(&read);
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length =
            head.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length:")?.trim().parse().ok());
        if count == 0 || body.len() >= length.unwrap_or(0) {
            return;
        }
    }
}

async fn asked(base: &str) -> Value {
    let limit = Duration::from_millis(300);
    let timeouts = Timeouts { connect: limit, first_token: limit, idle: limit, total: 4 * limit };
    let client = mercer_model::http::client(&HttpSettings::default()).unwrap();
    let model = OpenAiChat::new(&Endpoint::new("m", base), client, timeouts);
    let shop = Shop::with(Vec::new(), Some(Arc::new(model)));
    let ask = Ask::post("/api/v1/chat").header("accept", "application/json");
    let whole = ask.json(&json!({"message": "red dresses under 300"})).of(&shop).await.json();
    let kept = shop.messages(whole["thread_id"].as_str().unwrap()).await;
    let answer = &kept["messages"][1];
    assert_eq!(answer["metadata"]["by_rules"], true);
    let text = answer["parts"].as_array().unwrap().iter().find(|part| part["type"] == "text").unwrap();
    assert_eq!(text["text"], whole["response"], "what was taken back is not in the answer");
    whole
}

#[tokio::test]
async fn whatever_the_models_server_does_the_customer_has_a_true_answer_marked_as_made_by_rules() {
    let html = "<!doctype html><html><body>Sign in to the portal</body></html>";
    let page = format!("HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: {}\r\n\r\n{html}", html.len());
    let failing = "HTTP/1.1 500 Internal Server Error\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}";
    let stops = format!("{STREAM}{}", piece("The Golden Unicorn Gown costs "));
    let garbled = format!("{STREAM}data: {{\"choices\": [{{\"del\n\ndata: [DONE]\n\n");
    let empty = format!("{STREAM}data: [DONE]\n\n");
    for (what, answer) in [
        ("answers 500", Some(failing.to_owned())),
        ("answers a page", Some(page)),
        ("answers nothing", Some(String::new())),
        ("stops in the middle", Some(stops)),
        ("garbles its answer", Some(garbled)),
        ("says nothing", Some(empty)),
        ("hangs", None),
    ] {
        let base = server(answer).await;
        let whole = asked(&base).await;
        let reason = whole["fallback"]["reason"].as_str().unwrap_or_default();
        assert!(!reason.is_empty() && reason != "no_model" && reason != "internal", "a server that {what}: {reason}");
        assert_eq!(whole["products"][0]["id"], "d01", "a server that {what}");
        let response = whole["response"].as_str().unwrap();
        assert!(
            response.contains("Rose Midi Dress") && !response.contains("Unicorn"),
            "a server that {what}: {response}"
        );
        assert_eq!(whole["error"], Value::Null);
    }
}
