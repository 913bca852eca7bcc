//! What happens when nodes fail, hang, panic, or do something outside whose outcome is not known.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use mercer_graph::{
    Ctx, EffectFault, EffectKey, EventBody, Failure, Graph, NodeError, NodePolicy, OnUnknown, Retry, RunOptions,
    RunStatus, Step,
};
use serde_json::json;

use crate::world::{Log, Made, World, engine, events, kinds, line, lines, says, texts, thread};

/// A graph of one node with a policy.
fn alone<F, Fut>(node: F, policy: NodePolicy) -> Graph<Log, World>
where
    F: Fn(Ctx<World>, Arc<Log>) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Made> + Send + 'static,
{
    Graph::named("alone").entry("n").node_with("n", node, policy).end("n").build().unwrap()
}

#[tokio::test(start_paused = true)]
async fn a_transient_failure_is_tried_again_after_growing_pauses_and_its_shown_text_starts_over() {
    let (engine, _) = engine();
    let tries = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&tries);
    let node = move |ctx: Ctx<World>, _: Arc<Log>| {
        let count = Arc::clone(&count);
        async move {
            ctx.emit_message_delta("m", "text");
            match count.fetch_add(1, Ordering::SeqCst) {
                0 | 1 => Err(NodeError::transient("busy")),
                _ => Ok(Step::update(line("done"))),
            }
        }
    };
    let retry = Retry { jitter: false, ..Retry::attempts(3) };
    let agent =
        engine.register(alone(node, NodePolicy { retry: vec![retry], ..NodePolicy::default() }), World::default());
    let thread = thread(&agent).await;
    let begun = tokio::time::Instant::now();
    let run = agent.start(&thread, vec![], RunOptions::default()).await.unwrap();
    assert_eq!(engine.wait(&run).await.unwrap().status, RunStatus::Done);
    assert_eq!(begun.elapsed(), Duration::from_millis(1500));
    assert_eq!((tries.load(Ordering::SeqCst), lines(&agent, &thread).await), (3, vec!["done".to_owned()]));
    let seen = events(&engine, &run, 0).await;
    let restarts = seen.iter().filter(|e| e.body == EventBody::MessageRestarted { message: "m".into() }).count();
    assert_eq!((restarts, texts(&seen).as_str()), (2, "texttexttext"));
}

#[tokio::test(start_paused = true)]
async fn timeouts_end_an_attempt_and_a_heartbeat_keeps_it_alive() {
    let (engine, _) = engine();
    let hang = |_: Ctx<World>, _: Arc<Log>| std::future::pending::<Made>();
    let policy = NodePolicy { run_timeout: Some(Duration::from_secs(5)), ..NodePolicy::default() };
    let agent = engine.register(alone(hang, policy), World::default());
    let on = thread(&agent).await;
    let run = agent.start(&on, vec![], RunOptions::default()).await.unwrap();
    let error = engine.wait(&run).await.unwrap().error.unwrap();
    assert_eq!((error.code.as_str(), error.node.as_deref()), ("node_timeout", Some("n")));

    let beating = |ctx: Ctx<World>, _: Arc<Log>| async move {
        for _ in 0..5 {
            tokio::time::sleep(Duration::from_millis(900)).await;
            ctx.heartbeat();
        }
        ctx.emit(EventBody::custom("alive", json!(null)));
        tokio::time::sleep(Duration::from_millis(900)).await;
        if ctx.deps().noted().is_empty() {
            return Ok(Step::update(line("alive")));
        }
        std::future::pending::<Made>().await
    };
    let policy = NodePolicy { idle_timeout: Some(Duration::from_secs(1)), ..NodePolicy::default() };
    for (silent, status, code) in [(false, RunStatus::Done, None), (true, RunStatus::Failed, Some("node_idle"))] {
        let world = World::default();
        silent.then(|| world.note("then falls silent"));
        let agent = engine.register(alone(beating, policy.clone()), world);
        let run = agent.start(&thread(&agent).await, vec![], RunOptions::default()).await.unwrap();
        let row = engine.wait(&run).await.unwrap();
        assert_eq!((row.status, row.error.map(|error| error.code)), (status, code.map(str::to_owned)));
    }
}

#[tokio::test]
async fn a_handler_takes_the_failure_over_and_without_one_the_run_fails_with_the_nodes_name() {
    let (engine, _) = engine();
    let panics = |_: Ctx<World>, log: Arc<Log>| async move {
        assert!(log.lines.len() > 9, "the node broke");
        Ok(Step::nothing())
    };
    let handles = |ctx: Ctx<World>, _: Arc<Log>| async move {
        let failure: Failure = ctx.input()?;
        Ok(Step::update(line(format!("{} {} {}", failure.node, failure.error.code, failure.error.message))))
    };
    let graph = Graph::named("handled")
        .entry("n")
        .node("n", panics)
        .edge("n", "m")
        .node("m", says("m"))
        .end("m")
        .on_failure("escalate", handles)
        .build()
        .unwrap();
    let agent = engine.register(graph, World::default());
    let thread_id = thread(&agent).await;
    let run = agent.start(&thread_id, vec![], RunOptions::default()).await.unwrap();
    assert_eq!(engine.wait(&run).await.unwrap().status, RunStatus::Done);
    assert_eq!(lines(&agent, &thread_id).await, ["n node_panicked the node broke"]);

    let agent = engine.register(alone(panics, NodePolicy::default()), World::default());
    let run = agent.start(&thread(&agent).await, vec![], RunOptions::default()).await.unwrap();
    let row = engine.wait(&run).await.unwrap();
    assert_eq!(row.status, RunStatus::Failed);
    assert_eq!(row.error.unwrap().to_string(), "n: the node broke");
    assert_eq!(kinds(&events(&engine, &run, 0).await).last(), Some(&"run_finished"));
}

#[tokio::test]
async fn a_failed_superstep_keeps_what_finished_and_goes_on_with_what_did_not() {
    let (engine, _) = engine();
    let world = World::default();
    let fails_once = |ctx: Ctx<World>, _: Arc<Log>| async move {
        tokio::time::sleep(Duration::from_millis(30)).await;
        if ctx.deps().noted().iter().filter(|what| *what == "c").count() == 0 {
            ctx.deps().note("c");
            return Err(NodeError::new("not yet"));
        }
        Ok(Step::update(line("c")))
    };
    let noted = |ctx: Ctx<World>, _: Arc<Log>| async move {
        ctx.deps().note("b");
        Ok(Step::update(line("b")))
    };
    let graph = Graph::named("half")
        .entry("a")
        .node("a", says("a"))
        .edge("a", "b")
        .edge("a", "c")
        .node("b", noted)
        .node("c", fails_once)
        .join(["b", "c"], "d")
        .node("d", says("d"))
        .end("d")
        .build()
        .unwrap();
    let agent = engine.register(graph, world.clone());
    let thread = thread(&agent).await;
    let run = agent.start(&thread, vec![], RunOptions::default()).await.unwrap();
    assert_eq!(engine.wait(&run).await.unwrap().status, RunStatus::Failed);
    assert_eq!(lines(&agent, &thread).await, ["a", "b"]);
    assert_eq!(agent.state(&thread).await.unwrap().unwrap().next, ["c"]);
    engine.resume(&run, mercer_graph::Answers::None).await.unwrap();
    assert_eq!(engine.wait(&run).await.unwrap().status, RunStatus::Done);
    assert_eq!(lines(&agent, &thread).await, ["a", "b", "c", "d"]);
    assert_eq!(world.noted(), ["b", "c"], "b did not run again");
}

#[tokio::test]
async fn an_effect_with_an_unknown_outcome_is_for_a_person_and_is_not_done_again_behind_their_back() {
    let (engine, _) = engine();
    let world = World::default();
    let refund = |ctx: Ctx<World>, _: Arc<Log>| async move {
        let outside = ctx.deps().clone();
        let done: String = ctx
            .effect("refund", EffectKey::of(["ORD-1", "29900"]), OnUnknown::Ask, async move {
                outside.note("refund");
                Err(EffectFault::Unknown("the line went dead".into()))
            })
            .await?;
        Ok(Step::update(line(done)))
    };
    let policy = NodePolicy { retry: vec![Retry { on: |_| true, ..Retry::attempts(5) }], ..NodePolicy::default() };
    let agent = engine.register(alone(refund, policy), world.clone());
    let thread = thread(&agent).await;
    let run = agent.start(&thread, vec![], RunOptions::default()).await.unwrap();
    let error = engine.wait(&run).await.unwrap().error.unwrap();
    assert_eq!(error.code, "effect_unknown");
    let key = r#"["default","refund","ORD-1","29900"]"#;
    assert!(error.message.contains(key), "{}", error.message);
    engine.resume(&run, mercer_graph::Answers::None).await.unwrap();
    assert_eq!(engine.wait(&run).await.unwrap().status, RunStatus::Failed, "asking again changes nothing");
    engine.settle_effect(key, Some(&json!("paid, says the bank"))).await.unwrap();
    assert!(engine.settle_effect(key, None).await.is_err(), "it is settled");
    engine.resume(&run, mercer_graph::Answers::None).await.unwrap();
    assert_eq!(engine.wait(&run).await.unwrap().status, RunStatus::Done);
    assert_eq!(lines(&agent, &thread).await, ["paid, says the bank"]);
    assert_eq!(world.noted(), ["refund"]);
}

#[tokio::test(start_paused = true)]
async fn an_effect_that_certainly_did_not_happen_is_tried_again_and_one_with_a_key_of_facts_happens_once_for_all_runs()
{
    let (engine, _) = engine();
    let world = World::default();
    let pay = |ctx: Ctx<World>, _: Arc<Log>| async move {
        let outside = ctx.deps().clone();
        let number: u32 = ctx
            .effect("pay", EffectKey::of(["ORD-2"]), OnUnknown::Ask, async move {
                outside.note("called");
                match outside.noted().len() {
                    1 => Err(EffectFault::NotDone("refused".into())),
                    _ => Ok(7),
                }
            })
            .await?;
        let here: u32 = ctx.effect("log", EffectKey::task("x"), OnUnknown::Ask, async { Ok(number + 1) }).await?;
        Ok(Step::update(line(format!("{number} {here}"))))
    };
    let agent = engine.register(alone(pay, NodePolicy::retrying(2)), world.clone());
    for _ in 0..2 {
        let thread = thread(&agent).await;
        let run = agent.start(&thread, vec![], RunOptions::default()).await.unwrap();
        assert_eq!(engine.wait(&run).await.unwrap().status, RunStatus::Done);
        assert_eq!(lines(&agent, &thread).await, ["7 8"]);
    }
    assert_eq!(world.noted(), ["called", "called"]);
}
