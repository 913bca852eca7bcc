//! Integration tests of `mercer-agent`.

#![expect(
    clippy::panic,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test that goes wrong has to stop, and one that measures has to say what it found"
)]

mod evidence;
mod gate;
mod history;
mod injection;
mod patterns;
mod react;
mod support;
mod tools;
