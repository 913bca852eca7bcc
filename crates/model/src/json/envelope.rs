//! Calls in other clothes: the lines of the ReAct paper, a name before its arguments, a provider's envelope, the tags of
//! a model's own training. They are read as the object that the schema wants, and only under names that it lists.

use serde_json::Value as Schema;

use super::lenient::{Outcome, candidate};
use super::read::fuel;
use super::repair::{Repair, Repairs};
use super::strict;
use super::value::{Object, Value};
use super::verdict::Reason;
use crate::text_calls;

const NAME_KEYS: [&str; 4] = ["tool", "name", "action", "tool_name"];
const INPUT_KEYS: [&str; 7] = ["args", "arguments", "parameters", "action_input", "input", "tool_input", "arg"];
/// The keys under which providers put a call, or several.
const WRAPPERS: [&str; 4] = ["tool_calls", "function_call", "tool_call", "function"];
/// What may stand beside a call.
const BESIDE: [&str; 8] = ["id", "type", "index", "tool_call_id", "call_id", "role", "content", "refusal"];

/// How a schema wants a call to be written.
struct Form<'s> {
    name: &'s str,
    input: &'s str,
    /// The names it lists; none when any text will do.
    names: Vec<&'s str>,
}

/// The forms of calls that a schema takes; none when it wants something else.
pub(super) struct Envelopes<'s>(Vec<Form<'s>>);

/// A named call whose arguments stand apart.
pub(super) struct Called {
    name_key: String,
    input_key: String,
    name: String,
}

impl Called {
    /// The object of the call.
    pub(super) fn around(self, input: Value) -> Value {
        let mut object = Object::default();
        object.insert(self.name_key, Value::String(self.name));
        object.insert(self.input_key, input);
        Value::Object(object)
    }
}

/// The object schemas at the top: the schema itself and its branches.
fn branches(schema: &Schema) -> impl Iterator<Item = &Schema> {
    let inner = ["oneOf", "anyOf"].into_iter().filter_map(|word| schema.get(word)?.as_array()).flatten();
    std::iter::once(schema).chain(inner)
}

impl<'s> Envelopes<'s> {
    pub(super) fn of(schema: &'s Schema) -> Self {
        let mut forms: Vec<Form<'s>> = Vec::new();
        for branch in branches(schema) {
            let Some(properties) = branch.get("properties").and_then(Schema::as_object) else { continue };
            let key = |wanted: &[&'static str]| wanted.iter().find(|key| properties.contains_key(**key)).copied();
            let (Some(name), Some(input)) = (key(&NAME_KEYS), key(&INPUT_KEYS)) else { continue };
            let listed = properties.get(name).into_iter().flat_map(|property| {
                let several = property.get("enum").and_then(Schema::as_array).map(Vec::as_slice).unwrap_or_default();
                property.get("const").into_iter().chain(several).filter_map(Schema::as_str)
            });
            match forms.iter_mut().find(|form| form.name == name && form.input == input) {
                Some(form) => form.names.extend(listed),
                None => forms.push(Form { name, input, names: listed.collect() }),
            }
        }
        Self(forms)
    }

    /// The call of this name in the schema's first form that lists it.
    fn call(&self, name: &str) -> Option<Called> {
        let form = self.0.iter().find(|form| form.names.contains(&name) || form.names.is_empty())?;
        Some(Called { name_key: form.name.to_owned(), input_key: form.input.to_owned(), name: name.to_owned() })
    }

    fn names(&self) -> Vec<&'s str> {
        self.0.iter().flat_map(|form| form.names.iter().copied()).collect()
    }

    /// Whether an object names its tool itself.
    fn is_call(&self, value: &Value) -> bool {
        self.0.iter().any(|form| value.get(form.name).is_some()) || WRAPPERS.iter().any(|key| value.get(key).is_some())
    }

    /// The call whose arguments begin at `start`: named in an `Action:` line, or right before as in `name({…})`.
    pub(super) fn name_before(
        &self,
        text: &str,
        start: usize,
        value: &Value,
        single: bool,
    ) -> Result<Option<Called>, Reason> {
        if self.0.is_empty() || self.is_call(value) {
            return Ok(None);
        }
        match action_lines(text).as_slice() {
            [] => {}
            // The input of an action that does not exist, or of one of several, is nobody's.
            [name] if single => return self.call(name).map(Some).ok_or(Reason::NoJson),
            _ => return Err(Reason::NoJson),
        }
        let before = text.get(..start).unwrap_or_default().trim_end();
        let (before, called) = before.strip_suffix('(').map_or((before, false), |before| (before, true));
        let word = before.len() - before.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || c == '_').len();
        let name = before.get(before.len() - word..).unwrap_or_default();
        if self.names().contains(&name) {
            return Ok(self.call(name));
        }
        // The arguments of a tool that does not exist are nobody's arguments.
        if called && !name.is_empty() { Err(Reason::NoJson) } else { Ok(None) }
    }
}

/// Whether a line gives the arguments of an action.
pub(super) fn input_line(line: &str) -> bool {
    ["Action Input:", "Action Input：", "Action input:", "行动输入：", "行动输入:"]
        .iter()
        .any(|mark| line.starts_with(mark))
}

/// The names in the `Action:` lines of a text that gives inputs of actions.
fn action_lines(text: &str) -> Vec<&str> {
    let marks = ["Action:", "Action：", "行动：", "行动:"];
    if !text.lines().any(|line| input_line(line.trim_start())) {
        return Vec::new();
    }
    let names = text.lines().filter_map(|line| marks.iter().find_map(|mark| line.trim_start().strip_prefix(mark)));
    names.map(|name| name.trim().trim_matches(['`', '"', '*'])).filter(|name| !name.is_empty()).collect()
}

/// The calls inside a provider's envelope, under a schema that wants the bare call. Nothing for other values.
pub(super) fn unwrapped(value: &Value, schema: &Schema) -> Option<Vec<Value>> {
    let object = value.as_object()?;
    let wrapper = WRAPPERS.iter().find(|key| matches!(object.get(**key), Some(Value::Object(_) | Value::Array(_))));
    let beside = object.keys().any(|key| BESIDE.contains(&key.as_str()));
    let named = || object.contains_key("name") && object.contains_key("arguments");
    if wrapper.is_none() && !(beside && named()) {
        return None;
    }
    let wanted = |key: &str| {
        branches(schema).any(|branch| branch.get("properties").is_some_and(|properties| properties.get(key).is_some()))
    };
    if Envelopes::of(schema).0.is_empty() || object.keys().any(|key| BESIDE.contains(&key.as_str()) && wanted(key)) {
        return None;
    }
    let others = |inside: &[&str]| {
        object.iter().all(|(key, value)| {
            inside.contains(&key.as_str()) || (BESIDE.contains(&key.as_str()) && !matches!(value, Value::Object(_)))
        })
    };
    match wrapper {
        Some(key) if others(&[key]) && !wanted(key) => match object.get(*key)? {
            Value::Array(items) if !items.is_empty() => Some(items.clone()),
            inner @ Value::Object(_) => Some(vec![inner.clone()]),
            _ => None,
        },
        None if others(&["name", "arguments"]) => {
            let mut call = object.clone();
            call.retain(|key, _| !BESIDE.contains(&key.as_str()));
            Some(vec![Value::Object(call)])
        }
        _ => None,
    }
}

/// Marks by which calls in a model's own tags are known.
const TAGS: [&str; 10] = [
    "<function=",
    "<invoke ",
    "｜DSML｜",
    "|DSML|",
    "<arg_key>",
    "[TOOL_CALLS]",
    "<|tool_call_begin|>",
    "<｜tool▁sep｜>",
    "<|channel|>commentary",
    "<|START_ACTION|>",
];

type Values = Vec<(Value, Repairs)>;

/// The calls that a text writes in tags. Nothing for a text without such tags; an error when they hold no call that may
/// be made, for then what stands in them is nobody's arguments.
pub(super) fn own_tags(text: &str, envelopes: &Envelopes<'_>, repairs: &mut Repairs) -> Option<Result<Values, Reason>> {
    let names = envelopes.names();
    if names.is_empty() || !TAGS.iter().any(|tag| text.contains(tag)) {
        return None;
    }
    let found = text_calls::extract(text, &names);
    if found.calls.is_empty() {
        return Some(Err(Reason::NoJson));
    }
    repairs.push(Repair::OwnTags);
    if !found.text.trim().is_empty() {
        repairs.push(Repair::Prose);
    }
    let read = |call: crate::ToolCall| {
        let (input, own) = arguments(&call.arguments)?;
        let called = envelopes.call(&call.name).ok_or(Reason::NoJson)?;
        Ok((called.around(input), own))
    };
    Some(found.calls.into_iter().map(read).collect())
}

/// The arguments of an extracted call; what was in doubt was left as it was written, so it is read again here.
fn arguments(text: &str) -> Result<(Value, Repairs), Reason> {
    match strict::parse(text) {
        Ok(value) => Ok((value, Repairs::default())),
        Err(Reason::Syntax { at }) => match candidate(text, 0, &mut fuel(text)) {
            Outcome::Complete { value, end, repairs, .. } if end == text.len() => Ok((value, repairs)),
            Outcome::Refused(reason) => Err(reason),
            _ => Err(Reason::Syntax { at }),
        },
        Err(reason) => Err(reason),
    }
}
