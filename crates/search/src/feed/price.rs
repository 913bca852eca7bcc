//! Prices as shops write them: `15.00 USD`, `€ 1.299,00`, `1,299`, `￥99元`.

use mercer_shop::{Currency, Money};

/// Why a price cell gives no price, or not quite the one written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PriceProblem {
    /// Blank: unknown.
    Missing,
    /// Not an amount.
    Unreadable(String),
    /// A real zero.
    Zero(Money),
    /// More decimals than the currency has; this is the nearest amount.
    Rounded(Money),
}

/// Signs and local codes, the longest first where one begins another.
const SIGNS: [(&str, &str); 42] = [
    ("US$", "USD"),
    ("A$", "AUD"),
    ("AU$", "AUD"),
    ("C$", "CAD"),
    ("CA$", "CAD"),
    ("HK$", "HKD"),
    ("NT$", "TWD"),
    ("S$", "SGD"),
    ("NZ$", "NZD"),
    ("MX$", "MXN"),
    ("R$", "BRL"),
    ("€", "EUR"),
    ("£", "GBP"),
    ("₹", "INR"),
    ("Rs.", "INR"),
    ("Rs", "INR"),
    ("₩", "KRW"),
    ("₽", "RUB"),
    ("zł", "PLN"),
    ("Kč", "CZK"),
    ("₫", "VND"),
    ("฿", "THB"),
    ("円", "JPY"),
    ("日元", "JPY"),
    ("₺", "TRY"),
    ("₴", "UAH"),
    ("₪", "ILS"),
    ("₱", "PHP"),
    ("Fr.", "CHF"),
    ("美元", "USD"),
    ("欧元", "EUR"),
    ("英镑", "GBP"),
    ("港元", "HKD"),
    ("港币", "HKD"),
    ("人民币", "CNY"),
    ("RMB", "CNY"),
    ("元", "CNY"),
    ("块", "CNY"),
    ("¥", "CNY"),
    ("￥", "CNY"),
    ("$", "USD"),
    ("kr", "SEK"),
];

/// Currencies whose people write the decimal comma.
const COMMA: [&str; 16] =
    ["EUR", "PLN", "CZK", "DKK", "SEK", "NOK", "BRL", "RUB", "UAH", "TRY", "HUF", "RON", "BGN", "ARS", "CLP", "IDR"];
const DOLLARS: [&str; 11] = ["USD", "CAD", "AUD", "NZD", "HKD", "TWD", "SGD", "MXN", "ARS", "CLP", "COP"];

/// Reads a price. A currency in the text wins over `default`; `minor` says that a plain number counts cents.
pub(crate) fn read(text: &str, default: Currency, minor: bool) -> Result<Money, PriceProblem> {
    let text = text.trim();
    if text.is_empty() {
        return Err(PriceProblem::Missing);
    }
    let unreadable = || PriceProblem::Unreadable(super::text::cut(text, 60).to_owned());
    let (currency, number) = split_currency(text, default);
    let written = currency.is_some();
    let currency = currency.unwrap_or(default);
    if minor && !written {
        let whole = number.strip_suffix(".0").unwrap_or(number);
        let amount: i64 = whole.parse().ok().filter(|&n| n >= 0).ok_or_else(unreadable)?;
        let money = Money::new(amount, currency);
        return if amount == 0 { Err(PriceProblem::Zero(money)) } else { Ok(money) };
    }
    let mut buffer = [0; 40];
    let (decimal, rounded) = normalise(number, currency, written, &mut buffer).ok_or_else(unreadable)?;
    let money = Money::parse_decimal(decimal, currency).ok().ok_or_else(unreadable)?;
    match (money.minor, rounded) {
        (0, false) => Err(PriceProblem::Zero(money)),
        (_, true) => Err(PriceProblem::Rounded(Money::new(money.minor.saturating_add(1), currency))),
        (_, false) => Ok(money),
    }
}

/// Takes the currency off either end.
fn split_currency(text: &str, default: Currency) -> (Option<Currency>, &str) {
    let digit = |c: char| c.is_ascii_digit();
    let (Some(first), Some(last)) = (text.find(digit), text.rfind(digit)) else {
        return (None, text);
    };
    // A sign or a point directly before the first digit belongs to the number.
    let head = text.get(..first).unwrap_or_default();
    let start = first - head.len() + head.trim_end_matches(['.', ',', '-', '+']).len();
    let (before, rest) = text.split_at_checked(start).unwrap_or(("", text));
    let (number, after) = rest.split_at_checked(last + 1 - start).unwrap_or((rest, ""));
    let after = after.trim_start_matches([',', '.', '-', '–', '—']);
    let (before, after) = (before.trim(), after.trim());
    if before.is_empty() && after.is_empty() {
        return (None, number);
    }
    let (code, minus) = match before.strip_prefix('-') {
        Some(code) => (code.trim(), true),
        None => (before, false),
    };
    let named = match (code.is_empty(), after.is_empty()) {
        (false, true) => currency_of(code, default),
        (true, false) => currency_of(after, default),
        // `￥99元`, `$15 USD`: the later is the more exact, and the first must at least be one too.
        (false, false) => currency_of(code, default).and(currency_of(after, default)),
        (true, true) => None,
    };
    match named {
        Some(currency) if !minus => (Some(currency), number),
        // Words around the number, or a minus before the sign: the whole text is no price.
        _ => (None, text),
    }
}

fn currency_of(word: &str, default: Currency) -> Option<Currency> {
    let word = word.trim_matches([' ', '\u{a0}', '\u{202f}', ':', '/', '件', '-']);
    if let Some((_, code)) = SIGNS.iter().find(|(sign, _)| sign.eq_ignore_ascii_case(word)) {
        // A bare `$` or `¥` is the shop's own dollar or yen.
        return match word {
            "$" if DOLLARS.contains(&default.code()) => Some(default),
            "¥" | "￥" if default.code() == "JPY" => Some(default),
            "kr" if ["DKK", "NOK", "ISK"].contains(&default.code()) => Some(default),
            _ => Currency::new(code).ok(),
        };
    }
    let letters = word.len() == 3 && word.bytes().all(|b| b.is_ascii_alphabetic());
    letters.then(|| Currency::new(word).ok()).flatten()
}

/// Writes the number as a plain decimal into the buffer; also says whether it must be rounded up by one minor unit.
fn normalise<'b>(number: &str, currency: Currency, written: bool, buffer: &'b mut [u8; 40]) -> Option<(&'b str, bool)> {
    let mark = decimal_mark(number, currency, written)?;
    let exponent = currency.exponent() as usize;
    let mut out = buffer.iter_mut();
    let mut length = 0;
    let mut push = |byte: u8| {
        *out.next()? = byte;
        length += 1;
        Some(())
    };
    let (mut decimals, mut inside, mut round) = (0, false, false);
    for (at, c) in number.char_indices() {
        match c {
            '0'..='9' if inside && decimals >= exponent => {
                if decimals == exponent {
                    round = c >= '5';
                }
                decimals += 1;
            }
            '0'..='9' => {
                decimals += usize::from(inside);
                push(u8::try_from(c).ok()?)?;
            }
            _ if Some(at) == mark => {
                inside = true;
                push(b'.')?;
            }
            ',' | '.' | '\'' | '’' | ' ' | '\u{a0}' | '\u{202f}' | '_' if !inside => {}
            _ => return None,
        }
    }
    let text = std::str::from_utf8(buffer.get(..length)?).ok()?;
    Some((text, round))
}

/// Where the decimal mark is, if there is one; `None` when the separators make no sense.
#[expect(clippy::option_option, reason = "no mark and no sense are two answers")]
fn decimal_mark(number: &str, currency: Currency, written: bool) -> Option<Option<usize>> {
    let commas = number.matches(',').count();
    let points = number.matches('.').count();
    let last = |mark: char| number.rfind(mark);
    let behind = |at: usize| number.len() - at - 1;
    match (commas, points) {
        (0, 0) => Some(None),
        (1, 0) => {
            let at = last(',')?;
            let thousands = behind(at) == 3 && number.find(',')? <= 3 && !number.starts_with("0,");
            Some((!thousands || currency.exponent() == 3).then_some(at))
        }
        (0, 1) => {
            let at = last('.')?;
            let local = written && COMMA.contains(&currency.code());
            let thousands = behind(at) == 3 && local && number.find('.')? <= 3 && !number.starts_with("0.");
            Some((!thousands).then_some(at))
        }
        (_, 0) => grouped(number, ',').then_some(None),
        (0, _) => grouped(number, '.').then_some(None),
        (_, 1) if last('.') > last(',') => grouped(number.split('.').next()?, ',').then(|| last('.')),
        (1, _) if last(',') > last('.') => grouped(number.split(',').next()?, '.').then(|| last(',')),
        _ => None,
    }
}

/// Whether the groups behind each separator have three digits (or two, as in `1,00,000`).
fn grouped(number: &str, mark: char) -> bool {
    number.split(mark).skip(1).all(|group| matches!(group.len(), 2 | 3))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn usd(text: &str) -> Result<(i64, String), PriceProblem> {
        read(text, Currency::USD, false).map(|m| (m.minor, m.currency.to_string()))
    }

    #[test]
    fn prices_are_read_as_shops_write_them() {
        for (text, minor, currency) in [
            ("15.00 USD", 1_500, "USD"),
            ("USD 15", 1_500, "USD"),
            ("$1,299.00", 129_900, "USD"),
            ("1,299", 129_900, "USD"),
            ("1.299,00 €", 129_900, "EUR"),
            ("€1.299", 129_900, "EUR"),
            ("12,50 EUR", 1_250, "EUR"),
            ("12,5", 1_250, "USD"),
            ("1 299,90 zł", 129_990, "PLN"),
            ("40.000", 4_000, "USD"),
            ("CHF 1'250.50", 125_050, "CHF"),
            ("1,00,000 INR", 10_000_000, "INR"),
            ("￥99元", 9_900, "CNY"),
            ("HK$ 88", 8_800, "HKD"),
            ("12,- €", 1_200, "EUR"),
            (".99", 99, "USD"),
            ("16.84", 1_684, "USD"),
            ("1.299.000 EUR", 129_900_000, "EUR"),
        ] {
            assert_eq!(usd(text), Ok((minor, currency.to_owned())), "{text}");
        }
        assert_eq!(read("¥120", Currency::new("JPY").unwrap(), false).unwrap().minor, 120);
        assert_eq!(read("$5", Currency::new("CAD").unwrap(), false).unwrap().currency.code(), "CAD");
        assert_eq!(read("4995", Currency::USD, true).unwrap().minor, 4_995);
    }

    #[test]
    fn what_is_no_price_is_unknown_and_never_zero() {
        assert_eq!(usd("  "), Err(PriceProblem::Missing));
        for text in [
            "ask",
            "10-20",
            "-5",
            "$-5",
            "-$5",
            "1.2.3,4,5",
            "1e5",
            "NaN",
            "12 per 3",
            "99999999999999999999999999",
            "1,2,3",
        ] {
            assert!(matches!(usd(text), Err(PriceProblem::Unreadable(_))), "{text}: {:?}", usd(text));
        }
        assert!(matches!(usd("0.00"), Err(PriceProblem::Zero(_))));
        assert_eq!(usd("9.999"), Err(PriceProblem::Rounded(Money::new(1_000, Currency::USD))));
        assert_eq!(usd("9.991").unwrap().0, 999);
    }

    proptest! {
        #[test]
        fn an_amount_reads_back_in_both_notations(minor in 1_i64..100_000_000) {
            let money = Money::new(minor, Currency::EUR);
            prop_assert_eq!(read(&money.decimal(), Currency::EUR, false), Ok(money));
            prop_assert_eq!(read(&format!("{} €", money.decimal().replace('.', ",")), Currency::USD, false), Ok(money));
        }

        #[test]
        fn no_text_breaks_the_reader(text in "\\PC{0,30}|[0-9., $€-]{0,50}") {
            let _result = read(&text, Currency::USD, false);
        }
    }
}
