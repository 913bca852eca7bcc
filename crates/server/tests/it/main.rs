//! The server from outside: requests against the whole router, without a socket, over a small shop.

#![expect(
    clippy::panic,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "helpers of tests stop a test that goes wrong, as the tests themselves do"
)]

mod access;
mod ask;
mod catalogue;
mod chat;
mod document;
mod files;
mod imports;
mod model;
mod pages;
mod picture;
mod runs;
mod runs_inside;
mod shop;
mod threads;
