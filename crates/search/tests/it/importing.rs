//! A whole import: the feed, its photos, the index, and the same again.

use std::sync::atomic::AtomicBool;

use mercer_search::feed::{Options, Source};
use mercer_search::import::{Import, ImportReport, run};
use mercer_search::{Catalog, Pictures};
use mercer_shop::ProductId;

use crate::feed_support::shared;

/// Photos in the archive that the test reads.
const PHOTOS: u64 = 671;

#[test]
fn the_whole_fashion_table_goes_in_with_its_photos_and_the_second_import_changes_nothing() {
    let (Some(table), Some(photos)) =
        (shared("fashion-kaggle/styles.csv.zip"), shared("fashion-kaggle/images-all-01.zip"))
    else {
        return;
    };
    let dir = tempfile::tempdir().unwrap();
    let catalog = Catalog::open(dir.path()).unwrap();
    let import = || -> ImportReport {
        let import =
            Import { source: Source::path(table.clone()), options: Options::default(), pictures: Some(photos.clone()) };
        run(&catalog, import, &AtomicBool::new(false), |_| {}).unwrap()
    };
    let first = import();
    assert_eq!((first.feed.rows, first.feed.skipped), (44_446, 0));
    assert_eq!((first.catalogue.products, first.catalogue.added, first.catalogue.duplicates), (44_446, 44_446, 0));
    assert!(first.catalogue.swapped);
    assert_eq!((first.pictures, first.pictures_missing), (PHOTOS, 44_446 - PHOTOS));
    assert_eq!(catalog.len().unwrap(), 44_446);
    let second = import();
    assert_eq!(second.catalogue.unchanged, 44_446);
    assert_eq!((second.catalogue.added, second.catalogue.changed, second.catalogue.removed), (0, 0, 0));
    assert!(!second.catalogue.swapped);
    assert_eq!(catalog.len().unwrap(), 44_446);
    let pictured = catalog.page(0, 44_446).unwrap().into_iter().filter_map(|product| {
        let file = product.images.first()?.file.clone()?;
        Some((product.id, file))
    });
    let pictured: Vec<(ProductId, _)> = pictured.collect();
    assert_eq!(u64::try_from(pictured.len()).unwrap(), PHOTOS);
    let kept = Pictures::of(catalog.dir());
    assert!(pictured.iter().all(|(_, file)| kept.get(file).unwrap().is_some_and(|bytes| !bytes.is_empty())));
}
