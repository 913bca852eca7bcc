//! Vectors over the OpenAI-compatible endpoint.

use mercer_model::http::{HttpSettings, client};
use mercer_model::openai::OpenAiEmbedding;
use mercer_model::settings::{Price, Timeouts};
use mercer_model::{EmbeddingModel, Endpoint, ModelError};
use serde_json::json;

use crate::server::{Server, response};

fn model(server: &Server) -> OpenAiEmbedding {
    let endpoint =
        Endpoint { price: Some(Price::new("USD", "0.02", None, "0").unwrap()), ..Endpoint::new("e", &server.url) };
    OpenAiEmbedding::new(&endpoint, client(&HttpSettings::default()).unwrap(), Timeouts::default())
}

fn texts(count: usize) -> Vec<String> {
    (0..count).map(|n| format!("text {n}")).collect()
}

#[tokio::test]
async fn vectors_come_in_the_order_of_the_texts_batch_by_batch() {
    let first: Vec<_> = (0..10).rev().map(|n| json!({"index": n, "embedding": [n, 0.5]})).collect();
    let first = json!({"data": first, "usage": {"prompt_tokens": 20, "total_tokens": 20}});
    let second = json!({"data": [{"index": 0, "embedding": "AAAgQQAAAD8="}]});
    let ok = |body: serde_json::Value| response("200 OK", "", &body.to_string());
    let server = Server::start(vec![ok(first), ok(second)]).await;
    let made = model(&server).embed(texts(11)).await.unwrap();
    let firsts: Vec<f32> = made.vectors.iter().map(|vector| vector[0]).collect();
    assert_eq!(firsts, (0..11_u8).map(f32::from).collect::<Vec<_>>());
    assert!(made.usage.estimated && made.usage.prompt_tokens > 20 && made.usage.cost.is_some());
    assert_eq!(server.bodies()[0]["input"].as_array().unwrap().len(), 10);
    assert!(server.requests()[0].starts_with("POST /v1/embeddings "));
}

#[tokio::test]
async fn vectors_that_are_missing_or_of_other_length_are_refused() {
    for data in [
        json!([{"index": 0, "embedding": [1]}]),
        json!([{"index": 0, "embedding": [1]}, {"index": 1, "embedding": [1, 2]}]),
        json!([{"index": 0, "embedding": [1]}, {"index": 7, "embedding": [1]}]),
        json!([{"index": 0, "embedding": []}, {"index": 1, "embedding": []}]),
        json!([{"embedding": [1]}, {"embedding": ["x"]}]),
    ] {
        let server = Server::start(vec![response("200 OK", "", &json!({"data": data}).to_string())]).await;
        let error = model(&server).embed(texts(2)).await.unwrap_err();
        assert!(matches!(error, ModelError::BadResponse { .. }), "{data} {error:?}");
    }
}
