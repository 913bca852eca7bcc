//! Drives the loops with a model and a set of tools, for programs that have no graph: examples, a terminal, tests.
//!
//! The loops decide; this does what they say and feeds them. Nothing here is durable: an agent that must survive a crash
//! runs the same machines as nodes of a graph.

mod floor;

use std::{fmt, time::Duration};

use futures::future::join_all;
use mercer_model::{ChatModel, ChatRequest, Message, ModelError, ToolCall, complete};
use tokio::time::Instant;

use crate::{
    Finish, Lang, React, Registry, ToolCtx, ToolResult,
    fallback::{self, Fallback},
    plan::{self, Plan},
    react::{Decision, Next, Prompt},
    reflect::{self, Draft, Reflect},
};

pub use floor::plain_floor;

/// Something that happened, for whoever watches.
#[derive(Debug)]
pub enum Seen<'a> {
    /// The model is asked.
    Asked,
    /// The model wrote this.
    Wrote(&'a str),
    /// The model did not reply.
    Failed(&'a ModelError),
    /// A tool is called.
    Called(&'a ToolCall),
    /// A tool returned.
    Returned(&'a ToolResult),
    /// A step of a plan begins.
    Step(&'a plan::Planned),
    /// A draft was judged, with its score.
    Judged(u32),
    /// No model answers; the floor does, for this reason.
    FellBack(&'a str),
}

/// An answer and how it came about.
#[derive(Debug, Clone, PartialEq)]
pub struct Answered {
    /// The text.
    pub text: String,
    /// Why the floor answered, when it did.
    pub fallback: Option<String>,
    /// What tools returned.
    pub results: Vec<ToolResult>,
}

type Watch<'a> = &'a (dyn Fn(Seen<'_>) + Send + Sync);
type Ask<'a> = &'a (dyn Fn(&ToolCall) -> Decision + Send + Sync);
type Core<'a> = &'a (dyn Fn(&str) -> Vec<ToolCall> + Send + Sync);
type Floor<'a> = &'a (dyn Fn(&str, &[ToolResult], Lang) -> String + Send + Sync);

/// A model with tools, ready to drive loops.
pub struct Driver<'a, D> {
    model: Option<&'a dyn ChatModel>,
    tools: &'a Registry<D>,
    ctx: ToolCtx<D>,
    system: String,
    watch: Watch<'a>,
    ask: Ask<'a>,
    core: Core<'a>,
    floor: Floor<'a>,
}

impl<D> fmt::Debug for Driver<'_, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Driver").field("model", &self.model).field("system", &self.system).finish_non_exhaustive()
    }
}

impl<'a, D: Send + Sync + 'static> Driver<'a, D> {
    /// A driver. Without a model every question is answered by the floor.
    #[must_use]
    pub fn new(model: Option<&'a dyn ChatModel>, tools: &'a Registry<D>, ctx: ToolCtx<D>) -> Self {
        Self {
            model,
            tools,
            ctx,
            system: String::new(),
            watch: &|_| {},
            ask: &|_| Decision::Decline { reason: None },
            core: &|_| Vec::new(),
            floor: &plain_floor,
        }
    }

    /// With instructions for the model.
    #[must_use]
    pub fn with_system(mut self, system: impl Into<String>) -> Self {
        self.system = system.into();
        self
    }

    /// With somebody who watches.
    #[must_use]
    pub fn with_watch(mut self, watch: Watch<'a>) -> Self {
        self.watch = watch;
        self
    }

    /// With somebody who decides about calls that need approval. Without, they are declined.
    #[must_use]
    pub fn with_person(mut self, ask: Ask<'a>) -> Self {
        self.ask = ask;
        self
    }

    /// With the core reads for a question, and the floor that answers from them.
    #[must_use]
    pub fn with_floor(mut self, core: Core<'a>, floor: Floor<'a>) -> Self {
        (self.core, self.floor) = (core, floor);
        self
    }

    /// Answers a question by ReAct; by the floor when the loop ends without an answer.
    pub async fn answer(&self, react: React, question: &str) -> Answered {
        let Some(model) = self.model else { return self.fall_back("no_model", question, Vec::new()).await };
        let ended = self.react(model, react, question).await;
        let results: Vec<ToolResult> = ended.results().cloned().collect();
        match ended.finish() {
            Some(Finish::Answered(answer)) if !answer.text.trim().is_empty() => {
                Answered { text: answer.text, fallback: None, results }
            }
            finish => {
                let reason = finish.as_ref().map_or("no_answer", Finish::code).to_owned();
                self.fall_back(&reason, question, results).await
            }
        }
    }

    /// Answers a question by a plan; by the floor when there is none.
    pub async fn plan(&self, react: &React, mut plan: Plan, question: &str) -> Answered {
        let Some(model) = self.model else { return self.fall_back("no_model", question, Vec::new()).await };
        let mut results = Vec::new();
        let outcome = loop {
            match plan.next() {
                plan::Step::Plan(prompt) => match self.say(model, "plan.plan", prompt).await {
                    Ok(text) => plan.replied(&text),
                    Err(_failed) => plan.failed(),
                },
                plan::Step::Execute { planned, prompt } => {
                    (self.watch)(Seen::Step(&planned));
                    let ended = self.react(model, react.clone(), &prompt).await;
                    results.extend(ended.results().cloned());
                    plan.carried(match ended.finish() {
                        Some(Finish::Answered(answer)) if !answer.text.trim().is_empty() => Ok(answer.text),
                        finish => Err(finish.as_ref().map_or("no answer", Finish::code).to_owned()),
                    });
                }
                plan::Step::Compose(prompt) => match self.say(model, "plan.compose", prompt).await {
                    Ok(text) => plan.replied(&text),
                    Err(_failed) => plan.failed(),
                },
                plan::Step::Done(outcome) => break outcome,
            }
        };
        let reason = match outcome {
            plan::Outcome::Answered { text } => return Answered { text, fallback: None, results },
            plan::Outcome::NoPlan => "no_plan",
            plan::Outcome::StepsFailed => "steps_failed",
            plan::Outcome::NoAnswer => "no_answer",
        };
        self.fall_back(reason, question, results).await
    }

    /// Runs a ReAct loop to its end.
    pub async fn react(&self, model: &dyn ChatModel, mut react: React, question: &str) -> React {
        let began = Instant::now();
        let mut asked = Duration::ZERO;
        loop {
            react.elapsed(began.elapsed().saturating_sub(asked));
            match react.next() {
                Next::CallModel { .. } => {
                    let request = react.request(Prompt {
                        system: self.system.clone(),
                        history: vec![Message::user(question)],
                        tools: self.tools.definitions(self.ctx.lang()),
                        purpose: "react",
                    });
                    match self.complete(model, request).await {
                        Ok(reply) => react.model_replied(reply),
                        Err(error) => react.model_failed(error),
                    }
                }
                Next::CallTools(calls) => react.tools_returned(self.call(&calls).await),
                Next::AskPerson(calls) => {
                    let since = Instant::now();
                    for call in &calls {
                        react.person_decided(&call.id, &(self.ask)(call));
                    }
                    asked += since.elapsed();
                }
                Next::Done(_) => return react,
            }
        }
    }

    async fn call(&self, calls: &[ToolCall]) -> Vec<ToolResult> {
        join_all(calls.iter().map(|call| async move {
            (self.watch)(Seen::Called(call));
            let result = self.tools.call(&self.ctx, call).await;
            (self.watch)(Seen::Returned(&result));
            result
        }))
        .await
    }

    /// Makes the core reads and lets the floor answer.
    pub async fn fall_back(&self, reason: &str, question: &str, known: Vec<ToolResult>) -> Answered {
        (self.watch)(Seen::FellBack(reason));
        let mut fallback = Fallback::new(reason, (self.core)(question), known);
        loop {
            match fallback.next() {
                fallback::Step::Read(calls) => fallback.returned(self.call(&calls).await),
                fallback::Step::Floor(results) => {
                    let text = (self.floor)(question, &results, self.ctx.lang());
                    return Answered { text, fallback: Some(reason.to_owned()), results };
                }
            }
        }
    }

    async fn say(&self, model: &dyn ChatModel, purpose: &'static str, prompt: String) -> Result<String, ModelError> {
        say(model, purpose, prompt, self.watch).await
    }

    async fn complete(
        &self,
        model: &dyn ChatModel,
        request: ChatRequest,
    ) -> Result<mercer_model::ChatReply, ModelError> {
        told(model, request, self.watch).await
    }
}

/// Runs a reflection to its end. No tools are needed.
pub async fn reflect(model: &dyn ChatModel, mut reflect: Reflect, watch: Watch<'_>) -> Draft {
    loop {
        let (purpose, prompt) = match reflect.next() {
            reflect::Step::Critique(prompt) => ("reflect.critique", prompt),
            reflect::Step::Revise(prompt) => ("reflect.revise", prompt),
            reflect::Step::Done(draft) => return draft,
        };
        match say(model, purpose, prompt, watch).await {
            Ok(text) => reflect.replied(&text),
            Err(_told) => reflect.failed(),
        }
        if let Some(critique) = reflect.drafts().last().and_then(|draft| draft.critique.as_ref()) {
            watch(Seen::Judged(critique.score));
        }
    }
}

async fn say(
    model: &dyn ChatModel,
    purpose: &'static str,
    prompt: String,
    watch: Watch<'_>,
) -> Result<String, ModelError> {
    Ok(told(model, ChatRequest::new(purpose, vec![Message::user(prompt)]), watch).await?.text)
}

async fn told(
    model: &dyn ChatModel,
    request: ChatRequest,
    watch: Watch<'_>,
) -> Result<mercer_model::ChatReply, ModelError> {
    watch(Seen::Asked);
    let reply = complete(model, request).await;
    match &reply {
        Ok(reply) if !reply.text.trim().is_empty() => watch(Seen::Wrote(&reply.text)),
        Ok(_) => {}
        Err(error) => watch(Seen::Failed(error)),
    }
    reply
}
