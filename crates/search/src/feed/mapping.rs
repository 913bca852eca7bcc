//! A mapping file: which column or JSON path is which field. Built-in formats that are plain tables are mappings too.

use indexmap::IndexMap;
use mercer_shop::{Currency, Lang};
use serde::{Deserialize, Serialize};

use super::error::FeedError;
use super::record;

/// Whether plain numbers in price columns count whole units or cents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PriceUnit {
    /// Dollars, yuan.
    #[default]
    Major,
    /// Cents, fen.
    Minor,
}

/// What becomes of columns that are not mapped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Others {
    /// Attributes of the product, by the column's name.
    #[default]
    Attributes,
    /// Nothing.
    Ignore,
}

/// Which column is which field; read from TOML or JSON.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Mapping {
    /// A name for reports.
    pub name: Option<String>,
    /// JSON: the path to the list of products, such as `data.products`.
    pub items: Option<String>,
    /// Column name or JSON path → field.
    pub columns: IndexMap<String, String>,
    /// Field → a value for every product; `{column}` inserts a cell.
    pub constants: IndexMap<String, String>,
    /// JSON: the path to a product's list of variants.
    pub variants: Option<String>,
    /// Path inside a variant → field.
    pub variant_columns: IndexMap<String, String>,
    /// What separates the entries of a list in one cell; without it `|`, `;`, line ends and `,` are tried.
    pub list_separator: Option<String>,
    /// What separates the levels of a category path; without it `>` and `/` with blanks and `|` are tried.
    pub category_separator: Option<String>,
    /// Whole units or cents.
    pub price_unit: PriceUnit,
    /// The currency of prices that do not name one.
    pub currency: Option<Currency>,
    /// A row whose cell in this column is empty adds a variant to the row before it.
    pub continues_when_empty: Option<String>,
    /// Rows with too many cells: an unquoted delimiter in the last column.
    pub join_tail: bool,
    /// What becomes of columns that are not mapped.
    pub other_columns: Others,
}

impl Mapping {
    /// Reads a mapping file, TOML or JSON.
    ///
    /// # Errors
    /// When it is neither, or names a field that does not exist.
    pub fn parse(text: &str) -> Result<Self, FeedError> {
        let wrong = |error: String| FeedError::Mapping(error);
        let mapping: Self = if text.trim_start().starts_with('{') {
            serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?
        } else {
            toml::from_str(text).map_err(|error| wrong(error.to_string()))?
        };
        mapping.check()?;
        Ok(mapping)
    }

    /// Checks that every field exists.
    ///
    /// # Errors
    /// Names the first field that does not.
    pub fn check(&self) -> Result<(), FeedError> {
        let fields = self.columns.values().chain(self.variant_columns.values()).chain(self.constants.keys());
        for field in fields {
            Target::parse(field)?;
        }
        Ok(())
    }
}

/// A field of a product or variant that a column can fill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Target {
    Id,
    Group,
    Sku,
    Title(Option<Lang>),
    Description(Option<Lang>),
    Brand,
    /// A whole path, or one level of it.
    Category(Option<usize>, Option<Lang>),
    Colour,
    Gender,
    AgeGroup,
    Season,
    Usage,
    Material,
    Tags,
    Price,
    SalePrice,
    ListPrice,
    Currency,
    Stock,
    Availability,
    Barcode,
    Image,
    VariantImage,
    Url,
    Popularity,
    Rating,
    Released,
    Year,
    Option(String),
    OptionNames,
    OptionValues,
    Attribute(Option<String>),
    /// A map or `name=value` list of attributes.
    Attributes,
    /// `kind:value` pairs, as Vendure's facets.
    Facets,
    Published,
    Ignore,
}

const FIELDS: &str = "id, group, sku, title, title.zh, title.en, description, description.zh, description.en, brand, category, \
    category.1 …, colour, gender, age_group, season, usage, material, tags, price, sale_price, list_price, currency, stock, \
    availability, barcode, image, variant_image, url, popularity, rating, released, year, option:NAME, option_names, \
    option_values, attribute, attribute:NAME, attributes, facets, published, ignore";

impl Target {
    pub(crate) fn parse(field: &str) -> Result<Self, FeedError> {
        let field = field.trim();
        if let Some(name) = field.strip_prefix("option:") {
            return Ok(Self::Option(name.trim().to_owned()));
        }
        if let Some(name) = field.strip_prefix("attribute:") {
            return Ok(Self::Attribute(Some(name.trim().to_owned())));
        }
        let (base, mut rest) = field.split_once('.').unwrap_or((field, ""));
        let lang = match rest.rsplit('.').next() {
            Some("zh") => Some(Lang::Zh),
            Some("en") => Some(Lang::En),
            _ => None,
        };
        if lang.is_some() {
            rest = rest.rsplit_once('.').map_or("", |(rest, _)| rest);
        }
        let target = match base {
            "title" => Self::Title(lang),
            "description" => Self::Description(lang),
            "category" => {
                let level: Option<usize> =
                    if rest.is_empty() { None } else { rest.parse().ok().filter(|n| (1..=12).contains(n)) };
                if level.is_none() && !rest.is_empty() {
                    return Err(unknown(field));
                }
                return Ok(Self::Category(level, lang));
            }
            _ if field.contains('.') => return Err(unknown(field)),
            "id" => Self::Id,
            "group" => Self::Group,
            "sku" => Self::Sku,
            "brand" => Self::Brand,
            "colour" | "color" => Self::Colour,
            "gender" => Self::Gender,
            "age_group" => Self::AgeGroup,
            "season" => Self::Season,
            "usage" => Self::Usage,
            "material" => Self::Material,
            "tags" => Self::Tags,
            "price" => Self::Price,
            "sale_price" => Self::SalePrice,
            "list_price" => Self::ListPrice,
            "currency" => Self::Currency,
            "stock" => Self::Stock,
            "availability" => Self::Availability,
            "barcode" => Self::Barcode,
            "image" | "images" => Self::Image,
            "variant_image" => Self::VariantImage,
            "url" => Self::Url,
            "popularity" => Self::Popularity,
            "rating" => Self::Rating,
            "released" => Self::Released,
            "year" => Self::Year,
            "option_names" => Self::OptionNames,
            "option_values" => Self::OptionValues,
            "attribute" => Self::Attribute(None),
            "attributes" => Self::Attributes,
            "facets" => Self::Facets,
            "published" => Self::Published,
            "ignore" => Self::Ignore,
            _ => return Err(unknown(field)),
        };
        if rest.is_empty() { Ok(target) } else { Err(unknown(field)) }
    }
}

fn unknown(field: &str) -> FeedError {
    FeedError::Mapping(format!("{field:?} is not a field; use one of {FIELDS}"))
}

/// A rule: from a column or path to a field.
#[derive(Debug, Clone)]
pub(crate) struct Rule {
    /// The column's name as written, or a JSON path.
    pub(crate) source: String,
    /// The column's place, in a table.
    pub(crate) column: Option<usize>,
    /// What a missing value name is filled with: the attribute's name.
    pub(crate) target: Target,
}

/// The rules for one table or list.
pub(crate) fn rules(
    columns: &IndexMap<String, String>,
    header: Option<&record::Header>,
) -> Result<Vec<Rule>, FeedError> {
    let mut out = Vec::new();
    for (source, field) in columns {
        let target = Target::parse(field)?;
        let name = source.rsplit('.').next().unwrap_or(source).to_owned();
        let target = if target == Target::Attribute(None) { Target::Attribute(Some(name)) } else { target };
        match header {
            Some(header) => {
                // All columns of that name: picture columns repeat.
                let key = record::key(source);
                for (at, _) in header.keys().iter().enumerate().filter(|(_, k)| **k == key) {
                    out.push(Rule { source: source.clone(), column: Some(at), target: target.clone() });
                }
            }
            None => out.push(Rule { source: source.clone(), column: None, target }),
        }
    }
    out.sort_by_key(|rule| rule.column);
    Ok(out)
}
