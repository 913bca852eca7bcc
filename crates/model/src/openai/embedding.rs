//! `/embeddings` as OpenAI defines it.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use futures::future::BoxFuture;
use futures::{FutureExt as _, StreamExt as _};
use jiff::Timestamp;
use serde_json::json;

use super::{refusal, request_to, usage};
use crate::embedding::{EmbeddingModel, Embeddings};
use crate::error::{ModelError, Phase};
use crate::event::Usage;
use crate::http::{Http, Transport};
use crate::json::{Value, parse_strict};
use crate::settings::{Endpoint, Timeouts};

/// Texts in one request; some servers take no more.
const BATCH: usize = 10;
/// The longest response that is taken.
const MAX_RESPONSE: usize = 64 * 1024 * 1024;

/// An embedding model behind an OpenAI-compatible endpoint.
#[derive(Debug, Clone)]
pub struct OpenAiEmbedding {
    endpoint: Arc<Endpoint>,
    transport: Arc<dyn Transport>,
    timeouts: Timeouts,
}

impl OpenAiEmbedding {
    /// The model over this client.
    #[must_use]
    pub fn new(endpoint: &Endpoint, http: reqwest::Client, timeouts: Timeouts) -> Self {
        Self::over(endpoint, Arc::new(Http { client: http, connect_timeout: timeouts.connect }), timeouts)
    }

    /// The model over any transport.
    #[must_use]
    pub fn over(endpoint: &Endpoint, transport: Arc<dyn Transport>, timeouts: Timeouts) -> Self {
        Self { endpoint: Arc::new(endpoint.clone()), transport, timeouts }
    }

    async fn batch(&self, texts: &[String]) -> Result<Embeddings, ModelError> {
        let body = json!({"model": self.endpoint.model, "input": texts, "encoding_format": "float"}).to_string();
        let mut response = self.transport.post(request_to(&self.endpoint, "/embeddings", body)).await?;
        let mut bytes = Vec::new();
        while let Some(piece) = response.body.next().await {
            bytes.extend_from_slice(&piece?);
            if bytes.len() > MAX_RESPONSE {
                return Err(bad("it is longer than any answer"));
            }
        }
        let text = String::from_utf8_lossy(&bytes);
        if !(200..300).contains(&response.status) {
            return Err(refusal::refused(response.status, response.retry_after.as_deref(), Timestamp::now(), &text));
        }
        let value = parse_strict(&text).map_err(|_reason| bad(refusal::excerpt(&text)))?;
        if let Some(error) = refusal::in_stream(&value) {
            return Err(error);
        }
        let vectors = vectors(&value, texts.len())?;
        let estimated = || Usage {
            prompt_tokens: texts.iter().map(|text| usage::estimate(text)).sum(),
            estimated: true,
            ..Usage::default()
        };
        let mut usage = value.get("usage").and_then(usage::told).unwrap_or_else(estimated);
        usage.cost = self.endpoint.price.as_ref().map(|price| price.cost(&usage));
        Ok(Embeddings { vectors, usage })
    }
}

fn bad(detail: impl Into<String>) -> ModelError {
    ModelError::BadResponse { detail: detail.into() }
}

/// The vectors by their index: servers are known to send them in another order.
fn vectors(value: &Value, count: usize) -> Result<Vec<Vec<f32>>, ModelError> {
    let Some(Value::Array(data)) = value.get("data") else { return Err(bad("it has no data")) };
    let mut places: Vec<Option<Vec<f32>>> = vec![None; count];
    for (n, item) in data.iter().enumerate() {
        let index = match item.get("index") {
            Some(Value::Number(number)) => number.as_str().parse().ok(),
            _ => Some(n),
        };
        let place = index.and_then(|index| places.get_mut(index)).ok_or_else(|| bad("it has a vector too many"))?;
        *place = Some(vector(item.get("embedding")).ok_or_else(|| bad("a vector is no list of numbers"))?);
    }
    let vectors: Option<Vec<Vec<f32>>> = places.into_iter().collect();
    let vectors = vectors.ok_or_else(|| bad("a text got no vector"))?;
    let length = vectors.first().map_or(0, Vec::len);
    if vectors.iter().any(|vector| vector.len() != length || vector.is_empty()) {
        return Err(bad("the vectors differ in length"));
    }
    Ok(vectors)
}

fn vector(value: Option<&Value>) -> Option<Vec<f32>> {
    match value? {
        Value::Array(numbers) => numbers
            .iter()
            .map(|number| match number {
                Value::Number(number) => number.as_str().parse::<f32>().ok().filter(|number| number.is_finite()),
                _ => None,
            })
            .collect(),
        // Little-endian floats in base64, which some servers send unasked.
        Value::String(text) => {
            let bytes = STANDARD.decode(text).ok()?;
            let (floats, rest) = bytes.as_chunks::<4>();
            rest.is_empty().then(|| floats.iter().map(|four| f32::from_le_bytes(*four)).collect())
        }
        _ => None,
    }
}

fn add(total: &mut Usage, usage: Usage) {
    total.prompt_tokens += usage.prompt_tokens;
    total.cached_tokens += usage.cached_tokens;
    total.estimated |= usage.estimated;
    total.cost = match (total.cost.take(), usage.cost) {
        (Some(mut sum), Some(cost)) => {
            sum.nanos = sum.nanos.saturating_add(cost.nanos);
            Some(sum)
        }
        (sum, cost) => sum.or(cost),
    };
}

impl EmbeddingModel for OpenAiEmbedding {
    fn name(&self) -> &str {
        &self.endpoint.model
    }

    fn embed(&self, texts: Vec<String>) -> BoxFuture<'static, Result<Embeddings, ModelError>> {
        let model = self.clone();
        async move {
            let mut all = Embeddings { vectors: Vec::with_capacity(texts.len()), usage: Usage::default() };
            let limit = model.timeouts.total;
            for texts in texts.chunks(BATCH) {
                let made = tokio::time::timeout(limit, model.batch(texts)).await;
                let made = made.map_err(|_elapsed| ModelError::Timeout { which: Phase::Total, limit })??;
                all.vectors.extend(made.vectors);
                add(&mut all.usage, made.usage);
            }
            Ok(all)
        }
        .boxed()
    }
}
