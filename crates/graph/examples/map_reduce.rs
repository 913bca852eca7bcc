//! Map and reduce: reviews are read side by side, one task each, and summed up when all are read.
//!
//! `cargo run -p mercer-graph --example map_reduce`
//!
//! For those who know LangGraph: [`Step::goto_each`] is a list of `Send`s. Updates of tasks that run together are applied in the
//! order of the tasks, so the result does not depend on which finished first; an edge after the tasks waits for all of them.

#![expect(clippy::print_stdout, reason = "it is a program that shows something")]

use std::sync::Arc;
use std::time::Duration;

use mercer_graph::{
    ApplyError, Ctx, Engine, EngineOptions, Graph, MemoryStore, NewThread, NodeError, RunOptions, State, Step,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Reviews {
    texts: Vec<String>,
    happy: Vec<bool>,
    summary: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
enum Change {
    Came(Vec<String>),
    Read(bool),
    Summed(String),
}

impl State for Reviews {
    type Update = Change;

    fn apply(&mut self, change: Change) -> Result<(), ApplyError> {
        match change {
            Change::Came(texts) => self.texts.extend(texts),
            Change::Read(happy) => self.happy.push(happy),
            Change::Summed(summary) => self.summary = summary,
        }
        Ok(())
    }
}

type Next = Result<Step<Reviews>, NodeError>;

/// One task of `read` for each review, with the review as its input.
async fn split(_: Ctx<()>, reviews: Arc<Reviews>) -> Next {
    let inputs = reviews.texts.iter().map(|text| Value::from(text.as_str())).collect();
    Ok(Step::goto_each("read", inputs))
}

async fn read(ctx: Ctx<()>, _: Arc<Reviews>) -> Next {
    let text: String = ctx.input()?;
    // The longer ones take longer; the order of the results is that of the reviews all the same.
    tokio::time::sleep(Duration::from_millis(text.len() as u64)).await;
    Ok(Step::update(Change::Read(text.contains("love"))))
}

async fn sum_up(_: Ctx<()>, reviews: Arc<Reviews>) -> Next {
    let happy = reviews.happy.iter().filter(|happy| **happy).count();
    Ok(Step::update(Change::Summed(format!("{happy} of {} are happy", reviews.happy.len()))))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let graph = Graph::named("reviews")
        .entry("split")
        .node("split", split)
        .may_goto("split", ["read"])
        .node("read", read)
        .edge("read", "sum_up")
        .node("sum_up", sum_up)
        .end("sum_up")
        .build()?;
    let engine = Engine::new(MemoryStore::new(), EngineOptions::default());
    let agent = engine.register(graph, ());
    let thread = engine.create_thread(NewThread { agent: "reviews".into(), ..NewThread::default() }).await?;
    let texts = ["I love this dress, it fits and the colour is as shown", "too small", "love it"];
    let input = Change::Came(texts.map(str::to_owned).to_vec());
    let run = agent.start(&thread, vec![input], RunOptions::default()).await?;
    println!("{}", engine.wait(&run).await?.status);
    if let Some(snapshot) = agent.state(&thread).await? {
        println!("{:?}: {}", snapshot.state.happy, snapshot.state.summary);
    }
    for step in agent.history(&thread, 10, None).await? {
        println!("checkpoint {} by {:?}, next {:?}", step.step, step.nodes, step.next);
    }
    Ok(())
}
