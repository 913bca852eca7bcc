//! The words on a chip, and the text id by which a chip is removed.

use mercer_shop::{Currency, Lang, Money};

use crate::lexicon;
use crate::request::{Condition, Field, Op};

impl Field {
    /// Its name in a language.
    #[must_use]
    pub fn label(&self, lang: Lang) -> &str {
        let (zh, en) = match self {
            Self::Category => ("分类", "category"),
            Self::Colour => ("颜色", "colour"),
            Self::Gender => ("适用人群", "gender"),
            Self::AgeGroup => ("年龄段", "age group"),
            Self::Size => ("尺码", "size"),
            Self::Material => ("材质", "material"),
            Self::Brand => ("品牌", "brand"),
            Self::Season => ("季节", "season"),
            Self::Usage => ("用途", "usage"),
            Self::Price => ("价格", "price"),
            Self::Availability => ("库存", "availability"),
            Self::Words => ("文字", "words"),
            Self::Attribute(name) => (name.as_str(), name.as_str()),
        };
        match lang {
            Lang::Zh => zh,
            Lang::En => en,
        }
    }

    /// A stable key: `colour`, `attribute.Sleeve`.
    #[must_use]
    pub fn key(&self) -> String {
        match self {
            Self::Category => "category".into(),
            Self::Colour => "colour".into(),
            Self::Gender => "gender".into(),
            Self::AgeGroup => "age_group".into(),
            Self::Size => "size".into(),
            Self::Material => "material".into(),
            Self::Brand => "brand".into(),
            Self::Season => "season".into(),
            Self::Usage => "usage".into(),
            Self::Price => "price".into(),
            Self::Availability => "availability".into(),
            Self::Words => "words".into(),
            Self::Attribute(name) => format!("attribute.{name}"),
        }
    }

    /// The field of a key as [`Field::key`] writes it.
    #[must_use]
    pub fn from_key(key: &str) -> Option<Self> {
        Some(match key {
            "category" => Self::Category,
            "colour" => Self::Colour,
            "gender" => Self::Gender,
            "age_group" => Self::AgeGroup,
            "size" => Self::Size,
            "material" => Self::Material,
            "brand" => Self::Brand,
            "season" => Self::Season,
            "usage" => Self::Usage,
            "price" => Self::Price,
            "availability" => Self::Availability,
            "words" => Self::Words,
            other => Self::Attribute(other.strip_prefix("attribute.")?.to_owned()),
        })
    }
}

impl Condition {
    /// A stable id such as `colour:any:blue` or `price:max:30000`; the source does not change it.
    #[must_use]
    pub fn id(&self) -> String {
        let field = self.field.key();
        match &self.op {
            Op::AnyOf(values) => format!("{field}:any:{}", values.join("|")),
            Op::NoneOf(values) => format!("{field}:none:{}", values.join("|")),
            Op::AtMost(high) => format!("{field}:max:{high}"),
            Op::AtLeast(low) => format!("{field}:min:{low}"),
            Op::Between(low, high) => format!("{field}:between:{low}-{high}"),
        }
    }

    /// What the chip says: `under ¥300`, `300元以下`, `not leather`, `不要黑色`.
    #[must_use]
    pub fn label(&self, lang: Lang) -> String {
        let amount = |minor| amount(minor, self.currency, lang);
        match (&self.op, lang) {
            (Op::AnyOf(values), _) => self.values(values, lang),
            (Op::NoneOf(values), Lang::Zh) => format!("不要{}", self.values(values, lang)),
            (Op::NoneOf(values), Lang::En) => format!("not {}", self.values(values, lang)),
            (Op::AtMost(high), Lang::Zh) => format!("{}以下", amount(*high)),
            (Op::AtMost(high), Lang::En) => format!("under {}", amount(*high)),
            (Op::AtLeast(low), Lang::Zh) => format!("{}以上", amount(*low)),
            (Op::AtLeast(low), Lang::En) => format!("over {}", amount(*low)),
            (Op::Between(low, high), Lang::Zh) => format!("{}到{}", amount(*low), amount(*high)),
            (Op::Between(low, high), Lang::En) => format!("{} to {}", amount(*low), amount(*high)),
        }
    }

    fn values(&self, values: &[String], lang: Lang) -> String {
        let joint = match lang {
            Lang::Zh => "或",
            Lang::En => " or ",
        };
        let prefix = match (&self.field, lang) {
            (Field::Size, Lang::Zh) => "尺码 ",
            (Field::Size, Lang::En) => "size ",
            _ => "",
        };
        let shown: Vec<String> = values.iter().map(|value| value_label(&self.field, value, lang)).collect();
        format!("{prefix}{}", shown.join(joint))
    }
}

/// How a value of a field is shown in a language; unknown values are shown as they are.
#[must_use]
pub fn value_label(field: &Field, value: &str, lang: Lang) -> String {
    match field {
        Field::Category => {
            let leaf = value.rsplit(" > ").next().unwrap_or(value);
            lexicon::article_label(leaf, lang).unwrap_or_else(|| leaf.to_owned())
        }
        Field::Brand | Field::Words | Field::Attribute(_) => value.to_owned(),
        _ => lexicon::label(field, value, lang).unwrap_or_else(|| value.to_owned()),
    }
}

fn amount(minor: i64, currency: Option<Currency>, lang: Lang) -> String {
    let money = Money::new(minor, currency.unwrap_or(Currency::CNY));
    match (currency, lang) {
        (Some(Currency::CNY), Lang::Zh) => format!("{}元", plain(money)),
        (Some(_), _) => money.to_string(),
        (None, _) => plain(money),
    }
}

/// The amount as on a price tag, without a sign: `299`, `19.90`.
fn plain(money: Money) -> String {
    let decimal = money.decimal();
    match decimal.split_once('.') {
        Some((whole, fraction)) if fraction.bytes().all(|b| b == b'0') => whole.to_owned(),
        _ => decimal,
    }
}
