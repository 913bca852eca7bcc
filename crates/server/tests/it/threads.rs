//! Threads: listed, paged, renamed, forked, looked into and deleted.

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::ask::Ask;
use crate::shop::Shop;

async fn ids(shop: &Shop, path: &str) -> (Vec<String>, Option<String>) {
    let page = Ask::get(path).of(shop).await.json();
    let ids = page["items"].as_array().unwrap().iter().map(|item| item["id"].as_str().unwrap().to_owned()).collect();
    (ids, page["next"].as_str().map(str::to_owned))
}

#[tokio::test]
async fn threads_are_made_titled_renamed_and_deleted() {
    let shop = Shop::open();
    let made = Ask::post("/api/v1/threads").json(&json!({})).of(&shop).await;
    assert_eq!(made.status, StatusCode::CREATED);
    let made = made.json();
    assert_eq!((&made["agent"], &made["title"], &made["status"]), (&json!("shopping"), &Value::Null, &json!("idle")));
    let path = format!("/api/v1/threads/{}", made["id"].as_str().unwrap());
    assert_eq!(shop.messages(made["id"].as_str().unwrap()).await, json!({"messages": [], "conditions": []}));

    shop.say(made["id"].as_str().unwrap(), "msg-1", "red dresses under 300").await;
    assert_eq!(Ask::get(&path).of(&shop).await.json()["title"], "red dresses under 300");
    let renamed = Ask::new(Method::PATCH, &path).json(&json!({"title": "  For the party "})).of(&shop).await.json();
    assert_eq!(renamed["title"], "For the party");
    shop.say(made["id"].as_str().unwrap(), "msg-2", "in blue").await;
    assert_eq!(Ask::get(&path).of(&shop).await.json()["title"], "For the party", "a name that was given stays");
    for title in ["", "   ", &"x".repeat(201)] {
        let refused = Ask::new(Method::PATCH, &path).json(&json!({"title": title})).of(&shop).await;
        assert_eq!(refused.code(), "invalid_request");
    }
    assert_eq!(Ask::delete(&path).of(&shop).await.status, StatusCode::NO_CONTENT);
    assert_eq!(Ask::get(&path).of(&shop).await.code(), "not_found");
    assert_eq!(Ask::delete(&path).of(&shop).await.code(), "not_found");
    let runs = Ask::get("/api/v1/runs").of(&shop).await.json();
    assert_eq!(runs["items"], json!([]), "its runs are gone with it");
    let unknown = Ask::post("/api/v1/threads").json(&json!({"agent": "pilot"})).of(&shop).await;
    assert_eq!(unknown.code(), "invalid_request");
}

#[tokio::test]
async fn lists_are_read_page_by_page_without_a_gap_or_a_repeat() {
    let shop = Shop::open();
    for number in 0..7 {
        let title = format!("Thread {number}");
        Ask::post("/api/v1/threads").json(&json!({"title": title})).of(&shop).await.json();
    }
    let (all, none) = ids(&shop, "/api/v1/threads").await;
    assert_eq!((all.len(), none), (7, None));
    let (mut read, mut next) = ids(&shop, "/api/v1/threads?limit=3").await;
    let mut pages = 1;
    while let Some(before) = next {
        let (more, after) = ids(&shop, &format!("/api/v1/threads?limit=3&before={before}")).await;
        read.extend(more);
        next = after;
        pages += 1;
    }
    assert_eq!((read, pages), (all, 3));
    assert_eq!(ids(&shop, "/api/v1/threads?limit=0").await.0.len(), 1, "a limit is at least one");
    assert_eq!(Ask::get("/api/v1/threads?limit=many").of(&shop).await.code(), "invalid_request");
    assert_eq!(Ask::get("/api/v1/threads?before=nonsense").of(&shop).await.code(), "not_found");
    assert_eq!(ids(&shop, "/api/v1/threads?agent=pilot").await.0, Vec::<String>::new());
}

#[tokio::test]
async fn a_fork_goes_on_from_where_it_was_made_and_leaves_the_first_thread_alone() {
    let shop = Shop::open();
    let thread = "thread-to-fork";
    shop.say(thread, "msg-1", "red dresses under 300").await;
    let history = Ask::get(format!("/api/v1/threads/{thread}/history")).of(&shop).await.json();
    let items = history["items"].as_array().unwrap();
    assert!(items.len() > 2);
    assert!(items.windows(2).all(|pair| pair[0]["step"].as_u64() > pair[1]["step"].as_u64()), "newest first");
    let after_first = items[0]["id"].as_str().unwrap().to_owned();
    shop.say(thread, "msg-2", "in blue").await;

    let forked =
        Ask::post(format!("/api/v1/threads/{thread}/fork")).json(&json!({"checkpoint": after_first})).of(&shop).await;
    assert_eq!(forked.status, StatusCode::CREATED, "{}", forked.text());
    let fork = forked.json()["id"].as_str().unwrap().to_owned();
    let count = async |id: &str| shop.messages(id).await["messages"].as_array().unwrap().len();
    assert_eq!((count(&fork).await, count(thread).await), (2, 4));
    shop.say(&fork, "msg-3", "cheaper").await;
    assert_eq!((count(&fork).await, count(thread).await), (4, 4));
    let newest = Ask::post(format!("/api/v1/threads/{thread}/fork")).json(&json!({})).of(&shop).await.json();
    assert_eq!(count(newest["id"].as_str().unwrap()).await, 4);

    let state = Ask::get(format!("/api/v1/threads/{thread}/state?checkpoint={after_first}")).of(&shop).await.json();
    assert_eq!(state["messages"].as_array().unwrap().len(), 2);
    let state = Ask::get(format!("/api/v1/threads/{thread}/state")).of(&shop).await.json();
    assert_eq!(state["messages"].as_array().unwrap().len(), 4);
    let stranger = mercer_graph::CheckpointId::fresh().to_string();
    for path in [format!("state?checkpoint={stranger}"), "state?checkpoint=nonsense".to_owned()] {
        assert_eq!(Ask::get(format!("/api/v1/threads/{thread}/{path}")).of(&shop).await.code(), "not_found");
    }
    let lost =
        Ask::post(format!("/api/v1/threads/{thread}/fork")).json(&json!({"checkpoint": stranger})).of(&shop).await;
    assert_eq!(lost.code(), "not_found");
}

#[tokio::test]
async fn a_history_is_read_page_by_page() {
    let shop = Shop::open();
    let thread = "thread-with-history";
    for (number, text) in ["red dresses", "in blue", "cheaper"].into_iter().enumerate() {
        shop.say(thread, &format!("msg-{number}"), text).await;
    }
    let path = format!("/api/v1/threads/{thread}/history");
    let (all, _) = ids(&shop, &format!("{path}?limit=100")).await;
    let (mut read, mut next) = ids(&shop, &format!("{path}?limit=4")).await;
    while let Some(before) = next {
        let (more, after) = ids(&shop, &format!("{path}?limit=4&before={before}")).await;
        read.extend(more);
        next = after;
    }
    assert_eq!(read, all);
}
