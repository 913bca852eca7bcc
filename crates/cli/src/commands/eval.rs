//! `mercer eval`: measuring.

use std::path::Path;

use anyhow::Context;
use mercer_search::{Catalogs, eval};

use crate::settings::Settings;
use crate::{Outcome, output};

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
