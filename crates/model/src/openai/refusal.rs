//! What servers say when they refuse, in their many shapes, as our kinds of errors. Matched by text where codes lie.

use std::time::Duration;

use jiff::Timestamp;

use crate::error::ModelError;
use crate::event::FinishReason;
use crate::http::scrub;
use crate::json::{Value, parse_strict};

/// How much of a server's words is kept.
const EXCERPT: usize = 300;

/// A short, clean excerpt of what a server said.
pub(crate) fn excerpt(text: &str) -> String {
    let text = text.trim();
    if text.starts_with('<') {
        let title = text.split_once("<title>").and_then(|(_, rest)| rest.split_once("</title>"));
        let title = title.map_or(String::new(), |(title, _)| format!(" titled {:?}", title.trim()));
        return format!("it is a web page{title}, not JSON");
    }
    let short: String = text.chars().take(EXCERPT).collect();
    scrub(&short)
}

/// The sentence in a server's error body.
pub(crate) fn message(body: &str) -> String {
    let value = parse_strict(body.trim()).ok();
    let found = value.as_ref().and_then(sentence);
    excerpt(found.unwrap_or(body))
}

fn sentence(value: &Value) -> Option<&str> {
    if let Value::Array(items) = value {
        return items.first().and_then(sentence);
    }
    match value.get("error") {
        Some(Value::String(text)) => return Some(text),
        Some(inner @ Value::Object(_)) => return sentence(inner),
        _ => {}
    }
    ["message", "detail", "msg"].iter().find_map(|key| value.get(key)?.as_str())
}

/// Whether the words say that tools cannot be used. The status lies: llama.cpp says so with a 500.
pub(crate) fn refuses_tools(words: &str) -> bool {
    const PHRASES: [&str; 12] = [
        "does not support tools",
        "does not support function call",
        "does not support tool",
        "doesn't support tool",
        "tool choice requires --enable-auto-tool-choice",
        "tools param requires --jinja",
        "support tool use",
        "tool use is not supported",
        "tools are not supported",
        "function calling is not supported",
        "tool calling is not supported",
        "`tools` is not supported",
    ];
    let words = words.to_lowercase();
    PHRASES.iter().any(|phrase| words.contains(phrase))
}

/// The error of an HTTP status and a body.
pub(crate) fn refused(status: u16, retry_after: Option<&str>, now: Timestamp, body: &str) -> ModelError {
    let retry_after = retry_after.and_then(|header| wait(header, now)).or_else(|| delay_in(body));
    classify(status, retry_after, &body.to_lowercase(), message(body))
}

/// Google says in the body how long to wait: `"retryDelay": "34s"`.
fn delay_in(body: &str) -> Option<Duration> {
    let (_, rest) = body.split_once("\"retryDelay\"")?;
    let (seconds, _) = rest.trim_start_matches([':', ' ', '"']).split_once('s')?;
    Duration::try_from_secs_f64(seconds.parse().ok()?).ok()
}

fn classify(status: u16, retry_after: Option<Duration>, words: &str, detail: String) -> ModelError {
    let says = |phrases: &[&str]| phrases.iter().any(|phrase| words.contains(phrase));
    let refused = (400..500).contains(&status) || status == 500;
    if refused && says(&["content_filter", "content management policy", "data_inspection_failed", "contentfilter"]) {
        return ModelError::ContentFiltered;
    }
    if refused && status != 429 && says(&TOO_LONG) {
        return ModelError::ContextTooLong { detail };
    }
    match status {
        401..=403 => ModelError::Auth { status, detail },
        429 if says(&["insufficient_quota", "exceeded your current quota", "arrearage", "insufficient balance"]) => {
            ModelError::Auth { status, detail }
        }
        429 => ModelError::RateLimited { retry_after, detail },
        408 | 409 | 425 | 500..=599 => ModelError::Unavailable { status: Some(status), retry_after, detail },
        400..=499 => ModelError::BadRequest { status, detail },
        _ => ModelError::BadResponse { detail: format!("status {status}: {detail}") },
    }
}

const TOO_LONG: [&str; 8] = [
    "context_length_exceeded",
    "maximum context length",
    "context length",
    "context size",
    "prompt is too long",
    "too many tokens",
    "input is too long",
    "range of input length",
];

/// An error object in a 200 response or in the middle of its stream.
pub(crate) fn in_stream(value: &Value) -> Option<ModelError> {
    let error = match value.get("error") {
        Some(Value::Null | Value::Bool(false)) | None => {
            let is_error = value.get("object").and_then(Value::as_str) == Some("error");
            let bare = value.get("choices").is_none() && value.get("code").is_some() && value.get("message").is_some();
            (is_error || bare).then_some(value)?
        }
        Some(error) => error,
    };
    let words = error.to_string().to_lowercase();
    let code = ["code", "status", "status_code"].iter().find_map(|key| match error.get(key)? {
        Value::Number(number) => number.as_str().parse::<u16>().ok(),
        Value::String(text) => text.parse().ok(),
        _ => None,
    });
    let says = |phrase: &str| words.contains(phrase);
    let status = code.filter(|code| (400..600).contains(code)).unwrap_or(match () {
        () if says("rate_limit") || says("rate limit") || says("too many requests") => 429,
        () if says("authentication") || says("invalid_api_key") => 401,
        () if says("invalid_request") => 400,
        () if says("overloaded") => 529,
        () => 503,
    });
    let detail = excerpt(sentence(value).or_else(|| sentence(error)).unwrap_or("an error without words"));
    if refuses_tools(&words) {
        return Some(ModelError::ToolsUnsupported { detail });
    }
    Some(classify(status, None, &words, detail))
}

/// What a finish reason means.
pub(crate) fn finish(reason: &str) -> Result<FinishReason, ModelError> {
    match reason.to_lowercase().as_str() {
        "stop" | "eos" | "eos_token" | "end_turn" | "stop_sequence" | "stop_token" | "completed" | "complete"
        | "done" | "normal" => Ok(FinishReason::Stop),
        "tool_calls" | "function_call" | "tool_use" | "tool_call" => Ok(FinishReason::ToolCalls),
        "length"
        | "max_tokens"
        | "model_length"
        | "max_output_tokens"
        | "max_length"
        | "model_context_window_exceeded" => Ok(FinishReason::Length),
        "content_filter" | "sensitive" | "refusal" | "safety" | "recitation" | "prohibited_content" | "blocklist"
        | "spii" | "image_safety" | "language" => Err(ModelError::ContentFiltered),
        "error"
        | "abort"
        | "network_error"
        | "insufficient_system_resource"
        | "cancelled"
        | "other"
        | "malformed_function_call"
        | "unexpected_tool_call"
        | "pause_turn" => {
            let detail = format!("the server ended the reply with {reason:?}");
            Err(ModelError::Unavailable { status: None, retry_after: None, detail })
        }
        _ => Err(ModelError::BadResponse { detail: format!("the finish reason {reason:?} is not known") }),
    }
}

/// `Retry-After`: seconds, or a date.
pub(crate) fn wait(header: &str, now: Timestamp) -> Option<Duration> {
    let header = header.trim();
    if let Ok(seconds) = header.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let at = jiff::fmt::rfc2822::parse(&header.replace("GMT", "+0000")).ok()?.timestamp();
    Some(Duration::try_from(at.duration_since(now)).unwrap_or(Duration::ZERO))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        let now: Timestamp = "2026-11-30T12:00:00Z".parse().unwrap();
        assert_eq!(wait("7", now), Some(Duration::from_secs(7)));
        assert_eq!(wait("Mon, 30 Nov 2026 12:01:30 GMT", now), Some(Duration::from_secs(90)));
        assert_eq!(wait("Mon, 30 Nov 2026 11:00:00 GMT", now), Some(Duration::ZERO));
        assert_eq!((wait("soon", now), wait("-5", now), wait("NaN", now)), (None, None, None));
    }

    #[test]
    fn refusals_are_known_by_their_words() {
        let now = Timestamp::UNIX_EPOCH;
        let kind = |status, body: &str| refused(status, None, now, body).kind();
        assert_eq!(kind(401, r#"{"error":{"message":"Incorrect API key"}}"#), "auth");
        assert_eq!(
            kind(429, r#"{"error":{"code":"insufficient_quota","message":"You exceeded your current quota"}}"#),
            "auth"
        );
        assert_eq!(
            kind(400, r#"{"error":{"message":"This model's maximum context length is 8192 tokens"}}"#),
            "context_too_long"
        );
        assert_eq!(
            kind(400, r#"{"error":{"code":"data_inspection_failed","message":"inappropriate"}}"#),
            "content_filtered"
        );
        assert_eq!(kind(529, "overloaded"), "unavailable");
        assert_eq!(kind(404, r#"[{"error":{"message":"no such model"}}]"#), "bad_request");
        assert_eq!(kind(302, ""), "bad_response");
    }

    #[test]
    fn what_a_server_repeats_of_a_key_is_taken_out() {
        let error = refused(
            401,
            None,
            Timestamp::UNIX_EPOCH,
            r#"{"error":{"message":"Incorrect API key provided: sk-abcdefghijklmnopqrstuvwx."}}"#,
        );
        assert!(error.to_string().contains("[redacted]") && !error.to_string().contains("abcdefgh"), "{error}");
    }

    #[test]
    fn a_web_page_is_named_as_one() {
        assert_eq!(
            excerpt("<html><head><title>502 Bad Gateway</title>"),
            r#"it is a web page titled "502 Bad Gateway", not JSON"#
        );
    }
}
