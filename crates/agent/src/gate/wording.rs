//! Claims that are words: states, superlatives, discounts, delivery times and promises.

use std::{ops::Range, sync::LazyLock};

use aho_corasick::AhoCorasick;

use super::{
    Citation, Claim, Kind,
    decimal::Dec,
    fields::Field,
    phrases::{
        ARRIVAL, BEST_RATED, CHEAPEST, COMPARATIVES, DEAREST, DEED_EVIDENCE, DEEDS, DISCOUNTS, FUTURE, MOST_SOLD, NOT,
        PROMISES, REDUCED, REDUCTION_EVIDENCE, VOWS, WHEN,
    },
    sentences::Sentence,
    status::{self, Status},
    view::View,
};

/// All phrases of the lists in this module, found in one pass.
static PHRASES: LazyLock<Option<(AhoCorasick, Vec<&'static str>)>> = LazyLock::new(|| {
    let lists = [CHEAPEST, DEAREST, BEST_RATED, MOST_SOLD, REDUCED, WHEN, DEEDS, VOWS];
    let mut all = lists.into_iter().flatten().copied().collect::<Vec<_>>();
    all.extend(COMPARATIVES.iter().map(|(phrase, _)| *phrase));
    all.extend(DISCOUNTS.iter().chain(PROMISES).flat_map(|(phrases, _)| phrases.iter().copied()));
    all.sort_unstable();
    all.dedup();
    Some((AhoCorasick::new(&all).ok()?, all))
});

/// The phrases of a text in lower case, with their places.
pub(super) fn found_in(lower: &str) -> Vec<(&'static str, Range<usize>)> {
    let Some((automaton, all)) = PHRASES.as_ref() else { return Vec::new() };
    let hits = automaton.find_overlapping_iter(lower);
    hits.filter_map(|hit| Some((*all.get(hit.pattern().as_usize())?, hit.span().range()))).collect()
}

/// Adds them.
pub(super) fn claims(view: &View<'_>, claims: &mut Vec<Claim>) {
    statuses(view, claims);
    superlatives(view, claims);
    comparatives(view, claims);
    discounts(view, claims);
    deliveries(view, claims);
    promises(view, claims);
}

fn negated(view: &View<'_>, at: &Range<usize>, reach: usize) -> bool {
    view.near(at, reach, 0, NOT)
}

fn sentence<'a>(view: &'a View<'_>, at: usize) -> Option<&'a Sentence> {
    view.sentence(at).map(|(_, sentence)| sentence)
}

/// The places of phrases in sentences that state something; a phrase inside a longer one is not counted again.
fn phrases(view: &View<'_>, phrases: &[&str]) -> Vec<Range<usize>> {
    phrases_in(view, phrases, |sentence| !sentence.is_open())
}

fn phrases_in(view: &View<'_>, phrases: &[&str], counts: impl Fn(&Sentence) -> bool) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    // In the order of the list: a phrase that contains another stands before it.
    for phrase in phrases {
        for (_, span) in view.phrases.iter().filter(|(hit, _)| hit == phrase) {
            let stated = sentence(view, span.start).is_some_and(&counts);
            let named = view.mentions.iter().any(|m| m.strong && m.span.start <= span.start && span.end <= m.span.end);
            if stated && !named && !found.iter().any(|taken| taken.start < span.end && span.start < taken.end) {
                found.push(span.clone());
            }
        }
    }
    found.sort_by_key(|span| span.start);
    found
}

fn evidence(view: &View<'_>, place: usize) -> Option<Citation> {
    view.known.address(place).map(|at| Citation::Evidence { at })
}

fn statuses(view: &View<'_>, claims: &mut Vec<Claim>) {
    for (span, claimed) in status::in_answer(&view.lower) {
        if sentence(view, span.start).is_none_or(Sentence::is_open) {
            continue;
        }
        let claimed = match claimed {
            Status::InStock if negated(view, &span, 9) => Status::OutOfStock,
            other => other,
        };
        // A count of things in stock is judged as a count.
        let counted = view.quantities.iter().any(|q| q.span.start < span.end && span.start < q.span.end);
        if counted {
            continue;
        }
        let support = status_support(view, &span, claimed);
        claims.push(view.claim(span, Kind::Status, support));
    }
}

fn status_support(view: &View<'_>, span: &Range<usize>, claimed: Status) -> Option<Citation> {
    let bound = view.bound(span);
    let stock = matches!(claimed, Status::InStock | Status::OutOfStock);
    let wanted = claimed == Status::InStock;
    if stock && !bound.is_empty() {
        let place = view.known.things.get(*bound.first()?)?.place;
        let is_so = |available: Option<bool>| available == Some(wanted);
        // A size or colour may be out while the product is in: the records name both.
        let variant = view
            .known
            .statuses
            .iter()
            .any(|(status, thing, _)| *status == claimed && thing.is_some_and(|thing| bound.contains(&thing)));
        let everything = ["both", "all ", "都", "均"].iter().any(|word| view.near(span, 40, 12, &[*word]));
        let fine = if everything {
            bound.iter().all(|at| is_so(view.known.available(*at)))
        } else {
            bound.iter().any(|at| is_so(view.known.available(*at))) || variant && !wanted
        };
        return if fine { evidence(view, place) } else { None };
    }
    if let Some((_, _, place)) = view.known.statuses.iter().find(|(status, _, _)| *status == claimed) {
        return evidence(view, *place);
    }
    let thing = view.known.things.iter().find(|thing| stock && thing.stock.is_some_and(|(_, flag)| flag == wanted));
    thing.and_then(|thing| evidence(view, thing.place))
}

fn superlatives(view: &View<'_>, claims: &mut Vec<Claim>) {
    for (list, field, most) in [
        (CHEAPEST, Field::Price, false),
        (DEAREST, Field::Price, true),
        (BEST_RATED, Field::Rating, true),
        (MOST_SOLD, Field::Review, true),
    ] {
        for span in phrases(view, list) {
            if negated(view, &span, 14) {
                continue;
            }
            if let Some(support) = extreme(view, &span, field, most) {
                claims.push(view.claim(span, Kind::Superlative, support));
            }
        }
    }
}

/// Whether the thing spoken of has the extreme value of its result. The outer `None`: nothing is claimed of any thing.
fn extreme(view: &View<'_>, span: &Range<usize>, field: Field, most: bool) -> Option<Option<Citation>> {
    let sentence = sentence(view, span.start)?;
    let mut things = view.bound(span);
    // "The cheapest is X": what follows is meant, when nothing stands before.
    let next = view.strong_in(&sentence.span).find(|m| m.span.start >= span.end);
    let before = view.strong_in(&sentence.span).any(|m| m.span.end <= span.start);
    if let Some(next) = next.filter(|_| !before) {
        things.clone_from(&next.things);
    }
    let values = |thing: usize| {
        view.known
            .numbers
            .iter()
            .filter(move |n| n.thing == Some(thing) && n.field == field && !n.stale)
            .map(|n| n.value)
    };
    let value = |thing: usize| if field == Field::Price && !most { values(thing).min() } else { values(thing).max() };
    if things.is_empty() {
        let amount = view
            .quantities
            .iter()
            .find(|q| sentence.span.contains(&q.span.start) && matches!(q.unit, super::scan::Unit::Money(_)));
        let Some(amount) = amount.filter(|_| field == Field::Price) else {
            return (field != Field::Price).then_some(None);
        };
        let lists = view.known.lists.iter().filter(|list| list.things.len() > 1);
        let fits = lists
            .map(|list| bound_of(list.things.iter().filter_map(|t| value(*t)), most))
            .any(|extreme| extreme == Some(amount.value));
        return Some(fits.then(|| Citation::Derived { from: Vec::new() }));
    }
    let thing = *things.first()?;
    let Some(own) = value(thing) else { return Some(None) };
    let holds = |others: Vec<Dec>| others.into_iter().all(|other| if most { other <= own } else { other >= own });
    let lists = view.known.lists.iter().filter(|list| list.things.contains(&thing) && list.things.len() > 1);
    let lower = view.lower_of(&sentence.span);
    let to_be_had = ["in stock", "available", "有货", "现货"].iter().any(|word| lower.contains(word));
    let counts = |thing: &usize| !to_be_had || view.known.available(*thing) != Some(false);
    let mut lists =
        lists.map(|list| list.things.iter().copied().filter(counts).collect::<Vec<_>>()).collect::<Vec<_>>();
    lists.sort_by_key(|things| std::cmp::Reverse(things.len()));
    let of_few = ["of the two", "of the three", "compared", "of these", "of those", "这两", "这三", "两款中", "这几"]
        .iter()
        .any(|word| lower.contains(word));
    let mut shown =
        view.mentions.iter().filter(|m| m.strong).filter_map(|m| m.things.first().copied()).collect::<Vec<_>>();
    shown.sort_unstable();
    shown.dedup();
    if of_few && shown.len() > 1 {
        lists.push(shown);
    }
    // Without a word that narrows it, the largest result is meant.
    lists.truncate(if of_few { usize::MAX } else { 1 });
    let fine = if !lists.is_empty() {
        lists.iter().any(|things| holds(things.iter().filter_map(|t| value(*t)).collect()))
    } else {
        // Looked up one by one: held against everything that is known.
        view.known.things.len() > 1 && holds((0..view.known.things.len()).filter_map(value).collect())
    };
    let place = view.known.things.get(thing).and_then(|thing| view.known.address(thing.place));
    Some(fine.then(|| Citation::Derived { from: place.into_iter().collect() }))
}

fn bound_of(values: impl Iterator<Item = Dec>, most: bool) -> Option<Dec> {
    if most { values.max() } else { values.min() }
}

/// "A is cheaper than B", A比B便宜.
fn comparatives(view: &View<'_>, claims: &mut Vec<Claim>) {
    for (phrase, more) in COMPARATIVES {
        for span in phrases(view, &[phrase]) {
            let Some(sentence) = sentence(view, span.start) else { continue };
            let mentions = view.strong_in(&sentence.span).collect::<Vec<_>>();
            let [first, second] = mentions.as_slice() else { continue };
            let between = view.lower.get(first.span.end..second.span.start).unwrap_or_default();
            let compared = if phrase.is_ascii() {
                between.contains(phrase)
            } else {
                between.trim_end().ends_with('比') && span.start >= second.span.end
            };
            let price = |things: &[usize]| {
                things.iter().filter_map(|thing| view.known.prices(*thing).map(|p| p.value).min()).min()
            };
            let (true, Some(a), Some(b)) = (compared, price(&first.things), price(&second.things)) else { continue };
            let holds = (if *more { a > b } else { a < b }) != negated(view, &span, 6);
            claims.push(view.claim(span, Kind::Superlative, holds.then(|| Citation::Derived { from: Vec::new() })));
        }
    }
}

fn discounts(view: &View<'_>, claims: &mut Vec<Claim>) {
    for (said, supports) in DISCOUNTS {
        for span in phrases(view, said) {
            if negated(view, &span, 24) {
                continue;
            }
            let support = offered(view, &span, supports).then(|| Citation::Derived { from: Vec::new() });
            claims.push(view.claim(span, Kind::Discount, support));
        }
    }
    for span in phrases(view, REDUCED) {
        if negated(view, &span, 24) {
            continue;
        }
        let support = reduced(view, &span);
        claims.push(view.claim(span, Kind::Discount, support));
    }
}

/// A record speaks of the offer, and of the amount that the sentence ties to it.
fn offered(view: &View<'_>, span: &Range<usize>, words: &[&str]) -> bool {
    let sentence = sentence(view, span.start).map_or(span.clone(), |sentence| sentence.span.clone());
    let amounts = view
        .quantities
        .iter()
        .filter(|q| sentence.contains(&q.span.start) && matches!(q.unit, super::scan::Unit::Money(_)));
    let on_condition =
        ["over ", "above ", "orders", "spend", "满", "订单"].iter().any(|word| view.lower_of(&sentence).contains(word));
    let offers = |text: &str| words.iter().any(|word| text.contains(word));
    if !on_condition {
        return view.known.raw.lines().any(offers);
    }
    let tied = |value: Dec| {
        let mut same =
            view.known.between(value, value).iter().filter(|n| matches!(n.unit, super::scan::Unit::Money(_)));
        same.any(|n| words.iter().any(|word| view.known.text_at(n.place).contains(&super::tokens::squeezed(word))))
    };
    view.known.raw.lines().any(offers) && amounts.map(|q| q.value).all(tied)
}

/// A reduction is known when the thing cost more before, or a record speaks of one.
fn reduced(view: &View<'_>, span: &Range<usize>) -> Option<Citation> {
    let bound = view.bound(span);
    let of_bound = |thing: usize| bound.is_empty() || bound.contains(&thing);
    let before = view.known.numbers.iter().find(|n| {
        n.field == Field::Before
            && n.thing
                .is_some_and(|thing| of_bound(thing) && view.known.prices(thing).any(|price| price.value < n.value))
    });
    if let Some(before) = before {
        return evidence(view, before.place);
    }
    let word = REDUCTION_EVIDENCE.iter().any(|word| view.known.raw.contains(word));
    word.then(|| Citation::Derived { from: Vec::new() })
}

fn deliveries(view: &View<'_>, claims: &mut Vec<Claim>) {
    for span in phrases(view, WHEN) {
        let Some(sentence) = sentence(view, span.start) else { continue };
        let lower = view.lower_of(&sentence.span);
        let arrival = ARRIVAL.iter().any(|word| lower.contains(word));
        if !arrival || negated(view, &span, 30) {
            continue;
        }
        let word = view.lower.get(span.clone()).unwrap_or_default();
        let support = view.known.raw.contains(word).then(|| Citation::Derived { from: Vec::new() });
        claims.push(view.claim(span, Kind::Delivery, support));
    }
}

fn promises(view: &View<'_>, claims: &mut Vec<Claim>) {
    for (said, tasks) in PROMISES {
        // "If you wish, we will call" promises a call.
        for span in phrases_in(view, said, |sentence| !sentence.asks) {
            let future = view.near(&span, 40, 0, FUTURE)
                || FUTURE.iter().any(|word| view.lower.get(span.clone()).is_some_and(|text| text.contains(word)));
            if !future
                || negated(view, &span, 16)
                || view.near(&span, 30, 0, &["you can ", "可以自行", "您可", "你可以", "想"])
            {
                continue;
            }
            let support = task(view, tasks).or_else(|| recorded(view, &span));
            claims.push(view.claim(span, Kind::Promise, support));
        }
    }
    for span in phrases_in(view, DEEDS, |sentence| !sentence.asks) {
        if !negated(view, &span, 16) && !view.near(&span, 16, 0, &["可以", "您可", "can ", "could "]) {
            claims.push(view.claim(span, Kind::Promise, task(view, DEED_EVIDENCE)));
        }
    }
    for span in phrases(view, VOWS) {
        if !negated(view, &span, 12) {
            let support = recorded(view, &span).or_else(|| {
                view.known
                    .raw
                    .contains(view.lower.get(span.clone()).unwrap_or("\0"))
                    .then(|| Citation::Derived { from: Vec::new() })
            });
            claims.push(view.claim(span, Kind::Promise, support));
        }
    }
}

/// A tool made a task of this class: a field named for tasks holds one of its words.
fn task(view: &View<'_>, words: &[&str]) -> Option<Citation> {
    let mut fields = view.known.places.iter().enumerate().filter(|(_, at)| {
        let pointer = at.pointer.to_ascii_lowercase();
        ["task", "ticket", "scheduled", "reminder", "callback", "promise", "subscription"]
            .iter()
            .any(|name| pointer.contains(name))
    });
    let found = fields.find(|(place, at)| {
        let pointer = at.pointer.to_ascii_lowercase();
        words.iter().any(|word| pointer.contains(word) || view.known.text_at(*place).contains(word))
    });
    found.map(|(_, at)| Citation::Evidence { at: at.clone() })
}

/// The sentence stands in a record as it is, such as in a policy.
fn recorded(view: &View<'_>, span: &Range<usize>) -> Option<Citation> {
    let sentence = sentence(view, span.start)?;
    let text = view.answer.get(sentence.span.clone())?;
    let place = view.known.text_with(&super::tokens::squeezed(text))?.ok()?;
    evidence(view, place)
}
