//! What the frame of the page shows: the shop, the model's state, example wishes; and the health check.

use axum::Json;
use axum::extract::State;
use mercer_shop::Localized;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::problem::Problem;
use crate::{App, Caller};

/// What a shop calls itself, from its `shop.toml`.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct ShopInfo {
    /// Its name.
    #[serde(default)]
    pub name: Localized,
    /// The currency of prices that state none, such as `CNY`.
    #[serde(default)]
    pub currency: Option<String>,
    /// Wishes to start with, by language tag.
    #[serde(default)]
    pub examples: Examples,
}

/// Example wishes that this shop can fulfil.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct Examples {
    /// In Chinese.
    #[serde(default)]
    pub zh: Vec<String>,
    /// In English.
    #[serde(default)]
    pub en: Vec<String>,
}

/// How the language model is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct ModelState {
    /// `model`: it answers; `rules`: none is configured, the floor works; `trouble`: it is configured and fails.
    #[schema(example = "rules")]
    pub state: &'static str,
    /// Its name.
    pub name: Option<String>,
    /// Why it is so, for the tooltip.
    pub reason: String,
}

/// Tells the model's state; the binary knows the model.
pub trait ModelHealth: Send + Sync + std::fmt::Debug {
    /// The state now.
    fn state(&self) -> ModelState;
}

#[derive(Debug, Serialize, ToSchema)]
struct StatusBody {
    version: &'static str,
    shop: ShopBody,
    model: ModelState,
    examples: Examples,
}

#[derive(Debug, Serialize, ToSchema)]
struct ShopBody {
    name: String,
    name_zh: String,
    products: usize,
    currency: Option<String>,
}

pub(crate) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(status)).routes(routes!(healthz))
}

/// The shop, the model's state and example wishes.
#[utoipa::path(get, path = "/api/v1/status", tag = "status", responses((status = OK, body = StatusBody)))]
async fn status(State(app): State<App>, caller: Caller) -> Result<Json<StatusBody>, Problem> {
    let shop = &app.parts().shop;
    let catalog = app.catalogs().tenant(&caller.tenant).map_err(Problem::internal)?;
    Ok(Json(StatusBody {
        version: env!("CARGO_PKG_VERSION"),
        shop: ShopBody {
            name: shop.name.get(mercer_shop::Lang::En).to_owned(),
            name_zh: shop.name.get(mercer_shop::Lang::Zh).to_owned(),
            products: catalog.len().map_err(Problem::internal)?,
            currency: shop.currency.clone(),
        },
        model: app.parts().model.state(),
        examples: shop.examples.clone(),
    }))
}

/// Whether the process answers; no key needed, nothing about the shop is said.
#[utoipa::path(get, path = "/healthz", tag = "status", responses((status = OK, body = String)))]
async fn healthz() -> &'static str {
    "ok"
}
