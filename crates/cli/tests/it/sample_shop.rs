//! The sample shop is whole: every row parses, every picture opens, both languages are there, and the stories can be told on it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use mercer_shop::{Availability, Gender, Lang, Product, Season};
use mercer_studio::{Limits, decode};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/sample-shop")
}

fn products() -> Vec<Product> {
    let text = std::fs::read_to_string(folder().join("products.jsonl")).unwrap();
    let parse =
        |(number, line)| serde_json::from_str(line).unwrap_or_else(|error| panic!("line {}: {error}", number + 1));
    text.lines().enumerate().map(parse).collect()
}

fn in_category(product: &Product, name: &str) -> bool {
    product.category.iter().any(|level| level.get(Lang::En) == name)
}

fn is_red(product: &Product) -> bool {
    product.colours.iter().any(|colour| colour == "Red")
}

fn lowest(product: &Product) -> i64 {
    product.price_range().unwrap().0.minor
}

#[test]
fn every_product_is_complete_in_both_languages_and_unique() {
    let products = products();
    assert!(products.len() >= 320, "{} products", products.len());
    let (mut ids, mut skus) = (BTreeSet::new(), BTreeSet::new());
    for product in &products {
        let id = product.id.as_str();
        assert!(ids.insert(id.to_owned()), "{id} twice");
        assert!(!product.variants.is_empty() && !product.images.is_empty(), "{id}");
        let (zh, en) = (product.title.zh.as_deref().unwrap(), product.title.en.as_deref().unwrap());
        assert_eq!((Lang::of(zh), Lang::of(en)), (Some(Lang::Zh), Some(Lang::En)), "{id}: {zh} / {en}");
        assert!(zh.chars().count() <= 60 && en.len() <= 120, "{id}: {zh} / {en}");
        for text in [product.description.zh.as_deref().unwrap(), product.description.en.as_deref().unwrap()] {
            let markup = ["<", "&amp;", "&nbsp;", "&#", "\u{fffd}"].iter().any(|rest| text.contains(rest));
            assert!(text.ends_with(['。', '.', '!', '?']) && !markup, "{id}: {text}");
        }
        for level in &product.category {
            assert!(level.zh.is_some() && level.en.is_some(), "{id}: {level:?}");
        }
        let (low, high) = product.price_range().unwrap();
        assert!(low.minor >= 900 && high.minor <= 500_000 && low.currency.code() == "CNY", "{id}: {low}");
        for variant in &product.variants {
            assert!(skus.insert(variant.sku.as_str().to_owned()), "{id}: {} twice", variant.sku);
            assert!(
                variant.list_price.is_none_or(|list| list.minor > variant.price.unwrap().minor),
                "{id}: {}",
                variant.sku
            );
        }
    }
    let sold_out = products.iter().filter(|product| product.availability() == Availability::OutOfStock).count();
    assert!((3..40).contains(&sold_out), "{sold_out} products are sold out");
}

#[test]
fn every_picture_is_used_opens_and_is_small_and_has_words() {
    let root = folder().join("images");
    let (mut named, mut bytes) = (BTreeSet::new(), 0);
    for product in &products() {
        let variants = product.variants.iter().filter_map(|variant| variant.image.as_ref());
        for picture in product.images.iter().chain(variants) {
            assert!(picture.alt.as_deref().is_some_and(|alt| alt.contains(" / ")), "{}: {:?}", product.id, picture.alt);
            if picture.source.starts_with("drawn/") {
                assert!(
                    picture.alt.as_deref().unwrap().contains("illustration"),
                    "{}: a drawing says that it is one",
                    product.id
                );
            }
            named.insert(picture.source.clone());
        }
    }
    for source in &named {
        let file = std::fs::read(root.join(source)).unwrap_or_else(|error| panic!("{source}: {error}"));
        let picture = decode(&file, &Limits::default()).unwrap_or_else(|error| panic!("{source}: {error}"));
        assert!(picture.width().max(picture.height()) <= 640 && picture.width() >= 100, "{source}: {picture:?}");
        bytes += file.len();
    }
    assert!(bytes < 15_000_000, "{bytes} bytes of pictures");
    let mut lying = Vec::new();
    for group in std::fs::read_dir(&root).unwrap() {
        let group = group.unwrap().path();
        for file in std::fs::read_dir(&group).unwrap() {
            let name = file.unwrap().path().strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
            if !named.contains(&name) {
                lying.push(name);
            }
        }
    }
    assert!(lying.is_empty(), "no product shows {lying:?}");
}

#[test]
fn the_stories_can_be_told_on_it() {
    let products = products();
    let count = |test: &dyn Fn(&Product) -> bool| products.iter().filter(|product| test(product)).count();
    let women = |product: &Product| product.gender == Some(Gender::Women);

    let coats = |p: &Product| {
        women(p) && (in_category(p, "Coats") || in_category(p, "Down Jackets")) && p.seasons.contains(&Season::Winter)
    };
    assert!(count(&coats) >= 8, "winter coats for women: {}", count(&coats));

    let red = |p: &Product| in_category(p, "Dresses") && is_red(p);
    let formal = |p: &Product| red(p) && p.usage.iter().any(|usage| usage == "Formal");
    let affordable = |p: &Product| formal(p) && lowest(p) < 100_000;
    assert!(count(&red) >= 12, "red dresses: {}", count(&red));
    assert!(count(&formal) >= 5, "formal ones: {}", count(&formal));
    assert!(count(&affordable) >= 3 && count(&affordable) < count(&formal), "under 1000: {}", count(&affordable));
    assert!(count(&|p| affordable(p) && p.colours.len() >= 2) >= 2, "none of them has another colour");

    for gender in [Gender::Women, Gender::Men] {
        let of = |p: &Product, name: &str| p.gender == Some(gender) && in_category(p, name);
        assert!(
            count(&|p| of(p, "Jackets")) >= 5 && count(&|p| of(p, "Pants")) >= 8,
            "jackets and pants for {gender:?}"
        );
    }
    for name in ["Heels", "Formal Shoes", "Handbags", "Watches", "Shirts", "Sweaters", "Skirts", "Jeans", "Bedding"] {
        assert!(count(&|p| in_category(p, name)) >= 4, "{name}: {}", count(&|p| in_category(p, name)));
    }
}
