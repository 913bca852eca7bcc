//! Runs: seen live and later, without a gap or a repeat, and stopped.

use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::ask::{Ask, Sent};
use crate::shop::{Halting, Shop, said};

const THREAD: &str = "thread-of-runs";

async fn run_of(shop: &Shop, text: &str, message: &str) -> String {
    let parts = shop.say(THREAD, message, text).await;
    parts[0]["messageMetadata"]["run"].as_str().unwrap().to_owned()
}

fn kinds(events: &[Sent]) -> Vec<&str> {
    events.iter().map(|sent| sent.event.as_deref().unwrap()).collect()
}

#[tokio::test]
async fn a_runs_events_are_numbered_and_a_reader_goes_on_after_any_of_them() {
    let shop = Shop::open();
    let run = run_of(&shop, "red dresses under 300", "msg-1").await;
    let path = format!("/api/v1/runs/{run}/events");
    let all = Ask::get(&path).of(&shop).await.events();
    assert_eq!(kinds(&all).first(), Some(&"run_started"));
    assert_eq!(kinds(&all).last(), Some(&"run_finished"));
    for (number, sent) in all.iter().enumerate() {
        let event = sent.json();
        assert_eq!(event["seq"].as_u64(), Some(number as u64 + 1), "numbers rise by one");
        assert_eq!(sent.id.as_deref(), Some(format!("{}-{}", event["epoch"], event["seq"]).as_str()));
        assert_eq!(sent.event.as_deref(), event["body"]["type"].as_str());
    }
    for (number, sent) in all.iter().enumerate() {
        let rest = Ask::get(&path).header("last-event-id", sent.id.as_deref().unwrap()).of(&shop).await.events();
        assert_eq!(rest, all[number + 1..], "nothing is missed and nothing comes twice");
    }
    for nonsense in ["x", "1", "-1--1", "99999999999999999999-1"] {
        assert_eq!(Ask::get(&path).header("last-event-id", nonsense).of(&shop).await.code(), "invalid_request");
    }
}

#[tokio::test]
async fn a_live_reader_that_loses_the_line_reads_on_where_it_was() {
    let model = Halting::new("I am glad to help you with that. Which", " colour do you like most?");
    let shop = model.shop();
    let mut chat = said(THREAD, "msg-1", "hello").live(&shop).await;
    let start = chat.next().await.unwrap().json();
    let path = format!("/api/v1/runs/{}/events", start["messageMetadata"]["run"].as_str().unwrap());
    let mut reader = Ask::get(&path).live(&shop).await;
    let mut seen = reader.until(|sent| sent.event.as_deref() == Some("message_delta")).await;
    drop(reader);
    let mut reader =
        Ask::get(&path).header("last-event-id", seen.last().unwrap().id.as_deref().unwrap()).live(&shop).await;
    model.let_go();
    seen.extend(reader.rest().await);
    let told = |events: &[Sent]| -> Vec<(Option<String>, Value)> {
        events.iter().map(|sent| (sent.id.clone(), sent.json()["body"].clone())).collect()
    };
    assert_eq!(told(&seen), told(&Ask::get(&path).of(&shop).await.events()));
}

#[tokio::test]
async fn runs_are_listed_newest_first_by_thread_agent_and_status() {
    let shop = Shop::open();
    let first = run_of(&shop, "red dresses", "msg-1").await;
    let second = run_of(&shop, "in blue", "msg-2").await;
    shop.say("thread-of-another", "msg-1", "watches").await;
    let list = async |query: &str| -> Vec<Value> {
        let page = Ask::get(format!("/api/v1/runs{query}")).of(&shop).await.json();
        page["items"].as_array().unwrap().iter().map(|run| run["id"].clone()).collect()
    };
    assert_eq!(list("").await.len(), 3);
    let thread = Ask::get(format!("/api/v1/threads/{THREAD}")).of(&shop).await.json();
    let thread = thread["id"].as_str().unwrap();
    assert_eq!(list(&format!("?thread={thread}")).await, [json!(second), json!(first)]);
    assert_eq!(list(&format!("?thread={THREAD}")).await, [json!(second), json!(first)], "also by the page's own id");
    assert_eq!(list("?status=done&agent=shopping").await.len(), 3);
    assert_eq!(list("?status=failed").await.len(), 0);
    assert_eq!(Ask::get("/api/v1/runs?status=odd").of(&shop).await.code(), "invalid_request");
    let page = Ask::get("/api/v1/runs?limit=2").of(&shop).await.json();
    let rest = list(&format!("?limit=2&before={}", page["next"].as_str().unwrap())).await;
    assert_eq!(rest, [json!(first)]);

    let run = Ask::get(format!("/api/v1/runs/{first}")).of(&shop).await.json();
    assert_eq!((&run["status"], &run["agent"], &run["error"]), (&json!("done"), &json!("shopping"), &Value::Null));
    assert!(run["steps"].as_u64().unwrap() >= 3);
    for unknown in ["run_0", &mercer_graph::RunId::fresh().to_string()] {
        assert_eq!(Ask::get(format!("/api/v1/runs/{unknown}")).of(&shop).await.code(), "not_found");
    }
}

#[tokio::test]
async fn a_run_that_is_over_can_neither_be_stopped_into_another_state_nor_answered() {
    let shop = Shop::open();
    let run = run_of(&shop, "red dresses", "msg-1").await;
    Ask::post(format!("/api/v1/runs/{run}/cancel")).of(&shop).await;
    let row = Ask::get(format!("/api/v1/runs/{run}")).of(&shop).await.json();
    assert_eq!(row["status"], "done");
    let resume = Ask::post(format!("/api/v1/runs/{run}/resume")).json(&json!({"answers": {"q": 1}})).of(&shop).await;
    assert_eq!((resume.status, resume.code()), (StatusCode::CONFLICT, "conflict".to_owned()));
}

#[tokio::test]
async fn an_agents_graph_is_there_as_data_and_as_a_drawing() {
    let shop = Shop::open();
    let graph = Ask::get("/api/v1/graphs/shopping").of(&shop).await.json();
    assert!(graph["mermaid"].as_str().unwrap().contains("understand"));
    assert!(graph["shape"]["nodes"].as_array().is_some_and(|nodes| nodes.len() >= 5), "{graph:#}");
    assert_eq!(Ask::get("/api/v1/graphs/pilot").of(&shop).await.code(), "not_found");
}
