//! Where a setting comes from.

use std::fmt;

use serde::Serialize;

/// Where a value was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "from", content = "name")]
pub enum Source {
    /// An environment variable.
    Environment(String),
    /// A key of the settings file.
    File(String),
    /// Another role's setting.
    Role(String),
    /// The program's own value.
    Default,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Environment(name) => write!(f, "environment {name}"),
            Self::File(key) => write!(f, "settings file, {key}"),
            Self::Role(role) => write!(f, "as for {role}"),
            Self::Default => f.write_str("default"),
        }
    }
}

/// One line of `config --explain`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Explained {
    /// The setting, such as `chat.base_url`.
    pub setting: String,
    /// Its value; for a key only that it is set.
    pub value: String,
    /// Where it comes from.
    pub source: Source,
}

impl fmt::Display for Explained {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {} ({})", self.setting, self.value, self.source)
    }
}
