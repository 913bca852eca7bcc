//! The pure core against a naive model: one that scans lists where the core keeps indexes.

use std::collections::{BTreeMap, BTreeSet};

use mercer_graph::core::{CoreError, Departure, Done, Exit, Frontier, Join, Routes, Target, apply, next, remaining};
use mercer_graph::{END, Interrupt, State, TaskId};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::world::{Log, Update};

const NODES: [&str; 6] = ["a", "b", "c", "d", "e", "f"];

#[derive(Debug, Clone)]
struct Drawn {
    edges: Vec<(usize, usize)>,
    joins: Vec<(BTreeSet<usize>, usize)>,
    deferred: BTreeSet<usize>,
    branches: Vec<usize>,
}

fn drawn() -> impl Strategy<Value = Drawn> {
    let node = 0..NODES.len();
    let edges = prop::collection::vec((node.clone(), 0..=NODES.len()), 0..10);
    let joins = prop::collection::vec((prop::collection::btree_set(node.clone(), 1..4), node.clone()), 0..3);
    let deferred = prop::collection::btree_set(node.clone(), 0..2);
    let branches = prop::collection::vec(node, 0..4);
    (edges, joins, deferred, branches).prop_map(|(edges, joins, deferred, branches)| {
        let mut edges = edges;
        edges.sort_unstable();
        edges.dedup();
        Drawn { edges, joins, deferred, branches }
    })
}

fn name(node: usize) -> String {
    NODES.get(node).map_or(END, |name| name).to_owned()
}

impl Drawn {
    fn routes(&self) -> Routes {
        let mut routes = Routes { nodes: NODES.iter().map(|n| (*n).to_owned()).collect(), ..Routes::default() };
        for (from, to) in &self.edges {
            routes.edges.entry(name(*from)).or_default().push(name(*to));
        }
        for from in &self.branches {
            *routes.branches.entry(name(*from)).or_default() += 1;
        }
        for (from, to) in &self.joins {
            let join = Join { from: from.iter().map(|n| name(*n)).collect(), to: name(*to) };
            if !routes.joins.contains(&join) {
                routes.joins.push(join);
            }
        }
        routes.deferred = self.deferred.iter().map(|n| name(*n)).collect();
        for node in NODES {
            routes.gotos.insert(node.to_owned(), NODES.iter().map(|n| (*n).to_owned()).collect());
        }
        routes
    }
}

/// How each task of a superstep leaves, drawn as numbers.
fn leaves(draw: u8) -> Exit {
    match draw % 7 {
        0 => Exit::To(vec![Target { node: name(usize::from(draw / 7) % 6), input: Some(json!(draw)) }]),
        1 => Exit::To(vec![Target { node: name(usize::from(draw / 7) % 6), input: None }]),
        2 => Exit::To(Vec::new()),
        _ => Exit::Edges,
    }
}

/// What a branch chooses, as a function of its place alone.
fn chosen(node: &str, branch: usize) -> String {
    name((node.len() + usize::from(node.as_bytes()[0]) + branch * 5) % (NODES.len() + 1))
}

/// The model: everything by scanning.
#[derive(Debug, Default, Clone)]
struct Naive {
    arrived: Vec<(Vec<String>, String, String)>,
    waiting: BTreeSet<String>,
}

impl Naive {
    fn step(&mut self, routes: &Routes, done: &[Departure]) -> Vec<(String, Option<Value>)> {
        let mut out: Vec<(String, Option<Value>)> = Vec::new();
        let mut left: Vec<String> = Vec::new();
        for departure in done {
            match &departure.exit {
                Exit::To(targets) => out.extend(targets.iter().map(|t| (t.node.clone(), t.input.clone()))),
                _ if left.contains(&departure.node) => {}
                _ => {
                    left.push(departure.node.clone());
                    out.extend(routes.edges.get(&departure.node).into_iter().flatten().map(|to| (to.clone(), None)));
                    let branches = routes.branches.get(&departure.node).copied().unwrap_or(0);
                    out.extend((0..branches).map(|branch| (chosen(&departure.node, branch), None)));
                }
            }
        }
        for join in &routes.joins {
            let from: Vec<String> = join.from.iter().cloned().collect();
            for departure in done.iter().filter(|d| from.contains(&d.node)) {
                self.arrived.push((from.clone(), join.to.clone(), departure.node.clone()));
            }
            let here = |node: &String| self.arrived.iter().any(|(f, to, n)| *f == from && *to == join.to && n == node);
            if from.iter().all(here) {
                self.arrived.retain(|(f, to, _)| !(*f == from && *to == join.to));
                out.push((join.to.clone(), None));
            }
        }
        let mut once: Vec<(String, Option<Value>)> = Vec::new();
        for target in out.into_iter().filter(|(node, _)| node != END) {
            if target.1.is_some() || !once.contains(&target) {
                once.push(target);
            }
        }
        let is_late = |(node, input): &(String, Option<Value>)| input.is_none() && routes.deferred.contains(node);
        self.waiting.extend(once.iter().filter(|target| is_late(target)).map(|(node, _)| node.clone()));
        once.retain(|target| !is_late(target));
        if once.is_empty() {
            once = std::mem::take(&mut self.waiting).into_iter().map(|node| (node, None)).collect();
        }
        once
    }
}

fn planned(frontier: &Frontier) -> Vec<(String, Option<Value>)> {
    frontier.tasks.iter().map(|task| (task.node.clone(), task.input.clone())).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_core_plans_what_a_naive_interpreter_plans(graph in drawn(), entry in 0..6_usize, draws in prop::collection::vec(any::<u8>(), 1..60)) {
        let routes = graph.routes();
        let mut frontier = Frontier::entered(&name(entry), 0);
        let mut naive = Naive::default();
        let mut draws = draws.into_iter();
        for step in 1..12 {
            if frontier.is_over() {
                break;
            }
            let done: Vec<Departure> = frontier.tasks.iter().take(16).map(|t| t.left(leaves(draws.next().unwrap_or(3)))).collect();
            let expected = naive.step(&routes, &done);
            frontier = next(&routes, &frontier, &done, step, &mut chosen).unwrap();
            prop_assert_eq!(planned(&frontier), expected);
            let ids: BTreeSet<&TaskId> = frontier.tasks.iter().map(|task| &task.id).collect();
            prop_assert_eq!(ids.len(), frontier.tasks.len(), "identities are unique");
            let json = serde_json::to_string(&frontier).unwrap();
            prop_assert_eq!(&serde_json::from_str::<Frontier>(&json).unwrap(), &frontier, "a frontier can be stored");
        }
    }

    #[test]
    fn a_question_holds_the_others_back_and_changes_nothing_of_what_follows(graph in drawn(), nodes in prop::collection::vec(0..6_usize, 1..6), asking in any::<prop::sample::Index>()) {
        let routes = graph.routes();
        let mut frontier = Frontier::default();
        for (index, node) in nodes.iter().enumerate() {
            let mut task = Frontier::entered(&name(*node), 0).tasks.remove(0);
            task.id = TaskId::at(0, index);
            task.input = Some(json!(index));
            frontier.tasks.push(task);
        }
        let asker = asking.index(nodes.len());
        let plain: Vec<Departure> = frontier.tasks.iter().map(|task| task.left(Exit::Edges)).collect();
        let mut asked = plain.clone();
        asked[asker].exit = Exit::Asks { interrupts: vec![Interrupt::new("q", Value::Null)], at: None };
        let held = next(&routes, &frontier, &asked, 1, &mut chosen).unwrap();
        prop_assert_eq!(held.tasks.len(), 1);
        prop_assert_eq!(&held.tasks[0].input, &Some(json!(asker)), "the task that asked has its input again");
        let answered = [held.tasks[0].left(Exit::Edges)];
        let after = next(&routes, &held, &answered, 2, &mut chosen).unwrap();
        let mut reordered = plain;
        let last = reordered.remove(asker);
        reordered.push(last);
        let straight = next(&routes, &frontier, &reordered, 2, &mut chosen).unwrap();
        prop_assert_eq!(after, straight);
    }

    #[test]
    fn applying_is_folding_in_path_order_and_a_slot_has_one_writer(writes in prop::collection::vec(prop::collection::vec((any::<bool>(), 0..9_u8), 0..3), 0..5)) {
        let done: Vec<Done<Update>> = writes.iter().enumerate().map(|(task, updates)| Done {
            node: format!("n{task}"),
            updates: updates.iter().map(|(slot, value)| match slot {
                true => Update::Choice(value.to_string()),
                false => Update::Line(value.to_string()),
            }).collect(),
        }).collect();
        let writers: Vec<&Done<Update>> = done.iter().filter(|d| d.updates.iter().any(|u| matches!(u, Update::Choice(_)))).collect();
        let mut expected = Log::default();
        done.iter().flat_map(|d| d.updates.clone()).for_each(|update| expected.apply(update).unwrap());
        let mut state = Log::default();
        match (apply(&mut state, done.clone()), writers.as_slice()) {
            (Ok(()), [] | [_]) => prop_assert_eq!(state, expected),
            (Err(CoreError::Conflict { slot, first, second }), [one, two, ..]) => {
                prop_assert_eq!((slot.as_str(), &first, &second), ("choice", &one.node, &two.node));
            }
            (result, _) => prop_assert!(false, "{:?}", result),
        }
    }

    #[test]
    fn what_is_left_of_a_stopped_superstep_goes_on_to_the_same_end(graph in drawn(), nodes in prop::collection::vec(0..6_usize, 1..6), finished in any::<u8>()) {
        let routes = graph.routes();
        let mut frontier = Frontier::default();
        for (index, node) in nodes.iter().enumerate() {
            let mut task = Frontier::entered(&name(*node), 0).tasks.remove(0);
            task.id = TaskId::at(0, index);
            frontier.tasks.push(task);
        }
        let done: BTreeMap<TaskId, Departure> = frontier.tasks.iter().enumerate()
            .filter(|(index, _)| finished & (1 << index) != 0)
            .map(|(_, task)| (task.id.clone(), task.left(Exit::Edges))).collect();
        let left = remaining(&frontier, &done);
        prop_assert_eq!(left.tasks.len() + done.len(), frontier.tasks.len());
        let rest: Vec<Departure> = left.tasks.iter().map(|task| task.left(Exit::Edges)).collect();
        let order: Vec<Departure> = done.values().cloned().chain(rest.iter().cloned()).collect();
        prop_assert_eq!(next(&routes, &left, &rest, 1, &mut chosen), next(&routes, &frontier, &order, 1, &mut chosen));
    }
}

#[test]
fn an_undeclared_target_and_a_question_asked_twice_are_errors_with_names() {
    let routes = Drawn { edges: vec![], joins: vec![], deferred: BTreeSet::new(), branches: vec![] }.routes();
    let frontier = Frontier::entered("a", 0);
    let left = |exit| vec![frontier.tasks[0].left(exit)];
    let to = Exit::To(vec![Target { node: "zebra".into(), input: None }]);
    let undeclared = CoreError::Undeclared { from: "a".into(), to: "zebra".into() };
    assert_eq!(next(&routes, &frontier, &left(to), 1, &mut chosen), Err(undeclared));
    let ask = Exit::Asks { interrupts: vec![Interrupt::new("q", Value::Null)], at: None };
    let twice = [left(ask.clone()), left(ask)].concat();
    let same = CoreError::SameQuestion { id: "q".into(), first: "a".into(), second: "a".into() };
    assert_eq!(next(&routes, &frontier, &twice, 1, &mut chosen), Err(same));
}
