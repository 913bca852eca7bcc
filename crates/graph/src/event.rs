//! What observers of a run see, and how it is stored.
//!
//! Events are stored in chunks, one for each commit. Text deltas that follow one another are folded together, and the updates of
//! a finished task are not stored a second time: they are in its checkpoint, from which they are filled in on reading.

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

/// A stored chunk: version, epoch, and items that stand for one or more events each.
#[derive(Serialize, Deserialize)]
struct Chunk {
    v: u8,
    epoch: u32,
    items: Vec<Item>,
}

#[derive(Serialize, Deserialize)]
struct Item {
    /// Milliseconds since the epoch.
    t: i64,
    s: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    n: Option<String>,
    #[serde(flatten)]
    what: What,
}

#[derive(Serialize, Deserialize)]
enum What {
    /// One event.
    #[serde(rename = "e")]
    Event(EventBody),
    /// Deltas of one message that follow one another.
    #[serde(rename = "d")]
    Deltas { m: String, x: Vec<String> },
}

/// Encodes consecutive events.
pub(crate) fn encode(epoch: u32, events: &[Event]) -> Result<Vec<u8>, serde_json::Error> {
    let mut items: Vec<Item> = Vec::with_capacity(events.len());
    for event in events {
        let (t, s, n) = (event.at.as_millisecond(), event.step, event.node.clone());
        let what = match &event.body {
            EventBody::MessageDelta { message, text } => {
                if let Some(Item { s: step, n: node, what: What::Deltas { m, x }, .. }) = items.last_mut()
                    && (m == message && *step == s && *node == n)
                {
                    x.push(text.clone());
                    continue;
                }
                What::Deltas { m: message.clone(), x: vec![text.clone()] }
            }
            EventBody::TaskFinished { task, node, .. } => {
                What::Event(EventBody::TaskFinished { task: task.clone(), node: node.clone(), updates: Value::Null })
            }
            body => What::Event(body.clone()),
        };
        items.push(Item { t, s, n, what });
    }
    serde_json::to_vec(&Chunk { v: 1, epoch, items })
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
pub(crate) fn decode(run: &RunId, first: u64, bytes: &[u8]) -> Result<Vec<Event>, serde_json::Error> {
    let chunk: Chunk = serde_json::from_slice(bytes)?;
    let mut events = Vec::with_capacity(chunk.items.len());
    let mut seq = first;
    for Item { t, s, n, what } in chunk.items {
        let at = Timestamp::from_millisecond(t).unwrap_or_default();
        let mut push = |node: Option<String>, body| {
            events.push(Event { run: run.clone(), seq, epoch: chunk.epoch, at, step: s, node, body });
            seq += 1;
        };
        match what {
            What::Event(body) => push(n, body),
            What::Deltas { m, x } => {
                for text in x {
                    push(n.clone(), EventBody::MessageDelta { message: m.clone(), text });
                }
            }
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
    fn a_chunk_folds_deltas_keeps_their_numbers_and_leaves_updates_to_the_checkpoint() {
        let delta = |message: &str, text: &str| EventBody::MessageDelta { message: message.into(), text: text.into() };
        let finished = |updates| EventBody::TaskFinished { task: TaskId::at(3, 0), node: "agent".into(), updates };
        let bodies = [
            delta("m", "he"),
            delta("m", "llo"),
            delta("k", "x"),
            EventBody::custom("null", Value::Null),
            delta("k", "y"),
            finished(Value::Null),
        ];
        let events: Vec<Event> = bodies.into_iter().zip(7..).map(|(body, seq)| event(seq, body)).collect();
        let mut given = events.clone();
        given[5].body = finished(serde_json::json!(["long"]));
        let bytes = encode(2, &given).unwrap();
        assert_eq!(decode(&events[0].run, 7, &bytes).unwrap(), events);
        let text = String::from_utf8(bytes).unwrap();
        assert!(text.contains(r#""x":["he","llo"]"#) && !text.contains("long"), "{text}");
    }
}
