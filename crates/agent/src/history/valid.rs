//! Repairing a conversation.
//!
//! The rules that every provider shares: instructions come first and once; a call is followed directly by exactly one
//! result; a result without its call is not there; the first to speak is the person; the same role does not speak twice
//! in a row (tool results apart); no message is empty.

use mercer_model::{Message, Part, Role, ToolCall};

/// What stands for a result that was never stored.
const INTERRUPTED: &str = r#"{"error":"unavailable","message":"The call was interrupted; its result is not known."}"#;
/// What stands for the person's opening of a conversation that began with the assistant.
const OPENING: &str = "…";

/// The conversation, repaired. A valid one comes back unchanged; repairing twice changes nothing.
#[must_use]
pub fn valid(messages: Vec<Message>) -> Vec<Message> {
    let mut results = Vec::new();
    let mut system: Option<Message> = None;
    let mut spoken = Vec::new();
    for (at, message) in messages.into_iter().enumerate() {
        match message.role {
            Role::System => merge_system(&mut system, message),
            Role::Tool => results.push((at, message)),
            Role::User | Role::Assistant => spoken.push((at, message)),
        }
    }
    let mut out = Vec::with_capacity(spoken.len() + results.len() + 1);
    out.extend(system);
    let until = spoken.iter().skip(1).map(|(at, _)| *at).chain([usize::MAX]).collect::<Vec<_>>();
    let next_assistant = next_assistants(&spoken);
    for (((at, message), _), limit) in spoken.into_iter().zip(until).zip(next_assistant) {
        speak(&mut out, message, |id| take_result(&mut results, id, at, limit));
    }
    out
}

/// Whether providers accept the conversation as it is.
#[must_use]
pub fn is_valid(messages: &[Message]) -> bool {
    valid(messages.to_vec()) == messages
}

/// For each message the place of the next assistant message that calls tools: results up to there are this one's.
fn next_assistants(spoken: &[(usize, Message)]) -> Vec<usize> {
    let mut next = usize::MAX;
    let mut out = Vec::with_capacity(spoken.len());
    for (at, message) in spoken.iter().rev() {
        out.push(next);
        if !message.tool_calls.is_empty() {
            next = *at;
        }
    }
    out.reverse();
    out
}

fn merge_system(system: &mut Option<Message>, message: Message) {
    if message.text().trim().is_empty() {
        return;
    }
    match system {
        Some(first) => first.parts.extend(message.parts),
        None => *system = Some(message),
    }
}

fn take_result(results: &mut Vec<(usize, Message)>, id: &str, after: usize, before: usize) -> Option<Message> {
    let at = results
        .iter()
        .position(|(at, result)| *at > after && *at < before && result.tool_call_id.as_deref() == Some(id))?;
    Some(results.remove(at).1)
}

fn speak(out: &mut Vec<Message>, mut message: Message, mut result: impl FnMut(&str) -> Option<Message>) {
    message.tool_call_id = None;
    message.parts.retain(|part| !matches!(part, Part::Text(text) if text.trim().is_empty()));
    if message.role == Role::User {
        message.tool_calls.clear();
    }
    if message.parts.is_empty() && message.tool_calls.is_empty() {
        return;
    }
    let calls = message.tool_calls.iter().map(|call| call.id.clone()).collect::<Vec<_>>();
    unique_ids(&mut message.tool_calls);
    let answers = calls.iter().zip(&message.tool_calls).map(|(id, call)| answer(call, result(id))).collect::<Vec<_>>();
    if message.role == Role::Assistant && !out.iter().any(|message| message.role != Role::System) {
        out.push(Message::user(OPENING));
    }
    match out.last_mut() {
        Some(last) if last.role == message.role && last.tool_calls.is_empty() => {
            last.parts.extend(message.parts);
            last.tool_calls = message.tool_calls;
            last.reasoning = message.reasoning.or_else(|| last.reasoning.take());
        }
        _ => out.push(message),
    }
    out.extend(answers);
}

fn answer(call: &ToolCall, result: Option<Message>) -> Message {
    let mut result = result.unwrap_or_else(|| Message::tool(&call.id, INTERRUPTED));
    if result.text().trim().is_empty() {
        result.parts = vec![Part::Text(INTERRUPTED.to_owned())];
    }
    result.tool_call_id = Some(call.id.clone());
    result.tool_calls.clear();
    result.name = Some(call.name.clone());
    result
}

/// Ids that are missing or repeated within a message get a number.
fn unique_ids(calls: &mut [ToolCall]) {
    for i in 0..calls.len() {
        let (before, rest) = calls.split_at_mut(i);
        let Some(call) = rest.first_mut() else { continue };
        let mut n = i;
        while call.id.is_empty() || before.iter().any(|earlier| earlier.id == call.id) {
            call.id = format!("call_{n}");
            n += 1;
        }
    }
}
