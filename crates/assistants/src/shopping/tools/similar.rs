//! `find_similar`: products like a product or like a picture.

use mercer_agent::{Nature, Tool, ToolCtx, ToolError};
use mercer_search::{SearchError, SearchRequest};
use mercer_shop::{Lang, ProductId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::image::blind;
use super::{Item, Results};
use crate::shopping::desk::{Desk, lang_of};
use crate::shopping::picture::Seen;
use crate::shopping::wish::Wish;

/// The most products that are returned, and how many when the caller does not say.
const MOST: u32 = 20;
const USUAL: u32 = 6;

/// Find products like another one. Give exactly one of the two ids.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct FindSimilar {
    /// The product's id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub product_id: Option<String>,
    /// The id of a picture that was looked at with analyze_image_style.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image_id: Option<String>,
    /// How many, at most 20.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 20))]
    pub limit: Option<u32>,
}

impl FindSimilar {
    /// The wish that a picture stands for.
    ///
    /// # Errors
    /// When the catalogue cannot be read.
    pub(crate) fn wish_of(desk: &Desk, seen: &Seen, lang: Lang) -> Result<Wish, SearchError> {
        let mut wish = Wish::new(&desk.understand(&seen.query(), lang)?);
        for condition in &mut wish.conditions {
            condition.source = mercer_search::Source::Picture;
        }
        desk.name_kinds(&mut wish)?;
        Ok(wish)
    }
}

impl Tool<Desk> for FindSimilar {
    const NAME: &'static str = super::SIMILAR;
    const NATURE: Nature = Nature::Read;
    type Output = Results;

    fn describe(lang: mercer_agent::Lang) -> &'static str {
        lang.pick(
            "找与某件商品（product_id）或某张看过的图片（image_id）相似的商品。两个编号只给一个。",
            "Products like a product (product_id) or like a picture that was looked at (image_id). Give exactly one of the two.",
        )
    }

    async fn call(self, ctx: &ToolCtx<Desk>) -> Result<Results, ToolError> {
        let (desk, lang) = (ctx.deps(), lang_of(ctx));
        let limit = self.limit.unwrap_or(USUAL).clamp(1, MOST) as usize;
        match (self.product_id, self.image_id) {
            (Some(id), None) => {
                let id: ProductId = desk.product(&id)?.id;
                let products = desk.similar(&id, limit).await?;
                let items: Vec<Item> = products.iter().map(|p| Item::of(p, lang, Vec::new())).collect();
                Ok(Results { total: items.len(), items, ..Results::default() })
            }
            (None, Some(image)) => {
                let known = desk.pictures.get(&image).ok_or_else(ToolError::not_found)?;
                let seen = known.as_ref().ok_or_else(|| blind(lang))?;
                let wish = Self::wish_of(desk, seen, lang).map_err(ToolError::internal)?;
                let request = SearchRequest {
                    text: wish.text.clone(),
                    lang: Some(lang),
                    conditions: wish.conditions.clone(),
                    understand: false,
                    limit,
                    ..SearchRequest::default()
                };
                Ok(Results::of(desk.search(request).await?, &wish, lang))
            }
            _ => Err(ToolError::invalid("Give either product_id or image_id.")),
        }
    }
}
