//! A node that never yields is shut out; its run ends without it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use mercer_graph::{Engine, EngineOptions, Graph, MemoryStore, RunOptions, RunStatus, Step};

use crate::world::{World, line, lines, thread};

#[tokio::test(flavor = "multi_thread", worker_threads = 3)]
async fn a_cancel_ends_a_run_whose_node_never_yields_and_what_the_node_does_later_is_refused() {
    let short = Duration::from_millis(20);
    let options = EngineOptions { grace: short, patience: short, ..EngineOptions::default() };
    let engine = Engine::new(MemoryStore::new(), options);
    let (inside, let_go) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
    let (entered, free) = (Arc::clone(&inside), Arc::clone(&let_go));
    let stuck = move |_, _| {
        entered.store(true, Ordering::SeqCst);
        while !free.load(Ordering::SeqCst) {
            std::hint::spin_loop();
        }
        std::future::ready(Ok(Step::update(line("too late"))))
    };
    let graph = Graph::named("stuck").entry("stuck").node("stuck", stuck).end("stuck").build().unwrap();
    let agent = engine.register(graph, World::default());
    let thread = thread(&agent).await;
    let run = agent.start(&thread, vec![line("begin")], RunOptions::default()).await.unwrap();
    while !inside.load(Ordering::SeqCst) {
        tokio::task::yield_now().await;
    }
    engine.cancel(&run).await.unwrap();
    let row = engine.run(&run).await.unwrap().unwrap();
    assert_eq!((row.status, row.error.unwrap().code.as_str()), (RunStatus::Cancelled, "node_stuck"));
    let_go.store(true, Ordering::SeqCst);
    engine.drain().await;
    assert_eq!(lines(&agent, &thread).await, ["begin"], "the late write was refused");
    assert_eq!(engine.run(&run).await.unwrap().unwrap().status, RunStatus::Cancelled);
}
