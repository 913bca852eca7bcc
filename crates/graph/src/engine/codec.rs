//! How updates, frontiers and outcomes are stored, and how a state is loaded.

use serde::{Deserialize, Serialize};

use super::Inner;
use crate::core::Frontier;
use crate::error::unreadable;
use crate::store::CheckpointRecord;
use crate::{CheckpointId, EngineError, State, Step, TaskId};

/// The updates of one task, or of what stands in for one (input, repair).
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Wrote<U> {
    #[serde(rename = "t", default, skip_serializing_if = "Option::is_none")]
    pub(crate) task: Option<TaskId>,
    #[serde(rename = "n")]
    pub(crate) node: String,
    #[serde(rename = "u")]
    pub(crate) updates: Vec<U>,
}

pub(crate) fn encode<T: Serialize>(what: &'static str, value: &T) -> Result<Vec<u8>, EngineError> {
    serde_json::to_vec(value).map_err(unreadable(what))
}

pub(crate) fn wrote<U: for<'de> Deserialize<'de>>(record: &CheckpointRecord) -> Result<Vec<Wrote<U>>, EngineError> {
    serde_json::from_slice(&record.updates).map_err(unreadable("updates"))
}

pub(crate) fn frontier(record: &CheckpointRecord) -> Result<Frontier, EngineError> {
    serde_json::from_slice(&record.frontier).map_err(unreadable("frontier"))
}

pub(crate) fn outcome<S: State>(bytes: &[u8]) -> Result<Step<S>, EngineError> {
    serde_json::from_slice(bytes).map_err(unreadable("task outcome"))
}

/// When the next snapshot is due: when the updates since the last one are four times its size. The snapshots of a state that
/// grows with its updates then take at most a quarter more than the updates themselves, and a load reads one snapshot and
/// updates of at most four times its size.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Spacing {
    last: usize,
    since: usize,
    steps: usize,
}

/// The fewest checkpoints between two snapshots.
const APART: usize = 8;

impl Spacing {
    fn read(line: &[CheckpointRecord]) -> Self {
        let base = line.iter().rev().find_map(|record| record.snapshot.as_ref());
        let after: Vec<usize> =
            line.iter().take_while(|record| record.snapshot.is_none()).map(|record| record.updates.len()).collect();
        Self { last: base.map_or(0, Vec::len), since: after.iter().sum(), steps: after.len() }
    }

    /// Whether a checkpoint with updates of that size is to hold a snapshot.
    pub(crate) fn is_due(&self, size: usize) -> bool {
        self.steps + 1 >= APART && self.since + size >= 4 * self.last
    }

    /// About how large the state is, encoded.
    pub(crate) fn size(&self) -> usize {
        self.last + self.since
    }

    pub(crate) fn wrote(&mut self, size: usize, snapshot: Option<usize>) {
        match snapshot {
            Some(snapshot) => *self = Self { last: snapshot, since: 0, steps: 0 },
            None => (self.since, self.steps) = (self.since + size, self.steps + 1),
        }
    }
}

/// A thread's state as of a checkpoint.
pub(crate) struct Loaded<S> {
    pub(crate) state: S,
    pub(crate) frontier: Frontier,
    pub(crate) head: Option<Head>,
    pub(crate) spacing: Spacing,
}

/// The checkpoint that a state is of.
pub(crate) struct Head {
    pub(crate) id: CheckpointId,
    pub(crate) step: u64,
}

impl<S> Loaded<S> {
    /// The number of the checkpoint that follows.
    pub(crate) fn next_step(&self) -> u64 {
        self.head.as_ref().map_or(0, |head| head.step + 1)
    }
}

pub(crate) async fn load<S: State>(inner: &Inner, head: Option<&CheckpointId>) -> Result<Loaded<S>, EngineError> {
    let line = match head {
        Some(id) => inner.store.line(id).await?,
        None => Vec::new(),
    };
    if line.is_empty()
        && let Some(id) = head
    {
        return Err(EngineError::Unreadable { what: "checkpoint", reason: format!("{id} is missing") });
    }
    let spacing = Spacing::read(&line);
    let mut state = S::default();
    for record in line.iter().rev() {
        match &record.snapshot {
            Some(snapshot) => state = serde_json::from_slice(snapshot).map_err(unreadable("snapshot"))?,
            None => {
                for task in wrote::<S::Update>(record)? {
                    task.updates.into_iter().try_for_each(|update| state.apply(update))?;
                }
            }
        }
    }
    let newest = line.into_iter().next();
    let frontier = newest.as_ref().map(frontier).transpose()?.unwrap_or_default();
    let head = newest.map(|record| Head { id: record.id, step: record.step });
    Ok(Loaded { state, frontier, head, spacing })
}
