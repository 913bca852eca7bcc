//! What stands inside one cell: lists, category paths, pictures, attributes.

use mercer_shop::Lang;

use crate::feed::draft::{Draft, push};
use crate::feed::mapping::Target;
use crate::feed::node::Node;
use crate::feed::{guess, text, values};

/// The entries of a list in one cell.
pub(crate) fn list<'a>(
    cell: &'a str,
    separator: Option<&str>,
    colours: bool,
) -> Box<dyn Iterator<Item = &'a str> + 'a> {
    if let Some(separator) = separator.filter(|s| !s.is_empty()) {
        let separator = separator.to_owned();
        let parts: Vec<&str> = cell.split(separator.as_str()).collect();
        return Box::new(parts.into_iter().map(str::trim).filter(|part| !part.is_empty()));
    }
    let separator: &[char] = if cell.contains(['\n', '\r']) {
        &['\n', '\r']
    } else if cell.contains('|') {
        &['|']
    } else if cell.contains([';', '；']) {
        &[';', '；']
    } else if colours {
        &[',', '/', '、', '，']
    } else {
        &[',', '、', '，']
    };
    Box::new(cell.split(separator).map(str::trim).filter(|part| !part.is_empty()))
}

/// The levels of a category path in one cell.
pub(crate) fn category_levels<'a>(cell: &'a str, separator: Option<&str>) -> Vec<&'a str> {
    // Only the first of several paths.
    let parts: Vec<&str> = match separator {
        Some(separator) => cell.split(separator).collect(),
        None if cell.contains('>') => {
            cell.split(['\n', ';', '|']).next().unwrap_or(cell).split('>').map(|p| p.trim_matches(['-', '='])).collect()
        }
        None if cell.contains(" / ") => cell.split(" / ").collect(),
        None if cell.contains(['\n', '|', '»', '›']) => cell.split(['\n', '|', '»', '›']).collect(),
        None if cell.contains('/') && (Lang::of(cell) == Some(Lang::Zh) || cell.matches('/').count() > 1) => {
            cell.split('/').collect()
        }
        None => vec![cell],
    };
    parts.into_iter().map(str::trim).filter(|part| !part.is_empty()).collect()
}

/// Addresses or paths in one cell; a comma counts only before another address.
pub(crate) fn images(cell: &str) -> Box<dyn Iterator<Item = &str> + '_> {
    let separators: &[char] = if cell.contains(['\n', '|']) { &['\n', '|'] } else { &[',', ';'] };
    let many = cell.matches("://").count() > 1 || cell.contains(['\n', '|']) || !cell.contains("://");
    if many {
        return Box::new(cell.split(separators).map(str::trim).filter(|part| part.contains(['.', '/'])));
    }
    let one = cell.trim();
    Box::new(one.contains(['.', '/']).then_some(one).into_iter())
}

/// An attribute that also is a field fills that field.
pub(crate) fn attribute(draft: &mut Draft, name: &str, value: &str) {
    if values::is_nothing(value) {
        return;
    }
    match guess::attribute_target(name) {
        Some(Target::Colour) => list(value, None, true).for_each(|v| push(&mut draft.colours, v)),
        Some(Target::Material) => list(value, None, false).for_each(|v| push(&mut draft.materials, v)),
        Some(Target::Usage) => list(value, None, false).for_each(|v| push(&mut draft.usage, v)),
        Some(Target::Gender) => draft.gender = draft.gender.or_else(|| values::gender(first_word(value))),
        Some(Target::AgeGroup) => draft.age_group = draft.age_group.or_else(|| values::age_group(value)),
        Some(Target::Season) if draft.seasons.is_empty() => draft.seasons = values::seasons(value),
        Some(Target::Brand) if draft.brand.is_none() => draft.brand = Some(text::line(value).into_owned()),
        _ => {}
    }
    // Lists in one cell read better with commas.
    let joined;
    let value = if value.contains('\n') {
        joined = list(value, None, false).collect::<Vec<_>>().join(", ");
        &joined
    } else {
        value
    };
    draft.add_attribute(name, value);
}

/// A map of attributes, or a list of `{name, value}`.
pub(crate) fn attribute_nodes(draft: &mut Draft, node: &Node) {
    let named = ["name", "attribute", "key", "label", "k"].iter().find_map(|k| node.get(k)).and_then(Node::text);
    let value = ["value", "val", "v"].iter().find_map(|k| node.get(k)).and_then(Node::text);
    if let (Some(name), Some(value)) = (named, value) {
        return attribute(draft, &text::line(name), value);
    }
    for (name, value) in node.entries() {
        let texts: Vec<&str> = value.items().iter().filter_map(Node::text).collect();
        attribute(draft, &text::line(name), &texts.join(", "));
    }
}

/// `name=value` or `name:value`, separated by `;`, `|`, line ends or `,`.
pub(crate) fn attribute_pairs(draft: &mut Draft, cell: &str) {
    for pair in list(cell, None, false) {
        if let Some((name, value)) = pair.split_once(['=', ':', '：']) {
            attribute(draft, &text::line(name), value);
        }
    }
}

/// `category:Electronics|category:Computers|brand:Apple`.
pub(crate) fn facets(draft: &mut Draft, cell: &str) {
    let pairs: Vec<(&str, &str)> = cell.split('|').filter_map(|pair| pair.split_once(':')).collect();
    let of =
        |kind: &str| pairs.iter().filter(|(k, _)| k.trim().eq_ignore_ascii_case(kind)).map(|(_, v)| v.trim()).collect();
    let levels: Vec<&str> = of("category");
    draft.set_category(levels);
    for (kind, value) in &pairs {
        if !kind.trim().eq_ignore_ascii_case("category") {
            attribute(draft, &label(kind), value.trim());
        }
    }
}

/// A column name for people: Icecat's `attr_t_product_colour` is `product colour`.
pub(crate) fn label(name: &str) -> String {
    let name = ["attr_t_", "attr_n_", "attr_b_", "attr_"].iter().find_map(|p| name.strip_prefix(p)).unwrap_or(name);
    let spaced = name.replace('_', " ");
    text::line(&spaced).into_owned()
}

/// For whom, when a cell names several (`Men`, `Women`, `Unisex`): for everyone.
pub(crate) fn first_word(cell: &str) -> &str {
    if cell.contains(['\n', '|', ',']) { "unisex" } else { cell }
}
