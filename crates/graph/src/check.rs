//! What a graph must be before it may run.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::shape::{EdgeKind, ShapeEdge};
use crate::{END, START};

/// Why a graph was refused: every problem, with names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildError {
    /// The graph.
    pub graph: String,
    /// What is wrong with it.
    pub problems: Vec<Problem>,
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let problems: Vec<String> = self.problems.iter().map(ToString::to_string).collect();
        write!(f, "graph {:?} cannot be built: {}", self.graph, problems.join("; "))
    }
}

impl std::error::Error for BuildError {}

/// One thing wrong with a graph.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// Two nodes have the same name.
    #[error("there are two nodes named {0:?}")]
    Duplicate(String),
    /// A node has a name that the engine uses itself.
    #[error("{0:?} is not a name for a node")]
    Reserved(String),
    /// A line leads from or to a node that does not exist.
    #[error("{line} names the node {node:?}, which does not exist")]
    Unknown {
        /// The line.
        line: String,
        /// The name.
        node: String,
    },
    /// The graph has no entry.
    #[error("it has no entry")]
    NoEntry,
    /// The graph has more than one entry.
    #[error("it has {0} entries; one decides")]
    Entries(usize),
    /// No path leads to these nodes.
    #[error("no path leads to {}", .0.join(", "))]
    Unreachable(Vec<String>),
    /// From these nodes no path leads to the end.
    #[error("no path leads from {} to the end", .0.join(", "))]
    Endless(Vec<String>),
}

fn describe(line: &ShapeEdge) -> String {
    let kind = match line.kind {
        EdgeKind::Edge if line.from == START => return "the entry".to_owned(),
        EdgeKind::Branch if line.from == START => return "the entry decision".to_owned(),
        EdgeKind::Edge => "the edge",
        EdgeKind::Branch => "the branch",
        EdgeKind::Join => "the join",
        EdgeKind::Goto => "the choice",
        EdgeKind::Error => "the error handler",
    };
    format!("{kind} {} → {}", line.from, line.to)
}

pub(crate) fn problems(names: &[String], lines: &[ShapeEdge], deferred: &[String], entries: usize) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut known: BTreeSet<&str> = BTreeSet::new();
    for name in names {
        if name.is_empty() || name == END || name == START {
            problems.push(Problem::Reserved(name.clone()));
        }
        if !known.insert(name) {
            problems.push(Problem::Duplicate(name.clone()));
        }
    }
    for line in lines {
        let ends = [(&line.from, START), (&line.to, END)];
        for (node, _) in ends.into_iter().filter(|(node, allowed)| node != allowed && !known.contains(node.as_str())) {
            problems.push(Problem::Unknown { line: describe(line), node: node.clone() });
        }
    }
    for node in deferred.iter().filter(|node| !known.contains(node.as_str())) {
        problems.push(Problem::Unknown { line: "deferred".to_owned(), node: node.clone() });
    }
    match entries {
        0 => problems.push(Problem::NoEntry),
        1 => {}
        more => problems.push(Problem::Entries(more)),
    }
    if problems.is_empty() {
        problems.extend(lost(names, lines));
    }
    problems
}

fn lost(names: &[String], lines: &[ShapeEdge]) -> Vec<Problem> {
    let forward = reach(START, lines.iter().map(|line| (line.from.as_str(), line.to.as_str())));
    let backward = reach(END, lines.iter().map(|line| (line.to.as_str(), line.from.as_str())));
    let outside = |reached: &BTreeSet<&str>| -> Vec<String> {
        names.iter().filter(|name| !reached.contains(name.as_str())).cloned().collect()
    };
    let (unreachable, endless) = (outside(&forward), outside(&backward));
    let mut problems = Vec::new();
    if !unreachable.is_empty() {
        problems.push(Problem::Unreachable(unreachable));
    }
    if !endless.is_empty() {
        problems.push(Problem::Endless(endless));
    }
    problems
}

fn reach<'a>(from: &'a str, lines: impl Iterator<Item = (&'a str, &'a str)>) -> BTreeSet<&'a str> {
    let mut next: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (a, b) in lines {
        next.entry(a).or_default().push(b);
    }
    let (mut reached, mut open) = (BTreeSet::from([from]), vec![from]);
    while let Some(node) = open.pop() {
        for &to in next.get(node).into_iter().flatten() {
            if reached.insert(to) {
                open.push(to);
            }
        }
    }
    reached
}
