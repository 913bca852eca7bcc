//! The built web UI, in the binary. Every path that is no file and no API is the page itself, so that a room's URL can be reloaded.

use axum::body::Body;
use axum::http::{Method, Request, StatusCode, header};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;

use crate::problem::{Code, Problem};

/// Scripts and styles come from here only; pictures also from a shop's own picture servers.
pub(crate) const POLICY: &str = "default-src 'self'; img-src 'self' data: blob: https:; style-src 'self' 'unsafe-inline'; \
     object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'self'";

#[derive(RustEmbed)]
#[folder = "../../web/dist"]
#[allow_missing = true]
struct Assets;

const NOT_BUILT: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Mercer</title>\
<body><h1>Mercer is running</h1><p>The page is not built into this binary. Run <code>make run</code>, or build <code>web/</code> \
(npm ci, npm run build) and then the binary. The API is here: <a href=\"/docs\">/docs</a>.</p></body></html>";

pub(crate) async fn serve(request: Request<Body>) -> Response {
    let path = request.uri().path().trim_start_matches('/');
    if path == "api" || path.starts_with("api/") || !matches!(*request.method(), Method::GET | Method::HEAD) {
        return Problem::new(Code::NotFound, "There is no such endpoint. See /docs for those that exist.")
            .into_response();
    }
    if let Some(file) = Assets::get(path) {
        let forever = path.starts_with("assets/");
        return asset(path, file, forever);
    }
    if path.rsplit('/').next().is_some_and(|name| name.contains('.')) && path.starts_with("assets/") {
        return StatusCode::NOT_FOUND.into_response();
    }
    match Assets::get("index.html") {
        Some(file) => asset("index.html", file, false),
        None => ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], NOT_BUILT).into_response(),
    }
}

fn asset(path: &str, file: rust_embed::EmbeddedFile, forever: bool) -> Response {
    let kind = match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("json" | "map") => "application/json",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("webp") => "image/webp",
        Some("ico") => "image/x-icon",
        Some("woff2") => "font/woff2",
        _ => "application/octet-stream",
    };
    let cache = if forever { "public, max-age=31536000, immutable" } else { "no-cache" };
    ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, cache)], file.data.into_owned()).into_response()
}
