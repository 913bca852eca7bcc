//! Amounts of money and sizes, by pattern.

use std::sync::LazyLock;

use mercer_shop::{Currency, Money};
use regex::{Captures, Regex};

use crate::analysis::fold;
use crate::index::Generation;
use crate::rank::size_is_known;
use crate::request::{Condition, Field, Op, Understood};

/// An amount: sign, digits, thousands word, unit. `{n}` numbers the groups.
const AMOUNT: &str = r"(?P<sign{n}>us\$|hk\$|[¥$€£₹]|rmb|cny|usd|eur|gbp)?\s*(?P<digits{n}>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)\s*(?P<times{n}>k\b|千|万|w\b|百)?\s*(?P<unit{n}>元|块钱|块|人民币|美元|美金|欧元|英镑|rmb\b|cny\b|usd\b|eur\b|gbp\b|dollars?\b|bucks\b|euros?\b|pounds?\b|yuan\b|rupees\b)?";
/// What after a number says that it is not money.
const NO_MONEY: &str = r"^\s*(?:-?\s*(?:inch(?:es)?|in\b|cm|mm|m\b|km|kg|g\b|gb|tb|mb|ml|l\b|w\b|watts?|mah|hz|ghz|mhz|v\b|volts?|ft|feet|years?|yrs?|months?|days?|hours?|pcs|pieces|pack|stars?|%|degrees?|x\b)|岁|寸|英寸|厘米|毫米|米|公斤|千克|克|斤|升|毫升|瓦|伏|码|号|件|个|只|双|条|年|月|天|小时|星|折|支|瓶|片|包|层|匹)";

struct Patterns {
    between: Vec<Regex>,
    most: Vec<Regex>,
    least: Vec<Regex>,
    about: Vec<Regex>,
    size: Vec<Regex>,
    no_money: Regex,
}

static PATTERNS: LazyLock<Option<Patterns>> = LazyLock::new(|| Patterns::compile().ok());

impl Patterns {
    fn compile() -> Result<Self, regex::Error> {
        let one = AMOUNT.replace("{n}", "1");
        let two = AMOUNT.replace("{n}", "2");
        let all = |patterns: &[&str]| -> Result<Vec<Regex>, regex::Error> {
            patterns.iter().map(|p| compiled(&p.replace("<1>", &one).replace("<2>", &two))).collect()
        };
        Ok(Self {
            between: all(&[
                r"\b(?:priced?\s+)?(?:between|from)\s+<1>\s*(?:and|to|-)\s*<2>",
                r"(?:价格|价位|预算|价钱)?\s*(?:在|是)?\s*<1>\s*(?:到|至|-|~|—)\s*<2>\s*(?:之间|左右|的)?",
                r"<1>\s+to\s+<2>",
                r"^\s*<1>\s*(?:-|~)\s*<2>\s*$",
            ])?,
            most: all(&[
                r"\b(?:don't|dont|do not|not|never|can't|cannot|won't)\s+(?:want\s+|like\s+)?(?:to\s+)?(?:spend|pay|cost|go)\s+(?:more than|over|above)\s*<1>",
                r"\b(?:priced?\s+)?(?:under|below|less than|cheaper than|lower than|up to|at most|no more than|not more than|not over|within|maximum|max|budget(?: of| is)?)\s*(?:of\s+)?<1>",
                r"(?:不想|不要|不能|不会|别)\s*花?\s*(?:超过|高于|多于|大于|超出|超)\s*<1>",
                r"(?:<=?|≤)\s*<1>",
                r"(?:价格|价位|价钱|预算)?\s*(?:在|是)?\s*(?:不超过|不高于|不多于|低于|少于|小于|最多|最高|不到|预算|便宜于)\s*<1>",
                r"(?:价格|价位|价钱|预算)?\s*(?:在|是)?\s*<1>\s*(?:以下|以内|之内|封顶|or less\b|or under\b|and under\b|or below\b|max\b|tops\b)",
                r"\b(?:价格|价位|价钱)?\s*<1>\s*内(?:的|$|\s)",
            ])?,
            least: all(&[
                r"\b(?:priced?\s+)?(?:over|above|more than|at least|starting (?:at|from)|minimum|min|no less than|not less than)\s*<1>",
                r"(?:>=?|≥)\s*<1>",
                r"(?:价格|价位|价钱)?\s*(?:在|是)?\s*(?:高于|超过|大于|不低于|不少于|至少|多于|最低)\s*<1>",
                r"(?:价格|价位|价钱)?\s*(?:在|是)?\s*<1>\s*(?:以上|起步|or more\b|and up\b|and above\b|or above\b)",
            ])?,
            about: all(&[
                r"\b(?:around|about|roughly|approximately)\s*<1>",
                r"(?:价格|价位|预算)?\s*(?:大概|大约|差不多)\s*<1>\s*(?:左右|上下)?",
                r"(?:价格|价位|预算)?\s*<1>\s*(?:左右|上下)",
            ])?,
            size: all(&[
                r"\bsize\s*:?\s*(?P<size>(?:us|uk|eu)?\s*\d{1,3}(?:\.5)?|[2-6]?x{0,3}[sml]\b|small\b|medium\b|large\b|x-large\b)",
                r"\bin an? (?P<size>(?:us|uk|eu)?\s*\d{1,2}(?:\.5)?)\s*$",
                r"\bin an? (?P<size>(?:us|uk|eu)?\s*\d{1,2}(?:\.5)?)\b(?P<tail>\s*(?:,|please|or|and|$))",
                r"\bin (?:an?|size)? ?(?P<size>x{0,3}[sml]|small|medium|large)\s*$",
                r"(?:尺码|尺寸|码数|大小)\s*(?:是|为|:)?\s*(?P<size>\d{2,3}(?:\.5)?|[2-6]?x{0,3}[sml])\b",
                r"(?P<size>\d{2,3}(?:\.5)?|[2-6]?x{0,3}[sml])\s*(?:码|号)",
                r"(?:^|\s)(?P<size>x{1,3}[sl]|[2-6]xl)(?:\s|$)",
                r"\p{Han}\s+(?P<size>[sml])(?P<lone>\s+\p{Han}|\s*$)",
                r"^(?P<size>[sml])(?P<lone>\s+\p{Han})",
            ])?,
            no_money: compiled(NO_MONEY)?,
        })
    }
}

/// A word boundary counts between Latin letters and Chinese: `1.5k以上`.
fn compiled(pattern: &str) -> Result<Regex, regex::Error> {
    Regex::new(&pattern.replace(r"\b", r"(?-u:\b)"))
}

/// Reads amounts and sizes into conditions and returns the folded text without them.
pub(super) fn read(text: &str, generation: &Generation, understood: &mut Understood) -> String {
    let folded = super::numerals::arabic(&fold(text));
    let Some(patterns) = &*PATTERNS else { return folded };
    let rest = amounts(patterns, &folded, generation, understood);
    size(patterns, &rest, generation, understood)
}

fn amounts(patterns: &Patterns, text: &str, generation: &Generation, understood: &mut Understood) -> String {
    type Make = fn(Money, Option<Money>) -> Option<Condition>;
    let kinds: [(&[Regex], Make, bool); 4] = [
        (&patterns.between, |low, high| Some(Condition::between(low, high?)), true),
        (&patterns.most, |high, _| Some(Condition::at_most(high)), false),
        (&patterns.least, |low, _| Some(Condition::at_least(low)), false),
        (
            &patterns.about,
            |middle, _| {
                let fifth = middle.minor / 5;
                let near = |minor| Money::new(minor, middle.currency);
                Some(Condition::between(near(middle.minor - fifth), near(middle.minor + fifth)))
            },
            true,
        ),
    ];
    let Some(shop) = generation.vocabulary.currency() else { return text.to_owned() };
    let mut text = text.to_owned();
    for (regexes, make, sure) in kinds {
        if sure && understood.conditions.iter().any(|known| known.field == Field::Price) {
            continue;
        }
        for regex in regexes {
            let Some(found) = regex.captures(&text) else { continue };
            let Some(span) = found.get(0).map(|m| m.range()) else { continue };
            let after = text.get(span.end..).unwrap_or_default();
            let named = currency(&found, "1").or_else(|| currency(&found, "2"));
            // Without a currency a bare number may be a measure, and "30 - 40" or "about 5" may be anything.
            let priced = named.is_some()
                || span.len() == text.trim().len() && text.trim().len() == text.len() && sells_in_one(generation)
                || found.get(0).is_some_and(|m| m.as_str().contains(['价', '预']) || m.as_str().contains("price"));
            if !priced && (patterns.no_money.is_match(after) || sure && !bare_is_money(&found)) {
                continue;
            }
            let paid_in = named.unwrap_or(shop);
            let low = amount(&found, "1", paid_in);
            // "2到3千": the thousand counts for both.
            let high = amount(&found, "2", paid_in);
            let Some(condition) = low.and_then(|low| make(low, high)) else { continue };
            if paid_in == shop || generation.vocabulary.prices.contains_key(&paid_in) {
                understood.conditions.push(condition);
            } else {
                understood.other_currency = Some(paid_in);
            }
            text.replace_range(span, " ");
            if sure {
                return text;
            }
            break;
        }
    }
    join_ends(understood);
    text
}

/// "Under 400 and over 200" is one span.
fn join_ends(understood: &mut Understood) {
    let ends = |known: &Condition| known.field == Field::Price;
    let span = match understood.conditions.iter().filter(|known| ends(known)).collect::<Vec<_>>().as_slice() {
        [
            Condition { op: Op::AtMost(high), currency: Some(paid_in), .. },
            Condition { op: Op::AtLeast(low), currency, .. },
        ] if *currency == Some(*paid_in) && low <= high => {
            Condition::between(Money::new(*low, *paid_in), Money::new(*high, *paid_in))
        }
        _ => return,
    };
    understood.conditions.retain(|known| !ends(known));
    understood.conditions.push(span);
}

/// Whether the catalogue has one currency, so that a range of bare numbers and nothing else is one of prices.
fn sells_in_one(generation: &Generation) -> bool {
    generation.vocabulary.prices.len() == 1
}

/// Whether two bare numbers or an approximate one are large enough to be a price and not a count.
fn bare_is_money(found: &Captures<'_>) -> bool {
    found.name("digits1").and_then(|m| m.as_str().replace(',', "").parse::<f64>().ok()).is_some_and(|n| n >= 50.0)
        && found.get(0).is_some_and(|m| {
            m.as_str().contains("between")
                || m.as_str().contains('到')
                || m.as_str().contains("左右")
                || m.as_str().contains("around")
                || m.as_str().contains("之间")
        })
}

fn currency(found: &Captures<'_>, n: &str) -> Option<Currency> {
    let text = |name: &str| found.name(&format!("{name}{n}")).map(|m| m.as_str());
    let code = match (text("sign"), text("unit")) {
        (Some("¥" | "rmb" | "cny"), _) | (_, Some("元" | "块" | "块钱" | "人民币" | "rmb" | "cny" | "yuan")) => {
            "CNY"
        }
        (Some("$" | "us$" | "usd"), _) | (_, Some("美元" | "美金" | "usd" | "dollar" | "dollars" | "bucks")) => {
            "USD"
        }
        (Some("hk$"), _) => "HKD",
        (Some("€" | "eur"), _) | (_, Some("欧元" | "eur" | "euro" | "euros")) => "EUR",
        (Some("£" | "gbp"), _) | (_, Some("英镑" | "gbp" | "pound" | "pounds")) => "GBP",
        (Some("₹"), _) | (_, Some("rupees")) => "INR",
        _ => return None,
    };
    Currency::new(code).ok()
}

fn amount(found: &Captures<'_>, n: &str, currency: Currency) -> Option<Money> {
    let digits = found.name(&format!("digits{n}"))?.as_str().replace(',', "");
    let times = found.name(&format!("times{n}")).or_else(|| found.name("times2")).map_or(1, |m| match m.as_str() {
        "百" => 100,
        "k" | "千" => 1_000,
        _ => 10_000,
    });
    let one = Money::parse_decimal(&digits, currency).ok()?;
    Some(Money::new(one.minor.checked_mul(times)?, currency))
}

fn size(patterns: &Patterns, text: &str, generation: &Generation, understood: &mut Understood) -> String {
    for regex in &patterns.size {
        let Some(found) = regex.captures(text) else { continue };
        let (Some(whole), Some(size)) = (found.get(0), found.name("size")) else { continue };
        if !size_is_known(size.as_str(), generation) {
            continue;
        }
        understood.conditions.push(Condition::any_of(Field::Size, [size.as_str().trim().to_uppercase()]));
        let mut rest = text.to_owned();
        // A letter alone among Chinese words leaves them.
        let taken = if found.name("lone").is_some() { size.range() } else { whole.range() };
        rest.replace_range(taken, " ");
        return rest;
    }
    text.to_owned()
}

/// The condition that "cheaper" means beside products already shown: below the lowest of their prices.
#[must_use]
pub fn cheaper_than(shown: &[Money]) -> Option<Condition> {
    let first = shown.first()?;
    let lowest = shown.iter().filter(|price| price.currency == first.currency).min_by_key(|price| price.minor)?;
    (lowest.minor > 0).then(|| Condition::at_most(Money::new(lowest.minor - 1, lowest.currency)))
}
