//! The product index: how a catalogue lies on disk, how it is written and how it is read.
//!
//! A catalogue is a folder of *generations*, each a complete index that never changes once it is finished, and a file
//! `CURRENT` that names the one to read. An import writes a new generation beside the old one and renames `CURRENT` over:
//! readers see the old or the new state, never an empty one, and a crash in between leaves a folder that the next import removes.

mod builder;
mod catalog;
mod catalogs;
mod document;
mod facet_values;
mod facts;
mod generation;
mod schema;
mod vocabulary;

pub use builder::{Builder, Committed};
pub use catalog::{Catalog, CatalogShape};
pub use catalogs::Catalogs;

pub(crate) use facet_values::{FacetValues, NOT_OFFERED, Offered};
pub(crate) use facts::{SEVERAL_VARIANTS, facet_term, level_term, path_key, variant_term};
pub(crate) use generation::{Generation, io};
pub(crate) use schema::column;
pub(crate) use vocabulary::Vocabulary;
