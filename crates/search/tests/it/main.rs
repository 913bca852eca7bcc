//! The catalogue from outside: products in, questions asked.

mod catalogue;
mod feed_broken;
mod feed_catalogues;
mod feed_formats;
mod feed_support;
mod shop;
