//! `mercer chat`: the shopping assistant in a terminal, streaming, with cards as text.

use std::io::{BufRead, IsTerminal, Write};
use std::path::Path;
use std::pin::pin;

use anyhow::{Context, bail};
use futures::StreamExt;
use mercer_graph::{EventBody, NewThread, RunId, RunStatus, ThreadId};
use mercer_shop::{Lang, NewFile, TenantId};
use serde_json::{Value, json};

use crate::args::Chat;
use crate::settings::Settings;
use crate::world::World;
use crate::{Outcome, output};

pub(crate) async fn run(settings: Settings, chat: Chat, json: bool) -> anyhow::Result<Outcome> {
    let world = World::open(&settings).await?;
    world.engine.recover().await?;
    let locale = match chat.locale.as_deref() {
        Some("zh") => Lang::Zh,
        Some("en") | None => Lang::En,
        Some(other) => bail!("--locale {other:?}: use zh or en"),
    };
    let thread = match &chat.thread {
        Some(id) => {
            let id: ThreadId = id.parse().with_context(|| format!("--thread {id:?} is not a thread id"))?;
            let found = world.engine.thread(&id).await?.filter(|row| row.tenant == settings.tenant.as_str());
            found.with_context(|| format!("there is no thread {id}"))?.id
        }
        None => {
            let tenant = settings.tenant.to_string();
            world
                .engine
                .create_thread(NewThread { tenant, agent: "shopping".into(), title: None, metadata: Value::Null })
                .await?
        }
    };
    let mut images = Vec::new();
    for path in &chat.image {
        images.push(store_image(&world, &settings.tenant, path).await?);
    }
    let session = Session { world, thread, locale, json };
    if chat.message.is_empty() && images.is_empty() {
        session.converse().await?;
    } else {
        session.say(chat.message.join(" "), images).await?;
    }
    session.world.engine.drain().await;
    Ok(Outcome::Done)
}

async fn store_image(world: &World, tenant: &TenantId, path: &Path) -> anyhow::Result<String> {
    let bytes = std::fs::read(path).with_context(|| format!("reading {}", path.display()))?;
    mercer_studio::decode(&bytes, &mercer_studio::Limits::default()).with_context(|| path.display().to_string())?;
    let media_type = mercer_studio::sniff(&bytes).map(|kind| kind.mime().to_owned()).unwrap_or_default();
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let file =
        NewFile { tenant: tenant.clone(), media_type, name, content: bytes.into(), created: jiff::Timestamp::now() };
    Ok(world.files.put(file).await?.id)
}

struct Session {
    world: World,
    thread: ThreadId,
    locale: Lang,
    json: bool,
}

impl Session {
    /// Reads lines until the end of input.
    async fn converse(&self) -> anyhow::Result<()> {
        let interactive = std::io::stdin().is_terminal();
        if interactive {
            output::note("掌柜 · Mercer. Say what you are looking for; an empty line ends. 说说想找什么，空行结束。");
        }
        loop {
            if interactive {
                eprompt();
            }
            let mut line = String::new();
            let read = tokio::task::spawn_blocking(move || {
                std::io::stdin().lock().read_line(&mut line).map(|count| (count, line))
            });
            let (count, line) = read.await?.context("reading what you typed")?;
            let text = line.trim();
            if count == 0 || (interactive && text.is_empty()) {
                break;
            }
            if !text.is_empty() {
                self.say(text.to_owned(), Vec::new()).await?;
            }
        }
        output::note(format!("Go on later: mercer chat --thread {}", self.thread));
        Ok(())
    }

    async fn say(&self, text: String, images: Vec<String>) -> anyhow::Result<()> {
        let id = format!("msg_{}", RunId::fresh());
        let run = self.world.assistants.say(&self.thread, id, text, images, self.locale).await?;
        let mut events = pin!(self.world.engine.events(&run, 0));
        let mut answer = String::new();
        let mut cards = Vec::new();
        while let Some(event) = events.next().await {
            match event?.body {
                EventBody::MessageDelta { text, .. } => {
                    answer.push_str(&text);
                    if !self.json {
                        output::piece(&text);
                    }
                }
                EventBody::MessageRestarted { .. } => {
                    answer.clear();
                    if !self.json {
                        output::piece("\n");
                    }
                }
                EventBody::Custom { name, data } => self.custom(&name, &data, &mut cards),
                EventBody::RunFinished { status, error } if status != RunStatus::Done => {
                    bail!(
                        "the answer was not finished: {}",
                        error.map_or_else(|| status.to_string(), |error| error.to_string())
                    );
                }
                _ => {}
            }
        }
        if self.json {
            output::json(&json!({"thread_id": self.thread, "run_id": run, "response": answer, "products": cards}))?;
        } else {
            output::piece("\n");
            for (position, card) in cards.iter().enumerate() {
                output::line(card_line(position + 1, card));
            }
        }
        Ok(())
    }

    fn custom(&self, name: &str, data: &Value, cards: &mut Vec<Value>) {
        let text = |key: &str| data.get(key).and_then(Value::as_str).unwrap_or_default();
        match name {
            "products" => *cards = data.get("products").and_then(Value::as_array).cloned().unwrap_or_default(),
            "tool_result" if !self.json => output::note(format!("  · {}: {}", text("name"), text("summary"))),
            "fallback" if !self.json => output::note(format!("  · by rules: {}", text("reason"))),
            _ => {}
        }
    }
}

fn eprompt() {
    drop(std::io::stderr().write_all(b"> "));
}

fn card_line(position: usize, card: &Value) -> String {
    let text = |key: &str| card.get(key).and_then(Value::as_str).unwrap_or_default();
    let matched: Vec<&str> =
        card.get("matched").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    let matched = if matched.is_empty() { String::new() } else { format!("  [{}]", matched.join(" · ")) };
    format!("{position:>3}. {}  {}  ({}){matched}", text("title"), text("price_text"), text("id"))
}
