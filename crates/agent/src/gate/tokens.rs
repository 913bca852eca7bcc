//! Words and Han characters as hashes, so that names are compared whatever their case, width, spacing and punctuation.

use crate::lang::is_han;

/// A word or one Han character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) hash: u64,
    pub(super) han: bool,
    /// The word begins with a capital letter.
    pub(super) capital: bool,
    /// The word consists of figures.
    pub(super) figures: bool,
    /// A sentence or line ends between this token and the one before.
    pub(super) fresh: bool,
    /// Something other than a space stands between this token and the one before.
    pub(super) apart: bool,
}

/// The tokens of a text. Plural `s` and possessive `'s` are dropped.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut out = Vec::with_capacity(text.len() / 4);
    let mut fresh = true;
    let mut apart = false;
    let mut chars = text.char_indices().peekable();
    while let Some((start, c)) = chars.next() {
        if is_han(c) {
            let hash = hash_of([c]);
            out.push(Token {
                start,
                end: start + c.len_utf8(),
                hash,
                han: true,
                capital: false,
                figures: false,
                fresh,
                apart,
            });
            (fresh, apart) = (false, false);
        } else if c.is_alphanumeric() {
            let mut end = start + c.len_utf8();
            while let Some((at, next)) = chars.next_if(|(_, next)| next.is_alphanumeric() && !is_han(*next)) {
                end = at + next.len_utf8();
            }
            let word = text.get(start..end).unwrap_or_default();
            if word == "s" && text.get(..start).is_some_and(|before| before.ends_with(['\'', '’'])) {
                continue;
            }
            let hash = hash_of(stem(word).chars());
            let figures = word.bytes().all(|b| b.is_ascii_digit());
            out.push(Token { start, end, hash, han: false, capital: c.is_uppercase(), figures, fresh, apart });
            (fresh, apart) = (false, false);
        } else {
            fresh |= matches!(c, '\n' | '。' | '！' | '？' | '!' | '?' | ';' | '；' | '|')
                || (c == '.' && chars.peek().is_none_or(|(_, next)| next.is_whitespace()));
            apart |= !matches!(c, ' ' | '\'' | '’' | '-' | '*' | '&');
        }
    }
    out
}

fn stem(word: &str) -> &str {
    let cut = |n: usize| word.get(..word.len() - n).unwrap_or(word);
    if word.len() > 4 && ["sses", "shes", "ches", "xes", "SSES"].iter().any(|end| word.ends_with(end)) {
        cut(2)
    } else if word.len() > 3 && word.ends_with(['s', 'S']) && !word.ends_with("ss") {
        cut(1)
    } else {
        word
    }
}

/// FNV-1a over lower-case characters.
fn hash_of(chars: impl IntoIterator<Item = char>) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for c in chars.into_iter().flat_map(char::to_lowercase) {
        hash = mix(hash, u64::from(u32::from(c)));
    }
    hash
}

pub(super) fn mix(hash: u64, value: u64) -> u64 {
    (hash ^ value).wrapping_mul(0x0100_0000_01b3).rotate_left(5)
}

pub(super) fn hash_word(word: &str) -> u64 {
    hash_of(stem(word).chars())
}

/// How much a token says: a word as much as two Han characters.
pub(super) fn weight(token: &Token) -> usize {
    if token.han { 1 } else { 2 }
}

/// The hash of neighbouring tokens.
pub(super) fn joined(tokens: &[Token]) -> u64 {
    tokens.iter().fold(0x9e37_79b9_7f4a_7c15, |hash, token| mix(hash, token.hash))
}

/// What stands for the tokens in a vocabulary: each word, and each pair of neighbouring Han characters.
pub(super) fn features(tokens: &[Token]) -> Vec<u64> {
    let words = tokens.iter().filter(|token| !token.han).map(|token| token.hash);
    let pairs = tokens
        .windows(2)
        .filter(|pair| pair.iter().all(|t| t.han) && pair.last().is_some_and(|t| !t.fresh && !t.apart))
        .map(joined);
    words.chain(pairs).collect()
}

/// A text for comparison as a whole: lower case, without spaces, punctuation and markup.
pub(super) fn squeezed(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
