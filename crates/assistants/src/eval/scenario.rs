//! Scenario files, in TOML or YAML. The form is described in `docs/eval.md`.

use std::path::{Path, PathBuf};

use mercer_shop::Lang;
use serde::Deserialize;
use serde_json::Value;

use super::customer::Customer;

/// A scenario.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// What it shows, as a sentence.
    pub title: String,
    /// Which agent is talked to.
    #[serde(default = "shopping")]
    pub agent: String,
    /// The language of the page.
    #[serde(default)]
    pub lang: Lang,
    /// What the world holds at the start, in the form of the agent's stage.
    #[serde(default)]
    pub data: Value,
    /// What the customer does, turn by turn.
    #[serde(default, alias = "turn")]
    pub turns: Vec<Turn>,
    /// A simulated customer, who talks after the turns.
    #[serde(default)]
    pub customer: Option<Customer>,
    /// What some answer has to say.
    #[serde(default)]
    pub must_say: Vec<Words>,
    /// What no answer may say.
    #[serde(default)]
    pub must_not_say: Vec<Words>,
    /// What must hold in the world afterwards.
    #[serde(default)]
    pub expect: Vec<Expect>,
    /// Left out when rules lead.
    #[serde(default)]
    pub needs_model: bool,
    /// The file's name without its ending.
    #[serde(skip)]
    pub id: String,
    /// The folder of the file.
    #[serde(skip)]
    pub folder: PathBuf,
}

fn shopping() -> String {
    "shopping".to_owned()
}

/// One turn of the customer.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Turn {
    /// What they say.
    #[serde(default)]
    pub say: String,
    /// The chip they take away instead.
    #[serde(default)]
    pub remove: Option<String>,
    /// Something else they do instead, in the words of the agent's stage.
    #[serde(default)]
    pub action: Option<String>,
    /// What the answer has to say.
    #[serde(default)]
    pub must_say: Vec<Words>,
    /// What the answer may not say.
    #[serde(default)]
    pub must_not_say: Vec<Words>,
    /// What must hold of the answer, as one document.
    #[serde(default)]
    pub expect: Vec<Expect>,
}

/// Words to look for, in any case: one text, or several of which one is enough.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Words {
    /// This.
    One(String),
    /// One of these.
    Any(Vec<String>),
}

impl Words {
    /// The first of the words that stands in a text.
    #[must_use]
    pub fn found_in(&self, text: &str) -> Option<&str> {
        let lower = text.to_lowercase();
        self.all().find(|word| lower.contains(&word.to_lowercase()))
    }

    /// The words.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        match self {
            Self::One(word) => std::slice::from_ref(word),
            Self::Any(words) => words.as_slice(),
        }
        .iter()
        .map(String::as_str)
    }
}

/// Something that must hold of a document. Every condition that is given has to hold.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Expect {
    /// A JSON pointer (RFC 6901). A segment `*` stands for every item: then each has to hold, and there has to be one.
    pub at: String,
    /// Only the items of the list at `at` whose fields have these values are looked at.
    pub having: Option<Value>,
    /// It is this. Numbers are compared by value.
    pub equals: Option<Value>,
    /// It is not this.
    pub differs: Option<Value>,
    /// It is at least this.
    pub at_least: Option<f64>,
    /// It is at most this.
    pub at_most: Option<f64>,
    /// It is a list, an object or a text with so many items, fields or characters.
    pub count: Option<usize>,
    /// It has at least so many items.
    pub count_at_least: Option<usize>,
    /// A text contains this, or a list has this item.
    pub contains: Option<Value>,
    /// It is there and not null, or it is not.
    pub exists: Option<bool>,
}

/// Why a scenario cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}", file.display())]
pub struct ScenarioError {
    /// The file.
    pub file: PathBuf,
    /// Why.
    pub reason: String,
}

/// The form of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// TOML.
    Toml,
    /// YAML, of which JSON is a part.
    Yaml,
}

impl Format {
    /// By a file's ending.
    #[must_use]
    pub fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "toml" => Some(Self::Toml),
            "yaml" | "yml" | "json" => Some(Self::Yaml),
            _ => None,
        }
    }
}

impl Scenario {
    /// Reads a scenario.
    ///
    /// # Errors
    /// In words that name the field.
    pub fn parse(text: &str, format: Format) -> Result<Self, String> {
        let scenario: Self = match format {
            Format::Toml => toml::from_str(text).map_err(|error| error.to_string())?,
            Format::Yaml => serde_norway::from_str(text).map_err(|error| error.to_string())?,
        };
        if scenario.turns.is_empty() && scenario.customer.is_none() {
            return Err("it has neither turns nor a customer: nobody says anything".to_owned());
        }
        if let Some(turn) = scenario.turns.iter().find(|turn| turn.does() != 1) {
            return Err(format!("a turn has to have one of `say`, `remove` and `action`: {turn:?}"));
        }
        Ok(scenario)
    }
}

impl Turn {
    fn does(&self) -> usize {
        [!self.say.is_empty(), self.remove.is_some(), self.action.is_some()].iter().filter(|does| **does).count()
    }
}

/// Reads one file, or all scenario files below a folder, in the order of their paths.
///
/// # Errors
/// At the first file that cannot be read, and when there is none.
pub fn load(path: &Path) -> Result<Vec<Scenario>, ScenarioError> {
    let fail = |file: &Path, reason: String| ScenarioError { file: file.to_owned(), reason };
    let mut files = Vec::new();
    if path.is_dir() {
        collect(path, &mut files).map_err(|error| fail(path, error.to_string()))?;
    } else {
        files.push(path.to_owned());
    }
    files.sort();
    let mut scenarios = Vec::new();
    for file in &files {
        let format = Format::of(file).ok_or_else(|| fail(file, "scenario files are .toml, .yaml or .json".into()))?;
        let text = std::fs::read_to_string(file).map_err(|error| fail(file, error.to_string()))?;
        let mut scenario = Scenario::parse(&text, format).map_err(|reason| fail(file, reason))?;
        scenario.id = id(path, file);
        scenario.folder = file.parent().unwrap_or(Path::new(".")).to_owned();
        scenarios.push(scenario);
    }
    if scenarios.is_empty() {
        return Err(fail(path, "there is no scenario file here".to_owned()));
    }
    Ok(scenarios)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if Format::of(&path).is_some() {
            files.push(path);
        }
    }
    Ok(())
}

/// The path below the folder that was named, without the ending.
fn id(base: &Path, file: &Path) -> String {
    let below = file.strip_prefix(base).ok().filter(|below| !below.as_os_str().is_empty());
    let name = below.unwrap_or_else(|| Path::new(file.file_name().unwrap_or(file.as_os_str())));
    name.with_extension("").to_string_lossy().replace('\\', "/")
}
