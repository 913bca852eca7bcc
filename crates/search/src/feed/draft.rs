//! A product while its rows come together, and the variant that a row adds to it.

use indexmap::IndexMap;
use jiff::Timestamp;
use mercer_shop::{
    AgeGroup, Availability, Gender, ImageRef, Localized, Money, Product, ProductId, Season, Sku, Stock, Variant,
};

use super::report::ProblemKind;
use super::text;

/// Longest texts, in bytes; what is longer is cut with a note.
pub(crate) const TITLE: usize = 1_000;
pub(crate) const DESCRIPTION: usize = 50_000;
pub(crate) const VALUE: usize = 2_000;
/// Most entries of a list or map in one product.
pub(crate) const ENTRIES: usize = 500;

/// What is wrong with a value or row: column, kind, reason.
#[derive(Debug, Clone)]
pub(crate) struct Problem {
    pub(crate) column: Option<String>,
    pub(crate) kind: ProblemKind,
    pub(crate) reason: String,
}

impl Problem {
    pub(crate) fn new(kind: ProblemKind, column: impl Into<Option<&'static str>>, reason: impl Into<String>) -> Self {
        Self { column: column.into().map(str::to_owned), kind, reason: reason.into() }
    }

    pub(crate) fn at(kind: ProblemKind, column: &str, reason: impl Into<String>) -> Self {
        Self { column: Some(column.to_owned()), kind, reason: reason.into() }
    }
}

/// One variant of a row, before its SKU is certain.
#[derive(Debug, Clone, Default)]
pub(crate) struct VariantDraft {
    pub(crate) sku: Option<String>,
    pub(crate) options: IndexMap<String, String>,
    /// Option values whose names stand elsewhere, in the order of [`Draft::option_names`].
    pub(crate) values: Vec<String>,
    pub(crate) price: Option<Money>,
    pub(crate) list_price: Option<Money>,
    pub(crate) stock: Stock,
    pub(crate) availability: Option<Availability>,
    /// Can be ordered without stock.
    pub(crate) backorder: bool,
    pub(crate) barcode: Option<String>,
    pub(crate) image: Option<ImageRef>,
}

/// A product while its rows come together.
#[derive(Debug, Clone, Default)]
pub(crate) struct Draft {
    /// The shop's id, as text.
    pub(crate) id: String,
    /// The line of its first row.
    pub(crate) line: u64,
    /// Whether the product's own row was seen, not only variants of it.
    pub(crate) head: bool,
    /// Whether the shop does not show it, and why.
    pub(crate) hidden: Option<&'static str>,
    pub(crate) title: Localized,
    pub(crate) description: Localized,
    pub(crate) brand: Option<String>,
    pub(crate) category: Vec<Localized>,
    pub(crate) colours: Vec<String>,
    pub(crate) gender: Option<Gender>,
    pub(crate) age_group: Option<AgeGroup>,
    pub(crate) seasons: Vec<Season>,
    pub(crate) usage: Vec<String>,
    pub(crate) materials: Vec<String>,
    pub(crate) attributes: IndexMap<String, String>,
    pub(crate) tags: Vec<String>,
    pub(crate) images: Vec<ImageRef>,
    pub(crate) url: Option<String>,
    pub(crate) popularity: Option<u32>,
    pub(crate) rating: Option<u16>,
    pub(crate) released: Option<Timestamp>,
    pub(crate) option_names: Vec<String>,
    pub(crate) variants: Vec<VariantDraft>,
    /// Price, stock and the like that the product states for all its variants.
    pub(crate) common: VariantDraft,
}

/// Adds a text to a list once.
pub(crate) fn push(list: &mut Vec<String>, value: &str) {
    let value = text::line(value);
    let value = text::cut(&value, VALUE);
    if !super::values::is_nothing(value) && list.len() < ENTRIES && !list.iter().any(|known| known == value) {
        list.push(value.to_owned());
    }
}

/// A reference to a picture.
pub(crate) fn image(source: &str) -> ImageRef {
    let source = source.trim();
    // `//host/path` is an address without its scheme.
    let source = if source.starts_with("//") { format!("https:{source}") } else { source.to_owned() };
    ImageRef { source, file: None, alt: None }
}

impl Draft {
    pub(crate) fn new(id: &str, line: u64) -> Self {
        Self { id: id.to_owned(), line, ..Self::default() }
    }

    pub(crate) fn add_image(&mut self, source: &str) {
        if !source.trim().is_empty() && self.images.len() < ENTRIES {
            let image = image(source);
            if !self.images.iter().any(|known| known.source == image.source) {
                self.images.push(image);
            }
        }
    }

    pub(crate) fn add_attribute(&mut self, name: &str, value: &str) {
        let value = text::line(value);
        if self.attributes.len() < ENTRIES && !name.is_empty() && !super::values::is_nothing(&value) {
            let value = text::cut(&value, VALUE).to_owned();
            self.attributes.entry(text::cut(name, 200).to_owned()).or_insert(value);
        }
    }

    /// The category path, unless there is one already.
    pub(crate) fn set_category<'a>(&mut self, levels: impl IntoIterator<Item = &'a str>) {
        if !self.category.is_empty() {
            return;
        }
        for level in levels {
            let level = text::line(level);
            if !level.is_empty() && self.category.len() < 12 {
                self.category.push(Localized::from_text(text::cut(&level, VALUE)));
            }
        }
    }

    /// Sets the name by its script; gives a problem when it had to be cut.
    pub(crate) fn set_title(&mut self, title: &str) -> Option<Problem> {
        let title = text::line(title);
        let cut = text::cut(&title, TITLE);
        if !cut.is_empty() && self.title.is_empty() {
            self.title = Localized::from_text(cut);
        }
        (cut.len() < title.len()).then(|| {
            Problem::new(ProblemKind::TooLong, "title", format!("the name has {} bytes and was cut", title.len()))
        })
    }

    /// Sets the description by its script; gives a problem when it had to be cut.
    pub(crate) fn set_description(&mut self, body: &str) -> Option<Problem> {
        let body = text::body(body);
        let cut = text::cut(&body, DESCRIPTION);
        if !cut.is_empty() && self.description.is_empty() {
            self.description = Localized::from_text(cut);
        }
        let reason = || format!("the description has {} bytes and was cut", body.len());
        (cut.len() < body.len()).then(|| Problem::new(ProblemKind::TooLong, "description", reason()))
    }

    /// Takes what another row of the same product says: the product's own row counts first, then the earlier.
    pub(crate) fn merge(&mut self, mut other: Self) {
        if other.head && !self.head {
            std::mem::swap(self, &mut other);
            // The variants keep the order of the rows, as does the line.
            std::mem::swap(&mut self.variants, &mut other.variants);
            self.line = self.line.min(other.line);
        }
        let localized = |mine: &mut Localized, theirs: Localized| {
            mine.zh = mine.zh.take().or(theirs.zh);
            mine.en = mine.en.take().or(theirs.en);
        };
        localized(&mut self.title, other.title);
        localized(&mut self.description, other.description);
        if self.category.is_empty() {
            self.category = other.category;
        } else if self.category.len() == other.category.len() {
            self.category.iter_mut().zip(other.category).for_each(|(mine, theirs)| localized(mine, theirs));
        }
        self.brand = self.brand.take().or(other.brand);
        self.gender = self.gender.or(other.gender);
        self.age_group = self.age_group.or(other.age_group);
        self.url = self.url.take().or(other.url);
        self.popularity = self.popularity.or(other.popularity);
        self.rating = self.rating.or(other.rating);
        self.released = self.released.or(other.released);
        self.hidden = if self.head { self.hidden } else { self.hidden.or(other.hidden) };
        self.head |= other.head;
        if self.seasons.is_empty() {
            self.seasons = other.seasons;
        }
        for (mine, theirs) in [
            (&mut self.colours, other.colours),
            (&mut self.usage, other.usage),
            (&mut self.materials, other.materials),
            (&mut self.tags, other.tags),
        ] {
            theirs.iter().for_each(|value| push(mine, value));
        }
        for (name, value) in other.attributes {
            if self.attributes.len() < ENTRIES {
                self.attributes.entry(name).or_insert(value);
            }
        }
        for image in other.images {
            if self.images.len() < ENTRIES && !self.images.iter().any(|known| known.source == image.source) {
                self.images.push(image);
            }
        }
        if self.option_names.is_empty() {
            self.option_names = other.option_names;
        }
        self.variants.extend(other.variants);
    }

    /// Makes the product; `notes` takes what had to be left out. `Err` says why there can be no product.
    pub(crate) fn finish(mut self, max_variants: usize, notes: &mut Vec<Problem>) -> Result<Product, Problem> {
        let id = product_id(&self.id, notes)?;
        self.title_or_substitute(notes)?;
        self.derive_people();
        if self.variants.len() > max_variants {
            let reason = format!("{} variants; only the first {max_variants} are kept", self.variants.len());
            notes.push(Problem::new(ProblemKind::TooLong, None, reason));
            self.variants.truncate(max_variants);
        }
        let variants = self.take_variants(&id, notes);
        for variant in &variants {
            for (name, value) in &variant.options {
                if is_colour_name(name) {
                    value.split('/').for_each(|colour| push(&mut self.colours, colour));
                }
            }
        }
        Ok(Product {
            id,
            title: self.title,
            description: self.description,
            brand: self.brand,
            category: self.category,
            colours: self.colours,
            gender: self.gender,
            age_group: self.age_group,
            seasons: self.seasons,
            usage: self.usage,
            materials: self.materials,
            attributes: self.attributes,
            tags: self.tags,
            variants,
            images: self.images,
            url: self.url,
            popularity: self.popularity,
            rating_centistars: self.rating,
            released: self.released,
        })
    }

    /// A product without a name goes by brand, colour and its last category, with a note.
    fn title_or_substitute(&mut self, notes: &mut Vec<Problem>) -> Result<(), Problem> {
        if !self.title.is_empty() {
            return Ok(());
        }
        let lang = mercer_shop::Lang::En;
        let category = self.category.last().map(|level| level.get(lang));
        let words: Vec<&str> =
            [self.brand.as_deref(), self.colours.first().map(String::as_str), category].into_iter().flatten().collect();
        if category.is_none() {
            return Err(Problem::new(ProblemKind::MissingTitle, "title", "the product has no name"));
        }
        let title = words.join(" ");
        notes.push(Problem::new(
            ProblemKind::MissingTitle,
            "title",
            format!("the product has no name; it goes by {title:?}"),
        ));
        self.title = Localized::from_text(title);
        Ok(())
    }

    /// Boys and girls are children; a category named for people says for whom.
    fn derive_people(&mut self) {
        if self.gender.is_none() {
            self.gender = self.category.iter().find_map(|level| {
                super::values::gender(level.get(mercer_shop::Lang::En)).filter(|g| *g != Gender::Unisex)
            });
        }
        if self.age_group.is_none() && matches!(self.gender, Some(Gender::Boys | Gender::Girls)) {
            self.age_group = Some(AgeGroup::Kids);
        }
    }

    fn take_variants(&mut self, id: &ProductId, notes: &mut Vec<Problem>) -> Vec<Variant> {
        let mut drafts = std::mem::take(&mut self.variants);
        let common = std::mem::take(&mut self.common);
        if drafts.is_empty() {
            drafts.push(common.clone());
        }
        let single = drafts.len() == 1;
        let mut variants: Vec<Variant> = Vec::with_capacity(drafts.len());
        let mut skus = std::collections::HashSet::new();
        for (at, mut draft) in drafts.into_iter().enumerate() {
            self.name_options(&mut draft, single);
            draft.price = draft.price.or(common.price);
            draft.list_price = draft.list_price.or(common.list_price);
            if draft.stock == Stock::Unknown {
                draft.stock = common.stock;
            }
            draft.availability = draft.availability.or(common.availability);
            let sku = sku(&draft, id, at, single, common.sku.as_deref()).filter(|sku| skus.insert(sku.clone()));
            let Some(sku) = sku else {
                let reason = format!("a SKU occurs twice in the product {id}; the first is kept");
                notes.push(Problem::new(ProblemKind::DuplicateId, "sku", reason));
                continue;
            };
            // A list price that is not above the price is no list price.
            let list_price = match (draft.price, draft.list_price) {
                (Some(price), Some(list)) if list.currency == price.currency && list.minor > price.minor => Some(list),
                _ => None,
            };
            let availability = draft.availability();
            variants.push(Variant {
                sku,
                options: draft.options,
                price: draft.price,
                list_price,
                stock: draft.stock,
                availability,
                barcode: draft.barcode,
                image: draft.image,
            });
        }
        variants
    }

    /// Gives option values their names and hides the options of a product that has none.
    fn name_options(&self, draft: &mut VariantDraft, single: bool) {
        for (at, value) in std::mem::take(&mut draft.values).into_iter().enumerate() {
            let value = text::line(&value).into_owned();
            if value.is_empty() {
                continue;
            }
            let name = self.option_names.get(at).filter(|name| !name.is_empty()).cloned();
            let name = name.unwrap_or_else(|| if at == 0 { "Option".to_owned() } else { format!("Option {}", at + 1) });
            draft.options.entry(name).or_insert(value);
        }
        let hidden = |name: &str, value: &str| {
            (name.eq_ignore_ascii_case("title") && value.eq_ignore_ascii_case("default title"))
                || (single && matches!(value, "标准" | "默认" | "Default" | "default" | "默认规格"))
        };
        draft.options.retain(|name, value| !hidden(name, value));
    }
}

impl VariantDraft {
    /// What is said, else what the stock says.
    fn availability(&self) -> Availability {
        if let Some(said) = self.availability {
            return said;
        }
        match self.stock {
            Stock::Pieces(0) | Stock::Flag(false) if self.backorder => Availability::Backorder,
            Stock::Pieces(0) | Stock::Flag(false) => Availability::OutOfStock,
            Stock::Pieces(_) | Stock::Flag(true) | Stock::NotTracked => Availability::InStock,
            Stock::Unknown => Availability::Unknown,
        }
    }
}

/// Whether an option or attribute of this name is a colour.
pub(crate) fn is_colour_name(name: &str) -> bool {
    matches!(
        name.to_lowercase().as_str(),
        "color" | "colour" | "colors" | "colours" | "颜色" | "顏色" | "farbe" | "couleur"
    )
}

/// An id out of what the feed says; blanks inside become hyphens, with a note.
fn product_id(text: &str, notes: &mut Vec<Problem>) -> Result<ProductId, Problem> {
    let clean = text::line(text);
    let joined = if clean.contains(char::is_whitespace) {
        let joined = clean.split_whitespace().collect::<Vec<_>>().join("-");
        notes.push(Problem::new(
            ProblemKind::BadId,
            "id",
            format!("the id {clean:?} holds blanks; it is read as {joined:?}"),
        ));
        joined
    } else {
        clean.into_owned()
    };
    ProductId::new(&joined).map_err(|error| Problem::new(ProblemKind::BadId, "id", error.to_string()))
}

/// The SKU the feed gives, else one made of the product's id and the variant's options: the same at each import.
fn sku(draft: &VariantDraft, id: &ProductId, at: usize, single: bool, common: Option<&str>) -> Option<Sku> {
    let given = draft.sku.as_deref().or(common.filter(|_| single)).and_then(|sku| Sku::new(text::line(sku)).ok());
    given.or_else(|| {
        let mut made = id.to_string();
        if !single && draft.options.is_empty() {
            made = format!("{made}-{}", at + 1);
        }
        for value in draft.options.values().filter(|_| !single) {
            made.push('-');
            made.push_str(value);
        }
        Sku::new(text::cut(&made, 200)).ok()
    })
}

#[cfg(test)]
mod tests {
    use mercer_shop::Currency;

    use super::*;

    #[test]
    fn later_rows_fill_what_is_missing_and_never_overwrite() {
        let mut first = Draft::new("p", 2);
        first.head = true;
        assert!(first.set_title("Shirt").is_none());
        first.option_names = vec!["Size".to_owned()];
        first.variants.push(VariantDraft { values: vec!["S".to_owned()], ..VariantDraft::default() });
        let mut second = Draft::new("p", 3);
        assert!(second.set_title("Other").is_none());
        second.brand = Some("B".to_owned());
        second.variants.push(VariantDraft { values: vec!["M".to_owned()], ..VariantDraft::default() });
        first.merge(second);
        let mut notes = Vec::new();
        let product = first.finish(10, &mut notes).unwrap();
        assert_eq!((product.title.en.as_deref(), product.brand.as_deref()), (Some("Shirt"), Some("B")));
        assert_eq!(product.variants.iter().map(|v| v.sku.as_str()).collect::<Vec<_>>(), ["p-S", "p-M"]);
        assert_eq!(product.variants[1].options["Size"], "M");
        assert!(notes.is_empty());
    }

    #[test]
    fn a_list_price_below_the_price_is_none_and_stock_decides_availability() {
        let usd = |minor| Some(Money::new(minor, Currency::USD));
        let mut draft = Draft::new("a b", 1);
        draft.set_title("T");
        draft.common = VariantDraft {
            price: usd(500),
            list_price: usd(500),
            stock: Stock::Pieces(0),
            backorder: true,
            ..Default::default()
        };
        let mut notes = Vec::new();
        let product = draft.finish(10, &mut notes).unwrap();
        assert_eq!(product.id.as_str(), "a-b");
        assert_eq!(notes[0].kind, ProblemKind::BadId);
        assert_eq!(product.variants[0].list_price, None);
        assert_eq!(product.variants[0].availability, Availability::Backorder);
        assert!(Draft::new("x", 1).finish(1, &mut notes).is_err());
    }
}
