//! The HTTP surface: our JSON API with its OpenAPI document, the AI SDK stream, the search protocol that existing shop front ends call, and
//! the built web UI.
//!
//! Wire types are written here by hand and mapped from the domain at the edge; axum is used in no other crate. What opens the database, reads
//! settings and chooses a model is the binary, which hands the [`Parts`] in.

pub mod access;
mod aisdk;
mod chat;
mod docs;
mod extract;
mod files;
mod imports;
mod limit;
mod problem;
mod products;
mod runs;
mod search;
mod sse;
mod status;
mod threads;
mod ui;

use std::path::PathBuf;
use std::sync::Arc;

pub use axum::Router;
use axum::http::{HeaderName, HeaderValue, Method, header};
use mercer_assistants::Assistants;
use mercer_graph::Engine;
use mercer_search::Catalogs;
use mercer_shop::{Files, Imports};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{NotForContentType, Predicate, SizeAbove};
use tower_http::cors::{AllowOrigin, CorsLayer};
use tower_http::set_header::SetResponseHeaderLayer;
use tower_http::trace::TraceLayer;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;

pub use crate::access::{Access, Caller, Key, Scope};
pub use crate::imports::ImportJobs;
pub use crate::problem::{Code, Problem, ProblemBody};
pub use crate::status::{ModelHealth, ModelState, ShopInfo};

/// What a server is made of.
#[derive(Debug)]
pub struct Parts {
    /// The engine that runs the agents.
    pub engine: Engine,
    /// The agents.
    pub assistants: Assistants,
    /// The catalogues of all tenants.
    pub catalogs: Arc<Catalogs>,
    /// Uploaded files.
    pub files: Arc<dyn Files>,
    /// Imports of products.
    pub imports: Arc<dyn Imports>,
    /// Who may do what.
    pub access: Access,
    /// What the shop calls itself.
    pub shop: ShopInfo,
    /// How the language model is.
    pub model: Arc<dyn ModelHealth>,
    /// Where lists of skipped rows are kept.
    pub imports_dir: PathBuf,
    /// Where derived files such as thumbnails are kept; may be emptied at any time.
    pub cache: PathBuf,
}

/// The server's state, cheap to clone.
#[derive(Debug, Clone)]
pub struct App(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    parts: Parts,
    jobs: ImportJobs,
}

impl App {
    /// A server over these parts.
    #[must_use]
    pub fn new(parts: Parts) -> Self {
        let jobs = ImportJobs::new(
            Arc::clone(&parts.catalogs),
            Arc::clone(&parts.imports),
            Arc::clone(&parts.files),
            parts.imports_dir.clone(),
        );
        Self(Arc::new(Inner { parts, jobs }))
    }

    pub(crate) fn engine(&self) -> &Engine {
        &self.0.parts.engine
    }

    pub(crate) fn assistants(&self) -> &Assistants {
        &self.0.parts.assistants
    }

    pub(crate) fn catalogs(&self) -> &Catalogs {
        &self.0.parts.catalogs
    }

    pub(crate) fn files(&self) -> &dyn Files {
        self.0.parts.files.as_ref()
    }

    pub(crate) fn access(&self) -> &Access {
        &self.0.parts.access
    }

    pub(crate) fn parts(&self) -> &Parts {
        &self.0.parts
    }

    /// The import jobs, so that the binary can start those that were cut off.
    #[must_use]
    pub fn imports(&self) -> &ImportJobs {
        &self.0.jobs
    }
}

#[derive(OpenApi)]
#[openapi(info(
    title = "Mercer",
    description = "One program that gives an online shop its agents. Errors are application/problem+json with a stable code."
))]
struct Document;

fn api() -> OpenApiRouter<App> {
    OpenApiRouter::with_openapi(Document::openapi())
        .merge(chat::routes())
        .merge(threads::routes())
        .merge(runs::routes())
        .merge(files::routes())
        .merge(products::routes())
        .merge(imports::routes())
        .merge(search::routes())
        .merge(status::routes())
}

/// The OpenAPI document of the API.
#[must_use]
pub fn openapi() -> utoipa::openapi::OpenApi {
    api().split_for_parts().1
}

/// Serves a router until `stop` is done, then lets open answers end.
///
/// # Errors
/// When the listener fails.
pub async fn serve(
    listener: tokio::net::TcpListener,
    router: Router,
    stop: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    axum::serve(listener, router.into_make_service_with_connect_info::<std::net::SocketAddr>())
        .with_graceful_shutdown(stop)
        .await
}

/// The whole server as a router, ready to be served or called by a test.
pub fn router(app: App) -> Router {
    let (router, document) = api().split_for_parts();
    router
        .merge(docs::routes(&document))
        .fallback(ui::serve)
        .method_not_allowed_fallback(async || {
            Problem::new(
                Code::MethodNotAllowed,
                "This endpoint does not take this method. See /docs for those it takes.",
            )
        })
        .layer(
            CompressionLayer::new().compress_when(
                SizeAbove::new(1024)
                    .and(NotForContentType::SSE)
                    .and(NotForContentType::new("image/"))
                    .and(NotForContentType::new("application/zip")),
            ),
        )
        .layer(CatchPanicLayer::custom(|_panic: Box<dyn std::any::Any + Send>| {
            use axum::response::IntoResponse;
            Problem::internal("a handler panicked").into_response()
        }))
        .layer(header(header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .layer(header(header::REFERRER_POLICY, "same-origin"))
        .layer(header(header::X_FRAME_OPTIONS, "SAMEORIGIN"))
        .layer(header(header::CONTENT_SECURITY_POLICY, ui::POLICY))
        .layer(cross_origin(app.clone()))
        .layer(TraceLayer::new_for_http())
        .with_state(app)
}

/// Lets the pages that a storefront key names call the server from a browser, and no others.
fn cross_origin(app: App) -> CorsLayer {
    let allowed =
        move |origin: &HeaderValue, _: &_| origin.to_str().is_ok_and(|origin| app.access().allows_origin(origin));
    CorsLayer::new()
        .allow_origin(AllowOrigin::predicate(allowed))
        .allow_methods([Method::GET, Method::POST, Method::DELETE, Method::PATCH])
        .allow_headers([
            header::AUTHORIZATION,
            header::CONTENT_TYPE,
            header::ACCEPT_LANGUAGE,
            HeaderName::from_static("x-api-key"),
            HeaderName::from_static("x-tenant-id"),
            HeaderName::from_static("idempotency-key"),
            HeaderName::from_static("last-event-id"),
        ])
        .max_age(std::time::Duration::from_secs(600))
}

fn header(name: HeaderName, value: &'static str) -> SetResponseHeaderLayer<HeaderValue> {
    SetResponseHeaderLayer::if_not_present(name, HeaderValue::from_static(value))
}
