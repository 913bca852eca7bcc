//! Stories with a model that behaves.

use mercer_graph::EventBody;
use mercer_model::{ChatReply, Role, Script, Scripted};
use mercer_shop::Lang;
use serde_json::json;

use crate::talk::{Talk, call, search};

#[tokio::test]
async fn a_model_searches_and_its_cards_are_those_it_names() {
    let model = Scripted::new([
        Script::from(search("red dresses under 300")),
        Script::from("The Rose Midi Dress [[d01]] is red and stays below your limit. It is made for casual days."),
    ]);
    let mut talk = Talk::led_by(&model).await;
    let reply = talk.say("red dresses under 300").await;
    assert_eq!(reply.text(), "The Rose Midi Dress is red and stays below your limit. It is made for casual days.");
    assert_eq!(reply.ids(), ["d01"]);
    assert_eq!(reply.streamed(), reply.text());
    assert!(!reply.message.by_rules && reply.told("fallback").is_empty());
    let card = &reply.cards()[0];
    assert_eq!((card.title.as_str(), card.price_text.as_deref()), ("Rose Midi Dress", Some("¥259")));
    assert_eq!(reply.chips(), ["Dresses", "red", "under ¥300"]);
    let order: Vec<&str> = reply
        .events
        .iter()
        .filter_map(|event| match event {
            EventBody::Custom { name, .. } => Some(name.as_str()),
            EventBody::MessageDelta { .. } => Some("text"),
            _ => None,
        })
        .collect();
    let at = |what: &str| order.iter().position(|name| *name == what).unwrap();
    assert!(
        at("tool_call") < at("tool_result") && at("tool_result") < at("text") && at("text") < at("products")
            || at("products") < at("text")
    );
}

#[tokio::test]
async fn a_model_is_told_what_the_shop_has_what_stands_and_what_was_shown() {
    let model = Scripted::new([
        Script::from(search("dresses")),
        Script::from("Here is the Rose Midi Dress [[d01]] and the Sky Wrap Dress [[d03]]."),
        Script::from(call("get_product", &json!({"id": "d03"}))),
        Script::from("The Sky Wrap Dress [[d03]] comes in S, M and L."),
    ]);
    let mut talk = Talk::led_by(&model).await;
    talk.say("dresses").await;
    let reply = talk.say("which sizes does the second one have?").await;
    assert_eq!(reply.ids(), ["d03"]);
    let requests = model.requests();
    let system = requests[2].messages[0].text();
    assert_eq!(requests[2].messages[0].role, Role::System);
    for part in ["40 products", "Dresses (8)", "2. Sky Wrap Dress [[d03]], ¥279", "Answer in English"] {
        assert!(system.contains(part), "{part} in {system}");
    }
    assert!(requests[0].tools.iter().any(|tool| tool.name == "search_products"));
    assert_eq!(reply.state.shown.len(), 2, "a look at one product keeps the list");
}

#[tokio::test]
async fn a_price_that_the_customer_named_holds_for_the_models_searches() {
    let model = Scripted::new([
        Script::from(search("dress")),
        Script::from("Have a look at these."),
        Script::from(search("bags")),
        Script::from("Have a look at these."),
    ]);
    let mut talk = Talk::led_by(&model).await;
    let reply = talk.say("a dress under 260").await;
    assert!(!reply.cards().is_empty() && reply.cards().iter().all(|card| card.price.unwrap() <= 26_000));
    let bags = talk.say("show me bags").await;
    assert!(bags.cards().iter().any(|card| card.price.unwrap() > 26_000), "the limit was the dress's");
    assert_eq!(bags.chips(), ["Bags"]);
}

#[tokio::test]
async fn the_prompt_and_the_tools_speak_the_language_of_the_message() {
    let model = Scripted::new([Script::from(search("连衣裙")), Script::from("这些连衣裙都可以看看。")]);
    let mut talk = Talk::led_by(&model).await;
    talk.locale = Lang::En;
    let reply = talk.say("连衣裙").await;
    assert!(!reply.message.by_rules, "{}", reply.text());
    let request = &model.requests()[0];
    assert!(request.messages[0].text().contains("用中文回答"));
    assert!(request.messages[0].text().contains("连衣裙（8）"));
    assert!(request.tools[0].description.contains("搜索"));
}

#[tokio::test]
async fn several_calls_of_one_turn_are_made_together_and_the_same_call_once() {
    let twice = ChatReply::calls(vec![search("red dress"), search("red dress"), search("blue dress")]);
    let model = Scripted::new([Script::from(twice), Script::from("Here are red and blue dresses.")]);
    let mut talk = Talk::led_by(&model).await;
    let reply = talk.say("red or blue dresses").await;
    assert_eq!(reply.told("tool_call").len(), 2);
    assert!(!reply.ids().is_empty());
}

#[tokio::test]
async fn a_model_without_tool_calls_is_led_through_json() {
    let reply = |value: serde_json::Value| Script::from(value.to_string().as_str());
    let model = Scripted::new([
        Script::from(mercer_model::ModelError::ToolsUnsupported { detail: "no tools".into() }),
        reply(json!({"thought": "look", "action": "search_products", "action_input": {"query": "red dress"}})),
        reply(json!({"thought": "answer", "action": "Finish", "answer": "The Rose Midi Dress [[d01]] is red."})),
    ]);
    let mut talk = Talk::led_by(&model).await;
    let reply = talk.say("a red dress").await;
    assert_eq!(reply.ids(), ["d01"], "{}", reply.text());
    assert!(!reply.text().contains('{') && !reply.streamed().contains('{'));
}
