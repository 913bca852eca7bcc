//! What is remembered of a customer: a few typed facts, each with where it came from.
//!
//! Facts are written by code, from what the customer said or confirmed; prose is never stored. A newer fact of a kind
//! replaces the older one, lists keep their latest entries.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// How many entries of a list are kept.
const KEPT: usize = 8;

/// Where a fact came from; a stronger source is not replaced by a weaker one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// Read from what was looked at and chosen.
    Inferred,
    /// The customer said it.
    Said,
    /// The customer confirmed it when asked.
    Confirmed,
}

/// A fact and its history.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fact<T> {
    /// What is known.
    pub value: T,
    /// How it is known.
    pub origin: Origin,
    /// Since when.
    pub at: Timestamp,
}

/// What can be learned.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "learned", content = "value", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Learned {
    /// A size, by what it is the size of: `shoes` is `42`, `tops` is `M`.
    Size {
        /// Of what.
        of: String,
        /// Which.
        size: String,
    },
    /// A colour they like.
    LikesColour(String),
    /// A colour they do not want.
    AvoidsColour(String),
    /// A material they do not want.
    AvoidsMaterial(String),
    /// A brand they like.
    LikesBrand(String),
    /// The most they usually spend on one thing, in minor units of a currency.
    Budget {
        /// Amount.
        minor: i64,
        /// ISO 4217 code.
        currency: String,
    },
    /// The language they write in: `zh` or `en`.
    Language(String),
    /// The address on record was confirmed as right. The address itself stays in the shop's records.
    AddressConfirmed(bool),
}

/// The profile of one customer.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Profile {
    /// Sizes, by what they are the size of.
    pub sizes: Vec<(String, Fact<String>)>,
    /// Colours they like, latest last.
    pub likes_colours: Vec<Fact<String>>,
    /// Colours they do not want.
    pub avoids_colours: Vec<Fact<String>>,
    /// Materials they do not want.
    pub avoids_materials: Vec<Fact<String>>,
    /// Brands they like.
    pub likes_brands: Vec<Fact<String>>,
    /// What they usually spend: minor units and currency.
    pub budget: Option<Fact<(i64, String)>>,
    /// The language they write in.
    pub language: Option<Fact<String>>,
    /// Whether the address on record was confirmed.
    pub address_confirmed: Option<Fact<bool>>,
}

impl Profile {
    /// Takes a fact. False when a stronger one stands against it.
    pub fn learn(&mut self, learned: Learned, origin: Origin, at: Timestamp) -> bool {
        let text = |value: String| Fact { value: crate::quote::field(value.trim(), 60), origin, at };
        match learned {
            Learned::Size { of, size } => self.size(&crate::quote::field(of.trim(), 40), text(size)),
            Learned::LikesColour(colour) => liked(&mut self.likes_colours, &mut self.avoids_colours, text(colour)),
            Learned::AvoidsColour(colour) => liked(&mut self.avoids_colours, &mut self.likes_colours, text(colour)),
            Learned::AvoidsMaterial(material) => liked(&mut self.avoids_materials, &mut Vec::new(), text(material)),
            Learned::LikesBrand(brand) => liked(&mut self.likes_brands, &mut Vec::new(), text(brand)),
            Learned::Budget { minor, currency } => {
                replace(&mut self.budget, Fact { value: (minor, currency), origin, at })
            }
            Learned::Language(tag) => replace(&mut self.language, text(tag)),
            Learned::AddressConfirmed(value) => replace(&mut self.address_confirmed, Fact { value, origin, at }),
        }
    }

    /// The size of something.
    #[must_use]
    pub fn size_of(&self, of: &str) -> Option<&str> {
        self.sizes.iter().find(|(known, _)| known.eq_ignore_ascii_case(of)).map(|(_, fact)| fact.value.as_str())
    }

    /// Whether nothing is known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    fn size(&mut self, of: &str, fact: Fact<String>) -> bool {
        match self.sizes.iter_mut().find(|(known, _)| known.eq_ignore_ascii_case(of)) {
            Some((_, known)) if known.origin > fact.origin => false,
            Some((_, known)) => {
                *known = fact;
                true
            }
            None => {
                self.sizes.push((of.to_owned(), fact));
                let surplus = self.sizes.len().saturating_sub(KEPT);
                self.sizes.drain(..surplus);
                true
            }
        }
    }
}

fn replace<T>(slot: &mut Option<Fact<T>>, fact: Fact<T>) -> bool {
    if slot.as_ref().is_some_and(|known| known.origin > fact.origin) {
        return false;
    }
    *slot = Some(fact);
    true
}

/// Adds to one list and takes the same value from its opposite.
fn liked(list: &mut Vec<Fact<String>>, opposite: &mut Vec<Fact<String>>, fact: Fact<String>) -> bool {
    let same = |known: &Fact<String>| known.value.to_lowercase() == fact.value.to_lowercase();
    if opposite.iter().any(|known| same(known) && known.origin > fact.origin) {
        return false;
    }
    opposite.retain(|known| !same(known));
    list.retain(|known| !same(known));
    list.push(fact);
    let surplus = list.len().saturating_sub(KEPT);
    list.drain(..surplus);
    true
}
