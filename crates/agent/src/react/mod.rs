//! The loop between a model and its tools, as a pure machine.
//!
//! [`React`] does nothing itself. [`React::next`] says what is to be done; the caller does it and feeds back what came of
//! it. The machine can be stored between any two steps and goes on identically. It knows neither the conversation before
//! this message nor the tools' code: only what happened since the message arrived.
//!
//! Invariant: a call the model made always has a result in the transcript, whatever ends the loop.
//! Invariant: an ended loop is a typed [`Finish`]; a used-up budget is never an answer.

mod acting;
mod finish;
mod protocol;
mod reading;
mod transcript;

use std::time::Duration;

use indexmap::IndexMap;
use mercer_model::{ChatReply, ModelError, ToolCall};
use serde::{Deserialize, Serialize};

use self::acting::Pending;
use self::reading::Intent;
use crate::{
    Lang,
    tool::{ToolResult, ToolSpec},
};

pub use finish::{Answer, Decision, Finish, Guard, Poor};
pub use transcript::Prompt;

/// How far one message may go.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Limits {
    /// Calls of the model. In the last one it is not offered tools.
    pub steps: u32,
    /// Calls of tools.
    pub calls: u32,
    /// Calls of one tool with the same normalised arguments.
    pub identical: u32,
    /// Calls of tools that do not exist.
    pub unknown: u32,
    /// Replies that are no answer (empty, reasoning only, cut off) that are put up with.
    pub poor: u32,
    /// Answers that may be sent back with a complaint.
    pub objections: u32,
    /// Tokens read and written by the model.
    pub tokens: u64,
    /// Time since the message arrived.
    pub wall: Duration,
    /// Characters of one result that the model is shown.
    pub result_chars: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            steps: 8,
            calls: 20,
            identical: 3,
            unknown: 3,
            poor: 1,
            objections: 1,
            tokens: 120_000,
            wall: Duration::from_secs(90),
            result_chars: 6_000,
        }
    }
}

/// How the model calls tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Protocol {
    /// By the provider's tool calls.
    #[default]
    Native,
    /// By one JSON object a turn: `{"thought","action","action_input"}`.
    Json,
    /// By one JSON object a turn, in the short shape `{"thought","tool","arg","reply"}`.
    JsonShort,
}

impl Protocol {
    /// Whether a turn is one JSON object.
    #[must_use]
    pub fn is_json(self) -> bool {
        self != Self::Native
    }
}

/// What is to be done next.
#[derive(Debug, Clone, PartialEq)]
pub enum Next {
    /// Ask the model. [`React::request`] makes the request.
    CallModel {
        /// How tools are called.
        protocol: Protocol,
        /// Whether tools may be called; otherwise the model has to answer now.
        tools: bool,
    },
    /// Run these calls, in parallel, and return all results at once.
    CallTools(Vec<ToolCall>),
    /// Ask a person about each of these calls.
    AskPerson(Vec<ToolCall>),
    /// The loop has ended.
    Done(Finish),
}

/// What was used since the message arrived.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spent {
    /// Calls of the model.
    pub steps: u32,
    /// Calls of tools, those answered without being run included.
    pub calls: u32,
    /// Calls of tools that do not exist.
    pub unknown: u32,
    /// Replies that were no answer.
    pub poor: u32,
    /// Answers sent back.
    pub objections: u32,
    /// Tokens.
    pub tokens: u64,
    /// Time.
    pub wall: Duration,
}

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Entry {
    /// The model spoke.
    Said { text: String, reasoning: Option<String>, calls: Vec<ToolCall> },
    /// The calls of the entry before came back, in their order.
    Returned { results: Vec<ToolResult> },
    /// The program told the model something.
    Note { text: String },
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "phase", rename_all = "snake_case")]
enum Phase {
    Thinking,
    Acting { pending: Vec<Pending> },
    Done { finish: Finish },
}

/// The loop. See the module's text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct React {
    limits: Limits,
    tools: Vec<ToolSpec>,
    lang: Lang,
    protocol: Protocol,
    log: Vec<Entry>,
    spent: Spent,
    /// How often each call was made, by its normalised form.
    made: IndexMap<String, u32>,
    /// Where the latest result of a call stands: (entry, place in it).
    memo: IndexMap<String, (usize, usize)>,
    /// A guard that ends the loop as soon as the calls under way are answered.
    doom: Option<Guard>,
    /// A guard that leaves the model one more turn, without tools.
    closing: Option<Guard>,
    phase: Phase,
}

impl Default for React {
    fn default() -> Self {
        Self::new(Limits::default())
    }
}

impl React {
    /// A loop at its start, without tools.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self {
            limits,
            tools: Vec::new(),
            lang: Lang::default(),
            protocol: Protocol::Native,
            log: Vec::new(),
            spent: Spent::default(),
            made: IndexMap::new(),
            memo: IndexMap::new(),
            doom: None,
            closing: None,
            phase: Phase::Thinking,
        }
    }

    /// With these tools ([`crate::Registry::specs`]).
    #[must_use]
    pub fn with_tools(mut self, tools: Vec<ToolSpec>) -> Self {
        self.tools = tools;
        self
    }

    /// Speaking this language in notes to the model.
    #[must_use]
    pub fn with_lang(mut self, lang: Lang) -> Self {
        self.lang = lang;
        self
    }

    /// Beginning with this protocol, for a model that is known to have no tool calls.
    #[must_use]
    pub fn with_protocol(mut self, protocol: Protocol) -> Self {
        self.protocol = protocol;
        self
    }

    /// What is to be done next. Asking twice gives the same.
    #[must_use]
    pub fn next(&self) -> Next {
        match &self.phase {
            Phase::Done { finish } => Next::Done(finish.clone()),
            Phase::Acting { pending } => acting::next(pending),
            Phase::Thinking => match self.exhausted() {
                Some(guard) => Next::Done(Finish::Exhausted { guard }),
                None => Next::CallModel { protocol: self.protocol, tools: self.closing_guard().is_none() },
            },
        }
    }

    /// Tells how much time has passed since the message arrived, without the time in which a person was asked.
    pub fn elapsed(&mut self, wall: Duration) {
        self.spent.wall = self.spent.wall.max(wall);
        if self.spent.wall > self.limits.wall {
            self.stop_waiting();
        }
    }

    /// The model replied. Ignored unless it was asked.
    pub fn model_replied(&mut self, reply: ChatReply) {
        if !self.is_thinking() {
            return;
        }
        let closing = self.closing_guard();
        self.spent.steps += 1;
        self.spent.tokens = self.spent.tokens.saturating_add(reply.usage.total());
        match reading::read(&reply, self.protocol, &self.tools) {
            Intent::Answer(answer) => {
                self.log.push(Entry::Said { text: reply.text, reasoning: reply.reasoning, calls: Vec::new() });
                self.phase = Phase::Done { finish: Finish::Answered(answer) };
            }
            Intent::Calls { calls, text, written } => {
                if written && !self.protocol.is_json() {
                    self.protocol = Protocol::Json;
                }
                match closing {
                    Some(guard) => self.refuse_all(calls, text, reply.reasoning, guard),
                    None => self.called(calls, text, reply.reasoning),
                }
            }
            Intent::Poor { poor, said } => {
                if let Some(text) = said {
                    self.log.push(Entry::Said { text, reasoning: None, calls: Vec::new() });
                }
                self.poor(poor);
            }
        }
    }

    /// The model did not reply. Ignored unless it was asked.
    pub fn model_failed(&mut self, error: ModelError) {
        if !self.is_thinking() {
            return;
        }
        match error {
            ModelError::ToolsUnsupported { .. } if self.protocol == Protocol::Native => self.protocol = Protocol::Json,
            ModelError::Truncated { .. } => {
                self.spent.steps += 1;
                self.poor(Poor::Truncated);
            }
            ModelError::Empty { reasoning_only } => {
                self.spent.steps += 1;
                self.poor(if reasoning_only { Poor::ReasoningOnly } else { Poor::Empty });
            }
            error => self.phase = Phase::Done { finish: Finish::ModelFailed { error } },
        }
    }

    /// The calls came back. A result that belongs to no call under way is ignored.
    pub fn tools_returned(&mut self, results: Vec<ToolResult>) {
        if let Phase::Acting { pending } = &mut self.phase {
            acting::take(pending, results);
            self.settle();
        }
    }

    /// A person decided about a call.
    pub fn person_decided(&mut self, call_id: &str, decision: &Decision) {
        let lang = self.lang;
        if let Phase::Acting { pending } = &mut self.phase {
            acting::decide(pending, call_id, decision, lang);
            self.settle();
        }
    }

    /// Sends an answer back to the model with a complaint, such as the fact gate's. False when the answer stands because
    /// no objection or no step is left, or because there is no answer.
    pub fn object(&mut self, complaint: &str) -> bool {
        let answered = matches!(self.phase, Phase::Done { finish: Finish::Answered(_) });
        if !answered || self.spent.objections >= self.limits.objections {
            return false;
        }
        self.phase = Phase::Thinking;
        if self.exhausted().is_some() {
            return false;
        }
        self.spent.objections += 1;
        self.log.push(Entry::Note { text: complaint.to_owned() });
        true
    }

    /// Ends the loop from outside. Calls under way are answered as interrupted, so that the transcript stays whole.
    pub fn cancel(&mut self) {
        self.doom = Some(Guard::Cancelled);
        self.stop_waiting();
        if self.is_thinking() {
            self.phase = Phase::Done { finish: Finish::Exhausted { guard: Guard::Cancelled } };
        }
    }

    /// What was used.
    #[must_use]
    pub fn spent(&self) -> &Spent {
        &self.spent
    }

    /// How tools are called by now.
    #[must_use]
    pub fn protocol(&self) -> Protocol {
        self.protocol
    }

    /// How the loop ended, when it has.
    #[must_use]
    pub fn finish(&self) -> Option<Finish> {
        match self.next() {
            Next::Done(finish) => Some(finish),
            _ => None,
        }
    }

    /// The results so far, in order.
    pub fn results(&self) -> impl Iterator<Item = &ToolResult> {
        self.log.iter().flat_map(|entry| match entry {
            Entry::Returned { results } => results.as_slice(),
            Entry::Said { .. } | Entry::Note { .. } => &[],
        })
    }

    fn is_thinking(&self) -> bool {
        matches!(self.phase, Phase::Thinking)
    }

    /// The guard that forbids another call of the model.
    fn exhausted(&self) -> Option<Guard> {
        if self.doom.is_some() {
            return self.doom;
        }
        if self.spent.steps >= self.limits.steps {
            return Some(self.closing.unwrap_or(Guard::Steps));
        }
        if self.spent.tokens >= self.limits.tokens {
            return Some(Guard::Tokens);
        }
        (self.spent.wall > self.limits.wall).then_some(Guard::WallTime)
    }

    /// The guard that forbids another call of a tool.
    fn closing_guard(&self) -> Option<Guard> {
        let last_step = self.spent.steps + 1 >= self.limits.steps;
        let no_calls = self.spent.calls >= self.limits.calls;
        self.closing.or_else(|| last_step.then_some(Guard::Steps)).or_else(|| no_calls.then_some(Guard::Calls))
    }

    fn poor(&mut self, poor: Poor) {
        self.spent.poor += 1;
        if self.spent.poor > self.limits.poor {
            self.phase = Phase::Done { finish: Finish::NoAnswer { poor } };
        } else {
            self.log.push(Entry::Note { text: poor.complaint(self.lang).to_owned() });
        }
    }
}
