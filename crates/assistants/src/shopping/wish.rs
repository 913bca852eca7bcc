//! The standing wish: what the customer is looking for at the moment, as text, conditions and order.
//!
//! A refinement changes it, a new wish replaces it as a whole, so that no filter of one wish leaks into the next. What stands is
//! shown as chips, and each chip can be taken away.

use indexmap::IndexMap;
use mercer_search::{Condition, Field, Op, Sort, Understood, value_label};
use mercer_shop::{Lang, Localized, Money};
use serde::{Deserialize, Serialize};

use super::dialogue::EXCLUSIVE;

/// What is being looked for.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Wish {
    /// Words that are matched as words.
    pub text: String,
    /// Conditions that products must meet, one or two a field.
    pub conditions: Vec<Condition>,
    /// The order asked for.
    pub sort: Sort,
    /// How many results were shown before; "more" moves it.
    pub offset: usize,
    /// What the shop calls the kinds that conditions name.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub kinds: IndexMap<String, Localized>,
    /// Words of the text that the last search found nothing for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lost: Vec<String>,
}

/// How a refinement joins a condition to one that stands on the same field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Join {
    /// "in blue": the new value stands instead of the old one.
    Replace,
    /// "also in blue": both stand.
    Add,
}

impl Wish {
    /// A wish from what was understood of a message.
    #[must_use]
    pub fn new(understood: &Understood) -> Self {
        let mut wish = Self {
            text: understood.text.trim().to_owned(),
            sort: understood.sort.unwrap_or_default(),
            ..Self::default()
        };
        for condition in &understood.conditions {
            wish.demand(condition.clone(), Join::Add);
        }
        wish
    }

    /// The wish after a refinement. It starts at the first result again.
    #[must_use]
    pub fn refined(&self, understood: &Understood, join: Join) -> Self {
        let mut wish = Self { offset: 0, ..self.clone() };
        if !understood.conditions.is_empty() {
            wish.forget_lost();
        }
        for condition in &understood.conditions {
            wish.demand(condition.clone(), join);
        }
        wish.add_words(understood.text.trim());
        if let Some(sort) = understood.sort {
            wish.sort = sort;
        }
        wish
    }

    /// The wish without one condition, or `None` when no condition has that id. The id `text` takes the words away, `sort` the order.
    #[must_use]
    pub fn without(&self, id: &str) -> Option<Self> {
        let mut wish = Self { offset: 0, ..self.clone() };
        match id {
            TEXT_CHIP if !wish.text.is_empty() => wish.text.clear(),
            SORT_CHIP if wish.sort != Sort::Relevance => wish.sort = Sort::Relevance,
            _ => {
                wish.conditions.retain(|condition| condition.id() != id);
                if wish.conditions.len() == self.conditions.len() {
                    return None;
                }
            }
        }
        Some(wish)
    }

    /// The wish with an upper price.
    #[must_use]
    pub fn at_most(&self, price: Money) -> Self {
        let mut wish = Self { offset: 0, ..self.clone() };
        wish.conditions.retain(|c| c.field != Field::Price);
        wish.conditions.push(Condition::at_most(price));
        wish
    }

    /// The wish with a lower price.
    #[must_use]
    pub fn at_least(&self, price: Money) -> Self {
        let mut wish = Self { offset: 0, ..self.clone() };
        wish.conditions.retain(|c| c.field != Field::Price);
        wish.conditions.push(Condition::at_least(price));
        wish
    }

    /// Whether nothing is asked for.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.text.is_empty() && self.conditions.is_empty()
    }

    /// Whether a kind of product is named.
    #[must_use]
    pub fn names_a_kind(&self) -> bool {
        self.conditions.iter().any(|c| c.field == Field::Category && !c.is_negative())
    }

    /// The price condition.
    #[must_use]
    pub fn price(&self) -> Option<&Condition> {
        self.conditions.iter().find(|c| c.field == Field::Price)
    }

    /// The chips: conditions, then words, then order.
    #[must_use]
    pub fn chips(&self, lang: Lang) -> Vec<Chip> {
        let mut chips: Vec<Chip> = self
            .conditions
            .iter()
            .map(|c| Chip { id: c.id(), label: self.label(c, lang), field: c.field.key() })
            .collect();
        if !self.text.is_empty() {
            chips.push(Chip { id: TEXT_CHIP.into(), label: format!("“{}”", self.text), field: TEXT_CHIP.into() });
        }
        if let Some(label) = sort_label(self.sort, lang) {
            chips.push(Chip { id: SORT_CHIP.into(), label: label.into(), field: SORT_CHIP.into() });
        }
        chips
    }

    /// What a condition says, kinds by the shop's own names.
    #[must_use]
    pub fn label(&self, condition: &Condition, lang: Lang) -> String {
        let (not, values) = match (&condition.field, &condition.op) {
            (Field::Category, Op::AnyOf(values)) => ("", values),
            (Field::Category, Op::NoneOf(values)) => (lang_pick(lang, "不要", "not "), values),
            _ => return condition.label(lang),
        };
        let name =
            |value: &String| match self.kinds.get(value).map(|names| names.get(lang)).filter(|name| !name.is_empty()) {
                Some(name) => name.to_owned(),
                None => value_label(&Field::Category, value, lang),
            };
        let names: Vec<String> = values.iter().map(name).collect();
        format!("{not}{}", names.join(lang_pick(lang, "或", " or ")))
    }

    /// Joins a condition to those that stand.
    pub fn demand(&mut self, condition: Condition, join: Join) {
        match &condition.op {
            Op::AnyOf(values) => self.want(condition.clone(), values, join),
            Op::NoneOf(values) => self.refuse(condition.clone(), values),
            Op::AtMost(_) | Op::AtLeast(_) | Op::Between(..) => self.price_within(condition),
        }
    }

    fn want(&mut self, mut condition: Condition, values: &[String], join: Join) {
        let standing = self.conditions.iter().position(|c| c.field == condition.field && !c.is_negative());
        if let (Some(at), Join::Add) = (standing, join)
            && let Some(Op::AnyOf(old)) = self.conditions.get(at).map(|c| &c.op)
        {
            let mut all = old.clone();
            all.extend(values.iter().filter(|v| !old.contains(v)).cloned());
            condition.op = Op::AnyOf(all);
        }
        for other in self.conditions.iter_mut().filter(|c| c.field == condition.field) {
            if let Op::NoneOf(refused) = &mut other.op {
                refused.retain(|v| !values.contains(v));
            }
        }
        self.put(standing, condition);
    }

    fn refuse(&mut self, mut condition: Condition, values: &[String]) {
        for other in self.conditions.iter_mut().filter(|c| c.field == condition.field) {
            if let Op::AnyOf(wanted) = &mut other.op {
                wanted.retain(|v| !values.contains(v));
            }
        }
        let standing = self.conditions.iter().position(|c| c.field == condition.field && c.is_negative());
        if let Some(Op::NoneOf(old)) = standing.and_then(|at| self.conditions.get(at)).map(|c| &c.op) {
            let mut all = old.clone();
            all.extend(values.iter().filter(|v| !old.contains(v)).cloned());
            condition.op = Op::NoneOf(all);
        }
        self.put(standing, condition);
    }

    /// A new bound stands instead of the old price, unless it only closes the other end of it.
    fn price_within(&mut self, mut condition: Condition) {
        let standing = self.conditions.iter().position(|c| c.field == condition.field && !c.is_negative());
        if let Some(old) = standing.and_then(|at| self.conditions.get(at))
            && old.currency == condition.currency
        {
            condition.op = match (&old.op, &condition.op) {
                (Op::AtMost(high) | Op::Between(_, high), Op::AtLeast(low)) if low < high => Op::Between(*low, *high),
                (Op::AtLeast(low) | Op::Between(low, _), Op::AtMost(high)) if low < high => Op::Between(*low, *high),
                (_, op) => op.clone(),
            };
        }
        self.put(standing, condition);
    }

    fn put(&mut self, at: Option<usize>, condition: Condition) {
        match at.and_then(|at| self.conditions.get_mut(at)) {
            Some(place) => *place = condition,
            None => self.conditions.push(condition),
        }
        self.conditions.retain(|c| !matches!(&c.op, Op::AnyOf(values) | Op::NoneOf(values) if values.is_empty()));
        self.conditions.sort_by(|a, b| a.field.cmp(&b.field));
    }

    /// Takes out the words that found nothing.
    fn forget_lost(&mut self) {
        let lost = std::mem::take(&mut self.lost);
        let is_lost = |word: &str| lost.iter().any(|l| l.eq_ignore_ascii_case(word));
        self.text = self.text.split_whitespace().filter(|word| !is_lost(word)).collect::<Vec<_>>().join(" ");
    }

    /// Adds words; one of an exclusive group ("long sleeve") takes the place of another ("short sleeve").
    fn add_words(&mut self, words: &str) {
        if words.is_empty() || self.text.contains(words) {
            return;
        }
        for group in EXCLUSIVE.iter().filter(|group| group.iter().any(|w| has_words(words, w))) {
            for other in *group {
                if has_words(&self.text, other) {
                    self.text = self.text.replacen(other, "", 1);
                }
            }
        }
        let kept = self.text.split_whitespace().collect::<Vec<_>>().join(" ");
        self.text = if kept.is_empty() { words.to_owned() } else { format!("{kept} {words}") };
    }
}

/// The id of the chip that holds the words.
pub(super) const TEXT_CHIP: &str = "text";
/// The id of the chip that holds the order.
pub(super) const SORT_CHIP: &str = "sort";

/// A removable part of the wish, as shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chip {
    /// What removes it.
    pub id: String,
    /// What it says.
    pub label: String,
    /// The property it is about.
    pub field: String,
}

fn has_words(text: &str, words: &str) -> bool {
    if words.is_ascii() { format!(" {text} ").contains(&format!(" {words} ")) } else { text.contains(words) }
}

fn lang_pick(lang: Lang, zh: &'static str, en: &'static str) -> &'static str {
    match lang {
        Lang::Zh => zh,
        Lang::En => en,
    }
}

fn sort_label(sort: Sort, lang: Lang) -> Option<&'static str> {
    let (zh, en) = match sort {
        Sort::Relevance => return None,
        Sort::PriceAsc => ("价格从低到高", "cheapest first"),
        Sort::PriceDesc => ("价格从高到低", "most expensive first"),
        Sort::Newest => ("最新在前", "newest first"),
        Sort::Popular => ("最热门在前", "most popular first"),
        Sort::Rating => ("评分最高在前", "best rated first"),
    };
    Some(lang_pick(lang, zh, en))
}

#[cfg(test)]
mod tests {
    use mercer_shop::Currency;

    use super::*;

    fn understood(conditions: Vec<Condition>, text: &str) -> Understood {
        Understood { conditions, text: text.into(), ..Understood::default() }
    }

    fn cny(yuan: i64) -> Money {
        Money::new(yuan * 100, Currency::CNY)
    }

    fn ids(wish: &Wish) -> Vec<String> {
        wish.conditions.iter().map(Condition::id).collect()
    }

    #[test]
    fn a_refinement_replaces_the_same_property_and_leaves_the_others() {
        let red_dress = understood(
            vec![
                Condition::any_of(Field::Category, ["dress"]),
                Condition::any_of(Field::Colour, ["red"]),
                Condition::at_most(cny(300)),
            ],
            "short sleeve floral",
        );
        let wish = Wish { offset: 12, ..Wish::new(&red_dress) };
        let blue =
            wish.refined(&understood(vec![Condition::any_of(Field::Colour, ["blue"])], "long sleeve"), Join::Replace);
        assert_eq!(ids(&blue), ["category:any:dress", "colour:any:blue", "price:max:30000"]);
        assert_eq!((blue.text.as_str(), blue.offset), ("floral long sleeve", 0));
        let also = blue.refined(&understood(vec![Condition::any_of(Field::Colour, ["green"])], ""), Join::Add);
        assert_eq!(ids(&also)[1], "colour:any:blue|green");
        let not =
            also.refined(&understood(vec![Condition::none_of(Field::Colour, ["blue", "green"])], ""), Join::Replace);
        assert_eq!(ids(&not), ["category:any:dress", "colour:none:blue|green", "price:max:30000"]);
        let above = not.refined(&understood(vec![Condition::at_least(cny(100))], ""), Join::Replace);
        assert_eq!(ids(&above)[2], "price:between:10000-30000");
    }

    #[test]
    fn a_chip_is_taken_away_by_its_id_and_an_unknown_one_changes_nothing() {
        let wish = Wish::new(&understood(vec![Condition::any_of(Field::Colour, ["red"])], "floral"));
        assert!(wish.without("colour:any:red").unwrap().conditions.is_empty());
        assert_eq!(wish.without("text").unwrap().text, "");
        assert_eq!(wish.without("colour:any:blue"), None);
        assert_eq!(wish.without("sort"), None);
        assert_eq!(wish.chips(Lang::En).len(), 2);
    }
}
