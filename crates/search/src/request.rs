//! What one asks of the catalogue and what comes back.
//!
//! These types are shared by the local index, the remote client, the assistant and the server. They are plain data and can be
//! stored with a conversation; wire formats are mapped from them at the edge.

use std::time::Duration;

use mercer_shop::{Currency, Lang, Money, Product};
use serde::{Deserialize, Serialize};

/// A property of products that a condition can speak of.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Field {
    /// What kind of article it is.
    Category,
    /// Colour or shade.
    Colour,
    /// For whom it is made.
    Gender,
    /// For which age it is made.
    AgeGroup,
    /// Size as the shop names it.
    Size,
    /// What it is made of.
    Material,
    /// The maker.
    Brand,
    /// Season.
    Season,
    /// What it is worn or used for.
    Usage,
    /// Price in minor units.
    Price,
    /// Whether it can be bought now.
    Availability,
    /// Words anywhere in the name or the facts; used to exclude what no property names ("without hood").
    Words,
    /// Any other attribute, by the feed's name.
    Attribute(String),
}

/// What a condition demands of its field. Texts are compared folded (case, width, traditional and simplified characters).
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Op {
    /// At least one of these values.
    AnyOf(Vec<String>),
    /// None of these values.
    NoneOf(Vec<String>),
    /// At most so many minor units.
    AtMost(i64),
    /// At least so many minor units.
    AtLeast(i64),
    /// Both ends included, minor units.
    Between(i64, i64),
}

/// Where a condition came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// Read from the words of the query.
    #[default]
    Text,
    /// Seen in a picture.
    Picture,
    /// Chosen by hand, for example a facet.
    Chosen,
    /// Kept from an earlier turn.
    Memory,
}

/// One condition that products must meet; shown as a removable chip.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Condition {
    /// The property.
    pub field: Field,
    /// The demand.
    pub op: Op,
    /// Where it came from.
    #[serde(default)]
    pub source: Source,
    /// The currency of a price; `None` for other fields and for amounts in whatever the shop charges.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub currency: Option<Currency>,
}

impl Condition {
    /// At least one of the values.
    #[must_use]
    pub fn any_of<T: Into<String>>(field: Field, values: impl IntoIterator<Item = T>) -> Self {
        let op = Op::AnyOf(values.into_iter().map(Into::into).collect());
        Self { field, op, source: Source::default(), currency: None }
    }

    /// None of the values.
    #[must_use]
    pub fn none_of<T: Into<String>>(field: Field, values: impl IntoIterator<Item = T>) -> Self {
        let op = Op::NoneOf(values.into_iter().map(Into::into).collect());
        Self { field, op, source: Source::default(), currency: None }
    }

    /// A price of at most this amount.
    #[must_use]
    pub fn at_most(amount: Money) -> Self {
        Self::price(Op::AtMost(amount.minor), amount.currency)
    }

    /// A price of at least this amount.
    #[must_use]
    pub fn at_least(amount: Money) -> Self {
        Self::price(Op::AtLeast(amount.minor), amount.currency)
    }

    /// A price between two amounts of one currency, in either order.
    #[must_use]
    pub fn between(one: Money, other: Money) -> Self {
        Self::price(Op::Between(one.minor.min(other.minor), one.minor.max(other.minor)), one.currency)
    }

    fn price(op: Op, currency: Currency) -> Self {
        Self { field: Field::Price, op, source: Source::default(), currency: Some(currency) }
    }

    /// The same condition from another source.
    #[must_use]
    pub fn from(mut self, source: Source) -> Self {
        self.source = source;
        self
    }

    /// Whether the condition excludes values.
    #[must_use]
    pub fn is_negative(&self) -> bool {
        matches!(self.op, Op::NoneOf(_))
    }
}

/// The order of results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sort {
    /// Best match first.
    #[default]
    Relevance,
    /// Cheapest first; products without a price last.
    PriceAsc,
    /// Most expensive first; products without a price last.
    PriceDesc,
    /// Latest release first.
    Newest,
    /// Most wanted first.
    Popular,
    /// Best rated first.
    Rating,
}

/// A question to the catalogue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SearchRequest {
    /// What the customer typed; always plain text, there is no query syntax.
    pub text: String,
    /// The customer's language; told by the script when absent.
    pub lang: Option<Lang>,
    /// Conditions that hold beside the text.
    pub conditions: Vec<Condition>,
    /// Whether conditions are read out of the text.
    pub understand: bool,
    /// The order; a wish in the text is followed when this is [`Sort::Relevance`].
    pub sort: Sort,
    /// How many results to skip.
    pub offset: usize,
    /// How many results to return, at most [`SearchRequest::LIMIT`].
    pub limit: usize,
    /// Whether to count facets.
    pub facets: bool,
    /// Whether to say why each product matched.
    pub explain: bool,
}

impl SearchRequest {
    /// The most results one request returns.
    pub const LIMIT: usize = 200;

    /// A request for a text, read with understanding.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }
}

impl Default for SearchRequest {
    fn default() -> Self {
        Self {
            text: String::new(),
            lang: None,
            conditions: Vec::new(),
            understand: true,
            sort: Sort::Relevance,
            offset: 0,
            limit: 20,
            facets: false,
            explain: false,
        }
    }
}

/// What was read out of a text.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Understood {
    /// The language of the text.
    pub lang: Lang,
    /// Conditions found in it; exclusions are [`Op::NoneOf`].
    pub conditions: Vec<Condition>,
    /// The rest, to be matched as words.
    pub text: String,
    /// A wish for an order ("cheapest").
    pub sort: Option<Sort>,
    /// A currency named in the text that the shop does not charge in; the amount was then not used as a filter.
    pub other_currency: Option<Currency>,
}

/// One product found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Hit {
    /// The product.
    pub product: Product,
    /// Larger is better; comparable within one response only.
    pub score: f32,
    /// Labels of what matched: met conditions and found words.
    pub matched: Vec<String>,
    /// Parts of the score in words, when asked for.
    pub why: Option<Vec<String>>,
}

/// How often the values of one property occur among all results.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facet {
    /// The property.
    pub field: Field,
    /// Value, label in the customer's language, number of products; most frequent first.
    pub values: Vec<(String, String, usize)>,
}

/// The answer to a [`SearchRequest`].
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SearchResponse {
    /// The page asked for.
    pub hits: Vec<Hit>,
    /// How many products match in all.
    pub total: usize,
    /// What was read out of the text.
    pub understood: Understood,
    /// Conditions that were given up because nothing met all of them.
    pub relaxed: Vec<Condition>,
    /// Words of the text that were given up because nothing that meets the conditions has all of them; the shop may well have them
    /// elsewhere.
    pub dropped_words: Vec<String>,
    /// Those of the dropped words that no product of the shop has in any form.
    pub unknown_words: Vec<String>,
    /// Whether the results only have to do with the article asked for: they mention it or go with it, none is one. The shop does not
    /// carry it.
    pub inexact: bool,
    /// The text that was searched instead, when a word was unknown and a near one is known.
    pub corrected: Option<String>,
    /// A text that may have been meant, when the text as typed also has results.
    pub did_you_mean: Option<String>,
    /// Counts by property, when asked for.
    pub facets: Vec<Facet>,
    /// How long it took.
    pub took: Duration,
}
