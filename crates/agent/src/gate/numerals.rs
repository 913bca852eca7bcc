//! Numbers written as Chinese numerals and English words. They are quantities only where a unit or noun follows, since
//! most such characters are parts of ordinary words.

use super::{
    chars::Text,
    decimal::Dec,
    scan::{Noun, Quantity, Step, Unit},
    units,
};

const ENGLISH: [(&str, i64); 32] = [
    ("two", 2),
    ("three", 3),
    ("four", 4),
    ("five", 5),
    ("six", 6),
    ("seven", 7),
    ("eight", 8),
    ("nine", 9),
    ("ten", 10),
    ("eleven", 11),
    ("twelve", 12),
    ("thirteen", 13),
    ("fourteen", 14),
    ("fifteen", 15),
    ("sixteen", 16),
    ("seventeen", 17),
    ("eighteen", 18),
    ("nineteen", 19),
    ("twenty", 20),
    ("thirty", 30),
    ("forty", 40),
    ("fifty", 50),
    ("sixty", 60),
    ("seventy", 70),
    ("eighty", 80),
    ("ninety", 90),
    ("hundred", 100),
    ("thousand", 1_000),
    ("dozen", 12),
    ("one", 1),
    ("zero", 0),
    ("half", -1),
];

/// A Chinese numeral from a place.
pub(super) fn chinese(text: &Text<'_>, at: usize) -> Option<Step> {
    let mut end = at;
    while matches!(text.kind(end), super::scan::Kind::Numeral) {
        end += 1;
    }
    let word = (at..end).map(|i| text.at(i)).collect::<String>();
    let skip = Some(Step::Skip(end));
    let before = text.before(at);
    if matches!(before, '第' | '星' | '期' | '周' | '礼' | '初' | '其' | '之' | '每') {
        if text.ends(at, "百分之")
            && let Some(value) = value(&word)
        {
            let quantity = Quantity {
                worded: true,
                ..super::scan::quantity(text, at - 3, end, Dec::int(value), Unit::Percent, half())
            };
            return Some(Step::Found(quantity, end));
        }
        return skip;
    }
    let Some(value) = value(&word) else { return skip };
    let (unit, start, unit_end, _) = units::around(text, at, end);
    let indefinite = value == 1 && !matches!(before, '有' | '仅' | '只' | '剩');
    let vague = matches!(text.at(end), '些' | '般' | '起' | '样' | '直' | '定' | '下' | '点' | '边') && value == 1;
    if unit == Unit::Plain || indefinite || vague || unit_end == end && start == at {
        return skip;
    }
    let quantity = super::scan::quantity(text, start, unit_end, Dec::int(value), unit, half());
    Some(Step::Found(Quantity { worded: true, ..quantity }, unit_end))
}

fn half() -> Dec {
    Dec::int(1).over(2).unwrap_or(Dec::ZERO)
}

/// The value of a Chinese numeral: 两百九十九, 一千二, 三万五千, 二〇二四.
pub(super) fn value(word: &str) -> Option<i64> {
    let digits = word.chars().map(digit).collect::<Option<Vec<_>>>();
    if let Some(digits) = digits.filter(|digits| !digits.is_empty()) {
        return digits.iter().try_fold(0_i64, |value, digit| value.checked_mul(10)?.checked_add(*digit));
    }
    let (mut total, mut section, mut current, mut last_unit) = (0_i64, 0_i64, 0_i64, 0_i64);
    for c in word.chars() {
        match (digit(c), unit(c)) {
            (Some(d), _) => current = d,
            (None, Some(unit @ 10_000..)) => {
                total = total.checked_add((section + current).max(1).checked_mul(unit)?)?;
                (section, current, last_unit) = (0, 0, unit);
            }
            (None, Some(unit)) => {
                section = section.checked_add(current.max(1).checked_mul(unit)?)?;
                (current, last_unit) = (0, unit);
            }
            (None, None) => return None,
        }
        if c == '零' || c == '〇' {
            last_unit = 0;
        }
    }
    // 一千二 is 1,200: a last digit without its unit takes the next lower one.
    if current > 0 && last_unit >= 100 {
        current *= last_unit / 10;
    }
    total.checked_add(section + current)
}

fn digit(c: char) -> Option<i64> {
    Some(match c {
        '零' | '〇' => 0,
        '一' => 1,
        '二' | '两' | '兩' => 2,
        '三' => 3,
        '四' => 4,
        '五' => 5,
        '六' => 6,
        '七' => 7,
        '八' => 8,
        '九' => 9,
        _ => return None,
    })
}

fn unit(c: char) -> Option<i64> {
    Some(match c {
        '十' => 10,
        '百' => 100,
        '千' => 1_000,
        '万' => 10_000,
        '亿' => 100_000_000,
        _ => return None,
    })
}

/// An English number word from a place.
pub(super) fn english(text: &Text<'_>, at: usize) -> Option<Step> {
    let (word, value) = ENGLISH.iter().find(|(word, _)| text.has_word(at, word))?;
    let length = word.chars().count();
    let end = at + length;
    if *value == -1 {
        let priced = [" price", " off", "-price"].iter().any(|rest| text.has(end, rest));
        let quantity = super::scan::quantity(text, at, end, Dec::int(50), Unit::Percent, Dec::ZERO);
        return priced.then_some(Step::Found(Quantity { worded: true, ..quantity }, end));
    }
    let only = ["only ", "just "].iter().any(|before| text.ends(at, before));
    if *value == 1 && !only {
        return Some(Step::Skip(end));
    }
    // twenty-five
    let (value, end) = match ENGLISH.iter().find(|(unit, n)| (1..10).contains(n) && text.has_word(end + 1, unit)) {
        Some((unit, n)) if (20..100).contains(value) && text.at(end) == '-' => {
            (value + n, end + 1 + unit.chars().count())
        }
        _ => (*value, end),
    };
    let (unit, _, unit_end, _) = units::around(text, at, end);
    let unit = if unit == Unit::Plain { Unit::Count(Noun::Other) } else { unit };
    let quantity = super::scan::quantity(text, at, unit_end.max(end), Dec::int(value), unit, half());
    Some(Step::Found(Quantity { worded: true, ..quantity }, unit_end.max(end)))
}
