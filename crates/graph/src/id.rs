//! Identifiers of threads, runs, checkpoints and tasks: prefixed, and (when made here) in order of time.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// Why a text is not an identifier of the engine.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not a {what}: {reason}")]
pub struct IdError {
    what: &'static str,
    text: String,
    reason: &'static str,
}

const LONGEST: usize = 128;

fn visible(what: &'static str, prefix: &str, text: &str) -> Result<String, IdError> {
    let refuse = |reason| Err(IdError { what, text: text.chars().take(LONGEST).collect(), reason });
    if text.is_empty() || text.len() > LONGEST {
        return refuse("it must have 1 to 128 characters");
    }
    if !text.chars().all(|c| c.is_ascii_alphanumeric() || "-_.:".contains(c)) {
        return refuse("only letters, digits and -_.: are allowed");
    }
    if !text.starts_with(prefix) {
        return refuse("its prefix is missing");
    }
    Ok(text.to_owned())
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $what:literal, $prefix:literal, $required:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(String);

        impl $name {
            /// A new one, later in order than every one made before it in this process.
            #[must_use]
            pub fn fresh() -> Self {
                Self(format!(concat!($prefix, "{}"), Uuid::now_v7().simple()))
            }

            /// The identifier as text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl FromStr for $name {
            type Err = IdError;

            fn from_str(text: &str) -> Result<Self, IdError> {
                visible($what, $required, text).map(Self)
            }
        }

        impl TryFrom<String> for $name {
            type Error = IdError;

            fn try_from(text: String) -> Result<Self, IdError> {
                text.parse()
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> String {
                id.0
            }
        }
    };
}

id!(
    /// A thread: a conversation or a job. Made here it is `thr_…`; a caller may bring its own of 1 to 128 letters, digits and `-_.:`.
    ThreadId, "thread id", "thr_", ""
);
id!(
    /// One execution on a thread, `run_…`.
    RunId, "run id", "run_", "run_"
);
id!(
    /// What a superstep left, `chk_…`.
    CheckpointId, "checkpoint id", "chk_", "chk_"
);

/// One node execution in a run: the number of its superstep and its place in it, such as `12.0`.
///
/// It is planned and stored before the task starts, so a task that starts over has the same identity.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TaskId(String);

impl TaskId {
    /// The task at a place of the superstep that follows checkpoint number `step`.
    #[must_use]
    pub fn at(step: u64, index: usize) -> Self {
        Self(format!("{step}.{index}"))
    }

    /// A task identity read back from a store.
    #[must_use]
    pub fn stored(text: String) -> Self {
        Self(text)
    }

    /// The identity as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for TaskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_prefixed_ordered_and_a_client_may_only_name_threads() {
        let (first, second) = (RunId::fresh(), RunId::fresh());
        assert!(first < second && first.as_str().starts_with("run_"));
        assert_eq!("chat-1.a:b".parse::<ThreadId>().unwrap().as_str(), "chat-1.a:b");
        assert!("chat 1".parse::<ThreadId>().is_err());
        assert!("x".parse::<RunId>().is_err());
        assert!("".parse::<ThreadId>().is_err());
    }
}
