//! Measures the engine over SQLite: durable steps a second and CPU a step at 1, 10 and 100 threads, and bytes a turn of a chat.
//!
//! `cargo run --release -p mercer-store --example engine_bench [-- fast]` — `fast` gives up surviving the loss of power.

#![expect(clippy::print_stdout, reason = "it is a program that prints a table")]

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use mercer_graph::conformance::graphs::Lines;
use mercer_graph::{Agent, END, Engine, EngineOptions, Graph, NewThread, RunOptions, Step, ThreadId};
use mercer_store::{Safety, Store};
use tokio::time::Instant;

type Fallible<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

const STEPS: u32 = 200;
const TURNS: u32 = 400;

#[tokio::main]
async fn main() -> Fallible<()> {
    let fast = std::env::args().any(|argument| argument == "fast");
    let safety = if fast { Safety::ProcessDeath } else { Safety::PowerLoss };
    println!("{safety:?}");
    println!("threads   steps/s   CPU ms/step");
    for threads in [1, 10, 100] {
        let folder = tempfile::tempdir()?;
        let engine = open(folder.path(), safety).await?;
        let agent = counting(&engine)?;
        let (begun, cpu) = (Instant::now(), cpu_time()?);
        let runs = (0..threads).map(|_| one_thread(&agent));
        futures::future::try_join_all(runs).await?;
        let steps = f64::from(threads) * f64::from(STEPS);
        let (wall, cpu) = (begun.elapsed().as_secs_f64(), (cpu_time()? - cpu).as_secs_f64());
        println!("{threads:>7} {:>9.0} {:>13.4}", steps / wall, cpu * 1000.0 / steps);
    }
    chat(safety).await
}

async fn open(folder: &Path, safety: Safety) -> Fallible<Engine> {
    let store = Store::open_with(folder, safety).await?;
    Ok(Engine::new(store, EngineOptions { step_limit: u32::MAX, ..EngineOptions::default() }))
}

fn counting(engine: &Engine) -> Fallible<Agent<Lines>> {
    let done = |lines: &Lines| if lines.0.len() < usize::try_from(STEPS).unwrap_or_default() { "step" } else { END };
    let graph = Graph::named("counting")
        .entry("step")
        .node("step", |_, _| std::future::ready(Ok(Step::update("x".to_owned()))))
        .branch("step", done, ["step", END])
        .build()?;
    Ok(engine.register(graph, ()))
}

async fn thread(agent: &Agent<Lines>) -> Fallible<ThreadId> {
    Ok(agent.engine().create_thread(NewThread { agent: agent.name().to_owned(), ..NewThread::default() }).await?)
}

async fn one_thread(agent: &Agent<Lines>) -> Fallible<()> {
    let run = agent.start(&thread(agent).await?, Vec::new(), RunOptions::default()).await?;
    agent.engine().wait(&run).await?;
    Ok(())
}

/// A chat: the user's message, a tool call, its result, the answer, each about 300 bytes.
async fn chat(safety: Safety) -> Fallible<()> {
    let folder = tempfile::tempdir()?;
    let engine = open(folder.path(), safety).await?;
    let says = |what: &'static str| {
        move |_, lines: Arc<Lines>| {
            std::future::ready(Ok(Step::update(format!("{what} {} {}", lines.0.len(), "word ".repeat(56)))))
        }
    };
    let graph = Graph::named("chat")
        .entry("call")
        .node("call", says("call"))
        .edge("call", "result")
        .node("result", says("result"))
        .edge("result", "answer")
        .node("answer", says("answer"))
        .end("answer")
        .build()?;
    let agent = engine.register(graph, ());
    let thread = thread(&agent).await?;
    let (mut times, mut messages) = (Vec::new(), 0);
    for turn in 0..TURNS {
        let begun = Instant::now();
        let said = format!("user {turn} {}", "word ".repeat(56));
        let run = agent.start(&thread, vec![said], RunOptions::default()).await?;
        engine.wait(&run).await?;
        times.push(begun.elapsed());
    }
    if let Some(snapshot) = agent.state(&thread).await? {
        messages = snapshot.state.0.iter().map(String::len).sum::<usize>();
    }
    engine.drain().await;
    let stored: u64 = std::fs::read_dir(folder.path())?
        .filter_map(Result::ok)
        .filter(|entry| entry.file_name() == "mercer.db")
        .filter_map(|entry| entry.metadata().ok())
        .map(|meta| meta.len())
        .sum();
    let mean = |times: &[Duration]| times.iter().sum::<Duration>().as_secs_f64() * 1000.0 / times.len().max(1) as f64;
    let (first, last) =
        (times.iter().take(20).copied().collect::<Vec<_>>(), times.iter().rev().take(20).copied().collect::<Vec<_>>());
    println!("chat of {TURNS} turns: {messages} bytes of messages, {stored} bytes of database");
    println!("milliseconds a turn: first 20 {:.2}, last 20 {:.2}", mean(&first), mean(&last));
    Ok(())
}

/// The CPU time of this process, in Linux's hundredths of a second.
fn cpu_time() -> Fallible<Duration> {
    let stat = std::fs::read_to_string("/proc/self/stat")?;
    let after_name = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
    let ticks: u64 = after_name.split_whitespace().skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
    Ok(Duration::from_millis(ticks * 10))
}
