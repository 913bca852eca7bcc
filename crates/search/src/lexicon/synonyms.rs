//! Words that mean the same article, from the file that ships and from a tenant's rules.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::{SEGMENTER, phrase_key};

static GENERAL: LazyLock<Synonyms> = LazyLock::new(|| {
    let mut synonyms = Synonyms::default();
    synonyms.add(super::SYNONYM_FILE.lines());
    synonyms
});

/// Synonyms by phrase; a phrase is its terms joined by a blank.
#[derive(Debug, Clone, Default)]
pub struct Synonyms {
    also: FxHashMap<String, Vec<String>>,
    longest: usize,
}

impl Synonyms {
    /// The table that ships with the program.
    #[must_use]
    pub fn general() -> Self {
        GENERAL.clone()
    }

    /// The same table with further lines: `a, b` are interchangeable, `a > b` lets a query for a also find b.
    #[must_use]
    pub fn with<'a>(mut self, lines: impl IntoIterator<Item = &'a str>) -> Self {
        self.add(lines);
        self
    }

    fn add<'a>(&mut self, lines: impl IntoIterator<Item = &'a str>) {
        for line in lines.into_iter().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
            if let Some((from, to)) = line.split_once('>') {
                let targets = phrases(to);
                for source in phrases(from) {
                    self.relate(&source, &targets);
                }
            } else {
                let group = phrases(line);
                for source in &group {
                    self.relate(source, &group);
                }
            }
        }
    }

    fn relate(&mut self, source: &str, targets: &[String]) {
        self.longest = self.longest.max(source.split(' ').count());
        let known = self.also.entry(source.to_owned()).or_default();
        for target in targets {
            if target != source && !known.contains(target) {
                known.push(target.clone());
            }
        }
    }

    /// Phrases that a query for this phrase also finds.
    #[must_use]
    pub fn of(&self, phrase: &str) -> &[String] {
        self.also.get(phrase).map_or(&[], Vec::as_slice)
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
    let also = GENERAL.of(&phrase_key(&SEGMENTER, name));
    let fitting = also.iter().find(|phrase| phrase.is_ascii() != wants_chinese)?;
    Some(if wants_chinese { fitting.replace(' ', "") } else { fitting.clone() })
}

fn phrases(list: &str) -> Vec<String> {
    list.split(',').map(|phrase| phrase_key(&SEGMENTER, phrase)).filter(|phrase| !phrase.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn synonyms_cross_languages_and_one_way_lines_do_not_return() {
        let general = Synonyms::general();
        assert!(general.of("连衣裙").contains(&"dress".to_owned()));
        assert!(general.of("laptop").contains(&"notebook".to_owned()));
        assert!(general.of("tv").contains(&"television".to_owned()));
        let own = general.with(["togs > swimsuit", "torch, lantern"]);
        assert!(own.of("tog").contains(&"swimsuit".to_owned()));
        assert!(!own.of("swimsuit").contains(&"tog".to_owned()));
        assert!(own.of("lantern").contains(&"torch".to_owned()));
    }
}
