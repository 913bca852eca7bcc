//! What a shop's answer must not get wrong, beyond the facts that the gate settles: products nobody looked up, superlatives that no
//! sorted search supports, "we do not have it" that no search says, products outside the asked price, the wrong language, talk about
//! tools. Pure; complaints are words that a model can act on.

use mercer_agent::ToolResult;
use mercer_search::{Op, Sort};
use mercer_shop::Lang;

use super::dialogue::{Act, Heard};
use super::mention::Mentions;
use super::state::{Shopping, Turn};
use super::tools::{self, Results};

/// What is wrong with a model's answer.
#[must_use]
pub(super) fn complaints(state: &Shopping, turn: &Turn, answer: &Mentions) -> Vec<String> {
    let searches: Vec<Results> = searches(&turn.results);
    let mut complaints = Vec::new();
    complaints.extend(unknown_products(state, answer));
    complaints.extend(not_looked(turn));
    complaints.extend(wrong_language(state, turn, answer));
    complaints.extend(superlative(&searches, answer));
    complaints.extend(false_absence(turn, &searches, answer));
    complaints.extend(outside_price(state, &searches, answer));
    complaints.extend(tool_talk(answer));
    complaints
}

fn searches(results: &[ToolResult]) -> Vec<Results> {
    results
        .iter()
        .filter(|r| r.name == tools::SEARCH)
        .filter_map(|r| r.outcome.as_ref().ok())
        .filter_map(|value| serde_json::from_value(value.clone()).ok())
        .collect()
}

fn unknown_products(state: &Shopping, answer: &Mentions) -> Option<String> {
    let unknown: Vec<&str> = answer.ids.iter().map(String::as_str).filter(|id| !state.known.contains(*id)).collect();
    (!unknown.is_empty())
        .then(|| format!("No tool returned these products, so leave them out: {}.", unknown.join(", ")))
}

/// An answer about the assortment needs a look into it.
fn not_looked(turn: &Turn) -> Option<String> {
    let needs = matches!(turn.act(), Act::Search(_) | Act::More { .. } | Act::Similar { .. } | Act::Compare { .. });
    let looked = turn.results.iter().any(ToolResult::is_ok);
    (needs && !looked)
        .then(|| "You answered without looking. Call search_products first, then answer from its result.".to_owned())
}

fn wrong_language(state: &Shopping, turn: &Turn, answer: &Mentions) -> Option<String> {
    let mut text = answer.text.clone();
    for found in state.evidence.found() {
        for (_, value) in mercer_agent::evidence::Scalars::of(&found.value) {
            if let Some(name) = value.as_str().filter(|name| name.chars().count() > 1) {
                text = text.replace(name, " ");
            }
        }
    }
    let han = text.chars().filter(|c| Lang::of(c.encode_utf8(&mut [0; 4])) == Some(Lang::Zh)).count();
    let latin = text.chars().filter(char::is_ascii_alphabetic).count();
    let wrong = match turn.lang {
        Lang::Zh => han == 0 && latin > 20,
        Lang::En => han > 4 && han * 2 > latin,
    };
    wrong.then(|| match turn.lang {
        Lang::Zh => "顾客用的是中文，请用中文回答。".to_owned(),
        Lang::En => "The customer wrote in English. Answer in English.".to_owned(),
    })
}

const CHEAPEST: &[&str] = &[
    "cheapest",
    "lowest price",
    "lowest priced",
    "least expensive",
    "most affordable",
    "最便宜",
    "价格最低",
    "最低价",
];
const DEAREST: &[&str] = &["most expensive", "highest price", "priciest", "最贵", "价格最高", "最高价"];

fn superlative(searches: &[Results], answer: &Mentions) -> Option<String> {
    let heard = Heard::new(&answer.text);
    for (phrases, sort, word) in [(CHEAPEST, Sort::PriceAsc, "price_asc"), (DEAREST, Sort::PriceDesc, "price_desc")] {
        if !heard.says_any(phrases) {
            continue;
        }
        let sorted = searches.iter().rev().find(|s| s.sort.map(Sort::from) == Some(sort) && s.offset == 0);
        let Some(first) = sorted.and_then(|s| s.items.first()) else {
            return Some(format!(
                "You named a cheapest or most expensive product. Call search_products with sort {word} first."
            ));
        };
        let tied = |id: &String| sorted.is_some_and(|s| s.items.iter().any(|i| i.id == *id && i.price == first.price));
        if !answer.ids.is_empty() && !answer.ids.iter().any(tied) {
            return Some(format!(
                "By price over the whole catalogue, {} [[{}]] comes first. Correct your answer.",
                first.name, first.id
            ));
        }
    }
    None
}

const ABSENT: &[&str] = &[
    "don't carry",
    "do not carry",
    "don't sell",
    "do not sell",
    "don't stock",
    "do not stock",
    "don't have any",
    "do not have any",
    "couldn't find any",
    "could not find any",
    "no results",
    "not available in our",
    "没有卖",
    "不卖",
    "没有找到",
    "找不到",
    "本店没有",
    "我们没有",
    "暂无",
    "没有相关",
];

/// "We do not have it" while a search of this turn met everything.
fn false_absence(turn: &Turn, searches: &[Results], answer: &Mentions) -> Option<String> {
    let about_search = matches!(turn.act(), Act::Search(_));
    let found = searches.iter().find(|s| s.exact() && s.total > 0)?;
    let missed = searches.iter().any(|s| !s.exact());
    (about_search && !missed && Heard::new(&answer.text).says_any(ABSENT))
        .then(|| format!("The shop does have it: a search found {} products. Correct your answer.", found.total))
}

/// A product outside the asked price while others inside were found.
fn outside_price(state: &Shopping, searches: &[Results], answer: &Mentions) -> Option<String> {
    let price = state.wish.as_ref()?.price()?;
    if !searches.iter().any(|s| s.exact() && !s.items.is_empty()) {
        return None;
    }
    let known = state.evidence.found().iter().rev().flat_map(|f| {
        let items = f.value.get("items").and_then(serde_json::Value::as_array);
        items.into_iter().flatten().filter_map(|item| Some((item.get("id")?.as_str()?, item.get("price")?.as_str()?)))
    });
    let prices: Vec<(&str, &str)> = known.collect();
    let outside = answer.ids.iter().find(|id| {
        let tag = prices.iter().find(|(known, _)| known == id).map(|(_, price)| *price);
        tag.and_then(|tag| minor_units(tag, price.currency)).is_some_and(|minor| !within(minor, &price.op))
    })?;
    Some(format!("{outside} is outside the price the customer asked for. Leave it out."))
}

fn within(minor: i64, op: &Op) -> bool {
    match op {
        Op::AtMost(high) => minor <= *high,
        Op::AtLeast(low) => minor >= *low,
        Op::Between(low, high) => (*low..=*high).contains(&minor),
        Op::AnyOf(_) | Op::NoneOf(_) => true,
    }
}

/// The lower price on a tag such as `¥199–299`.
fn minor_units(tag: &str, currency: Option<mercer_shop::Currency>) -> Option<i64> {
    let first = tag.split('–').next()?;
    let digits: String = first.chars().filter(|c| c.is_ascii_digit() || *c == '.').collect();
    mercer_shop::Money::parse_decimal(&digits, currency?).ok().map(|m| m.minor)
}

fn tool_talk(answer: &Mentions) -> Option<String> {
    let names =
        [tools::SEARCH, tools::PRODUCT, tools::COMPARE, tools::IMAGE, tools::SIMILAR, tools::STOCK, tools::SHAPE];
    let leaks = names.iter().any(|name| answer.text.contains(name)) || looks_like_json(&answer.text);
    leaks.then(|| "Do not show tool names or JSON to the customer. Answer in plain words.".to_owned())
}

fn looks_like_json(text: &str) -> bool {
    let text = text.trim();
    text.starts_with('{') || text.starts_with("```") || text.contains("\"arguments\"") || text.contains("<tool_call>")
}
