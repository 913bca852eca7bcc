//! A model may be weak or hostile: the answer stays right.

use mercer_model::{ChatReply, ModelError, Script, Scripted, ToolCall};
use serde_json::json;

use crate::talk::{Reply, Talk, call, search};

/// Whatever the model did, the customer has a true answer to "red dresses under 300", made by rules for this reason.
fn holds(reply: &Reply, reason: &str) {
    assert!(reply.message.by_rules, "{}", reply.text());
    assert_eq!(reply.message.fallback.as_deref(), Some(reason));
    assert_eq!(reply.told("fallback"), [&json!({"reason": reason})]);
    assert_eq!(reply.ids(), ["d01"]);
    assert_eq!(reply.text(), reply.streamed());
    assert!(reply.text().contains("Rose Midi Dress"), "{}", reply.text());
}

async fn asked(scripts: Vec<Script>) -> Reply {
    let model = Scripted::new(scripts);
    Talk::led_by(&model).await.say("red dresses under 300").await
}

fn says(answer: &str) -> Vec<Script> {
    vec![search("red dresses under 300").into(), answer.into(), answer.into()]
}

#[tokio::test]
async fn thirty_one_identical_calls_end_in_an_answer() {
    let model = Scripted::answering(|_| search("red dresses under 300").into());
    let reply = Talk::led_by(&model).await.say("red dresses under 300").await;
    assert!(reply.told("tool_call").len() <= 3, "{} calls were made", reply.told("tool_call").len());
    assert!(reply.message.by_rules);
    assert_eq!(reply.ids(), ["d01"]);
}

#[tokio::test]
async fn an_invented_product_price_or_discount_never_arrives() {
    for answer in [
        "Try the Golden Unicorn Gown [[u-77]], it is lovely.",
        "The Rose Midi Dress [[d01]] costs ¥199.",
        "The Rose Midi Dress [[d01]] is 20% off today.",
        "The Rose Midi Dress [[d01]] arrives on Friday.",
        "The Scarlet Evening Dress [[d02]] is the cheapest dress we have.",
        "We do not carry red dresses.",
        "There are 57 red dresses under 300.",
    ] {
        let reply = asked(says(answer)).await;
        holds(&reply, "unsupported_claims");
        assert!(!reply.text().contains("Unicorn") && !reply.text().contains("199"));
    }
}

#[tokio::test]
async fn an_answer_that_does_not_hold_is_sent_back_once() {
    let model = Scripted::new([
        Script::from(search("red dresses under 300")),
        Script::from("The Rose Midi Dress [[d01]] costs ¥199."),
        Script::from("The Rose Midi Dress [[d01]] costs ¥259."),
    ]);
    let reply = Talk::led_by(&model).await.say("red dresses under 300").await;
    assert!(!reply.message.by_rules);
    assert_eq!(reply.text(), "The Rose Midi Dress costs ¥259.");
    assert_eq!(reply.streamed(), reply.text());
    let complaint = model.requests()[2].messages.last().unwrap().text();
    assert!(complaint.contains("199"), "{complaint}");
}

#[tokio::test]
async fn prose_without_a_look_into_the_catalogue_is_no_answer() {
    let answer = || Script::from("Sure, we have wonderful dresses for you.");
    holds(&asked(vec![answer(), answer(), answer()]).await, "unsupported_claims");
}

#[tokio::test]
async fn calls_written_as_fenced_json_are_calls_or_nothing() {
    let fenced = "```json\n{\"name\": \"search_products\", \"arguments\": {\"query\": \"red dresses under 300\"}}\n```";
    let model = Scripted::new([
        Script::from(fenced),
        Script::from(
            json!({"thought": "t", "action": "Finish", "answer": "The Rose Midi Dress [[d01]] fits."})
                .to_string()
                .as_str(),
        ),
    ]);
    let reply = Talk::led_by(&model).await.say("red dresses under 300").await;
    assert!(!reply.streamed().contains('`') && !reply.text().contains("arguments"), "{}", reply.text());
    assert_eq!(reply.ids(), ["d01"]);
}

#[tokio::test]
async fn empty_truncated_and_failing_replies_end_in_the_rules() {
    holds(&asked(vec!["".into(), "".into(), "".into()]).await, "empty");
    let broken = || Script::broken_after("The Rose Midi", ModelError::Truncated { detail: "cut".into() });
    let reply = asked(vec![search("red dresses under 300").into(), broken(), broken()]).await;
    holds(&reply, "truncated");
    let down = || ModelError::Unavailable { status: Some(500), retry_after: None, detail: "boom".into() };
    let reply = asked(vec![down().into()]).await;
    holds(&reply, "unavailable");
    assert!(!reply.text().contains("boom") && !reply.text().contains("500"));
    let reply =
        asked(vec![search("red dresses under 300").into(), Script::broken_after("The Rose Midi Dress is ", down())])
            .await;
    holds(&reply, "unavailable");
}

#[tokio::test]
async fn unknown_tools_and_unusable_arguments_are_answered_to_the_model() {
    let model = Scripted::new([
        Script::from(call("place_order", &json!({"id": "d01"}))),
        Script::from(ToolCall::new("c", "search_products", "{\"query\": [1, 2}")),
        Script::from(call("search_products", &json!({"query": "red dress", "limit": 500}))),
        Script::from(search("red dresses under 300")),
        Script::from("The Rose Midi Dress [[d01]] fits."),
    ]);
    let reply = Talk::led_by(&model).await.say("red dresses under 300").await;
    assert_eq!(reply.ids(), ["d01"]);
    assert!(!reply.message.by_rules, "{:?}", reply.message.fallback);
    assert_eq!(reply.message.tools.iter().filter(|line| !line.ok).count(), 2, "{:?}", reply.message.tools);
    let only_unknown = Scripted::answering(|_| call("place_order", &json!({})).into());
    holds(&Talk::led_by(&only_unknown).await.say("red dresses under 300").await, "unknown_tools");
}

#[tokio::test]
async fn an_answer_in_another_language_is_not_told() {
    let reply = asked(says("这条玫瑰连衣裙 [[d01]] 很适合您，颜色也是红色的，价格也在范围之内。")).await;
    holds(&reply, "unsupported_claims");
    let chinese = Scripted::new([
        Script::from(search("红色连衣裙")),
        Script::from("This lovely red dress would be a very good choice for you [[d01]]."),
        Script::from("This lovely red dress would be a very good choice for you [[d01]]."),
    ]);
    let reply = Talk::led_by(&chinese).await.say("红色连衣裙").await;
    assert!(reply.message.by_rules && reply.text().contains('件'), "{}", reply.text());
}

#[tokio::test]
async fn tool_names_and_instructions_do_not_reach_the_customer() {
    let reply = asked(says("I called search_products and found the Rose Midi Dress [[d01]].")).await;
    holds(&reply, "unsupported_claims");
}

#[tokio::test]
async fn a_reply_of_many_calls_is_bounded() {
    let many = || ChatReply::calls((0..40).map(|n| search(&format!("dress {n}"))).collect());
    let model = Scripted::answering(move |_| many().into());
    let reply = Talk::led_by(&model).await.say("red dresses under 300").await;
    assert!(reply.told("tool_call").len() <= 21, "{}", reply.told("tool_call").len());
    assert_eq!(reply.ids(), ["d01"]);
}
