//! Many threads, one after another and side by side: the memory of the process does not grow with them.

use futures::StreamExt;
use mercer_graph::conformance::graphs::Lines;
use mercer_graph::{Agent, Engine, EngineOptions, Graph, NewThread, RunOptions, RunStatus, Step};
use mercer_store::{Safety, SqliteStore};

async fn threads(agent: &Agent<Lines>, count: usize) {
    let one = |_| async {
        let new = NewThread { agent: "two".to_owned(), ..NewThread::default() };
        let thread = agent.engine().create_thread(new).await.unwrap();
        let run = agent.start(&thread, vec!["word ".repeat(1000)], RunOptions::default()).await.unwrap();
        assert_eq!(agent.engine().wait(&run).await.unwrap().status, RunStatus::Done);
    };
    futures::stream::iter(0..count).map(one).buffer_unordered(50).collect::<Vec<()>>().await;
}

/// The resident memory of this process in kilobytes.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default();
    line.split_whitespace().next().and_then(|number| number.parse().ok()).unwrap_or_default()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn memory_stays_flat_over_many_threads() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open_with(folder.path(), Safety::ProcessDeath).await.unwrap();
    let engine = Engine::new(store, EngineOptions::default());
    let says = |_, _| std::future::ready(Ok(Step::update("word ".repeat(1000))));
    let graph = Graph::named("two").entry("a").node("a", says).edge("a", "b").node("b", says).end("b");
    let agent = engine.register(graph.build().unwrap(), ());
    threads(&agent, 300).await;
    let warm = resident();
    threads(&agent, 600).await;
    let grown = resident().saturating_sub(warm);
    // Each thread's state is 15 kB and its events as much again: kept, they would be at least 9,000 kB more.
    assert!(grown < 6_000, "{grown} kB more than the {warm} kB before");
    assert!(engine.recover().await.unwrap().is_empty());
    engine.drain().await;
}
