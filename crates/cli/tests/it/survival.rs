//! `kill -9` in the middle of an answer, and a second process on the same folder.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use serde_json::{Value, json};

use crate::program::{PATIENCE, Place};

const FIRST: &str = "I am glad to help you with that. ";
const REST: &str = "Which colour do you like most?";

/// A model's server that holds its answers back after the first sentence until it is told otherwise.
struct Slow {
    base: String,
    patient: Arc<AtomicBool>,
    asked: Arc<AtomicUsize>,
}

impl Slow {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}/v1", listener.local_addr().unwrap());
        let (patient, asked) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
        let (lets_go, counts) = (Arc::clone(&patient), Arc::clone(&asked));
        std::thread::spawn(move || {
            let mut held = Vec::new();
            for connection in listener.incoming() {
                let mut connection = connection.unwrap();
                read_request(&mut connection);
                counts.fetch_add(1, Ordering::SeqCst);
                let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
                connection.write_all(format!("{head}{}", piece(FIRST, None)).as_bytes()).unwrap();
                if lets_go.load(Ordering::SeqCst) {
                    let rest = format!("{}{}data: [DONE]\n\n", piece(REST, None), piece("", Some("stop")));
                    connection.write_all(rest.as_bytes()).unwrap();
                } else {
                    connection.write_all(piece("Which", None).as_bytes()).unwrap();
                    held.push(connection);
                }
            }
        });
        Self { base, patient, asked }
    }
}

fn piece(text: &str, finish: Option<&str>) -> String {
    let chunk = json!({"id": "c", "object": "chat.completion.chunk", "model": "slow",
        "choices": [{"index": 0, "delta": {"role": "assistant", "content": text}, "finish_reason": finish}]});
    format!("data: {chunk}\n\n")
}

fn read_request(connection: &mut TcpStream) {
    let mut read = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let count = connection.read(&mut buffer).unwrap();
        read.extend_from_slice(&buffer[..count]);
        let text = String::from_utf8_lossy(&read);
        let length = |head: &str| {
            head.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length:")?.trim().parse().ok())
        };
        match text.split_once("\r\n\r\n") {
            Some((head, body)) if body.len() >= length(head).unwrap_or(0) => return,
            _ if count == 0 => return,
            _ => {}
        }
    }
}

const THREAD: &str = "thread-that-lives";

fn said(id: &str, text: &str) -> Value {
    json!({"id": THREAD, "messages": [{"id": id, "role": "user", "parts": [{"type": "text", "text": text}]}]})
}

fn text(message: &Value) -> String {
    let parts = message["parts"].as_array().unwrap().iter().filter(|part| part["type"] == "text");
    parts.map(|part| part["text"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn an_answer_that_kill_9_cut_off_is_given_once_by_the_next_process_and_the_thread_goes_on() {
    let model = Slow::start();
    let place = Place::new().with("MERCER_MODEL", "slow").with("MERCER_MODEL_BASE_URL", &model.base);
    let shop = place.serve();
    let reader = shop.say_until(&said("msg-1", "hello"), "I am glad");
    let run = shop.json("/api/v1/runs")["items"][0]["id"].as_str().unwrap().to_owned();
    shop.kill();
    drop(reader);

    model.patient.store(true, Ordering::SeqCst);
    let shop = place.serve();
    let answered = async {
        let mut every = tokio::time::interval(std::time::Duration::from_millis(20));
        loop {
            every.tick().await;
            if shop.json(&format!("/api/v1/runs/{run}"))["status"] == "done" {
                break;
            }
        }
    };
    tokio::time::timeout(PATIENCE, answered).await.expect("the answer is not taken up again");
    let kept = shop.json(&format!("/api/v1/threads/{THREAD}/messages"));
    let messages = kept["messages"].as_array().unwrap();
    let ids: Vec<&str> = messages.iter().map(|message| message["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["msg-1", "ans_msg-1"], "one answer to one question");
    assert_eq!(text(&messages[1]), format!("{FIRST}{REST}"));
    assert_eq!(
        (&messages[1]["metadata"]["error"], &messages[1]["metadata"]["by_rules"]),
        (&Value::Null, &json!(false))
    );
    assert_eq!(shop.json("/api/v1/runs")["items"].as_array().unwrap().len(), 1);
    assert_eq!(model.asked.load(Ordering::SeqCst), 2);

    // A page that sends its message again after the break reads the same answer; and the conversation goes on.
    drop(shop.say_until(&said("msg-1", "hello"), "[DONE]"));
    assert_eq!(model.asked.load(Ordering::SeqCst), 2);
    drop(shop.say_until(&said("msg-2", "thank you"), "[DONE]"));
    let kept = shop.json(&format!("/api/v1/threads/{THREAD}/messages"));
    let ids: Vec<&Value> = kept["messages"].as_array().unwrap().iter().map(|message| &message["id"]).collect();
    assert_eq!(ids, ["msg-1", "ans_msg-1", "msg-2", "ans_msg-2"]);
}

#[test]
fn a_second_process_on_the_same_folder_is_refused_and_told_why() {
    let place = Place::new();
    let shop = place.serve();
    for command in [&["serve", "--listen", "127.0.0.1:0"][..], &["chat", "hello"], &["runs", "list"]] {
        let second = place.run(command);
        assert_eq!(second.code, Some(1), "{second:#?}");
        assert!(second.err.contains("in use by another Mercer"), "{second:#?}");
    }
    shop.kill();
    assert_eq!(place.run(&["chat", "hello"]).code, Some(0), "a killed process leaves no lock");
}
