//! The catalogue from outside: products in, questions asked.

mod catalogue;
mod shop;
