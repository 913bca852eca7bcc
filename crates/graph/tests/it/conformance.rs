//! The memory store does what every store has to do, and runs survive a crash at any of its operations.

use mercer_graph::MemoryStore;
use mercer_graph::conformance::graphs::{Chain, FanOut};
use mercer_graph::conformance::{crash, store};

#[tokio::test]
async fn the_memory_store_conforms() {
    store::all(async || MemoryStore::new()).await;
}

#[tokio::test]
async fn a_chain_of_effects_survives_a_crash_at_every_store_operation() {
    let crashes = crash::sweep(async || MemoryStore::new(), &Chain(8)).await;
    assert!(crashes > 60, "{crashes}");
}

#[tokio::test]
async fn a_fan_out_with_a_question_survives_a_crash_at_every_store_operation() {
    let crashes = crash::sweep(async || MemoryStore::new(), &FanOut(4)).await;
    assert!(crashes > 50, "{crashes}");
}
