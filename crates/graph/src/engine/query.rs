//! Threads, runs, events and history: what can be seen and what can be done to a thread at rest.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

use futures::Stream;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::codec::{self, Wrote};
use super::{Engine, NewThread};
use crate::event::{Body, Stored};
use crate::live::Read;
use crate::shape::GraphShape;
use crate::store::{Batch, CheckpointRecord, EventChunk, Guard, Write};
use crate::{
    CheckpointId, EngineError, Event, EventBody, RunFilter, RunId, RunRow, StoreError, TaskId, ThreadFilter, ThreadId,
    ThreadRow, event,
};

/// A registered graph.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct GraphView {
    /// Its drawing in Mermaid's language.
    pub mermaid: String,
    /// Its nodes and lines.
    pub shape: GraphShape,
    /// The hash of its shape.
    pub hash: String,
}

/// A checkpoint as people look at it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CheckpointView {
    /// Its identity.
    pub id: CheckpointId,
    /// The thread it is stored under; a fork's history goes on in the thread it came from.
    pub thread: ThreadId,
    /// The run that made it.
    pub run: Option<RunId>,
    /// The checkpoint before it, on its own thread or the one it was forked from.
    pub parent: Option<CheckpointId>,
    /// Its number on its thread's line.
    pub step: u64,
    /// When it was made.
    pub at: Timestamp,
    /// What made it: `input`, `step`, `answer`, `update`, `stop` or `fork`.
    pub source: String,
    /// The nodes whose updates it holds, in path order.
    pub nodes: Vec<String>,
    /// The nodes that run next.
    pub next: Vec<String>,
    /// The updates: an array of `{node, updates}`.
    pub updates: Value,
}

impl CheckpointView {
    pub(crate) fn of(record: &CheckpointRecord) -> Result<Self, EngineError> {
        let wrote: Vec<Wrote<Value>> = codec::wrote(record)?;
        let nodes = wrote.iter().map(|task| task.node.clone()).collect();
        let updates = wrote.into_iter().map(|task| serde_json::json!({ "node": task.node, "updates": task.updates }));
        Ok(Self {
            id: record.id.clone(),
            thread: record.thread.clone(),
            run: record.run.clone(),
            parent: record.parent.clone().or_else(|| record.origin.clone()),
            step: record.step,
            at: record.at,
            source: record.source.clone(),
            nodes,
            next: codec::frontier(record)?.nodes(),
            updates: updates.collect(),
        })
    }
}

/// Which checkpoints of a thread's history are wanted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HistoryFilter {
    /// At most so many.
    pub limit: usize,
    /// Older than this one.
    pub before: Option<CheckpointId>,
    /// Made by this: `input`, `step`, `answer`, `update`, `stop` or `fork`.
    pub source: Option<String>,
    /// With updates of this node, or of a node of this subgraph.
    pub node: Option<String>,
    /// Made by this run.
    pub run: Option<RunId>,
}

impl HistoryFilter {
    fn is_open(&self) -> bool {
        self.source.is_none() && self.node.is_none() && self.run.is_none()
    }

    fn admits(&self, view: &CheckpointView) -> bool {
        let inside = |wanted: &String| {
            view.nodes.iter().any(|node| {
                node.strip_prefix(wanted.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            })
        };
        self.source.as_ref().is_none_or(|source| *source == view.source)
            && self.node.as_ref().is_none_or(inside)
            && self.run.as_ref().is_none_or(|run| view.run.as_ref() == Some(run))
    }
}

/// How many checkpoints a filtered history reads at once.
const HISTORY_PAGE: usize = 256;

/// How many chunks a reader takes from the store at once.
const CHUNKS: usize = 64;

impl Engine {
    /// A new thread.
    ///
    /// # Errors
    /// The store's failure.
    pub async fn create_thread(&self, new: NewThread) -> Result<ThreadId, EngineError> {
        let id = ThreadId::fresh();
        self.inner.store.commit(Batch::new().write(Write::InsertThread(self.thread_row(id.clone(), new)))).await?;
        Ok(id)
    }

    /// The thread of that id, made if there is none.
    ///
    /// # Errors
    /// The store's failure.
    pub async fn ensure_thread(&self, id: ThreadId, new: NewThread) -> Result<ThreadRow, EngineError> {
        if let Some(row) = self.inner.store.thread(&id).await? {
            return Ok(row);
        }
        let row = self.thread_row(id.clone(), new);
        match self.inner.store.commit(Batch::new().write(Write::InsertThread(row.clone()))).await {
            Ok(()) => Ok(row),
            Err(StoreError::Exists(_)) => self.inner.store.thread(&id).await?.ok_or(EngineError::ThreadNotFound(id)),
            Err(error) => Err(error.into()),
        }
    }

    fn thread_row(&self, id: ThreadId, new: NewThread) -> ThreadRow {
        let now = self.inner.clock.now();
        ThreadRow {
            id,
            tenant: new.tenant,
            agent: new.agent,
            title: new.title,
            metadata: new.metadata,
            created: now,
            updated: now,
            head: None,
            active: None,
            last_run: None,
            status: None,
            forked_from: None,
        }
    }

    /// A thread.
    ///
    /// # Errors
    /// The store's failure.
    pub async fn thread(&self, id: &ThreadId) -> Result<Option<ThreadRow>, EngineError> {
        Ok(self.inner.store.thread(id).await?)
    }

    /// Threads, the one changed last first.
    ///
    /// # Errors
    /// The store's failure.
    pub async fn threads(&self, filter: &ThreadFilter) -> Result<Vec<ThreadRow>, EngineError> {
        Ok(self.inner.store.threads(filter).await?)
    }

    /// Gives a thread another title.
    ///
    /// # Errors
    /// [`EngineError::ThreadNotFound`] or the store's failure.
    pub async fn rename(&self, id: &ThreadId, title: Option<String>) -> Result<(), EngineError> {
        let write = Write::Title { thread: id.clone(), title, at: self.inner.clock.now() };
        match self.inner.store.commit(Batch::new().write(write)).await {
            Err(StoreError::Missing(_)) => Err(EngineError::ThreadNotFound(id.clone())),
            other => Ok(other?),
        }
    }

    /// Deletes a thread with its runs and checkpoints, stopping what runs on it. Its forks stay. The journal of effects
    /// stays too: what happened outside has happened.
    ///
    /// # Errors
    /// [`EngineError::ThreadNotFound`] or the store's failure.
    pub async fn delete_thread(&self, id: &ThreadId) -> Result<(), EngineError> {
        loop {
            let row = self.inner.store.thread(id).await?.ok_or_else(|| EngineError::ThreadNotFound(id.clone()))?;
            let queued =
                RunFilter { thread: Some(id.clone()), status: Some(crate::RunStatus::Queued), ..RunFilter::default() };
            for run in self.inner.store.runs(&queued).await? {
                self.cancel(&run.id).await?;
            }
            if let Some(active) = &row.active {
                self.cancel(active).await?;
                continue;
            }
            let guard = Guard::Thread { thread: id.clone(), active: None, head: row.head };
            let batch = Batch::new().guard(guard).write(Write::DeleteThread(id.clone()));
            match self.inner.store.commit(batch).await {
                Err(StoreError::Busy { .. }) => {}
                other => return Ok(other?),
            }
        }
    }

    /// A run.
    ///
    /// # Errors
    /// The store's failure.
    pub async fn run(&self, id: &RunId) -> Result<Option<RunRow>, EngineError> {
        Ok(self.inner.store.run(id).await?)
    }

    /// Runs, the newest first.
    ///
    /// # Errors
    /// The store's failure.
    pub async fn runs(&self, filter: &RunFilter) -> Result<Vec<RunRow>, EngineError> {
        Ok(self.inner.store.runs(filter).await?)
    }

    /// A registered graph.
    #[must_use]
    pub fn graph(&self, name: &str) -> Option<GraphView> {
        self.inner.program(name).ok().map(|program| program.view())
    }

    /// A thread's state, at its head or at a checkpoint of it, as JSON.
    ///
    /// # Errors
    /// [`EngineError::ThreadNotFound`], [`EngineError::CheckpointNotFound`], [`EngineError::NoGraph`] or the store's failure.
    pub async fn state_json(&self, thread: &ThreadId, at: Option<&CheckpointId>) -> Result<Value, EngineError> {
        let row = self.inner.store.thread(thread).await?.ok_or_else(|| EngineError::ThreadNotFound(thread.clone()))?;
        let at = match at {
            Some(id) => Some(self.checkpoint_of(thread, id).await?.id),
            None => row.head,
        };
        self.inner.program(&row.agent)?.state_json(Arc::clone(&self.inner), at).await
    }

    /// A checkpoint that belongs to a thread, or to the thread that it was forked from.
    pub(crate) async fn checkpoint_of(
        &self,
        thread: &ThreadId,
        id: &CheckpointId,
    ) -> Result<CheckpointRecord, EngineError> {
        let missing = || EngineError::CheckpointNotFound { thread: thread.clone(), checkpoint: id.to_string() };
        let record = self.inner.store.checkpoint(id).await?.ok_or_else(missing)?;
        let mut of = Some(thread.clone());
        while let Some(owner) = of {
            if owner == record.thread {
                return Ok(record);
            }
            of = self.inner.store.thread(&owner).await?.and_then(|row| row.forked_from);
        }
        Err(missing())
    }

    /// A thread's checkpoints, the newest first, at most `limit`, older than `before`. A fork's history goes on with that
    /// of the thread it was forked from.
    ///
    /// # Errors
    /// [`EngineError::ThreadNotFound`], [`EngineError::CheckpointNotFound`] or the store's failure.
    pub async fn history_json(
        &self,
        thread: &ThreadId,
        limit: usize,
        before: Option<&CheckpointId>,
    ) -> Result<Vec<CheckpointView>, EngineError> {
        let before = before.cloned();
        self.history_where(thread, &HistoryFilter { limit, before, ..HistoryFilter::default() }).await
    }

    /// The checkpoints of a thread's history that a filter asks for, the newest first.
    ///
    /// # Errors
    /// As [`history_json`](Engine::history_json).
    pub async fn history_where(
        &self,
        thread: &ThreadId,
        filter: &HistoryFilter,
    ) -> Result<Vec<CheckpointView>, EngineError> {
        let row = self.inner.store.thread(thread).await?.ok_or_else(|| EngineError::ThreadNotFound(thread.clone()))?;
        let mut from = match &filter.before {
            Some(id) => {
                let record = self.checkpoint_of(thread, id).await?;
                record.parent.or(record.origin)
            }
            None => row.head,
        };
        let mut views = Vec::new();
        // Without a condition a page is as long as the answer; with one the line is read in pages of a fixed length.
        let page = if filter.is_open() { filter.limit } else { HISTORY_PAGE };
        while let Some(id) = from.take() {
            if views.len() >= filter.limit {
                break;
            }
            let take = if filter.is_open() { page - views.len() } else { page };
            let records = self.inner.store.ancestors(&id, take).await?;
            for record in &records {
                let view = CheckpointView::of(record)?;
                if views.len() < filter.limit && filter.admits(&view) {
                    views.push(view);
                }
            }
            from = records.last().and_then(|record| record.parent.clone().or_else(|| record.origin.clone()));
        }
        Ok(views)
    }

    /// A new thread that goes on from a checkpoint of another (its head, if none is named). It holds a copy of the state,
    /// so either thread may be deleted without the other.
    ///
    /// # Errors
    /// [`EngineError::ThreadNotFound`], [`EngineError::CheckpointNotFound`], [`EngineError::NoGraph`] or the store's failure.
    pub async fn fork(&self, thread: &ThreadId, at: Option<&CheckpointId>) -> Result<ThreadId, EngineError> {
        let row = self.inner.store.thread(thread).await?.ok_or_else(|| EngineError::ThreadNotFound(thread.clone()))?;
        let at = match at {
            Some(id) => Some(self.checkpoint_of(thread, id).await?.id),
            None => row.head.clone(),
        };
        let id = ThreadId::fresh();
        let new = NewThread {
            tenant: row.tenant.clone(),
            agent: row.agent.clone(),
            title: row.title.clone(),
            metadata: row.metadata.clone(),
        };
        let mut fork = self.thread_row(id.clone(), new);
        fork.forked_from = Some(thread.clone());
        let mut copied = None;
        if let Some(at) = at {
            let program = self.inner.program(&row.agent)?;
            let copy = program.copy(Arc::clone(&self.inner), row, at, id.clone()).await?;
            fork.head = Some(copy.id.clone());
            copied = Some(Write::Checkpoint(copy));
        }
        let mut batch = Batch::new().write(Write::InsertThread(fork));
        batch.writes.extend(copied);
        self.inner.store.commit(batch).await?;
        Ok(id)
    }

    /// A run's events with numbers above `after`: the stored ones, then the live ones as they come. It ends when the run is
    /// over or parked. Numbers rise by one. A reader that is slow is not waited for; it reads from the store what it missed.
    pub fn events(&self, run: &RunId, after: u64) -> impl Stream<Item = Result<Event, EngineError>> + Send + 'static {
        let reader = Reader { engine: self.clone(), run: run.clone(), after, ready: Vec::new().into_iter() };
        futures::stream::try_unfold(reader, |mut reader| async move {
            Ok(reader.next().await?.map(|event| (event, reader)))
        })
    }
}

impl Engine {
    /// The number after which a reader goes on that last saw event `seq` of attempt `epoch`. Usually that is `seq`; when the
    /// process died since, what the reader saw of the unfinished superstep is void and its numbers were given again: then it
    /// is the last number before the next attempt's first. With it a reader misses nothing, whatever died in between.
    ///
    /// # Errors
    /// The store's failure.
    pub async fn after(&self, run: &RunId, epoch: u32, seq: u64) -> Result<u64, EngineError> {
        let row = self.inner.store.run(run).await?.ok_or_else(|| EngineError::RunNotFound(run.clone()))?;
        if row.epoch <= epoch {
            return Ok(seq);
        }
        let mut last = 0;
        loop {
            let chunks = self.inner.store.events(run, last, CHUNKS).await?;
            if chunks.is_empty() {
                return Ok(seq.min(last));
            }
            for chunk in chunks {
                if chunk.first > seq {
                    return Ok(seq);
                }
                let made = event::epoch(&chunk.events).map_err(crate::error::unreadable("events"))?;
                if made > epoch {
                    return Ok(seq.min(chunk.first - 1));
                }
                last = chunk.last;
            }
        }
    }
}

struct Reader {
    engine: Engine,
    run: RunId,
    after: u64,
    ready: std::vec::IntoIter<Event>,
}

impl Reader {
    async fn next(&mut self) -> Result<Option<Event>, EngineError> {
        loop {
            if let Some(event) = self.ready.next() {
                self.after = event.seq;
                return Ok(Some(event));
            }
            if !self.refill().await? {
                return Ok(None);
            }
        }
    }

    /// Gets more events, waiting for them if need be; `false` when there will be none.
    async fn refill(&mut self) -> Result<bool, EngineError> {
        let Some(running) = self.engine.inner.running(&self.run) else {
            self.ready = self.stored().await?.into_iter();
            return Ok(self.ready.len() > 0);
        };
        let mut changes = running.live.changes();
        changes.mark_unchanged();
        match running.live.read(self.after) {
            Read::Events(events) => self.ready = events.into_iter(),
            Read::Stored => self.ready = self.stored().await?.into_iter(),
            // It has been dismissed; whatever it stored last is read on the next turn.
            Read::Ended => {
                self.ready = self.stored().await?.into_iter();
                return Ok(self.ready.len() > 0);
            }
            Read::Nothing => {
                drop(running);
                // An error says that the run was dismissed; the next turn sees it.
                let _changed = changes.changed().await.is_ok();
            }
        }
        Ok(true)
    }

    async fn stored(&self) -> Result<Vec<Event>, EngineError> {
        let mut events = Vec::new();
        for chunk in self.engine.inner.store.events(&self.run, self.after, CHUNKS).await? {
            events.extend(self.decode(&chunk).await?.into_iter().filter(|event| event.seq > self.after));
        }
        Ok(events)
    }

    async fn decode(&self, chunk: &EventChunk) -> Result<Vec<Event>, EngineError> {
        let mut known: BTreeMap<u64, Option<CheckpointRecord>> = BTreeMap::new();
        let mut events = Vec::new();
        for stored in event::decode(chunk.first, &chunk.events).map_err(crate::error::unreadable("events"))? {
            let Stored { seq, epoch, at, step, node, body } = stored;
            let body = match body {
                Body::Whole(body) => body,
                Body::Finished(task) => {
                    let record = self.record_of(step, &mut known).await?;
                    let updates = self.updates(record, &task).await?;
                    EventBody::TaskFinished { task, node: node.clone().unwrap_or_default(), updates }
                }
                Body::Checkpoint => {
                    let missing = || EngineError::Unreadable { what: "checkpoint", reason: "it is missing".to_owned() };
                    let record = self.record_of(step, &mut known).await?.ok_or_else(missing)?;
                    EventBody::Checkpoint { id: record.id.clone(), next: codec::frontier(record)?.nodes() }
                }
            };
            events.push(Event { run: self.run.clone(), seq, epoch, at, step, node, body });
        }
        Ok(events)
    }

    async fn record_of<'a>(
        &self,
        step: u64,
        known: &'a mut BTreeMap<u64, Option<CheckpointRecord>>,
    ) -> Result<Option<&'a CheckpointRecord>, EngineError> {
        let record = match known.entry(step) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unknown) => unknown.insert(self.engine.inner.store.checkpoint_at(&self.run, step).await?),
        };
        Ok(record.as_ref())
    }

    async fn updates(&self, record: Option<&CheckpointRecord>, task: &TaskId) -> Result<Value, EngineError> {
        let wrote: Vec<Wrote<Value>> = record.map(codec::wrote).transpose()?.unwrap_or_default();
        match wrote.into_iter().find(|wrote| wrote.task.as_ref() == Some(task)) {
            Some(wrote) => Ok(Value::Array(wrote.updates)),
            None => self.open_task(task).await,
        }
    }

    /// The updates of a task whose superstep is not over.
    async fn open_task(&self, task: &TaskId) -> Result<Value, EngineError> {
        let Some(record) = self.engine.inner.store.task(&self.run, task).await? else { return Ok(Value::Null) };
        let outcome: Value =
            serde_json::from_slice(&record.outcome).map_err(crate::error::unreadable("task outcome"))?;
        Ok(outcome.get("updates").cloned().unwrap_or_default())
    }
}
