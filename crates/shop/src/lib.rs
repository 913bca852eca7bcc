//! The pure domain of a shop: ids, money, languages, products.
//!
//! No clock, no randomness, no IO and no model: time and ids come in as arguments, so every rule here can be tested as a
//! function. How products are imported and searched is `mercer-search`; how they are stored is `mercer-store`.

mod id;
mod lang;
mod money;
mod product;
mod storage;

pub use id::{IdError, ProductId, Sku, TenantId};
pub use lang::{Lang, Localized};
pub use money::{Currency, Money, MoneyError};
pub use product::{AgeGroup, Availability, Gender, ImageRef, Product, Season, Stock, Variant};
pub use storage::{File, FileMeta, Files, ImportRow, ImportState, Imports, InMemory, NewFile, StorageError, Stored};
