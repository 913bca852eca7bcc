//! What `build()` refuses, and how a graph draws itself.

use mercer_graph::{BuildError, END, EdgeKind, Graph, NodePolicy, Problem};

use crate::world::{Log, World, says};

fn refused(graph: Result<Graph<Log, World>, BuildError>) -> Vec<Problem> {
    graph.unwrap_err().problems
}

#[test]
fn a_graph_with_a_fault_is_refused_and_the_culprits_are_named() {
    let build = || Graph::<Log, World>::named("g").entry("a").node("a", says("a"));
    assert_eq!(refused(Graph::<Log, World>::named("g").node("a", says("a")).end("a").build()), [Problem::NoEntry]);
    assert_eq!(refused(build().node("a", says("a")).end("a").build()), [Problem::Duplicate("a".into())]);
    let unknown = |line: &str, node: &str| Problem::Unknown { line: line.into(), node: node.into() };
    assert_eq!(refused(build().edge("a", "b").end("a").build()), [unknown("the edge a → b", "b")]);
    assert_eq!(refused(build().branch("a", |_| END, ["x", END]).build()), [unknown("the branch a → x", "x")]);
    assert_eq!(refused(build().join(["a", "y"], "a").end("a").build()), [unknown("the join y → a", "y")]);
    assert_eq!(refused(build().may_goto("a", ["z"]).end("a").build()), [unknown("the choice a → z", "z")]);
    assert_eq!(refused(build().end("a").deferred("q").build()), [unknown("deferred", "q")]);
    let policy = NodePolicy { on_error: Some("h".into()), ..NodePolicy::default() };
    let handler = build().end("a").node_with("b", says("b"), policy).edge("a", "b").end("b").build();
    assert_eq!(refused(handler), [unknown("the error handler b → h", "h")]);
    assert_eq!(
        refused(Graph::<Log, World>::named("g").entry("no").node("a", says("a")).end("a").build()),
        [unknown("the entry", "no")]
    );
    assert_eq!(
        refused(build().end("a").node("b", says("b")).end("b").build()),
        [Problem::Unreachable(vec!["b".into()])]
    );
    let endless = build().edge("a", "b").node("b", says("b")).edge("b", "a").build();
    assert_eq!(refused(endless), [Problem::Endless(vec!["a".into(), "b".into()])]);
    assert_eq!(refused(build().entry("a").end("a").build()), [Problem::Entries(2)]);
    assert_eq!(refused(build().end("a").node(END, says("x")).build()).first(), Some(&Problem::Reserved(END.into())));
    let text = build().edge("a", "b").edge("a", "c").build().unwrap_err().to_string();
    assert!(
        text.starts_with("graph \"g\" cannot be built: ") && text.contains("\"b\"") && text.contains("\"c\""),
        "{text}"
    );
}

fn drawn() -> Graph<Log, World> {
    Graph::named("refund")
        .entry_branch(|_| "investigate", ["investigate", "notify"])
        .node("investigate", says("investigate"))
        .branch("investigate", |_| "authorise", ["authorise", "notify"])
        .node("authorise", says("authorise"))
        .may_goto("authorise", ["investigate"])
        .edge("authorise", "pay")
        .edge("authorise", "tell")
        .node("pay", says("pay"))
        .node("tell", says("tell"))
        .join(["pay", "tell"], "notify")
        .node("notify", says("notify"))
        .end("notify")
        .edge("pay", "audit")
        .node("audit", says("audit"))
        .deferred("audit")
        .end("audit")
        .on_failure("escalate", says("escalate"))
        .build()
        .unwrap()
}

#[test]
fn a_graph_draws_itself_and_its_hash_follows_its_shape() {
    let graph = drawn();
    insta::assert_snapshot!(graph.mermaid());
    assert_eq!(graph.shape_hash(), drawn().shape_hash());
    let mut other = graph.shape().clone();
    other.edges.pop();
    assert_ne!(other.hash(), graph.shape_hash());
    let json = serde_json::to_value(graph.shape()).unwrap();
    assert_eq!(serde_json::from_value::<mercer_graph::GraphShape>(json).unwrap(), *graph.shape());
    assert!(graph.shape().edges.iter().any(|edge| edge.kind == EdgeKind::Join && edge.to == "notify"));
}
