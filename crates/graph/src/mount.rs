//! A graph inside another: its nodes and lines under a name of their own.
//!
//! A subgraph is not run by a second loop. Its nodes become nodes of the graph around it, each wrapped so that it sees its own
//! part of the state, its own services and its own names.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use crate::core::{Exit, Join, Target};
use crate::ctx::Ctx;
use crate::graph::{Branch, Choose, Entry, Graph, NodeFn};
use crate::shape::ShapeEdge;
use crate::{END, NodePolicy, START, State, Step};

/// What a subgraph adds to the graph around it.
pub(crate) struct Mounted<S: State, D> {
    pub(crate) name: String,
    pub(crate) nodes: Vec<(String, NodeFn<S, D>, NodePolicy)>,
    pub(crate) lines: Vec<ShapeEdge>,
    pub(crate) branches: Vec<(String, Branch<S>)>,
    pub(crate) joins: Vec<Join>,
    pub(crate) deferred: Vec<String>,
}

/// The name of a subgraph's node in the graph around it. The subgraph's end is a node there.
fn outer(name: &str, node: &str) -> String {
    if node == START { name.to_owned() } else { format!("{name}/{node}") }
}

type Read<S, T> = Arc<dyn Fn(&S) -> T + Send + Sync>;
type Services<D, E> = Arc<dyn Fn(&D) -> E + Send + Sync>;
type Write<S, T> = Arc<dyn Fn(<T as State>::Update) -> <S as State>::Update + Send + Sync>;

impl<S: State, D: Send + 'static> Mounted<S, D> {
    pub(crate) fn new<T: State, E: Send + 'static>(
        name: &str,
        graph: &Graph<T, E>,
        read: impl Fn(&S) -> T + Send + Sync + 'static,
        write: impl Fn(T::Update) -> S::Update + Send + Sync + 'static,
        deps: impl Fn(&D) -> E + Send + Sync + 'static,
    ) -> Self {
        let read: Read<S, T> = Arc::new(read);
        let write: Write<S, T> = Arc::new(write);
        let deps: Services<D, E> = Arc::new(deps);
        let plan = &graph.plan;
        let mut mounted = Self {
            name: name.to_owned(),
            nodes: vec![(name.to_owned(), through(), NodePolicy::default())],
            lines: Vec::new(),
            branches: Vec::new(),
            joins: Vec::new(),
            deferred: Vec::new(),
        };
        for node in &plan.shape.nodes {
            let Some(run) = graph.nodes.get(&node.id) else { continue };
            let mut policy = plan.policies.get(&node.id).cloned().unwrap_or_default();
            let general = plan.failure.clone().filter(|handler| *handler != node.id);
            policy.on_error = policy.on_error.or(general).map(|handler| outer(name, &handler));
            let run = within(name, run, &read, &write, &deps);
            mounted.nodes.push((outer(name, &node.id), run, policy));
        }
        let end = mounted.end();
        mounted.nodes.push((end.clone(), through(), NodePolicy::default()));
        mounted.deferred.extend(plan.routes.deferred.iter().map(|node| outer(name, node)));
        mounted.deferred.push(end);
        mounted.lines.extend(plan.shape.edges.iter().map(|line| ShapeEdge {
            from: outer(name, &line.from),
            to: outer(name, &line.to),
            kind: line.kind,
        }));
        for (from, branches) in &plan.branches {
            let branches = branches.iter().map(|branch| (outer(name, from), lifted(name, branch, &read)));
            mounted.branches.extend(branches);
        }
        if let Entry::Branch(branch) = &plan.entry {
            mounted.branches.push((name.to_owned(), lifted(name, branch, &read)));
        }
        mounted.joins.extend(plan.routes.joins.iter().map(|join| Join {
            from: join.from.iter().map(|node| outer(name, node)).collect(),
            to: outer(name, &join.to),
        }));
        mounted
    }
}

impl<S: State, D> Mounted<S, D> {
    /// The node that runs when nothing of the subgraph is left to run.
    pub(crate) fn end(&self) -> String {
        outer(&self.name, END)
    }
}

/// A node that only leads on.
fn through<S: State, D>() -> NodeFn<S, D> {
    Arc::new(|_, _| Box::pin(std::future::ready(Ok(Step::nothing()))))
}

fn lifted<S: State, T: State>(name: &str, branch: &Branch<T>, read: &Read<S, T>) -> Branch<S> {
    let targets: BTreeSet<String> = branch.targets.iter().map(|node| outer(name, node)).collect();
    let (name, read, choose): (String, Read<S, T>, Choose<T>) =
        (name.to_owned(), Arc::clone(read), Arc::clone(&branch.choose));
    Branch { targets, choose: Arc::new(move |state| Cow::Owned(outer(&name, &choose(&read(state))))) }
}

fn within<S: State, T: State, D: Send + 'static, E: Send + 'static>(
    name: &str,
    run: &NodeFn<T, E>,
    read: &Read<S, T>,
    write: &Write<S, T>,
    deps: &Services<D, E>,
) -> NodeFn<S, D> {
    let (name, run) = (Arc::<str>::from(name), Arc::clone(run));
    let (read, write, deps) = (Arc::clone(read), Arc::clone(write), Arc::clone(deps));
    Arc::new(move |ctx: Ctx<D>, state: Arc<S>| {
        let services = deps(ctx.deps());
        let inner = run(ctx.inside(&name, services), Arc::new(read(&state)));
        let (name, write) = (Arc::clone(&name), Arc::clone(&write));
        Box::pin(async move {
            let step = inner.await?;
            let updates = step.updates.into_iter().map(|update| write(update)).collect();
            Ok(Step { updates, exit: renamed(&name, step.exit) })
        })
    })
}

fn renamed(name: &str, exit: Exit) -> Exit {
    match exit {
        Exit::Edges => Exit::Edges,
        Exit::To(targets) => {
            let there = |target: Target| Target { node: outer(name, &target.node), input: target.input };
            Exit::To(targets.into_iter().map(there).collect())
        }
        Exit::Asks { mut interrupts, at } => {
            interrupts.iter_mut().for_each(|asked| asked.id = format!("{name}/{}", asked.id));
            Exit::Asks { interrupts, at: at.map(|node| outer(name, &node)) }
        }
    }
}
