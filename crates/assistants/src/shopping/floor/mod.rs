//! The floor: the rule engine in the model's place.
//!
//! It decides from the state alone what to call next or what to say. It uses the same tools through the same registry, so what it
//! says is evidence too; every fact in its answers is taken from a tool's output.

mod about;
mod facts;
mod words;

use mercer_agent::{Failure, FailureKind, ToolResult};
use mercer_model::ToolCall;
use mercer_search::Field;
use mercer_shop::{Lang, ProductId};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use self::facts::Facts;
use self::words::{Answer, say};
use super::desk::Desk;
use super::dialogue::{Act, Asking, Best, Focus};
use super::state::{Shopping, Turn};
use super::tools::{self, Comparison, FindSimilar, Results, SearchProducts, Shape};
use super::wish::{Join, Wish};

/// How many products an answer shows.
pub const PAGE: u32 = 6;
/// How many kinds an answer names.
const KINDS: usize = 5;

/// What the rules do next.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Move {
    /// Make these calls.
    Call(Vec<ToolCall>),
    /// Say this.
    Say(Said),
}

/// An answer of the rules.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Said {
    /// The words.
    pub text: String,
    /// The products to show, with what each matched.
    pub products: Vec<(ProductId, Vec<String>)>,
    /// What "it" means from now on.
    pub focus: Option<Focus>,
}

/// What the rules do next in a turn.
#[must_use]
pub(super) fn next(state: &Shopping, turn: &Turn, desk: &Desk) -> Move {
    let floor = Floor { state, turn, desk, lang: turn.lang };
    match floor.answer() {
        Ok(said) => Move::Say(said),
        Err(calls) => Move::Call(calls),
    }
}

/// The rules at work: an answer, or the calls it still needs.
type Wanted<T> = Result<T, Vec<ToolCall>>;

struct Floor<'a> {
    state: &'a Shopping,
    turn: &'a Turn,
    desk: &'a Desk,
    lang: Lang,
}

impl Floor<'_> {
    fn answer(&self) -> Wanted<Said> {
        match self.turn.act() {
            Act::Search(asking) => self.search(*asking, &self.wish()),
            Act::More { disliked } => self.more(*disliked),
            Act::About { product, aspect, value, size, sold_out } => {
                self.about(product, *aspect, value.as_deref(), size.as_deref(), *sold_out)
            }
            Act::Reset => Ok(Said { focus: None, ..self.plain(Answer::Reset, &json!({})) }),
            Act::Compare { products } => self.compare(products),
            Act::Similar { to } => self.similar(to),
            Act::Look { images } => self.look(images),
            Act::Assortment => self.assortment(),
            Act::Greeting => self.greeting(),
            Act::Help => Ok(self.plain(Answer::Help, &json!({}))),
            Act::Thanks => Ok(self.plain(Answer::Thanks, &json!({}))),
            Act::Bye => Ok(self.plain(Answer::Bye, &json!({}))),
            Act::Agreed => Ok(self.plain(Answer::Agreed, &json!({ "shown": self.state.shown.len() }))),
            Act::Beyond { topic } => Ok(self.plain(Answer::Beyond, &json!({ "beyond": topic }))),
            Act::NoSuch { said } => {
                Ok(self.plain(Answer::NoSuch, &json!({ "said": said, "count": self.state.shown.len() })))
            }
            Act::Nothing => Ok(self.plain(Answer::Nothing, &json!({}))),
        }
    }

    /// The wish of this turn.
    fn wish(&self) -> Wish {
        let read = self.turn.reading.as_ref().and_then(|r| r.wish.clone());
        read.or_else(|| self.state.wish.clone()).unwrap_or_default()
    }

    /// An answer without products.
    fn plain(&self, answer: Answer, facts: &Value) -> Said {
        Said { text: say(self.lang, answer, facts), products: Vec::new(), focus: self.state.focus.clone() }
    }

    /// The result of a call that this turn makes once, under a name of its own; the call when it was not made.
    fn outcome(&self, slot: &str, name: &str, arguments: &impl Serialize) -> Wanted<&ToolResult> {
        let id = format!("rule_{}_{slot}", self.turn.number);
        match self.turn.results.iter().find(|r| r.call_id == id) {
            Some(result) => Ok(result),
            None => Err(vec![ToolCall::new(id, name, json!(arguments).to_string())]),
        }
    }

    /// The output of a call, or why there is none.
    fn ask<T: DeserializeOwned>(
        &self,
        slot: &str,
        name: &str,
        arguments: &impl Serialize,
    ) -> Wanted<Result<T, Failure>> {
        Ok(output(self.outcome(slot, name, arguments)?))
    }

    fn trouble(&self, failure: &Failure) -> Said {
        let answer = if failure.kind == FailureKind::NotFound { Answer::Gone } else { Answer::Trouble };
        self.plain(answer, &json!({}))
    }

    fn search(&self, asking: Asking, wish: &Wish) -> Wanted<Said> {
        let call = SearchProducts::for_wish(wish, PAGE);
        let results = self.outcome("search", tools::SEARCH, &call);
        let needs_shape =
            asking.vague || results.as_ref().is_ok_and(|r| output::<Results>(r).is_ok_and(|r| r.items.is_empty()));
        let shape = needs_shape.then(|| self.shape());
        let results = match (results, shape) {
            (Err(mut calls), Some(Err(more))) => {
                calls.extend(more);
                return Err(calls);
            }
            (Err(calls), _) | (Ok(_), Some(Err(calls))) => return Err(calls),
            (Ok(result), _) => match output::<Results>(result) {
                Ok(results) => results,
                Err(failure) => return Ok(self.trouble(&failure)),
            },
        };
        let shape = if needs_shape { self.shape()? } else { Shape::default() };
        // Words that no kind, brand or name bears were found in descriptions only.
        let by_name =
            wish.text.is_empty() || wish.conditions.iter().any(|c| !c.is_negative() && c.field != Field::Price);
        let nearest = !by_name && Lang::of(&wish.text) == Some(self.lang) && !results.names(&wish.text);
        let facts = Facts::of(&results, wish, &shape, self.lang).asking(asking);
        let removed = self.turn.removed.is_some();
        let answer = if results.items.is_empty() {
            if results.offset > 0 {
                Answer::NoMore
            } else if wish.text.is_empty() && !wish.names_a_kind() {
                Answer::None
            } else {
                Answer::NotCarried
            }
        } else if results.not_carried(wish) {
            Answer::NotCarried
        } else if !results.exact() {
            Answer::Relaxed
        } else if asking.vague {
            Answer::Vague
        } else if asking.best == Some(Best::Rated) && !self.any_rated(&results) {
            Answer::Unrated
        } else if nearest {
            Answer::Nearest
        } else if removed {
            Answer::Removed
        } else if asking.best.is_some_and(|best| facts.settles(best)) {
            Answer::Best
        } else if asking.count {
            Answer::Count
        } else {
            Answer::Found
        };
        let focus = self.focus_after(asking.best, asking.refined, &results);
        Ok(Said { text: say(self.lang, answer, &facts), products: shown(&results), focus })
    }

    /// Whether the catalogue has a rating for one of the results.
    fn any_rated(&self, results: &Results) -> bool {
        let ids: Vec<ProductId> = results.items.iter().filter_map(|item| ProductId::new(&item.id).ok()).collect();
        self.desk.products(&ids).is_ok_and(|products| products.iter().any(|p| p.rating_centistars.is_some()))
    }

    fn focus_after(&self, best: Option<Best>, refined: bool, results: &Results) -> Option<Focus> {
        let first = results.items.first().and_then(|item| ProductId::new(&item.id).ok());
        match (&self.state.focus, first) {
            (_, Some(first)) if best.is_some() => Some(Focus::Product(first)),
            (Some(Focus::Picture(image)), _) if refined => Some(Focus::Picture(image.clone())),
            (focus, None) => focus.clone(),
            (_, Some(_)) => None,
        }
    }

    fn more(&self, disliked: bool) -> Wanted<Said> {
        let wish = self.state.wish.clone().unwrap_or_default();
        let call = SearchProducts::for_wish(&wish, PAGE);
        let results = match self.ask::<Results>("search", tools::SEARCH, &call)? {
            Ok(results) => results,
            Err(failure) => return Ok(self.trouble(&failure)),
        };
        let facts = Facts::of(&results, &wish, &Shape::default(), self.lang).disliked(disliked);
        let answer = if results.items.is_empty() { Answer::NoMore } else { Answer::More };
        Ok(Said {
            text: say(self.lang, answer, &facts),
            products: shown(&results),
            focus: self.focus_after(None, true, &results),
        })
    }

    fn compare(&self, products: &[ProductId]) -> Wanted<Said> {
        let ids: Vec<&str> = products.iter().map(ProductId::as_str).collect();
        let comparison = match self.ask::<Comparison>("compare", tools::COMPARE, &json!({ "ids": ids }))? {
            Ok(comparison) => comparison,
            Err(failure) => return Ok(self.trouble(&failure)),
        };
        let cheapest = comparison.cheapest.and_then(|at| at.checked_sub(1)).and_then(|at| comparison.products.get(at));
        let facts = json!({
            "products": comparison.products,
            "differs": comparison.differs,
            "cheapest_name": cheapest.map(|p| &p.name),
            "cheaper_by": comparison.cheaper_by,
        });
        let products = products.iter().map(|id| (id.clone(), Vec::new())).collect();
        Ok(Said { text: say(self.lang, Answer::Compared, &facts), products, focus: None })
    }

    fn similar(&self, to: &Focus) -> Wanted<Said> {
        let (call, like) = match to {
            Focus::Product(id) => {
                let call =
                    FindSimilar { product_id: Some(id.to_string()), limit: Some(PAGE), ..FindSimilar::default() };
                let name = self.state.shown.iter().find(|s| s.id == *id).map(|s| s.name.clone());
                (call, name.unwrap_or_else(|| id.to_string()))
            }
            Focus::Picture(image) => return self.look(std::slice::from_ref(image)),
        };
        let results = match self.ask::<Results>("similar", tools::SIMILAR, &call)? {
            Ok(results) => results,
            Err(failure) => return Ok(self.trouble(&failure)),
        };
        let facts = json!({ "like": like, "shown": results.items.len() });
        Ok(Said { text: say(self.lang, Answer::Similar, &facts), products: shown(&results), focus: Some(to.clone()) })
    }

    /// Looks at pictures, then searches for what is seen together with what was said.
    fn look(&self, images: &[String]) -> Wanted<Said> {
        let Some(image) = images.first() else { return Ok(self.plain(Answer::Nothing, &json!({}))) };
        let seen = match self.state.pictures.get(image) {
            Some(Some(seen)) => seen.clone(),
            _ => match self.ask("look", tools::IMAGE, &json!({ "image_id": image }))? {
                Ok(seen) => seen,
                Err(failure) => return self.unseen(&failure),
            },
        };
        let words = Wish { text: seen.query(), ..Wish::default() };
        let mut wish = FindSimilar::wish_of(self.desk, &seen, self.lang).unwrap_or(words);
        for condition in self.turn.reading.iter().filter_map(|r| r.wish.as_ref()).flat_map(|w| &w.conditions) {
            wish.demand(condition.clone(), Join::Replace);
        }
        let results = match self.ask::<Results>("search", tools::SEARCH, &SearchProducts::for_wish(&wish, PAGE))? {
            Ok(results) => results,
            Err(failure) => return Ok(self.trouble(&failure)),
        };
        let facts = json!({
            "seen": seen.summary(), "exact": results.exact(), "total": results.total, "shown": results.items.len(),
        });
        let focus = Some(Focus::Picture(image.clone()));
        Ok(Said { text: say(self.lang, Answer::Looked, &facts), products: shown(&results), focus })
    }

    /// Says that the picture could not be looked at, and goes by the words when there are some.
    fn unseen(&self, failure: &Failure) -> Wanted<Said> {
        let answer = match failure.kind {
            FailureKind::Unavailable | FailureKind::Timeout | FailureKind::Internal => Answer::NoSight,
            _ => Answer::Unseen,
        };
        let wish = self.wish();
        if wish.is_empty() {
            return Ok(self.plain(answer, &json!({})));
        }
        match self.ask::<Results>("search", tools::SEARCH, &SearchProducts::for_wish(&wish, PAGE))? {
            Ok(results) => {
                Ok(Said { products: shown(&results), ..self.plain(answer, &json!({ "shown": results.items.len() })) })
            }
            Err(_) => Ok(self.plain(answer, &json!({}))),
        }
    }

    fn shape(&self) -> Wanted<Shape> {
        Ok(self.ask("shape", tools::SHAPE, &json!({}))?.unwrap_or_default())
    }

    fn assortment(&self) -> Wanted<Said> {
        let shape = self.shape()?;
        let kinds = facts::kinds(&shape, KINDS * 2);
        Ok(self.plain(
            Answer::Assortment,
            &json!({ "products": shape.products, "categories": kinds, "prices": shape.prices }),
        ))
    }

    fn greeting(&self) -> Wanted<Said> {
        let shape = self.shape()?;
        Ok(self.plain(Answer::Greeting, &json!({ "categories": facts::kinds(&shape, KINDS) })))
    }
}

fn output<T: DeserializeOwned>(result: &ToolResult) -> Result<T, Failure> {
    let value = result.outcome.clone()?;
    serde_json::from_value(value).map_err(|error| mercer_agent::ToolError::internal(error).into_failure())
}

fn shown(results: &Results) -> Vec<(ProductId, Vec<String>)> {
    results.items.iter().filter_map(|item| Some((ProductId::new(&item.id).ok()?, item.matched.clone()))).collect()
}
