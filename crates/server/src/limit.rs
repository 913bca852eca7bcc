//! A token bucket for each visitor of a storefront key, so that one page in one browser cannot use up a shop's server.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// Requests a visitor may make at once.
const BURST: f64 = 60.0;
/// Requests a second a visitor may make in the long run.
const RATE: f64 = 5.0;
/// Visitors that are remembered; beyond that, those who have been quiet are forgotten.
const VISITORS: usize = 20_000;

/// Who is counted: the key's hash and the address, when it is known.
type Visitor = (String, Option<IpAddr>);

#[derive(Debug, Clone, Copy)]
struct Bucket {
    tokens: f64,
    filled: Instant,
}

/// Counts the requests of visitors.
#[derive(Debug, Default)]
pub(crate) struct Limiter {
    buckets: Mutex<BTreeMap<Visitor, Bucket>>,
}

impl Limiter {
    /// Takes a token, or says how long to wait for one.
    pub(crate) fn take(&self, key: &str, from: Option<IpAddr>, now: Instant) -> Result<(), Duration> {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= VISITORS {
            buckets.retain(|_, bucket| bucket.level(now) < BURST);
        }
        let bucket = buckets.entry((key.to_owned(), from)).or_insert(Bucket { tokens: BURST, filled: now });
        bucket.tokens = bucket.level(now);
        bucket.filled = now;
        if bucket.tokens < 1.0 {
            return Err(Duration::from_secs_f64((1.0 - bucket.tokens) / RATE));
        }
        bucket.tokens -= 1.0;
        Ok(())
    }
}

impl Bucket {
    fn level(&self, now: Instant) -> f64 {
        (self.tokens + now.saturating_duration_since(self.filled).as_secs_f64() * RATE).min(BURST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_visitor_in_a_hurry_waits_and_others_do_not() {
        let limiter = Limiter::default();
        let (one, other) = (Some("10.0.0.1".parse().unwrap()), Some("10.0.0.2".parse().unwrap()));
        for _ in 0..60 {
            limiter.take("key", one, Instant::now()).unwrap();
        }
        let wait = limiter.take("key", one, Instant::now()).unwrap_err();
        limiter.take("key", other, Instant::now()).unwrap();
        tokio::time::advance(wait + Duration::from_millis(1)).await;
        limiter.take("key", one, Instant::now()).unwrap();
        assert!(limiter.take("key", one, Instant::now()).is_err());
    }
}
