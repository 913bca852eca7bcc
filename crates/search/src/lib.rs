//! Product search: a shop's catalogue on disk, what customers mean by their words, and which products come first.
//!
//! [`Catalog`] is one tenant's catalogue: products go in through [`Builder`], questions are [`SearchRequest`]s. Query texts are
//! always plain text; there is no query syntax that a customer or a model could inject. No model takes part here.

pub mod analysis;
mod error;
pub mod eval;
mod facets;
pub mod feed;
pub mod import;
mod index;
mod label;
pub mod lexicon;
mod pictures;
mod rank;
pub mod remote;
mod request;
mod rules;
mod search;
mod spelling;
mod understand;

pub use error::SearchError;
pub use index::{Builder, Catalog, CatalogShape, Catalogs, Committed};
pub use label::value_label;
pub use pictures::Pictures;
pub use request::{Condition, Facet, Field, Hit, Op, SearchRequest, SearchResponse, Sort, Source, Understood};
pub use understand::cheaper_than;
