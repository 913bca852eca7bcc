//! Draft, critique, revise: a pure machine that keeps the best draft.
//!
//! What a critique looks at is data: [`Preset`] names the dimensions, their weights and the bar. The scores come from a
//! model, so they decide only which draft is kept and when to stop, never whether something is allowed.

use mercer_model::{FinishReason, json};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{Lang, quote};

/// A dimension of the critique.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dimension {
    /// Its name, also the key in the critique's JSON.
    pub name: String,
    /// What is asked.
    pub question: String,
    /// How much it counts.
    #[serde(default = "one")]
    pub weight: u32,
}

fn one() -> u32 {
    1
}

impl Dimension {
    /// A dimension of weight one.
    fn asking((name, question): (&str, &str)) -> Self {
        Self { name: name.into(), question: question.into(), weight: 1 }
    }
}

/// What is criticised, and when a draft is good enough.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Preset {
    /// Its name.
    pub name: String,
    /// The dimensions.
    pub dimensions: Vec<Dimension>,
    /// The weighted score out of 100 at which the draft is kept at once.
    pub bar: u32,
    /// How often a draft is revised at most.
    pub rounds: u32,
}

impl Preset {
    /// The reviewer of an academic paper, an example.
    #[must_use]
    pub fn paper() -> Self {
        let dimensions = [
            ("novelty", "Does it say what is new, and against which earlier work?"),
            ("rigour", "Do the methods support the claims?"),
            ("clarity", "Can a reader of the field follow it at the first reading?"),
            ("evidence", "Is each claim backed by data or a reference?"),
            ("structure", "Does each part have its place and purpose?"),
        ];
        Self { name: "paper".into(), dimensions: dimensions.map(Dimension::asking).to_vec(), bar: 85, rounds: 3 }
    }

    /// The reviewer of an answer to a customer.
    #[must_use]
    pub fn answer() -> Self {
        let dimensions = [
            ("support", "Is every fact in it one that was looked up, and is nothing promised?"),
            ("use", "Does it answer what was asked, with what the customer needs to decide?"),
            ("brevity", "Could anything be left out?"),
            ("tone", "Is it friendly, in the customer's language, and free of shop jargon?"),
        ];
        Self { name: "answer".into(), dimensions: dimensions.map(Dimension::asking).to_vec(), bar: 85, rounds: 2 }
    }
}

/// A critique.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Critique {
    /// A score out of 100 for each dimension, in the preset's order.
    pub scores: Vec<u32>,
    /// The weighted score out of 100.
    pub score: u32,
    /// What to change.
    pub advice: String,
}

/// A draft and what was thought of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draft {
    /// The text.
    pub text: String,
    /// Its critique.
    pub critique: Option<Critique>,
}

/// What is to be done next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Ask the model for a critique with this prompt.
    Critique(String),
    /// Ask the model for a revision with this prompt.
    Revise(String),
    /// Finished: the best draft.
    Done(Draft),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Phase {
    Judging,
    Revising,
    Done,
}

/// The machine. It can be stored between any two steps.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reflect {
    preset: Preset,
    task: String,
    lang: Lang,
    drafts: Vec<Draft>,
    unreadable: u32,
    phase: Phase,
}

impl Reflect {
    /// Begins with a draft for a task.
    #[must_use]
    pub fn new(preset: Preset, task: impl Into<String>, draft: impl Into<String>, lang: Lang) -> Self {
        let drafts = vec![Draft { text: draft.into(), critique: None }];
        Self { preset, task: task.into(), lang, drafts, unreadable: 0, phase: Phase::Judging }
    }

    /// What is to be done next. Asking twice gives the same.
    #[must_use]
    pub fn next(&self) -> Step {
        match self.phase {
            Phase::Judging => Step::Critique(self.critique_prompt()),
            Phase::Revising => Step::Revise(self.revise_prompt()),
            Phase::Done => Step::Done(self.best().clone()),
        }
    }

    /// The model's text for the step. A critique that cannot be read is asked for once more; then the best draft stands.
    pub fn replied(&mut self, text: &str) {
        match self.phase {
            Phase::Judging => match self.read(text) {
                Some(critique) => self.judged(critique),
                None => {
                    self.unreadable += 1;
                    if self.unreadable > 1 {
                        self.phase = Phase::Done;
                    }
                }
            },
            Phase::Revising if text.trim().is_empty() => self.phase = Phase::Done,
            Phase::Revising => {
                self.drafts.push(Draft { text: text.trim().to_owned(), critique: None });
                self.phase = Phase::Judging;
            }
            Phase::Done => {}
        }
    }

    /// The model did not reply: the best draft stands.
    pub fn failed(&mut self) {
        self.phase = Phase::Done;
    }

    /// All drafts, oldest first.
    #[must_use]
    pub fn drafts(&self) -> &[Draft] {
        &self.drafts
    }

    /// The draft with the highest score; among equals the earliest, and one without a critique counts as nothing.
    fn best(&self) -> &Draft {
        let score = |draft: &Draft| draft.critique.as_ref().map(|critique| critique.score);
        let mut drafts = self.drafts.iter();
        let first = drafts.next().unwrap_or(&NO_DRAFT);
        drafts.fold(first, |best, draft| if score(draft) > score(best) { draft } else { best })
    }

    fn judged(&mut self, critique: Critique) {
        self.unreadable = 0;
        let enough = critique.score >= self.preset.bar;
        if let Some(last) = self.drafts.last_mut() {
            last.critique = Some(critique);
        }
        let revisions = u32::try_from(self.drafts.len().saturating_sub(1)).unwrap_or(u32::MAX);
        self.phase = if enough || revisions >= self.preset.rounds { Phase::Done } else { Phase::Revising };
    }

    /// Every dimension has to be scored; a missing one makes the critique unreadable rather than good.
    fn read(&self, text: &str) -> Option<Critique> {
        let value = json::read(text, &self.schema(), FinishReason::Stop).for_read().ok()?.to_serde().ok()?;
        let scores = self
            .preset
            .dimensions
            .iter()
            .map(|dimension| {
                let score = value.get("scores")?.get(&dimension.name)?.as_u64()?;
                u32::try_from(score).ok().filter(|score| *score <= 100)
            })
            .collect::<Option<Vec<_>>>()?;
        let weights = self.preset.dimensions.iter().map(|dimension| dimension.weight);
        let sum: u32 = weights.clone().sum();
        let total: u32 = scores.iter().zip(weights).map(|(score, weight)| score.saturating_mul(weight)).sum();
        let advice = value.get("advice").and_then(Value::as_str).unwrap_or_default().to_owned();
        Some(Critique { scores, score: total.checked_div(sum)?, advice })
    }

    fn schema(&self) -> Value {
        let score = json!({ "type": "integer", "minimum": 0, "maximum": 100 });
        let names = self.preset.dimensions.iter().map(|dimension| dimension.name.clone()).collect::<Vec<_>>();
        let scores = names.iter().map(|name| (name.clone(), score.clone())).collect::<serde_json::Map<_, _>>();
        json!({
            "type": "object",
            "required": ["scores", "advice"],
            "properties": {
                "scores": { "type": "object", "required": names, "properties": scores },
                "advice": { "type": "string" },
            },
        })
    }

    fn critique_prompt(&self) -> String {
        let dimensions = self
            .preset
            .dimensions
            .iter()
            .map(|d| format!("- {}: {}", d.name, d.question))
            .collect::<Vec<_>>()
            .join("\n");
        let draft = quote::quoted(self.drafts.last().map(|draft| draft.text.as_str()).unwrap_or_default(), usize::MAX);
        let task = quote::quoted(&self.task, 8_000);
        let form = r#"{"scores": {"NAME": 0-100, …}, "advice": "…"}"#;
        self.lang.pick(
            format!("请严格评审一份草稿。\n任务：{task}\n草稿：{draft}\n评审维度：\n{dimensions}\n每个维度打 0 到 100 分，并写出最重要的修改意见。只写一个 JSON 对象：{form}"),
            format!("Review a draft strictly.\nTask: {task}\nDraft: {draft}\nDimensions:\n{dimensions}\nScore each dimension from 0 to 100 and say what matters most to change. Write one JSON object only: {form}"),
        )
    }

    fn revise_prompt(&self) -> String {
        let last = self.drafts.last();
        let draft = quote::quoted(last.map(|draft| draft.text.as_str()).unwrap_or_default(), usize::MAX);
        let advice =
            last.and_then(|draft| draft.critique.as_ref()).map(|critique| critique.advice.as_str()).unwrap_or_default();
        let (task, advice) = (quote::quoted(&self.task, 8_000), quote::quoted(advice, 8_000));
        self.lang.pick(
            format!("请按评审意见修改草稿，只写修改后的全文。\n任务：{task}\n草稿：{draft}\n评审意见：{advice}"),
            format!("Revise the draft by the advice and write the whole revised text, nothing else.\nTask: {task}\nDraft: {draft}\nAdvice: {advice}"),
        )
    }
}

static NO_DRAFT: Draft = Draft { text: String::new(), critique: None };
