//! A random graph: layers of nodes that say, act, ask, fan out, dawdle and fail at first; with joins, deferred nodes and loops.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mercer_graph::{Ctx, END, EffectFault, EffectKey, Graph, Interrupt, NodeError, NodePolicy, OnUnknown, Retry, Step};
use serde_json::{Value, json};

use super::{BEGINS, Dice};
use crate::world::{Log, Made, line};

/// What is outside: it knows each effect by its key.
#[derive(Debug, Clone, Default)]
pub(super) struct Service {
    asked: Arc<Mutex<BTreeMap<String, usize>>>,
    tried: Arc<Mutex<BTreeMap<String, u32>>>,
}

impl Service {
    /// The effects that happened, and the most times one was asked for.
    pub(super) fn asked(&self) -> (Vec<String>, usize) {
        let asked = self.asked.lock().unwrap();
        (asked.keys().cloned().collect(), asked.values().copied().max().unwrap_or_default())
    }
}

#[derive(Debug, Clone, Copy)]
enum Does {
    Say,
    Act,
    Ask,
    Fan(usize),
    Dawdle(u64),
    FailFirst(u32),
}

#[derive(Debug, Clone)]
struct Node {
    name: &'static str,
    does: Does,
    to: BTreeSet<usize>,
    deferred: bool,
}

/// A graph, as data.
#[derive(Debug, Clone)]
pub(super) struct Plan {
    nodes: Vec<Node>,
    join: Option<BTreeSet<usize>>,
    rounds: usize,
}

const NAMES: [&str; 8] = ["n0", "n1", "n2", "n3", "n4", "n5", "n6", "n7"];

impl Plan {
    pub(super) fn drawn(dice: &Dice) -> Self {
        let count = 2 + usize::try_from(dice.below(6)).unwrap();
        let mut nodes: Vec<Node> = Vec::new();
        for (number, name) in NAMES.iter().copied().enumerate().take(count) {
            let does = match dice.below(9) {
                0 | 1 => Does::Act,
                2 => Does::Ask,
                3 => Does::Fan(1 + usize::try_from(dice.below(4)).unwrap()),
                4 => Does::Dawdle(1 + dice.below(30)),
                5 => Does::FailFirst(1 + u32::try_from(dice.below(2)).unwrap()),
                _ => Does::Say,
            };
            let last = number + 1 == count;
            let mut to = BTreeSet::new();
            if !last {
                to.insert(number + 1 + usize::try_from(dice.below((count - number - 1) as u64)).unwrap());
                if dice.once_in(2) {
                    to.insert(number + 1);
                }
            }
            let deferred = number > 0 && dice.once_in(8);
            nodes.push(Node { name, does, to, deferred });
        }
        // Every node is reached from the one before it at the latest.
        for number in 1..count {
            if !nodes.iter().any(|node| node.to.contains(&number)) {
                nodes[number - 1].to.insert(number);
            }
        }
        let join = (count > 4 && dice.once_in(2)).then(|| BTreeSet::from([1, 2]));
        Self { nodes, join, rounds: 1 + usize::try_from(dice.below(2)).unwrap() }
    }

    pub(super) fn asks(&self) -> bool {
        self.nodes.iter().any(|node| matches!(node.does, Does::Ask))
    }

    pub(super) fn graph(&self) -> Graph<Log, Service> {
        let mut graph = Graph::named("sim").entry("n0");
        let retry = Retry { attempts: 5, first: Duration::from_millis(3), jitter: false, ..Retry::default() };
        for (number, node) in self.nodes.iter().enumerate() {
            let (name, does) = (node.name, node.does);
            let policy = NodePolicy { retry: vec![retry.clone()], ..NodePolicy::default() };
            let run = move |ctx, log| work(name, does, ctx, log);
            graph = graph.node_with(name, run, policy);
            if let Does::Fan(_) = does {
                let item = item_of(name);
                graph = graph.node(item, move |ctx, log| work(item, Does::Act, ctx, log)).may_goto(name, [item]);
                graph = node.to.iter().fold(graph, |graph, to| graph.edge(item, NAMES[*to]));
                graph = if node.to.is_empty() { self.last(graph, item) } else { graph };
            } else if number + 1 == self.nodes.len() {
                graph = self.last(graph, name);
            } else {
                graph = node.to.iter().fold(graph, |graph, to| graph.edge(name, NAMES[*to]));
            }
            if node.deferred {
                graph = graph.deferred(name);
            }
        }
        if let Some(join) = &self.join {
            let sources: Vec<&str> = join
                .iter()
                .map(|number| match self.nodes[*number].does {
                    Does::Fan(_) => item_of(NAMES[*number]),
                    _ => NAMES[*number],
                })
                .collect();
            graph = graph
                .join(sources, "joined")
                .node("joined", |ctx, log| work("joined", Does::Act, ctx, log))
                .end("joined");
        }
        graph.build().unwrap()
    }

    /// After the last node the graph is gone through again, for so many rounds.
    fn last(
        &self,
        graph: mercer_graph::Builder<Log, Service>,
        name: &'static str,
    ) -> mercer_graph::Builder<Log, Service> {
        let rounds = self.rounds;
        let again = move |log: &Log| {
            let run = log.lines.iter().rev().take_while(|line| !line.starts_with(BEGINS));
            let passed = run.filter(|line| line.starts_with("n0")).count();
            if passed < rounds { "n0" } else { END }
        };
        graph.branch(name, again, ["n0", END])
    }
}

fn item_of(name: &str) -> &'static str {
    const ITEMS: [&str; 8] = ["i0", "i1", "i2", "i3", "i4", "i5", "i6", "i7"];
    NAMES.iter().position(|known| *known == name).map_or("i0", |place| ITEMS[place])
}

async fn work(name: &'static str, does: Does, ctx: Ctx<Service>, log: Arc<Log>) -> Made {
    ctx.emit_message_delta(name, "…");
    let round = log.lines.len();
    match does {
        Does::Say => Ok(Step::update(line(format!("{name} sees {round}")))),
        Does::Act => {
            let input: Option<Value> = ctx.input().ok();
            // The same in every life: which thread, after which lines, which node and input.
            let key = format!("{} {} {round} {name} {}", ctx.thread_id(), log.lines[0], input.unwrap_or_default());
            let service = ctx.deps().clone();
            let done = ctx.effect("act", EffectKey::of([&key]), OnUnknown::Repeat, async {
                *service.asked.lock().unwrap().entry(key.clone()).or_default() += 1;
                tokio::time::sleep(Duration::from_millis(2)).await;
                Ok::<_, EffectFault>(format!("{name} did {key}"))
            });
            Ok(Step::update(line(done.await?)))
        }
        Does::Ask => match ctx.answer(name) {
            None => Ok(Step::update(line(format!("{name} asks"))).and_interrupt(Interrupt::new(name, json!(round)))),
            Some(answer) => Ok(Step::update(line(format!("{name} was told {answer}")))),
        },
        Does::Fan(width) => {
            let items = (0..width).map(|item| json!(item)).collect();
            Ok(Step::update(line(format!("{name} fans out"))).and_goto_each(item_of(name), items))
        }
        Does::Dawdle(milliseconds) => {
            tokio::time::sleep(Duration::from_millis(milliseconds)).await;
            Ok(Step::update(line(format!("{name} took its time"))))
        }
        Does::FailFirst(times) => {
            let task = format!("{} {}", ctx.run_id(), ctx.task_id());
            let tries = {
                let mut tried = ctx.deps().tried.lock().unwrap();
                let tries = tried.entry(task).or_default();
                *tries += 1;
                *tries
            };
            if tries <= times {
                return Err(NodeError::transient("not yet"));
            }
            Ok(Step::update(line(format!("{name} at last"))))
        }
    }
}
