//! How the loop ends.

use mercer_model::ModelError;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::Lang;

/// The end of the loop.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "finish", rename_all = "snake_case")]
pub enum Finish {
    /// The model answered.
    Answered(Answer),
    /// The model did not reply.
    ModelFailed {
        /// Why.
        error: ModelError,
    },
    /// The model replied, but never with an answer.
    NoAnswer {
        /// What its last reply was.
        poor: Poor,
    },
    /// A guard was reached.
    Exhausted {
        /// Which.
        guard: Guard,
    },
}

impl Finish {
    /// The answer, if there is one; without one the floor answers.
    #[must_use]
    pub fn answer(&self) -> Option<&Answer> {
        match self {
            Self::Answered(answer) => Some(answer),
            Self::ModelFailed { .. } | Self::NoAnswer { .. } | Self::Exhausted { .. } => None,
        }
    }

    /// A stable short name of the end, for metrics and the UI.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Answered(_) => "answered",
            Self::ModelFailed { error } => error.kind(),
            Self::NoAnswer { poor } => poor.code(),
            Self::Exhausted { guard } => guard.code(),
        }
    }
}

/// What the model answered. Not yet checked by the gate.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The text.
    pub text: String,
    /// The other fields of a JSON answer.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub fields: Map<String, Value>,
}

/// The guards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Guard {
    /// Too many calls of the model.
    Steps,
    /// Too many calls of tools.
    Calls,
    /// The same call too often.
    Identical,
    /// Too many tools that do not exist.
    UnknownTools,
    /// Too many tokens.
    Tokens,
    /// Too much time.
    WallTime,
    /// Ended from outside.
    Cancelled,
}

impl Guard {
    /// The guard's stored name.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Steps => "steps",
            Self::Calls => "calls",
            Self::Identical => "identical",
            Self::UnknownTools => "unknown_tools",
            Self::Tokens => "tokens",
            Self::WallTime => "wall_time",
            Self::Cancelled => "cancelled",
        }
    }
}

/// Replies that are no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Poor {
    /// No text and no call.
    Empty,
    /// Reasoning, but no text and no call.
    ReasoningOnly,
    /// Cut off at the limit of tokens.
    Truncated,
    /// Not readable under the JSON protocol.
    Unreadable,
    /// A call although only an answer was asked for.
    CallInsteadOfAnswer,
}

impl Poor {
    /// The stored name.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::ReasoningOnly => "reasoning_only",
            Self::Truncated => "truncated",
            Self::Unreadable => "unreadable",
            Self::CallInsteadOfAnswer => "call_instead_of_answer",
        }
    }

    /// What the model is told.
    pub(super) fn complaint(self, lang: Lang) -> &'static str {
        match self {
            Self::Empty => lang.pick(
                "你的上一条回复是空的。请调用工具，或直接回答客户。",
                "Your last reply was empty. Call a tool, or answer the customer.",
            ),
            Self::ReasoningOnly => lang.pick(
                "你的上一条回复只有思考，没有回答。请写出回答。",
                "Your last reply held only reasoning. Write the answer itself.",
            ),
            Self::Truncated => lang.pick(
                "你的上一条回复被截断了。请用更少的字重新回答。",
                "Your last reply was cut off. Answer again in fewer words.",
            ),
            Self::Unreadable => lang.pick(
                "你的上一条回复不是约定的 JSON 对象。请只写一个 JSON 对象。",
                "Your last reply was not the agreed JSON object. Write one JSON object and nothing else.",
            ),
            Self::CallInsteadOfAnswer => lang.pick(
                "不能再调用工具了。请根据已有结果回答。",
                "No more tools can be called. Answer from the results you have.",
            ),
        }
    }
}

/// What a person decided about a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "decision", rename_all = "snake_case")]
pub enum Decision {
    /// The call may run.
    Approve,
    /// The call must not run.
    Decline {
        /// Why, in the person's words.
        reason: Option<String>,
    },
}
