//! Which models to use, read once from a file's `[model]` section and from the environment.
//!
//! Pure: the environment comes in as a function, so that tests need none and only `cli` reads the real one. The names
//! people already have set work too. A value is looked up in its own name first, then in the file, then in the names
//! of others; a key goes only to the server it was set for.

mod endpoint;
mod explain;
mod file;
mod read;

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

pub use endpoint::{Endpoint, Price, PriceError, Wire};
pub use explain::{Explained, Source};
pub use file::{EndpointFile, ModelFile, TimeoutsFile};

use crate::error::ModelError;

/// What a model is used for. Each role may have its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ModelRole {
    /// Conversations.
    Chat,
    /// Looking at pictures; the chat model when it can see.
    Vision,
    /// Judging answers; the chat model when none is set.
    Judge,
    /// Vectors of texts.
    Embedding,
    /// Making pictures.
    Image,
}

impl ModelRole {
    /// All roles.
    pub const ALL: [Self; 5] = [Self::Chat, Self::Vision, Self::Judge, Self::Embedding, Self::Image];

    /// The name in files and messages.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Chat => "chat",
            Self::Vision => "vision",
            Self::Judge => "judge",
            Self::Embedding => "embedding",
            Self::Image => "image",
        }
    }

    /// The environment variable that names its model; `…_BASE_URL` and `…_API_KEY` belong to it.
    #[must_use]
    pub const fn variable(self) -> &'static str {
        match self {
            Self::Chat => "MERCER_MODEL",
            Self::Vision => "MERCER_VISION_MODEL",
            Self::Judge => "MERCER_JUDGE_MODEL",
            Self::Embedding => "MERCER_EMBEDDING_MODEL",
            Self::Image => "MERCER_IMAGE_MODEL",
        }
    }
}

impl fmt::Display for ModelRole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// How long to wait for what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// Reaching the server.
    pub connect: Duration,
    /// From the request to the first token. Generous: a local model reads a long prompt slowly.
    pub first_token: Duration,
    /// Between two pieces of the stream.
    pub idle: Duration,
    /// The whole call, without retries.
    pub total: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self { connect: seconds(10), first_token: seconds(60), idle: seconds(30), total: seconds(300) }
    }
}

/// All settings of this crate.
#[derive(Debug, Clone, Default)]
pub struct ModelSettings {
    roles: BTreeMap<ModelRole, Endpoint>,
    /// Asked in this order when the chat model fails.
    pub fallbacks: Vec<Endpoint>,
    /// How long to wait.
    pub timeouts: Timeouts,
    /// Attempts after the first.
    pub retries: u32,
    /// Calls at the same time to one endpoint.
    pub concurrency: usize,
    /// Tokens a minute to one endpoint; no limit when absent.
    pub tokens_per_minute: Option<u64>,
    /// What people should know, such as a key without a model. Never holds a secret.
    pub notes: Vec<String>,
    explained: Vec<Explained>,
}

impl ModelSettings {
    /// Reads the environment alone.
    ///
    /// # Errors
    /// [`ModelError::Setting`] when a value is there but cannot be used.
    pub fn from_env(env: &dyn Fn(&str) -> Option<String>) -> Result<Self, ModelError> {
        Self::read(env, &ModelFile::default())
    }

    /// Reads the environment and the `[model]` section of a file; the program's own variables win over the file.
    ///
    /// # Errors
    /// [`ModelError::Setting`] when a value is there but cannot be used.
    pub fn read(env: &dyn Fn(&str) -> Option<String>, file: &ModelFile) -> Result<Self, ModelError> {
        read::read(env, file)
    }

    /// The endpoint of a role. Vision (when the chat model can see) and judge fall back to chat.
    #[must_use]
    pub fn role(&self, role: ModelRole) -> Option<&Endpoint> {
        self.roles.get(&role).or_else(|| {
            let chat = self.roles.get(&ModelRole::Chat)?;
            match role {
                ModelRole::Judge => Some(chat),
                ModelRole::Vision if chat.sees() => Some(chat),
                _ => None,
            }
        })
    }

    /// The endpoint of a role, or the error that says what to set.
    ///
    /// # Errors
    /// [`ModelError::Unconfigured`].
    pub fn require(&self, role: ModelRole) -> Result<&Endpoint, ModelError> {
        self.role(role).ok_or_else(|| ModelError::Unconfigured { role: role.as_str().into() })
    }

    /// Where each setting comes from, for `config --explain`. Keys are shown only as set or not.
    #[must_use]
    pub fn describe(&self) -> &[Explained] {
        &self.explained
    }
}
