//! `judge DATA JUDGEMENTS.csv [QUERY]`: indexes the CHORUS electronics (a folder of `*.json.zip`) and measures the ranking.
//!
//! With a query it prints that query's results instead.
#![expect(clippy::print_stdout, reason = "a program for the terminal")]

use std::error::Error;
use std::io::Read;
use std::path::Path;

use mercer_search::{Catalog, SearchRequest, eval};
use mercer_shop::{Lang, Product};
use serde_json::{Map, Value, json};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, data, judgements, query @ ..] = arguments.as_slice() else {
        return Err("usage: judge DATA JUDGEMENTS.csv [QUERY]".into());
    };
    let dir = tempfile::tempdir()?;
    let catalog = Catalog::open(dir.path())?;
    let mut import = catalog.begin_import()?;
    for product in read(Path::new(data))? {
        import.add(product)?;
    }
    eprintln!("{:?}", import.commit()?);
    if query.is_empty() {
        let evaluation = eval::judgements(Path::new(judgements))?.evaluate(&catalog)?;
        for judged in &evaluation.queries {
            let ratings: String = judged.top.iter().map(|(_, r)| r.map_or("-".to_owned(), |r| r.to_string())).collect();
            println!("{:.3} {ratings:<10} {:>6} {}", judged.ndcg, judged.total, judged.query);
        }
        println!("nDCG@10 {:.4} recall@100 {:.4} latency {:?}", evaluation.ndcg, evaluation.recall, evaluation.latency);
    }
    for query in query {
        let response = catalog.search(&SearchRequest { explain: true, ..SearchRequest::text(query) })?;
        println!(
            "## {query}: {} {:?} dropped {:?} corrected {:?}",
            response.total, response.understood, response.dropped_words, response.corrected
        );
        for hit in response.hits {
            println!("{:8.3} {:>9} {}", hit.score, hit.product.id, hit.product.title.get(Lang::En));
        }
    }
    Ok(())
}

fn read(folder: &Path) -> Result<Vec<Product>, Box<dyn Error>> {
    let mut products = Vec::new();
    for part in 1..=4 {
        let mut archive = zip::ZipArchive::new(std::fs::File::open(folder.join(format!("{part}.json.zip")))?)?;
        let mut text = String::new();
        for at in 0..archive.len() {
            let mut file = archive.by_index(at)?;
            if text.is_empty() && file.size() > 1_000_000 {
                file.read_to_string(&mut text)?;
            }
        }
        for record in serde_json::from_str::<Vec<Map<String, Value>>>(&text)? {
            products.push(product(&record)?);
        }
    }
    Ok(products)
}

fn product(record: &Map<String, Value>) -> Result<Product, Box<dyn Error>> {
    let text = |key: &str| record.get(key).and_then(Value::as_str).unwrap_or_default();
    let named = record.iter().filter_map(|(key, value)| {
        let name = key.strip_prefix("attr_t_")?.replace('_', " ");
        Some((name, json!(value.as_str()?)))
    });
    let mut attributes: Map<String, Value> = named.collect();
    attributes.insert("Model".to_owned(), json!(text("name")));
    let released = record.get("date_released").cloned().unwrap_or_default();
    Ok(serde_json::from_value(json!({
        "id": text("id"), "title": {"en": text("title")}, "description": {"en": text("short_description")},
        "category": record.get("attr_t_product_type").and_then(Value::as_str).map(|kind| vec![json!({"en": kind})]).unwrap_or_default(),
        "brand": text("supplier"), "attributes": attributes, "released": released,
        "variants": [{ "sku": text("id"), "price": {"minor": record.get("price"), "currency": "EUR"},
            "barcode": record.get("ean").and_then(|ean| ean.get(0)) }],
    }))?)
}
