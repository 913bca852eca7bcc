//! Files by content, imports by id, each tenant its own.

use mercer_shop::{FileMeta, Files, ImportRow, ImportState, Imports, NewFile, TenantId};
use mercer_store::{FileStore, ImportStore, Store};
use serde_json::json;

use crate::postgres::cluster;

fn tenant(name: &str) -> TenantId {
    TenantId::new(name).unwrap()
}

fn count(folder: &std::path::Path) -> usize {
    let shelves = std::fs::read_dir(folder.join("files")).unwrap();
    shelves.map(|shelf| std::fs::read_dir(shelf.unwrap().path()).unwrap().count()).sum()
}

async fn each_tenant_sees_its_own_files(files: &FileStore) -> FileMeta {
    let new = |of: &str, content: &[u8]| NewFile {
        tenant: tenant(of),
        media_type: "image/png".into(),
        name: "../../鞋.png".into(),
        content: content.into(),
        created: "2026-01-02T03:04:05Z".parse().unwrap(),
    };
    let one = files.put(new("default", &[0, 255])).await.unwrap();
    let two = files.put(new("other", &[0, 255])).await.unwrap();
    files.put(new("default", b"")).await.unwrap();
    assert!(one.id.starts_with("fil_") && one.id != two.id && one.sha256 == two.sha256);
    let (meta, bytes) = files.get(&tenant("default"), &one.id).await.unwrap().unwrap();
    assert_eq!((meta, bytes.as_ref()), (one.clone(), &[0, 255][..]));
    assert!(files.get(&tenant("other"), &one.id).await.unwrap().is_none());
    assert!(files.get(&tenant("default"), "fil_none").await.unwrap().is_none());
    one
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_same_bytes_are_kept_once_each_tenant_sees_its_own_and_damage_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let files = Store::open(folder.path()).await.unwrap().files();
    let one = each_tenant_sees_its_own_files(&files).await;
    assert_eq!(count(folder.path()), 2);
    let shelf: String = one.sha256.chars().take(2).collect();
    std::fs::write(folder.path().join("files").join(shelf).join(&one.sha256), b"x").unwrap();
    assert!(files.get(&tenant("default"), &one.id).await.unwrap_err().to_string().contains("damaged"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn imports_are_replaced_listed_newest_first_and_found_when_cut_off() {
    let folder = tempfile::tempdir().unwrap();
    imports_are_kept(&Store::open(folder.path()).await.unwrap().imports()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn files_and_imports_are_kept_in_postgresql_alike() {
    let Some(cluster) = cluster() else { return };
    let store = cluster.store().await.unwrap();
    each_tenant_sees_its_own_files(&store.files()).await;
    imports_are_kept(&store.imports()).await;
}

async fn imports_are_kept(imports: &ImportStore) {
    let row = |id: &str, of: &str, state| ImportRow {
        id: id.into(),
        tenant: tenant(of),
        state,
        request: json!({"format": null}),
        report: json!(null),
        created: "2026-01-02T03:04:05Z".parse().unwrap(),
        updated: "2026-01-02T03:04:06Z".parse().unwrap(),
    };
    for (id, of) in [("imp_1", "default"), ("imp_2", "default"), ("imp_3", "other"), ("imp_4", "default")] {
        imports.save(row(id, of, ImportState::Running)).await.unwrap();
    }
    let done = ImportRow { report: json!({"products": 3}), ..row("imp_2", "default", ImportState::Done) };
    imports.save(done.clone()).await.unwrap();
    let here = tenant("default");
    assert_eq!(imports.get(&here, "imp_2").await.unwrap(), Some(done));
    assert_eq!(imports.get(&here, "imp_3").await.unwrap(), None);
    let ids = |rows: Vec<ImportRow>| rows.into_iter().map(|row| row.id).collect::<Vec<_>>();
    assert_eq!(ids(imports.list(&here, 2, None).await.unwrap()), ["imp_4", "imp_2"]);
    assert_eq!(ids(imports.list(&here, 2, Some("imp_2")).await.unwrap()), ["imp_1"]);
    assert_eq!(ids(imports.unfinished().await.unwrap()), ["imp_1", "imp_3", "imp_4"]);
}
