//! The suite that every store passes, and crashes between its operations.

use std::path::Path;

use mercer_graph::conformance::graphs::{Chain, FanOut};
use mercer_graph::conformance::{crash, store};
use mercer_store::{Safety, Store};

/// An empty store in a folder of its own, below one that lives as long as the test.
async fn fresh(root: &Path) -> Store {
    let folder = tempfile::tempdir_in(root).unwrap().keep();
    Store::open_with(&folder, Safety::ProcessDeath).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_sqlite_store_conforms() {
    let root = tempfile::tempdir().unwrap();
    store::all(async || fresh(root.path()).await).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_chain_of_effects_survives_a_crash_at_every_operation_of_sqlite() {
    let root = tempfile::tempdir().unwrap();
    let crashes = crash::sweep(async || fresh(root.path()).await, &Chain(4)).await;
    assert!(crashes > 30, "{crashes}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_fan_out_with_a_question_survives_a_crash_at_every_operation_of_sqlite() {
    let root = tempfile::tempdir().unwrap();
    let crashes = crash::sweep(async || fresh(root.path()).await, &FanOut(3)).await;
    assert!(crashes > 30, "{crashes}");
}
