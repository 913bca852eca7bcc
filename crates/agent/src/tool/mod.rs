//! Tools: what an agent can look up or do, as Rust types.
//!
//! A tool's arguments are its fields, its schema comes from the type, and *who is asking* comes from the session through
//! [`ToolCtx`], never from the model. The [`Registry`] stands between a model's call and the tool.

mod arguments;
mod failure;
mod registry;

use std::{fmt, future::Future, sync::Arc, time::Duration};

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;

pub use arguments::normalised;
pub use failure::{Failure, FailureKind, ToolError};
pub(crate) use registry::unknown_tool;
pub use registry::{BuildError, Registry, ToolSpec};

use crate::Lang;

/// What a tool does to the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Nature {
    /// Looks something up. May run in parallel and again.
    Read,
    /// Changes a record. Runs in order, once, as an effect.
    Write,
    /// Sends something to a person. As [`Nature::Write`], and cannot be taken back.
    Send,
}

impl Nature {
    /// Whether the call only reads.
    #[must_use]
    pub fn is_read(self) -> bool {
        self == Self::Read
    }
}

/// Who is asking, as the session established it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", content = "id", rename_all = "snake_case")]
pub enum Principal {
    /// Nobody has been identified.
    Anonymous,
    /// A customer whose identity was verified.
    Customer(String),
    /// A member of the shop's staff.
    Staff(String),
}

/// What a tool is told about the session it runs in.
pub struct ToolCtx<D> {
    /// The services the tool uses.
    pub deps: Arc<D>,
    /// Who is asking.
    pub principal: Principal,
    /// The shop's tenant.
    pub tenant: String,
    /// The conversation.
    pub thread: String,
    /// The language of the customer's last message: `zh` or `en`.
    pub lang_tag: String,
    /// The time at which the turn began.
    pub now: Timestamp,
}

impl<D> ToolCtx<D> {
    /// The services the tool uses.
    #[must_use]
    pub fn deps(&self) -> &D {
        &self.deps
    }

    /// The language of the customer's last message.
    #[must_use]
    pub fn lang(&self) -> Lang {
        Lang::from_tag(&self.lang_tag)
    }

    /// The verified customer.
    ///
    /// # Errors
    /// [`FailureKind::PermissionDenied`] when nobody was verified or a member of staff asks.
    pub fn verified_customer(&self) -> Result<&str, ToolError> {
        match &self.principal {
            Principal::Customer(id) => Ok(id),
            Principal::Anonymous | Principal::Staff(_) => Err(ToolError::new(
                FailureKind::PermissionDenied,
                self.lang().pick(
                    "客户尚未验证身份，请先请客户验证。",
                    "The customer is not verified yet; ask them to verify first.",
                ),
            )),
        }
    }
}

impl<D> Clone for ToolCtx<D> {
    fn clone(&self) -> Self {
        Self {
            deps: Arc::clone(&self.deps),
            principal: self.principal.clone(),
            tenant: self.tenant.clone(),
            thread: self.thread.clone(),
            lang_tag: self.lang_tag.clone(),
            now: self.now,
        }
    }
}

impl<D> fmt::Debug for ToolCtx<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolCtx")
            .field("principal", &self.principal)
            .field("tenant", &self.tenant)
            .field("thread", &self.thread)
            .field("lang_tag", &self.lang_tag)
            .field("now", &self.now)
            .finish_non_exhaustive()
    }
}

/// A tool. The type's fields are its arguments; their doc comments are the schema's descriptions.
pub trait Tool<D>: DeserializeOwned + JsonSchema + Send + 'static {
    /// The name the model calls it by, `[a-z_]+`.
    const NAME: &'static str;
    /// What it does to the world.
    const NATURE: Nature;
    /// Whether a person has to approve each call.
    const NEEDS_APPROVAL: bool = false;
    /// How long one call may take.
    const TIMEOUT: Duration = Duration::from_secs(20);

    /// What the call returns; it becomes evidence.
    type Output: Serialize + Send;

    /// What the tool is for, in words for a model.
    fn describe(lang: Lang) -> &'static str;

    /// The facts that make a write unique, such as an order number; `None` lets the normalised arguments stand for them.
    fn effect_key(&self, ctx: &ToolCtx<D>) -> Option<String> {
        let _ = ctx;
        None
    }

    /// Runs it.
    fn call(self, ctx: &ToolCtx<D>) -> impl Future<Output = Result<Self::Output, ToolError>> + Send;
}

/// What came of one call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolResult {
    /// The id under which the model asked for it.
    pub call_id: String,
    /// The tool's name, as the model wrote it.
    pub name: String,
    /// The arguments after reading and normalising; `null` when they could not be read.
    pub arguments: Value,
    /// The tool's output, or why there is none.
    pub outcome: Result<Value, Failure>,
    /// How long it took, in milliseconds.
    pub took_ms: u64,
}

impl ToolResult {
    /// A result that stands for a call which was not run.
    #[must_use]
    pub fn refused(call_id: &str, name: &str, arguments: Value, error: ToolError) -> Self {
        Self {
            call_id: call_id.to_owned(),
            name: name.to_owned(),
            arguments,
            outcome: Err(error.into_failure()),
            took_ms: 0,
        }
    }

    /// Whether the tool returned its output.
    #[must_use]
    pub fn is_ok(&self) -> bool {
        self.outcome.is_ok()
    }

    /// The text the model reads: the output cut to `budget` characters by structure, or the failure's model text.
    #[must_use]
    pub fn for_model(&self, budget: usize) -> String {
        match &self.outcome {
            Ok(value) => crate::evidence::cut(value, budget).to_string(),
            Err(failure) => serde_json::json!({ "error": failure.kind, "message": failure.model_text }).to_string(),
        }
    }
}
