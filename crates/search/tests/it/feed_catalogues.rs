//! Real catalogues, as published: nothing is lost, and what a product says is what its feed said.

use mercer_search::feed::{Options, ProblemKind};
use mercer_shop::{AgeGroup, Availability, Gender, Season, Stock};

use crate::feed_support::{by_id, catalogue};

#[test]
fn kaggle_gives_all_44446_products_also_those_with_an_unquoted_comma() {
    let Some((products, report)) = catalogue("fashion-kaggle/styles.csv.zip", Options::default()) else { return };
    assert_eq!((products.len(), report.rows, report.skipped), (44_446, 44_446, 0), "{:?}", report.by_kind);
    let perfume = by_id(&products, "44065");
    assert_eq!(perfume.title.en.as_deref(), Some("Boss Men Perfume, After Shave Balm and Shower Gel Set"));
    let categories: Vec<_> = perfume.category.iter().filter_map(|c| c.en.as_deref()).collect();
    assert_eq!(categories, ["Personal Care", "Fragrance", "Perfume and Body Mist"]);
    assert_eq!((perfume.gender, perfume.colours.as_slice()), (Some(Gender::Men), &["Blue".to_owned()][..]));
    assert_eq!(
        (perfume.seasons.as_slice(), perfume.usage.as_slice()),
        (&[Season::Spring][..], &["Casual".to_owned()][..])
    );
    assert_eq!(perfume.images[0].source, "44065.jpg");
    assert_eq!(perfume.variants[0].price, None);
    assert!(products.iter().filter(|p| p.gender == Some(Gender::Boys)).all(|p| p.age_group == Some(AgeGroup::Kids)));
    assert!(report.formats[0].contains("kaggle (CSV, UTF-8)"), "{:?}", report.formats);
}

#[test]
fn icecat_prices_count_cents_and_sparse_attributes_are_kept() {
    let mut total = 0;
    for part in 1..=4 {
        let Some((products, report)) = catalogue(&format!("chorus/{part}.json.zip"), Options::default()) else {
            return;
        };
        assert_eq!(report.skipped, 0, "{:?}", report.by_kind);
        total += products.len();
        if part == 1 {
            let toner = by_id(&products, "3920564");
            assert_eq!(toner.variants[0].price.unwrap().to_string(), "$49.95");
            assert_eq!(toner.brand.as_deref(), Some("Xerox"));
            assert_eq!(toner.variants[0].barcode.as_deref(), Some("0095205603217"));
            assert_eq!(toner.attributes["black toner page yield"], "23000");
            let laptop = by_id(&products, "2101957");
            assert_eq!(laptop.colours, ["Silver"]);
            assert_eq!(laptop.category[0].en.as_deref(), Some("Notebook"));
        }
    }
    assert_eq!(total, 19_406);
}

#[test]
fn litemall_goods_have_chinese_categories_attributes_and_variants() {
    let Some((products, report)) = catalogue("zh/litemall_goods.json", Options::default()) else { return };
    assert_eq!(products.len() + usize::try_from(report.skipped).unwrap(), 239, "{:?}", report.by_kind);
    let bedding = by_id(&products, "1006002");
    assert_eq!(bedding.title.zh.as_deref(), Some("轻奢纯棉刺绣水洗四件套"));
    assert_eq!(bedding.category[1].zh.as_deref(), Some("床品件套"));
    assert_eq!(bedding.variants[0].price.unwrap().to_string(), "¥899");
    assert_eq!(bedding.variants[0].stock, Stock::Pieces(100));
    assert!(bedding.variants[0].options.is_empty(), "标准 is no option");
    assert_eq!(bedding.materials, ["100%棉"]);
    assert_eq!(by_id(&products, "1181000").variants.len(), 6);
    assert!(products.iter().all(|p| !p.description.get(mercer_shop::Lang::Zh).contains('<')));
}

#[test]
fn dummyjson_products_have_stock_ratings_and_barcodes() {
    let Some((products, report)) = catalogue("dummyjson/products.json", Options::default()) else { return };
    assert_eq!((products.len(), report.skipped), (194, 0));
    let mascara = by_id(&products, "1");
    assert_eq!(mascara.variants[0].price.unwrap().to_string(), "$9.99");
    assert_eq!(mascara.variants[0].sku.as_str(), "BEA-ESS-ESS-001");
    assert_eq!(mascara.variants[0].barcode.as_deref(), Some("5784719087687"));
    assert_eq!((mascara.rating_centistars, mascara.variants[0].stock), (Some(256), Stock::Pieces(99)));
    assert_eq!(mascara.variants[0].availability, Availability::InStock);
    assert_eq!(mascara.attributes["dimensions width"], "15.14");
}

#[test]
fn vendure_rows_without_a_name_are_variants_of_the_product_above() {
    let Some((products, report)) = catalogue("vendure/products.csv", Options::default()) else { return };
    assert_eq!((products.len(), report.rows, report.skipped), (54, 88, 0), "{:?}", report.by_kind);
    let laptop = by_id(&products, "laptop");
    assert_eq!(laptop.variants.len(), 4);
    assert_eq!(laptop.variants[1].options["screen size"], "15 inch");
    assert_eq!(laptop.variants[1].options["RAM"], "8GB");
    assert_eq!(laptop.variants[1].price.unwrap().to_string(), "$1399");
    assert_eq!(laptop.brand.as_deref(), Some("Apple"));
    assert_eq!(laptop.category.len(), 2);
    assert_eq!(laptop.images[0].source, "derick-david-409858-unsplash.jpg");
}

#[test]
fn typesense_products_need_no_mapping_and_get_stable_ids() {
    let Some((products, report)) = catalogue("typesense/ecommerce.json", Options::default()) else { return };
    assert_eq!(products.len() + usize::try_from(report.skipped).unwrap(), 3_291);
    assert_eq!(report.skipped, report.count(ProblemKind::DuplicateId));
    assert!(products.iter().all(|p| !p.description.get(mercer_shop::Lang::En).contains("&amp;")));
    assert!(report.warnings.iter().any(|w| w.contains("without an id")));
    let phone = &products[0];
    assert_eq!((phone.brand.as_deref(), phone.popularity), (Some("AT&T GoPhone"), Some(21_449)));
    assert_eq!(phone.category.len(), 3);
    let Some((again, _)) = catalogue("typesense/ecommerce.json", Options::default()) else { return };
    assert_eq!(again, products);
}

#[test]
fn medusa_prices_come_from_the_product_not_from_its_contradicting_variants() {
    let Some((products, report)) = catalogue("meilisearch/ecommerce-demo-data.json", Options::default()) else {
        return;
    };
    assert_eq!((products.len(), report.skipped), (1_000, 0), "{:?}", report.by_kind);
    let server = by_id(&products, "711decb2a3fdcbbe44755afc5af25e2f");
    assert_eq!(server.variants[0].price.unwrap().to_string(), "$16.84");
    assert_eq!(server.variants[0].options["Size"], "S");
    assert_eq!(server.colours, ["Black"]);
}

#[test]
fn newbee_goods_without_a_category_are_kept() {
    let Some((products, report)) = catalogue("zh/newbee_goods.json", Options::default()) else { return };
    assert_eq!((products.len(), report.skipped), (575, 0), "{:?}", report.by_kind);
    assert_eq!(products.iter().filter(|p| p.category.is_empty()).count(), 256);
    let lotion = by_id(&products, "10009");
    assert_eq!(lotion.variants[0].price.unwrap().to_string(), "¥199");
    assert_eq!(lotion.variants[0].list_price.unwrap().to_string(), "¥398");
}
