//! The shopping assistant in a world of its own: a catalogue, and one conversation over it.
//!
//! Data of a scenario: `catalog`, a feed beside the scenario's file, or `products`, records in the form of our own JSONL; `now`.
//! The world afterwards: `wish` (its chips), `shown` and `known` product ids, `messages`, `profile`, `state`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use futures::future::BoxFuture;
use jiff::Timestamp;
use mercer_graph::{Clock, Engine, EngineOptions, MemoryStore, NewThread, RunId, RunStatus, ThreadId};
use mercer_search::Catalogs;
use mercer_search::feed::{Options, Source, open};
use mercer_shop::{InMemory, Lang, Product, TenantId};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::Mutex;
use tokio::time::Instant;

use super::{EvalError, Input, Reply, Scenario, Scene, Stage};
use crate::Assistants;
use crate::shopping::{Models, ShoppingDeps};

/// When scenarios begin that do not say.
const NOW: &str = "2026-06-01T12:00:00Z";

/// A clock that starts at a scenario's time and runs.
#[derive(Debug, Clone)]
struct From {
    start: Timestamp,
    began: Instant,
}

impl Clock for From {
    fn now(&self) -> Timestamp {
        let passed = jiff::SignedDuration::try_from(self.began.elapsed()).unwrap_or_default();
        self.start.checked_add(passed).unwrap_or(self.start)
    }
}

/// Makes shops for scenarios. A catalogue that several scenarios use is imported once.
#[derive(Debug)]
pub struct ShoppingStage {
    scratch: PathBuf,
    models: Models,
    opened: Mutex<BTreeMap<String, Arc<Catalogs>>>,
}

impl ShoppingStage {
    /// A stage that keeps its catalogues in a folder, which has to be empty.
    #[must_use]
    pub fn new(scratch: impl Into<PathBuf>, models: Models) -> Self {
        Self { scratch: scratch.into(), models, opened: Mutex::default() }
    }

    /// The catalogue of a scenario's data.
    async fn catalogs(&self, data: &Value, folder: &Path) -> Result<Arc<Catalogs>, EvalError> {
        let source = match (data.get("catalog").and_then(Value::as_str), data.get("products")) {
            (Some(file), None) => folder.join(file).to_string_lossy().into_owned(),
            (None, Some(Value::Array(products))) => Value::Array(products.clone()).to_string(),
            _ => return Err(EvalError::Data("it needs either `catalog`, a file, or `products`, a list".to_owned())),
        };
        let mut opened = self.opened.lock().await;
        if let Some(catalogs) = opened.get(&source) {
            return Ok(Arc::clone(catalogs));
        }
        let root = self.scratch.join(format!("catalog-{}", opened.len()));
        let (data, file) = (data.clone(), folder.join(data.get("catalog").and_then(Value::as_str).unwrap_or_default()));
        let made = tokio::task::spawn_blocking(move || import(&root, &data, &file)).await;
        let catalogs = Arc::new(made.map_err(EvalError::doing("importing the catalogue"))??);
        opened.insert(source, Arc::clone(&catalogs));
        Ok(catalogs)
    }
}

pub(super) fn import(root: &Path, data: &Value, file: &Path) -> Result<Catalogs, EvalError> {
    std::fs::create_dir_all(root).map_err(EvalError::doing("making a folder for the catalogue"))?;
    let catalogs = Catalogs::new(root.join("tenants"));
    let catalog = catalogs.tenant(&TenantId::single()).map_err(EvalError::doing("opening the catalogue"))?;
    let mut import = catalog.begin_import().map_err(EvalError::doing("importing the catalogue"))?;
    let products: Vec<Product> = match data.get("products") {
        Some(products) => Vec::deserialize(products).map_err(|error| EvalError::Data(format!("products: {error}")))?,
        None => {
            let feed = open(&Source::File(file.to_owned()), Options::default());
            let feed = feed.map_err(EvalError::doing("reading the catalogue"))?;
            let products = feed.map(|product| product.map_err(|row| EvalError::Data(row.to_string())));
            products.collect::<Result<_, _>>()?
        }
    };
    for product in products {
        import.add(product).map_err(EvalError::doing("importing the catalogue"))?;
    }
    import.commit().map_err(EvalError::doing("importing the catalogue"))?;
    Ok(catalogs)
}

impl Stage for ShoppingStage {
    fn agent(&self) -> &'static str {
        "shopping"
    }

    fn open<'a>(&'a self, scenario: &'a Scenario) -> BoxFuture<'a, Result<Box<dyn Scene>, EvalError>> {
        Box::pin(async move {
            let catalogs = self.catalogs(&scenario.data, &scenario.folder).await?;
            let now = scenario.data.get("now").and_then(Value::as_str).unwrap_or(NOW);
            let start = now.parse().map_err(|error| EvalError::Data(format!("now: {error}")))?;
            let scene = ShoppingScene::open(catalogs, self.models.clone(), start, scenario.lang).await?;
            Ok(Box::new(scene) as Box<dyn Scene>)
        })
    }
}

/// One conversation with the shopping assistant.
pub(super) struct ShoppingScene {
    engine: Engine,
    assistants: Assistants,
    thread: ThreadId,
    lang: Lang,
    said: u32,
}

impl ShoppingScene {
    pub(super) async fn open(
        catalogs: Arc<Catalogs>,
        models: Models,
        start: Timestamp,
        lang: Lang,
    ) -> Result<Self, EvalError> {
        let clock: Arc<dyn Clock> = Arc::new(From { start, began: Instant::now() });
        let deps = ShoppingDeps { catalogs, models, files: Arc::new(InMemory::default()), clock: Arc::clone(&clock) };
        let engine = Engine::new(MemoryStore::default(), EngineOptions { clock, ..EngineOptions::default() });
        let assistants = Assistants::build(&engine, deps).map_err(EvalError::doing("setting up the agents"))?;
        let new = NewThread {
            tenant: TenantId::single().to_string(),
            agent: "shopping".to_owned(),
            title: None,
            metadata: Value::Null,
        };
        let thread = engine.create_thread(new).await.map_err(EvalError::doing("beginning a conversation"))?;
        Ok(Self { engine, assistants, thread, lang, said: 0 })
    }

    async fn run(&mut self, input: Input) -> Result<RunId, EvalError> {
        self.said += 1;
        let id = format!("m{}", self.said);
        let started = match (input.remove, input.action) {
            (Some(chip), _) => self.assistants.remove_condition(&self.thread, &chip, self.lang).await,
            (None, Some(action)) => return Err(EvalError::Data(format!("a shopping customer cannot do {action:?}"))),
            (None, None) => self.assistants.say(&self.thread, id, input.say, Vec::new(), self.lang).await,
        };
        started.map_err(EvalError::doing("saying something to the agent"))
    }

    async fn reply(&mut self, run: &RunId) -> Result<Reply, EvalError> {
        let row = self.engine.wait(run).await.map_err(EvalError::doing("waiting for the answer"))?;
        if row.status != RunStatus::Done {
            let reason = row.error.map_or_else(|| row.status.to_string(), |error| error.to_string());
            return Err(EvalError::Data(format!("the run ended as {reason}")));
        }
        let failed = "reading the answer";
        let messages = self.assistants.messages(&self.thread).await.map_err(EvalError::doing(failed))?;
        let conditions = self.assistants.conditions(&self.thread).await.map_err(EvalError::doing(failed))?;
        let message = messages.last().ok_or_else(|| EvalError::Data("there is no answer".to_owned()))?;
        let mut view = serde_json::to_value(message).map_err(EvalError::doing(failed))?;
        let chips: Vec<&str> = conditions.iter().map(|chip| chip.label.as_str()).collect();
        if let Some(fields) = view.as_object_mut() {
            fields.insert("conditions".to_owned(), json!(chips));
        }
        let calls = u32::try_from(message.tools.len()).unwrap_or(u32::MAX);
        Ok(Reply { text: message.text.clone(), view, steps: row.steps, calls })
    }
}

impl Scene for ShoppingScene {
    fn say<'a>(&'a mut self, input: Input) -> BoxFuture<'a, Result<Reply, EvalError>> {
        Box::pin(async move {
            let run = self.run(input).await?;
            self.reply(&run).await
        })
    }

    fn world<'a>(&'a mut self) -> BoxFuture<'a, Result<Value, EvalError>> {
        Box::pin(async move {
            let failed = "reading the conversation";
            let state = self.assistants.shopping().state(&self.thread).await.map_err(EvalError::doing(failed))?;
            let state = state.map(|snapshot| snapshot.state).unwrap_or_default();
            let chips: Vec<String> = state
                .wish
                .as_ref()
                .map(|wish| wish.chips(self.lang).into_iter().map(|chip| chip.label).collect())
                .unwrap_or_default();
            let shown: Vec<&str> = state.shown.iter().map(|shown| shown.id.as_str()).collect();
            Ok(json!({
                "wish": chips, "shown": shown, "known": state.known, "messages": state.messages.len(),
                "state": serde_json::to_value(&state).map_err(EvalError::doing(failed))?,
            }))
        })
    }
}
