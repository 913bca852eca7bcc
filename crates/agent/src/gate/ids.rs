//! Ids, addresses and quotations of an answer.

use std::ops::Range;

use super::{
    Citation, Claim, Kind,
    tokens::{features, squeezed, tokens},
    view::View,
};

/// Adds the claims that are ids, web addresses and quotations.
pub(super) fn claims(view: &View<'_>, claims: &mut Vec<Claim>) {
    addresses(view, claims);
    codes(view, claims);
    quotes(view, claims);
}

fn inside(view: &View<'_>, span: &Range<usize>) -> bool {
    view.mentions.iter().any(|m| m.span.start <= span.start && span.end <= m.span.end)
}

fn addresses(view: &View<'_>, claims: &mut Vec<Claim>) {
    for mark in ["http://", "https://", "www."] {
        for (start, _) in view.lower.match_indices(mark) {
            if mark == "www." && view.lower.get(..start).is_some_and(|before| before.ends_with("//")) {
                continue;
            }
            let rest = view.answer.get(start..).unwrap_or_default();
            let length = rest
                .find(|c: char| c.is_whitespace() || !c.is_ascii() || matches!(c, ')' | ']' | '"' | '>' | '|'))
                .unwrap_or(rest.len());
            let text = rest.get(..length).unwrap_or_default().trim_end_matches(['.', ',', '!', '?']);
            let span = start..start + text.len();
            let support = source(view, &squeezed(text));
            claims.push(view.claim(span, Kind::Id, support));
        }
    }
}

fn source(view: &View<'_>, squeezed: &str) -> Option<Citation> {
    match view.known.text_with(squeezed)? {
        Ok(place) => Some(
            view.known.address(place).map_or(Citation::Derived { from: Vec::new() }, |at| Citation::Evidence { at }),
        ),
        Err(_) => Some(Citation::Said),
    }
}

/// Words of letters and figures together, such as order and model numbers.
fn codes(view: &View<'_>, claims: &mut Vec<Claim>) {
    let is_code = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let mut start = 0;
    while start < view.answer.len() {
        let rest = view.answer.get(start..).unwrap_or_default();
        let Some(lead) = rest.find(|c: char| c.is_ascii_alphanumeric()) else { break };
        let from = start + lead;
        let word = view.answer.get(from..).unwrap_or_default();
        let length = word.find(|c| !is_code(c)).unwrap_or(word.len());
        let word = word.get(..length).unwrap_or_default().trim_end_matches(['-', '_']);
        let span = from..from + word.len();
        start = from + length.max(1);
        let letters = word.bytes().filter(u8::is_ascii_alphabetic).count();
        let figures = word.bytes().filter(u8::is_ascii_digit).count();
        let in_address = view.answer.get(..from).is_some_and(|before| {
            before.rsplit(char::is_whitespace).next().is_some_and(|word| word.contains("//") || word.contains("www."))
        });
        let is_quantity = view.quantities.iter().any(|q| q.span.start < span.end && span.start < q.span.end);
        let grade = figures == 1 && letters >= 3 && word.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit());
        if letters == 0 && figures < 7
            || figures < 2 && !grade
            || word.len() < 4
            || is_quantity && (letters < 2 || !word.contains('-'))
            || in_address
            || inside(view, &span)
        {
            continue;
        }
        let plain_range = word
            .split('-')
            .all(|part| part.bytes().all(|b| b.is_ascii_digit()) || part.bytes().all(|b| b.is_ascii_lowercase()));
        if plain_range && word.split('-').next().is_some_and(|part| part.len() <= 3) {
            continue; // 30-day, 5-star
        }
        claims.push(view.claim(span, Kind::Id, source(view, &squeezed(word))));
    }
}

const PAIRS: &[(char, char)] = &[('“', '”'), ('「', '」'), ('『', '』'), ('"', '"'), ('《', '》')];
/// Words before a quotation that suggest what the customer could say or do.
const SUGGESTS: &[&str] = &[
    "say",
    "try",
    "search",
    "search for",
    "type",
    "tell me",
    "ask",
    "ask for",
    "such as",
    "like",
    "e.g.",
    "for example",
    "reply",
    "click",
    "press",
    "tap",
    "button",
    "说",
    "试试",
    "搜索",
    "搜",
    "输入",
    "回复",
    "比如",
    "例如",
    "点击",
    "告诉我",
    "选择",
    "关键词",
    "换成",
    "我说",
    "点",
];
/// What stands between such quotations in a row.
const IN_A_ROW: &[&str] = &["or", "、", "或", "或者", ",", "，", "和", "and"];

fn quotes(view: &View<'_>, claims: &mut Vec<Claim>) {
    for (open, close) in PAIRS {
        let mut from = 0;
        while let Some(start) = view.answer.get(from..).and_then(|rest| rest.find(*open)).map(|at| from + at) {
            let inner = start + open.len_utf8();
            let before = view.answer.get(..start).and_then(|s| s.chars().next_back());
            if *open == '"' && before.is_some_and(char::is_alphanumeric) {
                from = inner; // inches
                continue;
            }
            let Some(end) = view.answer.get(inner..).and_then(|rest| rest.find(*close)).map(|at| inner + at) else {
                break;
            };
            from = end + close.len_utf8();
            let text = view.answer.get(inner..end).unwrap_or_default();
            let span = inner..end;
            if text.contains('\n') || squeezed(text).chars().count() < 2 || inside(view, &span) {
                continue;
            }
            let support = quoted(view, text, &span);
            claims.push(view.claim(span, Kind::Quote, support));
        }
    }
}

fn quoted(view: &View<'_>, text: &str, span: &Range<usize>) -> Option<Citation> {
    let pieces = text.split(['…', '.']).filter(|piece| squeezed(piece).chars().count() > 1).collect::<Vec<_>>();
    let whole = source(view, &squeezed(text));
    if whole.is_some() {
        return whole;
    }
    let sources = pieces.iter().map(|piece| source(view, &squeezed(piece))).collect::<Option<Vec<_>>>();
    if text.contains('…') || text.contains("...") {
        return sources.and_then(|sources| sources.into_iter().next());
    }
    if suggested(view, span) && squeezed(text).chars().count() <= 24 {
        return Some(Citation::Answer);
    }
    let words = features(&tokens(text));
    let known = words.iter().filter(|feature| view.known.knows(**feature)).count();
    (words.len() >= 2 && known == words.len() && words.len() <= 6).then(|| Citation::Derived { from: Vec::new() })
}

/// Whether a quotation is what the customer could say or press.
fn suggested(view: &View<'_>, span: &Range<usize>) -> bool {
    let line = view.lower.get(..span.start).and_then(|head| head.lines().next_back()).unwrap_or_default();
    let marks = ['“', '「', '『', '"', '《', '”', '」', '』', '》', ' ', ':', '：'];
    let head = line.trim_end_matches(marks);
    let ends = |head: &str, words: &[&str]| words.iter().any(|word| head.ends_with(word));
    ends(head, SUGGESTS)
        || ends(head, IN_A_ROW)
            && line
                .match_indices(['“', '「', '『', '"', '《'])
                .any(|(at, _)| ends(line.get(..at).unwrap_or_default().trim_end_matches(marks), SUGGESTS))
}
