//! The one entry for servers and terminals.

use std::sync::Arc;

use mercer_agent::tool::BuildError as ToolsError;
use mercer_graph::{Agent, BuildError, Engine, EngineError, Multitask, RunId, RunOptions, ThreadId};
use mercer_search::{Catalog, SearchError};
use mercer_shop::{Lang, TenantId};

use crate::shopping::{self, ChatMessage, Chip, MessageView, Room, Shopping, ShoppingDeps, Update, UserMessage, title};

/// Why the agents could not be set up. All of them are mistakes of the program.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// A graph does not hold together.
    #[error("a graph does not hold together")]
    Graph(#[from] BuildError),
    /// A set of tools does not hold together.
    #[error("the tools do not hold together")]
    Tools(#[from] ToolsError),
}

/// The agents of a shop, registered with an engine. Clones are the same agents.
#[derive(Debug, Clone)]
pub struct Assistants {
    shopping: Agent<Shopping>,
    deps: ShoppingDeps,
}

impl Assistants {
    /// Registers the graphs of all agents. To be called before [`Engine::recover`].
    ///
    /// # Errors
    /// [`SetupError`].
    pub fn build(engine: &Engine, deps: ShoppingDeps) -> Result<Self, SetupError> {
        let room = Room { deps: deps.clone(), tools: Arc::new(shopping::registry()?) };
        Ok(Self { shopping: engine.register(shopping::graph()?, room), deps })
    }

    /// The shopping assistant's graph.
    #[must_use]
    pub fn shopping(&self) -> &Agent<Shopping> {
        &self.shopping
    }

    /// A customer says something to the shopping assistant. Returns when the run that answers is durable; said again with the same
    /// message id, it is the same run. The first message gives the thread its title.
    ///
    /// # Errors
    /// When there is no such thread, or as [`Agent::start`].
    pub async fn say(
        &self,
        thread: &ThreadId,
        message_id: String,
        text: String,
        images: Vec<String>,
        locale: Lang,
    ) -> Result<RunId, EngineError> {
        let name = title(&text);
        let key = message_id.clone();
        let update = Update::Said(UserMessage { id: message_id, text, images, locale });
        let run = self.start(thread, update, Some(key)).await?;
        let engine = self.shopping.engine();
        if let Some(name) = name
            && engine.thread(thread).await?.is_some_and(|row| row.title.is_none())
        {
            engine.rename(thread, Some(name)).await?;
        }
        Ok(run)
    }

    /// A customer takes a chip away; the wish that is left is searched again.
    ///
    /// # Errors
    /// As [`Assistants::say`].
    pub async fn remove_condition(
        &self,
        thread: &ThreadId,
        condition_id: &str,
        locale: Lang,
    ) -> Result<RunId, EngineError> {
        self.start(thread, Update::RemoveCondition { id: condition_id.to_owned(), locale }, None).await
    }

    /// The messages of a conversation with their cards, oldest first. When the catalogue cannot be read they have no cards.
    ///
    /// # Errors
    /// When there is no such thread or its state cannot be read.
    pub async fn messages(&self, thread: &ThreadId) -> Result<Vec<MessageView>, EngineError> {
        let state = self.state(thread).await?;
        let catalog = self.catalog(thread).await?;
        Ok(state.messages.iter().map(|message| self.view(&catalog, message)).collect())
    }

    /// The chips of a conversation's standing wish.
    ///
    /// # Errors
    /// As [`Assistants::messages`].
    pub async fn conditions(&self, thread: &ThreadId) -> Result<Vec<Chip>, EngineError> {
        let state = self.state(thread).await?;
        let lang = state.lang().unwrap_or_default();
        Ok(state.wish.map(|wish| wish.chips(lang)).unwrap_or_default())
    }

    async fn start(&self, thread: &ThreadId, update: Update, key: Option<String>) -> Result<RunId, EngineError> {
        let options = RunOptions { multitask: Multitask::Enqueue, idempotency_key: key, ..RunOptions::default() };
        self.shopping.start(thread, vec![update], options).await
    }

    async fn state(&self, thread: &ThreadId) -> Result<Shopping, EngineError> {
        let snapshot = self.shopping.state(thread).await?;
        snapshot.map(|snapshot| snapshot.state).ok_or_else(|| EngineError::ThreadNotFound(thread.clone()))
    }

    async fn catalog(&self, thread: &ThreadId) -> Result<Option<Arc<Catalog>>, EngineError> {
        let row =
            self.shopping.engine().thread(thread).await?.ok_or_else(|| EngineError::ThreadNotFound(thread.clone()))?;
        let opened = TenantId::new(&row.tenant).ok().map(|tenant| self.deps.catalogs.tenant(&tenant));
        Ok(opened.and_then(|opened| opened.map_err(|error| unreadable(&error)).ok()))
    }

    fn view(&self, catalog: &Option<Arc<Catalog>>, message: &ChatMessage) -> MessageView {
        let with_cards =
            catalog.as_ref().and_then(|c| MessageView::of(c, message).map_err(|error| unreadable(&error)).ok());
        with_cards.unwrap_or_else(|| MessageView::without_cards(message))
    }
}

fn unreadable(error: &SearchError) {
    tracing::error!(?error, "a conversation is shown without cards: the catalogue cannot be read");
}
