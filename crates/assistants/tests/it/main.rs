//! The shopping assistant from outside: conversations over a small shop, by rules and with scripted models.

#![expect(
    clippy::panic,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "helpers of tests stop a test that goes wrong, as the tests themselves do"
)]

mod cards;
mod golden;
mod hostile;
mod life;
mod model;
mod peers;
mod pictures;
mod rules;
mod sample;
mod scenarios;
mod shop;
mod talk;
mod variants;
