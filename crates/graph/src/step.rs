//! What a node returns: updates, and where to go next.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::State;

/// The target that ends a path through the graph.
pub const END: &str = "__end__";
/// Where a graph is entered, in its drawn form.
pub const START: &str = "__start__";

/// A question to a person or another program; the run parks until it is answered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Interrupt {
    /// Stable identity, unique among the questions open at the same time in a run.
    pub id: String,
    /// What is asked.
    pub payload: Value,
    /// JSON Schema of the answer, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<Value>,
}

impl Interrupt {
    /// A question whose answer may be anything.
    pub fn new(id: impl Into<String>, payload: Value) -> Self {
        Self { id: id.into(), payload, schema: None }
    }

    /// The same question with a JSON Schema for its answer.
    #[must_use]
    pub fn with_schema(mut self, schema: Value) -> Self {
        self.schema = Some(schema);
        self
    }
}

/// A node to run, with its own input if it is one of a fan-out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Target {
    /// The node.
    pub node: String,
    /// What `ctx.input()` gives it.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub input: Option<Value>,
}

/// Keeps a stored `null` apart from an absent value.
pub(crate) fn present<'de, D: serde::Deserializer<'de>>(input: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(input).map(Some)
}

/// How a finished task leaves its node.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Exit {
    /// Along the node's edges, branches and joins.
    Edges,
    /// To these targets instead.
    To(Vec<Target>),
    /// It waits for answers, then goes on at a node (itself unless it said otherwise).
    Asks {
        /// The questions.
        interrupts: Vec<Interrupt>,
        /// Where the answers are read; `None` is the asking node.
        at: Option<String>,
    },
}

/// A node's result: updates to the state and, if it chooses them itself, the next nodes.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Step<S: State> {
    pub(crate) updates: Vec<S::Update>,
    pub(crate) exit: Exit,
}

impl<S: State> Step<S> {
    /// Changes nothing and follows the edges.
    #[must_use]
    pub fn nothing() -> Self {
        Self::updates(Vec::new())
    }

    /// One update, then along the edges.
    #[must_use]
    pub fn update(update: S::Update) -> Self {
        Self::updates(vec![update])
    }

    /// Several updates, then along the edges.
    #[must_use]
    pub fn updates(updates: Vec<S::Update>) -> Self {
        Self { updates, exit: Exit::Edges }
    }

    /// Goes to a node, which must be declared with [`Builder::may_goto`](crate::Builder::may_goto).
    pub fn goto(node: impl Into<String>) -> Self {
        Self::nothing().and_goto(node)
    }

    /// Runs a node once for each input, together; each task reads its own with `ctx.input()`.
    pub fn goto_each(node: impl Into<String>, inputs: Vec<Value>) -> Self {
        Self::nothing().and_goto_each(node, inputs)
    }

    /// Asks, and runs the same node again with the answer. Updates returned with the question are kept, and the task that
    /// asked is finished: the node is entered as a new task in which `ctx.answer(id)` is there.
    #[must_use]
    pub fn interrupt(interrupt: Interrupt) -> Self {
        Self::nothing().and_interrupt(interrupt)
    }

    /// Adds an update.
    #[must_use]
    pub fn and(mut self, update: S::Update) -> Self {
        self.updates.push(update);
        self
    }

    /// Goes to a node instead of along the edges; called again, to several at once.
    #[must_use]
    pub fn and_goto(mut self, node: impl Into<String>) -> Self {
        self.push(Target { node: node.into(), input: None });
        self
    }

    /// Adds one task of `node` for each input.
    #[must_use]
    pub fn and_goto_each(mut self, node: impl Into<String>, inputs: Vec<Value>) -> Self {
        let node = node.into();
        if !matches!(self.exit, Exit::To(_)) {
            self.exit = Exit::To(Vec::new());
        }
        for input in inputs {
            self.push(Target { node: node.clone(), input: Some(input) });
        }
        self
    }

    /// Asks one more question.
    #[must_use]
    pub fn and_interrupt(mut self, interrupt: Interrupt) -> Self {
        match &mut self.exit {
            Exit::Asks { interrupts, .. } => interrupts.push(interrupt),
            Exit::Edges | Exit::To(_) => self.exit = Exit::Asks { interrupts: vec![interrupt], at: None },
        }
        self
    }

    /// Reads the answers at another node than the asking one.
    #[must_use]
    pub fn answered_at(mut self, node: impl Into<String>) -> Self {
        if let Exit::Asks { at, .. } = &mut self.exit {
            *at = Some(node.into());
        }
        self
    }

    fn push(&mut self, target: Target) {
        match &mut self.exit {
            Exit::To(targets) => targets.push(target),
            Exit::Edges | Exit::Asks { .. } => self.exit = Exit::To(vec![target]),
        }
    }
}
