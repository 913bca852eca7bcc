//! Walks the scalars of a value.

use serde_json::Value;

/// The scalars of a value (texts, numbers, booleans; no nulls) with their pointers, in document order.
#[derive(Debug)]
pub struct Scalars<'a> {
    stack: Vec<(String, &'a Value)>,
}

impl<'a> Scalars<'a> {
    /// Those of `value`.
    #[must_use]
    pub fn of(value: &'a Value) -> Self {
        Self { stack: vec![(String::new(), value)] }
    }
}

impl<'a> Iterator for Scalars<'a> {
    type Item = (String, &'a Value);

    fn next(&mut self) -> Option<Self::Item> {
        while let Some((pointer, value)) = self.stack.pop() {
            match value {
                Value::Null => {}
                Value::Bool(_) | Value::Number(_) | Value::String(_) => return Some((pointer, value)),
                Value::Array(items) => {
                    self.stack.extend(items.iter().enumerate().rev().map(|(i, item)| (format!("{pointer}/{i}"), item)));
                }
                Value::Object(fields) => {
                    self.stack
                        .extend(fields.iter().rev().map(|(key, item)| (format!("{pointer}/{}", escaped(key)), item)));
                }
            }
        }
        None
    }
}

/// A key as a pointer's segment (RFC 6901, section 3).
pub(crate) fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}
