//! Settings, read once: command line first, then the environment, then `.env`, then the settings file, then defaults.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use mercer_model::settings::{ModelFile, ModelSettings};
use mercer_shop::{Currency, TenantId};
use serde::{Deserialize, Serialize};

use crate::args::Common;

/// The settings file, `mercer.toml`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct File {
    listen: Option<SocketAddr>,
    tenant: Option<String>,
    currency: Option<String>,
    log: Option<String>,
    search: SearchFile,
    model: ModelFile,
}

/// An existing search service to ask instead of the own index.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct SearchFile {
    api_url: Option<String>,
    tenant: Option<String>,
}

/// A search service of the `POST /search/` protocol.
#[derive(Debug, Clone)]
pub(crate) struct RemoteSearch {
    pub(crate) url: String,
    pub(crate) tenant: String,
}

/// All settings, checked.
#[derive(Debug)]
pub(crate) struct Settings {
    pub(crate) data: PathBuf,
    pub(crate) tenant: TenantId,
    pub(crate) listen: SocketAddr,
    pub(crate) currency: Option<Currency>,
    pub(crate) log: String,
    pub(crate) remote_search: Option<RemoteSearch>,
    pub(crate) model: ModelSettings,
    pub(crate) lines: Vec<Line>,
}

/// One setting as `config --explain` shows it.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Line {
    pub(crate) setting: String,
    pub(crate) value: String,
    pub(crate) source: String,
    pub(crate) about: &'static str,
}

/// The environment with `.env` under it: what is really set wins.
pub(crate) struct Environment(BTreeMap<String, String>);

impl Environment {
    /// Reads the process's environment and `.env` of the working folder.
    pub(crate) fn read() -> anyhow::Result<Self> {
        let mut values = BTreeMap::new();
        if Path::new(".env").is_file() {
            for entry in dotenvy::from_path_iter(".env").context("reading .env")? {
                let (name, value) = entry.context("reading .env: each line is NAME=value")?;
                values.insert(name, value);
            }
        }
        values.extend(
            std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?))),
        );
        Ok(Self(values))
    }

    /// With another chat model than the one that is set, on the same server.
    pub(crate) fn with_model(mut self, model: Option<&str>) -> Self {
        if let Some(model) = model {
            self.0.insert("MERCER_MODEL".to_owned(), model.to_owned());
        }
        self
    }

    pub(crate) fn get(&self, name: &str) -> Option<String> {
        self.0.get(name).map(|value| value.trim().to_owned()).filter(|value| !value.is_empty())
    }
}

/// A value with where it came from, first come first served.
struct Pick<'a> {
    env: &'a Environment,
    lines: Vec<Line>,
}

impl Pick<'_> {
    fn pick(
        &mut self,
        setting: &'static str,
        about: &'static str,
        argument: Option<String>,
        variable: &'static str,
        file: Option<String>,
    ) -> Option<String> {
        let from_env = || self.env.get(variable).map(|value| (value, format!("environment {variable}")));
        let found = argument
            .map(|value| (value, "command line".to_owned()))
            .or_else(from_env)
            .or_else(|| file.map(|value| (value, "settings file".to_owned())));
        let (value, source) = match &found {
            Some((value, source)) => (value.clone(), source.clone()),
            None => ("not set".to_owned(), "default".to_owned()),
        };
        self.lines.push(Line { setting: setting.to_owned(), value, source, about });
        found.map(|(value, _)| value)
    }

    /// Shows the value that stands for "not set".
    fn default(&mut self, value: &impl ToString) {
        if let Some(line) = self.lines.last_mut().filter(|line| line.source == "default") {
            line.value = value.to_string();
        }
    }
}

impl Settings {
    /// Reads everything there is to set.
    ///
    /// # Errors
    /// When a file cannot be read or a value cannot be used; the message names the setting.
    pub(crate) fn read(common: &Common, listen: Option<SocketAddr>, env: &Environment) -> anyhow::Result<Self> {
        let mut pick = Pick { env, lines: Vec::new() };
        let text = |path: &PathBuf| path.to_string_lossy().into_owned();
        let data = pick.pick(
            "data",
            "The folder that holds everything: database, index, files.",
            common.data.as_ref().map(text),
            "MERCER_DATA",
            None,
        );
        let data = PathBuf::from(data.unwrap_or_else(|| "mercer-data".to_owned()));
        pick.default(&data.display());

        let config = pick.pick("config", "The settings file.", common.config.as_ref().map(text), "MERCER_CONFIG", None);
        let (path, named) = match config {
            Some(path) => (PathBuf::from(path), true),
            None => (data.join("mercer.toml"), false),
        };
        pick.default(&path.display());
        let file = read_file(&path, named)?;

        let tenant =
            pick.pick("tenant", "The shop that commands act on.", common.tenant.clone(), "MERCER_TENANT", file.tenant);
        let tenant = tenant.map_or_else(|| Ok(TenantId::single()), TenantId::new).context("tenant")?;
        pick.default(&tenant);

        let listen = pick.pick(
            "listen",
            "Where `mercer serve` listens; beyond this machine keys are needed.",
            listen.map(|address| address.to_string()),
            "MERCER_LISTEN",
            file.listen.map(|address| address.to_string()),
        );
        let listen = listen.as_deref().unwrap_or("127.0.0.1:8787");
        let listen: SocketAddr = listen
            .parse()
            .with_context(|| format!("listen: {listen:?} is not an address with a port such as 127.0.0.1:8787"))?;
        pick.default(&listen);

        let currency =
            pick.pick("currency", "The currency of prices that state none.", None, "MERCER_CURRENCY", file.currency);
        let currency = currency.as_deref().map(Currency::new).transpose().context("currency")?;

        let log = pick.pick(
            "log",
            "What is logged: error, warn, info, debug, or a filter such as mercer_search=debug.",
            None,
            "MERCER_LOG",
            file.log,
        );
        let log = log.unwrap_or_else(|| "warn".to_owned());
        pick.default(&log);

        let url = pick.pick(
            "search.api_url",
            "An existing search service of the POST /search/ protocol, asked instead of the own index.",
            None,
            "MERCER_SEARCH_API_URL",
            file.search.api_url,
        );
        let search_tenant =
            pick.pick("search.tenant", "The X-Tenant-ID sent to it.", None, "MERCER_SEARCH_TENANT", file.search.tenant);
        let remote_search =
            url.map(|url| RemoteSearch { url, tenant: search_tenant.unwrap_or_else(|| tenant.to_string()) });

        let model = ModelSettings::read(&|name| env.get(name), &file.model)?;
        let mut lines = pick.lines;
        lines.extend(model.describe().iter().map(|line| Line {
            setting: format!("model.{}", line.setting),
            value: line.value.clone(),
            source: line.source.to_string(),
            about: "See docs/settings.md.",
        }));
        Ok(Self { data, tenant, listen, currency, log, remote_search, model, lines })
    }
}

fn read_file(path: &Path, named: bool) -> anyhow::Result<File> {
    match std::fs::read_to_string(path) {
        Ok(text) => toml::from_str(&text).with_context(|| format!("reading {}", path.display())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound && !named => Ok(File::default()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            bail!("there is no settings file {}", path.display())
        }
        Err(error) => Err(error).with_context(|| format!("reading {}", path.display())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn common(data: &Path) -> Common {
        Common { data: Some(data.to_owned()), tenant: None, config: None, json: false }
    }

    #[test]
    fn the_command_line_wins_over_the_environment_and_that_over_the_file() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("mercer.toml"), "tenant = \"file\"\ncurrency = \"EUR\"\n").unwrap();
        let env = Environment(BTreeMap::from([("MERCER_TENANT".into(), "env".into())]));
        let settings = Settings::read(&common(folder.path()), None, &env).unwrap();
        assert_eq!(settings.tenant.as_str(), "env");
        assert_eq!(settings.currency, Some(Currency::EUR));
        let with_argument = Common { tenant: Some("arg".into()), ..common(folder.path()) };
        assert_eq!(Settings::read(&with_argument, None, &env).unwrap().tenant.as_str(), "arg");
        let line = settings.lines.iter().find(|line| line.setting == "tenant").unwrap();
        assert_eq!(line.source, "environment MERCER_TENANT");
    }

    #[test]
    fn a_misspelt_setting_is_an_error_and_a_key_is_never_shown() {
        let folder = tempfile::tempdir().unwrap();
        let env = Environment(BTreeMap::from([
            ("OPENAI_API_KEY".into(), "sk-secret".into()),
            ("OPENAI_MODEL".into(), "gpt-x".into()),
        ]));
        let settings = Settings::read(&common(folder.path()), None, &env).unwrap();
        let shown = serde_json::to_string(&settings.lines).unwrap() + &format!("{settings:?}");
        assert!(!shown.contains("sk-secret"), "{shown}");
        std::fs::write(folder.path().join("mercer.toml"), "tenat = \"a\"\n").unwrap();
        let error = Settings::read(&common(folder.path()), None, &env).unwrap_err();
        assert!(format!("{error:#}").contains("tenat"), "{error:#}");
    }
}
