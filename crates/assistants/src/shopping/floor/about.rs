//! Answers to questions about one product.

use mercer_search::{Field, value_label};
use mercer_shop::{Availability, ProductId};
use serde_json::json;

use super::words::{Answer, say};
use super::{Floor, Said, Wanted};
use crate::shopping::dialogue::{Aspect, Focus, same_colour};
use crate::shopping::tools::{self, ProductView, VariantView};

impl Floor<'_> {
    pub(super) fn about(&self, id: &ProductId, aspect: Aspect, value: Option<&str>) -> Wanted<Said> {
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
