//! Facet counts as a person chooses from them.

use mercer_shop::Lang;
use rustc_hash::FxHashMap;

use crate::index::Vocabulary;
use crate::label::value_label;
use crate::request::{Facet, Field};

/// The most values one facet offers.
const MOST_VALUES: usize = 30;
/// The most free attributes that are offered.
const MOST_ATTRIBUTES: usize = 6;

const FIELDS: &[Field] = &[
    Field::Category,
    Field::Brand,
    Field::Gender,
    Field::AgeGroup,
    Field::Colour,
    Field::Size,
    Field::Material,
    Field::Usage,
    Field::Season,
    Field::Availability,
];

/// Facets from counts by facet term.
pub(crate) fn facets(counts: &FxHashMap<String, usize>, vocabulary: &Vocabulary, lang: Lang) -> Vec<Facet> {
    let mut by_field: FxHashMap<Field, Vec<(String, String, usize)>> = FxHashMap::default();
    for (term, count) in counts {
        let Some((field, key)) = term.split_once('=') else { continue };
        let Some(field) = Field::from_key(field) else { continue };
        let entry = vocabulary.fields.get(&field.key()).and_then(|values| values.get(key));
        let Some(entry) = entry else { continue };
        let label = value_label(&field, &entry.shown, lang);
        by_field.entry(field).or_default().push((entry.shown.clone(), label, *count));
    }
    for values in by_field.values_mut() {
        values.sort_by(|a, b| b.2.cmp(&a.2).then_with(|| a.0.cmp(&b.0)));
        values.truncate(MOST_VALUES);
    }
    let mut facets: Vec<Facet> = FIELDS
        .iter()
        .filter_map(|field| by_field.remove(field).map(|values| Facet { field: field.clone(), values }))
        .collect();
    let mut free: Vec<Facet> = by_field
        .into_iter()
        .filter(|(_, values)| values.len() > 1)
        .map(|(field, values)| Facet { field, values })
        .collect();
    let weight = |facet: &Facet| facet.values.iter().map(|(_, _, count)| *count).sum::<usize>();
    free.sort_by(|a, b| weight(b).cmp(&weight(a)).then_with(|| a.field.cmp(&b.field)));
    free.truncate(MOST_ATTRIBUTES);
    facets.extend(free);
    facets
}
