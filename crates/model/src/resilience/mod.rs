//! Calls that go wrong: waiting and trying again, leaving a broken server alone, asking the next model, keeping count.
//!
//! Each piece wraps a [`crate::ChatModel`] and is one. Nothing here repeats a call of which a person has seen a part.
//! Time is tokio's, so tests can pause it.

mod backoff;
mod breaker;
mod budget;
mod fallback;
mod guarded;
mod ledger;
mod rate;

pub use backoff::Retry;
pub use breaker::{Breaker, BreakerSettings, State};
pub use budget::{Budget, BudgetLimits, Budgeted};
pub use fallback::Fallback;
pub use guarded::{Gate, GateSettings, Guarded, GuardedEmbedding};
pub use ledger::{Ledger, LedgerRow, Outcome, TraceLedger};
