//! The calls of one turn: which may run now, which wait, and what each came to.
//!
//! Reads run in parallel first; then a person is asked about all calls that need it; then the writes run one by one in
//! the order in which the model made them.

use mercer_model::ToolCall;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Decision, Entry, Finish, Guard, Next, Phase, Poor, React};
use crate::{
    Lang, quote,
    tool::{FailureKind, Nature, ToolError, ToolResult, normalised, unknown_tool},
};

/// A call of the turn under way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Pending {
    call: ToolCall,
    key: String,
    nature: Nature,
    state: State,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub(super) enum State {
    /// May run.
    Ready,
    /// A person is to be asked.
    Asking,
    /// The same call stands earlier in this turn.
    Same { at: usize },
    /// It has its result.
    Returned { result: ToolResult },
}

/// What is to be done for the calls of a turn.
pub(super) fn next(pending: &[Pending]) -> Next {
    let calls = |wanted: fn(&Pending) -> bool| pending.iter().filter(move |p| wanted(p)).map(|p| p.call.clone());
    let reads = calls(|p| p.nature.is_read() && p.state == State::Ready).collect::<Vec<_>>();
    if !reads.is_empty() {
        return Next::CallTools(reads);
    }
    let asked = calls(|p| p.state == State::Asking).collect::<Vec<_>>();
    if !asked.is_empty() {
        return Next::AskPerson(asked);
    }
    Next::CallTools(calls(|p| p.state == State::Ready).take(1).collect())
}

/// Takes results of calls that were ready.
pub(super) fn take(pending: &mut [Pending], results: Vec<ToolResult>) {
    for result in results {
        if let Some(p) = pending.iter_mut().find(|p| p.state == State::Ready && p.call.id == result.call_id) {
            p.state = State::Returned { result };
        }
    }
}

/// Takes a person's decision.
pub(super) fn decide(pending: &mut [Pending], call_id: &str, decision: &Decision, lang: Lang) {
    let Some(p) = pending.iter_mut().find(|p| p.state == State::Asking && p.call.id == call_id) else { return };
    p.state = match decision {
        Decision::Approve => State::Ready,
        Decision::Decline { reason } => {
            let reason = reason.as_deref().map(|reason| quote::quoted(reason, 400)).unwrap_or_default();
            let text = lang.pick(
                format!("负责人没有同意这次操作，因此没有执行。{reason}"),
                format!("A person declined this call; it was not made. {reason}"),
            );
            let error = ToolError::new(FailureKind::Paused, text.trim_end());
            State::Returned { result: ToolResult::refused(&p.call.id, &p.call.name, arguments(&p.call), error) }
        }
    };
}

impl React {
    /// The model made calls.
    pub(super) fn called(&mut self, calls: Vec<ToolCall>, text: String, reasoning: Option<String>) {
        let calls = self.with_unique_ids(calls);
        self.log.push(Entry::Said { text, reasoning, calls: calls.clone() });
        let mut pending: Vec<Pending> = Vec::with_capacity(calls.len());
        for call in calls {
            let next = self.admit(call, &pending);
            pending.push(next);
        }
        self.phase = Phase::Acting { pending };
        self.settle();
    }

    /// Only an answer was asked for: the calls are refused and the loop ends.
    pub(super) fn refuse_all(&mut self, calls: Vec<ToolCall>, text: String, reasoning: Option<String>, guard: Guard) {
        let calls = self.with_unique_ids(calls);
        let refuse = |call: &ToolCall| {
            let error = ToolError::new(FailureKind::Unavailable, Poor::CallInsteadOfAnswer.complaint(self.lang));
            ToolResult::refused(&call.id, &call.name, arguments(call), error)
        };
        let results = calls.iter().map(refuse).collect();
        self.log.push(Entry::Said { text, reasoning, calls });
        self.log.push(Entry::Returned { results });
        self.phase = Phase::Done { finish: Finish::Exhausted { guard } };
    }

    /// Decides what becomes of one call.
    fn admit(&mut self, call: ToolCall, before: &[Pending]) -> Pending {
        self.spent.calls += 1;
        let Some(spec) = self.tools.iter().find(|spec| spec.name == call.name) else {
            return self.unknown(call);
        };
        let (nature, needs_approval) = (spec.nature, spec.needs_approval);
        let key = format!("{} {}", call.name, arguments(&call));
        let made = self.made.entry(key.clone()).or_insert(0);
        *made += 1;
        let often = *made > self.limits.identical;
        let state = if often {
            self.closing = Some(Guard::Identical);
            refused(
                &call,
                self.lang.pick(
                    "同样的调用已多次执行，请使用已有结果。",
                    "This call was made too often. Use its earlier result.",
                ),
            )
        } else if self.spent.calls > self.limits.calls {
            refused(
                &call,
                self.lang.pick("工具调用次数已用完。", "The number of tool calls for this message is used up."),
            )
        } else if let Some(at) = before.iter().position(|p| p.key == key) {
            State::Same { at }
        } else if let Some(result) = self.earlier(&key, &call) {
            State::Returned { result }
        } else if needs_approval {
            State::Asking
        } else {
            State::Ready
        };
        Pending { call, key, nature, state }
    }

    fn unknown(&mut self, call: ToolCall) -> Pending {
        self.spent.unknown += 1;
        if self.spent.unknown >= self.limits.unknown {
            self.doom = Some(Guard::UnknownTools);
        }
        let error = unknown_tool(&call.name, self.tools.iter().map(|spec| spec.name.as_str()), self.lang);
        let result = ToolResult::refused(&call.id, &call.name, Value::Null, error);
        Pending { key: String::new(), nature: Nature::Read, state: State::Returned { result }, call }
    }

    /// The result of the same call made before, as this call's.
    fn earlier(&self, key: &str, call: &ToolCall) -> Option<ToolResult> {
        let (entry, at) = *self.memo.get(key)?;
        let Some(Entry::Returned { results }) = self.log.get(entry) else { return None };
        let result = results.get(at)?;
        Some(ToolResult { call_id: call.id.clone(), took_ms: 0, ..result.clone() })
    }

    /// Closes the turn once every call has its result.
    pub(super) fn settle(&mut self) {
        if self.doom.is_some() || self.spent.wall > self.limits.wall {
            self.give_up_waiting();
        }
        let Phase::Acting { pending } = &mut self.phase else { return };
        let open = |p: &Pending| matches!(p.state, State::Ready | State::Asking);
        if pending.iter().any(open) {
            return;
        }
        let pending = std::mem::take(pending);
        let at = self.log.len();
        let mut results: Vec<ToolResult> = Vec::with_capacity(pending.len());
        for (place, p) in pending.into_iter().enumerate() {
            let result = match p.state {
                State::Returned { result } => result,
                State::Same { at } => match results.get(at) {
                    Some(first) => ToolResult { call_id: p.call.id.clone(), took_ms: 0, ..first.clone() },
                    None => interrupted(&p.call, self.lang),
                },
                State::Ready | State::Asking => interrupted(&p.call, self.lang),
            };
            self.remember(&p.key, p.nature, &result, (at, place));
            results.push(result);
        }
        self.log.push(Entry::Returned { results });
        self.phase = match self.doom {
            Some(guard) => Phase::Done { finish: Finish::Exhausted { guard } },
            None => Phase::Thinking,
        };
    }

    /// A read holds until something is written; a write holds for good. What failed in passing may be tried again, except
    /// a write whose result is not known.
    fn remember(&mut self, key: &str, nature: Nature, result: &ToolResult, place: (usize, usize)) {
        if key.is_empty() {
            return;
        }
        if !nature.is_read() {
            let specs = &self.tools;
            self.memo.retain(|key, _| {
                let name = key.split(' ').next().unwrap_or_default();
                specs.iter().any(|spec| spec.name == name && !spec.nature.is_read())
            });
        }
        let again = match &result.outcome {
            Ok(_) => false,
            Err(failure) if nature.is_read() => failure.kind.is_passing(),
            Err(failure) => matches!(failure.kind, FailureKind::Unavailable | FailureKind::Paused),
        };
        if !again {
            self.memo.insert(key.to_owned(), place);
        }
    }

    /// Nothing more is waited for: calls under way are answered as interrupted.
    pub(super) fn stop_waiting(&mut self) {
        self.give_up_waiting();
        self.settle();
    }

    fn give_up_waiting(&mut self) {
        let lang = self.lang;
        if let Phase::Acting { pending } = &mut self.phase {
            for p in pending.iter_mut().filter(|p| matches!(p.state, State::Ready | State::Asking)) {
                p.state = State::Returned { result: interrupted(&p.call, lang) };
            }
        }
    }

    /// Ids that are missing or were used before in this loop get a new one: results are told apart by them.
    fn with_unique_ids(&self, mut calls: Vec<ToolCall>) -> Vec<ToolCall> {
        let mut used = self.log.iter().flat_map(Entry::call_ids).map(str::to_owned).collect::<Vec<_>>();
        for call in &mut calls {
            let mut n = used.len();
            while call.id.is_empty() || used.contains(&call.id) {
                n += 1;
                call.id = format!("call_{n}");
            }
            used.push(call.id.clone());
        }
        calls
    }
}

impl Entry {
    fn call_ids(&self) -> impl Iterator<Item = &str> {
        let calls = match self {
            Self::Said { calls, .. } => calls.as_slice(),
            Self::Returned { .. } | Self::Note { .. } => &[],
        };
        calls.iter().map(|call| call.id.as_str())
    }
}

/// The arguments in the form in which calls are compared; text that is not JSON stands for itself.
fn arguments(call: &ToolCall) -> Value {
    let text = call.arguments.trim();
    if text.is_empty() {
        return Value::Object(serde_json::Map::new());
    }
    serde_json::from_str::<Value>(text).map_or_else(|_| Value::String(text.to_owned()), |value| normalised(&value))
}

fn refused(call: &ToolCall, text: &str) -> State {
    let error = ToolError::new(FailureKind::Unavailable, text);
    State::Returned { result: ToolResult::refused(&call.id, &call.name, arguments(call), error) }
}

fn interrupted(call: &ToolCall, lang: Lang) -> ToolResult {
    let text = lang.pick("这次调用被中断，结果未知。", "The call was interrupted; its result is not known.");
    ToolResult::refused(&call.id, &call.name, arguments(call), ToolError::new(FailureKind::Timeout, text))
}
