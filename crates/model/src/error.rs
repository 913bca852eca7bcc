//! What can go wrong with a model, in kinds a caller can act on.
//!
//! Two texts: [`ModelError::operator`] says what happened and what to do to the person who runs the shop,
//! [`ModelError::public`] is safe for a customer. `detail` is what the server said, shortened and with secrets removed.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Which wait took too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Reaching the server.
    Connect,
    /// From the request to the first token.
    FirstToken,
    /// Between two pieces of the stream.
    Idle,
    /// The whole call.
    Total,
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Connect => "connection",
            Self::FirstToken => "first token",
            Self::Idle => "next piece of the stream",
            Self::Total => "end of the reply",
        })
    }
}

/// Why a model did not answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum ModelError {
    /// No model is set for this role.
    #[error("no {role} model is configured")]
    Unconfigured {
        /// The role, such as `chat`.
        role: String,
    },
    /// A setting cannot be used.
    #[error("the model setting {setting} cannot be used: {detail}")]
    Setting {
        /// Its name.
        setting: String,
        /// Why.
        detail: String,
    },
    /// The server does not accept the key (401, 403).
    #[error("the model's server refused the key ({status}): {detail}")]
    Auth {
        /// HTTP status.
        status: u16,
        /// What the server said.
        detail: String,
    },
    /// Too many requests, or the account's quota is used up (429).
    #[error("the model's server limits the rate: {detail}")]
    RateLimited {
        /// How long the server asks to wait.
        retry_after: Option<Duration>,
        /// What the server said.
        detail: String,
    },
    /// The server cannot be reached or is in trouble.
    #[error("the model's server is not available: {detail}")]
    Unavailable {
        /// HTTP status, when there was one.
        status: Option<u16>,
        /// How long the server asks to wait.
        retry_after: Option<Duration>,
        /// What happened.
        detail: String,
    },
    /// A wait took too long.
    #[error("waiting for the {which} took longer than {limit:?}")]
    Timeout {
        /// Which wait.
        which: Phase,
        /// The limit.
        limit: Duration,
    },
    /// The server refused the request as it is; sending it again is no use.
    #[error("the model's server refused the request ({status}): {detail}")]
    BadRequest {
        /// HTTP status.
        status: u16,
        /// What the server said.
        detail: String,
    },
    /// The conversation is longer than the model can read.
    #[error("the conversation is too long for the model: {detail}")]
    ContextTooLong {
        /// What the server said.
        detail: String,
    },
    /// The reply cannot be read, such as an HTML page of a proxy.
    #[error("the reply cannot be read: {detail}")]
    BadResponse {
        /// What was wrong.
        detail: String,
    },
    /// The reply holds no answer: no text and no call, perhaps only reasoning.
    #[error("the model gave no answer")]
    Empty {
        /// There was reasoning, but nothing else.
        reasoning_only: bool,
    },
    /// The server or the model has no tool calls. Use the JSON protocol.
    #[error("the model cannot call tools: {detail}")]
    ToolsUnsupported {
        /// What the server said.
        detail: String,
    },
    /// The reply broke off: what was received is not complete.
    #[error("the reply broke off: {detail}")]
    Truncated {
        /// How.
        detail: String,
    },
    /// The provider's filter stopped the reply.
    #[error("the provider's content filter stopped the reply")]
    ContentFiltered,
    /// The caller gave up.
    #[error("the call was cancelled")]
    Cancelled,
    /// A budget is used up.
    #[error("the budget of the {scope} is used up: {used} of {limit} {unit}")]
    BudgetExhausted {
        /// Whose budget, such as `run`.
        scope: String,
        /// What is counted, such as `tokens`.
        unit: String,
        /// Used.
        used: u64,
        /// Allowed.
        limit: u64,
    },
    /// The endpoint failed too often; it is left alone for a while.
    #[error("the model's server failed {failures} times in a row; it is asked again in {retry_in:?}")]
    CircuitOpen {
        /// Failures in a row.
        failures: u32,
        /// Until the next trial.
        retry_in: Duration,
    },
}

impl ModelError {
    /// Whether the same request may succeed a little later.
    #[must_use]
    pub const fn is_transient(&self) -> bool {
        match self {
            Self::RateLimited { .. }
            | Self::Unavailable { .. }
            | Self::Timeout { .. }
            | Self::BadResponse { .. }
            | Self::Empty { .. }
            | Self::Truncated { .. } => true,
            Self::Unconfigured { .. }
            | Self::Setting { .. }
            | Self::Auth { .. }
            | Self::BadRequest { .. }
            | Self::ContextTooLong { .. }
            | Self::ToolsUnsupported { .. }
            | Self::ContentFiltered
            | Self::Cancelled
            | Self::BudgetExhausted { .. }
            | Self::CircuitOpen { .. } => false,
        }
    }

    /// How long the server asks to wait.
    #[must_use]
    pub const fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::RateLimited { retry_after, .. } | Self::Unavailable { retry_after, .. } => *retry_after,
            _ => None,
        }
    }

    /// A stable short name of the kind, for metrics and the ledger.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Unconfigured { .. } => "unconfigured",
            Self::Setting { .. } => "setting",
            Self::Auth { .. } => "auth",
            Self::RateLimited { .. } => "rate_limited",
            Self::Unavailable { .. } => "unavailable",
            Self::Timeout { .. } => "timeout",
            Self::BadRequest { .. } => "bad_request",
            Self::ContextTooLong { .. } => "context_too_long",
            Self::BadResponse { .. } => "bad_response",
            Self::Empty { .. } => "empty",
            Self::ToolsUnsupported { .. } => "tools_unsupported",
            Self::Truncated { .. } => "truncated",
            Self::ContentFiltered => "content_filtered",
            Self::Cancelled => "cancelled",
            Self::BudgetExhausted { .. } => "budget_exhausted",
            Self::CircuitOpen { .. } => "circuit_open",
        }
    }

    /// What happened and what to do, for the person who runs the shop.
    #[must_use]
    pub fn operator(&self) -> String {
        let hint = match self {
            Self::Unconfigured { .. } => "set MERCER_MODEL, MERCER_MODEL_BASE_URL and MERCER_MODEL_API_KEY",
            Self::Setting { .. } => "`mercer config --explain` shows where each setting comes from",
            Self::Auth { .. } => "check MERCER_MODEL_API_KEY and that the key may use this model",
            Self::RateLimited { .. } => "lower the concurrency, or raise the account's limit or credit",
            Self::Unavailable { .. } => "check MERCER_MODEL_BASE_URL and the server",
            Self::Timeout { .. } => "check the server's load, or raise the limit in the settings",
            Self::BadRequest { .. } => "check the model's name and the base URL",
            Self::BadResponse { .. } => {
                "check that the base URL is the API's and not a web page's (it often ends in /v1)"
            }
            Self::ToolsUnsupported { .. } => "the JSON protocol is used instead",
            _ => return self.to_string(),
        };
        format!("{self}; {hint}")
    }

    /// What a customer may read, in the language of `chinese`.
    #[must_use]
    pub const fn public(&self, chinese: bool) -> &'static str {
        match (self, chinese) {
            (Self::ContentFiltered, true) => "这条消息无法由智能模型处理，请换个说法。",
            (Self::ContentFiltered, false) => "The assistant cannot answer this message. Please put it another way.",
            (Self::ContextTooLong { .. }, true) => "对话太长了，请开始新的对话。",
            (Self::ContextTooLong { .. }, false) => "This conversation has become too long. Please start a new one.",
            (_, true) => "智能助手暂时不可用，以下由规则为您服务。",
            (_, false) => "The assistant is not available right now; you are served by rules.",
        }
    }
}
