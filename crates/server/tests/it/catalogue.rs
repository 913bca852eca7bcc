//! Products and search: our own form and the protocol of existing shop front ends.

use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::ask::Ask;
use crate::picture::png;
use crate::shop::Shop;

fn ids(items: &Value) -> Vec<&str> {
    items.as_array().unwrap().iter().map(|item| item["id"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn products_are_cards_in_the_language_asked_for_and_read_page_by_page() {
    let shop = Shop::open();
    let page = Ask::get("/api/v1/products?limit=5").of(&shop).await.json();
    assert_eq!(page["total"], 12);
    let mut read: Vec<String> = ids(&page["items"]).into_iter().map(str::to_owned).collect();
    for offset in [5, 10] {
        let page = Ask::get(format!("/api/v1/products?limit=5&offset={offset}")).of(&shop).await.json();
        read.extend(ids(&page["items"]).into_iter().map(str::to_owned));
    }
    let whole = Ask::get("/api/v1/products?limit=100").of(&shop).await.json();
    assert_eq!(read, ids(&whole["items"]));
    assert_eq!(read.len(), 12);

    let chinese = Ask::get("/api/v1/products/c01?language=zh").of(&shop).await.json();
    assert_eq!((&chinese["card"]["title"], &chinese["card"]["price_text"]), (&json!("长款羽绒服"), &json!("¥799")));
    assert_eq!(chinese["product"]["title"]["en"], "Long Down Jacket");
    let accepted = Ask::get("/api/v1/products/c01").header("accept-language", "zh-CN,zh;q=0.9").of(&shop).await.json();
    assert_eq!(accepted["card"]["title"], "长款羽绒服");
    let found = Ask::get("/api/v1/products?query=red%20dress").of(&shop).await.json();
    assert_eq!(ids(&found["items"]).len(), 2);
    for unknown in ["none", "%2e%2e", "a%00b"] {
        assert_eq!(Ask::get(format!("/api/v1/products/{unknown}")).of(&shop).await.code(), "not_found", "{unknown}");
    }
    assert_eq!(Ask::get("/api/v1/products/%ff").of(&shop).await.code(), "invalid_request");

    let similar = Ask::get("/api/v1/products/d01/similar?limit=3").of(&shop).await.json();
    let similar = ids(&similar["items"]);
    assert!(!similar.is_empty() && similar.len() <= 3 && !similar.contains(&"d01"), "{similar:?}");
    assert!(similar[0].starts_with('d'), "a dress is like a dress: {similar:?}");
    assert_eq!(Ask::get("/api/v1/products/none/similar").of(&shop).await.code(), "not_found");
}

#[tokio::test]
async fn a_products_picture_is_the_kept_one_or_its_address_or_honestly_none() {
    let shop = Shop::open();
    let kept = Ask::get("/api/v1/products/d01/image").of(&shop).await;
    assert_eq!(
        (kept.status, kept.header("content-type"), &kept.body[..]),
        (StatusCode::OK, "image/png", &png(640, 480)[..])
    );
    let small = Ask::get("/api/v1/products/d01/image?w=160").of(&shop).await;
    assert!(mercer_studio::decode(&small.body, &mercer_studio::Limits::default()).unwrap().width() <= 160);
    let web = Ask::get("/api/v1/products/d02/image?w=160").of(&shop).await;
    assert_eq!(
        (web.status, web.header("location")),
        (StatusCode::TEMPORARY_REDIRECT, "https://pictures.example/d02.jpg")
    );
    for without in ["d03", "c01", "none"] {
        assert_eq!(Ask::get(format!("/api/v1/products/{without}/image")).of(&shop).await.code(), "not_found");
    }
    assert_eq!(Ask::get("/api/v1/products/d01/image?n=7").of(&shop).await.code(), "not_found");
    assert_eq!(Ask::get("/api/v1/products/d01/image?sku=SKU-none").of(&shop).await.code(), "not_found");
}

#[tokio::test]
async fn a_search_says_what_it_understood_and_why_each_product_matched() {
    let shop = Shop::open();
    let found =
        Ask::get("/api/v1/search?query=red%20dress%20under%20300&explain=true&facets=true").of(&shop).await.json();
    assert_eq!((ids(&found["items"]), &found["total"]), (vec!["d01"], &json!(1)));
    let mut labels: Vec<&str> =
        found["conditions"].as_array().unwrap().iter().map(|chip| chip["label"].as_str().unwrap()).collect();
    labels.sort_unstable();
    assert_eq!(labels, ["Dresses", "red", "under ¥300"]);
    assert!(!found["items"][0]["why"].as_array().unwrap().is_empty(), "{found:#}");
    assert!(!found["facets"].as_array().unwrap().is_empty());
    let cheap = Ask::get("/api/v1/search?query=dress&sort=price_asc").of(&shop).await.json();
    assert_eq!(ids(&cheap["items"]), ["d01", "d03", "d02"]);
    let second = Ask::get("/api/v1/search?query=dress&sort=price_asc&limit=1&offset=1").of(&shop).await.json();
    assert_eq!(ids(&second["items"]), ["d03"]);
    assert_eq!(Ask::get("/api/v1/search?query=dress&sort=odd").of(&shop).await.code(), "invalid_request");
    assert_eq!(Ask::get("/api/v1/search").of(&shop).await.code(), "invalid_request");
    let long = Ask::get(format!("/api/v1/search?query={}", "dress%20".repeat(2_000))).of(&shop).await;
    assert_eq!(long.status, StatusCode::OK);
}

#[tokio::test]
async fn existing_front_ends_search_by_their_own_protocol() {
    let shop = Shop::open();
    let ask = |body: &Value| Ask::post("/search/").header("x-tenant-id", "default").json(body);
    let found = ask(&json!({"query": "红色连衣裙", "size": 10, "from": 0, "language": "zh"})).of(&shop).await.json();
    assert_eq!(found["total"], 2);
    let results = found["results"].as_array().unwrap();
    let rose = results.iter().find(|result| result["spu_id"] == "d01").unwrap();
    assert_eq!((&rose["title"], &rose["category_path"]), (&json!("玫瑰中长连衣裙"), &json!("连衣裙")));
    assert!((rose["price"].as_f64().unwrap() - 259.0).abs() < f64::EPSILON, "{rose}");
    assert_eq!((&rose["currency"], &rose["brand"], &rose["in_stock"]), (&json!("CNY"), &json!("Lanyu"), &json!(true)));
    let image = rose["image_url"].as_str().unwrap();
    assert_eq!(Ask::get(image).of(&shop).await.status, StatusCode::OK);
    let english = ask(&json!({"query": "dress", "size": 2, "language": "en"})).of(&shop).await.json();
    assert_eq!((english["results"].as_array().unwrap().len(), &english["total"]), (2, &json!(3)));
    let rest = ask(&json!({"query": "dress", "size": 2, "from": 2, "language": "en"})).of(&shop).await.json();
    assert_eq!(rest["results"].as_array().unwrap().len(), 1);
    let other =
        Ask::post("/search/").header("x-tenant-id", "neighbour").json(&json!({"query": "dress"})).of(&shop).await;
    assert_eq!(other.json()["total"], 0, "another shop has other products");
    let wrong =
        Ask::post("/search/").header("x-tenant-id", "../default").json(&json!({"query": "dress"})).of(&shop).await;
    assert_eq!(wrong.code(), "invalid_request");
    assert_eq!(ask(&json!({"size": 3})).of(&shop).await.code(), "invalid_request");
}

#[tokio::test]
async fn the_status_tells_the_shop_and_how_answers_are_made() {
    let shop = Shop::open();
    let status = Ask::get("/api/v1/status").of(&shop).await.json();
    assert_eq!(status["shop"], json!({"name": "Test Shop", "name_zh": "测试店", "products": 12, "currency": "CNY"}));
    assert_eq!((&status["model"]["state"], &status["examples"]["en"]), (&json!("rules"), &json!(["Red dresses"])));
    assert_eq!(Ask::get("/healthz").of(&shop).await.text(), "ok");
}
