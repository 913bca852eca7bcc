//! Rules applied to facts.

use jiff::Span;

use super::condition::Truth;
use super::rules::{Adjustment, Effect, ShippingBack};
use super::{
    Confidence, Deadline, Decision, Facts, FreightPayer, LineDecision, LineFacts, Need, Parcel, Payout, Rank, Rule,
    RuleId, Rules, Verdict,
};
use crate::{Money, MoneyError};

/// The confidence of a decision for which no rule is sure.
const UNSURE: Confidence = Confidence::hundredths(40);

/// What the rules say of the facts. The same rules and facts always give the same.
///
/// Each line is judged by itself. Safety rules come first. Then the first statute rule that holds and the first shop rule that
/// holds are found, and the one that is better for the buyer decides; when they say the same, the statute does, and the way back is
/// paid by whoever is better for the buyer. A fact that is needed on the way and is not known makes the line one for a person.
#[must_use]
pub fn decide(rules: &Rules, facts: &Facts) -> Decision {
    let lines: Vec<Judged> = facts.lines.iter().map(|line| judge(rules, facts, line)).collect();
    combine(rules, facts, lines)
}

/// One line with its terms.
struct Judged {
    decision: LineDecision,
    effect: Effect,
    deadlines: Vec<Deadline>,
    unknown: Vec<String>,
}

/// The rule that holds, with what it gives.
type Found<'a> = Option<(&'a Rule, &'a Effect)>;

/// The first rule of a rank that holds; or the facts that are missing to tell.
fn first<'a>(rules: &'a Rules, rank: Rank, facts: &Facts, line: &LineFacts) -> Result<Found<'a>, Vec<String>> {
    for rule in rules.rules.iter().filter(|rule| rule.rank == rank) {
        let Some(effect) = &rule.then else { continue };
        match rule.when.holds(facts, line) {
            Truth::Yes => return Ok(Some((rule, effect))),
            Truth::No => {}
            Truth::Unknown(missing) => return Err(missing),
        }
    }
    Ok(None)
}

/// Better for the buyer is less.
fn order_of(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Approve => 0,
        // A person may still say yes without a proof.
        Verdict::Manual => 1,
        Verdict::Conditional => 2,
        Verdict::Reject => 3,
    }
}

fn kinder(one: FreightPayer, other: FreightPayer) -> FreightPayer {
    match (one, other) {
        (FreightPayer::Shop, _) | (_, FreightPayer::Shop) => FreightPayer::Shop,
        (FreightPayer::None, _) | (_, FreightPayer::None) => FreightPayer::None,
        (FreightPayer::Buyer, FreightPayer::Buyer) => FreightPayer::Buyer,
    }
}

/// A matter for a person, because something is not known or no rule fits.
fn for_a_person() -> Effect {
    Effect {
        verdict: Verdict::Manual,
        confidence: UNSURE,
        freight: FreightPayer::None,
        payout: Payout::None,
        needs: Vec::new(),
        alternatives: vec![super::Alternative::Person],
        shipping: ShippingBack::None,
        nothing: false,
        send_back_days: None,
        refund_days: None,
    }
}

fn judge(rules: &Rules, facts: &Facts, line: &LineFacts) -> Judged {
    let found = match first(rules, Rank::Safety, facts, line) {
        Ok(Some((rule, effect))) => Ok((vec![rule], effect.clone())),
        Ok(None) => better(rules, facts, line),
        Err(missing) => Err(missing),
    };
    let (mut names, mut effect, mut unknown, rank) = match found {
        Ok((found, effect)) => {
            let rank = found.first().map(|rule| rule.rank);
            (found.iter().map(|rule| rule.id.clone()).collect::<Vec<RuleId>>(), effect, Vec::new(), rank)
        }
        Err(missing) => (vec![RuleId("unknown".to_owned())], for_a_person(), missing, None),
    };
    let deadlines = deadlines(rules, facts, line, (&names, &effect));
    let mut adjusted = Vec::new();
    for rule in &rules.rules {
        let Some(adjustment) = rule.adjust.as_ref().filter(|a| fits(a, rank, effect.verdict)) else { continue };
        match rule.when.holds(facts, line) {
            Truth::Yes => {
                names.push(rule.id.clone());
                effect.freight = adjustment.freight.unwrap_or(effect.freight);
                effect.payout = adjustment.payout.unwrap_or(effect.payout);
                effect.needs.extend(
                    adjustment.needs.iter().filter(|need| !effect.needs.contains(need)).copied().collect::<Vec<Need>>(),
                );
                adjusted.push(adjustment);
            }
            Truth::No => {}
            Truth::Unknown(missing) => {
                unknown.extend(missing);
                effect = for_a_person();
            }
        }
    }
    unknown.sort();
    unknown.dedup();
    let (amount, derivation) = match amount(facts, line, &effect, &adjusted) {
        Ok(found) => found,
        Err(error) => {
            unknown.push("amounts".to_owned());
            effect = for_a_person();
            (Money::zero(facts.shipping.currency), error.to_string())
        }
    };
    let decision = LineDecision {
        line: line.line.clone(),
        quantity: line.quantity,
        verdict: effect.verdict,
        amount,
        derivation,
        rules: names,
        confidence: effect.confidence,
    };
    Judged { decision, effect, deadlines, unknown }
}

/// Statute against shop.
fn better<'a>(rules: &'a Rules, facts: &Facts, line: &LineFacts) -> Result<(Vec<&'a Rule>, Effect), Vec<String>> {
    let statute = first(rules, Rank::Statute, facts, line)?;
    let shop = first(rules, Rank::Shop, facts, line)?;
    Ok(match (statute, shop) {
        (Some((law, given)), Some((own, offered))) => match order_of(given.verdict).cmp(&order_of(offered.verdict)) {
            std::cmp::Ordering::Less => (vec![law], given.clone()),
            std::cmp::Ordering::Greater => (vec![own, law], offered.clone()),
            std::cmp::Ordering::Equal => {
                (vec![law, own], Effect { freight: kinder(given.freight, offered.freight), ..given.clone() })
            }
        },
        (Some((law, given)), None) => (vec![law], given.clone()),
        (None, Some((own, offered))) => (vec![own], offered.clone()),
        (None, None) => (Vec::new(), for_a_person()),
    })
}

fn fits(adjustment: &Adjustment, rank: Option<Rank>, verdict: Verdict) -> bool {
    let by = adjustment.decided_by.is_none() || adjustment.decided_by == rank;
    by && rank.is_some() && adjustment.verdict.is_none_or(|wanted| wanted == verdict)
}

fn in_days(facts: &Facts, days: i32) -> Option<jiff::civil::Date> {
    facts.today.checked_add(Span::new().try_days(days).ok()?).ok()
}

/// Last days: until when it could be asked for, by the rule that lasts longest; until when it must be sent; until when paid.
fn deadlines(rules: &Rules, facts: &Facts, line: &LineFacts, (names, effect): (&[RuleId], &Effect)) -> Vec<Deadline> {
    let mut found = Vec::new();
    let on = match line.parcel {
        Some(Parcel::Delivered { on, .. }) => Some(on),
        _ => None,
    };
    let yes = matches!(effect.verdict, Verdict::Approve | Verdict::Conditional);
    let claims = names.iter().filter_map(|id| rules.rule(id)).filter_map(|rule| {
        let by_order = rule.when.order_day.and_then(|days| days.last(facts.last_delivery?));
        rule.when.day.and_then(|days| days.last(on?)).or(by_order)
    });
    if let Some(date) = claims.max().filter(|_| yes) {
        found.push(Deadline { what: "claim".to_owned(), date });
    }
    if let Some(date) = effect.send_back_days.and_then(|days| in_days(facts, days)) {
        found.push(Deadline { what: "send_back".to_owned(), date });
    }
    if let Some(date) = effect.refund_days.and_then(|days| in_days(facts, days)) {
        found.push(Deadline { what: "refund".to_owned(), date });
    }
    found
}

/// How much, and how it came about.
fn amount(
    facts: &Facts,
    line: &LineFacts,
    effect: &Effect,
    adjusted: &[&Adjustment],
) -> Result<(Money, String), MoneyError> {
    let zero = Money::zero(facts.shipping.currency);
    if effect.nothing {
        return Ok((zero, format!("{zero}: nothing was paid")));
    }
    if effect.verdict == Verdict::Reject {
        return Ok((zero, format!("{zero}: not paid back")));
    }
    let mut steps = format!("{} × {}", line.unit_price, line.quantity);
    let mut due = line.unit_price.times(line.quantity)?;
    if line.discount.minor != 0 {
        due = due.checked_sub(line.discount)?;
        steps.push_str(&format!(" − {} discount", line.discount));
    }
    if line.tax.minor != 0 {
        due = due.checked_add(line.tax)?;
        steps.push_str(&format!(" + {} tax", line.tax));
    }
    if due.minor > line.limit.minor {
        steps.push_str(&format!(", at most {} are left", line.limit));
        due = line.limit;
    }
    for percent in adjusted.iter().filter_map(|a| a.restocking_percent) {
        let fee = due.percent(percent.min(100));
        due = due.checked_sub(fee)?;
        steps.push_str(&format!(" − {fee} restocking ({percent} %)"));
    }
    if let Some(kept) = facts.broken_coupon.filter(|_| adjusted.iter().any(|a| a.keep_broken_coupon)) {
        // The first line bears it; it cannot become less than nothing.
        let first = facts.lines.first().is_some_and(|first| first.line == line.line);
        let kept = Money { minor: kept.minor.min(due.minor), ..kept };
        if first {
            due = due.checked_sub(kept)?;
            steps.push_str(&format!(" − {kept} coupon no longer earned"));
        }
    }
    steps.push_str(&format!(" = {due}"));
    Ok((due, steps))
}

fn combine(rules: &Rules, facts: &Facts, lines: Vec<Judged>) -> Decision {
    let zero = Money::zero(facts.shipping.currency);
    let has = |verdict: Verdict| lines.iter().any(|l| l.decision.verdict == verdict);
    let mut verdict = [Verdict::Manual, Verdict::Conditional, Verdict::Approve, Verdict::Reject]
        .into_iter()
        .find(|v| has(*v))
        .unwrap_or(Verdict::Manual);
    let mut confidence = lines.iter().map(|l| l.decision.confidence).min().unwrap_or(UNSURE);
    let mut unknown: Vec<String> = lines.iter().flat_map(|l| l.unknown.clone()).collect();
    if lines.is_empty() {
        unknown.push("lines".to_owned());
    }
    let shipping = shipping_back(facts, &lines);
    let goods = Money::sum(zero.currency, lines.iter().map(|l| l.decision.amount));
    let amount = match goods.and_then(|goods| goods.checked_add(shipping)) {
        Ok(sum) if sum.minor <= facts.refundable.minor || sum.minor == 0 => sum,
        // The lines cost more than was ever paid or is left: a person has to look.
        Ok(_) | Err(_) => {
            let owed = !matches!(verdict, Verdict::Reject);
            if owed {
                (verdict, confidence) = (Verdict::Manual, UNSURE);
                unknown.push("amounts".to_owned());
            }
            facts.refundable
        }
    };
    unknown.sort();
    unknown.dedup();
    let says: Vec<&Judged> = lines.iter().filter(|l| l.decision.verdict == verdict).collect();
    let decided = matches!(verdict, Verdict::Approve | Verdict::Conditional);
    let mut freight = FreightPayer::None;
    for line in says.iter().filter(|_| decided) {
        freight = match (freight, line.effect.freight) {
            (FreightPayer::None, next) => next,
            (kept, FreightPayer::None) => kept,
            (one, other) => kinder(one, other),
        };
    }
    let latest = |payout: &Payout| match payout {
        Payout::None => 0,
        Payout::Now => 1,
        Payout::ParcelBack => 2,
        Payout::GoodsBack => 3,
    };
    let payout = says.iter().map(|l| l.effect.payout).filter(|_| decided).max_by_key(latest).unwrap_or(Payout::None);
    Decision {
        verdict,
        confidence,
        amount,
        shipping,
        freight,
        payout,
        deadlines: unique(says.iter().flat_map(|l| l.deadlines.iter().cloned())),
        needs: unique(says.iter().flat_map(|l| l.effect.needs.iter().copied())),
        alternatives: unique(says.iter().flat_map(|l| l.effect.alternatives.iter().copied())),
        rules: unique(lines.iter().flat_map(|l| l.decision.rules.iter().cloned())),
        unknown,
        version: rules.version.clone(),
        rules_hash: rules.hash.clone(),
        lines: lines.into_iter().map(|l| l.decision).collect(),
    }
}

/// Delivery goes back with a whole order only, as the least generous of its lines has it.
fn shipping_back(facts: &Facts, lines: &[Judged]) -> Money {
    let zero = Money::zero(facts.shipping.currency);
    let yes = |l: &Judged| matches!(l.decision.verdict, Verdict::Approve | Verdict::Conditional) && !l.effect.nothing;
    if !facts.whole_order || lines.is_empty() || !lines.iter().all(yes) {
        return zero;
    }
    let least = lines.iter().map(|l| match l.effect.shipping {
        ShippingBack::None => 0,
        ShippingBack::Standard => (facts.shipping.minor - facts.express.minor).max(0),
        ShippingBack::All => facts.shipping.minor,
    });
    Money { minor: least.min().unwrap_or(0), ..zero }
}

fn unique<T: PartialEq>(values: impl Iterator<Item = T>) -> Vec<T> {
    let mut kept = Vec::new();
    for value in values {
        if !kept.contains(&value) {
            kept.push(value);
        }
    }
    kept
}
