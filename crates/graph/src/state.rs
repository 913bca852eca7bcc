//! State as a fold: a graph's state changes only by applying updates.

use std::borrow::Cow;

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Why an update cannot be applied to a state.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ApplyError(pub String);

impl ApplyError {
    /// An error with its reason.
    pub fn new(reason: impl Into<String>) -> Self {
        Self(reason.into())
    }
}

/// The state of a graph.
///
/// `apply` is deterministic, total on valid updates, and the only way the state changes. What is stored is the updates and a
/// snapshot now and then, so both types must read what older versions of the program wrote.
pub trait State: Serialize + DeserializeOwned + Clone + Default + Send + Sync + 'static {
    /// What a node may do to the state.
    type Update: Serialize + DeserializeOwned + Clone + Send + Sync + 'static;

    /// Applies one update.
    ///
    /// # Errors
    /// When the update contradicts the state; the superstep is then not committed and the run fails.
    fn apply(&mut self, update: Self::Update) -> Result<(), ApplyError>;

    /// Updates that complete a state left half-way by a cancel, a failure or a crash, applied before the next run: a tool
    /// call without its result, for example.
    fn repair(&self) -> Vec<Self::Update> {
        Vec::new()
    }

    /// The last-value field that an update writes, if it writes one. Two tasks of one superstep that write the same field
    /// are an error that names both nodes.
    fn slot(_update: &Self::Update) -> Option<Cow<'static, str>> {
        None
    }
}
