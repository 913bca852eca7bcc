//! Threads: cancel, several runs, recovery, forks, limits, changed graphs.

use std::sync::Arc;
use std::time::Duration;

use mercer_graph::{
    Agent, Answers, Ctx, Engine, EngineError, EngineOptions, EventBody, Graph, MemoryStore, Multitask, NodeError,
    RunFilter, RunId, RunOptions, RunStatus, Step, ThreadFilter, ThreadId,
};
use serde_json::json;

use crate::world::{Log, Made, Update, World, engine, events, kinds, line, lines, says, thread};

async fn opens(_: Ctx<World>, _: Arc<Log>) -> Made {
    Ok(Step::update(Update::Call))
}

async fn hangs(ctx: Ctx<World>, log: Arc<Log>) -> Made {
    if log.lines.iter().any(|line| line == "quick") {
        return Ok(Step::updates(vec![Update::Result, line("answered")]));
    }
    ctx.emit_message_delta("m", "…");
    ctx.deps().note("hanging");
    std::future::pending::<()>().await;
    Err(NodeError::new("never"))
}

/// A graph that opens a call and then hangs, unless the state says `quick`.
fn hanging() -> Graph<Log, World> {
    Graph::named("hanging")
        .entry("open")
        .node("open", opens)
        .edge("open", "hang")
        .node("hang", hangs)
        .end("hang")
        .build()
        .unwrap()
}

async fn until_it_hangs(engine: &Engine, run: &RunId) {
    use futures::StreamExt;
    let mut seen = std::pin::pin!(engine.events(run, 0));
    while let Some(event) = seen.next().await {
        if matches!(event.unwrap().body, EventBody::MessageDelta { .. }) {
            return;
        }
    }
}

fn options(multitask: Multitask) -> RunOptions {
    RunOptions { multitask, ..RunOptions::default() }
}

async fn hung(agent: &Agent<Log>) -> (ThreadId, RunId) {
    let thread = thread(agent).await;
    let run = agent.start(&thread, vec![line("slow")], RunOptions::default()).await.unwrap();
    until_it_hangs(agent.engine(), &run).await;
    (thread, run)
}

#[tokio::test(start_paused = true)]
async fn a_cancel_takes_effect_at_any_moment_and_the_thread_goes_on_with_its_state_repaired() {
    let (engine, _) = engine();
    let agent = engine.register(hanging(), World::default());
    let (thread, run) = hung(&agent).await;
    engine.cancel(&run).await.unwrap();
    let row = engine.run(&run).await.unwrap().unwrap();
    assert_eq!((row.status, row.error), (RunStatus::Cancelled, None));
    assert_eq!(kinds(&events(&engine, &run, 0).await).last(), Some(&"run_finished"));
    let half = agent.state(&thread).await.unwrap().unwrap();
    assert_eq!((half.state.open_call, half.next), (true, vec!["hang".to_owned()]));
    let next = agent.start(&thread, vec![line("quick")], RunOptions::default()).await.unwrap();
    assert_eq!(engine.wait(&next).await.unwrap().status, RunStatus::Done);
    assert_eq!(lines(&agent, &thread).await, ["slow", "repaired", "quick", "answered"]);
    engine.cancel(&next).await.unwrap();
    assert_eq!(engine.run(&next).await.unwrap().unwrap().status, RunStatus::Done, "a run that is over stays as it is");
}

#[tokio::test(start_paused = true)]
async fn a_second_run_is_refused_queued_or_takes_over_as_its_starter_says() {
    let (engine, _) = engine();
    let agent = engine.register(hanging(), World::default());
    let (thread, first) = hung(&agent).await;
    let refused = agent.start(&thread, vec![line("quick")], options(Multitask::Reject)).await.unwrap_err();
    assert!(matches!(refused, EngineError::Busy { run, owner, .. } if run == first && owner == "mercer"));
    let queued = agent.start(&thread, vec![line("quick")], options(Multitask::Enqueue)).await.unwrap();
    assert_eq!(engine.run(&queued).await.unwrap().unwrap().status, RunStatus::Queued);
    engine.cancel(&first).await.unwrap();
    assert_eq!(engine.wait(&queued).await.unwrap().status, RunStatus::Done);
    assert_eq!(lines(&agent, &thread).await, ["slow", "repaired", "quick", "answered"]);
    assert_eq!(events(&engine, &queued, 0).await.last().unwrap().body.kind(), "run_finished");

    let (thread, first) = hung(&agent).await;
    let second = agent.start(&thread, vec![line("quick")], options(Multitask::Interrupt)).await.unwrap();
    assert_eq!(engine.wait(&second).await.unwrap().status, RunStatus::Done);
    assert_eq!(engine.run(&first).await.unwrap().unwrap().status, RunStatus::Cancelled);
    assert_eq!(lines(&agent, &thread).await, ["slow", "repaired", "quick", "answered"], "its work is kept");

    let (thread, first) = hung(&agent).await;
    let second = agent.start(&thread, vec![line("quick")], options(Multitask::Rollback)).await.unwrap();
    assert_eq!(engine.wait(&second).await.unwrap().status, RunStatus::Done);
    let gone = engine.run(&first).await.unwrap().unwrap();
    assert_eq!((gone.status, gone.error.unwrap().code.as_str()), (RunStatus::Cancelled, "rolled_back"));
    assert_eq!(lines(&agent, &thread).await, ["quick", "answered"], "its work is gone");

    let (thread, first) = hung(&agent).await;
    let queued = agent.start(&thread, vec![line("quick")], options(Multitask::Enqueue)).await.unwrap();
    engine.cancel(&queued).await.unwrap();
    assert_eq!(engine.wait(&queued).await.unwrap().status, RunStatus::Cancelled);
    assert_eq!(engine.run(&first).await.unwrap().unwrap().status, RunStatus::Running);
    engine.delete_thread(&thread).await.unwrap();
    assert!(engine.run(&first).await.unwrap().is_none());
}

#[tokio::test(start_paused = true)]
async fn a_new_engine_takes_over_what_a_dead_one_left_and_the_dead_ones_writes_are_refused() {
    let (engine, store) = engine();
    let world = World::default();
    let agent = engine.register(hanging(), world.clone());
    let (thread, run) = hung(&agent).await;
    let queued = agent.start(&thread, vec![line("later")], options(Multitask::Enqueue)).await.unwrap();
    let other = Engine::new(store.clone(), EngineOptions { worker: "other".into(), ..EngineOptions::default() });
    let taken_over = other.register(hanging(), world.clone());
    assert_eq!(other.recover().await.unwrap(), [run.clone(), queued.clone()]);
    until_it_hangs(&other, &run).await;
    assert_eq!(other.run(&run).await.unwrap().unwrap().owner, "other");
    // The first engine learns by its next write, which is refused; then it closes the run, and the other learns the same way.
    engine.cancel(&run).await.unwrap();
    other.cancel(&run).await.unwrap();
    let row = other.wait(&run).await.unwrap();
    assert_eq!((row.status, row.owner.as_str()), (RunStatus::Cancelled, "other"));
    let seen = kinds(&events(&other, &run, 0).await);
    assert_eq!(seen.iter().filter(|kind| **kind == "run_finished").count(), 1);
    drop(taken_over);
    engine.abort().await;
    other.abort().await;
}

#[tokio::test(start_paused = true)]
async fn a_drained_engine_stops_at_the_next_boundary_and_the_next_one_goes_on() {
    let store = MemoryStore::new();
    let slow = |ctx: Ctx<World>, _: Arc<Log>| async move {
        ctx.deps().note("slow");
        tokio::time::sleep(Duration::from_secs(3)).await;
        Ok(Step::update(line("slow")))
    };
    let graph = || {
        Graph::named("drained")
            .entry("slow")
            .node("slow", slow)
            .edge("slow", "after")
            .node("after", says("after"))
            .end("after")
            .build()
            .unwrap()
    };
    let world = World::default();
    let engine = Engine::new(store.clone(), EngineOptions::default());
    let agent = engine.register(graph(), world.clone());
    let thread = thread(&agent).await;
    let run = agent.start(&thread, vec![], RunOptions::default()).await.unwrap();
    tokio::time::sleep(Duration::from_secs(1)).await;
    engine.drain().await;
    assert!(matches!(agent.start(&thread, vec![], RunOptions::default()).await, Err(EngineError::Draining)));
    assert_eq!(engine.run(&run).await.unwrap().unwrap().status, RunStatus::Running);
    let next = Engine::new(store, EngineOptions::default());
    let agent = next.register(graph(), world.clone());
    assert_eq!(next.recover().await.unwrap(), std::slice::from_ref(&run));
    assert_eq!(next.wait(&run).await.unwrap().status, RunStatus::Done);
    assert_eq!(lines(&agent, &thread).await, ["slow", "after"]);
    assert_eq!(world.noted(), ["slow"], "a finished task did not run again");
    let seen = events(&next, &run, 0).await;
    assert_eq!(seen.iter().map(|event| event.seq).collect::<Vec<_>>(), (1..=seen.len() as u64).collect::<Vec<_>>());
    assert!(kinds(&seen).contains(&"run_resumed"));
    let resumed = seen.iter().find(|event| event.body.kind() == "run_resumed").unwrap();
    assert_eq!((resumed.epoch, next.after(&run, 2, 5).await.unwrap()), (2, 5));
    assert_eq!(next.after(&run, 1, 2).await.unwrap(), 2, "what was stored is not shown again");
    let void = resumed.seq + 3;
    assert_eq!(
        next.after(&run, 1, void).await.unwrap(),
        resumed.seq - 1,
        "what the dead attempt showed beyond that is void"
    );
}

fn looping() -> Graph<Log, World> {
    let turn = |ctx: Ctx<World>, _: Arc<Log>| async move {
        Ok(Step::update(line(format!("{} left {}", ctx.step(), ctx.remaining_steps()))))
    };
    Graph::named("looping")
        .entry("turn")
        .node("turn", turn)
        .branch("turn", |log: &Log| if log.lines.len() < 5 { "turn" } else { mercer_graph::END }, ["turn", "__end__"])
        .build()
        .unwrap()
}

#[tokio::test]
async fn the_step_limit_is_an_end_of_its_own_with_the_state_kept_and_can_be_raised() {
    let (engine, _) = engine();
    let agent = engine.register(looping(), World::default());
    let thread = thread(&agent).await;
    let limited = RunOptions { step_limit: Some(3), ..RunOptions::default() };
    let run = agent.start(&thread, vec![], limited).await.unwrap();
    assert_eq!(engine.wait(&run).await.unwrap().status, RunStatus::StepLimit);
    assert_eq!(lines(&agent, &thread).await, ["1 left 2", "2 left 1", "3 left 0"]);
    engine.resume_with_limit(&run, 9).await.unwrap();
    let row = engine.wait(&run).await.unwrap();
    assert_eq!((row.status, row.steps, row.step_limit), (RunStatus::Done, 5, 9));
    assert!(matches!(engine.resume(&run, Answers::None).await, Err(EngineError::WrongStatus { .. })));
}

#[tokio::test]
async fn a_start_with_the_same_key_is_the_same_run_and_bad_input_writes_nothing() {
    let (engine, _) = engine();
    let agent = engine.register(looping(), World::default());
    let thread = thread(&agent).await;
    let keyed = || RunOptions { idempotency_key: Some("msg-1".into()), ..RunOptions::default() };
    let run = agent.start(&thread, vec![line("a")], keyed()).await.unwrap();
    assert_eq!(agent.start(&thread, vec![line("a")], keyed()).await.unwrap(), run);
    engine.wait(&run).await.unwrap();
    assert_eq!(agent.start(&thread, vec![line("a")], keyed()).await.unwrap(), run);
    assert_eq!(engine.runs(&RunFilter::default()).await.unwrap().len(), 1);
    let before = engine.thread(&thread).await.unwrap();
    let refused = agent.start(&thread, vec![Update::Refused], RunOptions::default()).await;
    assert!(matches!(refused, Err(EngineError::Apply(_))));
    let nowhere = RunOptions { entry: Some("nowhere".into()), ..RunOptions::default() };
    assert!(
        matches!(agent.start(&thread, vec![], nowhere).await, Err(EngineError::Entry { node, .. }) if node == "nowhere")
    );
    let none = agent.start(&"thr_none".parse().unwrap(), vec![], RunOptions::default()).await;
    assert!(matches!(none, Err(EngineError::ThreadNotFound(_))));
    assert_eq!(engine.thread(&thread).await.unwrap(), before);
}

#[tokio::test]
async fn a_fork_of_a_fork_goes_its_own_way_shows_the_common_past_and_outlives_its_origin() {
    let (engine, _) = engine();
    let agent = engine.register(looping(), World::default());
    let thread = thread(&agent).await;
    let run = agent.start(&thread, vec![], RunOptions::default()).await.unwrap();
    engine.wait(&run).await.unwrap();
    let history = agent.history(&thread, 50, None).await.unwrap();
    assert_eq!(history.iter().map(|view| view.step).collect::<Vec<_>>(), [5, 4, 3, 2, 1, 0]);
    assert_eq!((history[0].nodes.as_slice(), history[0].next.len()), (&["turn".to_owned()][..], 0));
    let page = agent.history(&thread, 2, Some(&history[1].id)).await.unwrap();
    assert_eq!(page, history[2..4]);
    let third = &history[2].id;
    assert_eq!(agent.state_at(&thread, third).await.unwrap().state.lines.len(), 3);
    let fork = agent.fork(&thread, Some(third)).await.unwrap();
    agent.update_state(&fork, vec![line("changed")], Some("turn")).await.unwrap();
    let again = agent.fork(&fork, None).await.unwrap();
    let onward = engine.go_on(&again, Answers::None, RunOptions::default()).await.unwrap();
    assert_eq!(engine.wait(&onward).await.unwrap().status, RunStatus::Done);
    assert_eq!(lines(&agent, &again).await, ["1 left 63", "2 left 62", "3 left 61", "changed", "1 left 63"]);
    assert_eq!(lines(&agent, &fork).await.len(), 4);
    assert_eq!(lines(&agent, &thread).await.len(), 5);
    let sources: Vec<String> =
        agent.history(&again, 50, None).await.unwrap().into_iter().map(|view| view.source).collect();
    assert_eq!(sources, ["step", "answer", "fork", "update", "fork", "step", "step", "step", "input"]);
    let foreign = agent.state_at(&thread, &agent.history(&again, 1, None).await.unwrap()[0].id).await;
    assert!(matches!(foreign, Err(EngineError::CheckpointNotFound { .. })));
    engine.delete_thread(&thread).await.unwrap();
    engine.delete_thread(&fork).await.unwrap();
    assert_eq!(lines(&agent, &again).await.len(), 5);
    assert_eq!(agent.history(&again, 50, None).await.unwrap().len(), 3);
    assert_eq!(engine.threads(&ThreadFilter::default()).await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_run_goes_on_with_a_changed_graph_if_its_next_nodes_exist_and_else_says_what_is_gone() {
    let (engine, store) = engine();
    let ask = |ctx: Ctx<World>, _: Arc<Log>| async move {
        match ctx.answer("q") {
            Some(answer) => Ok(Step::update(line(answer.to_string()))),
            None => Ok(Step::interrupt(mercer_graph::Interrupt::new("q", json!(1)))),
        }
    };
    let graph = Graph::named("changing").entry("ask").node("ask", ask).end("ask").build().unwrap();
    let agent = engine.register(graph, World::default());
    let thread = thread(&agent).await;
    let run = agent.start(&thread, vec![], RunOptions::default()).await.unwrap();
    assert_eq!(engine.wait(&run).await.unwrap().status, RunStatus::Interrupted);
    let renamed = Graph::named("changing").entry("other").node("other", ask).end("other").build().unwrap();
    let grown = Graph::named("changing")
        .entry("other")
        .node("other", ask)
        .edge("other", "ask")
        .node("ask", ask)
        .edge("ask", "more")
        .node("more", says("more"))
        .end("more")
        .build()
        .unwrap();
    let next = Engine::new(store, EngineOptions::default());
    let _renamed = next.register(renamed, World::default());
    match next.resume(&run, json!(5)).await {
        Err(EngineError::GraphChanged { missing, .. }) => assert_eq!(missing, ["ask"]),
        other => panic!("{other:?}"),
    }
    let agent = next.register(grown, World::default());
    next.resume(&run, json!(5)).await.unwrap();
    assert_eq!(next.wait(&run).await.unwrap().status, RunStatus::Done);
    assert_eq!(lines(&agent, &thread).await, ["5", "more"]);
}

#[tokio::test]
async fn a_new_run_on_a_thread_that_waits_for_an_answer_gives_the_question_up() {
    let (engine, _) = engine();
    let ask = |ctx: Ctx<World>, log: Arc<Log>| async move {
        match (ctx.answer("q"), log.lines.len()) {
            (None, 0) => Ok(Step::interrupt(mercer_graph::Interrupt::new("q", json!(1)))),
            _ => Ok(Step::nothing()),
        }
    };
    let graph = Graph::named("asks").entry("ask").node("ask", ask).end("ask").build().unwrap();
    let agent = engine.register(graph, World::default());
    let thread = thread(&agent).await;
    let asked = agent.start(&thread, vec![], RunOptions::default()).await.unwrap();
    engine.wait(&asked).await.unwrap();
    let next = agent.start(&thread, vec![line("never mind")], RunOptions::default()).await.unwrap();
    assert_eq!(engine.wait(&next).await.unwrap().status, RunStatus::Done);
    assert_eq!(engine.run(&asked).await.unwrap().unwrap().status, RunStatus::Cancelled);
    assert_eq!(events(&engine, &asked, 0).await.last().unwrap().body.kind(), "run_finished");
    assert!(matches!(
        engine.resume(&asked, json!(1)).await,
        Err(EngineError::Answer(_) | EngineError::WrongStatus { .. })
    ));
}

#[tokio::test]
async fn a_run_whose_caller_went_away_while_it_began_is_driven_to_its_end() {
    use futures::FutureExt;
    let (engine, _) = engine();
    let graph = Graph::named("short").entry("say").node("say", says("said")).end("say").build().unwrap();
    let agent = engine.register(graph, World::default());
    let thread = thread(&agent).await;
    // The request is looked at once and then dropped, as a server does when the connection closes.
    let begun = agent.start(&thread, vec![line("asked")], RunOptions::default()).now_or_never();
    assert!(begun.is_none(), "the caller left before it was told");
    let filter = RunFilter { thread: Some(thread.clone()), ..RunFilter::default() };
    let run = loop {
        match engine.runs(&filter).await.unwrap().pop() {
            Some(run) => break run.id,
            None => tokio::task::yield_now().await,
        }
    };
    assert_eq!(engine.wait(&run).await.unwrap().status, RunStatus::Done);
    assert_eq!(lines(&agent, &thread).await, ["asked", "said"]);
}
