//! Names in an answer: those of known things, and those that nothing known bears.

use std::{ops::Range, sync::LazyLock};

use super::{
    known::{GRAM, Known, window_at},
    sentences::Sentence,
    tokens::{Token, features, hash_word, joined, squeezed, tokens, weight},
};

/// A known thing named in an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mention {
    pub(super) span: Range<usize>,
    /// Which; several when they share the name.
    pub(super) things: Vec<usize>,
    /// It is beyond doubt which thing is meant.
    pub(super) strong: bool,
}

/// All mentions, in order.
pub(super) fn mentions(known: &Known, answer: &str, words: &[Token]) -> Vec<Mention> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() {
        match longest(known, words, at) {
            Some((mention, end)) => {
                found.push(mention);
                at = end;
            }
            None => match distinctive(known, answer, words, at) {
                Some((mention, end)) => {
                    found.push(mention);
                    at = end;
                }
                None => at += 1,
            },
        }
    }
    by_id(known, answer, &mut found);
    found.sort_by_key(|mention| mention.span.start);
    found
}

fn longest(known: &Known, words: &[Token], at: usize) -> Option<(Mention, usize)> {
    let Some(first) = window_at(words, at).filter(|window| known.named(joined(window)).next().is_some()) else {
        return short(known, words, at);
    };
    let mut names = known.named(joined(first)).collect::<Vec<_>>();
    let mut end = at + first.len();
    let mut start = at + 1;
    while let Some(window) = window_at(words, start) {
        let narrowed = known.named(joined(window)).filter(|name| names.contains(name)).collect::<Vec<_>>();
        if narrowed.is_empty() {
            break;
        }
        names = narrowed;
        end = start + window.len();
        start += 1;
    }
    let run = words.get(at..end)?;
    Some((mention(known, run, &names)?, end))
}

/// A short name stands whole, and as a name: with a capital or in Han characters.
fn short(known: &Known, words: &[Token], at: usize) -> Option<(Mention, usize)> {
    (1..=3).rev().find_map(|length| {
        let run = words.get(at..at + length)?;
        let total: usize = run.iter().map(weight).sum();
        if total >= GRAM || !run.iter().all(|token| token.han || token.capital) {
            return None;
        }
        let names =
            known.named(joined(run)).filter(|name| known.name_tokens(*name).len() == length).collect::<Vec<_>>();
        Some((mention(known, run, &names)?, at + length))
    })
}

fn mention(known: &Known, run: &[Token], names: &[usize]) -> Option<Mention> {
    let span = run.first()?.start..run.last()?.end;
    let is_whole = |name: &usize| {
        let name = known.name_tokens(*name);
        run.windows(name.len().max(1)).any(|part| part.iter().map(|t| t.hash).eq(name.iter().map(|t| t.hash)))
    };
    let longest = names.iter().filter(|name| is_whole(name)).map(|name| known.name_tokens(*name).len()).max();
    let mut things = match longest {
        Some(length) => names
            .iter()
            .filter(|name| is_whole(name) && known.name_tokens(**name).len() == length)
            .filter_map(|name| known.thing_named(*name))
            .collect::<Vec<_>>(),
        None => names.iter().filter_map(|name| known.thing_named(*name)).collect(),
    };
    things.sort_unstable();
    things.dedup();
    let covered: usize = run.iter().map(weight).sum();
    let share = names.iter().map(|name| known.name_tokens(*name).iter().map(weight).sum::<usize>()).min().unwrap_or(1);
    let telling = run.iter().any(|token| token.capital && !token.fresh)
        || covered >= 6
        || covered * 5 >= share * 3
        || run.iter().all(|token| token.han);
    let strong = !things.is_empty() && (longest.is_some() || things.len() == 1 && telling);
    (!things.is_empty()).then_some(Mention { span, things, strong })
}

/// A part of a name that no other thing bears: a capitalised word ("the Petra"), or three Han characters.
fn distinctive(known: &Known, answer: &str, words: &[Token], at: usize) -> Option<(Mention, usize)> {
    let first = words.get(at)?;
    let length = if first.han { 3 } else { 1 };
    let part = words.get(at..at + length)?;
    let (start, end) = (part.first()?.start, part.last()?.end);
    let text = answer.get(start..end)?;
    let whole = part.iter().skip(1).all(|token| token.han && !token.fresh && !token.apart);
    if !whole || NOUNS.iter().any(|noun| text.contains(noun) || noun.contains(text)) {
        return None;
    }
    if let Some(thing) =
        known.headed_by(first.hash).filter(|_| !first.han && !first.capital && is_definite(answer, start))
    {
        return Some((Mention { span: start..end, things: vec![thing], strong: true }, at + length));
    }
    let thing = known.only_bearer(part)?;
    if !first.han {
        let next = words.get(at + 1).is_some_and(|next| known.only_word_of(thing, next.hash));
        let named =
            first.capital && first.end - first.start > 2 && !COMMON.contains(&text.to_ascii_lowercase().as_str());
        if !named || first.fresh && !next {
            return None;
        }
    }
    Some((Mention { span: start..end, things: vec![thing], strong: true }, at + length))
}

/// "the sleeve": a noun that only one known thing is, with an article that points.
fn is_definite(answer: &str, start: usize) -> bool {
    let before = answer.get(..start).unwrap_or_default().to_ascii_lowercase();
    ["the ", "this ", "that "].iter().any(|article| before.ends_with(article))
}

fn by_id(known: &Known, answer: &str, found: &mut Vec<Mention>) {
    for (at, thing) in known.things.iter().enumerate() {
        let Some(id) = thing
            .id
            .as_deref()
            .filter(|id| id.len() >= 2 && (id.len() >= 4 || id.bytes().any(|b| b.is_ascii_alphabetic())))
        else {
            continue;
        };
        for (start, _) in answer.match_indices(id) {
            let span = start..start + id.len();
            let free = |c: Option<char>| c.is_none_or(|c| !c.is_ascii_alphanumeric() && c != '-' && c != '_');
            let stands = free(answer.get(..start).and_then(|s| s.chars().next_back()))
                && free(answer.get(span.end..).and_then(|s| s.chars().next()));
            if stands && !found.iter().any(|m| m.span.start < span.end && span.start < m.span.end) {
                found.push(Mention { span, things: vec![at], strong: true });
            }
        }
    }
}

/// A piece of an answer that looks like the name of a product.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Candidate {
    pub(super) span: Range<usize>,
    /// How much of it one known thing has to account for, in tenths.
    pub(super) tenths: usize,
}

/// Pieces that look like names: marked ones and heads of priced list items, runs of capitals, Chinese phrases with a
/// product noun before a price.
pub(super) fn candidates(
    known: &Known,
    answer: &str,
    words: &[Token],
    sentences: &[Sentence],
    priced: impl Fn(&Range<usize>) -> bool,
) -> Vec<Candidate> {
    let mut found = Vec::new();
    for sentence in sentences {
        let has_price = priced(&sentence.span);
        marked(answer, sentence, has_price, known, &mut found);
        let start = words.partition_point(|token| token.start < sentence.span.start);
        let end = words.partition_point(|token| token.start < sentence.span.end);
        let own = words.get(start..end).unwrap_or_default();
        let text = answer.get(sentence.span.clone()).unwrap_or_default().trim();
        if !text.starts_with('#') && !text.ends_with([':', '：']) {
            capitals(own, &mut found);
        }
        if has_price || RECOMMENDS.iter().any(|word| text.contains(word)) {
            han_names(known, answer, own, &mut found);
        }
    }
    found
}

const RECOMMENDS: &[&str] = &["推荐", "还有", "另有", "以及", "推出", "新款", "首选", "有货"];

fn marked(answer: &str, sentence: &Sentence, has_price: bool, known: &Known, found: &mut Vec<Candidate>) {
    let Some(text) = answer.get(sentence.span.clone()) else { return };
    let mut rest = 0;
    while let Some(open) = text.get(rest..).and_then(|s| s.find("**")).map(|at| rest + at + 2) {
        let Some(close) = text.get(open..).and_then(|s| s.find("**")).map(|at| open + at) else { break };
        let inner = text.get(open..close).unwrap_or_default();
        let words = tokens(inner);
        let is_label = inner.trim_end().ends_with([':', '：']) || words.len() < 2 || words.iter().all(|t| t.figures);
        let ends_like_a_name = words.last().is_some_and(|last| !last.han && last.capital && known.knows(last.hash));
        if !is_label && (has_price || ends_like_a_name) {
            let span = sentence.span.start + open..sentence.span.start + close;
            found.push(Candidate { span, tenths: 6 });
        }
        rest = close + 2;
    }
    let (Some(item), true) = (sentence.item, has_price) else { return };
    let head = answer.get(item..sentence.span.end).unwrap_or_default();
    let end =
        head.find(['—', '–', ':', '：', ',', '，', '(', '（', '¥', '￥', '$', '€', '|']).or_else(|| head.find(" - "));
    if let Some(end) = end.filter(|_| !head.contains("**")) {
        let words = tokens(head.get(..end).unwrap_or_default());
        let generic = words.iter().all(|t| t.figures)
            || words.len() < 2
            || LABELS.iter().any(|label| head.trim_start().to_ascii_lowercase().starts_with(label));
        if !generic {
            found.push(Candidate { span: item..item + end, tenths: 6 });
        }
    }
}

const LABELS: &[&str] = &[
    "price", "total", "colo", "size", "stock", "rating", "brand", "material", "价格", "售价", "现价", "原价", "颜色",
    "尺码", "库存", "品牌", "材质", "合计", "总价", "评分", "运费",
];

/// Runs of capitalised words inside a sentence.
fn capitals(words: &[Token], found: &mut Vec<Candidate>) {
    let mut at = 0;
    while at < words.len() {
        let mut end = at;
        while let Some(token) = words.get(end) {
            let joins = end == at || !(token.fresh || token.apart);
            if !(joins && !token.han && token.capital) {
                break;
            }
            end += 1;
        }
        let fresh = words.get(at).is_some_and(|token| token.fresh);
        let start = if fresh && end - at > 1 { at + 1 } else { at };
        if end >= start + 2
            && let (Some(first), Some(last)) = (words.get(start), words.get(end - 1))
        {
            found.push(Candidate { span: first.start..last.end, tenths: 10 });
        }
        at = end.max(at + 1);
    }
}

/// Product nouns that end Chinese names.
const NOUNS: &[&str] = &[
    "连衣裙",
    "半身裙",
    "长裙",
    "短裙",
    "裙子",
    "衬衫",
    "衬衣",
    "外套",
    "大衣",
    "风衣",
    "羽绒服",
    "夹克",
    "毛衣",
    "卫衣",
    "针织衫",
    "背心",
    "吊带",
    "牛仔裤",
    "短裤",
    "长裤",
    "裤子",
    "西装",
    "西裤",
    "T恤",
    "运动鞋",
    "跑鞋",
    "高跟鞋",
    "凉鞋",
    "靴子",
    "短靴",
    "皮鞋",
    "帆布鞋",
    "拖鞋",
    "手提包",
    "单肩包",
    "双肩包",
    "斜挎包",
    "托特包",
    "钱包",
    "背包",
    "化妆包",
    "手表",
    "耳机",
    "项链",
    "耳环",
    "手链",
    "帽子",
    "围巾",
    "腰带",
    "台灯",
    "手机壳",
    "水杯",
    "保温杯",
    "睡衣",
    "内衣",
    "泳衣",
    "礼服",
    "旗袍",
    "汉服",
    "马甲",
    "开衫",
    "口红",
    "面霜",
    "精华",
    "音箱",
    "键盘",
    "鼠标",
    "行李箱",
    "雨伞",
];
/// Characters before which a Chinese name cannot go back.
const EDGES: &str =
    "款件条双个种是有的和与或及在您为我给看选荐了着到要把被让也还就都比、，。：；！？“”「」『』（）()【】*|";

fn han_names(known: &Known, answer: &str, words: &[Token], found: &mut Vec<Candidate>) {
    if !known.has_han {
        return;
    }
    let endings = known.endings();
    for at in 0..words.len() {
        let Some(token) = words.get(at).filter(|token| token.han) else { continue };
        let rest = answer.get(token.start..).unwrap_or_default();
        let nouns = NOUNS.iter().copied().chain(endings.iter().map(String::as_str));
        let Some(noun) = nouns.filter(|noun| rest.starts_with(noun)).max_by_key(|noun| noun.len()) else { continue };
        let end = token.start + noun.len();
        let mut start = at;
        while let Some(before) = start.checked_sub(1).and_then(|i| words.get(i)) {
            let this = words.get(start).map_or(0, |t| t.start);
            let letter = answer.get(before.start..before.end).unwrap_or_default();
            if before.end != this || EDGES.contains(letter) || words.get(start).is_some_and(|t| t.fresh) {
                break;
            }
            start -= 1;
        }
        let begin = words.get(start).map_or(token.start, |t| t.start);
        if at - start >= 2 {
            found.push(Candidate { span: begin..end, tenths: 7 });
        }
    }
}

/// What is known of a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// A thing bears the name.
    Thing(usize),
    /// The customer said it.
    Said,
    /// No name after all.
    Plain,
    /// Nothing known bears it.
    Unknown,
}

const COMMON: &[&str] = &[
    "i",
    "ok",
    "the",
    "a",
    "an",
    "of",
    "in",
    "on",
    "and",
    "or",
    "for",
    "with",
    "by",
    "to",
    "at",
    "from",
    "our",
    "your",
    "my",
    "we",
    "you",
    "it",
    "is",
    "are",
    "has",
    "this",
    "that",
    "these",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "spring",
    "summer",
    "autumn",
    "winter",
    "fall",
    "christmas",
    "easter",
    "valentine",
    "mother",
    "father",
    "day",
    "new",
    "year",
    "black",
    "english",
    "chinese",
    "us",
    "uk",
    "eu",
    "usa",
    "china",
    "bluetooth",
    "usb",
    "wifi",
    "wi",
    "fi",
    "led",
    "xs",
    "s",
    "m",
    "l",
    "xl",
    "xxl",
    "id",
    "sku",
    "faq",
    "price",
    "color",
    "colour",
    "size",
    "brand",
    "category",
    "gender",
    "men",
    "women",
    "unisex",
    "stock",
    "top",
    "pick",
    "best",
    "option",
    "options",
    "total",
    "rating",
    "mid",
    "autumn",
    "national",
    "plus",
    "vat",
    "pm",
    "am",
    "hi",
    "hello",
    "yes",
    "no",
    "sorry",
    "thank",
    "great",
];

static COMMON_HASHES: LazyLock<Vec<u64>> = LazyLock::new(|| COMMON.iter().map(|word| hash_word(word)).collect());

/// Looks a candidate up.
pub(super) fn judge(known: &Known, text: &str, tenths: usize) -> Verdict {
    let words = tokens(text);
    let wanted = features(&words).into_iter().filter(|feature| !COMMON_HASHES.contains(feature)).collect::<Vec<_>>();
    if wanted.is_empty() {
        return Verdict::Plain;
    }
    let covered = |knows: &dyn Fn(u64) -> bool| wanted.iter().filter(|feature| knows(**feature)).count();
    if let Some(found) = known.text_with(&squeezed(text)) {
        return match found {
            Ok(_) => best(known, &wanted).map_or(Verdict::Plain, |(thing, _)| Verdict::Thing(thing)),
            Err(_) => Verdict::Said,
        };
    }
    if let Some((thing, count)) = best(known, &wanted)
        && count * 10 >= wanted.len() * tenths
    {
        return Verdict::Thing(thing);
    }
    if covered(&|feature| known.heard(feature)) == wanted.len() {
        return Verdict::Said;
    }
    let strange = wanted.len() - covered(&|feature| known.knows(feature) || known.heard(feature));
    if strange == 0 && (wanted.len() < 3 || words.iter().all(|t| t.han)) { Verdict::Plain } else { Verdict::Unknown }
}

fn best(known: &Known, wanted: &[u64]) -> Option<(usize, usize)> {
    known
        .things
        .iter()
        .enumerate()
        .map(|(at, thing)| {
            (at, wanted.iter().filter(|feature| thing.vocabulary.binary_search(feature).is_ok()).count())
        })
        .max_by_key(|(_, count)| *count)
}
