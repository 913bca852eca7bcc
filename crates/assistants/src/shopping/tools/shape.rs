//! `catalog_shape`: what the catalogue holds, so that one asks for what exists.

use mercer_agent::{Nature, Tool, ToolCtx, ToolError};
use mercer_search::{CatalogShape, Field, SearchError, value_label};
use mercer_shop::Lang;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::shopping::desk::{Desk, lang_of};

/// How many names of each kind are told.
const NAMES: usize = 24;

/// See what the shop sells.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct CatalogShapeTool {}

/// A name and how many products bear it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counted {
    /// The name.
    pub name: String,
    /// How many products.
    pub products: usize,
}

/// What the catalogue holds.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shape {
    /// How many products.
    pub products: usize,
    /// Kinds, largest first.
    pub categories: Vec<Counted>,
    /// Lowest and highest price, a line a currency.
    pub prices: Vec<PriceSpan>,
    /// Colours, most frequent first.
    pub colours: Vec<String>,
    /// Brands, most frequent first.
    pub brands: Vec<String>,
    /// For whom.
    pub genders: Vec<String>,
}

/// The prices of the shop in one currency.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PriceSpan {
    /// The lowest.
    pub from: String,
    /// The highest.
    pub to: String,
}

impl Shape {
    /// The shape as it is told, in a language.
    ///
    /// # Errors
    /// When the catalogue cannot be read.
    pub fn of(desk: &Desk, lang: Lang) -> Result<Self, SearchError> {
        let shape = desk.shape()?;
        let names = |field: &Field, values: &[(String, usize)]| {
            values.iter().take(NAMES).map(|(value, _)| value_label(field, value, lang)).collect::<Vec<_>>()
        };
        Ok(Self {
            products: shape.products,
            categories: kinds(desk, &shape, lang)?,
            prices: shape
                .prices
                .iter()
                .map(|(low, high)| PriceSpan { from: low.to_string(), to: high.to_string() })
                .collect(),
            colours: names(&Field::Colour, &shape.colours),
            brands: names(&Field::Brand, &shape.brands),
            genders: names(&Field::Gender, &shape.genders),
        })
    }
}

/// The kinds that have no kinds below them, largest first, by the shop's own names.
fn kinds(desk: &Desk, shape: &CatalogShape, lang: Lang) -> Result<Vec<Counted>, SearchError> {
    let is_leaf = |path: &str| {
        let below = format!("{path} > ");
        !shape.categories.iter().any(|(other, _)| other.starts_with(&below))
    };
    let leaves = shape.categories.iter().filter(|(path, _)| is_leaf(path)).take(NAMES);
    leaves
        .map(|(path, products)| {
            let label = value_label(&Field::Category, path, lang);
            let named = if Lang::of(&label) == Some(lang) { None } else { desk.kind_name(path)? };
            let name = named.map(|names| names.get(lang).to_owned()).filter(|name| !name.is_empty()).unwrap_or(label);
            Ok(Counted { name, products: *products })
        })
        .collect()
}

impl Tool<Desk> for CatalogShapeTool {
    const NAME: &'static str = super::SHAPE;
    const NATURE: Nature = Nature::Read;
    type Output = Shape;

    fn describe(lang: mercer_agent::Lang) -> &'static str {
        lang.pick(
            "本店卖什么：种类和数量、价格范围、颜色、品牌。",
            "What the shop sells: kinds with counts, price span, colours, brands.",
        )
    }

    async fn call(self, ctx: &ToolCtx<Desk>) -> Result<Shape, ToolError> {
        Shape::of(ctx.deps(), lang_of(ctx)).map_err(ToolError::internal)
    }
}
