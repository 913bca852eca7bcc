//! Formats of the usual shops: real exports from the shared data, and the rules of each in small.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a helper of a test may fail like a test"
)]

use mercer_search::feed::{Format, Options, ProblemKind, Source, preview};
use mercer_shop::{Availability, Currency, Gender, Lang, Money, Stock};

use crate::feed_support::{all, by_id, catalogue, file, import, products, shared};

const OLD: &str = "Handle,Title,Body (HTML),Vendor,Type,Tags,Published,Option1 Name,Option1 Value,Option2 Name,Option2 Value,\
    Variant SKU,Variant Inventory Tracker,Variant Inventory Qty,Variant Inventory Policy,Variant Price,Variant Compare At Price,\
    Variant Barcode,Image Src,Image Alt Text,Variant Image,Status,Color (product.metafields.shopify.color-pattern)";

#[test]
fn shopify_exports_of_three_shops_give_twenty_products_each() {
    for (name, rows) in [("apparel", 22), ("home-and-garden", 21), ("jewelery", 41)] {
        let Some((products, report)) = catalogue(&format!("shopify/{name}.csv"), Options::default()) else { return };
        assert_eq!((products.len(), report.rows, report.skipped), (20, rows, 0), "{name} {:?}", report.by_kind);
        assert!(products.iter().all(|p| p.variants.iter().all(|v| !v.options.contains_key("Title"))), "{name}");
        if name == "apparel" {
            let top = by_id(&products, "classic-varsity-top");
            let sizes: Vec<_> = top.variants.iter().map(|v| v.options["Size"].as_str()).collect();
            assert_eq!(sizes, ["Small", "Medium", "Large"]);
            assert_eq!(top.variants[0].stock, Stock::NotTracked);
            assert_eq!(top.availability(), Availability::InStock);
        }
        if name == "jewelery" {
            let anchor = by_id(&products, "leather-anchor");
            assert_eq!((anchor.variants.len(), anchor.images.len()), (2, 3), "a row with a picture only is no variant");
            assert_eq!(anchor.colours, ["Gold", "Silver"]);
            assert_eq!(anchor.variants[1].list_price, Some(Money::new(8_500, Currency::USD)));
        }
    }
}

#[test]
fn shopify_rows_of_one_handle_inherit_and_need_not_be_neighbours() {
    let csv = format!(
        "{OLD}\n\
         tee,Tee,<p>Soft &amp; warm</p><p>Two</p>,Acme,Shirts,\"a, b\",,Size,S,Color,Red,'0012,shopify,3,deny,\"1,299.00\",0,'5784719087687,\
         //cdn/x.jpg,Alt,,active,Red\n\
         cap,Cap,,Acme,,,true,Title,Default Title,,,CAP,shopify,0,continue,9,,,,,,,\n\
         tee,,,,,,,,M,,Blue,0013,shopify,0,deny,19.90,25,,,,//cdn/m.jpg,,\n\
         tee,,,,,,,,,,,,,,,,,,//cdn/y.jpg,,,,\n\
         draft,Draft,,,,,false,Title,Default Title,,,D,,,,5,,,,,,,\n\
         draft,,,,,,,,,,,D2,,,,5,,,,,,,\n\
         old,Old,,,,,true,Title,Default Title,,,O,,,,5,,,,,,archived,\n"
    );
    let (products, report) = import("p.csv", csv, Options::default()).unwrap();
    let ids: Vec<_> = products.iter().map(|p| p.id.as_str()).collect();
    assert_eq!(ids, ["cap", "tee"]);
    assert_eq!(report.count(ProblemKind::NotForSale), 2, "{:?}", report.by_kind);
    let tee = by_id(&products, "tee");
    assert_eq!(tee.description.get(Lang::En), "Soft & warm\n\nTwo");
    assert_eq!((tee.brand.as_deref(), tee.tags.as_slice()), (Some("Acme"), &["a".to_owned(), "b".to_owned()][..]));
    assert_eq!(
        tee.images.iter().map(|i| i.source.as_str()).collect::<Vec<_>>(),
        ["https://cdn/x.jpg", "https://cdn/y.jpg"]
    );
    assert_eq!(tee.images[0].alt.as_deref(), Some("Alt"));
    let [small, medium] = tee.variants.as_slice() else { panic!("{:?}", tee.variants) };
    assert_eq!(
        (small.sku.as_str(), small.price, small.list_price),
        ("0012", Some(Money::new(129_900, Currency::USD)), None)
    );
    assert_eq!(small.barcode.as_deref(), Some("5784719087687"));
    assert_eq!((medium.options["Size"].as_str(), medium.options["Color"].as_str()), ("M", "Blue"));
    assert_eq!((medium.stock, medium.availability), (Stock::Pieces(0), Availability::OutOfStock));
    assert_eq!(medium.image.as_ref().unwrap().source, "https://cdn/m.jpg");
    let cap = by_id(&products, "cap");
    assert!(cap.variants[0].options.is_empty());
    assert_eq!(cap.variants[0].availability, Availability::Backorder);
    assert!(report.warnings.iter().any(|w| w.contains("currency")), "{:?}", report.warnings);
}

#[test]
fn shopify_s_new_header_is_read_in_any_case() {
    let csv = "TITLE,url handle,Description,Vendor,Product category,Type,Tags,Published on online store,Status,SKU,Barcode,\
               Option1 name,Option1 value,Price,Compare-at price,Inventory quantity,Product image URL,Variant image URL\n\
               Mug,mug,Nice,Acme,Home > Kitchen,Mugs,,,Active,M-1,,Color,White,12,15,7,http://x/a.png,\n\
               ,mug,,,,,,,,M-2,,,Black,13,,0,,\n";
    let fixture = file("new.csv", csv);
    let source = Source::File(fixture.path.as_path().into());
    assert_eq!(preview(&source, &Options::default(), 2).unwrap().format, Format::Shopify);
    let products = products("new.csv", csv);
    let mug = &products[0];
    assert_eq!(mug.category.iter().filter_map(|c| c.en.as_deref()).collect::<Vec<_>>(), ["Home", "Kitchen", "Mugs"]);
    assert_eq!(mug.variants.iter().map(|v| v.sku.as_str()).collect::<Vec<_>>(), ["M-1", "M-2"]);
    assert_eq!((mug.variants[0].stock, mug.colours.len()), (Stock::Pieces(7), 2));
}

#[test]
fn woocommerce_variations_find_their_parents_and_hidden_products_stay_hidden() {
    let Some((products, report)) = catalogue("woocommerce/sample_products.csv", Options::default()) else { return };
    assert_eq!(report.rows, 24);
    assert_eq!((products.len(), report.count(ProblemKind::NotForSale)), (14, 1), "{:?}", report.by_kind);
    let hoodie = by_id(&products, "742");
    assert_eq!(hoodie.variants.len(), 6);
    assert_eq!(hoodie.variants[0].options["Color"], "Red");
    assert_eq!(hoodie.variants[0].price, Some(Money::new(4_200, Currency::USD)));
    assert_eq!(hoodie.variants[0].list_price, Some(Money::new(4_500, Currency::USD)));
    assert_eq!((hoodie.images.len(), hoodie.category.len()), (4, 2));
    assert_eq!(by_id(&products, "741").variants.len(), 3);
    assert!(products.iter().all(|p| !p.variants.is_empty()));
}

#[test]
fn woocommerce_lists_escape_commas_and_parents_may_come_later() {
    let csv = "ID,Type,SKU,Name,Published,Visibility in catalog,Description,In stock?,Stock,Backorders allowed?,Sale price,\
               Regular price,Date sale price ends,Categories,Images,Parent,Attribute 1 name,Attribute 1 value(s)\n\
               11,variation,s-1,Shoe - 1,1,visible,,1,,0,,20,,,,shoe,Fit type,\"Wide\\, soft\"\n\
               12,variation,s-2,Shoe - 2,1,visible,,1,parent,0,15,20,,,,id:10,Fit type,Narrow\n\
               10,variable,shoe,Shoe,1,visible,one\\ntwo,1,,0,,,,\"Shoes > Men, Sale\",\"http://a/1.jpg, http://a/2.jpg\",,Fit type,\"Wide\\, soft, Narrow\"\n\
               20,\"simple, virtual\",v,Card,1,visible,,1,5,0,5,8,2020-01-01,,,,,\n\
               30,simple,,Gone,0,visible,,1,,0,,8,,,,,,\n\
               41,variation,o-1,Lost - A,1,visible,,1,,0,,8,,,,nowhere,Size,A\n\
               42,variation,o-2,Lost - B,1,visible,,1,,0,,9,,,,nowhere,Size,B\n";
    let (products, report) = import("w.csv", csv, Options::default()).unwrap();
    let shoe = by_id(&products, "10");
    assert_eq!(
        shoe.variants.iter().map(|v| v.options["Fit type"].as_str()).collect::<Vec<_>>(),
        ["Wide, soft", "Narrow"]
    );
    assert_eq!((shoe.description.get(Lang::En), shoe.images.len()), ("one\ntwo", 2));
    assert_eq!(shoe.tags, ["Sale"]);
    let card = by_id(&products, "20");
    assert_eq!(card.variants[0].price, Some(Money::new(800, Currency::USD)), "a sale of some days is not the price");
    assert_eq!(card.variants[0].stock, Stock::Pieces(5));
    let lost = by_id(&products, "nowhere");
    assert_eq!((lost.title.get(Lang::En), lost.variants.len()), ("Lost", 2));
    assert_eq!(report.count(ProblemKind::MissingParent), 2);
    assert_eq!((products.len(), report.count(ProblemKind::NotForSale)), (3, 1));
}

#[test]
fn magento_configurable_products_take_in_their_variations() {
    let Some((products, report)) = catalogue("magento/configurable_products.csv", Options::default()) else { return };
    assert_eq!((products.len(), report.rows, report.skipped), (147, 1_994, 0), "{:?}", report.by_kind);
    assert_eq!(products.iter().map(|p| p.variants.len()).sum::<usize>(), 1_847);
    let hoodie = by_id(&products, "MH01");
    assert_eq!(hoodie.variants.len(), 15);
    assert_eq!(
        (hoodie.variants[0].options["Size"].as_str(), hoodie.variants[0].options["Color"].as_str()),
        ("XS", "Black")
    );
    assert_eq!(hoodie.variants[0].stock, Stock::Pieces(100));
    assert_eq!(
        hoodie.category.iter().filter_map(|c| c.en.as_deref()).collect::<Vec<_>>(),
        ["Men", "Tops", "Hoodies & Sweatshirts"]
    );
    assert_eq!((hoodie.gender, hoodie.materials.as_slice()), (Some(Gender::Men), &["Wool".to_owned()][..]));
    assert_eq!(hoodie.colours, ["Black", "Gray", "Orange"]);
    assert!(hoodie.description.get(Lang::En).contains("\n• Drawstring-adjustable hood.\n"), "{:?}", hoodie.description);
    assert_eq!(hoodie.images.len(), 3);
}

#[test]
fn magento_rows_of_other_languages_and_variations_without_a_row_are_understood() {
    let csv = "sku,store_view_code,attribute_set_code,product_type,categories,name,description,product_online,visibility,price,\
               special_price,additional_attributes,qty,is_in_stock,configurable_variations\n\
               bag,,Bag,configurable,Default Category/Gear,Bag,Nice,1,\"Catalog, Search\",40,,\"material=Nylon|Wool,note=a, b\",0,1,\
               \"sku=bag-s,size=S|sku=bag-m,size=M\"\n\
               bag-s,,Bag,simple,,Bag S,,1,Not Visible Individually,40,30,size=S,0,1,\n\
               bag,zh_cn,Bag,configurable,,包,好看的包,,,,,,,,\n\
               solo,,Bag,simple,,Solo,,1,Not Visible Individually,10,,,1,1,\n";
    let (products, report) = import("m.csv", csv, Options::default()).unwrap();
    let bag = by_id(&products, "bag");
    assert_eq!((bag.title.en.as_deref(), bag.title.zh.as_deref()), (Some("Bag"), Some("包")));
    assert_eq!(bag.attributes["Note"], "a, b");
    assert_eq!(bag.materials, ["Nylon", "Wool"]);
    let m = bag.variants.iter().find(|v| v.sku.as_str() == "bag-m").unwrap();
    assert_eq!((m.options["Size"].as_str(), m.price), ("M", Some(Money::new(4_000, Currency::USD))));
    let s = bag.variants.iter().find(|v| v.sku.as_str() == "bag-s").unwrap();
    assert_eq!(
        (s.price, s.list_price),
        (Some(Money::new(3_000, Currency::USD)), Some(Money::new(4_000, Currency::USD)))
    );
    assert_eq!(s.availability, Availability::OutOfStock);
    assert_eq!((products.len(), report.count(ProblemKind::NotForSale)), (1, 1));
}

#[test]
fn magento_s_sample_tables_need_no_mapping() {
    for (name, count) in [("bags", 14), ("fitness_equipment", 9), ("watches", 9)] {
        let Some((products, report)) = catalogue(&format!("magento/products_gear_{name}.csv"), Options::default())
        else {
            return;
        };
        assert_eq!((products.len(), report.skipped), (count, 0), "{name} {:?}", report.by_kind);
        assert!(products.iter().all(|p| p.variants[0].price.is_some() && p.category.len() > 1), "{name}");
    }
    let Some(path) = shared("magento/products_reviews.csv") else { return };
    let refused = mercer_search::feed::open(&Source::File(path), Options::default()).unwrap_err();
    assert!(refused.to_string().contains("does not look like a product catalogue"), "{refused}");
}

#[test]
fn google_items_of_one_group_are_one_product() {
    let Some((products, report)) = catalogue("google-feed/rss-variants-apparel.xml", Options::default()) else {
        return;
    };
    assert_eq!((products.len(), report.rows), (1, 2), "{:?}", report.by_kind);
    let watch = by_id(&products, "dz1");
    assert_eq!(watch.variants.len(), 2);
    assert_eq!(watch.variants[1].options["Color"], "White/Yellow");
    assert_eq!(watch.colours, ["Black", "White", "Yellow"]);
    assert_eq!(watch.variants[0].price, Some(Money::new(10_529, Currency::USD)));
    assert_eq!(watch.variants[0].availability, Availability::InStock);
    assert_eq!(watch.category.iter().filter_map(|c| c.en.as_deref()).collect::<Vec<_>>(), ["accessories", "watches"]);
    assert_eq!((watch.gender, watch.brand.as_deref()), (Some(Gender::Men), Some("Diesel")));
}

#[test]
fn google_feeds_are_read_as_tsv_and_atom_too() {
    let tsv = "id\ttitle\tdescription\tlink\timage_link\tadditional_image_link\tavailability\tprice\tsale_price\t\
               sale_price_effective_date\titem_group_id\tcolor\tgoogle_product_category\n\
               1\tTee\t&lt;p&gt;Soft&lt;/p&gt;\thttp://x/1\thttp://x/1.jpg\thttp://x/2.jpg,http://x/3.jpg\tin stock\t15,00 EUR\t\
               €9,50\t\tg\tRed\t212\n\
               2\tTee\t\thttp://x/2\thttp://x/4.jpg\t\tpreorder\tEUR 15.00\t9.50 EUR\t2020-01-01/2020-02-01\tg\tBlue\t212\n\
               3\tHat\t\thttp://x/3\t\t\tsold out\tsoon\t\t\t\t\tApparel > Hats\n\
               3\tHat again\t\thttp://x/3\t\t\tin_stock\t\t\t\t\t\t\n";
    let (products, report) = import("g.tsv", tsv, Options::default()).unwrap();
    let tee = by_id(&products, "g");
    let eur = |minor| Some(Money::new(minor, Currency::EUR));
    assert_eq!((tee.variants[0].price, tee.variants[0].list_price), (eur(950), eur(1_500)));
    assert_eq!((tee.variants[1].price, tee.variants[1].list_price), (eur(1_500), None));
    assert_eq!((tee.variants[1].availability, tee.images.len()), (Availability::Preorder, 4));
    assert_eq!(tee.description.get(Lang::En), "Soft");
    let hat = by_id(&products, "3");
    assert_eq!((hat.variants[0].price, hat.variants.len()), (None, 1));
    assert_eq!((report.count(ProblemKind::BadPrice), report.count(ProblemKind::DuplicateId)), (1, 1));
    let atom = "<feed xmlns='http://www.w3.org/2005/Atom' xmlns:x='http://base.google.com/ns/1.0'><title>Shop</title><entry>\
                <x:id>9</x:id><title>Plain</title><x:title>Own</x:title><link href='http://x/9'/><x:price>5 GBP</x:price>\
                <x:availability>in_stock</x:availability></entry></feed>";
    let (products, _) = import("a.xml", atom, Options::default()).unwrap();
    assert_eq!((products[0].title.get(Lang::En), products[0].url.as_deref()), ("Own", Some("http://x/9")));
}

#[test]
fn openai_feeds_are_grouped_and_respect_their_flags() {
    let jsonl = r#"{"item_id":"a1","group_id":"g","title":"Bag","description":"Nice","url":"http://x","image_url":"http://x/a.jpg","price":"79.99 USD","sale_price":"59.99 USD","availability":"in_stock","is_eligible_search":"true","variant_dict":"{\"Color\":\"Red\"}"}
{"item_id":"a2","group_id":"g","title":"Bag","url":"http://x","price":"79.99 USD","availability":"out_of_stock","is_eligible_search":"true","variant_dict":"{\"Color\":\"Blue\"}"}
{"item_id":"b","title":"Secret","price":"1.00 USD","availability":"in_stock","is_eligible_search":"false"}
"#;
    let (products, report) = import("o.jsonl", jsonl, Options::default()).unwrap();
    assert!(report.formats[0].contains("openai (JSONL"), "{:?}", report.formats);
    assert_eq!((products.len(), report.count(ProblemKind::NotForSale)), (1, 1));
    assert_eq!(products[0].variants[1].options["Color"], "Blue");
    assert_eq!(products[0].variants[0].price, Some(Money::new(5_999, Currency::USD)));
}

#[test]
fn acp_amounts_are_minor_units_with_a_currency() {
    let jsonl = r#"{"id":"p","title":"Lamp","description":{"html":"<p>Bright</p>"},"url":"http://x","media":[{"url":"http://x/l.jpg"}],"variants":[{"id":"v1","title":"Lamp","price":{"amount":2599,"currency":"EUR"},"availability":{"available":true,"status":"in_stock"}}]}
"#;
    let products = products("products.jsonl", jsonl);
    assert_eq!(products[0].variants[0].price, Some(Money::new(2_599, Currency::EUR)));
    assert_eq!((products[0].variants[0].sku.as_str(), products[0].description.get(Lang::En)), ("v1", "Bright"));
    assert_eq!(products[0].images[0].source, "http://x/l.jpg");
}

#[test]
fn a_folder_is_read_file_by_file_and_what_is_no_catalogue_is_left_out() {
    let Some(path) = shared("magento") else { return };
    let (products, report) = all(mercer_search::feed::open(&Source::path(path), Options::default()).unwrap()).unwrap();
    assert_eq!(products.len(), 147 + 14 + 9 + 9);
    assert!(report.warnings.iter().any(|w| w.contains("products_reviews.csv")), "{:?}", report.warnings);
    assert_eq!(report.formats.len(), 4);
}

#[test]
fn a_saleor_dump_is_joined_into_products() {
    let Some((products, report)) = catalogue("saleor/populatedb_data.json", Options::default()) else { return };
    assert_eq!((products.len(), report.skipped), (32, 0), "{:?}", report.by_kind);
    assert_eq!(products.iter().map(|p| p.variants.len()).sum::<usize>(), 73);
    let pill = by_id(&products, "126");
    assert_eq!(pill.title.get(Lang::En), "Headless + Omnichannel in a pill");
    assert_eq!(pill.variants[0].sku.as_str(), "headless-omnichannel-mp3");
    assert!(products.iter().flat_map(|p| &p.variants).all(|v| v.price.is_some()));
    assert!(products.iter().any(|p| !p.images.is_empty() && p.category.len() > 1));
}

#[test]
fn a_column_that_names_the_currency_is_believed_and_nothing_is_assumed() {
    let feed = "id,title,price,currency\n1,Red dress,299,CNY\n2,Blue coat,499,\n";
    let (products, report) = import("own.csv", feed, Options::default()).unwrap();
    assert_eq!(products[0].price_range().unwrap().0, Money::new(29_900, Currency::CNY));
    assert_eq!(report.warnings.len(), 1, "the second row names none: {:?}", report.warnings);
    let (_, report) = import("own.csv", feed.replace("499,\n", "499,CNY\n"), Options::default()).unwrap();
    assert!(report.warnings.is_empty(), "{:?}", report.warnings);
}
