//! `mercer key`: keys of the API. The secret is printed once; only its hash is kept.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use mercer_server::{Key, Scope, access};
use serde::{Deserialize, Serialize};

use crate::args::{KeyCommand, ScopeArg};
use crate::settings::Settings;
use crate::{Outcome, output};

#[derive(Debug, Default, Serialize, Deserialize)]
struct KeyFile {
    #[serde(default)]
    key: Vec<Key>,
}

fn path(data: &Path) -> PathBuf {
    data.join("keys.toml")
}

/// The keys of a data folder; none when there is no file.
pub(crate) fn load(data: &Path) -> anyhow::Result<Vec<Key>> {
    let path = path(data);
    match std::fs::read_to_string(&path) {
        Ok(text) => Ok(toml::from_str::<KeyFile>(&text).with_context(|| format!("reading {}", path.display()))?.key),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error).with_context(|| format!("reading {}", path.display())),
    }
}

fn save(data: &Path, keys: Vec<Key>) -> anyhow::Result<()> {
    std::fs::create_dir_all(data).with_context(|| format!("making the data folder {}", data.display()))?;
    let path = path(data);
    let partial = path.with_extension("toml.new");
    std::fs::write(&partial, toml::to_string_pretty(&KeyFile { key: keys })?)
        .with_context(|| format!("writing {}", partial.display()))?;
    std::fs::rename(&partial, &path).with_context(|| format!("writing {}", path.display()))?;
    Ok(())
}

/// An origin as browsers send it: scheme, host and perhaps a port (RFC 6454), nothing after it.
fn is_origin(text: &str) -> bool {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    rest.is_some_and(|host| {
        !host.is_empty()
            && host.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b':' | b'[' | b']'))
    })
}

pub(crate) fn run(settings: &Settings, command: KeyCommand, json: bool) -> anyhow::Result<Outcome> {
    let mut keys = load(&settings.data)?;
    match command {
        KeyCommand::Create { name, scope, origin } => {
            if name.trim().is_empty() {
                bail!("--name is empty; say what the key is for, such as --name website");
            }
            if let Some(wrong) = origin.iter().find(|origin| !is_origin(origin)) {
                bail!("--origin {wrong:?} is not an origin; write it as https://shop.example, without a path");
            }
            if keys.iter().any(|key| key.name == name) {
                bail!("there is a key named {name:?} already; choose another name, or revoke it first");
            }
            let scope = match scope {
                ScopeArg::Storefront => Scope::Storefront,
                ScopeArg::Staff => Scope::Staff,
                ScopeArg::Admin => Scope::Admin,
            };
            if scope == Scope::Storefront && origin.is_empty() {
                output::note(
                    "note: a storefront key without --origin works from programs only, not from a browser page",
                );
            }
            let secret = access::new_secret();
            keys.push(Key {
                name: name.clone(),
                sha256: access::hash(&secret),
                tenant: settings.tenant.clone(),
                scope,
                origins: origin,
            });
            save(&settings.data, keys)?;
            if json {
                output::json(&serde_json::json!({"name": name, "key": secret}))?;
            } else {
                output::line(&secret);
                output::note(
                    "This is shown once. Send it as `Authorization: Bearer KEY`. A running server reads keys at its next start.",
                );
            }
        }
        KeyCommand::List => {
            if json {
                let shown: Vec<_> = keys
                    .iter()
                    .map(|key| serde_json::json!({"name": key.name, "tenant": key.tenant, "scope": key.scope, "origins": key.origins}))
                    .collect();
                output::json(&shown)?;
            } else {
                for key in &keys {
                    output::line(format!(
                        "{}  {:?}  shop {}  {}",
                        key.name,
                        key.scope,
                        key.tenant,
                        key.origins.join(" ")
                    ));
                }
            }
        }
        KeyCommand::Revoke { name } => {
            let before = keys.len();
            keys.retain(|key| key.name != name);
            if keys.len() == before {
                bail!("there is no key named {name:?}; `mercer key list` shows them");
            }
            save(&settings.data, keys)?;
            output::note("Revoked. A running server forgets it at its next start.");
        }
    }
    Ok(Outcome::Done)
}
