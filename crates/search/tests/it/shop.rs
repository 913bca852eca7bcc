//! Small shops for the tests: one product a line, `id | title | category > path | colours | gender | price | more JSON`.

use mercer_search::{Catalog, SearchRequest, SearchResponse};
use mercer_shop::Product;
use serde_json::{Value, json};

pub(crate) struct Shop {
    pub catalog: Catalog,
    pub dir: tempfile::TempDir,
}

pub(crate) fn product(line: &str, currency: &str) -> Product {
    let mut parts = line.splitn(7, '|').map(str::trim);
    let mut next = || parts.next().unwrap_or_default();
    let (id, title, category, colours, gender, price, more) = (next(), next(), next(), next(), next(), next(), next());
    let text = |text: &str| if text.is_ascii() { json!({"en": text}) } else { json!({"zh": text}) };
    let mut record = json!({ "id": id, "title": text(title), "variants": [{ "sku": format!("SKU-{id}") }] });
    let list = |text: &str, by: char| {
        text.split(by).map(str::trim).filter(|t| !t.is_empty()).map(str::to_owned).collect::<Vec<_>>()
    };
    record["category"] = list(category, '>').iter().map(|level| text(level)).collect();
    record["colours"] = json!(list(colours, ','));
    if !gender.is_empty() {
        record["gender"] = json!(gender);
    }
    if !price.is_empty() {
        let minor: i64 = price.parse::<i64>().unwrap() * 100;
        record["variants"][0]["price"] = json!({ "minor": minor, "currency": currency });
    }
    if !more.is_empty() {
        let extra: Value = serde_json::from_str(more).unwrap();
        for (key, value) in extra.as_object().unwrap() {
            record[key] = value.clone();
        }
    }
    serde_json::from_value(record).unwrap()
}

/// One product a line; a line that starts with `{` goes on with the line before.
pub(crate) fn products(lines: &str, currency: &str) -> Vec<Product> {
    let mut whole: Vec<String> = Vec::new();
    for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
        match whole.last_mut() {
            Some(last) if line.starts_with('{') => last.push_str(line),
            _ => whole.push(line.to_owned()),
        }
    }
    whole.iter().map(|line| product(line, currency)).collect()
}

pub(crate) fn shop(lines: &str, currency: &str) -> Shop {
    let dir = tempfile::tempdir().unwrap();
    let catalog = Catalog::open(dir.path()).unwrap();
    let mut import = catalog.begin_import().unwrap();
    for product in products(lines, currency) {
        import.add(product).unwrap();
    }
    import.commit().unwrap();
    Shop { catalog, dir }
}

impl Shop {
    pub(crate) fn ask(&self, text: &str) -> SearchResponse {
        self.catalog.search(&SearchRequest { facets: true, explain: true, ..SearchRequest::text(text) }).unwrap()
    }

    /// The ids found, in order.
    pub(crate) fn ids(&self, text: &str) -> Vec<String> {
        ids(&self.ask(text))
    }
}

pub(crate) fn ids(response: &SearchResponse) -> Vec<String> {
    response.hits.iter().map(|hit| hit.product.id.to_string()).collect()
}
