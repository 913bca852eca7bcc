//! The OpenAPI document: kept beside the code, so that a change of the API is seen in a review.

use std::path::Path;

use mercer_server::Code;
use serde_json::Value;

use crate::ask::Ask;
use crate::shop::Shop;

/// Set to write the document anew.
const ANEW: &str = "MERCER_WRITE_OPENAPI";

#[test]
fn the_document_that_is_kept_is_the_current_one() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("openapi.json");
    let current = mercer_server::openapi().to_pretty_json().unwrap() + "\n";
    if std::env::var_os(ANEW).is_some() {
        std::fs::write(&path, &current).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == current,
        "crates/server/openapi.json is not current: look at the change, then run the test with {ANEW}=1"
    );
}

#[tokio::test]
async fn the_document_and_its_page_are_served_without_a_key() {
    let shop = Shop::locked();
    let served = Ask::get("/openapi.json").of(&shop).await.json();
    assert_eq!(served, serde_json::to_value(mercer_server::openapi()).unwrap());
    let page = Ask::get("/docs").of(&shop).await;
    assert!(page.header("content-type").starts_with("text/html"));
    assert!(!page.text().contains("<script"));
    for path in served["paths"].as_object().unwrap().keys() {
        assert!(page.text().contains(path.as_str()), "{path}");
    }
}

#[test]
fn every_operation_says_what_it_does_and_what_its_path_means() {
    let document = serde_json::to_value(mercer_server::openapi()).unwrap();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            assert!(operation["summary"].as_str().is_some_and(|text| text.len() > 5), "{method} {path}");
            let parameters = operation["parameters"].as_array().cloned().unwrap_or_default();
            let in_path = parameters.iter().filter(|parameter| parameter["in"] == "path").count();
            assert_eq!(in_path, path.matches('{').count(), "{method} {path}");
            assert!(
                operation["responses"].as_object().is_some_and(|responses| !responses.is_empty()),
                "{method} {path}"
            );
        }
    }
    assert!(
        !document["components"]["schemas"].as_object().unwrap_or(&serde_json::Map::new()).values().any(Value::is_null)
    );
}

#[tokio::test]
async fn every_error_code_has_its_page_that_says_what_to_do() {
    let shop = Shop::locked();
    for code in Code::ALL {
        let page = Ask::get(format!("/docs/errors/{}", code.name())).of(&shop).await;
        assert_eq!(page.header("content-type"), "text/markdown; charset=utf-8");
        assert!(page.text().starts_with(&format!("# {}\n", code.name())), "{}", page.text());
        assert!(page.text().contains("**What to do.**"), "{}", code.name());
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/errors");
    let pages = std::fs::read_dir(folder).unwrap().count();
    assert_eq!(pages, Code::ALL.len(), "no page without a code");
    assert_eq!(Ask::get("/docs/errors/odd").of(&shop).await.code(), "not_found");
}
