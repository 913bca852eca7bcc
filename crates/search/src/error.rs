//! What can go wrong with a catalogue.

use std::path::PathBuf;

/// Why the catalogue could not be opened, written or searched.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// A file or folder of the catalogue could not be read or written.
    #[error("the catalogue at {path} could not be {action}")]
    Io {
        /// `read`, `written`, `locked` or `removed`.
        action: &'static str,
        /// Which file or folder.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The index itself failed.
    #[error("the product index failed")]
    Index(#[from] tantivy::TantivyError),
    /// A stored file is not what this program writes.
    #[error("{path} is damaged or was written by a newer program")]
    Format {
        /// Which file.
        path: PathBuf,
        /// Where its text breaks.
        source: serde_json::Error,
    },
    /// The business rules cannot be read.
    #[error("the search rules in {path} cannot be read")]
    Rules {
        /// Which file.
        path: PathBuf,
        /// Where and why.
        source: toml::de::Error,
    },
    /// Another import is writing this catalogue.
    #[error("another import is running for this catalogue")]
    Busy,
    /// A judgement file has a row that cannot be used.
    #[error("{path}, row {row}: {reason}")]
    Judgements {
        /// Which file.
        path: PathBuf,
        /// The row, the header being row 1.
        row: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// A remote search service could not be asked or did not understand.
    #[error("the search service failed: {reason}")]
    Remote {
        /// In words for an operator; holds no credentials.
        reason: String,
    },
}

impl SearchError {
    pub(crate) fn io(action: &'static str, path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { action, path, source }
    }

    /// What may be told to a customer or a model.
    #[must_use]
    pub fn public(&self) -> &'static str {
        match self {
            Self::Busy => "the catalogue is being updated by another import",
            Self::Remote { .. } => "the search service cannot be reached",
            _ => "the catalogue cannot be searched at the moment",
        }
    }
}
