//! Settings from the environment and the file.

use std::collections::BTreeMap;
use std::time::Duration;

use mercer_model::settings::ModelFile;
use mercer_model::{ModelError, ModelRole, ModelSettings};

fn read_with(pairs: &[(&str, &str)], file: &str) -> Result<ModelSettings, ModelError> {
    let map: BTreeMap<_, _> = pairs.iter().copied().collect();
    let file: ModelFile = toml::from_str(file).unwrap();
    ModelSettings::read(&|name| map.get(name).map(|&value| value.to_owned()), &file)
}

fn read(pairs: &[(&str, &str)]) -> ModelSettings {
    read_with(pairs, "").unwrap()
}

/// `model base_url key` of a role.
fn shown(settings: &ModelSettings, role: ModelRole) -> String {
    settings.role(role).map_or("none".into(), |endpoint| {
        let key = endpoint.api_key.as_ref().map_or("-", |key| key.reveal());
        format!("{} {} {key}", endpoint.model, endpoint.base_url)
    })
}

#[test]
fn with_nothing_set_every_role_is_empty_and_the_error_says_what_to_set() {
    let settings = read(&[("OPENAI_API_KEY", "  ")]);
    for role in ModelRole::ALL {
        assert_eq!(shown(&settings, role), "none");
    }
    let error = settings.require(ModelRole::Chat).unwrap_err();
    assert!(error.operator().contains("MERCER_MODEL"), "{}", error.operator());
    assert!(settings.notes.is_empty());
}

#[test]
fn the_names_people_already_have_work() {
    let chat = |pairs: &[(&str, &str)]| shown(&read(pairs), ModelRole::Chat);
    assert_eq!(
        chat(&[("OPENAI_API_KEY", "sk-1"), ("OPENAI_MODEL", "gpt-4o-mini")]),
        "gpt-4o-mini https://api.openai.com/v1 sk-1"
    );
    assert_eq!(
        chat(&[("LLM_MODEL_ID", "qwen-plus"), ("LLM_BASE_URL", "https://q.example/v1/"), ("LLM_API_KEY", "k")]),
        "qwen-plus https://q.example/v1 k"
    );
    assert_eq!(
        chat(&[
            ("MERCER_MODEL", "m"),
            ("MERCER_MODEL_BASE_URL", "http://localhost:8085/v1/chat/completions"),
            ("MERCER_MODEL_API_KEY", "k1"),
            ("OPENAI_MODEL", "other"),
        ]),
        "m http://localhost:8085/v1 k1"
    );
}

#[test]
fn a_key_is_never_sent_to_a_server_it_was_not_set_for() {
    let settings = read(&[
        ("MERCER_MODEL", "m"),
        ("MERCER_MODEL_BASE_URL", "http://elsewhere.example/v1"),
        ("OPENAI_API_KEY", "sk-secret"),
    ]);
    assert_eq!(shown(&settings, ModelRole::Chat), "m http://elsewhere.example/v1 -");
    assert!(settings.notes.iter().any(|note| note.contains("OPENAI_API_KEY") && !note.contains("sk-secret")));

    let settings = read(&[
        ("MERCER_MODEL", "m"),
        ("MERCER_MODEL_API_KEY", "k"),
        ("MERCER_EMBEDDING_MODEL", "e"),
        ("MERCER_EMBEDDING_MODEL_BASE_URL", "http://elsewhere.example/v1"),
        ("MERCER_JUDGE_MODEL", "j"),
    ]);
    assert_eq!(shown(&settings, ModelRole::Embedding), "e http://elsewhere.example/v1 -");
    assert_eq!(shown(&settings, ModelRole::Judge), "j https://api.openai.com/v1 k");
}

#[test]
fn a_key_without_a_model_is_said_and_not_an_error() {
    let settings = read(&[("OPENAI_API_KEY", "sk-secret")]);
    assert_eq!(shown(&settings, ModelRole::Chat), "none");
    assert_eq!(settings.notes.len(), 1);
    assert!(settings.notes[0].contains("OPENAI_API_KEY") && !settings.notes[0].contains("sk-secret"));
}

#[test]
fn judge_falls_back_to_chat_and_vision_only_when_chat_can_see() {
    let blind = read(&[("MERCER_MODEL", "deepseek-chat")]);
    assert_eq!(shown(&blind, ModelRole::Vision), "none");
    assert!(shown(&blind, ModelRole::Judge).starts_with("deepseek-chat"));
    let seeing = read(&[("MERCER_MODEL", "qwen2.5-vl-7b")]);
    assert!(shown(&seeing, ModelRole::Vision).starts_with("qwen2.5-vl-7b"));
    assert_eq!(shown(&seeing, ModelRole::Embedding), "none");
}

#[test]
fn the_file_fills_what_the_environment_leaves_open() {
    let file = r#"
        retries = 1
        [chat]
        model = "from-file"
        base_url = "https://file.example/v1"
        api_key_env = "SHOP_KEY"
        [[fallback]]
        model = "small"
        [[fallback]]
        model = "away"
        base_url = "https://away.example/v1"
        [timeouts]
        idle = 7
        [prices.from-file]
        currency = "CNY"
        prompt = "0.8"
        completion = "2"
    "#;
    let settings = read_with(&[("SHOP_KEY", "k"), ("LLM_TIMEOUT", "60"), ("OPENAI_MODEL", "x")], file).unwrap();
    assert_eq!(shown(&settings, ModelRole::Chat), "from-file https://file.example/v1 k");
    assert!(settings.require(ModelRole::Chat).unwrap().price.is_some());
    assert_eq!((settings.retries, settings.timeouts.idle), (1, Duration::from_secs(7)));
    assert_eq!(settings.timeouts.total, Duration::from_secs(60));
    let keys: Vec<bool> = settings.fallbacks.iter().map(|endpoint| endpoint.api_key.is_some()).collect();
    assert_eq!(keys, [true, false], "a fallback on another server does not get the key");
    assert!(matches!(read_with(&[], file), Err(ModelError::Setting { .. })), "a named key that is missing is an error");
}

#[test]
fn settings_that_cannot_be_used_are_named() {
    for (pairs, names) in [
        (vec![("MERCER_MODEL", "m"), ("MERCER_MODEL_BASE_URL", "localhost:80")], "chat.base_url"),
        (vec![("MERCER_MODEL", "m"), ("MERCER_MODEL_BASE_URL", "http://u:p@h/v1")], "chat.base_url"),
        (vec![("MERCER_MODEL_TIMEOUT", "ten")], "MERCER_MODEL_TIMEOUT"),
        (vec![("MERCER_MODEL_CONCURRENCY", "0")], "concurrency"),
    ] {
        let error = read_with(&pairs, "").unwrap_err().to_string();
        assert!(error.contains(names), "{error}");
        assert!(!error.contains("u:p"), "{error}");
    }
}

#[test]
fn keys_are_shown_nowhere() {
    let settings = read(&[("MERCER_MODEL", "m"), ("MERCER_MODEL_API_KEY", "sk-very-secret")]);
    let endpoint = settings.require(ModelRole::Chat).unwrap();
    let lines: String = settings.describe().iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    let shown = format!("{settings:?} {endpoint:?} {} {lines}", serde_json::to_string(endpoint).unwrap());
    assert!(!shown.contains("sk-very-secret"));
    assert!(lines.contains("chat.api_key = [redacted] (environment MERCER_MODEL_API_KEY)"), "{lines}");
    assert!(lines.contains("chat.base_url = https://api.openai.com/v1 (default)"), "{lines}");
}

#[test]
fn a_key_in_the_query_of_an_address_is_used_and_never_shown() {
    let settings = read(&[("MERCER_MODEL", "m"), ("MERCER_MODEL_BASE_URL", "http://127.0.0.1:1/v1?api_key=SECRET")]);
    let told = settings.describe().iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    assert!(!told.contains("SECRET") && told.contains("http://127.0.0.1:1/v1?"), "{told}");
    assert!(settings.role(ModelRole::Chat).unwrap().base_url.ends_with("api_key=SECRET"));
}

#[test]
fn anthropic_and_gemini_are_found_by_their_own_names_and_addresses() {
    use mercer_model::Wire;
    let chat = |pairs: &[(&str, &str)]| {
        let settings = read(pairs);
        let endpoint = settings.role(ModelRole::Chat).unwrap().clone();
        (shown(&settings, ModelRole::Chat), endpoint.wire())
    };
    let anthropic = |model: &str, key: &str| (format!("{model} https://api.anthropic.com {key}"), Wire::Anthropic);
    assert_eq!(chat(&[("ANTHROPIC_API_KEY", "a"), ("ANTHROPIC_MODEL", "claude-x")]), anthropic("claude-x", "a"));
    assert_eq!(chat(&[("ANTHROPIC_API_KEY", "a"), ("MERCER_MODEL", "claude-x")]), anthropic("claude-x", "a"));
    let (shown, wire) = chat(&[("GEMINI_API_KEY", "g"), ("MERCER_MODEL", "gemini-2.5-flash")]);
    assert_eq!(
        (shown.as_str(), wire),
        ("gemini-2.5-flash https://generativelanguage.googleapis.com/v1beta g", Wire::Gemini)
    );
    // The same models behind somebody else's address stay with what speaks there, and get no key that is not its own.
    let (shown, wire) = chat(&[
        ("ANTHROPIC_API_KEY", "a"),
        ("MERCER_MODEL", "claude-x"),
        ("MERCER_MODEL_BASE_URL", "https://proxy.example/v1"),
    ]);
    assert_eq!((shown.as_str(), wire), ("claude-x https://proxy.example/v1 -", Wire::OpenAi));
    let (shown, wire) = chat(&[
        ("MERCER_MODEL", "m"),
        ("MERCER_MODEL_API_KEY", "k"),
        ("MERCER_MODEL_BASE_URL", "https://api.deepseek.com/anthropic"),
    ]);
    assert_eq!((shown.as_str(), wire), ("m https://api.deepseek.com/anthropic k", Wire::Anthropic));
    let (_, wire) = chat(&[
        ("MERCER_MODEL", "g"),
        ("MERCER_MODEL_BASE_URL", "https://generativelanguage.googleapis.com/v1beta/openai"),
    ]);
    assert_eq!(wire, Wire::OpenAi);
    let (_, wire) = chat(&[
        ("MERCER_MODEL", "m"),
        ("MERCER_MODEL_BASE_URL", "http://127.0.0.1:1"),
        ("MERCER_MODEL_PROTOCOL", "anthropic"),
    ]);
    assert_eq!(wire, Wire::Anthropic);
    // A key of Anthropic's alone chooses nothing and disturbs nobody.
    let settings = read(&[("ANTHROPIC_API_KEY", "a"), ("OPENAI_API_KEY", "o"), ("OPENAI_MODEL", "gpt-4o")]);
    assert_eq!(self::shown(&settings, ModelRole::Chat), "gpt-4o https://api.openai.com/v1 o");
    assert!(settings.notes.is_empty(), "{:?}", settings.notes);
    let settings = read(&[("MERCER_MODEL", "claude-x"), ("ANTHROPIC_API_KEY", "a"), ("MERCER_MODEL_THINKING", "2048")]);
    assert_eq!(settings.role(ModelRole::Chat).unwrap().thinking, Some(2_048));
    assert!(read_with(&[("MERCER_MODEL", "m"), ("MERCER_MODEL_PROTOCOL", "grpc")], "").is_err());
}
