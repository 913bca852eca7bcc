//! Words: jieba for Chinese, letters and digits for the rest, both in one text.

use std::sync::Arc;

use jieba_rs::Jieba;
use pinyin::ToPinyin;

use super::{fold, is_code, is_han, is_stop_word, stem};

/// One word of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// The term: folded and stemmed.
    pub term: String,
    /// The folded word as written.
    pub surface: String,
    /// Its place among the words of the text; sub-words share the place of the word they are part of.
    pub place: usize,
    /// Whether it looks like a model number.
    pub code: bool,
    /// Whether a clause ends before it (punctuation).
    pub after_break: bool,
}

impl Word {
    /// Whether the word is Chinese.
    #[must_use]
    pub fn is_han(&self) -> bool {
        self.surface.chars().next().is_some_and(is_han)
    }
}

/// Cuts text into words, with a dictionary that knows the catalogue's own names.
#[derive(Debug, Clone)]
pub struct Segmenter {
    jieba: Arc<Jieba>,
}

impl Segmenter {
    /// A segmenter with jieba's dictionary and these Chinese words. Loading it takes a good part of a second: keep it.
    #[must_use]
    pub fn new<'a>(words: impl IntoIterator<Item = &'a str>) -> Self {
        Self { jieba: Arc::new(Jieba::new()) }.extended(words)
    }

    /// The same segmenter, knowing these Chinese words too (brands, categories). Words of one character or longer than eight are left out.
    #[must_use]
    pub fn extended<'a>(self, words: impl IntoIterator<Item = &'a str>) -> Self {
        let mut fresh: Vec<String> = words
            .into_iter()
            .map(fold)
            .filter(|word| (2..=8).contains(&word.chars().count()) && word.chars().all(is_han))
            .filter(|word| !self.jieba.has_word(word))
            .collect();
        fresh.sort_unstable();
        fresh.dedup();
        if fresh.is_empty() {
            return self;
        }
        let mut jieba = Arc::unwrap_or_clone(self.jieba);
        for word in &fresh {
            jieba.add_word(word, None, None);
        }
        Self { jieba: Arc::new(jieba) }
    }

    /// The words of a product text: Chinese words and the words inside them, each word once a place.
    #[must_use]
    pub fn index_words(&self, text: &str) -> Vec<Word> {
        self.words(&fold(text), true)
    }

    /// The words of a query: Chinese cut plainly, stop words kept (the caller decides).
    #[must_use]
    pub fn query_words(&self, text: &str) -> Vec<Word> {
        self.words(&fold(text), false)
    }

    /// The terms of a text without stop words.
    #[must_use]
    pub fn terms(&self, text: &str) -> Vec<String> {
        let words = self.query_words(text);
        words.into_iter().filter(|word| !is_stop_word(&word.surface)).map(|word| word.term).collect()
    }

    fn words(&self, folded: &str, with_inner: bool) -> Vec<Word> {
        let mut words = Vec::with_capacity(folded.len() / 5 + 1);
        let mut place = 0;
        let mut after_break = false;
        for run in runs(folded) {
            match run {
                Run::Break => after_break = true,
                Run::Han(text) => {
                    for token in self.jieba.cut(text, true) {
                        if with_inner && token.word.chars().nth(2).is_some() {
                            for inner in self.jieba.cut_for_search(token.word, false) {
                                if inner.word != token.word {
                                    words.push(word(inner.word, place, after_break));
                                }
                            }
                        }
                        words.push(word(token.word, place, after_break));
                        place += 1;
                        after_break = false;
                    }
                }
                Run::Other(text) => {
                    push_latin(text, place, after_break, &mut words);
                    place += 1;
                    after_break = false;
                }
            }
        }
        words
    }
}

fn word(surface: &str, place: usize, after_break: bool) -> Word {
    Word { term: surface.to_owned(), surface: surface.to_owned(), place, code: false, after_break }
}

/// A run of letters and digits with inner punctuation: a code stays whole (its parts go into their own field), other words are split.
fn push_latin(text: &str, place: usize, after_break: bool, words: &mut Vec<Word>) {
    let text = text.trim_matches(|c: char| !c.is_alphanumeric() && c != '+');
    let text = text.strip_suffix("'s").unwrap_or(text);
    let mut first = after_break;
    if is_code(text) && text.contains(|c: char| !c.is_alphanumeric() && c != '.') {
        let whole: String = text.chars().filter(|c| c.is_alphanumeric()).collect();
        words.push(Word { term: whole.clone(), surface: whole, place, code: true, after_break });
        first = false;
    }
    let decimal = text.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let pieces = text.split(|c: char| !c.is_alphanumeric() && c != '+' && c != '\'' && !(decimal && c == '.'));
    for piece in pieces.filter(|piece| !piece.is_empty()) {
        let plain = piece.replace('\'', "");
        words.push(Word { term: stem(&plain), code: is_code(&plain), surface: plain, place, after_break: first });
        first = false;
    }
}

enum Run<'a> {
    Han(&'a str),
    Other(&'a str),
    Break,
}

#[derive(PartialEq, Clone, Copy)]
enum Kind {
    Han,
    Other,
    Joint,
    Break,
    Blank,
}

fn kind(c: char) -> Kind {
    match c {
        _ if is_han(c) => Kind::Han,
        _ if c.is_alphanumeric() => Kind::Other,
        '-' | '.' | '/' | '_' | '\'' | '+' => Kind::Joint,
        ',' | ';' | ':' | '(' | ')' | '[' | ']' | '|' | '!' | '?' | '、' | '。' | '《' | '》' | '【' | '】' | '"' => {
            Kind::Break
        }
        _ => Kind::Blank,
    }
}

/// Runs of Han characters, runs of other letters and digits (with inner `- . / _ ' +`), and clause breaks.
fn runs(text: &str) -> Vec<Run<'_>> {
    let mut out = Vec::new();
    let mut open: Option<(Kind, usize)> = None;
    for (at, c) in text.char_indices() {
        match (kind(c), open) {
            (Kind::Han, Some((Kind::Han, _))) | (Kind::Other | Kind::Joint, Some((Kind::Other, _))) => {}
            (fresh @ (Kind::Han | Kind::Other), _) => {
                close(text, &mut open, at, &mut out);
                open = Some((fresh, at));
            }
            (Kind::Break, _) => {
                close(text, &mut open, at, &mut out);
                out.push(Run::Break);
            }
            (Kind::Joint | Kind::Blank, _) => close(text, &mut open, at, &mut out),
        }
    }
    close(text, &mut open, text.len(), &mut out);
    out
}

fn close<'a>(text: &'a str, open: &mut Option<(Kind, usize)>, end: usize, out: &mut Vec<Run<'a>>) {
    if let Some((kind, start)) = open.take()
        && let Some(run) = text.get(start..end)
    {
        out.push(if kind == Kind::Han { Run::Han(run) } else { Run::Other(run) });
    }
}

/// Single Han characters and pairs of neighbours of a text: what finds a part of a word that the dictionary did not cut.
#[must_use]
pub fn grams(text: &str) -> Vec<String> {
    let mut grams = Vec::new();
    let mut previous: Option<char> = None;
    for c in fold(text).chars() {
        if is_han(c) {
            grams.push(c.to_string());
            grams.extend(previous.map(|p| format!("{p}{c}")));
        }
        previous = is_han(c).then_some(c);
    }
    grams
}

/// The pinyin of Chinese words, joined (`lianyiqun`) and as initials (`lyq`); words of one character give only their syllable.
#[must_use]
pub fn pinyin_terms(word: &str) -> Vec<String> {
    let syllables: Vec<&str> = word.to_pinyin().flatten().map(pinyin::Pinyin::plain).collect();
    if syllables.len() != word.chars().count() || syllables.is_empty() {
        return Vec::new();
    }
    let joined = syllables.concat().replace('ü', "v");
    let initials: String = syllables.iter().filter_map(|syllable| syllable.chars().next()).collect();
    if syllables.len() > 2 { vec![joined, initials] } else { vec![joined] }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(text: &str) -> Vec<String> {
        Segmenter::new([]).query_words(text).into_iter().map(|word| word.term).collect()
    }

    #[test]
    fn a_mixed_text_is_cut_by_both_rules() {
        assert_eq!(terms("Nike红色连衣裙 size M"), ["nike", "红色", "连衣裙", "size", "m"]);
        assert_eq!(terms("women's T-shirts"), ["woman", "t", "shirt"]);
        assert_eq!(terms("43.2 cm (17\")"), ["43.2", "cm", "17"]);
        assert_eq!(terms("HP dv7-1211ea"), ["hp", "dv71211ea", "dv7", "1211ea"]);
    }

    #[test]
    fn index_words_hold_the_words_inside_long_words() {
        let words = Segmenter::new([]).index_words("待处理的水芹菜");
        let inner: Vec<&str> = words.iter().map(|word| word.term.as_str()).collect();
        assert!(inner.contains(&"处理") || grams("待处理").contains(&"处理".to_owned()));
        assert!(grams("水芹菜").contains(&"芹菜".to_owned()));
    }

    #[test]
    fn the_catalogues_own_names_are_words() {
        let own = Segmenter::new([]).extended(["完美日记", "Nike"]);
        let words = own.query_words("完美日记口红");
        assert_eq!(words.first().map(|word| word.term.as_str()), Some("完美日记"));
    }

    #[test]
    fn pinyin_is_known_whole_and_by_initials() {
        assert_eq!(pinyin_terms("连衣裙"), ["lianyiqun", "lyq"]);
        assert!(pinyin_terms("abc").is_empty());
    }
}
