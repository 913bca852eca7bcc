//! A small shop: forty products, named in both languages, priced in yuan.

use std::path::Path;
use std::sync::Arc;

use indexmap::IndexMap;
use mercer_search::Catalogs;
use mercer_shop::{
    AgeGroup, Availability, Currency, Gender, ImageRef, Localized, Money, Product, ProductId, Season, Sku, Stock,
    TenantId, Variant,
};

/// id | English name | Chinese name | kind | colours | for | usage | season | material | sizes | pieces | yuan (was) | brand
const PRODUCTS: &str = "
d01 | Rose Midi Dress | 玫瑰中长连衣裙 | Dresses | Red | women | Casual | summer | Cotton | S,M,L | 12 | 259 | Lanyu
d02 | Scarlet Evening Dress | 绯红晚礼服连衣裙 | Dresses | Red | women | Formal | winter | Silk | S,M | 3 | 899 (1099) | Aurelia
d03 | Sky Wrap Dress | 天蓝裹身连衣裙 | Dresses | Blue | women | Casual | summer | Viscose | S,M,L | 8 | 279 | Lanyu
d04 | Black Office Dress | 黑色通勤连衣裙 | Dresses | Black | women | Formal | autumn | Polyester | S,M,L,XL | 20 | 359 | Aurelia
d05 | Floral Tea Dress | 碎花茶歇连衣裙 | Dresses | White,Green | women | Casual | spring | Cotton | M,L | 5 | 199 (249) | Lanyu
d06 | Crimson Party Dress | 深红派对连衣裙 | Dresses | Red | women | Party | winter | Velvet | S,M,L | 0 | 429 | Aurelia
d07 | Long Sleeve Knit Dress | 长袖针织连衣裙 | Dresses | Grey | women | Casual | winter | Wool | S,M,L | 9 | 329 | Nordlicht
d08 | Girls Tutu Dress | 女童蓬蓬连衣裙 | Dresses | Pink | girls | Party | summer | Tulle | 110,120,130 | 14 | 129 | Lanyu
s01 | White Oxford Shirt | 白色牛津衬衫 | Shirts | White | men | Formal | spring | Cotton | M,L,XL | 30 | 189 | Harbour
s02 | Long Sleeve Linen Shirt | 长袖亚麻衬衫 | Shirts | Beige | men | Casual | summer | Linen | M,L | 11 | 229 | Harbour
s03 | Short Sleeve Check Shirt | 短袖格子衬衫 | Shirts | Blue | men | Casual | summer | Cotton | M,L,XL | 16 | 149 | Harbour
s04 | Black Formal Shirt | 黑色正装衬衫 | Shirts | Black | men | Formal | autumn | Cotton | M,L | 7 | 219 | Aurelia
s05 | Women Silk Blouse | 女士真丝衬衫 | Shirts | White | women | Formal | spring | Silk | S,M | 6 | 399 | Aurelia
s06 | Short Sleeve Blue Shirt | 短袖蓝色衬衫 | Shirts | Blue | men | Formal | summer | Cotton | M,L,XL | 13 | 179 | Harbour
s07 | Long Sleeve Blue Shirt | 长袖蓝色衬衫 | Shirts | Blue | men | Formal | autumn | Cotton | M,L,XL | 10 | 209 | Harbour
j01 | Straight Jeans | 直筒牛仔裤 | Jeans | Blue | men | Casual | autumn | Denim | 30,32,34 | 18 | 239 | Harbour
j02 | Slim Black Jeans | 修身黑色牛仔裤 | Jeans | Black | men | Casual | autumn | Denim | 30,32 | 9 | 269 | Harbour
j03 | Women High Waist Jeans | 女士高腰牛仔裤 | Jeans | Blue | women | Casual | autumn | Denim | 26,27,28 | 12 | 249 | Lanyu
k01 | Pleated Skirt | 百褶半身裙 | Skirts | Grey | women | Formal | autumn | Polyester | S,M,L | 15 | 169 | Lanyu
k02 | Denim Skirt | 牛仔半身裙 | Skirts | Blue | women | Casual | summer | Denim | S,M | 8 | 159 | Lanyu
c01 | Long Down Jacket | 长款羽绒服 | Down Jackets | Black | women | Casual | winter | Down | S,M,L | 10 | 799 (999) | Nordlicht
c02 | Light Down Jacket | 轻薄羽绒服 | Down Jackets | Blue,Red | men | Casual | winter | Down | M,L,XL | 22 | 499 | Nordlicht
c03 | Wool Coat | 羊毛大衣 | Coats | Camel | women | Formal | winter | Wool | S,M,L | 6 | 1299 | Aurelia
c04 | Rain Coat | 雨衣外套 | Coats | Yellow | men | Outdoor | spring | Nylon | M,L | 9 | 299 | Nordlicht
w01 | Cable Knit Sweater | 麻花毛衣 | Sweaters | White | women | Casual | winter | Wool | S,M,L | 12 | 289 | Nordlicht
w02 | Crew Neck Sweater | 圆领毛衣 | Sweaters | Green | men | Casual | autumn | Wool | M,L | 0 | 259 | Nordlicht
t01 | Basic Tee | 基础款T恤 | T-Shirts | White,Black,Grey | men | Casual | summer | Cotton | S,M,L,XL | 60 | 59 | Harbour
t02 | Graphic Tee | 印花T恤 | T-Shirts | Black | women | Casual | summer | Cotton | S,M,L | 25 | 79 | Lanyu
f01 | Running Sneakers | 跑步运动鞋 | Sneakers | White | women | Sports | summer | Mesh | 36,37,38 | 17 | 369 | Fleet
f02 | Trail Sneakers | 越野运动鞋 | Sneakers | Black | men | Sports | autumn | Mesh | 41,42,43 | 11 | 459 | Fleet
f03 | Canvas Sneakers | 帆布运动鞋 | Sneakers | White,Red | men | Casual | spring | Canvas | 40,41,42 | 19 | 159 | Fleet
b01 | Leather Tote Bag | 真皮托特包 | Bags | Brown | women | Formal | autumn | Leather | - | 4 | 699 | Aurelia
b02 | Canvas Tote Bag | 帆布托特包 | Bags | White | women | Casual | summer | Canvas | - | 33 | 99 | Lanyu
b03 | Travel Backpack | 旅行双肩包 | Bags | Black | unisex | Travel | spring | Nylon | - | 21 | 329 | Nordlicht
b04 | Evening Clutch | 晚宴手拿包 | Bags | Gold | women | Party | winter | Satin | - | 2 | 349 | Aurelia
m01 | Steel Watch | 钢带手表 | Watches | Silver | men | Formal | autumn | Steel | - | 5 | 1599 | Meridian
m02 | Field Watch | 户外手表 | Watches | Green | men | Outdoor | summer | Nylon | - | 8 | 699 | Meridian
m03 | Gold Watch | 金色手表 | Watches | Gold | women | Formal | winter | Steel | - | 1 | 2699 | Meridian
h01 | Wool Scarf | 羊毛围巾 | Scarves | Red | women | Casual | winter | Wool | - | 14 | 139 | Nordlicht
h02 | Silk Scarf | 真丝围巾 | Scarves | Blue | women | Formal | spring | Silk | - | 7 | 219 | Aurelia
";

const KINDS: [(&str, &str, &str, &str); 12] = [
    ("Dresses", "连衣裙", "Apparel", "服装"),
    ("Shirts", "衬衫", "Apparel", "服装"),
    ("Jeans", "牛仔裤", "Apparel", "服装"),
    ("Skirts", "半身裙", "Apparel", "服装"),
    ("Down Jackets", "羽绒服", "Apparel", "服装"),
    ("Coats", "外套", "Apparel", "服装"),
    ("Sweaters", "毛衣", "Apparel", "服装"),
    ("T-Shirts", "T恤", "Apparel", "服装"),
    ("Sneakers", "运动鞋", "Shoes", "鞋"),
    ("Bags", "包", "Accessories", "配饰"),
    ("Watches", "手表", "Accessories", "配饰"),
    ("Scarves", "围巾", "Accessories", "配饰"),
];

/// The products of the shop.
pub(crate) fn products() -> Vec<Product> {
    PRODUCTS.lines().filter(|line| !line.trim().is_empty()).map(product).collect()
}

/// The shop's catalogue, imported into a folder.
pub(crate) fn catalogs(root: &Path) -> Arc<Catalogs> {
    filled(root, &products())
}

/// A catalogue of these products, imported into a folder.
pub(crate) fn filled(root: &Path, products: &[Product]) -> Arc<Catalogs> {
    let catalogs = Catalogs::new(root);
    let catalog = catalogs.tenant(&TenantId::single()).unwrap();
    let mut import = catalog.begin_import().unwrap();
    for product in products {
        import.add(product.clone()).unwrap();
    }
    import.commit().unwrap();
    Arc::new(catalogs)
}

fn both(en: &str, zh: &str) -> Localized {
    Localized { en: Some(en.to_owned()), zh: Some(zh.to_owned()) }
}

fn list(cell: &str) -> Vec<String> {
    cell.split(',').map(str::trim).filter(|v| !v.is_empty() && *v != "-").map(str::to_owned).collect()
}

fn yuan(cell: &str) -> Money {
    Money::new(cell.trim().parse::<i64>().unwrap() * 100, Currency::CNY)
}

fn product(line: &str) -> Product {
    let cells: Vec<&str> = line.split('|').map(str::trim).collect();
    let [id, en, zh, kind, colours, gender, usage, season, material, sizes, pieces, price, brand] = cells[..] else {
        panic!("{line}");
    };
    let (kind_en, kind_zh, top_en, top_zh) = *KINDS.iter().find(|k| k.0 == kind).unwrap();
    let (price, before) = match price.split_once('(') {
        Some((price, before)) => (yuan(price), Some(yuan(before.trim_end_matches(')')))),
        None => (yuan(price), None),
    };
    let pieces: u32 = pieces.parse().unwrap();
    let sizes = list(sizes);
    let variant = |size: Option<&String>| Variant {
        sku: Sku::new(size.map_or_else(|| format!("SKU-{id}"), |s| format!("SKU-{id}-{s}"))).unwrap(),
        options: size.map(|s| IndexMap::from([("Size".to_owned(), s.clone())])).unwrap_or_default(),
        price: Some(price),
        list_price: before,
        stock: Stock::Pieces(pieces),
        availability: if pieces > 0 { Availability::InStock } else { Availability::OutOfStock },
        barcode: None,
        image: None,
    };
    let variants =
        if sizes.is_empty() { vec![variant(None)] } else { sizes.iter().map(|s| variant(Some(s))).collect() };
    Product {
        id: ProductId::new(id).unwrap(),
        title: both(en, zh),
        description: Localized::default(),
        brand: Some(brand.to_owned()),
        category: vec![both(top_en, top_zh), both(kind_en, kind_zh)],
        colours: list(colours),
        gender: Some(match gender {
            "women" => Gender::Women,
            "men" => Gender::Men,
            "girls" => Gender::Girls,
            _ => Gender::Unisex,
        }),
        age_group: Some(if gender == "girls" { AgeGroup::Kids } else { AgeGroup::Adult }),
        seasons: vec![match season {
            "spring" => Season::Spring,
            "summer" => Season::Summer,
            "autumn" => Season::Autumn,
            _ => Season::Winter,
        }],
        usage: list(usage),
        materials: list(material),
        attributes: IndexMap::new(),
        tags: Vec::new(),
        variants,
        images: vec![ImageRef { source: format!("{id}.jpg"), file: None, alt: None }],
        url: None,
        popularity: None,
        rating_centistars: None,
        released: None,
    }
}
