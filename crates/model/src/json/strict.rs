//! JSON exactly as RFC 8259 defines it, with duplicate keys refused.

use super::MAX_DEPTH;
use super::value::{Number, Object, Value};
use super::verdict::Reason;

/// Reads one JSON value and nothing else.
///
/// # Errors
/// [`Reason::DuplicateKey`] and [`Reason::TooDeep`] are final; [`Reason::Syntax`] says where the text stops being JSON.
pub fn parse(text: &str) -> Result<Value, Reason> {
    let mut parser = Strict { text, bytes: text.as_bytes(), at: 0 };
    parser.space();
    let value = parser.value(0)?;
    parser.space();
    if parser.at < parser.bytes.len() {
        return Err(parser.syntax());
    }
    Ok(value)
}

/// Reads the value at the start of the text, whatever follows it; also says how many bytes were looked at.
pub(super) fn prefix(text: &str) -> (Result<Value, Reason>, usize) {
    let mut parser = Strict { text, bytes: text.as_bytes(), at: 0 };
    let value = parser.value(0);
    (value, parser.at)
}

struct Strict<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
}

impl Strict<'_> {
    const fn syntax(&self) -> Reason {
        Reason::Syntax { at: self.at }
    }

    fn peek(&self) -> u8 {
        self.bytes.get(self.at).copied().unwrap_or(0)
    }

    fn space(&mut self) {
        while matches!(self.peek(), b' ' | b'\n' | b'\r' | b'\t') {
            self.at += 1;
        }
    }

    fn expect(&mut self, byte: u8) -> Result<(), Reason> {
        if self.peek() != byte {
            return Err(self.syntax());
        }
        self.at += 1;
        Ok(())
    }

    fn word(&mut self, word: &str, value: Value) -> Result<Value, Reason> {
        let end = self.at + word.len();
        if self.bytes.get(self.at..end) != Some(word.as_bytes()) {
            return Err(self.syntax());
        }
        self.at = end;
        Ok(value)
    }

    fn value(&mut self, depth: usize) -> Result<Value, Reason> {
        if depth > MAX_DEPTH {
            return Err(Reason::TooDeep);
        }
        match self.peek() {
            b'{' => self.object(depth),
            b'[' => self.array(depth),
            b'"' => self.string().map(Value::String),
            b't' => self.word("true", Value::Bool(true)),
            b'f' => self.word("false", Value::Bool(false)),
            b'n' => self.word("null", Value::Null),
            _ => self.number(),
        }
    }

    fn number(&mut self) -> Result<Value, Reason> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let (number, length) = Number::prefix(rest).ok_or_else(|| self.syntax())?;
        self.at += length;
        Ok(Value::Number(number))
    }

    fn array(&mut self, depth: usize) -> Result<Value, Reason> {
        self.at += 1;
        let mut items = Vec::new();
        self.space();
        if self.peek() == b']' {
            self.at += 1;
            return Ok(Value::Array(items));
        }
        loop {
            self.space();
            items.push(self.value(depth + 1)?);
            self.space();
            if self.peek() == b']' {
                self.at += 1;
                return Ok(Value::Array(items));
            }
            self.expect(b',')?;
        }
    }

    fn object(&mut self, depth: usize) -> Result<Value, Reason> {
        self.at += 1;
        let mut members = Object::default();
        self.space();
        if self.peek() == b'}' {
            self.at += 1;
            return Ok(Value::Object(members));
        }
        loop {
            self.space();
            let name = self.string()?;
            self.space();
            self.expect(b':')?;
            self.space();
            let value = self.value(depth + 1)?;
            insert(&mut members, name, value)?;
            self.space();
            if self.peek() == b'}' {
                self.at += 1;
                return Ok(Value::Object(members));
            }
            self.expect(b',')?;
        }
    }

    fn string(&mut self) -> Result<String, Reason> {
        self.expect(b'"')?;
        let mut text = String::new();
        loop {
            let start = self.at;
            let rest = self.bytes.get(start..).unwrap_or_default();
            self.at += rest.iter().position(|b| matches!(b, b'"' | b'\\' | 0..=0x1f)).unwrap_or(rest.len());
            text.push_str(self.text.get(start..self.at).ok_or_else(|| self.syntax())?);
            match self.peek() {
                b'"' => {
                    self.at += 1;
                    return Ok(text);
                }
                b'\\' => {
                    let rest = self.text.get(self.at..).unwrap_or_default();
                    let (character, length) = escape(rest).ok_or_else(|| self.syntax())?;
                    text.push(character);
                    self.at += length;
                }
                _ => return Err(self.syntax()),
            }
        }
    }
}

/// Adds a member unless its name is taken.
pub(super) fn insert(members: &mut Object, name: String, value: Value) -> Result<(), Reason> {
    match members.entry(name) {
        indexmap::map::Entry::Occupied(taken) => Err(Reason::DuplicateKey { key: taken.key().clone() }),
        indexmap::map::Entry::Vacant(free) => {
            free.insert(value);
            Ok(())
        }
    }
}

/// The character of an escape sequence at the start of the text, and the sequence's length in bytes.
pub(super) fn escape(text: &str) -> Option<(char, usize)> {
    let simple = match text.as_bytes().get(1)? {
        b'"' => '"',
        b'\\' => '\\',
        b'/' => '/',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => return unicode(text),
        _ => return None,
    };
    Some((simple, 2))
}

fn unicode(text: &str) -> Option<(char, usize)> {
    let unit = |from: usize| {
        let digits = text.get(from..from + 4)?;
        digits.bytes().all(|b| b.is_ascii_hexdigit()).then(|| u32::from_str_radix(digits, 16).ok())?
    };
    let first = unit(2)?;
    if let Some(character) = char::from_u32(first) {
        return Some((character, 6));
    }
    if text.get(6..8)? != "\\u" || first > 0xdbff {
        return None;
    }
    let second = unit(8)?.checked_sub(0xdc00).filter(|low| *low < 0x400)?;
    Some((char::from_u32(0x1_0000 + ((first - 0xd800) << 10) + second)?, 12))
}
