//! Where a run stands: the tasks that run next and what is remembered for later ones.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::step::{Exit, present};
use crate::{Interrupt, TaskId};

/// A planned node execution.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Task {
    /// Its identity, the same however often it has to start over.
    pub id: TaskId,
    /// The node it executes.
    pub node: String,
    /// Its own input, if it is one of a fan-out or an error handler.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub input: Option<Value>,
    /// Answers it may read.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub answers: BTreeMap<String, Value>,
    /// Questions to be answered before it runs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waits: Vec<Interrupt>,
}

/// A finished task: which node, and how it left.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Departure {
    /// The node.
    pub node: String,
    /// The task's own input; a task that asks has it again when it is answered.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub input: Option<Value>,
    /// The answers it had; they stay readable when it asks again.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub answers: BTreeMap<String, Value>,
    /// How it left.
    pub exit: Exit,
}

/// What a checkpoint says about the future.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Frontier {
    /// The tasks of the next superstep, in path order.
    pub tasks: Vec<Task>,
    /// For each join, the sources that have arrived.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub arrived: BTreeMap<String, BTreeSet<String>>,
    /// Deferred nodes that were reached and run when nothing else will.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub deferred: BTreeSet<String>,
    /// Finished tasks of a superstep that still waits for an answer; they go on together when it is given.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub carried: Vec<Departure>,
}

impl Task {
    /// The task, finished.
    #[must_use]
    pub fn left(&self, exit: Exit) -> Departure {
        Departure { node: self.node.clone(), input: self.input.clone(), answers: self.answers.clone(), exit }
    }
}

impl Frontier {
    /// The frontier of a graph entered at `node`, after checkpoint number `step`.
    #[must_use]
    pub fn entered(node: &str, step: u64) -> Self {
        let task = Task {
            id: TaskId::at(step, 0),
            node: node.to_owned(),
            input: None,
            answers: BTreeMap::new(),
            waits: Vec::new(),
        };
        Self { tasks: vec![task], ..Self::default() }
    }

    /// Whether nothing is left to run.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.tasks.is_empty()
    }

    /// The questions that are open.
    pub fn open(&self) -> impl Iterator<Item = &Interrupt> {
        self.tasks.iter().flat_map(|task| &task.waits)
    }

    /// The nodes that run next, each once, in path order.
    #[must_use]
    pub fn nodes(&self) -> Vec<String> {
        let mut seen = BTreeSet::new();
        self.tasks.iter().filter(|task| seen.insert(&task.node)).map(|task| task.node.clone()).collect()
    }
}
