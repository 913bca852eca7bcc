//! Ranking: which products a query reaches and in which order.
//!
//! A query becomes a [`Plan`]: one group of alternatives a word, filters, and boosts for what kind of article was asked for.
//! The plan is then run over each segment of the index term by term, into one number a product. The formula is BM25F
//! (Robertson and Zaragoza, *The Probabilistic Relevance Framework*, 2009): frequencies are weighted by field and normalised by
//! the field's length, summed over fields, and only then saturated.

mod filter;
mod order;
mod plan;
mod reach;
mod score;
mod tally;

pub(crate) use filter::{filters, joint, size_is_known};
pub(crate) use plan::{Plan, Planner, Weight};
pub(crate) use score::{Found, run};
