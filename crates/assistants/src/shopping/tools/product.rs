//! `get_product`: everything about one product.

use mercer_agent::{Nature, Tool, ToolCtx, ToolError, quote};
use mercer_search::Field;
use mercer_shop::{Availability, Lang, Product, Stock, Variant};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::shopping::cards;
use crate::shopping::desk::{Desk, lang_of};

/// Characters of a description that are shown.
const DESCRIPTION: usize = 600;

/// Look at one product.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct GetProduct {
    /// The product's id, as a search returned it.
    pub id: String,
}

/// One variant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VariantView {
    /// Its stock keeping unit.
    pub sku: String,
    /// Its options in words: `Red, M`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub options: String,
    /// Its price as on a tag.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price: Option<String>,
    /// Whether it can be bought now.
    pub availability: Availability,
    /// Pieces in stock, when the shop counts them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pieces: Option<u32>,
}

impl VariantView {
    /// A variant as it is told.
    #[must_use]
    pub fn of(variant: &Variant) -> Self {
        Self {
            sku: variant.sku.to_string(),
            options: variant.options.values().cloned().collect::<Vec<_>>().join(", "),
            price: variant.price.map(|m| m.to_string()),
            availability: variant.availability,
            pieces: match variant.stock {
                Stock::Pieces(n) => Some(n),
                Stock::Unknown | Stock::NotTracked | Stock::Flag(_) => None,
            },
        }
    }
}

/// A product in full.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProductView {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The maker.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub brand: Option<String>,
    /// What the shop says about it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Its kind, from general to special.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub category: Vec<String>,
    /// Its price as on a tag.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price: Option<String>,
    /// What it cost before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price_before: Option<String>,
    /// Its colours.
    #[serde(default)]
    pub colours: Vec<String>,
    /// Its sizes.
    #[serde(default)]
    pub sizes: Vec<String>,
    /// What it is made of.
    #[serde(default)]
    pub materials: Vec<String>,
    /// For whom.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gender: Option<String>,
    /// What it is worn or used for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub usage: Vec<String>,
    /// Whether any variant can be bought now.
    pub availability: Availability,
    /// Mean rating in stars.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<String>,
    /// Its variants.
    pub variants: Vec<VariantView>,
}

impl ProductView {
    /// A product as it is told, in a language.
    #[must_use]
    pub fn of(product: &Product, lang: Lang) -> Self {
        let (low, high) = product.price_range().map_or((None, None), |(low, high)| (Some(low), Some(high)));
        Self {
            id: product.id.to_string(),
            name: product.title.get(lang).to_owned(),
            brand: product.brand.clone(),
            description: quote::clean(product.description.get(lang), DESCRIPTION),
            category: product.category.iter().map(|c| c.get(lang).to_owned()).collect(),
            price: cards::price_text(low, high),
            price_before: cards::list_price(product).map(|m| m.to_string()),
            colours: cards::in_words(&Field::Colour, &cards::colours(product), lang),
            sizes: cards::sizes(product),
            materials: cards::in_words(&Field::Material, &product.materials, lang),
            gender: product.gender.map(|g| cards::gender_label(g, lang).to_owned()),
            usage: product.usage.clone(),
            availability: product.availability(),
            rating: product.rating_centistars.map(|r| format!("{}.{}", r / 100, r % 100 / 10)),
            variants: product.variants.iter().map(VariantView::of).collect(),
        }
    }
}

impl Tool<Desk> for GetProduct {
    const NAME: &'static str = super::PRODUCT;
    const NATURE: Nature = Nature::Read;
    type Output = ProductView;

    fn describe(lang: mercer_agent::Lang) -> &'static str {
        lang.pick(
            "查看一件商品的全部信息：描述、颜色、尺码、材质、每个规格的价格和库存。id 用搜索结果里的。",
            "Everything about one product: description, colours, sizes, material, price and stock of each variant. Use an id from a search.",
        )
    }

    async fn call(self, ctx: &ToolCtx<Desk>) -> Result<ProductView, ToolError> {
        ctx.deps().product(&self.id).map(|product| ProductView::of(&product, lang_of(ctx)))
    }
}
