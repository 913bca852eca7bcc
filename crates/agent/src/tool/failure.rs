//! Why a tool gave no output: a closed set of kinds, and two texts that are never mixed up.

use std::{error::Error, fmt};

use serde::{Deserialize, Serialize};

/// The kinds of failure. The set is closed: a text that came from outside never becomes a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// The arguments cannot be used; the model can try others.
    InvalidArgument,
    /// There is no such thing, or it is not the asker's: both are answered alike.
    NotFound,
    /// The asker may not do this.
    PermissionDenied,
    /// A rule says no.
    NotEligible,
    /// Waits for a person or was declined by one.
    Paused,
    /// A service does not answer; trying again later may help.
    Unavailable,
    /// It took too long; for a write the result is not known.
    Timeout,
    /// A fault of ours.
    Internal,
}

impl FailureKind {
    /// Whether the same call may succeed when it is simply made again.
    #[must_use]
    pub fn is_passing(self) -> bool {
        matches!(self, Self::Unavailable | Self::Timeout)
    }

    /// The kind's name as it is stored and sent.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::InvalidArgument => "invalid_argument",
            Self::NotFound => "not_found",
            Self::PermissionDenied => "permission_denied",
            Self::NotEligible => "not_eligible",
            Self::Paused => "paused",
            Self::Unavailable => "unavailable",
            Self::Timeout => "timeout",
            Self::Internal => "internal",
        }
    }

    /// What a model is told when a failure carries no words of its own.
    fn plain(self) -> &'static str {
        match self {
            Self::InvalidArgument => "The arguments cannot be used.",
            Self::NotFound => "Nothing was found under these arguments.",
            Self::PermissionDenied => "This is not permitted for the person who is asking.",
            Self::NotEligible => "The shop's rules do not allow this.",
            Self::Paused => "This waits for a person's decision.",
            Self::Unavailable => "The service does not answer at the moment.",
            Self::Timeout => "The service took too long to answer.",
            Self::Internal => "The tool failed. Go on without it.",
        }
    }
}

impl fmt::Display for FailureKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

/// A failure as it is stored in a result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// Which kind.
    pub kind: FailureKind,
    /// What the model reads. Written by the shop's code, never copied from a service's error.
    pub model_text: String,
    /// What the operator reads in a log. Never shown to a model or a person.
    pub operator_text: String,
}

/// What a tool returns when it has no output.
#[derive(Debug)]
pub struct ToolError {
    kind: FailureKind,
    model_text: Option<String>,
    operator_text: String,
    source: Option<Box<dyn Error + Send + Sync>>,
}

impl ToolError {
    /// A failure with words for the model.
    #[must_use]
    pub fn new(kind: FailureKind, model_text: impl Into<String>) -> Self {
        Self { kind, model_text: Some(model_text.into()), operator_text: String::new(), source: None }
    }

    /// A failure of which the model learns only the kind.
    #[must_use]
    pub fn of(kind: FailureKind) -> Self {
        Self { kind, model_text: None, operator_text: String::new(), source: None }
    }

    /// The arguments cannot be used, with words that say what would do.
    #[must_use]
    pub fn invalid(model_text: impl Into<String>) -> Self {
        Self::new(FailureKind::InvalidArgument, model_text)
    }

    /// There is no such thing, or it is another person's.
    #[must_use]
    pub fn not_found() -> Self {
        Self::of(FailureKind::NotFound)
    }

    /// A fault of ours; the source goes to the operator.
    #[must_use]
    pub fn internal(source: impl Error + Send + Sync + 'static) -> Self {
        Self::of(FailureKind::Internal).caused_by(source)
    }

    /// A service that does not answer; the source goes to the operator.
    #[must_use]
    pub fn unavailable(source: impl Error + Send + Sync + 'static) -> Self {
        Self::of(FailureKind::Unavailable).caused_by(source)
    }

    /// Adds the error behind it, for the operator.
    #[must_use]
    pub fn caused_by(mut self, source: impl Error + Send + Sync + 'static) -> Self {
        self.source = Some(Box::new(source));
        self
    }

    /// Adds words for the operator.
    #[must_use]
    pub fn for_operator(mut self, text: impl Into<String>) -> Self {
        self.operator_text = text.into();
        self
    }

    /// The kind.
    #[must_use]
    pub fn kind(&self) -> FailureKind {
        self.kind
    }

    /// The stored form, with the chain of sources folded into the operator's text.
    #[must_use]
    pub fn into_failure(self) -> Failure {
        let mut operator_text = self.operator_text;
        let mut next: Option<&(dyn Error + 'static)> = self.source.as_deref().map(|source| source as _);
        while let Some(source) = next {
            if !operator_text.is_empty() {
                operator_text.push_str(": ");
            }
            operator_text.push_str(&source.to_string());
            next = source.source();
        }
        Failure {
            kind: self.kind,
            model_text: self.model_text.unwrap_or_else(|| self.kind.plain().to_owned()),
            operator_text,
        }
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "tool failed ({})", self.kind)?;
        if !self.operator_text.is_empty() {
            write!(f, ": {}", self.operator_text)?;
        }
        Ok(())
    }
}

impl Error for ToolError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}
