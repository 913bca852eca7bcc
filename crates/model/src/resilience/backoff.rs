//! How long to wait before trying again.

use std::time::Duration;

/// Exponential back-off with full jitter; a server that asks for a pause gets it.
#[derive(Debug, Clone, Copy)]
pub struct Retry {
    /// Attempts after the first.
    pub retries: u32,
    /// The ceiling of the first wait; it doubles each time.
    pub base: Duration,
    /// The highest ceiling.
    pub cap: Duration,
    /// A server that asks for a longer pause than this is given up instead.
    pub patience: Duration,
    /// A random number from 0 up to 1.
    pub random: fn() -> f64,
}

impl Default for Retry {
    fn default() -> Self {
        Self {
            retries: 3,
            base: Duration::from_millis(500),
            cap: Duration::from_secs(20),
            patience: Duration::from_secs(60),
            random: rand::random::<f64>,
        }
    }
}

impl Retry {
    /// The wait after failed attempt `attempt` (from 0); nothing when it is the last or the pause asked for is too long.
    ///
    /// Full jitter: evenly between nothing and the ceiling, which spreads clients best (Brooker, "Exponential Backoff
    /// and Jitter", 2015). The pause a server asks for is a least wait; the jitter comes on top.
    #[must_use]
    pub fn wait(&self, attempt: u32, asked: Option<Duration>) -> Option<Duration> {
        if attempt >= self.retries || asked.is_some_and(|asked| asked > self.patience) {
            return None;
        }
        let ceiling = self.base.saturating_mul(2_u32.saturating_pow(attempt)).min(self.cap);
        let jitter = ceiling.mul_f64((self.random)().clamp(0.0, 1.0));
        Some(asked.map_or(jitter, |asked| asked.saturating_add(jitter.min(self.base))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_the_cap_and_end() {
        let retry = Retry { retries: 8, random: || 1.0, ..Retry::default() };
        let waits: Vec<u128> = (0..9).filter_map(|n| retry.wait(n, None)).map(|wait| wait.as_millis()).collect();
        assert_eq!(waits, [500, 1_000, 2_000, 4_000, 8_000, 16_000, 20_000, 20_000]);
        assert_eq!(Retry { random: || 0.0, ..retry }.wait(3, None), Some(Duration::ZERO));
    }

    #[test]
    fn a_server_gets_the_pause_it_asks_for_unless_it_is_too_long() {
        let retry = Retry { random: || 1.0, ..Retry::default() };
        assert_eq!(retry.wait(0, Some(Duration::from_secs(7))), Some(Duration::from_millis(7_500)));
        assert_eq!(retry.wait(0, Some(Duration::from_secs(3_600))), None);
    }
}
