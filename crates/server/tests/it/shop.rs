//! A small shop behind the whole router.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures::StreamExt as _;
use mercer_assistants::Assistants;
use mercer_assistants::shopping::{Models, ShoppingDeps};
use mercer_graph::{Engine, EngineOptions, MemoryStore, SystemClock};
use mercer_model::{
    Capabilities, ChatEvent, ChatModel, ChatRequest, ChatStream, FinishReason, ModelError, Scripted, Support, Usage,
};
use mercer_search::{Catalogs, Pictures};
use mercer_server::{Access, App, Key, ModelHealth, ModelState, Parts, Router, Scope, ShopInfo, access};
use mercer_shop::{Files, ImageRef, Imports, InMemory, Product, TenantId};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::Semaphore;

use crate::ask::Ask;
use crate::picture;

/// id | English | Chinese | kind | colour | for | yuan | pieces
const PRODUCTS: &str = "
d01 | Rose Midi Dress | 玫瑰中长连衣裙 | Dresses/连衣裙 | Red | women | 259 | 12
d02 | Scarlet Evening Dress | 绯红晚礼服连衣裙 | Dresses/连衣裙 | Red | women | 899 | 3
d03 | Sky Wrap Dress | 天蓝裹身连衣裙 | Dresses/连衣裙 | Blue | women | 279 | 8
s01 | White Oxford Shirt | 白色牛津衬衫 | Shirts/衬衫 | White | men | 189 | 30
s02 | Black Formal Shirt | 黑色正装衬衫 | Shirts/衬衫 | Black | men | 219 | 0
j01 | Straight Jeans | 直筒牛仔裤 | Jeans/牛仔裤 | Blue | men | 239 | 18
c01 | Long Down Jacket | 长款羽绒服 | Down Jackets/羽绒服 | Black | women | 799 | 10
c02 | Wool Coat | 羊毛大衣 | Coats/大衣 | Camel | women | 1299 | 6
f01 | Running Sneakers | 跑步运动鞋 | Sneakers/运动鞋 | White | women | 369 | 17
b01 | Travel Backpack | 旅行双肩包 | Bags/包 | Black | unisex | 329 | 21
m01 | Steel Watch | 钢带手表 | Watches/手表 | Silver | men | 1599 | 5
h01 | Wool Scarf | 羊毛围巾 | Scarves/围巾 | Red | women | 139 | 14
";

fn product(line: &str) -> Product {
    let cells: Vec<&str> = line.split('|').map(str::trim).collect();
    let [id, en, zh, kind, colour, gender, yuan, pieces] = cells[..] else { panic!("{line}") };
    let (kind_en, kind_zh) = kind.split_once('/').unwrap();
    let (minor, pieces): (i64, u32) = (yuan.parse::<i64>().unwrap() * 100, pieces.parse().unwrap());
    serde_json::from_value(json!({
        "id": id, "title": {"en": en, "zh": zh}, "brand": "Lanyu", "category": [{"en": kind_en, "zh": kind_zh}],
        "colours": [colour], "gender": gender, "age_group": "adult",
        "variants": [{
            "sku": format!("SKU-{id}"), "price": {"minor": minor, "currency": "CNY"}, "stock": {"pieces": pieces},
            "availability": if pieces > 0 { "in_stock" } else { "out_of_stock" },
        }],
    }))
    .unwrap()
}

/// The products as a feed of ours.
pub(crate) fn feed() -> String {
    let rows = PRODUCTS.lines().filter(|line| !line.trim().is_empty()).map(product);
    rows.map(|product| serde_json::to_string(&product).unwrap() + "\n").collect()
}

#[derive(Debug)]
struct Health(Option<String>);

impl ModelHealth for Health {
    fn state(&self) -> ModelState {
        let state = if self.0.is_some() { "model" } else { "rules" };
        ModelState { state, name: self.0.clone(), reason: "As the test wants it.".to_owned() }
    }
}

/// The secrets of the keys that [`Shop::locked`] has, by what they are for.
pub(crate) const OWNER: &str = "mk_owner";
pub(crate) const STAFF: &str = "mk_staff";
pub(crate) const PAGE: &str = "mk_page";
pub(crate) const NEIGHBOUR: &str = "mk_neighbour";
/// Where the storefront key may be used.
pub(crate) const ORIGIN: &str = "https://shop.example";

/// A server and what is under it.
pub(crate) struct Shop {
    pub(crate) app: App,
    pub(crate) imports: Arc<InMemory>,
    pub(crate) engine: Engine,
    router: Router,
    _folder: TempDir,
}

impl Shop {
    /// Without keys and without a model.
    pub(crate) fn open() -> Self {
        Self::with(Vec::new(), None)
    }

    /// Without keys, led by a scripted model.
    pub(crate) fn led_by(model: &Scripted) -> Self {
        Self::with(Vec::new(), Some(Arc::new(model.clone())))
    }

    /// With keys: of this shop for the owner, staff and the shop's page; and of the neighbour's shop for its owner.
    pub(crate) fn locked() -> Self {
        let key = |secret: &str, tenant: &str, scope| Key {
            name: secret.to_owned(),
            sha256: access::hash(secret),
            tenant: TenantId::new(tenant).unwrap(),
            scope,
            origins: if scope == Scope::Storefront { vec![ORIGIN.to_owned()] } else { Vec::new() },
        };
        let keys = vec![
            key(OWNER, "default", Scope::Admin),
            key(STAFF, "default", Scope::Staff),
            key(PAGE, "default", Scope::Storefront),
            key(NEIGHBOUR, "neighbour", Scope::Admin),
        ];
        Self::with(keys, None)
    }

    pub(crate) fn with(keys: Vec<Key>, chat: Option<Arc<dyn ChatModel>>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let catalogs = Arc::new(Catalogs::new(folder.path().join("tenants")));
        stock(&catalogs);
        let stored = Arc::new(InMemory::default());
        let files: Arc<dyn Files> = stored.clone();
        let imports: Arc<dyn Imports> = stored.clone();
        let engine = Engine::new(MemoryStore::default(), EngineOptions::default());
        let name = chat.as_ref().map(|model| model.name().to_owned());
        let deps = ShoppingDeps {
            catalogs: Arc::clone(&catalogs),
            models: Models { chat, vision: None },
            files: Arc::clone(&files),
            clock: Arc::new(SystemClock),
        };
        let assistants = Assistants::build(&engine, deps).unwrap();
        let shop: ShopInfo = serde_json::from_value(json!({
            "name": {"en": "Test Shop", "zh": "测试店"}, "currency": "CNY", "examples": {"en": ["Red dresses"]},
        }))
        .unwrap();
        let app = App::new(Parts {
            engine: engine.clone(),
            assistants,
            catalogs,
            files,
            imports,
            access: Access::new(keys),
            shop,
            model: Arc::new(Health(name)),
            imports_dir: folder.path().join("imports"),
            cache: folder.path().join("cache"),
        });
        let router = mercer_server::router(app.clone());
        Self { app, imports: stored, engine, router, _folder: folder }
    }

    pub(crate) fn router(&self) -> Router {
        self.router.clone()
    }

    /// Says something over `/api/chat`, and returns the parts that were streamed.
    pub(crate) async fn say(&self, thread: &str, message: &str, text: &str) -> Vec<Value> {
        parts(&said(thread, message, text).of(self).await.events())
    }

    /// The conversation as it is kept.
    pub(crate) async fn messages(&self, thread: &str) -> Value {
        Ask::get(format!("/api/v1/threads/{thread}/messages")).of(self).await.json()
    }
}

/// A message as `useChat` sends it.
pub(crate) fn said(thread: &str, message: &str, text: &str) -> Ask {
    Ask::post("/api/chat").json(&json!({
        "id": thread, "trigger": "submit-message",
        "messages": [{"id": message, "role": "user", "parts": [{"type": "text", "text": text}]}],
    }))
}

/// The parts of a UI message stream, without its `[DONE]`.
pub(crate) fn parts(sent: &[crate::ask::Sent]) -> Vec<Value> {
    let (done, parts) = sent.split_last().unwrap();
    assert_eq!(done.data, "[DONE]");
    parts.iter().map(crate::ask::Sent::json).collect()
}

fn stock(catalogs: &Catalogs) {
    let catalog = catalogs.tenant(&TenantId::single()).unwrap();
    let kept = Pictures::of(catalog.dir()).put(&picture::png(640, 480)).unwrap();
    let image = |source: &str, file| ImageRef { source: source.to_owned(), file, alt: None };
    let mut import = catalog.begin_import().unwrap();
    for line in PRODUCTS.lines().filter(|line| !line.trim().is_empty()) {
        let mut product = product(line);
        match product.id.as_str() {
            "d01" => product.images.push(image("d01.png", Some(kept.clone()))),
            "d02" => product.images.push(image("https://pictures.example/d02.jpg", None)),
            "d03" => product.images.push(image("missing.png", None)),
            _ => {}
        }
        import.add(product).unwrap();
    }
    import.commit().unwrap();
}

/// A model that says one sentence, waits to be let go, and says the rest.
#[derive(Debug, Clone)]
pub(crate) struct Halting {
    pub(crate) first: &'static str,
    pub(crate) rest: &'static str,
    gate: Arc<Semaphore>,
    pub(crate) asked: Arc<AtomicUsize>,
}

impl Halting {
    pub(crate) fn new(first: &'static str, rest: &'static str) -> Self {
        Self { first, rest, gate: Arc::new(Semaphore::new(0)), asked: Arc::default() }
    }

    /// Lets one answer end.
    pub(crate) fn let_go(&self) {
        self.gate.add_permits(1);
    }

    pub(crate) fn shop(&self) -> Shop {
        Shop::with(Vec::new(), Some(Arc::new(self.clone())))
    }
}

impl ChatModel for Halting {
    fn name(&self) -> &str {
        "halting"
    }

    fn stream(&self, _request: ChatRequest) -> ChatStream {
        let model = self.clone();
        self.asked.fetch_add(1, Ordering::SeqCst);
        let begin = [ChatEvent::Started { model: "halting".into() }, ChatEvent::Text(self.first.to_owned())];
        let end = async move {
            match model.gate.acquire().await {
                Ok(permit) => permit.forget(),
                Err(closed) => return vec![Err(ModelError::BadResponse { detail: closed.to_string() })],
            }
            vec![
                Ok(ChatEvent::Text(model.rest.to_owned())),
                Ok(ChatEvent::Usage(Usage::default())),
                Ok(ChatEvent::Done(FinishReason::Stop)),
            ]
        };
        futures::stream::iter(begin.map(Ok)).chain(futures::stream::once(end).flat_map(futures::stream::iter)).boxed()
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::new(Support::Supported, false)
    }
}
