//! One process a folder, no older program on a newer database, and everything there again after a restart.

use mercer_graph::store::{Batch, Checkpointer, ThreadRow, Write};
use mercer_store::{OpenError, Store};
use sqlx::{ConnectOptions, SqliteConnection};

async fn close(store: Store, folder: &std::path::Path) -> Store {
    drop(store);
    // The writer closes the database after the last handle is gone; opening again waits for no time, only for that.
    loop {
        match Store::open(folder).await {
            Ok(store) => return store,
            Err(OpenError::InUse { .. }) => tokio::task::yield_now().await,
            Err(other) => panic!("{other}"),
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_folder_has_one_owner_and_keeps_what_was_acknowledged() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    let refused = Store::open(folder.path()).await.unwrap_err();
    let text = refused.to_string();
    assert!(matches!(refused, OpenError::InUse { .. }));
    assert!(text.contains(&std::process::id().to_string()) && text.contains("stop it first"), "{text}");
    let row: ThreadRow = serde_json::from_value(serde_json::json!({
        "id": "thr_1", "tenant": "default", "agent": "shopping", "title": null, "metadata": null,
        "created": "2026-01-02T03:04:05.000000006Z", "updated": "2026-01-02T03:04:05Z", "head": null,
        "active": null, "last_run": null, "status": null, "forked_from": null
    }))
    .unwrap();
    store.commit(Batch::new().write(Write::InsertThread(row.clone()))).await.unwrap();
    let store = close(store, folder.path()).await;
    assert_eq!(store.thread(&row.id).await.unwrap(), Some(row));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_of_a_newer_program_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    drop(close(Store::open(folder.path()).await.unwrap(), folder.path()).await);
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(folder.path().join("mercer.db"));
    let mut connection: SqliteConnection = options.connect().await.unwrap();
    sqlx::raw_sql("PRAGMA user_version = 99").execute(&mut connection).await.unwrap();
    drop(connection);
    let error = loop {
        match Store::open(folder.path()).await {
            Err(OpenError::InUse { .. }) => tokio::task::yield_now().await,
            other => break other.unwrap_err(),
        }
    };
    assert!(matches!(error, OpenError::Newer { found: 99, known: 2, .. }), "{error}");
}
