//! `mercer patterns`: the agent loops on any question, with the shop's tools, step by step.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, bail};
use mercer_agent::drive::{Answered, Driver, Seen, reflect};
use mercer_agent::plan::{self, Plan};
use mercer_agent::react::{Limits, Protocol};
use mercer_agent::reflect::{Draft, Preset, Reflect};
use mercer_agent::{Lang, React, Registry, ToolCtx, quote};
use mercer_assistants::shopping::{Desk, Models, Shape, Shopping, ShoppingDeps, instructions, registry};
use mercer_graph::{Clock as _, SystemClock};
use mercer_model::{ChatModel, ToolCall};
use serde_json::json;

use crate::args::{Ask, Patterns, PresetName};
use crate::settings::Settings;
use crate::world::World;
use crate::{Outcome, output};

pub(crate) async fn run(settings: Settings, pattern: Patterns, json: bool) -> anyhow::Result<Outcome> {
    let world = World::open(&settings).await?;
    let chat = world.health.chat();
    match pattern {
        Patterns::React(ask) => {
            let answered = answered(&settings, &world, chat.as_deref(), &ask, Loop::React(Protocol::Native)).await?;
            tell(&ask, &answered, json)
        }
        Patterns::ReactJson { ask, short } => {
            let protocol = if short { Protocol::JsonShort } else { Protocol::Json };
            let answered = answered(&settings, &world, chat.as_deref(), &ask, Loop::React(protocol)).await?;
            tell(&ask, &answered, json)
        }
        Patterns::Plan(ask) => {
            let answered = answered(&settings, &world, chat.as_deref(), &ask, Loop::Plan).await?;
            tell(&ask, &answered, json)
        }
        Patterns::Reflect { preset, rounds, what } => {
            let Some(model) = chat.as_deref() else {
                bail!(
                    "reflection is a model's work, and no language model is configured. Nothing was done. Set MERCER_MODEL (see docs/settings.md)"
                )
            };
            let draft = reflected(&settings, &world, model, preset, rounds, &what).await?;
            drafted(&draft, json)
        }
    }
}

/// Which loop answers.
#[derive(Debug, Clone, Copy)]
enum Loop {
    React(Protocol),
    Plan,
}

/// The shop's tools, and what the model is told.
struct Tools {
    registry: Registry<Desk>,
    ctx: ToolCtx<Desk>,
    system: String,
}

impl Tools {
    fn of(settings: &Settings, world: &World, lang: Lang) -> anyhow::Result<Self> {
        let shop_lang = match lang {
            Lang::Zh => mercer_shop::Lang::Zh,
            Lang::En => mercer_shop::Lang::En,
        };
        let deps = ShoppingDeps {
            catalogs: Arc::clone(&world.catalogs),
            models: Models { chat: world.health.chat(), vision: None },
            files: Arc::clone(&world.files),
            clock: Arc::new(SystemClock),
        };
        let state = Shopping::default();
        let desk = Desk::open(&deps, settings.tenant.clone(), &state).context("opening the catalogue")?;
        let system = instructions(&state, &Shape::of(&desk, shop_lang)?, shop_lang)?;
        Ok(Self { registry: registry()?, ctx: desk.context("patterns", shop_lang, SystemClock.now()), system })
    }
}

async fn answered(
    settings: &Settings,
    world: &World,
    model: Option<&dyn ChatModel>,
    ask: &Ask,
    by: Loop,
) -> anyhow::Result<Answered> {
    let question = ask.question.join(" ");
    let lang = language(&question);
    let tools = Tools::of(settings, world, lang)?;
    let core = |question: &str| vec![ToolCall::new("", "search_products", json!({ "query": question }).to_string())];
    let driver = Driver::new(model, &tools.registry, tools.ctx.clone())
        .with_system(tools.system)
        .with_watch(&watch)
        .with_floor(&core, &mercer_agent::drive::plain_floor);
    let limits = Limits { steps: ask.steps, ..Limits::default() };
    let react = React::new(limits).with_tools(tools.registry.specs()).with_lang(lang);
    Ok(match by {
        Loop::React(protocol) => driver.answer(react.with_protocol(protocol), &question).await,
        Loop::Plan => {
            let names = tools.registry.names().map(str::to_owned).collect();
            let plan = Plan::new(&question, names, plan::Limits::default(), lang);
            driver.plan(&react, plan, &question).await
        }
    })
}

async fn reflected(
    settings: &Settings,
    world: &World,
    model: &dyn ChatModel,
    preset: PresetName,
    rounds: Option<u32>,
    what: &[String],
) -> anyhow::Result<Draft> {
    let words = what.join(" ");
    let file = Path::new(&words);
    let mut preset = match preset {
        PresetName::Paper => Preset::paper(),
        PresetName::Answer => Preset::answer(),
    };
    if let Some(rounds) = rounds {
        preset.rounds = rounds;
    }
    let (task, draft) = if file.is_file() {
        let text = std::fs::read_to_string(file).with_context(|| format!("reading {}", file.display()))?;
        (format!("Improve this text of the kind {}; keep its facts.", preset.name), text)
    } else {
        let ask = Ask { question: what.to_vec(), steps: Limits::default().steps };
        let first = answered(settings, world, Some(model), &ask, Loop::React(Protocol::Native)).await?;
        (words.clone(), first.text)
    };
    if draft.trim().is_empty() {
        bail!("there is nothing to reflect on: {words:?} is empty");
    }
    let lang = language(&draft);
    Ok(reflect(model, Reflect::new(preset, task, draft, lang), &watch).await)
}

fn language(text: &str) -> Lang {
    mercer_shop::Lang::of(text).map_or(Lang::En, |lang| Lang::from_tag(lang.tag()))
}

#[expect(clippy::needless_pass_by_value, reason = "the form that a watcher has")]
fn watch(seen: Seen<'_>) {
    match seen {
        Seen::Asked => {}
        Seen::Wrote(text) => output::note(format!("  model   {}", quote::field(text, 300))),
        Seen::Failed(error) => output::note(format!("  model   did not reply: {error}")),
        Seen::Called(call) => output::note(format!("  call    {} {}", call.name, quote::field(&call.arguments, 300))),
        Seen::Returned(result) => output::note(format!("  result  {}", quote::field(&result.for_model(300), 300))),
        Seen::Step(step) => output::note(format!("  step    {} ({})", step.step, step.purpose)),
        Seen::Judged(score) => output::note(format!("  score   {score} of 100")),
        Seen::FellBack(reason) => output::note(format!("  floor   the rules answer: {reason}")),
    }
}

fn tell(ask: &Ask, answered: &Answered, json: bool) -> anyhow::Result<Outcome> {
    if json {
        output::json(&json!({
            "question": ask.question.join(" "), "answer": answered.text, "fallback": answered.fallback,
            "calls": answered.results,
        }))?;
    } else {
        output::line(answered.text.trim_end());
    }
    Ok(Outcome::Done)
}

fn drafted(draft: &Draft, json: bool) -> anyhow::Result<Outcome> {
    if json {
        output::json(draft)?;
        return Ok(Outcome::Done);
    }
    output::line(&draft.text);
    match &draft.critique {
        Some(critique) => output::note(format!("kept at {} of 100; advice: {}", critique.score, critique.advice)),
        None => output::note("no critique could be read: the text stands as it was"),
    }
    Ok(Outcome::Done)
}
