//! The tools of the shopping assistant. All of them read; what they return becomes evidence.
//!
//! The rules and the model use the same tools through the same registry. Every product in an output stands under the key `id`,
//! and nothing else does.

mod compare;
mod filters;
mod image;
mod product;
mod search;
mod shape;
mod similar;
mod stock;

use mercer_agent::Registry;
use mercer_agent::tool::BuildError;

pub(super) use compare::{CompareProducts, Comparison};
pub use filters::Filters;
pub(super) use image::AnalyzeImageStyle;
pub use product::ProductView;
pub(super) use product::{GetProduct, VariantView};
pub use search::{Item, Results, SearchProducts};
pub(super) use shape::CatalogShapeTool;
pub use shape::Shape;
pub(super) use similar::FindSimilar;
pub(super) use stock::CheckStock;

use super::desk::Desk;

/// Name of the search tool.
pub(super) const SEARCH: &str = "search_products";
/// Name of the tool that shows one product.
pub(super) const PRODUCT: &str = "get_product";
/// Name of the comparing tool.
pub(super) const COMPARE: &str = "compare_products";
/// Name of the tool that looks at a picture.
pub(super) const IMAGE: &str = "analyze_image_style";
/// Name of the tool that finds similar products.
pub(super) const SIMILAR: &str = "find_similar";
/// Name of the tool that looks up the stock of a variant.
pub(super) const STOCK: &str = "check_stock";
/// Name of the tool that tells what the catalogue holds.
pub(super) const SHAPE: &str = "catalog_shape";

/// All tools of the shopping assistant.
///
/// # Errors
/// When two tools have one name or a schema is not usable, which a test rules out.
pub fn registry() -> Result<Registry<Desk>, BuildError> {
    Registry::new()
        .with::<SearchProducts>()
        .with::<GetProduct>()
        .with::<CompareProducts>()
        .with::<AnalyzeImageStyle>()
        .with::<FindSimilar>()
        .with::<CheckStock>()
        .with::<CatalogShapeTool>()
        .build()
}
