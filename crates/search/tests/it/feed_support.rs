//! What the tests of catalogue import share.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a helper of a test may fail like a test"
)]

use std::path::PathBuf;

use mercer_search::feed::{Feed, FeedError, Options, Report, Source, open};
use mercer_shop::Product;

/// A feed written to a file of its own.
pub(crate) struct Fixture {
    _folder: tempfile::TempDir,
    pub(crate) path: PathBuf,
}

pub(crate) fn file(name: &str, content: impl AsRef<[u8]>) -> Fixture {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, content).unwrap();
    Fixture { _folder: folder, path }
}

/// All products of a feed and its report.
pub(crate) fn all(mut feed: Feed) -> Result<(Vec<Product>, Report), FeedError> {
    let products = feed.by_ref().collect::<Result<Vec<_>, _>>()?;
    Ok((products, feed.into_report()))
}

pub(crate) fn import(
    name: &str,
    content: impl AsRef<[u8]>,
    options: Options,
) -> Result<(Vec<Product>, Report), FeedError> {
    let fixture = file(name, content);
    all(open(&Source::File(fixture.path.as_path().into()), options)?)
}

/// Products of a feed that must be readable.
pub(crate) fn products(name: &str, content: impl AsRef<[u8]>) -> Vec<Product> {
    import(name, content, Options::default()).unwrap().0
}

/// A file of the shared catalogues, or a loud note that the test is skipped.
pub(crate) fn shared(path: &str) -> Option<PathBuf> {
    let beside = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let root = std::env::var_os("MERCER_SHARED").map_or(beside, PathBuf::from);
    let path = root.join("data/catalog").join(path);
    if path.exists() {
        return Some(path);
    }
    eprintln!("SKIPPED: {} is not there", path.display());
    None
}

/// The products of a shared catalogue.
pub(crate) fn catalogue(path: &str, options: Options) -> Option<(Vec<Product>, Report)> {
    let source = Source::path(shared(path)?);
    Some(all(open(&source, options).unwrap()).unwrap())
}

pub(crate) fn by_id<'a>(products: &'a [Product], id: &str) -> &'a Product {
    products.iter().find(|p| p.id.as_str() == id).unwrap_or_else(|| panic!("no product {id}"))
}
