//! The part of a conversation that a model is shown.

use mercer_model::{Message, Part, Role};

use super::valid::valid;
use crate::lang::is_han;

/// What one picture is taken to cost.
const IMAGE_TOKENS: usize = 800;
/// What a message costs beside its text.
const FRAME_TOKENS: usize = 4;

/// How much of a conversation is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Budget {
    /// At most about this many tokens, the head included.
    Tokens(usize),
    /// At most this many messages after the head.
    Messages(usize),
}

/// A conversation, parted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Windowed {
    /// What is shown: the head (instructions, summary), then the last whole turns. Valid for providers.
    pub kept: Vec<Message>,
    /// What fell out, oldest first, for a summary.
    pub fallen: Vec<Message>,
    /// The last turn alone is larger than the budget; it is kept all the same.
    pub over: bool,
}

/// Repairs a conversation and keeps as many of its last turns as fit. A turn is the person's message and all that follows
/// until the next one; it is kept whole or not at all, and the last one is always kept.
#[must_use]
pub fn window(messages: Vec<Message>, budget: Budget) -> Windowed {
    let mut head = valid(messages);
    let start = head.iter().position(|message| message.role != Role::System).unwrap_or(head.len());
    let body = head.split_off(start);
    let turns = turns(body);
    let cost = |turn: &[Message]| match budget {
        Budget::Tokens(_) => turn.iter().map(tokens).sum(),
        Budget::Messages(_) => turn.len(),
    };
    let mut left = match budget {
        Budget::Tokens(limit) => limit.saturating_sub(head.iter().map(tokens).sum()),
        Budget::Messages(limit) => limit,
    };
    let mut first_kept = turns.len();
    let mut over = false;
    for (at, turn) in turns.iter().enumerate().rev() {
        let cost: usize = cost(turn);
        let is_last = at + 1 == turns.len();
        if cost > left && !is_last {
            break;
        }
        over |= cost > left;
        left = left.saturating_sub(cost);
        first_kept = at;
    }
    let mut turns = turns;
    let kept_turns = turns.split_off(first_kept);
    head.extend(kept_turns.into_iter().flatten());
    Windowed { kept: head, fallen: turns.into_iter().flatten().collect(), over }
}

fn turns(messages: Vec<Message>) -> Vec<Vec<Message>> {
    let mut turns: Vec<Vec<Message>> = Vec::new();
    for message in messages {
        match turns.last_mut() {
            Some(turn) if message.role != Role::User => turn.push(message),
            _ => turns.push(vec![message]),
        }
    }
    turns
}

/// About how many tokens a message costs: a Han character is taken as one, other text as one for four bytes.
#[must_use]
pub fn tokens(message: &Message) -> usize {
    let parts = message.parts.iter().map(|part| match part {
        Part::Text(text) => text_tokens(text),
        Part::Image(_) => IMAGE_TOKENS,
    });
    let calls =
        message.tool_calls.iter().map(|call| FRAME_TOKENS + text_tokens(&call.name) + text_tokens(&call.arguments));
    FRAME_TOKENS + parts.sum::<usize>() + calls.sum::<usize>() + message.reasoning.as_deref().map_or(0, text_tokens)
}

fn text_tokens(text: &str) -> usize {
    let han = text.chars().filter(|c| is_han(*c)).count();
    let other = text.len().saturating_sub(han * 3);
    han + other.div_ceil(4)
}
