//! The two languages, and text that exists in one or both of them.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A language that Mercer speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Lang {
    /// Chinese (simplified).
    Zh,
    /// English.
    #[default]
    En,
}

impl Lang {
    /// The language of a text by its script: Chinese when it holds a Han character, English when it holds a Latin letter, else unknown.
    ///
    /// A product name in Latin letters inside a Chinese sentence does not change the sentence's language.
    #[must_use]
    pub fn of(text: &str) -> Option<Self> {
        if text.chars().any(is_han) {
            Some(Self::Zh)
        } else if text.chars().any(|c| c.is_ascii_alphabetic()) {
            Some(Self::En)
        } else {
            None
        }
    }

    /// The BCP 47 tag, `zh` or `en`.
    #[must_use]
    pub fn tag(self) -> &'static str {
        match self {
            Self::Zh => "zh",
            Self::En => "en",
        }
    }
}

impl fmt::Display for Lang {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.tag())
    }
}

/// Whether a character is a Han ideograph (the common block, extension A and the compatibility block).
fn is_han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}

/// A text in one or both languages.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Localized {
    /// The Chinese text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zh: Option<String>,
    /// The English text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub en: Option<String>,
}

impl Localized {
    /// A text whose language is told by its script; a text without letters counts as English.
    #[must_use]
    pub fn from_text(text: impl Into<String>) -> Self {
        let text = text.into();
        match Lang::of(&text) {
            Some(Lang::Zh) => Self { zh: Some(text), en: None },
            Some(Lang::En) | None => Self { zh: None, en: Some(text) },
        }
    }

    /// The text in `lang` or, when it does not exist, in the other language; empty when there is none.
    #[must_use]
    pub fn get(&self, lang: Lang) -> &str {
        let (first, second) = match lang {
            Lang::Zh => (&self.zh, &self.en),
            Lang::En => (&self.en, &self.zh),
        };
        first.as_deref().or(second.as_deref()).unwrap_or_default()
    }

    /// Sets the text in one language.
    pub fn set(&mut self, lang: Lang, text: impl Into<String>) {
        match lang {
            Lang::Zh => self.zh = Some(text.into()),
            Lang::En => self.en = Some(text.into()),
        }
    }

    /// Whether there is no text in either language.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.get(Lang::En).is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_speaks_the_language_of_its_script_and_falls_back_to_the_other() {
        assert_eq!(Lang::of("想要一件 Nike 外套"), Some(Lang::Zh));
        assert_eq!(Lang::of("winter coats"), Some(Lang::En));
        assert_eq!(Lang::of("42"), None);
        let title = Localized::from_text("连衣裙");
        assert_eq!(title.get(Lang::En), "连衣裙");
        assert!(Localized::default().is_empty());
    }
}
