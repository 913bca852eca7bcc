//! What the tools of one turn work with: the tenant's catalogue, the standing wish, the customer's pictures and the vision model.

use std::fmt;
use std::sync::Arc;

use indexmap::IndexMap;
use mercer_agent::{Principal, ToolCtx, ToolError};
use mercer_graph::Clock;
use mercer_model::ChatModel;
use mercer_search::{
    Catalog, CatalogShape, Catalogs, Condition, Field, Op, SearchError, SearchRequest, SearchResponse, Understood,
};
use mercer_shop::{Files, Lang, Localized, Product, ProductId, TenantId};

use super::picture::Seen;
use super::state::{Driver, Shopping};
use super::wish::Wish;

/// The models of the shopping assistant. Without a chat model it works by rules.
#[derive(Clone, Default)]
pub struct Models {
    /// Leads conversations.
    pub chat: Option<Arc<dyn ChatModel>>,
    /// Looks at pictures; the chat model does when it can see and this is absent.
    pub vision: Option<Arc<dyn ChatModel>>,
}

impl Models {
    /// The model that looks at pictures.
    #[must_use]
    pub fn sight(&self) -> Option<Arc<dyn ChatModel>> {
        self.vision.clone().or_else(|| self.chat.clone().filter(|chat| chat.capabilities().vision))
    }
}

impl fmt::Debug for Models {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |model: &Option<Arc<dyn ChatModel>>| model.as_ref().map(|m| m.name().to_owned());
        f.debug_struct("Models").field("chat", &name(&self.chat)).field("vision", &name(&self.vision)).finish()
    }
}

/// The services of the shopping assistant.
#[derive(Debug, Clone)]
pub struct ShoppingDeps {
    /// The catalogues, one a tenant.
    pub catalogs: Arc<Catalogs>,
    /// The models.
    pub models: Models,
    /// The pictures that customers sent.
    pub files: Arc<dyn Files>,
    /// The time of day.
    pub clock: Arc<dyn Clock>,
}

/// What the tools of one turn work with.
#[derive(Debug)]
pub struct Desk {
    pub(super) catalog: Arc<Catalog>,
    pub(super) tenant: TenantId,
    pub(super) wish: Option<Wish>,
    pub(super) driver: Driver,
    pub(super) pictures: IndexMap<String, Option<Seen>>,
    pub(super) sight: Option<Arc<dyn ChatModel>>,
    pub(super) files: Arc<dyn Files>,
}

impl Desk {
    /// The desk for a conversation as it stands.
    ///
    /// # Errors
    /// When the tenant's catalogue cannot be opened.
    pub fn open(deps: &ShoppingDeps, tenant: TenantId, state: &Shopping) -> Result<Self, SearchError> {
        Ok(Self {
            catalog: deps.catalogs.tenant(&tenant)?,
            tenant,
            wish: state
                .turn
                .as_ref()
                .and_then(|t| t.reading.as_ref())
                .and_then(|r| r.wish.clone())
                .or_else(|| state.wish.clone()),
            driver: state.turn.as_ref().map(|t| t.driver).unwrap_or_default(),
            pictures: state.pictures.clone(),
            sight: deps.models.sight(),
            files: Arc::clone(&deps.files),
        })
    }

    /// The context in which the tools of a turn are called.
    #[must_use]
    pub fn context(self, thread: &str, lang: Lang, now: jiff::Timestamp) -> ToolCtx<Self> {
        ToolCtx {
            tenant: self.tenant.to_string(),
            deps: Arc::new(self),
            principal: Principal::Anonymous,
            thread: thread.to_owned(),
            lang_tag: lang.tag().to_owned(),
            now,
        }
    }

    pub(super) fn understand(&self, text: &str, lang: Lang) -> Result<Understood, SearchError> {
        self.catalog.understand(text, Some(lang))
    }

    pub(super) fn shape(&self) -> Result<CatalogShape, SearchError> {
        self.catalog.shape()
    }

    /// What the shop calls a kind, from a product of that kind.
    pub(super) fn kind_name(&self, value: &str) -> Result<Option<Localized>, SearchError> {
        let request = SearchRequest {
            conditions: vec![Condition::any_of(Field::Category, [value])],
            understand: false,
            limit: 1,
            ..SearchRequest::default()
        };
        let leaf = value.rsplit(" > ").next().unwrap_or(value).to_lowercase();
        let called =
            |level: &&Localized| [&level.en, &level.zh].into_iter().flatten().any(|n| n.to_lowercase() == leaf);
        let response = self.catalog.search(&request)?;
        Ok(response.hits.first().and_then(|hit| hit.product.category.iter().rev().find(called)).cloned())
    }

    /// Notes what the shop calls the kinds of a wish.
    pub(super) fn name_kinds(&self, wish: &mut Wish) -> Result<(), SearchError> {
        let kinds = wish.conditions.iter().filter(|c| c.field == Field::Category);
        let values: Vec<String> = kinds
            .flat_map(|c| match &c.op {
                Op::AnyOf(values) | Op::NoneOf(values) => values.clone(),
                Op::AtMost(_) | Op::AtLeast(_) | Op::Between(..) => Vec::new(),
            })
            .collect();
        wish.kinds.retain(|value, _| values.contains(value));
        for value in values {
            if !wish.kinds.contains_key(&value)
                && let Some(name) = self.kind_name(&value)?
            {
                wish.kinds.insert(value, name);
            }
        }
        Ok(())
    }

    /// The products of these ids that the catalogue still has.
    pub(super) fn products(&self, ids: &[ProductId]) -> Result<Vec<Product>, SearchError> {
        self.catalog.get_many(ids)
    }

    /// Whether pictures can be looked at.
    pub(super) fn can_see(&self) -> bool {
        self.sight.is_some()
    }

    pub(super) async fn search(&self, request: SearchRequest) -> Result<SearchResponse, ToolError> {
        let catalog = Arc::clone(&self.catalog);
        blocking(move || catalog.search(&request)).await
    }

    pub(super) fn product(&self, id: &str) -> Result<Product, ToolError> {
        let id = ProductId::new(id).map_err(|error| ToolError::not_found().caused_by(error))?;
        self.catalog.get(&id).map_err(ToolError::internal)?.ok_or_else(ToolError::not_found)
    }

    pub(super) async fn similar(&self, id: &ProductId, limit: usize) -> Result<Vec<Product>, ToolError> {
        let (catalog, id) = (Arc::clone(&self.catalog), id.clone());
        blocking(move || catalog.similar(&id, limit)).await
    }
}

/// Runs a look into the index where it may take its milliseconds.
async fn blocking<T, E>(work: impl FnOnce() -> Result<T, E> + Send + 'static) -> Result<T, ToolError>
where
    T: Send + 'static,
    E: std::error::Error + Send + Sync + 'static,
{
    tokio::task::spawn_blocking(work).await.map_err(ToolError::internal)?.map_err(ToolError::internal)
}

/// The language of a tool's context.
pub(super) fn lang_of(ctx: &ToolCtx<Desk>) -> Lang {
    match ctx.lang() {
        mercer_agent::Lang::Zh => Lang::Zh,
        mercer_agent::Lang::En => Lang::En,
    }
}
