//! A tiny HTTP server that does what it is told, faults included.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// What happens on a connection after its request was read, step by step; then it is closed.
#[derive(Debug, Clone)]
pub(crate) enum Step {
    Send(String),
    Wait(Duration),
    Hang,
}

#[derive(Debug)]
pub(crate) struct Server {
    pub(crate) url: String,
    requests: Arc<Mutex<Vec<String>>>,
    task: JoinHandle<()>,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Server {
    /// Plays one script a connection; connections after the last are closed at once.
    pub(crate) async fn start(scripts: Vec<Vec<Step>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let requests = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&requests);
        let task = tokio::spawn(async move {
            let mut connections = tokio::task::JoinSet::new();
            let mut scripts = scripts.into_iter();
            while let Ok((stream, _)) = listener.accept().await {
                connections.spawn(serve(stream, scripts.next().unwrap_or_default(), Arc::clone(&seen)));
            }
        });
        Self { url, requests, task }
    }

    /// The requests so far: head and body.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }

    /// The bodies of the requests so far.
    pub(crate) fn bodies(&self) -> Vec<serde_json::Value> {
        let body = |request: &String| serde_json::from_str(request.split_once("\r\n\r\n").unwrap().1).unwrap();
        self.requests().iter().map(body).collect()
    }
}

async fn serve(mut stream: TcpStream, script: Vec<Step>, seen: Arc<Mutex<Vec<String>>>) {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let text = String::from_utf8_lossy(&bytes);
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head
                .to_lowercase()
                .split("content-length: ")
                .nth(1)
                .map_or(0, |rest| rest.split("\r\n").next().unwrap().parse().unwrap());
            if body.len() >= length {
                break;
            }
        }
        match stream.read(&mut buffer).await {
            Ok(n) if n > 0 => bytes.extend_from_slice(&buffer[..n]),
            _ => return,
        }
    }
    seen.lock().unwrap().push(String::from_utf8_lossy(&bytes).into_owned());
    for step in script {
        match step {
            Step::Send(text) => {
                if stream.write_all(text.as_bytes()).await.is_err() {
                    return;
                }
            }
            Step::Wait(time) => tokio::time::sleep(time).await,
            Step::Hang => std::future::pending().await,
        }
    }
}

/// A whole response.
pub(crate) fn response(status: &str, headers: &str, body: &str) -> Vec<Step> {
    vec![Step::Send(format!(
        "HTTP/1.1 {status}\r\n{headers}content-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    ))]
}

/// The head of an event stream without an announced end.
pub(crate) fn stream_head() -> Step {
    Step::Send("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n".into())
}

/// One chunk of it.
pub(crate) fn chunk(data: &str) -> Step {
    Step::Send(format!("{:x}\r\n{data}\r\n", data.len()))
}

/// A delta with this text.
pub(crate) fn delta(text: &str) -> String {
    format!("data: {}\n\n", serde_json::json!({"choices": [{"delta": {"content": text}}]}))
}

/// A good answer in a stream.
pub(crate) fn answer(text: &str) -> Vec<Step> {
    let end = "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
    vec![stream_head(), chunk(&delta(text)), chunk(end), Step::Send("0\r\n\r\n".into())]
}
