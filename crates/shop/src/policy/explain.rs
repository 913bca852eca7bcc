//! Why: a short proof from the facts over the rules to the result.

use serde::{Deserialize, Serialize};

use super::condition::{Truth, days_between};
use super::{Decision, Facts, LineFacts, Parcel, Rank, RuleId, Rules, decide};
use crate::Localized;

/// What a rule said to a line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// The line.
    pub line: crate::LineId,
    /// The rule.
    pub rule: RuleId,
    /// Which rules it goes before.
    pub rank: Rank,
    /// What it says.
    pub text: Localized,
    /// Where it comes from.
    pub source: String,
    /// Whether the decision rests on it.
    pub decides: bool,
    /// Facts that are missing to tell.
    pub unknown: Vec<String>,
}

/// A decision with the way to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Explained {
    /// The facts it rests on, as name and value.
    pub facts: Vec<(String, String)>,
    /// Every rule that holds or could not be told, in the order in which they were asked.
    pub rules: Vec<Asked>,
    /// The result.
    pub decision: Decision,
}

/// Decides and says why.
#[must_use]
pub fn explain(rules: &Rules, facts: &Facts) -> Explained {
    let decision = decide(rules, facts);
    let mut asked = Vec::new();
    for line in &facts.lines {
        let rests_on = decision.lines.iter().find(|d| d.line == line.line).map(|d| d.rules.clone()).unwrap_or_default();
        for rule in &rules.rules {
            let unknown = match rule.when.holds(facts, line) {
                Truth::Yes => Vec::new(),
                Truth::No => continue,
                Truth::Unknown(missing) => missing,
            };
            asked.push(Asked {
                line: line.line.clone(),
                rule: rule.id.clone(),
                rank: rule.rank,
                text: rule.text.clone(),
                source: rule.source.clone(),
                decides: rests_on.contains(&rule.id),
                unknown,
            });
        }
    }
    Explained { facts: facts_as_text(facts), rules: asked, decision }
}

fn word<T: Serialize>(value: &T) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(text)) => text,
        Ok(serde_json::Value::Null) | Err(_) => "unknown".to_owned(),
        Ok(other) => other.to_string(),
    }
}

fn facts_as_text(facts: &Facts) -> Vec<(String, String)> {
    let mut shown = vec![
        ("jurisdiction".to_owned(), word(&facts.jurisdiction)),
        ("today".to_owned(), facts.today.to_string()),
        ("order".to_owned(), word(&facts.order)),
        ("reason".to_owned(), word(&facts.reason)),
        ("evidence".to_owned(), word(&facts.evidence)),
        ("payment".to_owned(), word(&facts.payment)),
        ("tier".to_owned(), facts.tier.clone()),
        ("whole_order".to_owned(), facts.whole_order.to_string()),
        ("shipping".to_owned(), facts.shipping.to_string()),
        ("refundable".to_owned(), facts.refundable.to_string()),
    ];
    if facts.dispute_open == Some(true) {
        shown.push(("dispute_open".to_owned(), "true".to_owned()));
    }
    if !facts.signals.is_empty() {
        shown.push(("signals".to_owned(), facts.signals.iter().map(word).collect::<Vec<_>>().join(", ")));
    }
    for line in &facts.lines {
        line_as_text(facts, line, &mut shown);
    }
    shown
}

fn line_as_text(facts: &Facts, line: &LineFacts, shown: &mut Vec<(String, String)>) {
    let mut say = |name: &str, value: String| shown.push((format!("line {}: {name}", line.line), value));
    say("pieces", format!("{} of {}", line.quantity, line.ordered));
    say("parcel", line.parcel.map_or_else(|| "unknown".to_owned(), |p| p.name().to_owned()));
    if let Some(Parcel::Delivered { on, receipt }) = line.parcel {
        say("delivered", format!("{on} ({})", word(&receipt)));
        if let Some(day) = days_between(on, facts.today) {
            say("day", day.to_string());
        }
    }
    if let Some(category) = &line.category {
        say("category", category.clone());
    }
    let flags = line.flags.as_ref().map(|flags| flags.iter().map(word).collect::<Vec<_>>().join(", "));
    say("marks", flags.map_or_else(|| "unknown".to_owned(), |f| if f.is_empty() { "none".to_owned() } else { f }));
    if let Some(opened) = line.opened {
        say("opened", opened.to_string());
    }
    if let Some(agreed) = line.exclusion_agreed {
        say("exclusion_agreed", agreed.to_string());
    }
    say("limit", line.limit.to_string());
}
