//! A search service of the `POST /search/` protocol in place of the local catalogue.

use std::sync::Arc;

use futures::future::BoxFuture;
use mercer_shop::{Currency, Lang, Localized, Money, Product, ProductId};
use serde_json::{Value, json};
use url::Url;

use crate::error::SearchError;
use crate::index::Catalog;
use crate::request::{Hit, SearchRequest, SearchResponse, Understood};

/// Whatever can be asked for products.
pub trait ProductSearch: Send + Sync {
    /// Answers a request.
    fn search<'a>(&'a self, request: &'a SearchRequest) -> BoxFuture<'a, Result<SearchResponse, SearchError>>;
}

impl ProductSearch for Catalog {
    fn search<'a>(&'a self, request: &'a SearchRequest) -> BoxFuture<'a, Result<SearchResponse, SearchError>> {
        Box::pin(async move { Self::search(self, request) })
    }
}

impl<T: ProductSearch + ?Sized> ProductSearch for Arc<T> {
    fn search<'a>(&'a self, request: &'a SearchRequest) -> BoxFuture<'a, Result<SearchResponse, SearchError>> {
        (**self).search(request)
    }
}

/// Where the service is and for whom it is asked.
#[derive(Debug, Clone)]
pub struct RemoteSettings {
    /// The service's address without `/search/`.
    pub base: Url,
    /// The value of the `X-Tenant-ID` header.
    pub tenant: String,
    /// The currency of its prices, which the protocol does not name.
    pub currency: Currency,
}

/// A client of a search service.
#[derive(Debug, Clone)]
pub struct SearchClient {
    settings: RemoteSettings,
    http: reqwest::Client,
}

impl SearchClient {
    /// A client that sends its requests by `http`, whose timeouts apply.
    #[must_use]
    pub fn new(settings: RemoteSettings, http: reqwest::Client) -> Self {
        Self { settings, http }
    }

    async fn ask(&self, request: &SearchRequest) -> Result<SearchResponse, SearchError> {
        let started = tokio::time::Instant::now();
        let lang = request.lang.or_else(|| Lang::of(&request.text)).unwrap_or_default();
        let address = format!("{}/search/", self.settings.base.as_str().trim_end_matches('/'));
        let body = json!({
            "query": query(request, lang),
            "size": request.limit.min(SearchRequest::LIMIT),
            "from": request.offset,
            "language": lang.tag(),
        });
        let sent = self.http.post(address).header("X-Tenant-ID", &self.settings.tenant).json(&body).send().await;
        let answer = sent.map_err(|error| remote(&error.without_url()))?;
        let status = answer.status();
        if !status.is_success() {
            return Err(SearchError::Remote { reason: format!("it answered {status}") });
        }
        let value: Value = answer.json().await.map_err(|error| remote(&error.without_url()))?;
        let mut response = response(&value, self.settings.currency, request, lang)?;
        response.took = started.elapsed();
        Ok(response)
    }
}

impl ProductSearch for SearchClient {
    fn search<'a>(&'a self, request: &'a SearchRequest) -> BoxFuture<'a, Result<SearchResponse, SearchError>> {
        Box::pin(self.ask(request))
    }
}

fn remote(error: &reqwest::Error) -> SearchError {
    SearchError::Remote { reason: error.to_string() }
}

/// The protocol has no filters: conditions are said in words beside the text.
fn query(request: &SearchRequest, lang: Lang) -> String {
    let mut words = vec![request.text.clone()];
    words.extend(request.conditions.iter().map(|condition| condition.label(lang)));
    words.retain(|part| !part.trim().is_empty());
    words.join(" ")
}

/// Reads an answer; results without an id or a title are left out.
fn response(
    value: &Value,
    currency: Currency,
    request: &SearchRequest,
    lang: Lang,
) -> Result<SearchResponse, SearchError> {
    let results = value.get("results").and_then(Value::as_array);
    let results = results.ok_or_else(|| SearchError::Remote { reason: "its answer has no results".into() })?;
    let hits: Vec<Hit> = results
        .iter()
        .filter_map(|result| {
            let score = result.get("score").and_then(Value::as_f64).unwrap_or_default();
            let product = product(result, currency)?;
            Some(Hit { product, score: narrow(score), matched: Vec::new(), why: None })
        })
        .collect();
    let total = value.get("total").and_then(Value::as_u64).and_then(|total| usize::try_from(total).ok());
    let understood = Understood { lang, text: request.text.clone(), ..Understood::default() };
    Ok(SearchResponse { total: total.unwrap_or(hits.len()), hits, understood, ..SearchResponse::default() })
}

#[expect(clippy::cast_possible_truncation, reason = "a score orders results within one answer")]
fn narrow(score: f64) -> f32 {
    score as f32
}

fn product(result: &Value, currency: Currency) -> Option<Product> {
    let text = |key: &str| match result.get(key) {
        Some(Value::String(text)) if !text.trim().is_empty() => Some(text.trim().to_owned()),
        Some(Value::Number(number)) => Some(number.to_string()),
        _ => None,
    };
    let id = ProductId::new(text("spu_id").or_else(|| text("id"))?).ok()?;
    let category = match result.get("category_path") {
        Some(Value::Array(levels)) => levels.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        Some(Value::String(path)) => path.split(['>', '/']).map(|level| level.trim().to_owned()).collect(),
        _ => Vec::new(),
    };
    let category = category.into_iter().filter(|level| !level.is_empty()).map(Localized::from_text).collect::<Vec<_>>();
    let price =
        text("price").or_else(|| text("min_price")).and_then(|price| Money::parse_decimal(&price, currency).ok());
    let image = text("image_url").or_else(|| text("image"));
    let record = json!({
        "id": id, "title": Localized::from_text(text("title")?), "category": category, "brand": text("brand").or_else(|| text("vendor")),
        "variants": [{ "sku": text("sku").unwrap_or_else(|| id.to_string()), "price": price }],
        "images": image.map(|source| vec![json!({"source": source})]).unwrap_or_default(),
    });
    serde_json::from_value(record).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_becomes_products_and_what_has_no_id_is_left_out() {
        let answer = json!({ "total": 57, "results": [
            { "title": "红色连衣裙", "spu_id": 12, "category_path": "女装 > 连衣裙", "price": 299.5, "brand": "A" },
            { "title": "no id" },
            { "title": "Boots", "spu_id": "b-1", "category_path": ["Shoes"], "price": null },
        ]});
        let request = SearchRequest { conditions: Vec::new(), ..SearchRequest::text("连衣裙") };
        let read = response(&answer, Currency::CNY, &request, Lang::Zh).unwrap();
        assert_eq!(read.total, 57);
        let ids: Vec<&str> = read.hits.iter().map(|hit| hit.product.id.as_str()).collect();
        assert_eq!(ids, ["12", "b-1"]);
        let first = &read.hits.first().unwrap().product;
        assert_eq!(first.price_range().unwrap().0.minor, 29_950);
        assert_eq!(first.category.len(), 2);
        assert!(response(&json!({"error": "x"}), Currency::CNY, &request, Lang::Zh).is_err());
    }

    #[test]
    fn conditions_are_said_in_words() {
        let price = crate::request::Condition::at_most(Money::new(30_000, Currency::CNY));
        let request = SearchRequest { conditions: vec![price], ..SearchRequest::text("连衣裙") };
        assert_eq!(query(&request, Lang::Zh), "连衣裙 300元以下");
    }
}
