//! A message as the rules hear it: folded, cut into words, and freed of the phrases that only carry the wish.
//!
//! Nothing here knows a catalogue. What is left in [`Heard::core`] is given to the catalogue's own understanding.

use super::lexicon;

/// A customer's message, ready for phrase matching.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heard {
    /// Folded text with single blanks and a blank at both ends.
    padded: String,
    /// Folded text without blanks, for Chinese phrases.
    dense: String,
    /// The wish without its carrying phrases, as the customer wrote it but folded.
    core: String,
}

impl Heard {
    /// Hears a message.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let folded: String = text.chars().map(fold).collect();
        let words: Vec<&str> = folded.split(|c: char| !is_word(c)).filter(|w| !w.is_empty()).collect();
        let padded = format!(" {} ", words.join(" "));
        let dense = words.concat();
        let core = by_deed(&strip(&bare(&strip(folded.trim()))));
        Self { padded, dense, core }
    }

    /// Whether a phrase occurs: whole words for Latin phrases, anywhere for Chinese ones.
    #[must_use]
    pub fn says(&self, phrase: &str) -> bool {
        if phrase.is_ascii() { self.padded.contains(&format!(" {phrase} ")) } else { self.dense.contains(phrase) }
    }

    /// Whether one of the phrases occurs.
    #[must_use]
    pub fn says_any(&self, phrases: &[&str]) -> bool {
        phrases.iter().any(|p| self.says(p))
    }

    /// Whether the whole message is one of the phrases, politeness aside.
    #[must_use]
    pub fn is_any(&self, phrases: &[&str]) -> bool {
        is_any(self.spaced(), phrases)
    }

    /// The words of the message, Chinese runs as one word.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.padded.split(' ').filter(|w| !w.is_empty())
    }

    /// The folded text without blanks.
    #[must_use]
    pub fn dense(&self) -> &str {
        &self.dense
    }

    /// The folded text, words separated by single blanks.
    #[must_use]
    pub fn spaced(&self) -> &str {
        self.padded.trim()
    }

    /// What is asked for once "show me", "换成" and the like are gone.
    #[must_use]
    pub fn core(&self) -> &str {
        &self.core
    }
}

fn is_any(text: &str, phrases: &[&str]) -> bool {
    let dense: String = text.split(' ').collect();
    phrases.iter().any(|p| if p.is_ascii() { text == *p } else { dense == *p })
        || lexicon::POLITE.iter().any(|polite| {
            let shorter = [cut_start(text, polite), cut_end(text, polite)];
            shorter.into_iter().flatten().any(|rest| !rest.is_empty() && is_any(rest, phrases))
        })
}

/// Folds case, width and the traditional characters that the phrases of the lexicon use.
fn fold(c: char) -> char {
    let narrow = match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        '\u{3000}' => ' ',
        '’' | '‘' => '\'',
        _ => c,
    };
    let simple = lexicon::TRADITIONAL.iter().find(|(from, _)| *from == narrow).map_or(narrow, |(_, to)| *to);
    simple.to_lowercase().next().unwrap_or(simple)
}

/// Characters that stay inside a word; `#` and currency signs matter for "#2" and "$50", the apostrophe for "i'm".
fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '\'' | '#' | '$' | '¥' | '€' | '£' | '%' | '.' | '-' | '+')
}

fn strip(text: &str) -> String {
    let mut rest = text.trim_matches(|c: char| !is_word(c) || matches!(c, '.' | '-')).to_owned();
    loop {
        let before = rest.len();
        for lead in lexicon::LEADS {
            if let Some(cut) = cut_start(&rest, lead) {
                rest = cut.to_owned();
            }
        }
        for tail in lexicon::TAILS {
            if let Some(cut) = cut_end(&rest, tail) {
                rest = cut.to_owned();
            }
        }
        rest = rest.trim_matches(|c: char| !is_word(c) || matches!(c, '.' | '-')).to_owned();
        if rest.len() == before {
            return rest;
        }
    }
}

/// The text with those who do something as what they do.
fn by_deed(text: &str) -> String {
    let deed = |word: &str| lexicon::DOERS.iter().find(|(doer, _)| *doer == word).map(|(_, deed)| *deed);
    if !text.split(' ').any(|word| deed(word.trim_matches(',')).is_some()) {
        return text.to_owned();
    }
    text.split(' ').map(|word| deed(word.trim_matches(',')).unwrap_or(word)).collect::<Vec<_>>().join(" ")
}

/// The text without superlatives and relative prices, which are a matter of order and not of what is wanted.
fn bare(text: &str) -> String {
    const ORDERS: [&[&str]; 9] = [
        lexicon::CHEAPEST,
        lexicon::DEAREST,
        lexicon::NEWEST,
        lexicon::POPULAR,
        lexicon::BEST_RATED,
        lexicon::OF_THESE,
        lexicon::EVERYTHING,
        lexicon::CHEAPER,
        lexicon::DEARER,
    ];
    let mut text = format!(" {text} ");
    for phrase in ORDERS.into_iter().flatten() {
        text = if phrase.is_ascii() { text.replace(&format!(" {phrase} "), " ") } else { text.replace(phrase, " ") };
    }
    text.trim().trim_start_matches('的').trim().to_owned()
}

fn cut_start<'a>(text: &'a str, phrase: &str) -> Option<&'a str> {
    let rest = text.strip_prefix(phrase)?;
    let whole = !phrase.is_ascii() || rest.is_empty() || rest.starts_with(|c: char| !is_word(c));
    whole.then(|| rest.trim_start_matches(|c: char| !is_word(c)))
}

fn cut_end<'a>(text: &'a str, phrase: &str) -> Option<&'a str> {
    let rest = text.strip_suffix(phrase)?;
    let whole = !phrase.is_ascii() || rest.is_empty() || rest.ends_with(|c: char| !is_word(c));
    whole.then(|| rest.trim_end_matches(|c: char| !is_word(c)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wish_is_freed_of_the_phrases_that_carry_it() {
        for (said, core) in [
            ("Show me red dresses, please!", "red dresses"),
            ("I'm looking for a winter coat", "winter coat"),
            ("make them formal", "formal"),
            ("换成长袖的", "长袖"),
            ("我想要一条红色的连衣裙", "红色的连衣裙"),
            ("有没有黑色的包？", "黑色的包"),
            ("不要黑色的", "不要黑色"),
            ("Do you have any bags?", "bags"),
            ("under 1000", "under 1000"),
            ("the cheapest dress", "dress"),
            ("A gift for a runner, under 300", "gift for a running under 300"),
            ("最便宜的包", "包"),
            ("most expensive thing you have", ""),
            ("麻煩給我看看外套", "外套"),
        ] {
            assert_eq!(Heard::new(said).core(), core, "{said}");
        }
    }

    #[test]
    fn latin_phrases_match_whole_words_and_chinese_ones_anywhere() {
        let heard = Heard::new("Any MORE dresses?  這個還有别的顏色嗎");
        assert!(heard.says("more") && heard.says("这个") && heard.says("别的颜色"));
        assert!(!heard.says("mor") && !heard.says("dress"));
        assert!(Heard::new("ok, thanks!").is_any(&["thanks"]));
        assert!(Heard::new("更多，谢谢").is_any(&["更多"]));
    }
}
