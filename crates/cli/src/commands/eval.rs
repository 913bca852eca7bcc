//! `mercer eval`: measuring.

use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use mercer_assistants::eval::{
    Attack, Meter, Played, Report, ShoppingSituation, ShoppingStage, Situations, Stage, attacks, junit, load, play,
};
use mercer_assistants::shopping::Models;
use mercer_model::resilience::Ledger;
use mercer_search::{Catalogs, eval};
use serde_json::json;

use crate::args::Scenarios;
use crate::settings::Settings;
use crate::{Outcome, output};

/// The word for no model at all.
pub(crate) const FLOOR: &str = "floor";
/// The word for the model of the settings.
pub(crate) const CONFIGURED: &str = "configured";

/// A folder that goes away with the command.
struct Scratch(std::path::PathBuf);

impl Scratch {
    fn new(settings: &Settings) -> anyhow::Result<Self> {
        let path = settings.data.join("eval").join(format!("{}", std::process::id()));
        std::fs::create_dir_all(&path).with_context(|| format!("making {}", path.display()))?;
        Ok(Self(path))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.0));
    }
}

pub(crate) async fn scenarios(settings: &Settings, wanted: &Scenarios, json: bool) -> anyhow::Result<Outcome> {
    let dir = wanted.dir.as_deref().context("name a scenario file or a folder of them")?;
    let scenarios = load(dir)?;
    let meter = Arc::new(Meter::default());
    let models = models(settings, &wanted.model, &meter)?;
    let customer = models.chat.clone();
    let scratch = Scratch::new(settings)?;
    let shopping = ShoppingStage::new(&scratch.0, models);
    let stages: [&dyn Stage; 1] = [&shopping];
    let report = play(&scenarios, &stages, customer.as_deref(), &meter, wanted.trials).await?;
    if let Some(file) = &wanted.junit {
        std::fs::write(file, junit(&report)).with_context(|| format!("writing {}", file.display()))?;
    }
    if json {
        let hats: Vec<_> = (1..=usize::try_from(wanted.trials)?).filter_map(|k| report.pass_hat(k)).collect();
        output::json(&json!({ "pass_hat": hats, "played": report.played, "skipped": report.skipped }))?;
    } else {
        tell(&report, usize::try_from(wanted.trials)?);
    }
    Ok(if report.all_passed() { Outcome::Done } else { Outcome::Failed })
}

/// The models of a run: none on the floor, else those of the settings, with every call counted.
fn models(settings: &Settings, model: &str, meter: &Arc<Meter>) -> anyhow::Result<Models> {
    if model == FLOOR {
        return Ok(Models::default());
    }
    let ledger: Arc<dyn Ledger> = Arc::<Meter>::clone(meter);
    let mercer_model::Models { chat, vision, .. } = mercer_model::Models::connect(&settings.model, &ledger)?;
    let chat = chat.with_context(|| {
        format!("--model {model}: no language model is configured. Set MERCER_MODEL, or use --model {FLOOR}")
    })?;
    Ok(Models { chat: Some(chat), vision })
}

fn tell(report: &Report, trials: usize) {
    for played in &report.played {
        let passed = played.trials.iter().filter(|trial| trial.passed()).count();
        let mark = if passed == played.trials.len() { "ok  " } else { "FAIL" };
        output::line(format!("{mark} {passed}/{}  {}  {}", played.trials.len(), played.id, played.title));
    }
    for (id, reason) in &report.skipped {
        output::line(format!("skip      {id}  {reason}"));
    }
    report.failed().for_each(transcripts);
    let sum = |of: fn(&mercer_assistants::eval::Trial) -> u64| report.trials().map(of).sum::<u64>();
    let hats: Vec<String> = (1..=trials).filter_map(|k| Some(format!("pass^{k} {:.3}", report.pass_hat(k)?))).collect();
    output::line(format!(
        "{} scenarios, {} trials: {}. {} turns, {} graph steps, {} tool calls; {} model calls, {} tokens, cost {:.4}; {} ms.",
        report.played.len(),
        report.trials().count(),
        hats.join(", "),
        sum(|trial| u64::from(trial.turns)),
        sum(|trial| u64::from(trial.steps)),
        sum(|trial| u64::from(trial.calls)),
        sum(|trial| u64::from(trial.usage.calls)),
        sum(|trial| trial.usage.tokens),
        u32::try_from(sum(|trial| trial.usage.cost_nanos) / 1_000).map_or(f64::INFINITY, f64::from) / 1e6,
        sum(|trial| trial.took_ms),
    ));
}

fn transcripts(played: &Played) {
    for (number, trial) in played.trials.iter().enumerate().filter(|(_, trial)| !trial.passed()) {
        output::line(format!("\n--- {} #{}: {}", played.id, number + 1, played.title));
        for failure in &trial.failures {
            output::line(format!("  ! {failure}"));
        }
        for line in &trial.transcript {
            output::line(format!("  {:>8}: {}", line.who, line.text.replace('\n', "\n            ")));
        }
    }
}

pub(crate) async fn injection(settings: &Settings, file: &Path, json: bool) -> anyhow::Result<Outcome> {
    let text = std::fs::read_to_string(file).with_context(|| format!("reading {}", file.display()))?;
    let attacks: Vec<Attack> = attacks(&text).with_context(|| format!("reading {}", file.display()))?;
    let scratch = Scratch::new(settings)?;
    let situations = Situations::default().with(ShoppingSituation::new(&scratch.0));
    let mut met = Vec::new();
    for attack in &attacks {
        met.push(situations.meet(attack).await);
    }
    let held = met.iter().filter(|met| met.held()).count();
    let played = met.iter().filter(|met| met.played()).count();
    if json {
        output::json(&json!({ "attacks": attacks.len(), "played": played, "held": held, "met": met }))?;
    } else {
        for met in &met {
            let mark = if met.held() {
                "held"
            } else if met.played() {
                "FAIL"
            } else {
                "none"
            };
            output::line(format!(
                "{mark}  {}  {}  in: {}",
                met.attack.id,
                met.attack.carrier,
                met.situations.join(", ")
            ));
            for finding in met.findings.iter().filter(|finding| !finding.held) {
                output::line(format!("      ! {}", finding.what));
            }
            for error in &met.errors {
                output::line(format!("      ! {error}"));
            }
        }
        output::line(format!(
            "{held} of {played} attacks held; {} have no situation that carries them",
            attacks.len() - played
        ));
    }
    Ok(if held == played { Outcome::Done } else { Outcome::Failed })
}

pub(crate) fn search(settings: &Settings, judgements: &Path, json: bool) -> anyhow::Result<Outcome> {
    let catalog =
        Catalogs::new(settings.data.join("tenants")).tenant(&settings.tenant).context("opening the catalogue")?;
    let judged = eval::judgements(judgements).with_context(|| format!("reading {}", judgements.display()))?;
    let evaluation = judged.evaluate(&catalog)?;
    if json {
        output::json(&evaluation)?;
        return Ok(Outcome::Done);
    }
    for query in &evaluation.queries {
        let tops: Vec<String> = query
            .top
            .iter()
            .map(|(id, rating)| rating.map_or_else(|| format!("{id}:?"), |r| format!("{id}:{r}")))
            .collect();
        output::line(format!("{:.3}  {:<28} {:>6} found  {}", query.ndcg, query.query, query.total, tops.join(" ")));
    }
    let (median, p99, slowest) = evaluation.latency;
    output::line(format!(
        "{:.4}  mean nDCG@10 over {} queries (gain 2^rating - 1, unjudged 0); recall {:.3}; latency median {} us, p99 {} us, slowest {} us",
        evaluation.ndcg,
        evaluation.queries.len(),
        evaluation.recall,
        median.as_micros(),
        p99.as_micros(),
        slowest.as_micros()
    ));
    Ok(Outcome::Done)
}
