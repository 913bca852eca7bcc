//! From bytes to the JSON values of a response: an event stream, one object, or a list of objects.

use crate::error::ModelError;
use crate::json::{Value, parse_strict};
use crate::openai::refusal;
use crate::openai::sse::{Line, Lines, TooLong, line};

/// The longest whole response that is taken.
const MAX_WHOLE: usize = 64 * 1024 * 1024;

/// What the first byte says a body is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Form {
    #[default]
    Unknown,
    Stream,
    Whole,
}

/// Gathers bytes into values.
#[derive(Debug, Default)]
pub(super) struct Feed {
    form: Form,
    lines: Lines,
    whole: Vec<u8>,
    data: String,
}

fn unreadable(detail: impl Into<String>) -> ModelError {
    ModelError::BadResponse { detail: detail.into() }
}

impl Feed {
    /// Whether nothing but blanks came.
    pub(super) fn is_empty(&self) -> bool {
        self.form == Form::Unknown
    }

    pub(super) fn push(&mut self, bytes: &[u8]) -> Result<Vec<Value>, ModelError> {
        let mut bytes = bytes;
        if self.form == Form::Unknown {
            let blank = |&b: &u8| b.is_ascii_whitespace() || matches!(b, 0xef | 0xbb | 0xbf);
            let first = bytes.iter().position(|b| !blank(b)).unwrap_or(bytes.len());
            bytes = bytes.get(first..).unwrap_or_default();
            self.form = match bytes.first() {
                None => Form::Unknown,
                Some(b'{' | b'[' | b'<') => Form::Whole,
                Some(_) => Form::Stream,
            };
        }
        match self.form {
            Form::Unknown => Ok(Vec::new()),
            Form::Whole if self.whole.len() + bytes.len() > MAX_WHOLE => {
                Err(unreadable("it is longer than any answer"))
            }
            Form::Whole => {
                self.whole.extend_from_slice(bytes);
                Ok(Vec::new())
            }
            Form::Stream => {
                let lines = self.lines.push(bytes).map_err(|TooLong| unreadable("a line is longer than any answer"))?;
                let mut values = Vec::new();
                for text in lines {
                    self.line(&text, &mut values)?;
                }
                Ok(values)
            }
        }
    }

    /// The body is over.
    pub(super) fn end(&mut self) -> Result<Vec<Value>, ModelError> {
        let mut values = Vec::new();
        if self.form == Form::Whole {
            let bytes = std::mem::take(&mut self.whole);
            let text = String::from_utf8_lossy(&bytes);
            match parse_strict(text.trim()) {
                Ok(Value::Array(items)) => values = items,
                Ok(value) => values.push(value),
                Err(_) => return Err(unreadable(refusal::excerpt(&text))),
            }
            return Ok(values);
        }
        let rest = self.lines.take();
        self.line(&rest, &mut values)?;
        self.line("", &mut values)?;
        Ok(values)
    }

    fn line(&mut self, text: &str, values: &mut Vec<Value>) -> Result<(), ModelError> {
        let complete = match line(text) {
            Line::Other => return Ok(()),
            Line::Data(data) => {
                if !self.data.is_empty() {
                    self.data.push('\n');
                }
                self.data.push_str(data);
                false
            }
            Line::Blank => true,
        };
        let data = self.data.trim();
        if data.is_empty() || data == "[DONE]" {
            self.data.clear();
            return Ok(());
        }
        match parse_strict(data) {
            Ok(value) => {
                values.push(value);
                self.data.clear();
                Ok(())
            }
            Err(reason) if complete => {
                Err(unreadable(format!("an event is not JSON ({reason}): {}", refusal::excerpt(data))))
            }
            Err(_) => Ok(()),
        }
    }
}
