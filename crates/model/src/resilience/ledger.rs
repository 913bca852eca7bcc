//! One row a call: what it was for, what it used, how long it took and how it ended.

use std::fmt;
use std::time::Duration;

use serde::Serialize;
use tokio::time::Instant;

use crate::error::ModelError;
use crate::event::{FinishReason, Usage};

/// How a call ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// With an answer.
    Done(FinishReason),
    /// With an error.
    Failed(ModelError),
    /// The caller dropped it.
    Cancelled,
}

impl Outcome {
    /// A stable short name.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Done(FinishReason::Stop) => "stop",
            Self::Done(FinishReason::ToolCalls) => "tool_calls",
            Self::Done(FinishReason::Length) => "length",
            Self::Failed(error) => error.kind(),
            Self::Cancelled => "cancelled",
        }
    }
}

/// A call, as it is written down.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LedgerRow {
    /// The model asked.
    pub model: String,
    /// What the call was for.
    pub purpose: &'static str,
    /// What it belongs to, such as a run.
    pub subject: Option<String>,
    /// Tokens and cost, when the call came so far.
    pub usage: Option<Usage>,
    /// From the start to the first piece of the answer, waiting and retries included.
    pub first_token: Option<Duration>,
    /// From the start to the end.
    pub total: Duration,
    /// Attempts after the first.
    pub retries: u32,
    /// How it ended.
    pub outcome: Outcome,
}

/// Where rows are written. Called once a call, also when the caller drops it; must not block.
pub trait Ledger: Send + Sync + fmt::Debug {
    /// Writes one row.
    fn record(&self, row: LedgerRow);
}

/// Writes each row as a tracing event.
#[derive(Debug, Clone, Copy, Default)]
pub struct TraceLedger;

impl Ledger for TraceLedger {
    fn record(&self, row: LedgerRow) {
        let usage = row.usage.unwrap_or_default();
        tracing::info!(
            model = row.model,
            purpose = row.purpose,
            subject = row.subject,
            prompt_tokens = usage.prompt_tokens,
            completion_tokens = usage.completion_tokens,
            estimated = usage.estimated,
            cost_nanos = usage.cost.map(|cost| cost.nanos),
            first_token = ?row.first_token,
            total = ?row.total,
            retries = row.retries,
            outcome = row.outcome.as_str(),
            "model call"
        );
    }
}

/// A row in the making, recorded when it is dropped.
pub(super) struct Open {
    ledger: std::sync::Arc<dyn Ledger>,
    started: Instant,
    row: Option<LedgerRow>,
}

impl Open {
    pub(super) fn new(
        ledger: std::sync::Arc<dyn Ledger>,
        model: &str,
        purpose: &'static str,
        subject: Option<String>,
    ) -> Self {
        let row = LedgerRow {
            model: model.to_owned(),
            purpose,
            subject,
            usage: None,
            first_token: None,
            total: Duration::ZERO,
            retries: 0,
            outcome: Outcome::Cancelled,
        };
        Self { ledger, started: Instant::now(), row: Some(row) }
    }

    fn change(&mut self, change: impl FnOnce(&mut LedgerRow, Duration)) {
        let elapsed = self.started.elapsed();
        if let Some(row) = &mut self.row {
            change(row, elapsed);
        }
    }

    pub(super) fn first_token(&mut self) {
        self.change(|row, elapsed| row.first_token = row.first_token.or(Some(elapsed)));
    }

    pub(super) fn usage(&mut self, usage: &Usage) {
        self.change(|row, _| row.usage = Some(usage.clone()));
    }

    pub(super) fn retries(&mut self, retries: u32) {
        self.change(|row, _| row.retries = retries);
    }

    pub(super) fn ended(&mut self, outcome: Outcome) {
        self.change(|row, _| row.outcome = outcome);
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        if let Some(mut row) = self.row.take() {
            row.total = self.started.elapsed();
            self.ledger.record(row);
        }
    }
}
