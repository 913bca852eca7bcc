//! A small state, and graphs over it that the tests share.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::Mutex;

use futures::StreamExt;
use mercer_graph::{
    Agent, ApplyError, Ctx, Engine, EngineOptions, Event, EventBody, MemoryStore, NewThread, NodeError, RunId, State,
    Step, ThreadId,
};
use serde::{Deserialize, Serialize};

/// What happened, in order.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Log {
    pub(crate) lines: Vec<String>,
    pub(crate) choice: Option<String>,
    pub(crate) open_call: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) enum Update {
    Line(String),
    Choice(String),
    Call,
    Result,
    Refused,
}

impl State for Log {
    type Update = Update;

    fn apply(&mut self, update: Update) -> Result<(), ApplyError> {
        match update {
            Update::Line(line) => self.lines.push(line),
            Update::Choice(choice) => self.choice = Some(choice),
            Update::Call => self.open_call = true,
            Update::Result => self.open_call = false,
            Update::Refused => return Err(ApplyError::new("never valid")),
        }
        Ok(())
    }

    fn repair(&self) -> Vec<Update> {
        if self.open_call { vec![Update::Line("repaired".into()), Update::Result] } else { Vec::new() }
    }

    fn slot(update: &Update) -> Option<Cow<'static, str>> {
        matches!(update, Update::Choice(_)).then_some(Cow::Borrowed("choice"))
    }
}

/// Services of the tests' nodes: what happened outside, counted.
#[derive(Debug, Clone, Default)]
pub(crate) struct World {
    pub(crate) outside: Arc<Mutex<Vec<String>>>,
}

impl World {
    pub(crate) fn note(&self, what: impl Into<String>) {
        self.outside.lock().unwrap().push(what.into());
    }

    pub(crate) fn noted(&self) -> Vec<String> {
        self.outside.lock().unwrap().clone()
    }
}

pub(crate) fn line(text: impl Into<String>) -> Update {
    Update::Line(text.into())
}

pub(crate) type Made = Result<Step<Log>, NodeError>;

/// A node that writes its own name.
pub(crate) fn says(
    name: &'static str,
) -> impl Fn(Ctx<World>, Arc<Log>) -> std::future::Ready<Made> + Send + Sync + 'static {
    move |_, _| std::future::ready(Ok(Step::update(line(name))))
}

pub(crate) fn engine() -> (Engine, MemoryStore) {
    let store = MemoryStore::new();
    (Engine::new(store.clone(), EngineOptions::default()), store)
}

pub(crate) async fn thread(agent: &Agent<Log>) -> ThreadId {
    let new = NewThread { tenant: "default".into(), agent: agent.name().to_owned(), ..NewThread::default() };
    agent.engine().create_thread(new).await.unwrap()
}

pub(crate) async fn lines(agent: &Agent<Log>, thread: &ThreadId) -> Vec<String> {
    agent.state(thread).await.unwrap().unwrap().state.lines
}

pub(crate) async fn events(engine: &Engine, run: &RunId, after: u64) -> Vec<Event> {
    engine.events(run, after).map(|event| event.unwrap()).collect().await
}

pub(crate) fn kinds(events: &[Event]) -> Vec<&'static str> {
    events.iter().map(|event| event.body.kind()).collect()
}

pub(crate) fn texts(events: &[Event]) -> String {
    let text = |event: &Event| match &event.body {
        EventBody::MessageDelta { text, .. } => Some(text.clone()),
        _ => None,
    };
    events.iter().filter_map(text).collect()
}
