//! From words to what is looked up in the index.

use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocSet, Term};

use super::filter::{Filter, filters};
use crate::analysis::{Word, grams, is_code, is_stop_word};
use crate::error::SearchError;
use crate::index::{Generation, io};
use crate::lexicon::{Also, Synonyms};
use crate::request::Condition;

/// The most words of a query that count; the rest of a longer text is ignored.
const MOST_WORDS: usize = 24;
/// The most model numbers that a beginning of one stands for.
const MOST_CODES: usize = 50;
/// Shares of the query's weight that a product gets for being of the kind the whole query names, for being of the kind its last
/// word names, and for having two of its words side by side.
const KIND: f32 = 0.5;
const HEAD: f32 = 0.15;
const PAIR: f32 = 0.02;

/// One way in which a word of the query may be met.
#[derive(Debug, Clone)]
pub(crate) enum Alternative {
    /// The word in title, facts or description.
    Word(String, f32),
    /// All of these terms in one field without lengths; counts like a word of the title.
    All(Field, Vec<String>, f32),
    /// Another way to meet the word, in products that have one of these words too.
    Among(Box<Self>, Vec<String>),
}

/// One word of the query with everything that meets it.
#[derive(Debug, Clone)]
pub(crate) struct Group {
    pub surface: String,
    pub alternatives: Vec<Alternative>,
    /// What means the same; counts only where the word itself is not found, and less.
    pub synonyms: Vec<Alternative>,
    /// Whether a product should have it; others only add to the score.
    pub required: bool,
    /// Whether it is known as the name of an article: a product that only mentions it is another article.
    pub article: bool,
}

/// A multiple of the query's weight that products with one of these terms get.
#[derive(Debug, Clone)]
pub(crate) struct Boost {
    pub terms: Vec<Term>,
    pub share: f32,
}

/// A factor for products with one of these terms.
#[derive(Debug, Clone)]
pub(crate) struct Weight {
    pub terms: Vec<Term>,
    pub factor: f32,
}

impl Weight {
    /// A factor for the products that meet a condition and for these ids.
    pub(crate) fn new(condition: Option<&Condition>, ids: &[String], factor: f32, generation: &Generation) -> Self {
        let met = condition.map(|condition| filters(condition, generation)).unwrap_or_default();
        let mut terms: Vec<Term> = met
            .into_iter()
            .flat_map(|filter| match filter {
                Filter::Terms(terms, true) => terms,
                Filter::Terms(_, false) | Filter::Variant(..) | Filter::Price(..) => Vec::new(),
            })
            .collect();
        terms.extend(ids.iter().map(|id| Term::from_field_text(generation.fields.id, id)));
        Self { terms, factor: factor.clamp(0.0, 100.0) }
    }
}

/// Everything there is to look up.
#[derive(Debug, Clone, Default)]
pub(crate) struct Plan {
    pub groups: Vec<Group>,
    pub filters: Vec<Filter>,
    pub boosts: Vec<Boost>,
    /// Products with one of these terms only go with what was asked for: a bag for a laptop.
    pub accessories: Vec<Term>,
    /// Factors that the tenant's rules give.
    pub weights: Vec<Weight>,
    /// Ids of products that come first.
    pub pins: Vec<Term>,
    /// Words that the catalogue does not have in any form.
    pub unknown: Vec<String>,
}

impl Plan {
    /// Whether the words that must match name an article.
    pub(crate) fn names_article(&self) -> bool {
        self.groups.iter().any(|group| group.required && group.article)
    }
}

/// Makes plans for one catalogue.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Planner<'a> {
    pub generation: &'a Generation,
    pub synonyms: &'a Synonyms,
}

impl Planner<'_> {
    /// The plan of a text that must match and of further words that only add to the score.
    pub(crate) fn plan(&self, text: &str, soft: &[String], filters: Vec<Filter>) -> Result<Plan, SearchError> {
        let words = self.words(text);
        let mut plan = Plan { filters, ..Plan::default() };
        self.groups(&words, true, &mut plan)?;
        let mut phrases = vec![words];
        for phrase in soft {
            let words = self.words(phrase);
            self.groups(&words, false, &mut plan)?;
            phrases.push(words);
        }
        for words in &phrases {
            self.kinds(words, &mut plan);
        }
        self.accessories(&phrases.concat(), &mut plan);
        Ok(plan)
    }

    fn words(&self, text: &str) -> Vec<Word> {
        let mut words: Vec<Word> = self.generation.segmenter.query_words(text);
        if words.iter().any(|word| !is_stop_word(&word.surface)) {
            words.retain(|word| !is_stop_word(&word.surface));
        }
        words.truncate(MOST_WORDS);
        words
    }

    fn groups(&self, words: &[Word], required: bool, plan: &mut Plan) -> Result<(), SearchError> {
        let mut groups: Vec<Group> = Vec::with_capacity(words.len());
        for word in words {
            let alternatives = self.alternatives(word)?;
            let surface = word.surface.clone();
            groups.push(Group { surface, alternatives, synonyms: Vec::new(), required, article: false });
        }
        self.neighbours(words, &mut groups)?;
        self.also(words, &mut groups)?;
        for group in groups {
            if !group.alternatives.is_empty() || !group.synonyms.is_empty() {
                plan.groups.push(group);
            } else if required {
                plan.unknown.push(group.surface);
            }
        }
        Ok(())
    }

    /// What meets a single word.
    fn alternatives(&self, word: &Word) -> Result<Vec<Alternative>, SearchError> {
        let fields = self.generation.fields;
        let mut found = Vec::new();
        if self.known(&word.term)? {
            found.push(Alternative::Word(word.term.clone(), 1.0));
        }
        if word.is_han() {
            let pieces = grams(&word.surface);
            let longest = pieces.iter().map(|gram| gram.chars().count()).max().unwrap_or(1);
            let needed: Vec<String> = pieces.into_iter().filter(|gram| gram.chars().count() == longest).collect();
            if self.all_exist(fields.grams, &needed)? {
                let weight = if longest == 1 { 0.3 } else { 0.8 };
                found.push(Alternative::All(fields.grams, needed, weight));
            }
            return Ok(found);
        }
        if word.code || word.surface.len() >= 4 && word.surface.bytes().any(|b| b.is_ascii_digit()) {
            for code in self.starting_with(fields.codes, &word.surface)? {
                found.push(Alternative::All(fields.codes, vec![code], 2.0));
            }
        }
        if found.is_empty() && word.surface.len() >= 2 && word.surface.bytes().all(|b| b.is_ascii_lowercase()) {
            if self.all_exist(fields.pinyin, std::slice::from_ref(&word.surface))? {
                found.push(Alternative::All(fields.pinyin, vec![word.surface.clone()], 1.0));
            }
            self.compound(&word.surface, &mut found)?;
        }
        Ok(found)
    }

    /// `goldbracelets` as `gold bracelets`; `headset` as `head set` when the catalogue writes it so.
    fn compound(&self, surface: &str, found: &mut Vec<Alternative>) -> Result<(), SearchError> {
        let count = |part: &str| self.count(&crate::analysis::stem(part)).unwrap_or(0);
        if let Some((left, right)) = self.generation.spelling().split(surface, count) {
            let (left, right) = (crate::analysis::stem(left), crate::analysis::stem(right));
            let pair = format!("{left}_{right}");
            if self.all_exist(self.generation.fields.pairs, std::slice::from_ref(&pair))? {
                found.push(Alternative::All(self.generation.fields.pairs, vec![pair], 1.5));
            }
            found.push(Alternative::All(self.generation.fields.title, vec![left, right], 1.0));
        }
        Ok(())
    }

    /// Neighbours written as one word in the catalogue: `t shirt` as `tshirt`.
    fn neighbours(&self, words: &[Word], groups: &mut [Group]) -> Result<(), SearchError> {
        for (at, pair) in words.windows(2).enumerate() {
            let [left, right] = pair else { continue };
            if left.is_han() || right.is_han() || left.code && right.place == left.place {
                continue;
            }
            let joined = crate::analysis::stem(&format!("{}{}", left.surface, right.surface));
            if joined.len() >= 5 && self.known(&joined)? {
                for group in groups.iter_mut().skip(at).take(2) {
                    group.alternatives.push(Alternative::Word(joined.clone(), 1.0));
                }
            }
        }
        Ok(())
    }

    /// Synonyms of phrases, the longest first; each word of the phrase is met by the synonym.
    fn also(&self, words: &[Word], groups: &mut [Group]) -> Result<(), SearchError> {
        let terms: Vec<&str> = words.iter().map(|word| word.term.as_str()).collect();
        let mut at = 0;
        while at < terms.len() {
            let longest = self.synonyms.longest().min(terms.len() - at);
            let hit = (1..=longest).rev().find_map(|length| {
                let phrase = terms.get(at..at + length)?.join(" ");
                let also = self.synonyms.of(&phrase);
                (!also.is_empty()).then(|| (length, also, self.synonyms.names_article(&phrase)))
            });
            let Some((length, also, article)) = hit else {
                at += 1;
                continue;
            };
            for group in groups.iter_mut().skip(at).take(length) {
                group.article = article;
            }
            for Also { phrase, among } in also {
                let Some(alternative) = self.phrase(phrase)? else { continue };
                let alternative = if among.is_empty() {
                    alternative
                } else {
                    Alternative::Among(Box::new(alternative), among.to_vec())
                };
                for group in groups.iter_mut().skip(at).take(length) {
                    group.synonyms.push(alternative.clone());
                }
            }
            at += length;
        }
        Ok(())
    }

    /// A synonym as something to look up, when the catalogue has it.
    fn phrase(&self, phrase: &str) -> Result<Option<Alternative>, SearchError> {
        let words: Vec<&str> = phrase.split(' ').collect();
        if let [word] = words.as_slice() {
            return Ok(self.known(word)?.then(|| Alternative::Word((*word).to_owned(), 1.0)));
        }
        let pairs: Vec<String> = words.windows(2).map(|pair| pair.join("_")).collect();
        let field = self.generation.fields.pairs;
        Ok(self.all_exist(field, &pairs)?.then_some(Alternative::All(field, pairs, 1.0)))
    }

    /// Boosts for products that are what the last word names, and the terms of products that only go with it.
    fn kinds(&self, words: &[Word], plan: &mut Plan) {
        let Some(last) = words.last() else { return };
        let phrase = words.iter().map(|word| word.term.as_str()).collect::<Vec<_>>().join(" ");
        let names = self.synonyms.of(&phrase).iter().map(|also| also.phrase.as_str()).chain([phrase.as_str()]);
        let field = self.generation.fields.kind;
        let kind = |name: &str| Term::from_field_text(field, &format!("={}", name.replace(' ', "_")));
        plan.boosts.push(Boost { terms: names.map(kind).collect(), share: KIND });
        for pair in words.windows(2) {
            let pair: Vec<&str> = pair.iter().map(|word| word.term.as_str()).collect();
            let terms = vec![Term::from_field_text(self.generation.fields.pairs, &pair.join("_"))];
            plan.boosts.push(Boost { terms, share: PAIR });
        }
        let heads = self.synonyms.of(&last.term).iter().map(|also| also.phrase.as_str()).chain([last.term.as_str()]);
        let head = |name: &str| Term::from_field_text(field, &format!(">{name}"));
        plan.boosts.push(Boost { terms: heads.filter(|name| !name.contains(' ')).map(head).collect(), share: HEAD });
    }

    /// Terms of products that go with what the words name: an accessory noun after it, or *for* before it.
    fn accessories(&self, words: &[Word], plan: &mut Plan) {
        let asked =
            |noun: &str| words.iter().any(|word| word.term == noun || word.surface.ends_with(noun) && word.is_han());
        let nouns: Vec<&str> = crate::lexicon::accessories().filter(|noun| !asked(noun)).collect();
        if words.iter().any(|word| crate::lexicon::accessories().any(|noun| word.term == noun)) {
            return;
        }
        let field = self.generation.fields.pairs;
        // A maker's accessories are its products too.
        let articles = words.iter().filter(|word| self.generation.names().brand(&word.term).is_none());
        for word in articles {
            let names = self.synonyms.of(&word.term).iter().map(|also| also.phrase.as_str());
            let names = names.filter(|name| !name.contains(' '));
            for name in names.chain([word.term.as_str()]) {
                plan.accessories.push(Term::from_field_text(field, &format!("for_{name}")));
                plan.accessories
                    .extend(nouns.iter().map(|noun| Term::from_field_text(field, &format!("{name}_{noun}"))));
            }
        }
    }

    fn known(&self, term: &str) -> Result<bool, SearchError> {
        Ok(self.count(term)? > 0)
    }

    fn count(&self, term: &str) -> Result<u64, SearchError> {
        let fields = self.generation.fields;
        let mut most = 0;
        for field in [fields.title, fields.facts, fields.text] {
            let count = self.generation.searcher.doc_freq(&Term::from_field_text(field, term))?;
            most = most.max(count);
        }
        Ok(most)
    }

    fn all_exist(&self, field: Field, terms: &[String]) -> Result<bool, SearchError> {
        for term in terms {
            if self.generation.searcher.doc_freq(&Term::from_field_text(field, term))? == 0 {
                return Ok(false);
            }
        }
        Ok(!terms.is_empty())
    }

    /// Terms of a field that begin with a text, the shortest first.
    fn starting_with(&self, field: Field, start: &str) -> Result<Vec<String>, SearchError> {
        if start.len() < 3 || !(is_code(start) || start.bytes().all(|b| b.is_ascii_alphanumeric())) {
            return Ok(Vec::new());
        }
        let mut found: Vec<String> = Vec::new();
        for reader in self.generation.searcher.segment_readers() {
            let inverted = reader.inverted_index(field)?;
            let mut terms = inverted.terms().range().ge(start.as_bytes()).into_stream().map_err(io)?;
            let mut taken = 0;
            while taken < MOST_CODES && terms.advance() && terms.key().starts_with(start.as_bytes()) {
                if let Ok(term) = std::str::from_utf8(terms.key())
                    && !found.iter().any(|known| known == term)
                {
                    found.push(term.to_owned());
                }
                taken += 1;
            }
        }
        found.sort_unstable_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
        found.truncate(MOST_CODES);
        // A whole code that is known makes its continuations other articles.
        if found.first().is_some_and(|first| first == start) {
            found.truncate(1);
        }
        Ok(found)
    }
}

/// Calls `each` with every document of a term's postings and the term's frequency in it.
pub(crate) fn postings(
    reader: &tantivy::SegmentReader,
    term: &Term,
    record: IndexRecordOption,
    mut each: impl FnMut(tantivy::DocId, u32),
) -> Result<(), SearchError> {
    use tantivy::postings::Postings;
    let inverted = reader.inverted_index(term.field())?;
    let Some(mut postings) = inverted.read_postings(term, record).map_err(io)? else { return Ok(()) };
    while postings.doc() != tantivy::TERMINATED {
        each(postings.doc(), postings.term_freq());
        postings.advance();
    }
    Ok(())
}
