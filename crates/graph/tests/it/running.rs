//! Graphs run: chains, branches, fan-outs, joins, deferred nodes, interrupts.

use std::collections::BTreeMap;
use std::sync::Arc;

use mercer_graph::{AnswerError, Answers, Ctx, END, EngineError, Graph, Interrupt, RunOptions, RunStatus, Step};
use serde_json::{Value, json};

use crate::world::{Log, Made, Update, World, engine, events, kinds, line, lines, says, texts, thread};

async fn speak(ctx: Ctx<World>, _: Arc<Log>) -> Made {
    for text in ["he", "llo", "!"] {
        ctx.emit_message_delta("m1", text);
        tokio::task::yield_now().await;
    }
    Ok(Step::update(line("hello!")))
}

#[tokio::test]
async fn a_chain_runs_to_its_end_and_its_events_rise_by_one_and_can_be_read_again_from_any_number() {
    let (engine, _) = engine();
    let graph = Graph::named("chain")
        .entry("a")
        .node("a", says("a"))
        .edge("a", "speak")
        .node("speak", speak)
        .end("speak")
        .build()
        .unwrap();
    let agent = engine.register(graph, World::default());
    let thread = thread(&agent).await;
    let run = agent.start(&thread, vec![line("hi")], RunOptions::default()).await.unwrap();
    let live = events(&engine, &run, 0).await;
    assert_eq!(lines(&agent, &thread).await, ["hi", "a", "hello!"]);
    assert_eq!(live.iter().map(|event| event.seq).collect::<Vec<_>>(), (1..=live.len() as u64).collect::<Vec<_>>());
    assert_eq!(
        kinds(&live),
        [
            "run_started",
            "checkpoint",
            "task_started",
            "task_finished",
            "checkpoint",
            "task_started",
            "message_delta",
            "message_delta",
            "message_delta",
            "task_finished",
            "checkpoint",
            "run_finished"
        ]
    );
    let stored = events(&engine, &run, 0).await;
    let plain = |events: &[mercer_graph::Event]| events.iter().map(|e| (e.seq, e.body.clone())).collect::<Vec<_>>();
    assert_eq!(plain(&stored), plain(&live), "what is read again is what was seen");
    for after in 0..=live.len() as u64 {
        let rest = events(&engine, &run, after).await;
        assert_eq!(rest.first().map_or(after + 1, |event| event.seq), after + 1);
    }
    assert_eq!(texts(&stored), "hello!");
    let row = engine.wait(&run).await.unwrap();
    assert_eq!((row.status, row.steps), (RunStatus::Done, 2));
}

async fn split(_: Ctx<World>, _: Arc<Log>) -> Made {
    Ok(Step::goto_each("work", vec![json!(3), json!(null), json!("x")]))
}

async fn work(ctx: Ctx<World>, _: Arc<Log>) -> Made {
    let input: Value = ctx.input()?;
    Ok(Step::update(line(format!("work {input}"))))
}

#[tokio::test]
async fn a_fan_out_gives_each_task_its_own_input_and_what_follows_sees_all_of_it_in_path_order() {
    let (engine, _) = engine();
    let graph = Graph::named("map")
        .entry("split")
        .node("split", split)
        .may_goto("split", ["work"])
        .node("work", work)
        .edge("work", "collect")
        .node("collect", says("collect"))
        .end("collect")
        .build()
        .unwrap();
    let agent = engine.register(graph, World::default());
    let thread = thread(&agent).await;
    let run = agent.start(&thread, vec![], RunOptions::default()).await.unwrap();
    assert_eq!(engine.wait(&run).await.unwrap().status, RunStatus::Done);
    assert_eq!(lines(&agent, &thread).await, ["work 3", "work null", "work \"x\"", "collect"]);
}

#[tokio::test]
async fn a_join_waits_for_the_longer_path_and_a_deferred_node_for_everything() {
    let (engine, _) = engine();
    let graph = Graph::named("join")
        .entry("a")
        .node("a", says("a"))
        .edge("a", "b")
        .edge("a", "c")
        .edge("a", "last")
        .node("b", says("b"))
        .node("c", says("c"))
        .edge("c", "d")
        .node("d", says("d"))
        .join(["b", "d"], "e")
        .node("e", says("e"))
        .end("e")
        .node("last", says("last"))
        .deferred("last")
        .end("last")
        .build()
        .unwrap();
    let agent = engine.register(graph, World::default());
    let thread = thread(&agent).await;
    let run = agent.start(&thread, vec![], RunOptions::default()).await.unwrap();
    assert_eq!(engine.wait(&run).await.unwrap().status, RunStatus::Done);
    assert_eq!(lines(&agent, &thread).await, ["a", "b", "c", "d", "e", "last"]);
}

async fn approve(ctx: Ctx<World>, _: Arc<Log>) -> Made {
    if let Some(answer) = ctx.answer("approve") {
        return Ok(Step::update(line(format!("approved {answer}"))));
    }
    ctx.deps().note("looked");
    let question = Interrupt::new("approve", json!({"amount": 5})).with_schema(json!({"type": "boolean"}));
    Ok(Step::interrupt(question).and(line("asked")))
}

#[tokio::test]
async fn an_interrupt_parks_the_run_refuses_bad_answers_and_does_not_run_its_code_twice() {
    let (engine, _) = engine();
    let graph = Graph::named("ask")
        .entry_branch(|log: &Log| if log.lines.is_empty() { "approve" } else { "b" }, ["approve", "b"])
        .node("approve", approve)
        .edge("approve", "b")
        .node("b", says("b"))
        .branch("b", |_| END, [END])
        .build()
        .unwrap();
    let world = World::default();
    let agent = engine.register(graph, world.clone());
    let thread = thread(&agent).await;
    let run = agent.start(&thread, vec![], RunOptions::default()).await.unwrap();
    let row = engine.wait(&run).await.unwrap();
    assert_eq!(row.status, RunStatus::Interrupted);
    let refused = |error: EngineError| match error {
        EngineError::Answer(error) => error,
        other => panic!("{other}"),
    };
    let each = |id: &str, value: Value| Answers::Each(BTreeMap::from([(id.to_owned(), value)]));
    let invalid = refused(engine.resume(&run, json!("yes")).await.unwrap_err());
    assert!(matches!(invalid, AnswerError::Invalid { id, .. } if id == "approve"));
    let unknown = refused(engine.resume(&run, each("reject", json!(true))).await.unwrap_err());
    assert_eq!(unknown, AnswerError::Unknown(vec!["reject".into()]));
    let missing = refused(engine.resume(&run, Answers::None).await.unwrap_err());
    assert_eq!(missing, AnswerError::Missing(vec!["approve".into()]));
    let now = engine.run(&run).await.unwrap().unwrap();
    assert_eq!((now.revision, now.status), (row.revision, row.status), "nothing was written");
    engine.resume(&run, each("approve", json!(true))).await.unwrap();
    assert_eq!(engine.wait(&run).await.unwrap().status, RunStatus::Done);
    assert_eq!(lines(&agent, &thread).await, ["asked", "approved true", "b"]);
    assert_eq!(world.noted(), ["looked"]);
}

#[tokio::test]
async fn conflicting_writes_fail_the_run_and_name_both_nodes() {
    let (engine, _) = engine();
    let choose = |name: &'static str| {
        move |_: Ctx<World>, _: Arc<Log>| std::future::ready(Ok(Step::update(Update::Choice(name.into()))))
    };
    let graph = Graph::named("conflict")
        .entry("a")
        .node("a", says("a"))
        .edge("a", "b")
        .edge("a", "c")
        .node("b", choose("b"))
        .node("c", choose("c"))
        .end("b")
        .end("c")
        .build()
        .unwrap();
    let agent = engine.register(graph, World::default());
    let thread = thread(&agent).await;
    let run = agent.start(&thread, vec![], RunOptions::default()).await.unwrap();
    let row = engine.wait(&run).await.unwrap();
    let error = row.error.unwrap();
    assert_eq!((row.status, error.code.as_str()), (RunStatus::Failed, "conflicting_writes"));
    assert_eq!(error.message, "b and c both wrote choice in one superstep");
    assert_eq!(lines(&agent, &thread).await, ["a"]);
}
