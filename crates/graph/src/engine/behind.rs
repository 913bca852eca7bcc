//! Steps that are stored later: in the background while the next ones run, or when the run rests.

use std::sync::Arc;

use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use super::{Durability, Inner, Running};
use crate::StoreError;
use crate::store::Batch;

/// The most steps that wait in the background; a run that is faster than its store waits for it.
const WAITING: usize = 64;
/// How much comes together before a run that stores at its end stores anyway: steps, and bytes of updates and events.
const HELD: usize = 1024;
const HELD_BYTES: usize = 8 << 20;

/// One commit, and the number of its last event.
type Job = (Batch, u64);

/// What an attempt has not stored yet.
pub(crate) struct Behind {
    inner: Arc<Inner>,
    running: Arc<Running>,
    durability: Durability,
    held: Vec<Job>,
    bytes: usize,
    writer: Option<Writer>,
}

struct Writer {
    jobs: mpsc::Sender<Job>,
    done: JoinHandle<Result<(), StoreError>>,
}

impl Drop for Writer {
    /// An attempt that is dropped leaves nothing behind it that still writes.
    fn drop(&mut self) {
        self.done.abort();
    }
}

impl Behind {
    pub(crate) fn new(inner: &Arc<Inner>, running: &Arc<Running>, durability: Durability) -> Self {
        let (inner, running) = (Arc::clone(inner), Arc::clone(running));
        Self { inner, running, durability, held: Vec::new(), bytes: 0, writer: None }
    }

    /// Whether steps are stored later at all.
    pub(crate) fn is_later(&self) -> bool {
        self.durability != Durability::Sync
    }

    /// Takes a commit to be stored after those before it.
    pub(crate) async fn put(&mut self, batch: Batch, events: u64) -> Result<(), StoreError> {
        if self.durability == Durability::Exit {
            self.bytes += batch.size();
            self.held.push((batch, events));
            return if self.held.len() >= HELD || self.bytes >= HELD_BYTES { self.flush().await } else { Ok(()) };
        }
        let (inner, running) = (&self.inner, &self.running);
        let writer = self.writer.get_or_insert_with(|| {
            let (jobs, waiting) = mpsc::channel(WAITING);
            let done = tokio::spawn(write(Arc::clone(inner), Arc::clone(running), waiting));
            Writer { jobs, done }
        });
        match writer.jobs.send((batch, events)).await {
            Ok(()) => Ok(()),
            // The writer stopped because a commit failed; it says why.
            Err(_closed) => self.flush().await.and(Err(StoreError::failed("the writer of later steps has stopped"))),
        }
    }

    /// Stores everything that was put, and returns when it is.
    pub(crate) async fn flush(&mut self) -> Result<(), StoreError> {
        if let Some(mut writer) = self.writer.take() {
            let (closed, _) = mpsc::channel(1);
            // Dropping the only sender ends the writer after what waits.
            drop(std::mem::replace(&mut writer.jobs, closed));
            (&mut writer.done).await.map_err(|error| StoreError::failed(error.to_string()))??;
        }
        self.bytes = 0;
        store(&self.inner, &self.running, &mut self.held).await
    }
}

/// Stores several commits of one attempt as one: each stated the revision that the one before it made, so the first one's fence
/// holds for all of them.
async fn store(inner: &Inner, running: &Running, jobs: &mut Vec<Job>) -> Result<(), StoreError> {
    let mut jobs = std::mem::take(jobs).into_iter();
    let Some((mut whole, mut events)) = jobs.next() else { return Ok(()) };
    for (batch, last) in jobs {
        whole.writes.extend(batch.writes);
        events = last;
    }
    inner.store.commit(whole).await?;
    running.live.stored(events);
    Ok(())
}

async fn write(inner: Arc<Inner>, running: Arc<Running>, mut waiting: mpsc::Receiver<Job>) -> Result<(), StoreError> {
    let mut jobs = Vec::new();
    while waiting.recv_many(&mut jobs, WAITING).await > 0 {
        store(&inner, &running, &mut jobs).await?;
    }
    Ok(())
}
