//! OpenAI Chat Completions, as it is really spoken: by OpenAI, Azure, DashScope, DeepSeek, Moonshot, Zhipu, vLLM, SGLang,
//! llama.cpp, Ollama, LM Studio and others, each a little differently.
//!
//! `request` and `decode` are pure: our types to a body, bytes to our events. `chat` sends. What a server turns out not
//! to understand is remembered in `quirks` and left out from then on.

mod calls;
mod chat;
mod decode;
mod embedding;
mod quirks;
pub(crate) mod refusal;
mod request;
pub(crate) mod sse;
mod think;
pub(crate) mod usage;

pub use chat::OpenAiChat;
pub use decode::{Decoder, DecoderOptions};
pub use embedding::OpenAiEmbedding;

pub(crate) use usage::estimate_request;

use crate::http::HttpRequest;
use crate::redacted::Redacted;
use crate::settings::Endpoint;

/// The request to a path of the API, with the key as the server wants it.
fn request_to(endpoint: &Endpoint, path: &str, body: String) -> HttpRequest {
    let (base, query) = endpoint.base_url.split_once('?').unwrap_or((&endpoint.base_url, ""));
    let mut url = format!("{}{path}", base.trim_end_matches('/'));
    if !query.is_empty() {
        url = format!("{url}?{query}");
    }
    let mut headers = Vec::new();
    if let Some(key) = &endpoint.api_key {
        let azure = base.split('/').nth(2).is_some_and(|host| host.ends_with(".azure.com"));
        headers.push(if azure {
            ("api-key", key.clone())
        } else {
            ("authorization", Redacted::new(format!("Bearer {}", key.reveal())))
        });
    }
    HttpRequest { url, headers, body }
}
