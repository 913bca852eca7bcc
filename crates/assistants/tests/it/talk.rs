//! A conversation with the assistant, as a test holds one.

use std::sync::Arc;

use futures::StreamExt as _;
use jiff::Timestamp;
use mercer_assistants::Assistants;
use mercer_assistants::shopping::{Card, ChatMessage, Chip, Models, Shopping, ShoppingDeps, numbered};
use mercer_graph::{Clock, Engine, EngineOptions, EventBody, MemoryStore, NewThread, RunStatus, ThreadId};
use mercer_model::{ChatModel, Scripted, ToolCall};
use mercer_shop::{Files, InMemory, Lang, Product, TenantId};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::shop;

/// A clock that stands still.
#[derive(Debug)]
pub(crate) struct Still;

impl Clock for Still {
    fn now(&self) -> Timestamp {
        "2026-06-01T12:00:00Z".parse().unwrap()
    }
}

/// A shop with its assistant and one conversation.
pub(crate) struct Talk {
    pub(crate) assistants: Assistants,
    pub(crate) engine: Engine,
    pub(crate) thread: ThreadId,
    pub(crate) files: Arc<InMemory>,
    pub(crate) products: Vec<Product>,
    pub(crate) locale: Lang,
    _dir: TempDir,
    said: u32,
}

/// What came back for a message.
#[derive(Debug, Clone)]
pub(crate) struct Reply {
    pub(crate) message: ChatMessage,
    pub(crate) state: Shopping,
    pub(crate) events: Vec<EventBody>,
}

impl Talk {
    pub(crate) async fn by_rules() -> Self {
        Self::with(Models::default()).await
    }

    pub(crate) async fn led_by(model: &Scripted) -> Self {
        let chat: Arc<dyn ChatModel> = Arc::new(model.clone());
        Self::with(Models { chat: Some(chat), vision: None }).await
    }

    pub(crate) async fn with(models: Models) -> Self {
        Self::over(shop::products(), models).await
    }

    /// A conversation in a shop with these products.
    pub(crate) async fn over(products: Vec<Product>, models: Models) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let files = Arc::new(InMemory::default());
        let deps = ShoppingDeps {
            catalogs: shop::filled(dir.path(), &products),
            models,
            files: Arc::clone(&files) as Arc<dyn Files>,
            clock: Arc::new(Still),
        };
        let engine = Engine::new(MemoryStore::default(), EngineOptions::default());
        let assistants = Assistants::build(&engine, deps).unwrap();
        let thread = engine.create_thread(new_thread()).await.unwrap();
        Self { assistants, engine, thread, files, products, locale: Lang::En, _dir: dir, said: 0 }
    }

    pub(crate) async fn say(&mut self, text: &str) -> Reply {
        self.send(text, Vec::new()).await
    }

    pub(crate) async fn send(&mut self, text: &str, images: Vec<String>) -> Reply {
        self.said += 1;
        let id = format!("m{}", self.said);
        let run = self.assistants.say(&self.thread, id, text.to_owned(), images, self.locale).await.unwrap();
        self.reply(&run).await
    }

    pub(crate) async fn remove(&mut self, chip: &str) -> Reply {
        let run = self.assistants.remove_condition(&self.thread, chip, self.locale).await.unwrap();
        self.reply(&run).await
    }

    async fn reply(&mut self, run: &mercer_graph::RunId) -> Reply {
        let row = self.engine.wait(run).await.unwrap();
        assert_eq!(row.status, RunStatus::Done, "{:?}", row.error);
        let events = self.engine.events(run, 0).map(|event| event.unwrap().body).collect::<Vec<_>>().await;
        let state = self.state().await;
        assert!(state.turn.is_none(), "the turn is over");
        Reply { message: state.messages.last().unwrap().clone(), state, events }
    }

    pub(crate) async fn state(&self) -> Shopping {
        self.assistants.shopping().state(&self.thread).await.unwrap().unwrap().state
    }
}

pub(crate) fn new_thread() -> NewThread {
    NewThread { tenant: TenantId::single().to_string(), agent: "shopping".into(), title: None, metadata: Value::Null }
}

impl Reply {
    pub(crate) fn text(&self) -> &str {
        &self.message.text
    }

    pub(crate) fn ids(&self) -> Vec<&str> {
        self.message.product_ids.iter().map(|id| id.as_str()).collect()
    }

    pub(crate) fn chips(&self) -> Vec<String> {
        self.state
            .wish
            .as_ref()
            .map(|w| w.chips(Lang::En))
            .unwrap_or_default()
            .into_iter()
            .map(|c: Chip| c.label)
            .collect()
    }

    /// The events of a name.
    pub(crate) fn told(&self, name: &str) -> Vec<&Value> {
        let named = |event: &'_ EventBody| matches!(event, EventBody::Custom { name: told, .. } if told == name);
        let told = self.events.iter().filter(|event| named(event));
        told.filter_map(|event| match event {
            EventBody::Custom { data, .. } => Some(data),
            _ => None,
        })
        .collect()
    }

    /// The text as it was streamed: deltas since the last restart.
    pub(crate) fn streamed(&self) -> String {
        let mut text = String::new();
        for event in &self.events {
            match event {
                EventBody::MessageDelta { text: more, .. } => text.push_str(more),
                EventBody::MessageRestarted { .. } => text.clear(),
                _ => {}
            }
        }
        text
    }

    /// The cards of the last event that shows some.
    pub(crate) fn cards(&self) -> Vec<Card> {
        let last = self.told("products").last().copied().cloned();
        last.map(|data| serde_json::from_value(data["products"].clone()).unwrap()).unwrap_or_default()
    }

    /// The turn as a person reads it, for a snapshot.
    pub(crate) fn page(&self, said: &str, products: &[Product]) -> String {
        let shown: Vec<_> =
            self.ids().iter().filter_map(|id| products.iter().find(|p| p.id.as_str() == *id).cloned()).collect();
        let mut page = format!("> {said}\n{}\n", self.text());
        if !shown.is_empty() {
            page.push_str(&numbered(&shown, self.message.lang));
            page.push('\n');
        }
        for line in &self.message.tools {
            page.push_str(&format!("  · {} {}\n", line.name, line.summary));
        }
        let chips = self.state.wish.as_ref().map(|w| w.chips(self.message.lang)).unwrap_or_default();
        if !chips.is_empty() {
            let labels: Vec<String> = chips.into_iter().map(|c| c.label).collect();
            page.push_str(&format!("  [{}]\n", labels.join("] [")));
        }
        page
    }
}

pub(crate) fn call(name: &str, arguments: &Value) -> ToolCall {
    ToolCall::new("", name, arguments.to_string())
}

pub(crate) fn search(query: &str) -> ToolCall {
    call("search_products", &json!({ "query": query }))
}
