//! What a set of finished tasks does to the state.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::CoreError;
use crate::State;

/// A finished task's updates.
#[derive(Debug, Clone)]
pub struct Done<U> {
    /// The node that returned them.
    pub node: String,
    /// The updates, in order.
    pub updates: Vec<U>,
}

/// Applies the updates of a superstep's tasks, given in path order, so that the result never depends on which finished first.
///
/// After an error the state is half-way and has to be thrown away.
///
/// # Errors
/// [`CoreError::Conflict`] when two tasks wrote the same slot, [`CoreError::Refused`] when the state refuses an update.
pub fn apply<S: State>(state: &mut S, done: Vec<Done<S::Update>>) -> Result<(), CoreError> {
    let mut writers: BTreeMap<Cow<'static, str>, (usize, String)> = BTreeMap::new();
    for (place, task) in done.into_iter().enumerate() {
        for update in task.updates {
            if let Some(slot) = S::slot(&update) {
                let (writer, first) = writers.entry(slot.clone()).or_insert_with(|| (place, task.node.clone()));
                if *writer != place {
                    let (first, second) = (first.clone(), task.node);
                    return Err(CoreError::Conflict { slot: slot.into_owned(), first, second });
                }
            }
            let refused = |reason: crate::ApplyError| CoreError::Refused { node: task.node.clone(), reason: reason.0 };
            state.apply(update).map_err(refused)?;
        }
    }
    Ok(())
}
