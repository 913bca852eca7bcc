//! JSON as models write it, read so that nothing is ever guessed in silence.
//!
//! A strict parse comes first; only when it fails are thoughts, fences, tags and prose set aside and the rest repaired
//! token by token, each repair listed. [`Verdict`] then says how much the result may be trusted: reads may run on a
//! repaired value, writes only on [`ForWrite`], which exists for clean values and harmless repairs and for nothing else.
//!
//! Numbers keep every digit as written, duplicate keys are refused, expressions are never evaluated. Time is linear in
//! the text and depth is bounded, whatever the text.

pub mod cases;
mod coerce;
mod de;
mod envelope;
mod lenient;
mod read;
mod repair;
mod scan;
mod strict;
mod value;
mod verdict;

pub use de::Error;
pub use read::read;
pub use repair::{Repair, Repairs};
pub use strict::parse as parse_strict;
pub use value::{Number, Object, Value};
pub use verdict::{Complaint, ForWrite, Reason, Verdict};

pub(crate) use lenient::{Outcome, candidate};
pub(crate) use read::fuel;

/// The deepest nesting that is read.
pub const MAX_DEPTH: usize = 96;
