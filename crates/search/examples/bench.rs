//! `bench N` or `bench STYLES.csv`: import speed, index size, memory and latency of a catalogue of N made-up products or of the
//! Kaggle fashion table.
#![expect(clippy::print_stdout, reason = "a program for the terminal")]

use std::error::Error;
use std::path::Path;
use std::time::Duration;

use mercer_search::{Catalog, SearchRequest};
use mercer_shop::Product;
use serde_json::json;
use tokio::time::Instant;

const BRANDS: &[&str] =
    &["Acme", "Northwind", "Globex", "Initech", "Umbrella", "Stark", "Wayne", "Hooli", "Vandelay", "Wonka"];
const COLOURS: &[&str] =
    &["Black", "White", "Navy Blue", "Red", "Green", "Grey", "Beige", "Pink", "Olive", "Silver", "Brown", "Purple"];
const KINDS: &[(&str, &str)] = &[
    ("Apparel", "Dresses"),
    ("Apparel", "Shirts"),
    ("Apparel", "Jeans"),
    ("Apparel", "Jackets"),
    ("Apparel", "Sweaters"),
    ("Footwear", "Sports Shoes"),
    ("Footwear", "Boots"),
    ("Footwear", "Sandals"),
    ("Accessories", "Watches"),
    ("Accessories", "Handbags"),
    ("Accessories", "Belts"),
    ("Electronics", "Laptops"),
    ("Electronics", "Headphones"),
    ("Home", "Lamps"),
];
const ADJECTIVES: &[&str] = &[
    "slim",
    "classic",
    "vintage",
    "printed",
    "striped",
    "floral",
    "casual",
    "formal",
    "light",
    "heavy",
    "soft",
    "urban",
    "outdoor",
    "quilted",
    "pleated",
    "waterproof",
    "lined",
    "ribbed",
    "woven",
    "knitted",
    "embroidered",
    "checked",
    "solid",
    "cropped",
];

fn main() -> Result<(), Box<dyn Error>> {
    let argument = std::env::args().nth(1).ok_or("usage: bench N | bench STYLES.csv")?;
    let dir = tempfile::tempdir()?;
    let catalog = Catalog::open(dir.path())?;
    let mut import = catalog.begin_import()?;
    let started = Instant::now();
    match argument.parse::<u64>() {
        Ok(count) => (0..count).try_for_each(|n| import.add(made_up(n)?).map_err(Box::<dyn Error>::from))?,
        Err(_path) => kaggle(Path::new(&argument))?.into_iter().try_for_each(|product| import.add(product))?,
    }
    let committed = import.commit()?;
    let took = started.elapsed().as_secs_f64();
    let products = u32::try_from(committed.products)?;
    println!("imported {products} products in {took:.1} s: {:.0} products/s", f64::from(products) / took);
    println!("index {} MB, peak memory {}", size(dir.path())? >> 20, peak_memory());
    let started = Instant::now();
    let cold = Catalog::open(dir.path())?;
    cold.search(&SearchRequest::text("red dress"))?;
    println!("open and first search {:?}", started.elapsed());
    for (name, facets) in [("without facets", false), ("with facets", true)] {
        let (mut times, mut busy) = (Vec::new(), Vec::new());
        for round in 0..600_u64 {
            let request = SearchRequest { facets, ..SearchRequest::text(query(round)) };
            let before = processor_time();
            times.push(cold.search(&request)?.took);
            busy.push(processor_time().saturating_sub(before));
        }
        for (what, mut times) in [("by the clock", times), ("processor time", busy)] {
            times.sort_unstable();
            let at = |percent: usize| times.get(times.len() * percent / 100).copied().unwrap_or_default();
            println!("{name}, {what}: p50 {:?} p95 {:?} p99 {:?}", at(50), at(95), at(99));
        }
    }
    println!("peak memory {}", peak_memory());
    Ok(())
}

/// A number that looks random and is the same in every run.
fn mix(n: u64, salt: u64) -> usize {
    let hash = (n ^ salt.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    usize::try_from(hash >> 40).unwrap_or_default()
}

fn pick<T: Copy>(from: &[T], n: u64, salt: u64) -> Result<T, Box<dyn Error>> {
    from.get(mix(n, salt) % from.len()).copied().ok_or_else(|| "an empty list".into())
}

fn made_up(n: u64) -> Result<Product, Box<dyn Error>> {
    let (department, kind) = pick(KINDS, n, 1)?;
    let (brand, colour) = (pick(BRANDS, n, 2)?, pick(COLOURS, n, 3)?);
    let (one, two, three) = (pick(ADJECTIVES, n, 4)?, pick(ADJECTIVES, n, 5)?, pick(ADJECTIVES, n, 6)?);
    let line = mix(n, 7) % 2_000;
    Ok(serde_json::from_value(json!({
        "id": format!("p{n}"),
        "title": {"en": format!("{brand} {line} {one} {two} {colour} {kind}")},
        "description": {"en": format!("A {three} article of the {one} line, made for every day. {kind} by {brand} come with a guarantee of two years and free returns.")},
        "brand": format!("{brand} {line}"), "category": [{"en": department}, {"en": kind}], "colours": [colour],
        "gender": if n.is_multiple_of(2) { "women" } else { "men" },
        "variants": [{"sku": format!("SKU-{n}"), "price": {"minor": 500 + mix(n, 8) % 50_000, "currency": "USD"}, "availability": "in_stock"}],
    }))?)
}

fn query(round: u64) -> String {
    let part = |from: &[&'static str], salt| pick(from, round, salt).unwrap_or_default();
    let kind = KINDS.get(mix(round, 1) % KINDS.len()).map_or("", |(_, kind)| *kind);
    let (adjective, colour, brand) = (part(ADJECTIVES, 11), part(COLOURS, 12), part(BRANDS, 13));
    match round % 6 {
        0 => kind.to_owned(),
        1 => format!("{adjective} {kind}"),
        2 => format!("{colour} {kind} under 300"),
        3 => format!("{brand} {adjective} {kind}"),
        4 => format!("{adjective} {} for women", kind.replace('e', "")),
        _ => format!("{adjective} not {colour}"),
    }
}

/// The Kaggle table has an unquoted comma in some last columns: the tail is joined.
fn kaggle(path: &Path) -> Result<Vec<Product>, Box<dyn Error>> {
    let mut products = Vec::new();
    for record in csv::ReaderBuilder::new().flexible(true).from_path(path)?.records() {
        let record = record?;
        let cell = |at: usize| record.get(at).unwrap_or_default().to_owned();
        let title = record.iter().skip(9).collect::<Vec<_>>().join(",");
        let gender = match cell(1).as_str() {
            gender @ ("Men" | "Women" | "Boys" | "Girls" | "Unisex") => Some(gender.to_lowercase()),
            _ => None,
        };
        let levels: Vec<_> = [2, 3, 4].into_iter().map(|at| json!({"en": cell(at)})).collect();
        products.push(serde_json::from_value(json!({
            "id": cell(0), "title": {"en": title}, "category": levels, "colours": [cell(5)], "gender": gender,
            "usage": [cell(8)], "variants": [{"sku": cell(0)}],
        }))?);
    }
    Ok(products)
}

fn size(dir: &Path) -> Result<u64, Box<dyn Error>> {
    let mut bytes = 0;
    for entry in std::fs::read_dir(dir)? {
        let entry = entry?;
        bytes += if entry.file_type()?.is_dir() { size(&entry.path())? } else { entry.metadata()?.len() };
    }
    Ok(bytes)
}

/// What this thread has had of the processor: tells a slow search from a busy machine.
fn processor_time() -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    Duration::from_nanos(told.split_whitespace().next().and_then(|nanos| nanos.parse().ok()).unwrap_or_default())
}

fn peak_memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.map_or_else(|| "unknown".to_owned(), |line| line.trim().to_owned())
}
