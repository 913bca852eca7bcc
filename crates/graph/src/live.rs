//! The events of a run that is running here: numbered as they happen, shown at once, stored with the next commit.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;
use tokio::sync::{Notify, watch};

use crate::{Event, EventBody, RunId};

/// How many events that are stored already are kept for readers that are nearly up to date.
const KEPT: usize = 512;
/// How many events may wait for a commit before one is made for them.
const MANY: u64 = 1024;
/// The most events a reader takes at once.
const TAKEN: usize = 256;

/// A run's events while it runs in this process.
#[derive(Debug)]
pub(crate) struct Live {
    run: RunId,
    buffer: Mutex<Buffer>,
    /// Rings when much has been emitted since the last commit.
    pressure: Notify,
    visible: watch::Sender<(u64, bool)>,
}

#[derive(Debug)]
struct Buffer {
    epoch: u32,
    /// The number of the next event.
    next: u64,
    /// The number of the last stored event.
    stored: u64,
    /// The number of the last event that was handed to a commit.
    staged: u64,
    /// Events of a commit under way, and all after them, are not shown before it succeeded.
    held: Option<u64>,
    tail: VecDeque<Event>,
    ended: bool,
}

/// What a reader finds.
pub(crate) enum Read {
    /// Events right after the number it has.
    Events(Vec<Event>),
    /// What it needs is only in the store.
    Stored,
    /// Nothing yet.
    Nothing,
    /// Nothing, and nothing will come.
    Ended,
}

impl Live {
    pub(crate) fn new(run: RunId, epoch: u32, stored: u64) -> Self {
        let (next, staged, tail) = (stored + 1, stored, VecDeque::new());
        let buffer = Buffer { epoch, next, stored, staged, held: None, tail, ended: false };
        let visible = watch::Sender::new((stored, false));
        Self { run, buffer: Mutex::new(buffer), pressure: Notify::new(), visible }
    }

    fn buffer(&self) -> MutexGuard<'_, Buffer> {
        self.buffer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Forgets what was not stored: another attempt goes on from what was.
    pub(crate) fn attempt(&self, epoch: u32, stored: u64) {
        let mut buffer = self.buffer();
        buffer.tail.retain(|event| event.seq <= stored);
        (buffer.epoch, buffer.next, buffer.held) = (epoch, stored + 1, None);
        (buffer.stored, buffer.staged) = (stored, stored);
        self.show(&buffer);
    }

    /// Numbers an event and shows it.
    pub(crate) fn emit(&self, at: Timestamp, step: u64, node: Option<&str>, body: EventBody) {
        let mut buffer = self.buffer();
        if buffer.ended {
            return;
        }
        buffer.push(&self.run, at, step, node, body);
        if buffer.next - buffer.staged > MANY {
            self.pressure.notify_one();
        }
        self.show(&buffer);
    }

    /// Returns when so much has been emitted since the last commit that it should be stored now.
    pub(crate) async fn pressed(&self) {
        loop {
            {
                let buffer = self.buffer();
                if buffer.next - buffer.staged > MANY {
                    return;
                }
            }
            self.pressure.notified().await;
        }
    }

    /// Numbers the events of a commit and returns everything that the commit has to store. With `hold` they are not shown
    /// before it succeeded.
    pub(crate) fn stage(
        &self,
        at: Timestamp,
        step: u64,
        bodies: Vec<(Option<String>, EventBody)>,
        hold: bool,
    ) -> Vec<Event> {
        let mut buffer = self.buffer();
        if hold && !bodies.is_empty() {
            buffer.held = Some(buffer.next);
        }
        for (node, body) in bodies {
            buffer.push(&self.run, at, step, node.as_deref(), body);
        }
        let from = buffer.staged;
        buffer.staged = buffer.next - 1;
        let fresh = buffer.tail.iter().filter(|event| event.seq > from).cloned().collect();
        if !hold {
            self.show(&buffer);
        }
        fresh
    }

    /// The commit succeeded: its events are stored and may be seen.
    pub(crate) fn stored(&self, last: u64) {
        let mut buffer = self.buffer();
        (buffer.stored, buffer.staged, buffer.held) = (last, buffer.staged.max(last), None);
        while buffer.tail.len() > KEPT && buffer.tail.front().is_some_and(|event| event.seq <= buffer.stored) {
            buffer.tail.pop_front();
        }
        self.show(&buffer);
    }

    /// The run is over, or this process has lost it. What was not stored is dropped.
    pub(crate) fn end(&self) {
        let mut buffer = self.buffer();
        buffer.ended = true;
        let stored = buffer.stored;
        buffer.tail.retain(|event| event.seq <= stored);
        (buffer.next, buffer.staged, buffer.held) = (stored + 1, stored, None);
        self.show(&buffer);
    }

    fn show(&self, buffer: &Buffer) {
        self.visible.send_replace((buffer.visible(), buffer.ended));
    }

    /// What a reader that has seen `after` finds.
    pub(crate) fn read(&self, after: u64) -> Read {
        let buffer = self.buffer();
        let visible = buffer.visible();
        if after >= visible {
            return if buffer.ended { Read::Ended } else { Read::Nothing };
        }
        if buffer.tail.front().is_none_or(|event| event.seq > after + 1) {
            return Read::Stored;
        }
        let fresh = buffer.tail.iter().filter(|event| event.seq > after && event.seq <= visible);
        Read::Events(fresh.take(TAKEN).cloned().collect())
    }

    /// A signal that something changed.
    pub(crate) fn changes(&self) -> watch::Receiver<(u64, bool)> {
        self.visible.subscribe()
    }

    /// Waits until the run is over here.
    pub(crate) async fn ended(&self) {
        let mut changes = self.changes();
        // The sender lives in `self`, so the wait can only end with the value.
        let _over = changes.wait_for(|(_, ended)| *ended).await.map(|_| ());
    }
}

impl Buffer {
    fn visible(&self) -> u64 {
        self.held.unwrap_or(self.next) - 1
    }

    fn push(&mut self, run: &RunId, at: Timestamp, step: u64, node: Option<&str>, body: EventBody) {
        let node = node.map(str::to_owned);
        self.tail.push_back(Event { run: run.clone(), seq: self.next, epoch: self.epoch, at, step, node, body });
        self.next += 1;
    }
}
