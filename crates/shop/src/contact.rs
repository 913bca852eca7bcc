//! How a customer is reached: e-mail addresses, telephone numbers, postal addresses.

use std::fmt;

use serde::{Deserialize, Serialize};

/// An e-mail address in lower case. Only its shape is checked: one `@`, something before it, a host with a dot after it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Email(String);

impl Email {
    /// Reads an address; `None` when it is none.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let text = text.trim().to_lowercase();
        let (local, host) = text.rsplit_once('@')?;
        let plain = |c: char| !c.is_whitespace() && !c.is_control() && !matches!(c, '<' | '>' | ',' | ';' | '"' | '@');
        let fits = text.len() <= 254 && !local.is_empty() && local.chars().all(plain) && host.chars().all(plain);
        let dotted = host.split('.').count() >= 2 && host.split('.').all(|part| !part.is_empty());
        (fits && dotted).then_some(Self(text))
    }

    /// The address.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The address with all but its first letter and its host hidden: `z***@example.com`.
    #[must_use]
    pub fn masked(&self) -> String {
        let (local, host) = self.0.rsplit_once('@').unwrap_or((self.0.as_str(), ""));
        let first: String = local.chars().take(1).collect();
        format!("{first}***@{host}")
    }
}

impl fmt::Display for Email {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for Email {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Self::new(&text).ok_or_else(|| format!("{text:?} is not an e-mail address"))
    }
}

impl From<Email> for String {
    fn from(email: Email) -> String {
        email.0
    }
}

/// The ASCII digits of a text, full-width ones included.
#[must_use]
pub fn digits(text: &str) -> String {
    text.chars()
        .filter_map(|c| match c {
            '\u{ff10}'..='\u{ff19}' => char::from_u32(u32::from(c) - 0xfee0),
            _ => c.is_ascii_digit().then_some(c),
        })
        .collect()
}

/// Whether `tail` names the end of a telephone number: at least four digits, all of which are its last ones.
#[must_use]
pub fn is_phone_tail(phone: &str, tail: &str) -> bool {
    let (phone, tail) = (digits(phone), digits(tail));
    tail.len() >= 4 && phone.len() >= tail.len() && phone.ends_with(&tail)
}

/// A postal address. Lines are kept as they were given; nothing is guessed from them.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Address {
    /// Who receives it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Street and number.
    #[serde(default)]
    pub line1: String,
    /// Building, flat.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub line2: String,
    /// Town or district.
    #[serde(default)]
    pub city: String,
    /// State or province.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub region: String,
    /// Postal code.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub postcode: String,
    /// Country as the shop writes it: an ISO 3166 code or a name.
    #[serde(default)]
    pub country: String,
    /// Telephone number.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub phone: String,
}

impl Address {
    /// Whether a parcel could be sent there: a street or building, a town and a country.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        [&self.line1, &self.city, &self.country].iter().all(|part| !part.trim().is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_compared_in_lower_case_and_nonsense_is_refused() {
        assert_eq!(Email::new(" Zhang.San@Example.COM ").unwrap().as_str(), "zhang.san@example.com");
        assert_eq!(Email::new("zhang@example.com").unwrap().masked(), "z***@example.com");
        for wrong in ["zhang", "@example.com", "zhang@host", "a b@example.com", "a@b@c.com", "a@x..com", "<a@b.com>"] {
            assert_eq!(Email::new(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_phone_tail_has_at_least_four_digits() {
        assert!(is_phone_tail("+86 138-0000-1234", "1234"));
        assert!(is_phone_tail("13800001234", "１２３４"));
        assert!(!is_phone_tail("13800001234", "234"));
        assert!(!is_phone_tail("13800001234", ""));
        assert!(!is_phone_tail("1234", "01234"));
    }
}
