//! Text as people wrote it, out of the cells of a feed: markup and entities resolved, invisible characters removed, lengths bounded.

use std::borrow::Cow;

/// The text up to `limit` bytes, cut at a character.
pub(crate) fn cut(text: &str, limit: usize) -> &str {
    let mut end = limit.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default()
}

/// Whether a character has no place in a product's texts: controls, bidi overrides, zero-width characters, tag characters and
/// supplementary variation selectors (which can hide text), byte order marks and non-characters.
fn invisible(c: char) -> bool {
    matches!(c,
        '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{ad}' | '\u{61c}' | '\u{180e}'
        | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffc}'
        | '\u{fffe}' | '\u{ffff}' | '\u{e0000}'..='\u{e007f}' | '\u{e0100}'..='\u{e01ef}')
}

/// The text without invisible characters, otherwise as it is.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    let text = text.trim();
    if text.chars().any(invisible) {
        Cow::Owned(text.chars().filter(|&c| !invisible(c)).collect())
    } else {
        Cow::Borrowed(text)
    }
}

/// One line of clean text: entities resolved, invisible characters gone, blanks collapsed and trimmed.
pub(crate) fn line(text: &str) -> Cow<'_, str> {
    let trimmed = text.trim();
    let plain = trimmed.bytes().all(|b| (b' '..0x7f).contains(&b) && b != b'&') && !trimmed.contains("  ");
    if plain {
        return Cow::Borrowed(trimmed);
    }
    let decoded = entities(trimmed);
    let mut out = String::with_capacity(decoded.len());
    let mut blank = false;
    for c in decoded.chars().filter(|&c| !invisible(c)) {
        if c.is_whitespace() {
            blank = true;
        } else {
            if blank && !out.is_empty() {
                out.push(' ');
            }
            blank = false;
            out.push(c);
        }
    }
    if out == trimmed { Cow::Borrowed(trimmed) } else { Cow::Owned(out) }
}

/// Bytes of a body that are looked at.
const BODY: usize = 400_000;

/// Several lines of clean text out of a body that may be HTML, escaped HTML or plain.
pub(crate) fn body(text: &str) -> String {
    let text = cut(text, BODY);
    let mut decoded = Cow::Borrowed(text);
    // HTML that was escaped once or twice on its way into the feed.
    for _ in 0..2 {
        if has_tags(&decoded) || !escaped_tag(&decoded) {
            break;
        }
        decoded = Cow::Owned(decode_once(&decoded).into_owned());
    }
    let plain = if has_tags(&decoded) { strip_tags(&decoded) } else { decoded.into_owned() };
    paragraphs(&entities(&plain))
}

fn escaped_tag(text: &str) -> bool {
    ["&lt;", "&#60;", "&#x3c;", "&#x3C;", "&amp;lt;"].iter().any(|tag| text.contains(tag))
}

/// Lines trimmed, blanks collapsed, at most one empty line between paragraphs.
fn paragraphs(text: &str) -> String {
    let text = if text.contains("\r\n") { Cow::Owned(text.replace("\r\n", "\n")) } else { Cow::Borrowed(text) };
    let mut out = String::with_capacity(text.len());
    let mut empty = 0;
    for raw in text.split(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}']) {
        let before = out.len();
        let newlines = if before == 0 { 0 } else { 1 + usize::from(empty > 0) };
        let mut blank = false;
        let mut begun = false;
        for c in raw.chars().filter(|&c| !invisible(c)) {
            if c.is_whitespace() {
                blank = begun;
                continue;
            }
            if !begun {
                (0..newlines).for_each(|_| out.push('\n'));
                begun = true;
            } else if blank {
                out.push(' ');
            }
            blank = false;
            out.push(c);
        }
        empty = if begun { 0 } else { empty + 1 };
    }
    out
}

/// Whether the text holds something that reads like an HTML tag.
fn has_tags(text: &str) -> bool {
    text.match_indices('<').any(|(at, _)| {
        let rest = text.get(at + 1..).unwrap_or_default();
        let name = rest.strip_prefix('/').unwrap_or(rest);
        rest.starts_with("!--")
            || (name.starts_with(|c: char| c.is_ascii_alphabetic()) && cut(rest, 4_000).contains('>'))
    })
}

const BLOCKS: [&str; 28] = [
    "p",
    "div",
    "ul",
    "ol",
    "table",
    "tr",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "section",
    "article",
    "header",
    "footer",
    "blockquote",
    "pre",
    "dl",
    "dt",
    "dd",
    "figure",
    "hr",
    "form",
    "tbody",
    "thead",
    "main",
    "aside",
];

/// Removes tags: blocks become paragraphs, list items lines with a bullet; scripts, styles and comments go with their content.
fn strip_tags(html: &str) -> String {
    let mut out = String::with_capacity(html.len());
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        let (before, tag) = rest.split_at(at);
        push_inline(&mut out, before);
        if let Some(comment) = tag.strip_prefix("<!--") {
            rest = comment.split_once("-->").map_or("", |(_, after)| after);
            continue;
        }
        let inner = tag.get(1..).unwrap_or_default();
        let name_start = inner.strip_prefix('/').unwrap_or(inner);
        if !name_start.starts_with(|c: char| c.is_ascii_alphabetic() || c == '!' || c == '?') {
            out.push('<');
            rest = inner;
            continue;
        }
        let Some((head, after)) = split_tag(inner) else {
            // A tag that never ends: what follows is its attributes, not text.
            rest = "";
            break;
        };
        rest = after;
        let closing = head.starts_with('/');
        let name = head.trim_start_matches('/').split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
        let name = name.to_ascii_lowercase();
        match name.as_str() {
            "br" => out.push('\n'),
            "li" if !closing => out.push_str("\n• "),
            "td" | "th" if !closing => out.push(' '),
            "script" | "style" | "head" | "noscript" | "iframe" | "svg" | "template"
                if !closing && !head.ends_with('/') =>
            {
                rest = after_close(rest, &name);
            }
            name if BLOCKS.contains(&name) => out.push_str("\n\n"),
            _ => {}
        }
    }
    push_inline(&mut out, rest);
    out
}

/// In HTML a line end in the source is a blank.
fn push_inline(out: &mut String, text: &str) {
    out.extend(text.chars().map(|c| if matches!(c, '\n' | '\r' | '\t') { ' ' } else { c }));
}

/// The inside of a tag and what follows it; `>` inside quotes does not end it.
fn split_tag(inner: &str) -> Option<(&str, &str)> {
    let mut quote = None;
    for (at, c) in cut(inner, 4_000).char_indices() {
        match (quote, c) {
            (Some(q), c) if q == c => quote = None,
            (None, '"' | '\'') if inner.get(..at).is_some_and(|head| head.trim_end().ends_with('=')) => quote = Some(c),
            (None, '>') => return Some((inner.get(..at)?, inner.get(at + 1..)?)),
            _ => {}
        }
    }
    // An unbalanced quote: the first `>` ends the tag after all.
    inner.split_once('>')
}

fn after_close<'a>(text: &'a str, name: &str) -> &'a str {
    let mut from = 0;
    while let Some(at) = text.get(from..).and_then(|rest| rest.find("</")).map(|at| at + from) {
        let after = text.get(at + 2..).unwrap_or_default();
        if after.get(..name.len()).is_some_and(|n| n.eq_ignore_ascii_case(name)) {
            return after.split_once('>').map_or("", |(_, rest)| rest);
        }
        from = at + 2;
    }
    ""
}

/// Resolves entities, also those that were escaped twice.
pub(crate) fn entities(text: &str) -> Cow<'_, str> {
    let mut out = Cow::Borrowed(text);
    for _ in 0..3 {
        let Cow::Owned(decoded) = decode_once(&out) else { break };
        out = Cow::Owned(decoded);
    }
    out
}

fn decode_once(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let mut out = String::new();
    let mut rest = text;
    let mut changed = false;
    while let Some(at) = rest.find('&') {
        let (before, entity) = rest.split_at(at);
        out.push_str(before);
        match resolve(entity) {
            Some((c, length)) => {
                out.push(c);
                changed = true;
                rest = entity.get(length..).unwrap_or_default();
            }
            None => {
                out.push('&');
                rest = entity.get(1..).unwrap_or_default();
            }
        }
    }
    if !changed {
        return Cow::Borrowed(text);
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// The character of an entity at the start of the text and the entity's length.
fn resolve(entity: &str) -> Option<(char, usize)> {
    let window = cut(entity, 12);
    let name = window.get(1..window.find(';')?)?;
    let length = name.len() + 2;
    let c = match name.strip_prefix('#') {
        Some(digits) => {
            let code = match digits.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => digits.parse().ok()?,
            };
            windows_1252_control(code).or_else(|| char::from_u32(code))?
        }
        None => named(name)?,
    };
    Some((c, length))
}

/// HTML reads the references 128–159 as Windows-1252 (WHATWG, numeric character reference end state).
fn windows_1252_control(code: u32) -> Option<char> {
    let byte = u8::try_from(code).ok().filter(|b| (0x80..=0x9f).contains(b))?;
    encoding_rs::WINDOWS_1252.decode_without_bom_handling(&[byte]).0.chars().next()
}

/// Named references of Latin-1, in code order from U+00A0.
const LATIN_1: [&str; 96] = [
    "nbsp", "iexcl", "cent", "pound", "curren", "yen", "brvbar", "sect", "uml", "copy", "ordf", "laquo", "not", "shy",
    "reg", "macr", "deg", "plusmn", "sup2", "sup3", "acute", "micro", "para", "middot", "cedil", "sup1", "ordm",
    "raquo", "frac14", "frac12", "frac34", "iquest", "Agrave", "Aacute", "Acirc", "Atilde", "Auml", "Aring", "AElig",
    "Ccedil", "Egrave", "Eacute", "Ecirc", "Euml", "Igrave", "Iacute", "Icirc", "Iuml", "ETH", "Ntilde", "Ograve",
    "Oacute", "Ocirc", "Otilde", "Ouml", "times", "Oslash", "Ugrave", "Uacute", "Ucirc", "Uuml", "Yacute", "THORN",
    "szlig", "agrave", "aacute", "acirc", "atilde", "auml", "aring", "aelig", "ccedil", "egrave", "eacute", "ecirc",
    "euml", "igrave", "iacute", "icirc", "iuml", "eth", "ntilde", "ograve", "oacute", "ocirc", "otilde", "ouml",
    "divide", "oslash", "ugrave", "uacute", "ucirc", "uuml", "yacute", "thorn", "yuml",
];

fn named(name: &str) -> Option<char> {
    let c = match name {
        "amp" | "AMP" => '&',
        "lt" | "LT" => '<',
        "gt" | "GT" => '>',
        "quot" | "QUOT" => '"',
        "apos" => '\'',
        "bull" => '•',
        "hellip" => '…',
        "ndash" => '–',
        "mdash" => '—',
        "lsquo" => '‘',
        "rsquo" => '’',
        "sbquo" => '‚',
        "ldquo" => '“',
        "rdquo" => '”',
        "bdquo" => '„',
        "lsaquo" => '‹',
        "rsaquo" => '›',
        "trade" => '™',
        "euro" => '€',
        "dagger" => '†',
        "permil" => '‰',
        "prime" => '′',
        "Prime" => '″',
        "minus" => '−',
        "le" => '≤',
        "ge" => '≥',
        "ne" => '≠',
        "asymp" => '≈',
        "infin" => '∞',
        "radic" => '√',
        "larr" => '←',
        "uarr" => '↑',
        "rarr" => '→',
        "darr" => '↓',
        "hearts" => '♥',
        "star" | "starf" => '★',
        "check" => '✓',
        "ensp" | "emsp" | "thinsp" => ' ',
        "OElig" => 'Œ',
        "oelig" => 'œ',
        "Scaron" => 'Š',
        "scaron" => 'š',
        "Oslash" => 'Ø',
        "alpha" => 'α',
        "beta" => 'β',
        "Omega" => 'Ω',
        "omega" => 'ω',
        "mu" => 'μ',
        "zwnj" => '\u{200c}',
        "zwj" => '\u{200d}',
        "lrm" => '\u{200e}',
        "rlm" => '\u{200f}',
        "NewLine" => '\n',
        "Tab" => '\t',
        _ => {
            let at = LATIN_1.iter().position(|&n| n == name)?;
            char::from_u32(0xa0 + u32::try_from(at).ok()?)?
        }
    };
    Some(c)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn html_becomes_paragraphs_and_entities_become_characters_also_when_escaped_twice() {
        let html =
            "<p>Ideal for <b>cold</b>\nweather.</p>\n<p>&bull; Hood.<br />Wash &amp; dry.</p><ul><li>One<li>Two</ul>";
        assert_eq!(body(html), "Ideal for cold weather.\n\n• Hood.\nWash & dry.\n\n• One\n• Two");
        assert_eq!(body("&lt;p&gt;Soft&amp;nbsp;wool&lt;/p&gt;"), "Soft wool");
        assert_eq!(body("<script>alert(1)</script>Hi<style>p{}</style><!-- x > y -->!"), "Hi!");
        assert_eq!(body("fits 3 < 5 and 7 > 2"), "fits 3 < 5 and 7 > 2");
        assert_eq!(body("one\r\ntwo\r\n\r\nthree\n\n\n\nfour"), "one\ntwo\n\nthree\n\nfour");
        assert_eq!(body(r#"<a title="a > b" href='x'>link</a>"#), "link");
        assert_eq!(
            line("Tea &amp;amp; Caf&eacute; 17&quot; &#8482;&#153; &unknown; AT&T"),
            "Tea & Café 17\" ™™ &unknown; AT&T"
        );
    }

    #[test]
    fn invisible_characters_are_removed() {
        assert_eq!(line(" a\u{202e}b\u{200b}c\u{7}\u{e0041}\u{feff}  d\u{a0}e\tf "), "abc d e f");
        assert_eq!(line("plain"), "plain");
        assert_eq!(cut("袋子", 4), "袋");
    }

    proptest! {
        #[test]
        fn no_text_breaks_the_cleaning(text in "\\PC{0,40}|[<>&;#a-z/!\\-\"'= \r\n]{0,60}") {
            let cleaned = body(&text);
            prop_assert!(!cleaned.chars().any(invisible));
            prop_assert!(!line(&text).contains('\n'));
        }
    }
}
