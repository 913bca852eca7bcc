//! The set of tools an agent has: their schemas, and the one way to call them.

use std::{fmt, time::Duration};

use futures::{FutureExt, future::BoxFuture};
use indexmap::IndexMap;
use jsonschema::Validator;
use mercer_model::{ToolCall, ToolDef};
use schemars::generate::SchemaSettings;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::time::{Instant, timeout};

use super::{FailureKind, Nature, Tool, ToolCtx, ToolError, ToolResult, arguments};
use crate::Lang;

/// What the loop has to know of a tool; plain data, so that it can be stored with the loop.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolSpec {
    /// The tool's name.
    pub name: String,
    /// What it does to the world.
    pub nature: Nature,
    /// Whether a person has to approve each call.
    pub needs_approval: bool,
    /// The argument that a bare text stands for: the only required one, or the only one.
    pub main_argument: Option<String>,
}

/// Why a set of tools cannot be built. Both are mistakes of the program.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// Two tools have one name.
    #[error("two tools are called {0:?}")]
    Duplicate(&'static str),
    /// A type's schema is not usable.
    #[error("the schema of tool {tool:?} is not usable: {reason}")]
    Schema {
        /// The tool.
        tool: &'static str,
        /// What the validator said.
        reason: String,
    },
}

type Run<D> = for<'a> fn(Value, &'a ToolCtx<D>) -> BoxFuture<'a, Result<Value, ToolError>>;
type Key<D> = fn(Value, &ToolCtx<D>) -> Option<String>;

struct Entry<D> {
    nature: Nature,
    needs_approval: bool,
    timeout: Duration,
    describe: fn(Lang) -> &'static str,
    parameters: Value,
    validator: Validator,
    run: Run<D>,
    key: Key<D>,
}

/// The tools of one agent.
pub struct Registry<D> {
    entries: IndexMap<&'static str, Entry<D>>,
    fault: Option<BuildError>,
}

impl<D: Send + Sync + 'static> Registry<D> {
    /// A set without tools.
    #[must_use]
    pub fn new() -> Self {
        Self { entries: IndexMap::new(), fault: None }
    }

    /// Adds a tool. A fault is kept and told by [`Registry::build`].
    #[must_use]
    pub fn with<T: Tool<D>>(mut self) -> Self {
        if let Err(fault) = self.add::<T>() {
            self.fault.get_or_insert(fault);
        }
        self
    }

    /// Checks the set.
    ///
    /// # Errors
    /// The first mistake made with [`Registry::with`].
    pub fn build(mut self) -> Result<Self, BuildError> {
        match self.fault.take() {
            Some(fault) => Err(fault),
            None => Ok(self),
        }
    }

    fn add<T: Tool<D>>(&mut self) -> Result<(), BuildError> {
        if self.entries.contains_key(T::NAME) {
            return Err(BuildError::Duplicate(T::NAME));
        }
        let parameters = schema_of::<T, D>();
        let validator = jsonschema::validator_for(&parameters)
            .map_err(|error| BuildError::Schema { tool: T::NAME, reason: error.to_string() })?;
        let entry = Entry {
            nature: T::NATURE,
            needs_approval: T::NEEDS_APPROVAL,
            timeout: T::TIMEOUT,
            describe: T::describe,
            parameters,
            validator,
            run: run::<T, D>,
            key: key::<T, D>,
        };
        self.entries.insert(T::NAME, entry);
        Ok(())
    }

    /// The names, in the order in which the tools were added.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.entries.keys().copied()
    }

    /// What a model is told about the tools.
    #[must_use]
    pub fn definitions(&self, lang: Lang) -> Vec<ToolDef> {
        self.entries
            .iter()
            .map(|(name, entry)| ToolDef {
                name: (*name).to_owned(),
                description: (entry.describe)(lang).to_owned(),
                parameters: entry.parameters.clone(),
            })
            .collect()
    }

    /// What the loop has to know about the tools.
    #[must_use]
    pub fn specs(&self) -> Vec<ToolSpec> {
        self.entries
            .iter()
            .map(|(name, entry)| ToolSpec {
                name: (*name).to_owned(),
                nature: entry.nature,
                needs_approval: entry.needs_approval,
                main_argument: arguments::main_argument(&entry.parameters),
            })
            .collect()
    }

    /// The key under which a write happens once: the tool's name and the facts it names, or its normalised arguments.
    /// `None` for a read, an unknown tool, or arguments that cannot be read.
    #[must_use]
    pub fn effect_key(&self, ctx: &ToolCtx<D>, call: &ToolCall) -> Option<String> {
        let entry = self.entries.get(call.name.as_str()).filter(|entry| !entry.nature.is_read())?;
        let value = arguments::read(&call.arguments, &entry.parameters, &entry.validator, entry.nature).ok()?;
        let facts = (entry.key)(value.clone(), ctx).unwrap_or_else(|| arguments::normalised(&value).to_string());
        Some(format!("{}:{facts}", call.name))
    }

    /// Runs one call. A call that cannot be run comes back as a failure in words a model can act on.
    pub async fn call(&self, ctx: &ToolCtx<D>, call: &ToolCall) -> ToolResult {
        let Some(entry) = self.entries.get(call.name.as_str()) else {
            return ToolResult::refused(&call.id, &call.name, Value::Null, self.unknown(&call.name, ctx.lang()));
        };
        let value = match arguments::read(&call.arguments, &entry.parameters, &entry.validator, entry.nature) {
            Ok(value) => value,
            Err(error) => return ToolResult::refused(&call.id, &call.name, Value::Null, error),
        };
        let normal = arguments::normalised(&value);
        let began = Instant::now();
        let outcome = match timeout(entry.timeout, (entry.run)(value, ctx)).await {
            Ok(outcome) => outcome,
            Err(_elapsed) => Err(ToolError::of(FailureKind::Timeout)
                .for_operator(format!("{} gave no answer within {:?}", call.name, entry.timeout))),
        };
        let outcome = outcome.map_err(ToolError::into_failure);
        if let Err(failure) = &outcome {
            tracing::debug!(
                tool = call.name,
                kind = failure.kind.code(),
                reason = failure.operator_text,
                "tool failed"
            );
        }
        ToolResult {
            call_id: call.id.clone(),
            name: call.name.clone(),
            arguments: normal,
            outcome,
            took_ms: u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX),
        }
    }

    fn unknown(&self, name: &str, lang: Lang) -> ToolError {
        unknown_tool(name, self.names(), lang)
    }
}

/// The failure for a tool that does not exist, which names those that do.
pub(crate) fn unknown_tool<'a>(name: &str, known: impl Iterator<Item = &'a str>, lang: Lang) -> ToolError {
    let known = known.collect::<Vec<_>>().join(", ");
    let name = crate::quote::field(name, 60);
    ToolError::new(
        FailureKind::NotFound,
        lang.pick(
            format!("没有名为“{name}”的工具。可用的工具：{known}。"),
            format!("There is no tool called \"{name}\". The tools are: {known}."),
        ),
    )
}

impl<D: Send + Sync + 'static> Default for Registry<D> {
    fn default() -> Self {
        Self::new()
    }
}

impl<D> fmt::Debug for Registry<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Registry").field("tools", &self.entries.keys()).finish_non_exhaustive()
    }
}

fn run<T: Tool<D>, D: Send + Sync + 'static>(
    value: Value,
    ctx: &ToolCtx<D>,
) -> BoxFuture<'_, Result<Value, ToolError>> {
    async move {
        let tool: T = serde_json::from_value(value)
            .map_err(|error| ToolError::invalid(format!("The arguments of {} cannot be used: {error}.", T::NAME)))?;
        let output = tool.call(ctx).await?;
        serde_json::to_value(output).map_err(ToolError::internal)
    }
    .boxed()
}

fn key<T: Tool<D>, D: Send + Sync + 'static>(value: Value, ctx: &ToolCtx<D>) -> Option<String> {
    serde_json::from_value::<T>(value).ok()?.effect_key(ctx)
}

/// The schema of a tool's arguments as providers take it: draft 7, without references, titles or a dialect, closed
/// against arguments the tool does not have.
fn schema_of<T: Tool<D>, D>() -> Value {
    let settings = SchemaSettings::draft07().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    if let Value::Object(object) = &mut schema {
        object.remove("title");
        object.remove("description"); // the tool's own text says it
        object.entry("type").or_insert_with(|| "object".into());
        object.entry("properties").or_insert_with(|| Value::Object(serde_json::Map::new()));
        object.entry("additionalProperties").or_insert(Value::Bool(false));
    }
    schema
}
