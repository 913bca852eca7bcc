//! Finds quantities in text: numbers with what they count, in figures, Chinese numerals and English words.
//!
//! Answers and evidence are read by the same scanner, so that `¥1,299`, `1299元` and `"price": 1299` meet.

use std::ops::Range;

use super::{chars::Text, decimal::Dec, numerals, units};

/// A currency, as far as its sign tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Currency {
    /// ¥, 元.
    Yuan,
    /// $.
    Dollar,
    /// €.
    Euro,
    /// £.
    Pound,
    /// A money amount whose currency is not said.
    Unknown,
    /// Another one, by its code.
    Other([u8; 3]),
}

impl Currency {
    pub(super) fn of_code(code: &str) -> Self {
        let upper = code.trim().to_ascii_uppercase();
        match upper.as_str() {
            "CNY" | "RMB" | "JPY" => Self::Yuan,
            "USD" | "HKD" | "CAD" | "AUD" | "SGD" | "TWD" => Self::Dollar,
            "EUR" => Self::Euro,
            "GBP" => Self::Pound,
            other => other.as_bytes().try_into().map_or(Self::Unknown, Self::Other),
        }
    }

    pub(super) fn agrees(self, other: Self) -> bool {
        self == other || self == Self::Unknown || other == Self::Unknown
    }
}

/// What a number counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Unit {
    Money(Currency),
    Percent,
    /// 折: tenths of the price.
    Fold,
    /// A length of time, in the unit named.
    Duration(Span),
    /// A number of things.
    Count(Noun),
    /// A measure, by its canonical name.
    Measure(&'static str),
    /// A rating.
    Stars,
    /// A day: year (0 when not said), month, day (0 when not said).
    Date(u16, u8, u8),
    Plain,
}

/// Units of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Span {
    Second,
    Minute,
    Hour,
    Day,
    Week,
    Month,
    Year,
}

/// What is counted, as far as the gate tells it apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Noun {
    Product,
    Colour,
    Size,
    Review,
    Stock,
    Other,
}

/// A number in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Quantity {
    /// Bytes, unit and currency sign included.
    pub(super) span: Range<usize>,
    pub(super) value: Dec,
    pub(super) unit: Unit,
    /// Half a unit of the last place shown.
    pub(super) half: Dec,
    /// Written as a word or Chinese numeral.
    pub(super) worded: bool,
}

/// All quantities of a text, in order.
pub(super) fn quantities(text: &Text<'_>) -> Vec<Quantity> {
    let mut found: Vec<Quantity> = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let next = match text.kind(at) {
            Kind::Digit => figures(text, at),
            Kind::Numeral => numerals::chinese(text, at),
            Kind::Letter if at == 0 || !text.kind(at - 1).is_word() => numerals::english(text, at),
            Kind::Letter | Kind::Other => None,
        };
        match next {
            Some(Step::Found(quantity, end)) => {
                link_range(text, &mut found, &quantity);
                found.push(quantity);
                at = end;
            }
            Some(Step::Skip(end)) => at = end,
            None => at += 1,
        }
    }
    found
}

/// What a character is to the scanner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Digit,
    Letter,
    Numeral,
    Other,
}

impl Kind {
    pub(super) fn is_word(self) -> bool {
        matches!(self, Self::Digit | Self::Letter)
    }
}

/// A step of the scanner, with the place at which it goes on.
pub(super) enum Step {
    Found(Quantity, usize),
    Skip(usize),
}

/// A number in figures. A number inside a word (`B07X`, `IFP5550`) is no quantity but part of an id.
fn figures(text: &Text<'_>, at: usize) -> Option<Step> {
    if at > 0 && matches!(text.kind(at - 1), Kind::Letter) || units::is_ordinal_before(text, at) {
        return Some(Step::Skip(text.skip_word(at)));
    }
    if let Some((unit, end)) = units::date(text, at) {
        return Some(Step::Found(quantity(text, at, end, Dec::ZERO, unit, Dec::ZERO), end));
    }
    let (digits, end) = text.number(at);
    let Some(value) = Dec::parse(&digits) else { return Some(Step::Skip(end)) };
    let places = digits.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    let (unit, start, end, factor) = units::around(text, at, end);
    if unit == Unit::Plain && end < text.len() && matches!(text.kind(end), Kind::Letter) {
        return Some(Step::Skip(text.skip_word(end)));
    }
    let half = half(places, factor);
    Some(Step::Found(quantity(text, start, end, value.times(factor), unit, half), end))
}

pub(super) fn quantity(text: &Text<'_>, start: usize, end: usize, value: Dec, unit: Unit, half: Dec) -> Quantity {
    Quantity { span: text.bytes(start..end), value, unit, half, worded: false }
}

fn half(places: usize, factor: i64) -> Dec {
    let mut half = Dec::int(factor);
    for _ in 0..places {
        half = half.over(10).unwrap_or(Dec::ZERO);
    }
    half.over(2).unwrap_or(Dec::ZERO)
}

/// `200-300元`, `¥199–299`: the end without a unit takes the other's.
fn link_range(text: &Text<'_>, found: &mut [Quantity], next: &Quantity) {
    let Some(last) = found.last_mut() else { return };
    let between = text.source().get(last.span.end..next.span.start).unwrap_or_default().trim();
    if !matches!(between, "-" | "–" | "—" | "~" | "～" | "至" | "到" | "to") {
        return;
    }
    if last.unit == Unit::Plain && next.unit != Unit::Plain {
        last.unit = next.unit;
    }
}

/// Gives the second end of a range the first one's unit.
pub(super) fn close_ranges(text: &Text<'_>, found: &mut [Quantity]) {
    for i in 1..found.len() {
        let (before, rest) = found.split_at_mut(i);
        let (Some(last), Some(next)) = (before.last(), rest.first_mut()) else { continue };
        let between = text.source().get(last.span.end..next.span.start).unwrap_or_default().trim();
        if next.unit == Unit::Plain
            && matches!(last.unit, Unit::Money(_) | Unit::Percent | Unit::Measure(_))
            && matches!(between, "-" | "–" | "—" | "~" | "～" | "至" | "到" | "to" | "and" | "和")
        {
            next.unit = last.unit;
        }
    }
}
