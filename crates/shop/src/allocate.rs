//! Splitting an amount so that the parts are the whole: largest remainder, in minor units.

use crate::{Money, MoneyError};

impl Money {
    /// No money.
    #[must_use]
    pub const fn zero(currency: crate::Currency) -> Self {
        Self { minor: 0, currency }
    }

    /// The difference of two amounts of one currency.
    ///
    /// # Errors
    /// When the currencies differ or the difference does not fit.
    pub fn checked_sub(self, other: Self) -> Result<Self, MoneyError> {
        let minor = other.minor.checked_neg().ok_or(MoneyError::Overflow)?;
        self.checked_add(Self { minor, currency: other.currency })
    }

    /// So many times the amount.
    ///
    /// # Errors
    /// When the product does not fit.
    pub fn times(self, count: u32) -> Result<Self, MoneyError> {
        let minor = self.minor.checked_mul(i64::from(count)).ok_or(MoneyError::Overflow)?;
        Ok(Self { minor, ..self })
    }

    /// The sum; zero of `currency` when there is nothing to add.
    ///
    /// # Errors
    /// When an amount has another currency or the sum does not fit.
    pub fn sum(currency: crate::Currency, amounts: impl IntoIterator<Item = Self>) -> Result<Self, MoneyError> {
        amounts.into_iter().try_fold(Self::zero(currency), Self::checked_add)
    }

    /// `percent` hundredths of the amount, rounded half away from zero.
    #[must_use]
    pub fn percent(self, percent: u8) -> Self {
        let twice = i128::from(self.minor) * i128::from(percent) * 2;
        let minor = (twice + 100 * twice.signum()) / 200;
        Self { minor: i64::try_from(minor).unwrap_or(self.minor), ..self }
    }

    /// Splits the amount in proportion to `weights`; the parts add up to it exactly.
    ///
    /// Each part is its exact share rounded down, and what is left goes minor unit by minor unit to the largest remainders,
    /// the earlier part first. Without any weight everything goes to the first part.
    #[must_use]
    pub fn split(self, weights: &[u64]) -> Vec<Self> {
        let parts = split(self.minor.unsigned_abs(), weights);
        let sign = self.minor.signum();
        parts
            .into_iter()
            .map(|part| Self { minor: sign * i64::try_from(part).unwrap_or(i64::MAX), currency: self.currency })
            .collect()
    }

    /// What is due for `taken` of `pieces` when `before` pieces were taken already: the shares of all pieces add up to the amount.
    #[must_use]
    pub fn share_of_pieces(self, before: u32, taken: u32, pieces: u32) -> Self {
        if pieces == 0 {
            return Self { minor: 0, ..self };
        }
        let upto = |n: u32| i128::from(self.minor) * i128::from(n.min(pieces)) / i128::from(pieces);
        let minor = upto(before.saturating_add(taken)) - upto(before);
        Self { minor: i64::try_from(minor).unwrap_or(0), ..self }
    }
}

fn split(amount: u64, weights: &[u64]) -> Vec<u64> {
    let total: u128 = weights.iter().map(|w| u128::from(*w)).sum();
    if total == 0 {
        return weights.iter().enumerate().map(|(at, _)| if at == 0 { amount } else { 0 }).collect();
    }
    let exact = |weight: u64| {
        (u128::from(amount) * u128::from(weight) / total, u128::from(amount) * u128::from(weight) % total)
    };
    let mut parts: Vec<u64> = weights.iter().map(|w| u64::try_from(exact(*w).0).unwrap_or(u64::MAX)).collect();
    let mut order: Vec<(usize, u128)> = weights.iter().enumerate().map(|(at, w)| (at, exact(*w).1)).collect();
    order.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    let left = amount - parts.iter().sum::<u64>();
    for ((at, _), _) in order.iter().zip(0..left) {
        if let Some(part) = parts.get_mut(*at) {
            *part += 1;
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Currency;

    #[test]
    fn a_discount_is_shared_out_to_the_cent() {
        let parts = |minor, weights: &[u64]| -> Vec<i64> {
            Money::new(minor, Currency::CNY).split(weights).iter().map(|m| m.minor).collect()
        };
        assert_eq!(parts(4_200, &[15_000, 6_000]), [3_000, 1_200]);
        assert_eq!(parts(100, &[1, 1, 1]), [34, 33, 33]);
        assert_eq!(parts(-100, &[1, 1, 1]), [-34, -33, -33]);
        assert_eq!(parts(100, &[0, 0]), [100, 0]);
        assert_eq!(parts(5, &[]), [0; 0]);
        assert_eq!(Money::new(10, Currency::USD).checked_add(Money::new(20, Currency::USD)).unwrap().decimal(), "0.30");
        assert_eq!(Money::new(1_050, Currency::CNY).percent(15).minor, 158);
    }

    proptest! {
        #[test]
        fn no_split_loses_or_makes_a_cent(amount in 0_i64..10_000_000_000, weights in proptest::collection::vec(0_u64..1_000_000_000, 1..12)) {
            let parts = Money::new(amount, Currency::CNY).split(&weights);
            prop_assert_eq!(parts.iter().map(|m| m.minor).sum::<i64>(), amount);
            prop_assert!(parts.iter().all(|m| m.minor >= 0));
            let total: u64 = weights.iter().sum();
            if total > 0 && u64::try_from(amount).unwrap() <= total {
                for (part, weight) in parts.iter().zip(&weights) {
                    prop_assert!(u64::try_from(part.minor).unwrap() <= *weight, "a share above its weight");
                }
            }
        }

        #[test]
        fn pieces_taken_one_after_another_cost_what_they_cost_together(total in 0_i64..100_000_000, cuts in proptest::collection::vec(1_u32..5, 1..8)) {
            let pieces: u32 = cuts.iter().sum();
            let whole = Money::new(total, Currency::EUR);
            let mut taken = 0;
            let mut sum = 0;
            for cut in cuts {
                sum += whole.share_of_pieces(taken, cut, pieces).minor;
                taken += cut;
            }
            prop_assert_eq!(sum, total);
        }
    }
}
