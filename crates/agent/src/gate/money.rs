//! Whether an amount of money is supported.

use super::{
    Citation,
    decimal::Dec,
    fields::Field,
    known::Known1,
    scan::{Currency, Quantity, Unit},
    view::View,
};

const BEFORE: &[&str] = &[
    "was ",
    "originally",
    "list price",
    "before",
    "from ",
    "instead of",
    "rather than",
    "而不是",
    "regular",
    "原价",
    "原来",
    "之前",
    "划线",
    "降价前",
    "市场价",
    "从",
];
const BUDGET: &[&str] = &[
    "budget",
    "under",
    "below",
    "within",
    "less than",
    "up to",
    "over ",
    "above",
    "more than",
    "at least",
    "between",
    "your",
    "range",
    "limit",
    "around",
    "about",
    "预算",
    "以内",
    "以下",
    "以上",
    "不超过",
    "之间",
    "您说",
    "您要",
    "范围",
    "内的",
    "左右",
    "低于",
    "高于",
    "到",
    "-",
    "–",
];
const TOTAL: &[&str] = &[
    "一起",
    "+",
    "加",
    "total",
    "together",
    "altogether",
    "in all",
    "sum",
    "combined",
    "both",
    "for the two",
    "一共",
    "总共",
    "共",
    "合计",
    "加起来",
    "总计",
    "总价",
    "两件",
    "全部",
];
const DIFFERENCE: &[&str] = &[
    "save",
    "saving",
    "cheaper",
    "less",
    "more",
    "difference",
    "off",
    "discount",
    "lower",
    "higher",
    "省",
    "便宜",
    "贵",
    "差",
    "相差",
    "优惠",
    "低",
    "高",
    "少",
    "多",
];
const ROUGHLY: &[&str] =
    &["about", "around", "roughly", "approximately", "nearly", "almost", "~", "约", "大概", "左右", "近", "上下", "多"];
const OTHER_AMOUNTS: &[&str] = &[
    "shipping",
    "delivery",
    "fee",
    "total",
    "deposit",
    "spend",
    "orders over",
    "运费",
    "邮费",
    "满",
    "合计",
    "总",
    "押金",
    "定金",
    "订单",
    "refund",
    "退款",
];

/// What supports an amount, if anything does.
pub(super) fn support(view: &View<'_>, q: &Quantity, currency: Currency) -> Option<Citation> {
    let sentence = view.sentence(q.span.start).map(|(_, s)| s.span.clone()).unwrap_or(q.span.clone());
    let lower = view.lower_of(&sentence);
    let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    let bound = view.bound(&q.span);
    let earlier = view.near(&q.span, 24, 0, BEFORE);
    let mine = |number: &Known1| number.thing.is_some_and(|thing| bound.contains(&thing));
    let limit = comparison(view, q);
    if let Some(more) = limit
        && let Some(found) = within(view, q, more, &bound)
    {
        return found;
    }
    let mut exact = exact(view, q, currency);
    let role = |number: &&Known1| match number.field {
        Field::Before => earlier,
        Field::Price => {
            !number.stale && !view.near(&q.span, 14, 0, &["原价", "originally", "list price", "划线", "was "])
                || number.stale && earlier
        }
        _ => !number.stale,
    };
    let cite = |number: &Known1| view.known.address(number.place).map(|at| Citation::Evidence { at });
    if bound.is_empty() {
        if let Some(found) = exact.clone().find(role) {
            return cite(found);
        }
    } else {
        if let Some(found) = exact.clone().find(|number| mine(number) && role(number)) {
            return cite(found);
        }
        if has(OTHER_AMOUNTS)
            && let Some(found) = exact.find(|number| number.thing.is_none() && !number.stale)
        {
            return cite(found);
        }
    }
    let said =
        view.known.said.iter().any(|said| said.value == q.value && matches!(said.unit, Unit::Money(_) | Unit::Plain));
    if said
        && (bound.is_empty() && !has(&["cost", "price is", "priced", "售价", "价格是", "价格为", "卖"])
            || view.near(&q.span, 24, 12, BUDGET))
    {
        return Some(Citation::Said);
    }
    derived(view, q, &bound, &has)
}

/// Known amounts that are shown as this one.
fn exact<'a>(view: &'a View<'_>, q: &Quantity, currency: Currency) -> impl Iterator<Item = &'a Known1> + Clone {
    let roughly = view.near(&q.span, 14, 9, ROUGHLY);
    let slack = if roughly { q.value.over(20).unwrap_or(Dec::ZERO) } else { q.half };
    let value = q.value;
    view.known.between(q.value.minus(slack), q.value.plus(slack)).iter().filter(move |number| {
        let money = match number.unit {
            Unit::Money(known) => known.agrees(currency),
            Unit::Plain => number.field == Field::Other,
            _ => false,
        };
        // 299.5 is shown as 300, but 299.4 is not, and half of what is shown upwards is not either.
        money
            && (roughly
                || number.value == value
                || number.value.minus(value).abs() < slack
                || number.value.plus(slack) == value
                || number.value == value.minus(slack))
    })
}

/// Whether the amount is a limit: `Some(true)` for "more than".
fn comparison(view: &View<'_>, q: &Quantity) -> Option<bool> {
    if view.near(
        &q.span,
        16,
        0,
        &[
            "under ",
            "below ",
            "less than",
            "up to",
            "within",
            "at most",
            "more than ¥",
            "cheaper than",
            "低于",
            "不到",
            "不超过",
            "no more than",
        ],
    ) || view.near(&q.span, 0, 9, &["以内", "以下", "之内", "or less", "内的"])
    {
        return Some(false);
    }
    let more = view.near(&q.span, 14, 0, &["over ", "above ", "more than", "at least", "超过", "高于", "不低于"])
        || view.near(&q.span, 0, 6, &["以上", "or more"]);
    more.then_some(true)
}

/// A limit holds when it is the customer's or no thing spoken of breaks it; the outer `None` leaves the question open.
fn within(view: &View<'_>, q: &Quantity, more: bool, bound: &[usize]) -> Option<Option<Citation>> {
    let mut spoken = bound.to_vec();
    if let Some((_, sentence)) = view.sentence(q.span.start) {
        spoken.extend(view.strong_in(&sentence.span).flat_map(|m| &m.things));
        let all = ["all of", "all are", "each", "both", "every", "都", "全部", "均"]
            .iter()
            .any(|word| view.lower_of(&sentence.span).contains(word));
        if all && spoken.is_empty() {
            spoken.extend(view.mentions.iter().filter(|m| m.strong).flat_map(|m| &m.things));
        }
    }
    let said = view.known.said.iter().any(|said| said.value == q.value);
    let sum = view
        .sentence(q.span.start)
        .is_some_and(|(_, s)| TOTAL.iter().any(|word| view.lower_of(&s.span).contains(word)));
    if said && sum {
        return Some(Some(Citation::Said));
    }
    let holds = |thing: &usize| {
        view.known
            .prices(*thing)
            .map(|price| price.value)
            .min()
            .is_none_or(|price| if more { price >= q.value } else { price <= q.value })
    };
    if !spoken.is_empty() {
        return Some(spoken.iter().all(holds).then(|| Citation::Derived { from: Vec::new() }));
    }
    said.then_some(Some(Citation::Said))
}

/// Sums, differences and multiples of amounts the answer speaks of.
fn derived(view: &View<'_>, q: &Quantity, bound: &[usize], has: &dyn Fn(&[&str]) -> bool) -> Option<Citation> {
    let mut things =
        view.mentions.iter().filter(|m| m.strong).flat_map(|m| m.things.iter().copied()).collect::<Vec<_>>();
    things.extend(bound);
    things.sort_unstable();
    things.dedup();
    if things.len() == 1 && (has(&["than", "比"]) && !has(&["原价", "before", "之前"]) || has(TOTAL)) {
        things.clear(); // what it is compared with was spoken of before
    }
    let past = has(BEFORE);
    let amount = |number: &&Known1| {
        (past || !number.stale)
            && matches!(number.unit, Unit::Money(_))
            && matches!(number.field, Field::Price | Field::Before | Field::Amount)
    };
    let operands = view
        .known
        .numbers
        .iter()
        .filter(amount)
        .filter(|n| n.thing.is_none_or(|thing| things.is_empty() || things.contains(&thing)))
        .collect::<Vec<_>>();
    let operands = operands.get(..operands.len().min(60)).unwrap_or_default();
    let close = |value: Dec| value.minus(q.value).abs() <= q.half;
    let cite = |numbers: &[&Known1]| {
        Some(Citation::Derived { from: numbers.iter().filter_map(|n| view.known.address(n.place)).collect() })
    };
    let pairs = || operands.iter().enumerate().flat_map(|(i, a)| operands.iter().skip(i + 1).map(move |b| (*a, *b)));
    if has(DIFFERENCE)
        && let Some((a, b)) = pairs().find(|(a, b)| close(a.value.minus(b.value).abs()) && a.value != b.value)
    {
        return cite(&[a, b]);
    }
    if has(TOTAL) {
        if let Some((a, b)) = pairs().find(|(a, b)| a.thing != b.thing && close(a.value.plus(b.value))) {
            return cite(&[a, b]);
        }
        let lowest = things
            .iter()
            .filter_map(|thing| view.known.prices(*thing).min_by_key(|price| price.value))
            .collect::<Vec<_>>();
        if lowest.len() > 2 && close(lowest.iter().fold(Dec::ZERO, |sum, price| sum.plus(price.value))) {
            return cite(&lowest);
        }
    }
    let counts = view
        .quantities
        .iter()
        .chain(&view.known.said)
        .filter(|n| matches!(n.unit, Unit::Count(_) | Unit::Plain))
        .filter_map(|n| n.value.whole());
    let counts = counts.filter(|n| (2..=50).contains(n)).collect::<Vec<_>>();
    let multiple = has(TOTAL) || has(&["×", " x ", "for 2", "for 3", "each", "件", "双", "条"]);
    let found = operands.iter().find(|price| multiple && counts.iter().any(|n| close(price.value.times(*n))))?;
    cite(&[found])
}
