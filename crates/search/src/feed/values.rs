//! Words of feeds as values of the domain: for whom, for which season, whether it can be bought.

use jiff::Timestamp;
use mercer_shop::{AgeGroup, Availability, Gender, Season};

/// Blank, or one of the words that exports write for "nothing".
pub(crate) fn is_nothing(text: &str) -> bool {
    matches!(
        text.trim(),
        "" | "NA" | "N/A" | "n/a" | "null" | "NULL" | "None" | "none" | "nan" | "NaN" | "-" | "—" | "无"
    )
}

pub(crate) fn gender(text: &str) -> Option<Gender> {
    Some(match text.trim().to_lowercase().trim_end_matches("'s") {
        "women" | "woman" | "female" | "womens" | "ladies" | "lady" | "f" | "w" | "女" | "女士" | "女性" | "女装"
        | "女款" => Gender::Women,
        "men" | "man" | "male" | "mens" | "m" | "gentlemen" | "男" | "男士" | "男性" | "男装" | "男款" => {
            Gender::Men
        }
        "girls" | "girl" | "女童" | "女孩" => Gender::Girls,
        "boys" | "boy" | "男童" | "男孩" => Gender::Boys,
        "unisex" | "all" | "both" | "u" | "中性" | "通用" | "男女通用" | "男女同款" | "不限" => {
            Gender::Unisex
        }
        _ => return None,
    })
}

pub(crate) fn age_group(text: &str) -> Option<AgeGroup> {
    Some(match text.trim().to_lowercase().as_str() {
        "adult" | "adults" | "成人" => AgeGroup::Adult,
        "kids" | "kid" | "children" | "child" | "toddler" | "junior" | "youth" | "teen" | "儿童" | "童" | "青少年" => {
            AgeGroup::Kids
        }
        "infant" | "infants" | "baby" | "newborn" | "婴儿" | "婴幼儿" | "宝宝" => AgeGroup::Infant,
        _ => return None,
    })
}

pub(crate) fn season(text: &str) -> Option<Season> {
    Some(match text.trim().to_lowercase().as_str() {
        "spring" | "春" | "春季" => Season::Spring,
        "summer" | "夏" | "夏季" => Season::Summer,
        "fall" | "autumn" | "秋" | "秋季" => Season::Autumn,
        "winter" | "冬" | "冬季" => Season::Winter,
        _ => return None,
    })
}

/// Several seasons in one word: `Spring/Summer`, `春夏`, `四季`.
pub(crate) fn seasons(text: &str) -> Vec<Season> {
    let lower = text.to_lowercase();
    if ["四季", "all season", "all-season", "all year"].iter().any(|all| lower.contains(all)) {
        return vec![Season::Spring, Season::Summer, Season::Autumn, Season::Winter];
    }
    if let Some(one) = season(text) {
        return vec![one];
    }
    let han = ["春", "夏", "秋", "冬"].iter().filter(|s| lower.contains(**s)).filter_map(|s| season(s));
    let words = lower.split(|c: char| !c.is_alphanumeric()).filter_map(season);
    let mut out = Vec::new();
    for season in words.chain(han) {
        if !out.contains(&season) {
            out.push(season);
        }
    }
    out
}

pub(crate) fn availability(text: &str) -> Option<Availability> {
    let word = text.trim().to_lowercase().replace([' ', '-'], "_");
    let word = word.rsplit('/').next().unwrap_or_default();
    Some(match word {
        "in_stock"
        | "instock"
        | "available"
        | "available_for_order"
        | "low_stock"
        | "limitedavailability"
        | "有货"
        | "现货"
        | "在售"
        | "上架" => Availability::InStock,
        "preorder" | "pre_order" | "presale" | "预售" | "预订" => Availability::Preorder,
        "backorder" | "back_order" | "onbackorder" => Availability::Backorder,
        "out_of_stock" | "outofstock" | "sold_out" | "soldout" | "unavailable" | "discontinued" | "无货" | "缺货"
        | "售罄" | "下架" => Availability::OutOfStock,
        _ => return truth(text).map(|yes| if yes { Availability::InStock } else { Availability::OutOfStock }),
    })
}

pub(crate) fn truth(text: &str) -> Option<bool> {
    Some(match text.trim().to_lowercase().as_str() {
        "1" | "true" | "yes" | "y" | "on" | "active" | "enabled" | "published" | "是" => true,
        "0" | "false" | "no" | "n" | "off" | "-1" | "inactive" | "disabled" | "draft" | "archived" | "否" => false,
        _ => return None,
    })
}

/// Pieces on stock; a negative count (oversold) is none left, decimals are cut.
pub(crate) fn pieces(text: &str) -> Option<u32> {
    let text = text.trim();
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    if !fraction.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let digits = whole.replace(',', "");
    if digits.starts_with('-') {
        return digits.parse::<i64>().ok().map(|_| 0);
    }
    digits.parse::<u64>().ok().map(|n| u32::try_from(n).unwrap_or(u32::MAX))
}

/// A rating of up to five stars, in hundredths; `4.5`, `4,5`, `4.5/5`, `90%`.
pub(crate) fn centistars(text: &str) -> Option<u16> {
    let text = text.trim();
    let (number, scale) = match (text.strip_suffix('%'), text.split_once('/')) {
        (Some(percent), _) => (percent.trim(), 100),
        (None, Some((number, scale))) => (number.trim(), scale.trim().parse().ok()?),
        (None, None) => (text, 5),
    };
    let (whole, fraction) = number.split_once(['.', ',']).unwrap_or((number, ""));
    let digits = super::text::cut(fraction, 4);
    if scale == 0 || !fraction.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let ten_thousandths: u64 = format!("{digits:0<4}").parse().ok()?;
    let value = whole.parse::<u64>().ok()?.checked_mul(10_000)?.checked_add(ten_thousandths)?;
    let stars = (value.checked_mul(500)? / scale + 5_000) / 10_000;
    u16::try_from(stars).ok().filter(|&s| s <= 500)
}

/// A date or time: RFC 3339, `2024-05-01`, `2024-05-01 10:00:00`, `2024/5/1`, seconds or milliseconds since 1970.
pub(crate) fn timestamp(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    if let Ok(at) = text.parse::<Timestamp>() {
        return Some(at);
    }
    if let Ok(number) = text.parse::<i64>() {
        return match number {
            1900..=2100 => None,
            100_000_000..=99_999_999_999 => Timestamp::from_second(number).ok(),
            100_000_000_000..=99_999_999_999_999 => Timestamp::from_millisecond(number).ok(),
            _ => None,
        };
    }
    let at = text.parse::<jiff::civil::DateTime>().or_else(|_| {
        let date = text.split([' ', 'T']).next().unwrap_or_default().replace(['/', '.'], "-");
        jiff::civil::Date::strptime("%Y-%m-%d", date).map(jiff::civil::DateTime::from)
    });
    utc(at.ok()?)
}

fn utc(at: jiff::civil::DateTime) -> Option<Timestamp> {
    jiff::tz::TimeZone::UTC.to_timestamp(at).ok()
}

/// The start of a year, for feeds that give only that.
pub(crate) fn year(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    let text = text.strip_suffix(".0").unwrap_or(text);
    let year: i16 = text.parse().ok().filter(|y| (1900..=2100).contains(y))?;
    let date = jiff::civil::Date::new(year, 1, 1).ok()?;
    utc(date.into())
}

/// Digits of a GTIN, EAN, UPC or ISBN: an apostrophe, blanks and hyphens around them go.
pub(crate) fn barcode(text: &str) -> Option<String> {
    let digits: String = text.chars().filter(|c| !matches!(c, '\'' | '’' | '`' | ' ' | '-' | '=' | '"')).collect();
    let isbn10 = digits.len() == 10 && digits.strip_suffix(['X', 'x']).is_some_and(all_digits);
    ((4..=14).contains(&digits.len()) && (all_digits(&digits) || isbn10)).then_some(digits)
}

fn all_digits(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_both_languages_become_values() {
        assert_eq!(gender("Women's"), Some(Gender::Women));
        assert_eq!(gender("男"), Some(Gender::Men));
        assert_eq!(seasons("春夏"), [Season::Spring, Season::Summer]);
        assert_eq!(seasons("Spring/Summer"), [Season::Spring, Season::Summer]);
        assert_eq!(availability("in stock"), Some(Availability::InStock));
        assert_eq!(availability("https://schema.org/OutOfStock"), Some(Availability::OutOfStock));
        assert_eq!(pieces("-3"), Some(0));
        assert_eq!(pieces("12.0000"), Some(12));
        assert_eq!(pieces("many"), None);
        assert_eq!(centistars("2.56"), Some(256));
        assert_eq!(centistars("90%"), Some(450));
        assert_eq!(centistars("6"), None);
        assert_eq!(barcode("'5784719087687").as_deref(), Some("5784719087687"));
        assert_eq!(barcode("5.78472E+12"), None);
        assert_eq!(year("2011").map(|t| t.to_string()).as_deref(), Some("2011-01-01T00:00:00Z"));
        assert_eq!(timestamp("2009-12-10T00:00:00Z").map(|t| t.as_second()), Some(1_260_403_200));
        assert_eq!(timestamp("2024/5/1").map(|t| t.to_string()).as_deref(), Some("2024-05-01T00:00:00Z"));
    }
}
