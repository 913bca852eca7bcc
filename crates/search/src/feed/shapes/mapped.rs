//! Tables and lists whose format is a [`Mapping`]: built in, written by the merchant, or guessed from the column names.

use std::collections::HashSet;

use mercer_shop::{Currency, Lang, Localized, Stock};
use sha2::{Digest, Sha256};

use super::cells::{
    attribute, attribute_nodes, attribute_pairs, category_levels, facets, first_word, images, label, list,
};
use super::{Cx, Shape, hash};
use crate::feed::draft::{self, Draft, Problem, VariantDraft, push};
use crate::feed::error::FeedError;
use crate::feed::mapping::{Mapping, Others, PriceUnit, Rule, Target, rules};
use crate::feed::node::Node;
use crate::feed::record::{Header, Record, key};
use crate::feed::report::ProblemKind;
use crate::feed::{text, values};

/// A mapping made ready for one table or list.
pub(crate) struct Mapped {
    mapping: Mapping,
    rules: Vec<Rule>,
    variant_rules: Vec<Rule>,
    constants: Vec<(Target, String)>,
    /// First keys of paths that are mapped or of no use, as keys.
    taken: HashSet<String>,
    grouped: bool,
    priced: bool,
    /// The id of the row before, for rows that continue it.
    last_id: String,
    last_key: u64,
    rows: u64,
}

/// A value on its way to a field: a cell, or a JSON value.
#[derive(Clone, Copy)]
enum Value<'a> {
    Cell(&'a str),
    Node(&'a Node),
}

/// What a row collects before its draft is whole.
#[derive(Default)]
struct Scratch {
    id: Option<String>,
    group: Option<String>,
    price: Option<(String, String)>,
    sale_price: Option<(String, String)>,
    list_price: Option<(String, String)>,
    currency: Option<Currency>,
    levels: Vec<(usize, Option<Lang>, String)>,
}

impl Mapped {
    /// Compiles a mapping for a table (with its header) or a list.
    pub(crate) fn new(mapping: Mapping, header: Option<&Header>) -> Result<Self, FeedError> {
        let mut compiled = rules(&mapping.columns, header)?;
        if let (Some(header), Others::Attributes) = (header, mapping.other_columns) {
            for (at, name) in header.names.iter().enumerate() {
                if !name.is_empty() && !compiled.iter().any(|rule| rule.column == Some(at)) {
                    let target = Target::Attribute(Some(name.clone()));
                    compiled.push(Rule { source: name.clone(), column: Some(at), target });
                }
            }
        }
        let variant_rules = rules(&mapping.variant_columns, None)?;
        let constants = mapping.constants.iter().map(|(field, value)| Ok((Target::parse(field)?, value.clone())));
        let constants = constants.collect::<Result<_, FeedError>>()?;
        let paths = mapping.columns.keys().chain(&mapping.variants);
        let taken = paths.map(|path| key(path.split('.').next().unwrap_or(path))).collect();
        let has = |target: &Target| compiled.iter().any(|rule| rule.target == *target);
        let grouped = has(&Target::Group) || mapping.continues_when_empty.is_some();
        let priced = has(&Target::Price) || variant_rules.iter().any(|rule| rule.target == Target::Price);
        Ok(Self {
            mapping,
            rules: compiled,
            variant_rules,
            constants,
            taken,
            grouped,
            priced,
            last_id: String::new(),
            last_key: 0,
            rows: 0,
        })
    }

    fn minor(&self) -> bool {
        self.mapping.price_unit == PriceUnit::Minor
    }

    fn continues(&self, record: Record<'_>) -> bool {
        self.mapping.continues_when_empty.as_ref().is_some_and(|column| record.get(&key(column)).is_none())
    }

    /// The first value of a target, for grouping.
    fn peek(&self, record: Record<'_>, target: &Target) -> Option<String> {
        self.rules.iter().filter(|rule| rule.target == *target).find_map(|rule| match (record, rule.column) {
            (Record::Row { row, .. }, Some(at)) => {
                row.get(at).map(str::trim).filter(|t| !t.is_empty()).map(str::to_owned)
            }
            (Record::Node(node), _) => {
                let mut found = Vec::new();
                node.at(&rule.source, &mut found);
                found.first().and_then(|n| n.text()).map(str::trim).filter(|t| !t.is_empty()).map(str::to_owned)
            }
            (Record::Row { .. }, None) => None,
        })
    }

    fn fill(&mut self, record: Record<'_>, draft: &mut Draft, scratch: &mut Scratch, cx: &mut Cx<'_>) {
        for rule in &self.rules {
            match (record, rule.column) {
                (Record::Row { row, .. }, Some(at)) => {
                    if let Some(cell) = row.get(at).filter(|cell| !cell.trim().is_empty()) {
                        self.apply(&rule.target, &rule.source, Value::Cell(cell), draft, scratch, cx);
                    }
                }
                (Record::Node(node), _) => {
                    let mut found = Vec::new();
                    node.at(&rule.source, &mut found);
                    self.apply_nodes(rule, &found, draft, scratch, cx);
                }
                (Record::Row { .. }, None) => {}
            }
        }
        if let (Record::Node(node), Others::Attributes) = (record, self.mapping.other_columns) {
            self.other_entries(node, draft);
        }
        for (target, template) in &self.constants {
            if let Some(value) = expand(template, record) {
                self.apply(target, "constant", Value::Cell(&value), draft, scratch, cx);
            }
        }
    }

    fn apply_nodes(&self, rule: &Rule, found: &[&Node], draft: &mut Draft, scratch: &mut Scratch, cx: &mut Cx<'_>) {
        // A list of category levels is one path, unless its entries are paths themselves.
        if let (Target::Category(None, lang), [_, _, ..]) = (&rule.target, found) {
            let levels: Vec<&str> = found.iter().filter_map(|n| n.text()).collect();
            if !levels.iter().any(|level| level.contains('>')) {
                for (at, level) in levels.into_iter().enumerate() {
                    scratch.levels.push((at + 1, *lang, level.to_owned()));
                }
                return;
            }
        }
        if let (Target::Attribute(Some(name)), [_, _, ..]) = (&rule.target, found) {
            let texts: Vec<&str> = found.iter().filter_map(|n| n.text()).collect();
            draft.add_attribute(name, &texts.join(", "));
            return;
        }
        for node in found {
            let blank = node.text().is_some_and(|t| t.trim().is_empty());
            if !blank {
                self.apply(&rule.target, &rule.source, Value::Node(node), draft, scratch, cx);
            }
        }
    }

    /// Entries of an item that no rule names become attributes.
    fn other_entries(&self, node: &Node, draft: &mut Draft) {
        for (name, value) in node.entries() {
            if self.taken.contains(&key(name)) {
                continue;
            }
            let label = label(name);
            match value {
                Node::Map(entries) => {
                    for (below, value) in entries {
                        if let Some(value) = value.text() {
                            attribute(draft, &format!("{label} {}", self::label(below)), value);
                        }
                    }
                }
                Node::List(items) => {
                    let texts: Vec<&str> = items.iter().filter_map(Node::text).take(50).collect();
                    attribute(draft, &label, &texts.join(", "));
                }
                other => {
                    if let Some(value) = other.text() {
                        attribute(draft, &label, value);
                    }
                }
            }
        }
    }

    #[expect(clippy::too_many_lines, reason = "one arm a field")]
    #[expect(clippy::too_many_arguments, reason = "a value, where it comes from, and the three things it may change")]
    fn apply(
        &self,
        target: &Target,
        column: &str,
        value: Value<'_>,
        draft: &mut Draft,
        scratch: &mut Scratch,
        cx: &mut Cx<'_>,
    ) {
        let cell = match value {
            Value::Cell(cell) => cell.trim(),
            Value::Node(node) => match (target, node.text()) {
                (Target::Attributes, None) => return attribute_nodes(draft, node),
                (_, Some(text)) => text.trim(),
                (_, None) => return,
            },
        };
        let keep = |slot: &mut Option<(String, String)>| {
            if slot.is_none() {
                *slot = Some((column.to_owned(), cell.to_owned()));
            }
        };
        match target {
            Target::Id => scratch.id = scratch.id.take().or_else(|| Some(cell.to_owned())),
            Target::Group => scratch.group = scratch.group.take().or_else(|| Some(cell.to_owned())),
            Target::Title(lang) => match lang {
                Some(lang) => draft.title.set(*lang, text::cut(&text::line(cell), draft::TITLE)),
                None => {
                    let problem = draft.set_title(cell);
                    cx.note_if(problem);
                }
            },
            Target::Description(lang) => match lang {
                Some(lang) => draft.description.set(*lang, text::cut(&text::body(cell), draft::DESCRIPTION)),
                None => {
                    let problem = draft.set_description(cell);
                    cx.note_if(problem);
                }
            },
            Target::Brand => {
                if draft.brand.is_none() && !values::is_nothing(cell) {
                    draft.brand = Some(text::cut(&text::line(cell), draft::VALUE).to_owned());
                }
            }
            Target::Category(Some(level), lang) => scratch.levels.push((*level, *lang, cell.to_owned())),
            Target::Category(None, _) => {
                let separator = self.mapping.category_separator.as_deref();
                draft.set_category(category_levels(cell, separator).into_iter().filter(|l| !values::is_nothing(l)));
            }
            Target::Colour => {
                list(cell, self.mapping.list_separator.as_deref(), true).for_each(|c| push(&mut draft.colours, c))
            }
            Target::Gender => self.word(values::gender(first_word(cell)), &mut draft.gender, column, cell, cx),
            Target::AgeGroup => self.word(values::age_group(cell), &mut draft.age_group, column, cell, cx),
            Target::Season => {
                let seasons = values::seasons(cell);
                if seasons.is_empty() && !values::is_nothing(cell) {
                    cx.note(ProblemKind::BadValue, column, format!("{:?} is not a season", text::cut(cell, 60)));
                }
                for season in seasons {
                    if !draft.seasons.contains(&season) {
                        draft.seasons.push(season);
                    }
                }
            }
            Target::Usage => self.each(cell).for_each(|v| push(&mut draft.usage, v)),
            Target::Material => self.each(cell).for_each(|v| push(&mut draft.materials, v)),
            Target::Tags => self.each(cell).for_each(|v| push(&mut draft.tags, v)),
            Target::Price => keep(&mut scratch.price),
            Target::SalePrice => keep(&mut scratch.sale_price),
            Target::ListPrice => keep(&mut scratch.list_price),
            Target::Currency => scratch.currency = scratch.currency.or_else(|| Currency::new(cell).ok()),
            Target::Sku
            | Target::Stock
            | Target::Availability
            | Target::Barcode
            | Target::VariantImage
            | Target::Option(_) => {
                variant_value(target, column, cell, &mut draft.common, cx);
            }
            Target::Image => images(cell).for_each(|source| draft.add_image(source)),
            Target::Url => draft.url = draft.url.take().or_else(|| Some(text::cut(cell, 2_000).to_owned())),
            Target::Popularity => draft.popularity = draft.popularity.or_else(|| values::pieces(cell)),
            Target::Rating => {
                draft.rating = draft.rating.or_else(|| values::centistars(cell)).filter(|stars| *stars > 0)
            }
            Target::Released => draft.released = draft.released.or_else(|| values::timestamp(cell)),
            Target::Year => draft.released = draft.released.or_else(|| values::year(cell)),
            Target::OptionNames => draft.option_names.extend(self.each(cell).map(|name| text::line(name).into_owned())),
            Target::OptionValues => draft.common.values.extend(self.each(cell).map(str::to_owned)),
            Target::Attribute(name) => attribute(draft, name.as_deref().unwrap_or(column), cell),
            Target::Attributes => attribute_pairs(draft, cell),
            Target::Facets => facets(draft, cell),
            Target::Published => {
                if values::truth(cell) == Some(false) {
                    draft.hidden = Some("the shop does not show it");
                }
            }
            Target::Ignore => {}
        }
    }

    fn each<'a>(&self, cell: &'a str) -> impl Iterator<Item = &'a str> + use<'a> {
        list(cell, self.mapping.list_separator.as_deref(), false)
    }

    fn word<T>(&self, found: Option<T>, slot: &mut Option<T>, column: &str, cell: &str, cx: &mut Cx<'_>) {
        if found.is_none() && !values::is_nothing(cell) {
            cx.note(ProblemKind::BadValue, column, format!("{:?} is not a known value", text::cut(cell, 60)));
        }
        if slot.is_none() {
            *slot = found;
        }
    }

    fn prices(&self, scratch: &Scratch, variant: &mut VariantDraft, cx: &mut Cx<'_>) {
        let (shop, assumed) = (cx.currency, *cx.plain_price);
        cx.currency = scratch.currency.unwrap_or(shop);
        let mut read = |slot: &Option<(String, String)>| {
            slot.as_ref().and_then(|(column, text)| cx.price(column, text, self.minor()))
        };
        let (price, sale, list) = (read(&scratch.price), read(&scratch.sale_price), read(&scratch.list_price));
        // A sale price below the price is what it costs, the price is then what it cost before.
        let (now, before) = match (price, sale) {
            (Some(price), Some(sale)) if sale.minor > 0 && sale.minor < price.minor => {
                (Some(sale), list.or(Some(price)))
            }
            (None, sale) => (sale, list),
            (price, _) => (price, list),
        };
        variant.price = now.or(variant.price);
        variant.list_price = before.or(variant.list_price);
        cx.currency = shop;
        // A column of its own names the currency: nothing was assumed.
        if scratch.currency.is_some() {
            *cx.plain_price = assumed;
        }
    }

    fn nested(&self, node: &Node, draft: &mut Draft, scratch: &Scratch, cx: &mut Cx<'_>) {
        let Some(path) = &self.mapping.variants else { return };
        let mut found = Vec::new();
        node.at(path, &mut found);
        for item in found.into_iter().filter(|n| matches!(n, Node::Map(_))) {
            let mut variant = VariantDraft::default();
            let mut own = Scratch { currency: scratch.currency, ..Scratch::default() };
            for rule in &self.variant_rules {
                let mut cells = Vec::new();
                item.at(&rule.source, &mut cells);
                for cell in cells.into_iter().filter_map(Node::text).map(str::trim).filter(|c| !c.is_empty()) {
                    let slot = match rule.target {
                        Target::Price => &mut own.price,
                        Target::SalePrice => &mut own.sale_price,
                        Target::ListPrice => &mut own.list_price,
                        Target::Currency => {
                            own.currency = Currency::new(cell).ok().or(own.currency);
                            continue;
                        }
                        Target::OptionValues => {
                            variant.values.push(cell.to_owned());
                            continue;
                        }
                        _ => {
                            variant_value(&rule.target, &rule.source, cell, &mut variant, cx);
                            continue;
                        }
                    };
                    if slot.is_none() {
                        *slot = Some((rule.source.clone(), cell.to_owned()));
                    }
                }
            }
            self.prices(&own, &mut variant, cx);
            draft.variants.push(variant);
        }
    }
}

impl Shape for Mapped {
    fn grouped(&self) -> bool {
        self.grouped
    }

    fn survey(&mut self, record: Record<'_>) -> u64 {
        self.rows += 1;
        if !self.continues(record) {
            let group = self.peek(record, &Target::Group);
            let id = group.or_else(|| self.peek(record, &Target::Id)).or_else(|| self.peek(record, &Target::Sku));
            self.last_key = id.map_or_else(|| hash("row", &self.rows.to_string()), |id| hash("id", &id));
        }
        self.last_key
    }

    fn rewind(&mut self) {
        (self.rows, self.last_key) = (0, 0);
        self.last_id.clear();
    }

    fn draft(&mut self, record: Record<'_>, line: u64, cx: &mut Cx<'_>) -> Result<Draft, Problem> {
        let shop = cx.currency;
        let continues = self.continues(record);
        let mut draft = Draft::new("", line);
        draft.head = !continues;
        let mut scratch = Scratch { currency: None, ..Scratch::default() };
        self.fill(record, &mut draft, &mut scratch, cx);
        levels(&mut draft, std::mem::take(&mut scratch.levels));
        let mut common = std::mem::take(&mut draft.common);
        self.prices(&scratch, &mut common, cx);
        draft.common = common;
        if let Record::Node(node) = record {
            self.nested(node, &mut draft, &scratch, cx);
        }
        let unpriced = draft.common.price.is_none() && draft.variants.iter().all(|v| v.price.is_none());
        if self.priced && unpriced && scratch.price.is_none() {
            cx.note(ProblemKind::MissingPrice, "price", "the price is empty; it counts as unknown");
        }
        if continues && !self.last_id.is_empty() {
            draft.id.clone_from(&self.last_id);
            draft.variants.push(std::mem::take(&mut draft.common));
            cx.currency = shop;
            return Ok(draft);
        }
        let own = scratch.id.or_else(|| draft.common.sku.clone());
        draft.id = match (&scratch.group, own) {
            (Some(group), own) => {
                if draft.common.sku.is_none() {
                    draft.common.sku = own;
                }
                group.clone()
            }
            (None, Some(own)) => own,
            (None, None) => {
                *cx.made_id = true;
                made_id(&draft)?
            }
        };
        if self.grouped && draft.variants.is_empty() {
            let mut variant = std::mem::take(&mut draft.common);
            if scratch.group.is_some()
                && let [colour] = draft.colours.as_slice()
            {
                variant.options.entry("Color".to_owned()).or_insert_with(|| colour.clone());
            }
            draft.variants.push(variant);
        } else {
            let options = std::mem::take(&mut draft.common.options);
            if draft.variants.is_empty() {
                options.iter().for_each(|(name, value)| draft.add_attribute(name, value));
                let values = std::mem::take(&mut draft.common.values);
                if !values.is_empty() {
                    draft.variants.push(VariantDraft { values, ..draft.common.clone() });
                }
            }
        }
        self.last_id.clone_from(&draft.id);
        cx.currency = shop;
        Ok(draft)
    }

    fn maps_to(&self, column: &str) -> Option<String> {
        let key = key(column);
        let found = self.mapping.columns.iter().find(|(name, _)| crate::feed::record::key(name) == key);
        found.map(|(_, field)| field.clone()).or_else(|| {
            (self.mapping.other_columns == Others::Attributes).then(|| format!("attribute:{}", label(column)))
        })
    }

    fn join_tail(&self) -> bool {
        self.mapping.join_tail
    }
}

/// An id for a product that has none: from what it is, so that the next import gives the same one.
fn made_id(draft: &Draft) -> Result<String, Problem> {
    let title = draft.title.get(Lang::En);
    if title.is_empty() {
        return Err(Problem::new(ProblemKind::BadId, "id", "the row has neither an id nor a name"));
    }
    let image = draft.images.first().map_or("", |image| image.source.as_str());
    let text = format!("{title}\u{1f}{}\u{1f}{image}", draft.brand.as_deref().unwrap_or_default());
    let digest = Sha256::digest(text.as_bytes());
    Ok(digest.iter().take(8).fold(String::from("p"), |id, byte| format!("{id}{byte:02x}")))
}

/// A value of one variant.
fn variant_value(target: &Target, column: &str, cell: &str, variant: &mut VariantDraft, cx: &mut Cx<'_>) {
    match target {
        Target::Sku => variant.sku = variant.sku.take().or_else(|| Some(cell.to_owned())),
        Target::Stock => match values::pieces(cell) {
            Some(pieces) => variant.stock = Stock::Pieces(pieces),
            None => match values::availability(cell) {
                Some(said) => variant.availability = variant.availability.or(Some(said)),
                None if values::is_nothing(cell) => {}
                None => cx.note(
                    ProblemKind::BadValue,
                    column,
                    format!("{:?} is not a number of pieces", text::cut(cell, 60)),
                ),
            },
        },
        Target::Availability => match values::availability(cell) {
            Some(said) => variant.availability = variant.availability.or(Some(said)),
            None if values::is_nothing(cell) => {}
            None => cx.note(ProblemKind::BadValue, column, format!("{:?} is not an availability", text::cut(cell, 60))),
        },
        Target::Barcode => variant.barcode = variant.barcode.take().or_else(|| values::barcode(cell)),
        Target::VariantImage => variant.image = variant.image.take().or_else(|| images(cell).next().map(draft::image)),
        Target::Option(name) if !values::is_nothing(cell) => {
            let value = || text::cut(&text::line(cell), draft::VALUE).to_owned();
            variant.options.entry(name.clone()).or_insert_with(value);
        }
        _ => {}
    }
}

/// Category levels that have columns of their own.
fn levels(draft: &mut Draft, mut levels: Vec<(usize, Option<Lang>, String)>) {
    if levels.is_empty() || !draft.category.is_empty() {
        return;
    }
    levels.sort_by_key(|(level, _, _)| *level);
    let mut last = 0;
    for (level, lang, name) in levels {
        let name = text::line(&name);
        if values::is_nothing(&name) {
            continue;
        }
        let name = text::cut(&name, draft::VALUE);
        let mut text = Localized::default();
        text.set(lang.or_else(|| Lang::of(name)).unwrap_or_default(), name);
        match draft.category.last_mut() {
            Some(known) if level == last => {
                known.zh = known.zh.take().or(text.zh);
                known.en = known.en.take().or(text.en);
            }
            _ => draft.category.push(text),
        }
        last = level;
    }
}

/// `{column}` in a constant is the cell of that column; without it there is no value.
fn expand(template: &str, record: Record<'_>) -> Option<String> {
    let mut out = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        let (column, behind) = after.split_once('}')?;
        out.push_str(before);
        out.push_str(record.get(&key(column))?);
        rest = behind;
    }
    out.push_str(rest);
    Some(out)
}
