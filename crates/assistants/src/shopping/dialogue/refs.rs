//! References to what was shown: "the second one", 第二个, #3, "1 and 3", "the red one", "it", 这个.

use mercer_search::{Field, value_label};
use mercer_shop::{Lang, Money, ProductId};
use serde::{Deserialize, Serialize};

use super::{Heard, lexicon};

/// A product as it was shown in an answer; its place in the list is its position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shown {
    /// The product.
    pub id: ProductId,
    /// The name on the card.
    pub name: String,
    /// The maker.
    #[serde(default)]
    pub brand: Option<String>,
    /// Colours by the catalogue's names.
    #[serde(default)]
    pub colours: Vec<String>,
    /// The lowest price.
    #[serde(default)]
    pub price: Option<Money>,
}

/// Which shown products a message names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Named {
    /// Zero-based positions, in the order they were said.
    pub positions: Vec<usize>,
    /// Positions (counted from one) that were said and that nothing was shown at.
    pub missing: Vec<usize>,
    /// Whether the message says "it", "this", 这个.
    pub pronoun: bool,
}

/// Finds references. `loose` also takes bare numbers, as in "compare 1 and 3" or a message that is only "2".
#[must_use]
pub(super) fn find(heard: &Heard, shown: &[Shown], loose: bool) -> Named {
    let mut said = ordinals(heard);
    if loose || heard.words().all(|w| number(w).is_some()) {
        for n in heard.words().flat_map(bare_numbers) {
            if !said.contains(&Place::Nth(n)) {
                said.push(Place::Nth(n));
            }
        }
    }
    let mut named = Named { pronoun: heard.says_any(lexicon::PRONOUN), ..Named::default() };
    for place in said {
        let at = match place {
            Place::Nth(n) => n,
            Place::Last => shown.len(),
        };
        match at.checked_sub(1).filter(|i| *i < shown.len()) {
            Some(i) if !named.positions.contains(&i) => named.positions.push(i),
            Some(_) => {}
            None => named.missing.push(at),
        }
    }
    if named.positions.is_empty() && named.missing.is_empty() {
        named.positions.extend(by_name(heard, shown));
    }
    named
}

/// "the red one" among the shown: the products of that colour, when there is exactly one.
#[must_use]
pub(super) fn by_colour(colours: &[String], shown: &[Shown]) -> Option<usize> {
    let mut found = shown
        .iter()
        .enumerate()
        .filter(|(_, s)| s.colours.iter().any(|c| colours.iter().any(|asked| same_colour(asked, c))));
    match (found.next(), found.next()) {
        (Some((at, _)), None) => Some(at),
        _ => None,
    }
}

/// Whether a colour of the feed (`Navy Blue`, 藏蓝色) is the one asked for (`blue`).
#[must_use]
pub(crate) fn same_colour(asked: &str, listed: &str) -> bool {
    let listed = listed.to_lowercase();
    let label = |lang| value_label(&Field::Colour, asked, lang);
    [asked.to_owned(), label(Lang::En), label(Lang::Zh)].iter().any(|name| {
        let name = name.to_lowercase();
        let stem = name.strip_suffix('色').filter(|s| !s.is_empty()).unwrap_or(&name);
        listed.contains(stem)
    })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Nth(usize),
    Last,
}

const ORDINALS: &[(&str, usize)] = &[
    ("first", 1),
    ("1st", 1),
    ("second", 2),
    ("2nd", 2),
    ("third", 3),
    ("3rd", 3),
    ("fourth", 4),
    ("4th", 4),
    ("fifth", 5),
    ("5th", 5),
    ("sixth", 6),
    ("6th", 6),
    ("seventh", 7),
    ("7th", 7),
    ("eighth", 8),
    ("8th", 8),
    ("ninth", 9),
    ("9th", 9),
    ("tenth", 10),
    ("10th", 10),
    ("eleventh", 11),
    ("11th", 11),
    ("twelfth", 12),
    ("12th", 12),
];

/// Words after which an English ordinal is no position in a list.
const NOT_A_PLACE: &[&str] = &["hand", "aid", "class", "birthday", "time", "floor", "grade", "edition", "generation"];

fn ordinals(heard: &Heard) -> Vec<Place> {
    let words: Vec<&str> = heard.words().collect();
    let mut places = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let next = words.get(at + 1).copied().unwrap_or_default();
        if let Some((_, n)) = ORDINALS.iter().find(|(name, _)| name == word)
            && !NOT_A_PLACE.contains(&next)
        {
            places.push(Place::Nth(*n));
        }
        if *word == "last" && (next == "one" || next.is_empty() || at > 0 && words.get(at - 1) == Some(&"the")) {
            places.push(Place::Last);
        }
        if matches!(*word, "number" | "no" | "option" | "item")
            && let Some(n) = number(next)
        {
            places.push(Place::Nth(n));
        }
        if let Some(n) = word.strip_prefix('#').and_then(number) {
            places.push(Place::Nth(n));
        }
    }
    places.extend(chinese_ordinals(heard.dense()));
    places
}

/// 第二个, 第3, 2号, 最后一个; after one 第, further numbers joined by 和/跟/与/、 count too (第一和第三, 第1和3个).
fn chinese_ordinals(dense: &str) -> Vec<Place> {
    let mut places = Vec::new();
    let chars: Vec<char> = dense.chars().collect();
    let mut at = 0;
    while let Some(&c) = chars.get(at) {
        let (n, length) = leading_number(chars.get(at + 1..).unwrap_or_default());
        let after = chars.get(at + 1 + length).copied();
        let begins = c == '第' && !matches!(after, Some('次' | '季' | '代'));
        let goes_on = matches!(c, '和' | '跟' | '与' | '、') && !places.is_empty();
        if n > 0 && (begins || goes_on) {
            places.push(Place::Nth(n));
            at += length;
        }
        at += 1;
    }
    if dense.contains("最后一") || dense.contains("最后那") {
        places.push(Place::Last);
    }
    places
}

fn leading_number(chars: &[char]) -> (usize, usize) {
    let digits: String = chars.iter().take_while(|c| c.is_ascii_digit()).collect();
    if !digits.is_empty() {
        return (digits.parse().unwrap_or(0), digits.len());
    }
    let run: Vec<char> = chars.iter().copied().take_while(|c| chinese_digit(*c).is_some()).collect();
    let n = match run.as_slice() {
        [c] => chinese_digit(*c).unwrap_or(0),
        ['十', c] => 10 + chinese_digit(*c).unwrap_or(0),
        _ => 0,
    };
    (n, if n > 0 { run.len() } else { 0 })
}

fn chinese_digit(c: char) -> Option<usize> {
    Some(match c {
        '一' => 1,
        '二' | '两' => 2,
        '三' => 3,
        '四' => 4,
        '五' => 5,
        '六' => 6,
        '七' => 7,
        '八' => 8,
        '九' => 9,
        '十' => 10,
        _ => return None,
    })
}

/// The small numbers of a word such as `3`, `1和3`, `二`.
fn bare_numbers(word: &str) -> Vec<usize> {
    if let Some(n) = number(word) {
        return vec![n];
    }
    let mut numbers = Vec::new();
    let chars: Vec<char> = word.chars().collect();
    let mut at = 0;
    while at < chars.len() {
        let (n, length) = leading_number(chars.get(at..).unwrap_or_default());
        let before = at.checked_sub(1).and_then(|i| chars.get(i)).copied();
        let after = chars.get(at + length).copied();
        let unit = matches!(after, Some('元' | '块' | '点' | '些' | '下' | '样' | '比'));
        if n > 0 && !unit && before != Some('第') && before != Some('哪') && before != Some('比') {
            numbers.push(n);
        }
        at += length.max(1);
    }
    numbers
}

/// A small count written as a word by itself.
fn number(word: &str) -> Option<usize> {
    const WORDS: [&str; 10] = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    match word.parse::<usize>() {
        Ok(n @ 1..=99) => Some(n),
        Ok(_) => None,
        Err(_) => WORDS.iter().skip(1).position(|w| *w == word).map(|at| at + 2),
    }
}

/// The shown product whose maker or name is said, when it is exactly one.
fn by_name(heard: &Heard, shown: &[Shown]) -> Option<usize> {
    let said = |text: &str| {
        let text = Heard::new(text);
        let spaced = text.spaced();
        spaced.chars().count() > 2 && heard.says(spaced)
            || spaced.chars().count() > 1 && !spaced.is_ascii() && heard.says(text.dense())
    };
    let mut full = shown.iter().enumerate().filter(|(_, s)| said(&s.name));
    if let (Some((at, _)), None) = (full.next(), full.next()) {
        return Some(at);
    }
    let pointed = heard.says("one") || heard.says("那") || heard.says("这");
    let mut maker = shown.iter().enumerate().filter(|(_, s)| pointed && s.brand.as_deref().is_some_and(said));
    match (maker.next(), maker.next()) {
        (Some((at, _)), None) => Some(at),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(n: usize) -> Vec<Shown> {
        (1..=n)
            .map(|i| Shown {
                id: ProductId::new(format!("p{i}")).unwrap(),
                name: format!("Article {i}"),
                brand: (i == 2).then(|| "Puma".to_owned()),
                colours: vec![if i == 3 { "Red".into() } else { "Blue".into() }],
                price: None,
            })
            .collect()
    }

    fn positions(text: &str, loose: bool) -> (Vec<usize>, Vec<usize>) {
        let named = find(&Heard::new(text), &shown(5), loose);
        (named.positions, named.missing)
    }

    #[test]
    fn places_are_found_in_both_languages_and_those_that_do_not_exist_are_told() {
        for (text, at) in [
            ("the second one", vec![1]),
            ("tell me about #3", vec![2]),
            ("what colours does number 4 have?", vec![3]),
            ("the last one", vec![4]),
            ("第二个", vec![1]),
            ("第3件有货吗", vec![2]),
            ("第一和第三比较一下", vec![0, 2]),
            ("最后一个", vec![4]),
            ("2", vec![1]),
            ("the Puma one", vec![1]),
            ("a second hand bag", vec![]),
        ] {
            assert_eq!(positions(text, false).0, at, "{text}");
        }
        assert_eq!(positions("the ninth", false), (vec![], vec![9]));
        assert_eq!(positions("compare 1 and 3", true).0, [0, 2]);
        assert_eq!(positions("比较1和3", true).0, [0, 2]);
        assert_eq!(positions("比较一下第二个和第四个", true).0, [1, 3]);
        assert_eq!(by_colour(&["red".into()], &shown(5)), Some(2));
        assert_eq!(by_colour(&["blue".into()], &shown(5)), None);
    }
}
