//! Who may do what, asked of every operation that the OpenAPI document lists: one that is added without a line here fails.

use std::collections::BTreeMap;

use axum::http::{Method, StatusCode};
use mercer_server::Scope;
use serde_json::{Value, json};

use crate::ask::Ask;
use crate::picture::png;
use crate::shop::{NEIGHBOUR, ORIGIN, OWNER, PAGE, STAFF, Shop, said};

/// Every operation, with the least scope that may do it; `None` needs no key.
const OPERATIONS: &[(&str, Option<Scope>)] = &[
    ("GET /healthz", None),
    ("GET /api/v1/status", Some(Scope::Storefront)),
    ("POST /api/chat", Some(Scope::Storefront)),
    ("GET /api/chat/{thread}/stream", Some(Scope::Storefront)),
    ("POST /api/v1/chat", Some(Scope::Storefront)),
    ("GET /api/v1/threads", Some(Scope::Staff)),
    ("POST /api/v1/threads", Some(Scope::Storefront)),
    ("GET /api/v1/threads/{id}", Some(Scope::Storefront)),
    ("PATCH /api/v1/threads/{id}", Some(Scope::Storefront)),
    ("DELETE /api/v1/threads/{id}", Some(Scope::Storefront)),
    ("GET /api/v1/threads/{id}/messages", Some(Scope::Storefront)),
    ("DELETE /api/v1/threads/{id}/conditions/{condition}", Some(Scope::Storefront)),
    ("GET /api/v1/threads/{id}/state", Some(Scope::Staff)),
    ("GET /api/v1/threads/{id}/history", Some(Scope::Staff)),
    ("POST /api/v1/threads/{id}/fork", Some(Scope::Staff)),
    ("GET /api/v1/runs", Some(Scope::Staff)),
    ("GET /api/v1/runs/{id}", Some(Scope::Storefront)),
    ("GET /api/v1/runs/{id}/events", Some(Scope::Storefront)),
    ("POST /api/v1/runs/{id}/cancel", Some(Scope::Storefront)),
    ("POST /api/v1/runs/{id}/resume", Some(Scope::Staff)),
    ("POST /api/v1/runs/{id}/fork", Some(Scope::Staff)),
    ("GET /api/v1/runs/{id}/graph", Some(Scope::Staff)),
    ("GET /api/v1/runs/{id}/steps", Some(Scope::Staff)),
    ("GET /api/v1/runs/{id}/steps/{checkpoint}", Some(Scope::Staff)),
    ("GET /api/v1/runs/{id}/effects", Some(Scope::Staff)),
    ("POST /api/v1/runs/{id}/effects/settle", Some(Scope::Staff)),
    ("GET /api/v1/graphs/{agent}", Some(Scope::Staff)),
    ("POST /api/v1/files", Some(Scope::Storefront)),
    ("GET /api/v1/files/{id}", Some(Scope::Storefront)),
    ("GET /api/v1/products", Some(Scope::Storefront)),
    ("GET /api/v1/products/{id}", Some(Scope::Storefront)),
    ("GET /api/v1/products/{id}/similar", Some(Scope::Storefront)),
    ("GET /api/v1/products/{id}/image", Some(Scope::Storefront)),
    ("GET /api/v1/search", Some(Scope::Storefront)),
    ("POST /search/", Some(Scope::Storefront)),
    ("POST /api/v1/imports/preview", Some(Scope::Staff)),
    ("GET /api/v1/imports", Some(Scope::Staff)),
    ("POST /api/v1/imports", Some(Scope::Staff)),
    ("GET /api/v1/imports/{id}", Some(Scope::Staff)),
    ("GET /api/v1/imports/{id}/events", Some(Scope::Staff)),
    ("POST /api/v1/imports/{id}/cancel", Some(Scope::Staff)),
    ("GET /api/v1/imports/{id}/skipped.csv", Some(Scope::Staff)),
];

/// The operations that the document lists.
fn documented() -> Vec<String> {
    let document = serde_json::to_value(mercer_server::openapi()).unwrap();
    let mut operations = Vec::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for method in methods.as_object().unwrap().keys() {
            operations.push(format!("{} {path}", method.to_uppercase()));
        }
    }
    operations.sort();
    operations
}

/// A request that would do the operation, with ids put into its path.
fn request(operation: &str, ids: &BTreeMap<&str, String>) -> Ask {
    let (method, path) = operation.split_once(' ').unwrap();
    let family = path.split('/').nth(3).unwrap_or_default();
    let mut path = path.to_owned();
    for (name, id) in [
        ("{thread}", "threads"),
        ("{id}", family),
        ("{agent}", "graphs"),
        ("{condition}", "conditions"),
        ("{checkpoint}", "checkpoints"),
    ] {
        path = path.replace(name, ids.get(id).map_or("unknown-thing", String::as_str));
    }
    if path == "/api/v1/search" {
        path.push_str("?query=dress");
    }
    let ask = Ask::new(method.parse::<Method>().unwrap(), &path);
    match operation {
        "POST /api/chat" => {
            said(ids.get("threads").map_or("thread-of-mine", String::as_str), "msg-walk", "red dresses")
        }
        "POST /api/v1/chat" => ask.json(&json!({"message": "red dresses", "thread_id": ids.get("threads")})),
        "POST /api/v1/threads" | "POST /api/v1/threads/{id}/fork" => ask.json(&json!({})),
        "PATCH /api/v1/threads/{id}" => ask.json(&json!({"title": "Mine now"})),
        "POST /api/v1/runs/{id}/fork" => ask.json(&json!({})),
        "POST /api/v1/runs/{id}/effects/settle" => ask.json(&json!({"key": "[]", "happened": false})),
        "POST /api/v1/runs/{id}/resume" => ask.json(&json!({"answers": {}})),
        "POST /api/v1/files" => ask.file("a.png", &png(8, 8)),
        "POST /search/" => ask.json(&json!({"query": "dress"})),
        "POST /api/v1/imports/preview" => ask.file("a.csv", b"id,title,price\np1,Dress,19\n"),
        "POST /api/v1/imports" => ask.json(&json!({"upload": ids.get("files").map_or("fil_unknown", String::as_str)})),
        _ => ask,
    }
}

#[test]
fn every_operation_of_the_document_has_its_line_here() {
    let mut listed: Vec<String> = OPERATIONS.iter().map(|(operation, _)| (*operation).to_owned()).collect();
    listed.sort();
    assert_eq!(listed, documented());
}

#[tokio::test]
async fn without_a_key_or_with_an_unknown_one_nothing_but_the_health_check_answers() {
    let shop = Shop::locked();
    for (operation, scope) in OPERATIONS {
        for ask in [request(operation, &BTreeMap::new()), request(operation, &BTreeMap::new()).key("mk_guessed")] {
            let reply = ask.of(&shop).await;
            match scope {
                None => assert_eq!(reply.status, StatusCode::OK),
                Some(_) => {
                    assert_eq!(
                        (reply.status, reply.code().as_str()),
                        (StatusCode::UNAUTHORIZED, "unauthenticated"),
                        "{operation}"
                    );
                }
            }
        }
    }
}

#[tokio::test]
async fn a_key_does_what_its_scope_allows_and_no_more() {
    let shop = Shop::locked();
    for (operation, least) in OPERATIONS {
        for (secret, scope) in [(PAGE, Scope::Storefront), (STAFF, Scope::Staff), (OWNER, Scope::Admin)] {
            let reply = request(operation, &BTreeMap::new()).key(secret).of(&shop).await;
            let allowed = least.is_none_or(|least| scope >= least);
            assert_eq!(reply.status != StatusCode::FORBIDDEN, allowed, "{operation} with {secret}: {}", reply.status);
            assert_ne!(reply.status, StatusCode::UNAUTHORIZED, "{operation} with {secret}");
        }
    }
    let from_disk = Ask::post("/api/v1/imports").json(&json!({"path": "/etc/hosts"}));
    assert_eq!(from_disk.key(STAFF).of(&shop).await.code(), "forbidden", "the server's disk is the owner's");
}

#[tokio::test]
async fn a_storefront_key_works_from_its_own_site_only() {
    let shop = Shop::locked();
    let from = |origin: &str| Ask::get("/api/v1/products").key(PAGE).header("origin", origin);
    assert_eq!(from(ORIGIN).of(&shop).await.status, StatusCode::OK);
    for origin in ["https://evil.example", "null", "http://shop.example", "https://shop.example.evil.example"] {
        assert_eq!(from(origin).of(&shop).await.code(), "forbidden", "{origin}");
    }
    let by_header = Ask::get("/api/v1/products").header("x-api-key", STAFF).of(&shop).await;
    assert_eq!(by_header.status, StatusCode::OK);
}

/// One of each thing, made by the owner.
async fn things(shop: &Shop) -> BTreeMap<&'static str, String> {
    let answer = Ask::post("/api/v1/chat").key(OWNER).header("accept", "application/json");
    let answer = answer.json(&json!({"message": "red dresses"})).of(shop).await.json();
    let file = Ask::post("/api/v1/files").key(OWNER).file("a.png", &png(8, 8)).of(shop).await.json();
    let import = Ask::post("/api/v1/imports").key(OWNER).json(&json!({"upload": file["id"]})).of(shop).await.json();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    BTreeMap::from([
        ("threads", text(&answer["thread_id"])),
        ("runs", text(&answer["run_id"])),
        ("files", text(&file["id"])),
        ("imports", text(&import["id"])),
        ("products", "d01".to_owned()),
    ])
}

#[tokio::test]
async fn another_shops_things_are_not_there() {
    let shop = Shop::locked();
    let ids = things(&shop).await;
    for (operation, _) in
        OPERATIONS.iter().filter(|(operation, _)| operation.contains("{id}") || operation.contains("chat"))
    {
        let reply = request(operation, &ids).key(NEIGHBOUR).of(&shop).await;
        match *operation {
            "GET /api/chat/{thread}/stream" => assert_eq!(reply.status, StatusCode::NO_CONTENT),
            _ => assert_eq!((reply.status, reply.code().as_str()), (StatusCode::NOT_FOUND, "not_found"), "{operation}"),
        }
    }
    let upload = Ask::post("/api/v1/imports").key(NEIGHBOUR).json(&json!({"upload": ids["files"]})).of(&shop).await;
    assert_eq!(upload.code(), "not_found");
    for list in ["threads", "runs", "imports", "products"] {
        let page = Ask::get(format!("/api/v1/{list}")).key(NEIGHBOUR).of(&shop).await.json();
        assert_eq!(page["items"], json!([]), "{list}");
    }
    let named = Ask::get("/api/v1/threads").key(NEIGHBOUR).header("x-tenant-id", "default").of(&shop).await;
    assert_eq!(named.code(), "forbidden");
    let kept = Ask::get(format!("/api/v1/threads/{}/messages", ids["threads"])).key(OWNER).of(&shop).await.json();
    assert_eq!(kept["messages"].as_array().unwrap().len(), 2, "the owner's thread is as it was");
}

#[tokio::test]
async fn the_same_id_chosen_by_two_shops_clients_is_two_threads() {
    let shop = Shop::locked();
    let ours = said("chosen-by-the-client", "msg-1", "red dresses").key(OWNER).of(&shop).await;
    let theirs = said("chosen-by-the-client", "msg-1", "red dresses").key(NEIGHBOUR).of(&shop).await;
    let thread = |reply: &crate::ask::Reply| reply.events()[0].json()["messageMetadata"]["thread"].clone();
    assert_ne!(thread(&ours), thread(&theirs));
}

#[tokio::test]
async fn an_open_server_refuses_the_names_and_pages_of_others() {
    let shop = Shop::open();
    for (operation, scope) in OPERATIONS {
        if scope.is_none() {
            continue;
        }
        for (header, value) in [("host", "rebound.example:8787"), ("origin", "https://evil.example")] {
            let reply = request(operation, &BTreeMap::new()).header(header, value).of(&shop).await;
            assert_eq!((reply.status, reply.code().as_str()), (StatusCode::FORBIDDEN, "forbidden"), "{operation}");
        }
    }
    let own = Ask::get("/api/v1/products").header("host", "localhost:8787").header("origin", "http://127.0.0.1:8787");
    assert_eq!(own.of(&shop).await.status, StatusCode::OK);
    let hidden = Ask::get("/api/v1/products").header("host", "localhost").header("origin", "null").of(&shop).await;
    assert_eq!(hidden.code(), "forbidden", "a sandboxed page of anybody has the origin null");
}
