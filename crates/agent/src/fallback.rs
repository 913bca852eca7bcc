//! What happens when no model answers: the agent's core reads are made, and its floor answers from them.
//!
//! A pure machine like the other loops. The core reads are named by the agent for a question, such as the order that was
//! asked about and its shipment; those that were already made count. The answer is the floor's, and marked as such.

use mercer_model::ToolCall;
use serde::{Deserialize, Serialize};

use crate::tool::{ToolResult, normalised};

/// What is to be done next.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// Make these reads, in parallel, and return all results at once.
    Read(Vec<ToolCall>),
    /// Let the floor answer from what is known. What could not be read is among the results, as a failure.
    Floor(Vec<ToolResult>),
}

/// The machine. It can be stored between any two steps.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Fallback {
    reason: String,
    reads: Vec<ToolCall>,
    results: Vec<ToolResult>,
}

impl Fallback {
    /// Begins, with the reason as a stable code ([`crate::Finish::code`]), the agent's core reads for the question, and what
    /// the loop that failed had found out already.
    #[must_use]
    pub fn new(reason: impl Into<String>, core: Vec<ToolCall>, known: impl IntoIterator<Item = ToolResult>) -> Self {
        let results: Vec<ToolResult> = known.into_iter().filter(ToolResult::is_ok).collect();
        let made =
            |call: &ToolCall| results.iter().any(|result| result.name == call.name && asks_the_same(call, result));
        let mut reads: Vec<ToolCall> = core.into_iter().filter(|call| !made(call)).collect();
        for (number, call) in reads.iter_mut().enumerate() {
            call.id = format!("core_{}", number + 1);
        }
        Self { reason: reason.into(), reads, results }
    }

    /// Why no model answers.
    #[must_use]
    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// What is to be done next. Asking twice gives the same.
    #[must_use]
    pub fn next(&self) -> Step {
        if self.reads.is_empty() { Step::Floor(self.results.clone()) } else { Step::Read(self.reads.clone()) }
    }

    /// The reads came back; one that did not is not made again.
    pub fn returned(&mut self, results: Vec<ToolResult>) {
        self.reads.clear();
        self.results.extend(results);
    }
}

fn asks_the_same(call: &ToolCall, result: &ToolResult) -> bool {
    serde_json::from_str(&call.arguments).is_ok_and(|asked| normalised(&asked) == result.arguments)
}
