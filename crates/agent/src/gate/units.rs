//! What stands around a number: currency signs, units, counted nouns, dates.

use super::{
    chars::Text,
    scan::{Currency, Kind, Noun, Span, Unit},
};

/// Written after a number, longest first within a first letter.
const AFTER: &[(&str, Unit)] = &[
    ("元", Unit::Money(Currency::Yuan)),
    ("块", Unit::Money(Currency::Yuan)),
    ("圆", Unit::Money(Currency::Yuan)),
    ("人民币", Unit::Money(Currency::Yuan)),
    ("美元", Unit::Money(Currency::Dollar)),
    ("美金", Unit::Money(Currency::Dollar)),
    ("欧元", Unit::Money(Currency::Euro)),
    ("英镑", Unit::Money(Currency::Pound)),
    ("折", Unit::Fold),
    ("个百分点", Unit::Percent),
    ("%", Unit::Percent),
    ("个工作日", Unit::Duration(Span::Day)),
    ("工作日", Unit::Duration(Span::Day)),
    ("天", Unit::Duration(Span::Day)),
    ("日", Unit::Duration(Span::Day)),
    ("个小时", Unit::Duration(Span::Hour)),
    ("小时", Unit::Duration(Span::Hour)),
    ("分钟", Unit::Duration(Span::Minute)),
    ("秒", Unit::Duration(Span::Second)),
    ("个星期", Unit::Duration(Span::Week)),
    ("星期", Unit::Duration(Span::Week)),
    ("周", Unit::Duration(Span::Week)),
    ("个月", Unit::Duration(Span::Month)),
    ("年", Unit::Duration(Span::Year)),
    ("分", Unit::Stars),
    ("颗星", Unit::Stars),
    ("星", Unit::Stars),
    ("厘米", Unit::Measure("cm")),
    ("公分", Unit::Measure("cm")),
    ("毫米", Unit::Measure("mm")),
    ("毫升", Unit::Measure("ml")),
    ("公斤", Unit::Measure("kg")),
    ("千克", Unit::Measure("kg")),
    ("英寸", Unit::Measure("in")),
    ("寸", Unit::Measure("in")),
    ("克", Unit::Measure("g")),
    ("斤", Unit::Measure("jin")),
    ("升", Unit::Measure("l")),
    ("米", Unit::Measure("m")),
    ("岁", Unit::Measure("age")),
    ("码", Unit::Measure("size")),
    ("号", Unit::Measure("size")),
    ("种颜色", Unit::Count(Noun::Colour)),
    ("个颜色", Unit::Count(Noun::Colour)),
    ("款颜色", Unit::Count(Noun::Colour)),
    ("色", Unit::Count(Noun::Colour)),
    ("种尺码", Unit::Count(Noun::Size)),
    ("个尺码", Unit::Count(Noun::Size)),
    ("种尺寸", Unit::Count(Noun::Size)),
    ("个码", Unit::Count(Noun::Size)),
    ("条评论", Unit::Count(Noun::Review)),
    ("条评价", Unit::Count(Noun::Review)),
    ("个评价", Unit::Count(Noun::Review)),
    ("则评论", Unit::Count(Noun::Review)),
    ("人评价", Unit::Count(Noun::Review)),
    ("件套", Unit::Measure("piece")),
    ("款", Unit::Count(Noun::Product)),
    ("种商品", Unit::Count(Noun::Product)),
    ("个商品", Unit::Count(Noun::Product)),
    ("个产品", Unit::Count(Noun::Product)),
    ("个结果", Unit::Count(Noun::Product)),
    ("条结果", Unit::Count(Noun::Product)),
    ("个选择", Unit::Count(Noun::Product)),
    ("个选项", Unit::Count(Noun::Product)),
    ("件", Unit::Count(Noun::Product)),
    ("条", Unit::Count(Noun::Product)),
    ("双", Unit::Count(Noun::Product)),
    ("只", Unit::Count(Noun::Product)),
    ("顶", Unit::Count(Noun::Product)),
    ("套", Unit::Count(Noun::Product)),
    ("个", Unit::Count(Noun::Other)),
    ("种", Unit::Count(Noun::Other)),
    ("样", Unit::Count(Noun::Other)),
    ("项", Unit::Count(Noun::Other)),
    ("张", Unit::Count(Noun::Other)),
    ("台", Unit::Count(Noun::Product)),
    ("部", Unit::Count(Noun::Product)),
    ("本", Unit::Count(Noun::Product)),
    ("瓶", Unit::Count(Noun::Product)),
    ("盒", Unit::Count(Noun::Product)),
    ("支", Unit::Count(Noun::Product)),
    ("位", Unit::Count(Noun::Other)),
    ("人", Unit::Count(Noun::Other)),
    ("次", Unit::Count(Noun::Other)),
    ("单", Unit::Count(Noun::Other)),
    ("percent", Unit::Percent),
    ("per cent", Unit::Percent),
    ("yuan", Unit::Money(Currency::Yuan)),
    ("rmb", Unit::Money(Currency::Yuan)),
    ("cny", Unit::Money(Currency::Yuan)),
    ("kuai", Unit::Money(Currency::Yuan)),
    ("dollars", Unit::Money(Currency::Dollar)),
    ("dollar", Unit::Money(Currency::Dollar)),
    ("usd", Unit::Money(Currency::Dollar)),
    ("bucks", Unit::Money(Currency::Dollar)),
    ("euros", Unit::Money(Currency::Euro)),
    ("euro", Unit::Money(Currency::Euro)),
    ("eur", Unit::Money(Currency::Euro)),
    ("gbp", Unit::Money(Currency::Pound)),
    ("seconds", Unit::Duration(Span::Second)),
    ("minutes", Unit::Duration(Span::Minute)),
    ("minute", Unit::Duration(Span::Minute)),
    ("hours", Unit::Duration(Span::Hour)),
    ("hour", Unit::Duration(Span::Hour)),
    ("hrs", Unit::Duration(Span::Hour)),
    ("business days", Unit::Duration(Span::Day)),
    ("working days", Unit::Duration(Span::Day)),
    ("business day", Unit::Duration(Span::Day)),
    ("days", Unit::Duration(Span::Day)),
    ("day", Unit::Duration(Span::Day)),
    ("weeks", Unit::Duration(Span::Week)),
    ("week", Unit::Duration(Span::Week)),
    ("months", Unit::Duration(Span::Month)),
    ("month", Unit::Duration(Span::Month)),
    ("years old", Unit::Measure("age")),
    ("year-old", Unit::Measure("age")),
    ("year old", Unit::Measure("age")),
    ("years", Unit::Duration(Span::Year)),
    ("year", Unit::Duration(Span::Year)),
    ("out of 5", Unit::Stars),
    ("stars", Unit::Stars),
    ("star", Unit::Stars),
    ("/5", Unit::Stars),
    ("cm", Unit::Measure("cm")),
    ("mm", Unit::Measure("mm")),
    ("ml", Unit::Measure("ml")),
    ("kg", Unit::Measure("kg")),
    ("inches", Unit::Measure("in")),
    ("inch", Unit::Measure("in")),
    ("oz", Unit::Measure("oz")),
    ("lbs", Unit::Measure("lb")),
    ("lb", Unit::Measure("lb")),
    ("gb", Unit::Measure("gb")),
    ("tb", Unit::Measure("tb")),
    ("mah", Unit::Measure("mah")),
    ("hz", Unit::Measure("hz")),
    ("watts", Unit::Measure("w")),
    ("metres", Unit::Measure("m")),
    ("meters", Unit::Measure("m")),
    ("g", Unit::Measure("g")),
    ("l", Unit::Measure("l")),
    ("m", Unit::Measure("m")),
    ("w", Unit::Measure("w")),
];

/// Counted nouns in English; the noun may stand up to three words behind the number.
const NOUNS: &[(&str, Noun)] = &[
    ("colours", Noun::Colour),
    ("colors", Noun::Colour),
    ("colour", Noun::Colour),
    ("color", Noun::Colour),
    ("shades", Noun::Colour),
    ("sizes", Noun::Size),
    ("reviews", Noun::Review),
    ("review", Noun::Review),
    ("ratings", Noun::Review),
    ("customers", Noun::Review),
    ("left", Noun::Stock),
    ("in stock", Noun::Stock),
    ("available", Noun::Stock),
    ("units", Noun::Stock),
    ("remaining", Noun::Stock),
    ("products", Noun::Product),
    ("product", Noun::Product),
    ("items", Noun::Product),
    ("item", Noun::Product),
    ("options", Noun::Product),
    ("option", Noun::Product),
    ("results", Noun::Product),
    ("choices", Noun::Product),
    ("picks", Noun::Product),
    ("styles", Noun::Product),
    ("matches", Noun::Product),
    ("pieces", Noun::Product),
    ("models", Noun::Product),
    ("dresses", Noun::Product),
    ("dress", Noun::Product),
    ("shirts", Noun::Product),
    ("shoes", Noun::Product),
    ("jackets", Noun::Product),
    ("coats", Noun::Product),
    ("bags", Noun::Product),
    ("jeans", Noun::Product),
    ("skirts", Noun::Product),
    ("tops", Noun::Product),
    ("sneakers", Noun::Product),
    ("boots", Noun::Product),
    ("lamps", Noun::Product),
    ("watches", Noun::Product),
    ("sweaters", Noun::Product),
    ("hoodies", Noun::Product),
    ("pairs", Noun::Product),
];

/// Signs and words of money before a number.
const BEFORE: &[(&str, Currency)] = &[
    ("US$", Currency::Dollar),
    ("HK$", Currency::Dollar),
    ("¥", Currency::Yuan),
    ("$", Currency::Dollar),
    ("€", Currency::Euro),
    ("£", Currency::Pound),
    ("RMB", Currency::Yuan),
    ("CNY", Currency::Yuan),
    ("USD", Currency::Dollar),
    ("EUR", Currency::Euro),
    ("GBP", Currency::Pound),
    ("人民币", Currency::Yuan),
];

/// The unit around a number at `at..end`: unit, start, end, and the factor of 万 or k.
pub(super) fn around(text: &Text<'_>, at: usize, end: usize) -> (Unit, usize, usize, i64) {
    let (factor, after) = multiplier(text, end);
    let mut start = at;
    if start > 0 && text.before(start) == ' ' {
        start -= 1;
    }
    if let Some((sign, currency)) = BEFORE.iter().find(|(sign, _)| text.ends(start, sign)) {
        let (_, end) = money_tail(text, after);
        return (Unit::Money(*currency), start - sign.chars().count(), end, factor);
    }
    if text.ends(at, "百分之") {
        return (Unit::Percent, at - 3, after, factor);
    }
    let after_more = skip_more(text, after);
    let place = text.skip_spaces(after_more);
    let dashed = if text.at(place) == '-' { place + 1 } else { place };
    match unit_at(text, place).or_else(|| unit_at(text, dashed)) {
        Some((Unit::Money(currency), end)) => {
            let (_, end) = money_tail(text, end);
            (Unit::Money(currency), at, end, factor)
        }
        Some((Unit::Count(noun), end)) => {
            let noun = noun_behind(text, end).or_else(|| noun_ahead(text, at)).unwrap_or(noun);
            (Unit::Count(noun), at, end, factor)
        }
        Some((unit, end)) => (unit, at, end, factor),
        None => match english_noun(text, place) {
            Some((noun, end)) => (Unit::Count(noun), at, end, factor),
            None => (Unit::Plain, at, after, factor),
        },
    }
}

fn multiplier(text: &Text<'_>, end: usize) -> (i64, usize) {
    let ends_word = !text.kind(end + 1).is_word();
    match text.at(end) {
        '万' => (10_000, end + 1),
        '千' => (1_000, end + 1),
        '百' => (100, end + 1),
        '亿' => (100_000_000, end + 1),
        'k' | 'K' if ends_word => (1_000, end + 1),
        'w' | 'W' if ends_word && crate::lang::is_han(text.at(end + 1)) => (10_000, end + 1),
        _ => (1, end),
    }
}

/// 块钱, 元人民币, and the like.
fn money_tail(text: &Text<'_>, mut end: usize) -> (Currency, usize) {
    if text.at(end) == '元' || text.at(end) == '钱' {
        end += 1;
    }
    (Currency::Yuan, end)
}

fn skip_more(text: &Text<'_>, at: usize) -> usize {
    if matches!(text.at(at), '多' | '余' | '几' | '+') { at + 1 } else { at }
}

fn unit_at(text: &Text<'_>, at: usize) -> Option<(Unit, usize)> {
    let first = text.at(at);
    let longest = AFTER
        .iter()
        .filter(|(word, _)| word.starts_with(first.to_ascii_lowercase()))
        .filter(|(word, _)| if first.is_ascii_alphabetic() { text.has_word(at, word) } else { text.has(at, word) })
        .max_by_key(|(word, _)| word.len())?;
    Some((longest.1, at + longest.0.chars().count()))
}

/// The noun behind a Chinese measure word: 三个颜色, 两件库存, 5 款鞋.
fn noun_behind(text: &Text<'_>, at: usize) -> Option<Noun> {
    const HAN: &[(&str, Noun)] = &[
        ("颜色", Noun::Colour),
        ("配色", Noun::Colour),
        ("尺码", Noun::Size),
        ("尺寸", Noun::Size),
        ("码数", Noun::Size),
        ("评论", Noun::Review),
        ("评价", Noun::Review),
        ("顾客", Noun::Review),
        ("库存", Noun::Stock),
        ("现货", Noun::Stock),
        ("商品", Noun::Product),
        ("产品", Noun::Product),
        ("结果", Noun::Product),
        ("选择", Noun::Product),
        ("订单", Noun::Other),
    ];
    (0..4).find_map(|skip| HAN.iter().find(|(word, _)| text.has(at + skip, word)).map(|(_, noun)| *noun))
}

/// The noun before a Chinese number: 评价两千多条, 库存还有 5 件.
fn noun_ahead(text: &Text<'_>, at: usize) -> Option<Noun> {
    const HAN: &[(&str, Noun)] = &[
        ("评价", Noun::Review),
        ("评论", Noun::Review),
        ("销量", Noun::Review),
        ("库存", Noun::Stock),
        ("颜色", Noun::Colour),
        ("尺码", Noun::Size),
    ];
    (0..4).find_map(|skip| {
        let end = at.checked_sub(skip)?;
        HAN.iter().find(|(word, _)| text.ends(end, word)).map(|(_, noun)| *noun)
    })
}

fn english_noun(text: &Text<'_>, at: usize) -> Option<(Noun, usize)> {
    let mut place = at;
    for _ in 0..4 {
        if !matches!(text.kind(place), Kind::Letter) {
            return None;
        }
        if let Some((word, noun)) = NOUNS.iter().find(|(word, _)| text.has_word(place, word)) {
            return Some((*noun, place + word.chars().count()));
        }
        place = text.skip_word(place);
        if text.at(place) == '\'' || text.at(place) == '’' {
            place = text.skip_word(place + 1);
        }
        place = text.skip_spaces(place);
    }
    None
}

/// 第3, #3, No. 3, Option 3: a place in an order, not a quantity.
pub(super) fn is_ordinal_before(text: &Text<'_>, at: usize) -> bool {
    let space = if text.before(at) == ' ' { at - 1 } else { at };
    matches!(text.before(space), '第' | '#')
        || ["No.", "option", "Option", "step", "Step", "item", "Item", "选项", "方案"]
            .iter()
            .any(|word| text.ends(space, word))
}

/// A date in figures from a place: `2024-05-01`, `2024/5/1`, `2024年5月1日`, `5月1日`, `1 May 2024`; a month's name before is
/// read by [`month_before`].
pub(super) fn date(text: &Text<'_>, at: usize) -> Option<(Unit, usize)> {
    let (first, end) = small(text, at)?;
    let sign = text.at(end);
    if (1_900..2_200).contains(&first) && matches!(sign, '-' | '/' | '年' | '.') {
        if let Some((month, end)) = small(text, end + 1).filter(|(month, _)| (1..=12).contains(month)) {
            let day_sign = text.at(end);
            if let Some((day, end)) = small(text, end + 1)
                .filter(|(day, _)| (1..=31).contains(day) && matches!(day_sign, '-' | '/' | '月' | '.'))
            {
                let end = if matches!(text.at(end), '日' | '号') { end + 1 } else { end };
                return Some((Unit::Date(first, byte(month), byte(day)), end));
            }
            if day_sign == '月' {
                return Some((Unit::Date(first, byte(month), 0), end + 1));
            }
        }
        return None;
    }
    if sign == '月' && (1..=12).contains(&first) {
        let (day, end) = small(text, end + 1)
            .filter(|(_, end)| matches!(text.at(*end), '日' | '号'))
            .map_or((0, end + 1), |(day, end)| (day, end + 1));
        return Some((Unit::Date(0, byte(first), byte(day)), end));
    }
    if (1..=31).contains(&first) {
        return english_date(text, at, first, end);
    }
    None
}

fn english_date(text: &Text<'_>, at: usize, day: u16, end: usize) -> Option<(Unit, usize)> {
    let end = if ["st", "nd", "rd", "th"].iter().any(|suffix| text.has_word(end, suffix)) { end + 2 } else { end };
    if let Some(month) = month_before(text, at) {
        let (year, end) = year_after(text, end);
        return Some((Unit::Date(year, month, byte(day)), end));
    }
    let place = text.skip_spaces(end);
    let place = if text.has_word(place, "of") { text.skip_spaces(place + 2) } else { place };
    let (month, end) = month_at(text, place)?;
    let (year, end) = year_after(text, end);
    Some((Unit::Date(year, month, byte(day)), end))
}

/// The year behind a date, 0 when there is none.
fn year_after(text: &Text<'_>, end: usize) -> (u16, usize) {
    let place = text.skip_spaces(if text.at(end) == ',' { end + 1 } else { end });
    small(text, place).filter(|(year, _)| place > end && (1_900..2_200).contains(year)).unwrap_or((0, end))
}

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

fn month_at(text: &Text<'_>, at: usize) -> Option<(u8, usize)> {
    (1_u8..).zip(MONTHS).find_map(|(number, name)| {
        let short: String = name.chars().take(3).collect();
        [name, short.as_str()].into_iter().find(|word| text.has_word(at, word)).map(|word| (number, at + word.len()))
    })
}

fn month_before(text: &Text<'_>, at: usize) -> Option<u8> {
    let space = (text.before(at) == ' ').then(|| at - 1)?;
    (1_u8..).zip(MONTHS).find_map(|(number, name)| {
        let short: String = name.chars().take(3).collect();
        (text.ends(space, name) || text.ends(space, &short) && !text.kind(space.wrapping_sub(4)).is_word())
            .then_some(number)
    })
}

fn small(text: &Text<'_>, at: usize) -> Option<(u16, usize)> {
    let mut end = at;
    let mut value = 0_u16;
    while text.at(end).is_ascii_digit() && end - at < 4 {
        value = value * 10 + u16::try_from(text.at(end).to_digit(10)?).ok()?;
        end += 1;
    }
    (end > at && !text.at(end).is_ascii_digit()).then_some((value, end))
}

fn byte(value: u16) -> u8 {
    u8::try_from(value).unwrap_or(0)
}
