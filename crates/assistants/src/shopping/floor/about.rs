//! Answers to questions about one product.

use mercer_search::{Field, value_label};
use mercer_shop::{Availability, ProductId};
use serde::Serialize;
use serde_json::json;

use super::words::{Answer, say};
use super::{Floor, Said, Wanted};
use crate::shopping::dialogue::{Aspect, Focus, same_colour};
use crate::shopping::tools::{self, ProductView, VariantView};

impl Floor<'_> {
    pub(super) fn about(
        &self,
        id: &ProductId,
        aspect: Aspect,
        value: Option<&str>,
        size: Option<&str>,
        asks_sold_out: bool,
    ) -> Wanted<Said> {
        let product = match self.ask::<ProductView>("product", tools::PRODUCT, &json!({ "id": id }))? {
            Ok(product) => product,
            Err(failure) => return Ok(self.trouble(&failure)),
        };
        let (has, shown_value) = match (aspect, value) {
            (_, None) => (None, None),
            (Aspect::Sizes, Some(size)) => {
                (has_any(&product.sizes, |s| s.eq_ignore_ascii_case(size)), Some(size.to_owned()))
            }
            (_, Some(colour)) => (
                has_any(&product.colours, |c| same_colour(colour, c)),
                Some(value_label(&Field::Colour, colour, self.lang)),
            ),
        };
        let variant = variant(&product, value);
        let colour = value.filter(|value| Some(*value) != size);
        let one_variant = asks_sold_out && aspect == Aspect::Stock
            || colour.is_some() && size.is_some()
            || aspect == Aspect::Stock && value.is_some();
        if one_variant {
            let facts = Variants::of(&product, colour, size, asks_sold_out, self.lang);
            let text = say(self.lang, Answer::AboutVariant, &facts);
            return Ok(Said { text, products: Vec::new(), focus: Some(Focus::Product(id.clone())) });
        }
        let sold_out: Vec<&String> = product
            .variants
            .iter()
            .filter(|v| v.availability == Availability::OutOfStock && product.availability != Availability::OutOfStock)
            .map(|v| &v.options)
            .filter(|o| !o.is_empty())
            .collect();
        let matched = self.matched(id);
        let what = self
            .state
            .wish
            .as_ref()
            .map(|w| w.chips(self.lang).into_iter().map(|c| c.label).collect::<Vec<_>>().join(" · "));
        let facts = json!({
            "p": product, "value": shown_value, "has": has, "variant": variant, "sold_out": sold_out, "matched": matched, "what": what,
        });
        let answer = match aspect {
            Aspect::Details => Answer::AboutDetails,
            Aspect::Colours => Answer::AboutColours,
            Aspect::Sizes => Answer::AboutSizes,
            Aspect::Stock => Answer::AboutStock,
            Aspect::Price => Answer::AboutPrice,
            Aspect::Material => Answer::AboutMaterial,
            Aspect::Why => Answer::AboutWhy,
            Aspect::Sale => Answer::AboutSale,
        };
        let products = if aspect == Aspect::Details { vec![(id.clone(), matched)] } else { Vec::new() };
        Ok(Said { text: say(self.lang, answer, &facts), products, focus: Some(Focus::Product(id.clone())) })
    }

    /// What a product matched when it was last shown.
    fn matched(&self, id: &ProductId) -> Vec<String> {
        let shown = self.state.messages.iter().rev().find_map(|m| {
            let at = m.product_ids.iter().position(|p| p == id)?;
            m.matched.get(at).cloned()
        });
        shown.unwrap_or_default()
    }
}

/// What is known of the variants in a colour and a size.
#[derive(Debug, Serialize)]
struct Variants<'a> {
    p: &'a ProductView,
    colour: Option<String>,
    size: Option<String>,
    /// Whether the product comes in the colour and in the size; unknown when the catalogue lists none.
    has_colour: Option<bool>,
    has_size: Option<bool>,
    asks_sold_out: bool,
    /// Whether they can be bought; `None` when there is no such variant.
    availability: Option<Availability>,
    /// Pieces of all of them, when the shop counts them.
    pieces: Option<u32>,
}

impl<'a> Variants<'a> {
    fn of(
        p: &'a ProductView,
        colour: Option<&str>,
        size: Option<&str>,
        asks_sold_out: bool,
        lang: mercer_shop::Lang,
    ) -> Self {
        let is_colour = |v: &VariantView| colour.is_none_or(|c| v.options.split(", ").any(|o| same_colour(c, o)));
        let is_size = |v: &VariantView| size.is_none_or(|s| v.options.split(", ").any(|o| o.eq_ignore_ascii_case(s)));
        // A product of one colour need not name it in its variants.
        let by_colour = p.colours.len() != 1 || p.variants.iter().any(is_colour);
        let meant: Vec<&VariantView> =
            p.variants.iter().filter(|v| (!by_colour || is_colour(v)) && is_size(v)).collect();
        let order = [
            Availability::InStock,
            Availability::Preorder,
            Availability::Backorder,
            Availability::Unknown,
            Availability::OutOfStock,
        ];
        let availability = order.into_iter().find(|a| meant.iter().any(|v| v.availability == *a));
        let pieces = meant.iter().map(|v| v.pieces).try_fold(0_u32, |sum, n| Some(sum.saturating_add(n?)));
        Self {
            p,
            colour: colour.map(|c| value_label(&Field::Colour, c, lang)),
            size: size.map(str::to_owned),
            has_colour: colour.and_then(|c| has_any(&p.colours, |listed| same_colour(c, listed))),
            has_size: size.and_then(|s| has_any(&p.sizes, |listed| listed.eq_ignore_ascii_case(s))),
            asks_sold_out,
            availability,
            pieces,
        }
    }
}

/// Whether one of the values is meant; unknown when the catalogue lists none.
fn has_any(values: &[String], is_meant: impl Fn(&str) -> bool) -> Option<bool> {
    (!values.is_empty()).then(|| values.iter().any(|v| is_meant(v)))
}

/// The variant that a question is about: the only one, or the first with the option asked for.
fn variant<'a>(product: &'a ProductView, value: Option<&str>) -> Option<&'a VariantView> {
    match (product.variants.as_slice(), value) {
        ([only], _) => Some(only),
        (_, None) => None,
        (variants, Some(value)) => variants.iter().find(|v| {
            v.options.split(", ").any(|option| option.eq_ignore_ascii_case(value) || same_colour(value, option))
        }),
    }
}
