//! The refund policy: rules are data, their evaluation is pure.
//!
//! [`facts`] turns an order and a request into [`Facts`]; [`decide`] applies [`Rules`] to them and gives a [`Decision`] that names
//! every rule it rests on. What is not known is `None` in the facts and makes the decision [`Verdict::Manual`]: nothing is
//! guessed. Statute outranks a shop's own rule: the shop may give more, never less.

mod condition;
mod decide;
mod decision;
mod explain;
mod facts;
mod rules;
mod table;

pub use condition::Condition;
pub use decide::decide;
pub use decision::{
    Alternative, Confidence, Deadline, Decision, FreightPayer, LineDecision, Need, Payout, PolicyRef, Verdict,
};
pub use explain::{Explained, explain};
pub use facts::{
    Evidence, Facts, Jurisdiction, LineFacts, Parcel, Payment, ReasonClass, Request, Wanted, facts, jurisdiction,
};
pub use rules::{Certainty, Effect, Rank, Rule, RuleId, Rules, RulesError};
pub use table::{Mismatch, Situation, Table, TableError};
