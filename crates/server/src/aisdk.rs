//! A run's events as the AI SDK's UI message stream, version 1: what `useChat` and assistant-ui speak.
//!
//! [`Encoder`] is a pure fold over our event log, so the live stream, a resumed stream and a stored answer come from the same code.
//! Source of the protocol: the AI SDK documentation, "Stream protocols", and the `ai` package 6.0.

use mercer_graph::{Event, EventBody, RunError, RunStatus};
use serde_json::{Value, json};

/// Folds events of one run into UI message stream parts.
#[derive(Debug)]
pub(crate) struct Encoder {
    message: String,
    metadata: Value,
    started: bool,
    open_text: Option<String>,
    texts: usize,
    /// From which text part on the texts still count.
    standing: usize,
    said_anything: bool,
    finished: bool,
}

impl Encoder {
    /// An encoder for the answer `message`; `metadata` is sent with the first and the last part.
    #[must_use]
    pub(crate) fn new(message: impl Into<String>, metadata: Value) -> Self {
        Self {
            message: message.into(),
            metadata,
            started: false,
            open_text: None,
            texts: 0,
            standing: 0,
            said_anything: false,
            finished: false,
        }
    }

    /// Whether the last part was given out.
    #[must_use]
    pub(crate) fn is_finished(&self) -> bool {
        self.finished
    }

    /// The parts that one event makes.
    pub(crate) fn push(&mut self, event: &Event) -> Vec<Value> {
        let mut parts = Vec::new();
        if self.finished {
            return parts;
        }
        if !self.started {
            self.started = true;
            parts.push(json!({"type": "start", "messageId": self.message, "messageMetadata": self.metadata}));
            parts.push(json!({"type": "start-step"}));
        }
        match &event.body {
            EventBody::MessageDelta { text, .. } => self.text(text, &mut parts),
            EventBody::MessageRestarted { .. } | EventBody::RunResumed { .. } => self.restart(&mut parts),
            EventBody::Custom { name, data } => self.custom(name, data, &mut parts),
            EventBody::Interrupted { interrupts } => {
                self.close_text(&mut parts);
                parts.push(json!({"type": "data-interrupts", "id": "interrupts", "data": {"interrupts": interrupts}}));
                self.finish(&mut parts);
            }
            EventBody::RunFinished { status, error } => self.run_finished(*status, error.as_ref(), &mut parts),
            EventBody::RunStarted
            | EventBody::TaskStarted { .. }
            | EventBody::TaskRetried { .. }
            | EventBody::TaskFinished { .. }
            | EventBody::Checkpoint { .. } => {}
        }
        parts
    }

    fn text(&mut self, delta: &str, parts: &mut Vec<Value>) {
        self.said_anything = true;
        if self.open_text.is_none() {
            self.texts += 1;
            let id = format!("{}-{}", self.message, self.texts);
            parts.push(json!({"type": "text-start", "id": id}));
            self.open_text = Some(id);
        }
        parts.push(json!({"type": "text-delta", "id": self.open_text, "delta": delta}));
    }

    /// The protocol cannot take text back, so the page is told which text parts no longer count: also those that a tool call ended.
    fn restart(&mut self, parts: &mut Vec<Value>) {
        self.close_text(parts);
        for index in self.standing..self.texts {
            let id = format!("{}-{}", self.message, index + 1);
            parts.push(
                json!({"type": "data-retract", "id": format!("retract-{id}"), "data": {"part": id, "index": index}}),
            );
        }
        self.standing = self.texts;
    }

    fn close_text(&mut self, parts: &mut Vec<Value>) {
        if let Some(id) = self.open_text.take() {
            parts.push(json!({"type": "text-end", "id": id}));
        }
    }

    fn custom(&mut self, name: &str, data: &Value, parts: &mut Vec<Value>) {
        let field = |key: &str| data.get(key).cloned().unwrap_or(Value::Null);
        match name {
            "tool_call" => {
                self.close_text(parts);
                let (id, tool) = (field("id"), field("name"));
                parts.push(json!({"type": "tool-input-start", "toolCallId": id, "toolName": tool, "dynamic": true}));
                parts.push(json!({
                    "type": "tool-input-available", "toolCallId": id, "toolName": tool, "input": field("arguments"), "dynamic": true,
                }));
            }
            "tool_result" if data.get("ok").and_then(Value::as_bool) == Some(false) => {
                parts.push(json!({
                    "type": "tool-output-error", "toolCallId": field("id"), "errorText": field("summary"), "dynamic": true,
                }));
            }
            "tool_result" => {
                let output = json!({"summary": field("summary"), "output": field("output")});
                parts.push(json!({"type": "tool-output-available", "toolCallId": field("id"), "output": output, "dynamic": true}));
            }
            "conditions" => parts.push(json!({"type": "data-conditions", "id": "conditions", "data": data})),
            "products" => {
                self.said_anything = true;
                let id = data.get("message").and_then(Value::as_str).unwrap_or(&self.message).to_owned();
                parts.push(json!({"type": "data-products", "id": id, "data": data}));
            }
            "fallback" => {
                if let Some(metadata) = self.metadata.as_object_mut() {
                    metadata.insert("by_rules".into(), Value::Bool(true));
                }
                parts.push(json!({"type": "data-fallback", "id": "fallback", "data": data}));
            }
            other => parts.push(json!({"type": format!("data-{other}"), "id": other, "data": data})),
        }
    }

    fn run_finished(&mut self, status: RunStatus, error: Option<&RunError>, parts: &mut Vec<Value>) {
        self.close_text(parts);
        match status {
            RunStatus::Cancelled => {
                parts.push(json!({"type": "abort"}));
                self.finished = true;
            }
            RunStatus::Failed | RunStatus::StepLimit => {
                tracing::warn!(?error, "a chat run failed");
                let said =
                    if self.said_anything { "The answer was cut off." } else { "There is no answer to this yet." };
                parts.push(json!({
                    "type": "error",
                    "errorText": format!("{said} What was said before is kept; send the message again. (回答未完成，之前的内容都在，请再发一次。)"),
                }));
                self.finish(parts);
            }
            _ => self.finish(parts),
        }
    }

    fn finish(&mut self, parts: &mut Vec<Value>) {
        parts.push(json!({"type": "finish-step"}));
        parts.push(json!({"type": "finish", "messageMetadata": self.metadata}));
        self.finished = true;
    }
}
