//! An import as a whole: a feed read into a new generation of a catalogue, with its pictures, and the swap at the end.
//!
//! The feed is the whole catalogue: products that it no longer has are gone after the swap. Nothing changes before the swap, so an import that
//! fails, is cancelled or dies leaves the shop as it was, and running it again is always right.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use mercer_shop::{ImageRef, Product};
use serde::{Deserialize, Serialize};

use crate::SearchError;
use crate::feed::{self, FeedError, Progress, Source};
use crate::index::{Catalog, Committed};
use crate::pictures::Pictures;

/// What to import.
#[derive(Debug)]
pub struct Import {
    /// Where the feed lies.
    pub source: Source,
    /// How to read it.
    pub options: feed::Options,
    /// A folder or a zip with the pictures; beside the feed when `None` and there is one.
    pub pictures: Option<PathBuf>,
}

/// What an import did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ImportReport {
    /// What was read, taken and left out.
    pub feed: feed::Report,
    /// What changed in the catalogue.
    pub catalogue: Committed,
    /// Pictures that were found and kept.
    pub pictures: u64,
    /// Pictures that the feed names by a path and that are not in the folder or zip, or cannot be read there.
    pub pictures_missing: u64,
}

/// Why an import changed nothing.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// The feed cannot be read.
    #[error(transparent)]
    Feed(#[from] FeedError),
    /// The index cannot be written.
    #[error(transparent)]
    Index(#[from] SearchError),
    /// No product came out: a shop is not emptied by a feed that went wrong.
    #[error(
        "no product came out of {rows} rows; the catalogue was left as it was. See the report for why each row was skipped"
    )]
    NoProducts {
        /// Rows that were read.
        rows: u64,
        /// What was wrong with them.
        report: Box<feed::Report>,
    },
    /// The folder or zip with the pictures cannot be opened.
    #[error(transparent)]
    Pictures(#[from] feed::PictureError),
    /// A picture could not be kept.
    #[error("a picture could not be kept; check the disk")]
    Keep(#[source] std::io::Error),
    /// A person stopped it.
    #[error("the import was cancelled; the catalogue was left as it was")]
    Cancelled,
}

impl ImportError {
    /// What was wrong with the rows, when any were read.
    #[must_use]
    pub fn report(&self) -> Option<&feed::Report> {
        match self {
            Self::NoProducts { report, .. } => Some(report),
            _ => None,
        }
    }
}

/// Reads the feed, builds the new generation and swaps it in. Blocking; `cancel` is looked at between products.
///
/// # Errors
/// Whatever kept the import from its end. The catalogue is then as it was.
pub fn run(
    catalog: &Catalog,
    import: Import,
    cancel: &AtomicBool,
    on_progress: impl Fn(&Progress),
) -> Result<ImportReport, ImportError> {
    let pictures = PictureSource::open(import.pictures.as_deref(), &import.source)?;
    let kept = Pictures::of(catalog.dir());
    let mut feed = feed::open(&import.source, import.options)?;
    let mut builder = catalog.begin_import()?;
    let mut counts = (0, 0);
    let mut products = 0_u64;
    while let Some(product) = feed.next() {
        if cancel.load(Ordering::Relaxed) {
            return Err(ImportError::Cancelled);
        }
        let mut product = product?;
        if let Some(source) = &pictures {
            source.attach(&mut product, &kept, &mut counts).map_err(ImportError::Keep)?;
        }
        builder.add(product)?;
        products += 1;
        if products.is_multiple_of(512) {
            on_progress(&feed.progress());
        }
    }
    on_progress(&feed.progress());
    let report = feed.report().clone();
    if products == 0 {
        return Err(ImportError::NoProducts { rows: report.rows, report: Box::new(report) });
    }
    let catalogue = builder.commit()?;
    Ok(ImportReport { feed: report, catalogue, pictures: counts.0, pictures_missing: counts.1 })
}

/// Where an import's pictures lie.
struct PictureSource(feed::Pictures);

impl PictureSource {
    fn open(named: Option<&Path>, source: &Source) -> Result<Option<Self>, ImportError> {
        let beside = || match source {
            Source::File(path) => path.parent().map(|parent| parent.join("images")).filter(|folder| folder.is_dir()),
            Source::Dir(path) => Some(path.join("images")).filter(|folder| folder.is_dir()),
            Source::Url(_) => None,
        };
        let Some(path) = named.map(Path::to_owned).or_else(beside) else { return Ok(None) };
        Ok(Some(Self(feed::Pictures::open(&path)?)))
    }

    /// Gives the product's pictures their kept names; one that only lies there under the product's id is added.
    fn attach(&self, product: &mut Product, kept: &Pictures, counts: &mut (u64, u64)) -> std::io::Result<()> {
        if product.images.is_empty()
            && let Some(content) = self.find(product.id.as_str())
        {
            product.images.push(ImageRef {
                source: product.id.to_string(),
                file: Some(kept.put(&content)?),
                alt: None,
            });
            counts.0 += 1;
        }
        let of_variants = product.variants.iter_mut().filter_map(|variant| variant.image.as_mut());
        for image in product.images.iter_mut().chain(of_variants).filter(|image| image.file.is_none()) {
            if image.source.starts_with("http://") || image.source.starts_with("https://") {
                continue;
            }
            match self.find(&image.source) {
                Some(content) => {
                    image.file = Some(kept.put(&content)?);
                    counts.0 += 1;
                }
                None => counts.1 += 1,
            }
        }
        Ok(())
    }

    /// A picture's bytes. One that cannot be read counts as missing: it must not cost the product.
    fn find(&self, wanted: &str) -> Option<Vec<u8>> {
        match self.0.read(wanted) {
            Ok(found) => found,
            Err(error) => {
                tracing::warn!(%error, wanted, "a picture could not be read");
                None
            }
        }
    }
}
