//! From settings to models ready for use: one client, one gate an endpoint, fallbacks in their order.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::chat::ChatModel;
use crate::embedding::EmbeddingModel;
use crate::error::ModelError;
use crate::http::{Http, HttpSettings, Transport, client};
use crate::native::NativeChat;
use crate::openai::{OpenAiChat, OpenAiEmbedding};
use crate::resilience::{BreakerSettings, Fallback, Gate, GateSettings, Guarded, GuardedEmbedding, Ledger, Retry};
use crate::settings::{Endpoint, ModelRole, ModelSettings, Timeouts, Wire};

/// The models of a program, by role. What is not configured is absent.
#[derive(Debug, Clone, Default)]
pub struct Models {
    /// Conversations.
    pub chat: Option<Arc<dyn ChatModel>>,
    /// Looking at pictures.
    pub vision: Option<Arc<dyn ChatModel>>,
    /// Judging answers.
    pub judge: Option<Arc<dyn ChatModel>>,
    /// Vectors of texts.
    pub embedding: Option<Arc<dyn EmbeddingModel>>,
}

impl Models {
    /// Makes the models of these settings. Nothing is sent yet.
    ///
    /// # Errors
    /// [`ModelError::Setting`] when no client can be made.
    pub fn connect(settings: &ModelSettings, ledger: &Arc<dyn Ledger>) -> Result<Self, ModelError> {
        let http = client(&HttpSettings { connect_timeout: settings.timeouts.connect, ..HttpSettings::default() })?;
        let gate = GateSettings {
            concurrency: settings.concurrency,
            tokens_per_minute: settings.tokens_per_minute,
            breaker: BreakerSettings::default(),
            retry: Retry { retries: settings.retries, ..Retry::default() },
        };
        let mut connect = Connect { settings, ledger, http, gate, chats: BTreeMap::new() };
        let chat = settings.role(ModelRole::Chat).map(|endpoint| connect.chat(endpoint));
        let others: Vec<_> = settings.fallbacks.iter().map(|endpoint| connect.chat(endpoint)).collect();
        let chat = chat.map(|first| {
            if others.is_empty() { first } else { Arc::new(Fallback::new(first, others)) as Arc<dyn ChatModel> }
        });
        let vision = settings.role(ModelRole::Vision).map(|endpoint| connect.chat(endpoint));
        let judge = settings.role(ModelRole::Judge).map(|endpoint| connect.chat(endpoint));
        let embedding = settings.role(ModelRole::Embedding).map(|endpoint| connect.embedding(endpoint));
        Ok(Self { chat, vision, judge, embedding })
    }
}

/// The chat model of an endpoint in the protocol it speaks, over any transport: without retries, breaker or ledger.
#[must_use]
pub fn chat_over(endpoint: &Endpoint, transport: Arc<dyn Transport>, timeouts: Timeouts) -> Arc<dyn ChatModel> {
    match endpoint.wire() {
        Wire::OpenAi => Arc::new(OpenAiChat::over(endpoint, transport, timeouts)),
        Wire::Anthropic | Wire::Gemini => Arc::new(NativeChat::over(endpoint, transport, timeouts)),
    }
}

struct Connect<'a> {
    settings: &'a ModelSettings,
    ledger: &'a Arc<dyn Ledger>,
    http: reqwest::Client,
    gate: GateSettings,
    /// Roles that share an endpoint share its model, so that its gate and what was learned are one.
    chats: BTreeMap<(String, String), Arc<dyn ChatModel>>,
}

impl Connect<'_> {
    fn chat(&mut self, endpoint: &Endpoint) -> Arc<dyn ChatModel> {
        let key = (endpoint.base_url.clone(), endpoint.model.clone());
        let make = || {
            let timeouts = self.settings.timeouts;
            let http = Http { client: self.http.clone(), connect_timeout: timeouts.connect };
            let chat = chat_over(endpoint, Arc::new(http), timeouts);
            Arc::new(Guarded::new(chat, Gate::new(&self.gate), Arc::clone(self.ledger))) as Arc<dyn ChatModel>
        };
        Arc::clone(self.chats.entry(key).or_insert_with(make))
    }

    fn embedding(&self, endpoint: &Endpoint) -> Arc<dyn EmbeddingModel> {
        let model = OpenAiEmbedding::new(endpoint, self.http.clone(), self.settings.timeouts);
        Arc::new(GuardedEmbedding::new(Arc::new(model), Gate::new(&self.gate), Arc::clone(self.ledger)))
    }
}
