//! What observers of a run see, and how it is stored.
//!
//! Events are stored in chunks, one for each commit. Text deltas that follow one another are folded together, and what the
//! checkpoint of the step knows — a task's updates, the next nodes — is not stored a second time but filled in on reading.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{CheckpointId, Interrupt, RunError, RunId, RunStatus, TaskId};

/// Something that happened in a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// The run.
    pub run: RunId,
    /// Its number in the run, from 1, rising by one.
    pub seq: u64,
    /// The attempt that made it. After a crash the numbers of events that were seen but never stored are given again, with a
    /// higher epoch.
    pub epoch: u32,
    /// When it happened.
    pub at: Timestamp,
    /// The checkpoint number that its superstep makes.
    pub step: u64,
    /// The node it comes from, if it comes from one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<String>,
    /// What happened.
    pub body: EventBody,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum EventBody {
    /// The run began.
    RunStarted,
    /// Another attempt took the run on, after a crash, an answer or a raised limit. What was seen of an unfinished superstep
    /// before it, and not stored, is void.
    RunResumed {
        /// The attempt.
        epoch: u32,
    },
    /// A task began.
    TaskStarted {
        /// The task.
        task: TaskId,
        /// Its node.
        node: String,
    },
    /// A task failed and is tried again.
    TaskRetried {
        /// The task.
        task: TaskId,
        /// The attempt that failed, from 1.
        attempt: u32,
        /// Why.
        error: RunError,
    },
    /// A task finished.
    TaskFinished {
        /// The task.
        task: TaskId,
        /// Its node.
        node: String,
        /// Its updates, an array.
        #[serde(default)]
        updates: Value,
    },
    /// More text of a message.
    MessageDelta {
        /// The message.
        message: String,
        /// The text that is added.
        text: String,
    },
    /// The text of a message so far is void; it starts over.
    MessageRestarted {
        /// The message.
        message: String,
    },
    /// Something that a node says in its own words.
    Custom {
        /// What it is.
        name: String,
        /// What it says.
        data: Value,
    },
    /// A superstep was committed.
    Checkpoint {
        /// The checkpoint.
        id: CheckpointId,
        /// The nodes that run next.
        next: Vec<String>,
    },
    /// The run waits for answers.
    Interrupted {
        /// The questions.
        interrupts: Vec<Interrupt>,
    },
    /// The run is over.
    RunFinished {
        /// How it ended.
        status: RunStatus,
        /// Why, if it failed.
        error: Option<RunError>,
    },
}

impl Event {
    /// The subgraphs that it comes from, the outermost first; none for the graph itself.
    #[must_use]
    pub fn namespace(&self) -> Vec<&str> {
        let mut parts: Vec<&str> = self.node.as_deref().unwrap_or_default().split('/').collect();
        parts.pop();
        parts
    }
}

impl EventBody {
    /// An event in a node's own words.
    pub fn custom(name: impl Into<String>, data: Value) -> Self {
        Self::Custom { name: name.into(), data }
    }

    /// Its name, as in the `type` field of its JSON.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::RunStarted => "run_started",
            Self::RunResumed { .. } => "run_resumed",
            Self::TaskStarted { .. } => "task_started",
            Self::TaskRetried { .. } => "task_retried",
            Self::TaskFinished { .. } => "task_finished",
            Self::MessageDelta { .. } => "message_delta",
            Self::MessageRestarted { .. } => "message_restarted",
            Self::Custom { .. } => "custom",
            Self::Checkpoint { .. } => "checkpoint",
            Self::Interrupted { .. } => "interrupted",
            Self::RunFinished { .. } => "run_finished",
        }
    }
}

/// A stored chunk. Its items stand for one or more events each, and say only what the one before them did not.
#[derive(Serialize, Deserialize)]
struct Chunk {
    v: u8,
    epoch: u32,
    /// Milliseconds of the first event since 1970.
    at: i64,
    items: Vec<Item>,
}

#[derive(Serialize, Deserialize)]
struct Item {
    /// Milliseconds after the chunk's time.
    #[serde(default, skip_serializing_if = "is_zero")]
    o: i64,
    /// The step, if it is another than that of the item before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    s: Option<u64>,
    /// The node.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    n: Option<String>,
    #[serde(flatten)]
    what: What,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference over")]
fn is_zero(number: &i64) -> bool {
    *number == 0
}

#[derive(Serialize, Deserialize)]
enum What {
    /// One event as it is.
    #[serde(rename = "e")]
    Whole(EventBody),
    /// Deltas of one message that follow one another.
    #[serde(rename = "d")]
    Deltas { m: String, x: Vec<String> },
    /// The item's node began a task.
    #[serde(rename = "b")]
    Began(TaskId),
    /// The item's node finished a task; its updates are in the step's checkpoint.
    #[serde(rename = "f")]
    Finished(TaskId),
    /// The step's checkpoint was written.
    #[serde(rename = "c")]
    Checkpoint(u8),
}

/// A stored event; what the checkpoint of its step knows is to be filled in.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Stored {
    pub(crate) seq: u64,
    pub(crate) epoch: u32,
    pub(crate) at: Timestamp,
    pub(crate) step: u64,
    pub(crate) node: Option<String>,
    pub(crate) body: Body,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Body {
    Whole(EventBody),
    Finished(TaskId),
    Checkpoint,
}

/// Encodes consecutive events.
pub(crate) fn encode(epoch: u32, events: &[Event]) -> Result<Vec<u8>, serde_json::Error> {
    let at = events.first().map_or(0, |event| event.at.as_millisecond());
    let mut items: Vec<Item> = Vec::with_capacity(events.len());
    let mut step = None;
    for event in events {
        let s = (step != Some(event.step)).then_some(event.step);
        step = Some(event.step);
        let what = match &event.body {
            EventBody::MessageDelta { message, text } => {
                if let Some(Item { n, what: What::Deltas { m, x }, .. }) = items.last_mut()
                    && (m == message && *n == event.node && s.is_none())
                {
                    x.push(text.clone());
                    continue;
                }
                What::Deltas { m: message.clone(), x: vec![text.clone()] }
            }
            EventBody::TaskStarted { task, node } if event.node.as_ref() == Some(node) => What::Began(task.clone()),
            EventBody::TaskFinished { task, node, .. } if event.node.as_ref() == Some(node) => {
                What::Finished(task.clone())
            }
            EventBody::Checkpoint { .. } => What::Checkpoint(1),
            body => What::Whole(body.clone()),
        };
        items.push(Item { o: event.at.as_millisecond() - at, s, n: event.node.clone(), what });
    }
    serde_json::to_vec(&Chunk { v: 1, epoch, at, items })
}

/// The attempt that made a chunk.
pub(crate) fn epoch(bytes: &[u8]) -> Result<u32, serde_json::Error> {
    #[derive(Deserialize)]
    struct Head {
        epoch: u32,
    }
    serde_json::from_slice::<Head>(bytes).map(|head| head.epoch)
}

/// Decodes a chunk whose first event has the number `first`.
pub(crate) fn decode(first: u64, bytes: &[u8]) -> Result<Vec<Stored>, serde_json::Error> {
    let chunk: Chunk = serde_json::from_slice(bytes)?;
    let mut events = Vec::with_capacity(chunk.items.len());
    let (mut seq, mut step) = (first, 0);
    for Item { o, s, n: node, what } in chunk.items {
        step = s.unwrap_or(step);
        let at = Timestamp::from_millisecond(chunk.at.saturating_add(o)).unwrap_or_default();
        let mut push = |node: Option<String>, body| {
            events.push(Stored { seq, epoch: chunk.epoch, at, step, node, body });
            seq += 1;
        };
        match what {
            What::Whole(body) => push(node, Body::Whole(body)),
            What::Deltas { m, x } => {
                for text in x {
                    push(node.clone(), Body::Whole(EventBody::MessageDelta { message: m.clone(), text }));
                }
            }
            What::Began(task) => {
                let began = EventBody::TaskStarted { task, node: node.clone().unwrap_or_default() };
                push(node, Body::Whole(began));
            }
            What::Finished(task) => push(node, Body::Finished(task)),
            What::Checkpoint(_) => push(node, Body::Checkpoint),
        }
    }
    Ok(events)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(seq: u64, body: EventBody) -> Event {
        let run = "run_1".parse().unwrap();
        Event { run, seq, epoch: 2, at: Timestamp::from_second(9).unwrap(), step: 4, node: Some("agent".into()), body }
    }

    #[test]
    fn a_chunk_folds_deltas_keeps_their_numbers_and_leaves_to_the_checkpoint_what_that_knows() {
        let delta = |message: &str, text: &str| EventBody::MessageDelta { message: message.into(), text: text.into() };
        let (task, node) = (TaskId::at(3, 0), "agent".to_owned());
        let bodies = [
            EventBody::TaskStarted { task: task.clone(), node: node.clone() },
            delta("m", "he"),
            delta("m", "llo"),
            delta("k", "x"),
            EventBody::custom("null", Value::Null),
            EventBody::TaskFinished { task: task.clone(), node, updates: serde_json::json!(["long"]) },
            EventBody::Checkpoint { id: CheckpointId::fresh(), next: Vec::new() },
        ];
        let events: Vec<Event> = bodies.into_iter().zip(7..).map(|(body, seq)| event(seq, body)).collect();
        let bytes = encode(2, &events).unwrap();
        let stored = decode(7, &bytes).unwrap();
        assert_eq!(stored.len(), events.len());
        for (stored, event) in stored.iter().zip(&events) {
            let head = (stored.seq, stored.epoch, stored.at, stored.step, &stored.node);
            assert_eq!(head, (event.seq, event.epoch, event.at, event.step, &event.node));
            match &event.body {
                EventBody::TaskFinished { .. } => assert_eq!(stored.body, Body::Finished(task.clone())),
                EventBody::Checkpoint { .. } => assert_eq!(stored.body, Body::Checkpoint),
                body => assert_eq!(stored.body, Body::Whole(body.clone())),
            }
        }
        assert_eq!(epoch(&bytes).unwrap(), 2);
        let text = String::from_utf8(bytes).unwrap();
        assert!(text.contains(r#""x":["he","llo"]"#) && !text.contains("long") && text.len() < 300, "{text}");
    }
}
