//! The OpenAPI document, and a readable page made from it without any script.

use axum::Router;
use axum::http::header;
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use serde_json::Value;
use utoipa::openapi::OpenApi;

use crate::App;
use crate::extract::Path;
use crate::problem::{Code, Problem};

#[derive(rust_embed::RustEmbed)]
#[folder = "../../docs/errors"]
struct ErrorPages;

pub(crate) fn routes(document: &OpenApi) -> Router<App> {
    let json: Value = serde_json::to_value(document).unwrap_or_default();
    let page = page(&json);
    let text = json.to_string();
    Router::new()
        .route("/openapi.json", get(async move || ([(header::CONTENT_TYPE, "application/json")], text)))
        .route("/docs", get(async move || Html(page)))
        .route("/docs/errors/{code}", get(error_page))
}

async fn error_page(Path(code): Path<String>) -> Response {
    let known = Code::ALL.iter().find(|known| known.name() == code);
    let page = known.and_then(|code| ErrorPages::get(&format!("{}.md", code.name())));
    match page {
        Some(page) => {
            ([(header::CONTENT_TYPE, "text/markdown; charset=utf-8")], page.data.into_owned()).into_response()
        }
        None => Problem::not_found("error code").into_response(),
    }
}

fn page(document: &Value) -> String {
    let mut html = String::from(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>Mercer API</title></head><body><h1>Mercer API</h1>\
         <p>The whole document is <a href=\"/openapi.json\">/openapi.json</a>. Errors are <code>application/problem+json</code>; \
         each code has a page under <code>/docs/errors/</code>.</p><dl>",
    );
    let paths = document.get("paths").and_then(Value::as_object);
    for (path, methods) in paths.into_iter().flatten() {
        for (method, operation) in methods.as_object().into_iter().flatten() {
            let summary = operation.get("summary").and_then(Value::as_str).unwrap_or_default();
            let description = operation.get("description").and_then(Value::as_str).unwrap_or_default();
            html.push_str(&format!(
                "<dt><code>{} {}</code></dt><dd>{} {}</dd>",
                method.to_uppercase(),
                escape(path),
                escape(summary),
                escape(description)
            ));
        }
    }
    html.push_str("</dl></body></html>");
    html
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
