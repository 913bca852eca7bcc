//! Reading a call's arguments: from the text a model wrote to a value the tool's schema accepts.

use jsonschema::{ValidationError, Validator, error::ValidationErrorKind};
use mercer_model::{FinishReason, json};
use serde_json::{Map, Value};

use super::{FailureKind, Nature, ToolError};
use crate::quote;

/// How many complaints a model is told at once.
const COMPLAINTS: usize = 4;

/// Reads the text of a call's arguments and checks them against the tool's schema. Reads may run on repaired and coerced
/// text, writes only on what is beyond doubt.
pub(super) fn read(text: &str, schema: &Value, validator: &Validator, nature: Nature) -> Result<Value, ToolError> {
    let text = text.trim();
    if text.is_empty() || text == "null" {
        return check(object(Value::Object(Map::new()), schema)?, validator);
    }
    let strict =
        json::parse_strict(text).ok().and_then(|value| value.to_serde().ok()).map(|value| unwrapped(value, schema));
    let fault = match strict {
        Some(value) => match value.and_then(|value| check(value, validator)) {
            Ok(value) => return Ok(value),
            Err(fault) => Some(fault),
        },
        None => None,
    };
    let verdict = json::read(text, schema, FinishReason::ToolCalls);
    let read = if nature.is_read() { verdict.for_read() } else { verdict.for_write().map(json::ForWrite::into_inner) };
    match read {
        Ok(value) => check(unwrapped(value.to_serde().map_err(ToolError::internal)?, schema)?, validator),
        // What the schema says is clearer than that the text cannot be repaired.
        Err(complaint) => Err(fault.unwrap_or_else(|| ToolError::invalid(complaint.to_string()))),
    }
}

/// The arguments as an object; some servers send them as a text that holds one.
fn unwrapped(value: Value, schema: &Value) -> Result<Value, ToolError> {
    match value {
        Value::String(inner) => match serde_json::from_str::<Value>(&inner) {
            Ok(value @ Value::Object(_)) => object(value, schema),
            _ => object(Value::String(inner), schema),
        },
        other => object(other, schema),
    }
}

fn object(value: Value, schema: &Value) -> Result<Value, ToolError> {
    match value {
        Value::Object(fields) => Ok(Value::Object(without_nulls(fields, schema))),
        other => Err(ToolError::invalid(format!("The arguments have to be one JSON object, not {}.", kind_of(&other)))),
    }
}

fn check(value: Value, validator: &Validator) -> Result<Value, ToolError> {
    let complaints = validator.iter_errors(&value).take(COMPLAINTS).map(|error| complaint(&error)).collect::<Vec<_>>();
    if complaints.is_empty() {
        return Ok(value);
    }
    let text = complaints.join(" ");
    Err(ToolError::new(FailureKind::InvalidArgument, format!("The call was not made. {text}")))
}

/// A `null` for an argument that may be left out is how many models leave it out.
fn without_nulls(fields: Map<String, Value>, schema: &Value) -> Map<String, Value> {
    let required = |name: &str| {
        schema
            .get("required")
            .and_then(Value::as_array)
            .is_some_and(|names| names.iter().any(|required| required == name))
    };
    fields.into_iter().filter(|(name, value)| !value.is_null() || required(name)).collect()
}

/// A value in the form in which two calls are compared: keys sorted, nulls gone, texts trimmed with single spaces, whole
/// numbers written as such.
#[must_use]
pub fn normalised(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let mut sorted = fields.iter().filter(|(_, item)| !item.is_null()).collect::<Vec<_>>();
            sorted.sort_by(|a, b| a.0.cmp(b.0));
            Value::Object(sorted.into_iter().map(|(key, item)| (key.clone(), normalised(item))).collect())
        }
        Value::Array(items) => Value::Array(items.iter().map(normalised).collect()),
        Value::String(text) => Value::String(text.split_whitespace().collect::<Vec<_>>().join(" ")),
        Value::Number(number) => whole(number).unwrap_or_else(|| value.clone()),
        Value::Null | Value::Bool(_) => value.clone(),
    }
}

fn whole(number: &serde_json::Number) -> Option<Value> {
    let text = number.to_string();
    let (digits, zeros) = text.split_once('.')?;
    (!zeros.is_empty() && zeros.bytes().all(|b| b == b'0')).then(|| digits.parse::<i64>().ok().map(Value::from))?
}

/// The argument that a bare text stands for: the only required one, or the only one.
pub(super) fn main_argument(schema: &Value) -> Option<String> {
    let required = schema.get("required").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    if let [only] = required {
        return only.as_str().map(str::to_owned);
    }
    let properties = schema.get("properties").and_then(Value::as_object)?;
    let mut names = properties.keys();
    match (names.next(), names.next()) {
        (Some(only), None) => Some(only.clone()),
        _ => None,
    }
}

fn complaint(error: &ValidationError<'_>) -> String {
    use ValidationErrorKind as Kind;
    let place = place(error.instance_path().as_str());
    let is = quote::field(&error.instance().to_string(), 60);
    match error.kind() {
        Kind::Required { property } => format!("Argument {property} is missing{}.", within(&place)),
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            let names = unexpected.iter().map(|name| quote::field(name, 40)).collect::<Vec<_>>().join(", ");
            format!("There is no argument called {names}{}; leave it out.", within(&place))
        }
        Kind::Type { kind } => format!("{place} has to be {}, not {is}.", types(kind)),
        Kind::Enum { options } => format!("{place} has to be one of {options}, not {is}."),
        Kind::Constant { expected_value } => format!("{place} has to be {expected_value}, not {is}."),
        Kind::Minimum { limit } => format!("{place} has to be at least {limit}, not {is}."),
        Kind::Maximum { limit } => format!("{place} has to be at most {limit}, not {is}."),
        Kind::ExclusiveMinimum { limit } => format!("{place} has to be more than {limit}, not {is}."),
        Kind::ExclusiveMaximum { limit } => format!("{place} has to be less than {limit}, not {is}."),
        Kind::MinLength { limit } => format!("{place} needs at least {limit} characters."),
        Kind::MaxLength { limit } => format!("{place} may have at most {limit} characters."),
        Kind::MinItems { limit } => format!("{place} needs at least {limit} items."),
        Kind::MaxItems { limit } => format!("{place} may have at most {limit} items."),
        Kind::Pattern { pattern } => format!("{place} has to look like {pattern}, not {is}."),
        Kind::Format { format } => format!("{place} has to be written as {format}, not {is}."),
        Kind::AnyOf { .. } | Kind::OneOfNotValid { .. } | Kind::OneOfMultipleValid { .. } => {
            format!("{place} has none of the allowed forms: {is}.")
        }
        other => format!("{place} is not allowed as it is ({}): {is}.", other.keyword()),
    }
}

fn place(pointer: &str) -> String {
    let path = pointer.trim_start_matches('/');
    if path.is_empty() { "The arguments".to_owned() } else { format!("Argument \"{}\"", quote::field(path, 80)) }
}

fn within(place: &str) -> String {
    if place == "The arguments" { String::new() } else { format!(" in {place}") }
}

fn types(kind: &jsonschema::error::TypeKind) -> String {
    match kind {
        jsonschema::error::TypeKind::Single(one) => format!("of type {one}"),
        jsonschema::error::TypeKind::Multiple(set) => {
            let names = set.iter().map(|one| one.to_string()).collect::<Vec<_>>();
            format!("of type {}", names.join(" or "))
        }
    }
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
