//! The messages of a conversation in the order and shape that providers accept, and the part of them that fits.
//!
//! A stored conversation may be broken by a cancel, a crash or an import; it is repaired whenever it is read, so that no
//! other code has to think of it.

mod summary;
mod valid;
mod window;

pub use summary::{Summary, window_with};
pub use valid::{is_valid, valid};
pub use window::{Budget, Windowed, tokens, window};
