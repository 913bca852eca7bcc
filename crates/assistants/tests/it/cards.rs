//! Cards and the plain form.

use mercer_assistants::shopping::{Card, numbered};
use mercer_shop::{Availability, Lang};

use crate::shop;

#[test]
fn a_card_is_the_catalogues_record_in_the_customers_language() {
    let products = shop::products();
    let jacket = products.iter().find(|p| p.id.as_str() == "c01").unwrap();
    let card = Card::of(jacket, Lang::Zh, &["冬季".to_owned()]);
    assert_eq!(card.title, "长款羽绒服");
    assert_eq!((card.price, card.list_price, card.currency.as_deref()), (Some(79_900), Some(99_900), Some("CNY")));
    assert_eq!((card.price_text.as_deref(), card.list_price_text.as_deref()), (Some("¥799"), Some("¥999")));
    assert_eq!(card.image.as_deref(), Some("/api/v1/products/c01/image"));
    assert_eq!(card.availability, Availability::InStock);
    assert_eq!(card.matched, ["冬季"]);
    let json = serde_json::to_value(&card).unwrap();
    assert_eq!(json["availability"], "in_stock");
    assert_eq!(serde_json::from_value::<Card>(json).unwrap(), card);
}

#[test]
fn channels_without_cards_have_a_numbered_list() {
    let products: Vec<_> = shop::products().into_iter().filter(|p| ["d01", "b03"].contains(&p.id.as_str())).collect();
    assert_eq!(
        numbered(&products, Lang::En),
        "1. Rose Midi Dress / d01 / Dresses / Red / women / ¥259\n2. Travel Backpack / b03 / Bags / Black / unisex / ¥329"
    );
    assert!(numbered(&products, Lang::Zh).starts_with("1. 玫瑰中长连衣裙 / d01 / 连衣裙 / "));
}
