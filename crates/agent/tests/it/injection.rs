//! What must hold when somebody writes an attack into a text.

use std::{fs, path::PathBuf};

use mercer_agent::react::{Prompt, Protocol};
use mercer_agent::{FailureKind, Lang, Principal, React, ToolError, ToolResult, quote};
use mercer_model::{Message, Role, ToolCall};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::support::{ctx, registry};

#[derive(Debug, Deserialize)]
struct Case {
    id: String,
    payload: String,
}

fn cases() -> Vec<Case> {
    let shared = std::env::var_os("MERCER_SHARED")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from);
    let Ok(text) = fs::read_to_string(shared.join("cases/injection.jsonl")) else {
        eprintln!("SKIPPED: {} is not there", shared.join("cases/injection.jsonl").display());
        return Vec::new();
    };
    text.lines().map(|line| serde_json::from_str(line).expect("each line is a case")).collect()
}

#[test]
fn what_a_person_writes_stays_one_quoted_field_under_the_json_protocol() {
    for case in cases() {
        let request = React::default().with_protocol(Protocol::Json).request(Prompt {
            system: "You sell lamps.".into(),
            history: vec![Message::user(&case.payload)],
            tools: registry().definitions(Lang::En),
            purpose: "test",
        });
        assert_eq!(
            request.messages.iter().map(|m| m.role).collect::<Vec<_>>(),
            [Role::System, Role::User],
            "{}",
            case.id
        );
        let said: Value = serde_json::from_str(&request.messages[1].text()).expect("one object");
        assert_eq!(said.as_object().unwrap().keys().collect::<Vec<_>>(), ["customer"], "{}", case.id);
        assert!(!request.messages[0].text().contains(&case.payload), "{}", case.id);
    }
}

#[test]
fn what_a_record_holds_reaches_the_model_inside_its_result_and_without_hidden_characters() {
    for case in cases() {
        let result = ToolResult {
            call_id: "c".into(),
            name: "query_order".into(),
            arguments: json!({}),
            outcome: Ok(json!({ "note": case.payload })),
            took_ms: 1,
        };
        let shown: Value = serde_json::from_str(&result.for_model(6_000)).expect("the result stays JSON");
        let note = shown["note"].as_str().unwrap();
        assert!(
            !note
                .chars()
                .any(|c| matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}')),
            "{}",
            case.id
        );
        assert_eq!(note, quote::clean(&case.payload, 10_000), "{}", case.id);
    }
}

#[test]
fn a_services_error_text_never_reaches_the_model() {
    for case in cases() {
        let failure = ToolError::of(FailureKind::Unavailable).for_operator(&case.payload).into_failure();
        assert!(!failure.model_text.contains(&case.payload), "{}", case.id);
        assert_eq!(failure.operator_text, case.payload, "{}", case.id);
    }
}

#[tokio::test]
async fn an_order_named_in_a_text_is_as_unknown_as_any_other_person_s() {
    for case in cases() {
        let call = ToolCall::new("c", "create_return", json!({ "order": "A-2", "reason": case.payload }).to_string());
        let refused = registry().call(&ctx(Principal::Customer("cus_1".into())), &call).await;
        assert!(!refused.is_ok(), "{}: an argument the tool does not have", case.id);
        let call = ToolCall::new("c", "create_return", json!({ "order": "A-2" }).to_string());
        let refused = registry().call(&ctx(Principal::Customer("cus_1".into())), &call).await.outcome.unwrap_err();
        assert_eq!(refused.kind, FailureKind::NotFound, "{}", case.id);
    }
}
