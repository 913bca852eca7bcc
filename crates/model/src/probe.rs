//! A short conversation that shows how a server streams, calls tools and takes their results.
//!
//! `mercer record` holds it with a live endpoint and writes the bytes down; tests hold it with the recording.

use serde_json::json;

use crate::chat::{ChatModel, complete};
use crate::error::ModelError;
use crate::event::ChatReply;
use crate::message::Message;
use crate::request::{ChatRequest, ToolDef};

/// A plain answer, then a tool call, its result and what comes after.
///
/// # Errors
/// Whatever a call ended with.
pub async fn conversation(model: &dyn ChatModel) -> Result<Vec<ChatReply>, ModelError> {
    let plain = ChatRequest {
        temperature: Some(0.0),
        ..ChatRequest::new("record", vec![Message::user("Say hello in Chinese.")])
    };
    let mut replies = vec![complete(model, plain).await?];
    let search = ToolDef {
        name: "search_products".into(),
        description: "Search the shop's products.".into(),
        parameters: json!({
            "type": "object",
            "properties": {"text": {"type": "string", "description": "What to search for."}},
            "required": ["text"],
        }),
    };
    let system = Message::system("You help in a shoe shop. Use the tool to find products before you answer.");
    let mut messages = vec![system, Message::user("Do you have red running shoes?")];
    for _ in 0..2 {
        let request = ChatRequest { temperature: Some(0.0), ..ChatRequest::new("record", messages.clone()) };
        let reply = complete(model, request.with_tools(vec![search.clone()])).await?;
        messages.push(reply.to_message());
        let found = r#"{"products":[{"id":"p1","title":"Red Runner","price":"59.90 USD"}]}"#;
        messages.extend(reply.tool_calls.iter().map(|call| Message::tool(&call.id, found)));
        let over = reply.tool_calls.is_empty();
        replies.push(reply);
        if over {
            break;
        }
    }
    Ok(replies)
}
