//! One module a command.

pub(crate) mod chat;
pub(crate) mod config;
pub(crate) mod doctor;
pub(crate) mod eval;
pub(crate) mod gate;
pub(crate) mod import;
pub(crate) mod key;
pub(crate) mod patterns;
pub(crate) mod runs;
pub(crate) mod search;
pub(crate) mod serve;
pub(crate) mod torture;
