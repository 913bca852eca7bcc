//! A small shop of tools.

use std::{sync::Arc, time::Duration};

use jiff::Timestamp;
use mercer_agent::{Lang, Nature, Principal, Registry, Tool, ToolCtx, ToolError};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Debug, Default)]
pub(crate) struct Shop;

/// Search the catalogue.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SearchProducts {
    /// What the customer wants.
    query: String,
    /// How many, at most 20.
    #[schemars(range(min = 1, max = 20))]
    limit: Option<u32>,
}

impl Tool<Shop> for SearchProducts {
    const NAME: &'static str = "search_products";
    const NATURE: Nature = Nature::Read;
    type Output = Value;

    fn describe(lang: Lang) -> &'static str {
        lang.pick("搜索商品", "Search the catalogue")
    }

    async fn call(self, _ctx: &ToolCtx<Shop>) -> Result<Value, ToolError> {
        Ok(json!({ "query": self.query, "limit": self.limit, "items": [{ "id": "p1", "price": 299 }] }))
    }
}

/// Open a return.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct CreateReturn {
    /// The order.
    order: String,
}

impl Tool<Shop> for CreateReturn {
    const NAME: &'static str = "create_return";
    const NATURE: Nature = Nature::Write;
    const NEEDS_APPROVAL: bool = true;
    type Output = Value;

    fn describe(lang: Lang) -> &'static str {
        lang.pick("发起退货", "Open a return")
    }

    fn effect_key(&self, ctx: &ToolCtx<Shop>) -> Option<String> {
        Some(format!("{}/{}", ctx.tenant, self.order))
    }

    async fn call(self, ctx: &ToolCtx<Shop>) -> Result<Value, ToolError> {
        let customer = ctx.verified_customer()?;
        if self.order == "A-2" {
            Err(ToolError::not_found())
        } else {
            Ok(json!({ "order": self.order, "of": customer }))
        }
    }
}

/// Waits for ever.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Slow {}

impl Tool<Shop> for Slow {
    const NAME: &'static str = "slow";
    const NATURE: Nature = Nature::Read;
    const TIMEOUT: Duration = Duration::from_secs(3);
    type Output = Value;

    fn describe(_: Lang) -> &'static str {
        "Slow"
    }

    async fn call(self, _ctx: &ToolCtx<Shop>) -> Result<Value, ToolError> {
        std::future::pending().await
    }
}

pub(crate) fn registry() -> Registry<Shop> {
    Registry::new()
        .with::<SearchProducts>()
        .with::<CreateReturn>()
        .with::<Slow>()
        .build()
        .expect("no tool is there twice")
}

pub(crate) fn ctx(principal: Principal) -> ToolCtx<Shop> {
    ToolCtx {
        deps: Arc::new(Shop),
        principal,
        tenant: "demo".into(),
        thread: "thr_1".into(),
        lang_tag: "en".into(),
        now: Timestamp::UNIX_EPOCH,
    }
}
