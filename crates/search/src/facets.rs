//! Facet counts as a person chooses from them.

use mercer_shop::Lang;
use rustc_hash::FxHashMap;

use crate::index::{FacetValues, Offered};
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

/// Facets from counts by the numbers of the values. Only the most frequent values of a property are ever looked at as texts.
pub(crate) fn facets(counts: &[usize], values: &FacetValues, lang: Lang) -> Vec<Facet> {
    let mut by_field: FxHashMap<Field, Vec<(String, String, usize)>> = values
        .offered
        .iter()
        .map(|offered| (offered.field.clone(), most_frequent(counts, offered, lang)))
        .filter(|(_, values)| !values.is_empty())
        .collect();
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

fn most_frequent(counts: &[usize], offered: &Offered, lang: Lang) -> Vec<(String, String, usize)> {
    let counts = counts.iter().skip(offered.first);
    let mut values: Vec<(usize, &String)> =
        counts.copied().zip(&offered.shown).filter(|(count, _)| *count > 0).collect();
    let order = |a: &(usize, &String), b: &(usize, &String)| b.0.cmp(&a.0).then_with(|| a.1.cmp(b.1));
    if values.len() > MOST_VALUES {
        values.select_nth_unstable_by(MOST_VALUES, order);
        values.truncate(MOST_VALUES);
    }
    values.sort_by(order);
    let label = |shown: &str| value_label(&offered.field, shown, lang);
    values.into_iter().map(|(count, shown)| (shown.clone(), label(shown), count)).collect()
}
