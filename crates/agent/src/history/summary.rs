//! A summary, made by a model, of the part of a conversation that fell out of the window.
//!
//! It is optional: without it the conversation is simply shorter. It stands in the head as quoted data, grows by what fell
//! out since it was made, and is never evidence of anything: what it says of a price or an order has to be looked up again.

use mercer_model::{Message, Part, Role};
use serde::{Deserialize, Serialize};

use super::window::{Budget, Windowed, window};
use crate::{Lang, quote};

/// The longest summary, in characters.
const LIMIT: usize = 2_000;
/// The longest part of one message that is summed up, in characters.
const PART: usize = 1_500;

/// A summary, and how much of the conversation it covers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// Its text.
    pub text: String,
    /// How many messages, from the first, it covers.
    pub covers: usize,
}

impl Summary {
    /// The prompt that sums up what fell out since, when there is something. `messages` is the whole conversation without
    /// instructions.
    #[must_use]
    pub fn prompt(&self, fallen: &[Message], lang: Lang) -> Option<String> {
        let new = fallen.get(self.covers..).filter(|new| !new.is_empty())?;
        let said = new.iter().filter_map(line).collect::<Vec<_>>().join("\n");
        let before = quote::quoted(&self.text, LIMIT);
        Some(lang.pick(
            format!("把对话较早的部分概括成不超过十句话：客户想要什么、提到的尺码、颜色、预算、订单号，以及已经答复了什么。只写概括。\n先前的概括：{before}\n新的部分：\n{said}"),
            format!("Sum up the earlier part of a conversation in at most ten sentences: what the customer wants, sizes, colours, budget and order numbers they named, and what was answered. Write the summary only.\nSummary so far: {before}\nWhat came since:\n{said}"),
        ))
    }

    /// Takes the model's text. An empty one changes nothing.
    pub fn take(&mut self, text: &str, fallen: usize) {
        let text = text.trim();
        if !text.is_empty() {
            self.text = quote::clean(text, LIMIT);
            self.covers = fallen;
        }
    }

    /// As it stands in the head of a conversation; `None` when there is none.
    #[must_use]
    pub fn message(&self, lang: Lang) -> Option<Message> {
        let text = quote::quoted(&self.text, LIMIT);
        (!self.text.is_empty()).then(|| {
            Message::system(lang.pick(
                format!("此前对话的概括（仅供参考，不是事实依据）：{text}"),
                format!("Summary of the conversation before (for orientation, not a source of facts): {text}"),
            ))
        })
    }
}

/// The window of a conversation with a summary in its head.
#[must_use]
pub fn window_with(summary: &Summary, messages: Vec<Message>, budget: Budget, lang: Lang) -> Windowed {
    let head = summary.message(lang);
    window(head.into_iter().chain(messages).collect(), budget)
}

fn line(message: &Message) -> Option<String> {
    let who = match message.role {
        Role::User => "customer",
        Role::Assistant => "shop",
        Role::Tool | Role::System => return None,
    };
    let text = message.parts.iter().filter_map(|part| match part {
        Part::Text(text) => Some(text.as_str()),
        Part::Image(_) => None,
    });
    let text = text.collect::<Vec<_>>().join(" ");
    (!text.trim().is_empty()).then(|| format!("{who}: {}", quote::quoted(&text, PART)))
}
