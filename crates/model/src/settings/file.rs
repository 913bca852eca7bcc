//! The `[model]` section of the settings file.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::redacted::Redacted;

/// One endpoint in the file.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct EndpointFile {
    /// The model's name.
    pub model: Option<String>,
    /// The API's address, often ending in `/v1`.
    pub base_url: Option<String>,
    /// The key itself. Better: `api_key_env`.
    pub api_key: Option<Redacted<String>>,
    /// The environment variable that holds the key.
    pub api_key_env: Option<String>,
    /// Whether the model can see; guessed from its name when absent.
    pub sees: Option<bool>,
    /// Whether the server has tool calls; found out when absent.
    pub tools: Option<bool>,
    /// `openai`, `anthropic` or `gemini`; told by the address when absent.
    pub protocol: Option<String>,
    /// Tokens of thinking to ask for, where the protocol has to be asked.
    pub thinking: Option<u32>,
}

/// Waits in the file, in seconds.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TimeoutsFile {
    /// Reaching the server.
    pub connect: Option<u64>,
    /// Up to the first token.
    pub first_token: Option<u64>,
    /// Between two pieces.
    pub idle: Option<u64>,
    /// The whole call.
    pub total: Option<u64>,
}

/// A price in the file: money per million tokens, as decimal text.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PriceFile {
    /// Such as `USD`.
    pub currency: String,
    /// Tokens read.
    pub prompt: String,
    /// Tokens read from the server's cache; as `prompt` when absent.
    pub cached: Option<String>,
    /// Tokens written.
    pub completion: String,
}

/// The `[model]` section.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ModelFile {
    /// Conversations.
    pub chat: EndpointFile,
    /// Looking at pictures.
    pub vision: EndpointFile,
    /// Judging answers.
    pub judge: EndpointFile,
    /// Vectors of texts.
    pub embedding: EndpointFile,
    /// Making pictures.
    pub image: EndpointFile,
    /// Asked in this order when the chat model fails.
    pub fallback: Vec<EndpointFile>,
    /// Waits.
    pub timeouts: TimeoutsFile,
    /// Attempts after the first.
    pub retries: Option<u32>,
    /// Calls at the same time to one endpoint.
    pub concurrency: Option<usize>,
    /// Tokens a minute to one endpoint.
    pub tokens_per_minute: Option<u64>,
    /// Prices by the model's name.
    pub prices: BTreeMap<String, PriceFile>,
}
