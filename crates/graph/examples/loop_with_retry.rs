//! A loop with retries: a text is drafted and judged until it is good enough, over a service that often fails.
//!
//! `cargo run -p mercer-graph --example loop_with_retry`
//!
//! For those who know LangGraph: [`NodePolicy`] is a node's `RetryPolicy`, timeouts and error handler; a branch back to an earlier
//! node is the loop; `ctx.remaining_steps()` tells how much of the step limit is left, so that the loop can close politely.

#![expect(clippy::print_stdout, reason = "it is a program that shows something")]

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use futures::StreamExt;
use mercer_graph::{
    ApplyError, Ctx, END, Engine, EngineOptions, EventBody, Graph, MemoryStore, NewThread, NodeError, NodePolicy,
    Retry, RunOptions, State, Step,
};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Text {
    draft: String,
    score: u32,
    last: bool,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
enum Change {
    Drafted(String),
    Judged { score: u32, last: bool },
}

impl State for Text {
    type Update = Change;

    fn apply(&mut self, change: Change) -> Result<(), ApplyError> {
        match change {
            Change::Drafted(draft) => self.draft = draft,
            Change::Judged { score, last } => (self.score, self.last) = (score, last),
        }
        Ok(())
    }
}

/// A service that fails every second time.
#[derive(Debug, Clone, Default)]
struct Writer(Arc<AtomicU32>);

impl Writer {
    async fn write(&self, draft: &str) -> Result<String, NodeError> {
        match self.0.fetch_add(1, Ordering::Relaxed) % 2 {
            0 => Err(NodeError::transient("the writer is busy")),
            _ => Ok(format!("{draft} better")),
        }
    }
}

async fn draft(ctx: Ctx<Writer>, text: Arc<Text>) -> Result<Step<Text>, NodeError> {
    Ok(Step::update(Change::Drafted(ctx.deps().write(&text.draft).await?)))
}

async fn judge(ctx: Ctx<Writer>, text: Arc<Text>) -> Result<Step<Text>, NodeError> {
    let score = u32::try_from(text.draft.matches("better").count())?;
    Ok(Step::update(Change::Judged { score, last: ctx.remaining_steps() < 2 }))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let retry = Retry { first: Duration::from_millis(10), ..Retry::attempts(3) };
    let policy = NodePolicy { retry: vec![retry], run_timeout: Some(Duration::from_secs(5)), ..NodePolicy::default() };
    let graph = Graph::named("writing")
        .entry("draft")
        .node_with("draft", draft, policy)
        .edge("draft", "judge")
        .node("judge", judge)
        .branch("judge", |text: &Text| if text.score < 3 && !text.last { "draft" } else { END }, ["draft", END])
        .build()?;
    let engine = Engine::new(MemoryStore::new(), EngineOptions::default());
    let agent = engine.register(graph, Writer::default());
    let thread = engine.create_thread(NewThread { agent: "writing".into(), ..NewThread::default() }).await?;
    let begin = Change::Drafted("a text,".to_owned());
    let run = agent.start(&thread, vec![begin], RunOptions { step_limit: Some(20), ..RunOptions::default() }).await?;
    let mut events = std::pin::pin!(engine.events(&run, 0));
    while let Some(event) = events.next().await {
        match event?.body {
            EventBody::TaskRetried { attempt, error, .. } => println!("attempt {attempt} of {error}"),
            EventBody::TaskFinished { node, updates, .. } => println!("{node}: {updates}"),
            EventBody::RunFinished { status, .. } => println!("{status}"),
            _ => {}
        }
    }
    Ok(())
}
