//! Finding each value: in the program's own variables, in the file, in the names of others.

use std::time::Duration;

use url::Url;

use super::{
    Endpoint, EndpointFile, Explained, ModelFile, ModelRole, ModelSettings, Price, Source, Timeouts, TimeoutsFile, Wire,
};
use crate::error::ModelError;
use crate::redacted::{Redacted, SHOWN};

/// Where OpenAI's own API is.
const OPENAI: &str = "https://api.openai.com/v1";

type Env<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Names that others use, and the server they mean.
struct Family {
    model: &'static str,
    base_url: &'static str,
    key: &'static str,
    /// Where its API is when no address is set; none when there is no such place.
    home: Option<&'static str>,
    /// How its models' names begin, for providers with a protocol of their own.
    prefix: Option<&'static str>,
}

const FAMILIES: [Family; 4] = [
    Family { model: "LLM_MODEL_ID", base_url: "LLM_BASE_URL", key: "LLM_API_KEY", home: None, prefix: None },
    Family {
        model: "OPENAI_MODEL",
        base_url: "OPENAI_BASE_URL",
        key: "OPENAI_API_KEY",
        home: Some(OPENAI),
        prefix: None,
    },
    Family {
        model: "ANTHROPIC_MODEL",
        base_url: "ANTHROPIC_BASE_URL",
        key: "ANTHROPIC_API_KEY",
        home: Some("https://api.anthropic.com"),
        prefix: Some("claude"),
    },
    Family {
        model: "GEMINI_MODEL",
        base_url: "GEMINI_BASE_URL",
        key: "GEMINI_API_KEY",
        home: Some("https://generativelanguage.googleapis.com/v1beta"),
        prefix: Some("gemini"),
    },
];

/// A value and where it was found.
type Found = Option<(String, Source)>;

fn variable(env: Env<'_>, name: &str) -> Found {
    let value = env(name)?.trim().to_owned();
    (!value.is_empty()).then(|| (value, Source::Environment(name.to_owned())))
}

fn in_file(value: Option<&String>, key: String) -> Found {
    let value = value?.trim().to_owned();
    (!value.is_empty()).then_some((value, Source::File(key)))
}

fn bad(setting: &str, detail: impl Into<String>) -> ModelError {
    ModelError::Setting { setting: setting.to_owned(), detail: detail.into() }
}

pub(super) fn read(env: Env<'_>, file: &ModelFile) -> Result<ModelSettings, ModelError> {
    let mut settings = ModelSettings::default();
    if let Some(chat) = chat(env, file, &mut settings)? {
        settings.roles.insert(ModelRole::Chat, chat);
    }
    for role in ModelRole::ALL {
        if role != ModelRole::Chat
            && let Some(endpoint) = other_role(role, env, file, &mut settings)?
        {
            settings.roles.insert(role, endpoint);
        }
    }
    settings.fallbacks = fallbacks(env, file, &mut settings)?;
    numbers(env, file, &mut settings)?;
    prices(file, &mut settings)?;
    Ok(settings)
}

fn section(file: &ModelFile, role: ModelRole) -> &EndpointFile {
    match role {
        ModelRole::Chat => &file.chat,
        ModelRole::Vision => &file.vision,
        ModelRole::Judge => &file.judge,
        ModelRole::Embedding => &file.embedding,
        ModelRole::Image => &file.image,
    }
}

fn chat(env: Env<'_>, file: &ModelFile, settings: &mut ModelSettings) -> Result<Option<Endpoint>, ModelError> {
    let own = own(ModelRole::Chat, env, file)?;
    let mut named = own.model.map(|found| (found, None));
    if named.is_none() {
        named = FAMILIES.iter().find_map(|family| Some((variable(env, family.model)?, Some(family))));
    }
    let native = native(env, named.as_ref());
    let model = named.map(|(found, _)| found);
    let base = own.base_url.or_else(|| match native {
        Some(family) => variable(env, family.base_url).or_else(|| Some((family.home?.to_owned(), Source::Default))),
        None => FAMILIES.iter().filter(|family| family.prefix.is_none()).find_map(|f| variable(env, f.base_url)),
    });
    let key = match own.key {
        Some(key) => Some(key),
        None => others_key(env, base.as_ref(), settings),
    };
    let Some((model, model_source)) = model else {
        if let Some((_, source)) = key.or(base) {
            settings.notes.push(format!("{source} is set but no model is named: set MERCER_MODEL to use it"));
        }
        return Ok(None);
    };
    let (base_url, base_source) = base.unwrap_or_else(|| (OPENAI.to_owned(), Source::Default));
    let mut endpoint = Endpoint::new(model, address("chat.base_url", &base_url)?);
    settings.explain("chat.model", &endpoint.model, model_source);
    settings.explain("chat.base_url", &endpoint.base_url, base_source);
    settings.take_key(&mut endpoint, "chat", key);
    (endpoint.sees, endpoint.tools) = (file.chat.sees, file.chat.tools);
    (endpoint.wire, endpoint.thinking) = spoken(ModelRole::Chat, env, file, settings)?;
    Ok(Some(endpoint))
}

/// The family with its own protocol that the model belongs to: named by its variable, or by its own name when the key
/// of that family is there and no other address is.
fn native(env: Env<'_>, named: Option<&((String, Source), Option<&'static Family>)>) -> Option<&'static Family> {
    let ((model, _), family) = named?;
    if let Some(family) = family {
        return family.prefix.and(Some(*family));
    }
    let addressed = FAMILIES.iter().any(|family| family.prefix.is_none() && variable(env, family.base_url).is_some());
    let own = |family: &&Family| family.prefix.is_some_and(|prefix| model.starts_with(prefix));
    FAMILIES.iter().find(own).filter(|family| !addressed && variable(env, family.key).is_some())
}

/// The protocol and the tokens of thinking that are set for a role.
fn spoken(
    role: ModelRole,
    env: Env<'_>,
    file: &ModelFile,
    settings: &mut ModelSettings,
) -> Result<(Option<Wire>, Option<u32>), ModelError> {
    let (part, name) = (section(file, role), role.variable());
    let found = variable(env, &format!("{name}_PROTOCOL"))
        .or_else(|| in_file(part.protocol.as_ref(), format!("model.{role}.protocol")));
    let setting = format!("{role}.protocol");
    let wire = match found {
        Some((text, source)) => {
            let wire = protocol(&setting, &text)?;
            settings.explain(&setting, &text, source);
            Some(wire)
        }
        None => None,
    };
    let variable = format!("{name}_THINKING");
    let thinking = number(env, &[&variable], part.thinking, &format!("{role}.thinking"), settings)?;
    Ok((wire, thinking))
}

fn protocol(setting: &str, text: &str) -> Result<Wire, ModelError> {
    text.parse().map_err(|()| bad(setting, format!("{text:?} is not openai, anthropic or gemini")))
}

/// The key in another's name, when it was set for the server that is asked.
fn others_key(env: Env<'_>, base: Option<&(String, Source)>, settings: &mut ModelSettings) -> Found {
    for family in &FAMILIES {
        let Some(key) = variable(env, family.key) else { continue };
        let own_server = match base {
            None => family.prefix.is_none(),
            Some((_, Source::Environment(name))) if name == family.base_url => true,
            Some((url, _)) => {
                let home =
                    variable(env, family.base_url).map(|(home, _)| home).or_else(|| family.home.map(str::to_owned));
                home.is_some_and(|home| origin(&home) == origin(url))
            }
        };
        if own_server {
            return Some(key);
        }
        // Keys of these are often there for other programs.
        if family.prefix.is_none() {
            let key_name = family.key;
            settings.notes.push(format!(
                "{key_name} is set but not used, because the model's address was set apart from it: set MERCER_MODEL_API_KEY to send a key there"
            ));
        }
    }
    None
}

fn origin(url: &str) -> Option<url::Origin> {
    Url::parse(url).ok().map(|url| url.origin())
}

/// What a role's own variables and its part of the file say.
struct Own {
    model: Found,
    base_url: Found,
    key: Found,
}

fn own(role: ModelRole, env: Env<'_>, file: &ModelFile) -> Result<Own, ModelError> {
    let name = role.variable();
    let part = section(file, role);
    let key = |field: &str| format!("model.{role}.{field}");
    Ok(Own {
        model: variable(env, name).or_else(|| in_file(part.model.as_ref(), key("model"))),
        base_url: variable(env, &format!("{name}_BASE_URL"))
            .or_else(|| in_file(part.base_url.as_ref(), key("base_url"))),
        key: match variable(env, &format!("{name}_API_KEY")) {
            Some(found) => Some(found),
            None => key_in_file(part, &key("api_key"), env)?,
        },
    })
}

fn key_in_file(part: &EndpointFile, setting: &str, env: Env<'_>) -> Result<Found, ModelError> {
    if let Some(name) = &part.api_key_env {
        let missing = || bad(&format!("{setting}_env"), format!("the environment has no {name}"));
        return variable(env, name).map(Some).ok_or_else(missing);
    }
    Ok(in_file(part.api_key.as_ref().map(Redacted::reveal), setting.to_owned()))
}

fn other_role(
    role: ModelRole,
    env: Env<'_>,
    file: &ModelFile,
    settings: &mut ModelSettings,
) -> Result<Option<Endpoint>, ModelError> {
    let own = own(role, env, file)?;
    let Some((model, source)) = own.model else {
        if let Some((_, source)) = own.base_url.or(own.key) {
            settings
                .notes
                .push(format!("{source} is set but {} is not: the role {role} has no model", role.variable()));
        }
        return Ok(None);
    };
    let chat = settings.roles.get(&ModelRole::Chat).cloned();
    let inherited = || chat.as_ref().map(|chat| (chat.base_url.clone(), Source::Role("chat".into())));
    let inherits = own.base_url.is_none();
    let (base_url, base_source) =
        own.base_url.or_else(inherited).unwrap_or_else(|| (OPENAI.to_owned(), Source::Default));
    let mut endpoint = Endpoint::new(model, address(&format!("{role}.base_url"), &base_url)?);
    let key = own.key.or_else(|| {
        let chat = chat.as_ref().filter(|chat| origin(&chat.base_url) == origin(&endpoint.base_url))?;
        Some((chat.api_key.as_ref()?.reveal().clone(), Source::Role("chat".into())))
    });
    settings.explain(&format!("{role}.model"), &endpoint.model, source);
    settings.explain(&format!("{role}.base_url"), &endpoint.base_url, base_source);
    settings.take_key(&mut endpoint, role.as_str(), key);
    let part = section(file, role);
    (endpoint.sees, endpoint.tools) = (part.sees.or((role == ModelRole::Vision).then_some(true)), part.tools);
    (endpoint.wire, endpoint.thinking) = spoken(role, env, file, settings)?;
    if inherits && endpoint.wire.is_none() {
        endpoint.wire = chat.and_then(|chat| chat.wire);
    }
    Ok(Some(endpoint))
}

fn fallbacks(env: Env<'_>, file: &ModelFile, settings: &mut ModelSettings) -> Result<Vec<Endpoint>, ModelError> {
    let Some(chat) = settings.roles.get(&ModelRole::Chat).cloned() else { return Ok(Vec::new()) };
    let same_server = |model: &str| Endpoint { model: model.to_owned(), sees: None, tools: None, ..chat.clone() };
    if let Some((names, source)) = variable(env, "MERCER_MODEL_FALLBACK") {
        settings.explain("fallback", &names, source);
        return Ok(names.split(',').map(str::trim).filter(|name| !name.is_empty()).map(same_server).collect());
    }
    let mut list = Vec::new();
    for (n, part) in file.fallback.iter().enumerate() {
        let setting = format!("model.fallback[{n}]");
        let model = part.model.as_ref().ok_or_else(|| bad(&setting, "it names no model"))?;
        let mut endpoint = same_server(model);
        if let Some(url) = &part.base_url {
            endpoint.base_url = address(&setting, url)?;
            endpoint.wire = None;
        }
        if let Some(text) = &part.protocol {
            endpoint.wire = Some(protocol(&setting, text)?);
        }
        endpoint.thinking = part.thinking;
        match key_in_file(part, &format!("{setting}.api_key"), env)? {
            Some((key, _)) => endpoint.api_key = Some(Redacted::new(key)),
            None if origin(&endpoint.base_url) != origin(&chat.base_url) => endpoint.api_key = None,
            None => {}
        }
        (endpoint.sees, endpoint.tools) = (part.sees, part.tools);
        settings.explain(
            &setting,
            &format!("{} at {}", endpoint.model, endpoint.base_url),
            Source::File(setting.clone()),
        );
        list.push(endpoint);
    }
    Ok(list)
}

fn address(setting: &str, text: &str) -> Result<String, ModelError> {
    let url = Url::parse(text).map_err(|error| bad(setting, format!("{text:?} is not an address: {error}")))?;
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
        return Err(bad(setting, format!("{text:?} must begin with http:// or https:// and name a host")));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(bad(setting, "an address must not hold a user name or password"));
    }
    // The path that people copy from an example.
    Ok(text.trim_end_matches('/').trim_end_matches("/chat/completions").to_owned())
}

fn number<T: std::str::FromStr + ToString>(
    env: Env<'_>,
    names: &[&str],
    in_file: Option<T>,
    key: &str,
    settings: &mut ModelSettings,
) -> Result<Option<T>, ModelError> {
    for name in names {
        if let Some((text, source)) = variable(env, name) {
            let value = text.parse().ok().ok_or_else(|| bad(name, format!("{text:?} is not a whole number")))?;
            settings.explain(key, &text, source);
            return Ok(Some(value));
        }
    }
    if let Some(value) = &in_file {
        settings.explain(key, &value.to_string(), Source::File(format!("model.{key}")));
    }
    Ok(in_file)
}

fn numbers(env: Env<'_>, file: &ModelFile, settings: &mut ModelSettings) -> Result<(), ModelError> {
    let mut timeouts = Timeouts::default();
    let TimeoutsFile { connect, first_token, idle, total } = file.timeouts;
    let waits: [(&mut Duration, &[&str], Option<u64>, &str); 4] = [
        (&mut timeouts.connect, &["MERCER_MODEL_CONNECT_TIMEOUT"], connect, "timeouts.connect"),
        (&mut timeouts.first_token, &["MERCER_MODEL_FIRST_TOKEN_TIMEOUT"], first_token, "timeouts.first_token"),
        (&mut timeouts.idle, &["MERCER_MODEL_IDLE_TIMEOUT"], idle, "timeouts.idle"),
        (&mut timeouts.total, &["MERCER_MODEL_TIMEOUT", "LLM_TIMEOUT"], total, "timeouts.total"),
    ];
    for (wait, names, in_file, key) in waits {
        if let Some(seconds) = number::<u64>(env, names, in_file, key, settings)? {
            if seconds == 0 {
                return Err(bad(key, "a wait of 0 seconds always fails"));
            }
            *wait = Duration::from_secs(seconds);
        }
    }
    settings.timeouts = timeouts;
    settings.retries = number(env, &["MERCER_MODEL_RETRIES"], file.retries, "retries", settings)?.unwrap_or(3);
    let concurrency = number(env, &["MERCER_MODEL_CONCURRENCY"], file.concurrency, "concurrency", settings)?;
    settings.concurrency = concurrency.unwrap_or(16);
    if settings.concurrency == 0 {
        return Err(bad("concurrency", "0 calls at a time means none ever"));
    }
    let names = ["MERCER_MODEL_TOKENS_PER_MINUTE"];
    settings.tokens_per_minute = number(env, &names, file.tokens_per_minute, "tokens_per_minute", settings)?;
    Ok(())
}

fn prices(file: &ModelFile, settings: &mut ModelSettings) -> Result<(), ModelError> {
    for (model, price) in &file.prices {
        let setting = format!("model.prices.{model}");
        let price = Price::new(&price.currency, &price.prompt, price.cached.as_deref(), &price.completion)
            .map_err(|error| bad(&setting, error.to_string()))?;
        let endpoints = settings.roles.values_mut().chain(&mut settings.fallbacks);
        for endpoint in endpoints.filter(|endpoint| endpoint.model == *model) {
            endpoint.price = Some(price.clone());
        }
    }
    Ok(())
}

impl ModelSettings {
    fn explain(&mut self, setting: &str, value: &str, source: Source) {
        // The query of an address may hold a key.
        let value = match value.split_once('?') {
            Some((address, _)) => format!("{address}?{SHOWN}"),
            None => value.to_owned(),
        };
        self.explained.push(Explained { setting: setting.to_owned(), value, source });
    }

    fn take_key(&mut self, endpoint: &mut Endpoint, role: &str, key: Found) {
        if let Some((key, source)) = key {
            self.explain(&format!("{role}.api_key"), SHOWN, source);
            endpoint.api_key = Some(Redacted::new(key));
        }
    }
}
