//! Plan, carry out, plan again when a step fails, compose: a pure machine.
//!
//! Each step is carried out by a [`React`](crate::React) loop of its own, which the caller runs with [`Step::Execute`]'s
//! question; the plan knows only what came of it.

use mercer_model::{FinishReason, json};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{Lang, quote};

/// A step of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Planned {
    /// What is to be found out or done.
    pub step: String,
    /// What for.
    pub purpose: String,
}

/// What came of a step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Carried {
    /// The step.
    pub planned: Planned,
    /// Its result, or why there is none.
    pub outcome: Result<String, String>,
}

/// What is to be done next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Ask the model for a plan with this prompt.
    Plan(String),
    /// Carry out a step, with what is known so far in the prompt.
    Execute {
        /// The step.
        planned: Planned,
        /// The question for the loop that carries it out.
        prompt: String,
    },
    /// Ask the model for the answer with this prompt.
    Compose(String),
    /// Finished.
    Done(Outcome),
}

/// How it ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum Outcome {
    /// The model answered.
    Answered {
        /// The answer.
        text: String,
    },
    /// No usable plan came.
    NoPlan,
    /// Steps failed more often than plans may be made.
    StepsFailed,
    /// The model did not reply, or replied nothing, when asked for the answer.
    NoAnswer,
}

/// How far it may go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Limits {
    /// Steps of one plan.
    pub steps: usize,
    /// Plans, the first included.
    pub plans: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self { steps: 6, plans: 3 }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "phase", rename_all = "snake_case")]
enum Phase {
    Planning,
    Executing,
    Composing,
    Done { outcome: Outcome },
}

/// The machine. It can be stored between any two steps.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    question: String,
    tools: Vec<String>,
    limits: Limits,
    lang: Lang,
    plans: u32,
    ahead: Vec<Planned>,
    carried: Vec<Carried>,
    phase: Phase,
}

impl Plan {
    /// Begins with a question, and the names of the tools that steps may use.
    #[must_use]
    pub fn new(question: impl Into<String>, tools: Vec<String>, limits: Limits, lang: Lang) -> Self {
        let (ahead, carried) = (Vec::new(), Vec::new());
        Self { question: question.into(), tools, limits, lang, plans: 0, ahead, carried, phase: Phase::Planning }
    }

    /// What is to be done next. Asking twice gives the same.
    #[must_use]
    pub fn next(&self) -> Step {
        match (&self.phase, self.ahead.first()) {
            (Phase::Planning, _) => Step::Plan(self.plan_prompt()),
            (Phase::Executing, Some(planned)) => {
                Step::Execute { planned: planned.clone(), prompt: self.step_prompt(planned) }
            }
            (Phase::Executing | Phase::Composing, _) => Step::Compose(self.compose_prompt()),
            (Phase::Done { outcome }, _) => Step::Done(outcome.clone()),
        }
    }

    /// The model's text for [`Step::Plan`] or [`Step::Compose`].
    pub fn replied(&mut self, text: &str) {
        match self.phase {
            Phase::Planning => {
                self.plans += 1;
                match self.read(text) {
                    Some(steps) => {
                        self.ahead = steps;
                        self.phase = Phase::Executing;
                    }
                    None if self.plans >= self.limits.plans => self.end(Outcome::NoPlan),
                    None => {}
                }
            }
            Phase::Executing if !self.ahead.is_empty() => {}
            Phase::Executing | Phase::Composing if text.trim().is_empty() => self.end(Outcome::NoAnswer),
            Phase::Executing | Phase::Composing => self.end(Outcome::Answered { text: text.trim().to_owned() }),
            Phase::Done { .. } => {}
        }
    }

    /// What came of the step under way. A failure asks for a new plan for what is left.
    pub fn carried(&mut self, outcome: Result<String, String>) {
        if self.phase != Phase::Executing || self.ahead.is_empty() {
            return;
        }
        let planned = self.ahead.remove(0);
        let failed = outcome.is_err();
        self.carried.push(Carried { planned, outcome });
        if failed {
            self.ahead.clear();
            if self.plans >= self.limits.plans { self.end(Outcome::StepsFailed) } else { self.phase = Phase::Planning }
        } else if self.ahead.is_empty() {
            self.phase = Phase::Composing;
        }
    }

    /// The model did not reply.
    pub fn failed(&mut self) {
        let outcome = if self.phase == Phase::Planning { Outcome::NoPlan } else { Outcome::NoAnswer };
        self.end(outcome);
    }

    /// What was carried out, in order.
    #[must_use]
    pub fn done(&self) -> &[Carried] {
        &self.carried
    }

    fn end(&mut self, outcome: Outcome) {
        self.phase = Phase::Done { outcome };
    }

    fn read(&self, text: &str) -> Option<Vec<Planned>> {
        let step = json!({
            "type": "object",
            "required": ["step", "purpose"],
            "properties": { "step": { "type": "string" }, "purpose": { "type": "string" } },
        });
        let schema = json!({
            "type": "object",
            "required": ["steps"],
            "properties": { "steps": { "type": "array", "items": step } },
        });
        let value = json::read(text, &schema, FinishReason::Stop).for_read().ok()?.to_serde().ok()?;
        let steps: Vec<Planned> = serde_json::from_value(value.get("steps")?.clone()).ok()?;
        let usable =
            !steps.is_empty() && steps.len() <= self.limits.steps && steps.iter().all(|s| !s.step.trim().is_empty());
        usable.then_some(steps)
    }

    fn known(&self) -> String {
        let line = |carried: &Carried| {
            let outcome = match &carried.outcome {
                Ok(text) => json!({ "step": carried.planned.step, "result": quote::clean(text, 4_000) }),
                Err(text) => json!({ "step": carried.planned.step, "failed": quote::clean(text, 400) }),
            };
            outcome.to_string()
        };
        let lines = self.carried.iter().map(line).collect::<Vec<_>>();
        if lines.is_empty() { Value::Null.to_string() } else { lines.join("\n") }
    }

    fn plan_prompt(&self) -> String {
        let (question, tools, known) = (quote::quoted(&self.question, 8_000), self.tools.join(", "), self.known());
        let most = self.limits.steps;
        let form = r#"{"steps": [{"step": "…", "purpose": "…"}]}"#;
        self.lang.pick(
            format!("为回答问题制定计划，最多 {most} 步，只列还需要做的步骤。\n问题：{question}\n可用工具：{tools}\n已完成：{known}\n只写一个 JSON 对象：{form}"),
            format!("Make a plan of at most {most} steps that answers the question; list only what is still to be done.\nQuestion: {question}\nTools: {tools}\nDone so far: {known}\nWrite one JSON object only: {form}"),
        )
    }

    fn step_prompt(&self, planned: &Planned) -> String {
        let (step, purpose, known) =
            (quote::quoted(&planned.step, 2_000), quote::quoted(&planned.purpose, 2_000), self.known());
        self.lang.pick(
            format!("完成这一步，只报告结果。\n步骤：{step}\n目的：{purpose}\n已完成：{known}"),
            format!("Carry out this step and report its result only.\nStep: {step}\nPurpose: {purpose}\nDone so far: {known}"),
        )
    }

    fn compose_prompt(&self) -> String {
        let (question, known) = (quote::quoted(&self.question, 8_000), self.known());
        self.lang.pick(
            format!("根据各步骤的结果回答问题，不要添加结果里没有的内容。\n问题：{question}\n结果：{known}"),
            format!("Answer the question from the results of the steps; add nothing that is not in them.\nQuestion: {question}\nResults: {known}"),
        )
    }
}
