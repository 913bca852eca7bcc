//! A product as terms: which words go into which field of the index.

use mercer_shop::{Availability, Localized, Product};
use sha2::{Digest, Sha256};
use tantivy::TantivyDocument;

use super::facts::{Fact, facts, level_names, level_term, variant_terms};
use super::schema::Fields;
use crate::analysis::{Segmenter, Word, code_parts, fold, grams, is_stop_word, pinyin_terms, squash};
use crate::error::SearchError;
use crate::lexicon::{SEGMENTER, accessories, is_accessory, phrase_key};

/// The most words of a description that are indexed; beyond that nobody searches and every page weighs more.
const MOST_WORDS: usize = 400;
/// The longest attribute value whose words count as facts, in bytes.
const LONGEST_FACT: usize = 80;

/// How many words before its neighbour an accessory noun still speaks of: a *mouse* wrist *pillow*.
const REACH: usize = 2;

/// A product ready to be written.
#[derive(Debug)]
pub(crate) struct Prepared {
    pub id: String,
    pub fingerprint: u64,
    pub facts: Vec<Fact>,
    pub levels: Vec<String>,
    pub document: TantivyDocument,
    pub has_chinese: bool,
}

/// Terms of one field, joined by blanks.
#[derive(Debug, Default)]
struct Terms(String);

impl Terms {
    fn push(&mut self, term: &str) {
        if !term.is_empty() {
            if !self.0.is_empty() {
                self.0.push(' ');
            }
            self.0.extend(term.chars().map(|c| if c.is_whitespace() { '_' } else { c }));
        }
    }

    fn words(&mut self, words: &[Word]) {
        for word in words.iter().filter(|word| !is_stop_word(&word.surface)) {
            self.push(&word.term);
        }
    }
}

/// Reads a product into the document that is indexed.
///
/// # Errors
/// When the product cannot be written as JSON.
pub(crate) fn prepare(product: &Product, fields: &Fields) -> Result<Prepared, SearchError> {
    let json = serde_json::to_vec(product).map_err(|source| SearchError::Format { path: "product".into(), source })?;
    let facts = facts(product);
    let levels = level_names(product);
    let mut document = TantivyDocument::new();
    document.add_text(fields.id, product.id.as_str());
    let has_chinese = texts(&mut document, product, &facts, fields);
    for fact in &facts {
        document.add_text(fields.facets, fact.term());
    }
    for level in &levels {
        document.add_text(fields.facets, level_term(level));
    }
    for variant in variant_terms(product, &facts) {
        document.add_text(fields.facets, variant);
    }
    numbers(&mut document, product, fields);
    document.add_bytes(fields.json, &json);
    let digest = Sha256::digest(&json);
    let fingerprint = digest.iter().take(8).fold(0_u64, |sum, byte| (sum << 8) | u64::from(*byte));
    Ok(Prepared { id: product.id.as_str().to_owned(), fingerprint, facts, levels, document, has_chinese })
}

fn texts(document: &mut TantivyDocument, product: &Product, facts: &[Fact], fields: &Fields) -> bool {
    let segmenter = &*SEGMENTER;
    let (mut title, mut pairs, mut han, mut pinyin) = Default::default();
    for text in both(&product.title) {
        name_words(segmenter, text, product.brand.as_deref(), &mut title, &mut pairs, &mut pinyin);
        push_grams(&mut han, text);
    }
    let mut known = Terms::default();
    let categories = product.category.iter().flat_map(both);
    let labels = categories.chain(product.brand.as_deref()).chain(product.tags.iter().map(String::as_str));
    for text in labels {
        known.words(&segmenter.index_words(text));
        push_grams(&mut han, text);
    }
    let named = product.colours.iter().chain(&product.materials).chain(&product.usage);
    let free = product.attributes.values().filter(|value| value.len() <= LONGEST_FACT);
    for text in named.chain(free) {
        known.words(&segmenter.index_words(text));
    }
    let mut body = Terms::default();
    for text in both(&product.description) {
        let words = segmenter.index_words(text);
        body.words(words.get(..words.len().min(MOST_WORDS)).unwrap_or_default());
    }
    let mut kind = Terms::default();
    kinds(product, facts, &mut kind);
    let mut codes = Terms::default();
    push_codes(product, &mut codes);
    let has_chinese = !han.0.is_empty();
    let all = [
        (fields.title, title),
        (fields.pairs, pairs),
        (fields.grams, han),
        (fields.pinyin, pinyin),
        (fields.facts, known),
        (fields.text, body),
        (fields.kind, kind),
        (fields.codes, codes),
    ];
    for (field, Terms(terms)) in all {
        if !terms.is_empty() {
            document.add_text(field, terms);
        }
    }
    has_chinese
}

/// The words of a title, their neighbours, and the pinyin of Chinese words. A brand inside Chinese text is one word even when no dictionary knows it.
fn name_words(
    segmenter: &Segmenter,
    text: &str,
    brand: Option<&str>,
    title: &mut Terms,
    pairs: &mut Terms,
    pinyin: &mut Terms,
) {
    let brand = brand.map(fold).filter(|brand| !brand.is_ascii() && brand.chars().count() > 1);
    let folded = fold(text);
    let spaced = brand.map_or_else(|| folded.clone(), |brand| folded.replace(&brand, &format!(" {brand} ")));
    let words = segmenter.index_words(&spaced);
    title.words(&words);
    let mut after_for = false;
    let mut previous: Option<&Word> = None;
    let mut before_accessory: Vec<&str> = Vec::new();
    for word in &words {
        if word.after_break {
            after_for = false;
            previous = None;
            before_accessory.clear();
        }
        if is_stop_word(&word.surface) || word.surface.bytes().any(|b| b.is_ascii_digit()) {
            before_accessory.clear();
        } else {
            if is_accessory(&word.term) {
                for article in before_accessory.iter().rev().skip(1).take(REACH) {
                    pairs.push(&format!("{article}_{}", word.term));
                }
            }
            before_accessory.push(&word.term);
        }
        if matches!(word.surface.as_str(), "for" | "适用" | "适用于") {
            after_for = true;
        } else if after_for && !is_stop_word(&word.surface) {
            pairs.push(&format!("for_{}", word.term));
        }
        if let Some(before) = previous.filter(|before| before.place < word.place || !word.is_han()) {
            pairs.push(&format!("{}_{}", before.term, word.term));
        }
        if word.is_han() {
            if let Some((article, ending)) = accessory_parts(&word.surface) {
                pairs.push(&format!("{article}_{ending}"));
            }
            for spelled in pinyin_terms(&word.surface) {
                pinyin.push(&spelled);
            }
        }
        previous = (!is_stop_word(&word.surface)).then_some(word);
    }
}

/// A Chinese word that ends in a noun for accessories, taken apart: 手机壳 into 手机 and 壳.
fn accessory_parts(word: &str) -> Option<(&str, &str)> {
    let endings = accessories().filter(|ending| !ending.is_ascii());
    endings
        .filter_map(|ending| Some((word.strip_suffix(ending)?, ending)))
        .find(|(article, _)| article.chars().nth(1).is_some())
}

fn push_grams(han: &mut Terms, text: &str) {
    for gram in grams(text) {
        han.push(&gram);
    }
}

/// What kind of article it is: `=phrase` and `>head` of the last category level and of attributes that name a type.
fn kinds(product: &Product, _facts: &[Fact], kind: &mut Terms) {
    let leaf = product.category.last().map(both).into_iter().flatten();
    let typed = product.attributes.iter().filter(|(name, _)| names_a_type(name)).map(|(_, value)| value.as_str());
    for text in leaf.chain(typed.filter(|value| value.chars().any(char::is_alphabetic))) {
        let phrase = phrase_key(&SEGMENTER, text);
        kind.push(&format!("={phrase}"));
        if let Some(head) = phrase.rsplit(' ').next() {
            kind.push(&format!(">{head}"));
        }
    }
}

fn names_a_type(name: &str) -> bool {
    matches!(
        squash(name).as_str(),
        "type"
            | "product type"
            | "article type"
            | "t product type"
            | "attr t product type"
            | "类型"
            | "品类"
            | "类别"
            | "产品类型"
    )
}

/// Ids, SKUs, barcodes and model numbers in the title, whole and in parts.
fn push_codes(product: &Product, codes: &mut Terms) {
    let skus = product.variants.iter().flat_map(|v| [Some(v.sku.as_str()), v.barcode.as_deref()]).flatten();
    let titled = both(&product.title).flat_map(|text| text.split_whitespace());
    let models = product.attributes.iter().filter(|(name, _)| {
        matches!(squash(name).as_str(), "model" | "name" | "mpn" | "model number" | "part number" | "型号" | "货号")
    });
    let ids = std::iter::once(product.id.as_str()).chain(skus).chain(models.map(|(_, value)| value.as_str()));
    let mut seen = Vec::new();
    let candidates = ids.map(|text| (text, true)).chain(titled.map(|text| (text, false)));
    for (text, certain) in candidates {
        let folded = fold(text);
        let code = folded.trim_matches(|c: char| !c.is_alphanumeric());
        if code.len() > 60 || !(certain || crate::analysis::is_code(code)) {
            continue;
        }
        for part in code_parts(code) {
            if !seen.contains(&part) {
                codes.push(&part);
                seen.push(part);
            }
        }
    }
}

fn numbers(document: &mut TantivyDocument, product: &Product, fields: &Fields) {
    let mut currencies: Vec<&str> = Vec::new();
    let mut prices: Vec<i64> = Vec::new();
    for price in product.variants.iter().filter_map(|variant| variant.price.as_ref()) {
        if !prices.contains(&price.minor) {
            prices.push(price.minor);
            document.add_i64(fields.price, price.minor);
        }
        if !currencies.contains(&price.currency.code()) {
            currencies.push(price.currency.code());
            document.add_text(fields.facets, format!("currency={}", price.currency.code()));
        }
    }
    if let Some(popularity) = product.popularity {
        document.add_u64(fields.popularity, u64::from(popularity));
    }
    if let Some(rating) = product.rating_centistars {
        document.add_u64(fields.rating, u64::from(rating));
    }
    if let Some(released) = product.released {
        document.add_i64(fields.released, released.as_second());
    }
    let available = match product.availability() {
        Availability::InStock | Availability::Unknown => 2,
        Availability::Preorder | Availability::Backorder => 1,
        Availability::OutOfStock => 0,
    };
    document.add_u64(fields.available, available);
    document.add_u64(fields.order, order(product.id.as_str()));
}

/// A number that orders ids where nothing else does: numeric ids by their number, others by an FNV-1a hash of all their bytes.
fn order(id: &str) -> u64 {
    id.parse().unwrap_or_else(|_| {
        id.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
    })
}

fn both(text: &Localized) -> impl Iterator<Item = &str> {
    [text.en.as_deref(), text.zh.as_deref()].into_iter().flatten()
}
