//! A text as characters with their byte places; full-width figures and signs read as their ASCII forms.

use std::ops::Range;

use super::scan::Kind;

#[derive(Debug)]
pub(super) struct Text<'a> {
    source: &'a str,
    chars: Vec<(usize, char)>,
}

impl<'a> Text<'a> {
    pub(super) fn new(source: &'a str) -> Self {
        Self { source, chars: source.char_indices().map(|(at, c)| (at, folded(c))).collect() }
    }

    pub(super) fn source(&self) -> &'a str {
        self.source
    }

    pub(super) fn len(&self) -> usize {
        self.chars.len()
    }

    /// The character at a place; NUL beyond the end.
    pub(super) fn at(&self, at: usize) -> char {
        self.chars.get(at).map_or('\0', |(_, c)| *c)
    }

    /// The character before a place; NUL before the start.
    pub(super) fn before(&self, at: usize) -> char {
        at.checked_sub(1).map_or('\0', |at| self.at(at))
    }

    pub(super) fn kind(&self, at: usize) -> Kind {
        match self.at(at) {
            c if c.is_ascii_digit() => Kind::Digit,
            c if is_numeral(c) => Kind::Numeral,
            c if c.is_alphabetic() && !crate::lang::is_han(c) => Kind::Letter,
            _ => Kind::Other,
        }
    }

    /// The bytes of a range of places.
    pub(super) fn bytes(&self, range: Range<usize>) -> Range<usize> {
        let byte = |at: usize| self.chars.get(at).map_or(self.source.len(), |(byte, _)| *byte);
        byte(range.start)..byte(range.end)
    }

    pub(super) fn skip_spaces(&self, mut at: usize) -> usize {
        while matches!(self.at(at), ' ' | '\u{a0}' | '\u{202f}') {
            at += 1;
        }
        at
    }

    /// The end of the word (letters, figures, inner `-` and `_`) that contains a place.
    pub(super) fn skip_word(&self, mut at: usize) -> usize {
        while self.kind(at).is_word() || (matches!(self.at(at), '-' | '_') && self.kind(at + 1).is_word()) {
            at += 1;
        }
        at
    }

    /// Whether the text goes on like this (ASCII letters in any case) from a place.
    pub(super) fn has(&self, at: usize, word: &str) -> bool {
        word.chars().enumerate().all(|(i, c)| self.at(at + i).eq_ignore_ascii_case(&c))
    }

    /// As [`Text::has`], and no letter follows.
    pub(super) fn has_word(&self, at: usize, word: &str) -> bool {
        self.has(at, word) && !self.kind(at + word.chars().count()).is_word()
    }

    /// Whether the text before a place ends like this.
    pub(super) fn ends(&self, at: usize, word: &str) -> bool {
        let length = word.chars().count();
        at >= length && self.has(at - length, word)
    }

    /// A number in figures from a place: its digits without separators, and where it ends.
    pub(super) fn number(&self, at: usize) -> (String, usize) {
        let mut digits = String::new();
        let mut end = at;
        while self.at(end).is_ascii_digit() {
            digits.push(self.at(end));
            end += 1;
        }
        if digits.len() <= 3 {
            while self.at(end) == ','
                && (1..=3).all(|i| self.at(end + i).is_ascii_digit())
                && !self.at(end + 4).is_ascii_digit()
            {
                digits.extend((1..=3).map(|i| self.at(end + i)));
                end += 4;
            }
        }
        if self.at(end) == '.' && self.at(end + 1).is_ascii_digit() {
            digits.push('.');
            end += 1;
            while self.at(end).is_ascii_digit() {
                digits.push(self.at(end));
                end += 1;
            }
        }
        (digits, end)
    }
}

fn is_numeral(c: char) -> bool {
    matches!(
        c,
        '零' | '〇'
            | '一'
            | '二'
            | '两'
            | '兩'
            | '三'
            | '四'
            | '五'
            | '六'
            | '七'
            | '八'
            | '九'
            | '十'
            | '百'
            | '千'
            | '万'
            | '亿'
            | '半'
    )
}

fn folded(c: char) -> char {
    match c {
        '０'..='９' | 'Ａ'..='Ｚ' | 'ａ'..='ｚ' | '％' | '．' | '＄' | '－' | '／' => {
            char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c)
        }
        '￥' => '¥',
        '￡' => '£',
        _ => c,
    }
}
