//! Recordings: the exact bytes of requests and responses, without secrets, to be replayed in tests.
//!
//! A replay answers a request only when it is the next one recorded, byte for byte: a change in what we send is seen.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use futures::future::BoxFuture;
use futures::{FutureExt as _, StreamExt as _};
use serde::{Deserialize, Serialize};

use super::{HttpRequest, HttpResponse, Transport};
use crate::error::ModelError;

/// Exchanges with a server, in order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recording {
    /// The form of this file.
    pub version: u32,
    /// Requests with their responses.
    pub exchanges: Vec<Exchange>,
}

impl Default for Recording {
    fn default() -> Self {
        Self { version: 1, exchanges: Vec::new() }
    }
}

/// One request and what came back. Headers are not kept: they hold the key and nothing an answer depends on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exchange {
    /// The path of the address; the host is not kept.
    pub path: String,
    /// The request's body.
    pub request: String,
    /// HTTP status.
    pub status: u16,
    /// The `Retry-After` header.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<String>,
    /// The response's body, cut where the network cut it.
    pub response: Vec<Body>,
    /// How the body broke off, when it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub broken: Option<String>,
}

/// A piece of a body: text, or base64 where it is cut inside a character.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Body {
    /// UTF-8.
    Text(String),
    /// Anything.
    Base64(String),
}

impl Body {
    /// A piece from its bytes.
    #[must_use]
    pub fn new(bytes: &[u8]) -> Self {
        std::str::from_utf8(bytes)
            .map_or_else(|_invalid| Self::Base64(STANDARD.encode(bytes)), |text| Self::Text(text.to_owned()))
    }

    /// The bytes.
    ///
    /// # Errors
    /// When the base64 is none.
    pub fn bytes(&self) -> Result<Bytes, ModelError> {
        match self {
            Self::Text(text) => Ok(Bytes::copy_from_slice(text.as_bytes())),
            Self::Base64(text) => STANDARD.decode(text).map(Bytes::from).map_err(|error| unreadable(error.to_string())),
        }
    }
}

fn unreadable(detail: impl Into<String>) -> ModelError {
    ModelError::BadResponse { detail: format!("the recording: {}", detail.into()) }
}

fn path_of(url: &str) -> String {
    url::Url::parse(url).map_or_else(|_invalid| url.to_owned(), |url| url.path().to_owned())
}

/// What looks like a secret in a text: a key of a known form, or an authorisation header.
#[must_use]
pub fn find_secret(text: &str) -> Option<&str> {
    const FORMS: [(&str, usize); 10] = [
        ("sk-", 16),
        ("sk_", 16),
        ("xai-", 16),
        ("gsk_", 16),
        ("hf_", 16),
        ("AIza", 24),
        ("AKIA", 12),
        ("ghp_", 20),
        ("Bearer ", 12),
        ("eyJhbGciOi", 20),
    ];
    FORMS.iter().find_map(|(form, least)| {
        text.match_indices(form).find_map(|(at, _)| {
            // `task-…` and the like are words that only contain the form.
            let inside_word = text.get(..at)?.chars().next_back().is_some_and(char::is_alphanumeric);
            let rest = text.get(at + form.len()..)?;
            let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || "-_.".contains(c))).unwrap_or(rest.len());
            (!inside_word && end >= *least).then(|| text.get(at..at + form.len() + end))?
        })
    })
}

/// Replaces what looks like a secret.
pub(crate) fn scrub(text: &str) -> String {
    let mut text = text.to_owned();
    while let Some(secret) = find_secret(&text).map(str::to_owned) {
        text = text.replace(&secret, "[redacted]");
    }
    text
}

/// Sends requests on and writes them, with their responses, to a file.
#[derive(Debug)]
pub struct Recorder {
    inner: Arc<dyn Transport>,
    path: PathBuf,
    recording: Arc<Mutex<Recording>>,
}

impl Recorder {
    /// Records what goes through `inner` into the file, which is written anew after each exchange.
    #[must_use]
    pub fn new(inner: Arc<dyn Transport>, path: &Path) -> Self {
        Self { inner, path: path.to_owned(), recording: Arc::default() }
    }
}

/// An exchange going on. It is written down when it is dropped, for a reader may stop before the body does.
struct Unsaved {
    path: PathBuf,
    recording: Arc<Mutex<Recording>>,
    exchange: Option<Exchange>,
}

impl Unsaved {
    fn save(&self, exchange: Exchange) -> Result<(), ModelError> {
        let mut recording = self.recording.lock().unwrap_or_else(PoisonError::into_inner);
        recording.exchanges.push(exchange);
        let text = serde_json::to_string_pretty(&*recording).map_err(|error| unreadable(error.to_string()))?;
        let written = std::fs::write(&self.path, text);
        written.map_err(|error| unreadable(format!("{} cannot be written: {error}", self.path.display())))
    }
}

impl Drop for Unsaved {
    fn drop(&mut self) {
        if let Some(Err(error)) = self.exchange.take().map(|exchange| self.save(exchange)) {
            tracing::error!(%error, "an exchange was not recorded");
        }
    }
}

impl Transport for Recorder {
    fn post(&self, request: HttpRequest) -> BoxFuture<'static, Result<HttpResponse, ModelError>> {
        let (path, recording) = (self.path.clone(), Arc::clone(&self.recording));
        let keys: Vec<String> = request.headers.iter().map(|(_, value)| value.reveal().clone()).collect();
        let clean = move |text: &str| {
            let named = keys
                .iter()
                .filter(|key| key.len() > 4)
                .fold(text.to_owned(), |text, key| text.replace(key.trim_start_matches("Bearer "), "[redacted]"));
            scrub(&named)
        };
        let exchange = Exchange {
            path: path_of(&request.url),
            request: clean(&request.body),
            status: 0,
            retry_after: None,
            response: Vec::new(),
            broken: None,
        };
        let sent = self.inner.post(request);
        async move {
            let HttpResponse { status, retry_after, mut body } = sent.await?;
            let exchange = Exchange { status, retry_after: retry_after.clone(), ..exchange };
            let mut unsaved = Unsaved { path, recording, exchange: Some(exchange) };
            let body = async_stream::stream! {
                while let Some(piece) = body.next().await {
                    if let Some(exchange) = &mut unsaved.exchange {
                        match &piece {
                            Ok(bytes) => exchange.response.push(match Body::new(bytes) {
                                Body::Text(text) => Body::Text(clean(&text)),
                                cut @ Body::Base64(_) => cut,
                            }),
                            Err(error) => exchange.broken = Some(error.to_string()),
                        }
                    }
                    yield piece;
                }
            };
            Ok(HttpResponse { status, retry_after, body: body.boxed() })
        }
        .boxed()
    }
}

/// Answers from a recording.
#[derive(Debug)]
pub struct Replay {
    exchanges: Mutex<std::collections::VecDeque<Exchange>>,
}

impl Replay {
    /// Answers with the exchanges of this recording, in order.
    #[must_use]
    pub fn new(recording: Recording) -> Self {
        Self { exchanges: Mutex::new(recording.exchanges.into()) }
    }

    /// Reads the recording from its text.
    ///
    /// # Errors
    /// [`ModelError::BadResponse`] when it is none.
    pub fn parse(text: &str) -> Result<Self, ModelError> {
        serde_json::from_str(text).map(Self::new).map_err(|error| unreadable(error.to_string()))
    }

    /// How many exchanges were not asked for yet.
    #[must_use]
    pub fn left(&self) -> usize {
        self.exchanges.lock().unwrap_or_else(PoisonError::into_inner).len()
    }
}

impl Transport for Replay {
    fn post(&self, request: HttpRequest) -> BoxFuture<'static, Result<HttpResponse, ModelError>> {
        let next = self.exchanges.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        async move {
            let Exchange { path, request: body, status, retry_after, response, broken } =
                next.ok_or_else(|| unreadable("it has no further exchange"))?;
            if path != path_of(&request.url) || body != scrub(&request.body) {
                let detail = format!(
                    "another request was recorded.\n  recorded {path} {body}\n  sent     {} {}",
                    request.url, request.body
                );
                return Err(unreadable(detail));
            }
            let pieces = response.iter().map(Body::bytes).collect::<Vec<_>>().into_iter();
            let broken = broken.map(|detail| Err(ModelError::Unavailable { status: None, retry_after: None, detail }));
            let body = futures::stream::iter(pieces.chain(broken)).boxed();
            Ok(HttpResponse { status, retry_after, body })
        }
        .boxed()
    }
}
