//! Talking: the AI SDK stream and our own form are the same answer, and the conversation that is kept is what was streamed.

use std::sync::atomic::Ordering;

use axum::http::StatusCode;
use mercer_model::{ChatReply, Script, Scripted, ToolCall};
use serde_json::{Value, json};

use crate::ask::{Ask, eventually};
use crate::shop::{Halting, Shop, parts, said};

const THREAD: &str = "thread-of-the-page";
const ASKED: &str = "red dresses under 300";

/// The parts of a type.
fn of_type<'a>(parts: &'a [Value], kind: &str) -> Vec<&'a Value> {
    parts.iter().filter(|part| part["type"] == kind).collect()
}

/// The text that stands at the end of a stream: all text parts but those that were taken back.
fn standing(parts: &[Value]) -> String {
    let retracted: Vec<&Value> = of_type(parts, "data-retract").iter().map(|part| &part["data"]["part"]).collect();
    let deltas = of_type(parts, "text-delta").into_iter().filter(|part| !retracted.contains(&&part["id"]));
    deltas.map(|part| part["delta"].as_str().unwrap()).collect()
}

/// What must hold of every stream of an answer that came to its end.
fn is_well_formed(parts: &[Value]) {
    let kinds: Vec<&str> = parts.iter().map(|part| part["type"].as_str().unwrap()).collect();
    assert_eq!(kinds[..2], ["start", "start-step"], "{kinds:?}");
    assert_eq!(kinds[kinds.len() - 2..], ["finish-step", "finish"], "{kinds:?}");
    let mut open: Option<&Value> = None;
    for part in parts {
        match part["type"].as_str().unwrap() {
            "text-start" => assert!(open.replace(&part["id"]).is_none(), "two texts are open: {parts:#?}"),
            "text-delta" => assert_eq!(open, Some(&part["id"])),
            "text-end" => assert_eq!(open.take(), Some(&part["id"])),
            "start" | "finish" => assert!(part["messageMetadata"]["run"].is_string()),
            _ => {}
        }
    }
    assert!(open.is_none(), "a text stays open: {parts:#?}");
    for call in of_type(parts, "tool-input-available") {
        let ended = parts.iter().filter(|part| {
            ["tool-output-available", "tool-output-error"].contains(&part["type"].as_str().unwrap())
                && part["toolCallId"] == call["toolCallId"]
        });
        assert_eq!(ended.count(), 1, "each call has one end: {call}");
    }
}

/// Holds the kept answer against the parts it was streamed in.
fn is_kept(parts: &[Value], kept: &Value) {
    assert_eq!(kept["id"], parts[0]["messageId"], "the answer is kept under the id it was streamed with");
    assert_eq!(kept["role"], "assistant");
    let kept_parts = kept["parts"].as_array().unwrap();
    let text: String = of_type(kept_parts, "text").iter().map(|part| part["text"].as_str().unwrap()).collect();
    assert_eq!(text, standing(parts).trim());
    let last = |parts: &[Value]| of_type(parts, "data-products").last().map(|part| part["data"].clone());
    assert_eq!(last(kept_parts), last(parts));
    let calls = |parts: &[Value], kind: &str| -> Vec<(Value, Value)> {
        of_type(parts, kind).iter().map(|part| (part["toolCallId"].clone(), part["toolName"].clone())).collect()
    };
    assert_eq!(calls(kept_parts, "dynamic-tool"), calls(parts, "tool-input-available"));
    assert_eq!(kept["metadata"]["run"], parts[0]["messageMetadata"]["run"]);
    assert_eq!(kept["metadata"]["by_rules"], parts.last().unwrap()["messageMetadata"]["by_rules"]);
}

#[tokio::test]
async fn an_answer_by_rules_streams_as_the_ai_sdk_reads_it_and_is_kept_as_it_was_streamed() {
    let shop = Shop::open();
    let reply = said(THREAD, "msg-1", ASKED).of(&shop).await;
    assert_eq!(reply.header("x-vercel-ai-ui-message-stream"), "v1");
    assert_eq!(reply.header("content-type"), "text/event-stream");
    assert_eq!(reply.header("content-encoding"), "");
    assert_eq!((reply.header("cache-control"), reply.header("x-accel-buffering")), ("no-store", "no"));
    let parts = parts(&reply.events());
    is_well_formed(&parts);
    assert_eq!(parts[0]["messageMetadata"]["by_rules"], true);

    let chips = &of_type(&parts, "data-conditions").last().unwrap()["data"]["conditions"];
    let labels: Vec<&str> = chips.as_array().unwrap().iter().map(|chip| chip["label"].as_str().unwrap()).collect();
    assert_eq!(labels, ["Dresses", "red", "under ¥300"]);
    let cards = &of_type(&parts, "data-products").last().unwrap()["data"]["products"];
    assert_eq!(cards.as_array().unwrap().len(), 1);
    assert_eq!((&cards[0]["id"], &cards[0]["price_text"]), (&json!("d01"), &json!("¥259")));
    let call = of_type(&parts, "tool-input-available")[0];
    assert_eq!(call["toolName"], "search_products");
    let output = of_type(&parts, "tool-output-available")[0];
    assert!(output["output"]["summary"].as_str().unwrap().ends_with("→ 1"), "{output}");
    assert!(standing(&parts).contains("Rose Midi Dress"));

    let kept = shop.messages(THREAD).await;
    let messages = kept["messages"].as_array().unwrap();
    assert_eq!(messages.len(), 2);
    assert_eq!((&messages[0]["id"], &messages[0]["role"]), (&json!("msg-1"), &json!("user")));
    assert_eq!(messages[0]["parts"], json!([{"type": "text", "text": ASKED, "state": "done"}]));
    is_kept(&parts, &messages[1]);
    assert_eq!(kept["conditions"], *chips);
}

#[tokio::test]
async fn an_answer_of_a_model_is_kept_as_it_was_streamed_also_when_it_thought_aloud_first() {
    let mut aloud = ChatReply::calls(vec![ToolCall::new("", "search_products", json!({"query": ASKED}).to_string())]);
    aloud.text = "I will have a look for you. ".to_owned();
    let model = Scripted::new([
        Script::from(aloud),
        Script::from("The Rose Midi Dress [[d01]] is red and stays below your limit."),
    ]);
    let shop = Shop::led_by(&model);
    let parts = shop.say(THREAD, "msg-1", ASKED).await;
    is_well_formed(&parts);
    assert_eq!(parts[0]["messageMetadata"]["by_rules"], false);
    assert_eq!(standing(&parts), "The Rose Midi Dress is red and stays below your limit.");
    let kept = shop.messages(THREAD).await;
    is_kept(&parts, &kept["messages"][1]);
}

#[tokio::test]
async fn the_same_message_sent_twice_is_answered_once() {
    let shop = Shop::open();
    let first = shop.say(THREAD, "msg-1", ASKED).await;
    let second = shop.say(THREAD, "msg-1", ASKED).await;
    assert_eq!(first, second, "the second request reads the first one's answer");
    let at_once = futures::future::join_all((0..4).map(|_| shop.say(THREAD, "msg-2", "in blue"))).await;
    assert!(at_once.iter().all(|parts| *parts == at_once[0]));
    let runs = Ask::get("/api/v1/runs").of(&shop).await.json();
    assert_eq!(runs["items"].as_array().unwrap().len(), 2);
    assert_eq!(shop.messages(THREAD).await["messages"].as_array().unwrap().len(), 4);
}

#[tokio::test]
async fn a_page_that_comes_back_reads_the_running_answer_from_its_start() {
    let model = Halting::new("I am glad to help you with that. Which", " colour do you like most?");
    let shop = model.shop();
    let resume = || Ask::get(format!("/api/chat/{THREAD}/stream"));
    assert_eq!(resume().of(&shop).await.status, StatusCode::NO_CONTENT, "no thread yet");
    let mut first = said(THREAD, "msg-1", "hello").live(&shop).await;
    let mut seen = first.until(|sent| sent.data.contains("text-delta")).await;
    drop(said(THREAD, "msg-1", "hello").live(&shop).await);

    let mut second = resume().live(&shop).await;
    let mut again = second.until(|sent| sent.data.contains("text-delta")).await;
    let busy = Ask::get(format!("/api/v1/threads/{THREAD}")).of(&shop).await.json();
    assert_eq!(busy["status"], "busy");
    model.let_go();
    seen.extend(first.rest().await);
    again.extend(second.rest().await);
    let (seen, again) = (parts(&seen), parts(&again));
    is_well_formed(&seen);
    assert_eq!(again, seen);
    assert_eq!(resume().of(&shop).await.status, StatusCode::NO_CONTENT, "the answer is over");
    assert_eq!(model.asked.load(Ordering::SeqCst), 1);
    is_kept(&seen, &shop.messages(THREAD).await["messages"][1]);
}

#[tokio::test]
async fn an_answer_goes_on_when_its_reader_leaves_and_a_second_question_waits_for_it() {
    let model = Halting::new("I am glad to help you with that. Which", " colour do you like most?");
    let shop = model.shop();
    let mut reader = said(THREAD, "msg-1", "hello").live(&shop).await;
    reader.until(|sent| sent.data.contains("text-delta")).await;
    drop(reader);
    let waiting = said(THREAD, "msg-2", "thank you").live(&shop).await;
    model.let_go();
    model.let_go();
    let mut waiting = waiting;
    is_well_formed(&parts(&waiting.rest().await));
    let kept = shop.messages(THREAD).await;
    let ids: Vec<&str> =
        kept["messages"].as_array().unwrap().iter().map(|message| message["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["msg-1", "ans_msg-1", "msg-2", "ans_msg-2"]);
}

#[tokio::test]
async fn a_stopped_answer_ends_with_abort_and_the_conversation_goes_on() {
    let model = Halting::new("I am glad to help you with that. Which", " colour do you like most?");
    let shop = model.shop();
    let mut reader = said(THREAD, "msg-1", "hello").live(&shop).await;
    let begun = reader.until(|sent| sent.data.contains("text-delta")).await;
    let run = begun[0].json()["messageMetadata"]["run"].as_str().unwrap().to_owned();
    let stop = Ask::post(format!("/api/v1/runs/{run}/cancel")).of(&shop).await;
    assert_eq!(stop.status, StatusCode::ACCEPTED);
    let ended = parts(&reader.rest().await);
    assert_eq!(ended.last().unwrap()["type"], "abort");
    let row = Ask::get(format!("/api/v1/runs/{run}")).of(&shop).await.json();
    assert_eq!(row["status"], "cancelled");

    model.let_go();
    let parts = shop.say(THREAD, "msg-2", "thank you").await;
    is_well_formed(&parts);
    let kept = shop.messages(THREAD).await;
    let messages = kept["messages"].as_array().unwrap();
    let ids: Vec<&str> = messages.iter().map(|message| message["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["msg-1", "ans_msg-1", "msg-2", "ans_msg-2"]);
    assert_eq!(messages[1]["metadata"]["error"], "interrupted");
    is_kept(&parts, &messages[3]);
}

#[tokio::test]
async fn a_removed_condition_searches_again_without_it() {
    let shop = Shop::open();
    let parts = shop.say(THREAD, "msg-1", ASKED).await;
    let chips = of_type(&parts, "data-conditions").last().unwrap()["data"]["conditions"].clone();
    let price = chips.as_array().unwrap().iter().find(|chip| chip["label"] == "under ¥300").unwrap()["id"].clone();
    let path = format!("/api/v1/threads/{THREAD}/conditions/{}?locale=en", price.as_str().unwrap().replace(' ', "%20"));
    let reply = Ask::delete(path).of(&shop).await;
    assert_eq!(reply.status, StatusCode::ACCEPTED, "{}", reply.text());
    let run = reply.json()["run"].as_str().unwrap().to_owned();
    eventually("the new search", async || {
        let row = Ask::get(format!("/api/v1/runs/{run}")).of(&shop).await.json();
        (row["status"] == "done").then_some(())
    })
    .await;
    let kept = shop.messages(THREAD).await;
    let labels: Vec<&Value> = kept["conditions"].as_array().unwrap().iter().map(|chip| &chip["label"]).collect();
    assert_eq!(labels, ["Dresses", "red"]);
    let answer = kept["messages"].as_array().unwrap().last().unwrap();
    let cards = &of_type(answer["parts"].as_array().unwrap(), "data-products")[0]["data"]["products"];
    let ids: Vec<&Value> = cards.as_array().unwrap().iter().map(|card| &card["id"]).collect();
    assert_eq!(ids.len(), 2, "{ids:?}");
    assert!(ids.contains(&&json!("d01")) && ids.contains(&&json!("d02")));
}

#[tokio::test]
async fn an_answer_that_is_made_again_stands_once_more_and_the_question_is_not_lost() {
    let shop = Shop::open();
    shop.say(THREAD, "msg-1", ASKED).await;
    let again = Ask::post("/api/chat").json(&json!({
        "id": THREAD, "trigger": "regenerate-message",
        "messages": [{"id": "msg-1", "role": "user", "parts": [{"type": "text", "text": ASKED}]}],
    }));
    let parts = parts(&again.of(&shop).await.events());
    is_well_formed(&parts);
    assert_ne!(parts[0]["messageId"], "ans_msg-1");
    let kept = shop.messages(THREAD).await;
    is_kept(&parts, kept["messages"].as_array().unwrap().last().unwrap());
}

#[tokio::test]
async fn our_own_form_ends_with_the_whole_answer_and_json_is_that_alone() {
    let shop = Shop::open();
    let ask = || Ask::post("/api/v1/chat").json(&json!({"message": ASKED, "locale": "en"}));
    let whole = ask().header("accept", "application/json").of(&shop).await;
    assert_eq!(whole.header("content-type"), "application/json");
    let whole = whole.json();
    assert_eq!(whole["products"][0]["id"], "d01");
    assert_eq!(whole["tool_calls"][0]["name"], "search_products");
    assert_eq!(whole["tool_calls"][0]["ok"], true);
    assert_eq!(whole["fallback"], json!({"reason": "no_model"}));
    assert_eq!(whole["error"], Value::Null);
    for field in ["response", "products", "tool_calls", "citations", "usage", "fallback", "error"] {
        assert!(whole.get(field).is_some(), "{field}");
    }
    let thread = whole["thread_id"].as_str().unwrap();
    let kept = shop.messages(thread).await;
    assert_eq!(
        kept["messages"][1]["parts"].as_array().unwrap().iter().find(|p| p["type"] == "text").unwrap()["text"],
        whole["response"]
    );

    let events = ask().of(&shop).await.events();
    let (done, before) = events.split_last().unwrap();
    assert_eq!(done.event.as_deref(), Some("done"));
    assert_eq!(before.last().unwrap().event.as_deref(), Some("run_finished"));
    let done = done.json();
    assert_eq!((&done["response"], &done["products"]), (&whole["response"], &whole["products"]));
    let more = Ask::post("/api/v1/chat").json(&json!({"thread_id": thread, "message": "cheaper"}));
    assert_eq!(more.header("accept", "application/json").of(&shop).await.json()["thread_id"], thread);
}

#[tokio::test]
async fn a_repeated_request_with_a_key_is_the_same_run_even_without_a_thread() {
    let shop = Shop::open();
    let ask = |key: &str, tenant: &str| {
        Ask::post("/api/v1/chat")
            .header("accept", "application/json")
            .header("idempotency-key", key)
            .header("x-tenant-id", tenant)
            .json(&json!({"message": ASKED}))
    };
    let first = ask("order-7/retry", "default").of(&shop).await.json();
    let second = ask("order-7/retry", "default").of(&shop).await.json();
    assert_eq!(first, second);
    let other = ask("order-8", "default").of(&shop).await.json();
    assert_ne!(other["thread_id"], first["thread_id"]);
    let neighbour = ask("order-7/retry", "neighbour").of(&shop).await.json();
    assert_ne!(neighbour["thread_id"], first["thread_id"]);
}

#[tokio::test]
async fn chinese_is_answered_in_chinese() {
    let shop = Shop::open();
    let parts = shop.say(THREAD, "msg-1", "红色连衣裙，300元以下").await;
    assert!(standing(&parts).contains("玫瑰中长连衣裙"), "{}", standing(&parts));
    let cards = &of_type(&parts, "data-products").last().unwrap()["data"]["products"];
    assert_eq!(cards[0]["title"], "玫瑰中长连衣裙");
}

#[tokio::test]
async fn what_cannot_be_answered_is_refused_with_a_sentence_that_says_what_to_do() {
    let shop = Shop::open();
    let refused = async |body: Value| Ask::post("/api/chat").json(&body).of(&shop).await.problem();
    let message = |id: &str, text: &str| json!({"id": id, "role": "user", "parts": [{"type": "text", "text": text}]});
    for (body, says) in [
        (json!({"id": THREAD, "messages": []}), "no message"),
        (json!({"id": THREAD, "messages": [message("m", "  ")]}), "empty"),
        (json!({"id": THREAD, "messages": [message("", "hello")]}), "id of the message"),
        (json!({"id": THREAD, "messages": [message("m", &"x".repeat(8_001))]}), "8001 characters"),
        (json!({"id": "short", "messages": [message("m", "hello")]}), "8 to 64"),
        (json!({"id": "../../etc/passwd", "messages": [message("m", "hello")]}), "8 to 64"),
        (json!({"id": THREAD, "agent": "pilot", "messages": [message("m", "hello")]}), "no agent"),
        (json!({"messages": [message("m", "hello")]}), "id"),
    ] {
        let (code, detail) = refused(body).await;
        assert_eq!(code, "invalid_request");
        assert!(detail.contains(says), "{detail}");
    }
    let picture = |url: &str| json!({"id": THREAD, "messages": [{"id": "m", "role": "user", "parts": [{"type": "file", "mediaType": "image/png", "url": url}]}]});
    assert_eq!(refused(picture("http://169.254.169.254/latest/meta-data")).await.0, "invalid_request");
    assert_eq!(refused(picture("/api/v1/files/fil_unknown")).await.0, "not_found");
    assert_eq!(refused(picture("data:image/png;base64,PGh0bWw+")).await.0, "unreadable_picture");
    assert_eq!(refused(picture("data:image/png;base64,%%%")).await.0, "invalid_request");
    let unknown = ThreadOfOurs::unknown();
    assert_eq!(refused(json!({"id": unknown, "messages": [message("m", "hello")]})).await.0, "not_found");

    let text = Ask::post("/api/chat").header("content-type", "text/plain").of(&shop).await;
    assert_eq!((text.status, text.code()), (StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_media".to_owned()));
    let huge = Ask::post("/api/v1/chat").json(&json!({"message": "x".repeat(3 << 20)})).of(&shop).await;
    assert_eq!((huge.status, huge.code()), (StatusCode::PAYLOAD_TOO_LARGE, "too_large".to_owned()));
    let runs = Ask::get("/api/v1/runs").of(&shop).await.json();
    assert_eq!(runs["items"], json!([]), "nothing was started");
}

/// An id in our form that names nothing.
struct ThreadOfOurs;

impl ThreadOfOurs {
    fn unknown() -> String {
        mercer_graph::ThreadId::fresh().to_string()
    }
}
