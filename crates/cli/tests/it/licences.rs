//! What is linked into the program has a licence that `deny.toml` allows. `cargo deny` says the same where it is installed; this says it everywhere.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Whether a licence expression can be met with allowed licences alone: one side of an OR, both sides of an AND.
fn is_met(expression: &str, allowed: &BTreeSet<String>) -> bool {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut at = 0;
    either(&words, &mut at, allowed) && at == words.len()
}

fn either(words: &[&str], at: &mut usize, allowed: &BTreeSet<String>) -> bool {
    let mut met = both(words, at, allowed);
    while words.get(*at) == Some(&"OR") {
        *at += 1;
        met |= both(words, at, allowed);
    }
    met
}

fn both(words: &[&str], at: &mut usize, allowed: &BTreeSet<String>) -> bool {
    let mut met = one(words, at, allowed);
    while words.get(*at) == Some(&"AND") {
        *at += 1;
        met &= one(words, at, allowed);
    }
    met
}

fn one(words: &[&str], at: &mut usize, allowed: &BTreeSet<String>) -> bool {
    let Some(word) = words.get(*at) else { return false };
    *at += 1;
    if *word == "(" {
        let met = either(words, at, allowed);
        *at += 1;
        return met;
    }
    let mut name = (*word).to_owned();
    if let (Some(&"WITH"), Some(exception)) = (words.get(*at), words.get(*at + 1)) {
        name = format!("{name} WITH {exception}");
        *at += 2;
    }
    allowed.contains(&name)
}

#[test]
fn an_expression_needs_one_side_of_or_and_both_sides_of_and() {
    let allowed: BTreeSet<String> = ["MIT", "ISC", "Apache-2.0 WITH LLVM-exception"].map(str::to_owned).into();
    for met in [
        "MIT",
        "GPL-3.0 OR MIT",
        "MIT/GPL-3.0",
        "(GPL-3.0 OR MIT) AND ISC",
        "Apache-2.0 WITH LLVM-exception",
        "MIT AND ISC",
    ] {
        assert!(is_met(met, &allowed), "{met}");
    }
    for unmet in ["", "GPL-3.0", "MIT AND GPL-3.0", "(MIT OR ISC) AND GPL-3.0", "Apache-2.0", "MIT AND", "( MIT"] {
        assert!(!is_met(unmet, &allowed), "{unmet}");
    }
}

/// What a command prints, or `None` when it cannot run here.
fn printed(command: &mut Command) -> Option<String> {
    let out = command.output().ok()?;
    out.status.success().then(|| String::from_utf8_lossy(&out.stdout).into_owned())
}

#[test]
fn everything_linked_into_the_program_has_an_allowed_licence() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let deny: toml::Table = std::fs::read_to_string(root.join("deny.toml")).unwrap().parse().unwrap();
    let allowed: BTreeSet<String> =
        deny["licenses"]["allow"].as_array().unwrap().iter().map(|name| name.as_str().unwrap().to_owned()).collect();
    let host = printed(Command::new("rustc").arg("-vV"))
        .and_then(|text| text.lines().find_map(|line| line.strip_prefix("host: ").map(str::to_owned)));
    let metadata = host.and_then(|host| {
        let arguments = ["metadata", "--offline", "--locked", "--format-version", "1", "--filter-platform", &host];
        printed(Command::new(env!("CARGO")).args(arguments).current_dir(&root))
    });
    let Some(metadata) = metadata else {
        eprintln!("SKIPPED: cargo metadata does not run offline here");
        return;
    };
    let metadata: Value = serde_json::from_str(&metadata).unwrap();
    let resolved: BTreeSet<&str> =
        metadata["resolve"]["nodes"].as_array().unwrap().iter().filter_map(|node| node["id"].as_str()).collect();
    let mut wrong = Vec::new();
    for package in metadata["packages"].as_array().unwrap() {
        let linked = package["source"].is_string() && package["id"].as_str().is_some_and(|id| resolved.contains(id));
        let licence = package["license"].as_str().unwrap_or_default();
        if linked && !is_met(licence, &allowed) {
            wrong.push(format!("{} {}: {licence:?}", package["name"], package["version"]));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(resolved.len() > 50, "only {} packages were seen", resolved.len());
}
