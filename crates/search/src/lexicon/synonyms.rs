//! Words that mean the same article, from the file that ships and from a tenant's rules.

use std::sync::{Arc, LazyLock};

use rustc_hash::{FxHashMap, FxHashSet};

use super::{SEGMENTER, phrase_key};

static GENERAL: LazyLock<Synonyms> = LazyLock::new(|| {
    let mut synonyms = Synonyms::default();
    synonyms.add(super::SYNONYM_FILE.lines());
    synonyms
});

/// What a phrase is also called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Also {
    /// The other phrase: its terms joined by a blank.
    pub phrase: String,
    /// A phrase with other meanings counts only in products that have one of these terms too; empty for a sure one.
    pub among: Arc<[String]>,
}

impl Also {
    /// Whether it always means the same.
    #[must_use]
    pub fn is_sure(&self) -> bool {
        self.among.is_empty()
    }
}

/// Synonyms by phrase; a phrase is its terms joined by a blank.
#[derive(Debug, Clone, Default)]
pub struct Synonyms {
    also: FxHashMap<String, Vec<Also>>,
    properties: FxHashSet<String>,
    longest: usize,
}

impl Synonyms {
    /// The table that ships with the program.
    #[must_use]
    pub fn general() -> Self {
        GENERAL.clone()
    }

    /// The same table with further lines: `a, b` are interchangeable, `a > b` lets a query for a also find b, and `a, b? : c, d` lets
    /// a query for a find b only where c or d is said too.
    #[must_use]
    pub fn with<'a>(mut self, lines: impl IntoIterator<Item = &'a str>) -> Self {
        self.add(lines);
        self
    }

    fn add<'a>(&mut self, lines: impl IntoIterator<Item = &'a str>) {
        for line in lines.into_iter().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
            let property = line.strip_prefix('~');
            let line = property.unwrap_or(line);
            let (words, among) = line.split_once(':').unwrap_or((line, ""));
            let among: Arc<[String]> = phrases(among, &Arc::default()).into_iter().map(|also| also.phrase).collect();
            let (from, to) = words.split_once('>').unwrap_or((words, words));
            let targets = phrases(to, &among);
            for source in phrases(from, &among) {
                self.relate(&source.phrase, &targets);
                if property.is_some() {
                    self.properties.insert(source.phrase);
                }
            }
        }
    }

    fn relate(&mut self, source: &str, targets: &[Also]) {
        self.longest = self.longest.max(source.split(' ').count());
        let known = self.also.entry(source.to_owned()).or_default();
        for target in targets {
            if target.phrase != source && !known.iter().any(|also| also.phrase == target.phrase) {
                known.push(target.clone());
            }
        }
    }

    /// Phrases that a query for this phrase also finds.
    #[must_use]
    pub fn of(&self, phrase: &str) -> &[Also] {
        self.also.get(phrase).map_or(&[], Vec::as_slice)
    }

    /// Whether a phrase is known as the name of an article.
    #[must_use]
    pub fn names_article(&self, phrase: &str) -> bool {
        self.also.contains_key(phrase) && !self.properties.contains(phrase)
    }

    /// The most words a phrase here has.
    #[must_use]
    pub fn longest(&self) -> usize {
        self.longest
    }
}

/// The name of an article in another language than it is given in: *Dresses* is 连衣裙. `None` when it is in that language already.
#[must_use]
pub fn article_label(name: &str, lang: mercer_shop::Lang) -> Option<String> {
    let wants_chinese = lang == mercer_shop::Lang::Zh;
    if name.is_ascii() != wants_chinese {
        return None;
    }
    let also = GENERAL.of(&phrase_key(&SEGMENTER, name)).iter().map(|also| &also.phrase);
    let fitting = also.into_iter().find(|phrase| phrase.is_ascii() != wants_chinese)?;
    Some(if wants_chinese { fitting.replace(' ', "") } else { fitting.clone() })
}

/// The phrases of a list; those marked with `?` count only among these terms.
fn phrases(list: &str, among: &Arc<[String]>) -> Vec<Also> {
    list.split(',')
        .map(str::trim)
        .map(|phrase| Also {
            phrase: phrase_key(&SEGMENTER, phrase.trim_end_matches('?')),
            among: if phrase.ends_with('?') { Arc::clone(among) } else { Arc::default() },
        })
        .filter(|also| !also.phrase.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn synonyms_cross_languages_and_one_way_lines_do_not_return() {
        let has = |table: &Synonyms, from: &str, to: &str| table.of(from).iter().any(|also| also.phrase == to);
        let general = Synonyms::general();
        assert!(has(&general, "连衣裙", "dress"));
        assert!(has(&general, "laptop", "notebook"));
        assert!(has(&general, "tv", "television"));
        let own = general.with(["togs > swimsuit", "torch, lantern"]);
        assert!(has(&own, "tog", "swimsuit"));
        assert!(!has(&own, "swimsuit", "tog"));
        assert!(has(&own, "lantern", "torch"));
    }

    #[test]
    fn a_word_with_other_meanings_is_a_synonym_only_among_words_that_agree() {
        let general = Synonyms::general();
        let also = |from: &str, to: &str| general.of(from).iter().find(|also| also.phrase == to).cloned().unwrap();
        assert!(also("laptop", "notebook").among.contains(&"computer".to_owned()));
        assert!(also("notebook", "laptop").is_sure());
        assert!(also("laptop", "notebook computer").is_sure());
        assert!(general.names_article("laptop") && !general.names_article("wireless"));
        assert!(!general.of("wireless").is_empty());
    }
}
