//! `check_stock`: whether a variant can be bought now.

use mercer_agent::{Nature, Tool, ToolCtx, ToolError};
use mercer_search::SearchRequest;
use mercer_shop::{Product, Sku};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::VariantView;
use crate::shopping::desk::{Desk, lang_of};

/// How many results are looked through for the variant.
const LOOKED_THROUGH: usize = 20;

/// Look up the stock of one variant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct CheckStock {
    /// The variant's SKU, as get_product returned it.
    pub sku: String,
}

/// The stock of a variant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct StockView {
    /// The product's id.
    pub id: String,
    /// The product's name.
    pub name: String,
    /// The variant.
    pub variant: VariantView,
}

impl StockView {
    fn of(product: &Product, sku: &Sku, lang: mercer_shop::Lang) -> Option<Self> {
        let variant = product.variants.iter().find(|v| v.sku == *sku)?;
        Some(Self {
            id: product.id.to_string(),
            name: product.title.get(lang).to_owned(),
            variant: VariantView::of(variant),
        })
    }
}

impl Tool<Desk> for CheckStock {
    const NAME: &'static str = super::STOCK;
    const NATURE: Nature = Nature::Read;
    type Output = StockView;

    fn describe(lang: mercer_agent::Lang) -> &'static str {
        lang.pick(
            "查询一个规格（SKU）现在能不能买、还有几件。",
            "Whether one variant (SKU) can be bought now, and how many pieces are left.",
        )
    }

    async fn call(self, ctx: &ToolCtx<Desk>) -> Result<StockView, ToolError> {
        let sku = Sku::new(&self.sku).map_err(|error| ToolError::not_found().caused_by(error))?;
        let lang = lang_of(ctx);
        let request = SearchRequest { understand: false, limit: LOOKED_THROUGH, ..SearchRequest::text(sku.as_str()) };
        let response = ctx.deps().search(request).await?;
        response.hits.iter().find_map(|hit| StockView::of(&hit.product, &sku, lang)).ok_or_else(ToolError::not_found)
    }
}
