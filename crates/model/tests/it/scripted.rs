//! The scripted model and the fold.

use mercer_model::{
    ChatEvent, ChatReply, ChatRequest, FinishReason, Message, ModelError, Script, Scripted, ToolCall, complete,
};

fn ask() -> ChatRequest {
    ChatRequest::new("test", vec![Message::user("hi")])
}

#[tokio::test]
async fn a_scripted_model_plays_its_scripts_in_order_and_remembers_what_it_was_asked() {
    let call = ToolCall::new("c1", "search", r#"{"text":"shoes"}"#);
    let model = Scripted::new([Script::from(call.clone()), "Two pairs fit.".into()]);

    let first = complete(&model, ask()).await.unwrap();
    assert_eq!((first.tool_calls.clone(), first.finish), (vec![call], FinishReason::ToolCalls));
    assert_eq!(first.model, "scripted");
    let second = complete(&model, ask()).await.unwrap();
    assert_eq!((second.text.as_str(), second.finish), ("Two pairs fit.", FinishReason::Stop));
    assert!(matches!(complete(&model, ask()).await, Err(ModelError::BadResponse { .. })));
    assert_eq!(model.requests().len(), 3);
}

#[tokio::test]
async fn text_without_an_end_is_never_a_reply() {
    let model = Scripted::new([Script::events(vec![Ok(ChatEvent::Text("We refund you".into()))])]);
    assert!(matches!(complete(&model, ask()).await, Err(ModelError::Truncated { .. })));
}

#[test]
fn an_empty_reasoning_field_survives_into_the_next_request() {
    let reply = ChatReply { reasoning: Some(String::new()), ..ChatReply::text("hello") };
    assert_eq!(reply.to_message().reasoning.as_deref(), Some(""));
}
