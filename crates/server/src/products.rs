//! Products as cards and whole, with their pictures.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Redirect, Response};
use mercer_assistants::shopping::Card;
use mercer_search::{Catalog, SearchRequest};
use mercer_shop::{ImageRef, Lang, Product, ProductId};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::extract::{Path, Query};
use crate::problem::Problem;
use crate::{App, Caller, files};

pub(crate) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list)).routes(routes!(show)).routes(routes!(similar)).routes(routes!(image))
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Listing {
    /// What to look for; all products by id when not given.
    pub(crate) query: Option<String>,
    /// How many at most, 1 to 100; 24 when not given.
    pub(crate) limit: Option<usize>,
    /// How many to skip.
    pub(crate) offset: Option<usize>,
    /// The language of the cards, `zh` or `en`.
    pub(crate) language: Option<String>,
}

/// Cards of products.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Cards {
    #[schema(value_type = Vec<Object>)]
    pub(crate) items: Vec<Value>,
    pub(crate) total: usize,
}

/// The language asked for, else the language of the query, else English.
pub(crate) fn language(tag: Option<&str>, query: &str, headers: &HeaderMap) -> Lang {
    let accepted = headers.get("accept-language").and_then(|value| value.to_str().ok());
    let chosen = |tag: &str| if tag.trim().to_ascii_lowercase().starts_with("zh") { Lang::Zh } else { Lang::En };
    tag.map(chosen).or_else(|| Lang::of(query)).or_else(|| accepted.map(chosen)).unwrap_or_default()
}

pub(crate) async fn catalog(app: &App, caller: &Caller) -> Result<Arc<Catalog>, Problem> {
    app.catalogs().tenant(&caller.tenant).map_err(Problem::internal)
}

/// Work that reads the index, off the threads that serve connections.
pub(crate) async fn off_thread<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Problem> {
    tokio::task::spawn_blocking(work).await.map_err(Problem::internal)
}

/// Products as cards: all of them by id, or those that match a query.
#[utoipa::path(get, path = "/api/v1/products", tag = "products", params(Listing), responses((status = OK, body = Cards)))]
async fn list(
    State(app): State<App>,
    caller: Caller,
    headers: HeaderMap,
    Query(listing): Query<Listing>,
) -> Result<Json<Cards>, Problem> {
    let catalog = catalog(&app, &caller).await?;
    let query = listing.query.unwrap_or_default();
    let lang = language(listing.language.as_deref(), &query, &headers);
    let (limit, offset) = (listing.limit.unwrap_or(24).clamp(1, 100), listing.offset.unwrap_or(0));
    let found = off_thread(move || {
        if query.trim().is_empty() {
            return Ok((catalog.page(offset, limit)?, catalog.len()?));
        }
        let response = catalog.search(&SearchRequest { offset, limit, ..SearchRequest::text(query) })?;
        Ok((response.hits.into_iter().map(|hit| hit.product).collect(), response.total))
    });
    let (products, total): (Vec<Product>, usize) =
        found.await?.map_err(|error: mercer_search::SearchError| Problem::internal(error))?;
    let items = products.iter().map(|product| card(product, lang)).collect::<Result<_, _>>()?;
    Ok(Json(Cards { items, total }))
}

pub(crate) fn card(product: &Product, lang: Lang) -> Result<Value, Problem> {
    serde_json::to_value(Card::of(product, lang, &[])).map_err(Problem::internal)
}

async fn product(app: &App, caller: &Caller, id: &str) -> Result<(Arc<Catalog>, Product), Problem> {
    let id = ProductId::new(id).map_err(|_malformed| Problem::not_found("product"))?;
    let catalog = catalog(app, caller).await?;
    let reader = Arc::clone(&catalog);
    let product = off_thread(move || reader.get(&id)).await?.map_err(Problem::internal)?;
    Ok((catalog, product.ok_or_else(|| Problem::not_found("product"))?))
}

/// A whole product, with its card in the language asked for.
#[derive(Debug, Serialize, ToSchema)]
struct ProductBody {
    #[schema(value_type = Object)]
    card: Value,
    #[schema(value_type = Object)]
    product: Value,
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Speaking {
    /// `zh` or `en`.
    language: Option<String>,
    /// How many at most, for lists.
    limit: Option<usize>,
}

/// One product.
#[utoipa::path(get, path = "/api/v1/products/{id}", tag = "products", params(("id" = String, Path), Speaking), responses((status = OK, body = ProductBody)))]
async fn show(
    State(app): State<App>,
    caller: Caller,
    headers: HeaderMap,
    Path(id): Path<String>,
    Query(speaking): Query<Speaking>,
) -> Result<Json<ProductBody>, Problem> {
    let (_, product) = product(&app, &caller, &id).await?;
    let lang = language(speaking.language.as_deref(), "", &headers);
    let card = card(&product, lang)?;
    Ok(Json(ProductBody { card, product: serde_json::to_value(product).map_err(Problem::internal)? }))
}

/// Products like this one.
#[utoipa::path(get, path = "/api/v1/products/{id}/similar", tag = "products", params(("id" = String, Path), Speaking), responses((status = OK, body = Cards)))]
async fn similar(
    State(app): State<App>,
    caller: Caller,
    headers: HeaderMap,
    Path(id): Path<String>,
    Query(speaking): Query<Speaking>,
) -> Result<Json<Cards>, Problem> {
    let (catalog, product) = product(&app, &caller, &id).await?;
    let limit = speaking.limit.unwrap_or(8).clamp(1, 20);
    let products = off_thread(move || catalog.similar(&product.id, limit)).await?.map_err(Problem::internal)?;
    let lang = language(speaking.language.as_deref(), "", &headers);
    let items = products.iter().map(|product| card(product, lang)).collect::<Result<Vec<_>, _>>()?;
    Ok(Json(Cards { total: items.len(), items }))
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Which {
    /// Which of the product's pictures, from 0.
    n: Option<usize>,
    /// The picture of this variant.
    sku: Option<String>,
    /// Width in pixels of the copy to send.
    w: Option<u32>,
}

/// A picture of a product. A picture that the feed named by web address and that was not copied is answered with that address.
#[utoipa::path(get, path = "/api/v1/products/{id}/image", tag = "products", params(("id" = String, Path), Which),
    responses((status = OK, content_type = "image/*", body = Vec<u8>)))]
async fn image(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
    Query(which): Query<Which>,
) -> Result<Response, Problem> {
    let (catalog, product) = product(&app, &caller, &id).await?;
    let image = pick(&product, &which).ok_or_else(|| Problem::not_found("picture"))?.clone();
    let Some(file) = image.file else {
        let web = image.source.starts_with("https://") || image.source.starts_with("http://");
        return if web {
            Ok(Redirect::temporary(&image.source).into_response())
        } else {
            Err(Problem::not_found("picture"))
        };
    };
    let name = file.clone();
    let bytes =
        off_thread(move || mercer_search::Pictures::of(catalog.dir()).get(&name)).await?.map_err(Problem::internal)?;
    let bytes = bytes.ok_or_else(|| Problem::not_found("picture"))?;
    let kind = mercer_studio::sniff(&bytes).map_or("application/octet-stream", |kind| kind.mime());
    files::picture_response(&app, &file, kind, Arc::from(bytes), which.w).await
}

fn pick<'a>(product: &'a Product, which: &Which) -> Option<&'a ImageRef> {
    if let Some(sku) = &which.sku {
        let variant = product.variants.iter().find(|variant| variant.sku.as_str() == sku)?;
        return variant.image.as_ref().or_else(|| product.main_image());
    }
    match which.n {
        None | Some(0) => product.main_image(),
        Some(n) => product.images.get(n),
    }
}
