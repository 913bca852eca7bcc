//! Integration tests of `mercer-model`, in one binary.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "helpers of tests may fail a test"
)]

mod embedding;
mod json;
mod json_fuzz;
mod native;
mod recording;
mod resilience;
mod scripted;
mod server;
mod settings;
mod shared;
mod text_calls;
mod transport;
mod wire;
