//! The page in the binary, and what every answer bears.

use axum::http::{Method, StatusCode};

use crate::ask::Ask;
use crate::shop::Shop;

#[tokio::test]
async fn every_room_of_the_page_can_be_reloaded_and_runs_only_scripts_of_its_own() {
    let shop = Shop::open();
    for path in ["/", "/shop", "/shop/some-thread", "/runs/run_x", "/data"] {
        let page = Ask::get(path).of(&shop).await;
        assert_eq!(page.status, StatusCode::OK);
        assert!(page.header("content-type").starts_with("text/html"), "{path}");
        assert!(page.text().to_lowercase().contains("<!doctype html"), "{path}");
        let policy = page.header("content-security-policy");
        assert!(policy.contains("default-src 'self'") && !policy.contains("script-src"), "{policy}");
        assert!(policy.contains("object-src 'none'") && policy.contains("base-uri 'self'"), "{policy}");
        let mut scripts = page.text().split("<script").skip(1);
        let inline = scripts.any(|rest| !rest.split('>').next().unwrap_or_default().contains("src="));
        assert!(!inline, "{path} has a script in the page");
    }
}

#[tokio::test]
async fn every_answer_says_how_it_may_be_used() {
    let shop = Shop::open();
    for path in ["/", "/docs", "/api/v1/status", "/api/v1/none", "/openapi.json"] {
        let reply = Ask::get(path).of(&shop).await;
        assert_eq!(reply.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(reply.header("x-frame-options"), "SAMEORIGIN", "{path}");
        assert_eq!(reply.header("referrer-policy"), "same-origin", "{path}");
        assert!(!reply.header("content-security-policy").is_empty(), "{path}");
    }
}

#[tokio::test]
async fn what_does_not_exist_is_a_problem_and_not_a_page() {
    let shop = Shop::open();
    for path in ["/api", "/api/", "/api/v1", "/api/v1/none", "/api/v2/chat", "/api/v1/threads/x/none"] {
        let reply = Ask::get(path).of(&shop).await;
        assert_eq!((reply.status, reply.code().as_str()), (StatusCode::NOT_FOUND, "not_found"), "{path}");
    }
    let reply = Ask::post("/shop").of(&shop).await;
    assert_eq!((reply.status, reply.code().as_str()), (StatusCode::NOT_FOUND, "not_found"));
    for (method, path) in
        [(Method::PUT, "/api/v1/threads"), (Method::GET, "/api/chat"), (Method::DELETE, "/api/v1/status")]
    {
        let reply = Ask::new(method, path).of(&shop).await;
        assert_eq!(
            (reply.status, reply.code().as_str()),
            (StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed"),
            "{path}"
        );
        assert!(!reply.header("allow").is_empty(), "{path}");
    }
    assert_eq!(Ask::get("/assets/none.js").of(&shop).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn long_answers_are_packed_for_those_who_can_unpack_them() {
    let shop = Shop::open();
    let packed = Ask::get("/openapi.json").header("accept-encoding", "gzip").of(&shop).await;
    assert_eq!(packed.header("content-encoding"), "gzip");
    let plain = Ask::get("/openapi.json").of(&shop).await;
    assert!(packed.body.len() * 3 < plain.body.len());
}
