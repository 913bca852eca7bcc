//! Where a fact stands.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// The place of a value: a call and a JSON pointer into its result, written `call 3, /items/0/price`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address {
    /// The call's number in the thread.
    pub call: u32,
    /// A JSON pointer (RFC 6901); empty for the whole result.
    pub pointer: String,
}

/// A text that is not an address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not an address such as \"call 3, /items/0/price\"")]
pub struct BadAddress(String);

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.pointer.is_empty() {
            write!(f, "call {}", self.call)
        } else {
            write!(f, "call {}, {}", self.call, self.pointer)
        }
    }
}

impl FromStr for Address {
    type Err = BadAddress;

    fn from_str(text: &str) -> Result<Self, BadAddress> {
        let bad = || BadAddress(text.to_owned());
        let rest = text.strip_prefix("call ").ok_or_else(bad)?;
        let (call, pointer) = rest.split_once(", ").unwrap_or((rest, ""));
        let call = call.parse().ok().ok_or_else(bad)?;
        if !pointer.is_empty() && !pointer.starts_with('/') {
            return Err(bad());
        }
        Ok(Self { call, pointer: pointer.to_owned() })
    }
}

impl Serialize for Address {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Address {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}
