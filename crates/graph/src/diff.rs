//! What is different between two states, place by place.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// How a place differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DifferenceKind {
    /// It is only in the later state.
    Added,
    /// It is only in the earlier state.
    Removed,
    /// It has another value.
    Changed,
}

/// One place that differs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    /// Where: a JSON Pointer (RFC 6901); empty for the whole.
    pub path: String,
    /// How.
    pub kind: DifferenceKind,
    /// What was there.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "crate::step::present")]
    pub before: Option<Value>,
    /// What is there.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "crate::step::present")]
    pub after: Option<Value>,
}

impl Difference {
    fn added(path: String, after: &Value) -> Self {
        Self { path, kind: DifferenceKind::Added, before: None, after: Some(after.clone()) }
    }

    fn removed(path: String, before: &Value) -> Self {
        Self { path, kind: DifferenceKind::Removed, before: Some(before.clone()), after: None }
    }
}

/// The places at which two values differ, in order, at most `limit`; and whether there are more.
///
/// Objects are compared by key and arrays by index, since states mostly grow at their ends.
#[must_use]
pub fn differences(before: &Value, after: &Value, limit: usize) -> (Vec<Difference>, bool) {
    let mut found = Vec::new();
    compare(String::new(), before, after, limit.saturating_add(1), &mut found);
    let more = found.len() > limit;
    found.truncate(limit);
    (found, more)
}

fn below(path: &str, key: &str) -> String {
    format!("{path}/{}", key.replace('~', "~0").replace('/', "~1"))
}

fn compare(path: String, before: &Value, after: &Value, limit: usize, found: &mut Vec<Difference>) {
    if found.len() >= limit || before == after {
        return;
    }
    match (before, after) {
        (Value::Object(old), Value::Object(new)) => {
            for (key, was) in old {
                match new.get(key) {
                    Some(is) => compare(below(&path, key), was, is, limit, found),
                    None => found.push(Difference::removed(below(&path, key), was)),
                }
            }
            for (key, is) in new.iter().filter(|(key, _)| !old.contains_key(*key)) {
                found.push(Difference::added(below(&path, key), is));
            }
        }
        (Value::Array(old), Value::Array(new)) => {
            for (index, (was, is)) in old.iter().zip(new).enumerate() {
                compare(below(&path, &index.to_string()), was, is, limit, found);
            }
            for (index, was) in old.iter().enumerate().skip(new.len()) {
                found.push(Difference::removed(below(&path, &index.to_string()), was));
            }
            for (index, is) in new.iter().enumerate().skip(old.len()) {
                found.push(Difference::added(below(&path, &index.to_string()), is));
            }
        }
        _ => found.push(Difference {
            path,
            kind: DifferenceKind::Changed,
            before: Some(before.clone()),
            after: Some(after.clone()),
        }),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn differences_name_each_place_and_keep_null_apart_from_nothing() {
        let before = json!({"a": 1, "gone": null, "list": [1, {"x": 1}], "same": {"k": [1]}, "s/l~": 1});
        let after = json!({"a": 2, "list": [1, {"x": 2}, 3], "same": {"k": [1]}, "new": null, "s/l~": 2});
        let (found, more) = differences(&before, &after, 10);
        let told: Vec<(&str, DifferenceKind)> = found.iter().map(|d| (d.path.as_str(), d.kind)).collect();
        use DifferenceKind::{Added, Changed, Removed};
        let expected = [
            ("/a", Changed),
            ("/gone", Removed),
            ("/list/1/x", Changed),
            ("/list/2", Added),
            ("/s~1l~0", Changed),
            ("/new", Added),
        ];
        assert_eq!(told, expected);
        assert!(!more);
        assert_eq!(found[1].before, Some(Value::Null));
        let read: Vec<Difference> = serde_json::from_value(serde_json::to_value(&found).unwrap()).unwrap();
        assert_eq!(read, found, "null survives the wire");
        assert_eq!(differences(&before, &after, 2).0.len(), 2);
        assert!(differences(&before, &after, 2).1);
        assert_eq!(differences(&json!(1), &json!([1]), 9).0[0].path, "");
    }
}
