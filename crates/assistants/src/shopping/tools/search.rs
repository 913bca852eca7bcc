//! `search_products`: search the catalogue for a wish.

use mercer_agent::{Nature, Tool, ToolCtx, ToolError};
use mercer_search::{CatalogShape, Condition, Field, Hit, SearchRequest, SearchResponse, Sort, Understood};
use mercer_shop::{Currency, Lang, Product};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Filters;
use crate::shopping::cards;
use crate::shopping::desk::{Desk, lang_of};
use crate::shopping::state::Driver;
use crate::shopping::wish::{Join, Wish};

/// The most products one search returns.
const MOST: u32 = 20;
/// How many it returns when the caller does not say.
const USUAL: u32 = 6;

/// Search the shop's catalogue.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct SearchProducts {
    /// What the customer looks for, in their words. May be empty when filters say it all.
    pub query: String,
    /// Filters, when they are known exactly.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filters: Option<Filters>,
    /// The order; needed for "cheapest", "newest" and the like.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sort: Option<Order>,
    /// How many results to skip, for "more".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<u32>,
    /// How many results, at most 20.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 20))]
    pub limit: Option<u32>,
}

/// The order of results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// Best match first.
    Relevance,
    /// Cheapest first.
    PriceAsc,
    /// Most expensive first.
    PriceDesc,
    /// Newest first.
    Newest,
    /// Most popular first.
    Popular,
    /// Best rated first.
    Rating,
}

impl From<Order> for Sort {
    fn from(order: Order) -> Self {
        match order {
            Order::Relevance => Self::Relevance,
            Order::PriceAsc => Self::PriceAsc,
            Order::PriceDesc => Self::PriceDesc,
            Order::Newest => Self::Newest,
            Order::Popular => Self::Popular,
            Order::Rating => Self::Rating,
        }
    }
}

impl Order {
    /// The order of a wish; relevance is not worth saying.
    #[must_use]
    pub fn of(sort: Sort) -> Option<Self> {
        Some(match sort {
            Sort::Relevance => return None,
            Sort::PriceAsc => Self::PriceAsc,
            Sort::PriceDesc => Self::PriceDesc,
            Sort::Newest => Self::Newest,
            Sort::Popular => Self::Popular,
            Sort::Rating => Self::Rating,
        })
    }
}

/// A product among results.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The maker.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub brand: Option<String>,
    /// Its price as on a tag.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price: Option<String>,
    /// What it cost before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price_before: Option<String>,
    /// Its kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// Its colours.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub colours: Vec<String>,
    /// For whom.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gender: Option<String>,
    /// Whether it can be bought now.
    pub availability: mercer_shop::Availability,
    /// What of the wish it meets.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub matched: Vec<String>,
}

impl Item {
    /// A product as an item.
    #[must_use]
    pub fn of(product: &Product, lang: Lang, matched: Vec<String>) -> Self {
        let (low, high) = product.price_range().map_or((None, None), |(low, high)| (Some(low), Some(high)));
        Self {
            id: product.id.to_string(),
            name: product.title.get(lang).to_owned(),
            brand: product.brand.clone(),
            price: cards::price_text(low, high),
            price_before: cards::list_price(product).map(|m| m.to_string()),
            category: product.category.last().map(|c| c.get(lang).to_owned()),
            colours: cards::in_words(&Field::Colour, &cards::colours(product), lang),
            gender: product.gender.map(|g| cards::gender_label(g, lang).to_owned()),
            availability: product.availability(),
            matched,
        }
    }

    fn hit(hit: Hit, lang: Lang) -> Self {
        Self::of(&hit.product, lang, hit.matched)
    }
}

/// What a search found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Results {
    /// How many products match in all.
    pub total: usize,
    /// How many were skipped.
    pub offset: usize,
    /// The products, in order.
    pub items: Vec<Item>,
    /// The conditions that were applied, in words.
    pub conditions: Vec<String>,
    /// The words that were searched.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub words: String,
    /// The order, when it is not by relevance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sort: Option<Order>,
    /// Conditions that were given up, because nothing meets all of them: no item may be said to meet these.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub given_up: Vec<String>,
    /// The properties of the conditions that were given up.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub given_up_fields: Vec<String>,
    /// Words that were given up, because no product has them together with the rest; other products have them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub given_up_words: Vec<String>,
    /// Words that no product has: the shop does not carry what they name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unknown_words: Vec<String>,
    /// Whether the items only mention what was asked for or go with it: none is one, the shop does not carry it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub only_related: bool,
    /// The words that were searched instead, when one was not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub corrected: Option<String>,
    /// What may have been meant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub did_you_mean: Option<String>,
    /// A currency that was named and that the shop does not charge in; the amount was not applied.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other_currency: Option<String>,
}

impl Results {
    /// A response, for a wish.
    #[must_use]
    pub fn of(response: SearchResponse, wish: &Wish, lang: Lang) -> Self {
        let relaxed: Vec<&Condition> = response.relaxed.iter().collect();
        let unknown = response.unknown_words;
        Self {
            total: response.total,
            offset: wish.offset,
            conditions: wish.conditions.iter().map(|c| wish.label(c, lang)).collect(),
            words: wish.text.clone(),
            sort: Order::of(wish.sort),
            given_up: relaxed.iter().map(|c| wish.label(c, lang)).collect(),
            given_up_fields: relaxed.iter().map(|c| c.field.key()).collect(),
            given_up_words: response.dropped_words.into_iter().filter(|word| !unknown.contains(word)).collect(),
            unknown_words: unknown,
            only_related: response.inexact,
            corrected: response.corrected,
            did_you_mean: response.did_you_mean,
            other_currency: None,
            items: response.hits.into_iter().map(|hit| Item::hit(hit, lang)).collect(),
        }
    }

    /// Whether everything that was asked for was met.
    #[must_use]
    pub fn exact(&self) -> bool {
        let given_up = [&self.given_up, &self.given_up_words, &self.unknown_words];
        !self.items.is_empty() && !self.only_related && given_up.into_iter().all(Vec::is_empty)
    }

    /// Whether a product among the results bears one of the words in its name.
    #[must_use]
    pub fn names(&self, words: &str) -> bool {
        let bears = |name: &str, word: &str| {
            let letters = word.chars().count();
            let stem = if word.is_ascii() { letters.saturating_sub(2).max(4) } else { letters };
            name.contains(&word.chars().take(stem).collect::<String>())
        };
        let names: Vec<String> = self.items.iter().map(|item| item.name.to_lowercase()).collect();
        words.to_lowercase().split_whitespace().any(|word| names.iter().any(|name| bears(name, word)))
    }

    /// Whether the shop does not have the kind of thing that the wish was for.
    #[must_use]
    pub fn not_carried(&self, wish: &Wish) -> bool {
        let kind_given_up = self.given_up_fields.iter().any(|f| f == "category");
        let words_unknown = !self.words.is_empty()
            && !wish.names_a_kind()
            && self.words.split_whitespace().all(|w| self.unknown_words.iter().any(|u| u.eq_ignore_ascii_case(w)));
        self.offset == 0 && (kind_given_up || words_unknown || self.only_related || self.items.is_empty())
    }
}

/// What a call searches for, as a wish, with what was understood of its words. Pure, so that the wish that stands after a search is
/// told from the call alone.
///
/// A price that the customer named holds for every search of the turn, whatever the model left out.
///
/// # Errors
/// When the filters cannot be used.
pub(super) fn plan(
    call: &SearchProducts,
    understood: &Understood,
    standing: Option<&Wish>,
    currency: Currency,
) -> Result<Wish, ToolError> {
    let filters = call.filters.as_ref().map(|f| f.conditions(currency)).transpose()?.unwrap_or_default();
    let mut wish = Wish { text: understood.text.trim().to_owned(), ..Wish::default() };
    for condition in &understood.conditions {
        if !filters.iter().any(|f| f.field == condition.field && f.is_negative() == condition.is_negative()) {
            wish.demand(condition.clone(), Join::Add);
        }
    }
    for condition in filters {
        wish.demand(condition, Join::Replace);
    }
    if let Some(price) = standing.and_then(Wish::price)
        && wish.price().is_none()
    {
        wish.demand(price.clone(), Join::Replace);
    }
    wish.sort = call.sort.map(Sort::from).or(understood.sort).unwrap_or_default();
    wish.offset = call.offset.unwrap_or(0) as usize;
    Ok(wish)
}

impl SearchProducts {
    /// The call that searches for a wish.
    #[must_use]
    pub fn for_wish(wish: &Wish, limit: u32) -> Self {
        Self {
            query: wish.text.clone(),
            filters: (!wish.conditions.is_empty()).then(|| Filters::of(&wish.conditions)),
            sort: Order::of(wish.sort),
            offset: u32::try_from(wish.offset).ok().filter(|n| *n > 0),
            limit: Some(limit),
        }
    }

    /// The wish that this call searches for.
    ///
    /// # Errors
    /// When the filters cannot be used.
    pub fn wish(&self, desk: &Desk, lang: Lang) -> Result<Wish, ToolError> {
        let understood = match desk.driver {
            Driver::Model => desk.understand(&self.query, lang).map_err(ToolError::internal)?,
            // The rules have understood the words already; what is left of them are words to match.
            Driver::Rules => Understood { text: self.query.clone(), ..Understood::default() },
        };
        let standing = desk.wish.as_ref().filter(|_| desk.driver == Driver::Model);
        let mut wish = plan(self, &understood, standing, currency(&desk.shape().map_err(ToolError::internal)?))?;
        desk.name_kinds(&mut wish).map_err(ToolError::internal)?;
        Ok(wish)
    }
}

/// The currency that the shop charges in.
#[must_use]
pub(super) fn currency(shape: &CatalogShape) -> Currency {
    shape.prices.first().map_or(Currency::CNY, |(low, _)| low.currency)
}

impl Tool<Desk> for SearchProducts {
    const NAME: &'static str = super::SEARCH;
    const NATURE: Nature = Nature::Read;
    type Output = Results;

    fn describe(lang: mercer_agent::Lang) -> &'static str {
        lang.pick(
            "搜索本店商品。query 用顾客的原话；价格、颜色、尺码等条件确定时放在 filters。结果按 sort 在全部商品中排序：问“最便宜/最贵”必须用 price_asc/price_desc。\
             given_up 和 given_up_words 是没有商品能同时满足而放弃的条件和词，unknown_words 是本店没有的东西，only_related 表示只有相关的、没有要找的那种。“更多”用 offset。",
            "Search this shop's products. Put the customer's own words into query; put price, colour, size and the like into filters when they are certain. \
             Results are sorted over the whole catalogue: \"cheapest\" and \"most expensive\" need sort price_asc or price_desc. given_up and given_up_words \
             list what nothing meets together with the rest and was dropped; unknown_words lists what the shop does not carry; only_related means that none \
             of the items is what was asked for. For \"more\", use offset.",
        )
    }

    async fn call(self, ctx: &ToolCtx<Desk>) -> Result<Results, ToolError> {
        let (desk, lang) = (ctx.deps(), lang_of(ctx));
        let wish = self.wish(desk, lang)?;
        let limit = self.limit.unwrap_or(USUAL).clamp(1, MOST) as usize;
        let request = SearchRequest {
            text: wish.text.clone(),
            lang: Some(lang),
            conditions: wish.conditions.clone(),
            understand: false,
            sort: wish.sort,
            offset: wish.offset,
            limit,
            ..SearchRequest::default()
        };
        let response = desk.search(request).await?;
        let other = desk.understand(&self.query, lang).map_err(ToolError::internal)?.other_currency;
        let mut results = Results::of(response, &wish, lang);
        results.other_currency = other.map(|c| c.to_string());
        Ok(results)
    }
}
