//! A graph as the core sees it: names and lines, no functions.

use std::collections::{BTreeMap, BTreeSet};

/// A node that waits for several others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Join {
    /// The nodes it waits for.
    pub from: BTreeSet<String>,
    /// The node that then runs.
    pub to: String,
}

impl Join {
    /// The name under which arrivals are remembered.
    #[must_use]
    pub fn key(&self) -> String {
        let from: Vec<&str> = self.from.iter().map(String::as_str).collect();
        format!("{}>{}", from.join("+"), self.to)
    }
}

/// The lines of a graph.
#[derive(Debug, Clone, Default)]
pub struct Routes {
    /// Every node.
    pub nodes: BTreeSet<String>,
    /// Static edges.
    pub edges: BTreeMap<String, Vec<String>>,
    /// How many branches leave a node; the driver evaluates them in order.
    pub branches: BTreeMap<String, usize>,
    /// Joins.
    pub joins: Vec<Join>,
    /// Deferred nodes.
    pub deferred: BTreeSet<String>,
    /// Targets that a node may choose itself.
    pub gotos: BTreeMap<String, BTreeSet<String>>,
}
