//! A conversation as it is shown: messages with their cards, made anew from the catalogue.

use mercer_search::{Catalog, SearchError};
use mercer_shop::Lang;
use serde::{Deserialize, Serialize};

use super::cards::Card;
use super::message::{ChatMessage, Cited, Speaker, ToolLine};

/// A message with its cards.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MessageView {
    /// Its id.
    pub id: String,
    /// Who speaks.
    pub role: Speaker,
    /// The words.
    pub text: String,
    /// Pictures of a customer, by file id.
    pub images: Vec<String>,
    /// Cards of an answer.
    pub products: Vec<Card>,
    /// What the tools did.
    pub tools: Vec<ToolLine>,
    /// Whether the answer was made by rules.
    pub by_rules: bool,
    /// Why no model made it, when rules did.
    pub fallback: Option<String>,
    /// Where its statements come from.
    pub citations: Vec<Cited>,
    /// The run that made it.
    pub run: Option<String>,
    /// Why there is no whole answer.
    pub error: Option<String>,
}

/// The cards of an answer, from the catalogue as it is now. Products that are gone have none.
///
/// # Errors
/// When the catalogue cannot be read.
pub fn cards(catalog: &Catalog, message: &ChatMessage, lang: Lang) -> Result<Vec<Card>, SearchError> {
    let products = catalog.get_many(&message.product_ids)?;
    let matched = |id| message.product_ids.iter().position(|p| p == id).and_then(|at| message.matched.get(at));
    Ok(products.iter().map(|p| Card::of(p, lang, matched(&p.id).map_or(&[][..], Vec::as_slice))).collect())
}

impl MessageView {
    /// A message as it is shown.
    ///
    /// # Errors
    /// When the catalogue cannot be read.
    pub fn of(catalog: &Catalog, message: &ChatMessage) -> Result<Self, SearchError> {
        Ok(Self { products: cards(catalog, message, message.lang)?, ..Self::without_cards(message) })
    }

    /// A message as it is shown when the catalogue cannot be read.
    #[must_use]
    pub fn without_cards(message: &ChatMessage) -> Self {
        Self {
            id: message.id.clone(),
            role: message.role,
            text: message.text.clone(),
            images: message.images.clone(),
            products: Vec::new(),
            tools: message.tools.clone(),
            by_rules: message.by_rules,
            fallback: message.fallback.clone(),
            citations: message.citations.clone(),
            run: message.run.clone(),
            error: message.error.clone(),
        }
    }
}
