//! From the bytes of a response to our events, pure: the same events whatever the chunks.
//!
//! The response may be an event stream, one JSON object, or something else altogether (a proxy's page); the first byte
//! tells. What a finish reason claims is checked against what was received.

use super::calls::Calls;
use super::refusal;
use super::sse::{Line, Lines, TooLong, line};
use super::think::{Piece, Split};
use super::usage;
use crate::error::ModelError;
use crate::event::{ChatEvent, FinishReason, Usage};
use crate::json::{Value, parse_strict};
use crate::message::ToolCall;
use crate::text_calls::{Hold, Names};

/// The longest whole response that is taken.
const MAX_WHOLE: usize = 64 * 1024 * 1024;

/// What a decoder has to know about the request.
#[derive(Debug, Clone, Default)]
pub struct DecoderOptions {
    /// The tools on offer.
    pub tools: Vec<String>,
    /// Makes made-up call ids differ between messages, such as the number of messages so far.
    pub seed: usize,
    /// Tokens of the request as estimated, in case the server tells nothing.
    pub prompt_estimate: u64,
    /// The model begins inside its thoughts: hold text back until a closing mark or the end.
    pub headless: bool,
    /// The server is known to send calls in the protocol. Then text is a call only when it is nothing else: a call
    /// among words may be a quotation, such as of a review that was written to be quoted.
    pub calls_natively: bool,
}

/// What the first byte says a body is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Unknown,
    Stream,
    Whole,
}

type Events = Vec<Result<ChatEvent, ModelError>>;

/// Decodes one response.
#[derive(Debug)]
pub struct Decoder {
    options: DecoderOptions,
    form: Form,
    lines: Lines,
    whole: Vec<u8>,
    data: String,
    split: Split,
    hold: Hold,
    calls: Calls,
    usage: Option<Usage>,
    finish: Option<String>,
    done: bool,
    ended: bool,
    shown: bool,
    answered: bool,
    reasoned: bool,
    written: u64,
    facts: Facts,
}

/// What a response tells about its server, to be remembered.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Facts {
    /// The field its reasoning came in.
    pub reasoning_field: Option<&'static str>,
    /// The text began inside thoughts.
    pub headless: bool,
    /// It made a call, in the protocol or in its text.
    pub called: bool,
    /// It made a call in the protocol.
    pub called_natively: bool,
}

impl Decoder {
    /// A decoder for one response.
    #[must_use]
    pub fn new(options: DecoderOptions) -> Self {
        let names = Names::new(options.tools.iter().map(String::as_str));
        Self {
            form: Form::Unknown,
            lines: Lines::default(),
            whole: Vec::new(),
            data: String::new(),
            split: Split::new(options.headless),
            hold: Hold::new(names, options.seed),
            calls: Calls::new(options.tools.clone()),
            usage: None,
            finish: None,
            done: false,
            ended: false,
            shown: false,
            answered: false,
            reasoned: false,
            written: 0,
            facts: Facts::default(),
            options,
        }
    }

    /// What was learned about the server.
    #[must_use]
    pub const fn facts(&self) -> Facts {
        self.facts
    }

    /// Whether the last event was given out.
    #[must_use]
    pub const fn ended(&self) -> bool {
        self.ended
    }

    /// Whether the server said it is through: nothing more has to be waited for.
    #[must_use]
    pub const fn complete(&self) -> bool {
        self.done
    }

    /// Whether the model is writing, though perhaps nothing can be given out yet.
    #[must_use]
    pub fn receiving(&self) -> bool {
        self.written > 0 || !self.calls.is_empty()
    }

    /// Whether a finish reason came: only usage and the end mark may follow.
    #[must_use]
    pub const fn finishing(&self) -> bool {
        self.finish.is_some()
    }

    /// Whether anything of the answer was given out: after that a retry would say it twice.
    #[must_use]
    pub const fn shown(&self) -> bool {
        self.shown
    }

    /// Takes bytes and gives back the events they complete.
    pub fn push(&mut self, bytes: &[u8]) -> Events {
        let mut events = Vec::new();
        if self.ended {
            return events;
        }
        let mut bytes = bytes;
        if self.form == Form::Unknown {
            // Blanks and a byte order mark tell nothing and are dropped.
            let blank = |&b: &u8| b.is_ascii_whitespace() || matches!(b, 0xef | 0xbb | 0xbf);
            let first = bytes.iter().position(|b| !blank(b)).unwrap_or(bytes.len());
            bytes = bytes.get(first..).unwrap_or_default();
            self.form = match bytes.first() {
                None => Form::Unknown,
                Some(b'{' | b'[' | b'<') => Form::Whole,
                Some(_) => Form::Stream,
            };
        }
        match self.form {
            Form::Unknown => {}
            Form::Whole if self.whole.len() + bytes.len() > MAX_WHOLE => {
                self.fail(ModelError::BadResponse { detail: "it is longer than any answer".into() }, &mut events);
            }
            Form::Whole => self.whole.extend_from_slice(bytes),
            Form::Stream => match self.lines.push(bytes) {
                Ok(lines) => lines.iter().for_each(|line| self.line(line, &mut events)),
                Err(TooLong) => {
                    self.fail(
                        ModelError::BadResponse { detail: "a line is longer than any answer".into() },
                        &mut events,
                    );
                }
            },
        }
        events
    }

    /// The body is over, perhaps broken off by an error.
    pub fn end(&mut self, broken: Option<ModelError>) -> Events {
        let mut events = Vec::new();
        if self.ended {
            return events;
        }
        match self.form {
            Form::Whole => self.whole_response(&mut events),
            Form::Unknown | Form::Stream => {
                let rest = self.lines.take();
                self.line(&rest, &mut events);
                self.line("", &mut events);
            }
        }
        if self.ended {
            return events;
        }
        if self.finish.is_some() || self.done {
            self.conclude(&mut events);
        } else {
            let error = match broken {
                // Nothing was shown and nothing is lost by saying what happened.
                Some(error) if !self.shown => error,
                Some(error) => ModelError::Truncated { detail: error.to_string() },
                None if self.form == Form::Unknown => ModelError::BadResponse { detail: "it is empty".into() },
                None => ModelError::Truncated { detail: "the stream ended without a finish reason".into() },
            };
            self.fail(error, &mut events);
        }
        events
    }

    /// The caller waited too long: what was shown stays cut, and the wait is the error.
    pub fn give_up(&mut self, timeout: ModelError) -> Events {
        // A server that has said why it ended may leave the connection open.
        if self.finish.is_some() {
            return self.end(None);
        }
        let mut events = Vec::new();
        self.fail(timeout, &mut events);
        events
    }

    fn fail(&mut self, error: ModelError, events: &mut Events) {
        self.ended = true;
        events.push(Err(error));
    }

    fn whole_response(&mut self, events: &mut Events) {
        let bytes = std::mem::take(&mut self.whole);
        let text = String::from_utf8_lossy(&bytes);
        match parse_strict(text.trim_start_matches('\u{feff}')) {
            Ok(value) => {
                self.done = value.get("choices").is_some();
                self.chunk(&value, events);
                if !self.ended && !self.done {
                    self.fail(ModelError::BadResponse { detail: refusal::excerpt(&text) }, events);
                }
            }
            // Some servers send one object a line.
            Err(_) if text.trim_start().starts_with('{') && text.contains("\n{") => {
                text.lines().for_each(|line| self.line(line, events));
            }
            Err(_) => self.fail(ModelError::BadResponse { detail: refusal::excerpt(&text) }, events),
        }
    }

    fn line(&mut self, text: &str, events: &mut Events) {
        if self.ended {
            return;
        }
        match line(text) {
            Line::Other => {}
            Line::Data(data) => {
                if !self.data.is_empty() {
                    self.data.push('\n');
                }
                self.data.push_str(data);
                // Most events are one line; the blank line after it may never come.
                self.event(false, events);
            }
            Line::Blank => self.event(true, events),
        }
    }

    /// Takes the data gathered so far, when it is an event.
    fn event(&mut self, complete: bool, events: &mut Events) {
        let data = self.data.trim();
        if data.is_empty() {
            return;
        }
        if data == "[DONE]" {
            self.done = true;
            self.data.clear();
            return;
        }
        match parse_strict(data) {
            Ok(value) => {
                self.data.clear();
                self.chunk(&value, events);
            }
            Err(reason) if complete => {
                let detail = format!("an event is not JSON ({reason}): {}", refusal::excerpt(data));
                self.fail(ModelError::BadResponse { detail }, events);
            }
            Err(_) => {}
        }
    }

    fn chunk(&mut self, value: &Value, events: &mut Events) {
        if let Some(error) = refusal::in_stream(value) {
            self.fail(error, events);
            return;
        }
        if let Some(usage) = value.get("usage").and_then(usage::told) {
            self.usage = Some(usage);
        }
        let Some(Value::Array(choices)) = value.get("choices") else { return };
        let Some(choice) = choices.first() else { return };
        if let Some(usage) = choice.get("usage").and_then(usage::told) {
            self.usage = Some(usage);
        }
        if let Some(delta) =
            choice.get("delta").or_else(|| choice.get("message")).filter(|delta| delta.as_object().is_some())
        {
            self.delta(delta, events);
        }
        if let Some(reason) = choice.get("finish_reason").and_then(Value::as_str).filter(|reason| !reason.is_empty()) {
            self.finish = Some(reason.to_owned());
        }
    }

    fn delta(&mut self, delta: &Value, events: &mut Events) {
        for field in ["reasoning_content", "reasoning"] {
            if let Some(text) = delta.get(field).and_then(Value::as_str) {
                self.facts.reasoning_field = Some(field);
                if !text.is_empty() || !self.reasoned {
                    self.reason(text.to_owned(), events);
                }
                break;
            }
        }
        match delta.get("content") {
            Some(Value::String(text)) => self.content(text, events),
            Some(Value::Array(parts)) => parts.iter().for_each(|part| self.part(part, events)),
            _ => {}
        }
        if let Some(text) = delta.get("refusal").and_then(Value::as_str) {
            self.content(text, events);
        }
        if let Some(calls) = delta.get("tool_calls") {
            self.calls.push(calls);
        } else if let Some(call) = delta.get("function_call") {
            self.calls.push(call);
        }
    }

    /// Content in parts: text, and thoughts of servers that type them.
    fn part(&mut self, part: &Value, events: &mut Events) {
        let text = |value: &Value| value.get("text").and_then(Value::as_str).map(str::to_owned);
        match part.get("type").and_then(Value::as_str) {
            Some("thinking") => match part.get("thinking") {
                Some(Value::Array(inner)) => inner.iter().filter_map(text).for_each(|text| self.reason(text, events)),
                Some(Value::String(text)) => self.reason(text.clone(), events),
                _ => {}
            },
            _ => {
                if let Some(text) = text(part) {
                    self.content(&text, events);
                }
            }
        }
    }

    fn reason(&mut self, text: String, events: &mut Events) {
        self.written += usage::estimate(&text);
        self.reasoned = true;
        events.push(Ok(ChatEvent::Reasoning(text)));
    }

    fn content(&mut self, text: &str, events: &mut Events) {
        if text.is_empty() {
            return;
        }
        self.written += usage::estimate(text);
        let pieces = self.split.push(text);
        self.pieces(pieces, events);
    }

    fn pieces(&mut self, pieces: Vec<Piece>, events: &mut Events) {
        for piece in pieces {
            match piece {
                Piece::Thought(text) if text.trim().is_empty() => {}
                Piece::Thought(text) => {
                    self.reasoned = true;
                    events.push(Ok(ChatEvent::Reasoning(text)));
                }
                Piece::WasThought => {
                    // What was held back as a possible call was thought too.
                    let held = self.hold.release();
                    self.facts.headless = true;
                    self.answered = false;
                    events.push(Ok(ChatEvent::Restarted));
                    if !held.is_empty() {
                        events.push(Ok(ChatEvent::Reasoning(held)));
                    }
                }
                Piece::Answer(text) => {
                    let shown = self.hold.push(&text);
                    self.show(shown, events);
                }
            }
        }
    }

    fn show(&mut self, text: String, events: &mut Events) {
        if !text.is_empty() {
            self.shown = true;
            self.answered |= !text.trim().is_empty();
            events.push(Ok(ChatEvent::Text(text)));
        }
    }

    /// What is left of the held text, and the calls in it.
    fn calls_in_text(&mut self) -> (String, Vec<ToolCall>) {
        let held = self.hold.held().to_owned();
        let (rest, calls) = self.hold.finish();
        let quoted = self.answered || !rest.trim().is_empty();
        if self.options.calls_natively && quoted { (held, Vec::new()) } else { (rest, calls) }
    }

    /// The end, by what was received.
    fn conclude(&mut self, events: &mut Events) {
        let pieces = self.split.finish();
        self.pieces(pieces, events);
        let reason = match self.finish.as_deref().map(refusal::finish) {
            Some(Err(error)) => return self.fail(error, events),
            Some(Ok(reason)) => reason,
            None => FinishReason::Stop,
        };
        let native = !self.calls.is_empty();
        let (held, from_text) = if native || reason == FinishReason::Length {
            (self.hold.release(), Vec::new())
        } else {
            self.calls_in_text()
        };
        self.show(held, events);
        let mut calls = self.calls.finish(self.options.seed);
        calls.extend(from_text);
        self.facts.called = !calls.is_empty();
        self.facts.called_natively = native;
        for call in &calls {
            self.written += usage::estimate(&call.name) + usage::estimate(&call.arguments);
        }
        if reason == FinishReason::Length {
            // A call may be cut anywhere: none is given out.
            calls.clear();
        } else if calls.is_empty() && !self.answered {
            return self.fail(ModelError::Empty { reasoning_only: self.reasoned }, events);
        }
        let called = !calls.is_empty();
        events.extend(calls.into_iter().map(|call| Ok(ChatEvent::ToolCall(call))));
        events.push(Ok(ChatEvent::Usage(self.usage.take().unwrap_or_else(|| Usage {
            prompt_tokens: self.options.prompt_estimate,
            completion_tokens: self.written,
            estimated: true,
            ..Usage::default()
        }))));
        events.push(Ok(ChatEvent::Done(match reason {
            FinishReason::Length => FinishReason::Length,
            FinishReason::Stop | FinishReason::ToolCalls if called => FinishReason::ToolCalls,
            FinishReason::Stop | FinishReason::ToolCalls => FinishReason::Stop,
        })));
        self.ended = true;
    }
}
