//! The dialogue floor: what a message asks for, told by rules in Chinese and English.
//!
//! Pure: a message, what the catalogue understood of it and the scene (the standing wish and what was shown) give a [`Reading`].
//! It knows phrases, not products; kinds, colours, sizes and prices are the catalogue's to understand. It runs on every message, also
//! when a model leads the conversation, so that the standing wish and the language of the answer never depend on a model.

mod heard;
mod lexicon;
mod price;
mod refs;

use mercer_search::{Condition, Field, Op, Sort, Understood};
use mercer_shop::{Lang, ProductId};
use serde::{Deserialize, Serialize};

pub use heard::Heard;
pub(super) use lexicon::EXCLUSIVE;
pub use refs::Shown;
pub(super) use refs::same_colour;

use super::wish::{Join, Wish};

/// What the customer attends to: what "it" and "this" mean.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Focus {
    /// A product that was spoken of.
    Product(ProductId),
    /// A picture the customer sent, by its file id.
    Picture(String),
}

/// What a question about a product is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Aspect {
    /// Everything.
    Details,
    /// Its colours.
    Colours,
    /// Its sizes.
    Sizes,
    /// Whether it can be bought now.
    Stock,
    /// What it costs.
    Price,
    /// What it is made of.
    Material,
    /// Why it was shown.
    Why,
    /// Whether it costs less than before.
    Sale,
}

/// A superlative, to be answered over the whole result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Best {
    /// Lowest price.
    Cheapest,
    /// Highest price.
    Dearest,
    /// Latest release.
    Newest,
    /// Most wanted.
    Popular,
    /// Best rated.
    Rated,
}

impl Best {
    /// The order whose first result is the answer.
    #[must_use]
    pub fn sort(self) -> Sort {
        match self {
            Self::Cheapest => Sort::PriceAsc,
            Self::Dearest => Sort::PriceDesc,
            Self::Newest => Sort::Newest,
            Self::Popular => Sort::Popular,
            Self::Rated => Sort::Rating,
        }
    }
}

/// Something this assistant does not do or know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Topic {
    /// An order and its parcel.
    Orders,
    /// Returns, refunds, complaints.
    Refunds,
    /// When and how something arrives, and what that costs.
    Delivery,
    /// Discounts and coupons.
    Discounts,
    /// Only what is on sale.
    Sale,
    /// Cart and payment.
    Checkout,
    /// A person to speak to.
    Person,
}

/// How a search is asked for, beside the wish itself.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Asking {
    /// The message changed the standing wish.
    pub refined: bool,
    /// A superlative.
    pub best: Option<Best>,
    /// "Do you have …?"
    pub carried: bool,
    /// "How many …?"
    pub count: bool,
    /// Nothing says what kind of thing is wanted.
    pub vague: bool,
    /// Cheaper or dearer than what was shown.
    pub relative: bool,
    /// Also asks for something this assistant does not know.
    pub beyond: Option<Topic>,
}

/// What a message asks for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "act", rename_all = "snake_case")]
pub enum Act {
    /// Search for the wish.
    Search(Asking),
    /// The next results of the standing wish.
    More {
        /// Those shown were not liked.
        disliked: bool,
    },
    /// A question about one product.
    About {
        /// Which one.
        product: ProductId,
        /// About what.
        aspect: Aspect,
        /// The colour or size asked for.
        value: Option<String>,
        /// The size asked for beside a colour, or the same as `value`.
        #[serde(default)]
        size: Option<String>,
        /// Asked as "is it sold out?".
        #[serde(default)]
        sold_out: bool,
    },
    /// Compare products.
    Compare {
        /// Which ones.
        products: Vec<ProductId>,
    },
    /// Something like a product or a picture.
    Similar {
        /// Like what.
        to: Focus,
    },
    /// Look at pictures that came with the message, then search for what is seen.
    Look {
        /// Their file ids.
        images: Vec<String>,
    },
    /// Forget the standing wish.
    Reset,
    /// What the shop sells.
    Assortment,
    /// Hello.
    Greeting,
    /// Thank you.
    Thanks,
    /// Good bye.
    Bye,
    /// "OK", with nothing else.
    Agreed,
    /// What the assistant can do.
    Help,
    /// Something it does not do.
    Beyond {
        /// What.
        topic: Topic,
    },
    /// A place in the list that does not exist.
    NoSuch {
        /// The place, counted from one.
        said: usize,
    },
    /// A reference while nothing was shown.
    Nothing,
}

/// A message, read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reading {
    /// What it asks for.
    pub act: Act,
    /// The wish that stands after it; `None` leaves the one that stood.
    pub wish: Option<Wish>,
}

impl From<Act> for Reading {
    fn from(act: Act) -> Self {
        Self { act, wish: None }
    }
}

/// What a message is read against.
#[derive(Debug, Clone, Copy, Default)]
pub struct Scene<'a> {
    /// The standing wish.
    pub wish: Option<&'a Wish>,
    /// What the last answer with products showed, in its order.
    pub shown: &'a [Shown],
    /// What is attended to.
    pub focus: Option<&'a Focus>,
    /// Pictures that came with this message.
    pub pictures: &'a [String],
}

/// The language to answer in: that of the message, else the one before, else the page's.
#[must_use]
pub fn language(text: &str, before: Option<Lang>, page: Lang) -> Lang {
    Lang::of(text).or(before).unwrap_or(page)
}

/// Reads a message.
#[must_use]
pub fn read(heard: &Heard, understood: &Understood, scene: &Scene<'_>) -> Reading {
    if !scene.pictures.is_empty() {
        let wish = Wish::new(&Understood { text: String::new(), ..understood.clone() });
        return Reading { act: Act::Look { images: scene.pictures.to_vec() }, wish: Some(wish) };
    }
    if heard.is_any(lexicon::RESET) {
        return Reading { act: Act::Reset, wish: Some(Wish::default()) };
    }
    let kind = named_kind(understood);
    if let Some(act) = small_talk(heard, kind.is_some()) {
        return act.into();
    }
    if let Some(act) = comparison(heard, scene).or_else(|| likeness(heard, scene)) {
        return act.into();
    }
    if let Some(reading) = than_one(heard, understood, scene) {
        return reading;
    }
    if let Some(act) = on_sale(heard, scene).filter(|_| kind.is_none()) {
        return act.into();
    }
    let topic = beyond(heard);
    if let Some(topic) = topic.filter(|_| kind.is_none()) {
        return Act::Beyond { topic }.into();
    }
    if let Some(act) = more(heard, scene).or_else(|| question(heard, understood, scene)) {
        return act.into();
    }
    if kind.is_none() && heard.says_any(lexicon::ASSORTMENT) && understood.conditions.is_empty() {
        return Act::Assortment.into();
    }
    search(heard, understood, scene, topic)
}

fn named_kind(understood: &Understood) -> Option<&Condition> {
    understood.conditions.iter().find(|c| c.field == Field::Category && !c.is_negative())
}

fn small_talk(heard: &Heard, names_kind: bool) -> Option<Act> {
    if names_kind {
        return None;
    }
    let spoken = heard.words().next().is_some();
    if !spoken
        || heard.is_any(lexicon::HELP)
        || heard.says_any(&["what can you do", "你能做什么", "你会什么", "你是谁"])
    {
        return Some(Act::Help);
    }
    let raw = |phrases: &[&str]| phrases.iter().any(|p| heard.spaced() == *p || heard.dense() == *p);
    if raw(lexicon::GREETING) {
        Some(Act::Greeting)
    } else if raw(lexicon::THANKS) || heard.is_any(lexicon::THANKS) {
        Some(Act::Thanks)
    } else if heard.is_any(lexicon::BYE) {
        Some(Act::Bye)
    } else if raw(lexicon::AGREED) {
        Some(Act::Agreed)
    } else {
        None
    }
}

fn beyond(heard: &Heard) -> Option<Topic> {
    if asks_for_sale(heard) {
        return Some(Topic::Sale);
    }
    [
        (lexicon::ORDERS, Topic::Orders),
        (lexicon::REFUNDS, Topic::Refunds),
        (lexicon::DELIVERY, Topic::Delivery),
        (lexicon::DISCOUNTS, Topic::Discounts),
        (lexicon::CHECKOUT, Topic::Checkout),
        (lexicon::PERSON, Topic::Person),
    ]
    .into_iter()
    .find_map(|(phrases, topic)| heard.says_any(phrases).then_some(topic))
}

fn asks_for_sale(heard: &Heard) -> bool {
    heard.says_any(lexicon::SALE) && !heard.says("for sale")
}

/// "Is it on sale?" about a product that is named or attended to.
fn on_sale(heard: &Heard, scene: &Scene<'_>) -> Option<Act> {
    if !asks_for_sale(heard) {
        return None;
    }
    let named = refs::find(heard, scene.shown, false);
    if let Some(said) = named.missing.first() {
        return Some(missing(*said, scene));
    }
    let product = one_meant(&named, scene)?;
    Some(Act::About { product, aspect: Aspect::Sale, value: None, size: None, sold_out: false })
}

/// The product that a message names, or means by "it".
fn one_meant(named: &refs::Named, scene: &Scene<'_>) -> Option<ProductId> {
    let at = |at: &usize| scene.shown.get(*at).map(|s| s.id.clone());
    let attended = || match scene.focus {
        Some(Focus::Product(id)) => Some(id.clone()),
        Some(Focus::Picture(_)) => None,
        None => scene.shown.first().map(|s| s.id.clone()),
    };
    named.positions.first().and_then(at).or_else(|| named.pronoun.then(attended).flatten())
}

/// "Anything cheaper than the first?": the standing wish on the other side of that product's price.
fn than_one(heard: &Heard, understood: &Understood, scene: &Scene<'_>) -> Option<Reading> {
    let relative = price::relative(heard)?;
    if !heard.says("than") && !heard.says("比") {
        return None;
    }
    let named = refs::find(heard, scene.shown, false);
    if named.positions.len() > 1 {
        return None;
    }
    if let Some(said) = named.missing.first() {
        return Some(missing(*said, scene).into());
    }
    let id = one_meant(&named, scene)?;
    let price = scene.shown.iter().find(|s| s.id == id)?.price?;
    let mut understood = Understood { text: String::new(), sort: None, ..understood.clone() };
    understood.conditions.retain(|c| c.field != Field::Price);
    let wish = scene.wish.cloned().unwrap_or_default().refined(&understood, Join::Replace);
    let wish = price::beside(&wish, relative, price);
    let asking = Asking { refined: true, relative: true, ..Asking::default() };
    Some(Reading { act: Act::Search(asking), wish: Some(wish) })
}

/// How many products a comparison takes when the message names none.
const COMPARED: usize = 3;

fn comparison(heard: &Heard, scene: &Scene<'_>) -> Option<Act> {
    if !heard.says_any(lexicon::COMPARE) || heard.says_any(lexicon::CHEAPEST) || heard.says_any(lexicon::DEAREST) {
        return None;
    }
    let named = refs::find(heard, scene.shown, true);
    if let Some(said) = named.missing.first() {
        return Some(missing(*said, scene));
    }
    let mut products: Vec<ProductId> =
        named.positions.iter().filter_map(|at| scene.shown.get(*at)).map(|s| s.id.clone()).collect();
    if let [only] = products.as_slice()
        && let Some(Focus::Product(focus)) = scene.focus
        && focus != only
    {
        products.insert(0, focus.clone());
    }
    if products.len() < 2 {
        products = scene.shown.iter().take(COMPARED).map(|s| s.id.clone()).collect();
    }
    Some(if products.len() < 2 { Act::Nothing } else { Act::Compare { products } })
}

fn likeness(heard: &Heard, scene: &Scene<'_>) -> Option<Act> {
    let picture = matches!(scene.focus, Some(Focus::Picture(_))) && heard.says_any(lexicon::PICTURE);
    if !heard.says_any(lexicon::SIMILAR) && !picture {
        return None;
    }
    let named = refs::find(heard, scene.shown, false);
    if let Some(said) = named.missing.first() {
        return Some(missing(*said, scene));
    }
    let shown = named.positions.first().and_then(|at| scene.shown.get(*at)).map(|s| Focus::Product(s.id.clone()));
    let to =
        shown.or_else(|| scene.focus.cloned()).or_else(|| scene.shown.first().map(|s| Focus::Product(s.id.clone())));
    Some(to.map_or(Act::Nothing, |to| Act::Similar { to }))
}

fn missing(said: usize, scene: &Scene<'_>) -> Act {
    if scene.shown.is_empty() { Act::Nothing } else { Act::NoSuch { said } }
}

fn more(heard: &Heard, scene: &Scene<'_>) -> Option<Act> {
    scene.wish?;
    let disliked = heard.is_any(lexicon::DISLIKE);
    (disliked || heard.is_any(lexicon::MORE)).then_some(Act::More { disliked })
}

/// A question about a product: a reference with or without an aspect, or an aspect of what is attended to.
fn question(heard: &Heard, understood: &Understood, scene: &Scene<'_>) -> Option<Act> {
    let kind = named_kind(understood).is_some();
    let aspect = aspect(heard);
    let named = refs::find(heard, scene.shown, false);
    if let Some(said) = named.missing.first()
        && !kind
    {
        return Some(missing(*said, scene));
    }
    let size = size_asked(heard, understood);
    let value = value_asked(understood).or_else(|| size.clone().map(|size| (Aspect::Sizes, size)));
    let changes = heard.says_any(lexicon::REFINE) || understood.conditions.iter().any(|c| c.field == Field::Price);
    let about = |product: ProductId| Act::About {
        product,
        aspect: aspect.or(value.as_ref().map(|(aspect, _)| *aspect)).unwrap_or(Aspect::Details),
        value: value.as_ref().map(|(_, value)| value.clone()),
        size: size.clone(),
        sold_out: heard.says_any(lexicon::SOLD_OUT),
    };
    if let Some(shown) = named.positions.first().and_then(|at| scene.shown.get(*at)) {
        return Some(about(shown.id.clone()));
    }
    let focus = match scene.focus {
        Some(Focus::Product(id)) => Some(id),
        Some(Focus::Picture(_)) | None => None,
    };
    let attended = || focus.or_else(|| scene.shown.first().map(|s| &s.id)).cloned();
    let priced = understood.conditions.iter().any(|c| c.field == Field::Price);
    let bare = !kind && !priced && value.is_none() && is_generic(&without(heard.spaced(), ASKS));
    if named.pronoun
        && !changes
        && (aspect.is_some() || value.is_some())
        && !matches!(scene.focus, Some(Focus::Picture(_)))
    {
        return Some(attended().map_or(Act::Nothing, about));
    }
    if aspect.is_some() && bare && !changes {
        return attended().map(about);
    }
    let one = focus.is_some() || scene.shown.len() == 1;
    if one && !kind && !changes && value.is_some() && aspect.is_some() {
        return attended().map(about);
    }
    the_coloured_one(heard, understood, scene).map(about)
}

/// "the red one", when one of those shown is red.
fn the_coloured_one(heard: &Heard, understood: &Understood, scene: &Scene<'_>) -> Option<ProductId> {
    let [Condition { field: Field::Colour, op: Op::AnyOf(colours), .. }] = understood.conditions.as_slice() else {
        return None;
    };
    let pointed = heard.says("the") && heard.says("one")
        || heard.says("那件")
        || heard.says("那条")
        || heard.says("那个")
        || heard.says("那双");
    if !pointed || !is_generic(&understood.text) {
        return None;
    }
    refs::by_colour(colours, scene.shown).and_then(|at| scene.shown.get(at)).map(|s| s.id.clone())
}

fn aspect(heard: &Heard) -> Option<Aspect> {
    [
        (lexicon::ASK_WHY, Aspect::Why),
        (lexicon::ASK_STOCK, Aspect::Stock),
        (lexicon::ASK_COLOUR, Aspect::Colours),
        (lexicon::ASK_SIZE, Aspect::Sizes),
        (lexicon::ASK_PRICE, Aspect::Price),
        (lexicon::ASK_MATERIAL, Aspect::Material),
        (lexicon::ASK_DETAILS, Aspect::Details),
    ]
    .into_iter()
    .find_map(|(phrases, aspect)| heard.says_any(phrases).then_some(aspect))
}

/// Words that only ask.
const ASKS: &[&[&str]] = &[
    lexicon::ASK_WHY,
    lexicon::ASK_STOCK,
    lexicon::ASK_COLOUR,
    lexicon::ASK_SIZE,
    lexicon::ASK_PRICE,
    lexicon::ASK_MATERIAL,
    lexicon::ASK_DETAILS,
    lexicon::PRONOUN,
];

/// The colour that a question names.
fn value_asked(understood: &Understood) -> Option<(Aspect, String)> {
    understood.conditions.iter().find_map(|c| match (&c.field, &c.op) {
        (Field::Colour, Op::AnyOf(values)) => values.first().map(|v| (Aspect::Colours, v.clone())),
        _ => None,
    })
}

/// The size that a question names: one the catalogue understood, else "in L", "size 38", L码.
fn size_asked(heard: &Heard, understood: &Understood) -> Option<String> {
    let said = |size: &str| {
        let size = size.to_lowercase();
        if size.is_ascii() && heard.spaced().is_ascii() { heard.says(&size) } else { heard.dense().contains(&size) }
    };
    let known = understood.conditions.iter().find_map(|c| match (&c.field, &c.op) {
        (Field::Size, Op::AnyOf(values)) => values.iter().find(|v| said(v)).cloned(),
        _ => None,
    });
    known.or_else(|| size_said(heard))
}

fn size_said(heard: &Heard) -> Option<String> {
    let letters = |word: &str| matches!(word, "xs" | "s" | "m" | "l" | "xl" | "xxl" | "xxxl" | "2xl" | "3xl" | "4xl");
    let number = |word: &str| (2..=3).contains(&word.len()) && word.chars().all(|c| c.is_ascii_digit());
    let mut before = "";
    for word in heard.words() {
        if matches!(before, "in" | "size") && letters(word) || before == "size" && number(word) {
            return Some(word.to_uppercase());
        }
        before = word;
    }
    let (front, _) = heard.dense().split_once('码')?;
    let tail: Vec<char> = front.chars().rev().take_while(char::is_ascii_alphanumeric).collect();
    let size: String = tail.into_iter().rev().collect();
    (letters(&size) || number(&size)).then(|| size.to_uppercase())
}

fn search(heard: &Heard, understood: &Understood, scene: &Scene<'_>, topic: Option<Topic>) -> Reading {
    let best = best(heard);
    let mut asking = Asking {
        best,
        carried: topic.is_none() && asks_if_carried(heard),
        count: heard.says_any(&["how many", "有多少", "多少件", "多少款", "几款"]),
        beyond: topic,
        ..Asking::default()
    };
    let mut understood = understood.clone();
    if topic.is_some() {
        understood.text = without(&understood.text, lexicon::BEYOND);
    }
    understood.text = telling(&understood.text);
    if best.is_some() && without(&understood.text, &[lexicon::WHICH]).is_empty() {
        understood.text.clear();
    }
    let relative = price::relative(heard);
    let ordered = best.is_some() || relative.is_some();
    let standing = scene.wish.filter(|standing| changes(heard, &understood, standing, ordered));
    let mut wish = if let Some(standing) = standing {
        asking.refined = true;
        let mut base = standing.clone();
        if named_kind(&understood).is_some() && heard.says_any(lexicon::SWAP) {
            base.text.clear();
        }
        base.refined(&understood, if heard.says_any(lexicon::ALSO) { Join::Add } else { Join::Replace })
    } else {
        Wish::new(&understood)
    };
    if let Some(best) = best {
        wish.sort = best.sort();
    } else if let Some(relative) = relative {
        wish = price::moved(&wish, relative, if asking.refined { scene.shown } else { &[] });
        asking.relative = asking.refined;
    }
    let brand = wish.conditions.iter().any(|c| matches!(c.field, Field::Brand | Field::Attribute(_)));
    asking.vague = !wish.names_a_kind() && !brand && wish.text.is_empty() && best.is_none() && !asking.refined;
    if asking.vague
        && let Some(condition) = meant_for(heard, &wish)
    {
        wish.demand(condition, Join::Replace);
    }
    Reading { act: Act::Search(asking), wish: Some(wish) }
}

/// "Do you have …?", 有…吗, 有没有….
fn asks_if_carried(heard: &Heard) -> bool {
    let asks = heard.dense().ends_with('吗') && heard.says_any(&["有", "卖"]);
    asks || heard.says_any(&["do you have", "do you sell", "do you carry", "do you stock", "有没有", "卖不卖"])
}

/// For whom a thing is, when the message names a person and the catalogue understood no gender.
fn meant_for(heard: &Heard, wish: &Wish) -> Option<Condition> {
    if wish.conditions.iter().any(|c| c.field == Field::Gender) {
        return None;
    }
    let gender = match (heard.says_any(lexicon::HERS), heard.says_any(lexicon::HIS)) {
        (true, false) => "women",
        (false, true) => "men",
        _ => return None,
    };
    Some(Condition::any_of(Field::Gender, [gender]))
}

fn best(heard: &Heard) -> Option<Best> {
    [
        (lexicon::CHEAPEST, Best::Cheapest),
        (lexicon::DEAREST, Best::Dearest),
        (lexicon::NEWEST, Best::Newest),
        (lexicon::POPULAR, Best::Popular),
        (lexicon::BEST_RATED, Best::Rated),
    ]
    .into_iter()
    .find_map(|(phrases, best)| heard.says_any(phrases).then_some(best))
}

/// Whether a message changes the standing wish (else it begins a new one).
fn changes(heard: &Heard, new: &Understood, standing: &Wish, ordered: bool) -> bool {
    if heard.says_any(lexicon::ANEW) || heard.says_any(lexicon::GIFT) || ordered && heard.says_any(lexicon::EVERYTHING)
    {
        return false;
    }
    let cue = heard.says_any(lexicon::REFINE);
    match named_kind(new) {
        Some(_) if heard.says_any(lexicon::SWAP) => true,
        Some(kind) => cue && standing.conditions.iter().any(|c| c.field == kind.field && c.op == kind.op),
        None if new.text.is_empty() => ordered || cue || !new.conditions.is_empty(),
        None => cue || leads_on(heard),
    }
}

/// "with pockets", "for running", 碎花的: goes on with what was said.
fn leads_on(heard: &Heard) -> bool {
    let joined = heard.words().next().is_some_and(|w| matches!(w, "in" | "with" | "for" | "without" | "made" | "from"));
    joined || heard.dense().ends_with('的') && heard.dense().chars().count() <= 6
}

/// The words that tell something: those that soften a wish or name nothing are left out.
fn telling(text: &str) -> String {
    if is_generic(text) {
        return String::new();
    }
    let tells = |word: &&str| !lexicon::SOFT.contains(word) && !lexicon::GIFT.contains(word) && !is_generic(word);
    text.split_whitespace().filter(tells).collect::<Vec<_>>().join(" ")
}

/// Whether words name no kind of product.
fn is_generic(text: &str) -> bool {
    let folded = Heard::new(text);
    let latin =
        folded.words().filter(|w| w.is_ascii()).all(|w| lexicon::GENERIC.contains(&w) || lexicon::PEOPLE.contains(&w));
    let mut han: String = folded.dense().chars().filter(|c| !c.is_ascii()).collect();
    for word in lexicon::PEOPLE.iter().chain(lexicon::GENERIC).filter(|w| !w.is_ascii()) {
        han = han.replace(word, "");
    }
    latin && han.is_empty()
}

fn without(text: &str, lists: &[&[&str]]) -> String {
    let mut text = format!(" {} ", Heard::new(text).spaced());
    let mut phrases: Vec<&&str> = lists.iter().copied().flatten().collect();
    phrases.sort_by_key(|p| std::cmp::Reverse(p.len()));
    for phrase in phrases {
        if phrase.is_ascii() {
            text = text.replace(&format!(" {phrase} "), " ");
        } else {
            text = text.replace(*phrase, "");
        }
    }
    text.trim().to_owned()
}
