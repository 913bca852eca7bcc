//! What a server turned out not to understand, or to insist on. Learned from its refusals, remembered per model.

use crate::request::ChatRequest;

/// Deviations from the protocol.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is one independent deviation of a server")]
pub(super) struct Quirks {
    /// Streaming is refused: the answer comes as one object.
    pub(super) no_stream: bool,
    /// `stream_options` is refused.
    pub(super) no_stream_options: bool,
    /// The limit is called `max_completion_tokens`.
    pub(super) max_completion_tokens: bool,
    /// Only the default temperature is taken.
    pub(super) no_temperature: bool,
    /// `response_format` is refused.
    pub(super) no_response_format: bool,
    /// `stop` is refused.
    pub(super) no_stop: bool,
    /// The field reasoning comes in, and in which it is echoed.
    pub(super) reasoning_field: Option<&'static str>,
    /// Reasoning must be there in every assistant message, even empty.
    pub(super) reasoning_always: bool,
    /// Reasoning is refused.
    pub(super) no_reasoning: bool,
    /// The text begins inside thoughts.
    pub(super) headless: bool,
}

impl Quirks {
    /// What is known of a model by its name.
    pub(super) fn of(model: &str) -> Self {
        let model = model.to_lowercase();
        let name = model.rsplit('/').next().unwrap_or_default();
        let max_completion_tokens = ["o1", "o3", "o4", "gpt-5"].iter().any(|start| name.starts_with(start));
        let headless = name.contains("qwq") || name.contains("thinking") || name.contains("deepseek-r1");
        Self { max_completion_tokens, headless, ..Self::default() }
    }

    /// What a refusal teaches; nothing when it teaches nothing new.
    pub(super) fn learn(mut self, status: u16, body: &str, request: &ChatRequest) -> Option<Self> {
        if !matches!(status, 400 | 404 | 422 | 500) {
            return None;
        }
        let words = body.to_lowercase();
        let says = |phrases: &[&str]| phrases.iter().any(|phrase| words.contains(phrase));
        const REFUSED: [&str; 14] = [
            "not support",
            "unsupported",
            "unknown",
            "unrecognized",
            "unexpected",
            "extra",
            "not permitted",
            "not allowed",
            "unavailable",
            "invalid",
            "only the default",
            "deprecated",
            "not available",
            "cannot be used",
        ];
        let before = self;
        if words.contains("reasoning_content") || words.contains("reasoning content") {
            if says(&["must be passed back", "missing"]) {
                self.reasoning_always = true;
                self.reasoning_field.get_or_insert("reasoning_content");
            } else if says(&REFUSED) {
                self.no_reasoning = true;
            }
        } else if words.contains("max_completion_tokens") {
            self.max_completion_tokens = true;
        } else if says(&REFUSED) {
            let options = words.contains("stream_options") || words.contains("include_usage");
            self.no_stream_options |= options;
            self.no_stream |= !options && words.contains("stream");
            self.no_temperature |= words.contains("temperature") && request.temperature.is_some();
            self.no_response_format |=
                (words.contains("response_format") || words.contains("json_schema") || words.contains("json mode"))
                    && request.response_format.is_some();
            self.no_stop |= words.contains("'stop'") && !request.stop.is_empty();
        }
        (self != before).then_some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::Message;

    fn request() -> ChatRequest {
        ChatRequest { temperature: Some(0.2), ..ChatRequest::new("test", vec![Message::user("hi")]) }
    }

    #[test]
    fn refusals_teach_what_to_leave_out() {
        let learn = |body: &str| Quirks::default().learn(400, body, &request());
        assert!(learn("Extra inputs are not permitted: stream_options").is_some_and(|q| q.no_stream_options));
        assert!(
            learn("Streaming is not supported for this model").is_some_and(|q| q.no_stream && !q.no_stream_options)
        );
        let max = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
        assert!(learn(max).is_some_and(|q| q.max_completion_tokens));
        let temperature =
            "Unsupported value: 'temperature' does not support 0.2. Only the default (1) value is supported.";
        assert!(learn(temperature).is_some_and(|q| q.no_temperature));
        let echo = "The `reasoning_content` in the thinking mode must be passed back to the API.";
        assert!(learn(echo).is_some_and(|q| q.reasoning_always));
        assert_eq!(learn("model not found"), None);
        assert_eq!(Quirks::default().learn(401, max, &request()), None);
    }

    #[test]
    fn nothing_is_learned_twice() {
        let known = Quirks { no_temperature: true, ..Quirks::default() };
        assert_eq!(known.learn(400, "temperature is not supported", &request()), None);
    }
}
