//! Nodes whose results are kept.

use std::sync::Arc;
use std::time::Duration;

use mercer_graph::{Agent, Ctx, Engine, Graph, NewThread, Problem, RunOptions, Step};

use crate::world::{Log, World, engine, line, lines, says};

async fn dear(ctx: Ctx<World>, log: Arc<Log>) -> crate::world::Made {
    ctx.deps().note(format!("{} ran", ctx.tenant()));
    Ok(Step::update(line(format!("dear {}", log.lines[0]))))
}

fn cached() -> mercer_graph::Builder<Log, World> {
    let key = |log: &Log, _: Option<&serde_json::Value>| log.lines[0].clone();
    Graph::named("cached").entry("dear").node("dear", dear).end("dear").cached("dear", Duration::from_secs(60), key)
}

async fn ask(engine: &Engine, agent: &Agent<Log>, tenant: &str, text: &str) -> Vec<String> {
    let new = NewThread { tenant: tenant.into(), agent: "cached".into(), ..NewThread::default() };
    let thread = engine.create_thread(new).await.unwrap();
    let run = agent.start(&thread, vec![line(text)], RunOptions::default()).await.unwrap();
    engine.wait(&run).await.unwrap();
    lines(agent, &thread).await
}

#[tokio::test(start_paused = true)]
async fn a_cached_node_runs_once_for_a_key_and_a_tenant_until_its_time_is_over() {
    let (engine, _) = engine();
    let world = World::default();
    let agent = engine.register(cached().build().unwrap(), world.clone());
    for _ in 0..3 {
        assert_eq!(ask(&engine, &agent, "one", "a").await, ["a", "dear a"]);
    }
    assert_eq!(world.noted(), ["one ran"]);
    assert_eq!(ask(&engine, &agent, "one", "b").await, ["b", "dear b"]);
    assert_eq!(ask(&engine, &agent, "two", "a").await, ["a", "dear a"]);
    assert_eq!(world.noted(), ["one ran", "one ran", "two ran"], "another key, another tenant");
    tokio::time::advance(Duration::from_secs(60)).await;
    ask(&engine, &agent, "one", "a").await;
    assert_eq!(world.noted().len(), 4, "its time was over");
}

#[test]
fn a_cache_for_a_node_that_does_not_exist_is_refused() {
    let graph = Graph::<Log, World>::named("g").entry("a").node("a", says("a")).end("a");
    let refused = graph.cached("b", Duration::ZERO, |_, _| String::new()).build().unwrap_err();
    assert_eq!(refused.problems, [Problem::Unknown { line: "cached".into(), node: "b".into() }]);
}
