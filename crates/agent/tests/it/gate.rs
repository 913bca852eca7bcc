//! The fact gate on answers with planted falsehoods.

use std::{collections::BTreeMap, fs, path::Path, time::Duration};

use mercer_agent::{
    Evidence, Lang,
    gate::{self, Gate, Known, Stream},
};
use proptest::prelude::*;
use serde::Deserialize;
use serde_json::Value;

#[derive(Debug, Deserialize)]
struct World {
    world: String,
    lang: Lang,
    said: Vec<String>,
    results: Vec<Found>,
}

#[derive(Debug, Deserialize)]
struct Found {
    tool: String,
    value: Value,
}

#[derive(Debug, Deserialize)]
struct Pair {
    id: String,
    world: String,
    kind: String,
    #[serde(rename = "true")]
    truth: String,
    #[serde(rename = "false")]
    falsehood: String,
}

fn read<T: serde::de::DeserializeOwned>(file: &str) -> Vec<T> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/gate").join(file);
    let text = fs::read_to_string(path).expect("the table is part of the crate");
    text.lines().map(|line| serde_json::from_str(line).expect("each line is an object")).collect()
}

fn worlds() -> BTreeMap<String, (Known, Lang)> {
    let all = read::<World>("worlds.jsonl")
        .into_iter()
        .chain(read::<World>("natural_worlds.jsonl"))
        .chain(read::<World>("second_worlds.jsonl"))
        .chain(read::<World>("third_worlds.jsonl"));
    all.into_iter().map(|world| (world.world.clone(), (known(&world), world.lang))).collect()
}

fn known(world: &World) -> Known {
    let mut evidence = Evidence::new();
    for found in &world.results {
        evidence.push_record(&found.tool, found.value.clone());
    }
    Known::of(&evidence, &world.said)
}

fn told(gate: &Gate) -> String {
    gate.unsupported().map(|claim| format!("{:?} {:?}", claim.kind, claim.text)).collect::<Vec<_>>().join(", ")
}

/// Prints what was caught and disturbed, and holds the marks.
fn measure(file: &str) {
    let worlds = worlds();
    let pairs = read::<Pair>(file);
    let (mut missed, mut disturbed) = (Vec::new(), Vec::new());
    for pair in &pairs {
        let (known, lang) = &worlds[&pair.world];
        let truth = gate::check_known(&pair.truth, known, *lang);
        if !truth.passes() {
            disturbed.push(format!("{} {}: {} — {}", pair.id, pair.kind, pair.truth, told(&truth)));
        }
        let falsehood = gate::check_known(&pair.falsehood, known, *lang);
        if falsehood.passes() {
            missed.push(format!("{} {}: {} — {:?}", pair.id, pair.kind, pair.falsehood, falsehood.claims));
        }
    }
    let share =
        |n: usize| 100.0 * f64::from(u32::try_from(n).unwrap()) / f64::from(u32::try_from(pairs.len()).unwrap());
    println!(
        "{} pairs: {:.1} % of falsehoods caught, {:.1} % of true answers disturbed",
        pairs.len(),
        share(pairs.len() - missed.len()),
        share(disturbed.len())
    );
    println!("missed:\n{}\ndisturbed:\n{}", missed.join("\n"), disturbed.join("\n"));
    assert!(missed.len() * 100 <= pairs.len(), "at least 99 % have to be caught");
    assert!(disturbed.len() * 100 <= pairs.len(), "at most 1 % may be disturbed");
}

#[test]
fn planted_falsehoods_are_caught_and_true_answers_pass() {
    assert!(read::<Pair>("pairs.jsonl").len() >= 200);
    measure("pairs.jsonl");
}

#[test]
fn answers_written_as_a_model_writes_them_are_told_apart_too() {
    measure("natural_pairs.jsonl");
    measure("second_pairs.jsonl");
    measure("third_pairs.jsonl");
}

#[test]
fn every_supported_number_says_where_it_stands() {
    let worlds = worlds();
    let (known, lang) = &worlds["en-dress"];
    let gate = gate::check_known("The Floral Midi Wrap Dress costs $89.", known, *lang);
    let cited = gate.claims.iter().map(|claim| serde_json::to_string(&claim.support).unwrap()).collect::<Vec<_>>();
    assert!(cited.iter().any(|c| c.contains("call 2, /price") || c.contains("call 1, /items/0/price")), "{cited:?}");
}

#[test]
fn a_complaint_names_the_claims() {
    let worlds = worlds();
    let (known, _) = &worlds["zh-dress"];
    let gate = gate::check_known("法式复古碎花连衣裙只要99元。", known, Lang::Zh);
    assert!(gate.complaint(Lang::Zh).contains("99元"), "{}", gate.complaint(Lang::Zh));
}

#[test]
fn a_stream_lets_through_what_is_settled_and_stops_before_a_falsehood() {
    let worlds = worlds();
    let (known, lang) = &worlds["en-dress"];
    let answer = "The Linen Shirt Dress is $64.50. The Floral Midi Wrap Dress is $99. Anything else?";
    let mut stream = Stream::new(known.clone(), *lang);
    let mut shown = String::new();
    for piece in answer.split_inclusive(' ') {
        shown.push_str(&stream.push(piece));
    }
    assert_eq!(shown, "The Linen Shirt Dress is $64.50.");
    assert_eq!(stream.blocked().map(|claim| claim.text.as_str()), Some("$99"));
    let end = stream.finish();
    assert_eq!(end.rest, "");
    assert!(!end.gate.passes());
}

#[test]
fn a_stream_of_a_true_answer_ends_with_all_of_it_whatever_the_pieces() {
    let worlds = worlds();
    for pair in read::<Pair>("pairs.jsonl") {
        let (known, lang) = &worlds[&pair.world];
        if !gate::check_known(&pair.truth, known, *lang).passes() {
            continue;
        }
        for size in [1, 3, 7] {
            let mut stream = Stream::new(known.clone(), *lang);
            let mut shown = String::new();
            let chars = pair.truth.chars().collect::<Vec<_>>();
            for piece in chars.chunks(size) {
                shown.push_str(&stream.push(&piece.iter().collect::<String>()));
            }
            shown.push_str(&stream.finish().rest);
            assert_eq!(shown, pair.truth, "{}", pair.id);
        }
    }
}

/// A result of many products, as a long conversation gathers them.
fn crowded() -> Known {
    let mut evidence = Evidence::new();
    for call in 0..4_u32 {
        let items = (0..20_u32).map(|n| {
            let number = call * 20 + n;
            serde_json::json!({
                "id": format!("p{number}"), "name": format!("Model {} Travel Bag {}", ["Alder", "Birch", "Cedar", "Dune"][(number % 4) as usize], 1_000 + number),
                "brand": "Northpath", "price": format!("${}.{:02}", 40 + number, number), "price_before": format!("${}.50", 90 + number), "availability": "in_stock",
                "colours": ["black", "olive"], "description": "Water-resistant nylon with two side pockets and a padded 15 inch laptop sleeve. Weighs 0.9 kg and holds 24 L.",
            })
        });
        evidence.push_record("search_products", serde_json::json!({ "total": 80, "items": items.collect::<Vec<_>>() }));
    }
    Known::of(&evidence, &[])
}

#[test]
fn a_crowded_thread_is_checked_within_the_mark_too() {
    let known = crowded();
    let line = "The Model Alder Travel Bag 1004 costs $44.04 and weighs 0.9 kg, and it was $94.50 before. ";
    let answer = line.repeat(2_000 / line.len() + 1);
    let mut best = Duration::MAX;
    for _ in 0..20 {
        let began = tokio::time::Instant::now();
        let gate = gate::check_known(&answer, &known, Lang::En);
        best = best.min(began.elapsed());
        assert!(gate.passes(), "{}", told(&gate));
    }
    println!("{} characters against 80 products: {best:?}", answer.len());
}

#[test]
fn two_thousand_characters_are_checked_within_the_mark() {
    let worlds = worlds();
    let (known, lang) = &worlds["en-dress"];
    let line = "The Floral Midi Wrap Dress costs $89 and the Linen Shirt Dress $64.50, which is $24.50 less. ";
    let answer = line.repeat(2_000 / line.len() + 1);
    let mut best = Duration::MAX;
    for _ in 0..20 {
        let began = tokio::time::Instant::now();
        let gate = gate::check_known(&answer, known, *lang);
        best = best.min(began.elapsed());
        assert!(gate.passes(), "{}", told(&gate));
    }
    println!("{} characters: {best:?}", answer.len());
    if !cfg!(debug_assertions) {
        assert!(best < Duration::from_millis(1), "{best:?}");
    }
}

fn any_answer() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("The Floral Midi Wrap Dress".to_owned()),
        Just("$89".into()),
        Just("1. ".into()),
        Just("**".into()),
        Just("\n".into()),
        Just("“".into()),
        Just("\"".into()),
        Just("百分之".into()),
        Just("二百".into()),
        Just("元。".into()),
        Just("第".into()),
        Just("May 5".into()),
        Just("2026-13-".into()),
        Just("1,2".into()),
        Just("3万".into()),
        Just("http://".into()),
        Just("½".into()),
        Just("we will call you".into()),
        Just("最便宜".into()),
        Just("İ".into()),
        ".{0,6}",
        "[0-9,.]{0,9}",
        "[\u{4e00}-\u{4e20}]{0,4}",
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.join(""))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_text_is_checked_and_every_claim_stands_where_it_says(answer in any_answer()) {
        let worlds = worlds();
        for name in ["en-dress", "zh-dress"] {
            let (known, lang) = &worlds[name];
            for claim in gate::check_known(&answer, known, *lang).claims {
                prop_assert_eq!(answer.get(claim.span.clone()).map(str::trim), Some(claim.text.as_str()));
            }
        }
    }

    #[test]
    fn a_stream_shows_a_prefix_and_nothing_unsupported_whatever_the_pieces(answer in any_answer(), size in 1_usize..9) {
        let worlds = worlds();
        let (known, lang) = &worlds["en-dress"];
        let mut stream = Stream::new(known.clone(), *lang);
        let mut shown = String::new();
        let chars = answer.chars().collect::<Vec<_>>();
        for piece in chars.chunks(size) {
            shown.push_str(&stream.push(&piece.iter().collect::<String>()));
            prop_assert!(answer.starts_with(&shown));
        }
        let end = stream.finish();
        shown.push_str(&end.rest);
        prop_assert!(answer.starts_with(&shown));
        if end.gate.passes() {
            prop_assert_eq!(shown, answer);
        }
    }
}
