//! The JSON reader beside `serde_json` and two crates that repair JSON: speed on clean input, and verdicts on a file of cases.
//!
//!     cargo run --release --manifest-path benches/json/Cargo.toml -- [CASES.jsonl …]
//!
//! Speed is the best of several rounds over the whole text, dropping the value included, on one core. A case counts as
//! right for a repair crate when it gives the expected value, or when the case must be refused and it gives an error.

use std::hint::black_box;
use std::time::{Duration, Instant};

use mercer_model::FinishReason;
use mercer_model::json;
use serde_json::{Value, json};

const ROUNDS: usize = 15;

/// What shops and models send: products, the arguments of calls, and a long text.
fn texts() -> Vec<(&'static str, String)> {
    let product = |n: usize| {
        json!({
            "id": format!("p{n:06}"), "title": format!("Long Sleeve Linen Shirt {n}"), "title_zh": "长袖亚麻衬衫",
            "price": format!("{}.90", 59 + n % 300), "stock": n % 40, "rating": 4.5, "on_sale": n % 3 == 0,
            "colours": ["Beige", "Blue", "White"], "sizes": ["S", "M", "L", "XL"], "brand": "Harbour",
            "description": "A light shirt for warm days. Washes well; dries in an hour.",
        })
    };
    let call = |n: usize| json!({"tool": "search_products", "args": {"query": format!("red dress {n}"), "max_price": 300, "limit": 10}});
    let prose = "He said \"hello\" and went on to the next shelf, where the coats hang. 他说“你好”，然后走到下一个货架。\n".repeat(40);
    vec![
        ("products", Value::Array((0..4_000).map(product).collect()).to_string()),
        ("products, indented", serde_json::to_string_pretty(&(0..4_000).map(product).collect::<Vec<_>>()).unwrap_or_default()),
        ("calls", Value::Array((0..12_000).map(call).collect()).to_string()),
        ("mails", Value::Array((0..300).map(|n| json!({"to": n, "body": prose})).collect()).to_string()),
        ("numbers", Value::Array((0..150_000).map(|n| json!(n * 7919 % 100_003)).collect()).to_string()),
    ]
}

fn best<T>(mut run: impl FnMut() -> T) -> Duration {
    let mut best = Duration::MAX;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        drop(black_box(run()));
        best = best.min(start.elapsed());
    }
    best
}

fn speed() {
    println!("{:<20} {:>9} {:>9} {:>11} {:>9} {:>11}", "MB/s, clean input", "mercer", "strict", "serde_json", "llm_json", "jsonrepair");
    let any = json!(true);
    for (name, text) in texts() {
        let rate = |time: Duration| text.len() as f64 / 1e6 / time.as_secs_f64();
        let ours = best(|| json::read(black_box(&text), &any, FinishReason::Stop));
        let strict = best(|| json::parse_strict(black_box(&text)));
        let serde = best(|| serde_json::from_str::<Value>(black_box(&text)));
        let llm = best(|| llm_json::loads(black_box(&text), &Default::default()));
        let repair = best(|| jsonrepair::repair_json(black_box(&text), &Default::default()));
        println!("{name:<20} {:>9.0} {:>9.0} {:>11.0} {:>9.0} {:>11.0}", rate(ours), rate(strict), rate(serde), rate(llm), rate(repair));
    }
}

fn main() {
    speed();
}
