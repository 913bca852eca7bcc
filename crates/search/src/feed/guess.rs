//! What a column is, by its name, in Chinese and English.

use std::collections::HashMap;
use std::sync::LazyLock;

use indexmap::IndexMap;

use super::mapping::{Mapping, Target};
use super::node::Node;
use super::record::key;

/// Field, rank among the columns that compete for it (lower is better), and the keys of such columns.
const COLUMNS: [(&str, u8, &str); 44] = [
    (
        "id",
        0,
        "id product_id productid spu spu_id goods_id item_id itemid 商品编号 商品id 产品编号 编号 商品编码 產品編號",
    ),
    ("id", 1, "handle slug url_handle code goods_sn asin uniq_id style_id p_id"),
    ("id", 2, "_id uid uuid objectid pid"),
    ("group", 0, "item_group_id group_id group parent_id parent_sku parent spu编号 款号"),
    ("sku", 0, "sku sku_id variant_sku seller_sku 货号 商品货号 sku编码 规格编码"),
    ("attribute:Model", 0, "mpn model model_number part_number 型号"),
    (
        "title",
        0,
        "title product_title product_name productname productdisplayname goods_name item_name \
        商品名称 商品标题 产品名称 商品名 品名 标题 商品名稱",
    ),
    ("title", 1, "name display_name 名称 名稱"),
    ("title.zh", 0, "title_zh name_zh title_cn name_cn 中文名称 中文名"),
    ("title.en", 0, "title_en name_en 英文名称 英文名"),
    (
        "description",
        0,
        "description product_description long_description body body_html detail details 描述 商品描述 \
        详情 商品详情 介绍",
    ),
    ("description", 1, "detail_html content contents description_html"),
    ("description", 2, "short_description summary subtitle brief intro goods_brief 简介 商品简介 副标题"),
    ("description.zh", 0, "description_zh description_cn"),
    ("description.en", 0, "description_en"),
    ("brand", 0, "brand brand_name manufacturer vendor supplier maker 品牌 品牌名称 厂商"),
    (
        "category",
        0,
        "category categories product_category category_path category_name product_type type \
        producttype 分类 类目 商品分类 类别 品类 商品类目 分類",
    ),
    ("category.1", 0, "mastercategory main_category category1 category_1 一级类目 一级分类"),
    ("category.2", 0, "subcategory sub_category category2 category_2 二级类目 二级分类"),
    ("category.3", 0, "articletype article_type category3 category_3 三级类目 三级分类"),
    (
        "colour",
        0,
        "colour color basecolour base_colour base_color colors colours primary_color \
        product_colour color_name colour_name 颜色 主色 商品颜色 顏色",
    ),
    ("option:Size", 0, "size 尺码 尺寸 sizes 尺碼"),
    ("gender", 0, "gender sex 性别 适用性别"),
    ("age_group", 0, "age_group agegroup 适用年龄 年龄段 适用人群"),
    ("season", 0, "season seasons 季节 适用季节"),
    ("usage", 0, "usage occasion activity 用途 场合 适用场景"),
    ("material", 0, "material materials fabric 材质 面料 材料 材質"),
    ("tags", 0, "tags tag labels keywords 标签 关键词"),
    (
        "price",
        0,
        "price selling_price retail_price current_price unit_price variant_price 商品价格 价格 售价 现价 单价 \
        销售价 價格",
    ),
    ("sale_price", 0, "sale_price special_price discount_price discounted_price 促销价 活动价 折扣价"),
    (
        "list_price",
        0,
        "list_price original_price regular_price compare_at_price market_price counter_price msrp \
        mrp 原价 市场价 划线价 吊牌价",
    ),
    ("currency", 0, "currency currency_code price_currency 币种 货币"),
    (
        "stock",
        0,
        "stock qty quantity inventory inventory_quantity stock_quantity stockonhand on_hand 库存 \
        库存数量 库存量",
    ),
    (
        "availability",
        0,
        "availability availabilitystatus in_stock is_in_stock stock_status availability_status \
        库存状态 是否有货",
    ),
    ("barcode", 0, "barcode gtin ean upc isbn gtin13 条码 条形码 商品条码"),
    (
        "image",
        0,
        "image images image_url image_link image_src img picture main_image pic cover photo \
        picture_url assets 图片 主图 商品图片 图片地址 图片链接 主图链接",
    ),
    ("image", 1, "thumbnail img_high additional_image_link additional_images gallery image_urls 附图 副图"),
    ("url", 0, "url link product_url permalink 商品链接 链接"),
    ("popularity", 0, "popularity sales sold sales_volume views 销量 浏览量"),
    ("rating", 0, "rating stars average_rating star_rating 评分"),
    ("released", 0, "released release_date date_released created_at published_at 上架时间 发布时间"),
    ("year", 0, "year 年份 上市年份"),
    ("published", 0, "published is_published on_sale is_on_sale 上架状态 是否上架"),
    ("attributes", 0, "attributes specifications specs 属性 参数"),
];

static FIELDS: LazyLock<HashMap<&str, (&str, u8)>> = LazyLock::new(|| {
    let keys = COLUMNS.iter().flat_map(|(field, rank, keys)| keys.split(' ').map(move |key| (key, (*field, *rank))));
    keys.collect()
});

/// The field a column of this key usually is; the number ranks columns that compete for one field, lower is better.
pub(crate) fn field(key: &str) -> Option<(&'static str, u8)> {
    FIELDS.get(key).copied()
}

/// Column names that say: this is a list of something else.
const OTHER_THINGS: [&str; 14] = [
    "reviewer",
    "review",
    "rating_value",
    "review_text",
    "reviewtext",
    "order_id",
    "order_number",
    "tracking_number",
    "customer_id",
    "billing_name",
    "financial_status",
    "query",
    "tax_class_name_only",
    "rate",
];

/// A mapping guessed from column names (JSON: paths), and how sure it is.
pub(crate) fn mapping(columns: &[String]) -> Option<(Mapping, f32)> {
    let mut best: IndexMap<&'static str, (u8, usize)> = IndexMap::new();
    let mut fields: Vec<Option<String>> = Vec::with_capacity(columns.len());
    for (at, column) in columns.iter().enumerate() {
        if let Some(explicit) = explicit(column) {
            fields.push(Some(explicit));
            continue;
        }
        let found = field(&key(column));
        fields.push(found.map(|(field, _)| field.to_owned()));
        if let Some((field, rank)) = found {
            let entry = best.entry(field).or_insert((rank, at));
            if rank < entry.0 {
                *entry = (rank, at);
            }
        }
    }
    let has = |field: &str| fields.iter().flatten().any(|f| f == field);
    let has_title = fields.iter().flatten().any(|f| f.starts_with("title"));
    let others = columns.iter().filter(|c| OTHER_THINGS.contains(&key(c).as_str())).count();
    if !has_title || (others > 0 && !has("price") && !has("image")) {
        return None;
    }
    let single = ["id", "group", "sku", "title", "description", "price", "sale_price", "list_price", "currency"];
    let mut mapping = Mapping { name: Some("guess".to_owned()), ..Mapping::default() };
    for (at, (column, field)) in columns.iter().zip(&fields).enumerate() {
        let Some(field) = field else { continue };
        // The losers of a competition: another name of the id is an attribute, another text fills an empty one.
        let lost =
            single.contains(&field.as_str()) && best.get(field.as_str()).is_some_and(|(_, winner)| *winner != at);
        let field = match field.as_str() {
            "id" | "group" | "sku" | "price" | "list_price" | "currency" if lost => continue,
            "option:Size" if !has("group") => "attribute:Size",
            other => other,
        };
        mapping.columns.insert(column.clone(), field.to_owned());
    }
    // The best description first.
    let rank = |column: &String| field(&key(column)).map_or(0, |(_, rank)| rank);
    mapping.columns.sort_by(|a, _, b, _| rank(a).cmp(&rank(b)));
    let sure =
        [has("id") || has("sku"), has("price"), has("image"), has("category") || has("category.1"), has("brand")];
    let hits = u8::try_from(sure.iter().filter(|x| **x).count()).unwrap_or(0);
    Some((mapping, 0.3 + f32::from(hits) * 0.1))
}

/// `option:Size`, `attribute:Fabric` and the like, as in our own tables.
fn explicit(column: &str) -> Option<String> {
    let (kind, name) = column.split_once(':')?;
    let kind = kind.trim().to_ascii_lowercase();
    let name = name.trim();
    (matches!(kind.as_str(), "option" | "attribute") && !name.is_empty()).then(|| format!("{kind}:{name}"))
}

/// Whether an attribute of this name also is a field, such as `Colour`.
pub(crate) fn attribute_target(name: &str) -> Option<Target> {
    match field(&key(name))?.0 {
        "colour" => Some(Target::Colour),
        "material" => Some(Target::Material),
        "gender" => Some(Target::Gender),
        "season" => Some(Target::Season),
        "usage" => Some(Target::Usage),
        "age_group" => Some(Target::AgeGroup),
        "brand" => Some(Target::Brand),
        _ => None,
    }
}

/// The columns of items: keys, and paths into maps; lists of maps under a name for variants count apart.
pub(crate) fn node_columns(items: &[Node]) -> (Vec<String>, Option<String>, Vec<String>) {
    let mut columns = Vec::new();
    let mut variants = None;
    let mut inner = Vec::new();
    let add = |list: &mut Vec<String>, name: String| {
        if !list.contains(&name) && list.len() < 400 {
            list.push(name);
        }
    };
    for item in items {
        for (name, value) in item.entries() {
            let maps = matches!(value, Node::List(list) if list.iter().any(|n| matches!(n, Node::Map(_))));
            match value {
                Node::Map(entries) if !matches!(key(name).as_str(), "attributes" | "specifications" | "specs") => {
                    for (below, value) in entries {
                        if value.text().is_some() || matches!(value, Node::List(_)) {
                            add(&mut columns, format!("{name}.{below}"));
                        }
                    }
                }
                Node::List(list) if maps && is_variants(&key(name)) => {
                    variants = Some(name.clone());
                    list.iter().flat_map(Node::entries).for_each(|(below, _)| add(&mut inner, below.clone()));
                }
                Node::List(_) if maps => {}
                _ => add(&mut columns, name.clone()),
            }
        }
    }
    (columns, variants, inner)
}

fn is_variants(key: &str) -> bool {
    matches!(key, "variants" | "skus" | "sku_list" | "skulist" | "product_variants" | "variations" | "规格列表")
}

/// A mapping guessed from items.
pub(crate) fn node_mapping(items: &[Node]) -> Option<(Mapping, f32)> {
    let (columns, variants, inner) = node_columns(items);
    // A nested name (`meta.createdAt`) counts by its last word, and only when no column at the top has that field.
    let top: Vec<String> = columns.iter().filter(|c| !c.contains('.')).cloned().collect();
    let (mut mapping, sure) = mapping(&top)?;
    for column in columns.iter().filter(|c| c.contains('.')) {
        let last = column.rsplit('.').next().unwrap_or_default();
        if let Some((field, _)) = field(&key(last))
            && !["id", "url", "title", "category"].contains(&field)
            && !mapping.columns.values().any(|known| known == field)
        {
            mapping.columns.insert(column.clone(), field.to_owned());
        }
    }
    if let Some(path) = variants {
        mapping.variants = Some(path);
        for name in inner {
            let target = match key(&name).as_str() {
                "id" | "variant_id" => Some("sku"),
                other => field(other).map(|(field, _)| field),
            };
            let known =
                ["sku", "price", "sale_price", "list_price", "currency", "stock", "availability", "barcode", "image"];
            match target.filter(|t| known.contains(t)) {
                Some("image") => drop(mapping.variant_columns.insert(name, "variant_image".to_owned())),
                Some(field) => drop(mapping.variant_columns.insert(name, field.to_owned())),
                None => {}
            }
        }
        // An own SKU goes before the variant's id.
        if mapping.variant_columns.contains_key("sku") && mapping.variant_columns.contains_key("id") {
            mapping.variant_columns.shift_remove("id");
        }
    }
    Some((mapping, sure))
}
