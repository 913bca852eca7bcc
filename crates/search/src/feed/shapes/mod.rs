//! How each format turns its rows into products.

pub(crate) mod cells;
pub(crate) mod google;
pub(crate) mod magento;
pub(crate) mod mapped;
pub(crate) mod saleor;
pub(crate) mod shopify;
pub(crate) mod woocommerce;

use std::hash::{DefaultHasher, Hash, Hasher};

use mercer_shop::{Currency, Money};

use super::draft::{Draft, Problem};
use super::price::{self, PriceProblem};
use super::record::Record;
use super::report::ProblemKind;

/// What a row's conversion may use and report to.
pub(crate) struct Cx<'a> {
    /// The currency of prices that do not name one.
    pub(crate) currency: Currency,
    /// Notes about values that were left out; the row is kept.
    pub(crate) notes: &'a mut Vec<Problem>,
    /// Set when a price took the currency that nobody stated.
    pub(crate) plain_price: &'a mut bool,
    /// Set when a product got an id of our making.
    pub(crate) made_id: &'a mut bool,
}

impl Cx<'_> {
    pub(crate) fn note(&mut self, kind: ProblemKind, column: &str, reason: impl Into<String>) {
        self.notes.push(Problem::at(kind, column, reason));
    }

    /// A price, or unknown with a note.
    pub(crate) fn price(&mut self, column: &str, text: &str, minor: bool) -> Option<Money> {
        let plain = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b',' | b' '));
        *self.plain_price |= plain;
        match price::read(text, self.currency, minor) {
            Ok(money) => Some(money),
            Err(PriceProblem::Missing) => None,
            Err(PriceProblem::Unreadable(text)) => {
                self.note(ProblemKind::BadPrice, column, format!("{text:?} is not a price; it counts as unknown"));
                None
            }
            Err(PriceProblem::Zero(money)) => {
                self.note(
                    ProblemKind::ZeroPrice,
                    column,
                    "the price is zero; a price that is not known should be left empty",
                );
                Some(money)
            }
            Err(PriceProblem::Rounded(money)) => {
                self.note(
                    ProblemKind::BadPrice,
                    column,
                    format!("{text:?} has too many decimals; it is read as {money}"),
                );
                Some(money)
            }
        }
    }

    /// A price that should be there.
    pub(crate) fn wanted_price(&mut self, column: &str, text: Option<&str>, minor: bool) -> Option<Money> {
        match text {
            Some(text) => self.price(column, text, minor),
            None => {
                self.note(ProblemKind::MissingPrice, column, "the price is empty; it counts as unknown");
                None
            }
        }
    }

    /// Adds a problem when there is one.
    pub(crate) fn note_if(&mut self, problem: Option<Problem>) {
        self.notes.extend(problem);
    }
}

/// A format.
pub(crate) trait Shape: Send {
    /// Whether several rows make one product, which takes a first pass over all rows.
    fn grouped(&self) -> bool {
        false
    }

    /// First pass: which product the row belongs to.
    fn survey(&mut self, _record: Record<'_>) -> u64 {
        0
    }

    /// After the first pass: the product a row's key stands for.
    fn resolve(&self, key: u64) -> u64 {
        key
    }

    /// Before the second pass.
    fn rewind(&mut self) {}

    /// Whether the record is one that makes or adds to a product; others are passed without a word.
    fn wants(&self, _record: Record<'_>) -> bool {
        true
    }

    /// What the row says.
    fn draft(&mut self, record: Record<'_>, line: u64, cx: &mut Cx<'_>) -> Result<Draft, Problem>;

    /// What a column becomes, for the preview.
    fn maps_to(&self, column: &str) -> Option<String>;

    /// Whether rows with too many cells have an unquoted delimiter in their last one.
    fn join_tail(&self) -> bool {
        false
    }
}

/// A key for grouping.
pub(crate) fn hash(kind: &str, text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    (kind, text.trim()).hash(&mut hasher);
    hasher.finish()
}
