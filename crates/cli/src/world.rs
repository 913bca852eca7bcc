//! The shop opened: database, engine, catalogues, model and agents, put together from the settings.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context;
use mercer_assistants::Assistants;
use mercer_assistants::shopping::{Models, ShoppingDeps};
use mercer_graph::{Engine, EngineOptions, SystemClock};
use mercer_model::ChatModel;
use mercer_model::resilience::{Ledger, TraceLedger};
use mercer_search::Catalogs;
use mercer_search::remote::{RemoteSettings, SearchClient};
use mercer_server::{ModelHealth, ModelState, ShopInfo};
use mercer_shop::{Currency, Files, Imports};
use mercer_store::SqliteStore;

use crate::settings::{RemoteSearch, Settings};

/// Everything a command that runs agents needs.
#[derive(Debug)]
pub(crate) struct World {
    pub(crate) engine: Engine,
    pub(crate) assistants: Assistants,
    pub(crate) catalogs: Arc<Catalogs>,
    pub(crate) files: Arc<dyn Files>,
    pub(crate) imports: Arc<dyn Imports>,
    pub(crate) health: Arc<Health>,
    pub(crate) shop: ShopInfo,
}

impl World {
    /// Opens the data folder, making it when it does not exist.
    pub(crate) async fn open(settings: &Settings) -> anyhow::Result<Self> {
        std::fs::create_dir_all(&settings.data)
            .with_context(|| format!("making the data folder {}", settings.data.display()))?;
        let store = SqliteStore::open(&settings.data).await.context("opening the database")?;
        let files: Arc<dyn Files> = Arc::new(store.files());
        let imports: Arc<dyn Imports> = Arc::new(store.imports());
        let engine = Engine::new(store, EngineOptions::default());
        let catalogs = Arc::new(Catalogs::new(settings.data.join("tenants")));
        let ledger: Arc<dyn Ledger> = Arc::new(TraceLedger);
        let mercer_model::Models { chat, vision, .. } = mercer_model::Models::connect(&settings.model, &ledger)?;
        let models = Models { chat, vision };
        let health = Arc::new(Health { chat: models.chat.clone() });
        let assistants = Assistants::build(
            &engine,
            ShoppingDeps {
                catalogs: Arc::clone(&catalogs),
                models,
                files: Arc::clone(&files),
                clock: Arc::new(SystemClock),
            },
        )?;
        Ok(Self { engine, assistants, catalogs, files, imports, health, shop: shop_info(&settings.data)? })
    }
}

/// A client of an existing search service.
pub(crate) fn remote(search: &RemoteSearch, currency: Option<Currency>) -> anyhow::Result<SearchClient> {
    let base = search.url.parse().with_context(|| format!("search.api_url: {:?} is not an address", search.url))?;
    let currency =
        currency.context("search.api_url needs the currency of its prices: set MERCER_CURRENCY, such as CNY")?;
    let http = mercer_model::http::client(&mercer_model::http::HttpSettings::default())?;
    Ok(SearchClient::new(RemoteSettings { base, tenant: search.tenant.clone(), currency }, http))
}

/// The model's state for the page: what is configured, and whether its breaker is open.
#[derive(Debug)]
pub(crate) struct Health {
    chat: Option<Arc<dyn ChatModel>>,
}

impl Health {
    /// The chat model, when one is configured.
    pub(crate) fn chat(&self) -> Option<Arc<dyn ChatModel>> {
        self.chat.clone()
    }
}

impl ModelHealth for Health {
    fn state(&self) -> ModelState {
        match &self.chat {
            None => ModelState {
                state: "rules",
                name: None,
                reason: "No language model is configured; answers are made by rules. Set MERCER_MODEL to use one."
                    .to_owned(),
            },
            Some(model) => ModelState {
                state: "model",
                name: Some(model.name().to_owned()),
                reason: "The language model answers.".to_owned(),
            },
        }
    }
}

/// The shop's name and examples from `shop.toml` in the data folder.
fn shop_info(data: &std::path::Path) -> anyhow::Result<ShopInfo> {
    let path: PathBuf = data.join("shop.toml");
    match std::fs::read_to_string(&path) {
        Ok(text) => toml::from_str(&text).with_context(|| format!("reading {}", path.display())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(ShopInfo::default()),
        Err(error) => Err(error).with_context(|| format!("reading {}", path.display())),
    }
}
