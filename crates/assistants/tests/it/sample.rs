//! The shop that `make run` opens: its example wishes, and what people say next.

use std::path::Path;

use mercer_assistants::shopping::{Models, Shape, Shopping, instructions};
use mercer_search::feed::{Options, Source, open};
use mercer_shop::{Lang, Product};

use crate::talk::Talk;

pub(crate) fn sample() -> Option<Vec<Product>> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/sample-shop/products.jsonl");
    if !file.exists() {
        eprintln!("SKIPPED: {} is not there", file.display());
        return None;
    }
    let feed = open(&Source::File(file), Options::default()).unwrap();
    Some(feed.map(|product| product.unwrap()).collect())
}

/// Says each line and holds that something is shown, that no wish is denied, and that the answer has these words.
async fn holds(lines: &[(&str, &str)]) {
    let Some(products) = sample() else { return };
    let mut talk = Talk::over(products, Models::default()).await;
    for (line, says) in lines {
        let reply = talk.say(line).await;
        assert!(reply.text().contains(says), "{line}: {}", reply.text());
        let noes = ["We do not carry", "Nothing", "没有商品", "本店没有"];
        let denied = noes.iter().any(|no| reply.text().starts_with(no));
        assert!(!denied || noes.iter().any(|no| says.starts_with(no)), "{line}: {}", reply.text());
    }
}

#[tokio::test]
async fn the_sample_shop_answers_its_examples_in_english() {
    holds(&[
        ("Winter coats for women", "Coats · women · winter"),
        ("cheaper", "Coats · women · winter · under ¥"),
        ("Show me red dresses", "Dresses · red"),
        ("make them formal", "Dresses · red · formal"),
        ("under 1000", "Dresses · red · formal · under ¥1000"),
        ("the second one", "¥"),
        ("do you have it in size M?", "size M"),
        ("A gift for a runner, under 300", "under ¥300 · “running”"),
        ("the cheapest backpack", "The cheapest of"),
        ("do you have laptops?", "We do not carry “laptops”"),
        ("long sleeve shirts", "long sleeve"),
        ("make them short sleeve", "“short sleeve”"),
    ])
    .await;
}

#[tokio::test]
async fn the_sample_shop_answers_its_examples_in_chinese() {
    holds(&[
        ("想找一件冬天穿的女士大衣", "大衣 · 女士 · 冬季"),
        ("便宜点", "大衣 · 女士 · 冬季 · "),
        ("红色连衣裙，正式一点，1000 元以内", "连衣裙 · 红色 · 正式 · 1000元以下"),
        ("换成长袖的", "连衣裙 · 红色 · 正式 · 1000元以下 · 长袖"),
        ("这个有别的颜色吗", "颜色"),
        ("有没有适合跑步的男士短裤？", "短裤 · 男士"),
        ("不要黑色", "没有商品同时符合全部条件（短裤 · 不要黑色 · 男士 · 跑步）。我放宽了跑步"),
        ("最便宜的双肩包", "最便宜的是"),
        ("有笔记本电脑吗", "本店没有笔记本电脑"),
        ("给爸爸买个生日礼物，500元左右", "男士 · 400元到600元"),
        ("比较1和2", "1. "),
    ])
    .await;
}

#[test]
fn the_models_instructions_are_rendered_in_both_languages() {
    for lang in [Lang::En, Lang::Zh] {
        let text = instructions(&Shopping::default(), &Shape::default(), lang).unwrap();
        assert!(text.contains("[[p-102]]") && !text.contains("{{") && !text.contains("{%"), "{text}");
        assert!(!text.contains("\n\n\n"), "{text:?}");
    }
}
