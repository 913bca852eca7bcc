//! Checking the reader against a file of cases: what a model wrote, what it must be read as, and whether a write may use it.
//!
//! One JSON object a line: `id`, `raw`, `expect`, `action` (`accept`, `accept_flagged` or `reject`), `write_ok`, and if
//! wanted `finish_reason` and `schema`. A case without a schema is read under one that is made from the expected values of
//! the whole file, together with the calls of a small shop ([`EXAMPLES`]): the tools, their arguments and their types are
//! those that occur in them, and a member that occurs in none is unknown.

use indexmap::{IndexMap, IndexSet};
use serde::Serialize;
use serde_json::{Value as Schema, json};

use super::read::read;
use super::strict;
use super::value::{Object, Value};
use super::verdict::Verdict;
use crate::event::FinishReason;

/// Calls that make the schema of a file that shows only a few.
pub const EXAMPLES: &str = r#"[
    {"tool": "query_order", "args": {"order_id": "A-1"}},
    {"tool": "query_logistics", "args": {"order_id": "A-1"}},
    {"tool": "query_logistics", "args": {"tracking_no": "SF1"}},
    {"tool": "check_policy", "args": {"order_id": "A-1", "reason": "late", "opened": true, "coupon": "C"}},
    {"tool": "check_policy", "args": {"order_id": "A-1", "coupon": null}},
    {"tool": "create_return", "args": {"order_id": "A-1", "items": ["sku-1"], "amount": "5.00", "reason": "late"}},
    {"tool": "create_return", "args": {"order_id": "A-1"}},
    {"tool": "send_email", "args": {"to": "a@example.com", "template": "return_ok"}},
    {"tool": "send_email", "args": {"to": "a@example.com", "subject": "s", "body": "b"}},
    {"tool": "reply", "args": {"text": "hello"}},
    {"order_id": "A-1", "tracking_no": "1", "quantity": 2, "note": "n", "path": "p", "订单号": "A-1", "原因": "r", "金额": "5.00"}
]"#;

/// How calls are spelled: the key of the name and the key of the arguments.
const SPELLINGS: [(&str, &str); 5] =
    [("tool", "args"), ("name", "arguments"), ("name", "parameters"), ("action", "action_input"), ("tool", "arg")];

/// A file that is not one of cases.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {detail}")]
pub struct CaseError {
    /// From 1.
    pub line: usize,
    /// What is wrong.
    pub detail: String,
}

/// A case that was read otherwise than it should be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Miss {
    /// The case's id.
    pub id: String,
    /// What it must be.
    pub wanted: String,
    /// What it was read as.
    pub got: String,
    /// Why it must be so, in the file's words.
    pub why: String,
}

/// How a file of cases went.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// Cases in all.
    pub total: usize,
    /// Those read right.
    pub right: usize,
    /// The others.
    pub misses: Vec<Miss>,
}

struct Case {
    id: String,
    raw: String,
    expect: Value,
    action: String,
    write_ok: bool,
    why: String,
    finish: FinishReason,
    schema: Option<Schema>,
}

/// Reads every case of the file and compares.
///
/// # Errors
/// When a line is no case.
pub fn check(file: &str) -> Result<Report, CaseError> {
    let lines = file.trim_start_matches('\u{feff}').lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let cases = lines.map(|(n, line)| case(line).map_err(|detail| CaseError { line: n + 1, detail }));
    let cases = cases.collect::<Result<Vec<Case>, CaseError>>()?;
    let schema = inferred(&cases);
    let misses: Vec<Miss> = cases.iter().filter_map(|case| miss(case, &schema)).collect();
    Ok(Report { total: cases.len(), right: cases.len() - misses.len(), misses })
}

fn case(line: &str) -> Result<Case, String> {
    let Value::Object(mut members) = strict::parse(line.trim()).map_err(|reason| reason.to_string())? else {
        return Err("it is no object".into());
    };
    let mut text = |key: &str| match members.shift_remove(key) {
        Some(Value::String(text)) => Some(text),
        _ => None,
    };
    let raw = text("raw").ok_or("it has no raw text")?;
    let action = text("action").filter(|action| ["accept", "accept_flagged", "reject"].contains(&action.as_str()));
    let action = action.ok_or("its action is not accept, accept_flagged or reject")?;
    let finish = match text("finish_reason").or_else(|| text("finish")).as_deref() {
        Some("length" | "max_tokens") => FinishReason::Length,
        _ => FinishReason::Stop,
    };
    let (id, why) = (text("id").unwrap_or_default(), text("why").unwrap_or_default());
    let write_ok = match members.get("write_ok") {
        Some(Value::Bool(ok)) => *ok,
        _ => action == "accept",
    };
    let schema = members.get("schema").filter(|schema| **schema != Value::Null);
    let schema = schema.map(Value::to_serde).transpose().map_err(|error| error.to_string())?;
    let expect = members.shift_remove("expect").unwrap_or(Value::Null);
    Ok(Case { id, raw, expect, action, write_ok, why, finish, schema })
}

fn miss(case: &Case, schema: &Schema) -> Option<Miss> {
    let accepted = case.action != "reject";
    let plain = match &case.expect {
        // What is neither an object nor a list of objects is asked for by its kind alone.
        Value::Array(items) if !items.iter().all(Value::is_object) => Some(json!({"type": "array"})),
        Value::Bool(_) | Value::Number(_) | Value::String(_) => Some(json!({"type": case.expect.kind()})),
        _ => None,
    };
    let schema = case.schema.as_ref().or(plain.as_ref().filter(|_| accepted)).unwrap_or(schema);
    let verdict = read(&case.raw, schema, case.finish);
    let writes = verdict.clone().for_write().is_ok();
    let right = writes == case.write_ok
        && match &verdict {
            Verdict::Clean(value) | Verdict::Repaired { value, .. } => accepted && same(value, &case.expect),
            Verdict::Ambiguous { candidates } => {
                !accepted || matches!(&case.expect, Value::Array(wanted) if all_same(candidates, wanted))
            }
            Verdict::Truncated { .. } | Verdict::NotJson { .. } => !accepted,
        };
    let wanted = if accepted { format!("{} {}", case.action, case.expect) } else { case.action.clone() };
    (!right).then(|| Miss { id: case.id.clone(), wanted, got: shown(&verdict), why: case.why.clone() })
}

/// A verdict in a line.
fn shown(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Clean(value) => format!("clean {value}"),
        Verdict::Repaired { value, repairs } if repairs.harmless() => {
            format!("repaired, harmless ({repairs}): {value}")
        }
        Verdict::Repaired { value, repairs } => format!("repaired, not for writes ({repairs}): {value}"),
        Verdict::Ambiguous { candidates } => format!("ambiguous: {}", Value::Array(candidates.clone())),
        Verdict::Truncated { .. } => "truncated".into(),
        Verdict::NotJson { reason } => format!("refused: {reason}"),
    }
}

fn all_same(left: &[Value], right: &[Value]) -> bool {
    left.len() == right.len() && left.iter().zip(right).all(|(left, right)| same(left, right))
}

/// Equality in which `2` and `2.0` are one number and members have no order.
fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => left.same_as(right),
        (Value::Array(left), Value::Array(right)) => all_same(left, right),
        (Value::Object(left), Value::Object(right)) => {
            left.len() == right.len()
                && left.iter().all(|(key, value)| right.get(key).is_some_and(|other| same(value, other)))
        }
        (left, right) => left == right,
    }
}

/// A call's name, its arguments, and what stands beside them.
fn as_call(object: &Object) -> Option<((&'static str, &'static str), &str, &Object)> {
    SPELLINGS.into_iter().find_map(|(name, input)| {
        let (called, arguments) = (object.get(name)?.as_str()?, object.get(input)?.as_object()?);
        Some(((name, input), called, arguments))
    })
}

/// The schema that the accepted values and the examples make together.
fn inferred(cases: &[Case]) -> Schema {
    let examples = strict::parse(EXAMPLES).unwrap_or(Value::Null);
    let accepted = cases.iter().filter(|case| case.action != "reject").map(|case| &case.expect);
    let mut objects: Vec<&Object> = Vec::new();
    for value in accepted.chain(std::iter::once(&examples)) {
        match value {
            Value::Object(object) => objects.push(object),
            Value::Array(items) => objects.extend(items.iter().filter_map(Value::as_object)),
            _ => {}
        }
    }
    let mut tools: IndexMap<&str, Vec<&Object>> = IndexMap::new();
    let mut arguments: Vec<&Object> = Vec::new();
    let mut beside: IndexMap<&str, Vec<&Value>> = IndexMap::new();
    for object in objects {
        let Some(((name_key, input_key), name, input)) = as_call(object) else {
            arguments.push(object);
            continue;
        };
        tools.entry(name).or_default().push(input);
        arguments.push(input);
        for (key, value) in object.iter().filter(|(key, _)| *key != name_key && *key != input_key) {
            beside.entry(key).or_default().push(value);
        }
    }
    let known = members(&arguments);
    let mut branches = Vec::new();
    for (name_key, input_key) in SPELLINGS {
        for (tool, inputs) in &tools {
            let mut properties = serde_json::Map::new();
            properties.insert(name_key.into(), json!({"const": tool}));
            properties.insert(input_key.into(), object(known.clone(), &required(inputs)));
            properties.extend(beside.iter().map(|(key, values)| ((*key).to_owned(), of(values))));
            branches.push(object(properties, &[name_key, input_key]));
        }
    }
    branches.push(object(known, &[]));
    json!({"oneOf": branches})
}

fn object(properties: serde_json::Map<String, Schema>, required: &[&str]) -> Schema {
    let properties = Schema::Object(properties);
    json!({"type": "object", "required": required, "additionalProperties": false, "properties": properties})
}

/// The members that all of them have.
fn required<'a>(objects: &[&'a Object]) -> Vec<&'a str> {
    let keys = objects.first().map(|first| first.keys()).into_iter().flatten();
    keys.filter(|key| objects.iter().all(|object| object.contains_key(*key))).map(String::as_str).collect()
}

/// Each member's schema.
fn members(objects: &[&Object]) -> serde_json::Map<String, Schema> {
    let mut values: IndexMap<&str, Vec<&Value>> = IndexMap::new();
    for (key, value) in objects.iter().flat_map(|object| object.iter()) {
        values.entry(key).or_default().push(value);
    }
    values.into_iter().map(|(key, values)| (key.to_owned(), of(&values))).collect()
}

/// The schema of these values.
fn of(values: &[&Value]) -> Schema {
    let kind = |value: &&Value| match value {
        Value::Number(number) if number.as_str().bytes().all(|b| b.is_ascii_digit() || b == b'-') => "integer",
        value => value.kind(),
    };
    let mut kinds: IndexSet<&str> = values.iter().map(kind).collect();
    if kinds.contains("number") {
        kinds.shift_remove("integer");
    }
    let objects: Vec<&Object> = values.iter().filter_map(|value| value.as_object()).collect();
    let items: Vec<&Value> = values
        .iter()
        .filter_map(|value| if let Value::Array(items) = value { Some(items) } else { None })
        .flatten()
        .collect();
    let mut schema = json!({"type": kinds.iter().collect::<Vec<_>>()});
    if let Some(rules) = schema.as_object_mut() {
        if !objects.is_empty() {
            rules.insert("properties".into(), Schema::Object(members(&objects)));
            rules.insert("additionalProperties".into(), json!(false));
        }
        if !items.is_empty() {
            rules.insert("items".into(), of(&items));
        }
    }
    schema
}
