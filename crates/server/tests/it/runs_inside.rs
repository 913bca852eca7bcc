//! A run from inside: its way, its steps with their states, its questions and effects; answered, settled and forked.

use std::sync::Arc;

use axum::http::StatusCode;
use mercer_graph::conformance::graphs::Lines;
use mercer_graph::{
    Agent, Ctx, EffectFault, EffectKey, Graph, Interrupt, NewThread, OnUnknown, RunId, RunOptions, Step, ThreadId,
};
use serde_json::{Value, json};

use crate::ask::Ask;
use crate::shop::Shop;

/// A graph that asks before it pays, and whose payment loses its answer.
fn paying(shop: &Shop) -> Agent<Lines> {
    let ask = |ctx: Ctx<()>, _: Arc<Lines>| async move {
        match ctx.answer("approve") {
            Some(answer) => Ok(Step::update(format!("approved: {answer}"))),
            None => {
                let schema = json!({"type": "object", "required": ["ok"], "properties": {"ok": {"type": "boolean"}}});
                let question = Interrupt::new("approve", json!({"amount": 299})).with_schema(schema);
                Ok(Step::update("asked".to_owned()).and_interrupt(question))
            }
        }
    };
    let pay = |ctx: Ctx<()>, _: Arc<Lines>| async move {
        let paid = ctx.effect("pay", EffectKey::of(["ORD-1", "299"]), OnUnknown::Ask, async {
            Err::<String, _>(EffectFault::Unknown("the line was cut".to_owned()))
        });
        Ok(Step::update(paid.await?))
    };
    let graph = Graph::named("paying").entry("ask").node("ask", ask).edge("ask", "pay").node("pay", pay).end("pay");
    shop.engine.register(graph.build().unwrap(), ())
}

async fn begin(shop: &Shop) -> (ThreadId, RunId) {
    let agent = paying(shop);
    let new = NewThread { tenant: "default".into(), agent: "paying".into(), ..NewThread::default() };
    let thread = shop.engine.create_thread(new).await.unwrap();
    let run = agent.start(&thread, vec!["begin".to_owned()], RunOptions::default()).await.unwrap();
    shop.engine.wait(&run).await.unwrap();
    (thread, run)
}

async fn get(shop: &Shop, path: &str) -> Value {
    Ask::get(format!("/api/v1/{path}")).of(shop).await.json()
}

async fn post(shop: &Shop, path: &str, body: Value) -> (StatusCode, String) {
    let reply = Ask::post(format!("/api/v1/{path}")).json(&body).of(shop).await;
    let code = if reply.status.is_success() { String::new() } else { reply.code() };
    (reply.status, code)
}

#[tokio::test]
async fn a_parked_run_shows_its_question_refuses_wrong_answers_and_goes_on_with_a_right_one() {
    let shop = Shop::open();
    let (_, run) = begin(&shop).await;
    let row = get(&shop, &format!("runs/{run}")).await;
    assert_eq!(row["status"], "interrupted");
    let question = &row["waiting"][0];
    assert_eq!((&question["id"], &question["node"]), (&json!("approve"), &json!("ask")));
    assert_eq!((&question["payload"]["amount"], &question["schema"]["required"][0]), (&json!(299), &json!("ok")));
    let way = get(&shop, &format!("runs/{run}/graph")).await;
    assert_eq!((&way["next"], &way["waiting"], &way["changed"]), (&json!(["ask"]), &json!(["ask"]), &json!(false)));

    let resume = format!("runs/{run}/resume");
    for wrong in [
        json!({}),
        json!({"answer": 7}),
        json!({"answers": {"other": {"ok": true}}}),
        json!({"answer": {"ok": true}, "answers": {"approve": {"ok": true}}}),
        json!({"answer": {"ok": true}, "step_limit": 100}),
        json!({"reply": 1}),
    ] {
        assert_eq!(post(&shop, &resume, wrong.clone()).await.1, "invalid_request", "{wrong}");
    }
    assert_eq!(get(&shop, &format!("runs/{run}")).await["epoch"], row["epoch"], "nothing was written");
    assert_eq!(post(&shop, &resume, json!({"answer": {"ok": true}})).await.0, StatusCode::ACCEPTED);
    shop.engine.wait(&run).await.unwrap();
    assert_eq!(post(&shop, &resume, json!({"answer": {"ok": true}})).await.1, "invalid_request", "answered twice");
}

#[tokio::test]
async fn an_effect_whose_outcome_is_not_known_is_shown_settled_and_the_run_goes_on() {
    let shop = Shop::open();
    let (_, run) = begin(&shop).await;
    post(&shop, &format!("runs/{run}/resume"), json!({"answers": {"approve": {"ok": true}}})).await;
    shop.engine.wait(&run).await.unwrap();
    let row = get(&shop, &format!("runs/{run}")).await;
    assert_eq!((&row["status"], &row["error_code"]), (&json!("failed"), &json!("effect_unknown")), "{row:#}");
    assert_eq!(row["error_node"], "pay");
    let effects = get(&shop, &format!("runs/{run}/effects")).await;
    let effect = &effects["items"][0];
    assert_eq!((&effect["name"], &effect["facts"]), (&json!("pay"), &json!(["ORD-1", "299"])));
    assert_eq!((&effect["state"], &effect["result"]), (&json!("open"), &Value::Null));

    let settle = format!("runs/{run}/effects/settle");
    let unknown = json!({"key": "[\"default\",\"pay\"]", "happened": true});
    assert_eq!(post(&shop, &settle, unknown).await.1, "not_found");
    let word = json!({"key": effect["key"], "happened": true, "result": "paid by hand"});
    assert_eq!(post(&shop, &settle, word.clone()).await.0, StatusCode::NO_CONTENT);
    assert_eq!(post(&shop, &settle, word).await.1, "conflict", "it is settled once");
    assert_eq!(post(&shop, &format!("runs/{run}/resume"), json!({})).await.0, StatusCode::ACCEPTED);
    shop.engine.wait(&run).await.unwrap();
    assert_eq!(get(&shop, &format!("runs/{run}")).await["status"], "done");
    assert_eq!(get(&shop, &format!("runs/{run}/effects")).await["items"][0]["result"], "paid by hand");
    let way = get(&shop, &format!("runs/{run}/graph")).await;
    assert_eq!(way["visits"], json!({"ask": 2, "pay": 1}));
    let taken: Vec<String> =
        way["taken"].as_array().unwrap().iter().map(|l| format!("{}>{}", l["from"], l["to"])).collect();
    assert_eq!(taken, [r#""__start__">"ask""#, r#""ask">"pay""#, r#""pay">"__end__""#]);
    assert!(way["mermaid"].as_str().unwrap().contains("linkStyle 0,1,2"), "{way:#}");
}

#[tokio::test]
async fn each_step_shows_its_state_and_what_it_changed_and_a_fork_goes_on_from_it() {
    let shop = Shop::open();
    let (thread, run) = begin(&shop).await;
    let steps = get(&shop, &format!("runs/{run}/steps")).await;
    let told: Vec<(&Value, &Value)> =
        steps["items"].as_array().unwrap().iter().map(|s| (&s["source"], &s["nodes"])).collect();
    assert_eq!(told, [(&json!("input"), &json!(["__start__"])), (&json!("step"), &json!(["ask"]))]);
    let page = get(&shop, &format!("runs/{run}/steps?limit=1")).await;
    let rest = get(&shop, &format!("runs/{run}/steps?limit=1&after={}", page["next"].as_str().unwrap())).await;
    assert_eq!((&rest["items"][0]["id"], rest.get("next")), (&steps["items"][1]["id"], None));

    let second = steps["items"][1]["id"].as_str().unwrap();
    let step = get(&shop, &format!("runs/{run}/steps/{second}")).await;
    assert_eq!(step["state"], json!(["begin", "asked"]));
    assert_eq!(step["changes"], json!([{"path": "/1", "kind": "added", "after": "asked"}]));
    assert!(step["step"]["milliseconds"].as_i64().is_some_and(|ms| ms >= 0), "{step:#}");
    let first = steps["items"][0]["id"].as_str().unwrap();
    assert_eq!(get(&shop, &format!("runs/{run}/steps/{first}")).await["state"], json!(["begin"]));
    assert_eq!(Ask::get(format!("/api/v1/runs/{run}/steps/chk_0")).of(&shop).await.code(), "not_found");
    let other = begin(&shop).await.1;
    let foreign = Ask::get(format!("/api/v1/runs/{other}/steps/{second}")).of(&shop).await;
    assert_eq!(foreign.code(), "not_found", "a step is looked at under its own run");

    let fork = format!("/api/v1/runs/{run}/fork");
    let made = Ask::post(&fork).json(&json!({"checkpoint": first})).of(&shop).await.json();
    assert_eq!(made["run"], Value::Null);
    let state = get(&shop, &format!("threads/{}/state", made["thread"].as_str().unwrap())).await;
    assert_eq!(state, json!(["begin"]));
    let body = json!({"go_on": true, "answers": {"approve": {"ok": false}}});
    let made = Ask::post(&fork).json(&body).of(&shop).await;
    assert_eq!(made.status, StatusCode::CREATED);
    let made = made.json();
    let forked: RunId = made["run"].as_str().unwrap().parse().unwrap();
    shop.engine.wait(&forked).await.unwrap();
    let state = get(&shop, &format!("threads/{}/state", made["thread"].as_str().unwrap())).await;
    assert_eq!(state, json!(["begin", "asked", r#"approved: {"ok":false}"#]));
    assert_eq!(get(&shop, &format!("threads/{thread}/state")).await, json!(["begin", "asked"]), "it stays as it was");
    let threads = get(&shop, "threads").await["items"].as_array().unwrap().len();
    assert_eq!(post(&shop, &format!("runs/{run}/fork"), json!({"go_on": true})).await.1, "invalid_request");
    assert_eq!(get(&shop, "threads").await["items"].as_array().unwrap().len(), threads, "no thread is left behind");

    let history = get(&shop, &format!("threads/{thread}/history?source=step&node=ask&run={run}")).await;
    assert_eq!(history["items"].as_array().unwrap().len(), 1, "{history:#}");
    assert_eq!(get(&shop, &format!("threads/{thread}/history?node=pay")).await["items"], json!([]));
}
