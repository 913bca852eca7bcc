//! Errors as people and programs read them: `application/problem+json` (RFC 9457) with a stable code and a sentence that says what to do.
//!
//! The operator's text goes to the log, never into the answer: no stack, path, key or another tenant's data leaves here.

use axum::Json;
use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use mercer_graph::EngineError;
use mercer_shop::StorageError;
use serde::Serialize;
use utoipa::ToSchema;

/// The closed set of error codes. Each has a page in `docs/errors/`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// The request cannot be read or a field is wrong.
    InvalidRequest,
    /// A key is needed and none, or none that is known, was sent.
    Unauthenticated,
    /// The key does not allow this.
    Forbidden,
    /// There is no such thing, or it belongs to someone else.
    NotFound,
    /// The endpoint exists, with another method.
    MethodNotAllowed,
    /// The thread is busy, or the state of the thing does not allow this.
    Conflict,
    /// The body is larger than the limit.
    TooLarge,
    /// The content is of a type that is not taken here.
    UnsupportedMedia,
    /// The picture cannot be decoded.
    UnreadablePicture,
    /// The feed cannot be imported.
    ImportRefused,
    /// Too many requests from this key.
    RateLimited,
    /// Something needed is not there now.
    Unavailable,
    /// A fault of ours.
    Internal,
}

impl Code {
    /// Every code, for the test that each has its page.
    pub const ALL: [Self; 13] = [
        Self::InvalidRequest,
        Self::Unauthenticated,
        Self::Forbidden,
        Self::NotFound,
        Self::MethodNotAllowed,
        Self::Conflict,
        Self::TooLarge,
        Self::UnsupportedMedia,
        Self::UnreadablePicture,
        Self::ImportRefused,
        Self::RateLimited,
        Self::Unavailable,
        Self::Internal,
    ];

    /// The code as programs compare it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::InvalidRequest => "invalid_request",
            Self::Unauthenticated => "unauthenticated",
            Self::Forbidden => "forbidden",
            Self::NotFound => "not_found",
            Self::MethodNotAllowed => "method_not_allowed",
            Self::Conflict => "conflict",
            Self::TooLarge => "too_large",
            Self::UnsupportedMedia => "unsupported_media",
            Self::UnreadablePicture => "unreadable_picture",
            Self::ImportRefused => "import_refused",
            Self::RateLimited => "rate_limited",
            Self::Unavailable => "unavailable",
            Self::Internal => "internal",
        }
    }

    fn status(self) -> StatusCode {
        match self {
            Self::InvalidRequest => StatusCode::BAD_REQUEST,
            Self::Unauthenticated => StatusCode::UNAUTHORIZED,
            Self::Forbidden => StatusCode::FORBIDDEN,
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Self::Conflict => StatusCode::CONFLICT,
            Self::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::UnsupportedMedia => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::UnreadablePicture | Self::ImportRefused => StatusCode::UNPROCESSABLE_ENTITY,
            Self::RateLimited => StatusCode::TOO_MANY_REQUESTS,
            Self::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
            Self::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

/// An error answer.
#[derive(Debug)]
pub struct Problem {
    code: Code,
    detail: String,
    retry_after: Option<u64>,
}

/// The body of an error answer (RFC 9457).
#[derive(Debug, Serialize, ToSchema)]
pub struct ProblemBody {
    /// The page about this code.
    #[serde(rename = "type")]
    pub kind: String,
    /// The code in words.
    pub title: String,
    /// The HTTP status.
    pub status: u16,
    /// What happened and what to do.
    pub detail: String,
    /// The stable code.
    pub code: Code,
}

impl Problem {
    /// A problem with its sentence for the person who asked.
    pub fn new(code: Code, detail: impl Into<String>) -> Self {
        Self { code, detail: detail.into(), retry_after: None }
    }

    /// A request that cannot be read.
    pub fn invalid(detail: impl Into<String>) -> Self {
        Self::new(Code::InvalidRequest, detail)
    }

    /// A thing that does not exist for the caller.
    #[must_use]
    pub fn not_found(what: &str) -> Self {
        Self::new(Code::NotFound, format!("There is no such {what}. Check its id, or list them to see which exist."))
    }

    /// Too many requests: come back in so many seconds.
    #[must_use]
    pub fn wait(seconds: u64) -> Self {
        let detail = format!("Too many requests in a short time. Wait {seconds} seconds and try again.");
        Self { retry_after: Some(seconds), ..Self::new(Code::RateLimited, detail) }
    }

    /// A fault of ours: `operator` goes to the log, the person gets a plain sentence.
    pub fn internal(operator: impl std::fmt::Display) -> Self {
        tracing::error!(error = %operator, "request failed");
        Self::new(
            Code::Internal,
            "Something failed on our side. Nothing was lost; try again, and look into the log if it stays.",
        )
    }

    /// The sentence for the person.
    #[must_use]
    pub fn detail(&self) -> &str {
        &self.detail
    }

    /// The code.
    #[must_use]
    pub fn code(&self) -> Code {
        self.code
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = self.code.status();
        let body = ProblemBody {
            kind: format!("/docs/errors/{}", self.code.name()),
            title: self.code.name().replace('_', " "),
            status: status.as_u16(),
            detail: self.detail,
            code: self.code,
        };
        let mut response = (status, Json(body)).into_response();
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

impl From<JsonRejection> for Problem {
    fn from(rejection: JsonRejection) -> Self {
        match rejection.status() {
            StatusCode::PAYLOAD_TOO_LARGE => {
                Self::new(Code::TooLarge, "The request body is larger than this endpoint takes.")
            }
            StatusCode::UNSUPPORTED_MEDIA_TYPE => {
                Self::new(Code::UnsupportedMedia, "Send JSON with the header Content-Type: application/json.")
            }
            _ => Self::invalid(rejection.body_text()),
        }
    }
}

impl From<QueryRejection> for Problem {
    fn from(rejection: QueryRejection) -> Self {
        Self::invalid(rejection.body_text())
    }
}

impl From<PathRejection> for Problem {
    fn from(_rejection: PathRejection) -> Self {
        Self::invalid("The address cannot be read: its parts must be percent-encoded UTF-8.")
    }
}

impl From<StorageError> for Problem {
    fn from(error: StorageError) -> Self {
        match error {
            StorageError::Full => Self::new(
                Code::Unavailable,
                "The disk of the shop's server is full. Nothing was written; free some room and try again.",
            ),
            StorageError::Failed(_) => Self::internal(error),
        }
    }
}

impl From<EngineError> for Problem {
    fn from(error: EngineError) -> Self {
        match &error {
            EngineError::Busy { .. } => {
                Self::new(Code::Conflict, "This conversation is still answering. Wait for it, or stop it first.")
            }
            EngineError::ThreadNotFound(_) => Self::not_found("thread"),
            EngineError::RunNotFound(_) => Self::not_found("run"),
            EngineError::CheckpointNotFound { .. } => Self::not_found("checkpoint"),
            EngineError::Answer(_) => Self::invalid(error.to_string()),
            EngineError::WrongStatus { .. } | EngineError::EffectNotOpen(_) => {
                Self::new(Code::Conflict, error.to_string())
            }
            EngineError::GraphChanged { .. } => Self::new(
                Code::Conflict,
                format!("{error}. The run was kept; it can go on with a program that still has these nodes."),
            ),
            EngineError::Draining => {
                Self::new(Code::Unavailable, "The server is stopping. Nothing was lost; try again in a moment.")
            }
            _ => Self::internal(error),
        }
    }
}
