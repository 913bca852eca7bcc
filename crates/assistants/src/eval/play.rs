//! Plays scenarios and adds up what came of them.

use std::time::Duration;

use mercer_model::ChatModel;
use serde::Serialize;
use tokio::time::Instant;

use super::check::words;
use super::customer::{Ending, Talking};
use super::scenario::{Scenario, Turn};
use super::{EvalError, Input, Meter, Reply, Scene, Stage, Usage};

/// One line of a transcript.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Line {
    /// `customer` or `agent`.
    pub who: &'static str,
    /// What was said or done.
    pub text: String,
}

/// A scenario played once.
#[derive(Debug, Clone, Serialize)]
pub struct Trial {
    /// What did not hold; empty when all did.
    pub failures: Vec<String>,
    /// What was said.
    pub transcript: Vec<Line>,
    /// Turns of the customer.
    pub turns: u32,
    /// Steps of the graph.
    pub steps: u32,
    /// Calls of tools.
    pub calls: u32,
    /// What models used.
    pub usage: Usage,
    /// How long it took, in milliseconds.
    pub took_ms: u64,
}

impl Trial {
    /// Whether everything held.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.failures.is_empty()
    }
}

/// A scenario with its trials.
#[derive(Debug, Clone, Serialize)]
pub struct Played {
    /// The scenario's id.
    pub id: String,
    /// What it shows.
    pub title: String,
    /// The agent.
    pub agent: String,
    /// How it went, each time.
    pub trials: Vec<Trial>,
}

impl Played {
    fn passes(&self) -> usize {
        self.trials.iter().filter(|trial| trial.passed()).count()
    }
}

/// What came of all scenarios.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Report {
    /// The scenarios, in their order.
    pub played: Vec<Played>,
    /// Scenarios left out, with the reason.
    pub skipped: Vec<(String, String)>,
}

impl Report {
    /// The chance that a scenario passes `k` times in a row, as the tau-bench papers estimate it: the mean over scenarios of
    /// C(passes, k) / C(trials, k). `None` when no scenario was played so often.
    #[must_use]
    pub fn pass_hat(&self, k: usize) -> Option<f64> {
        let shares: Vec<f64> = self
            .played
            .iter()
            .filter(|played| k > 0 && played.trials.len() >= k)
            .map(|played| (0..k).map(|i| ratio(played.passes().saturating_sub(i), played.trials.len() - i)).product())
            .collect();
        (!shares.is_empty()).then(|| shares.iter().sum::<f64>() / number(shares.len()))
    }

    /// Whether every trial of every scenario passed.
    #[must_use]
    pub fn all_passed(&self) -> bool {
        self.played.iter().all(|played| played.passes() == played.trials.len())
    }

    /// Scenarios of which a trial failed.
    pub fn failed(&self) -> impl Iterator<Item = &Played> {
        self.played.iter().filter(|played| played.passes() < played.trials.len())
    }

    /// The trials of all scenarios.
    pub fn trials(&self) -> impl Iterator<Item = &Trial> {
        self.played.iter().flat_map(|played| &played.trials)
    }
}

fn ratio(part: usize, whole: usize) -> f64 {
    number(part) / number(whole)
}

fn number(n: usize) -> f64 {
    u32::try_from(n).map_or(f64::from(u32::MAX), f64::from)
}

/// Plays each scenario `trials` times.
///
/// # Errors
/// When a scenario names an agent that no stage plays. What goes wrong while playing fails the trial.
pub async fn play(
    scenarios: &[Scenario],
    stages: &[&dyn Stage],
    customer: Option<&dyn ChatModel>,
    meter: &Meter,
    trials: u32,
) -> Result<Report, EvalError> {
    let mut report = Report::default();
    for scenario in scenarios {
        let stage = stages
            .iter()
            .find(|stage| stage.agent() == scenario.agent)
            .ok_or_else(|| EvalError::NoAgent(scenario.agent.clone()))?;
        if scenario.needs_model && customer.is_none() {
            report.skipped.push((scenario.id.clone(), "it needs a model".to_owned()));
            continue;
        }
        let mut played = Played {
            id: scenario.id.clone(),
            title: scenario.title.clone(),
            agent: scenario.agent.clone(),
            trials: Vec::new(),
        };
        for _ in 0..trials.max(1) {
            played.trials.push(trial(scenario, *stage, customer, meter).await);
        }
        report.played.push(played);
    }
    Ok(report)
}

async fn trial(scenario: &Scenario, stage: &dyn Stage, customer: Option<&dyn ChatModel>, meter: &Meter) -> Trial {
    meter.take();
    let began = Instant::now();
    let mut trial = Trial {
        failures: Vec::new(),
        transcript: Vec::new(),
        turns: 0,
        steps: 0,
        calls: 0,
        usage: Usage::default(),
        took_ms: 0,
    };
    if let Err(error) = run(scenario, stage, customer, &mut trial).await {
        trial.failures.push(error.chain());
    }
    trial.usage = meter.take();
    trial.took_ms = millis(began.elapsed());
    trial
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

async fn run(
    scenario: &Scenario,
    stage: &dyn Stage,
    customer: Option<&dyn ChatModel>,
    trial: &mut Trial,
) -> Result<(), EvalError> {
    let mut scene = stage.open(scenario).await?;
    let mut answers = Vec::new();
    for (number, turn) in scenario.turns.iter().enumerate() {
        let reply = step(&mut *scene, turn.input(), trial).await?;
        let wrong = words(&reply.text, &turn.must_say, &turn.must_not_say);
        let broken = turn.expect.iter().filter_map(|expect| expect.fails(&reply.view));
        let place = |what: String| format!("turn {}: {what}", number + 1);
        trial.failures.extend(wrong.into_iter().chain(broken).map(place));
        answers.push(reply.text);
    }
    if let Some(who) = &scenario.customer {
        let mut talking = Talking::new(who, scenario.lang);
        let ending = loop {
            match talking.next(answers.last().map(String::as_str), customer).await? {
                Ok(say) => answers.push(step(&mut *scene, Input { say, ..Input::default() }, trial).await?.text),
                Err(ending) => break ending,
            }
        };
        match ending {
            Ending::Content => {}
            Ending::Silent if who.done_when.is_empty() => {}
            Ending::Silent => trial.failures.push("the customer had no answer to the agent's last words".to_owned()),
            Ending::TooLong => {
                trial.failures.push(format!("the customer was not content after {} turns", who.max_turns))
            }
        }
    }
    trial.failures.extend(words(&answers.join("\n"), &scenario.must_say, &scenario.must_not_say));
    let world = scene.world().await?;
    trial.failures.extend(scenario.expect.iter().filter_map(|expect| expect.fails(&world)));
    Ok(())
}

async fn step(scene: &mut dyn Scene, input: Input, trial: &mut Trial) -> Result<Reply, EvalError> {
    let did = match (&input.remove, &input.action) {
        (Some(chip), _) => format!("(takes away {chip})"),
        (None, Some(action)) => format!("({action})"),
        (None, None) => input.say.clone(),
    };
    trial.transcript.push(Line { who: "customer", text: did });
    let reply = scene.say(input).await?;
    trial.turns += 1;
    trial.steps += reply.steps;
    trial.calls += reply.calls;
    trial.transcript.push(Line { who: "agent", text: reply.text.clone() });
    Ok(reply)
}

impl Turn {
    fn input(&self) -> Input {
        Input { say: self.say.clone(), remove: self.remove.clone(), action: self.action.clone() }
    }
}
