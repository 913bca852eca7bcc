//! One model on one server, and what it costs.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::event::{Cost, Usage};
use crate::redacted::Redacted;

/// How a server is spoken to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Wire {
    /// OpenAI Chat Completions, which nearly everybody speaks.
    OpenAi,
    /// Anthropic Messages.
    Anthropic,
    /// Gemini `generateContent`.
    Gemini,
}

impl FromStr for Wire {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text.to_ascii_lowercase().as_str() {
            "openai" => Ok(Self::OpenAi),
            "anthropic" => Ok(Self::Anthropic),
            "gemini" | "google" => Ok(Self::Gemini),
            _ => Err(()),
        }
    }
}

impl fmt::Display for Wire {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OpenAi => "openai",
            Self::Anthropic => "anthropic",
            Self::Gemini => "gemini",
        })
    }
}

/// One model on one server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Endpoint {
    /// The model's name.
    pub model: String,
    /// The API's address without a slash at its end; a query is kept.
    pub base_url: String,
    /// The key; servers on one's own machine often want none.
    pub api_key: Option<Redacted<String>>,
    /// Whether the model can see; guessed from its name when absent.
    pub sees: Option<bool>,
    /// Whether the server has tool calls; found out when absent.
    pub tools: Option<bool>,
    /// How the server is spoken to; told by the address when absent.
    pub wire: Option<Wire>,
    /// Tokens of thinking to ask for, where the protocol has to be asked (Anthropic, Gemini).
    pub thinking: Option<u32>,
    /// What it costs.
    pub price: Option<Price>,
}

/// Parts of names by which models that see are known.
const SEEING: [&str; 24] = [
    "gpt-4o",
    "gpt-4.1",
    "gpt-5",
    "o3",
    "o4-mini",
    "-vl",
    "vl-",
    "vision",
    "claude",
    "gemini",
    "glm-4v",
    "glm-4.5v",
    "glm-4.6v",
    "llava",
    "minicpm-v",
    "pixtral",
    "gemma-3",
    "gemma3",
    "internvl",
    "qvq",
    "omni",
    "kimi-k2.5",
    "moondream",
    "llama-4",
];

impl Endpoint {
    /// A model on a server, without key, price or knowledge.
    pub fn new(model: impl Into<String>, base_url: impl Into<String>) -> Self {
        let base_url = base_url.into().trim_end_matches('/').to_owned();
        let model = model.into();
        Self { model, base_url, api_key: None, sees: None, tools: None, wire: None, thinking: None, price: None }
    }

    /// How the server is spoken to: as set, or told by its address.
    #[must_use]
    pub fn wire(&self) -> Wire {
        self.wire.unwrap_or_else(|| {
            let Ok(url) = url::Url::parse(&self.base_url) else { return Wire::OpenAi };
            let (host, path) = (url.host_str().unwrap_or_default(), url.path().trim_end_matches('/'));
            // DeepSeek, Moonshot, Zhipu and others speak it below `/anthropic`.
            if host == "api.anthropic.com" || path.trim_end_matches("/v1").ends_with("/anthropic") {
                Wire::Anthropic
            } else if host == "generativelanguage.googleapis.com" && !path.ends_with("/openai") {
                Wire::Gemini
            } else {
                Wire::OpenAi
            }
        })
    }

    /// The same with a key.
    #[must_use]
    pub fn with_key(mut self, key: impl Into<String>) -> Self {
        self.api_key = Some(Redacted::new(key.into()));
        self
    }

    /// Whether the model can look at pictures: as set, or guessed from its name.
    #[must_use]
    pub fn sees(&self) -> bool {
        self.sees.unwrap_or_else(|| {
            let name = self.model.to_ascii_lowercase();
            SEEING.iter().any(|part| name.contains(part))
        })
    }
}

/// Prices per million tokens, exact to a millionth of the currency's unit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Price {
    /// Such as `USD`.
    pub currency: String,
    prompt_micros: u64,
    cached_micros: u64,
    completion_micros: u64,
}

/// Why a price cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not an amount such as 0.15 (at most six decimals)")]
pub struct PriceError {
    /// What was written.
    pub text: String,
}

impl Price {
    /// Prices per million tokens as decimal texts.
    ///
    /// # Errors
    /// When one is not a plain decimal number with at most six decimals.
    pub fn new(currency: &str, prompt: &str, cached: Option<&str>, completion: &str) -> Result<Self, PriceError> {
        let prompt_micros = micros(prompt)?;
        let cached_micros = cached.map_or(Ok(prompt_micros), micros)?;
        Ok(Self { currency: currency.to_owned(), prompt_micros, cached_micros, completion_micros: micros(completion)? })
    }

    /// What this use costs, rounded up to a billionth of the currency's unit.
    #[must_use]
    pub fn cost(&self, usage: &Usage) -> Cost {
        let cached = usage.cached_tokens.min(usage.prompt_tokens);
        let fresh = usage.prompt_tokens - cached;
        // micros per million tokens × tokens = 10⁻¹² units; a nano is a thousand of them.
        let pico = u128::from(fresh) * u128::from(self.prompt_micros)
            + u128::from(cached) * u128::from(self.cached_micros)
            + u128::from(usage.completion_tokens) * u128::from(self.completion_micros);
        Cost { nanos: u64::try_from(pico.div_ceil(1_000)).unwrap_or(u64::MAX), currency: self.currency.clone() }
    }
}

fn micros(text: &str) -> Result<u64, PriceError> {
    let bad = || PriceError { text: text.to_owned() };
    let (whole, decimals) = text.trim().split_once('.').unwrap_or((text.trim(), ""));
    let digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    if whole.is_empty() || decimals.len() > 6 || !digits(whole) || !digits(decimals) {
        return Err(bad());
    }
    format!("{whole}{decimals:0<6}").parse().ok().ok_or_else(bad)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_costs_its_tokens_exactly() {
        let price = Price::new("USD", "0.15", Some("0.075"), "0.6").unwrap();
        let usage = Usage { prompt_tokens: 1_000, cached_tokens: 400, completion_tokens: 10, ..Usage::default() };
        // 600 × 0.15 + 400 × 0.075 + 10 × 0.6 = 126 millionths of a dollar.
        assert_eq!(price.cost(&usage), Cost { nanos: 126_000, currency: "USD".into() });
    }

    #[test]
    fn a_price_is_plain_decimal_text() {
        for text in ["", ".", "-1", "1e3", "0.1234567", "1,5", "99999999999999999999"] {
            assert!(Price::new("USD", text, None, "1").is_err(), "{text:?}");
        }
    }

    #[test]
    fn models_that_see_are_known_by_name_unless_told() {
        let sees = |name: &str| Endpoint::new(name, "http://x").sees();
        assert!(sees("qwen2.5-vl-72b-instruct") && sees("gpt-4o-mini") && sees("glm-4v-plus"));
        assert!(!sees("deepseek-chat") && !sees("qwen-plus"));
        assert!(!Endpoint { sees: Some(false), ..Endpoint::new("gpt-4o", "http://x") }.sees());
    }
}
