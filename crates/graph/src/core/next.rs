//! Which tasks run next.

use std::collections::{BTreeMap, BTreeSet};

use super::{Departure, Exit, Frontier, Routes, Target, Task};
use crate::{END, TaskId};

/// Why the core refuses to go on. Each is a fault of the graph's own code.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CoreError {
    /// A node or branch chose a target that was not declared.
    #[error("{from} chose {to:?}, which was not declared as one of its targets")]
    Undeclared {
        /// The node that chose, or whose branch chose.
        from: String,
        /// What it chose.
        to: String,
    },
    /// Two questions open at the same time have the same id.
    #[error("{first} and {second} both ask under the id {id:?}")]
    SameQuestion {
        /// The id.
        id: String,
        /// The node that asked first.
        first: String,
        /// The node that asked second.
        second: String,
    },
    /// Two tasks of one superstep wrote the same last-value field.
    #[error("{first} and {second} both wrote {slot} in one superstep")]
    Conflict {
        /// The field.
        slot: String,
        /// The node first in path order.
        first: String,
        /// The other node.
        second: String,
    },
    /// An update was refused by the state.
    #[error("an update of {node} was refused: {reason}")]
    Refused {
        /// The node that returned it.
        node: String,
        /// The state's reason.
        reason: String,
    },
}

/// Collects targets: a plain target counts once, one with an input as often as it was named.
#[derive(Default)]
struct Targets {
    list: Vec<Target>,
    plain: BTreeSet<String>,
}

impl Targets {
    fn add(&mut self, target: Target) {
        if target.node == END {
            return;
        }
        if target.input.is_some() || self.plain.insert(target.node.clone()) {
            self.list.push(target);
        }
    }

    fn node(&mut self, node: &str) {
        self.add(Target { node: node.to_owned(), input: None });
    }
}

/// The frontier after a superstep whose tasks left with `done`, in path order.
///
/// `step` is the number of the checkpoint that the superstep makes, from which the new tasks are named. `choose(node,
/// branch)` is what that branch of the node chose on the new state; it is asked once for each branch of each node that left
/// along its edges.
///
/// A superstep in which a task asks a question is not over: its other tasks' departures are carried until the answers are
/// there, so that what follows a fan-out sees all of it.
///
/// # Errors
/// [`CoreError::Undeclared`] and [`CoreError::SameQuestion`].
pub fn next(
    routes: &Routes,
    frontier: &Frontier,
    done: &[Departure],
    step: u64,
    choose: &mut dyn FnMut(&str, usize) -> String,
) -> Result<Frontier, CoreError> {
    let asking: Vec<&Departure> = done.iter().filter(|d| matches!(d.exit, Exit::Asks { .. })).collect();
    let mut carried = frontier.carried.clone();
    carried.extend(done.iter().filter(|d| !matches!(d.exit, Exit::Asks { .. })).cloned());
    if !asking.is_empty() {
        let tasks = continuations(routes, &asking, step)?;
        let (arrived, deferred) = (frontier.arrived.clone(), frontier.deferred.clone());
        return Ok(Frontier { tasks, arrived, deferred, carried });
    }
    let mut arrived = frontier.arrived.clone();
    let mut targets = Targets::default();
    let mut chosen = BTreeSet::new();
    for departure in &carried {
        depart(routes, departure, &mut chosen, choose, &mut targets)?;
        arrive(routes, &departure.node, &mut arrived);
    }
    for join in &routes.joins {
        if arrived.get(&join.key()) == Some(&join.from) {
            arrived.remove(&join.key());
            targets.node(&join.to);
        }
    }
    Ok(settle(routes, targets.list, arrived, frontier.deferred.clone(), step))
}

/// What is left of a superstep that was stopped: the tasks that had not finished, with the departures of those that had.
#[must_use]
pub fn remaining(frontier: &Frontier, finished: &BTreeMap<TaskId, Departure>) -> Frontier {
    let mut left = frontier.clone();
    left.tasks.retain(|task| !finished.contains_key(&task.id));
    left.carried.extend(frontier.tasks.iter().filter_map(|task| finished.get(&task.id).cloned()));
    left
}

fn depart(
    routes: &Routes,
    departure: &Departure,
    chosen: &mut BTreeSet<String>,
    choose: &mut dyn FnMut(&str, usize) -> String,
    targets: &mut Targets,
) -> Result<(), CoreError> {
    let node = &departure.node;
    if let Exit::To(list) = &departure.exit {
        for target in list {
            let declared = routes.gotos.get(node).is_some_and(|may| may.contains(&target.node));
            if !declared {
                return Err(CoreError::Undeclared { from: node.clone(), to: target.node.clone() });
            }
            targets.add(target.clone());
        }
        return Ok(());
    }
    if !chosen.insert(node.clone()) {
        return Ok(());
    }
    for to in routes.edges.get(node).into_iter().flatten() {
        targets.node(to);
    }
    for branch in 0..routes.branches.get(node).copied().unwrap_or(0) {
        targets.node(&choose(node, branch));
    }
    Ok(())
}

fn arrive(routes: &Routes, node: &str, arrived: &mut BTreeMap<String, BTreeSet<String>>) {
    for join in routes.joins.iter().filter(|join| join.from.contains(node)) {
        arrived.entry(join.key()).or_default().insert(node.to_owned());
    }
}

fn settle(
    routes: &Routes,
    targets: Vec<Target>,
    arrived: BTreeMap<String, BTreeSet<String>>,
    mut deferred: BTreeSet<String>,
    step: u64,
) -> Frontier {
    let (later, mut now): (Vec<Target>, Vec<Target>) =
        targets.into_iter().partition(|t| t.input.is_none() && routes.deferred.contains(&t.node));
    deferred.extend(later.into_iter().map(|target| target.node));
    let due: Vec<String> = deferred.iter().filter(|node| is_due(node, &now, &deferred)).cloned().collect();
    for node in due {
        deferred.remove(&node);
        now.push(Target { node, input: None });
    }
    let tasks = now.into_iter().enumerate().map(|(index, target)| Task {
        id: TaskId::at(step, index),
        node: target.node,
        input: target.input,
        answers: BTreeMap::new(),
        waits: Vec::new(),
    });
    Frontier { tasks: tasks.collect(), arrived, deferred, carried: Vec::new() }
}

/// The subgraph that a node is in, as the front of its name; nothing for a node of the graph itself.
fn group(node: &str) -> &str {
    node.rsplit_once('/').map_or("", |(group, _)| group)
}

/// Whether a node is in a subgraph, or in one inside it.
fn is_inside(node: &str, group: &str) -> bool {
    group.is_empty() || node.strip_prefix(group).is_some_and(|rest| rest.starts_with('/'))
}

/// Whether a deferred node's time has come: nothing else will run in its subgraph, and nothing deferred there comes before
/// it. What is deferred deeper inside comes before, and a subgraph's end comes last.
fn is_due(node: &str, now: &[Target], deferred: &BTreeSet<String>) -> bool {
    let own = group(node);
    let ends = |node: &str| node.rsplit_once('/').is_some_and(|(_, name)| name == END);
    let before = |other: &String| {
        is_inside(other, own) && other != node && (group(other) != own || (ends(node) && !ends(other)))
    };
    !now.iter().any(|target| is_inside(&target.node, own)) && !deferred.iter().any(before)
}

fn continuations(routes: &Routes, asking: &[&Departure], step: u64) -> Result<Vec<Task>, CoreError> {
    let mut asked: BTreeMap<&str, &str> = BTreeMap::new();
    let mut tasks = Vec::with_capacity(asking.len());
    for (index, departure) in asking.iter().enumerate() {
        let Exit::Asks { interrupts, at } = &departure.exit else { continue };
        for interrupt in interrupts {
            if let Some(first) = asked.insert(&interrupt.id, &departure.node) {
                let (first, second) = (first.to_owned(), departure.node.clone());
                return Err(CoreError::SameQuestion { id: interrupt.id.clone(), first, second });
            }
        }
        let node = at.clone().unwrap_or_else(|| departure.node.clone());
        let own = node == departure.node || routes.gotos.get(&departure.node).is_some_and(|may| may.contains(&node));
        if !own {
            return Err(CoreError::Undeclared { from: departure.node.clone(), to: node });
        }
        let id = TaskId::at(step, index);
        let (input, answers) = (departure.input.clone(), departure.answers.clone());
        tasks.push(Task { id, node, input, answers, waits: interrupts.clone() });
    }
    Ok(tasks)
}
