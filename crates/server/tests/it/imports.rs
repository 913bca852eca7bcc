//! Imports over the API: a look, a job that reports, a list of what was left out; and a catalogue that no bad feed empties.

use axum::http::StatusCode;
use mercer_shop::{ImportRow, ImportState, Imports as _, TenantId};
use serde_json::{Value, json};

use crate::ask::{Ask, eventually};
use crate::picture::png;
use crate::shop::{Shop, feed};

async fn preview(shop: &Shop, name: &str, content: &[u8]) -> crate::ask::Reply {
    Ask::post("/api/v1/imports/preview").file(name, content).of(shop).await
}

/// Uploads, starts, and waits for the end.
async fn import(shop: &Shop, name: &str, content: &[u8], more: &Value) -> Value {
    let seen = preview(shop, name, content).await.json();
    let mut request = json!({"upload": seen["upload"]});
    for (field, value) in more.as_object().into_iter().flatten() {
        request[field] = value.clone();
    }
    run(shop, &request).await
}

async fn run(shop: &Shop, request: &Value) -> Value {
    let started = Ask::post("/api/v1/imports").json(request).of(shop).await;
    assert_eq!(started.status, StatusCode::ACCEPTED, "{}", started.text());
    finished(shop, started.json()["id"].as_str().unwrap()).await
}

async fn finished(shop: &Shop, id: &str) -> Value {
    eventually("the import", async || {
        let row = Ask::get(format!("/api/v1/imports/{id}")).of(shop).await.json();
        (row["state"] != "running").then_some(row)
    })
    .await
}

async fn products(shop: &Shop) -> u64 {
    Ask::get("/api/v1/products").of(shop).await.json()["total"].as_u64().unwrap()
}

const MIXED: &str =
    "id,title,price,currency\np1,Red Dress,199,CNY\np2,,299,CNY\n,Nameless,99,CNY\np4,Blue Skirt,159,CNY\n";

#[tokio::test]
async fn a_feed_is_looked_at_imported_and_reported_and_its_bad_rows_are_listed() {
    let shop = Shop::open();
    let seen = preview(&shop, "shop.csv", MIXED.as_bytes()).await.json();
    assert_eq!(seen["name"], "shop.csv");
    assert!(seen["columns"].as_array().unwrap().len() == 4 && !seen["rows"].as_array().unwrap().is_empty(), "{seen:#}");
    assert_eq!(products(&shop).await, 12, "a look changes nothing");

    let started = Ask::post("/api/v1/imports").json(&json!({"upload": seen["upload"]})).of(&shop).await.json();
    assert_eq!(started["state"], "running");
    let id = started["id"].as_str().unwrap();
    let events = Ask::get(format!("/api/v1/imports/{id}/events")).of(&shop).await.events();
    let done = events.last().unwrap();
    assert_eq!(done.event.as_deref(), Some("done"));
    let row = done.json();
    assert_eq!(
        (&row["state"], &row["rows"], &row["products"], &row["skipped"]),
        (&json!("done"), &json!(4), &json!(3), &json!(1))
    );
    assert_eq!(row, Ask::get(format!("/api/v1/imports/{id}")).of(&shop).await.json());
    assert_eq!(row["report"]["catalogue"]["products"], 3);
    assert_eq!(products(&shop).await, 3);
    let skipped = Ask::get(format!("/api/v1/imports/{id}/skipped.csv")).of(&shop).await;
    assert_eq!(skipped.header("content-type"), "text/csv; charset=utf-8");
    assert!(skipped.text().lines().count() == 2 && skipped.text().contains("p2"), "{}", skipped.text());
    let over = Ask::post(format!("/api/v1/imports/{id}/cancel")).of(&shop).await;
    assert_eq!(over.code(), "conflict");
    let list = Ask::get("/api/v1/imports").of(&shop).await.json();
    assert_eq!(list["items"].as_array().unwrap().len(), 1);

    let whole = import(&shop, "feed.jsonl", feed().as_bytes(), &json!({})).await;
    assert_eq!((&whole["state"], &whole["skipped"]), (&json!("done"), &json!(0)));
    assert_eq!(products(&shop).await, 12);
    let none = Ask::get(format!("/api/v1/imports/{}/skipped.csv", whole["id"].as_str().unwrap())).of(&shop).await;
    assert_eq!(none.code(), "not_found");
    let page = Ask::get("/api/v1/imports?limit=1").of(&shop).await.json();
    let rest = Ask::get(format!("/api/v1/imports?before={}", page["next"].as_str().unwrap())).of(&shop).await.json();
    assert_eq!((&page["items"][0]["id"], &rest["items"][0]["id"]), (&whole["id"], &json!(id)));
}

#[tokio::test]
async fn a_bad_feed_is_refused_with_its_reason_and_the_catalogue_stays() {
    let shop = Shop::open();
    let picture = png(64, 64);
    for (name, content, says) in [
        ("empty.csv", &b""[..], "empty"),
        ("picture.csv", &picture[..], "picture"),
        ("page.csv", &b"<!doctype html><html><body>Sign in</body></html>"[..], "web page"),
        ("zeros.csv", &[0_u8; 4096][..], "not a product feed"),
    ] {
        let (code, detail) = preview(&shop, name, content).await.problem();
        assert_eq!(code, "import_refused", "{name}");
        assert!(detail.contains(says), "{name}: {detail}");
    }
    let no_products = import(&shop, "bad.csv", b"id,title,price\n,,\n,,\n", &json!({})).await;
    assert_eq!(no_products["state"], "failed");
    assert!(no_products["report"]["error"].as_str().unwrap().contains("left as it was"), "{no_products:#}");
    let strict = import(&shop, "mixed.csv", MIXED.as_bytes(), &json!({"strict": true})).await;
    assert_eq!(strict["state"], "failed", "{strict:#}");
    for address in
        ["http://127.0.0.1:9/feed.csv", "http://169.254.169.254/latest", "http://[::1]/", "http://10.0.0.1/x.csv"]
    {
        let private = run(&shop, &json!({"url": address})).await;
        assert_eq!(private["state"], "failed");
        let error = private["report"]["error"].as_str().unwrap();
        assert!(error.contains("private") || error.contains("public"), "{error}");
    }
    let gone = run(&shop, &json!({"path": "/nowhere/feed.csv"})).await;
    assert!(gone["report"]["error"].as_str().unwrap().contains("cannot open"), "{gone:#}");
    assert_eq!(products(&shop).await, 12, "nothing was changed");

    for (request, says) in [
        (json!({}), "exactly one"),
        (json!({"url": "https://shop.example/feed", "path": "/feed"}), "exactly one"),
        (json!({"url": "file:///etc/passwd"}), "http"),
        (json!({"path": "http://127.0.0.1/"}), "url"),
        (json!({"upload": "fil_unknown", "format": "odd"}), "format"),
        (json!({"upload": "fil_unknown", "currency": "yuan"}), "currency"),
        (json!({"upload": "fil_unknown", "colour": "red"}), "colour"),
    ] {
        let (code, detail) = Ask::post("/api/v1/imports").json(&request).of(&shop).await.problem();
        assert_eq!(code, "invalid_request");
        assert!(detail.to_lowercase().contains(says), "{says}: {detail}");
    }
    assert_eq!(
        Ask::post("/api/v1/imports").json(&json!({"upload": "fil_unknown"})).of(&shop).await.code(),
        "not_found"
    );
}

#[tokio::test]
async fn feeds_in_chinese_and_utf_16_are_read_as_they_are_meant() {
    let shop = Shop::open();
    let text = "id,title,price,currency\np1,红色连衣裙,199,CNY\np2,蓝色半身裙,159,CNY\np3,黑色羽绒服,799,CNY\n";
    let utf16: Vec<u8> = [0xFF, 0xFE].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect();
    // 红色连衣裙 in GBK.
    let mut gbk = b"id,title,price,currency\np1,".to_vec();
    gbk.extend_from_slice(&[0xBA, 0xEC, 0xC9, 0xAB, 0xC1, 0xAC, 0xD2, 0xC2, 0xC8, 0xB9]);
    gbk.extend_from_slice(b",199,CNY\n");
    for (name, content, encoding) in [("utf16.csv", utf16, json!({})), ("gbk.csv", gbk, json!({"encoding": "gb18030"}))]
    {
        let row = import(&shop, name, &content, &encoding).await;
        assert_eq!(row["state"], "done", "{row:#}");
        let product = Ask::get("/api/v1/products/p1?language=zh").of(&shop).await.json();
        assert_eq!(product["card"]["title"], "红色连衣裙", "{name}");
    }
}

#[tokio::test]
async fn two_imports_at_once_are_done_one_after_the_other() {
    let shop = Shop::open();
    let large: String = (0..3_000).map(|n| format!("p{n},Dress {n},199,CNY\n")).collect();
    let large = preview(&shop, "large.csv", format!("id,title,price,currency\n{large}").as_bytes()).await.json();
    let small = preview(&shop, "small.csv", MIXED.as_bytes()).await.json();
    let start = |upload: &Value| Ask::post("/api/v1/imports").json(&json!({"upload": upload}));
    let first = start(&large["upload"]).of(&shop).await.json();
    let second = start(&small["upload"]).of(&shop).await.json();
    let third = start(&large["upload"]).of(&shop).await.json();
    let id = |row: &Value| row["id"].as_str().unwrap().to_owned();
    // The third waits for the others, so it is always there to be stopped.
    let stop = Ask::post(format!("/api/v1/imports/{}/cancel", id(&third))).of(&shop).await;
    assert_eq!(stop.status, StatusCode::ACCEPTED);
    let (first, second, third) =
        (finished(&shop, &id(&first)).await, finished(&shop, &id(&second)).await, finished(&shop, &id(&third)).await);
    assert_eq!(
        (&first["state"], &second["state"], &third["state"]),
        (&json!("done"), &json!("done"), &json!("cancelled"))
    );
    assert_eq!(first["products"], 3_000);
    assert_eq!(products(&shop).await, 3, "the later one is what stands, and the stopped one changed nothing");
}

#[tokio::test]
async fn an_import_that_was_cut_off_begins_again_and_one_of_a_dead_upload_says_so() {
    let shop = Shop::open();
    let seen = preview(&shop, "mixed.csv", MIXED.as_bytes()).await.json();
    let now = "2026-06-01T12:00:00Z".parse().unwrap();
    let row = |id: &str, upload: &Value| ImportRow {
        id: id.to_owned(),
        tenant: TenantId::single(),
        state: ImportState::Running,
        request: json!({"upload": upload}),
        report: Value::Null,
        created: now,
        updated: now,
    };
    shop.imports.save(row("imp_cut", &seen["upload"])).await.unwrap();
    shop.imports.save(row("imp_dead", &json!("fil_gone"))).await.unwrap();
    assert_eq!(shop.app.imports().recover().await.unwrap(), 2);
    assert_eq!(finished(&shop, "imp_cut").await["state"], "done");
    let dead = finished(&shop, "imp_dead").await;
    assert!(dead["report"]["error"].as_str().unwrap().contains("upload it again"), "{dead:#}");
    assert_eq!(products(&shop).await, 3);
    assert_eq!(shop.app.imports().recover().await.unwrap(), 0);
    shop.app.imports().close().await;
}
