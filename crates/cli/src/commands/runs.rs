//! `mercer runs`: what the agents did.

use std::pin::pin;

use anyhow::Context;
use futures::StreamExt;
use mercer_graph::{RunFilter, RunId};

use crate::args::Runs;
use crate::settings::Settings;
use crate::world::World;
use crate::{Outcome, output};

pub(crate) async fn run(settings: Settings, runs: Runs, json: bool) -> anyhow::Result<Outcome> {
    let world = World::open(&settings).await?;
    match runs {
        Runs::List { limit } => {
            let filter = RunFilter { tenant: Some(settings.tenant.to_string()), limit, ..RunFilter::default() };
            let rows = world.engine.runs(&filter).await?;
            if json {
                output::json(&rows)?;
            } else {
                for run in &rows {
                    output::line(format!(
                        "{}  {:<11}  {}  {} steps  {}",
                        run.id, run.status, run.agent, run.steps, run.created
                    ));
                }
            }
            Ok(if rows.is_empty() { Outcome::NothingFound } else { Outcome::Done })
        }
        Runs::Show { run } => {
            let id: RunId = run.parse().with_context(|| format!("{run:?} is not a run id"))?;
            let row = world
                .engine
                .run(&id)
                .await?
                .with_context(|| format!("there is no run {id}; `mercer runs list` shows them"))?;
            let active = row.status.is_active();
            let mut events = pin!(world.engine.events(&id, 0));
            let mut shown = Vec::new();
            // A run that was cut off has no last event: only what is stored is shown.
            while let Some(event) = events.next().await {
                let event = event?;
                if !json {
                    output::line(format!("{:>5}  {}  {}", event.seq, event.at, serde_json::to_string(&event.body)?));
                }
                let last = active && event.seq >= row.events;
                shown.push(event);
                if last {
                    break;
                }
            }
            if json {
                output::json(&serde_json::json!({"run": row, "events": shown}))?;
            }
            Ok(Outcome::Done)
        }
    }
}
