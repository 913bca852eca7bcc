//! The two languages that prompts, tool descriptions and templates are written in.

use serde::{Deserialize, Serialize};

/// A language that Mercer speaks.
///
/// This crate does not know the shop's types; [`Lang::from_tag`] reads the tag that those carry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Lang {
    /// Chinese.
    Zh,
    /// English.
    #[default]
    En,
}

impl Lang {
    /// The language of a BCP 47 tag: Chinese for `zh` and its variants, English for all others.
    #[must_use]
    pub fn from_tag(tag: &str) -> Self {
        let primary = tag.split(['-', '_']).next().unwrap_or_default();
        if primary.eq_ignore_ascii_case("zh") { Self::Zh } else { Self::En }
    }

    /// The tag, `zh` or `en`.
    #[must_use]
    pub fn tag(self) -> &'static str {
        match self {
            Self::Zh => "zh",
            Self::En => "en",
        }
    }

    /// One of two texts, by language.
    #[must_use]
    pub fn pick<T>(self, zh: T, en: T) -> T {
        match self {
            Self::Zh => zh,
            Self::En => en,
        }
    }
}

/// Whether a character is a Han ideograph (common block, extension A, compatibility block).
pub(crate) fn is_han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}
