//! Making a value fit its schema where the meaning is plain, and saying where it does not.
//!
//! Digits become text unchanged and text in canonical digits becomes a number; nothing is split, translated or
//! rounded. Understood are `type`, `enum`, `const`, `properties`, `required`, `additionalProperties`, `items`, `anyOf`,
//! `oneOf`, `allOf` and local `$ref`.

use serde_json::Value as Schema;

use super::MAX_DEPTH;
use super::lenient::{Outcome, candidate};
use super::read::fuel;
use super::repair::{Repair, Repairs};
use super::strict;
use super::value::{Number, Object, Value};
use super::verdict::Reason;

/// The value as the schema wants it.
pub(super) fn coerce(value: Value, schema: &Schema, repairs: &mut Repairs) -> Result<Value, Reason> {
    Coercion { root: schema }.fit(value, schema, &Path::Root, repairs, 0)
}

struct Coercion<'a> {
    root: &'a Schema,
}

/// Where a value stands; written out only when something is wrong there.
#[derive(Clone, Copy)]
enum Path<'p> {
    Root,
    Member(&'p Path<'p>, &'p str),
    Item(&'p Path<'p>, usize),
}

impl Path<'_> {
    /// As a JSON pointer.
    fn pointer(&self) -> String {
        match self {
            Self::Root => String::new(),
            Self::Member(parent, name) => {
                format!("{}/{}", parent.pointer(), name.replace('~', "~0").replace('/', "~1"))
            }
            Self::Item(parent, n) => format!("{}/{n}", parent.pointer()),
        }
    }
}

fn misfit(path: &Path<'_>, detail: impl Into<String>) -> Reason {
    let pointer = path.pointer();
    let path = if pointer.is_empty() { "the answer".to_owned() } else { pointer };
    Reason::Schema { path, detail: detail.into() }
}

/// The names of the types a schema allows; none when it does not say.
fn types(schema: &Schema) -> impl Iterator<Item = &str> + Clone {
    let names: &[Schema] = match schema.get("type") {
        Some(one @ Schema::String(_)) => std::slice::from_ref(one),
        Some(Schema::Array(several)) => several,
        _ => &[],
    };
    names.iter().filter_map(Schema::as_str)
}

/// Whether the schema wants something that is no list.
pub(super) fn refuses_lists(schema: &Schema) -> bool {
    let refuses = |schema: &Schema| types(schema).next().is_some() && types(schema).all(|name| name != "array");
    let branches = ["anyOf", "oneOf"].iter().find_map(|word| schema.get(word)?.as_array());
    refuses(schema) || branches.is_some_and(|branches| branches.iter().all(refuses))
}

fn is_of(value: &Value, name: &str) -> bool {
    match (value, name) {
        (Value::Number(number), "integer") => number.as_str().bytes().all(|b| b.is_ascii_digit() || b == b'-'),
        (value, name) => value.kind() == name,
    }
}

impl<'a> Coercion<'a> {
    fn resolve(&self, mut schema: &'a Schema) -> &'a Schema {
        for _ in 0..16 {
            let Some(pointer) = schema.get("$ref").and_then(Schema::as_str).and_then(|r| r.strip_prefix('#')) else {
                break;
            };
            match self.root.pointer(pointer) {
                Some(target) => schema = target,
                None => break,
            }
        }
        schema
    }

    fn fit(
        &self,
        value: Value,
        schema: &'a Schema,
        path: &Path<'_>,
        repairs: &mut Repairs,
        depth: usize,
    ) -> Result<Value, Reason> {
        if depth > MAX_DEPTH {
            return Err(Reason::TooDeep);
        }
        let schema = self.resolve(schema);
        match schema {
            Schema::Bool(false) => return Err(misfit(path, "is not allowed here")),
            Schema::Object(rules) if !rules.is_empty() => {}
            _ => return Ok(value),
        }
        let mut value = self.of_type(value, schema, path, repairs)?;
        for part in schema.get("allOf").and_then(Schema::as_array).into_iter().flatten() {
            value = self.fit(value, part, path, repairs, depth + 1)?;
        }
        for word in ["anyOf", "oneOf"] {
            if let Some(branches) = schema.get(word).and_then(Schema::as_array) {
                value = self.one_of(&value, branches, path, repairs, depth)?;
            }
        }
        let value = allowed(value, schema, path, repairs)?;
        match value {
            Value::Object(members) => self.members(members, schema, path, repairs, depth).map(Value::Object),
            Value::Array(items) => self.items(items, schema, path, repairs, depth).map(Value::Array),
            scalar => Ok(scalar),
        }
    }

    /// Exactly fitting branches win; a branch that needs coercion must be the only one that can be made to fit.
    fn one_of(
        &self,
        value: &Value,
        branches: &'a [Schema],
        path: &Path<'_>,
        repairs: &mut Repairs,
        depth: usize,
    ) -> Result<Value, Reason> {
        let mut coerced: Option<(Value, Repairs)> = None;
        let mut several = false;
        let mut best: Option<Reason> = None;
        for branch in branches {
            let mut own = Repairs::default();
            match self.fit(value.clone(), branch, path, &mut own, depth + 1) {
                Ok(value) if own.is_empty() => return Ok(value),
                Ok(value) => {
                    several |= coerced.as_ref().is_some_and(|(other, _)| *other != value);
                    coerced = coerced.or(Some((value, own)));
                }
                Err(reason) => {
                    if best.is_none() || self.is_meant(value, branch) {
                        best = Some(reason);
                    }
                }
            }
        }
        match coerced {
            Some((value, own)) if !several => {
                repairs.extend(&own);
                Ok(value)
            }
            Some(_) => Err(misfit(path, "fits several of the allowed forms")),
            None => Err(best.unwrap_or_else(|| misfit(path, "fits none of the allowed forms"))),
        }
    }

    /// Whether a constant of the branch, such as the tool's name, says that it is the one meant.
    fn is_meant(&self, value: &Value, branch: &'a Schema) -> bool {
        let properties = self.resolve(branch).get("properties").and_then(Schema::as_object);
        properties.into_iter().flatten().any(|(name, property)| {
            property.get("const").is_some_and(|wanted| value.get(name) == Some(&Value::from_serde(wanted)))
        })
    }

    fn members(
        &self,
        members: Object,
        schema: &'a Schema,
        path: &Path<'_>,
        repairs: &mut Repairs,
        depth: usize,
    ) -> Result<Object, Reason> {
        let properties = schema.get("properties").and_then(Schema::as_object);
        let required = |name: &str| {
            let names = schema.get("required").and_then(Schema::as_array);
            names.is_some_and(|names| names.iter().any(|wanted| wanted.as_str() == Some(name)))
        };
        let mut members = unwrap_echo(members, schema, repairs);
        let mut dropped = Vec::new();
        for (name, place) in &mut members {
            let inner = Path::Member(path, name);
            let Some(property) = properties.and_then(|properties| properties.get(name)) else {
                match schema.get("additionalProperties") {
                    Some(Schema::Bool(false)) => return Err(misfit(&inner, "is not a known member")),
                    Some(extra) => {
                        *place = self.fit(std::mem::replace(place, Value::Null), extra, &inner, repairs, depth + 1)?
                    }
                    None => {}
                }
                continue;
            };
            let value = std::mem::replace(place, Value::Null);
            let null = value == Value::Null;
            match self.fit(value, property, &inner, repairs, depth + 1) {
                Err(_) if null && !required(name) => dropped.push(name.clone()),
                value => *place = value?,
            }
        }
        if !dropped.is_empty() {
            repairs.push(Repair::NullDropped);
            members.retain(|name, _| !dropped.contains(name));
        }
        for name in schema.get("required").and_then(Schema::as_array).into_iter().flatten().filter_map(Schema::as_str) {
            if !members.contains_key(name) {
                return Err(misfit(path, format!("lacks {name:?}")));
            }
        }
        Ok(members)
    }

    fn items(
        &self,
        items: Vec<Value>,
        schema: &'a Schema,
        path: &Path<'_>,
        repairs: &mut Repairs,
        depth: usize,
    ) -> Result<Vec<Value>, Reason> {
        let Some(wanted) = schema.get("items") else { return Ok(items) };
        let fit = |(n, item): (usize, Value)| self.fit(item, wanted, &Path::Item(path, n), repairs, depth + 1);
        items.into_iter().enumerate().map(fit).collect()
    }

    fn of_type(
        &self,
        value: Value,
        schema: &'a Schema,
        path: &Path<'_>,
        repairs: &mut Repairs,
    ) -> Result<Value, Reason> {
        let wanted = types(schema);
        if wanted.clone().next().is_none() || wanted.clone().any(|name| is_of(&value, name)) {
            return Ok(value);
        }
        let nested = || wanted.clone().find_map(|name| nested(&value, name));
        if let Some((inner, own)) = nested() {
            repairs.push(Repair::Decoded);
            repairs.extend(&own);
            return Ok(inner);
        }
        let converted = wanted.clone().find_map(|name| self.convert(&value, name, schema));
        let Some((value, repair)) = converted else {
            return Err(misfit(
                path,
                format!("must be {}, not {}", wanted.collect::<Vec<_>>().join(" or "), value.kind()),
            ));
        };
        repairs.push(repair);
        Ok(value)
    }

    fn convert(&self, value: &Value, wanted: &str, schema: &'a Schema) -> Option<(Value, Repair)> {
        match (wanted, value) {
            ("string", Value::Number(number)) => {
                Some((Value::String(number.as_str().to_owned()), Repair::NumberToText))
            }
            ("integer", Value::Number(number)) => Some((Value::Number(number.whole()?), Repair::WholeNumber)),
            ("number" | "integer", Value::String(text)) => {
                let number = Value::Number(Number::new(text).filter(|_| !text.contains(['e', 'E']))?);
                is_of(&number, wanted).then_some((number, Repair::TextToNumber))
            }
            ("boolean", Value::String(text)) => {
                let truth =
                    [("true", true), ("false", false)].into_iter().find(|(name, _)| text.eq_ignore_ascii_case(name));
                truth.map(|(_, truth)| (Value::Bool(truth), Repair::TextToBoolean))
            }
            ("array", Value::String(_) | Value::Number(_) | Value::Bool(_) | Value::Object(_)) => {
                self.list_of(value, schema)
            }
            _ => None,
        }
    }

    /// A single value as a list of one; a text that may itself be a list stays as it is.
    fn list_of(&self, value: &Value, schema: &'a Schema) -> Option<(Value, Repair)> {
        let may_be_list =
            value.as_str().is_some_and(|text| text.contains([',', '，', '、', ';', '；', '\n', '[', '|']));
        let wanted = self.resolve(schema.get("items")?);
        let fits = types(wanted).any(|name| is_of(value, name));
        (fits && !may_be_list).then(|| (Value::Array(vec![value.clone()]), Repair::SingleToList))
    }
}

/// An object or a list written as text, once or twice over; a Python literal is read as one.
fn nested(value: &Value, wanted: &str) -> Option<(Value, Repairs)> {
    if !matches!(wanted, "object" | "array") {
        return None;
    }
    let text = value.as_str()?.trim();
    match strict::parse(text) {
        Ok(Value::String(inner)) => {
            strict::parse(&inner).ok().filter(|inner| is_of(inner, wanted)).map(|inner| (inner, Repairs::default()))
        }
        Ok(inner) => is_of(&inner, wanted).then(|| (inner, Repairs::default())),
        Err(Reason::Syntax { .. }) => match candidate(text, 0, &mut fuel(text)) {
            Outcome::Complete { value, end, repairs, .. } if end == text.len() && is_of(&value, wanted) => {
                Some((value, repairs))
            }
            _ => None,
        },
        Err(_) => None,
    }
}

/// The members that stand inside a copy of the schema, where the schema has no member of that name.
fn unwrap_echo(mut members: Object, schema: &Schema, repairs: &mut Repairs) -> Object {
    const WORDS: [&str; 6] = ["type", "properties", "required", "additionalProperties", "description", "title"];
    let is_echo = members.get("type").and_then(Value::as_str) == Some("object")
        && members.keys().all(|name| WORDS.contains(&name.as_str()))
        && schema
            .get("properties")
            .is_some_and(|known| known.get("properties").is_none() && known.get("type").is_none());
    if is_echo && let Some(Value::Object(inner)) = members.get_mut("properties") {
        repairs.push(Repair::SchemaEcho);
        return std::mem::take(inner);
    }
    members
}

/// Checks `const` and `enum`; a text in other case becomes the one allowed value it can mean.
fn allowed(value: Value, schema: &Schema, path: &Path<'_>, repairs: &mut Repairs) -> Result<Value, Reason> {
    let listed = match (schema.get("const"), schema.get("enum").and_then(Schema::as_array)) {
        (Some(one), _) => std::slice::from_ref(one),
        (None, Some(several)) => several,
        (None, None) => return Ok(value),
    };
    if listed.iter().any(|allowed| Value::from_serde(allowed) == value) {
        return Ok(value);
    }
    if let Some(text) = value.as_str() {
        let same = |allowed: &&str| allowed.to_lowercase() == text.trim().to_lowercase();
        let mut meant = listed.iter().filter_map(Schema::as_str).filter(same);
        if let (Some(one), None) = (meant.next(), meant.next()) {
            repairs.push(Repair::EnumCase);
            return Ok(Value::String(one.to_owned()));
        }
    }
    let names: Vec<String> = listed.iter().map(ToString::to_string).collect();
    Err(misfit(path, format!("must be {}", names.join(" or "))))
}
