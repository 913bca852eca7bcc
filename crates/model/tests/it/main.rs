//! Integration tests of `mercer-model`, in one binary.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "helpers of tests may fail a test"
)]

mod json;
mod scripted;
mod settings;
mod shared;
mod text_calls;
mod wire;
