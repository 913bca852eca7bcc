//! An answer as sentences.

use std::ops::Range;

/// A sentence or line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sentence {
    pub(super) span: Range<usize>,
    /// Asks or offers something.
    pub(super) asks: bool,
    /// Supposes something.
    pub(super) supposes: bool,
    /// Goes on about what the sentence before was about.
    pub(super) follows: bool,
    /// The line is numbered or bulleted; its text starts here.
    pub(super) item: Option<usize>,
}

impl Sentence {
    /// The sentence states no fact.
    pub(super) fn is_open(&self) -> bool {
        self.asks || self.supposes
    }
}

const ASKS: &[&str] = &[
    "would you like",
    "shall i",
    "do you want",
    "want me to",
    "would you prefer",
    "feel free",
    "要不要",
    "需要我",
    "是否",
    "吗",
    "您可以告诉我",
    "可以告诉我",
];
const SUPPOSES: &[&str] = &["let me know if", "if you", "should you", "如果", "若您", "如需"];
const FOLLOWS: &[&str] = &[
    "it ",
    "it'",
    "it’",
    "this ",
    "that one",
    "its ",
    "price",
    "- ",
    "* ",
    "• ",
    "这款",
    "这件",
    "这条",
    "这双",
    "它",
    "该",
    "售价",
    "价格",
    "现价",
    "原价",
    "此款",
    "目前",
    "颜色",
    "colou",
    "color",
    "stock",
    "库存",
    "now ",
    "was ",
    "only ",
    "仅",
    "the price",
    "this one",
    "rated",
    "评分",
];

/// The sentences of a text.
pub(super) fn sentences(text: &str) -> Vec<Sentence> {
    let mut out = Vec::new();
    let mut start = 0;
    let mut chars = text.char_indices().peekable();
    let mut before = '\0';
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map_or('\n', |(_, next)| *next);
        let ends = match c {
            '。' | '！' | '？' | '\n' | '!' | '?' | '；' => true,
            '.' => {
                (next.is_whitespace() || matches!(next, '*' | '"' | '”' | ')')) && !before.is_ascii_digit()
                    || (next.is_whitespace() && before.is_ascii_digit() && !is_marker(text, start, at))
            }
            ';' => next.is_whitespace(),
            _ => false,
        };
        if ends && !(matches!(next, '。' | '！' | '？' | '!' | '?' | '”' | '」' | '』' | '"' | ')' | '）')) {
            push(&mut out, text, start..at + c.len_utf8());
            start = at + c.len_utf8();
        }
        before = c;
    }
    push(&mut out, text, start..text.len());
    out
}

/// Whether a full stop at `dot` ends the number of a list item.
pub(super) fn is_marker(text: &str, start: usize, dot: usize) -> bool {
    text.get(start..dot).is_some_and(|before| {
        let before = before.trim();
        !before.is_empty() && before.len() <= 3 && before.bytes().all(|b| b.is_ascii_digit())
    })
}

fn push(out: &mut Vec<Sentence>, text: &str, span: Range<usize>) {
    let Some(raw) = text.get(span.clone()) else { return };
    let trimmed = raw.trim();
    if trimmed.is_empty() {
        return;
    }
    let lower = trimmed.to_ascii_lowercase();
    let asks = trimmed.ends_with(['?', '？']) || ASKS.iter().any(|phrase| lower.contains(phrase));
    let supposes = SUPPOSES.iter().any(|phrase| lower.contains(phrase));
    let indented = raw.starts_with("  ") || raw.starts_with('\t');
    let follows = indented || FOLLOWS.iter().any(|phrase| lower.starts_with(phrase));
    let item = item(raw).map(|at| span.start + at);
    out.push(Sentence { span, asks, supposes, follows, item });
}

/// Where the text of a list item starts.
fn item(raw: &str) -> Option<usize> {
    let lead = raw.len() - raw.trim_start().len();
    let line = raw.get(lead..)?;
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let after = line.get(digits..)?;
    let marker = if digits > 0 && digits <= 2 {
        digits + ["、", ". ", ") ", ".", "）", ")"].iter().find(|mark| after.starts_with(*mark))?.len()
    } else {
        ["- ", "* ", "• ", "·"].iter().find(|mark| line.starts_with(*mark))?.len()
    };
    if digits > 0 && line.get(marker..)?.starts_with(|c: char| c.is_ascii_digit()) {
        return None; // 4.5 is no marker
    }
    Some(lead + marker)
}
