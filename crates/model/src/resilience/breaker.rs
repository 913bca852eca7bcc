//! A circuit breaker: a server that failed several times in a row is left alone for a while, then tried once.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::error::ModelError;

/// When a circuit opens and for how long.
#[derive(Debug, Clone, Copy)]
pub struct BreakerSettings {
    /// Failures in a row that open it.
    pub failures: u32,
    /// How long it stays open at first; a failed trial doubles it.
    pub pause: Duration,
    /// The longest it stays open.
    pub longest: Duration,
}

impl Default for BreakerSettings {
    fn default() -> Self {
        Self { failures: 5, pause: Duration::from_secs(15), longest: Duration::from_secs(300) }
    }
}

/// Whether calls go through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// They do.
    Closed,
    /// They do not.
    Open,
    /// One is let through to see.
    HalfOpen,
}

#[derive(Debug)]
struct Inner {
    failures: u32,
    open_until: Option<Instant>,
    pause: Duration,
    trial: bool,
}

/// The breaker of one endpoint. Clones share it.
#[derive(Debug, Clone)]
pub struct Breaker {
    settings: BreakerSettings,
    inner: Arc<Mutex<Inner>>,
}

/// Leave to make one call. Dropped without a word, the call counts as neither.
#[derive(Debug)]
pub(super) struct Admission {
    breaker: Breaker,
    trial: bool,
}

impl Breaker {
    /// A closed breaker.
    #[must_use]
    pub fn new(settings: BreakerSettings) -> Self {
        let inner = Inner { failures: 0, open_until: None, pause: settings.pause, trial: false };
        Self { settings, inner: Arc::new(Mutex::new(inner)) }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether calls go through now.
    #[must_use]
    pub fn state(&self) -> State {
        match self.lock().open_until {
            None => State::Closed,
            Some(until) if Instant::now() < until => State::Open,
            Some(_) => State::HalfOpen,
        }
    }

    /// Leave to make a call.
    pub(super) fn admit(&self) -> Result<Admission, ModelError> {
        let mut inner = self.lock();
        let Some(until) = inner.open_until else { return Ok(Admission { breaker: self.clone(), trial: false }) };
        let left = until.saturating_duration_since(Instant::now());
        if !left.is_zero() || inner.trial {
            return Err(ModelError::CircuitOpen { failures: inner.failures, retry_in: left });
        }
        inner.trial = true;
        Ok(Admission { breaker: self.clone(), trial: true })
    }
}

impl Admission {
    pub(super) fn succeeded(self) {
        let mut inner = self.breaker.lock();
        inner.failures = 0;
        inner.open_until = None;
        inner.pause = self.breaker.settings.pause;
    }

    pub(super) fn failed(self) {
        let settings = self.breaker.settings;
        let mut inner = self.breaker.lock();
        inner.failures = inner.failures.saturating_add(1);
        if self.trial || inner.failures >= settings.failures {
            inner.open_until = Some(Instant::now() + inner.pause);
            inner.pause = inner.pause.saturating_mul(2).min(settings.longest);
        }
    }
}

impl Drop for Admission {
    fn drop(&mut self) {
        if self.trial {
            self.breaker.lock().trial = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_broken_server_is_left_alone_then_tried_once_then_trusted_again() {
        let breaker = Breaker::new(BreakerSettings { failures: 2, ..BreakerSettings::default() });
        for _ in 0..2 {
            breaker.admit().unwrap().failed();
        }
        assert_eq!(breaker.state(), State::Open);
        assert!(matches!(breaker.admit(), Err(ModelError::CircuitOpen { failures: 2, .. })));

        tokio::time::advance(Duration::from_secs(15)).await;
        let trial = breaker.admit().unwrap();
        assert!(breaker.admit().is_err(), "one trial at a time");
        trial.failed();
        tokio::time::advance(Duration::from_secs(15)).await;
        assert_eq!(breaker.state(), State::Open, "a failed trial doubles the pause");
        tokio::time::advance(Duration::from_secs(15)).await;

        drop(breaker.admit().unwrap());
        breaker.admit().unwrap().succeeded();
        assert_eq!(breaker.state(), State::Closed);
    }

    #[tokio::test(start_paused = true)]
    async fn only_failures_in_a_row_count() {
        let breaker = Breaker::new(BreakerSettings { failures: 2, ..BreakerSettings::default() });
        for _ in 0..5 {
            breaker.admit().unwrap().failed();
            breaker.admit().unwrap().succeeded();
        }
        assert_eq!(breaker.state(), State::Closed);
    }
}
