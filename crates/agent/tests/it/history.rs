//! Histories that providers accept.

use mercer_agent::history::{Budget, is_valid, tokens, valid, window};
use mercer_model::{Message, Role, ToolCall};
use proptest::prelude::*;

fn call(id: &str) -> ToolCall {
    ToolCall::new(id, "search", "{}")
}

/// The rules, written down a second time and naively.
fn check(messages: &[Message]) -> Result<(), String> {
    let mut open: Vec<String> = Vec::new();
    let mut last: Option<Role> = None;
    for (at, message) in messages.iter().enumerate() {
        let spoken = !message.text().trim().is_empty() || message.images().next().is_some();
        if !spoken && message.tool_calls.is_empty() {
            return Err(format!("{at}: empty"));
        }
        match message.role {
            Role::System if at > 0 => return Err(format!("{at}: instructions in the middle")),
            Role::System => {}
            Role::Tool => {
                let id = message.tool_call_id.clone().unwrap_or_default();
                let place = open.iter().position(|open| *open == id).ok_or(format!("{at}: orphan result {id}"))?;
                open.remove(place);
            }
            Role::User | Role::Assistant => {
                if !open.is_empty() {
                    return Err(format!("{at}: {open:?} have no result"));
                }
                if last == Some(message.role) && message.role == Role::User {
                    return Err(format!("{at}: twice the same role"));
                }
                if last.is_none_or(|role| role == Role::System) && message.role == Role::Assistant {
                    return Err(format!("{at}: the assistant speaks first"));
                }
                open = message.tool_calls.iter().map(|call| call.id.clone()).collect();
                let mut ids = open.clone();
                ids.sort();
                ids.dedup();
                if ids.len() != open.len() || ids.iter().any(String::is_empty) {
                    return Err(format!("{at}: ids {open:?}"));
                }
            }
        }
        last = Some(message.role);
    }
    if open.is_empty() { Ok(()) } else { Err(format!("{open:?} have no result at the end")) }
}

#[test]
fn a_call_without_its_result_gets_one_and_a_result_without_its_call_goes() {
    let messages = vec![
        Message::tool("zz", "orphan"),
        Message::user("hello"),
        Message::assistant("").with_tool_calls(vec![call("a"), call("b")]),
        Message::tool("b", "found b"),
        Message::user("are you there?"),
    ];
    let repaired = valid(messages);
    check(&repaired).unwrap();
    let texts = repaired.iter().map(Message::text).collect::<Vec<_>>();
    assert_eq!(texts[0], "hello");
    assert!(texts[2].contains("interrupted"), "{texts:?}");
    assert_eq!(texts[3], "found b");
    assert_eq!(texts[4], "are you there?");
}

#[test]
fn a_late_result_is_put_behind_its_call() {
    let repaired = valid(vec![
        Message::user("a"),
        Message::assistant("").with_tool_calls(vec![call("x")]),
        Message::user("b"),
        Message::tool("x", "found"),
    ]);
    assert_eq!(
        repaired.iter().map(|m| m.role).collect::<Vec<_>>(),
        [Role::User, Role::Assistant, Role::Tool, Role::User]
    );
    assert_eq!(repaired[2].text(), "found");
}

#[test]
fn instructions_come_first_and_once() {
    let repaired =
        valid(vec![Message::user("a"), Message::system("one"), Message::assistant("b"), Message::system("two")]);
    assert_eq!(repaired[0].role, Role::System);
    assert_eq!(repaired[0].text(), "one\ntwo");
    check(&repaired).unwrap();
}

#[test]
fn a_valid_conversation_is_left_alone() {
    let messages = vec![
        Message::system("s"),
        Message::user("a"),
        Message::assistant("").with_tool_calls(vec![call("x")]),
        Message { name: Some("search".into()), ..Message::tool("x", "r") },
        Message::assistant("b"),
    ];
    let mut messages = messages;
    messages[2].parts.clear();
    assert!(is_valid(&messages));
}

#[test]
fn a_window_keeps_the_head_and_whole_turns() {
    let mut messages = vec![Message::system("rules")];
    for i in 0..10 {
        messages.push(Message::user(format!("question {i}")));
        messages.push(Message::assistant("").with_tool_calls(vec![call("x")]));
        messages.push(Message::tool("x", "r"));
        messages.push(Message::assistant(format!("answer {i}")));
    }
    let by_count = window(messages.clone(), Budget::Messages(9));
    assert_eq!(by_count.kept.len(), 1 + 8);
    assert_eq!(by_count.kept[1].text(), "question 8");
    assert_eq!(by_count.fallen.len(), 32);
    let by_tokens = window(messages.clone(), Budget::Tokens(60));
    assert_eq!(by_tokens.kept[0].role, Role::System);
    assert_eq!(by_tokens.kept[1].role, Role::User);
    let tiny = window(messages, Budget::Tokens(1));
    assert!(tiny.over);
    assert_eq!(tiny.kept[1].text(), "question 9");
}

fn any_message() -> impl Strategy<Value = Message> {
    let id = || prop_oneof![Just(""), Just("a"), Just("b"), Just("c"), Just("call_0")];
    let text = prop_oneof![Just(""), Just(" "), Just("words"), Just("红色连衣裙")];
    (0..4_u8, text, prop::collection::vec(id(), 0..3), id()).prop_map(|(role, text, calls, answers)| match role {
        0 => Message::system(text),
        1 => Message::user(text),
        2 => Message::assistant(text).with_tool_calls(calls.into_iter().map(call).collect()),
        _ => Message::tool(answers, text),
    })
}

proptest! {
    #[test]
    fn any_history_becomes_valid_and_stays_so(messages in prop::collection::vec(any_message(), 0..30)) {
        let repaired = valid(messages);
        prop_assert!(check(&repaired).is_ok(), "{:?}\n{:#?}", check(&repaired), repaired);
        prop_assert_eq!(valid(repaired.clone()), repaired);
    }

    #[test]
    fn any_window_is_valid_and_within_its_budget(messages in prop::collection::vec(any_message(), 0..30), limit in 0..120_usize) {
        for budget in [Budget::Tokens(limit), Budget::Messages(limit)] {
            let shown = window(messages.clone(), budget);
            prop_assert!(check(&shown.kept).is_ok(), "{:?}", check(&shown.kept));
            if !shown.over && matches!(budget, Budget::Tokens(_)) && shown.kept.iter().any(|m| m.role != Role::System) {
                prop_assert!(shown.kept.iter().map(tokens).sum::<usize>() <= limit);
            }
        }
    }
}
