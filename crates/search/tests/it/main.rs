//! The catalogue from outside: products in, questions asked.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "helpers of tests fail loudly")]

mod catalogue;
mod feed_broken;
mod feed_catalogues;
mod feed_formats;
mod feed_support;
mod importing;
mod relevance;
mod search;
mod shop;
mod understanding;
