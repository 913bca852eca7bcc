//! Whether what is expected of a document holds.

use serde_json::Value;

use super::scenario::{Expect, Words};

impl Expect {
    /// What does not hold, in words; nothing when all does.
    #[must_use]
    pub fn fails(&self, document: &Value) -> Option<String> {
        let found = pick(document, &self.at);
        let found: Vec<&Value> = match &self.having {
            Some(having) => {
                let items = found.into_iter().filter_map(Value::as_array).flatten();
                items.filter(|item| has(item, having)).collect()
            }
            None => found,
        };
        if self.having.is_some() {
            // The counts are of the items that match.
            return self.counted(found.len()).or_else(|| self.each(&found));
        }
        if self.exists == Some(false) {
            let there = found.iter().find(|value| !value.is_null());
            return there.map(|value| format!("{} is there: {}", self.place(), short(value)));
        }
        if found.is_empty() {
            return Some(format!("{} is not there", self.place()));
        }
        self.each(&found)
    }

    fn each(&self, found: &[&Value]) -> Option<String> {
        found.iter().find_map(|value| self.one(value))
    }

    fn counted(&self, number: usize) -> Option<String> {
        if self.exists == Some(false) && number > 0 {
            return Some(format!("{} has {number} of them", self.place()));
        }
        let wanted = self.count.map_or(self.count_at_least.map_or(1, |least| least.min(number)), |count| count);
        let enough = match (self.count, self.count_at_least, self.exists) {
            (Some(count), _, _) => number == count,
            (None, Some(least), _) => number >= least,
            (None, None, Some(false)) => true,
            (None, None, _) => number > 0,
        };
        (!enough)
            .then(|| format!("{} has {number} of them, not {}", self.place(), self.count_at_least.unwrap_or(wanted)))
    }

    fn one(&self, value: &Value) -> Option<String> {
        let is = |what: String| Some(format!("{} is {}, {what}", self.place(), short(value)));
        if self.exists == Some(true) && value.is_null() {
            return is("but has to be there".to_owned());
        }
        if let Some(wanted) = self.equals.as_ref().filter(|wanted| !same(value, wanted)) {
            return is(format!("not {}", short(wanted)));
        }
        if let Some(unwanted) = self.differs.as_ref().filter(|unwanted| same(value, unwanted)) {
            return is(format!("but may not be {}", short(unwanted)));
        }
        if let Some(least) = self.at_least.filter(|least| value.as_f64().is_none_or(|number| number < *least)) {
            return is(format!("but has to be at least {least}"));
        }
        if let Some(most) = self.at_most.filter(|most| value.as_f64().is_none_or(|number| number > *most)) {
            return is(format!("but may be at most {most}"));
        }
        if let Some(wanted) = self.contains.as_ref().filter(|wanted| !contains(value, wanted)) {
            return is(format!("and does not contain {}", short(wanted)));
        }
        if self.having.is_some() {
            return None;
        }
        let size = match value {
            Value::Array(items) => items.len(),
            Value::Object(fields) => fields.len(),
            Value::String(text) => text.chars().count(),
            Value::Null => 0,
            Value::Bool(_) | Value::Number(_) => 1,
        };
        if let Some(count) = self.count.filter(|count| size != *count) {
            return is(format!("of size {size}, not {count}"));
        }
        if let Some(least) = self.count_at_least.filter(|least| size < *least) {
            return is(format!("of size {size}, less than {least}"));
        }
        None
    }

    fn place(&self) -> String {
        let at = if self.at.is_empty() { "the document" } else { &self.at };
        match &self.having {
            Some(having) => format!("{at} having {}", short(having)),
            None => at.to_owned(),
        }
    }
}

/// The values at a pointer; `*` stands for every item.
fn pick<'a>(document: &'a Value, pointer: &str) -> Vec<&'a Value> {
    let mut found = vec![document];
    for segment in pointer.split('/').skip(1) {
        let name = segment.replace("~1", "/").replace("~0", "~");
        found = found
            .into_iter()
            .flat_map(|value| match (name.as_str(), value) {
                ("*", Value::Array(items)) => items.iter().collect::<Vec<_>>(),
                ("*", Value::Object(fields)) => fields.values().collect(),
                (name, Value::Array(items)) => {
                    name.parse::<usize>().ok().and_then(|at| items.get(at)).into_iter().collect()
                }
                (name, Value::Object(fields)) => fields.get(name).into_iter().collect(),
                _ => Vec::new(),
            })
            .collect();
    }
    found
}

fn has(item: &Value, having: &Value) -> bool {
    let Some(wanted) = having.as_object() else { return same(item, having) };
    wanted.iter().all(|(name, value)| {
        let path = if name.starts_with('/') { name.clone() } else { format!("/{name}") };
        pick(item, &path).first().is_some_and(|found| same(found, value))
    })
}

fn same(a: &Value, b: &Value) -> bool {
    match (a.as_f64(), b.as_f64()) {
        (Some(a), Some(b)) => (a - b).abs() < f64::EPSILON * a.abs().max(1.0),
        _ => a == b,
    }
}

fn contains(value: &Value, wanted: &Value) -> bool {
    match (value, wanted) {
        (Value::String(text), Value::String(part)) => text.to_lowercase().contains(&part.to_lowercase()),
        (Value::Array(items), wanted) => items.iter().any(|item| same(item, wanted) || contains(item, wanted)),
        (Value::Object(fields), Value::String(name)) => fields.contains_key(name),
        _ => same(value, wanted),
    }
}

fn short(value: &Value) -> String {
    mercer_agent::quote::field(&value.to_string(), 160)
}

/// What of the words is missing, and what is there that may not be.
pub(super) fn words(text: &str, must: &[Words], must_not: &[Words]) -> Vec<String> {
    let listed = |words: &Words| words.all().collect::<Vec<_>>().join("” or “");
    let missing = must.iter().filter(|words| words.found_in(text).is_none());
    let missing = missing.map(|words| format!("it does not say “{}”", listed(words)));
    let said = must_not.iter().filter_map(|words| words.found_in(text)).map(|word| format!("it says “{word}”"));
    missing.chain(said).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn fails(expect: Value, document: &Value) -> Option<String> {
        serde_json::from_value::<Expect>(expect).unwrap().fails(document)
    }

    #[test]
    fn what_is_expected_is_told_from_what_is_not() {
        let world = json!({
            "orders": [{"id": "A", "status": "refunded", "paid": 299.0}, {"id": "B", "status": "open", "paid": 10}],
            "outbox": [], "note": null,
        });
        for held in [
            json!({"at": "/orders/0/status", "equals": "refunded"}),
            json!({"at": "/orders/0/paid", "equals": 299}),
            json!({"at": "/orders/*/paid", "at_least": 10, "at_most": 299}),
            json!({"at": "/orders", "having": {"status": "open"}, "count": 1}),
            json!({"at": "/orders", "having": {"status": "lost"}, "exists": false}),
            json!({"at": "/orders", "having": {"id": "B"}, "contains": "status"}),
            json!({"at": "/outbox", "count": 0}),
            json!({"at": "/note", "exists": false}),
            json!({"at": "/missing", "exists": false}),
            json!({"at": "/orders/1/status", "differs": "refunded", "contains": "OP"}),
        ] {
            assert_eq!(fails(held.clone(), &world), None, "{held}");
        }
        for broken in [
            json!({"at": "/orders/1/status", "equals": "refunded"}),
            json!({"at": "/orders/*/paid", "at_least": 11}),
            json!({"at": "/orders", "having": {"status": "open"}, "count": 2}),
            json!({"at": "/orders", "having": {"status": "open"}, "exists": false}),
            json!({"at": "/orders", "having": {"status": "lost"}}),
            json!({"at": "/outbox/0", "exists": true}),
            json!({"at": "/note", "exists": true}),
            json!({"at": "/missing", "equals": 1}),
            json!({"at": "/outbox", "count_at_least": 1}),
        ] {
            assert!(fails(broken.clone(), &world).is_some(), "{broken}");
        }
    }

    #[test]
    fn words_are_found_in_any_case_and_one_of_several_is_enough() {
        let must = [Words::One("red".into()), Words::Any(vec!["¥300".into(), "300 yuan".into()])];
        assert!(words("RED dresses under 300 yuan", &must, &[]).is_empty());
        let wrong = words("blue", &must, &[Words::One("Blue".into())]);
        assert_eq!(wrong.len(), 3, "{wrong:?}");
    }
}
