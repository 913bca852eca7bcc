//! Which JSON is a call.

use std::collections::BTreeSet;

use crate::json::{Object, Outcome, Repair, Repairs, Value, candidate, fuel};

use super::Call;

/// The names of the tools on offer.
#[derive(Debug, Clone, Default)]
pub(crate) struct Names(BTreeSet<String>);

impl Names {
    pub(crate) fn new<'a>(names: impl Iterator<Item = &'a str>) -> Self {
        Self(names.map(str::to_owned).collect())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    /// The tool meant by a name as models decorate it: `functions.search:0`.
    pub(crate) fn known(&self, written: &str) -> Option<String> {
        let name = written.trim().trim_start_matches("functions.");
        let bare =
            name.rsplit_once(':').filter(|(_, n)| n.bytes().all(|b| b.is_ascii_digit())).map_or(name, |(n, _)| n);
        [name, bare].into_iter().find(|name| self.0.contains(*name)).map(str::to_owned)
    }
}

const NAME_KEYS: [&str; 4] = ["name", "tool_name", "tool", "function"];
pub(super) const ARGUMENT_KEYS: [&str; 5] = ["arguments", "parameters", "args", "input", "tool_input"];
const OTHER_KEYS: [&str; 4] = ["id", "type", "tool_call_id", "index"];

/// The calls a value is: one object, or a list of them. Nothing unless all are calls of known tools.
pub(super) fn json_calls<'t>(
    value: &Value,
    repairs: &Repairs,
    raw: &str,
    spans: impl Iterator<Item = (String, &'t str)>,
    names: &Names,
    tagged: bool,
) -> Option<Vec<Call>> {
    if let Value::Array(items) = value {
        let calls = items.iter().map(|item| call(item, names, tagged));
        let calls: Vec<(String, Value)> = calls.collect::<Option<_>>()?;
        let text = |arguments: &Value| if repairs.harmless() { written(arguments) } else { raw.to_owned() };
        let calls: Vec<Call> = calls.iter().map(|(name, arguments)| (name.clone(), text(arguments))).collect();
        return (!calls.is_empty()).then_some(calls);
    }
    let (name, arguments) = call(value, names, tagged)?;
    if repairs.harmless() {
        return Some(vec![(name, written(&arguments))]);
    }
    // The doubt goes with the arguments when it is theirs; when it is the envelope's, the whole is handed on.
    let mut spans = spans;
    let own = spans.find(|(key, _)| ARGUMENT_KEYS.contains(&key.as_str())).map(|(_, text)| text.trim());
    let own =
        own.filter(|text| doubts(text).is_some_and(|own| repairs.iter().all(|r| r.harmless() || own.contains(&r))));
    Some(vec![(name, own.unwrap_or(raw).to_owned())])
}

/// The repairs that a text alone needs and that are not harmless.
fn doubts(text: &str) -> Option<Vec<Repair>> {
    match candidate(text, 0, &mut fuel(text)) {
        Outcome::Complete { repairs, .. } => Some(repairs.iter().filter(|repair| !repair.harmless()).collect()),
        Outcome::Cut { .. } | Outcome::Refused(_) | Outcome::Nothing => None,
    }
}

/// Arguments as JSON text; JSON written as a string is taken out of it.
fn written(arguments: &Value) -> String {
    match arguments {
        Value::String(text) => text.clone(),
        Value::Null => "{}".to_owned(),
        other => other.to_string(),
    }
}

fn call(value: &Value, names: &Names, tagged: bool) -> Option<(String, Value)> {
    let object = value.as_object()?;
    if let Some(inner @ Value::Object(_)) = object.get("function") {
        return call(inner, names, true);
    }
    let name = NAME_KEYS.iter().find_map(|key| object.get(*key)?.as_str())?;
    let name = names.known(name)?;
    let arguments = ARGUMENT_KEYS.iter().find_map(|key| object.get(*key));
    match arguments {
        Some(arguments @ (Value::Object(_) | Value::String(_) | Value::Null)) if only_known_keys(object) => {
            Some((name, arguments.clone()))
        }
        None if tagged && only_known_keys(object) => Some((name, Value::Object(Object::default()))),
        _ => None,
    }
}

fn only_known_keys(object: &Object) -> bool {
    let known = |key: &str| NAME_KEYS.contains(&key) || ARGUMENT_KEYS.contains(&key) || OTHER_KEYS.contains(&key);
    object.keys().all(|key| known(key))
}
