//! Retries, breaker, limits, fallbacks, budgets and the ledger, on a paused clock.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::StreamExt as _;
use mercer_model::resilience::{
    BreakerSettings, Budget, BudgetLimits, Budgeted, Fallback, Gate, GateSettings, Guarded, Ledger, LedgerRow, Outcome,
    Retry, State,
};
use mercer_model::{
    Capabilities, ChatEvent, ChatModel, ChatReply, ChatRequest, ChatStream, Cost, FinishReason, Message, ModelError,
    ModelSettings, Models, Script, Scripted, Support, Usage, complete,
};
use tokio::time::Instant;

use crate::server::{Server, answer, response};

#[derive(Debug, Default)]
struct Rows(Mutex<Vec<LedgerRow>>);

impl Ledger for Rows {
    fn record(&self, row: LedgerRow) {
        self.0.lock().unwrap().push(row);
    }
}

impl Rows {
    fn shown(&self) -> Vec<String> {
        let rows = self.0.lock().unwrap();
        rows.iter()
            .map(|row| format!("{} {} {} {}", row.model, row.purpose, row.outcome.as_str(), row.retries))
            .collect()
    }
}

fn gate(concurrency: usize) -> Gate {
    Gate::new(&GateSettings {
        concurrency,
        tokens_per_minute: None,
        breaker: BreakerSettings { failures: 4, ..BreakerSettings::default() },
        retry: Retry { random: || 1.0, ..Retry::default() },
    })
}

fn ask() -> ChatRequest {
    ChatRequest { subject: Some("run_1".into()), ..ChatRequest::new("test", vec![Message::user("hi")]) }
}

fn down() -> ModelError {
    ModelError::Unavailable { status: Some(503), retry_after: None, detail: "down".into() }
}

fn guarded(model: &Scripted, gate: &Gate, rows: &Arc<Rows>) -> Arc<dyn ChatModel> {
    Arc::new(Guarded::new(Arc::new(model.clone()), gate.clone(), Arc::clone(rows) as Arc<dyn Ledger>))
}

#[tokio::test(start_paused = true)]
async fn a_call_is_tried_again_with_growing_pauses_and_written_down_once() {
    let asked = ModelError::RateLimited { retry_after: Some(Duration::from_secs(7)), detail: "slow".into() };
    let usage = Usage { prompt_tokens: 5, ..Usage::default() };
    let reply = ChatReply { usage: usage.clone(), ..ChatReply::text("hello") };
    let scripted = Scripted::new([Script::from(down()), asked.into(), reply.into()]);
    let rows = Arc::new(Rows::default());
    let started = Instant::now();
    let reply = complete(&*guarded(&scripted, &gate(4), &rows), ask()).await.unwrap();
    assert_eq!((reply.text.as_str(), scripted.requests().len()), ("hello", 3));
    // Half a second, then the seven asked for and at most half a second on top.
    assert_eq!(started.elapsed(), Duration::from_millis(500 + 7_500));
    let rows = rows.0.lock().unwrap();
    assert_eq!(rows.len(), 1);
    let row = &rows[0];
    assert_eq!(
        (row.retries, &row.outcome, row.subject.as_deref()),
        (2, &Outcome::Done(FinishReason::Stop), Some("run_1"))
    );
    assert_eq!(
        (row.usage.as_ref(), row.total, row.first_token),
        (Some(&usage), started.elapsed(), Some(started.elapsed()))
    );
}

#[tokio::test(start_paused = true)]
async fn nothing_is_tried_again_after_a_token_was_shown_or_when_it_is_no_use() {
    for script in [
        Script::broken_after("We have", ModelError::Truncated { detail: "reset".into() }),
        ModelError::Auth { status: 401, detail: "no".into() }.into(),
        ModelError::ToolsUnsupported { detail: "no".into() }.into(),
        ModelError::RateLimited { retry_after: Some(Duration::from_secs(3_600)), detail: "come tomorrow".into() }
            .into(),
    ] {
        let scripted = Scripted::new([script.clone(), "again".into()]);
        let rows = Arc::new(Rows::default());
        assert!(complete(&*guarded(&scripted, &gate(4), &rows), ask()).await.is_err(), "{script:?}");
        assert_eq!(scripted.requests().len(), 1, "{script:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_last_error_is_the_one_told() {
    let scripted = Scripted::answering(|_| down().into());
    let rows = Arc::new(Rows::default());
    assert_eq!(complete(&*guarded(&scripted, &gate(4), &rows), ask()).await, Err(down()));
    assert_eq!(scripted.requests().len(), 4);
    assert_eq!(rows.shown(), ["scripted test unavailable 3"]);
}

#[tokio::test(start_paused = true)]
async fn a_broken_server_is_left_alone_until_a_trial_succeeds() {
    let broken = Arc::new(Mutex::new(true));
    let state = Arc::clone(&broken);
    let scripted =
        Scripted::answering(move |_| if *state.lock().unwrap() { down().into() } else { "well again".into() });
    let (gate, rows) = (gate(4), Arc::new(Rows::default()));
    let model = guarded(&scripted, &gate, &rows);
    assert!(complete(&*model, ask()).await.is_err());
    assert_eq!(gate.breaker().state(), State::Open);
    assert!(matches!(complete(&*model, ask()).await, Err(ModelError::CircuitOpen { .. })));
    assert_eq!(scripted.requests().len(), 4, "an open circuit sends nothing");
    *broken.lock().unwrap() = false;
    tokio::time::advance(Duration::from_secs(15)).await;
    assert_eq!(complete(&*model, ask()).await.unwrap().text, "well again");
    assert_eq!(gate.breaker().state(), State::Closed);
}

/// A model that is busy for a second and counts how many it serves at once.
#[derive(Debug, Default)]
struct Busy {
    now: Mutex<usize>,
    most: Mutex<usize>,
}

#[derive(Debug, Clone)]
struct Shared(Arc<Busy>);

impl ChatModel for Shared {
    fn name(&self) -> &str {
        "busy"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::default()
    }

    fn stream(&self, _: ChatRequest) -> ChatStream {
        let busy = Arc::clone(&self.0);
        let work = async move {
            let now = {
                let mut now = busy.now.lock().unwrap();
                *now += 1;
                *now
            };
            let most = busy.most.lock().unwrap().max(now);
            *busy.most.lock().unwrap() = most;
            tokio::time::sleep(Duration::from_secs(1)).await;
            *busy.now.lock().unwrap() -= 1;
            Ok(ChatEvent::Done(FinishReason::Stop))
        };
        futures::stream::once(work).boxed()
    }
}

#[tokio::test(start_paused = true)]
async fn no_more_calls_run_at_once_than_allowed_and_a_dropped_one_frees_its_place() {
    let busy = Arc::new(Busy::default());
    let rows = Arc::new(Rows::default());
    let model = Guarded::new(Arc::new(Shared(Arc::clone(&busy))), gate(2), Arc::clone(&rows) as Arc<dyn Ledger>);
    let started = Instant::now();
    let mut dropped = model.stream(ask());
    let polled =
        tokio::time::timeout(Duration::from_millis(10), async { while dropped.next().await.is_some() {} }).await;
    assert!(polled.is_err());
    drop(dropped);
    assert_eq!(rows.shown(), ["busy test cancelled 0"]);
    *busy.now.lock().unwrap() = 0;

    let calls = (0..6).map(|_| async { complete(&model, ask()).await.unwrap() });
    futures::future::join_all(calls).await;
    assert_eq!(*busy.most.lock().unwrap(), 2);
    assert_eq!(started.elapsed(), Duration::from_millis(3_010));
}

#[tokio::test(start_paused = true)]
async fn tokens_a_minute_are_kept_to() {
    let scripted = Scripted::answering(|_| "ok".into());
    let gate = Gate::new(&GateSettings {
        concurrency: 4,
        tokens_per_minute: Some(600),
        breaker: BreakerSettings::default(),
        retry: Retry::default(),
    });
    let model = guarded(&scripted, &gate, &Arc::new(Rows::default()));
    let started = Instant::now();
    for _ in 0..3 {
        complete(&*model, ChatRequest { max_tokens: Some(295), ..ask() }).await.unwrap();
    }
    assert!((29..=31).contains(&started.elapsed().as_secs()), "{:?}", started.elapsed());
}

#[tokio::test(start_paused = true)]
async fn the_next_model_is_asked_when_the_first_fails_before_it_shows_anything() {
    let first = Scripted::answering(|_| down().into()).named("first");
    let second = Scripted::new(["from the second"]).named("second");
    let rows = Arc::new(Rows::default());
    let list = Fallback::new(guarded(&first, &gate(4), &rows), vec![guarded(&second, &gate(4), &rows)]);
    let reply = complete(&list, ask()).await.unwrap();
    assert_eq!((reply.text.as_str(), reply.model.as_str()), ("from the second", "second"));
    assert_eq!(rows.shown(), ["first test unavailable 3", "second test stop 0"]);

    for stands in [
        Script::broken_after("We have", down()),
        ModelError::ToolsUnsupported { detail: "no".into() }.into(),
        ModelError::ContentFiltered.into(),
    ] {
        let first = Scripted::new([stands.clone()]);
        let second = Scripted::new(["never"]);
        let list = Fallback::new(Arc::new(first), vec![Arc::new(second.clone())]);
        assert!(complete(&list, ask()).await.is_err(), "{stands:?}");
        assert!(second.requests().is_empty(), "{stands:?}");
    }
}

#[tokio::test]
async fn budgets_end_with_an_error_that_names_them() {
    let usage = Usage { prompt_tokens: 60, cost: Some(Cost { nanos: 5, currency: "USD".into() }), ..Usage::default() };
    let reply = move || ChatReply { usage: usage.clone(), ..ChatReply::text("ok") };
    let scripted = Scripted::answering(move |_| reply().into());
    let tenant = Arc::new(Budget::new("tenant", BudgetLimits { tokens: Some(100), ..BudgetLimits::default() }));
    let run = |calls| Arc::new(Budget::new("run", BudgetLimits { calls: Some(calls), ..BudgetLimits::default() }));
    let model = Budgeted::new(Arc::new(scripted.clone()), vec![run(1), Arc::clone(&tenant)]);
    complete(&model, ask()).await.unwrap();
    let error = complete(&model, ask()).await.unwrap_err();
    assert_eq!(error.to_string(), "the budget of the run is used up: 1 of 1 calls");

    let model = Budgeted::new(Arc::new(scripted.clone()), vec![run(9), tenant]);
    complete(&model, ask()).await.unwrap();
    let error = complete(&model, ask()).await.unwrap_err();
    assert_eq!(error.to_string(), "the budget of the tenant is used up: 120 of 100 tokens");
    assert_eq!(scripted.requests().len(), 2);
}

#[test]
fn capabilities_are_those_of_the_model_inside() {
    let blind = Scripted::new(["x"]).with_capabilities(Capabilities::new(Support::Unsupported, false));
    let model = guarded(&blind, &gate(1), &Arc::new(Rows::default()));
    assert_eq!(model.capabilities(), Capabilities::new(Support::Unsupported, false));
}

#[tokio::test]
async fn settings_become_models_that_answer_and_are_written_down() {
    let server =
        Server::start(vec![response("503 Service Unavailable", "retry-after: 0\r\n", ""), answer("hello")]).await;
    let env = |name: &str| match name {
        "MERCER_MODEL" => Some("first".to_owned()),
        "MERCER_MODEL_BASE_URL" => Some(server.url.clone()),
        "MERCER_MODEL_FALLBACK" => Some("second, third".to_owned()),
        "MERCER_MODEL_RETRIES" => Some("0".to_owned()),
        _ => None,
    };
    let settings = ModelSettings::from_env(&env).unwrap();
    let rows = Arc::new(Rows::default());
    let ledger = Arc::clone(&rows) as Arc<dyn Ledger>;
    let models = Models::connect(&settings, &ledger).unwrap();
    assert!(models.judge.is_some() && models.vision.is_none() && models.embedding.is_none());
    let reply = complete(&*models.chat.unwrap(), ask()).await.unwrap();
    assert_eq!((reply.text.as_str(), reply.model.as_str()), ("hello", "second"));
    assert_eq!(rows.shown(), ["first test unavailable 0", "second test stop 0"]);
    assert_eq!(server.bodies()[1]["model"], "second");

    let none = Models::connect(&ModelSettings::default(), &ledger).unwrap();
    assert!(none.chat.is_none() && none.judge.is_none());
}
