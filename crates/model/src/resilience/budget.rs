//! Budgets of calls, tokens and money, for a run, a thread or a tenant. They end with a typed error.

use std::sync::{Arc, Mutex, PoisonError};

use async_stream::stream;
use futures::StreamExt as _;
use serde::{Deserialize, Serialize};

use crate::chat::{Capabilities, ChatModel, ChatStream};
use crate::error::ModelError;
use crate::event::{ChatEvent, Usage};
use crate::request::ChatRequest;

/// What may be used; what is absent is not limited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct BudgetLimits {
    /// Calls.
    pub calls: Option<u64>,
    /// Tokens read and written.
    pub tokens: Option<u64>,
    /// Billionths of the currency's unit.
    pub cost_nanos: Option<u64>,
}

/// What was used.
#[derive(Debug, Clone, Copy, Default)]
struct Used {
    calls: u64,
    tokens: u64,
    cost_nanos: u64,
}

/// A budget, shared by all calls that draw on it.
#[derive(Debug)]
pub struct Budget {
    scope: String,
    limits: BudgetLimits,
    used: Mutex<Used>,
}

impl Budget {
    /// A full budget of a scope, such as `run`.
    pub fn new(scope: impl Into<String>, limits: BudgetLimits) -> Self {
        Self { scope: scope.into(), limits, used: Mutex::default() }
    }

    fn exhausted(&self, used: Used) -> Option<ModelError> {
        let limits = [
            ("calls", used.calls, self.limits.calls),
            ("tokens", used.tokens, self.limits.tokens),
            ("billionths of money", used.cost_nanos, self.limits.cost_nanos),
        ];
        limits.into_iter().find_map(|(unit, used, limit)| {
            let limit = limit.filter(|limit| used >= *limit)?;
            Some(ModelError::BudgetExhausted { scope: self.scope.clone(), unit: unit.into(), used, limit })
        })
    }

    /// Counts one more call.
    ///
    /// # Errors
    /// [`ModelError::BudgetExhausted`] when something is used up; the call is then not counted.
    pub fn begin(&self) -> Result<(), ModelError> {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(error) = self.exhausted(*used) {
            return Err(error);
        }
        used.calls = used.calls.saturating_add(1);
        Ok(())
    }

    /// Counts what a call used.
    pub fn charge(&self, usage: &Usage) {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        used.tokens = used.tokens.saturating_add(usage.total());
        used.cost_nanos = used.cost_nanos.saturating_add(usage.cost.as_ref().map_or(0, |cost| cost.nanos));
    }
}

/// A model whose calls draw on budgets.
#[derive(Debug, Clone)]
pub struct Budgeted {
    inner: Arc<dyn ChatModel>,
    budgets: Vec<Arc<Budget>>,
}

impl Budgeted {
    /// Wraps a model. All budgets must have something left for a call to begin.
    #[must_use]
    pub fn new(inner: Arc<dyn ChatModel>, budgets: Vec<Arc<Budget>>) -> Self {
        Self { inner, budgets }
    }
}

impl ChatModel for Budgeted {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn capabilities(&self) -> Capabilities {
        self.inner.capabilities()
    }

    fn stream(&self, request: ChatRequest) -> ChatStream {
        let Self { inner, budgets } = self.clone();
        let events = stream! {
            for budget in &budgets {
                if let Err(error) = budget.begin() {
                    yield Err(error);
                    return;
                }
            }
            let mut events = inner.stream(request);
            while let Some(event) = events.next().await {
                if let Ok(ChatEvent::Usage(usage)) = &event {
                    budgets.iter().for_each(|budget| budget.charge(usage));
                }
                yield event;
            }
        };
        events.boxed()
    }
}
