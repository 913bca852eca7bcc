//! Decisions on requests, recorded with what they were based on. One stands at a time for the same pieces.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::policy::{Confidence, PolicyRef};
use crate::{ApprovalId, CommandKey, DecisionId, LineId, OrderId};

/// What was decided in the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Final {
    /// Paid back.
    Approve,
    /// Not paid back.
    Reject,
    /// Paid back once something is shown or sent.
    Conditional,
    /// A person decides.
    Escalate,
}

/// A decision to record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewDecision {
    /// The order.
    pub order: OrderId,
    /// Made of the facts of the request: the same request has the same key and one decision.
    pub request_key: String,
    /// For which lines; empty is all.
    pub lines: Vec<LineId>,
    /// What was decided.
    pub decision: Final,
    /// How sure, from evidence.
    pub confidence: Confidence,
    /// What the policy said.
    pub policy: PolicyRef,
    /// The facts it rests on.
    #[serde(default)]
    pub facts: Value,
    /// What a model proposed.
    #[serde(default)]
    pub proposal: Value,
    /// The run that decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// The decision in whose place it stands, when the buyer has shown something new.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub supersedes: Option<DecisionId>,
}

/// Whether a decision stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DecisionState {
    /// It does, and waits for the buyer or for a person.
    Standing,
    /// It was carried out, or a person has answered.
    Settled,
    /// Another stands in its place.
    Superseded,
}

/// A recorded decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recorded {
    /// Its id.
    pub id: DecisionId,
    /// What was decided and why.
    #[serde(flatten)]
    pub decided: NewDecision,
    /// Whether it stands.
    pub state: DecisionState,
    /// When.
    pub at: Timestamp,
    /// The command that recorded it: its outcome says what was done.
    pub key: CommandKey,
    /// The question to staff it waits for or was answered by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval: Option<ApprovalId>,
}

impl Recorded {
    /// Whether it is about some of the same lines.
    pub(super) fn overlaps(&self, lines: &[LineId]) -> bool {
        let mine = &self.decided.lines;
        mine.is_empty() || lines.is_empty() || mine.iter().any(|line| lines.contains(line))
    }
}
