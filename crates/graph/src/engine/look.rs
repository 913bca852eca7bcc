//! A run as people look at it: the way it took through its graph, what it waits for, what it did outside.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::query::CheckpointView;
use super::{Engine, codec};
use crate::error::unreadable;
use crate::shape::GraphShape;
use crate::store::{CheckpointRecord, EffectRecord};
use crate::{CheckpointId, EngineError, RunId, RunRow, RunStatus, START, TaskId, ThreadId};

/// The way of a run through its graph.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Way {
    /// How many tasks of each node finished.
    pub visits: BTreeMap<String, u32>,
    /// The lines that were taken.
    pub taken: Vec<TakenLine>,
    /// The nodes that run next; none when the run reached its end.
    pub next: Vec<String>,
    /// The nodes that wait for an answer.
    pub waiting: Vec<String>,
}

/// A line of a graph that a run took.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TakenLine {
    /// Where it begins.
    pub from: String,
    /// Where it leads.
    pub to: String,
    /// In how many supersteps.
    pub times: u32,
}

/// A question that a run waits on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Question {
    /// Under which id it is answered.
    pub id: String,
    /// The node that reads the answer.
    pub node: String,
    /// The task that reads it.
    pub task: TaskId,
    /// What is asked.
    pub payload: Value,
    /// JSON Schema of the answer, if it has one.
    pub schema: Option<Value>,
}

/// An effect in the journal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EffectView {
    /// Its full key, for [`Engine::settle_effect`].
    pub key: String,
    /// What it is.
    pub name: String,
    /// What it is known by.
    pub facts: Vec<String>,
    /// The run that started it.
    pub run: RunId,
    /// When it was started.
    pub started: Timestamp,
    /// Whether it has no result: it is under way, or its outcome is not known.
    pub open: bool,
    /// Its result.
    pub result: Option<Value>,
}

impl EffectView {
    fn of(record: EffectRecord) -> Result<Self, EngineError> {
        let mut parts = serde_json::from_str::<Vec<String>>(&record.key).map_err(unreadable("effect key"))?.into_iter();
        let name = parts.by_ref().nth(1).unwrap_or_default();
        let result = record.result.as_deref().map(serde_json::from_slice).transpose().map_err(unreadable("effect"))?;
        let (facts, open) = (parts.collect(), record.result.is_none());
        Ok(Self { key: record.key, name, facts, run: record.run, started: record.started, open, result })
    }
}

/// A checkpoint with the state it left and the one it found.
#[derive(Debug, Clone, PartialEq)]
pub struct StepView {
    /// The checkpoint.
    pub checkpoint: CheckpointView,
    /// When the checkpoint before it was made.
    pub earlier: Option<Timestamp>,
    /// The state before it; `null` when there was none or it is no longer kept.
    pub before: Value,
    /// The state after it.
    pub state: Value,
}

/// How many checkpoints are read at once.
const READ: usize = 256;

impl Engine {
    /// The checkpoints that a run made, the oldest first, at most `limit`, with numbers above `after`.
    ///
    /// # Errors
    /// The store's failure.
    pub async fn run_steps(
        &self,
        run: &RunId,
        after: Option<u64>,
        limit: usize,
    ) -> Result<Vec<CheckpointView>, EngineError> {
        self.inner.store.run_checkpoints(run, after, limit).await?.iter().map(CheckpointView::of).collect()
    }

    /// The newest checkpoint that a run made.
    ///
    /// # Errors
    /// The store's failure.
    pub async fn last_step(&self, run: &RunId) -> Result<Option<CheckpointId>, EngineError> {
        let (mut after, mut newest) = (None, None);
        loop {
            let records = self.inner.store.run_checkpoints(run, after, READ).await?;
            let Some(last) = records.last() else { return Ok(newest) };
            (after, newest) = (Some(last.step), Some(last.id.clone()));
        }
    }

    /// A checkpoint of a thread with the states around it.
    ///
    /// # Errors
    /// [`EngineError::CheckpointNotFound`], [`EngineError::NoGraph`] or the store's failure.
    pub async fn step_json(&self, thread: &ThreadId, id: &CheckpointId) -> Result<StepView, EngineError> {
        let record = self.checkpoint_of(thread, id).await?;
        let row = self.inner.store.thread(thread).await?.ok_or_else(|| EngineError::ThreadNotFound(thread.clone()))?;
        let program = self.inner.program(&row.agent)?;
        let earlier = match record.parent.as_ref().or(record.origin.as_ref()) {
            Some(parent) => self.inner.store.checkpoint(parent).await?,
            None => None,
        };
        let at = earlier.as_ref().map(|earlier| earlier.at);
        let before = match earlier {
            Some(earlier) => program.state_json(self.inner.clone(), Some(earlier.id)).await?,
            None => Value::Null,
        };
        let state = program.state_json(self.inner.clone(), Some(record.id.clone())).await?;
        Ok(StepView { checkpoint: CheckpointView::of(&record)?, earlier: at, before, state })
    }

    /// The way of a run through the graph of that shape, which is usually the one registered under its agent's name.
    ///
    /// # Errors
    /// The store's failure, or something stored that cannot be read.
    pub async fn way(&self, run: &RunRow, shape: &GraphShape) -> Result<Way, EngineError> {
        let mut tracks = Tracks { shape, way: Way::default(), carried: Vec::new() };
        let mut after = None;
        loop {
            let records = self.inner.store.run_checkpoints(&run.id, after, READ).await?;
            for record in &records {
                tracks.follow(record)?;
            }
            match records.last() {
                Some(last) if records.len() == READ => after = Some(last.step),
                _ => break,
            }
        }
        let mut way = tracks.way;
        if run.status == RunStatus::Done {
            way.next = Vec::new();
        }
        way.waiting = self.questions(run).await?.into_iter().map(|question| question.node).collect();
        Ok(way)
    }

    /// What a parked run waits for; nothing for a run that is not parked.
    ///
    /// # Errors
    /// The store's failure, or something stored that cannot be read.
    pub async fn questions(&self, run: &RunRow) -> Result<Vec<Question>, EngineError> {
        if run.status != RunStatus::Interrupted {
            return Ok(Vec::new());
        }
        let thread = self.inner.store.thread(&run.thread).await?;
        let head = thread.filter(|thread| thread.last_run.as_ref() == Some(&run.id)).and_then(|thread| thread.head);
        let Some(head) = head else { return Ok(Vec::new()) };
        let Some(record) = self.inner.store.checkpoint(&head).await? else { return Ok(Vec::new()) };
        let mut questions = Vec::new();
        for task in codec::frontier(&record)?.tasks {
            let (node, id) = (task.node, task.id);
            questions.extend(task.waits.into_iter().map(|asked| Question {
                id: asked.id,
                node: node.clone(),
                task: id.clone(),
                payload: asked.payload,
                schema: asked.schema,
            }));
        }
        Ok(questions)
    }

    /// The effects that a run started, the oldest first. One that another run had started before under the same key is
    /// listed there.
    ///
    /// # Errors
    /// The store's failure.
    pub async fn effects_of(&self, run: &RunId, limit: usize) -> Result<Vec<EffectView>, EngineError> {
        self.inner.store.run_effects(run, limit).await?.into_iter().map(EffectView::of).collect()
    }

    /// What the journal has of an effect.
    ///
    /// # Errors
    /// The store's failure.
    pub async fn effect_of_key(&self, key: &str) -> Result<Option<EffectView>, EngineError> {
        self.inner.store.effect(key).await?.map(EffectView::of).transpose()
    }
}

/// Follows a run's checkpoints over the lines of its graph.
struct Tracks<'a> {
    shape: &'a GraphShape,
    way: Way,
    /// Nodes that finished in a superstep which still waited for an answer.
    carried: Vec<String>,
}

impl Tracks<'_> {
    fn follow(&mut self, record: &CheckpointRecord) -> Result<(), EngineError> {
        let frontier = codec::frontier(record)?;
        let next: BTreeSet<String> = frontier.nodes().into_iter().chain(frontier.deferred.iter().cloned()).collect();
        let mut from: BTreeSet<String> = BTreeSet::new();
        if record.source == "input" {
            from.insert(START.to_owned());
        } else if record.source == "step" || record.source == "stop" {
            for task in codec::wrote::<Value>(record)?.into_iter().filter(|task| task.task.is_some()) {
                *self.way.visits.entry(task.node.clone()).or_default() += 1;
                from.insert(task.node);
            }
        }
        let goes_on = frontier.carried.is_empty();
        if goes_on {
            from.extend(std::mem::take(&mut self.carried));
            let over = next.is_empty();
            for line in &self.shape.edges {
                let reached = next.contains(&line.to) || (over && line.to == crate::END);
                if reached && from.contains(&line.from) {
                    self.take(&line.from, &line.to);
                }
            }
        } else {
            self.carried = frontier.carried.iter().map(|departure| departure.node.clone()).collect();
        }
        self.way.next = frontier.nodes();
        Ok(())
    }

    fn take(&mut self, from: &str, to: &str) {
        match self.way.taken.iter_mut().find(|line| line.from == from && line.to == to) {
            Some(line) => line.times += 1,
            None => self.way.taken.push(TakenLine { from: from.to_owned(), to: to.to_owned(), times: 1 }),
        }
    }
}
