//! Order numbers as people write them.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::IdError;

/// The longest order number, in bytes.
const LIMIT: usize = 120;

/// An order's number in its one spelling: upper case, ASCII digits, without blanks, `#` and emoji.
///
/// `＃ord-２０２６－1001 🙏` and `ORD-2026-1001` are the same order. How the shop itself writes the number is
/// [`Order::number`](crate::order::Order::number).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct OrderId(String);

impl OrderId {
    /// Reads a number in any spelling.
    ///
    /// # Errors
    /// When nothing of a number is left, or it is too long.
    pub fn new(text: impl AsRef<str>) -> Result<Self, IdError> {
        let kept: String = text.as_ref().chars().filter_map(fold).collect();
        let kept = kept.trim_matches(['-', '.', '/', '_']);
        if kept.is_empty() {
            return Err(IdError::Empty { what: "order number" });
        }
        if kept.len() > LIMIT {
            return Err(IdError::TooLong { what: "order number", length: kept.len(), limit: LIMIT });
        }
        Ok(Self(kept.to_owned()))
    }

    /// The number in its one spelling.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The letters and digits alone, by which a number is found when its dashes were left out.
    #[must_use]
    pub fn loose(&self) -> String {
        self.0.chars().filter(|c| c.is_alphanumeric()).collect()
    }
}

/// A character in its one spelling; `None` when it says nothing.
fn fold(c: char) -> Option<char> {
    let c = match c {
        // The full-width forms lie in one block, in the order of ASCII.
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe63}' => '-',
        other => other,
    };
    match c {
        '-' | '.' | '/' | '_' => Some(c),
        _ if c.is_alphanumeric() => Some(c.to_uppercase().next().unwrap_or(c)),
        _ => None,
    }
}

impl fmt::Display for OrderId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for OrderId {
    type Error = IdError;

    fn try_from(text: String) -> Result<Self, IdError> {
        Self::new(text)
    }
}

impl std::str::FromStr for OrderId {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        Self::new(text)
    }
}

impl From<OrderId> for String {
    fn from(id: OrderId) -> String {
        id.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_number_is_the_same_in_every_spelling() {
        let plain = OrderId::new("ORD-2026-1001").unwrap();
        for spelling in
            ["#ord-2026-1001", " ORD‑2026‑1001 ", "ＯＲＤ－２０２６－１００１", "ord-2026 - 1001🙏", "＃ORD-2026-1001"]
        {
            assert_eq!(OrderId::new(spelling).unwrap(), plain, "{spelling}");
        }
        assert_eq!(plain.loose(), "ORD20261001");
        assert_eq!(OrderId::new("#W2611340").unwrap().as_str(), "W2611340");
        assert!(OrderId::new("🙏 -- ").is_err());
        assert!(OrderId::new("9".repeat(500)).is_err());
        // A quote ends nothing here: what is left is a number that no order has.
        assert_eq!(OrderId::new("1'; DROP TABLE orders; --").unwrap().as_str(), "1DROPTABLEORDERS");
    }
}
