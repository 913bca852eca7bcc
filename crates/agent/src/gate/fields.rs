//! What the names of fields say about the numbers in them.

use serde_json::{Map, Value};

use super::{
    decimal::Dec,
    scan::{Currency, Noun, Span, Unit},
};

/// What kind of number a field holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Field {
    /// What a thing costs now.
    Price,
    /// What it cost before.
    Before,
    /// Another amount: fee, total, refund.
    Amount,
    Stock,
    Total,
    Review,
    Rating,
    Percent,
    Duration(Span),
    /// Identifies or orders; no quantity.
    Id,
    Other,
}

const BEFORE: &[&str] = &[
    "list_price",
    "price_before",
    "compare",
    "original",
    "msrp",
    "was",
    "regular",
    "before",
    "原价",
    "划线",
    "市场价",
];
const PRICE: &[&str] = &["price", "售价", "价格", "现价", "cost"];
const AMOUNT: &[&str] = &[
    "amount",
    "fee",
    "subtotal",
    "refund",
    "shipping",
    "paid",
    "deposit",
    "budget",
    "金额",
    "运费",
    "总价",
    "threshold",
    "spend",
];
const STOCK: &[&str] = &["stock", "quantity", "qty", "inventory", "on_hand", "units", "库存", "remaining"];
const REVIEW: &[&str] =
    &["review", "ratings", "rating_count", "sold", "sales", "votes", "评论", "评价", "销量", "popularity"];

/// The kind of a field, by its name.
pub(super) fn of(name: &str) -> Field {
    let name = name.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| name.contains(word));
    if has(BEFORE) {
        Field::Before
    } else if name == "total_price" || has(AMOUNT) {
        Field::Amount
    } else if has(PRICE) {
        Field::Price
    } else if name.contains("in_stock") || is_availability(&name) {
        Field::Other
    } else if has(STOCK) {
        Field::Stock
    } else if has(REVIEW) {
        Field::Review
    } else if matches!(name.as_str(), "rating" | "stars" | "score" | "average" | "评分" | "average_rating") {
        Field::Rating
    } else if has(&["percent", "ratio", "share", "rate", "pct", "discount", "折扣"]) {
        Field::Percent
    } else if matches!(
        name.as_str(),
        "total" | "count" | "found" | "hits" | "matches" | "n" | "products" | "results" | "总数" | "数量"
    ) || name.ends_with("_count")
        || name.starts_with("total_")
    {
        Field::Total
    } else if name.contains("days") || name.ends_with("_day") {
        Field::Duration(Span::Day)
    } else if name.contains("hours") {
        Field::Duration(Span::Hour)
    } else if name.contains("minutes") {
        Field::Duration(Span::Minute)
    } else if matches!(name.as_str(), "id" | "offset" | "position" | "rank" | "limit" | "page") || name.ends_with("_id")
    {
        Field::Id
    } else {
        Field::Other
    }
}

/// Fields that only detail what the field around them is: `price: {low, high}`.
pub(super) fn is_inner(name: &str) -> bool {
    matches!(
        name,
        "low" | "high" | "min" | "max" | "from" | "to" | "value" | "text" | "amount" | "display" | "formatted"
    )
}

/// Whether a field says that something can be bought.
pub(super) fn is_availability(name: &str) -> bool {
    matches!(name.to_lowercase().as_str(), "in_stock" | "available" | "availability" | "instock" | "has_stock" | "有货")
}

/// The unit of a bare number in a field; a rate below one is read as percent.
pub(super) fn unit(field: Field, value: Dec, key: &str, currency: Option<Currency>) -> (Dec, Unit) {
    match field {
        Field::Price | Field::Before | Field::Amount if key.ends_with("cents") || key.ends_with("minor") => {
            (value.over(100).unwrap_or(value), Unit::Money(currency.unwrap_or(Currency::Unknown)))
        }
        Field::Price | Field::Before | Field::Amount => (value, Unit::Money(currency.unwrap_or(Currency::Unknown))),
        Field::Percent if value.abs() < Dec::int(1) => (value.times(100), Unit::Percent),
        Field::Percent => (value, Unit::Percent),
        Field::Rating => (value, Unit::Stars),
        Field::Stock => (value, Unit::Count(Noun::Stock)),
        Field::Review => (value, Unit::Count(Noun::Review)),
        Field::Total => (value, Unit::Count(Noun::Product)),
        Field::Duration(span) => (value, Unit::Duration(span)),
        Field::Id | Field::Other => (value, Unit::Plain),
    }
}

/// What a list's items are.
pub(super) fn noun(key: &str, things: bool) -> Noun {
    let key = key.to_lowercase();
    if things || ["items", "products", "hits", "results", "cards", "ids", "商品"].iter().any(|word| key.contains(word))
    {
        Noun::Product
    } else if key.contains("colour") || key.contains("color") || key.contains("颜色") {
        Noun::Colour
    } else if key.contains("size") || key.contains("尺码") {
        Noun::Size
    } else if key.contains("review") || key.contains("评") {
        Noun::Review
    } else {
        Noun::Other
    }
}

/// The id of a record.
pub(super) fn id(fields: &Map<String, Value>) -> Option<String> {
    ["id", "product_id", "spu", "sku", "order", "order_id", "商品编号"].iter().find_map(|key| match fields.get(*key) {
        Some(Value::String(id)) if !id.is_empty() => Some(id.clone()),
        Some(Value::Number(id)) => Some(id.to_string()),
        _ => None,
    })
}

/// The names of a record, in all languages it has.
pub(super) fn names(fields: &Map<String, Value>) -> impl Iterator<Item = &str> {
    ["name", "title", "product_name", "product", "商品名称", "名称"]
        .into_iter()
        .filter_map(|key| fields.get(key))
        .flat_map(|value| match value {
            Value::String(name) => vec![name.as_str()],
            Value::Object(languages) => languages.values().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        })
        .filter(|name| !name.trim().is_empty())
}
