//! Uploads: pictures by content, and nothing that only says it is one.

use axum::http::StatusCode;
use serde_json::json;

use crate::ask::Ask;
use crate::picture::png;
use crate::shop::{Shop, parts};

#[tokio::test]
async fn a_picture_is_kept_under_an_opaque_id_and_shown_small() {
    let shop = Shop::open();
    let picture = png(640, 480);
    let stored = Ask::post("/api/v1/files").file("../../dress.png", &picture).of(&shop).await;
    assert_eq!(stored.status, StatusCode::CREATED, "{}", stored.text());
    let stored = stored.json();
    assert_eq!((&stored["width"], &stored["height"]), (&json!(640), &json!(480)));
    assert_eq!(stored["media_type"], "image/png");
    let url = stored["url"].as_str().unwrap();
    let whole = Ask::get(url).of(&shop).await;
    assert_eq!((whole.status, &whole.body[..]), (StatusCode::OK, &picture[..]));
    assert_eq!((whole.header("content-type"), whole.header("x-content-type-options")), ("image/png", "nosniff"));
    assert_eq!(whole.header("content-security-policy"), "default-src 'none'; sandbox");
    for (asked, edge) in [(1, 160), (320, 320), (321, 640), (9_999, 640)] {
        let small = Ask::get(format!("{url}?w={asked}")).of(&shop).await;
        let decoded = mercer_studio::decode(&small.body, &mercer_studio::Limits::default()).unwrap();
        assert_eq!(decoded.width(), edge, "a copy is never larger than the picture");
        let again = Ask::get(format!("{url}?w={asked}")).of(&shop).await;
        assert_eq!(again.body, small.body, "from the cache as at first");
    }
    assert_eq!(Ask::get("/api/v1/files/fil_unknown").of(&shop).await.code(), "not_found");
    assert_eq!(Ask::get("/api/v1/files/..%2F..%2Fmercer.db").of(&shop).await.code(), "not_found");
}

#[tokio::test]
async fn what_is_no_picture_is_refused_whatever_its_name() {
    let shop = Shop::open();
    let refused = async |name: &str, content: &[u8]| {
        let reply = Ask::post("/api/v1/files").file(name, content).of(&shop).await;
        let (code, detail) = reply.problem();
        (reply.status, code, detail)
    };
    let (status, code, detail) = refused("dress.jpg", b"<html><script>alert(1)</script></html>").await;
    assert_eq!((status, code.as_str()), (StatusCode::UNPROCESSABLE_ENTITY, "unreadable_picture"));
    assert!(!detail.contains("script"), "{detail}");
    assert_eq!(refused("empty.png", b"").await.1, "unreadable_picture");
    let whole = png(640, 480);
    assert_eq!(refused("cut.png", &whole[..whole.len() / 2]).await.1, "unreadable_picture");
    let bomb = png(20_000, 20_000);
    assert!(bomb.len() < 1_000_000, "{} bytes", bomb.len());
    let (_, code, detail) = refused("bomb.png", &bomb).await;
    assert_eq!(code, "unreadable_picture");
    assert!(detail.contains("20") && detail.contains("pixel"), "says what is too large: {detail}");
    let (status, code, _) = refused("large.png", &vec![0; 21 << 20]).await;
    assert_eq!((status, code.as_str()), (StatusCode::PAYLOAD_TOO_LARGE, "too_large"));

    let no_form = Ask::post("/api/v1/files").json(&json!({"file": "x"})).of(&shop).await;
    assert_eq!((no_form.status, no_form.code()), (StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_media".to_owned()));
    let other = Ask::post("/api/v1/files").header("content-type", "multipart/form-data; boundary=x").of(&shop).await;
    assert_eq!(other.code(), "invalid_request");
}

#[tokio::test]
async fn a_picture_goes_with_a_message_by_address_or_as_data_and_is_seen_in_the_conversation() {
    let shop = Shop::open();
    let stored = Ask::post("/api/v1/files").file("dress.png", &png(64, 64)).of(&shop).await.json();
    let url = stored["url"].as_str().unwrap().to_owned();
    let data = {
        use base64::Engine as _;
        format!("data:image/png;base64,{}", base64::engine::general_purpose::STANDARD.encode(png(32, 32)))
    };
    let thread = "thread-with-pictures";
    for (message, url) in [("msg-1", &url), ("msg-2", &data)] {
        let body = json!({"id": thread, "messages": [{"id": message, "role": "user", "parts": [
            {"type": "text", "text": "something like this"}, {"type": "file", "mediaType": "image/png", "url": url}]}]});
        let reply = Ask::post("/api/chat").json(&body).of(&shop).await;
        assert_eq!(parts(&reply.events()).last().unwrap()["type"], "finish");
    }
    let kept = shop.messages(thread).await;
    assert_eq!(kept["messages"][0]["parts"][0]["url"], url.as_str());
    let second = kept["messages"][2]["parts"][0]["url"].as_str().unwrap();
    assert!(second.starts_with("/api/v1/files/fil_"), "{second}");
    assert_eq!(Ask::get(second).of(&shop).await.body, png(32, 32));
}
