//! `compare_products`: products side by side, with what differs told by code.

use mercer_agent::{Nature, Tool, ToolCtx, ToolError};
use mercer_shop::Product;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ProductView;
use crate::shopping::desk::{Desk, lang_of};

/// How many products can be compared.
const FEWEST: usize = 2;
const MOST: usize = 6;

/// Compare products.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct CompareProducts {
    /// Two to six product ids, as a search returned them.
    #[schemars(length(min = 2, max = 6))]
    pub ids: Vec<String>,
}

/// Products side by side.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Comparison {
    /// The products, in the order asked for.
    pub products: Vec<ProductView>,
    /// The properties in which they differ.
    pub differs: Vec<String>,
    /// The place (from 1) of the cheapest, when all prices are known and one is lowest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cheapest: Option<usize>,
    /// How much lower its price is than the next one's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cheaper_by: Option<String>,
}

impl Tool<Desk> for CompareProducts {
    const NAME: &'static str = super::COMPARE;
    const NATURE: Nature = Nature::Read;
    type Output = Comparison;

    fn describe(lang: mercer_agent::Lang) -> &'static str {
        lang.pick(
            "并排比较两到六件商品，并给出不同之处和最便宜的一件。",
            "Two to six products side by side, with what differs and which is cheapest.",
        )
    }

    async fn call(self, ctx: &ToolCtx<Desk>) -> Result<Comparison, ToolError> {
        let mut ids = self.ids;
        let mut seen = std::collections::BTreeSet::new();
        ids.retain(|id| seen.insert(id.clone()));
        if !(FEWEST..=MOST).contains(&ids.len()) {
            return Err(ToolError::invalid("Give two to six different product ids."));
        }
        let products = ids.iter().map(|id| ctx.deps().product(id)).collect::<Result<Vec<Product>, _>>()?;
        let (cheapest, cheaper_by) = cheapest(&products).map_or((None, None), |(at, by)| (Some(at), Some(by)));
        let views: Vec<ProductView> = products.iter().map(|p| ProductView::of(p, lang_of(ctx))).collect();
        Ok(Comparison { differs: differs(&views), products: views, cheapest, cheaper_by })
    }
}

fn cheapest(products: &[Product]) -> Option<(usize, String)> {
    let lows = products.iter().map(|p| p.price_range().map(|(low, _)| low)).collect::<Option<Vec<_>>>()?;
    let currency = lows.first()?.currency;
    if lows.iter().any(|m| m.currency != currency) {
        return None;
    }
    let mut order: Vec<(usize, i64)> = lows.iter().map(|m| m.minor).enumerate().collect();
    order.sort_by_key(|(_, minor)| *minor);
    match order.as_slice() {
        [(at, low), (_, next), ..] if low < next => {
            Some((at + 1, mercer_shop::Money::new(next - low, currency).to_string()))
        }
        _ => None,
    }
}

fn differs(views: &[ProductView]) -> Vec<String> {
    let differ = |of: fn(&ProductView) -> String| {
        let mut values = views.iter().map(of);
        values.next().is_some_and(|first| values.any(|other| other != first))
    };
    type Row = (&'static str, fn(&ProductView) -> String);
    let rows: [Row; 8] = [
        ("price", |v| v.price.clone().unwrap_or_default()),
        ("brand", |v| v.brand.clone().unwrap_or_default()),
        ("colours", |v| v.colours.join("|")),
        ("sizes", |v| v.sizes.join("|")),
        ("materials", |v| v.materials.join("|")),
        ("gender", |v| v.gender.clone().unwrap_or_default()),
        ("usage", |v| v.usage.join("|")),
        ("availability", |v| format!("{:?}", v.availability)),
    ];
    rows.into_iter().filter(|(_, of)| differ(*of)).map(|(name, _)| name.to_owned()).collect()
}
