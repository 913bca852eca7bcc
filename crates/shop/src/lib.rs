//! The pure domain of a shop: ids, money, languages, products, orders, the refund policy, and the desk where money and orders change.
//!
//! No clock, no randomness, no IO and no model: time and ids come in as arguments, so every rule here can be tested as a
//! function. How products are imported and searched is `mercer-search`; how they are stored is `mercer-store`.

mod allocate;
pub mod contact;
pub mod customer;
pub mod desk;
mod id;
mod lang;
mod money;
pub mod order;
mod order_id;
pub mod policy;
mod product;
mod storage;

pub use id::{
    ApprovalId, CommandKey, CustomerId, DecisionId, EntryId, IdError, LineId, MailId, MethodId, ProductId, ReturnId,
    Sku, TenantId, TicketId,
};
pub use lang::{Lang, Localized};
pub use money::{Currency, Money, MoneyError};
pub use order_id::OrderId;
pub use product::{AgeGroup, Availability, Gender, ImageRef, Product, Season, Stock, Variant};
pub use storage::{File, FileMeta, Files, ImportRow, ImportState, Imports, InMemory, NewFile, StorageError, Stored};
