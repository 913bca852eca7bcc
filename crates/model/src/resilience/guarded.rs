//! One endpoint with everything around it: breaker, concurrency, tokens a minute, retries, ledger.

use std::sync::Arc;

use async_stream::stream;
use futures::future::BoxFuture;
use futures::{FutureExt as _, StreamExt as _};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::backoff::Retry;
use super::breaker::{Admission, Breaker, BreakerSettings};
use super::ledger::{Ledger, Open, Outcome};
use super::rate::Bucket;
use crate::chat::{Capabilities, ChatModel, ChatStream};
use crate::embedding::{EmbeddingModel, Embeddings};
use crate::error::ModelError;
use crate::event::{ChatEvent, FinishReason};
use crate::openai::estimate_request;
use crate::request::ChatRequest;

/// How much one endpoint is asked.
#[derive(Debug, Clone, Copy)]
pub struct GateSettings {
    /// Calls at the same time.
    pub concurrency: usize,
    /// Tokens a minute.
    pub tokens_per_minute: Option<u64>,
    /// When to leave it alone.
    pub breaker: BreakerSettings,
    /// When to try again.
    pub retry: Retry,
}

/// What calls to one endpoint share. Clones share it.
#[derive(Debug, Clone)]
pub struct Gate {
    breaker: Breaker,
    permits: Arc<Semaphore>,
    bucket: Option<Arc<Bucket>>,
    retry: Retry,
}

impl Gate {
    /// The gate of one endpoint.
    #[must_use]
    pub fn new(settings: &GateSettings) -> Self {
        Self {
            breaker: Breaker::new(settings.breaker),
            permits: Arc::new(Semaphore::new(settings.concurrency)),
            bucket: settings.tokens_per_minute.map(|tokens| Arc::new(Bucket::new(tokens))),
            retry: settings.retry,
        }
    }

    /// The endpoint's breaker.
    #[must_use]
    pub const fn breaker(&self) -> &Breaker {
        &self.breaker
    }

    /// Waits for a place; the breaker is asked last, so that nobody queues for a broken server in vain.
    async fn enter(&self, tokens: u64) -> Result<(Admission, OwnedSemaphorePermit), ModelError> {
        let permit = Arc::clone(&self.permits).acquire_owned().await.map_err(|_closed| ModelError::Cancelled)?;
        if let Some(bucket) = &self.bucket {
            tokio::time::sleep(bucket.take(tokens)).await;
        }
        Ok((self.breaker.admit()?, permit))
    }
}

/// Tells the breaker how a call went: only trouble of the server counts against it.
fn tell(admission: Admission, failure: Option<&ModelError>) {
    match failure {
        Some(
            ModelError::Unavailable { .. }
            | ModelError::Timeout { .. }
            | ModelError::BadResponse { .. }
            | ModelError::Truncated { .. },
        ) => admission.failed(),
        // It answered, if only to say no.
        None | Some(_) => admission.succeeded(),
    }
}

/// A chat model behind its gate.
#[derive(Debug, Clone)]
pub struct Guarded {
    inner: Arc<dyn ChatModel>,
    gate: Gate,
    ledger: Arc<dyn Ledger>,
}

impl Guarded {
    /// Wraps a model.
    #[must_use]
    pub fn new(inner: Arc<dyn ChatModel>, gate: Gate, ledger: Arc<dyn Ledger>) -> Self {
        Self { inner, gate, ledger }
    }
}

impl ChatModel for Guarded {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn capabilities(&self) -> Capabilities {
        self.inner.capabilities()
    }

    fn stream(&self, request: ChatRequest) -> ChatStream {
        let Self { inner, gate, ledger } = self.clone();
        let events = stream! {
            let mut row = Open::new(ledger, inner.name(), request.purpose, request.subject.clone());
            let tokens = gate.bucket.as_ref().map_or(0, |_| estimate_request(&request) + u64::from(request.max_tokens.unwrap_or(0)));
            yield Ok(ChatEvent::Started { model: inner.name().to_owned() });
            let mut attempt = 0;
            loop {
                row.retries(attempt);
                let (admission, permit) = match gate.enter(tokens).await {
                    Ok(entered) => entered,
                    Err(error) => {
                        row.ended(Outcome::Failed(error.clone()));
                        yield Err(error);
                        return;
                    }
                };
                let mut events = inner.stream(request.clone());
                let mut shown = false;
                let mut end: Option<Result<FinishReason, ModelError>> = None;
                while end.is_none() {
                    match events.next().await {
                        Some(Ok(ChatEvent::Started { .. })) => {}
                        Some(Ok(ChatEvent::Done(reason))) => end = Some(Ok(reason)),
                        Some(Ok(event)) => {
                            if let ChatEvent::Usage(usage) = &event {
                                row.usage(usage);
                            } else {
                                row.first_token();
                                shown = true;
                            }
                            yield Ok(event);
                        }
                        Some(Err(error)) => end = Some(Err(error)),
                        None => end = Some(Err(ModelError::Truncated { detail: "the stream has no end".into() })),
                    }
                }
                drop((events, permit));
                let error = match end.unwrap_or(Err(ModelError::Cancelled)) {
                    Ok(reason) => {
                        tell(admission, None);
                        row.ended(Outcome::Done(reason));
                        yield Ok(ChatEvent::Done(reason));
                        return;
                    }
                    Err(error) => error,
                };
                tell(admission, Some(&error));
                let again = if shown || !error.is_transient() { None } else { gate.retry.wait(attempt, error.retry_after()) };
                let Some(wait) = again else {
                    row.ended(Outcome::Failed(error.clone()));
                    yield Err(error);
                    return;
                };
                tracing::debug!(model = inner.name(), attempt, ?wait, %error, "trying again");
                tokio::time::sleep(wait).await;
                attempt += 1;
            }
        };
        events.boxed()
    }
}

/// An embedding model behind its gate.
#[derive(Debug, Clone)]
pub struct GuardedEmbedding {
    inner: Arc<dyn EmbeddingModel>,
    gate: Gate,
    ledger: Arc<dyn Ledger>,
}

impl GuardedEmbedding {
    /// Wraps a model.
    #[must_use]
    pub fn new(inner: Arc<dyn EmbeddingModel>, gate: Gate, ledger: Arc<dyn Ledger>) -> Self {
        Self { inner, gate, ledger }
    }
}

impl EmbeddingModel for GuardedEmbedding {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn embed(&self, texts: Vec<String>) -> BoxFuture<'static, Result<Embeddings, ModelError>> {
        let Self { inner, gate, ledger } = self.clone();
        async move {
            let mut row = Open::new(ledger, inner.name(), "embedding", None);
            let mut attempt = 0;
            loop {
                row.retries(attempt);
                let (admission, permit) =
                    gate.enter(0).await.inspect_err(|error| row.ended(Outcome::Failed(error.clone())))?;
                let made = inner.embed(texts.clone()).await;
                drop(permit);
                tell(admission, made.as_ref().err());
                let error = match made {
                    Ok(made) => {
                        row.usage(&made.usage);
                        row.ended(Outcome::Done(FinishReason::Stop));
                        return Ok(made);
                    }
                    Err(error) => error,
                };
                row.ended(Outcome::Failed(error.clone()));
                let again = if error.is_transient() { gate.retry.wait(attempt, error.retry_after()) } else { None };
                tokio::time::sleep(again.ok_or(error)?).await;
                attempt += 1;
            }
        }
        .boxed()
    }
}
