//! Everything that is read by known phrases: order, exclusions, properties, brands, categories.

use tantivy::Term;

use crate::analysis::{Word, is_stop_word};
use crate::index::Generation;
use crate::lexicon::{Synonyms, VALUES, Value};
use crate::request::{Condition, Field, Understood};

use super::words::{
    EXCLUDING, EXCLUDING_PAIRS, FILLERS, FRAMES, JOINING, LEADERS, LONGEST_ORDER, ORDERS, PREPOSITIONS,
};

/// Reads the words of a text into what was understood; the rest becomes its text.
pub(super) fn read(text: &str, generation: &Generation, synonyms: &Synonyms, understood: &mut Understood) {
    let mut words = generation.segmenter.query_words(text);
    // The dictionary takes "want white" for one word.
    for word in &mut words {
        let wanted = word.surface.strip_prefix('要').filter(|wanted| VALUES.named(wanted).next().is_some());
        if let Some(wanted) = wanted.map(str::to_owned) {
            word.term.clone_from(&wanted);
            word.surface = wanted;
        }
    }
    let used = vec![false; words.len()];
    let mut reading = Reading { text: understood.text.clone(), used, words, generation, synonyms, found: Vec::new() };
    reading.orders(understood);
    reading.exclusions(understood);
    reading.values(understood);
    reading.categories(understood);
    reading.ambiguous(understood);
    reading.frames();
    understood.text = reading.rest();
}

/// A phrase that names a category, not yet taken.
struct Named {
    at: usize,
    length: usize,
    names: Vec<String>,
}

struct Reading<'a> {
    /// The text as the customer wrote it.
    text: String,
    words: Vec<Word>,
    used: Vec<bool>,
    generation: &'a Generation,
    synonyms: &'a Synonyms,
    found: Vec<Named>,
}

impl Reading<'_> {
    fn phrase(&self, at: usize, length: usize) -> Option<String> {
        let words = self.words.get(at..at + length)?;
        let free = self.used.get(at..at + length)?.iter().all(|used| !used);
        free.then(|| words.iter().map(|word| word.term.as_str()).collect::<Vec<_>>().join(" "))
    }

    fn surface(&self, at: usize, length: usize) -> Option<String> {
        let words = self.words.get(at..at + length)?;
        let free = self.used.get(at..at + length)?.iter().all(|used| !used);
        free.then(|| words.iter().map(|word| word.surface.as_str()).collect::<Vec<_>>().join(" "))
    }

    fn take(&mut self, at: usize, length: usize) {
        for used in self.used.iter_mut().skip(at).take(length) {
            *used = true;
        }
    }

    fn orders(&mut self, understood: &mut Understood) {
        for at in 0..self.words.len() {
            for length in (1..=LONGEST_ORDER).rev() {
                let Some(phrase) = self.surface(at, length).map(|phrase| phrase.replace(' ', "")) else { continue };
                if let Some((_, sort)) = ORDERS.iter().find(|(known, _)| known.replace(' ', "") == phrase) {
                    understood.sort = understood.sort.or(Some(*sort));
                    self.take(at, length);
                }
            }
        }
    }

    fn exclusions(&mut self, understood: &mut Understood) {
        let mut at = 0;
        while at < self.words.len() {
            let surface = self.words.get(at).map(|word| word.surface.clone()).unwrap_or_default();
            let pair = self.surface(at, 2).is_some_and(|pair| EXCLUDING_PAIRS.contains(&pair.as_str()));
            let taken = match EXCLUDING.iter().find(|(word, _)| *word == surface) {
                Some((_, always)) => self.excluded(at, *always, understood),
                None if pair => match self.excluded(at + 1, false, understood) {
                    0 => 0,
                    taken => taken + 1,
                },
                None => 0,
            };
            if taken > 0 {
                let before = self.words.iter().take(at).rev();
                let led = before.take_while(|word| LEADERS.contains(&word.surface.as_str())).count();
                self.take(at - led, led + taken);
            }
            at += taken.max(1);
        }
    }

    /// Reads what follows an excluding word at `at`; returns how many words the exclusion has.
    fn excluded(&self, at: usize, always: bool, understood: &mut Understood) -> usize {
        let mut next = at + 1;
        let mut end = at;
        while next < self.words.len() {
            let surface = self.words.get(next).map(|word| word.surface.as_str()).unwrap_or_default();
            let fond = surface == "fan" && self.words.get(next + 1).is_some_and(|word| word.surface == "of");
            if (fond || FILLERS.contains(&surface)) && end == at {
                next += 1;
                continue;
            }
            // "不要黑的或白的".
            if end > at && surface == "的" && self.joins(next + 1) {
                next += 1;
                continue;
            }
            if end > at && matches!(surface, "or" | "and" | "nor" | "和" | "或" | "或者" | "、" | "也" | "跟") {
                next += 1;
                continue;
            }
            if let Some((condition, length)) = self.value(next, false)
                && (end == at || !matches!(condition.field, Field::Gender | Field::AgeGroup))
            {
                merge(understood, excluding(condition));
                next += length;
                end = next - 1;
                continue;
            }
            break;
        }
        if end == at && always {
            let first = self.words.get(next).filter(|word| !is_stop_word(&word.surface) && !word.after_break);
            let Some(word) = first else { return 0 };
            let condition = match self.generation.names().categories(&word.term).as_slice() {
                names if names.is_empty() || !self.generation.vocabulary.is_categorised() => {
                    Condition::none_of(Field::Words, [word.surface.clone()])
                }
                names => Condition::none_of(Field::Category, names.iter().cloned()),
            };
            merge(understood, condition);
            end = next;
        }
        if end == at { 0 } else { end - at + 1 }
    }

    fn joins(&self, at: usize) -> bool {
        self.words.get(at).is_some_and(|word| matches!(word.surface.as_str(), "和" | "或" | "或者" | "也" | "跟"))
    }

    /// Properties and brands, the longest phrase first.
    fn values(&mut self, understood: &mut Understood) {
        let mut at = 0;
        while at < self.words.len() {
            let category = self.category_length(at);
            match self.value(at, true) {
                Some((condition, length)) if length > category || length == category && says_who(&condition) => {
                    merge(understood, condition);
                    self.take(at, length);
                    at += length;
                }
                _ => at += category.max(1),
            }
        }
    }

    /// The longest category name that starts here, in words.
    fn category_length(&self, at: usize) -> usize {
        if !self.generation.vocabulary.is_categorised() {
            return 0;
        }
        let longest = self.generation.names().longest().min(self.words.len() - at);
        (1..=longest)
            .rev()
            .find(|length| self.phrase(at, *length).is_some_and(|p| !self.named(&p).is_empty()))
            .unwrap_or(0)
    }

    /// A value of a property or a brand that starts here.
    fn value(&self, at: usize, sure: bool) -> Option<(Condition, usize)> {
        let longest = VALUES.longest().max(self.generation.names().longest()).min(self.words.len() - at);
        (1..=longest).rev().find_map(|length| {
            let phrase = self.phrase(at, length)?;
            let meant = |value: &&Value| {
                // A word with other meanings names a value only where products state that value or one that will do for it.
                let mut keys = std::iter::once(&value.key).chain(&value.near);
                let mut stated = || keys.any(|key| self.generation.vocabulary.count(&value.field, key) > 0);
                self.sold(&value.field, &value.key) && (!VALUES.is_ambiguous(&phrase, value) || !sure && stated())
            };
            let known = VALUES.named(&phrase).find(meant);
            if let Some(value) = known {
                return Some((Condition::any_of(value.field.clone(), [value.key.clone()]), length));
            }
            let (brand, count) = self.generation.names().brand(&phrase)?;
            (self.is_only_a_brand(&phrase, count) && self.is_written_as_brand(at, length, brand))
                .then(|| (Condition::any_of(Field::Brand, [brand]), length))
        })
    }

    /// Whether a value can be a condition: its property is known here and, except for colours, the value occurs.
    fn sold(&self, field: &Field, key: &str) -> bool {
        let vocabulary = &self.generation.vocabulary;
        match field {
            Field::Colour | Field::Gender => vocabulary.values(field).next().is_some(),
            _ => vocabulary.count(field, key) > 0,
        }
    }

    /// A brand is a condition only when nearly every product that names it is of that brand: a charger *for* a brand is none of it.
    fn is_only_a_brand(&self, phrase: &str, count: usize) -> bool {
        let first = phrase.split(' ').next().unwrap_or_default();
        let field = self.generation.fields.title;
        let named = self.generation.searcher.doc_freq(&Term::from_field_text(field, first)).unwrap_or_default();
        let several = phrase.contains(' ');
        let category = !self.named(phrase).is_empty();
        !category && (several || u64::try_from(count).unwrap_or_default() * 100 >= named * 85)
    }

    /// A maker called like a word that joins others (*AND*) is meant only where the text writes it just so, at either end or after *by*.
    fn is_written_as_brand(&self, at: usize, length: usize, brand: &str) -> bool {
        let words = self.words.get(at..at + length).unwrap_or_default();
        if !words.iter().all(|word| is_stop_word(&word.surface) || JOINING.contains(&word.surface.as_str())) {
            return true;
        }
        let shouted = !self.text.chars().any(char::is_lowercase) && self.text.trim() != brand;
        let tokens: Vec<&str> = self.text.split_whitespace().collect();
        let ends = tokens.first() == Some(&brand) || tokens.last() == Some(&brand);
        let named = tokens.windows(2).any(|pair| {
            matches!(pair, [before, name] if *name == brand && matches!(before.to_lowercase().as_str(), "by" | "from" | "brand"))
        });
        !shouted && (ends || named)
    }

    /// Category names that a phrase or its synonyms mean.
    fn named(&self, phrase: &str) -> Vec<String> {
        let names = self.generation.names();
        let mut found = names.categories(phrase);
        // A name with other meanings may be another article here: paper notebooks are no laptops.
        for synonym in self.synonyms.of(phrase).iter().filter(|synonym| synonym.is_sure()) {
            found.extend(names.categories(&synonym.phrase));
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Category phrases before the first preposition; of neighbours the last one says what the article is.
    fn categories(&mut self, understood: &mut Understood) {
        if !self.generation.vocabulary.is_categorised() {
            return;
        }
        let mut at = 0;
        while at < self.words.len() {
            let surface = self.words.get(at).map(|word| word.surface.as_str()).unwrap_or_default();
            if PREPOSITIONS.contains(&surface) && !self.found.is_empty() {
                break;
            }
            let length = self.category_length(at);
            if length > 0
                && let Some(phrase) = self.phrase(at, length)
            {
                let names = self.named(&phrase);
                self.found.push(Named { at, length, names });
            }
            at += length.max(1);
        }
        let found = std::mem::take(&mut self.found);
        for (index, named) in found.iter().enumerate() {
            let followed = found.get(index + 1).is_some_and(|next| next.at == named.at + named.length)
                || self.modifies(named.at + named.length);
            if !followed {
                merge(understood, Condition::any_of(Field::Category, named.names.iter().cloned()));
                self.take(named.at, named.length);
            }
        }
    }

    /// Whether the word at `at` makes the one before it a mere modifier: *dress shirt* asks for shirts also where no category is called so.
    fn modifies(&self, at: usize) -> bool {
        let Some(word) = self.words.get(at) else { return false };
        let free = self.used.get(at).is_some_and(|used| !used);
        free && !word.after_break
            && !is_stop_word(&word.surface)
            && !PREPOSITIONS.contains(&word.surface.as_str())
            && !FRAMES.contains(&word.surface.as_str())
            && word.surface.chars().all(char::is_alphabetic)
    }

    /// Words that may be values now that an article is named.
    fn ambiguous(&mut self, understood: &mut Understood) {
        if !understood.conditions.iter().any(|condition| condition.field == Field::Category) {
            return;
        }
        let mut at = 0;
        while at < self.words.len() {
            match self.value(at, false) {
                Some((condition, length)) => {
                    merge(understood, condition);
                    self.take(at, length);
                    at += length;
                }
                None => at += 1,
            }
        }
    }

    fn frames(&mut self) {
        for at in 0..self.words.len() {
            for length in (1..=4).rev() {
                if self.surface(at, length).is_some_and(|phrase| FRAMES.contains(&phrase.as_str())) {
                    self.take(at, length);
                }
            }
        }
    }

    /// The words that were not taken, without stop words at either end.
    fn rest(&self) -> String {
        let free = self.words.iter().zip(&self.used).filter(|(word, used)| !**used && !is_stop_word(&word.surface));
        let mut seen = None;
        let mut kept = Vec::new();
        for (word, _) in free {
            // The pieces of a model number repeat the number.
            if word.code || seen != Some(word.place) {
                seen = word.code.then_some(word.place).or(seen);
                kept.push(word.surface.as_str());
            }
        }
        kept.join(" ")
    }
}

/// Shops have departments called *Women*; in a query the word says for whom.
fn says_who(condition: &Condition) -> bool {
    matches!(condition.field, Field::Gender | Field::AgeGroup)
}

fn excluding(mut condition: Condition) -> Condition {
    if let crate::request::Op::AnyOf(values) = condition.op {
        condition.op = crate::request::Op::NoneOf(values);
    }
    condition
}

/// Adds a condition; a second one of the same kind on the same field joins its values to the first.
fn merge(understood: &mut Understood, condition: Condition) {
    use crate::request::Op::{AnyOf, NoneOf};
    for known in &mut understood.conditions {
        if known.field != condition.field {
            continue;
        }
        match (&mut known.op, &condition.op) {
            (AnyOf(mine), AnyOf(more)) | (NoneOf(mine), NoneOf(more)) => {
                for value in more {
                    if !mine.contains(value) {
                        mine.push(value.clone());
                    }
                }
                return;
            }
            _ => {}
        }
    }
    understood.conditions.push(condition);
}
