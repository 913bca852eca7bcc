//! A long time in a short one: 10,000 threads, 100 at once, and the memory of the process; then a start over 100,000 stored
//! threads.
//!
//! `cargo run --release -p mercer-store --example soak [-- threads [stored]]`

#![expect(clippy::print_stdout, reason = "it is a program that prints a table")]

use std::path::Path;

use futures::StreamExt;
use mercer_graph::conformance::graphs::Lines;
use mercer_graph::{
    Agent, Ctx, EffectFault, EffectKey, Engine, EngineOptions, Graph, NewThread, OnUnknown, RunOptions, Step,
};
use mercer_store::{Safety, SqliteStore};
use tokio::time::Instant;

type Fallible<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

const AT_ONCE: usize = 100;

#[tokio::main]
async fn main() -> Fallible<()> {
    let mut arguments = std::env::args().skip(1);
    let threads: usize = arguments.next().map_or(Ok(10_000), |text| text.parse())?;
    let stored: usize = arguments.next().map_or(Ok(100_000), |text| text.parse())?;
    let folder = tempfile::tempdir()?;
    let engine = open(folder.path()).await?;
    let agent = turns(&engine)?;
    let begun = Instant::now();
    println!("threads done   resident MB   seconds");
    let tenth = (threads / 10).max(1);
    for part in 0..10 {
        let each = futures::stream::iter(0..tenth).map(|_| one(&agent)).buffer_unordered(AT_ONCE);
        each.collect::<Vec<_>>().await.into_iter().collect::<Fallible<()>>()?;
        println!("{:>12} {:>13.1} {:>9.1}", (part + 1) * tenth, resident()?, begun.elapsed().as_secs_f64());
    }
    let more = stored.saturating_sub(threads);
    let each = futures::stream::iter(0..more).map(|_| thread(&agent)).buffer_unordered(AT_ONCE);
    each.collect::<Vec<_>>().await.into_iter().collect::<Fallible<Vec<()>>>()?;
    engine.drain().await;
    drop((agent, engine));
    // The writer lets go of the folder a moment after the last handle is gone.
    let begun = loop {
        tokio::task::yield_now().await;
        let begun = Instant::now();
        if let Ok(engine) = open(folder.path()).await {
            turns(&engine)?;
            let taken = engine.recover().await?;
            println!(
                "start over {stored} stored threads: {taken:?} taken up, {:.1} ms",
                begun.elapsed().as_secs_f64() * 1000.0
            );
            break begun;
        }
    };
    println!("resident after it: {:.1} MB, {:.1} ms in all", resident()?, begun.elapsed().as_secs_f64() * 1000.0);
    Ok(())
}

async fn open(folder: &Path) -> Fallible<Engine> {
    let store = SqliteStore::open_with(folder, Safety::ProcessDeath).await?;
    Ok(Engine::new(store, EngineOptions::default()))
}

/// Two nodes, one with an effect and some events.
fn turns(engine: &Engine) -> Fallible<Agent<Lines>> {
    let act = |ctx: Ctx<()>, _| async move {
        for text in ["a few ", "words ", "of text"] {
            ctx.emit_message_delta("m", text);
        }
        let done = ctx.effect("act", EffectKey::task("act"), OnUnknown::Repeat, async {
            Ok::<_, EffectFault>("word ".repeat(100))
        });
        Ok(Step::update(done.await?))
    };
    let graph = Graph::named("turns")
        .entry("act")
        .node("act", act)
        .edge("act", "say")
        .node("say", |_, _| std::future::ready(Ok(Step::update("word ".repeat(100)))))
        .end("say")
        .build()?;
    Ok(engine.register(graph, ()))
}

async fn thread(agent: &Agent<Lines>) -> Fallible<()> {
    agent.engine().create_thread(NewThread { agent: "turns".to_owned(), ..NewThread::default() }).await?;
    Ok(())
}

async fn one(agent: &Agent<Lines>) -> Fallible<()> {
    let new = NewThread { agent: "turns".to_owned(), ..NewThread::default() };
    let thread = agent.engine().create_thread(new).await?;
    for _ in 0..2 {
        let run = agent.start(&thread, vec!["hello".to_owned()], RunOptions::default()).await?;
        agent.engine().wait(&run).await?;
    }
    Ok(())
}

/// The resident memory of this process in megabytes.
fn resident() -> Fallible<f64> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default();
    let kilobytes: f64 = line.split_whitespace().next().unwrap_or("0").parse()?;
    Ok(kilobytes / 1024.0)
}
