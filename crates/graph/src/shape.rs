//! A graph as data and as a drawing.

use std::collections::BTreeSet;
use std::fmt::Write;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{END, START, Way};

/// The nodes and lines of a graph.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GraphShape {
    /// Its name.
    pub name: String,
    /// Its nodes, in the order they were written.
    pub nodes: Vec<ShapeNode>,
    /// Its lines, in the order they were written; they begin at `__start__` and end at `__end__`.
    pub edges: Vec<ShapeEdge>,
}

/// A node.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShapeNode {
    /// Its name.
    pub id: String,
    /// Whether it runs only when nothing else will.
    pub deferred: bool,
    /// The subgraph that it is in; one inside another is `outer/inner`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
}

/// A line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShapeEdge {
    /// Where it begins.
    pub from: String,
    /// Where it leads.
    pub to: String,
    /// Under which condition it is taken.
    pub kind: EdgeKind,
}

/// Under which condition a line is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EdgeKind {
    /// Always.
    Edge,
    /// When the state calls for it.
    Branch,
    /// When all of the join's sources have finished.
    Join,
    /// When the node, or for the entry the caller, chooses it.
    Goto,
    /// When the node failed.
    Error,
}

impl GraphShape {
    /// A hash that changes with the shape.
    #[must_use]
    pub fn hash(&self) -> String {
        let mut text = String::new();
        for node in &self.nodes {
            let _infallible = writeln!(text, "node {} {}", node.id, node.deferred);
        }
        for edge in &self.edges {
            let _infallible = writeln!(text, "{:?} {} {}", edge.kind, edge.from, edge.to);
        }
        Sha256::digest(text.as_bytes()).iter().take(8).fold(String::new(), |mut hex, byte| {
            let _infallible = write!(hex, "{byte:02x}");
            hex
        })
    }

    /// The drawing in Mermaid's language.
    #[must_use]
    pub fn mermaid(&self) -> String {
        let mut text = String::from("flowchart TD\n  start([start])\n");
        self.boxes(None, &mut text);
        text.push_str("  finish([end])\n");
        for edge in &self.edges {
            let arrow = match edge.kind {
                EdgeKind::Edge => "-->",
                EdgeKind::Join => "==>",
                EdgeKind::Branch => "-.->",
                EdgeKind::Goto => "-. chosen .->",
                EdgeKind::Error => "-. on failure .->",
            };
            let _infallible = writeln!(text, "  {} {arrow} {}", self.place(&edge.from), self.place(&edge.to));
        }
        text
    }

    /// The nodes of a subgraph, or of the graph itself, and the subgraphs inside it as boxes.
    fn boxes(&self, group: Option<&str>, text: &mut String) {
        for (index, node) in self.nodes.iter().enumerate().filter(|(_, node)| node.group.as_deref() == group) {
            let name = node.id.rsplit_once('/').map_or(node.id.as_str(), |(_, name)| name);
            let label = if name == END { "end" } else { name }.replace('"', "#quot;");
            let (open, close) = match (name == END, node.deferred) {
                (true, _) => ("([", "])"),
                (false, true) => ("{{", "}}"),
                (false, false) => ("[", "]"),
            };
            let _infallible = writeln!(text, "  n{index}{open}\"{label}\"{close}");
        }
        let inside: BTreeSet<&str> = self.nodes.iter().filter_map(|node| node.group.as_deref()).collect();
        for inner in inside.iter().filter(|inner| inner.rsplit_once('/').map(|(outer, _)| outer) == group) {
            let name = inner.rsplit_once('/').map_or(*inner, |(_, name)| name).replace('"', "#quot;");
            let number = inside.iter().position(|other| other == inner).unwrap_or_default();
            let _infallible = writeln!(text, "  subgraph g{number}[\"{name}\"]");
            self.boxes(Some(inner), text);
            text.push_str("  end\n");
        }
    }

    /// The drawing with a run's way in it: the nodes it visited, where it stands, and the lines it took.
    #[must_use]
    pub fn mermaid_of(&self, way: &Way) -> String {
        let mut text = self.mermaid();
        text.push_str("  classDef visited fill:#dcf2e3,stroke:#2f855a,stroke-width:2px,color:#1a202c\n");
        text.push_str("  classDef next fill:#fff3c4,stroke:#b7791f,stroke-width:3px,color:#1a202c\n");
        let places = |nodes: &mut dyn Iterator<Item = &String>| -> String {
            let known: Vec<String> = nodes.map(|node| self.place(node)).collect();
            known.join(",")
        };
        let visited = places(&mut way.visits.keys().filter(|node| !way.next.contains(node)));
        let next = places(&mut way.next.iter());
        for (nodes, class) in [(visited, "visited"), (next, "next")] {
            if !nodes.is_empty() {
                let _infallible = writeln!(text, "  class {nodes} {class}");
            }
        }
        let taken = |edge: &ShapeEdge| way.taken.iter().any(|line| line.from == edge.from && line.to == edge.to);
        let lines: Vec<String> =
            self.edges.iter().enumerate().filter(|(_, edge)| taken(edge)).map(|(at, _)| at.to_string()).collect();
        if !lines.is_empty() {
            let _infallible = writeln!(text, "  linkStyle {} stroke:#2f855a,stroke-width:3px", lines.join(","));
        }
        text
    }

    fn place(&self, name: &str) -> String {
        match name {
            START => "start".to_owned(),
            END => "finish".to_owned(),
            _ => match self.nodes.iter().position(|node| node.id == name) {
                Some(index) => format!("n{index}"),
                None => name.to_owned(),
            },
        }
    }
}
