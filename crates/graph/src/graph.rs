//! A built graph: functions by name, and the lines between them.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use futures::future::BoxFuture;

use crate::core::Routes;
use crate::ctx::Ctx;
use crate::shape::GraphShape;
use crate::{Builder, NodeError, NodePolicy, State, Step};

pub(crate) type NodeFn<S, D> =
    Arc<dyn Fn(Ctx<D>, Arc<S>) -> BoxFuture<'static, Result<Step<S>, NodeError>> + Send + Sync>;
pub(crate) type Choose<S> = Arc<dyn Fn(&S) -> Cow<'static, str> + Send + Sync>;

/// A branch: what it may choose, and how it chooses.
pub(crate) struct Branch<S> {
    pub(crate) targets: BTreeSet<String>,
    pub(crate) choose: Choose<S>,
}

impl<S> Branch<S> {
    pub(crate) fn new(targets: BTreeSet<String>, choose: impl Fn(&S) -> &'static str + Send + Sync + 'static) -> Self {
        Self { targets, choose: Arc::new(move |state| Cow::Borrowed(choose(state))) }
    }
}

/// Where a graph is entered.
pub(crate) enum Entry<S> {
    Node(String),
    Branch(Branch<S>),
}

/// The part of a graph that does not know the services of its nodes.
pub(crate) struct Plan<S> {
    pub(crate) name: String,
    pub(crate) routes: Routes,
    pub(crate) branches: BTreeMap<String, Vec<Branch<S>>>,
    pub(crate) entry: Entry<S>,
    pub(crate) policies: BTreeMap<String, NodePolicy>,
    pub(crate) failure: Option<String>,
    pub(crate) shape: GraphShape,
    pub(crate) hash: String,
}

/// A checked state graph over `S` whose nodes use the services `D`.
pub struct Graph<S: State, D> {
    pub(crate) plan: Arc<Plan<S>>,
    pub(crate) nodes: BTreeMap<String, NodeFn<S, D>>,
}

impl<S: State, D: 'static> Graph<S, D> {
    /// Starts a graph of that name.
    #[must_use]
    pub fn named(name: impl Into<String>) -> Builder<S, D> {
        Builder::new(name.into())
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.plan.name
    }

    /// Its nodes and lines as data.
    #[must_use]
    pub fn shape(&self) -> &GraphShape {
        &self.plan.shape
    }

    /// A hash of its shape, stored with each run.
    #[must_use]
    pub fn shape_hash(&self) -> &str {
        &self.plan.hash
    }

    /// Its drawing in Mermaid's language.
    #[must_use]
    pub fn mermaid(&self) -> String {
        self.plan.shape.mermaid()
    }
}

impl<S: State, D> Clone for Graph<S, D> {
    fn clone(&self) -> Self {
        Self { plan: Arc::clone(&self.plan), nodes: self.nodes.clone() }
    }
}

impl<S: State, D> std::fmt::Debug for Graph<S, D> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Graph").field("shape", &self.plan.shape).finish_non_exhaustive()
    }
}
