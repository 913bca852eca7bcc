//! The messages of a shopping conversation as they are stored, and what was seen in its pictures.

use mercer_shop::{Lang, ProductId};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a customer sends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UserMessage {
    /// Its id, chosen by the sender; unique in the thread.
    pub id: String,
    /// The words.
    pub text: String,
    /// Pictures, by the ids of uploaded files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub images: Vec<String>,
    /// The language of the page, used when the words do not tell theirs.
    pub locale: Lang,
}

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Speaker {
    /// The customer.
    User,
    /// The shop.
    Assistant,
}

/// One line on what a tool did for an answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolLine {
    /// The call's id.
    pub id: String,
    /// The tool.
    pub name: String,
    /// What it was asked.
    pub arguments: Value,
    /// Whether it returned something.
    pub ok: bool,
    /// What came of it, in a few words.
    pub summary: String,
}

/// Where a statement of an answer comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cited {
    /// The words of the answer.
    pub text: String,
    /// The address of the fact, such as `call 3, /items/0/price`.
    pub source: String,
}

/// A message of the conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChatMessage {
    /// Its id.
    pub id: String,
    /// Who speaks.
    pub role: Speaker,
    /// The words.
    pub text: String,
    /// The language of the words.
    #[serde(default)]
    pub lang: Lang,
    /// Pictures of a customer, by file id.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub images: Vec<String>,
    /// Products of an answer, in the order of their cards.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub product_ids: Vec<ProductId>,
    /// What each product matched, in the order of `product_ids`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub matched: Vec<Vec<String>>,
    /// What the tools did.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<ToolLine>,
    /// Whether the answer was made by rules.
    #[serde(default)]
    pub by_rules: bool,
    /// Why no model made it, when rules did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fallback: Option<String>,
    /// Where its statements come from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub citations: Vec<Cited>,
    /// Why there is no whole answer: `interrupted`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The run that made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
}

impl ChatMessage {
    /// A customer's message.
    #[must_use]
    pub fn user(message: &UserMessage, lang: Lang) -> Self {
        let images = message.images.clone();
        Self { images, ..Self::new(message.id.clone(), Speaker::User, message.text.clone(), lang) }
    }

    /// An answer without products.
    #[must_use]
    pub fn assistant(id: String, text: String, lang: Lang) -> Self {
        Self::new(id, Speaker::Assistant, text, lang)
    }

    fn new(id: String, role: Speaker, text: String, lang: Lang) -> Self {
        Self {
            id,
            role,
            text,
            lang,
            images: Vec::new(),
            product_ids: Vec::new(),
            matched: Vec::new(),
            tools: Vec::new(),
            by_rules: false,
            fallback: None,
            citations: Vec::new(),
            error: None,
            run: None,
        }
    }
}

/// The longest title of a thread, in characters.
const TITLE: usize = 40;

/// A thread's title from its first message; `None` when the message has no words.
#[must_use]
pub fn title(text: &str) -> Option<String> {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let line: String = line.chars().filter(|c| !c.is_control()).collect();
    if line.is_empty() {
        return None;
    }
    if line.chars().count() <= TITLE {
        return Some(line);
    }
    let cut: String = line.chars().take(TITLE - 1).collect();
    let cut = match cut.rsplit_once(' ') {
        Some((words, _)) if words.chars().count() > TITLE / 2 => words.to_owned(),
        _ => cut,
    };
    Some(format!("{cut}…"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_one_short_line_of_the_first_message() {
        assert_eq!(title("  red\n dresses "), Some("red dresses".into()));
        assert_eq!(title(" \n "), None);
        let long = "a warm winter coat for long walks with the dog in the rain";
        assert_eq!(title(long).unwrap(), "a warm winter coat for long walks with…");
        assert_eq!(title(&"长".repeat(60)).unwrap().chars().count(), TITLE);
    }
}
