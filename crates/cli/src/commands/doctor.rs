//! `mercer doctor`: each part checked, with what to do where something is amiss.

use std::path::Path;

use mercer_model::{ChatRequest, Message, ModelRole};
use serde::Serialize;

use crate::settings::Settings;
use crate::world::World;
use crate::{Outcome, output};

#[derive(Debug, Serialize)]
struct Check {
    part: &'static str,
    /// `ok`, `note` or `trouble`.
    state: &'static str,
    says: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    to_do: Option<String>,
}

impl Check {
    fn ok(part: &'static str, says: impl Into<String>) -> Self {
        Self { part, state: "ok", says: says.into(), to_do: None }
    }

    fn note(part: &'static str, says: impl Into<String>, to_do: impl Into<String>) -> Self {
        Self { part, state: "note", says: says.into(), to_do: Some(to_do.into()) }
    }

    fn trouble(part: &'static str, says: impl Into<String>, to_do: impl Into<String>) -> Self {
        Self { part, state: "trouble", says: says.into(), to_do: Some(to_do.into()) }
    }
}

pub(crate) async fn run(settings: Settings, json: bool) -> anyhow::Result<Outcome> {
    let mut checks =
        vec![Check::ok("settings", format!("{} settings read", settings.lines.len())), disk(&settings.data)];
    match World::open(&settings).await {
        Ok(world) => {
            checks.push(Check::ok("database", settings.data.join("mercer.db").display().to_string()));
            checks.push(catalogue(&world, &settings));
            checks.push(model(&world, &settings).await);
        }
        Err(error) => checks.push(Check::trouble(
            "database",
            format!("{error:#}"),
            "If a server is running on this folder, that is why: stop it, or ask it with `curl http://127.0.0.1:8787/api/v1/status`.",
        )),
    }
    if json {
        output::json(&checks)?;
    } else {
        for check in &checks {
            output::line(format!("{:<8} {:<10} {}", check.state, check.part, check.says));
            if let Some(to_do) = &check.to_do {
                output::line(format!("{:<19} → {to_do}", ""));
            }
        }
    }
    if checks.iter().any(|check| check.state == "trouble") {
        anyhow::bail!("something needs attention, see above");
    }
    Ok(Outcome::Done)
}

fn disk(data: &Path) -> Check {
    let probe = data.join(".doctor");
    let written = std::fs::create_dir_all(data)
        .and_then(|()| std::fs::write(&probe, b"ok"))
        .and_then(|()| std::fs::remove_file(&probe));
    match written {
        Ok(()) => Check::ok("disk", format!("{} can be written", data.display())),
        Err(error) => Check::trouble(
            "disk",
            format!("{}: {error}", data.display()),
            "Make room or give the folder to this user, or choose another with --data.",
        ),
    }
}

fn catalogue(world: &World, settings: &Settings) -> Check {
    match world.catalogs.tenant(&settings.tenant).and_then(|catalog| catalog.len()) {
        Ok(0) => Check::note(
            "catalogue",
            "no products yet",
            "mercer import products FILE, or mercer serve --demo for the sample shop",
        ),
        Ok(count) => Check::ok("catalogue", format!("{count} products")),
        Err(error) => Check::trouble(
            "catalogue",
            error.to_string(),
            "Import the products again: the index is rebuilt from the feed.",
        ),
    }
}

/// Asks the model for one word: a wrong key, name or address shows here and not in front of a customer.
async fn model(world: &World, settings: &Settings) -> Check {
    let Ok(endpoint) = settings.model.require(ModelRole::Chat) else {
        return Check::note(
            "model",
            "none is configured; every agent works by rules",
            "Set MERCER_MODEL, and MERCER_MODEL_BASE_URL and MERCER_MODEL_API_KEY as needed.",
        );
    };
    // The query of an address may hold a key.
    let address = endpoint.base_url.split('?').next().unwrap_or_default();
    let Some(chat) = world.health.chat() else {
        return Check::note("model", "none is configured", "Set MERCER_MODEL.");
    };
    let mut request = ChatRequest::new("doctor", vec![Message::user("Answer with the one word: ready")]);
    request.max_tokens = Some(16);
    match mercer_model::complete(chat.as_ref(), request).await {
        Ok(reply) => Check::ok("model", format!("{} at {} answered {:?}", endpoint.model, address, reply.text.trim())),
        Err(error) => Check::trouble(
            "model",
            format!("{} at {}: {error}", endpoint.model, address),
            "Check name, address and key with mercer config --explain. Until then answers are made by rules.",
        ),
    }
}
