//! The rules of ARCHITECTURE.md, read from the manifests and sources.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use toml::{Table, Value};

/// Which of our crates may stand in whose `[dependencies]`. What is not here is not allowed.
const MAY_DEPEND_ON: &[(&str, &[&str])] = &[
    ("graph", &[]),
    ("model", &[]),
    ("shop", &[]),
    ("agent", &["graph", "model"]),
    ("search", &["shop", "model"]),
    ("studio", &["shop", "model"]),
    ("reviews", &["shop", "model"]),
    ("store", &["graph", "shop"]),
    ("mail", &["shop"]),
    ("assistants", &["search", "reviews", "studio", "shop", "agent", "model", "graph"]),
    ("server", &["assistants", "search", "reviews", "studio", "shop", "agent", "model", "graph"]),
    (
        "cli",
        &["graph", "model", "agent", "shop", "search", "reviews", "studio", "store", "mail", "assistants", "server"],
    ),
    ("testkit", &["graph", "model", "agent", "shop", "search", "reviews", "studio", "store", "assistants", "server"]),
];

/// Heavy dependencies and the one crate where each stops.
const ONLY_IN: &[(&str, &str)] = &[
    ("sqlx", "store"),
    ("tantivy", "search"),
    ("axum", "server"),
    ("image", "studio"),
    ("imageproc", "studio"),
    ("fast_image_resize", "studio"),
    ("png", "studio"),
    ("zune-jpeg", "studio"),
    ("image-webp", "studio"),
    ("resvg", "studio"),
    ("tiny-skia", "studio"),
    ("lettre", "mail"),
    ("anyhow", "cli"),
    ("clap", "cli"),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The folder's name of every crate, with its manifest.
fn crates() -> BTreeMap<String, Table> {
    let mut crates = BTreeMap::new();
    for entry in std::fs::read_dir(root().join("crates")).unwrap() {
        let folder = entry.unwrap().path();
        let manifest = folder.join("Cargo.toml");
        if manifest.is_file() {
            let name = folder.file_name().unwrap().to_str().unwrap().to_owned();
            crates.insert(name, read(&manifest).parse().unwrap());
        }
    }
    crates
}

/// The dependency names of a section, those for one target included.
fn dependencies(manifest: &Table, section: &str) -> BTreeSet<String> {
    let names = |table: &Table| -> Vec<String> {
        table.get(section).and_then(Value::as_table).map(|t| t.keys().cloned().collect()).unwrap_or_default()
    };
    let mut found: BTreeSet<String> = names(manifest).into_iter().collect();
    for target in manifest.get("target").and_then(Value::as_table).into_iter().flat_map(Table::values) {
        found.extend(target.as_table().map(names).unwrap_or_default());
    }
    found
}

/// The folder of one of our crates, by its package name.
fn ours(package: &str) -> Option<&str> {
    package.strip_prefix("mercer-").or((package == "mercer").then_some("cli"))
}

#[test]
fn a_crate_depends_on_nothing_of_ours_but_what_the_table_allows() {
    let allowed: BTreeMap<&str, &[&str]> = MAY_DEPEND_ON.iter().copied().collect();
    let mut wrong = Vec::new();
    for (folder, manifest) in crates() {
        let Some(may) = allowed.get(folder.as_str()) else {
            wrong.push(format!("crates/{folder} is not in the table of who may depend on whom"));
            continue;
        };
        let package = manifest["package"]["name"].as_str().unwrap();
        assert_eq!(ours(package), Some(folder.as_str()), "the package {package} lies in crates/{folder}");
        for section in ["dependencies", "build-dependencies", "dev-dependencies"] {
            for dependency in dependencies(&manifest, section) {
                let Some(on) = ours(&dependency) else { continue };
                let for_tests = section == "dev-dependencies" && (on == "testkit" || on == folder);
                if !may.contains(&on) && !for_tests {
                    wrong.push(format!("crates/{folder} may not depend on {dependency} ({section})"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_heavy_dependency_stops_at_its_one_crate() {
    let mut wrong = Vec::new();
    for (folder, manifest) in crates() {
        for section in ["dependencies", "build-dependencies"] {
            for dependency in dependencies(&manifest, section) {
                let home = ONLY_IN.iter().find(|(name, _)| *name == dependency).map(|(_, home)| *home);
                if let Some(home) = home.filter(|home| *home != folder && folder != "testkit") {
                    wrong.push(format!("{dependency} is only for crates/{home}, but crates/{folder} names it"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_crate_takes_the_lints_and_versions_of_the_workspace() {
    for (folder, manifest) in crates() {
        assert_eq!(
            manifest.get("lints").and_then(|l| l.get("workspace")),
            Some(&Value::Boolean(true)),
            "crates/{folder}: lints"
        );
        for section in ["dependencies", "dev-dependencies", "build-dependencies"] {
            for (name, value) in manifest.get(section).and_then(Value::as_table).into_iter().flatten() {
                // A crate may name itself by path, to turn a feature on in its own tests.
                let inherited = value.get("workspace") == Some(&Value::Boolean(true)) || ours(name) == Some(&folder);
                assert!(
                    inherited,
                    "crates/{folder}: {name} states its own version; put it into [workspace.dependencies]"
                );
            }
        }
    }
}

/// The names a file declares as `mod name;`, outside of comments.
fn declared_modules(source: &str) -> Vec<String> {
    let name = |line: &str| -> Option<String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [.., "mod", name] = words.as_slice() else { return None };
        let name = name.strip_suffix(';').filter(|_| words[0] == "mod" || words[0].starts_with("pub"))?;
        Some(name.to_owned())
    };
    source.lines().filter_map(name).collect()
}

fn collect_modules(file: &Path, is_root: bool, reached: &mut BTreeSet<PathBuf>) {
    if !reached.insert(file.to_owned()) {
        return;
    }
    let folder = file.parent().unwrap();
    let below = if is_root || file.file_name().is_some_and(|name| name == "mod.rs") {
        folder.to_owned()
    } else {
        folder.join(file.file_stem().unwrap())
    };
    for name in declared_modules(&read(file)) {
        for candidate in [below.join(format!("{name}.rs")), below.join(&name).join("mod.rs")] {
            if candidate.is_file() {
                collect_modules(&candidate, false, reached);
            }
        }
    }
}

fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn no_source_file_lies_around_unused() {
    let mut unused = Vec::new();
    for folder in crates().keys() {
        for (part, roots) in [("src", vec!["lib.rs", "main.rs"]), ("tests/it", vec!["main.rs"])] {
            let folder = root().join("crates").join(folder).join(part);
            let mut reached = BTreeSet::new();
            for file in roots.iter().map(|name| folder.join(name)).filter(|file| file.is_file()) {
                collect_modules(&file, true, &mut reached);
            }
            let (mut all, bin) = (Vec::new(), folder.join("bin"));
            rust_files(&folder, &mut all);
            unused.extend(all.into_iter().filter(|file| !reached.contains(file) && !file.starts_with(&bin)));
        }
    }
    assert!(unused.is_empty(), "no `mod` leads to {unused:#?}");
}

/// The text files that git tracks, with their path in the project; `None` outside of a git checkout.
fn tracked_texts() -> Option<Vec<(String, String)>> {
    let out = Command::new("git").args(["ls-files", "-z"]).current_dir(root()).output().ok()?;
    if !out.status.success() {
        return None;
    }
    let names = String::from_utf8(out.stdout).unwrap();
    let texts = names.split('\0').filter(|name| !name.is_empty()).filter_map(|name| {
        let text = std::fs::read(root().join(name)).ok()?;
        Some((name.to_owned(), String::from_utf8(text).ok()?))
    });
    Some(texts.collect())
}

#[test]
fn nothing_tracked_names_a_machine_a_private_path_or_a_key() {
    let Some(texts) = tracked_texts() else {
        eprintln!("SKIPPED: not a git checkout");
        return;
    };
    // Put together here, so that this file does not hold what it looks for.
    let private: Vec<String> = ["work", "root", "Users"].iter().map(|folder| format!("/{folder}/")).collect();
    let keys = [format!("sk-{}", "ant-"), format!("gh{}_", "p"), format!("AKI{}", "A")];
    // A prefix alone is a rule about keys; a prefix with a long tail is a key.
    let is_key =
        |rest: &str| rest.chars().take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_')).count() >= 16;
    let mut wrong = Vec::new();
    for (name, text) in &texts {
        for (number, line) in text.lines().enumerate() {
            let starts_a_path = |at: usize| {
                line.split_at(at).0.chars().next_back().is_none_or(|c| !(c.is_alphanumeric() || "./-_~*".contains(c)))
            };
            let path = private.iter().find(|p| line.match_indices(p.as_str()).any(|(at, _)| starts_a_path(at)));
            let key = keys.iter().find(|key| line.split(key.as_str()).skip(1).any(is_key));
            if let Some(found) = path.or(key) {
                wrong.push(format!("{name}:{}: {found}", number + 1));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_locked_package_comes_from_one_public_registry_and_no_address_is_written_down() {
    let lock: Table = read(&root().join("Cargo.lock")).parse().unwrap();
    let packages = lock["package"].as_array().unwrap().iter();
    let sources: BTreeSet<&str> =
        packages.filter_map(|package| package.get("source").and_then(Value::as_str)).collect();
    assert!(sources.len() == 1 && sources.iter().all(|source| source.starts_with("registry+")), "{sources:?}");
    let web = std::fs::read_to_string(root().join("web/package-lock.json")).unwrap_or_default();
    let address = web.lines().find(|line| line.contains("\"resolved\"") || line.contains("git+"));
    assert_eq!(address, None, "npm must leave download addresses out of its lock, see web/.npmrc");
}

#[test]
fn the_readme_has_exactly_two_commands_and_the_makefile_knows_them() {
    let readme = read(&root().join("README.md"));
    let mut commands = Vec::new();
    let mut fenced = false;
    for line in readme.lines() {
        if line.starts_with("```") {
            fenced = !fenced;
        } else if fenced && !line.trim().is_empty() {
            commands.push(line.split('#').next().unwrap_or_default().trim());
        }
    }
    assert_eq!(commands, ["make run", "make test"]);
    let makefile = read(&root().join("Makefile"));
    for target in ["run:", "test:", "lint:", "bench:"] {
        assert!(makefile.lines().any(|line| line.starts_with(target)), "the Makefile has no {target}");
    }
    assert!(read(&root().join(".ci/run")).contains("make test"), "CI runs another test command than the README names");
}
