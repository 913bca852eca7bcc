//! Server-sent events as servers really send them, byte by byte.
//!
//! Lines end with LF, CRLF or CR; `data:` may lack its blank; comments are keep-alives; the blank line between two events
//! may be missing. A line is decoded as UTF-8 only when it is whole, so a cut inside a character does no harm.

/// The longest line that is taken: an answer never needs more.
const MAX_LINE: usize = 32 * 1024 * 1024;

/// Splits bytes into lines, whatever their chunks.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    partial: Vec<u8>,
    after_cr: bool,
}

/// A line is longer than any answer.
#[derive(Debug)]
pub(crate) struct TooLong;

impl Lines {
    /// Takes bytes and gives back the lines they complete.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Result<Vec<String>, TooLong> {
        let mut lines = Vec::new();
        for &byte in bytes {
            match byte {
                b'\n' if self.after_cr => self.after_cr = false,
                b'\n' | b'\r' => {
                    self.after_cr = byte == b'\r';
                    lines.push(self.take());
                }
                byte => {
                    self.after_cr = false;
                    self.partial.push(byte);
                }
            }
        }
        if self.partial.len() > MAX_LINE { Err(TooLong) } else { Ok(lines) }
    }

    /// What was read of a line without its end.
    pub(crate) fn take(&mut self) -> String {
        let line = std::mem::take(&mut self.partial);
        String::from_utf8(line).unwrap_or_else(|invalid| String::from_utf8_lossy(invalid.as_bytes()).into_owned())
    }
}

/// What a line of an event stream says.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line<'a> {
    /// The end of an event.
    Blank,
    /// Data, without its field name.
    Data(&'a str),
    /// A comment or another field.
    Other,
}

/// Reads one line. A line of bare JSON is data whose field name a proxy has lost.
pub(crate) fn line(text: &str) -> Line<'_> {
    let text = text.trim_start_matches('\u{feff}');
    if text.is_empty() {
        return Line::Blank;
    }
    if text.starts_with('{') {
        return Line::Data(text);
    }
    text.strip_prefix("data:").map_or(Line::Other, |data| Line::Data(data.strip_prefix(' ').unwrap_or(data)))
}
