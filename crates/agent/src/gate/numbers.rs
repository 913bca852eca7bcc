//! Whether the quantities of an answer are supported.

use super::{
    Citation, Claim, Kind,
    decimal::Dec,
    fields::Field,
    known::{Known1, List},
    money,
    scan::{Noun, Quantity, Span, Unit},
    tokens::{features, tokens},
    view::View,
};

/// All claims that are quantities.
pub(super) fn claims(view: &View<'_>) -> Vec<Claim> {
    view.quantities.iter().map(|q| claim(view, q)).collect()
}

fn claim(view: &View<'_>, q: &Quantity) -> Claim {
    let (kind, support) = match q.unit {
        Unit::Money(currency) => (Kind::Money, money::support(view, q, currency)),
        Unit::Percent | Unit::Fold => (Kind::Percent, percent(view, q)),
        Unit::Count(noun) => (Kind::Count, count(view, q, noun)),
        Unit::Duration(span) => (Kind::Duration, duration(view, q, span)),
        Unit::Date(..) => (Kind::Date, date(view, q)),
        Unit::Measure(_) | Unit::Stars => (Kind::Measure, measure(view, q)),
        Unit::Plain => (Kind::Number, plain(view, q)),
    };
    let pending = support.is_none() && !view.complete && matches!(kind, Kind::Count);
    Claim { pending, ..view.claim(q.span.clone(), kind, support) }
}

fn cite(view: &View<'_>, number: &Known1) -> Option<Citation> {
    view.known.address(number.place).map(|at| Citation::Evidence { at })
}

fn said(view: &View<'_>, q: &Quantity, agrees: impl Fn(Unit) -> bool) -> Option<Citation> {
    view.known.said.iter().any(|said| said.value == q.value && agrees(said.unit)).then_some(Citation::Said)
}

/// The known numbers that are shown as this one, the spoken-of things' first.
fn like<'a>(view: &'a View<'_>, q: &Quantity, agrees: impl Fn(&Known1) -> bool) -> Option<&'a Known1> {
    let mut bound = view.bound(&q.span);
    let compared = view.sentence(q.span.start).is_some_and(|(_, sentence)| {
        ["versus", " vs", "compared", " than ", "while", "对比", "相比", "而"]
            .iter()
            .any(|word| view.lower_of(&sentence.span).contains(word))
    });
    if compared && !bound.is_empty() {
        bound.extend(view.mentions.iter().filter(|m| m.strong).flat_map(|m| &m.things));
    }
    // "2,000 多", "over 500": what is known may be more, but not by as much again.
    let open_ended = view.answer.get(q.span.clone()).is_some_and(|text| text.contains(['多', '余', '+']))
        || view.near(&q.span, 12, 0, &["over ", "more than ", "超过", "逾"])
        || view.near(&q.span, 0, 3, &["+", "多", "余"]);
    let high = if open_ended { q.value.times(2) } else { q.value.plus(q.half) };
    let exact =
        |n: &Known1| n.value == q.value || n.value.minus(q.value).abs() < q.half || n.value.plus(q.half) == q.value;
    let fits = |n: &&Known1| !n.stale && agrees(n) && (open_ended || exact(n));
    let low = if open_ended { q.value } else { q.value.minus(q.half) };
    let all = view.known.between(low, high);
    if bound.is_empty() {
        return all.iter().find(fits);
    }
    all.iter().filter(|n| n.thing.is_none_or(|thing| bound.contains(&thing))).find(fits)
}

fn percent(view: &View<'_>, q: &Quantity) -> Option<Citation> {
    // 8折 is 80 % of the price, 85折 is 85 %; both are also 20 % and 15 % off.
    let of_price = match q.unit {
        Unit::Fold if q.value >= Dec::int(10) => q.value,
        Unit::Fold => q.value.times(10),
        _ => Dec::int(100).minus(q.value),
    };
    if let Some(found) = like(view, q, |n| n.unit == q.unit || q.unit == Unit::Percent && n.field == Field::Percent) {
        return cite(view, found);
    }
    if let Some(found) = said(view, q, |unit| unit == q.unit) {
        return Some(found);
    }
    let slack = if q.unit == Unit::Fold { q.half.times(10) } else { q.half };
    let fits = |value: Dec, wanted: Dec| value.minus(wanted).abs() <= slack;
    let again = view.near(&q.span, 24, 24, &["extra", "additional", "further", "再", "额外", "折上"]);
    let bound = view.bound(&q.span);
    let relevant = |n: &&Known1| !n.stale && n.thing.is_some_and(|thing| bound.is_empty() || bound.contains(&thing));
    let befores = view.known.numbers.iter().filter(|n| n.field == Field::Before).filter(relevant);
    for before in befores.filter(|_| !again) {
        let Some(thing) = before.thing else { continue };
        if let Some(price) = view
            .known
            .prices(thing)
            .find(|p| p.value.percent_of(before.value).is_some_and(|share| fits(share, of_price)))
        {
            return Some(Citation::Derived {
                from: [price, before].iter().filter_map(|n| view.known.address(n.place)).collect(),
            });
        }
    }
    if q.unit == Unit::Fold {
        return None;
    }
    share(view, q)
}

/// A share of counts: 3 of 12 is 25 %.
fn share(view: &View<'_>, q: &Quantity) -> Option<Citation> {
    let (_, sentence) = view.sentence(q.span.start)?;
    let lower = view.lower_of(&sentence.span);
    let reduction =
        ["off", "discount", "reduced", "save", "lower", "cheaper", "less", "折", "优惠", "降", "省", "便宜"];
    if reduction.iter().any(|word| lower.contains(word)) {
        return None;
    }
    let counts = view
        .known
        .numbers
        .iter()
        .filter(|n| matches!(n.unit, Unit::Count(_)) && n.value > Dec::ZERO)
        .take(60)
        .collect::<Vec<_>>();
    let found = counts.iter().find_map(|whole| {
        let part = counts.iter().find(|part| {
            part.value < whole.value
                && part.unit == whole.unit
                && part.value.percent_of(whole.value).is_some_and(|p| p.minus(q.value).abs() <= q.half)
        })?;
        Some([*part, *whole])
    })?;
    Some(Citation::Derived { from: found.iter().filter_map(|n| view.known.address(n.place)).collect() })
}

fn count(view: &View<'_>, q: &Quantity, noun: Noun) -> Option<Citation> {
    let bound = view.bound(&q.span);
    let Some(n) = q.value.whole() else { return plain(view, q) };
    let size = usize::try_from(n).ok()?;
    let same = |other: Noun| other == noun || noun == Noun::Other || other == Noun::Other;
    let words = view.sentence(q.span.start).map(|(_, s)| view.lower_of(&s.span)).unwrap_or_default();
    let says = |wanted: &[&str]| wanted.iter().any(|word| words.contains(word));
    let in_stock = noun == Noun::Product && says(&["剩", "还有", "库存", "现货", "有货", "left", "stock"]);
    let counted = |number: &Known1| match number.unit {
        Unit::Count(Noun::Stock) if in_stock => true,
        Unit::Count(other) => {
            other == noun || noun == Noun::Other || (noun == Noun::Product && number.field == Field::Total)
        }
        Unit::Plain => number.field == Field::Other && noun == Noun::Other,
        _ => false,
    };
    if let Some(found) = like(view, q, counted) {
        return cite(view, found);
    }
    if in_stock && says(&["剩", "库存"]) {
        return said(view, q, |unit| matches!(unit, Unit::Count(_) | Unit::Plain));
    }
    let own = |list: &&List| bound.is_empty() || list.owner.is_none_or(|owner| bound.contains(&owner));
    if let Some(list) =
        view.known.lists.iter().filter(own).find(|list| {
            list.length == size && same(list.noun) && (noun != Noun::Product || list.noun == Noun::Product)
        })
    {
        return view.known.address(list.place).map(|at| Citation::Evidence { at });
    }
    if let Some(found) = said(view, q, |unit| matches!(unit, Unit::Count(_) | Unit::Plain)) {
        return Some(found);
    }
    // "For the two: 159 + 129": the sentence itself shows what is counted.
    let number_of = |at: usize| view.sentence(at).map(|(i, _)| i);
    let beside = view
        .quantities
        .iter()
        .filter(|other| other.span != q.span && number_of(other.span.start) == number_of(q.span.start));
    if q.worded
        && (2..=3).contains(&size)
        && beside.count() >= size
        && !says(&["found", "in total", "找到", "共有", "一共"])
    {
        return Some(Citation::Answer);
    }
    if matches!(noun, Noun::Product | Noun::Other | Noun::Stock) {
        if shown(view, q) == size || shown_all(view) == size {
            return Some(Citation::Answer);
        }
        if subset(view, q, size) {
            return Some(Citation::Derived { from: Vec::new() });
        }
    }
    totals(view, q)
}

/// How many things or list items the answer shows after the count's sentence.
fn shown(view: &View<'_>, q: &Quantity) -> usize {
    let from = view.sentence(q.span.start).map_or(q.span.end, |(_, s)| s.span.start);
    let mut things = view
        .mentions
        .iter()
        .filter(|m| m.strong && m.span.start >= from)
        .filter_map(|m| m.things.first())
        .collect::<Vec<_>>();
    things.sort_unstable();
    things.dedup();
    if things.is_empty() {
        view.sentences.iter().filter(|s| s.item.is_some() && s.span.start >= from).count()
    } else {
        things.len()
    }
}

fn shown_all(view: &View<'_>) -> usize {
    let mut things = view.mentions.iter().filter(|m| m.strong).filter_map(|m| m.things.first()).collect::<Vec<_>>();
    things.sort_unstable();
    things.dedup();
    things.len()
}

/// Whether so many things of a result are what the sentence says of them: have a word of it, are below its limit, are to
/// be had.
fn subset(view: &View<'_>, q: &Quantity, size: usize) -> bool {
    let Some((_, sentence)) = view.sentence(q.span.start) else { return false };
    let lower = view.lower_of(&sentence.span);
    let wanted = features(&tokens(lower));
    let limits = view
        .quantities
        .iter()
        .filter(|other| sentence.span.contains(&other.span.start) && matches!(other.unit, Unit::Money(_)))
        .map(|other| other.value)
        .collect::<Vec<_>>();
    let stock = ["in stock", "available", "有货", "现货"].iter().any(|word| lower.contains(word));
    let gone = ["out of stock", "sold out", "缺货", "售罄", "没货", "无货"].iter().any(|word| lower.contains(word));
    view.known.lists.iter().filter(|list| list.things.len() > 1).any(|list| {
        let count = |holds: &dyn Fn(usize) -> bool| list.things.iter().filter(|at| holds(**at)).count() == size;
        let has_word = |feature: u64| {
            count(&|at| view.known.things.get(at).is_some_and(|thing| thing.vocabulary.binary_search(&feature).is_ok()))
                && size < list.things.len()
        };
        wanted.iter().any(|feature| has_word(*feature))
            || stock && count(&|at| view.known.available(at) == Some(true))
            || gone && count(&|at| view.known.available(at) == Some(false))
            || limits.iter().any(|limit| {
                count(&|at| view.known.prices(at).any(|price| price.value <= *limit))
                    || count(&|at| view.known.prices(at).any(|price| price.value >= *limit))
            })
    })
}

/// The sum or difference of two totals: "12 in all", "5 more".
fn totals(view: &View<'_>, q: &Quantity) -> Option<Citation> {
    let (_, sentence) = view.sentence(q.span.start)?;
    let lower = view.lower_of(&sentence.span);
    let sum = ["total", "in all", "altogether", "一共", "总共", "合计"].iter().any(|word| lower.contains(word));
    let rest = ["more", "other", "another", "rest", "另外", "还有", "其余", "其他", "其它"]
        .iter()
        .any(|word| lower.contains(word));
    let lists = view
        .known
        .lists
        .iter()
        .filter(|l| l.noun == Noun::Product)
        .filter_map(|l| i64::try_from(l.length).ok())
        .map(Dec::int);
    let totals = view
        .known
        .numbers
        .iter()
        .filter(|n| n.field == Field::Total)
        .map(|n| n.value)
        .chain(lists)
        .take(30)
        .collect::<Vec<_>>();
    let shown = i64::try_from(shown_all(view)).ok().map(Dec::int);
    let found = totals.iter().enumerate().any(|(i, a)| {
        totals
            .iter()
            .skip(i + 1)
            .chain(&shown)
            .any(|b| sum && a.plus(*b) == q.value || rest && a.minus(*b).abs() == q.value)
    });
    found.then(|| Citation::Derived { from: Vec::new() })
}

fn duration(view: &View<'_>, q: &Quantity, span: Span) -> Option<Citation> {
    let seconds = |value: Dec, span: Span| {
        value.times(match span {
            Span::Second => 1,
            Span::Minute => 60,
            Span::Hour => 3_600,
            Span::Day => 86_400,
            Span::Week => 604_800,
            Span::Month => 2_592_000,
            Span::Year => 31_536_000,
        })
    };
    let wanted = seconds(q.value, span);
    let equals = |value: Dec, unit: Unit| matches!(unit, Unit::Duration(other) if seconds(value, other) == wanted);
    if let Some(found) = view.known.numbers.iter().find(|n| !n.stale && equals(n.value, n.unit)) {
        return cite(view, found);
    }
    let worded = view.known.said.iter().any(|said| equals(said.value, said.unit));
    worded.then_some(Citation::Said)
}

fn date(view: &View<'_>, q: &Quantity) -> Option<Citation> {
    let Unit::Date(year, month, day) = q.unit else { return None };
    let agrees = |unit: Unit| {
        let Unit::Date(y, m, d) = unit else { return false };
        (year == 0 || y == 0 || y == year) && m == month && (day == 0 || d == day)
    };
    if let Some(found) = view.known.numbers.iter().find(|n| !n.stale && agrees(n.unit)) {
        return cite(view, found);
    }
    view.known.said.iter().any(|said| agrees(said.unit)).then_some(Citation::Said)
}

fn measure(view: &View<'_>, q: &Quantity) -> Option<Citation> {
    if let Some(found) = like(view, q, |n| {
        n.unit == q.unit || n.unit == Unit::Plain || (q.unit == Unit::Stars && n.field == Field::Rating)
    }) {
        return cite(view, found);
    }
    said(view, q, |unit| unit == q.unit || unit == Unit::Plain).or_else(|| measure_difference(view, q))
}

/// "110 g lighter": the difference of two known measures.
fn measure_difference(view: &View<'_>, q: &Quantity) -> Option<Citation> {
    const COMPARES: &[&str] = &[
        "lighter", "heavier", "longer", "shorter", "larger", "smaller", "wider", "taller", "more", "less", "higher",
        "lower", "轻", "重", "长", "短", "大", "小", "高", "低", "宽", "差", "多", "少",
    ];
    if !view.near(&q.span, 12, 16, COMPARES) {
        return None;
    }
    let same = view.known.numbers.iter().filter(|n| n.unit == q.unit && !n.stale).take(60).collect::<Vec<_>>();
    let mut pairs = same.iter().enumerate().flat_map(|(i, a)| same.iter().skip(i + 1).map(move |b| (a, b)));
    let (a, b) = pairs.find(|(a, b)| a.value.minus(b.value).abs() == q.value)?;
    Some(Citation::Derived { from: [a, b].iter().filter_map(|n| view.known.address(n.place)).collect() })
}

fn plain(view: &View<'_>, q: &Quantity) -> Option<Citation> {
    let bound = view.bound(&q.span);
    let same = view.known.between(q.value, q.value).iter().filter(|n| !n.stale);
    let mut own = same.clone().filter(|n| n.thing.is_none_or(|thing| bound.is_empty() || bound.contains(&thing)));
    if let Some(found) = own.next().or_else(|| same.clone().find(|n| n.field != Field::Price)) {
        return cite(view, found);
    }
    if let Some(found) = said(view, q, |_| true) {
        return Some(found);
    }
    let words = tokens(view.answer.get(q.span.clone()).unwrap_or_default());
    let known = words.iter().any(|word| !word.figures)
        && words.iter().all(|word| view.known.knows(word.hash) || view.known.heard(word.hash));
    if known {
        return Some(Citation::Derived { from: Vec::new() });
    }
    let (Some(n), false) = (q.value.whole().and_then(|n| usize::try_from(n).ok()), view.known.lists.is_empty()) else {
        return None;
    };
    (n > 1 && (view.known.lists.iter().any(|list| list.length == n) || shown_all(view) == n))
        .then_some(Citation::Answer)
}
