//! Search: our own form with understanding, facets and cards, and the protocol that existing shop front ends call.

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use mercer_assistants::shopping::Card;
use mercer_search::{SearchRequest, SearchResponse, Sort};
use mercer_shop::{Lang, Product};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::extract::{Body, Query};
use crate::problem::Problem;
use crate::products::{catalog, language, off_thread};
use crate::{App, Caller};

/// Longest query in characters; the rest of a longer one is not read.
const LONGEST_QUERY: usize = 500;

pub(crate) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(search)).routes(routes!(front_end_search))
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Ask {
    /// What to look for, in plain words.
    query: String,
    /// How many at most, 1 to 100; 20 when not given.
    limit: Option<usize>,
    /// How many to skip.
    offset: Option<usize>,
    /// `relevance`, `price_asc`, `price_desc`, `newest`, `popular` or `rating`.
    sort: Option<String>,
    /// Count facets.
    facets: Option<bool>,
    /// Say why each product matched.
    explain: Option<bool>,
    /// The language of labels and cards, `zh` or `en`.
    language: Option<String>,
}

/// What was found and what was understood.
#[derive(Debug, Serialize, ToSchema)]
struct Found {
    /// Cards with `matched` and, when asked for, `why`.
    #[schema(value_type = Vec<Object>)]
    items: Vec<Value>,
    total: usize,
    /// What was read out of the query, as chips.
    #[schema(value_type = Vec<Object>)]
    conditions: Vec<Value>,
    /// What was given up because nothing met all of it.
    #[schema(value_type = Vec<Object>)]
    relaxed: Vec<Value>,
    dropped_words: Vec<String>,
    corrected: Option<String>,
    did_you_mean: Option<String>,
    #[schema(value_type = Vec<Object>)]
    facets: Vec<Value>,
    took_us: u64,
}

fn shortened(query: &str) -> String {
    query.chars().take(LONGEST_QUERY).collect()
}

async fn run(app: &App, caller: &Caller, request: SearchRequest) -> Result<SearchResponse, Problem> {
    let catalog = catalog(app, caller).await?;
    off_thread(move || catalog.search(&request)).await?.map_err(Problem::internal)
}

/// Search the catalogue.
#[utoipa::path(get, path = "/api/v1/search", tag = "search", params(Ask), responses((status = OK, body = Found)))]
async fn search(
    State(app): State<App>,
    caller: Caller,
    headers: HeaderMap,
    Query(ask): Query<Ask>,
) -> Result<Json<Found>, Problem> {
    let lang = language(ask.language.as_deref(), &ask.query, &headers);
    let sort: Sort = match ask.sort {
        None => Sort::Relevance,
        Some(name) => serde_json::from_value(Value::String(name.clone())).map_err(|_unknown| {
            Problem::invalid(format!(
                "There is no sort {name:?}; use relevance, price_asc, price_desc, newest, popular or rating."
            ))
        })?,
    };
    let request = SearchRequest {
        lang: Some(lang),
        sort,
        limit: ask.limit.unwrap_or(20).clamp(1, 100),
        offset: ask.offset.unwrap_or(0),
        facets: ask.facets.unwrap_or(false),
        explain: ask.explain.unwrap_or(false),
        ..SearchRequest::text(shortened(&ask.query))
    };
    found(&run(&app, &caller, request).await?, lang).map(Json)
}

fn found(response: &SearchResponse, lang: Lang) -> Result<Found, Problem> {
    let chip = |condition: &mercer_search::Condition| json!({"id": condition.id(), "label": condition.label(lang), "field": condition.field});
    let items = response.hits.iter().map(|hit| {
        let mut card = Card::of(&hit.product, lang, &hit.matched);
        card.why = hit.why.clone().unwrap_or_default();
        serde_json::to_value(card).map_err(Problem::internal)
    });
    let facets = response.facets.iter().map(|facet| {
        let values =
            facet.values.iter().map(|(value, label, count)| json!({"value": value, "label": label, "count": count}));
        json!({"field": facet.field, "values": values.collect::<Vec<_>>()})
    });
    Ok(Found {
        items: items.collect::<Result<_, Problem>>()?,
        total: response.total,
        conditions: response.understood.conditions.iter().map(chip).collect(),
        relaxed: response.relaxed.iter().map(chip).collect(),
        dropped_words: response.dropped_words.clone(),
        corrected: response.corrected.clone(),
        did_you_mean: response.did_you_mean.clone(),
        facets: facets.collect(),
        took_us: u64::try_from(response.took.as_micros()).unwrap_or(u64::MAX),
    })
}

/// A search as existing shop front ends send it.
#[derive(Debug, Deserialize, ToSchema)]
struct FrontEndSearch {
    query: String,
    /// How many, 1 to 100; 10 when not given.
    size: Option<usize>,
    /// How many to skip.
    from: Option<usize>,
    /// `zh` or `en`.
    language: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
struct FrontEndResults {
    results: Vec<FrontEndResult>,
    total: usize,
}

/// A product as existing shop front ends read it.
#[derive(Debug, Serialize, ToSchema)]
struct FrontEndResult {
    title: String,
    spu_id: String,
    category_path: String,
    /// The lowest known price as a decimal number; null when it is not known.
    #[schema(value_type = Option<f64>)]
    price: Value,
    currency: Option<String>,
    brand: Option<String>,
    image_url: Option<String>,
    in_stock: Option<bool>,
    score: f32,
}

/// The search API that existing shop front ends call; the shop is named by `X-Tenant-ID`.
#[utoipa::path(post, path = "/search/", tag = "search", request_body = FrontEndSearch, responses((status = OK, body = FrontEndResults)))]
async fn front_end_search(
    State(app): State<App>,
    caller: Caller,
    headers: HeaderMap,
    Body(ask): Body<FrontEndSearch>,
) -> Result<Json<FrontEndResults>, Problem> {
    let lang = language(ask.language.as_deref(), &ask.query, &headers);
    let request = SearchRequest {
        lang: Some(lang),
        limit: ask.size.unwrap_or(10).clamp(1, 100),
        offset: ask.from.unwrap_or(0),
        ..SearchRequest::text(shortened(&ask.query))
    };
    let response = run(&app, &caller, request).await?;
    let results = response.hits.iter().map(|hit| front_end_result(&hit.product, hit.score, lang)).collect();
    Ok(Json(FrontEndResults { results, total: response.total }))
}

fn front_end_result(product: &Product, score: f32, lang: Lang) -> FrontEndResult {
    use mercer_shop::Availability;
    let price = product.price_range().map(|(low, _)| low);
    let path: Vec<&str> = product.category.iter().map(|level| level.get(lang)).collect();
    FrontEndResult {
        title: product.title.get(lang).to_owned(),
        spu_id: product.id.to_string(),
        category_path: path.join(" > "),
        // A JSON number with the exact decimal digits.
        price: price
            .and_then(|price| price.decimal().parse::<serde_json::Number>().ok())
            .map_or(Value::Null, Value::Number),
        currency: price.map(|price| price.currency.to_string()),
        brand: product.brand.clone(),
        image_url: product.main_image().map(|_| format!("/api/v1/products/{}/image", percent(product.id.as_str()))),
        in_stock: match product.availability() {
            Availability::InStock => Some(true),
            Availability::OutOfStock => Some(false),
            Availability::Preorder | Availability::Backorder | Availability::Unknown => None,
        },
        score,
    }
}

/// Percent-encodes one path segment (RFC 3986, unreserved characters kept).
fn percent(segment: &str) -> String {
    let encode = |byte: u8| match byte {
        b'-' | b'.' | b'_' | b'~' => char::from(byte).to_string(),
        _ if byte.is_ascii_alphanumeric() => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    segment.bytes().map(encode).collect()
}
