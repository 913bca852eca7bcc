//! What the engine does about a node that fails or takes too long.

use std::time::Duration;

use crate::NodeError;

/// When and how often a failed task is tried again. Of a node's rules the first that matches the error counts.
#[derive(Debug, Clone)]
pub struct Retry {
    /// Attempts in all, the first included.
    pub attempts: u32,
    /// Pause before the second attempt.
    pub first: Duration,
    /// What each further pause is multiplied with.
    pub factor: f64,
    /// The longest pause.
    pub cap: Duration,
    /// Whether a pause is shortened at random by up to half, so that many tasks do not come back together.
    pub jitter: bool,
    /// Which errors this rule is for.
    pub on: fn(&NodeError) -> bool,
}

impl Default for Retry {
    fn default() -> Self {
        Self {
            attempts: 3,
            first: Duration::from_millis(500),
            factor: 2.0,
            cap: Duration::from_secs(30),
            jitter: true,
            on: NodeError::is_transient,
        }
    }
}

impl Retry {
    /// So many attempts in all, for errors that may pass.
    #[must_use]
    pub fn attempts(attempts: u32) -> Self {
        Self { attempts, ..Self::default() }
    }

    /// The pause after attempt number `attempt` (the first is 1) failed; `chance` in 0..1 picks the jitter.
    #[must_use]
    pub fn pause(&self, attempt: u32, chance: f64) -> Duration {
        let exponent = i32::try_from(attempt.saturating_sub(1)).unwrap_or(i32::MAX);
        let grown = (self.first.as_secs_f64() * self.factor.powi(exponent)).min(self.cap.as_secs_f64());
        let kept = if self.jitter { 1.0 - chance / 2.0 } else { 1.0 };
        Duration::try_from_secs_f64(grown * kept).unwrap_or(self.cap)
    }
}

/// How one node is run.
#[derive(Debug, Clone, Default)]
pub struct NodePolicy {
    /// Retry rules; the first that matches the error counts.
    pub retry: Vec<Retry>,
    /// The longest one attempt may take.
    pub run_timeout: Option<Duration>,
    /// The longest an attempt may be silent: no heartbeat, no event.
    pub idle_timeout: Option<Duration>,
    /// The node that runs when the last attempt failed; it reads a [`Failure`](crate::Failure) with `ctx.input()`.
    pub on_error: Option<String>,
}

impl NodePolicy {
    /// Only a retry rule.
    #[must_use]
    pub fn retrying(attempts: u32) -> Self {
        Self { retry: vec![Retry::attempts(attempts)], ..Self::default() }
    }

    /// Adds the longest time an attempt may take.
    #[must_use]
    pub fn within(mut self, limit: Duration) -> Self {
        self.run_timeout = Some(limit);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_grows_to_its_cap_and_jitter_only_shortens_it() {
        let retry = Retry { jitter: false, ..Retry::default() };
        let pauses: Vec<u128> = (1..9).map(|n| retry.pause(n, 0.9).as_millis()).collect();
        assert_eq!(pauses, [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
        let jittered = Retry::default().pause(2, 0.5);
        assert_eq!(jittered.as_millis(), 750);
        assert_eq!(Retry::default().pause(u32::MAX, 0.0).as_secs(), 30);
    }
}
