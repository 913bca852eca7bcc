//! "Cheaper" and "more expensive", relative to what was shown.

use mercer_search::Sort;
use mercer_shop::Money;

use super::{Heard, Shown, lexicon};
use crate::shopping::wish::Wish;

/// Which way the price is to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Relative {
    /// Down.
    Cheaper,
    /// Up.
    Dearer,
}

pub(super) fn relative(heard: &Heard) -> Option<Relative> {
    if heard.says_any(lexicon::CHEAPER) {
        Some(Relative::Cheaper)
    } else if heard.says_any(lexicon::DEARER) {
        Some(Relative::Dearer)
    } else {
        None
    }
}

/// The wish with a bound below (or above) the middle price of what was shown; with nothing shown, the wish ordered by price.
pub(super) fn moved(wish: &Wish, relative: Relative, shown: &[Shown]) -> Wish {
    let mut prices: Vec<Money> = shown.iter().filter_map(|s| s.price).collect();
    prices.sort_by_key(|p| p.minor);
    let middle = prices.get(prices.len() / 2).filter(|m| prices.iter().all(|p| p.currency == m.currency));
    let sort = match relative {
        Relative::Cheaper => Sort::PriceAsc,
        Relative::Dearer => Sort::PriceDesc,
    };
    match (middle, relative) {
        (None, _) => Wish { sort, ..wish.clone() },
        (Some(middle), Relative::Cheaper) => wish.at_most(Money { minor: round_below(middle.minor), ..*middle }),
        (Some(middle), Relative::Dearer) => wish.at_least(Money { minor: round_above(middle.minor), ..*middle }),
    }
}

/// The wish for what costs less (or more) than exactly this price.
pub(super) fn beside(wish: &Wish, relative: Relative, price: Money) -> Wish {
    match relative {
        Relative::Cheaper => wish.at_most(Money { minor: price.minor.saturating_sub(1), ..price }),
        Relative::Dearer => wish.at_least(Money { minor: price.minor.saturating_add(1), ..price }),
    }
}

/// The largest amount below `minor` with two leading digits: 25900 → 25000, 25000 → 24000, 100 → 99.
fn round_below(minor: i64) -> i64 {
    let below = (minor - 1).max(0);
    below - below % step(below)
}

/// The smallest amount above `minor` with two leading digits: 25900 → 26000.
fn round_above(minor: i64) -> i64 {
    let above = minor.saturating_add(1);
    let step = step(above);
    match above % step {
        0 => above,
        rest => above.saturating_add(step - rest),
    }
}

fn step(amount: i64) -> i64 {
    let mut step = 1;
    while amount / step >= 100 {
        step *= 10;
    }
    step
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_relative_price_is_a_round_number_on_the_right_side() {
        for (minor, below, above) in
            [(25_900, 25_000, 26_000), (25_000, 24_000, 26_000), (100, 99, 110), (1, 0, 2), (9_900, 9_800, 10_000)]
        {
            assert_eq!((round_below(minor), round_above(minor)), (below, above), "{minor}");
        }
    }
}
