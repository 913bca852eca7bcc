//! The suite over PostgreSQL, crashes between its operations, and what only it can do: several writers, a server that goes away.

use mercer_graph::conformance::graphs::{Chain, FanOut};
use mercer_graph::conformance::{crash, store};
use mercer_store::testing::Cluster;
use mercer_store::{OpenError, Store};

/// The shared cluster; `None`, and said so, where there is no PostgreSQL. `make test` demands it.
pub(crate) fn cluster() -> Option<Cluster> {
    let cluster = Cluster::shared().unwrap();
    if cluster.is_none() {
        assert!(
            std::env::var_os("MERCER_TEST_POSTGRES").is_none(),
            "PostgreSQL is not installed: scripts/setup-test.sh"
        );
        eprintln!("SKIPPED: PostgreSQL is not installed");
    }
    cluster
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_postgresql_store_conforms() {
    let Some(cluster) = cluster() else { return };
    store::all(async || cluster.store().await.unwrap()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_chain_of_effects_survives_a_crash_at_every_operation_of_postgresql() {
    let Some(cluster) = cluster() else { return };
    let crashes = crash::sweep(async || cluster.store().await.unwrap(), &Chain(3)).await;
    assert!(crashes > 20, "{crashes}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_fan_out_with_a_question_survives_a_crash_at_every_operation_of_postgresql() {
    let Some(cluster) = cluster() else { return };
    let crashes = crash::sweep(async || cluster.store().await.unwrap(), &FanOut(3)).await;
    assert!(crashes > 30, "{crashes}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_address_that_leads_nowhere_is_refused_at_once_and_its_password_is_not_shown() {
    let refused = Store::connect("postgres://mercer:secret@127.0.0.1:1/shop").await.unwrap_err();
    assert!(matches!(refused, OpenError::Database { .. }));
    assert_eq!(refused.to_string(), "the database in PostgreSQL at 127.0.0.1:1 (shop) cannot be opened");
    let refused = Store::connect("secret@nowhere").await.unwrap_err();
    assert!(matches!(refused, OpenError::Address) && !format!("{refused:?} {refused}").contains("secret"));
}
