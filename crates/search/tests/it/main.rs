//! The catalogue from outside: products in, questions asked.

mod catalogue;
mod feed_catalogues;
mod feed_support;
mod shop;
