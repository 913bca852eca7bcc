//! What a chat model answers: events, and their fold.

use serde::{Deserialize, Serialize};

use crate::error::ModelError;
use crate::message::{Message, ToolCall};

/// Why a model stopped writing. Whatever the wire said, this is what the payload says: a reply with calls is `ToolCalls`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FinishReason {
    /// The answer is complete.
    Stop,
    /// The model waits for the results of its calls.
    ToolCalls,
    /// The limit of tokens was reached: what was written is cut.
    Length,
}

/// Money a call cost, exactly.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cost {
    /// Billionths of the currency's unit.
    pub nanos: u64,
    /// Such as `USD`.
    pub currency: String,
}

/// Tokens a call used.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens read, those from the server's cache included.
    pub prompt_tokens: u64,
    /// Tokens written, reasoning included.
    pub completion_tokens: u64,
    /// Of those read, how many came from the server's cache.
    #[serde(default)]
    pub cached_tokens: u64,
    /// Of those written, how many were reasoning.
    #[serde(default)]
    pub reasoning_tokens: u64,
    /// The server told nothing; the numbers are counted from the characters.
    #[serde(default)]
    pub estimated: bool,
    /// Present when prices are configured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<Cost>,
}

impl Usage {
    /// Tokens read and written.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.prompt_tokens.saturating_add(self.completion_tokens)
    }
}

/// One event of a reply.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ChatEvent {
    /// The model that answers (first event; with a list of fallbacks it tells which one it is).
    Started {
        /// The model's name.
        model: String,
    },
    /// A piece of the answer, to be shown.
    Text(String),
    /// What was sent as text so far turned out to be thought: take it back. (The opening mark was in the prompt.)
    Restarted,
    /// A piece of reasoning: never shown as the answer, never executed.
    Reasoning(String),
    /// A complete call.
    ToolCall(ToolCall),
    /// Tokens used; once, before the end.
    Usage(Usage),
    /// The end. Nothing follows.
    Done(FinishReason),
}

/// A whole reply: the fold of its events.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChatReply {
    /// The answer.
    pub text: String,
    /// The reasoning; `Some("")` when the server sent the field empty, which some servers want echoed.
    pub reasoning: Option<String>,
    /// Calls, in the order they were written.
    pub tool_calls: Vec<ToolCall>,
    /// Why it ended.
    pub finish: FinishReason,
    /// Tokens used.
    pub usage: Usage,
    /// The model that answered.
    pub model: String,
}

impl ChatReply {
    /// A complete answer in text.
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            reasoning: None,
            tool_calls: Vec::new(),
            finish: FinishReason::Stop,
            usage: Usage::default(),
            model: String::new(),
        }
    }

    /// A reply that calls tools.
    #[must_use]
    pub fn calls(calls: Vec<ToolCall>) -> Self {
        Self { tool_calls: calls, finish: FinishReason::ToolCalls, ..Self::text("") }
    }

    /// The reply as the assistant message of the next request.
    #[must_use]
    pub fn to_message(&self) -> Message {
        let mut message = Message::assistant(self.text.clone()).with_tool_calls(self.tool_calls.clone());
        if self.text.is_empty() {
            message.parts.clear();
        }
        message.reasoning.clone_from(&self.reasoning);
        message
    }
}

/// Folds events into a reply.
#[derive(Debug, Default)]
pub struct Fold {
    text: String,
    reasoning: Option<String>,
    tool_calls: Vec<ToolCall>,
    usage: Usage,
    model: String,
    finish: Option<FinishReason>,
}

impl Fold {
    /// Takes the next event.
    pub fn push(&mut self, event: ChatEvent) {
        match event {
            ChatEvent::Started { model } => self.model = model,
            ChatEvent::Text(piece) => self.text.push_str(&piece),
            ChatEvent::Restarted => {
                let thought = std::mem::take(&mut self.text);
                self.reasoning.get_or_insert_default().push_str(&thought);
            }
            ChatEvent::Reasoning(piece) => self.reasoning.get_or_insert_default().push_str(&piece),
            ChatEvent::ToolCall(call) => self.tool_calls.push(call),
            ChatEvent::Usage(usage) => self.usage = usage,
            ChatEvent::Done(reason) => self.finish = Some(reason),
        }
    }

    /// The reply, once the stream has ended.
    ///
    /// # Errors
    /// [`ModelError::Truncated`] when no [`ChatEvent::Done`] was seen.
    pub fn finish(self) -> Result<ChatReply, ModelError> {
        let Self { text, reasoning, tool_calls, usage, model, finish } = self;
        let finish =
            finish.ok_or_else(|| ModelError::Truncated { detail: "the stream ended without a reason".into() })?;
        Ok(ChatReply { text, reasoning, tool_calls, finish, usage, model })
    }
}
