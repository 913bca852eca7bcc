//! Integration tests of `mercer-agent`.

#![expect(clippy::panic, clippy::indexing_slicing, reason = "a test that goes wrong has to stop")]

mod evidence;
mod gate;
mod history;
mod react;
mod support;
mod tools;
