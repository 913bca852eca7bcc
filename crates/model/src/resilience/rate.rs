//! Tokens a minute, as a bucket that refills evenly.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// A bucket of one minute's tokens.
#[derive(Debug)]
pub(super) struct Bucket {
    per_minute: u64,
    /// When the bucket will be full again: taking tokens moves it on.
    full_at: Mutex<Option<Instant>>,
}

impl Bucket {
    pub(super) const fn new(per_minute: u64) -> Self {
        Self { per_minute, full_at: Mutex::new(None) }
    }

    fn time_of(&self, tokens: u64) -> Duration {
        let nanos = u128::from(tokens) * 60_000_000_000 / u128::from(self.per_minute.max(1));
        Duration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX))
    }

    /// Takes tokens and says how long to wait before using them. A call larger than the bucket waits for a full one.
    pub(super) fn take(&self, tokens: u64) -> Duration {
        let now = Instant::now();
        let mut full_at = self.full_at.lock().unwrap_or_else(PoisonError::into_inner);
        let was = full_at.unwrap_or(now).max(now);
        let wait =
            (was + self.time_of(tokens.min(self.per_minute))).saturating_duration_since(now + Duration::from_secs(60));
        *full_at = Some(was + self.time_of(tokens));
        wait
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_minutes_tokens_go_at_once_and_the_next_wait_for_the_refill() {
        let bucket = Bucket::new(600);
        assert_eq!(bucket.take(600), Duration::ZERO);
        assert_eq!(bucket.take(10), Duration::from_secs(1));
        tokio::time::advance(Duration::from_secs(61)).await;
        assert_eq!(bucket.take(590), Duration::ZERO);
    }
}
