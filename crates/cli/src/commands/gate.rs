//! `mercer gate`: the fact gate, measured on a set of answers.

use std::path::Path;

use anyhow::Context;
use mercer_agent::gate::set::{self, Judged};

use crate::{Outcome, output};

pub(crate) fn check(file: &Path, json: bool) -> anyhow::Result<Outcome> {
    let text = std::fs::read_to_string(file).with_context(|| format!("reading {}", file.display()))?;
    let cases = set::read(&text).with_context(|| format!("reading {}", file.display()))?;
    let measured = set::measure(&cases);
    if json {
        output::json(&measured)?;
        return Ok(Outcome::Done);
    }
    for miss in &measured.misses {
        output::line(told(miss));
    }
    output::line(format!(
        "{} answers. False: {} of {} caught ({:.1} %), {} of them at the false claim itself. True: {} of {} disturbed ({:.1} %). Slowest check {} us.",
        measured.answers,
        measured.caught,
        measured.false_answers,
        measured.caught_percent,
        measured.at_claim,
        measured.disturbed,
        measured.true_answers,
        measured.disturbed_percent,
        measured.slowest_us,
    ));
    Ok(if measured.answers == 0 { Outcome::NothingFound } else { Outcome::Done })
}

fn told(miss: &Judged) -> String {
    let answer = miss.answer.replace('\n', " / ");
    if miss.missed() {
        format!("missed     {}  {}\n           in: {answer}", miss.id, miss.false_claims.join(" | "))
    } else {
        let held: Vec<String> = miss.held.iter().map(|held| format!("{:?} {:?}", held.kind, held.text)).collect();
        format!("disturbed  {}  {}\n           in: {answer}", miss.id, held.join(" | "))
    }
}
