//! What is said in a conversation with a model, independent of any provider's wire format.

use std::fmt;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Who says a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Instructions of the program.
    System,
    /// The person.
    User,
    /// The model.
    Assistant,
    /// The result of a tool call.
    Tool,
}

/// One piece of a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// Text.
    Text(String),
    /// A picture.
    Image(ImagePart),
}

/// A picture in a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImagePart {
    /// Such as `image/jpeg`.
    pub media_type: String,
    /// The picture or where it is.
    pub data: ImageData,
    /// The caller's own id of the picture (a file id); never sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
}

/// The bytes of a picture, or an address from which the model's server can fetch it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ImageData {
    /// The file itself; base64 when serialised.
    #[serde(serialize_with = "to_base64", deserialize_with = "from_base64")]
    Bytes(Arc<[u8]>),
    /// An address the model's server can reach.
    Url(String),
}

impl fmt::Debug for ImageData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bytes(bytes) => write!(f, "Bytes({} bytes)", bytes.len()),
            Self::Url(url) => f.debug_tuple("Url").field(url).finish(),
        }
    }
}

impl ImagePart {
    /// The picture as an address: its own, or a `data:` address holding the bytes.
    #[must_use]
    pub fn to_url(&self) -> String {
        match &self.data {
            ImageData::Url(url) => url.clone(),
            ImageData::Bytes(bytes) => format!("data:{};base64,{}", self.media_type, STANDARD.encode(bytes)),
        }
    }
}

fn to_base64<S: Serializer>(bytes: &Arc<[u8]>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&STANDARD.encode(bytes))
}

fn from_base64<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<[u8]>, D::Error> {
    let text = String::deserialize(deserializer)?;
    STANDARD.decode(text).map(Arc::from).map_err(serde::de::Error::custom)
}

/// A model's wish to have a tool called.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolCall {
    /// Unique within its message; the result names it.
    pub id: String,
    /// The tool's name.
    pub name: String,
    /// The arguments as JSON text, exactly as the model wrote them: not yet read, possibly malformed.
    pub arguments: String,
    /// What the provider wants back with this call; nothing for most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub echo: Option<Echo>,
}

/// What a provider sends with a call and demands back unchanged with its result, such as signed thoughts. It means
/// nothing to anybody else and goes only to the provider it came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Echo {
    /// The protocol it belongs to.
    pub wire: crate::settings::Wire,
    /// As it came.
    pub state: serde_json::Value,
}

impl ToolCall {
    /// A call from its three parts.
    pub fn new(id: impl Into<String>, name: impl Into<String>, arguments: impl Into<String>) -> Self {
        Self { id: id.into(), name: name.into(), arguments: arguments.into(), echo: None }
    }
}

/// One message of a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// Who says it.
    pub role: Role,
    /// What is said; empty for an assistant message that only calls tools.
    pub parts: Vec<Part>,
    /// The calls of an assistant message.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<ToolCall>,
    /// For a tool message: the call it answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_call_id: Option<String>,
    /// The model's reasoning as received. It is no part of the answer; some servers demand it back (even empty).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<String>,
    /// A name for the speaker, or the tool's name in a tool message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

impl Message {
    fn of(role: Role, text: impl Into<String>) -> Self {
        let parts = vec![Part::Text(text.into())];
        Self { role, parts, tool_calls: Vec::new(), tool_call_id: None, reasoning: None, name: None }
    }

    /// Instructions.
    pub fn system(text: impl Into<String>) -> Self {
        Self::of(Role::System, text)
    }

    /// What the person said.
    pub fn user(text: impl Into<String>) -> Self {
        Self::of(Role::User, text)
    }

    /// What the model said.
    pub fn assistant(text: impl Into<String>) -> Self {
        Self::of(Role::Assistant, text)
    }

    /// The result of a tool call.
    pub fn tool(call_id: impl Into<String>, text: impl Into<String>) -> Self {
        Self { tool_call_id: Some(call_id.into()), ..Self::of(Role::Tool, text) }
    }

    /// The same message with a picture after its text.
    #[must_use]
    pub fn with_image(mut self, image: ImagePart) -> Self {
        self.parts.push(Part::Image(image));
        self
    }

    /// The same message with these calls.
    #[must_use]
    pub fn with_tool_calls(mut self, calls: Vec<ToolCall>) -> Self {
        self.tool_calls = calls;
        self
    }

    /// All text of the message, its parts joined by line ends.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        for part in &self.parts {
            if let Part::Text(piece) = part {
                if !text.is_empty() {
                    text.push('\n');
                }
                text.push_str(piece);
            }
        }
        text
    }

    /// The pictures of the message.
    pub fn images(&self) -> impl Iterator<Item = &ImagePart> {
        self.parts.iter().filter_map(|part| match part {
            Part::Image(image) => Some(image),
            Part::Text(_) => None,
        })
    }
}
