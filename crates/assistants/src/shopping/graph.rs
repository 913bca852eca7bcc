//! The shopping graph.

use std::sync::Arc;
use std::time::Duration;

use mercer_agent::{Next, React, Registry};
use mercer_graph::{BuildError, END, Graph, NodePolicy};

use super::desk::{Desk, ShoppingDeps};
use super::nodes;
use super::state::{Driver, Shopping};

/// The graph's name.
pub const NAME: &str = "shopping";
/// The longest a step of the model may take; its own limits end it earlier.
const MODEL_STEP: Duration = Duration::from_secs(120);

/// What the nodes work with.
#[derive(Debug, Clone)]
pub struct Room {
    /// The services.
    pub deps: ShoppingDeps,
    /// The tools.
    pub tools: Arc<Registry<Desk>>,
}

/// The shopping graph: read the message, let the model or the rules lead, look things up, check, answer.
///
/// # Errors
/// When it does not hold together, which a test rules out.
pub fn graph() -> Result<Graph<Shopping, Room>, BuildError> {
    let to_rules = NodePolicy { on_error: Some("floor".to_owned()), ..NodePolicy::default() };
    Graph::named(NAME)
        .entry("understand")
        .node("understand", nodes::understand)
        .branch("understand", after_reading, ["tools", "agent", "floor"])
        .node_with("agent", nodes::agent, to_rules.clone().within(MODEL_STEP))
        .branch("agent", after_model, ["agent", "tools", "gate", "floor"])
        .node_with("tools", nodes::tools, to_rules.clone())
        .branch("tools", after_tools, ["agent", "floor"])
        .node_with("gate", nodes::gate, to_rules)
        .branch("gate", after_gate, ["agent", "floor", "answer"])
        .node("floor", nodes::floor)
        .branch("floor", after_floor, ["tools", "answer"])
        .node("answer", nodes::answer)
        .end("answer")
        .on_failure("apologise", nodes::apologise)
        .build()
}

fn after_reading(state: &Shopping) -> &'static str {
    if state.turn.as_ref().is_some_and(|turn| !turn.planned.is_empty()) { "tools" } else { after_tools(state) }
}

fn after_tools(state: &Shopping) -> &'static str {
    match state.turn.as_ref().map(|turn| turn.driver) {
        Some(Driver::Model) => "agent",
        Some(Driver::Rules) | None => "floor",
    }
}

fn after_model(state: &Shopping) -> &'static str {
    match state.turn.as_ref().and_then(|turn| turn.react.as_ref()).map(React::next) {
        Some(Next::CallModel { .. }) => "agent",
        Some(Next::CallTools(_)) => "tools",
        Some(Next::Done(finish)) if finish.answer().is_some() => "gate",
        Some(Next::Done(_) | Next::AskPerson(_)) | None => "floor",
    }
}

fn after_gate(state: &Shopping) -> &'static str {
    let Some(turn) = &state.turn else { return END };
    if turn.draft.is_some() {
        "answer"
    } else if turn.driver == Driver::Model
        && matches!(turn.react.as_ref().map(React::next), Some(Next::CallModel { .. }))
    {
        "agent"
    } else {
        "floor"
    }
}

fn after_floor(state: &Shopping) -> &'static str {
    if state.turn.as_ref().is_some_and(|turn| turn.draft.is_some()) { "answer" } else { "tools" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_graph_holds_together() {
        let graph = graph().unwrap();
        assert_eq!(graph.name(), NAME);
        assert!(graph.mermaid().contains("understand"));
    }
}
