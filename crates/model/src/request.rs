//! What is asked of a chat model.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::message::Message;

/// A tool offered to the model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolDef {
    /// Its name: letters, digits, `_` and `-`.
    pub name: String,
    /// What it does, in the language of the conversation.
    pub description: String,
    /// The JSON Schema of its arguments (an object).
    pub parameters: Value,
}

/// Whether the model may, must or must not call a tool.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolChoice {
    /// The model decides.
    #[default]
    Auto,
    /// No call.
    None,
    /// Some call.
    Required,
    /// A call of this tool. Servers are known to degrade this silently: check the reply.
    Tool(String),
}

/// One call of a chat model.
#[derive(Debug, Clone, Default)]
pub struct ChatRequest {
    /// The conversation, oldest first.
    pub messages: Vec<Message>,
    /// The tools on offer; calls of other names are never made from text.
    pub tools: Vec<ToolDef>,
    /// Whether a tool is to be called.
    pub tool_choice: ToolChoice,
    /// Sampling temperature; the server's own default when absent.
    pub temperature: Option<f32>,
    /// The most tokens to write; the server's own default when absent.
    pub max_tokens: Option<u32>,
    /// `response_format` as OpenAI defines it, for servers that have it.
    pub response_format: Option<Value>,
    /// Texts at which the model stops.
    pub stop: Vec<String>,
    /// What the call is for, such as `shopping.agent`: the ledger's column.
    pub purpose: &'static str,
    /// What the call belongs to, such as a run id: copied to the ledger.
    pub subject: Option<String>,
}

impl ChatRequest {
    /// A request with these messages and no tools.
    #[must_use]
    pub fn new(purpose: &'static str, messages: Vec<Message>) -> Self {
        Self { messages, purpose, ..Self::default() }
    }

    /// The same request with these tools on offer.
    #[must_use]
    pub fn with_tools(mut self, tools: Vec<ToolDef>) -> Self {
        self.tools = tools;
        self
    }
}
