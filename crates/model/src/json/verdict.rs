//! How much a value read from a model may be trusted, as types.

use std::fmt;

use serde::de::DeserializeOwned;

use super::de::Error;
use super::repair::Repairs;
use super::value::Value;

/// Why a text is not read as JSON.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// There is nothing.
    #[error("the answer is empty")]
    Empty,
    /// No JSON at all.
    #[error("the answer holds no JSON")]
    NoJson,
    /// It begins like JSON and goes wrong.
    #[error("the JSON is wrong at character {at}")]
    Syntax {
        /// Byte offset.
        at: usize,
    },
    /// A key stands twice in one object.
    #[error("the key {key:?} stands twice")]
    DuplicateKey {
        /// The key.
        key: String,
    },
    /// Nested too deeply.
    #[error("it is nested too deeply")]
    TooDeep,
    /// Too many things that look like JSON.
    #[error("it is too tangled to read")]
    TooTangled,
    /// `NaN` or `Infinity`.
    #[error("NaN and Infinity are no numbers")]
    NotANumber,
    /// A calculation or call where a value belongs.
    #[error("a calculation stands where a value belongs: write the result")]
    Expression,
    /// `...` where items belong.
    #[error("items were left out with \"...\": write all of them")]
    Ellipsis,
    /// A key without a value.
    #[error("a key has no value")]
    MissingValue,
    /// It is JSON, but not what was asked for.
    #[error("{path} {detail}")]
    Schema {
        /// A JSON pointer, or `the answer`.
        path: String,
        /// What is wrong there.
        detail: String,
    },
}

/// What a text turned out to be.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict<T = Value> {
    /// JSON as it should be.
    Clean(T),
    /// JSON after repairs. Good enough to read with.
    Repaired {
        /// The value.
        value: T,
        /// What was done.
        repairs: Repairs,
    },
    /// Several values that all fit, in their order. A caller may run reads one after the other, never a write.
    Ambiguous {
        /// The values.
        candidates: Vec<T>,
    },
    /// Cut off.
    Truncated {
        /// What there is of it.
        partial: Option<T>,
    },
    /// Not to be used.
    NotJson {
        /// Why.
        reason: Reason,
    },
}

/// A value that a write may use: it was clean, or its repairs were harmless. Nothing else makes one.
#[derive(Debug, Clone, PartialEq)]
pub struct ForWrite<T>(T);

impl<T> ForWrite<T> {
    /// The value.
    pub const fn get(&self) -> &T {
        &self.0
    }

    /// The value itself.
    pub fn into_inner(self) -> T {
        self.0
    }
}

/// What to tell the model so that it does better.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct Complaint(String);

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<T> Verdict<T> {
    /// What is wrong, in words a model can use; nothing for a clean value.
    #[must_use]
    pub fn complaint(&self) -> Option<Complaint> {
        Some(Complaint(match self {
            Self::Clean(_) => return None,
            Self::Repaired { repairs, .. } => format!("Your JSON had {repairs}. Send it again as plain valid JSON."),
            Self::Ambiguous { candidates } => {
                format!("You sent {} JSON objects. Send exactly one.", candidates.len())
            }
            Self::Truncated { .. } => "Your JSON was cut off. Send it again, shorter.".to_owned(),
            Self::NotJson { reason } => format!("Your answer cannot be used: {reason}. Send one JSON object."),
        }))
    }

    fn complain(&self) -> Complaint {
        self.complaint().unwrap_or_else(|| Complaint(String::new()))
    }

    /// The value for a read: clean or repaired.
    ///
    /// # Errors
    /// The complaint for the model.
    pub fn for_read(self) -> Result<T, Complaint> {
        match self {
            Self::Clean(value) | Self::Repaired { value, .. } => Ok(value),
            other => Err(other.complain()),
        }
    }

    /// The value for a write: clean, or with harmless repairs only.
    ///
    /// # Errors
    /// The complaint for the model.
    pub fn for_write(self) -> Result<ForWrite<T>, Complaint> {
        match self {
            Self::Clean(value) => Ok(ForWrite(value)),
            Self::Repaired { value, repairs } if repairs.harmless() => Ok(ForWrite(value)),
            other => Err(other.complain()),
        }
    }

    /// The same verdict over another type.
    ///
    /// # Errors
    /// Whatever the function fails with.
    pub fn try_map<U, E>(self, mut map: impl FnMut(T) -> Result<U, E>) -> Result<Verdict<U>, E> {
        Ok(match self {
            Self::Clean(value) => Verdict::Clean(map(value)?),
            Self::Repaired { value, repairs } => Verdict::Repaired { value: map(value)?, repairs },
            Self::Ambiguous { candidates } => {
                Verdict::Ambiguous { candidates: candidates.into_iter().map(map).collect::<Result<_, E>>()? }
            }
            Self::Truncated { partial } => Verdict::Truncated { partial: partial.and_then(|value| map(value).ok()) },
            Self::NotJson { reason } => Verdict::NotJson { reason },
        })
    }
}

impl Verdict<Value> {
    /// The verdict over a Rust type; a value that is not of the type is not usable.
    #[must_use]
    pub fn typed<T: DeserializeOwned>(self) -> Verdict<T> {
        let typed = self.try_map(|value| value.parse::<T>());
        typed.unwrap_or_else(|error: Error| Verdict::NotJson {
            reason: Reason::Schema { path: "the answer".into(), detail: format!("does not fit: {error}") },
        })
    }
}
