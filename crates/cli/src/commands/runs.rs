//! `mercer runs`: what the agents did, answered, forked, stopped and settled from a terminal.

use std::collections::BTreeMap;
use std::pin::pin;

use anyhow::{Context, bail, ensure};
use futures::StreamExt;
use mercer_graph::{
    Answers, CheckpointId, DifferenceKind, Engine, Event, RunFilter, RunId, RunOptions, RunRow, RunStatus, differences,
};
use serde_json::{Value, json};

use crate::args::Runs;
use crate::settings::Settings;
use crate::world::World;
use crate::{Outcome, output};

/// The most steps and effects that are shown at once.
const MOST: usize = 1000;

pub(crate) async fn run(settings: Settings, runs: Runs, json: bool) -> anyhow::Result<Outcome> {
    let world = World::open(&settings).await?;
    let desk = Desk { engine: &world.engine, tenant: settings.tenant.to_string(), json };
    match runs {
        Runs::List { limit, agent, thread, status } => desk.list(limit, agent, thread, status).await,
        Runs::Show { run, step: Some(step), .. } => desk.step(&desk.row(&run).await?, &step).await,
        Runs::Show { run, events, step: None } => desk.show(&desk.row(&run).await?, events).await,
        Runs::Resume { run, answer, step_limit } => desk.resume(&desk.row(&run).await?, &answer, step_limit).await,
        Runs::Fork { run, step, go_on, answer } => {
            desk.fork(&desk.row(&run).await?, step.as_deref(), go_on, &answer).await
        }
        Runs::Cancel { run } => {
            let row = desk.row(&run).await?;
            world.engine.cancel(&row.id).await?;
            desk.ended(&row.id).await
        }
        Runs::Settle { key, happened, did_not_happen: _ } => desk.settle(&key, happened.as_deref()).await,
        Runs::Graph { what } => desk.graph(&what).await,
    }
}

struct Desk<'a> {
    engine: &'a Engine,
    tenant: String,
    json: bool,
}

fn checkpoint(text: &str) -> anyhow::Result<CheckpointId> {
    text.parse().with_context(|| format!("{text:?} is not a checkpoint id; `mercer runs show RUN` lists them"))
}

/// `ID=ANSWER` or `ANSWER`; an answer that is no JSON is a text.
fn answers(given: &[String]) -> anyhow::Result<Answers> {
    let value = |text: &str| serde_json::from_str(text).unwrap_or_else(|_no_json| Value::String(text.to_owned()));
    let named = |text: &String| {
        let (id, answer) = text.split_once('=')?;
        let is_id = !id.is_empty() && id.chars().all(|c| c.is_alphanumeric() || "-_.:/".contains(c));
        is_id.then(|| (id.to_owned(), value(answer)))
    };
    match given {
        [] => Ok(Answers::None),
        [one] => Ok(named(one)
            .map_or_else(|| Answers::One(value(one)), |(id, answer)| Answers::Each(BTreeMap::from([(id, answer)])))),
        several => {
            let each: Option<BTreeMap<String, Value>> = several.iter().map(named).collect();
            Ok(Answers::Each(each.context("with several answers each is ID=ANSWER")?))
        }
    }
}

impl Desk<'_> {
    /// A run of this shop. Another shop's answers like one that does not exist.
    async fn row(&self, run: &str) -> anyhow::Result<RunRow> {
        let id: RunId = run.parse().with_context(|| format!("{run:?} is not a run id"))?;
        let row = self.engine.run(&id).await?.filter(|row| row.tenant == self.tenant);
        row.with_context(|| format!("there is no run {id}; `mercer runs list` shows them"))
    }

    async fn list(
        &self,
        limit: usize,
        agent: Option<String>,
        thread: Option<String>,
        status: Option<String>,
    ) -> anyhow::Result<Outcome> {
        let status = status.map(|name| {
            let names = RunStatus::ALL.map(RunStatus::as_str).join(", ");
            RunStatus::stored(&name).with_context(|| format!("there is no status {name:?}; there are {names}"))
        });
        let thread = thread.map(|id| id.parse().with_context(|| format!("{id:?} is not a thread id")));
        let filter = RunFilter {
            tenant: Some(self.tenant.clone()),
            agent,
            thread: thread.transpose()?,
            status: status.transpose()?,
            limit,
            before: None,
        };
        let rows = self.engine.runs(&filter).await?;
        if self.json {
            output::json(&rows)?;
        } else {
            for run in &rows {
                let (id, status, agent, steps) = (&run.id, run.status, &run.agent, run.steps);
                output::line(format!("{id}  {status:<11}  {agent}  {steps} steps  {}", run.created));
            }
        }
        Ok(if rows.is_empty() { Outcome::NothingFound } else { Outcome::Done })
    }

    async fn show(&self, row: &RunRow, with_events: bool) -> anyhow::Result<Outcome> {
        let steps = self.engine.run_steps(&row.id, None, MOST).await?;
        let effects = self.engine.effects_of(&row.id, MOST).await?;
        let waiting = self.engine.questions(row).await?;
        let events = if with_events || self.json { self.events(row).await? } else { Vec::new() };
        if self.json {
            let whole = json!({"run": row, "steps": steps, "effects": effects, "waiting": waiting, "events": events});
            output::json(&whole)?;
            return Ok(Outcome::Done);
        }
        self.head(row);
        for step in &steps {
            let (nodes, next) = (step.nodes.join(", "), step.next.join(", "));
            let next = if next.is_empty() { "end".to_owned() } else { next };
            output::line(format!("  {:>4}  {}  {:<6}  {nodes} → {next}", step.step, step.id, step.source));
        }
        for effect in &effects {
            let result = match &effect.result {
                Some(result) => result.to_string(),
                None => "no result".to_owned(),
            };
            output::line(format!("  effect  {}  {result}", effect.key));
        }
        for question in &waiting {
            output::line(format!("  waits   {}  {}", question.id, question.payload));
            if let Some(schema) = &question.schema {
                output::line(format!("          the answer fits {schema}"));
            }
        }
        for event in &events {
            output::line(format!("{:>5}  {}  {}", event.seq, event.at, serde_json::to_string(&event.body)?));
        }
        Ok(Outcome::Done)
    }

    fn head(&self, row: &RunRow) {
        let (id, status, agent, steps) = (&row.id, row.status, &row.agent, row.steps);
        output::line(format!(
            "{id}  {status}  {agent}  {steps} of at most {} steps  on {}",
            row.step_limit, row.thread
        ));
        if let Some(error) = &row.error {
            output::line(format!("  {}: {error}", error.code));
        }
    }

    /// The stored events. A run that was cut off has no last one, so it is not waited for.
    async fn events(&self, row: &RunRow) -> anyhow::Result<Vec<Event>> {
        let mut events = pin!(self.engine.events(&row.id, 0));
        let mut shown = Vec::new();
        while let Some(event) = events.next().await {
            let event = event?;
            let last = event.seq >= row.events;
            shown.push(event);
            if last {
                break;
            }
        }
        Ok(shown)
    }

    async fn step(&self, row: &RunRow, step: &str) -> anyhow::Result<Outcome> {
        let view = self.engine.step_json(&row.thread, &checkpoint(step)?).await?;
        let (changes, more) = differences(&view.before, &view.state, MOST);
        if self.json {
            let step = json!({"step": view.checkpoint, "state": view.state, "changes": changes, "more": more});
            output::json(&step)?;
            return Ok(Outcome::Done);
        }
        output::line(serde_json::to_string_pretty(&view.state)?);
        for place in &changes {
            let sign = match place.kind {
                DifferenceKind::Added => '+',
                DifferenceKind::Removed => '-',
                DifferenceKind::Changed => '~',
            };
            let value = place.after.as_ref().or(place.before.as_ref()).unwrap_or(&Value::Null);
            output::line(format!("{sign} {} {value}", place.path));
        }
        Ok(Outcome::Done)
    }

    async fn resume(&self, row: &RunRow, given: &[String], limit: Option<u32>) -> anyhow::Result<Outcome> {
        match limit {
            Some(limit) => {
                ensure!(limit > row.steps, "the run has made {} steps; the new limit must be higher", row.steps);
                self.engine.resume_with_limit(&row.id, limit).await?;
            }
            None => self.engine.resume(&row.id, answers(given)?).await?,
        }
        self.ended(&row.id).await
    }

    async fn fork(&self, row: &RunRow, step: Option<&str>, go_on: bool, given: &[String]) -> anyhow::Result<Outcome> {
        let at = match step {
            Some(step) => checkpoint(step)?,
            None => self.engine.last_step(&row.id).await?.context("the run has no step to fork from")?,
        };
        let answers = answers(given)?;
        let thread = self.engine.fork(&row.thread, Some(&at)).await?;
        if !go_on {
            match self.json {
                true => output::json(&json!({"thread": thread, "run": null}))?,
                false => output::line(format!("{thread}")),
            }
            return Ok(Outcome::Done);
        }
        let options = RunOptions { metadata: json!({"forked_from": row.id}), ..RunOptions::default() };
        match self.engine.go_on(&thread, answers, options).await {
            Ok(run) => self.ended(&run).await,
            Err(error) => {
                self.engine.delete_thread(&thread).await?;
                Err(error.into())
            }
        }
    }

    /// Waits until a run is over or parked and says how it is.
    async fn ended(&self, run: &RunId) -> anyhow::Result<Outcome> {
        let row = self.engine.wait(run).await?;
        if self.json {
            output::json(&json!({"run": row, "waiting": self.engine.questions(&row).await?}))?;
            return Ok(Outcome::Done);
        }
        self.head(&row);
        for question in self.engine.questions(&row).await? {
            output::line(format!("  waits   {}  {}", question.id, question.payload));
        }
        Ok(Outcome::Done)
    }

    async fn settle(&self, key: &str, happened: Option<&str>) -> anyhow::Result<Outcome> {
        let effect = self.engine.effect_of_key(key).await?;
        let missing = || format!("no effect has the key {key}; `mercer runs show RUN` prints the keys of a run");
        let effect = effect.with_context(missing)?;
        // The run may be gone with its thread; the journal stays.
        if let Some(run) = self.engine.run(&effect.run).await?
            && run.tenant != self.tenant
        {
            bail!(missing());
        }
        let result = happened.map(serde_json::from_str::<Value>).transpose();
        let result = result.context("the result must be JSON in the form of the effect's results; a text is \"…\"")?;
        self.engine.settle_effect(key, result.as_ref()).await?;
        match self.json {
            true => output::json(&json!({"key": key, "run": effect.run}))?,
            false => output::line(format!("settled; go on with: mercer runs resume {}", effect.run)),
        }
        Ok(Outcome::Done)
    }

    async fn graph(&self, what: &str) -> anyhow::Result<Outcome> {
        let (name, run) = match what.starts_with("run_") {
            true => {
                let row = self.row(what).await?;
                (row.agent.clone(), Some(row))
            }
            false => (what.to_owned(), None),
        };
        let graph = self.engine.graph(&name).with_context(|| format!("there is no agent {name:?}"))?;
        let way = match &run {
            Some(row) => Some(self.engine.way(row, &graph.shape).await?),
            None => None,
        };
        if self.json {
            output::json(&json!({"shape": graph.shape, "way": way}))?;
        } else {
            output::line(way.map_or(graph.mermaid, |way| graph.shape.mermaid_of(&way)).trim_end());
        }
        Ok(Outcome::Done)
    }
}
