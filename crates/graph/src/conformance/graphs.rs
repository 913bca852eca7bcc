//! Scenarios for [`sweep`](super::crash::sweep): a chain with an effect a node, and a fan-out that asks a person.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::crash::{Scenario, drive};
use crate::{
    Agent, ApplyError, Ctx, EffectFault, EffectKey, Engine, EngineError, Graph, Interrupt, NodeError, OnUnknown,
    RunStatus, State, Step, ThreadId,
};

/// A state that is a list of lines.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lines(pub Vec<String>);

impl State for Lines {
    type Update = String;

    fn apply(&mut self, line: String) -> Result<(), ApplyError> {
        self.0.push(line);
        Ok(())
    }
}

/// The outside: it knows each effect by its key, does it once, and counts how often it was asked.
#[derive(Debug, Clone, Default)]
pub struct Outside {
    asked: Arc<Mutex<BTreeMap<String, usize>>>,
}

impl Outside {
    fn ask(&self, key: &str) -> usize {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let times = asked.entry(key.to_owned()).or_default();
        *times += 1;
        *times
    }

    /// The effects that happened, and how often each was asked for.
    #[must_use]
    pub fn asked(&self) -> BTreeMap<String, usize> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

async fn pay(ctx: &Ctx<Outside>, key: String) -> Result<String, NodeError> {
    let outside = ctx.deps().clone();
    let done = ctx.effect("pay", EffectKey::of([&key]), OnUnknown::Repeat, async {
        outside.ask(&key);
        Ok::<_, EffectFault>(format!("paid {key}"))
    });
    Ok(done.await?)
}

async fn play(agent: &Agent<Lines>) -> Result<(), EngineError> {
    let thread: ThreadId = "thr_crash".parse().map_err(|_bad| EngineError::Draining)?;
    drive(agent, &thread, "default", vec!["begin".to_owned()], |_| json!("yes")).await.map(drop)
}

async fn end(agent: &Agent<Lines>, engine: &Engine, crash: &str) -> Vec<String> {
    let thread: ThreadId = "thr_crash".parse().expect("a thread id");
    let runs = engine.runs(&crate::RunFilter::default()).await.expect("the runs can be listed");
    let ended: Vec<RunStatus> = runs.iter().map(|run| run.status).collect();
    assert_eq!(ended, [RunStatus::Done], "after a crash at {crash}: {runs:?}");
    agent.state(&thread).await.expect("the state loads").expect("the thread is there").state.0
}

fn once_each(outside: &Outside, expected: usize, crash: &str) {
    let asked = outside.asked();
    assert_eq!(asked.len(), expected, "after a crash at {crash}: {asked:?}");
    let again: usize = asked.values().map(|times| times - 1).sum();
    assert!(again <= 2, "at most the effect each of two crashes cut short is asked for again; at {crash}: {asked:?}");
}

/// A chain of nodes, each with one effect.
#[derive(Debug, Clone, Copy)]
pub struct Chain(pub usize);

impl Chain {
    fn register(self, engine: &Engine, world: &Outside) -> Agent<Lines> {
        let name = |number: usize| format!("n{number}");
        let mut graph = Graph::named("chain").entry("n0");
        for number in 0..self.0 {
            graph = graph.node(&name(number), move |ctx: Ctx<Outside>, _: Arc<Lines>| async move {
                ctx.emit_message_delta("m", "…");
                Ok(Step::update(pay(&ctx, format!("order {number}")).await?))
            });
            graph = match number + 1 == self.0 {
                true => graph.end(&name(number)),
                false => graph.edge(&name(number), &name(number + 1)),
            };
        }
        engine.register(graph.build().expect("the chain is a graph"), world.clone())
    }
}

impl Scenario for Chain {
    type World = Outside;

    async fn play(&self, engine: &Engine, world: &Outside) -> Result<(), EngineError> {
        play(&self.register(engine, world)).await
    }

    async fn check(&self, engine: &Engine, world: &Outside, crash: &str) {
        let lines = end(&self.register(engine, world), engine, crash).await;
        let mut expected = vec!["begin".to_owned()];
        expected.extend((0..self.0).map(|number| format!("paid order {number}")));
        assert_eq!(lines, expected, "after a crash at {crash}");
        once_each(world, self.0, crash);
    }
}

/// A fan-out over inputs, each task with one effect and one of them with a question, then a node that sees them all.
#[derive(Debug, Clone, Copy)]
pub struct FanOut(pub usize);

impl FanOut {
    fn register(self, engine: &Engine, world: &Outside) -> Agent<Lines> {
        let inputs: Vec<Value> = (0..self.0).map(|number| json!(number)).collect();
        let work = |ctx: Ctx<Outside>, _: Arc<Lines>| async move {
            let number: usize = ctx.input()?;
            if number == 1 && ctx.answer("really").is_none() {
                return Ok(Step::interrupt(Interrupt::new("really", json!(number))));
            }
            Ok(Step::update(pay(&ctx, format!("item {number}")).await?))
        };
        let collect =
            |_: Ctx<Outside>, lines: Arc<Lines>| async move { Ok(Step::update(format!("{} lines", lines.0.len()))) };
        let graph = Graph::named("fan-out")
            .entry("split")
            .node("split", move |_, _| std::future::ready(Ok(Step::goto_each("work", inputs.clone()))))
            .may_goto("split", ["work"])
            .node("work", work)
            .edge("work", "collect")
            .node("collect", collect)
            .end("collect")
            .build();
        engine.register(graph.expect("the fan-out is a graph"), world.clone())
    }
}

impl Scenario for FanOut {
    type World = Outside;

    async fn play(&self, engine: &Engine, world: &Outside) -> Result<(), EngineError> {
        play(&self.register(engine, world)).await
    }

    async fn check(&self, engine: &Engine, world: &Outside, crash: &str) {
        let lines = end(&self.register(engine, world), engine, crash).await;
        let mut expected = vec!["begin".to_owned()];
        // The task that asked is answered after the others have finished.
        expected.extend((0..self.0).filter(|number| *number != 1).map(|number| format!("paid item {number}")));
        expected.push("paid item 1".to_owned());
        expected.push(format!("{} lines", self.0 + 1));
        assert_eq!(lines, expected, "after a crash at {crash}");
        once_each(world, self.0, crash);
    }
}
