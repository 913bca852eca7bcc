//! Building a graph, read like a paragraph.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::check::{self, BuildError};
use crate::core::{Join, Routes};
use crate::ctx::Ctx;
use crate::graph::{Branch, Entry, Graph, NodeFn, Plan};
use crate::shape::{EdgeKind, GraphShape, ShapeEdge, ShapeNode};
use crate::{END, NodeError, NodePolicy, START, State, Step};

/// A graph being written down. Nothing is checked before [`build`](Builder::build).
pub struct Builder<S: State, D> {
    name: String,
    nodes: Vec<(String, NodeFn<S, D>, NodePolicy)>,
    lines: Vec<ShapeEdge>,
    branches: Vec<(String, Branch<S>)>,
    joins: Vec<Join>,
    deferred: Vec<String>,
    entries: Vec<Entry<S>>,
    failure: Option<String>,
}

impl<S: State, D> std::fmt::Debug for Builder<S, D> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Builder").field("name", &self.name).field("lines", &self.lines).finish_non_exhaustive()
    }
}

impl<S: State, D> Builder<S, D> {
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
        self.entries.push(Entry::Branch(Branch { targets, choose: Arc::new(choose) }));
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
        self.branches.push((from.to_owned(), Branch { targets, choose: Arc::new(choose) }));
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

    /// Checks everything and makes the graph.
    ///
    /// # Errors
    /// A [`BuildError`] that lists every problem with the names it is about.
    pub fn build(mut self) -> Result<Graph<S, D>, BuildError> {
        self.connect_failure();
        let names: Vec<String> = self.nodes.iter().map(|(name, ..)| name.clone()).collect();
        let problems = check::problems(&names, &self.lines, &self.deferred, self.entries.len());
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
        let nodes = self.nodes.into_iter().map(|(name, run, _)| (name, run)).collect();
        let hash = shape.hash();
        let (name, failure) = (self.name, self.failure);
        let plan = Plan { name, routes, branches, entry, policies, failure, shape, hash };
        Ok(Graph { plan: Arc::new(plan), nodes })
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
        let nodes = names.into_iter().map(|id| ShapeNode { deferred: self.deferred.contains(&id), id }).collect();
        GraphShape { name: self.name.clone(), nodes, edges: self.lines.clone() }
    }
}
