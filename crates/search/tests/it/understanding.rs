//! What is read out of a customer's words: snapshots of conditions as chips.

use mercer_search::{Field, value_label};
use mercer_shop::{Lang, Product};

use crate::shop::{Shop, shop};

fn bilingual(currency: &str) -> Shop {
    shop(
        "
        d1 | Red summer dress | Women > Dresses | navy blue | women | 299 | {\"usage\": [\"Formal\"], \"seasons\": [\"summer\"], \"brand\": \"Acme\"}
        d2 | Casual leather jacket | Men > Jackets | black | men | 999 | {\"usage\": [\"Casual\"], \"materials\": [\"leather\"]}
        d3 | Kids running shoes | Kids > Shoes | red | boys | 199 | {\"age_group\": \"kids\", \"variants\": [
            {\"sku\": \"a\", \"options\": {\"Size\": \"42\"}}, {\"sku\": \"b\", \"options\": {\"Size\": \"M\"}}]}
        d4 | 纯棉连衣裙 | Women > Dresses | 米色 | women | 199 | {\"materials\": [\"棉\"]}
        ",
        currency,
    )
}

fn chips(shop: &Shop, text: &str) -> String {
    let understood = shop.catalog.understand(text, None).unwrap();
    let mut parts: Vec<String> = understood.conditions.iter().map(|c| c.label(understood.lang)).collect();
    parts.extend(understood.sort.map(|sort| format!("{sort:?}")));
    parts.push(format!("“{}”", understood.text));
    parts.join(" · ")
}

#[test]
fn prices_are_read_in_both_languages() {
    let shop = bilingual("CNY");
    let cases = [
        ("dress under 300", "under ¥300 · Dresses · “”"),
        ("dress less than ¥50", "under ¥50 · Dresses · “”"),
        ("dresses between 100 and 250", "¥100 to ¥250 · Dresses · “”"),
        ("dress over 1,200", "over ¥1200 · Dresses · “”"),
        ("dress for 300 or less", "under ¥300 · Dresses · “”"),
        ("连衣裙 200到300元", "200元到300元 · 连衣裙 · “”"),
        ("300元以下的连衣裙", "300元以下 · 连衣裙 · “”"),
        ("1000以内的连衣裙", "1000元以下 · 连衣裙 · “”"),
        ("连衣裙不超过500", "500元以下 · 连衣裙 · “”"),
        ("两千以上的连衣裙", "2000元以上 · 连衣裙 · “”"),
        ("1.5k以上的连衣裙", "1500元以上 · 连衣裙 · “”"),
        ("300左右的连衣裙", "240元到360元 · 连衣裙 · “”"),
        ("预算500的连衣裙", "500元以下 · 连衣裙 · “”"),
        ("shoes under 15 inch", "Shoes · “under 15 inch”"),
    ];
    for (text, expected) in cases {
        let read = chips(&shop, text);
        assert_eq!(read, expected, "{text}");
    }
}

#[test]
fn an_amount_in_a_currency_the_shop_does_not_charge_is_no_filter() {
    let understood = bilingual("CNY").catalog.understand("dress under $50", None).unwrap();
    assert_eq!(understood.other_currency, Some(mercer_shop::Currency::USD));
    assert!(understood.conditions.iter().all(|c| c.field != mercer_search::Field::Price));
}

#[test]
fn properties_are_read_and_the_rest_is_text() {
    let shop = bilingual("USD");
    let cases = [
        ("formal navy dress for women", "formal · navy blue · women · Dresses · “”"),
        ("find a red leather jacket", "red · leather · Jackets · “”"),
        ("jacket not leather", "not leather · Jackets · “”"),
        ("dress without hood", "not hood · Dresses · “”"),
        ("shoes in a 42", "size 42 · Shoes · “”"),
        ("shoes size M", "size M · Shoes · “”"),
        ("42码的鞋子", "尺码 42 · 鞋子 · “”"),
        ("不要黑色的外套", "不要黑色 · 外套 · “”"),
        ("cheapest acme dress", "Acme · Dresses · PriceAsc · “”"),
        ("sparkly dress", "Dresses · “sparkly”"),
        ("dress shirt", "“dress shirt”"),
        ("正式的藏青色连衣裙", "正式 · 藏青色 · Dresses · “”"),
    ];
    for (text, expected) in cases {
        let read = chips(&shop, text).replace("连衣裙 · ", "Dresses · ");
        assert_eq!(read, expected, "{text}");
    }
}

#[test]
fn what_is_refused_is_never_asked_for() {
    let shop = bilingual("USD");
    let cases = [
        ("I do not want leather", "not leather · “”"),
        ("I don't like black shoes", "not black · Shoes · “”"),
        ("neither black nor white dresses", "not black or white · Dresses · “”"),
        ("I hate red dresses", "not red · Dresses · “”"),
        ("a dress for someone who hates red", "not red · Dresses · “”"),
        ("jacket but not black", "not black · Jackets · “”"),
        ("我不喜欢黑色的鞋", "不要黑色 · 鞋子 · “”"),
        ("不想要皮的", "不要皮革 · “”"),
        ("不要黑的，要白的", "不要黑色 · 白色 · “”"),
        ("anything but black", "not black · “”"),
        ("shoes other than black", "not black · Shoes · “”"),
        ("I'm not a fan of red dresses", "not red · Dresses · “”"),
        ("不太喜欢红色", "不要红色 · “”"),
        ("别给我推荐黑色的", "不要黑色 · “”"),
        ("shoes, I don't want to spend more than 300", "under $300 · Shoes · “”"),
        ("不想花超过300", "$300以下 · “”"),
    ];
    for (text, expected) in cases {
        assert_eq!(chips(&shop, text), expected, "{text}");
    }
}

#[test]
fn a_brand_called_like_a_conjunction_is_meant_only_where_it_is_written_so() {
    let shop = shop(
        "
        d1 | Dress | Women > Dresses | red | women | 299 | {\"brand\": \"AND\"}
        d2 | Running shoes | Men > Shoes | black | men | 300 |
        d3 | Bag | Women > Bags | black | women | 100 |
        ",
        "USD",
    );
    let brand = |text: &str| {
        let understood = shop.catalog.understand(text, None).unwrap();
        understood.conditions.iter().any(|c| c.field == Field::Brand)
    };
    assert!(brand("AND dress") && brand("dress by AND"));
    for text in ["two red dresses and a black bag", "two red dresses AND a black bag", "RED AND BLACK DRESS", "and"] {
        assert!(!brand(text), "{text}");
    }
    assert_eq!(chips(&shop, "shoes under 400 and over 200"), "$200 to $400 · Shoes · “”");
    assert_eq!(chips(&shop, "shoes over 200 AND under 400"), "$200 to $400 · Shoes · “”");
    assert_eq!(chips(&shop, "shoes for men over 100 and under 500"), "$100 to $500 · men · Shoes · “”");
}

#[test]
fn bare_ranges_and_orders_of_price_are_read() {
    let shop = bilingual("CNY");
    let cases = [
        ("200-400", "¥200 to ¥400 · “”"),
        ("around 300", "¥240 to ¥360 · “”"),
        ("300左右", "240元到360元 · “”"),
        ("dress from cheap to expensive", "Dresses · PriceAsc · “”"),
        ("连衣裙价格从低到高", "连衣裙 · PriceAsc · “”"),
        ("连衣裙 价格从高到低", "连衣裙 · PriceDesc · “”"),
    ];
    for (text, expected) in cases {
        assert_eq!(chips(&shop, text), expected, "{text}");
    }
}

#[test]
fn every_colour_of_the_fashion_table_and_of_the_sample_shop_has_a_label_in_both_languages() {
    let fashion = "Black,White,Blue,Brown,Grey,Red,Green,Pink,Navy Blue,Purple,Silver,Yellow,Beige,Gold,Maroon,Orange,Olive,Multi,Cream,Steel,\
        Charcoal,Peach,Off White,Skin,Lavender,Grey Melange,Khaki,Magenta,Teal,Tan,Mustard,Bronze,Copper,Turquoise Blue,Rust,Burgundy,\
        Metallic,Coffee Brown,Mauve,Rose,Nude,Sea Green,Mushroom Brown,Taupe,Lime Green,Fluorescent Green";
    let sample = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/sample-shop/products.jsonl"));
    let products = sample.unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect::<Vec<Product>>();
    let sold = products.iter().flat_map(|product| product.colours.iter().map(String::as_str));
    let mut labels = std::collections::BTreeMap::new();
    for colour in fashion.split(',').map(str::trim).chain(sold) {
        let label = value_label(&Field::Colour, colour, Lang::Zh);
        assert!(!label.contains(|c: char| c.is_ascii_alphabetic()), "{colour}: {label}");
        let other = labels.insert(label.clone(), colour);
        assert!(other.is_none_or(|other| other == colour), "{colour} and {other:?} are both {label}");
    }
    assert_eq!(value_label(&Field::Colour, "酒红色", Lang::En), "wine red");
}

#[test]
fn labels_and_ids_are_stable() {
    let understood = bilingual("CNY").catalog.understand("navy dress under 300 not leather", None).unwrap();
    let ids: Vec<String> = understood.conditions.iter().map(mercer_search::Condition::id).collect();
    assert!(ids.contains(&"price:max:30000".to_owned()) && ids.contains(&"colour:any:navy".to_owned()));
    assert!(ids.contains(&"material:none:leather".to_owned()), "{ids:?}");
    let labels: Vec<String> = understood.conditions.iter().map(|c| c.label(Lang::Zh)).collect();
    assert!(labels.contains(&"300元以下".to_owned()) && labels.contains(&"不要皮革".to_owned()), "{labels:?}");
}
