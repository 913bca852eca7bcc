//! Exact decimals for comparing what was said with what is known.

use serde_json::Number;

/// Units of a decimal: a millionth.
const SCALE: i128 = 1_000_000;
const PLACES: usize = 6;

/// A decimal with six places.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Dec(i128);

impl Dec {
    pub(super) const ZERO: Self = Self(0);

    pub(super) fn int(value: i64) -> Self {
        Self(i128::from(value) * SCALE)
    }

    /// Digits with at most one point; separators must be gone. `None` beyond 24 digits.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (negative, text) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        if whole.is_empty() || whole.len() > 24 || !whole.bytes().chain(fraction.bytes()).all(|b| b.is_ascii_digit()) {
            return None;
        }
        let whole: i128 = whole.parse().ok()?;
        let mut millionths = 0_i128;
        for digit in fraction.bytes().chain(std::iter::repeat(b'0')).take(PLACES) {
            millionths = millionths * 10 + i128::from(digit - b'0');
        }
        let value = whole * SCALE + millionths;
        Some(Self(if negative { -value } else { value }))
    }

    pub(super) fn of(number: &Number) -> Option<Self> {
        Self::parse(&number.to_string())
    }

    pub(super) fn plus(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    pub(super) fn minus(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    pub(super) fn abs(self) -> Self {
        Self(self.0.abs())
    }

    /// Times a whole number.
    pub(super) fn times(self, factor: i64) -> Self {
        Self(self.0.saturating_mul(i128::from(factor)))
    }

    pub(super) fn over(self, divisor: i64) -> Option<Self> {
        self.0.checked_div(i128::from(divisor)).map(Self)
    }

    /// `self` of `whole` in percent.
    pub(super) fn percent_of(self, whole: Self) -> Option<Self> {
        self.0.checked_mul(100 * SCALE)?.checked_div(whole.0).map(Self)
    }

    /// The whole number, when it is one.
    pub(super) fn whole(self) -> Option<i64> {
        (self.0 % SCALE == 0).then(|| i64::try_from(self.0 / SCALE).ok()).flatten()
    }
}
