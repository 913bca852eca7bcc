//! Exact money: minor units and a currency, never floating point.

use std::fmt;

use serde::{Deserialize, Serialize};

/// An ISO 4217 currency code, three upper-case letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Currency([u8; 3]);

impl Currency {
    /// Renminbi.
    pub const CNY: Self = Self(*b"CNY");
    /// United States dollar.
    pub const USD: Self = Self(*b"USD");
    /// Euro.
    pub const EUR: Self = Self(*b"EUR");
    /// Pound sterling.
    pub const GBP: Self = Self(*b"GBP");

    /// Reads a code such as `usd`.
    ///
    /// # Errors
    /// When it is not three ASCII letters.
    pub fn new(code: &str) -> Result<Self, MoneyError> {
        let mut letters = [0; 3];
        let bytes = code.trim().as_bytes();
        if bytes.len() != 3 || !bytes.iter().all(u8::is_ascii_alphabetic) {
            return Err(MoneyError::Currency(code.to_owned()));
        }
        for (to, from) in letters.iter_mut().zip(bytes) {
            *to = from.to_ascii_uppercase();
        }
        Ok(Self(letters))
    }

    /// The code, `CNY`.
    #[must_use]
    pub fn code(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or("XXX")
    }

    /// Digits after the decimal point (ISO 4217 minor unit exponent).
    #[must_use]
    pub fn exponent(self) -> u32 {
        match &self.0 {
            b"JPY" | b"KRW" | b"VND" | b"CLP" | b"ISK" | b"UGX" | b"XAF" | b"XOF" => 0,
            b"BHD" | b"JOD" | b"KWD" | b"OMR" | b"TND" | b"IQD" | b"LYD" => 3,
            _ => 2,
        }
    }

    /// The sign people write before an amount, when there is a common one.
    #[must_use]
    pub fn sign(self) -> Option<&'static str> {
        match &self.0 {
            b"CNY" | b"JPY" => Some("¥"),
            b"USD" => Some("$"),
            b"EUR" => Some("€"),
            b"GBP" => Some("£"),
            b"INR" => Some("₹"),
            b"KRW" => Some("₩"),
            _ => None,
        }
    }
}

impl fmt::Display for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl TryFrom<String> for Currency {
    type Error = MoneyError;

    fn try_from(code: String) -> Result<Self, MoneyError> {
        Self::new(&code)
    }
}

impl From<Currency> for String {
    fn from(currency: Currency) -> String {
        currency.code().to_owned()
    }
}

/// Why an amount cannot be read or computed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MoneyError {
    /// Not a currency code.
    #[error("{0:?} is not a currency code; use three letters such as CNY")]
    Currency(String),
    /// Not an amount.
    #[error("{0:?} is not an amount")]
    Amount(String),
    /// More decimals than the currency has.
    #[error("{amount:?} has more decimals than {currency} has")]
    Precision {
        /// The amount as written.
        amount: String,
        /// Its currency.
        currency: Currency,
    },
    /// Two currencies in one sum.
    #[error("{0} and {1} cannot be added")]
    Mixed(Currency, Currency),
    /// The amount does not fit.
    #[error("the amount is too large")]
    Overflow,
}

/// An amount of money.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Money {
    /// Amount in minor units (fen, cents).
    pub minor: i64,
    /// Its currency.
    pub currency: Currency,
}

impl Money {
    /// An amount in minor units.
    #[must_use]
    pub const fn new(minor: i64, currency: Currency) -> Self {
        Self { minor, currency }
    }

    /// Reads a plain decimal such as `1299`, `1299.5` or `-3.20`; no separators, no sign of currency.
    ///
    /// # Errors
    /// When it is not a decimal, does not fit, or has non-zero digits beyond the currency's decimals.
    pub fn parse_decimal(text: &str, currency: Currency) -> Result<Self, MoneyError> {
        let amount = || MoneyError::Amount(text.to_owned());
        let trimmed = text.trim();
        let (negative, digits) = match trimmed.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, trimmed),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let all_digits = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
        if (whole.is_empty() && fraction.is_empty()) || !all_digits(whole) || !all_digits(fraction) {
            return Err(amount());
        }
        let exponent = currency.exponent() as usize;
        let (kept, rest) = fraction.split_at_checked(exponent).unwrap_or((fraction, ""));
        if rest.bytes().any(|b| b != b'0') {
            return Err(MoneyError::Precision { amount: text.to_owned(), currency });
        }
        let joined = format!("{whole}{kept:0<exponent$}");
        let minor: i64 = joined.parse().map_err(|_too_large| MoneyError::Overflow)?;
        Ok(Self { minor: if negative { -minor } else { minor }, currency })
    }

    /// The sum of two amounts of one currency.
    ///
    /// # Errors
    /// When the currencies differ or the sum does not fit.
    pub fn checked_add(self, other: Self) -> Result<Self, MoneyError> {
        if self.currency != other.currency {
            return Err(MoneyError::Mixed(self.currency, other.currency));
        }
        let minor = self.minor.checked_add(other.minor).ok_or(MoneyError::Overflow)?;
        Ok(Self { minor, currency: self.currency })
    }

    /// The amount as a plain decimal, `1299.50`.
    #[must_use]
    pub fn decimal(self) -> String {
        let exponent = self.currency.exponent();
        if exponent == 0 {
            return self.minor.to_string();
        }
        let unit = 10_u64.pow(exponent);
        let (whole, fraction) = (self.minor.unsigned_abs() / unit, self.minor.unsigned_abs() % unit);
        let sign = if self.minor < 0 { "-" } else { "" };
        format!("{sign}{whole}.{fraction:0width$}", width = exponent as usize)
    }
}

/// `¥299`, `$19.99`, `CHF 20.50`: decimals are left out when they are zero, as price tags do.
impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let decimal = self.decimal();
        let shown = match decimal.split_once('.') {
            Some((whole, fraction)) if fraction.bytes().all(|b| b == b'0') => whole,
            _ => decimal.as_str(),
        };
        let (minus, digits) = shown.strip_prefix('-').map_or(("", shown), |rest| ("-", rest));
        match self.currency.sign() {
            Some(sign) => write!(f, "{minus}{sign}{digits}"),
            None => write!(f, "{minus}{} {digits}", self.currency),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_price_is_read_exactly_or_refused() {
        let cny = Currency::CNY;
        assert_eq!(Money::parse_decimal("1299.5", cny), Ok(Money::new(129_950, cny)));
        assert_eq!(Money::parse_decimal("19.990", cny), Ok(Money::new(1_999, cny)));
        assert!(matches!(Money::parse_decimal("1.999", cny), Err(MoneyError::Precision { .. })));
        assert!(matches!(Money::parse_decimal("ask", cny), Err(MoneyError::Amount(_))));
        assert!(matches!(Money::parse_decimal("", cny), Err(MoneyError::Amount(_))));
        assert_eq!(Money::parse_decimal("99999999999999999999", cny), Err(MoneyError::Overflow));
        assert_eq!(Money::parse_decimal("120", Currency::new("jpy").unwrap()).unwrap().minor, 120);
    }

    #[test]
    fn a_price_tag_leaves_zero_decimals_out() {
        assert_eq!(Money::new(29_900, Currency::CNY).to_string(), "¥299");
        assert_eq!(Money::new(-1_999, Currency::USD).to_string(), "-$19.99");
        assert_eq!(Money::new(2_050, Currency::new("CHF").unwrap()).to_string(), "CHF 20.50");
        assert_eq!(Money::new(5, Currency::CNY).decimal(), "0.05");
    }

    proptest! {
        #[test]
        fn a_decimal_reads_back_as_the_same_amount(minor in -1_000_000_000_000_i64..1_000_000_000_000) {
            for currency in [Currency::CNY, Currency::new("JPY").unwrap(), Currency::new("KWD").unwrap()] {
                let money = Money::new(minor, currency);
                prop_assert_eq!(Money::parse_decimal(&money.decimal(), currency), Ok(money));
            }
        }
    }
}
