//! The one place that does IO: requests go out and bytes come back. Everything else in the adapters is pure.

mod client;
mod recording;

use std::fmt;

use bytes::Bytes;
use futures::future::BoxFuture;
use futures::stream::BoxStream;

pub use client::{HttpSettings, client};
pub use recording::{Body, Exchange, Recorder, Recording, Replay, find_secret};

pub(crate) use client::Http;
pub(crate) use recording::scrub;

use crate::error::ModelError;
use crate::redacted::Redacted;

/// Requests over the network with this client.
#[must_use]
pub fn over(client: reqwest::Client, connect_timeout: std::time::Duration) -> std::sync::Arc<dyn Transport> {
    std::sync::Arc::new(Http { client, connect_timeout })
}

/// A POST with a JSON body.
#[derive(Debug, Clone)]
pub struct HttpRequest {
    /// Where to.
    pub url: String,
    /// Header names and values; the secret ones show nothing.
    pub headers: Vec<(&'static str, Redacted<String>)>,
    /// JSON.
    pub body: String,
}

/// What came back: the head, and the body in pieces as they arrive.
pub struct HttpResponse {
    /// HTTP status.
    pub status: u16,
    /// The `Retry-After` header.
    pub retry_after: Option<String>,
    /// The body.
    pub body: BoxStream<'static, Result<Bytes, ModelError>>,
}

impl fmt::Debug for HttpResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpResponse").field("status", &self.status).finish_non_exhaustive()
    }
}

/// Sends requests: over the network, or from a recording.
pub trait Transport: Send + Sync + fmt::Debug {
    /// Sends the request and waits for the head of the response.
    fn post(&self, request: HttpRequest) -> BoxFuture<'static, Result<HttpResponse, ModelError>>;
}
