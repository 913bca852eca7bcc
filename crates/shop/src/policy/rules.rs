//! The rules as they are written: YAML, with a version, and a hash of the text.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{Alternative, Condition, Confidence, FreightPayer, Need, Payout, Verdict};
use crate::Localized;
use crate::desk::OrderRules;

/// A rule's name, such as `cn.noreason.1-7`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RuleId(pub String);

impl RuleId {
    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for RuleId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// Which rules go before which.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rank {
    /// Decides before everything: money that is not there, a dispute, signs of abuse.
    Safety,
    /// The law: the least a buyer can ask for.
    Statute,
    /// What the shop gives of its own will: it can be more than the law, never less.
    Shop,
}

/// How certain it is that a rule is what it says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Certainty {
    /// The text of the statute was read.
    Law,
    /// A second-hand source says so.
    Secondary,
    /// To be checked before it is relied on.
    Memory,
    /// What shops do.
    Practice,
}

/// Which part of what delivery cost is paid back with a whole order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ShippingBack {
    /// Nothing.
    #[default]
    None,
    /// What standard delivery costs.
    Standard,
    /// All of it.
    All,
}

/// What a rule gives.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Effect {
    /// What is to be done.
    pub verdict: Verdict,
    /// How sure.
    pub confidence: Confidence,
    /// Who pays the way back.
    #[serde(default = "nobody")]
    pub freight: FreightPayer,
    /// When the money moves.
    #[serde(default = "never")]
    pub payout: Payout,
    /// What the buyer has to do or show.
    #[serde(default)]
    pub needs: Vec<Need>,
    /// What can be offered instead.
    #[serde(default)]
    pub alternatives: Vec<Alternative>,
    /// Delivery.
    #[serde(default)]
    pub shipping: ShippingBack,
    /// Whether nothing is paid back although the verdict is yes: nothing was paid.
    #[serde(default)]
    pub nothing: bool,
    /// The goods must be on their way within so many days of the request.
    #[serde(default)]
    pub send_back_days: Option<i32>,
    /// The shop must have paid within so many days of the request.
    #[serde(default)]
    pub refund_days: Option<i32>,
}

fn nobody() -> FreightPayer {
    FreightPayer::None
}

fn never() -> Payout {
    Payout::None
}

/// What a rule changes in what another gives.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Adjustment {
    /// Only when a rule of this rank decided.
    pub decided_by: Option<Rank>,
    /// Only when it was decided so.
    pub verdict: Option<Verdict>,
    /// Who pays the way back.
    pub freight: Option<FreightPayer>,
    /// So many hundredths are kept.
    pub restocking_percent: Option<u8>,
    /// The part of a coupon that the kept lines no longer earn is kept.
    pub keep_broken_coupon: bool,
    /// What the buyer has to do or show besides.
    pub needs: Vec<Need>,
    /// When the money moves.
    pub payout: Option<Payout>,
}

/// A rule: what it asks, and what it gives or changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// Its name.
    pub id: RuleId,
    /// Which rules it goes before.
    pub rank: Rank,
    /// How certain it is.
    pub certainty: Certainty,
    /// Where it comes from.
    #[serde(default)]
    pub source: String,
    /// What it says, for people.
    pub text: Localized,
    /// What it asks.
    #[serde(default)]
    pub when: Condition,
    /// What it gives.
    #[serde(default)]
    pub then: Option<Effect>,
    /// What it changes.
    #[serde(default)]
    pub adjust: Option<Adjustment>,
}

/// One file of rules.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: String,
    #[serde(default)]
    orders: Option<OrderRules>,
    #[serde(default)]
    rules: Vec<Rule>,
}

/// Why rules cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RulesError {
    /// A file is not what it should be.
    #[error("{file}: {reason}")]
    File {
        /// Which.
        file: String,
        /// Why, with the place.
        reason: String,
    },
    /// Two rules have one name.
    #[error("two rules are named {0}")]
    Twice(RuleId),
    /// A rule neither gives nor changes anything, or does both.
    #[error("the rule {0} must have either `then` or `adjust`")]
    Shape(RuleId),
}

/// The rules of a shop, in the order of their files and lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rules {
    /// The version: those of the files, joined.
    pub version: String,
    /// The hash of the files' text, `sha256:…`.
    pub hash: String,
    /// What the shop allows to be done to its orders.
    pub orders: OrderRules,
    /// The rules.
    pub rules: Vec<Rule>,
}

/// The files that come with the program, in their order.
const BUILTIN: [(&str, &str); 5] = [
    ("safety.yaml", include_str!("../../../../data/policy/safety.yaml")),
    ("cn.yaml", include_str!("../../../../data/policy/cn.yaml")),
    ("eu.yaml", include_str!("../../../../data/policy/eu.yaml")),
    ("uk.yaml", include_str!("../../../../data/policy/uk.yaml")),
    ("shop.yaml", include_str!("../../../../data/policy/shop.yaml")),
];

impl Rules {
    /// Reads rules from files: name and text of each, in the order in which they are asked.
    ///
    /// # Errors
    /// [`RulesError`] with the file and the place.
    pub fn parse(files: &[(&str, &str)]) -> Result<Self, RulesError> {
        let mut rules =
            Self { version: String::new(), hash: String::new(), orders: OrderRules::default(), rules: Vec::new() };
        let mut hash = Sha256::new();
        let mut versions: Vec<String> = Vec::new();
        for (name, text) in files {
            hash.update(text.len().to_be_bytes());
            hash.update(text.as_bytes());
            let file: File = serde_norway::from_str(text)
                .map_err(|error| RulesError::File { file: (*name).to_owned(), reason: error.to_string() })?;
            if !versions.contains(&file.version) {
                versions.push(file.version);
            }
            if let Some(orders) = file.orders {
                rules.orders = orders;
            }
            rules.rules.extend(file.rules);
        }
        for (at, rule) in rules.rules.iter().enumerate() {
            if rule.then.is_some() == rule.adjust.is_some() {
                return Err(RulesError::Shape(rule.id.clone()));
            }
            if rules.rules.iter().take(at).any(|earlier| earlier.id == rule.id) {
                return Err(RulesError::Twice(rule.id.clone()));
            }
        }
        let hex: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        rules.version = versions.join("+");
        rules.hash = format!("sha256:{hex}");
        Ok(rules)
    }

    /// The rules that come with the program: the law of China, the European Union and the United Kingdom as far as it is known,
    /// and a shop's defaults.
    ///
    /// # Errors
    /// Never in a released program: a test reads them.
    pub fn builtin() -> Result<Self, RulesError> {
        Self::parse(&BUILTIN)
    }

    /// One rule.
    #[must_use]
    pub fn rule(&self, id: &RuleId) -> Option<&Rule> {
        self.rules.iter().find(|rule| rule.id == *id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rules_that_come_with_the_program_can_be_read_and_speak_both_languages() {
        let rules = Rules::builtin().unwrap();
        assert!(rules.hash.starts_with("sha256:") && rules.rules.len() > 30);
        for rule in &rules.rules {
            assert!(rule.text.zh.is_some() && rule.text.en.is_some(), "{}", rule.id);
        }
        let text = "version: x\nrules: [{id: a, rank: shop, certainty: law, text: {en: A}, whn: {}}]";
        let error = Rules::parse(&[("mine.yaml", text)]).unwrap_err();
        assert!(error.to_string().starts_with("mine.yaml:"), "{error}");
    }
}
