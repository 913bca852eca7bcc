//! The fact gate on answers with planted falsehoods.

use std::{collections::BTreeMap, fs, path::Path, time::Duration};

use mercer_agent::{
    Evidence, Lang,
    gate::{self, Gate, Known, Stream},
};
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
        .chain(read::<World>("second_worlds.jsonl"));
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
        if gate::check_known(&pair.falsehood, known, *lang).passes() {
            missed.push(format!("{} {}: {}", pair.id, pair.kind, pair.falsehood));
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
