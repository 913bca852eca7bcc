//! The HTTP client: rustls with the ring provider, proxies from the environment, bounded connecting.

use std::time::Duration;

use futures::future::BoxFuture;
use futures::{FutureExt as _, StreamExt as _};

use super::{HttpRequest, HttpResponse, Transport};
use crate::error::{ModelError, Phase};
use crate::settings::Timeouts;

/// How the client connects.
#[derive(Debug, Clone)]
pub struct HttpSettings {
    /// Reaching a server.
    pub connect_timeout: Duration,
    /// How the program names itself.
    pub user_agent: String,
}

impl Default for HttpSettings {
    fn default() -> Self {
        let user_agent = concat!("mercer/", env!("CARGO_PKG_VERSION")).to_owned();
        Self { connect_timeout: Timeouts::default().connect, user_agent }
    }
}

/// Makes the client. TLS is rustls with ring; nothing has to be installed beforehand.
///
/// # Errors
/// [`ModelError::Setting`] when the TLS provider or a proxy setting cannot be used.
pub fn client(settings: &HttpSettings) -> Result<reqwest::Client, ModelError> {
    // Somebody else in the process may have installed a provider already, which is as good.
    let installed = rustls::crypto::ring::default_provider().install_default();
    if installed.is_err() && rustls::crypto::CryptoProvider::get_default().is_none() {
        return Err(ModelError::Setting { setting: "tls".into(), detail: "no provider could be installed".into() });
    }
    reqwest::Client::builder()
        .connect_timeout(settings.connect_timeout)
        .user_agent(&settings.user_agent)
        .redirect(reqwest::redirect::Policy::none())
        .build()
        .map_err(|error| ModelError::Setting { setting: "http client".into(), detail: error.to_string() })
}

/// Requests over the network.
#[derive(Debug, Clone)]
pub(crate) struct Http {
    pub(crate) client: reqwest::Client,
    pub(crate) connect_timeout: Duration,
}

/// An error of the client, without the address and with its causes.
fn failed(error: reqwest::Error, connect_timeout: Duration) -> ModelError {
    if error.is_connect() && error.is_timeout() {
        return ModelError::Timeout { which: Phase::Connect, limit: connect_timeout };
    }
    let error = error.without_url();
    let mut detail = error.to_string();
    let mut cause = std::error::Error::source(&error);
    while let Some(inner) = cause {
        detail = format!("{detail}: {inner}");
        cause = inner.source();
    }
    ModelError::Unavailable { status: None, retry_after: None, detail }
}

impl Transport for Http {
    fn post(&self, request: HttpRequest) -> BoxFuture<'static, Result<HttpResponse, ModelError>> {
        let Self { client, connect_timeout } = self.clone();
        async move {
            let mut builder = client.post(&request.url).header("content-type", "application/json");
            for (name, value) in &request.headers {
                builder = builder.header(*name, value.reveal());
            }
            let sent = builder.body(request.body).send().await;
            let response = sent.map_err(|error| failed(error, connect_timeout))?;
            let header = response.headers().get("retry-after").and_then(|value| value.to_str().ok());
            let retry_after = header.map(str::to_owned);
            let status = response.status().as_u16();
            let body = response.bytes_stream().map(move |bytes| bytes.map_err(|error| failed(error, connect_timeout)));
            Ok(HttpResponse { status, retry_after, body: body.boxed() })
        }
        .boxed()
    }
}
