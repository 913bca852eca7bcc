//! A JSON value whose numbers keep every digit.

use std::fmt;

use indexmap::IndexMap;

/// Members in the order they were written.
pub type Object = IndexMap<String, Value, foldhash::fast::RandomState>;

/// A JSON value.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, as written.
    Number(Number),
    /// Text.
    String(String),
    /// A list.
    Array(Vec<Value>),
    /// Members.
    Object(Object),
}

/// A number of the JSON grammar, kept as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Number(Box<str>);

impl Number {
    /// The number, when the text is one in JSON's grammar.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        (number_length(text.as_bytes()) == Some(text.len())).then(|| Self(text.into()))
    }

    /// The number at the start of a text, and its length.
    pub(super) fn prefix(text: &str) -> Option<(Self, usize)> {
        let length = number_length(text.as_bytes())?;
        Some((Self(text.get(..length)?.into()), length))
    }

    /// The text as written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The number without fraction and exponent, when it is whole: `2.0` is `2`.
    #[must_use]
    pub fn whole(&self) -> Option<Self> {
        let (negative, digits, exponent) = decimal(&self.0)?;
        if digits.is_empty() {
            return Some(Self("0".into()));
        }
        let zeros = usize::try_from(exponent).ok().filter(|&zeros| zeros <= 30)?;
        let sign = if negative { "-" } else { "" };
        Some(Self(format!("{sign}{digits}{}", "0".repeat(zeros)).into()))
    }

    /// Whether both are the same number, however they are spelled: `2.0` is `2`.
    #[must_use]
    pub fn same_as(&self, other: &Self) -> bool {
        self.0 == other.0 || decimal(&self.0).is_some_and(|number| decimal(&other.0) == Some(number))
    }

    /// The nearest `f64`, when it shows the same digits again: nothing is lost on the way.
    #[must_use]
    pub fn exact_f64(&self) -> Option<f64> {
        let number: f64 = self.0.parse().ok().filter(|number: &f64| number.is_finite())?;
        (decimal(&format!("{number:e}"))? == decimal(&self.0)?).then_some(number)
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Sign, digits without zeros at either end, and the power of ten of the last digit.
fn decimal(text: &str) -> Option<(bool, String, i64)> {
    let (negative, text) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let significant = digits.trim_end_matches('0');
    let dropped = i64::try_from(digits.len() - significant.len()).ok()?;
    let exponent =
        exponent.parse::<i64>().ok()?.checked_sub(i64::try_from(fraction.len()).ok()?)?.checked_add(dropped)?;
    let significant = significant.trim_start_matches('0');
    if significant.is_empty() {
        return Some((false, String::new(), 0));
    }
    Some((negative, significant.to_owned(), exponent))
}

/// How many bytes at the start are a number of JSON's grammar.
fn number_length(bytes: &[u8]) -> Option<usize> {
    let at = |index: usize| bytes.get(index).copied().unwrap_or(0);
    let digits = |mut index: usize| {
        while at(index).is_ascii_digit() {
            index += 1;
        }
        index
    };
    let start = usize::from(at(0) == b'-');
    let mut end = if at(start) == b'0' { start + 1 } else { digits(start) };
    if end == start {
        return None;
    }
    if at(end) == b'.' {
        let fraction = digits(end + 1);
        if fraction == end + 1 {
            return None;
        }
        end = fraction;
    }
    if matches!(at(end), b'e' | b'E') {
        let first = end + 1 + usize::from(matches!(at(end + 1), b'+' | b'-'));
        let exponent = digits(first);
        if exponent == first {
            return None;
        }
        end = exponent;
    }
    Some(end)
}

impl Value {
    /// What kind of value it is, in JSON Schema's words.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "boolean",
            Self::Number(_) => "number",
            Self::String(_) => "string",
            Self::Array(_) => "array",
            Self::Object(_) => "object",
        }
    }

    /// Whether it has members.
    #[must_use]
    pub const fn is_object(&self) -> bool {
        matches!(self, Self::Object(_))
    }

    /// The text of a string.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    /// The members of an object.
    #[must_use]
    pub const fn as_object(&self) -> Option<&Object> {
        match self {
            Self::Object(object) => Some(object),
            _ => None,
        }
    }

    /// The member of that name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Self> {
        self.as_object()?.get(name)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::String(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::String(text)
    }
}

impl From<bool> for Value {
    fn from(truth: bool) -> Self {
        Self::Bool(truth)
    }
}

impl From<u32> for Value {
    fn from(number: u32) -> Self {
        Self::Number(Number(number.to_string().into()))
    }
}

impl From<Vec<Self>> for Value {
    fn from(items: Vec<Self>) -> Self {
        Self::Array(items)
    }
}

impl<const N: usize> From<[(&str, Self); N]> for Value {
    fn from(members: [(&str, Self); N]) -> Self {
        Self::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
    }
}

/// Writes compact JSON; numbers as they were written.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Number(number) => write!(f, "{number}"),
            Self::String(text) => write_string(f, text),
            Self::Array(items) => {
                for (n, item) in items.iter().enumerate() {
                    write!(f, "{}{item}", if n == 0 { "[" } else { "," })?;
                }
                f.write_str(if items.is_empty() { "[]" } else { "]" })
            }
            Self::Object(object) => {
                for (n, (name, value)) in object.iter().enumerate() {
                    f.write_str(if n == 0 { "{" } else { "," })?;
                    write_string(f, name)?;
                    write!(f, ":{value}")?;
                }
                f.write_str(if object.is_empty() { "{}" } else { "}" })
            }
        }
    }
}

fn write_string(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    f.write_str(&serde_json::Value::from(text).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Number {
        Number::new(text).unwrap()
    }

    #[test]
    fn only_numbers_of_the_grammar_are_numbers() {
        for text in ["0", "-0", "10", "1.50", "1e5", "-1.2E+10", "100234567890123456789"] {
            assert!(Number::new(text).is_some(), "{text}");
        }
        for text in ["", "-", "01", "1.", ".5", "+1", "1e", "0x1", "NaN", "1,299", "１", "1 "] {
            assert!(Number::new(text).is_none(), "{text}");
        }
    }

    #[test]
    fn a_float_is_given_only_when_no_digit_is_lost() {
        assert!(number("59.90").exact_f64().is_some_and(|n| (n - 59.9).abs() < 1e-12));
        assert!(number("0.1").exact_f64().is_some() && number("1e3").exact_f64().is_some());
        assert_eq!(number("100234567890123456789").exact_f64(), None);
        assert_eq!(number("0.1234567890123456789").exact_f64(), None);
        assert_eq!(number("1e400").exact_f64(), None);
    }

    #[test]
    fn whole_numbers_are_seen_through_their_spelling() {
        let whole = |text: &str| number(text).whole().map(|number| number.to_string());
        assert_eq!(whole("2.0").as_deref(), Some("2"));
        assert_eq!(whole("-1.20e3").as_deref(), Some("-1200"));
        assert_eq!(whole("-0.0").as_deref(), Some("0"));
        assert_eq!((whole("2.5"), whole("1e99")), (None, None));
    }
}
