//! The rules' answers, rendered from their templates.

use std::sync::LazyLock;

use mercer_shop::Lang;
use minijinja::value::Serde;
use minijinja::{Environment, Error, Value};
use serde::Serialize;

/// The answers that exist in both languages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answer {
    Found,
    Count,
    Best,
    More,
    NoMore,
    Relaxed,
    Nearest,
    NotCarried,
    None,
    Vague,
    Removed,
    Unrated,
    Reset,
    AboutColours,
    AboutSizes,
    AboutStock,
    AboutPrice,
    AboutMaterial,
    AboutWhy,
    AboutSale,
    AboutVariant,
    AboutDetails,
    Compared,
    Similar,
    Looked,
    NoSight,
    Unseen,
    Assortment,
    Greeting,
    Thanks,
    Bye,
    Agreed,
    Help,
    Beyond,
    NoSuch,
    Nothing,
    Gone,
    Trouble,
}

impl Answer {
    fn template(self) -> &'static str {
        match self {
            Self::Found => "found",
            Self::Count => "count",
            Self::Best => "best",
            Self::More => "more",
            Self::NoMore => "no_more",
            Self::Relaxed => "relaxed",
            Self::Nearest => "nearest",
            Self::NotCarried => "not_carried",
            Self::None => "none",
            Self::Vague => "vague",
            Self::Unrated => "unrated",
            Self::Reset => "reset",
            Self::Removed => "removed",
            Self::AboutColours => "about_colours",
            Self::AboutSizes => "about_sizes",
            Self::AboutStock => "about_stock",
            Self::AboutPrice => "about_price",
            Self::AboutMaterial => "about_material",
            Self::AboutWhy => "about_why",
            Self::AboutSale => "about_sale",
            Self::AboutVariant => "about_variant",
            Self::AboutDetails => "about_details",
            Self::Compared => "compared",
            Self::Similar => "similar",
            Self::Looked => "looked",
            Self::NoSight => "no_sight",
            Self::Unseen => "unseen",
            Self::Assortment => "assortment",
            Self::Greeting => "greeting",
            Self::Thanks => "thanks",
            Self::Bye => "bye",
            Self::Agreed => "agreed",
            Self::Help => "help",
            Self::Beyond => "beyond",
            Self::NoSuch => "no_such",
            Self::Nothing => "nothing",
            Self::Gone => "gone",
            Self::Trouble => "trouble",
        }
    }
}

static TEMPLATES: LazyLock<Environment<'static>> = LazyLock::new(|| {
    let mut templates = Environment::new();
    for (name, source) in [("en", include_str!("answers.en.j2")), ("zh", include_str!("answers.zh.j2"))] {
        if let Err(error) = templates.add_template(name, source) {
            tracing::error!(%error, name, "the answers cannot be read"); // a test renders every answer
        }
    }
    templates
});

/// Renders an answer from its facts.
pub(super) fn say(lang: Lang, answer: Answer, facts: &impl Serialize) -> String {
    match render(lang, answer, Value::from(Serde(facts))) {
        Ok(text) => text.trim().to_owned(),
        Err(error) => {
            tracing::error!(%error, answer = answer.template(), "an answer cannot be rendered");
            match lang {
                Lang::Zh => "抱歉，暂时无法回答。".to_owned(),
                Lang::En => "Sorry, I cannot answer that at the moment.".to_owned(),
            }
        }
    }
}

fn render(lang: Lang, answer: Answer, facts: Value) -> Result<String, Error> {
    let template = TEMPLATES.get_template(lang.tag())?;
    let mut defined = template.render_captured(())?;
    defined.with_state_mut(|state| state.call_macro(answer.template(), &[facts]))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const ALL: [Answer; 38] = [
        Answer::Found,
        Answer::Count,
        Answer::Best,
        Answer::More,
        Answer::NoMore,
        Answer::Relaxed,
        Answer::Nearest,
        Answer::NotCarried,
        Answer::None,
        Answer::Vague,
        Answer::Removed,
        Answer::AboutColours,
        Answer::AboutSizes,
        Answer::AboutStock,
        Answer::AboutPrice,
        Answer::AboutMaterial,
        Answer::AboutWhy,
        Answer::AboutSale,
        Answer::AboutVariant,
        Answer::Unrated,
        Answer::Reset,
        Answer::AboutDetails,
        Answer::Compared,
        Answer::Similar,
        Answer::Looked,
        Answer::NoSight,
        Answer::Unseen,
        Answer::Assortment,
        Answer::Greeting,
        Answer::Thanks,
        Answer::Bye,
        Answer::Agreed,
        Answer::Help,
        Answer::Beyond,
        Answer::NoSuch,
        Answer::Nothing,
        Answer::Gone,
        Answer::Trouble,
    ];

    #[test]
    fn every_answer_exists_in_both_languages_and_none_is_empty() {
        let facts = json!({
            "total": 24, "shown": 6, "what": "red", "count": 6, "said": 9, "missing": "aprons", "products": [],
            "first": {"name": "Dress", "price": "$5"}, "p": {"name": "Dress", "availability": "in_stock", "colours": ["red", "blue"]},
            "best": "cheapest", "beyond": "orders", "like": "Dress", "seen": "red dress", "categories": ["Bags", "Shoes"],
        });
        for lang in [Lang::En, Lang::Zh] {
            for answer in ALL {
                let text =
                    render(lang, answer, Value::from(Serde(&facts))).unwrap_or_else(|e| panic!("{answer:?}: {e}"));
                assert!(!text.trim().is_empty(), "{answer:?} in {lang}");
                assert!(!text.contains("  "), "{answer:?} in {lang}: {text:?}");
            }
        }
    }

    #[test]
    fn answers_are_written_for_their_facts() {
        let one = json!({"total": 1, "shown": 1, "what": "red dress", "first": {"name": "Rose", "price": "¥299"}});
        assert_eq!(say(Lang::En, Answer::Found, &one), "One product matches red dress: Rose, ¥299.");
        assert_eq!(say(Lang::Zh, Answer::Found, &one), "符合“red dress”的有 1 件：Rose，¥299。");
        let no = json!({"p": {"name": "Rose", "colours": ["red"]}, "value": "blue", "has": false});
        assert_eq!(say(Lang::En, Answer::AboutColours, &no), "No, Rose does not come in blue. It comes in red.");
        let relaxed = json!({"what": "red · dress", "given_up": ["under $10", "size M"]});
        assert_eq!(
            say(Lang::En, Answer::Relaxed, &relaxed),
            "Nothing meets all of it (red · dress). I left out under $10 and size M; this is the nearest."
        );
    }
}
