//! The engine in figures: durable steps a second and CPU a step over many threads in each durability mode, and what a long chat
//! takes: time and bytes a turn, time to load.
//!
//! `cargo run --release -p mercer-store --example figures [-- [memory] [fast] [threads=1,10,100,1000] [modes=sync,async,exit]]`
//!
//! `memory` leaves the database out, to tell its share from the engine's; `fast` gives up surviving the loss of power.

#![expect(clippy::print_stdout, reason = "it is a program that prints a table")]

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use mercer_graph::conformance::graphs::Lines;
use mercer_graph::{
    Agent, Durability, END, Engine, EngineOptions, Graph, MemoryStore, NewThread, RunOptions, Step, ThreadId,
};
use mercer_store::{Safety, SqliteStore};
use tokio::time::Instant;

type Fallible<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// Supersteps of a run.
const STEPS: u32 = 100;
const TURNS: u32 = 400;

#[derive(Clone, Copy)]
struct Setting {
    memory: bool,
    safety: Safety,
}

#[tokio::main]
async fn main() -> Fallible<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |word: &str| arguments.iter().any(|argument| argument == word);
    let list = |name: &str, default: &str| -> Vec<String> {
        let given = arguments.iter().find_map(|argument| argument.strip_prefix(name)?.strip_prefix('='));
        given.unwrap_or(default).split(',').map(str::to_owned).collect()
    };
    let safety = if has("fast") { Safety::ProcessDeath } else { Safety::PowerLoss };
    let setting = Setting { memory: has("memory"), safety };
    println!("store: {}", if setting.memory { "memory".to_owned() } else { format!("SQLite, {safety:?}") });
    println!("mode   threads      steps   steps/s   CPU ms/step");
    for mode in list("modes", "sync,async,exit") {
        let durability = match mode.as_str() {
            "async" => Durability::Async,
            "exit" => Durability::Exit,
            _ => Durability::Sync,
        };
        for threads in list("threads", "1,10,100,1000") {
            let threads: u32 = threads.parse()?;
            steps(setting, durability, &mode, threads).await?;
        }
    }
    chat(setting).await
}

async fn open(folder: &Path, setting: Setting) -> Fallible<Engine> {
    let options = EngineOptions { step_limit: u32::MAX, ..EngineOptions::default() };
    Ok(match setting.memory {
        true => Engine::new(MemoryStore::new(), options),
        false => Engine::new(SqliteStore::open_with(folder, setting.safety).await?, options),
    })
}

async fn steps(setting: Setting, durability: Durability, mode: &str, threads: u32) -> Fallible<()> {
    let folder = tempfile::tempdir()?;
    let engine = open(folder.path(), setting).await?;
    let agent = counting(&engine)?;
    // With one thread the first steps are too few to measure.
    let rounds = if threads < 10 { 10 } else { 1 };
    let (begun, cpu) = (Instant::now(), cpu_time()?);
    for _ in 0..rounds {
        futures::future::try_join_all((0..threads).map(|_| one_thread(&agent, durability))).await?;
    }
    let steps = f64::from(threads) * f64::from(rounds) * f64::from(STEPS);
    let (wall, cpu) = (begun.elapsed().as_secs_f64(), (cpu_time()? - cpu).as_secs_f64());
    println!("{mode:<6} {threads:>7} {steps:>10} {:>9.0} {:>13.4}", steps / wall, cpu * 1000.0 / steps);
    engine.drain().await;
    Ok(())
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

async fn one_thread(agent: &Agent<Lines>, durability: Durability) -> Fallible<()> {
    let options = RunOptions { durability: Some(durability), ..RunOptions::default() };
    let run = agent.start(&thread(agent).await?, Vec::new(), options).await?;
    agent.engine().wait(&run).await?;
    Ok(())
}

fn talking(engine: &Engine) -> Fallible<Agent<Lines>> {
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
    Ok(engine.register(graph, ()))
}

/// A chat: the user's message, a tool call, its result, the answer, each about 300 bytes.
async fn chat(setting: Setting) -> Fallible<()> {
    let folder = tempfile::tempdir()?;
    let engine = open(folder.path(), setting).await?;
    let agent = talking(&engine)?;
    let thread = thread(&agent).await?;
    let (mut times, mut last) = (Vec::new(), None);
    println!("chat: a user's message, a call, its result and an answer a turn, about 300 bytes each");
    println!("turn   ms a turn (the 20 before)   load ms   messages bytes   database bytes");
    for turn in 1..=TURNS {
        let begun = Instant::now();
        let said = format!("user {turn} {}", "word ".repeat(56));
        let run = agent.start(&thread, vec![said], RunOptions::default()).await?;
        engine.wait(&run).await?;
        times.push(begun.elapsed());
        if ![20, 100, 200, 400].contains(&turn) {
            continue;
        }
        let begun = Instant::now();
        let snapshot = agent.state(&thread).await?;
        let load = begun.elapsed().as_secs_f64() * 1000.0;
        let messages: usize = snapshot.map_or(0, |snapshot| snapshot.state.0.iter().map(String::len).sum());
        let recent: Vec<Duration> = times.iter().rev().take(20).copied().collect();
        let mean = recent.iter().sum::<Duration>().as_secs_f64() * 1000.0 / 20.0;
        let stored = stored(folder.path())?;
        println!("{turn:>4} {mean:>27.2} {load:>9.2} {messages:>16} {stored:>16}");
        last = Some((messages, stored));
    }
    engine.drain().await;
    drop((agent, engine));
    if let (Some((messages, _)), false) = (last, setting.memory) {
        // What was still in the write-ahead log is in the database now.
        let mut stored_at_rest = stored(folder.path())?;
        for _ in 0..100 {
            tokio::time::sleep(Duration::from_millis(20)).await;
            let now = stored(folder.path())?;
            if now == stored_at_rest && !folder.path().join("mercer.db-wal").exists() {
                break;
            }
            stored_at_rest = now;
        }
        let times = stored_at_rest as f64 / messages as f64;
        println!("at rest: {stored_at_rest} bytes, {times:.2} times its messages");
    }
    Ok(())
}

/// The bytes of the database and its log.
fn stored(folder: &Path) -> Fallible<u64> {
    let files = std::fs::read_dir(folder)?.filter_map(Result::ok);
    Ok(files.filter_map(|entry| entry.metadata().ok()).map(|meta| meta.len()).sum())
}

/// The CPU time of this process, in Linux's hundredths of a second.
fn cpu_time() -> Fallible<Duration> {
    let stat = std::fs::read_to_string("/proc/self/stat")?;
    let after_name = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
    let ticks: u64 = after_name.split_whitespace().skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
    Ok(Duration::from_millis(ticks * 10))
}
