//! What was done to a text to make it JSON, and which of that leaves no doubt about the meaning.

use std::fmt;

/// One kind of repair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Repair {
    /// Invisible or foreign blanks were set aside.
    Blank,
    /// Thoughts were set aside.
    Thoughts,
    /// A code fence was taken off.
    Fence,
    /// Tags around the value were taken off.
    Tag,
    /// Text around the value was set aside.
    Prose,
    /// `Action:` and `Action Input:` lines, or a name before its arguments, were read as an object.
    ActionLines,
    /// A call in the tags of a model's own training was read as an object.
    OwnTags,
    /// The call stood inside a provider's envelope, such as `tool_calls`.
    Envelope,
    /// A comma before a closing bracket was dropped.
    TrailingComma,
    /// A closing bracket too many was dropped.
    ExtraClose,
    /// Single or typographic quotes were read as quotes.
    Quotes,
    /// Full-width brackets, colons or commas were read as such.
    FullWidth,
    /// A line end or tab inside a string was kept.
    RawNewline,
    /// `\'` was read as `'`.
    EscapedApostrophe,
    /// A key without quotes.
    BareKey,
    /// `True`, `False` or `None`.
    PythonLiteral,
    /// A comment was dropped.
    Comment,
    /// JSON written as text was read as JSON.
    Decoded,
    /// The value stood alone in a list.
    Unlisted,
    /// Digits became text, unchanged.
    NumberToText,
    /// Text in canonical digits became a number.
    TextToNumber,
    /// `2.0` became `2` where a whole number is wanted.
    WholeNumber,
    /// `"true"` or `"false"` became a boolean.
    TextToBoolean,
    /// An allowed value was written in other case.
    EnumCase,
    /// `null` for an optional member that has no `null` was dropped.
    NullDropped,
    // From here on the meaning is in doubt.
    /// A closing bracket was added.
    MissingClose,
    /// The first bracket was added.
    MissingOpen,
    /// `=` or `=>` was read as a colon.
    Separator,
    /// HTML entities were read as the characters they stand for.
    Entities,
    /// What the model wrote in place of a tool's result was left out.
    Observation,
    /// A comma was added or dropped in the middle.
    Comma,
    /// Quotes inside a string were kept.
    InnerQuotes,
    /// A backslash that begins no escape was kept.
    Backslash,
    /// Pieces of text joined by `+` were joined.
    Joined,
    /// A word without quotes was read as text.
    BareWord,
    /// `undefined` became `null`.
    Undefined,
    /// A single value became a list of one.
    SingleToList,
    /// The value stood inside a copy of the schema.
    SchemaEcho,
    /// The same value stood there more than once.
    Repeated,
    /// Another value that does not fit was left out.
    OtherIgnored,
}

impl Repair {
    /// Whether the repaired text can have meant nothing else.
    #[must_use]
    pub const fn harmless(self) -> bool {
        match self {
            Self::Blank
            | Self::Thoughts
            | Self::Fence
            | Self::Tag
            | Self::Prose
            | Self::ActionLines
            | Self::OwnTags
            | Self::Envelope
            | Self::TrailingComma
            | Self::ExtraClose
            | Self::Quotes
            | Self::FullWidth
            | Self::RawNewline
            | Self::EscapedApostrophe
            | Self::BareKey
            | Self::PythonLiteral
            | Self::Comment
            | Self::Decoded
            | Self::Unlisted
            | Self::NumberToText
            | Self::TextToNumber
            | Self::WholeNumber
            | Self::TextToBoolean
            | Self::EnumCase
            | Self::NullDropped => true,
            Self::MissingClose
            | Self::MissingOpen
            | Self::Separator
            | Self::Entities
            | Self::Observation
            | Self::Comma
            | Self::InnerQuotes
            | Self::Backslash
            | Self::Joined
            | Self::BareWord
            | Self::Undefined
            | Self::SingleToList
            | Self::SchemaEcho
            | Self::Repeated
            | Self::OtherIgnored => false,
        }
    }

    /// In words a model can use.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Blank => "invisible characters",
            Self::Thoughts => "thoughts before the JSON",
            Self::Fence => "a code fence",
            Self::Tag => "tags around the JSON",
            Self::Prose => "text around the JSON",
            Self::ActionLines => "Action lines in place of JSON",
            Self::OwnTags => "a call in tags in place of JSON",
            Self::Envelope => "an envelope around the call",
            Self::TrailingComma => "a trailing comma",
            Self::ExtraClose => "a closing bracket too many",
            Self::Quotes => "quotes other than \"",
            Self::FullWidth => "full-width punctuation",
            Self::RawNewline => "a raw line end in a string",
            Self::EscapedApostrophe => "\\' in a string",
            Self::BareKey => "a key without quotes",
            Self::PythonLiteral => "a Python literal",
            Self::Comment => "a comment",
            Self::Decoded => "JSON inside a string",
            Self::Unlisted => "a list around a single value",
            Self::NumberToText => "a number where text belongs",
            Self::TextToNumber => "text where a number belongs",
            Self::WholeNumber => "a fraction where a whole number belongs",
            Self::TextToBoolean => "text where true or false belongs",
            Self::EnumCase => "an allowed value in other case",
            Self::NullDropped => "null for an optional member",
            Self::MissingClose => "a missing closing bracket",
            Self::MissingOpen => "a missing opening bracket",
            Self::Separator => "= in place of a colon",
            Self::Entities => "HTML entities",
            Self::Observation => "a tool's result that no tool gave",
            Self::Comma => "a missing or doubled comma",
            Self::InnerQuotes => "unescaped quotes inside a string",
            Self::Backslash => "a backslash that begins no escape",
            Self::Joined => "strings joined by +",
            Self::BareWord => "text without quotes",
            Self::Undefined => "undefined",
            Self::SingleToList => "a single value where a list belongs",
            Self::SchemaEcho => "a copy of the schema around the value",
            Self::Repeated => "the same JSON more than once",
            Self::OtherIgnored => "a second JSON value that does not fit",
        }
    }
}

/// The kinds of repairs made, each once, in the order they were first needed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Repairs(Vec<Repair>);

impl Repairs {
    pub(crate) fn push(&mut self, repair: Repair) {
        if !self.0.contains(&repair) {
            self.0.push(repair);
        }
    }

    pub(crate) fn extend(&mut self, others: &Self) {
        for &repair in &others.0 {
            self.push(repair);
        }
    }

    /// Whether nothing was repaired.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether all of them leave no doubt about the meaning.
    #[must_use]
    pub fn harmless(&self) -> bool {
        self.0.iter().all(|repair| repair.harmless())
    }

    /// The repairs.
    pub fn iter(&self) -> impl Iterator<Item = Repair> {
        self.0.iter().copied()
    }
}

impl fmt::Display for Repairs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, repair) in self.0.iter().enumerate() {
            write!(f, "{}{}", if n == 0 { "" } else { ", " }, repair.words())?;
        }
        Ok(())
    }
}
