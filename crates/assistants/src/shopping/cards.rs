//! Product cards: made by code from the catalogue, never from what a model wrote.

use mercer_search::{Field, value_label};
use mercer_shop::{Availability, Lang, Money, Product};
use serde::{Deserialize, Serialize};

use super::dialogue::Shown;

/// The values of one option of a product.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OptionValues {
    /// Such as `Size`.
    pub name: String,
    /// Such as `S`, `M`, `L`, in the feed's order.
    pub values: Vec<String>,
}

/// A product as a card shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Card {
    /// The product's id.
    pub id: String,
    /// Its name.
    pub title: String,
    /// The maker.
    pub brand: Option<String>,
    /// Lowest price in minor units; unknown is `null`.
    pub price: Option<i64>,
    /// What the cheapest variant cost before, in minor units.
    pub list_price: Option<i64>,
    /// Currency of the prices.
    pub currency: Option<String>,
    /// The price as it is written on a tag: `¥299`, `¥199–299`.
    pub price_text: Option<String>,
    /// The earlier price as it is written on a tag.
    pub list_price_text: Option<String>,
    /// Path of its picture on this server.
    pub image: Option<String>,
    /// Whether it can be bought now.
    pub availability: Availability,
    /// Its colours.
    pub colours: Vec<String>,
    /// What of the wish it meets.
    pub matched: Vec<String>,
    /// Its options.
    pub options: Vec<OptionValues>,
    /// Why it is shown, when that was asked.
    pub why: Vec<String>,
}

impl Card {
    /// The card of a product, in a language, with what it matched.
    #[must_use]
    pub fn of(product: &Product, lang: Lang, matched: &[String]) -> Self {
        let (low, high) = product.price_range().map_or((None, None), |(low, high)| (Some(low), Some(high)));
        let before = list_price(product);
        Self {
            id: product.id.to_string(),
            title: product.title.get(lang).to_owned(),
            brand: product.brand.clone(),
            price: low.map(|m| m.minor),
            list_price: before.map(|m| m.minor),
            currency: low.map(|m| m.currency.to_string()),
            price_text: price_text(low, high),
            list_price_text: before.map(|m| m.to_string()),
            image: picture(product, lang, matched),
            availability: product.availability(),
            colours: in_words(&Field::Colour, &colours(product), lang),
            matched: matched.to_vec(),
            options: options(product),
            why: Vec::new(),
        }
    }

    /// The product as it is remembered after it was shown.
    #[must_use]
    pub fn shown(product: &Product, lang: Lang) -> Shown {
        Shown {
            id: product.id.clone(),
            name: product.title.get(lang).to_owned(),
            brand: product.brand.clone(),
            colours: colours(product),
            price: product.price_range().map(|(low, _)| low),
        }
    }
}

/// The price as it is written on a tag, a span when variants differ.
#[must_use]
pub fn price_text(low: Option<Money>, high: Option<Money>) -> Option<String> {
    match (low, high) {
        (Some(low), Some(high)) if low.minor < high.minor => Some(format!("{low}–{high}")),
        (Some(low), _) => Some(low.to_string()),
        (None, _) => None,
    }
}

/// The earlier price of the cheapest variant, when it is higher than its price.
#[must_use]
pub(super) fn list_price(product: &Product) -> Option<Money> {
    let cheapest = product.variants.iter().filter(|v| v.price.is_some()).min_by_key(|v| v.price.map(|m| m.minor))?;
    let (now, before) = (cheapest.price?, cheapest.list_price?);
    (before.currency == now.currency && before.minor > now.minor).then_some(before)
}

/// Values of a property as a customer calls them: the feed's `Red` is 红色 in Chinese. English keeps the feed's own words.
#[must_use]
pub(super) fn in_words(field: &Field, values: &[String], lang: Lang) -> Vec<String> {
    let word = |value: &String| match lang {
        Lang::En => value.clone(),
        Lang::Zh => {
            let lower = value.to_lowercase();
            let keys = [lower.clone(), lower.replace(' ', "_"), lower.replace(' ', "-"), lower.replace(" blue", "")];
            let label =
                keys.iter().map(|key| value_label(field, key, lang)).find(|label| Lang::of(label) == Some(lang));
            label.unwrap_or_else(|| value.clone())
        }
    };
    values.iter().map(word).collect()
}

/// The product's colours: those of the feed, else the values of a colour option.
#[must_use]
pub(super) fn colours(product: &Product) -> Vec<String> {
    if !product.colours.is_empty() {
        return product.colours.clone();
    }
    option_values(product, &["color", "colour", "颜色"])
}

/// The product's sizes: the values of a size option.
#[must_use]
pub(super) fn sizes(product: &Product) -> Vec<String> {
    option_values(product, &["size", "shoe size", "尺码", "尺寸"])
}

fn option_values(product: &Product, names: &[&str]) -> Vec<String> {
    let of_name = |o: &OptionValues| names.iter().any(|n| o.name.to_lowercase() == *n);
    options(product).into_iter().find(of_name).map(|o| o.values).unwrap_or_default()
}

/// Every option with its values, in the feed's order.
#[must_use]
pub(super) fn options(product: &Product) -> Vec<OptionValues> {
    let mut options: Vec<OptionValues> = Vec::new();
    for (name, value) in product.variants.iter().flat_map(|v| &v.options) {
        match options.iter_mut().find(|o| o.name == *name) {
            Some(option) if option.values.contains(value) => {}
            Some(option) => option.values.push(value.clone()),
            None => options.push(OptionValues { name: name.clone(), values: vec![value.clone()] }),
        }
    }
    options
}

/// The path of the picture to show: of the variant in the colour that was asked for, else the main one. A red dress that also comes in
/// navy is shown in red to who asked for red.
fn picture(product: &Product, lang: Lang, matched: &[String]) -> Option<String> {
    product.main_image()?;
    let path = format!("/api/v1/products/{}/image", path_segment(product.id.as_str()));
    let asked = |value: &String| {
        let label = value_label(&Field::Colour, value, lang);
        matched.iter().any(|wish| wish.eq_ignore_ascii_case(&label) || wish.eq_ignore_ascii_case(value))
    };
    let of_colour =
        product.variants.iter().find(|variant| variant.image.is_some() && variant.options.values().any(asked));
    Some(match of_colour {
        Some(variant) => format!("{path}?sku={}", path_segment(variant.sku.as_str())),
        None => path,
    })
}

fn path_segment(id: &str) -> String {
    use std::fmt::Write as _;
    let mut path = String::with_capacity(id.len());
    for byte in id.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~') {
            path.push(char::from(byte));
        } else {
            // Writing to a String cannot fail.
            let _ok = write!(path, "%{byte:02X}");
        }
    }
    path
}

/// The plain numbered form, for channels without cards: `1. name / ID / Category / Color / Gender / Price`.
#[must_use]
pub fn numbered(products: &[Product], lang: Lang) -> String {
    let unknown = match lang {
        Lang::Zh => "未知",
        Lang::En => "unknown",
    };
    let or_unknown = |text: Option<String>| text.filter(|t| !t.is_empty()).unwrap_or_else(|| unknown.to_owned());
    let lines = products.iter().enumerate().map(|(at, product)| {
        let category = product.category.last().map(|c| c.get(lang).to_owned());
        let gender = product.gender.map(|g| gender_label(g, lang).to_owned());
        let (low, high) = product.price_range().map_or((None, None), |(low, high)| (Some(low), Some(high)));
        format!(
            "{}. {} / {} / {} / {} / {} / {}",
            at + 1,
            product.title.get(lang),
            product.id,
            or_unknown(category),
            or_unknown(Some(in_words(&Field::Colour, &colours(product), lang).join(", "))),
            or_unknown(gender),
            or_unknown(price_text(low, high)),
        )
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// For whom a product is made, in words.
#[must_use]
pub(super) fn gender_label(gender: mercer_shop::Gender, lang: Lang) -> &'static str {
    use mercer_shop::Gender::{Boys, Girls, Men, Unisex, Women};
    match (lang, gender) {
        (Lang::Zh, Women) => "女",
        (Lang::Zh, Men) => "男",
        (Lang::Zh, Girls) => "女童",
        (Lang::Zh, Boys) => "男童",
        (Lang::Zh, Unisex) => "男女通用",
        (Lang::En, Women) => "women",
        (Lang::En, Men) => "men",
        (Lang::En, Girls) => "girls",
        (Lang::En, Boys) => "boys",
        (Lang::En, Unisex) => "unisex",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dress_that_comes_in_two_colours_is_shown_in_the_one_that_was_asked_for() {
        let variant = |sku: &str, colour: &str| serde_json::json!({"sku": sku, "options": {"Color": colour}, "image": {"source": format!("{colour}.jpg")}});
        let product: Product = serde_json::from_value(serde_json::json!({
            "id": "d+1", "title": {"en": "Gown", "zh": "礼服"}, "colours": ["Navy Blue", "Red"],
            "variants": [variant("D/N", "Navy Blue"), variant("D/R", "Red")], "images": [{"source": "Navy Blue.jpg"}],
        }))
        .unwrap();
        let image = |lang, matched: &[&str]| {
            let matched: Vec<String> = matched.iter().map(|&label| label.to_owned()).collect();
            Card::of(&product, lang, &matched).image.unwrap()
        };
        assert_eq!(image(Lang::En, &["Dresses", "red"]), "/api/v1/products/d%2B1/image?sku=D%2FR");
        assert_eq!(image(Lang::Zh, &["红色"]), "/api/v1/products/d%2B1/image?sku=D%2FR");
        assert_eq!(image(Lang::En, &["Dresses"]), "/api/v1/products/d%2B1/image");
    }
}
