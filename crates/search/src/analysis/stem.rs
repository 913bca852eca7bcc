//! English plurals. Nothing stronger: in product names *-ing* and *-er* tell articles apart (*printer*, *printing*).

/// The singular of a folded English word; other words come back as they are.
#[must_use]
pub fn stem(word: &str) -> String {
    let irregular = match word {
        "men" | "mens" => Some("man"),
        "women" | "womens" => Some("woman"),
        "children" | "childrens" => Some("child"),
        "feet" => Some("foot"),
        "teeth" => Some("tooth"),
        "mice" => Some("mouse"),
        "knives" => Some("knife"),
        "shelves" => Some("shelf"),
        "scarves" => Some("scarf"),
        "leaves" => Some("leaf"),
        "wolves" => Some("wolf"),
        "shoes" => Some("shoe"),
        "axes" => Some("axe"),
        "movies" => Some("movie"),
        "hoodies" => Some("hoodie"),
        "cookies" => Some("cookie"),
        "selfies" => Some("selfie"),
        "beanies" => Some("beanie"),
        "ties" => Some("tie"),
        "bikinis" => Some("bikini"),
        "jewellery" => Some("jewelry"),
        "grey" => Some("gray"),
        "colour" | "colours" => Some("color"),
        "series" | "lens" | "gas" | "bus" | "plus" | "jeans" | "news" | "yes" | "canvas" | "atlas" | "ios" | "dos"
        | "gps" | "usb" | "ups" | "dvs" => Some(word),
        "lenses" => Some("lens"),
        _ => None,
    };
    if let Some(singular) = irregular {
        return singular.to_owned();
    }
    if word.len() < 4 || !word.bytes().all(|b| b.is_ascii_lowercase()) {
        return word.to_owned();
    }
    if let Some(root) = word.strip_suffix("ies") {
        return format!("{root}y");
    }
    for (suffix, kept) in [("sses", "ss"), ("shes", "sh"), ("ches", "ch"), ("xes", "x"), ("zzes", "zz")] {
        if let Some(root) = word.strip_suffix(suffix) {
            return format!("{root}{kept}");
        }
    }
    match word.strip_suffix('s') {
        Some(root) if !root.ends_with(['s', 'u', 'i']) => root.to_owned(),
        _ => word.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plurals_meet_their_singular_and_other_words_stay() {
        for (plural, singular) in [
            ("batteries", "battery"),
            ("dresses", "dress"),
            ("watches", "watch"),
            ("boxes", "box"),
            ("laptops", "laptop"),
            ("cases", "case"),
            ("women", "woman"),
            ("mice", "mouse"),
        ] {
            assert_eq!(stem(plural), singular);
        }
        for word in ["dress", "lens", "jeans", "printer", "wireless", "virus", "gps", "连衣裙", "s"] {
            assert_eq!(stem(word), word);
        }
    }
}
