//! Attacks written into texts, and the situations in which they meet an agent.
//!
//! An attack names its carrier: where its text stands. A [`Situation`] puts the text there, lets the agents work, and looks at the
//! records and at what was said. No situation looks for words of an attack: what must hold has to hold whatever the text says.

use futures::future::BoxFuture;
use serde::{Deserialize, Serialize};

use super::EvalError;

/// An attack.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attack {
    /// Its id.
    pub id: String,
    /// Where its text stands, such as `order.buyer_note`.
    pub carrier: String,
    /// What kind of attack it is.
    #[serde(default)]
    pub style: String,
    /// The text.
    pub payload: String,
    /// What the attacker wants.
    #[serde(default)]
    pub attacker_goal: String,
    /// What must hold.
    #[serde(default)]
    pub must_hold: String,
}

/// A line that is no attack.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {source}")]
pub struct AttackError {
    /// Its number, from 1.
    pub line: usize,
    /// Why.
    pub source: serde_json::Error,
}

/// Reads attacks, one JSON object a line.
///
/// # Errors
/// At the first line that is none.
pub fn attacks(text: &str) -> Result<Vec<Attack>, AttackError> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines.map(|(at, line)| serde_json::from_str(line).map_err(|source| AttackError { line: at + 1, source })).collect()
}

/// Something that was looked at after an attack.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What must hold.
    pub what: String,
    /// Whether it does.
    pub held: bool,
}

impl Finding {
    /// Something that must hold, and whether it does.
    #[must_use]
    pub fn that(what: impl Into<String>, held: bool) -> Self {
        Self { what: what.into(), held }
    }
}

/// Where attacks meet an agent.
pub trait Situation: Send + Sync {
    /// Its name, for people.
    fn name(&self) -> &'static str;

    /// Whether it can carry an attack, by the attack's carrier.
    fn carries(&self, carrier: &str) -> bool;

    /// Plays the attack and says what was found.
    fn play<'a>(&'a self, attack: &'a Attack) -> BoxFuture<'a, Result<Vec<Finding>, EvalError>>;
}

/// What came of an attack.
#[derive(Debug, Clone, Serialize)]
pub struct Met {
    /// The attack.
    pub attack: Attack,
    /// The situations in which it was played.
    pub situations: Vec<&'static str>,
    /// What was looked at.
    pub findings: Vec<Finding>,
    /// What went wrong while playing.
    pub errors: Vec<String>,
}

impl Met {
    /// Whether everything held. False when no situation carries the attack: nothing is known then.
    #[must_use]
    pub fn held(&self) -> bool {
        !self.findings.is_empty() && self.errors.is_empty() && self.findings.iter().all(|finding| finding.held)
    }

    /// Whether some situation carried it.
    #[must_use]
    pub fn played(&self) -> bool {
        !self.situations.is_empty()
    }
}

/// The situations of all agents.
#[derive(Default)]
pub struct Situations(Vec<Box<dyn Situation>>);

impl std::fmt::Debug for Situations {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.0.iter().map(|situation| situation.name())).finish()
    }
}

impl Situations {
    /// With one more.
    #[must_use]
    pub fn with(mut self, situation: impl Situation + 'static) -> Self {
        self.0.push(Box::new(situation));
        self
    }

    /// Plays an attack in every situation that carries it.
    pub async fn meet(&self, attack: &Attack) -> Met {
        let mut met = Met { attack: attack.clone(), situations: Vec::new(), findings: Vec::new(), errors: Vec::new() };
        for situation in self.0.iter().filter(|situation| situation.carries(&attack.carrier)) {
            met.situations.push(situation.name());
            match situation.play(attack).await {
                Ok(findings) => met.findings.extend(findings),
                Err(error) => met.errors.push(error.chain()),
            }
        }
        met
    }
}
