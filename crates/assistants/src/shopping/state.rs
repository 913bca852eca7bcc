//! The state of a shopping conversation, as a fold of what happened.
//!
//! Everything in here was put there by [`Shopping::apply`]. State and updates are stored, so fields are only ever added, with a
//! default, and a variant of [`Update`] is never renamed.

use std::collections::BTreeSet;

use indexmap::IndexMap;
use jiff::Timestamp;
use mercer_agent::{Evidence, React, ToolResult};
use mercer_graph::{ApplyError, State};
use mercer_model::{ChatReply, ModelError, ToolCall};
use mercer_shop::{Lang, ProductId};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::dialogue::{Act, Focus, Reading, Shown, language};
use super::message::{ChatMessage, UserMessage};
use super::picture::Seen;
use super::wish::Wish;

/// How many tool results and how many of the customer's messages count as evidence.
const EVIDENCE: (usize, usize) = (80, 80);
/// The error of an answer that was cut off.
pub const INTERRUPTED: &str = "interrupted";

/// Who leads a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Driver {
    /// The rules.
    #[default]
    Rules,
    /// The model.
    Model,
}

/// A shopping conversation.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Shopping {
    /// What was said, oldest first.
    pub messages: Vec<ChatMessage>,
    /// What is being looked for.
    pub wish: Option<Wish>,
    /// What the last answer with products showed, in its order.
    pub shown: Vec<Shown>,
    /// What "it" and "this" mean.
    pub focus: Option<Focus>,
    /// The customer's pictures by file id, with what was seen in them.
    pub pictures: IndexMap<String, Option<Seen>>,
    /// What tools returned and the customer said.
    pub evidence: Evidence,
    /// Every product that a tool returned in this thread.
    pub known: BTreeSet<String>,
    /// How many turns there were.
    pub turns: u32,
    /// The turn under way.
    pub turn: Option<Turn>,
}

/// One message of the customer (or the removal of a chip) on its way to an answer.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Turn {
    /// Its number in the thread, from 1.
    pub number: u32,
    /// The id of the answer in the making.
    pub answer: String,
    /// The language to answer in.
    pub lang: Lang,
    /// The customer's words; empty for the removal of a chip.
    pub text: String,
    /// Pictures that came with it.
    pub images: Vec<String>,
    /// The chip that was removed.
    pub removed: Option<String>,
    /// When it was taken up.
    pub at: Option<Timestamp>,
    /// What the rules read.
    pub reading: Option<Reading>,
    /// Who leads it.
    pub driver: Driver,
    /// The model's loop.
    pub react: Option<React>,
    /// Calls of the rules that wait for their results.
    pub planned: Vec<ToolCall>,
    /// Results so far, of the rules' calls and the model's.
    pub results: Vec<ToolResult>,
    /// Text that was already streamed as the answer.
    pub streamed: String,
    /// Why rules lead it.
    pub fallback: Option<String>,
    /// What was wrong with the model's answer.
    pub complaints: Vec<String>,
    /// The answer before it is told.
    pub draft: Option<ChatMessage>,
}

impl Turn {
    /// What the message asks for.
    #[must_use]
    pub fn act(&self) -> &Act {
        self.reading.as_ref().map_or(&Act::Help, |reading| &reading.act)
    }

    /// The calls that are to be made now.
    #[must_use]
    pub fn calls(&self) -> Vec<ToolCall> {
        if !self.planned.is_empty() {
            return self.planned.clone();
        }
        match self.react.as_ref().map(React::next) {
            Some(mercer_agent::Next::CallTools(calls)) => calls,
            _ => Vec::new(),
        }
    }
}

/// What can happen in a shopping conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "update", rename_all = "snake_case")]
pub enum Update {
    /// The customer said something. Begins a turn.
    Said(UserMessage),
    /// The customer removed a chip. Begins a turn.
    RemoveCondition {
        /// The chip.
        id: String,
        /// The language of the page, used when nothing was said yet.
        locale: Lang,
    },
    /// The message was read.
    Read {
        /// By the rules.
        reading: Reading,
        /// Who leads the turn.
        driver: Driver,
        /// The model's loop at its start.
        react: Option<Box<React>>,
        /// Why rules lead it.
        fallback: Option<String>,
        /// Calls to make before anything else: looking at pictures.
        planned: Vec<ToolCall>,
        /// When.
        at: Timestamp,
        /// What the catalogue holds, as the model is told.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        shop: Option<Value>,
    },
    /// The model replied.
    Replied {
        /// Its reply.
        reply: Box<ChatReply>,
        /// Milliseconds since the turn was taken up.
        wall_ms: u64,
        /// What was streamed of it.
        streamed: String,
    },
    /// The model did not reply.
    ModelFailed {
        /// Why.
        error: ModelError,
        /// Milliseconds since the turn was taken up.
        wall_ms: u64,
        /// What was streamed before.
        streamed: String,
    },
    /// The rules want these calls made.
    Planned {
        /// The calls.
        calls: Vec<ToolCall>,
    },
    /// Calls came back.
    Returned {
        /// Their results.
        results: Vec<ToolResult>,
        /// What stands as the wish after a search.
        wish: Option<Wish>,
        /// What was seen in pictures.
        seen: Vec<(String, Seen)>,
    },
    /// The model's answer was sent back.
    Objected {
        /// What is wrong with it.
        complaints: Vec<String>,
    },
    /// The rules take over.
    FellBack {
        /// Why, as a stable code.
        reason: String,
    },
    /// There is an answer, not yet told.
    Drafted {
        /// The answer.
        message: Box<ChatMessage>,
        /// What "it" means from now on.
        focus: Option<Focus>,
    },
    /// The answer was told. Ends the turn.
    Answered {
        /// The run that told it.
        run: String,
        /// What its cards show, in their order; empty leaves what was shown before.
        shown: Vec<Shown>,
    },
    /// The turn was cut off by a cancel. Ends it.
    Interrupted,
}

impl State for Shopping {
    type Update = Update;

    fn apply(&mut self, update: Update) -> Result<(), ApplyError> {
        match update {
            Update::Said(message) => self.said(&message),
            Update::RemoveCondition { id, locale } => self.chip_removed(id, locale),
            Update::Interrupted => self.interrupt(),
            Update::Answered { run, shown } => self.answered(run, shown)?,
            Update::Returned { results, wish, seen } => self.returned(results, wish, seen)?,
            Update::Drafted { message, focus } => {
                self.turn_mut()?.draft = Some(*message);
                self.focus = focus;
            }
            other => {
                if let Update::Read { shop: Some(shop), .. } = &other {
                    self.know_shop(shop);
                }
                self.turn_mut()?.step(other);
            }
        }
        Ok(())
    }

    fn repair(&self) -> Vec<Update> {
        self.turn.iter().map(|_| Update::Interrupted).collect()
    }
}

impl Shopping {
    /// The language of the customer's last message.
    #[must_use]
    pub fn lang(&self) -> Option<Lang> {
        self.messages.last().map(|m| m.lang)
    }

    /// What was seen in pictures of this thread.
    pub fn seen(&self) -> impl Iterator<Item = (&str, &Seen)> {
        self.pictures.iter().filter_map(|(id, seen)| seen.as_ref().map(|seen| (id.as_str(), seen)))
    }

    /// The turn under way.
    ///
    /// # Errors
    /// When there is none.
    pub fn turn(&self) -> Result<&Turn, ApplyError> {
        self.turn.as_ref().ok_or_else(no_turn)
    }

    fn turn_mut(&mut self) -> Result<&mut Turn, ApplyError> {
        self.turn.as_mut().ok_or_else(no_turn)
    }

    fn said(&mut self, message: &UserMessage) {
        self.interrupt();
        let lang = language(&message.text, self.lang(), message.locale);
        self.messages.push(ChatMessage::user(message, lang));
        self.evidence.say(&message.text);
        for image in &message.images {
            self.pictures.entry(image.clone()).or_default();
        }
        self.begin(Turn {
            answer: format!("ans_{}", message.id),
            lang,
            text: message.text.clone(),
            images: message.images.clone(),
            ..Turn::default()
        });
    }

    fn chip_removed(&mut self, id: String, locale: Lang) {
        self.interrupt();
        let answer = format!("ans_chip_{}", self.turns + 1);
        self.begin(Turn { answer, lang: self.lang().unwrap_or(locale), removed: Some(id), ..Turn::default() });
    }

    fn begin(&mut self, turn: Turn) {
        self.turns += 1;
        self.turn = Some(Turn { number: self.turns, ..turn });
    }

    /// A turn that is cut off leaves an answer that says so.
    fn interrupt(&mut self) {
        let Some(turn) = self.turn.take() else { return };
        let mut message = ChatMessage::assistant(turn.answer, turn.streamed, turn.lang);
        message.error = Some(INTERRUPTED.to_owned());
        message.by_rules = turn.driver == Driver::Rules;
        self.messages.push(message);
    }

    /// What the catalogue holds counts as known, once for each state of it.
    fn know_shop(&mut self, shop: &Value) {
        if !self.evidence.found().iter().any(|found| found.value == *shop) {
            self.evidence.push_record(super::tools::SHAPE, shop.clone());
        }
    }

    fn returned(
        &mut self,
        results: Vec<ToolResult>,
        wish: Option<Wish>,
        seen: Vec<(String, Seen)>,
    ) -> Result<(), ApplyError> {
        for result in &results {
            self.evidence.push(result);
            if let Ok(value) = &result.outcome {
                ids_in(value, &mut self.known);
            }
        }
        self.evidence.forget(EVIDENCE.0, EVIDENCE.1);
        for (image, seen) in seen {
            self.pictures.insert(image, Some(seen));
        }
        if wish.is_some() {
            self.wish = wish;
        }
        let turn = self.turn_mut()?;
        turn.planned.clear();
        if let Some(react) = &mut turn.react {
            react.tools_returned(results.clone());
        }
        turn.results.extend(results);
        Ok(())
    }

    fn answered(&mut self, run: String, shown: Vec<Shown>) -> Result<(), ApplyError> {
        let turn = self.turn.take().ok_or_else(no_turn)?;
        let mut message = turn.draft.ok_or_else(|| ApplyError::new("the turn ended without an answer"))?;
        message.run = Some(run);
        self.messages.push(message);
        if let (Some(wish), Some(end)) = (&mut self.wish, end_of_search(&turn.results)) {
            wish.offset = end;
        }
        if turn.reading.as_ref().is_some_and(|reading| reading.act == Act::Reset) {
            self.wish = None;
        } else if let Some(wish) = &mut self.wish
            && let Some(lost) = lost_in_search(&turn.results)
        {
            wish.lost = lost;
        }
        if !shown.is_empty() {
            self.shown = shown;
        }
        Ok(())
    }
}

impl Turn {
    fn step(&mut self, update: Update) {
        match update {
            Update::Read { reading, driver, react, fallback, planned, at, shop: _ } => {
                self.reading = Some(reading);
                self.driver = driver;
                self.react = react.map(|react| *react);
                self.fallback = fallback;
                self.planned = planned;
                self.at = Some(at);
            }
            Update::Replied { reply, wall_ms, streamed } => {
                self.streamed = streamed;
                if let Some(react) = &mut self.react {
                    react.elapsed(std::time::Duration::from_millis(wall_ms));
                    react.model_replied(*reply);
                }
            }
            Update::ModelFailed { error, wall_ms, streamed } => {
                self.streamed = streamed;
                if let Some(react) = &mut self.react {
                    react.elapsed(std::time::Duration::from_millis(wall_ms));
                    react.model_failed(error);
                }
            }
            Update::Planned { calls } => self.planned = calls,
            Update::Objected { complaints } => {
                if let Some(react) = &mut self.react {
                    react.object(&complaints.join("\n"));
                }
                self.complaints.extend(complaints);
            }
            Update::FellBack { reason } => {
                self.driver = Driver::Rules;
                self.planned.clear();
                self.fallback = Some(reason);
            }
            // The rest is about the conversation and is applied there.
            Update::Said(_)
            | Update::RemoveCondition { .. }
            | Update::Returned { .. }
            | Update::Drafted { .. }
            | Update::Answered { .. }
            | Update::Interrupted => {}
        }
    }
}

fn no_turn() -> ApplyError {
    ApplyError::new("no turn is under way")
}

/// Where the last search of a turn ended: what "more" goes on from.
fn end_of_search(results: &[ToolResult]) -> Option<usize> {
    let found =
        results.iter().rev().filter(|r| r.name == super::tools::SEARCH).find_map(|r| r.outcome.as_ref().ok())?;
    let offset = found.get("offset")?.as_u64().and_then(|n| usize::try_from(n).ok())?;
    Some(offset + found.get("items")?.as_array()?.len())
}

/// The words that the last search found nothing for or gave up; `None` when nothing was searched.
fn lost_in_search(results: &[ToolResult]) -> Option<Vec<String>> {
    let found =
        results.iter().rev().filter(|r| r.name == super::tools::SEARCH).find_map(|r| r.outcome.as_ref().ok())?;
    let words = ["unknown_words", "given_up_words"].into_iter().filter_map(|key| found.get(key)?.as_array()).flatten();
    Some(words.filter_map(|word| word.as_str()).map(str::to_owned).collect())
}

/// Product ids of a tool's output: every text under the key `id`.
fn ids_in(value: &Value, ids: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            for (key, field) in fields {
                match field {
                    Value::String(id) if key == "id" => {
                        ids.insert(id.clone());
                    }
                    other => ids_in(other, ids),
                }
            }
        }
        Value::Array(list) => list.iter().for_each(|item| ids_in(item, ids)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Whether a text is the id of a product that a tool returned in this thread.
#[must_use]
pub(super) fn is_known(state: &Shopping, id: &str) -> Option<ProductId> {
    state.known.contains(id).then(|| ProductId::new(id).ok()).flatten()
}
