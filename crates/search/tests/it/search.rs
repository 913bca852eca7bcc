//! What a search finds, in which order, and what it says about it. Each case is one that a known engine got wrong.

use mercer_search::{Condition, Field, Op, SearchRequest, Sort};
use proptest::prelude::*;

use crate::shop::{Shop, ids, shop};

fn chinese() -> Shop {
    shop(
        "
        z1 | 待处理文件收纳盒 | 办公 > 收纳 | 蓝色 | | 39
        z2 | 新鲜水芹菜500克 | 食品 > 蔬菜 | 绿色 | | 12
        z3 | 便携小化妆包 | 箱包 > 化妆包 | 粉色 | women | 59
        z4 | 法式红色碎花连衣裙 | 女装 > 连衣裙 | 红色 | women | 259 | {\"seasons\": [\"summer\"], \"materials\": [\"雪纺\"]}
        z5 | 黑色修身连衣裙 | 女装 > 连衣裙 | 黑色 | women | 399 | {\"usage\": [\"正式\"]}
        z6 | 女士羽绒服中长款 | 女装 > 羽绒服 | 藏青色 | women | 899 | {\"seasons\": [\"winter\"]}
        z7 | 男士真皮商务皮带 | 配饰 > 皮带 | 棕色 | men | 199 | {\"materials\": [\"牛皮\"]}
        z8 | 家用五金工具箱套装 | 家居 > 工具箱 | 橙色 | | 129
        z9 | 完美日记哑光口红 | 美妆 > 口红 | 红色 | women | 89 | {\"brand\": \"完美日记\"}
        z10 | 苹果手机壳透明 | 数码 > 手机壳 | 透明 | | 29
        z11 | 全网通智能手机128G | 数码 > 手机 | 黑色 | | 1999
        z12 | 黑色高腰半身裙 | 女装 > 半身裙 | 黑色 | women | 159
        ",
        "CNY",
    )
}

fn fashion() -> Shop {
    shop(
        "
        d1 | Red floral summer dress | Apparel > Dresses | red | women | 45
        d2 | Navy wrap midi dress | Apparel > Dresses | navy blue | women | 89 | {\"usage\": [\"Formal\"]}
        d3 | Black cocktail dress | Apparel > Dresses | black | women | 120 | {\"usage\": [\"Party\"]}
        s1 | White cotton dress shirt | Apparel > Shirts | white | men | 35 | {\"usage\": [\"Formal\"]}
        s2 | Blue oxford shirt | Apparel > Shirts | blue | men | 39 | {\"usage\": [\"Casual\"]}
        j1 | Slim fit blue jeans | Apparel > Jeans | blue | women | 59
        j2 | Black skinny jeans | Apparel > Jeans | black | men | 49
        k1 | Denim skirt | Apparel > Skirts | blue | women | 39
        w1 | Chunky knit sweater | Apparel > Sweaters | off white | women | 65 | {\"materials\": [\"wool\"]}
        w2 | Green knit sweater | Apparel > Sweaters | green | women | 60 | {\"materials\": [\"cotton\"]}
        b1 | Gold plated bracelet set | Accessories > Bracelets | gold | women | 25
        l1 | Leather jacket with hood | Apparel > Jackets | black | men | 199 | {\"materials\": [\"leather\"]}
        l2 | Rain jacket | Apparel > Jackets | yellow | men | 79 | {\"materials\": [\"polyester\"]}
        h1 | Running shoes | Footwear > Sports Shoes | red | men | 99 | {\"variants\": [
            {\"sku\": \"H1-42\", \"options\": {\"Size\": \"EU 42\"}, \"price\": {\"minor\": 9900, \"currency\": \"USD\"}}]}
        ",
        "USD",
    )
}

fn electronics() -> Shop {
    shop(
        "
        e1 | ViewSonic ViewBoard IFP5550BUN interactive display | | | | 2999
        e2 | HP ProBook 450 Notebook Silver 15.6 inch | | | | 799
        e3 | Targus 15.6 inch notebook case black | | | | 29
        e4 | Kensington laptop lock | | | | 19
        e5 | Dell Latitude laptop 14 inch | | | | 899
        e6 | Urban Factory laptop bag 17 inch | | | | 39
        e7 | Philips 32 inch television | | | | 299
        e8 | Wall mount for TV | | | | 49
        e9 | Logitech wireless mouse | | | | 25
        e10 | Mouse pad with gel | | | | 9
        e11 | Leitz spiral notebook A5 | | | | 4
        ",
        "USD",
    )
}

#[test]
fn a_part_of_a_chinese_word_finds_the_word() {
    let shop = chinese();
    assert_eq!(shop.ids("处理"), ["z1"]);
    assert_eq!(shop.ids("芹菜"), ["z2"]);
    assert_eq!(shop.ids("小化妆"), ["z3"]);
    assert_eq!(shop.ids("工具"), ["z8"]);
    assert!(shop.ids("化妆").contains(&"z3".to_owned()));
    assert_eq!(shop.ids("工具 套装"), ["z8"]);
}

#[test]
fn traditional_and_simplified_full_and_half_width_are_one() {
    let shop = chinese();
    assert_eq!(shop.ids("紅色連衣裙"), shop.ids("红色连衣裙"));
    assert_eq!(shop.ids("紅色連衣裙").first().map(String::as_str), Some("z4"));
    assert_eq!(shop.ids("１２８Ｇ手機").first().map(String::as_str), Some("z11"));
}

#[test]
fn pinyin_and_a_brand_that_no_dictionary_knows_are_found() {
    let shop = chinese();
    assert!(shop.ids("lianyiqun").contains(&"z4".to_owned()));
    assert_eq!(shop.ids("完美日记"), ["z9"]);
}

#[test]
fn chinese_negation_and_price_are_conditions() {
    let shop = chinese();
    assert_eq!(shop.ids("连衣裙 不要黑色"), ["z4"]);
    assert_eq!(shop.ids("300元以下的连衣裙"), ["z4"]);
    assert_eq!(shop.ids("除了红色以外的连衣裙"), ["z5"]);
    assert_eq!(shop.ids("正式的连衣裙"), ["z5"]);
}

#[test]
fn a_chinese_device_comes_before_what_only_goes_with_it() {
    assert_eq!(chinese().ids("手机").first().map(String::as_str), Some("z11"));
}

#[test]
fn a_query_in_one_language_finds_products_named_in_the_other() {
    assert_eq!(chinese().ids("down jacket").first().map(String::as_str), Some("z6"));
    let found = fashion().ids("红色连衣裙");
    assert_eq!(found.first().map(String::as_str), Some("d1"));
    assert_eq!(fashion().ids("牛仔裤 男").first().map(String::as_str), Some("j2"));
}

#[test]
fn a_dress_is_no_dress_shirt_and_jeans_are_no_skirts() {
    let shop = fashion();
    let dresses = shop.ids("dress");
    assert_eq!(dresses.len(), 3);
    assert!(!dresses.contains(&"s1".to_owned()));
    assert_eq!(shop.ids("dress shirt").first().map(String::as_str), Some("s1"));
    let jeans = shop.ids("show me jeans");
    assert!(jeans.len() == 2 && !jeans.contains(&"k1".to_owned()));
}

#[test]
fn a_near_colour_answers_when_the_exact_one_is_not_sold() {
    let shop = fashion();
    assert_eq!(shop.ids("cream sweater"), ["w1"]);
    assert_eq!(shop.ids("blue dress"), ["d2"], "navy is a blue");
    let none = shop.ask("purple sweater");
    assert!(!none.hits.is_empty());
    assert_eq!(none.relaxed.iter().map(|c| c.field.clone()).collect::<Vec<_>>(), [Field::Colour]);
}

#[test]
fn negation_excludes_by_property_and_by_word() {
    let shop = fashion();
    assert_eq!(shop.ids("jacket not leather"), ["l2"]);
    assert_eq!(shop.ids("jacket without hood"), ["l2"]);
    let response = shop.ask("jacket not leather");
    assert!(response.understood.conditions.iter().any(|c| c.is_negative() && c.field == Field::Material));
}

#[test]
fn joined_words_are_split_and_split_words_joined() {
    let shop = fashion();
    assert_eq!(shop.ids("goldbracelet").first().map(String::as_str), Some("b1"));
    assert_eq!(shop.ids("goldbracelets").first().map(String::as_str), Some("b1"));
}

#[test]
fn a_typing_error_is_corrected_and_said() {
    let shop = fashion();
    for typed in ["swaeter", "sweter", "sweatre"] {
        let response = shop.ask(typed);
        assert_eq!(response.corrected.as_deref(), Some("sweater"), "{typed}");
        assert_eq!(response.total, 2);
    }
    assert_eq!(shop.ask("sweater").corrected, None);
}

#[test]
fn part_of_a_model_number_finds_the_model() {
    let shop = electronics();
    for typed in ["IFP5550", "ifp5550bun", "IFP-5550", "IFP5550BU"] {
        assert_eq!(shop.ids(typed).first().map(String::as_str), Some("e1"), "{typed}");
    }
    assert_eq!(shop.ids("SKU-e9").first().map(String::as_str), Some("e9"));
}

#[test]
fn a_device_comes_before_its_accessories() {
    let shop = electronics();
    let laptops = shop.ids("laptop");
    let place = |id: &str| laptops.iter().position(|found| found == id).unwrap_or(usize::MAX);
    for device in ["e2", "e5"] {
        for accessory in ["e3", "e4", "e6"] {
            assert!(place(device) < place(accessory), "{device} before {accessory} in {laptops:?}");
        }
    }
    assert_eq!(shop.ids("laptop bag").first().map(String::as_str), Some("e6"));
    assert_eq!(shop.ids("tv").first().map(String::as_str), Some("e7"));
    assert_eq!(shop.ids("mouse").first().map(String::as_str), Some("e9"));
    assert_eq!(shop.ids("mouse pad").first().map(String::as_str), Some("e10"));
}

#[test]
fn query_syntax_is_plain_text() {
    let shop = fashion();
    for text in [
        "OR status:draft",
        "title:\"",
        "dress) OR (1=1",
        "*:*",
        "dress^1000",
        "[* TO *]",
        "\"dress",
        "-dress +jeans",
        "a/b\\c",
    ] {
        let response = shop.ask(text);
        assert!(response.total <= 14, "{text}");
    }
    assert_eq!(shop.ask("*:*").total, shop.ask("").total);
    assert_eq!(shop.ask("status:draft").total, 0);
}

#[test]
fn what_the_shop_does_not_carry_is_an_empty_answer() {
    let shop = fashion();
    let response = shop.ask("blue apron");
    assert_eq!(response.total, 0, "{:?}", ids(&response));
    assert!(response.dropped_words.contains(&"apron".to_owned()));
    assert_eq!(response.unknown_words, ["apron"]);
    // The shop has hoods, only not on dresses.
    let elsewhere = shop.ask("black dress with hood");
    assert_eq!((ids(&elsewhere), elsewhere.dropped_words), (vec!["d3".to_owned()], vec!["hood".to_owned()]));
    assert!(elsewhere.unknown_words.is_empty());
}

#[test]
fn a_paper_notebook_is_no_laptop_and_a_bag_for_one_is_told_apart_from_one() {
    let stationer = shop(
        "
        n1 | Red Hardcover Notebook | Home > Stationery | Red | | 12
        n2 | Pastel notebook with 96 pages | Home > Stationery | Pink | | 9
        b1 | Leather Briefcase | Bags > Briefcases | Brown | | 150 |
        {\"description\": {\"en\": \"With a padded sleeve for a 15 inch laptop.\"}}
        b2 | Endeavor Backpack | Bags > Backpacks | Black | | 60 |
        {\"description\": {\"en\": \"A waterproof pocket for your laptop.\"}}
        d1 | Summer dress | Women > Dresses | Red | women | 60
        ",
        "USD",
    );
    for text in ["do you sell laptops?", "laptops", "red laptop", "a waterproof laptop"] {
        let response = stationer.ask(text);
        assert!(response.inexact || response.total == 0, "{text}: {:?}", ids(&response));
        assert!(!ids(&response).iter().any(|id| id.starts_with('n')), "{text}: {:?}", ids(&response));
    }
    assert!(stationer.ask("laptops").inexact);
    for (text, first) in
        [("notebook", "n"), ("dress", "d1"), ("连衣裙", "d1"), ("waterproof", "b2"), ("briefcase", "b1")]
    {
        let response = stationer.ask(text);
        assert!(!response.inexact, "{text}");
        assert!(ids(&response).first().is_some_and(|id| id.starts_with(first)), "{text}: {:?}", ids(&response));
    }
    let electronics = electronics();
    for text in ["laptop", "notebook", "laptop bag", "tv", "mouse", "wireless mouse"] {
        assert!(!electronics.ask(text).inexact, "{text}");
    }
    assert!(electronics.ids("notebook").contains(&"e11".to_owned()));
    assert!(!electronics.ids("laptop").contains(&"e11".to_owned()));
}

#[test]
fn the_least_important_condition_is_given_up_and_the_price_never() {
    let shop = fashion();
    let response = shop.ask("formal red dress");
    assert_eq!(ids(&response), ["d1"]);
    assert_eq!(response.relaxed.len(), 1);
    let cheap = shop.ask("dress under $20");
    assert_eq!(cheap.total, 0);
    assert!(cheap.understood.conditions.iter().any(|c| c.op == Op::AtMost(2000)));
    for hit in shop.ask("formal red dress under $50").hits {
        assert!(hit.product.price_range().unwrap().0.minor <= 5000);
    }
}

#[test]
fn wishes_for_an_order_are_followed() {
    let shop = fashion();
    assert_eq!(shop.ids("cheapest dress"), ["d1", "d2", "d3"]);
    assert_eq!(shop.ids("most expensive dress"), ["d3", "d2", "d1"]);
    assert_eq!(chinese().ids("最便宜的连衣裙").first().map(String::as_str), Some("z4"));
}

#[test]
fn facets_count_all_results_and_their_values_filter_them() {
    let shop = fashion();
    let response = shop.ask("shirt");
    let colour = response.facets.iter().find(|facet| facet.field == Field::Colour).unwrap();
    for (value, _, count) in &colour.values {
        let narrowed = SearchRequest {
            conditions: vec![Condition::any_of(Field::Colour, [value.clone()])],
            ..SearchRequest::text("shirt")
        };
        assert_eq!(shop.catalog.search(&narrowed).unwrap().total, *count, "{value}");
    }
    let category = response.facets.iter().find(|facet| facet.field == Field::Category).unwrap();
    assert!(category.values.iter().any(|(value, label, _)| value == "Apparel > Shirts" && label == "Shirts"));
}

#[test]
fn pages_are_stable_and_do_not_overlap() {
    let shop = fashion();
    let page = |offset| {
        let request = SearchRequest { offset, limit: 5, ..SearchRequest::text("") };
        ids(&shop.catalog.search(&request).unwrap())
    };
    let all: Vec<String> = [0, 5, 10].into_iter().flat_map(page).collect();
    let mut unique = all.clone();
    unique.sort();
    unique.dedup();
    assert_eq!((all.len(), unique.len()), (14, 14));
    assert_eq!(page(5), page(5));
}

#[test]
fn similar_products_are_of_the_same_kind() {
    let shop = fashion();
    let id = mercer_shop::ProductId::new("d1").unwrap();
    let similar = shop.catalog.similar(&id, 5).unwrap();
    assert!(!similar.is_empty());
    for product in similar {
        assert!(product.id.as_str().starts_with('d') && product.id != id);
    }
}

#[test]
fn why_a_product_matched_is_told_in_the_customers_language() {
    let response = chinese().ask("红色连衣裙");
    let first = response.hits.first().unwrap();
    assert!(first.matched.contains(&"红色".to_owned()), "{:?}", first.matched);
    assert!(first.why.as_ref().unwrap().iter().any(|why| why.starts_with("符合")));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn no_text_panics_and_conditions_always_hold(text in "\\PC{0,40}", low in 0_i64..150, span in 0_i64..100, sort in 0_usize..6) {
        thread_local!(static SHOP: Shop = fashion());
        SHOP.with(|shop| {
            let sorts = [Sort::Relevance, Sort::PriceAsc, Sort::PriceDesc, Sort::Newest, Sort::Popular, Sort::Rating];
            let usd = mercer_shop::Currency::USD;
            let money = |amount: i64| mercer_shop::Money::new(amount * 100, usd);
            let request = SearchRequest {
                conditions: vec![Condition::between(money(low), money(low + span)), Condition::none_of(Field::Colour, ["black"])],
                sort: sorts[sort],
                facets: true,
                ..SearchRequest::text(text)
            };
            let response = shop.catalog.search(&request).unwrap();
            for hit in &response.hits {
                let (lowest, highest) = hit.product.price_range().unwrap();
                assert!(lowest.minor <= (low + span) * 100 && highest.minor >= low * 100);
                assert!(!hit.product.colours.contains(&"black".to_owned()));
            }
            assert!(response.total >= response.hits.len());
        });
    }

    #[test]
    fn words_of_the_shop_in_any_order_never_panic(words in proptest::collection::vec(
        proptest::sample::select(vec!["not", "without", "dress", "under", "$", "300", "cheapest", "不要", "黑色", "size", "42码", "到", "in", "a", "7", "for", "红", "k", "leather", "or", "and", "，", "between"]), 0..10)) {
        thread_local!(static SHOP: Shop = fashion());
        SHOP.with(|shop| {
            shop.ask(&words.join(" "));
            shop.ask(&words.concat());
        });
    }
}

#[test]
fn a_tenants_rules_pin_boost_bury_and_add_synonyms() {
    let shop = fashion();
    let rules = r#"
        synonyms = ["kirtle > dress"]
        [[pin]]
        query = "dresses"
        products = ["d3", "d1"]
        [[bury]]
        query = "sweater"
        field = "colour"
        values = ["green"]
    "#;
    assert_eq!(shop.ids("sweater").first().map(String::as_str), Some("w2"));
    std::fs::write(shop.dir.path().join("rules.toml"), rules).unwrap();
    assert_eq!(shop.ids("dress"), ["d3", "d1", "d2"]);
    assert_eq!(shop.ids("sweater").first().map(String::as_str), Some("w1"));
    assert_eq!(shop.ids("kirtle").len(), 3);
    std::fs::write(shop.dir.path().join("rules.toml"), "pin = 7").unwrap();
    assert_eq!(shop.ids("dress"), ["d3", "d1", "d2"], "broken rules leave the last good ones in force");
    assert!(mercer_search::Catalog::open(shop.dir.path()).is_err());
}

#[test]
fn colour_size_and_stock_are_those_of_one_variant() {
    let shop = shop(
        "
        d1 | 礼服 Gown | Women > Dresses | Red, Black | women | | {\"variants\": [
            {\"sku\": \"a\", \"options\": {\"Color\": \"Black\", \"Size\": \"L\"}, \"availability\": \"out_of_stock\"},
            {\"sku\": \"b\", \"options\": {\"Color\": \"Black\", \"Size\": \"M\"}, \"availability\": \"in_stock\"},
            {\"sku\": \"c\", \"options\": {\"Color\": \"Red\", \"Size\": \"L\"}, \"availability\": \"in_stock\"}]}
        d2 | 长裙 Dress | Women > Dresses | Black | women | | {\"variants\": [
            {\"sku\": \"d\", \"options\": {\"Size\": \"L\"}, \"availability\": \"in_stock\"},
            {\"sku\": \"e\", \"options\": {\"Size\": \"S\"}, \"availability\": \"out_of_stock\"}]}
        ",
        "USD",
    );
    assert_eq!(shop.ids("黑色 L 有货"), ["d2"]);
    assert_eq!(shop.ids("black size M in stock"), ["d1"]);
    assert_eq!(shop.ids("red size L in stock"), ["d1"]);
    let mut black = shop.ids("black size L");
    black.sort();
    assert_eq!(black, ["d1", "d2"]);
}
