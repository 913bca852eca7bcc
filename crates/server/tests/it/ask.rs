//! Requests and what comes back, as tests read them.

use std::pin::Pin;
use std::time::Duration;

use axum::body::{Body, BodyDataStream, Bytes};
use axum::http::{HeaderMap, HeaderName, Method, Request, Response, StatusCode};
use futures::StreamExt as _;
use serde_json::Value;
use tower::ServiceExt as _;

use crate::shop::Shop;

/// Nothing here takes this long unless it hangs.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);
const BOUNDARY: &str = "--------mercer-test-boundary";

/// A request in the making.
pub(crate) struct Ask {
    method: Method,
    path: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Ask {
    pub(crate) fn new(method: Method, path: impl Into<String>) -> Self {
        Self { method, path: path.into(), headers: Vec::new(), body: Vec::new() }
    }

    pub(crate) fn get(path: impl Into<String>) -> Self {
        Self::new(Method::GET, path)
    }

    pub(crate) fn post(path: impl Into<String>) -> Self {
        Self::new(Method::POST, path)
    }

    pub(crate) fn delete(path: impl Into<String>) -> Self {
        Self::new(Method::DELETE, path)
    }

    pub(crate) fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn key(self, secret: &str) -> Self {
        self.header("authorization", &format!("Bearer {secret}"))
    }

    pub(crate) fn json(mut self, body: &Value) -> Self {
        self.body = body.to_string().into_bytes();
        self.header("content-type", "application/json")
    }

    /// A form with one file.
    pub(crate) fn file(mut self, name: &str, content: &[u8]) -> Self {
        self.body = format!(
            "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\nContent-Type: application/octet-stream\r\n\r\n"
        )
        .into_bytes();
        self.body.extend_from_slice(content);
        self.body.extend_from_slice(format!("\r\n--{BOUNDARY}--\r\n").as_bytes());
        self.header("content-type", &format!("multipart/form-data; boundary={BOUNDARY}"))
    }

    /// Sends it and waits for the head of the answer.
    async fn send(self, shop: &Shop) -> Response<Body> {
        let mut request = Request::builder().method(self.method).uri(self.path);
        for (name, value) in self.headers {
            request = request.header(name.parse::<HeaderName>().unwrap(), value);
        }
        let answer = shop.router().oneshot(request.body(Body::from(self.body)).unwrap());
        tokio::time::timeout(PATIENCE, answer).await.expect("the server hangs").unwrap()
    }

    /// Sends it and waits for the whole answer.
    pub(crate) async fn of(self, shop: &Shop) -> Reply {
        let (head, body) = self.send(shop).await.into_parts();
        let body = axum::body::to_bytes(body, 64 << 20);
        let body = tokio::time::timeout(PATIENCE, body).await.expect("the answer does not end").unwrap();
        Reply { status: head.status, headers: head.headers, body }
    }

    /// Sends it and reads the answer as it comes.
    pub(crate) async fn live(self, shop: &Shop) -> Live {
        let (head, body) = self.send(shop).await.into_parts();
        assert_eq!(head.status, StatusCode::OK);
        Live { body: Box::pin(body.into_data_stream()), read: String::new() }
    }
}

/// A whole answer.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Reply {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map(|value| value.to_str().unwrap()).unwrap_or_default()
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    /// The body of an answer that went well.
    pub(crate) fn json(&self) -> Value {
        assert!(self.status.is_success(), "{}: {}", self.status, self.text());
        serde_json::from_slice(&self.body).unwrap()
    }

    /// The code and the sentence of an answer that did not go well.
    pub(crate) fn problem(&self) -> (String, String) {
        assert!(!self.status.is_success(), "{}: {}", self.status, self.text());
        assert_eq!(self.header("content-type"), "application/problem+json", "{}", self.text());
        let body: Value = serde_json::from_slice(&self.body).unwrap();
        let code = body["code"].as_str().unwrap().to_owned();
        assert_eq!(body["status"], self.status.as_u16());
        assert_eq!(body["type"], format!("/docs/errors/{code}"));
        let detail = body["detail"].as_str().unwrap().to_owned();
        assert!(detail.len() > 20 && !detail.contains("/tmp/") && !detail.contains("src/"), "{detail}");
        (code, detail)
    }

    /// The problem's code.
    pub(crate) fn code(&self) -> String {
        self.problem().0
    }

    /// The events of a stream.
    pub(crate) fn events(&self) -> Vec<Sent> {
        assert!(self.header("content-type").starts_with("text/event-stream"), "{}", self.text());
        self.text().split("\n\n").filter_map(Sent::read).collect()
    }
}

/// A server-sent event.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Sent {
    pub(crate) id: Option<String>,
    pub(crate) event: Option<String>,
    pub(crate) data: String,
}

impl Sent {
    fn read(block: &str) -> Option<Self> {
        let field = |name: &str| block.lines().find_map(|line| Some(line.strip_prefix(name)?.trim_start().to_owned()));
        assert!(block.lines().filter(|line| line.starts_with("data:")).count() <= 1, "data is one line: {block}");
        Some(Self { id: field("id:"), event: field("event:"), data: field("data:")? })
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.data).unwrap()
    }
}

/// An answer that is still coming.
pub(crate) struct Live {
    body: Pin<Box<BodyDataStream>>,
    read: String,
}

impl Live {
    /// The next event; `None` at the end.
    pub(crate) async fn next(&mut self) -> Option<Sent> {
        loop {
            if let Some((block, rest)) = self.read.split_once("\n\n") {
                let sent = Sent::read(block);
                self.read = rest.to_owned();
                match sent {
                    Some(sent) => return Some(sent),
                    None => continue,
                }
            }
            let more = tokio::time::timeout(PATIENCE, self.body.next()).await.expect("the stream stands still");
            self.read.push_str(std::str::from_utf8(&more?.unwrap()).unwrap());
        }
    }

    /// Reads on until an event holds; it is the last of those returned.
    pub(crate) async fn until(&mut self, holds: impl Fn(&Sent) -> bool) -> Vec<Sent> {
        let mut seen = Vec::new();
        while let Some(sent) = self.next().await {
            seen.push(sent);
            if seen.last().is_some_and(&holds) {
                return seen;
            }
        }
        panic!("the stream ended before: {seen:#?}");
    }

    /// Reads to the end.
    pub(crate) async fn rest(&mut self) -> Vec<Sent> {
        let mut seen = Vec::new();
        while let Some(sent) = self.next().await {
            seen.push(sent);
        }
        seen
    }
}

/// Looks until something is there.
pub(crate) async fn eventually<T>(what: &str, mut look: impl AsyncFnMut() -> Option<T>) -> T {
    let looking = async {
        let mut every = tokio::time::interval(Duration::from_millis(5));
        loop {
            every.tick().await;
            if let Some(found) = look().await {
                return found;
            }
        }
    };
    tokio::time::timeout(PATIENCE, looking).await.unwrap_or_else(|_late| panic!("waited in vain for {what}"))
}
