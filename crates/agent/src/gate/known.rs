//! The evidence of a thread, arranged for looking things up.
//!
//! Built once a turn, it serves every check of that turn. A *thing* is a record with a name and an id or price, such as a
//! product; its numbers and words are its own, so that one product's price is no evidence for another's.

use serde_json::Value;

use super::{
    chars::Text,
    decimal::Dec,
    fields::{self, Field},
    scan::{Currency, Noun, Quantity, Unit, close_ranges, quantities},
    status::{self, Status},
    tokens::{self, Token, features, joined, tokens, weight},
};
use crate::evidence::{Address, Evidence};

/// The longest text that is indexed, in characters.
const TEXT_LIMIT: usize = 3_000;
/// How many tokens' weight makes a name recognisable.
pub(super) const GRAM: usize = 4;

/// A number that is known.
#[derive(Debug, Clone)]
pub(super) struct Known1 {
    pub(super) value: Dec,
    pub(super) unit: Unit,
    pub(super) field: Field,
    pub(super) place: usize,
    pub(super) thing: Option<usize>,
    /// A later call says otherwise.
    pub(super) stale: bool,
}

/// A list that was returned.
#[derive(Debug, Clone)]
pub(super) struct List {
    pub(super) length: usize,
    pub(super) noun: Noun,
    pub(super) place: usize,
    pub(super) owner: Option<usize>,
    pub(super) things: Vec<usize>,
}

/// A record with a name.
#[derive(Debug, Clone, Default)]
pub(super) struct Thing {
    pub(super) key: String,
    pub(super) id: Option<String>,
    pub(super) place: usize,
    pub(super) vocabulary: Vec<u64>,
    /// Whether it can be had, and the call that said so.
    pub(super) stock: Option<(u32, bool)>,
}

#[derive(Debug, Clone)]
struct Name {
    tokens: Vec<Token>,
    thing: usize,
}

/// The evidence of a thread, ready for [`super::check_known`].
#[derive(Debug, Clone, Default)]
pub struct Known {
    pub(super) places: Vec<Address>,
    pub(super) numbers: Vec<Known1>,
    pub(super) lists: Vec<List>,
    pub(super) things: Vec<Thing>,
    pub(super) said: Vec<Quantity>,
    pub(super) statuses: Vec<(Status, Option<usize>, usize)>,
    /// All texts, squeezed, one a line.
    pub(super) haystack: String,
    /// Where each text's line starts, and its place.
    lines: Vec<(usize, usize)>,
    pub(super) vocabulary: Vec<u64>,
    pub(super) said_vocabulary: Vec<u64>,
    said_from: usize,
    /// Some record is in Chinese.
    pub(super) has_han: bool,
    pub(super) raw: String,
    names: Vec<Name>,
    grams: Vec<(u64, usize)>,
    /// Words and three Han characters of names, with the thing.
    parts: Vec<(u64, usize)>,
    endings: Vec<String>,
    /// The last word of each name in letters, with the thing.
    heads: Vec<(u64, usize)>,
    relative: Vec<(usize, String, u32, usize)>,
}

impl Known {
    /// Arranges the evidence and the customer's words.
    #[must_use]
    pub fn of(evidence: &Evidence, said: &[String]) -> Self {
        let mut known = Self::default();
        for found in evidence.found() {
            let at = At { call: found.call, thing: None, field: Field::Other, currency: None, relative: String::new() };
            known.walk(&found.value, "", "", &at);
        }
        known.said_from = known.haystack.len();
        for text in evidence.said().iter().chain(said) {
            known.hear(text);
        }
        known.settle();
        known
    }

    fn hear(&mut self, text: &str) {
        let place = usize::MAX;
        self.lines.push((self.haystack.len(), place));
        self.haystack.push_str(&tokens::squeezed(text));
        self.haystack.push('\n');
        self.said_vocabulary.extend(features(&tokens(text)));
        self.raw.push_str(&text.to_ascii_lowercase());
        self.raw.push('\n');
        let text = Text::new(text);
        let mut numbers = quantities(&text);
        close_ranges(&text, &mut numbers);
        self.said.extend(numbers);
    }

    fn settle(&mut self) {
        self.vocabulary.sort_unstable();
        self.vocabulary.dedup();
        self.said_vocabulary.sort_unstable();
        for thing in &mut self.things {
            thing.vocabulary.sort_unstable();
            thing.vocabulary.dedup();
        }
        self.has_han = self.haystack.get(..self.said_from).is_some_and(|text| text.chars().any(crate::lang::is_han));
        self.mark_stale();
        for (at, name) in self.names.iter().enumerate() {
            for window in windows(&name.tokens) {
                self.grams.push((joined(window), at));
            }
        }
        for name in &self.names {
            if let Some(head) = name.tokens.iter().rev().find(|t| !t.han && !t.figures && t.end - t.start >= 3) {
                self.heads.push((head.hash, name.thing));
            }
            let words = name.tokens.iter().filter(|token| !token.han).map(std::slice::from_ref);
            let triples = name.tokens.windows(3).filter(|part| part.iter().all(|token| token.han));
            self.parts.extend(words.chain(triples).map(|part| (joined(part), name.thing)));
        }
        self.parts.sort_unstable();
        self.parts.dedup();
        self.grams.sort_unstable();
        self.grams.dedup();
        self.numbers.sort_by_key(|number| number.value);
    }

    /// A number is stale when a later call gave the same field of the same thing another value.
    fn mark_stale(&mut self) {
        let mut relative = std::mem::take(&mut self.relative);
        relative.sort();
        for group in relative.chunk_by(|a, b| (a.0, &a.1) == (b.0, &b.1)) {
            let Some(last) = group.iter().map(|entry| entry.2).max() else { continue };
            let current = group
                .iter()
                .filter(|entry| entry.2 == last)
                .filter_map(|entry| self.numbers.get(entry.3))
                .map(|n| n.value)
                .collect::<Vec<_>>();
            for (_, _, call, at) in group {
                if let Some(number) = self.numbers.get_mut(*at)
                    && *call < last
                    && !current.contains(&number.value)
                {
                    number.stale = true;
                }
            }
        }
    }

    fn place(&mut self, call: u32, pointer: &str) -> usize {
        self.places.push(Address { call, pointer: pointer.to_owned() });
        self.places.len() - 1
    }

    fn walk(&mut self, value: &Value, pointer: &str, key: &str, at: &At) {
        match value {
            Value::Null => {}
            Value::Bool(flag) => self.flag(*flag, pointer, key, at),
            Value::Number(number) => {
                let Some(value) = Dec::of(number) else { return };
                let place = self.place(at.call, pointer);
                let (value, unit) = fields::unit(at.field, value, key, at.currency);
                if at.field == Field::Stock {
                    self.stock(at, value > Dec::ZERO);
                }
                if at.field == Field::Total
                    && let Some(currency) = at.currency
                {
                    // The total of an order rather than of a search.
                    self.number(value, Unit::Money(currency), place, &At { field: Field::Amount, ..at.clone() });
                }
                self.number(value, unit, place, at);
                self.text(&number.to_string(), place, at, false);
            }
            Value::String(text) => {
                let place = self.place(at.call, pointer);
                self.text(text, place, at, true);
            }
            Value::Array(items) => self.array(items, pointer, key, at),
            Value::Object(fields) => self.object(value, fields, pointer, key, at),
        }
    }

    fn flag(&mut self, flag: bool, pointer: &str, key: &str, at: &At) {
        if fields::is_availability(key) {
            let place = self.place(at.call, pointer);
            let status = if flag { Status::InStock } else { Status::OutOfStock };
            self.statuses.push((status, at.thing, place));
            self.stock(at, flag);
        }
    }

    /// A later call knows better; within one call, one thing to be had is enough.
    fn stock(&mut self, at: &At, flag: bool) {
        let Some(thing) = at.thing.and_then(|thing| self.things.get_mut(thing)) else { return };
        thing.stock = Some(match thing.stock {
            Some((call, before)) if call == at.call => (call, before || flag),
            _ => (at.call, flag),
        });
    }

    fn number(&mut self, value: Dec, unit: Unit, place: usize, at: &At) {
        if let Some(thing) = at.thing {
            self.relative.push((thing, at.relative.clone(), at.call, self.numbers.len()));
        }
        self.numbers.push(Known1 { value, unit, field: at.field, place, thing: at.thing, stale: false });
    }

    fn text(&mut self, text: &str, place: usize, at: &At, scan: bool) {
        let limited = text.char_indices().nth(TEXT_LIMIT).map_or(text, |(end, _)| text.get(..end).unwrap_or(text));
        self.lines.push((self.haystack.len(), place));
        self.haystack.push_str(&tokens::squeezed(limited));
        self.haystack.push('\n');
        let words = features(&tokens(limited));
        if let Some(thing) = at.thing.and_then(|thing| self.things.get_mut(thing)) {
            thing.vocabulary.extend(&words);
        }
        self.vocabulary.extend(words);
        if !scan {
            return;
        }
        self.raw.push_str(&limited.to_ascii_lowercase());
        self.raw.push('\n');
        for status in status::in_evidence(limited) {
            self.statuses.push((status, at.thing, place));
            let available = match status {
                Status::InStock => Some(true),
                Status::OutOfStock => Some(false),
                _ => None,
            };
            if let Some(flag) = available {
                self.stock(at, flag);
            }
        }
        if !limited
            .contains(|c: char| c.is_ascii_digit() || matches!(c, '折' | '百' | '十' | '０'..='９' | '两' | '三'))
        {
            return;
        }
        let text = Text::new(limited);
        let mut numbers = quantities(&text);
        close_ranges(&text, &mut numbers);
        for number in numbers {
            let (value, unit) = match number.unit {
                Unit::Plain => fields::unit(at.field, number.value, "", at.currency),
                Unit::Money(Currency::Unknown) => (number.value, Unit::Money(at.currency.unwrap_or(Currency::Unknown))),
                unit => (number.value, unit),
            };
            self.number(value, unit, place, at);
        }
    }

    fn array(&mut self, items: &[Value], pointer: &str, key: &str, at: &At) {
        let place = self.place(at.call, pointer);
        let first = self.things.len();
        let mut things = Vec::new();
        for (i, item) in items.iter().enumerate() {
            let inner = At { relative: format!("{}/{i}", at.relative), ..at.clone() };
            if let Some(thing) = self.thing_of(item, at) {
                things.push(thing);
            }
            self.walk(item, &format!("{pointer}/{i}"), key, &inner);
        }
        let is_named = !things.is_empty() || self.things.len() > first;
        let noun = fields::noun(key, is_named);
        self.lists.push(List { length: items.len(), noun, place, owner: at.thing, things });
    }

    fn object(&mut self, value: &Value, fields: &serde_json::Map<String, Value>, pointer: &str, key: &str, at: &At) {
        let currency = fields.get("currency").and_then(Value::as_str).map(Currency::of_code).or(at.currency);
        if let (Some(Value::Number(minor)), Some(currency)) =
            (fields.get("minor").or_else(|| fields.get("minor_units")), currency)
        {
            let place = self.place(at.call, pointer);
            if let Some(amount) = Dec::of(minor).and_then(|minor| minor.over(100)) {
                self.number(amount, Unit::Money(currency), place, at);
            }
            return;
        }
        let thing = at.thing.or_else(|| self.thing_of(value, at));
        let fresh = at.thing.is_none() && thing.is_some();
        if let (true, Some(thing)) = (fresh, thing) {
            let place = self.place(at.call, pointer);
            if let Some(thing) = self.things.get_mut(thing) {
                thing.place = place;
            }
            self.name(thing, fields);
        }
        let relative = if fresh { String::new() } else { at.relative.clone() };
        for (name, item) in fields {
            let own = fields::of(name);
            let field = if own == Field::Other && fields::is_inner(name) { fields::of(key) } else { own };
            let inner = At { thing, currency, field, relative: format!("{relative}/{name}"), ..at.clone() };
            self.walk(item, &format!("{pointer}/{}", crate::evidence::escaped(name)), name, &inner);
        }
    }

    /// The thing an object is, known already or new; `None` when it has no name or nothing that a thing has.
    fn thing_of(&mut self, value: &Value, at: &At) -> Option<usize> {
        let fields = value.as_object()?;
        if at.thing.is_some() {
            return None;
        }
        let id = fields::id(fields);
        let name = fields::names(fields).next()?;
        if id.is_none() && !fields.keys().any(|key| fields::of(key) == Field::Price) {
            return None;
        }
        let key = id.clone().unwrap_or_else(|| name.to_owned());
        if let Some(at) = self.things.iter().position(|thing| thing.key == key) {
            return Some(at);
        }
        self.things.push(Thing { key, id, ..Thing::default() });
        Some(self.things.len() - 1)
    }

    fn name(&mut self, thing: usize, fields: &serde_json::Map<String, Value>) {
        for name in fields::names(fields) {
            let tokens = tokens(name);
            let han = name.chars().rev().take_while(|c| crate::lang::is_han(*c)).take(2).collect::<Vec<_>>();
            let ending = han.iter().rev().collect::<String>();
            if han.len() == 2 && !self.endings.contains(&ending) {
                self.endings.push(ending);
            }
            let known = self.names.iter().any(|name| name.thing == thing && joined(&name.tokens) == joined(&tokens));
            if !known && !tokens.is_empty() {
                self.names.push(Name { tokens, thing });
            }
        }
    }

    /// The numbers between two values.
    pub(super) fn between(&self, low: Dec, high: Dec) -> &[Known1] {
        let start = self.numbers.partition_point(|number| number.value < low);
        let end = self.numbers.partition_point(|number| number.value <= high);
        self.numbers.get(start..end.max(start)).unwrap_or_default()
    }

    /// The place of the text that contains a squeezed text; `Err(())` when only the customer said it.
    pub(super) fn text_with(&self, squeezed: &str) -> Option<Result<usize, usize>> {
        if squeezed.is_empty() {
            return None;
        }
        let at = self.haystack.find(squeezed)?;
        let line = self.lines.partition_point(|(start, _)| *start <= at).checked_sub(1)?;
        let place = self.lines.get(line)?.1;
        let said = self.lines.iter().take(line).filter(|(_, place)| *place == usize::MAX).count();
        Some(if at >= self.said_from { Err(said) } else { Ok(place) })
    }

    /// The squeezed text at a place; empty when there is none.
    pub(super) fn text_at(&self, place: usize) -> &str {
        let line = self.lines.iter().find(|(_, at)| *at == place).and_then(|(start, _)| self.haystack.get(*start..));
        line.and_then(|rest| rest.lines().next()).unwrap_or_default()
    }

    /// Whether a thing can be had, as far as is known.
    pub(super) fn available(&self, thing: usize) -> Option<bool> {
        self.things.get(thing)?.stock.map(|(_, flag)| flag)
    }

    pub(super) fn knows(&self, feature: u64) -> bool {
        self.vocabulary.binary_search(&feature).is_ok()
    }

    pub(super) fn heard(&self, feature: u64) -> bool {
        self.said_vocabulary.binary_search(&feature).is_ok()
    }

    /// The names that contain a window of tokens.
    pub(super) fn named(&self, gram: u64) -> impl Iterator<Item = usize> + '_ {
        let start = self.grams.partition_point(|(hash, _)| *hash < gram);
        self.grams.iter().skip(start).take_while(move |(hash, _)| *hash == gram).map(|(_, name)| *name)
    }

    /// The one thing among whose names these tokens stand.
    pub(super) fn only_bearer(&self, part: &[Token]) -> Option<usize> {
        let hash = joined(part);
        let start = self.parts.partition_point(|(part, _)| *part < hash);
        let mut bearers = self.parts.iter().skip(start).take_while(|(part, _)| *part == hash).map(|(_, thing)| *thing);
        let only = bearers.next()?;
        bearers.next().is_none().then_some(only)
    }

    /// The one thing whose name's last word this is.
    pub(super) fn headed_by(&self, hash: u64) -> Option<usize> {
        let mut bearers = self.heads.iter().filter(|(head, _)| *head == hash).map(|(_, thing)| *thing);
        let only = bearers.next()?;
        bearers.all(|other| other == only).then_some(only)
    }

    /// Whether a word stands in the name of a thing.
    pub(super) fn only_word_of(&self, thing: usize, hash: u64) -> bool {
        self.names.iter().any(|name| name.thing == thing && name.tokens.iter().any(|token| token.hash == hash))
    }

    /// The last two Han characters of the known names: what kind of thing they are.
    pub(super) fn endings(&self) -> &[String] {
        &self.endings
    }

    pub(super) fn thing_named(&self, name: usize) -> Option<usize> {
        self.names.get(name).map(|name| name.thing)
    }

    pub(super) fn name_tokens(&self, name: usize) -> &[Token] {
        self.names.get(name).map(|name| name.tokens.as_slice()).unwrap_or_default()
    }

    pub(super) fn address(&self, place: usize) -> Option<Address> {
        self.places.get(place).cloned()
    }

    /// The current prices of a thing, lowest first; what it cost before is not one.
    pub(super) fn prices(&self, thing: usize) -> impl Iterator<Item = &Known1> + '_ {
        self.numbers.iter().filter(move |number| {
            number.thing == Some(thing)
                && !number.stale
                && number.field == Field::Price
                && matches!(number.unit, Unit::Money(_))
        })
    }
}

/// The windows by which a name is recognised: as few tokens as carry the weight; all of a shorter name.
pub(super) fn windows(name: &[Token]) -> impl Iterator<Item = &[Token]> {
    let whole: usize = name.iter().map(weight).sum();
    let short = (whole < GRAM)
        .then_some(name)
        .filter(|name| whole >= 2 && name.iter().all(|token| token.han || token.end - token.start >= 4));
    let long = (0..name.len()).filter(move |_| whole >= GRAM).filter_map(move |start| window_at(name, start));
    short.into_iter().chain(long)
}

/// The shortest window of enough weight from a token.
pub(super) fn window_at(tokens: &[Token], start: usize) -> Option<&[Token]> {
    let mut sum = 0;
    for (n, token) in tokens.iter().enumerate().skip(start) {
        if n > start && token.fresh {
            return None;
        }
        sum += weight(token);
        if sum >= GRAM {
            return tokens.get(start..=n);
        }
    }
    None
}

#[derive(Debug, Clone)]
struct At {
    call: u32,
    thing: Option<usize>,
    field: Field,
    currency: Option<Currency>,
    /// The pointer from the thing.
    relative: String,
}
