//! Building a graph, read like a paragraph.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use crate::cache::{self, Rule};
use crate::check::{self, BuildError, Problem};
use crate::core::{Join, Routes};
use crate::ctx::Ctx;
use crate::graph::{Branch, Entry, Graph, NodeFn, Plan};
use crate::mount::Mounted;
use crate::shape::{EdgeKind, GraphShape, ShapeEdge, ShapeNode};
use crate::{END, NodeError, NodePolicy, START, State, Step};

/// A graph being written down. Nothing is checked before [`build`](Builder::build).
pub struct Builder<S: State, D> {
    name: String,
    nodes: Vec<(String, NodeFn<S, D>, NodePolicy)>,
    lines: Vec<ShapeEdge>,
    pub(crate) branches: Vec<(String, Branch<S>)>,
    joins: Vec<Join>,
    deferred: Vec<String>,
    entries: Vec<Entry<S>>,
    failure: Option<String>,
    caches: Vec<(String, Rule<S>)>,
    mounts: Vec<Mounted<S, D>>,
}

impl<S: State, D> std::fmt::Debug for Builder<S, D> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Builder").field("name", &self.name).field("lines", &self.lines).finish_non_exhaustive()
    }
}

impl<S: State, D: 'static> Builder<S, D> {
    pub(crate) fn new(name: String) -> Self {
        Self {
            name,
            nodes: Vec::new(),
            lines: Vec::new(),
            branches: Vec::new(),
            joins: Vec::new(),
            deferred: Vec::new(),
            entries: Vec::new(),
            failure: None,
            caches: Vec::new(),
            mounts: Vec::new(),
        }
    }

    fn line(&mut self, from: &str, to: &str, kind: EdgeKind) {
        self.lines.push(ShapeEdge { from: from.to_owned(), to: to.to_owned(), kind });
    }

    /// Enters the graph at a node.
    #[must_use]
    pub fn entry(mut self, node: &str) -> Self {
        self.line(START, node, EdgeKind::Edge);
        self.entries.push(Entry::Node(node.to_owned()));
        self
    }

    /// Enters the graph at the node that the state calls for, once the run's input is applied.
    #[must_use]
    pub fn entry_branch<T: AsRef<str>>(
        mut self,
        choose: impl Fn(&S) -> &'static str + Send + Sync + 'static,
        targets: impl IntoIterator<Item = T>,
    ) -> Self {
        let targets: BTreeSet<String> = targets.into_iter().map(|target| target.as_ref().to_owned()).collect();
        targets.iter().for_each(|target| self.line(START, target, EdgeKind::Branch));
        self.entries.push(Entry::Branch(Branch::new(targets, choose)));
        self
    }

    /// A node that only a caller enters, by naming it.
    #[must_use]
    pub fn may_enter(mut self, node: &str) -> Self {
        self.line(START, node, EdgeKind::Goto);
        self
    }

    /// A node: an async function of its context and the state.
    #[must_use]
    pub fn node<F, Fut>(self, name: &str, run: F) -> Self
    where
        F: Fn(Ctx<D>, Arc<S>) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Step<S>, NodeError>> + Send + 'static,
    {
        self.node_with(name, run, NodePolicy::default())
    }

    /// A node with its own policy.
    #[must_use]
    pub fn node_with<F, Fut>(mut self, name: &str, run: F, policy: NodePolicy) -> Self
    where
        F: Fn(Ctx<D>, Arc<S>) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Step<S>, NodeError>> + Send + 'static,
    {
        if let Some(handler) = &policy.on_error {
            self.lines.push(ShapeEdge { from: name.to_owned(), to: handler.clone(), kind: EdgeKind::Error });
        }
        self.nodes.push((name.to_owned(), Arc::new(move |ctx, state| Box::pin(run(ctx, state))), policy));
        self
    }

    /// After `from`, `to`.
    #[must_use]
    pub fn edge(mut self, from: &str, to: &str) -> Self {
        self.line(from, to, EdgeKind::Edge);
        self
    }

    /// After `from`, what the new state calls for among the declared targets.
    #[must_use]
    pub fn branch<T: AsRef<str>>(
        mut self,
        from: &str,
        choose: impl Fn(&S) -> &'static str + Send + Sync + 'static,
        targets: impl IntoIterator<Item = T>,
    ) -> Self {
        let targets: BTreeSet<String> = targets.into_iter().map(|target| target.as_ref().to_owned()).collect();
        targets.iter().for_each(|target| self.line(from, target, EdgeKind::Branch));
        self.branches.push((from.to_owned(), Branch::new(targets, choose)));
        self
    }

    /// Targets that the node itself may choose with `Step::goto`, `goto_each` or `answered_at`.
    #[must_use]
    pub fn may_goto<T: AsRef<str>>(mut self, from: &str, targets: impl IntoIterator<Item = T>) -> Self {
        targets.into_iter().for_each(|target| self.line(from, target.as_ref(), EdgeKind::Goto));
        self
    }

    /// `to` runs when every one of `from` has finished.
    #[must_use]
    pub fn join<T: AsRef<str>>(mut self, from: impl IntoIterator<Item = T>, to: &str) -> Self {
        let from: BTreeSet<String> = from.into_iter().map(|node| node.as_ref().to_owned()).collect();
        from.iter().for_each(|node| self.line(node, to, EdgeKind::Join));
        self.joins.push(Join { from, to: to.to_owned() });
        self
    }

    /// The node, once reached, runs when nothing else will.
    #[must_use]
    pub fn deferred(mut self, node: &str) -> Self {
        self.deferred.push(node.to_owned());
        self
    }

    /// A path may end after the node.
    #[must_use]
    pub fn end(mut self, node: &str) -> Self {
        self.line(node, END, EdgeKind::Edge);
        self
    }

    /// A node that handles the failures of every node without a handler of its own; it reads a
    /// [`Failure`](crate::Failure) with `ctx.input()`. If it has no lines of its own the path ends after it.
    #[must_use]
    pub fn on_failure<F, Fut>(mut self, name: &str, run: F) -> Self
    where
        F: Fn(Ctx<D>, Arc<S>) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Step<S>, NodeError>> + Send + 'static,
    {
        self.failure = Some(name.to_owned());
        self.node(name, run)
    }

    /// Keeps what a node returned, in memory, and gives it again to tasks with the same key for as long as `ttl`; the node is
    /// not run for them. The key is made of what the node depends on: the state and the task's own input. Each tenant has its
    /// own. A node that asks a question is not kept. Only for nodes that do nothing outside.
    #[must_use]
    pub fn cached(
        mut self,
        node: &str,
        ttl: Duration,
        key: impl Fn(&S, Option<&Value>) -> String + Send + Sync + 'static,
    ) -> Self {
        self.caches.push((node.to_owned(), Rule { ttl, key: Arc::new(key) }));
        self
    }

    /// Another graph as one node of this one. `read` gives the part of the state that is its state, `write` makes of its
    /// updates updates of this state, and `deps` gives its services.
    ///
    /// Its nodes are named `name/node` in events, history and drawings, and so are the questions they ask; inside, they have
    /// their own names. It is entered at its own entry when `name` is reached; lines from `name` are followed when nothing of
    /// it is left to run. Its failure handler handles its nodes. Each of its steps is as durable as any other.
    #[must_use]
    pub fn subgraph<T: State, E: Send + 'static>(
        mut self,
        name: &str,
        graph: &Graph<T, E>,
        read: impl Fn(&S) -> T + Send + Sync + 'static,
        write: impl Fn(T::Update) -> S::Update + Send + Sync + 'static,
        deps: impl Fn(&D) -> E + Send + Sync + 'static,
    ) -> Self
    where
        D: Send,
    {
        self.mounts.push(Mounted::new(name, graph, read, write, deps));
        self
    }

    /// Checks everything and makes the graph.
    ///
    /// # Errors
    /// A [`BuildError`] that lists every problem with the names it is about.
    pub fn build(mut self) -> Result<Graph<S, D>, BuildError> {
        let odd = self.odd_names();
        self.mount();
        self.connect_failure();
        let names: Vec<String> = self.nodes.iter().map(|(name, ..)| name.clone()).collect();
        let mut problems = check::problems(&names, &self.lines, &self.deferred, self.entries.len());
        problems.extend(odd.into_iter().map(Problem::Reserved));
        for (node, _) in self.caches.iter().filter(|(node, _)| !names.contains(node)) {
            problems.push(Problem::Unknown { line: "cached".to_owned(), node: node.clone() });
        }
        let Some(entry) = self.entries.pop().filter(|_| problems.is_empty()) else {
            return Err(BuildError { graph: self.name, problems });
        };
        let routes = self.routes(&names);
        let shape = self.shape(names);
        let mut branches: BTreeMap<String, Vec<Branch<S>>> = BTreeMap::new();
        for (from, branch) in self.branches {
            branches.entry(from).or_default().push(branch);
        }
        let policies = self.nodes.iter().map(|(name, _, policy)| (name.clone(), policy.clone())).collect();
        let mut nodes: BTreeMap<String, NodeFn<S, D>> =
            self.nodes.into_iter().map(|(name, run, _)| (name, run)).collect();
        for (node, rule) in self.caches {
            if let Some(run) = nodes.remove(&node) {
                nodes.insert(node, cache::keeping(self.name.clone(), rule, run));
            }
        }
        let hash = shape.hash();
        let (name, failure) = (self.name, self.failure);
        let plan = Plan { name, routes, branches, entry, policies, failure, shape, hash };
        Ok(Graph { plan: Arc::new(plan), nodes })
    }

    /// The slash keeps the names of a subgraph's nodes apart.
    fn odd_names(&self) -> Vec<String> {
        let mounts = self.mounts.iter().map(|mount| &mount.name);
        let names = self.nodes.iter().map(|(name, ..)| name).chain(mounts);
        names.filter(|name| name.contains('/')).cloned().collect()
    }

    /// Puts the nodes and lines of the subgraphs in. Lines from a subgraph begin at its end.
    fn mount(&mut self) {
        let mounts = std::mem::take(&mut self.mounts);
        for mount in &mounts {
            let end = mount.end();
            let begins = |from: &mut String| {
                if *from == mount.name {
                    from.clone_from(&end);
                }
            };
            self.lines.iter_mut().for_each(|line| begins(&mut line.from));
            self.branches.iter_mut().for_each(|(from, _)| begins(from));
            for join in &mut self.joins {
                if join.from.remove(&mount.name) {
                    join.from.insert(end.clone());
                }
            }
        }
        for mount in mounts {
            self.nodes.extend(mount.nodes);
            self.lines.extend(mount.lines);
            self.branches.extend(mount.branches);
            self.joins.extend(mount.joins);
            self.deferred.extend(mount.deferred);
        }
    }

    fn connect_failure(&mut self) {
        let Some(handler) = self.failure.clone() else { return };
        if !self.lines.iter().any(|line| line.from == handler) {
            self.line(&handler, END, EdgeKind::Edge);
        }
        let own: Vec<String> = self
            .nodes
            .iter()
            .filter(|(name, _, policy)| *name != handler && policy.on_error.is_none())
            .map(|(name, ..)| name.clone())
            .collect();
        own.iter().for_each(|node| self.line(node, &handler, EdgeKind::Error));
    }

    fn routes(&self, names: &[String]) -> Routes {
        let mut routes = Routes {
            nodes: names.iter().cloned().collect(),
            joins: self.joins.clone(),
            deferred: self.deferred.iter().cloned().collect(),
            ..Routes::default()
        };
        for line in self.lines.iter().filter(|line| line.from != START) {
            let (from, to) = (line.from.clone(), line.to.clone());
            match line.kind {
                EdgeKind::Edge => routes.edges.entry(from).or_default().push(to),
                EdgeKind::Goto | EdgeKind::Error => drop(routes.gotos.entry(from).or_default().insert(to)),
                EdgeKind::Branch | EdgeKind::Join => {}
            }
        }
        for (from, _) in &self.branches {
            *routes.branches.entry(from.clone()).or_default() += 1;
        }
        routes
    }

    fn shape(&self, names: Vec<String>) -> GraphShape {
        let nodes = names.into_iter().map(|id| {
            let group = id.rsplit_once('/').map(|(group, _)| group.to_owned());
            ShapeNode { deferred: self.deferred.contains(&id), group, id }
        });
        let nodes = nodes.collect();
        GraphShape { name: self.name.clone(), nodes, edges: self.lines.clone() }
    }
}
