//! Why a whole import cannot begin or go on. A single bad row is not an error but a [`super::RowProblem`].

use std::io;
use std::path::PathBuf;

use super::report::RowProblem;

/// Why a feed cannot be read. Each text says what to do about it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FeedError {
    /// The file or folder cannot be opened.
    #[error("cannot open {}: check that it exists and may be read", path.display())]
    Open {
        /// What was opened.
        path: PathBuf,
        /// Why it failed.
        #[source]
        source: io::Error,
    },
    /// Reading broke off.
    #[error("reading {part} broke off; check the disk or fetch the file again")]
    Read {
        /// The file, or the entry of an archive.
        part: String,
        /// Why it failed.
        #[source]
        source: io::Error,
    },
    /// Nothing in it.
    #[error("{part} is empty; export the catalogue again")]
    Empty {
        /// The file, or the entry of an archive.
        part: String,
    },
    /// Something that is not a text feed.
    #[error("{part} is {found}, not a product feed; {remedy}")]
    NotAFeed {
        /// The file, or the entry of an archive.
        part: String,
        /// What its first bytes say it is.
        found: &'static str,
        /// What to do.
        remedy: &'static str,
    },
    /// A table or list that does not hold products.
    #[error(
        "{part} does not look like a product catalogue (columns: {columns}); name the product columns in a mapping file"
    )]
    NoProducts {
        /// The file, or the entry of an archive.
        part: String,
        /// The first columns that were found.
        columns: String,
    },
    /// The header lacks what the chosen format needs.
    #[error(
        "{part} has no column {column}, which the format {format} needs; choose another format or leave it to the guess"
    )]
    MissingColumn {
        /// The file, or the entry of an archive.
        part: String,
        /// The format that was asked for.
        format: &'static str,
        /// The column that is missing.
        column: &'static str,
    },
    /// A bound of [`super::Limits`] was passed.
    #[error("{part}, line {line}: {what} passes the limit of {limit}; {remedy}")]
    Limit {
        /// The file, or the entry of an archive.
        part: String,
        /// The line where it was noticed; 0 when it has none.
        line: u64,
        /// What is too large.
        what: &'static str,
        /// The most that is allowed.
        limit: u64,
        /// What to do.
        remedy: &'static str,
    },
    /// JSON, XML or CSV that cannot be followed any further.
    #[error("{part}, line {line}: {reason}")]
    Syntax {
        /// The file, or the entry of an archive.
        part: String,
        /// The line where it was noticed.
        line: u64,
        /// What is wrong and what to do.
        reason: String,
    },
    /// The name of an encoding is not known.
    #[error("{0:?} is not an encoding; use a name such as utf-8, gb18030, big5, shift_jis or windows-1252")]
    Encoding(String),
    /// The mapping file cannot be used.
    #[error("the mapping cannot be used: {0}")]
    Mapping(String),
    /// An address that may not be fetched, or that did not answer with a feed.
    #[error("cannot fetch {url}: {reason}")]
    Fetch {
        /// The address, without its password.
        url: String,
        /// Why, and what to do.
        reason: String,
    },
    /// Strict import: the first bad row ends it.
    #[error("stopped at the first bad row, as asked: {0}")]
    Strict(Box<RowProblem>),
    /// `skipped.csv` cannot be written.
    #[error("cannot write the list of skipped rows to {}", path.display())]
    Skipped {
        /// Where it should go.
        path: PathBuf,
        /// Why it failed.
        #[source]
        source: io::Error,
    },
}
