//! An ordered list of models: when one fails before anything was shown, the next is asked.

use std::sync::Arc;

use async_stream::stream;
use futures::StreamExt as _;

use crate::chat::{Capabilities, ChatModel, ChatStream};
use crate::error::ModelError;
use crate::event::ChatEvent;
use crate::request::ChatRequest;

/// Models in the order they are asked.
#[derive(Debug, Clone)]
pub struct Fallback {
    first: Arc<dyn ChatModel>,
    others: Arc<[Arc<dyn ChatModel>]>,
}

impl Fallback {
    /// Asks `first`, then the others.
    #[must_use]
    pub fn new(first: Arc<dyn ChatModel>, others: Vec<Arc<dyn ChatModel>>) -> Self {
        Self { first, others: others.into() }
    }
}

/// Whether another model may do better. A refusal that is about the request, the caller or the protocol stands.
const fn another_may_help(error: &ModelError) -> bool {
    !matches!(
        error,
        ModelError::ToolsUnsupported { .. }
            | ModelError::ContentFiltered
            | ModelError::Cancelled
            | ModelError::BudgetExhausted { .. }
    )
}

impl ChatModel for Fallback {
    fn name(&self) -> &str {
        self.first.name()
    }

    fn capabilities(&self) -> Capabilities {
        self.first.capabilities()
    }

    fn stream(&self, request: ChatRequest) -> ChatStream {
        let models: Vec<_> = std::iter::once(&self.first).chain(self.others.iter()).map(Arc::clone).collect();
        let events = stream! {
            let last = models.len().saturating_sub(1);
            for (n, model) in models.iter().enumerate() {
                let mut shown = false;
                let mut failed = None;
                let mut events = model.stream(request.clone());
                while let Some(event) = events.next().await {
                    match event {
                        Ok(event) => {
                            shown |= !matches!(event, ChatEvent::Started { .. });
                            yield Ok(event);
                        }
                        Err(error) => failed = Some(error),
                    }
                }
                let Some(error) = failed else { return };
                if shown || n == last || !another_may_help(&error) {
                    yield Err(error);
                    return;
                }
                tracing::warn!(model = model.name(), %error, "the model failed; the next one is asked");
            }
        };
        events.boxed()
    }
}
