//! One row or item as the formats see it: cells by column name, whatever the container.

use std::borrow::Cow;
use std::collections::HashMap;

use super::node::Node;
use super::rows::Row;

/// The columns of a table.
#[derive(Debug, Default)]
pub(crate) struct Header {
    /// Names as written, cleaned.
    pub(crate) names: Vec<String>,
    keys: Vec<String>,
    index: HashMap<String, usize>,
}

/// A column name for comparing: lower case, words joined by `_`, no punctuation, no `g:`.
pub(crate) fn key(name: &str) -> String {
    let name = name.trim().trim_start_matches('\u{feff}');
    let name = name.strip_prefix("g:").unwrap_or(name);
    let mut out = String::with_capacity(name.len());
    let mut gap = false;
    for c in name.chars() {
        if c.is_alphanumeric() {
            if gap && !out.is_empty() {
                out.push('_');
            }
            gap = false;
            out.extend(c.to_lowercase());
        } else {
            gap = true;
        }
    }
    out
}

impl Header {
    pub(crate) fn new<'a>(names: impl Iterator<Item = &'a str>) -> Self {
        let names: Vec<String> = names.map(|name| super::text::line(name).into_owned()).collect();
        let keys: Vec<String> = names.iter().map(|name| key(name)).collect();
        let mut index = HashMap::with_capacity(keys.len());
        for (at, key) in keys.iter().enumerate() {
            if !key.is_empty() {
                index.entry(key.clone()).or_insert(at);
            }
        }
        Self { names, keys, index }
    }

    /// The first column with this key.
    pub(crate) fn find(&self, key: &str) -> Option<usize> {
        self.index.get(key).copied()
    }

    pub(crate) fn has(&self, key: &str) -> bool {
        self.index.contains_key(key)
    }

    pub(crate) fn keys(&self) -> &[String] {
        &self.keys
    }
}

/// One row or item.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Record<'a> {
    Row { header: &'a Header, row: &'a Row },
    Node(&'a Node),
}

impl<'a> Record<'a> {
    /// The value of a column, trimmed; nothing when it is blank.
    pub(crate) fn get(&self, key: &str) -> Option<&'a str> {
        let text = match self {
            Self::Row { header, row } => row.get(header.find(key)?)?,
            Self::Node(node) => match node.get(key)? {
                Node::List(items) => items.iter().find_map(Node::text)?,
                other => other.text()?,
            },
        };
        let text = text.trim();
        (!text.is_empty()).then_some(text)
    }

    /// The value of the first column of these that has one.
    pub(crate) fn first(&self, keys: &[&str]) -> Option<&'a str> {
        keys.iter().find_map(|key| self.get(key))
    }

    /// All values of a column that may repeat.
    pub(crate) fn all(&self, name: &str) -> Vec<&'a str> {
        match self {
            Self::Row { header, row } => {
                let columns = header.keys().iter().enumerate().filter(|(_, key)| *key == name);
                columns.filter_map(|(at, _)| row.get(at)).map(str::trim).filter(|t| !t.is_empty()).collect()
            }
            Self::Node(node) => {
                let items = node.get(name).map_or(&[][..], Node::items);
                items.iter().filter_map(Node::text).map(str::trim).filter(|t| !t.is_empty()).collect()
            }
        }
    }

    /// The cells for a report.
    pub(crate) fn raw(&self) -> Vec<String> {
        match self {
            Self::Row { row, .. } => super::report::raw_cells(row.cells()),
            Self::Node(node) => {
                let entries = node.entries().iter();
                let texts: Vec<Cow<'_, str>> =
                    entries.filter_map(|(k, v)| Some(Cow::Owned(format!("{k}={}", v.text()?)))).collect();
                super::report::raw_cells(texts.iter().map(AsRef::as_ref))
            }
        }
    }
}
