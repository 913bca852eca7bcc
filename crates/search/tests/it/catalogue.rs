//! How a catalogue is written, swapped and read.

use mercer_search::{Catalog, Catalogs, SearchError, SearchRequest};
use mercer_shop::{ProductId, TenantId};

use crate::shop::{ids, products, shop};

const WARDROBE: &str = "
    d1 | Red cotton summer dress | Apparel > Dresses | red | women | 299
    d2 | Navy wrap dress | Apparel > Dresses | navy blue | women | 459
    s1 | White dress shirt | Apparel > Shirts | white | men | 199
    j1 | Slim blue jeans | Apparel > Jeans | blue | men | 259
";

#[test]
fn a_product_goes_in_and_is_found_by_word_by_id_and_by_page() {
    let shop = shop(WARDROBE, "CNY");
    assert_eq!(shop.catalog.len().unwrap(), 4);
    assert_eq!(shop.ids("wrap"), ["d2"]);
    let found = shop.catalog.get(&ProductId::new("j1").unwrap()).unwrap().unwrap();
    assert_eq!(found.title.get(mercer_shop::Lang::En), "Slim blue jeans");
    let wanted = [ProductId::new("s1").unwrap(), ProductId::new("none").unwrap(), ProductId::new("d1").unwrap()];
    let many = shop.catalog.get_many(&wanted).unwrap();
    assert_eq!(many.iter().map(|p| p.id.as_str()).collect::<Vec<_>>(), ["s1", "d1"]);
    let pages: Vec<_> = [0, 2].iter().flat_map(|at| shop.catalog.page(*at, 2).unwrap()).map(|p| p.id).collect();
    assert_eq!(pages.len(), 4);
    assert_eq!(pages.iter().collect::<std::collections::BTreeSet<_>>().len(), 4);
}

#[test]
fn a_second_import_of_the_same_content_changes_nothing() {
    let shop = shop(WARDROBE, "CNY");
    let mut import = shop.catalog.begin_import().unwrap();
    for product in products(WARDROBE, "CNY") {
        import.add(product).unwrap();
    }
    let committed = import.commit().unwrap();
    assert!(!committed.swapped);
    assert_eq!((committed.unchanged, committed.added, committed.changed, committed.removed), (4, 0, 0, 0));
    assert_eq!(generations(&shop), 1);
}

#[test]
fn a_changed_feed_is_counted_and_replaces_the_old_one() {
    let shop = shop(WARDROBE, "CNY");
    let fresh = WARDROBE.replace("459", "399").replace("j1 | Slim blue jeans", "j2 | Wide blue jeans");
    let mut import = shop.catalog.begin_import().unwrap();
    for product in products(&fresh, "CNY") {
        import.add(product).unwrap();
    }
    let committed = import.commit().unwrap();
    assert!(committed.swapped);
    assert_eq!((committed.unchanged, committed.added, committed.changed, committed.removed), (2, 1, 1, 1));
    assert_eq!(shop.ids("jeans"), ["j2"]);
    assert_eq!(generations(&shop), 1);
}

#[test]
fn the_last_row_of_a_repeated_id_counts() {
    let shop = shop("a | Green mug | | | | 10\n a | Blue teapot | | | | 20", "CNY");
    assert_eq!(shop.catalog.len().unwrap(), 1);
    assert_eq!(shop.ids("teapot"), ["a"]);
    assert!(shop.ids("mug").is_empty());
}

#[test]
fn an_import_that_is_given_up_leaves_the_catalogue_as_it_was_and_two_cannot_run_at_once() {
    let shop = shop(WARDROBE, "CNY");
    let mut import = shop.catalog.begin_import().unwrap();
    import.add(products("x | Something new | | | | 5", "CNY").remove(0)).unwrap();
    assert!(matches!(shop.catalog.begin_import(), Err(SearchError::Busy)));
    drop(import);
    assert!(shop.ids("something").is_empty());
    assert_eq!(shop.catalog.len().unwrap(), 4);
    assert_eq!(generations(&shop), 1);
    assert!(shop.catalog.begin_import().is_ok());
}

#[test]
fn what_a_crashed_import_left_is_not_read_and_removed_by_the_next() {
    let shop = shop(WARDROBE, "CNY");
    std::fs::create_dir(shop.dir.path().join("gen-000777")).unwrap();
    std::fs::write(shop.dir.path().join("CURRENT.new"), "gen-000777").unwrap();
    let again = Catalog::open(shop.dir.path()).unwrap();
    assert_eq!(again.len().unwrap(), 4);
    drop(again.begin_import().unwrap());
    assert_eq!(generations(&shop), 1);
}

#[test]
fn a_reader_sees_the_generation_that_another_process_committed() {
    let shop = shop(WARDROBE, "CNY");
    let other = Catalog::open(shop.dir.path()).unwrap();
    let mut import = other.begin_import().unwrap();
    import.add(products("x | Brass lantern | | | | 5", "CNY").remove(0)).unwrap();
    import.commit().unwrap();
    assert_eq!(shop.ids("lantern"), ["x"]);
    assert_eq!(shop.catalog.len().unwrap(), 1);
}

#[test]
fn readers_never_see_an_empty_moment_while_imports_swap() {
    let shop = shop(WARDROBE, "CNY");
    std::thread::scope(|scope| {
        let reading = scope.spawn(|| {
            for _ in 0..200 {
                assert!(!shop.ids("dress").is_empty());
            }
        });
        for round in 0..4 {
            let mut import = shop.catalog.begin_import().unwrap();
            for product in products(&WARDROBE.replace("459", &format!("{}", 400 + round)), "CNY") {
                import.add(product).unwrap();
            }
            import.commit().unwrap();
        }
        reading.join().unwrap();
    });
}

#[test]
fn tenants_do_not_see_each_other() {
    let dir = tempfile::tempdir().unwrap();
    let catalogs = Catalogs::new(dir.path());
    let one = catalogs.tenant(&TenantId::new("one").unwrap()).unwrap();
    let two = catalogs.tenant(&TenantId::new("two").unwrap()).unwrap();
    let mut import = one.begin_import().unwrap();
    import.add(products("a | Green mug | | | | 10", "CNY").remove(0)).unwrap();
    import.commit().unwrap();
    let ask = SearchRequest::text("mug");
    assert_eq!(ids(&one.search(&ask).unwrap()), ["a"]);
    assert_eq!(two.search(&ask).unwrap().total, 0);
    assert!(two.is_empty().unwrap());
}

#[test]
fn the_shape_tells_what_there_is_to_ask_for() {
    let shape = shop(WARDROBE, "CNY").catalog.shape().unwrap();
    assert_eq!(shape.products, 4);
    assert!(shape.categories.contains(&("Apparel > Dresses".to_owned(), 2)));
    assert_eq!(shape.prices.iter().map(|(l, h)| (l.minor, h.minor)).collect::<Vec<_>>(), [(19_900, 45_900)]);
    assert!(shape.colours.contains(&("blue".to_owned(), 2)));
    assert!(shape.genders.contains(&("women".to_owned(), 2)));
}

fn generations(shop: &crate::shop::Shop) -> usize {
    let names = std::fs::read_dir(shop.dir.path()).unwrap().map(|entry| entry.unwrap().file_name());
    names.filter(|name| name.to_string_lossy().starts_with("gen-")).count()
}
