//! The request for the next turn: the conversation before this message, then what happened since.

use mercer_model::{ChatRequest, Message, Part, Role, ToolCall, ToolChoice, ToolDef};
use serde_json::{Value, json};

use super::{Entry, Next, Poor, Protocol, React, protocol};
use crate::{history, quote};

/// What the caller adds to a request.
#[derive(Debug, Clone, Default)]
pub struct Prompt {
    /// The agent's instructions.
    pub system: String,
    /// The conversation so far, the message that is being answered last.
    pub history: Vec<Message>,
    /// The tools, in the language of the conversation.
    pub tools: Vec<ToolDef>,
    /// What the call is for, in the ledger.
    pub purpose: &'static str,
}

impl React {
    /// The request for [`Next::CallModel`]. It is valid for providers whatever the history was.
    #[must_use]
    pub fn request(&self, prompt: Prompt) -> ChatRequest {
        let tools = matches!(self.next(), Next::CallModel { tools: true, .. });
        let mut since = self.messages();
        if !tools {
            since.push(Message::user(note(Poor::CallInsteadOfAnswer.complaint(self.lang))));
        }
        let mut messages = vec![Message::system(prompt.system)];
        let mut request = ChatRequest { purpose: prompt.purpose, ..ChatRequest::default() };
        match self.protocol {
            Protocol::Native => {
                messages.extend(prompt.history);
                request.tool_choice = if tools { ToolChoice::Auto } else { ToolChoice::None };
                request.tools = prompt.tools;
            }
            Protocol::Json | Protocol::JsonShort => {
                let short = self.protocol == Protocol::JsonShort;
                messages.push(Message::system(protocol::instructions(self.lang, &prompt.tools, short)));
                let history = history::valid(prompt.history).into_iter().map(quoting);
                messages.extend(history.map(|message| in_json(message, short)));
                since = since.into_iter().map(|message| in_json(message, short)).collect();
                request.response_format = Some(protocol::response_format());
                request.stop = vec!["\nObservation:".to_owned()];
            }
        }
        messages.extend(since);
        request.messages = history::valid(messages);
        request
    }

    /// What happened since the message arrived, as messages in the provider's form: every call has its result.
    #[must_use]
    pub fn messages(&self) -> Vec<Message> {
        let mut messages = Vec::new();
        for entry in &self.log {
            match entry {
                Entry::Said { text, reasoning, calls } => {
                    let mut message = Message::assistant(text).with_tool_calls(calls.clone());
                    message.reasoning.clone_from(reasoning);
                    messages.push(message);
                }
                Entry::Returned { results } => messages.extend(results.iter().map(|result| {
                    let mut message = Message::tool(&result.call_id, result.for_model(self.limits.result_chars));
                    message.name = Some(result.name.clone());
                    message
                })),
                Entry::Note { text } => messages.push(Message::user(note(text))),
            }
        }
        messages
    }
}

/// A message of the program in the person's role, told apart from the person's own.
fn note(text: &str) -> String {
    json!({ "note": text }).to_string()
}

/// A message of the person under the JSON protocol: quoted, so that it cannot be taken for a result or a note.
fn quoting(mut message: Message) -> Message {
    if message.role == Role::User {
        for part in &mut message.parts {
            if let Part::Text(text) = part {
                *text = json!({ "customer": quote::clean(text, usize::MAX) }).to_string();
            }
        }
    }
    message
}

/// Calls and results as the JSON protocol writes them.
fn in_json(mut message: Message, short: bool) -> Message {
    match message.role {
        Role::System | Role::User => message,
        Role::Assistant => {
            let calls = std::mem::take(&mut message.tool_calls);
            if !calls.is_empty() {
                let text = calls.iter().map(|call| call_in_json(call, short)).collect::<Vec<_>>().join("\n");
                message.parts = vec![Part::Text(text)];
            }
            message.reasoning = None;
            message
        }
        Role::Tool => {
            let text = message.text();
            let result = serde_json::from_str::<Value>(&text).unwrap_or(Value::String(text));
            Message::user(json!({ "observation": { "tool": message.name, "result": result } }).to_string())
        }
    }
}

fn call_in_json(call: &ToolCall, short: bool) -> String {
    let input =
        serde_json::from_str::<Value>(&call.arguments).unwrap_or_else(|_| Value::String(call.arguments.clone()));
    let call = if short {
        json!({ "tool": call.name, "arg": input })
    } else {
        json!({ "action": call.name, "action_input": input })
    };
    call.to_string()
}
