//! Measuring agents: conversations played from scenario files, and attacks written into texts.
//!
//! A [`Scenario`] says what the world holds, what the customer says or wants, and what must be true afterwards. A [`Stage`] makes a
//! fresh world for one kind of agent; it is all that an agent has to bring to be measured. [`play`] runs scenarios against stages;
//! `attack` runs attacks against [`Situation`]s.

mod attack;
mod check;
mod customer;
mod injection;
mod junit;
mod play;
mod scenario;
mod shopping;

pub use attack::{Attack, AttackError, Finding, Met, Situation, Situations, attacks};
pub use customer::{Customer, Ending, Rule};
pub use injection::ShoppingSituation;
pub use junit::junit;
pub use play::{Line, Played, Report, Trial, play};
pub use scenario::{Expect, Format, Scenario, ScenarioError, Turn, Words, load};
pub use shopping::ShoppingStage;

use std::sync::Mutex;

use futures::future::BoxFuture;
use mercer_model::resilience::{Ledger, LedgerRow};
use serde::Serialize;
use serde_json::Value;

/// Why a scenario could not be played; a failed expectation is not one of these.
#[derive(Debug, thiserror::Error)]
pub enum EvalError {
    /// No stage plays this agent.
    #[error("no agent is called {0:?}")]
    NoAgent(String),
    /// The initial data cannot be used.
    #[error("the scenario's data cannot be used: {0}")]
    Data(String),
    /// The agent failed in a way that it should not.
    #[error("{doing}")]
    Failed {
        /// What was being done.
        doing: &'static str,
        /// Why it failed.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

impl EvalError {
    /// An error met while doing something.
    pub fn doing<E>(doing: &'static str) -> impl FnOnce(E) -> Self
    where
        E: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        move |source| Self::Failed { doing, source: source.into() }
    }

    /// The error with what is behind it, on one line.
    #[must_use]
    pub fn chain(&self) -> String {
        let mut text = self.to_string();
        let mut next = std::error::Error::source(self);
        while let Some(source) = next {
            text.push_str(": ");
            text.push_str(&source.to_string());
            next = source.source();
        }
        text
    }
}

/// What a customer does in one turn.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Input {
    /// What they say.
    pub say: String,
    /// A chip they take away instead of saying something.
    pub remove: Option<String>,
    /// Something else they do, in the words of the stage, such as `confirm` for the card that is open.
    pub action: Option<String>,
}

/// What an agent did for one turn.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Reply {
    /// What it said.
    pub text: String,
    /// All of it as one document, for `expect` of a turn: text, products, tools, `by_rules`, …
    pub view: Value,
    /// Steps of the graph.
    pub steps: u32,
    /// Calls of tools.
    pub calls: u32,
}

/// Makes fresh worlds for one kind of agent.
pub trait Stage: Send + Sync {
    /// The agent's name in scenario files.
    fn agent(&self) -> &'static str;

    /// A world with the scenario's data and one conversation in it.
    ///
    /// `folder` is where the scenario's file lies: paths in its data start there.
    fn open<'a>(&'a self, scenario: &'a Scenario) -> BoxFuture<'a, Result<Box<dyn Scene>, EvalError>>;
}

/// One conversation in a world of its own.
pub trait Scene: Send {
    /// The customer does something; the agent answers.
    fn say<'a>(&'a mut self, input: Input) -> BoxFuture<'a, Result<Reply, EvalError>>;

    /// The world as it is now, as one document: state of the conversation, and the records that agents may change.
    fn world<'a>(&'a mut self) -> BoxFuture<'a, Result<Value, EvalError>>;
}

/// What models used since the meter was read last.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Usage {
    /// Calls of models.
    pub calls: u32,
    /// Tokens read and written.
    pub tokens: u64,
    /// Billionths of the price's unit; 0 when no price is set.
    pub cost_nanos: u64,
}

/// A ledger that adds up, for the cost of a trial.
#[derive(Debug, Default)]
pub struct Meter(Mutex<Usage>);

impl Meter {
    /// What was used, and starts anew.
    pub fn take(&self) -> Usage {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner))
    }
}

impl Ledger for Meter {
    fn record(&self, row: LedgerRow) {
        let mut sum = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        sum.calls += 1;
        if let Some(usage) = row.usage {
            sum.tokens += usage.total();
            sum.cost_nanos += usage.cost.map_or(0, |cost| cost.nanos);
        }
    }
}
