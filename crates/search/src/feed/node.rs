//! A JSON value or XML element as feeds hold them: texts, lists and maps in the feed's order. Numbers stay texts, so that ids keep
//! their form and prices stay exact.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Node {
    Null,
    Bool(bool),
    /// A number as text.
    Number(String),
    Text(String),
    List(Vec<Node>),
    Map(Vec<(String, Node)>),
}

impl Node {
    /// The value as text, when it is a single one.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) | Self::Number(text) => Some(text),
            Self::Bool(true) => Some("true"),
            Self::Bool(false) => Some("false"),
            Self::Null | Self::List(_) | Self::Map(_) => None,
        }
    }

    /// The entry of a map; case and the difference of `_`, `-` and blank do not count.
    pub(crate) fn get(&self, key: &str) -> Option<&Self> {
        let Self::Map(entries) = self else { return None };
        let exact = entries.iter().find(|(name, _)| name == key);
        exact.or_else(|| entries.iter().find(|(name, _)| same_name(name, key))).map(|(_, node)| node)
    }

    /// The entries of a map.
    pub(crate) fn entries(&self) -> &[(String, Self)] {
        match self {
            Self::Map(entries) => entries,
            _ => &[],
        }
    }

    /// The items of a list; any other value is a list of itself, nothing an empty one.
    pub(crate) fn items(&self) -> &[Self] {
        match self {
            Self::List(items) => items,
            Self::Null => &[],
            other => std::slice::from_ref(other),
        }
    }

    /// All values a path such as `meta.barcode` or `prices.amount` leads to; lists on the way are gone through.
    pub(crate) fn at<'a>(&'a self, path: &str, out: &mut Vec<&'a Self>) {
        if let Self::List(items) = self {
            items.iter().for_each(|item| item.at(path, out));
            return;
        }
        if let Some(node) = self.get(path) {
            out.extend(node.items());
            return;
        }
        if let Some((head, rest)) = path.split_once('.')
            && let Some(node) = self.get(head.trim_end_matches("[]"))
        {
            node.at(rest, out);
        }
    }
}

fn same_name(a: &str, b: &str) -> bool {
    let fold = |c: char| if matches!(c, '-' | ' ') { '_' } else { c.to_ascii_lowercase() };
    a.chars().map(fold).eq(b.chars().map(fold))
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NodeVisitor)
    }
}

struct NodeVisitor;

impl<'de> Visitor<'de> for NodeVisitor {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Node, E> {
        Ok(Node::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Node, E> {
        Ok(Node::Bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Node, E> {
        Ok(Node::Number(value.to_string()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Node, E> {
        Ok(Node::Number(value.to_string()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Node, E> {
        Ok(Node::Number(value.to_string()))
    }

    fn visit_str<E>(self, value: &str) -> Result<Node, E> {
        Ok(Node::Text(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Node, E> {
        Ok(Node::Text(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Node, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(Node::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Node, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(Node::Map(entries))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_go_through_lists_and_numbers_stay_as_written() {
        let json =
            r#"{"id":7,"price":16.84,"meta":{"Bar-Code":"x"},"v":[{"p":[{"amount":2200}]},{"p":[{"amount":1}]}]}"#;
        let node: Node = serde_json::from_str(json).unwrap();
        let texts = |path: &str| {
            let mut out = Vec::new();
            node.at(path, &mut out);
            out.into_iter().filter_map(Node::text).map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(texts("price"), ["16.84"]);
        assert_eq!(texts("meta.bar_code"), ["x"]);
        assert_eq!(texts("v[].p[].amount"), ["2200", "1"]);
        assert!(texts("nothing.here").is_empty());
    }
}
