//! Folding: spellings that a customer does not tell apart become one.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

static SIMPLIFIED: LazyLock<FxHashMap<char, char>> = LazyLock::new(|| {
    include_str!("../../data/traditional.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .flat_map(str::split_whitespace)
        .filter_map(|pair| {
            let mut characters = pair.chars();
            characters.next().zip(characters.next())
        })
        .collect()
});

/// Whether a character is a Han ideograph.
#[must_use]
pub fn is_han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{2ffff}')
}

/// Lower case, half width, without accents, simplified Chinese; curly quotes and dashes become plain.
#[must_use]
pub fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let mut folded = String::with_capacity(text.len());
    let mut after_latin = false;
    for c in text.nfkd() {
        if is_combining_mark(c) && after_latin {
            continue;
        }
        after_latin = c.is_alphabetic() && !is_han(c);
        match c {
            '\u{2018}' | '\u{2019}' | '\u{2032}' | '`' => folded.push('\''),
            '\u{201c}' | '\u{201d}' | '\u{2033}' => folded.push('"'),
            '\u{2010}'..='\u{2015}' | '\u{2212}' => folded.push('-'),
            'ß' => folded.push_str("ss"),
            'ø' | 'Ø' => folded.push('o'),
            'æ' | 'Æ' => folded.push_str("ae"),
            'ł' | 'Ł' => folded.push('l'),
            _ if is_han(c) => folded.push(SIMPLIFIED.get(&c).copied().unwrap_or(c)),
            _ => folded.extend(c.to_lowercase()),
        }
    }
    folded
}

/// Folded, with runs of anything but letters and digits as one blank: the form in which values are compared.
#[must_use]
pub fn squash(text: &str) -> String {
    let mut squashed = String::with_capacity(text.len());
    for c in fold(text).chars() {
        if c.is_alphanumeric() || matches!(c, '.' | '+' | '%' | '&') {
            squashed.push(c);
        } else if c != '\'' && !squashed.is_empty() && !squashed.ends_with(' ') {
            squashed.push(' ');
        }
    }
    squashed.truncate(squashed.trim_end().len());
    squashed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn width_case_accents_and_traditional_characters_do_not_matter() {
        assert_eq!(fold("ＮＩＫＥ　Ａｉｒ"), "nike air");
        assert_eq!(fold("終極褲子"), "终极裤子");
        assert_eq!(fold("Café Crème"), "cafe creme");
        assert_eq!(squash("  T-Shirts & Tops / V’s "), "t shirts & tops vs");
    }
}
