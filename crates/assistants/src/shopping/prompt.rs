//! What the model is told: instructions with the catalogue's shape and the state of the conversation, and the messages so far.
//!
//! Product names and what was seen in pictures are quoted data: cleaned of invisible characters and cut.

use std::sync::LazyLock;

use mercer_agent::history::{Budget, window};
use mercer_agent::quote;
use mercer_agent::react::Prompt;
use mercer_model::{Message, ToolDef};
use mercer_shop::Lang;
use minijinja::value::Serde;
use minijinja::{Environment, Error};
use serde::Serialize;

use super::dialogue::Focus;
use super::message::{ChatMessage, Speaker};
use super::state::Shopping;
use super::tools::Shape;

/// Tokens of the conversation that a model is shown.
const HISTORY: usize = 6_000;
/// Characters of a product's name.
const NAME: usize = 120;
/// The column of the ledger.
const PURPOSE: &str = "shopping.agent";

static TEMPLATES: LazyLock<Environment<'static>> = LazyLock::new(|| {
    let mut templates = Environment::new();
    for (name, source) in [("en", include_str!("prompts/system.en.j2")), ("zh", include_str!("prompts/system.zh.j2"))] {
        if let Err(error) = templates.add_template(name, source) {
            tracing::error!(%error, name, "the instructions cannot be read"); // a test renders both
        }
    }
    templates
});

/// The request's parts for the turn under way.
///
/// # Errors
/// When the instructions cannot be rendered, which a test rules out.
pub(super) fn prompt(state: &Shopping, shape: &Shape, tools: Vec<ToolDef>, lang: Lang) -> Result<Prompt, Error> {
    let history = state.messages.iter().filter(|m| m.error.is_none() || !m.text.is_empty()).map(message).collect();
    Ok(Prompt {
        system: system(state, shape, lang)?,
        history: window(history, Budget::Tokens(HISTORY)).kept,
        tools,
        purpose: PURPOSE,
    })
}

/// What the instructions know.
#[derive(Debug, Serialize)]
struct SystemFacts<'a> {
    shape: &'a Shape,
    wish: Vec<String>,
    shown: Vec<ShownLine>,
    pictures: Vec<PictureLine>,
    focus: Option<String>,
}

#[derive(Debug, Serialize)]
struct ShownLine {
    id: String,
    name: String,
    price: Option<String>,
}

#[derive(Debug, Serialize)]
struct PictureLine {
    id: String,
    seen: Option<String>,
}

/// The instructions.
///
/// # Errors
/// As `prompt`.
pub fn system(state: &Shopping, shape: &Shape, lang: Lang) -> Result<String, Error> {
    let standing =
        state.turn.as_ref().and_then(|t| t.reading.as_ref()).and_then(|r| r.wish.as_ref()).or(state.wish.as_ref());
    let wish: Vec<String> = standing.map(|w| w.chips(lang).into_iter().map(|c| c.label).collect()).unwrap_or_default();
    let shown: Vec<ShownLine> = state
        .shown
        .iter()
        .map(|s| ShownLine {
            id: s.id.to_string(),
            name: quote::clean(&s.name, NAME),
            price: s.price.map(|m| m.to_string()),
        })
        .collect();
    let pictures: Vec<PictureLine> = state
        .pictures
        .iter()
        .map(|(id, seen)| PictureLine { id: id.clone(), seen: seen.as_ref().map(super::picture::Seen::summary) })
        .collect();
    let focus = state.focus.as_ref().map(|focus| match focus {
        Focus::Product(id) => format!("[[{id}]]"),
        Focus::Picture(id) => id.clone(),
    });
    let facts = SystemFacts { shape, wish, shown, pictures, focus };
    TEMPLATES.get_template(lang.tag())?.render(Serde(&facts))
}

/// A message of the conversation as a model reads it: the ids of a message's pictures and products stand after its words.
fn message(message: &ChatMessage) -> Message {
    match message.role {
        Speaker::User if message.images.is_empty() => Message::user(&message.text),
        Speaker::User => Message::user(format!("{}\n({})", message.text, message.images.join(", "))),
        Speaker::Assistant => {
            let ids: Vec<String> = message.product_ids.iter().map(|id| format!("[[{id}]]")).collect();
            Message::assistant(if ids.is_empty() {
                message.text.clone()
            } else {
                format!("{}\n{}", message.text, ids.join(" "))
            })
        }
    }
}
