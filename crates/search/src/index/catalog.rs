//! A tenant's catalogue, open for reading, importing and searching.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use arc_swap::{ArcSwap, ArcSwapOption};
use mercer_shop::{Lang, Money, Product, ProductId};
use serde::{Deserialize, Serialize};

use super::Generation;
use super::builder::{Builder, current};
use crate::error::SearchError;
use crate::rank::{Plan, Planner, run};
use crate::request::{Condition, Field, SearchRequest, SearchResponse, Sort, Understood};
use crate::rules::Rules;
use crate::search;
use crate::understand::understand;

/// The most words of a title that similar products are looked up by.
const SIMILAR_WORDS: usize = 12;

/// What a catalogue holds, in numbers: lets an assistant ask for what exists.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct CatalogShape {
    /// How many products there are.
    pub products: usize,
    /// Category paths (`Apparel > Tops`) with their number of products, most frequent first.
    pub categories: Vec<(String, usize)>,
    /// Lowest and highest price by currency, the commonest currency first.
    pub prices: Vec<(Money, Money)>,
    /// Colours (lexicon keys) with their number of products.
    pub colours: Vec<(String, usize)>,
    /// Genders with their number of products.
    pub genders: Vec<(String, usize)>,
    /// Brands with their number of products.
    pub brands: Vec<(String, usize)>,
    /// Sizes with their number of products.
    pub sizes: Vec<(String, usize)>,
    /// Materials with their number of products.
    pub materials: Vec<(String, usize)>,
    /// Uses with their number of products.
    pub usages: Vec<(String, usize)>,
    /// Names of free attributes with the number of products that have them.
    pub attributes: Vec<(String, usize)>,
    /// The language of most products.
    pub lang: Lang,
}

/// One catalogue on disk.
#[derive(Debug)]
pub struct Catalog {
    root: PathBuf,
    current: ArcSwapOption<Generation>,
    opening: Mutex<()>,
    rules: ArcSwap<Rules>,
}

impl Catalog {
    /// Opens the catalogue in a folder; a folder that does not exist is an empty catalogue.
    ///
    /// # Errors
    /// When the folder cannot be read or its index is damaged.
    pub fn open(root: &Path) -> Result<Self, SearchError> {
        let catalog = Self {
            root: root.to_owned(),
            current: ArcSwapOption::empty(),
            opening: Mutex::new(()),
            rules: ArcSwap::from_pointee(Rules::read(root, &Rules::text(root)?)?),
        };
        catalog.generation()?;
        Ok(catalog)
    }

    /// The tenant's rules as they are now. Rules that were broken after the catalogue was opened are reported and the last good ones kept.
    fn rules(&self) -> Result<Arc<Rules>, SearchError> {
        let text = Rules::text(&self.root)?;
        let known = self.rules.load_full();
        if known.is_of(&text) {
            return Ok(known);
        }
        match Rules::read(&self.root, &text) {
            Ok(fresh) => {
                let fresh = Arc::new(fresh);
                self.rules.store(Arc::clone(&fresh));
                Ok(fresh)
            }
            Err(error) => {
                tracing::warn!(%error, "the search rules cannot be read; the last good ones stay in force");
                Ok(known)
            }
        }
    }

    /// The folder it lies in.
    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.root
    }

    /// Starts an import that will replace the whole catalogue when it is committed.
    ///
    /// # Errors
    /// [`SearchError::Busy`] when another import is running, in this or another process.
    pub fn begin_import(&self) -> Result<Builder, SearchError> {
        Builder::begin(&self.root)
    }

    /// The generation to read now. Another process may have committed one, hence the look at the folder.
    pub(crate) fn generation(&self) -> Result<Option<Arc<Generation>>, SearchError> {
        let Some(name) = current(&self.root)? else {
            self.current.store(None);
            return Ok(None);
        };
        let open = self.current.load_full();
        if open.as_ref().is_some_and(|open| open.name == name) {
            return Ok(open);
        }
        let _guard = self.opening.lock().unwrap_or_else(PoisonError::into_inner);
        let open = self.current.load_full();
        if open.as_ref().is_some_and(|open| open.name == name) {
            return Ok(open);
        }
        match Generation::open(&self.root, &name) {
            Ok(fresh) => {
                let fresh = Arc::new(fresh);
                self.current.store(Some(Arc::clone(&fresh)));
                Ok(Some(fresh))
            }
            // Replaced between reading the name and opening it: what is open still answers.
            Err(_) if open.is_some() && current(&self.root)?.is_some_and(|now| now != name) => Ok(open),
            Err(error) => Err(error),
        }
    }

    /// How many products there are.
    ///
    /// # Errors
    /// When the catalogue cannot be read.
    pub fn len(&self) -> Result<usize, SearchError> {
        let generation = self.generation()?;
        Ok(generation.map_or(0, |open| usize::try_from(open.searcher.num_docs()).unwrap_or(usize::MAX)))
    }

    /// Whether there are no products.
    ///
    /// # Errors
    /// When the catalogue cannot be read.
    pub fn is_empty(&self) -> Result<bool, SearchError> {
        Ok(self.len()? == 0)
    }

    /// The product of an id.
    ///
    /// # Errors
    /// When the catalogue cannot be read.
    pub fn get(&self, id: &ProductId) -> Result<Option<Product>, SearchError> {
        let Some(generation) = self.generation()? else { return Ok(None) };
        generation.find(id)?.map(|address| generation.product(address)).transpose()
    }

    /// The products of several ids that exist, in the order asked for.
    ///
    /// # Errors
    /// When the catalogue cannot be read.
    pub fn get_many(&self, ids: &[ProductId]) -> Result<Vec<Product>, SearchError> {
        let Some(generation) = self.generation()? else { return Ok(Vec::new()) };
        let mut products = Vec::with_capacity(ids.len());
        for id in ids {
            if let Some(address) = generation.find(id)? {
                products.push(generation.product(address)?);
            }
        }
        Ok(products)
    }

    /// A page of all products, in the order of their ids.
    ///
    /// # Errors
    /// When the catalogue cannot be read.
    pub fn page(&self, offset: usize, limit: usize) -> Result<Vec<Product>, SearchError> {
        let Some(generation) = self.generation()? else { return Ok(Vec::new()) };
        let found = run(&generation, &Plan::default(), Sort::Relevance, offset.saturating_add(limit), false)?;
        found.ranked.iter().skip(offset).map(|ranked| generation.product(ranked.address)).collect()
    }

    /// Searches.
    ///
    /// # Errors
    /// When the catalogue cannot be read.
    pub fn search(&self, request: &SearchRequest) -> Result<SearchResponse, SearchError> {
        let started = tokio::time::Instant::now();
        let generation = self.generation()?;
        let mut response = search::search(generation.as_deref(), &*self.rules()?, request)?;
        response.took = started.elapsed();
        Ok(response)
    }

    /// What a text means in this catalogue.
    ///
    /// # Errors
    /// When the catalogue cannot be read.
    pub fn understand(&self, text: &str, lang: Option<Lang>) -> Result<Understood, SearchError> {
        Ok(understand(text, lang, self.generation()?.as_deref(), &self.rules()?.synonyms))
    }

    /// Products like one: of its category and gender when known, with the most words of its name in common.
    ///
    /// # Errors
    /// When the catalogue cannot be read.
    pub fn similar(&self, id: &ProductId, limit: usize) -> Result<Vec<Product>, SearchError> {
        let Some(generation) = self.generation()? else { return Ok(Vec::new()) };
        let Some(address) = generation.find(id)? else { return Ok(Vec::new()) };
        let product = generation.product(address)?;
        let rules = self.rules()?;
        let planner = Planner { generation: &generation, synonyms: &rules.synonyms };
        let filters = search::same_kind(&product).iter().flat_map(|c| crate::rank::filters(c, &generation)).collect();
        let title = [&product.title.en, &product.title.zh].into_iter().flatten();
        let words: Vec<String> = title.flat_map(|text| generation.segmenter.terms(text)).take(SIMILAR_WORDS).collect();
        let words: Vec<String> = words.into_iter().chain(product.colours.iter().cloned()).collect();
        let plan = planner.plan("", &words, filters)?;
        let found = run(&generation, &plan, Sort::Relevance, limit.saturating_add(1), false)?;
        let others = found.ranked.iter().filter(|ranked| ranked.address != address && ranked.score > 0.0).take(limit);
        others.map(|ranked| generation.product(ranked.address)).collect()
    }

    /// What the catalogue holds, in numbers.
    ///
    /// # Errors
    /// When the catalogue cannot be read.
    pub fn shape(&self) -> Result<CatalogShape, SearchError> {
        let Some(generation) = self.generation()? else { return Ok(CatalogShape::default()) };
        let vocabulary = &generation.vocabulary;
        let counted = |field: Field| {
            let shown = vocabulary.values(&field).map(|(_, entry)| (entry.shown.clone(), entry.count)).collect();
            most_frequent(shown)
        };
        let mut prices: Vec<_> = vocabulary.prices.iter().collect();
        prices.sort_by_key(|(_, span)| std::cmp::Reverse(span.products));
        let attributes = vocabulary.fields.iter().filter_map(|(key, values)| {
            let name = key.strip_prefix("attribute.")?;
            Some((name.to_owned(), values.values().map(|entry| entry.count).sum()))
        });
        Ok(CatalogShape {
            products: vocabulary.products,
            categories: counted(Field::Category),
            prices: prices.iter().map(|(c, span)| (Money::new(span.low, **c), Money::new(span.high, **c))).collect(),
            colours: counted(Field::Colour),
            genders: counted(Field::Gender),
            brands: counted(Field::Brand),
            sizes: counted(Field::Size),
            materials: counted(Field::Material),
            usages: counted(Field::Usage),
            attributes: most_frequent(attributes.collect()),
            lang: if vocabulary.chinese_products * 2 > vocabulary.products { Lang::Zh } else { Lang::En },
        })
    }

    /// The conditions that a text holds, as [`Catalog::understand`] reads them.
    ///
    /// # Errors
    /// When the catalogue cannot be read.
    pub fn conditions(&self, text: &str) -> Result<Vec<Condition>, SearchError> {
        Ok(self.understand(text, None)?.conditions)
    }
}

fn most_frequent(mut counted: Vec<(String, usize)>) -> Vec<(String, usize)> {
    counted.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    counted
}
