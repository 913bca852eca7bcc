//! Measures the fact gate on a set of answers: `cargo run -p mercer-agent --example gate_check -- FILE`.

use mercer_agent::gate::set;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for file in std::env::args().skip(1) {
        let measured = set::measure(&set::read(&std::fs::read_to_string(&file)?)?);
        eprintln!("{file}");
        for miss in &measured.misses {
            let held = miss.held.iter().map(|held| format!("{:?} {:?}", held.kind, held.text)).collect::<Vec<_>>();
            let what = if miss.missed() { "missed" } else { "disturbed" };
            eprintln!("{what} {} {:?} {held:?}\n    {}", miss.id, miss.false_claims, miss.answer.replace('\n', " / "));
        }
        eprintln!(
            "{} answers: {} of {} caught ({:.1} %), {} at the claim; {} of {} disturbed ({:.1} %)",
            measured.answers,
            measured.caught,
            measured.false_answers,
            measured.caught_percent,
            measured.at_claim,
            measured.disturbed,
            measured.true_answers,
            measured.disturbed_percent,
        );
    }
    Ok(())
}
