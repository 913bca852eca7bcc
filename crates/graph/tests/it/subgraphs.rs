//! A graph inside another: its own state, services and names; its questions, effects and failures; its end.

use std::sync::Arc;

use mercer_graph::{
    ApplyError, Ctx, END, EffectFault, EffectKey, Failure, Graph, HistoryFilter, Interrupt, NodeError, OnUnknown,
    Problem, RunOptions, RunStatus, State, Step,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::world::{World, engine, events, kinds};

/// The state around: words, and the state of the graph inside.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Outer {
    words: Vec<String>,
    inner: Notes,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Notes(Vec<String>);

#[derive(Debug, Clone, Serialize, Deserialize)]
enum Change {
    Word(String),
    Inner(String),
}

impl State for Notes {
    type Update = String;

    fn apply(&mut self, note: String) -> Result<(), ApplyError> {
        self.0.push(note);
        Ok(())
    }
}

impl State for Outer {
    type Update = Change;

    fn apply(&mut self, change: Change) -> Result<(), ApplyError> {
        match change {
            Change::Word(word) => self.words.push(word),
            Change::Inner(note) => self.inner.apply(note)?,
        }
        Ok(())
    }
}

type Answer = Result<Step<Notes>, NodeError>;

fn notes(name: &'static str) -> impl Fn(Ctx<World>, Arc<Notes>) -> std::future::Ready<Answer> + Send + Sync + 'static {
    move |_, notes| std::future::ready(Ok(Step::update(format!("{name} after {}", notes.0.len()))))
}

fn word(
    name: &'static str,
) -> impl Fn(Ctx<World>, Arc<Outer>) -> std::future::Ready<Result<Step<Outer>, NodeError>> + Send + Sync {
    move |_, outer| {
        let seen = outer.inner.0.len();
        std::future::ready(Ok(Step::update(Change::Word(format!("{name} sees {seen}")))))
    }
}

/// Asks, does something outside, and collects when its own paths have ended.
fn research() -> Graph<Notes, World> {
    let ask = |ctx: Ctx<World>, _: Arc<Notes>| async move {
        assert_eq!(ctx.namespace(), ["research"]);
        match ctx.answer("which") {
            None => Ok(Step::interrupt(Interrupt::new("which", json!("?")))),
            Some(answer) => Ok(Step::update(format!("told {answer}"))),
        }
    };
    let fetch = |ctx: Ctx<World>, _: Arc<Notes>| async move {
        let world = ctx.deps().clone();
        let fetched = ctx.effect("fetch", EffectKey::task("page"), OnUnknown::Repeat, async {
            world.note("fetched");
            Ok::<_, EffectFault>("page".to_owned())
        });
        Ok(Step::update(fetched.await?).and_goto(END))
    };
    Graph::named("research")
        .entry_branch(|notes: &Notes| if notes.0.is_empty() { "ask" } else { "quick" }, ["ask", "quick"])
        .node("ask", ask)
        .edge("ask", "fetch")
        .edge("ask", "slow")
        .node("fetch", fetch)
        .may_goto("fetch", [END])
        .node("slow", notes("slow"))
        .edge("slow", "slower")
        .node("slower", notes("slower"))
        .end("slower")
        .node("collect", notes("collect"))
        .edge("fetch", "collect")
        .edge("slower", "collect")
        .deferred("collect")
        .end("collect")
        .node("quick", notes("quick"))
        .end("quick")
        .build()
        .unwrap()
}

fn around() -> Graph<Outer, World> {
    Graph::named("around")
        .entry("begin")
        .node("begin", word("begin"))
        .edge("begin", "research")
        .edge("begin", "beside")
        .node("beside", word("beside"))
        .subgraph("research", &research(), |outer: &Outer| outer.inner.clone(), Change::Inner, World::clone)
        .edge("research", "write")
        .node("write", word("write"))
        .join(["write", "beside"], "finish")
        .node("finish", word("finish"))
        .branch("finish", |outer: &Outer| if outer.inner.0.len() < 6 { "research" } else { END }, ["research", END])
        .build()
        .unwrap()
}

#[tokio::test]
async fn a_subgraph_asks_acts_and_ends_under_its_own_name_and_what_follows_waits_for_all_of_it() {
    let (engine, _) = engine();
    let world = World::default();
    let agent = engine.register(around(), world.clone());
    let new = mercer_graph::NewThread { agent: "around".into(), ..Default::default() };
    let thread = engine.create_thread(new).await.unwrap();
    let run = agent.start(&thread, vec![], RunOptions::default()).await.unwrap();
    let row = engine.wait(&run).await.unwrap();
    assert_eq!(row.status, RunStatus::Interrupted);
    let questions = engine.questions(&row).await.unwrap();
    let asked: Vec<(&str, &str)> = questions.iter().map(|q| (q.id.as_str(), q.node.as_str())).collect();
    assert_eq!(asked, [("research/which", "research/ask")]);
    engine.resume(&run, json!("red")).await.unwrap();
    assert_eq!(engine.wait(&run).await.unwrap().status, RunStatus::Done);
    let state = agent.state(&thread).await.unwrap().unwrap().state;
    let first = ["told \"red\"", "page", "slow after 1", "slower after 3"];
    assert_eq!(state.inner.0[..4], first, "the end of fetch is one path's end; slower ran all the same");
    assert_eq!(state.inner.0[4..], ["collect after 4", "quick after 5"], "collect waited for its own graph alone");
    assert_eq!(state.words, ["begin sees 0", "beside sees 0", "write sees 5", "finish sees 5", "write sees 6"]);
    assert_eq!(world.noted(), ["fetched"]);

    let seen = events(&engine, &run, 0).await;
    assert!(seen.iter().any(|event| event.node.as_deref() == Some("research/slower")), "{:?}", kinds(&seen));
    assert!(seen.iter().filter(|event| event.namespace() == ["research"]).count() > 5);
    let filter = HistoryFilter { limit: 100, node: Some("research".into()), ..HistoryFilter::default() };
    let inside = engine.history_where(&thread, &filter).await.unwrap();
    assert!(inside.iter().all(|view| view.nodes.iter().any(|node| node.starts_with("research"))), "{inside:#?}");
    assert!(inside.len() >= 7, "{}", inside.len());
    let by_node = HistoryFilter { limit: 100, node: Some("research/slow".into()), ..HistoryFilter::default() };
    assert_eq!(engine.history_where(&thread, &by_node).await.unwrap().len(), 1);
}

#[test]
fn a_subgraph_is_drawn_as_a_box_and_a_slash_is_not_for_other_names() {
    let graph = around();
    insta::assert_snapshot!(graph.mermaid());
    let named = Graph::<Notes, World>::named("g").entry("a/b").node("a/b", notes("x")).end("a/b").build();
    assert_eq!(named.unwrap_err().problems, [Problem::Reserved("a/b".into())]);
    let twice = Graph::<Outer, World>::named("g")
        .entry("research")
        .node("research", word("x"))
        .subgraph("research", &research(), |outer: &Outer| outer.inner.clone(), Change::Inner, World::clone)
        .end("research")
        .build();
    assert!(twice.unwrap_err().problems.contains(&Problem::Duplicate("research".into())));
}

#[tokio::test]
async fn a_graph_in_a_graph_in_a_graph_handles_its_own_failures_first() {
    let failing = |_: Ctx<World>, _: Arc<Notes>| async { Err::<Step<Notes>, _>(NodeError::new("broken")) };
    let told = |ctx: Ctx<World>, _: Arc<Notes>| async move {
        let failure: Failure = ctx.input()?;
        Ok(Step::update(format!("{} of {} failed", failure.node, ctx.namespace().join("+"))))
    };
    let deep = Graph::named("deep").entry("f").node("f", failing).end("f").on_failure("told", told).build().unwrap();
    let middle = Graph::<Notes, World>::named("middle")
        .entry("deep")
        .subgraph("deep", &deep, Notes::clone, |note| note, World::clone)
        .edge("deep", "after")
        .node("after", notes("after"))
        .end("after")
        .build()
        .unwrap();
    let graph = Graph::<Outer, World>::named("top")
        .entry("middle")
        .subgraph("middle", &middle, |outer: &Outer| outer.inner.clone(), Change::Inner, World::clone)
        .end("middle")
        .on_failure("never", word("never"))
        .build()
        .unwrap();
    let (engine, _) = engine();
    let agent = engine.register(graph, World::default());
    let new = mercer_graph::NewThread { agent: "top".into(), ..Default::default() };
    let thread = engine.create_thread(new).await.unwrap();
    let run = agent.start(&thread, vec![], RunOptions::default()).await.unwrap();
    assert_eq!(engine.wait(&run).await.unwrap().status, RunStatus::Done);
    let state = agent.state(&thread).await.unwrap().unwrap().state;
    assert_eq!(state.inner.0, ["middle/deep/f of middle+deep failed", "after after 1"]);
    assert_eq!(state.words, Vec::<String>::new());
    let value = engine.state_json(&thread, None).await.unwrap();
    assert_eq!(value["inner"][0], Value::from("middle/deep/f of middle+deep failed"));
}
