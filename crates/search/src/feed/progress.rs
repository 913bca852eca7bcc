//! How far an import is.

use serde::Serialize;
use tokio::time::Instant;

/// What an import is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Reads the bytes once to know encoding and hash.
    Surveying,
    /// Reads the rows once to know which belong together.
    Grouping,
    /// Gives out products.
    Reading,
    /// All is read.
    Done,
}

/// How far an import is.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Progress {
    /// What it is doing.
    pub phase: Phase,
    /// Bytes read in this phase, as they lie on the disk.
    pub bytes: u64,
    /// Bytes there are.
    pub total_bytes: u64,
    /// Rows read.
    pub rows: u64,
    /// Products given out.
    pub products: u64,
    /// Rows skipped.
    pub skipped: u64,
    /// Rows a second in this phase, so far.
    pub rows_per_second: f64,
    /// Seconds left in this phase, when they can be told.
    pub seconds_left: Option<f64>,
}

/// Counts time for the rates.
#[derive(Debug)]
pub(crate) struct Clock {
    started: Instant,
    rows: u64,
}

impl Clock {
    pub(crate) fn start(rows: u64) -> Self {
        Self { started: Instant::now(), rows }
    }

    /// Rows a second since the start, and the seconds left at the pace of bytes.
    pub(crate) fn rates(&self, rows: u64, bytes: u64, total: u64) -> (f64, Option<f64>) {
        let seconds = self.started.elapsed().as_secs_f64().max(1e-6);
        let share = |n: u64| u32::try_from(n >> 10).map_or(f64::from(u32::MAX), f64::from);
        let done = share(rows.saturating_sub(self.rows) << 10);
        let (read, all) = (share(bytes), share(total));
        let left = (read > 0.0).then(|| seconds * (all - read).max(0.0) / read);
        (done / seconds, left)
    }
}
