//! What is known in a thread: the results of its tool calls and the customer's own words, with an address for each fact.
//!
//! An answer is held against this by the fact gate. Nothing else counts as known: not the model's memory, not its
//! earlier answers.

mod address;
mod cut;
mod scalars;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use address::{Address, BadAddress};
pub use cut::cut;
pub use scalars::Scalars;
pub(crate) use scalars::escaped;

use crate::tool::ToolResult;

/// One result that counts as evidence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Found {
    /// Its number in the thread, from 1.
    pub call: u32,
    /// The tool.
    pub tool: String,
    /// What it was asked, normalised.
    pub arguments: Value,
    /// What it returned.
    pub value: Value,
}

/// Everything known in a thread, oldest first.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    #[serde(default)]
    calls: u32,
    #[serde(default)]
    found: Vec<Found>,
    #[serde(default)]
    said: Vec<String>,
}

impl Evidence {
    /// Nothing known yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes a call's result and returns its number. A failure gets a number too, but is no evidence of anything.
    pub fn push(&mut self, result: &ToolResult) -> u32 {
        self.calls = self.calls.saturating_add(1);
        if let Ok(value) = &result.outcome {
            self.found.push(Found {
                call: self.calls,
                tool: result.name.clone(),
                arguments: result.arguments.clone(),
                value: value.clone(),
            });
        }
        self.calls
    }

    /// Takes a record that did not come from a tool call, such as a standing query, under a name of its own.
    pub fn push_record(&mut self, name: &str, value: Value) -> u32 {
        self.calls = self.calls.saturating_add(1);
        self.found.push(Found { call: self.calls, tool: name.to_owned(), arguments: Value::Null, value });
        self.calls
    }

    /// Takes the customer's words.
    pub fn say(&mut self, text: &str) {
        self.said.push(text.to_owned());
    }

    /// The results, oldest first.
    #[must_use]
    pub fn found(&self) -> &[Found] {
        &self.found
    }

    /// The customer's words, oldest first.
    #[must_use]
    pub fn said(&self) -> &[String] {
        &self.said
    }

    /// Whether nothing is known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.found.is_empty() && self.said.is_empty()
    }

    /// The value at an address, scalar or not.
    #[must_use]
    pub fn get(&self, address: &Address) -> Option<&Value> {
        self.found.iter().find(|found| found.call == address.call)?.value.pointer(&address.pointer)
    }

    /// Every scalar with its address, in the order of the calls.
    pub fn scalars(&self) -> impl Iterator<Item = (Address, &Value)> {
        self.found.iter().flat_map(|found| {
            Scalars::of(&found.value).map(|(pointer, value)| (Address { call: found.call, pointer }, value))
        })
    }

    /// Forgets all but the last `calls` results and the last `words` messages. Numbers are kept.
    pub fn forget(&mut self, calls: usize, words: usize) {
        let surplus = self.found.len().saturating_sub(calls);
        self.found.drain(..surplus);
        let surplus = self.said.len().saturating_sub(words);
        self.said.drain(..surplus);
    }
}
