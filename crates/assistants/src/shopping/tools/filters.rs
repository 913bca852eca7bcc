//! Filters as a model writes them, and as conditions of the catalogue.

use indexmap::IndexMap;
use mercer_agent::ToolError;
use mercer_search::{Condition, Field, Op};
use mercer_shop::{Currency, Money};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Number;

/// Filters on product properties. Lists mean "any of". Leave out what the customer did not ask for.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Filters {
    /// Kinds of product, as catalog_shape names them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub category: Vec<String>,
    /// Colours, such as red.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub colour: Vec<String>,
    /// women, men, girls, boys or unisex.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gender: Vec<String>,
    /// infant, kids or adult.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub age_group: Vec<String>,
    /// Sizes, such as M or 42.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub size: Vec<String>,
    /// Materials, such as cotton.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub material: Vec<String>,
    /// Brands.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub brand: Vec<String>,
    /// spring, summer, autumn or winter.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub season: Vec<String>,
    /// What it is worn or used for, such as formal.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub usage: Vec<String>,
    /// Other attributes: name to values.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    #[schemars(with = "std::collections::BTreeMap<String, Vec<String>>")]
    pub attributes: IndexMap<String, Vec<String>>,
    /// Lowest price, in the shop's currency.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<f64>")]
    pub price_min: Option<Number>,
    /// Highest price, in the shop's currency.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<f64>")]
    pub price_max: Option<Number>,
    /// Only what can be bought now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_stock: Option<bool>,
    /// Values that must not occur, property to values: {"colour": ["black"]}.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    #[schemars(with = "std::collections::BTreeMap<String, Vec<String>>")]
    pub exclude: IndexMap<String, Vec<String>>,
}

/// The value of [`Field::Availability`] that demands what can be bought now.
const IN_STOCK: &str = "in_stock";

impl Filters {
    /// The conditions that these filters state, with prices in `currency`.
    ///
    /// # Errors
    /// When a price is not an amount or a property in `exclude` is not known.
    pub fn conditions(&self, currency: Currency) -> Result<Vec<Condition>, ToolError> {
        let lists = [
            (Field::Category, &self.category),
            (Field::Colour, &self.colour),
            (Field::Gender, &self.gender),
            (Field::AgeGroup, &self.age_group),
            (Field::Size, &self.size),
            (Field::Material, &self.material),
            (Field::Brand, &self.brand),
            (Field::Season, &self.season),
            (Field::Usage, &self.usage),
        ];
        let mut conditions: Vec<Condition> =
            lists.into_iter().filter(|(_, v)| !v.is_empty()).map(|(f, v)| Condition::any_of(f, v.clone())).collect();
        for (name, values) in self.attributes.iter().filter(|(_, v)| !v.is_empty()) {
            conditions.push(Condition::any_of(Field::Attribute(name.clone()), values.clone()));
        }
        if self.in_stock == Some(true) {
            conditions.push(Condition::any_of(Field::Availability, [IN_STOCK]));
        }
        conditions.extend(self.price(currency)?);
        for (name, values) in self.exclude.iter().filter(|(_, v)| !v.is_empty()) {
            let field = Field::from_key(name).filter(|f| *f != Field::Price).ok_or_else(|| {
                ToolError::invalid(format!(
                    "exclude has no property {name:?}; use category, colour, material, brand and the like"
                ))
            })?;
            conditions.push(Condition::none_of(field, values.clone()));
        }
        Ok(conditions)
    }

    fn price(&self, currency: Currency) -> Result<Option<Condition>, ToolError> {
        let low = self.price_min.as_ref().map(|n| amount(n, currency)).transpose()?;
        let high = self.price_max.as_ref().map(|n| amount(n, currency)).transpose()?;
        Ok(match (low, high) {
            (Some(low), Some(high)) => Some(Condition::between(low, high)),
            (Some(low), None) => Some(Condition::at_least(low)),
            (None, Some(high)) => Some(Condition::at_most(high)),
            (None, None) => None,
        })
    }

    /// The filters that state these conditions.
    #[must_use]
    pub fn of(conditions: &[Condition]) -> Self {
        let mut filters = Self::default();
        for condition in conditions {
            match &condition.op {
                Op::AnyOf(values) => filters.want(&condition.field, values),
                Op::NoneOf(values) => {
                    filters.exclude.insert(condition.field.key(), values.clone());
                }
                Op::AtMost(high) => filters.price_max = number(*high, condition.currency),
                Op::AtLeast(low) => filters.price_min = number(*low, condition.currency),
                Op::Between(low, high) => {
                    filters.price_min = number(*low, condition.currency);
                    filters.price_max = number(*high, condition.currency);
                }
            }
        }
        filters
    }

    fn want(&mut self, field: &Field, values: &[String]) {
        let list = match field {
            Field::Category => &mut self.category,
            Field::Colour => &mut self.colour,
            Field::Gender => &mut self.gender,
            Field::AgeGroup => &mut self.age_group,
            Field::Size => &mut self.size,
            Field::Material => &mut self.material,
            Field::Brand => &mut self.brand,
            Field::Season => &mut self.season,
            Field::Usage => &mut self.usage,
            Field::Attribute(name) => self.attributes.entry(name.clone()).or_default(),
            Field::Availability => {
                self.in_stock = Some(true);
                return;
            }
            Field::Price | Field::Words => return,
        };
        list.extend(values.iter().cloned());
    }
}

fn amount(number: &Number, currency: Currency) -> Result<Money, ToolError> {
    Money::parse_decimal(&number.to_string(), currency)
        .map_err(|error| ToolError::invalid(format!("{number} is not an amount of {currency}")).caused_by(error))
}

fn number(minor: i64, currency: Option<Currency>) -> Option<Number> {
    let decimal = Money::new(minor, currency.unwrap_or(Currency::CNY)).decimal();
    let shown = decimal.strip_suffix(".00").unwrap_or(&decimal);
    serde_json::from_str(shown).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_and_conditions_say_the_same() {
        let usd = Currency::USD;
        let conditions = vec![
            Condition::any_of(Field::Category, ["Dresses"]),
            Condition::any_of(Field::Attribute("Sleeve".into()), ["long"]),
            Condition::between(Money::new(1_050, usd), Money::new(30_000, usd)),
            Condition::none_of(Field::Colour, ["black"]),
        ];
        let filters = Filters::of(&conditions);
        assert_eq!(filters.conditions(usd).unwrap(), conditions);
        let json = serde_json::to_value(&filters).unwrap();
        assert_eq!(json["price_min"].to_string(), "10.5");
        assert_eq!(json["price_max"].to_string(), "300");
        assert!(
            serde_json::from_value::<Filters>(serde_json::json!({"exclude": {"price": ["1"]}}))
                .unwrap()
                .conditions(usd)
                .is_err()
        );
    }
}
