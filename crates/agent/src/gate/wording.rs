//! Claims that are words: states, superlatives, discounts, delivery times and promises.

use std::{ops::Range, sync::LazyLock};

use aho_corasick::AhoCorasick;

use super::{
    Citation, Claim, Kind,
    decimal::Dec,
    fields::Field,
    sentences::Sentence,
    status::{self, Status},
    view::View,
};

/// All phrases of the lists in this module, found in one pass.
static PHRASES: LazyLock<Option<(AhoCorasick, Vec<&'static str>)>> = LazyLock::new(|| {
    let lists = [CHEAPEST, DEAREST, BEST_RATED, MOST_SOLD, REDUCED, WHEN, DEEDS, VOWS];
    let mut all = lists.into_iter().flatten().copied().collect::<Vec<_>>();
    all.extend(COMPARATIVES.iter().map(|(phrase, _)| *phrase));
    all.extend(DISCOUNTS.iter().chain(PROMISES).flat_map(|(phrases, _)| phrases.iter().copied()));
    all.sort_unstable();
    all.dedup();
    Some((AhoCorasick::new(&all).ok()?, all))
});

/// The phrases of a text in lower case, with their places.
pub(super) fn found_in(lower: &str) -> Vec<(&'static str, Range<usize>)> {
    let Some((automaton, all)) = PHRASES.as_ref() else { return Vec::new() };
    let hits = automaton.find_overlapping_iter(lower);
    hits.filter_map(|hit| Some((*all.get(hit.pattern().as_usize())?, hit.span().range()))).collect()
}

/// Adds them.
pub(super) fn claims(view: &View<'_>, claims: &mut Vec<Claim>) {
    statuses(view, claims);
    superlatives(view, claims);
    comparatives(view, claims);
    discounts(view, claims);
    deliveries(view, claims);
    promises(view, claims);
}

/// Words that turn a claim into its absence.
const NOT: &[&str] = &[
    "no ",
    "not ",
    "n't ",
    "n’t ",
    "cannot ",
    "never ",
    "without ",
    "unfortunately",
    "没有",
    "没",
    "不",
    "无",
    "无法",
    "暂无",
    "未",
    "别",
    "并非",
];

fn negated(view: &View<'_>, at: &Range<usize>, reach: usize) -> bool {
    view.near(at, reach, 0, NOT)
}

fn sentence<'a>(view: &'a View<'_>, at: usize) -> Option<&'a Sentence> {
    view.sentence(at).map(|(_, sentence)| sentence)
}

/// The places of phrases in sentences that state something; a phrase inside a longer one is not counted again.
fn phrases(view: &View<'_>, phrases: &[&str]) -> Vec<Range<usize>> {
    phrases_in(view, phrases, |sentence| !sentence.is_open())
}

fn phrases_in(view: &View<'_>, phrases: &[&str], counts: impl Fn(&Sentence) -> bool) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    // In the order of the list: a phrase that contains another stands before it.
    for phrase in phrases {
        for (_, span) in view.phrases.iter().filter(|(hit, _)| hit == phrase) {
            let stated = sentence(view, span.start).is_some_and(&counts);
            let named = view.mentions.iter().any(|m| m.strong && m.span.start <= span.start && span.end <= m.span.end);
            if stated && !named && !found.iter().any(|taken| taken.start < span.end && span.start < taken.end) {
                found.push(span.clone());
            }
        }
    }
    found.sort_by_key(|span| span.start);
    found
}

fn evidence(view: &View<'_>, place: usize) -> Option<Citation> {
    view.known.address(place).map(|at| Citation::Evidence { at })
}

fn statuses(view: &View<'_>, claims: &mut Vec<Claim>) {
    for (span, claimed) in status::in_answer(&view.lower) {
        if sentence(view, span.start).is_none_or(Sentence::is_open) {
            continue;
        }
        let claimed = match claimed {
            Status::InStock if negated(view, &span, 9) => Status::OutOfStock,
            other => other,
        };
        // A count of things in stock is judged as a count.
        let counted = view.quantities.iter().any(|q| q.span.start < span.end && span.start < q.span.end);
        if counted {
            continue;
        }
        let support = status_support(view, &span, claimed);
        claims.push(view.claim(span, Kind::Status, support));
    }
}

fn status_support(view: &View<'_>, span: &Range<usize>, claimed: Status) -> Option<Citation> {
    let bound = view.bound(span);
    let stock = matches!(claimed, Status::InStock | Status::OutOfStock);
    let wanted = claimed == Status::InStock;
    if stock && !bound.is_empty() {
        let place = view.known.things.get(*bound.first()?)?.place;
        let is_so = |available: Option<bool>| available == Some(wanted);
        // A size or colour may be out while the product is in: the records name both.
        let variant = view
            .known
            .statuses
            .iter()
            .any(|(status, thing, _)| *status == claimed && thing.is_some_and(|thing| bound.contains(&thing)));
        let everything = ["both", "all ", "都", "均"].iter().any(|word| view.near(span, 40, 12, &[*word]));
        let fine = if everything {
            bound.iter().all(|at| is_so(view.known.available(*at)))
        } else {
            bound.iter().any(|at| is_so(view.known.available(*at))) || variant && !wanted
        };
        return if fine { evidence(view, place) } else { None };
    }
    if let Some((_, _, place)) = view.known.statuses.iter().find(|(status, _, _)| *status == claimed) {
        return evidence(view, *place);
    }
    let thing = view.known.things.iter().find(|thing| stock && thing.stock.is_some_and(|(_, flag)| flag == wanted));
    thing.and_then(|thing| evidence(view, thing.place))
}

const CHEAPEST: &[&str] = &[
    "cheapest",
    "cheaper of",
    "cheaper one",
    "less expensive of",
    "更便宜的是",
    "lowest price",
    "lowest-priced",
    "lowest priced",
    "least expensive",
    "most affordable",
    "best price",
    "最便宜",
    "价格最低",
    "最低价",
    "最实惠",
    "最低的",
];
const DEAREST: &[&str] = &[
    "most expensive",
    "more expensive of",
    "pricier of",
    "更贵的是",
    "highest price",
    "highest-priced",
    "priciest",
    "最贵",
    "价格最高",
    "最高价",
];
const BEST_RATED: &[&str] =
    &["highest rated", "highest-rated", "best rated", "best-rated", "top rated", "top-rated", "评分最高", "好评最多"];
const MOST_SOLD: &[&str] = &[
    "best seller",
    "best-seller",
    "bestseller",
    "best selling",
    "best-selling",
    "most popular",
    "most reviewed",
    "卖得最好",
    "销量最高",
    "最畅销",
    "最热门",
    "最受欢迎",
    "爆款",
];

fn superlatives(view: &View<'_>, claims: &mut Vec<Claim>) {
    for (list, field, most) in [
        (CHEAPEST, Field::Price, false),
        (DEAREST, Field::Price, true),
        (BEST_RATED, Field::Rating, true),
        (MOST_SOLD, Field::Review, true),
    ] {
        for span in phrases(view, list) {
            if negated(view, &span, 14) {
                continue;
            }
            if let Some(support) = extreme(view, &span, field, most) {
                claims.push(view.claim(span, Kind::Superlative, support));
            }
        }
    }
}

/// Whether the thing spoken of has the extreme value of its result. The outer `None`: nothing is claimed of any thing.
fn extreme(view: &View<'_>, span: &Range<usize>, field: Field, most: bool) -> Option<Option<Citation>> {
    let sentence = sentence(view, span.start)?;
    let mut things = view.bound(span);
    // "The cheapest is X": what follows is meant, when nothing stands before.
    let next = view.strong_in(&sentence.span).find(|m| m.span.start >= span.end);
    let before = view.strong_in(&sentence.span).any(|m| m.span.end <= span.start);
    if let Some(next) = next.filter(|_| !before) {
        things.clone_from(&next.things);
    }
    let values = |thing: usize| {
        view.known
            .numbers
            .iter()
            .filter(move |n| n.thing == Some(thing) && n.field == field && !n.stale)
            .map(|n| n.value)
    };
    let value = |thing: usize| if field == Field::Price && !most { values(thing).min() } else { values(thing).max() };
    if things.is_empty() {
        let amount = view
            .quantities
            .iter()
            .find(|q| sentence.span.contains(&q.span.start) && matches!(q.unit, super::scan::Unit::Money(_)));
        let Some(amount) = amount.filter(|_| field == Field::Price) else {
            return (field != Field::Price).then_some(None);
        };
        let lists = view.known.lists.iter().filter(|list| list.things.len() > 1);
        let fits = lists
            .map(|list| bound_of(list.things.iter().filter_map(|t| value(*t)), most))
            .any(|extreme| extreme == Some(amount.value));
        return Some(fits.then(|| Citation::Derived { from: Vec::new() }));
    }
    let thing = *things.first()?;
    let Some(own) = value(thing) else { return Some(None) };
    let holds = |others: Vec<Dec>| others.into_iter().all(|other| if most { other <= own } else { other >= own });
    let lists = view.known.lists.iter().filter(|list| list.things.contains(&thing) && list.things.len() > 1);
    let lower = view.lower_of(&sentence.span);
    let to_be_had = ["in stock", "available", "有货", "现货"].iter().any(|word| lower.contains(word));
    let counts = |thing: &usize| !to_be_had || view.known.available(*thing) != Some(false);
    let mut lists =
        lists.map(|list| list.things.iter().copied().filter(counts).collect::<Vec<_>>()).collect::<Vec<_>>();
    lists.sort_by_key(|things| std::cmp::Reverse(things.len()));
    let of_few = ["of the two", "of the three", "compared", "of these", "of those", "这两", "这三", "两款中", "这几"]
        .iter()
        .any(|word| lower.contains(word));
    let mut shown =
        view.mentions.iter().filter(|m| m.strong).filter_map(|m| m.things.first().copied()).collect::<Vec<_>>();
    shown.sort_unstable();
    shown.dedup();
    if of_few && shown.len() > 1 {
        lists.push(shown);
    }
    // Without a word that narrows it, the largest result is meant.
    lists.truncate(if of_few { usize::MAX } else { 1 });
    let fine = if !lists.is_empty() {
        lists.iter().any(|things| holds(things.iter().filter_map(|t| value(*t)).collect()))
    } else {
        // Looked up one by one: held against everything that is known.
        view.known.things.len() > 1 && holds((0..view.known.things.len()).filter_map(value).collect())
    };
    let place = view.known.things.get(thing).and_then(|thing| view.known.address(thing.place));
    Some(fine.then(|| Citation::Derived { from: place.into_iter().collect() }))
}

fn bound_of(values: impl Iterator<Item = Dec>, most: bool) -> Option<Dec> {
    if most { values.max() } else { values.min() }
}

/// How two things' prices are compared, and whether the first is the dearer.
const COMPARATIVES: &[(&str, bool)] = &[
    ("cheaper than", false),
    ("less expensive than", false),
    ("costs less than", false),
    ("more expensive than", true),
    ("pricier than", true),
    ("costs more than", true),
    ("便宜", false),
    ("贵", true),
    ("实惠", false),
];

/// "A is cheaper than B", A比B便宜.
fn comparatives(view: &View<'_>, claims: &mut Vec<Claim>) {
    for (phrase, more) in COMPARATIVES {
        for span in phrases(view, &[phrase]) {
            let Some(sentence) = sentence(view, span.start) else { continue };
            let mentions = view.strong_in(&sentence.span).collect::<Vec<_>>();
            let [first, second] = mentions.as_slice() else { continue };
            let between = view.lower.get(first.span.end..second.span.start).unwrap_or_default();
            let compared = if phrase.is_ascii() {
                between.contains(phrase)
            } else {
                between.trim_end().ends_with('比') && span.start >= second.span.end
            };
            let price = |things: &[usize]| {
                things.iter().filter_map(|thing| view.known.prices(*thing).map(|p| p.value).min()).min()
            };
            let (true, Some(a), Some(b)) = (compared, price(&first.things), price(&second.things)) else { continue };
            let holds = (if *more { a > b } else { a < b }) != negated(view, &span, 6);
            claims.push(view.claim(span, Kind::Superlative, holds.then(|| Citation::Derived { from: Vec::new() })));
        }
    }
}

/// Each class: how an answer says it, and what supports it in evidence.
const DISCOUNTS: &[(&[&str], &[&str])] = &[
    (
        &["free shipping", "free delivery", "ships free", "ship free", "包邮", "免运费", "免邮"],
        &["free shipping", "free delivery", "ship free", "ships free", "包邮", "免运费", "免邮"],
    ),
    (
        &["coupon", "promo code", "voucher", "discount code", "优惠券", "优惠码", "折扣码", "代金券", "红包"],
        &["coupon", "promo", "voucher", "code", "优惠券", "优惠码", "折扣码", "代金券", "红包"],
    ),
    (
        &["free gift", "buy one get one", "gift with", "买一送一", "赠品", "免费赠送", "送一"],
        &["gift", "buy one get one", "买一送一", "赠", "送"],
    ),
    (&["cashback", "cash back", "返现", "积分翻倍"], &["cashback", "返现", "积分"]),
];
const REDUCED: &[&str] = &[
    "discount",
    "on sale",
    "% off",
    "half price",
    "special offer",
    "promotion",
    "marked down",
    "reduced from",
    "price drop",
    "clearance",
    "打折",
    "折扣",
    "特价",
    "促销",
    "降价",
    "特惠",
    "限时优惠",
    "优惠价",
    "满减",
    "立减",
    "活动价",
];
const REDUCTION_EVIDENCE: &[&str] =
    &["discount", "sale", "promo", "offer", "折", "特价", "促销", "降价", "优惠", "减", "clearance", "活动"];

fn discounts(view: &View<'_>, claims: &mut Vec<Claim>) {
    for (said, supports) in DISCOUNTS {
        for span in phrases(view, said) {
            if negated(view, &span, 24) {
                continue;
            }
            let support = offered(view, &span, supports).then(|| Citation::Derived { from: Vec::new() });
            claims.push(view.claim(span, Kind::Discount, support));
        }
    }
    for span in phrases(view, REDUCED) {
        if negated(view, &span, 24) {
            continue;
        }
        let support = reduced(view, &span);
        claims.push(view.claim(span, Kind::Discount, support));
    }
}

/// A record speaks of the offer, and of the amount that the sentence ties to it.
fn offered(view: &View<'_>, span: &Range<usize>, words: &[&str]) -> bool {
    let sentence = sentence(view, span.start).map_or(span.clone(), |sentence| sentence.span.clone());
    let amounts = view
        .quantities
        .iter()
        .filter(|q| sentence.contains(&q.span.start) && matches!(q.unit, super::scan::Unit::Money(_)));
    let on_condition =
        ["over ", "above ", "orders", "spend", "满", "订单"].iter().any(|word| view.lower_of(&sentence).contains(word));
    let offers = |text: &str| words.iter().any(|word| text.contains(word));
    if !on_condition {
        return view.known.raw.lines().any(offers);
    }
    let tied = |value: Dec| {
        let mut same =
            view.known.between(value, value).iter().filter(|n| matches!(n.unit, super::scan::Unit::Money(_)));
        same.any(|n| words.iter().any(|word| view.known.text_at(n.place).contains(&super::tokens::squeezed(word))))
    };
    view.known.raw.lines().any(offers) && amounts.map(|q| q.value).all(tied)
}

/// A reduction is known when the thing cost more before, or a record speaks of one.
fn reduced(view: &View<'_>, span: &Range<usize>) -> Option<Citation> {
    let bound = view.bound(span);
    let of_bound = |thing: usize| bound.is_empty() || bound.contains(&thing);
    let before = view.known.numbers.iter().find(|n| {
        n.field == Field::Before
            && n.thing
                .is_some_and(|thing| of_bound(thing) && view.known.prices(thing).any(|price| price.value < n.value))
    });
    if let Some(before) = before {
        return evidence(view, before.place);
    }
    let word = REDUCTION_EVIDENCE.iter().any(|word| view.known.raw.contains(word));
    word.then(|| Citation::Derived { from: Vec::new() })
}

const ARRIVAL: &[&str] = &[
    "arrive",
    "deliver",
    "ship",
    "dispatch",
    "get it",
    "receive",
    "at your door",
    "送达",
    "到货",
    "发货",
    "配送",
    "送到",
    "收到",
    "寄出",
    "到手",
    "次日达",
    "当日达",
];
const WHEN: &[&str] = &[
    "tomorrow",
    "today",
    "tonight",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "next day",
    "next-day",
    "same day",
    "same-day",
    "this week",
    "next week",
    "overnight",
    "in a few days",
    "within days",
    "by the weekend",
    "明天",
    "今天",
    "后天",
    "今晚",
    "明日",
    "次日",
    "当日",
    "当天",
    "隔天",
    "周一",
    "周二",
    "周三",
    "周四",
    "周五",
    "周六",
    "周日",
    "星期",
    "本周",
    "下周",
    "这周",
    "几天内",
    "周末前",
    "马上到",
];

fn deliveries(view: &View<'_>, claims: &mut Vec<Claim>) {
    for span in phrases(view, WHEN) {
        let Some(sentence) = sentence(view, span.start) else { continue };
        let lower = view.lower_of(&sentence.span);
        let arrival = ARRIVAL.iter().any(|word| lower.contains(word));
        if !arrival || negated(view, &span, 30) {
            continue;
        }
        let word = view.lower.get(span.clone()).unwrap_or_default();
        let support = view.known.raw.contains(word).then(|| Citation::Derived { from: Vec::new() });
        claims.push(view.claim(span, Kind::Delivery, support));
    }
}

/// Each class of promise: how answers word it, and how a task of that class is recorded.
const PROMISES: &[(&[&str], &[&str])] = &[
    (
        &["call you", "phone you", "ring you", "联系您", "联系你", "致电", "给您打电话", "回电", "电联"],
        &["call", "phone", "contact", "联系", "电话", "回电"],
    ),
    (
        &[
            "email you",
            "e-mail you",
            "send you an email",
            "mail you",
            "发邮件",
            "发送邮件",
            "邮件通知",
            "发到您的邮箱",
            "短信通知",
            "发短信",
        ],
        &["mail", "sms", "邮件", "短信"],
    ),
    (
        &[
            "contact you",
            "reach out",
            "get back to you",
            "be in touch",
            "follow up",
            "跟进",
            "回复您",
            "答复您",
            "反馈给您",
            "转达",
            "转告",
            "上报",
        ],
        &["contact", "follow", "ticket", "callback", "跟进", "回复", "工单"],
    ),
    (
        &[
            "notify you",
            "let you know when",
            "alert you",
            "remind you",
            "keep you posted",
            "keep you updated",
            "通知您",
            "通知你",
            "提醒您",
            "提醒你",
        ],
        &["notify", "reminder", "alert", "subscription", "通知", "提醒"],
    ),
    (
        &[
            "refund you",
            "issue a refund",
            "process your refund",
            "process a refund",
            "refund your",
            "refund the",
            "给您退款",
            "为您退款",
            "全额退款",
            "退还",
            "办理退款",
        ],
        &["refund", "退款"],
    ),
    (
        &[
            "reserve ",
            "hold it for you",
            "hold one for you",
            "set one aside",
            "put one aside",
            "预留",
            "留货",
            "保留库存",
            "给您留",
        ],
        &["reserv", "hold", "预留"],
    ),
    (
        &[
            "compensate",
            "make it up to you",
            "give you a discount",
            "apply a discount",
            "补偿",
            "赔偿",
            "赔付",
            "给您优惠",
            "申请优惠",
        ],
        &["compensat", "补偿", "赔"],
    ),
    (
        &[
            "ship it",
            "ship your",
            "send it out",
            "send you a replacement",
            "dispatch",
            "expedite",
            "安排发货",
            "尽快发货",
            "优先发货",
            "加急",
            "寄给您",
            "补发",
        ],
        &["shipment", "replacement", "发货", "补发", "加急"],
    ),
    (
        &[
            "receive a confirmation",
            "receive an email",
            "receive a refund",
            "收到确认",
            "收到邮件",
            "收到退款",
            "收到短信",
        ],
        &["mail", "refund", "confirmation", "邮件", "退款", "短信"],
    ),
    (
        &["restock", "back in stock soon", "be back in stock", "会补货", "将补货", "即将到货", "很快到货", "马上补货"],
        &["restock", "back_in_stock", "补货", "到货"],
    ),
];
/// What an answer says was done. Finding and showing is no deed.
const DEEDS: &[&str] = &[
    "i've submitted",
    "i have submitted",
    "i've opened",
    "i have opened",
    "i've cancelled",
    "i have cancelled",
    "i've booked",
    "i have booked",
    "i've reserved",
    "i have reserved",
    "i've added",
    "i have added",
    "i've requested",
    "i have requested",
    "i've applied",
    "i have applied",
    "i've placed",
    "i have placed",
    "i've registered",
    "i've arranged",
    "i have arranged",
    "为您登记",
    "帮您登记",
    "为您申请",
    "帮您申请",
    "为您提交",
    "帮您提交",
    "已提交",
    "为您取消",
    "帮您取消",
    "为您预约",
    "帮您预约",
    "为您下单",
    "帮您下单",
    "加入购物车了",
    "已加入购物车",
    "为您办理",
    "帮您办理",
    "安排快递",
    "安排上门",
    "上门取件",
    "安排客服",
    "安排工作人员",
    "为您安排",
    "帮您安排",
    "为您修改",
    "帮您修改",
    "为您升级",
];
const DEED_EVIDENCE: &[&str] = &[
    "submitted",
    "created",
    "opened",
    "booked",
    "registered",
    "scheduled",
    "return",
    "cancel",
    "order",
    "cart",
    "登记",
    "申请",
    "预约",
    "取件",
    "提交",
    "取消",
    "办理",
];
const VOWS: &[&str] = &["guarantee", "i promise", "we promise", "保证", "承诺"];
const FUTURE: &[&str] = &[
    "will ",
    "'ll ",
    "’ll ",
    "going to",
    "shall ",
    "promise",
    "guarantee",
    "can expect",
    "make sure",
    "be sure to",
    "会",
    "将",
    "马上",
    "立即",
    "尽快",
    "稍后",
    "一定",
    "保证",
    "承诺",
    "这就",
    "随后",
    "即将",
    "帮您",
    "为您",
    "给您",
];

fn promises(view: &View<'_>, claims: &mut Vec<Claim>) {
    for (said, tasks) in PROMISES {
        // "If you wish, we will call" promises a call.
        for span in phrases_in(view, said, |sentence| !sentence.asks) {
            let future = view.near(&span, 40, 0, FUTURE)
                || FUTURE.iter().any(|word| view.lower.get(span.clone()).is_some_and(|text| text.contains(word)));
            if !future
                || negated(view, &span, 16)
                || view.near(&span, 30, 0, &["you can ", "可以自行", "您可", "你可以", "想"])
            {
                continue;
            }
            let support = task(view, tasks).or_else(|| recorded(view, &span));
            claims.push(view.claim(span, Kind::Promise, support));
        }
    }
    for span in phrases_in(view, DEEDS, |sentence| !sentence.asks) {
        if !negated(view, &span, 16) && !view.near(&span, 16, 0, &["可以", "您可", "can ", "could "]) {
            claims.push(view.claim(span, Kind::Promise, task(view, DEED_EVIDENCE)));
        }
    }
    for span in phrases(view, VOWS) {
        if !negated(view, &span, 12) {
            let support = recorded(view, &span).or_else(|| {
                view.known
                    .raw
                    .contains(view.lower.get(span.clone()).unwrap_or("\0"))
                    .then(|| Citation::Derived { from: Vec::new() })
            });
            claims.push(view.claim(span, Kind::Promise, support));
        }
    }
}

/// A tool made a task of this class: a field named for tasks holds one of its words.
fn task(view: &View<'_>, words: &[&str]) -> Option<Citation> {
    let mut fields = view.known.places.iter().enumerate().filter(|(_, at)| {
        let pointer = at.pointer.to_ascii_lowercase();
        ["task", "ticket", "scheduled", "reminder", "callback", "promise", "subscription"]
            .iter()
            .any(|name| pointer.contains(name))
    });
    let found = fields.find(|(place, at)| {
        let pointer = at.pointer.to_ascii_lowercase();
        words.iter().any(|word| pointer.contains(word) || view.known.text_at(*place).contains(word))
    });
    found.map(|(_, at)| Citation::Evidence { at: at.clone() })
}

/// The sentence stands in a record as it is, such as in a policy.
fn recorded(view: &View<'_>, span: &Range<usize>) -> Option<Citation> {
    let sentence = sentence(view, span.start)?;
    let text = view.answer.get(sentence.span.clone())?;
    let place = view.known.text_with(&super::tokens::squeezed(text))?.ok()?;
    evidence(view, place)
}
