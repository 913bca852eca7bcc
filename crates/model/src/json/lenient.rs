//! The repairing parser: one JSON value that begins somewhere in a text, token by token.
//!
//! It accepts what models write instead of JSON where the meaning is plain, lists every repair, and refuses what would
//! have to be guessed or calculated. Every character read or looked at costs fuel, so time is linear in the text.

mod string;

use std::ops::Range;

use super::MAX_DEPTH;
use super::repair::{Repair, Repairs};
use super::strict::{insert, prefix};
use super::value::{Number, Object, Value};
use super::verdict::Reason;

/// What stands at a place of a text.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// A value, up to byte `end`; `spans` says where the members' values of a repaired object stand.
    Complete { value: Value, end: usize, repairs: Repairs, spans: Vec<(String, Range<usize>)> },
    /// A value that the text's end cuts.
    Cut { partial: Value },
    /// Something that is meant as JSON and must not be used.
    Refused(Reason),
    /// No JSON.
    Nothing,
}

/// Reads the value that begins at `start`; `fuel` bounds the work.
pub(crate) fn candidate(text: &str, start: usize, fuel: &mut usize) -> Outcome {
    let repairs = Repairs::default();
    let (strict, read) = prefix(text.get(start..).unwrap_or_default());
    if let Ok(value) = strict {
        return Outcome::Complete { value, end: start + read, repairs, spans: Vec::new() };
    }
    *fuel = fuel.saturating_sub(read / 4);
    let mut lenient = Lenient {
        text,
        at: start,
        fuel,
        repairs,
        spans: Vec::new(),
        keyed: false,
        missing: 0,
        cut: false,
        closed: false,
    };
    match lenient.value(0, Place::Object) {
        Ok(partial) if lenient.cut || lenient.missing > 1 => Outcome::Cut { partial },
        Ok(value) => {
            if lenient.missing == 1 {
                lenient.repairs.push(Repair::MissingClose);
            }
            Outcome::Complete { value, end: lenient.at, repairs: lenient.repairs, spans: lenient.spans }
        }
        Err(Stop::Eof) => Outcome::Cut { partial: Value::Null },
        Err(Stop::Refused(reason)) => Outcome::Refused(reason),
        Err(Stop::Not) if lenient.keyed => Outcome::Refused(Reason::Syntax { at: lenient.at }),
        Err(Stop::Not) => Outcome::Nothing,
    }
}

/// Whether a quoted key and its colon begin the text.
pub(super) fn key_stands_at(text: &str) -> bool {
    const LONGEST: usize = 96;
    let Some(open) = text.chars().next().filter(|&c| is_quote(c)) else { return false };
    let inner = text.get(open.len_utf8()..).unwrap_or_default();
    let close = if open == '“' { '”' } else { open };
    let end = inner.char_indices().take(LONGEST).find(|&(_, c)| c == close);
    end.is_some_and(|(at, c)| inner.get(at + c.len_utf8()..).unwrap_or_default().trim_start().starts_with([':', '：']))
}

/// Why reading stopped.
enum Stop {
    /// The text ended inside a token.
    Eof,
    /// This is not JSON.
    Not,
    /// This must not be used.
    Refused(Reason),
}

/// Where a value stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Key,
    Object,
    Array,
}

struct Lenient<'a> {
    text: &'a str,
    at: usize,
    fuel: &'a mut usize,
    repairs: Repairs,
    spans: Vec<(String, Range<usize>)>,
    /// A key and a colon were seen: this is meant as JSON.
    keyed: bool,
    /// Objects closed by the end of the text, after a complete inner value.
    missing: usize,
    /// The text ended where something had to follow.
    cut: bool,
    /// The last token was a closing bracket.
    closed: bool,
}

const fn is_close(c: char) -> bool {
    matches!(c, '}' | ']' | '｝' | '］')
}

const fn is_comma(c: char) -> bool {
    matches!(c, ',' | '，')
}

const fn is_colon(c: char) -> bool {
    matches!(c, ':' | '：')
}

const fn is_quote(c: char) -> bool {
    matches!(c, '"' | '\'' | '“' | '”' | '‘' | '’' | '＂')
}

/// Characters that show nothing: byte order marks, joiners, marks of direction.
pub(super) const fn is_invisible(c: char) -> bool {
    matches!(c, '\u{feff}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}' | '\u{2066}'..='\u{2069}')
}

fn starts_key(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$')
}

impl Lenient<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn char_at(&self, at: usize) -> Option<char> {
        self.text.get(at..)?.chars().next()
    }

    /// The next character between tokens; the end of a fence or the tag after a call is an end too.
    fn peek(&self) -> Option<char> {
        let c = self.char_at(self.at)?;
        (c != '<' && !(c == '`' && self.rest().starts_with("```"))).then_some(c)
    }

    fn burn(&mut self, amount: usize) -> Result<(), Stop> {
        *self.fuel = self.fuel.saturating_sub(amount);
        if *self.fuel == 0 { Err(Stop::Refused(Reason::TooTangled)) } else { Ok(()) }
    }

    fn skip(&mut self, c: char) -> Result<(), Stop> {
        self.at += c.len_utf8();
        self.burn(1)
    }

    /// Takes one of a mark's two widths.
    fn mark(&mut self, c: char) -> Result<(), Stop> {
        if !c.is_ascii() {
            self.repairs.push(Repair::FullWidth);
        }
        self.closed = is_close(c);
        self.skip(c)
    }

    fn space(&mut self) -> Result<(), Stop> {
        while let Some(c) = self.peek() {
            match c {
                ' ' | '\n' | '\r' | '\t' => self.skip(c)?,
                c if is_invisible(c) => {
                    self.repairs.push(Repair::Blank);
                    self.skip(c)?;
                }
                '#' => self.comment("\n")?,
                '/' if self.rest().starts_with("//") => self.comment("\n")?,
                '/' if self.rest().starts_with("/*") => self.comment("*/")?,
                c if c.is_whitespace() => {
                    self.repairs.push(Repair::Blank);
                    self.skip(c)?;
                }
                _ => break,
            }
        }
        Ok(())
    }

    fn comment(&mut self, end: &str) -> Result<(), Stop> {
        self.repairs.push(Repair::Comment);
        let length = self.rest().find(end).map_or(self.rest().len(), |at| at + end.len());
        let comment = self.rest().get(..length).unwrap_or_default();
        // `/* ... 12 more */`: something was left out.
        if self.keyed && (comment.contains("...") || comment.contains('…')) {
            return Err(Stop::Refused(Reason::Ellipsis));
        }
        self.at += length;
        self.burn(length)
    }

    fn value(&mut self, depth: usize, place: Place) -> Result<Value, Stop> {
        if depth > MAX_DEPTH {
            return Err(Stop::Refused(Reason::TooDeep));
        }
        self.space()?;
        let c = self.peek().ok_or(Stop::Eof)?;
        match c {
            '{' | '｛' => self.object(c, depth).map(Value::Object),
            '[' | '［' => self.array(c, depth).map(Value::Array),
            c if is_quote(c) => self.joined(place).map(Value::String),
            c if is_close(c) || is_comma(c) => Err(Stop::Refused(Reason::MissingValue)),
            _ => self.scalar(),
        }
    }

    fn object(&mut self, open: char, depth: usize) -> Result<Object, Stop> {
        self.mark(open)?;
        let mut members = Object::default();
        let mut after_comma = false;
        loop {
            self.space()?;
            let Some(c) = self.peek() else { return Ok(self.ended(members)) };
            match c {
                '}' | '｝' => {
                    if after_comma {
                        self.repairs.push(Repair::TrailingComma);
                    }
                    self.mark(c)?;
                    return Ok(members);
                }
                c if is_comma(c) && (after_comma || members.is_empty()) => {
                    self.repairs.push(Repair::Comma);
                    self.mark(c)?;
                    continue;
                }
                _ => {}
            }
            let Some((key, value)) = self.member(c, depth)? else {
                self.cut = true;
                return Ok(members);
            };
            insert(&mut members, key, value).map_err(Stop::Refused)?;
            if self.cut {
                return Ok(members);
            }
            self.space()?;
            after_comma = match self.peek() {
                None => return Ok(self.ended(members)),
                Some(c) if is_comma(c) => self.mark(c).map(|()| true)?,
                Some('}' | '｝') => false,
                Some(c @ (';' | '；')) => {
                    self.repairs.push(Repair::Comma);
                    self.mark(c).map(|()| true)?
                }
                Some(c) if is_quote(c) || starts_key(c) => {
                    self.repairs.push(Repair::Comma);
                    false
                }
                Some(_) => return Err(Stop::Not),
            };
        }
    }

    /// The text ended inside an object: after a complete inner value only its bracket is missing, else it is cut.
    fn ended(&mut self, members: Object) -> Object {
        if self.closed {
            self.missing += 1;
        } else {
            self.cut = true;
        }
        members
    }

    /// Key, colon and value; nothing when the text ends before the value does.
    fn member(&mut self, first: char, depth: usize) -> Result<Option<(String, Value)>, Stop> {
        let key = if is_quote(first) {
            match self.string(Place::Key) {
                Err(Stop::Eof) if self.keyed => return Ok(None),
                key => key?,
            }
        } else {
            self.bare_key(first)?
        };
        self.space()?;
        match self.peek() {
            Some(c) if is_colon(c) => self.mark(c)?,
            // Ruby's and PHP's `=>`, and `=`.
            Some('=') => {
                self.repairs.push(Repair::Separator);
                self.skip('=')?;
                if self.peek() == Some('>') {
                    self.skip('>')?;
                }
            }
            None if self.keyed || is_quote(first) => return Ok(None),
            _ => return Err(Stop::Not),
        }
        self.keyed = true;
        let start = self.at;
        let value = match self.value(depth + 1, Place::Object) {
            Err(Stop::Eof) => return Ok(None),
            value => value?,
        };
        if depth <= 1 {
            self.spans.push((key.clone(), start..self.at));
        }
        Ok(Some((key, value)))
    }

    fn bare_key(&mut self, first: char) -> Result<String, Stop> {
        if self.rest().starts_with("...") || first == '…' {
            return Err(if self.keyed { Stop::Refused(Reason::Ellipsis) } else { Stop::Not });
        }
        if !starts_key(first) {
            return Err(Stop::Not);
        }
        let start = self.at;
        while let Some(c) = self.peek().filter(|&c| starts_key(c) || c == '-') {
            self.skip(c)?;
        }
        let key = self.text.get(start..self.at).unwrap_or_default().to_owned();
        // A number in the place of a key is the rest of a number with separators: `1,299.00`.
        if key.starts_with(|c: char| c.is_numeric()) {
            return Err(Stop::Not);
        }
        self.repairs.push(Repair::BareKey);
        Ok(key)
    }

    fn array(&mut self, open: char, depth: usize) -> Result<Vec<Value>, Stop> {
        self.mark(open)?;
        let mut items = Vec::new();
        let mut after_comma = false;
        loop {
            self.space()?;
            match self.peek() {
                None => break,
                Some(c @ (']' | '］')) => {
                    if after_comma {
                        self.repairs.push(Repair::TrailingComma);
                    }
                    self.mark(c)?;
                    return Ok(items);
                }
                Some(_) => {}
            }
            match self.value(depth + 1, Place::Array) {
                Err(Stop::Eof) => break,
                item => items.push(item?),
            }
            if self.cut {
                return Ok(items);
            }
            self.space()?;
            after_comma = match self.peek() {
                None => break,
                Some(c) if is_comma(c) => self.mark(c).map(|()| true)?,
                Some(']' | '］') => false,
                Some(c) if is_quote(c) || matches!(c, '{' | '[') => {
                    self.repairs.push(Repair::Comma);
                    false
                }
                Some(_) => return Err(Stop::Not),
            };
        }
        // The list may go on: closing it could make it shorter than it was meant.
        self.cut = true;
        Ok(items)
    }

    /// A number, a literal or a word without quotes.
    fn scalar(&mut self) -> Result<Value, Stop> {
        let start = self.at;
        let mut next = None;
        while let Some(c) = self.char_at(self.at) {
            let comment = c == '/' && (self.rest().starts_with("//") || self.rest().starts_with("/*"));
            if comment || is_close(c) || is_comma(c) || is_quote(c) || is_colon(c) || "\n{[(`<>=\\".contains(c) {
                next = Some(c);
                break;
            }
            self.skip(c)?;
        }
        let token = self.text.get(start..self.at).unwrap_or_default().trim_end();
        if token.starts_with("...") || token.starts_with('…') {
            return Err(Stop::Refused(Reason::Ellipsis));
        }
        match next {
            None | Some('<' | '`') => return Err(Stop::Eof),
            Some(c) if is_close(c) || is_comma(c) || matches!(c, '\n' | '/') => {}
            Some(_) => return Err(if self.keyed { Stop::Refused(Reason::Expression) } else { Stop::Not }),
        }
        self.closed = false;
        let (value, repair) = word(token).map_err(Stop::Refused)?;
        if let Some(repair) = repair {
            self.repairs.push(repair);
        }
        Ok(value)
    }
}

/// What a token without quotes stands for.
fn word(token: &str) -> Result<(Value, Option<Repair>), Reason> {
    if let Some(number) = Number::new(token) {
        return Ok((Value::Number(number), None));
    }
    let plain = |value| Ok((value, None));
    let python = |value| Ok((value, Some(Repair::PythonLiteral)));
    match token {
        "true" => return plain(Value::Bool(true)),
        "false" => return plain(Value::Bool(false)),
        "null" => return plain(Value::Null),
        "True" | "TRUE" => return python(Value::Bool(true)),
        "False" | "FALSE" => return python(Value::Bool(false)),
        "None" | "NULL" | "Null" | "nil" => return python(Value::Null),
        "undefined" => return Ok((Value::Null, Some(Repair::Undefined))),
        "" => return Err(Reason::MissingValue),
        _ => {}
    }
    let bare = token.trim_start_matches(['-', '+']);
    if ["nan", "inf", "infinity"].iter().any(|name| bare.eq_ignore_ascii_case(name)) {
        return Err(Reason::NotANumber);
    }
    // `12.` and `1e`: the rest of the number is missing.
    let number = bare.starts_with(|c: char| c.is_ascii_digit())
        && bare.bytes().all(|b| b.is_ascii_digit() || b"._eE+-".contains(&b));
    if number && bare.ends_with(['.', 'e', 'E', '+', '-']) {
        return Err(Reason::NotANumber);
    }
    let calculates = token.contains(['*', '%', '^', '+', '/', '|', '&', ';', '$'])
        || (token.starts_with(|c: char| c.is_ascii_digit()) && token.contains(" -"));
    if calculates {
        return Err(Reason::Expression);
    }
    Ok((Value::String(token.to_owned()), Some(Repair::BareWord)))
}
