//! Catalogue import: a feed in any of the usual formats becomes [`Product`](mercer_shop::Product)s.
//!
//! A source (file, folder, archive, address) is read through its encoding, its container (CSV, JSON, XML) and its format, which are
//! guessed, shown and can be overridden. Rows that belong to one product are put together. What cannot be read is reported by line,
//! column and reason, never guessed. Reading is streaming: memory does not grow with the feed, except for one number per row where
//! rows must be grouped and one per product to notice duplicates.
//!
//! Nothing here writes to an index: that is `crate::index`.

mod draft;
mod encoding;
mod error;
mod fetch;
mod format;
mod guess;
mod json;
mod mapping;
mod node;
mod options;
mod pictures;
mod preview;
mod price;
mod probe;
mod progress;
mod reader;
mod record;
mod records;
mod report;
mod rows;
mod shapes;
mod source;
mod text;
mod values;
mod xml;

pub use encoding::{EncodingGuess, Evidence};
pub use error::FeedError;
pub use format::Format;
pub use mapping::{Mapping, Others, PriceUnit};
pub use options::{Limits, Options, ProgressFn};
pub use pictures::{PictureError, Pictures};
pub use preview::{Candidate, Column, Preview, preview};
pub use progress::{Phase, Progress};
pub use reader::{Feed, fingerprint, open};
pub use report::{KindReport, ProblemKind, Report, RowProblem};
pub use source::Source;
