//! Strings: where they end when the quotes are wrong, and what their backslashes mean.

use super::super::repair::Repair;
use super::super::strict::escape;
use super::super::verdict::Reason;
use super::{Lenient, Place, Stop, is_close, is_colon, is_comma, is_invisible, is_quote, starts_key};

/// How far a key may reach when looking ahead for it.
const KEY_LOOKAHEAD: usize = 96;

/// The quotes that may end a string.
const fn closers(open: char) -> &'static [char] {
    match open {
        '"' => &['"'],
        '\'' => &['\''],
        '‘' | '’' => &['’', '\''],
        '＂' => &['＂'],
        _ => &['”', '"'],
    }
}

impl Lenient<'_> {
    /// A string, and those joined to it by `+`.
    pub(super) fn joined(&mut self, place: Place) -> Result<String, Stop> {
        let mut text = self.string(place)?;
        loop {
            self.space()?;
            if self.peek() != Some('+') {
                return Ok(text);
            }
            self.skip('+')?;
            self.space()?;
            match self.peek() {
                None => return Err(Stop::Eof),
                Some(c) if is_quote(c) => text.push_str(&self.string(place)?),
                Some(_) => return Err(Stop::Refused(Reason::Expression)),
            }
            self.repairs.push(Repair::Joined);
        }
    }

    pub(super) fn string(&mut self, place: Place) -> Result<String, Stop> {
        let open = self.peek().ok_or(Stop::Eof)?;
        self.skip(open)?;
        if open != '"' {
            self.repairs.push(Repair::Quotes);
        }
        // In a Windows path every backslash is meant as one, though some look like escapes.
        let path = self.rest().get(1..3) == Some(":\\") && self.rest().get(3..4) != Some("\\");
        let mut text = String::new();
        while let Some(c) = self.char_at(self.at) {
            match c {
                '\\' => self.backslash(open, path, &mut text)?,
                c if closers(open).contains(&c) => {
                    self.skip(c)?;
                    if self.closes(place)? {
                        self.closed = false;
                        return Ok(text);
                    }
                    self.repairs.push(Repair::InnerQuotes);
                    text.push(c);
                }
                '\n' | '\r' | '\t' => {
                    self.repairs.push(Repair::RawNewline);
                    text.push(c);
                    self.skip(c)?;
                }
                '\0'..='\x1f' => return Err(Stop::Refused(Reason::Syntax { at: self.at })),
                c => {
                    if open == '“' && c == '“' {
                        self.repairs.push(Repair::InnerQuotes);
                    }
                    text.push(c);
                    self.skip(c)?;
                }
            }
        }
        Err(Stop::Eof)
    }

    fn backslash(&mut self, open: char, path: bool, text: &mut String) -> Result<(), Stop> {
        let rest = self.rest();
        let next = rest.chars().nth(1).ok_or(Stop::Eof)?;
        let standard = if path && next != '"' && next != '\\' { None } else { escape(rest) };
        if let Some((character, length)) = standard {
            text.push(character);
            self.at += length;
            return self.burn(length);
        }
        let cut = next == 'u' && rest.len() < 6 && !path;
        if cut {
            return Err(Stop::Eof);
        }
        if next == '\'' {
            if open == '"' {
                self.repairs.push(Repair::EscapedApostrophe);
            }
            text.push('\'');
            self.at += 2;
            return self.burn(2);
        }
        self.repairs.push(Repair::Backslash);
        text.push('\\');
        self.skip('\\')
    }

    /// Whether the quote just read ends the string, judged by what follows.
    fn closes(&mut self, place: Place) -> Result<bool, Stop> {
        let (next, at) = self.look(self.at)?;
        let Some(next) = next else { return Ok(true) };
        if place == Place::Key {
            return Ok(is_colon(next) || next == '=');
        }
        if next == ':' {
            // The string has swallowed a key: its own closing quote is missing.
            return Err(Stop::Refused(Reason::Syntax { at: self.at }));
        }
        let own_close = if place == Place::Array { ['］', ']'] } else { ['｝', '}'] };
        if is_close(next) {
            return Ok(own_close.contains(&next));
        }
        if is_comma(next) || matches!(next, ';' | '；') {
            let (after, at) = self.look(at + next.len_utf8())?;
            return Ok(match after {
                None | Some(',' | '，' | '.' | '…' | '/' | '#') => true,
                Some(c) if own_close.contains(&c) => true,
                Some(c) if place == Place::Array => self.begins_item(c, at),
                Some(_) => self.begins_member(at)?,
            });
        }
        if is_quote(next) {
            let apart = at > self.at;
            return Ok(apart && (place == Place::Array || self.begins_member(at)?));
        }
        let comment = next == '/' && self.text.get(at + 1..).is_some_and(|rest| rest.starts_with(['/', '*']));
        Ok(next == '+' || next == '#' || comment)
    }

    /// The next character after blanks, and where it is.
    fn look(&mut self, mut at: usize) -> Result<(Option<char>, usize), Stop> {
        loop {
            self.burn(1)?;
            match self.char_at(at) {
                Some(c) if c.is_whitespace() || is_invisible(c) => at += c.len_utf8(),
                Some('<') => return Ok((None, at)),
                Some('`') if self.text.get(at..).is_some_and(|rest| rest.starts_with("```")) => return Ok((None, at)),
                next => return Ok((next, at)),
            }
        }
    }

    fn begins_item(&self, c: char, at: usize) -> bool {
        let literal = |word: &&str| self.text.get(at..).is_some_and(|rest| rest.starts_with(*word));
        is_quote(c)
            || matches!(c, '{' | '[' | '｛' | '［' | '-')
            || c.is_ascii_digit()
            || ["true", "false", "null", "True", "False", "None"].iter().any(literal)
    }

    /// Whether a key and a colon stand there.
    fn begins_member(&mut self, at: usize) -> Result<bool, Stop> {
        let Some(first) = self.char_at(at) else { return Ok(true) };
        let quoted = is_quote(first);
        let mut at = if quoted { at + first.len_utf8() } else { at };
        for _ in 0..KEY_LOOKAHEAD {
            self.burn(1)?;
            let Some(c) = self.char_at(at) else { return Ok(true) };
            let ends = if quoted { closers(first).contains(&c) } else { !(starts_key(c) || c == '-') };
            if ends {
                let (next, _) = self.look(if quoted { at + c.len_utf8() } else { at })?;
                return Ok(next.is_none_or(|next| is_colon(next) || next == '='));
            }
            at += c.len_utf8();
            if c == '\\' {
                at += self.char_at(at).map_or(0, char::len_utf8);
            }
        }
        Ok(false)
    }
}
