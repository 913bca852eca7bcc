//! What every store has to do, as tests that take a store; and crashes between any two of its operations.
//!
//! A store's own tests call [`store::all`] and [`crash::sweep`] with a function that makes an empty store.

pub mod crash;
pub mod graphs;
pub mod store;
