//! Putting tool calls together from deltas, by what they hold rather than by what they should.

use crate::json::{Value, parse_strict};
use crate::message::ToolCall;
use crate::text_calls;

#[derive(Debug, Default)]
struct Partial {
    index: Option<u64>,
    id: String,
    name: String,
    arguments: String,
}

impl Partial {
    fn is_complete(&self) -> bool {
        parse_strict(&self.arguments).is_ok()
    }
}

/// The calls of a reply in the making.
#[derive(Debug, Default)]
pub(super) struct Calls {
    partials: Vec<Partial>,
    names: Vec<String>,
}

/// One delta of a call.
struct Delta<'a> {
    index: Option<u64>,
    id: &'a str,
    name: &'a str,
    arguments: String,
}

impl<'a> Delta<'a> {
    fn new(value: &'a Value) -> Self {
        // Legacy `function_call` and some servers leave the inner object out.
        let function = value.get("function").unwrap_or(value);
        let text = |value: &'a Value, key: &str| value.get(key).and_then(Value::as_str).unwrap_or_default();
        let arguments = match function.get("arguments").or_else(|| function.get("parameters")) {
            None | Some(Value::Null) => String::new(),
            Some(Value::String(text)) => text.clone(),
            Some(other) => other.to_string(),
        };
        let index = match value.get("index") {
            Some(Value::Number(number)) => number.as_str().parse().ok(),
            _ => None,
        };
        Self { index, id: text(value, "id"), name: text(function, "name"), arguments }
    }
}

impl Calls {
    pub(super) fn new(names: Vec<String>) -> Self {
        Self { partials: Vec::new(), names }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.partials.is_empty()
    }

    /// Takes the value of `tool_calls`: a list of deltas, or a single one.
    pub(super) fn push(&mut self, value: &Value) {
        match value {
            Value::Array(deltas) => deltas.iter().for_each(|delta| self.delta(&Delta::new(delta))),
            Value::Object(_) => self.delta(&Delta::new(value)),
            _ => {}
        }
    }

    fn delta(&mut self, delta: &Delta<'_>) {
        let place = self.place(delta);
        let names = &self.names;
        let partial = match place.and_then(|n| self.partials.get_mut(n)) {
            Some(partial) => partial,
            None => {
                if delta.name.is_empty() && delta.arguments.is_empty() && delta.id.is_empty() {
                    return;
                }
                self.partials.push(Partial { index: delta.index, ..Partial::default() });
                let Some(partial) = self.partials.last_mut() else { return };
                partial
            }
        };
        if partial.id.is_empty() {
            delta.id.clone_into(&mut partial.id);
        }
        merge_name(&mut partial.name, delta.name, names);
        // Some gateways begin with an empty object and then send the real one.
        if partial.arguments == "{}" && delta.arguments.starts_with('{') {
            partial.arguments.clear();
        }
        partial.arguments.push_str(&delta.arguments);
    }

    /// The call a delta goes on with; nothing when it begins a new one.
    fn place(&self, delta: &Delta<'_>) -> Option<usize> {
        let last = self.partials.len().checked_sub(1)?;
        let by_index = delta.index.and_then(|index| self.partials.iter().rposition(|p| p.index == Some(index)));
        let by_id = (!delta.id.is_empty()).then(|| self.partials.iter().rposition(|p| p.id == delta.id)).flatten();
        let found = match (delta.index, by_index, by_id) {
            (Some(_), Some(n), _) => n,
            // A new index with an id or a name is a new call, even if the id was seen before.
            (Some(_), None, _) => return (delta.id.is_empty() && delta.name.is_empty()).then_some(last),
            (None, _, Some(n)) => n,
            (None, _, None) if !delta.id.is_empty() => return None,
            (None, _, None) => last,
        };
        let partial = self.partials.get(found)?;
        let other_id = !delta.id.is_empty() && !partial.id.is_empty() && delta.id != partial.id;
        let begins = !delta.name.is_empty();
        let goes_on = delta.name == partial.name && delta.arguments.is_empty();
        let known = |text: &str| self.names.iter().any(|name| name == text);
        let other_name = known(delta.name) && known(&partial.name) && delta.name != partial.name;
        let after_the_last = !goes_on && partial.is_complete() && partial.arguments != "{}";
        if begins && (other_id || other_name || after_the_last) { None } else { Some(found) }
    }

    /// The calls, complete with ids that are unique; `seed` makes made-up ids differ between messages.
    pub(super) fn finish(&mut self, seed: usize) -> Vec<ToolCall> {
        let mut calls: Vec<ToolCall> = Vec::new();
        for (n, partial) in std::mem::take(&mut self.partials).into_iter().enumerate() {
            let Partial { id, name, arguments, .. } = partial;
            if name.is_empty() {
                continue;
            }
            let taken = id.is_empty() || calls.iter().any(|call| call.id == id);
            let id = if taken { text_calls::id(seed, n, &name) } else { id };
            let arguments = if arguments.trim().is_empty() { "{}".to_owned() } else { arguments };
            calls.push(ToolCall::new(id, name, arguments));
        }
        calls
    }
}

/// A name comes once, in every delta, or in pieces.
fn merge_name(name: &mut String, piece: &str, names: &[String]) {
    if piece.is_empty() || *name == piece {
        return;
    }
    let joined = format!("{name}{piece}");
    let known = |text: &str| names.iter().any(|name| name == text);
    *name =
        if !known(&joined) && (known(piece) || piece.starts_with(name.as_str())) { piece.to_owned() } else { joined };
}
