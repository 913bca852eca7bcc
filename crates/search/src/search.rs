//! One search from request to response: understanding, running, correcting, relaxing.

use mercer_shop::{Gender, Lang, Product};

use crate::analysis::fold;
use crate::error::SearchError;
use crate::facets;
use crate::index::Generation;
use crate::rank::{Found, Plan, Planner, filters, joint, run};
use crate::request::{Condition, Field, Hit, Op, SearchRequest, SearchResponse, Sort, Source, Understood};
use crate::rules::Rules;
use crate::understand::understand;

/// Conditions that may be given up when nothing meets all of them, the least important first. Price, availability and exclusions never are.
const RELAXABLE: &[Field] = &[
    Field::Season,
    Field::Usage,
    Field::Material,
    Field::AgeGroup,
    Field::Size,
    Field::Colour,
    Field::Brand,
    Field::Gender,
];

pub(crate) fn search(
    generation: Option<&Generation>,
    rules: &Rules,
    request: &SearchRequest,
) -> Result<SearchResponse, SearchError> {
    let Some(generation) = generation else {
        let understood = understand(&request.text, request.lang, None, &rules.synonyms);
        return Ok(SearchResponse { understood, ..SearchResponse::default() });
    };
    let attempt = Attempt { generation, rules, request };
    let first = attempt.run(&request.text)?;
    let Some(corrected) = attempt.corrected(&first) else { return attempt.respond(first, None) };
    let second = attempt.run(&corrected)?;
    if second.found.total == 0 {
        return attempt.respond(first, None);
    }
    attempt.respond(second, Some(corrected))
}

/// The conditions that a similar product meets: its narrowest category and its gender.
pub(crate) fn same_kind(product: &Product) -> Vec<Condition> {
    let names: Vec<&str> = product.category.iter().map(|level| level.get(Lang::En)).collect();
    let mut conditions = Vec::new();
    if !names.is_empty() {
        conditions.push(Condition::any_of(Field::Category, [names.join(" > ")]));
    }
    let gender = product.gender.map(|gender| match gender {
        Gender::Women => "women",
        Gender::Men => "men",
        Gender::Girls => "girls",
        Gender::Boys => "boys",
        Gender::Unisex => "unisex",
    });
    conditions.extend(gender.map(|gender| Condition::any_of(Field::Gender, [gender])));
    conditions
}

struct Attempt<'a> {
    generation: &'a Generation,
    rules: &'a Rules,
    request: &'a SearchRequest,
}

/// What one run gave.
struct Outcome {
    understood: Understood,
    conditions: Vec<Condition>,
    plan: Plan,
    found: Found,
    relaxed: Vec<Condition>,
    dropped_words: Vec<String>,
    unknown_words: Vec<String>,
    sort: Sort,
}

impl Attempt<'_> {
    fn run(&self, text: &str) -> Result<Outcome, SearchError> {
        let understood = if self.request.understand {
            understand(text, self.request.lang, Some(self.generation), &self.rules.synonyms)
        } else {
            let lang = self.request.lang.or_else(|| Lang::of(text)).unwrap_or_default();
            Understood { lang, text: text.to_owned(), ..Understood::default() }
        };
        let mut conditions = self.request.conditions.clone();
        conditions.extend(understood.conditions.iter().filter(|c| !self.request.conditions.contains(c)).cloned());
        let sort = match self.request.sort {
            Sort::Relevance => understood.sort.unwrap_or_default(),
            chosen => chosen,
        };
        let mut outcome = Outcome {
            understood,
            conditions,
            plan: Plan::default(),
            found: Found::default(),
            relaxed: Vec::new(),
            dropped_words: Vec::new(),
            unknown_words: Vec::new(),
            sort,
        };
        self.relax(&mut outcome)?;
        Ok(outcome)
    }

    /// Runs with all conditions, then with ever fewer, until something is found or nothing may be given up any more.
    fn relax(&self, outcome: &mut Outcome) -> Result<(), SearchError> {
        let mut kept = outcome.conditions.clone();
        let mut given_up: Vec<Condition> = Vec::new();
        loop {
            for words_count in [true, false] {
                if self.once(outcome, &kept, words_count)? {
                    outcome.relaxed = given_up;
                    outcome.conditions = kept;
                    return Ok(());
                }
            }
            let least = RELAXABLE.iter().find_map(|field| {
                kept.iter().position(|condition| {
                    condition.field == *field && !condition.is_negative() && condition.source != Source::Chosen
                })
            });
            let Some(at) = least else { return Ok(()) };
            given_up.push(kept.remove(at));
        }
    }

    /// One run; whether it found something. Without `words_count` the words of the text only order what meets the conditions.
    fn once(&self, outcome: &mut Outcome, kept: &[Condition], words_count: bool) -> Result<bool, SearchError> {
        let text = &outcome.understood.text;
        let names_article = |c: &Condition| matches!(c.field, Field::Category | Field::Brand) && !c.is_negative();
        if !words_count && (text.is_empty() || !kept.iter().any(names_article)) {
            return Ok(false);
        }
        let planner = Planner { generation: self.generation, synonyms: &self.rules.synonyms };
        let each = kept.iter().flat_map(|condition| filters(condition, self.generation));
        let all: Vec<_> = each.chain(joint(kept, self.generation)).collect();
        let mut soft: Vec<String> = kept.iter().flat_map(wanted_words).collect();
        let mut plan = if words_count {
            planner.plan(text, &soft, all)?
        } else {
            soft.push(text.clone());
            planner.plan("", &soft, all)?
        };
        if words_count {
            outcome.unknown_words.clone_from(&plan.unknown);
        }
        plan.weights = self.rules.weights(&self.request.text, self.generation);
        plan.pins = self.pins();
        let nothing_known = words_count && !plan.unknown.is_empty() && plan.groups.iter().all(|group| !group.required);
        if nothing_known {
            outcome.dropped_words.clone_from(&plan.unknown);
            outcome.plan = plan;
            outcome.found = Found::default();
            return Ok(false);
        }
        let keep = self.request.offset.saturating_add(self.request.limit.min(SearchRequest::LIMIT));
        let found = run(self.generation, &plan, outcome.sort, keep, self.request.facets)?;
        let found_any = found.total > 0;
        outcome.dropped_words = if words_count {
            let missing = plan
                .groups
                .iter()
                .enumerate()
                .filter(|(at, group)| group.required && found.best_mask & (1 << (*at).min(31)) == 0);
            plan.unknown.iter().cloned().chain(missing.map(|(_, group)| group.surface.clone())).collect()
        } else {
            text.split_whitespace().map(str::to_owned).collect()
        };
        outcome.found = found;
        outcome.plan = plan;
        Ok(found_any)
    }

    fn pins(&self) -> Vec<tantivy::Term> {
        let pins = self.rules.pins(&self.request.text);
        pins.iter().map(|id| tantivy::Term::from_field_text(self.generation.fields.id, id)).collect()
    }

    /// The text with rare words replaced by frequent near ones.
    fn suggested(&self, outcome: &Outcome) -> Option<String> {
        let words = outcome.plan.groups.iter().filter(|group| group.required);
        let text = fold(&self.request.text);
        words.into_iter().find_map(|group| {
            let meant = self.generation.spelling().suggest(&crate::analysis::stem(&group.surface))?;
            replace_word(&text, &group.surface, meant)
        })
    }

    /// The text with unknown words replaced by near known ones, when there are any.
    fn corrected(&self, outcome: &Outcome) -> Option<String> {
        let unknown = &outcome.plan.unknown;
        let mut text = fold(&self.request.text);
        let mut changed = false;
        let missing = outcome.dropped_words.iter().filter(|word| !unknown.contains(word));
        for word in unknown.iter().chain(missing.filter(|_| outcome.found.total == 0)) {
            if let Some(known) = self.generation.spelling().correct(word)
                && let Some(replaced) = replace_word(&text, word, known)
            {
                text = replaced;
                changed = true;
            }
        }
        changed.then_some(text)
    }

    fn respond(&self, outcome: Outcome, corrected: Option<String>) -> Result<SearchResponse, SearchError> {
        let lang = outcome.understood.lang;
        let few = outcome.found.total > 0 && outcome.found.total <= 5 && corrected.is_none();
        let did_you_mean = if few { self.suggested(&outcome) } else { None };
        let Outcome { understood, conditions, plan, found, relaxed, dropped_words, unknown_words, .. } = outcome;
        let met: Vec<String> = conditions.iter().filter(|c| !c.is_negative()).map(|c| c.label(lang)).collect();
        let mut hits = Vec::new();
        for ranked in found.ranked.iter().skip(self.request.offset) {
            let words = plan
                .groups
                .iter()
                .enumerate()
                .filter(|(at, group)| group.required && ranked.mask & (1 << (*at).min(31)) != 0);
            let words: Vec<String> = words.map(|(_, group)| group.surface.clone()).collect();
            let why = self.request.explain.then(|| Self::why(ranked.score, &words, &met, lang));
            let matched = met.iter().cloned().chain(words).collect();
            let product = self.generation.product(ranked.address)?;
            hits.push(Hit { product, score: ranked.score, matched, why });
        }
        let classed = conditions.iter().any(|c| c.field == Field::Category && !c.is_negative());
        let inexact = found.total > 0 && found.carried == Some(false) && !classed;
        let facets = if self.request.facets {
            facets::facets(&found.facets, self.generation.facet_values()?, lang)
        } else {
            Vec::new()
        };
        Ok(SearchResponse {
            hits,
            total: found.total,
            did_you_mean,
            understood,
            relaxed,
            dropped_words,
            unknown_words,
            inexact,
            corrected,
            facets,
            ..SearchResponse::default()
        })
    }

    fn why(score: f32, words: &[String], met: &[String], lang: Lang) -> Vec<String> {
        let mut why = Vec::new();
        let (met_text, words_text, score_text) = match lang {
            Lang::Zh => ("符合", "包含词语", "相关度"),
            Lang::En => ("meets", "has the words", "relevance"),
        };
        if !met.is_empty() {
            why.push(format!("{met_text}: {}", met.join(", ")));
        }
        if !words.is_empty() {
            why.push(format!("{words_text}: {}", words.join(", ")));
        }
        why.push(format!("{score_text}: {score:.2}"));
        why
    }
}

/// Words of a condition that make a product a better match when its name says them.
fn wanted_words(condition: &Condition) -> Vec<String> {
    match (&condition.field, &condition.op) {
        (Field::Category, Op::AnyOf(values)) => {
            values.iter().take(1).map(|value| value.rsplit('>').next().unwrap_or(value).trim().to_owned()).collect()
        }
        (Field::Colour | Field::Material | Field::Usage | Field::Brand, Op::AnyOf(values)) => values.clone(),
        _ => Vec::new(),
    }
}

/// Replaces a whole word of a folded text.
fn replace_word(text: &str, word: &str, by: &str) -> Option<String> {
    let mut from = 0;
    while let Some(at) = text.get(from..)?.find(word).map(|at| at + from) {
        let end = at + word.len();
        let letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        if !letter(text.get(..at)?.chars().next_back()) && !letter(text.get(end..)?.chars().next()) {
            return Some(format!("{}{by}{}", text.get(..at)?, text.get(end..)?));
        }
        from = end;
    }
    None
}
