//! Tools and their registry.

use mercer_agent::{FailureKind, Lang, Principal, Registry, ToolResult};
use mercer_model::ToolCall;
use serde_json::json;

use crate::support::{SearchProducts, ctx, registry};

async fn call(name: &str, arguments: &str) -> ToolResult {
    registry().call(&ctx(Principal::Customer("cus_1".into())), &ToolCall::new("c1", name, arguments)).await
}

async fn complaint(name: &str, arguments: &str) -> String {
    let failure = call(name, arguments).await.outcome.expect_err("the call has to fail");
    assert_eq!(failure.kind, FailureKind::InvalidArgument, "{failure:?}");
    failure.model_text
}

#[tokio::test]
async fn a_call_returns_the_tools_output_and_its_normalised_arguments() {
    let result = call("search_products", r#"{"limit": 5.0, "query": "  red   dress "}"#).await;
    assert_eq!(result.arguments, json!({ "limit": 5, "query": "red dress" }));
    let result = call("search_products", r#"{"limit": 5, "query": "dress"}"#).await;
    assert_eq!(result.outcome.unwrap()["items"][0]["price"], 299);
}

#[tokio::test]
async fn arguments_that_cannot_be_used_are_answered_in_words_a_model_can_act_on() {
    assert!(complaint("search_products", "{}").await.contains("query"), "names what is missing");
    let text = complaint("search_products", r#"{"query":"a","limit":50}"#).await;
    assert!(text.contains("at most 20") && text.contains("50"), "{text}");
    let text = complaint("search_products", r#"{"query":"a","discount":9}"#).await;
    assert!(text.contains("discount"), "{text}");
    let text = complaint("search_products", r#"[1]"#).await;
    assert!(text.contains("object"), "{text}");
}

#[tokio::test]
async fn an_optional_argument_may_be_null_and_no_arguments_may_be_empty_text() {
    assert!(call("search_products", r#"{"query":"a","limit":null}"#).await.is_ok());
    let text = complaint("create_return", "").await;
    assert!(text.contains("order"), "{text}");
}

#[tokio::test]
async fn a_read_runs_on_repaired_and_coerced_arguments_and_a_write_does_not() {
    let result = call("search_products", "{'query': 'dress', 'limit': '5',}").await;
    assert_eq!(result.arguments, json!({ "limit": 5, "query": "dress" }), "{result:?}");
    let failure = call("create_return", r#"{"order": "A-1"#).await.outcome.unwrap_err();
    assert_eq!(failure.kind, FailureKind::InvalidArgument, "{failure:?}");
    let fenced = call("create_return", "```json\n{\"order\": \"A-1\"}\n```").await;
    assert!(fenced.is_ok(), "a fence is harmless: {fenced:?}");
    let twice = call("create_return", r#"{"order": "A-1", "order": "A-3"}"#).await;
    assert!(!twice.is_ok(), "two orders in one call");
}

#[tokio::test]
async fn an_unknown_tool_is_answered_with_those_that_exist() {
    let failure = call("delete_everything", "{}").await.outcome.unwrap_err();
    assert_eq!(failure.kind, FailureKind::NotFound);
    assert!(failure.model_text.contains("search_products, create_return, slow"), "{}", failure.model_text);
}

#[tokio::test]
async fn another_persons_order_answers_exactly_as_one_that_does_not_exist_and_who_asks_comes_from_the_session() {
    let foreign = call("create_return", r#"{"order":"A-2"}"#).await.outcome.unwrap_err();
    assert_eq!(
        (foreign.kind, foreign.model_text.as_str()),
        (FailureKind::NotFound, "Nothing was found under these arguments.")
    );
    let anonymous =
        registry().call(&ctx(Principal::Anonymous), &ToolCall::new("c", "create_return", r#"{"order":"A-1"}"#)).await;
    assert_eq!(anonymous.outcome.unwrap_err().kind, FailureKind::PermissionDenied);
    let forged = complaint("create_return", r#"{"order":"A-1","customer":"cus_2"}"#).await;
    assert!(forged.contains("customer"), "{forged}");
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_hangs_is_left_after_its_own_timeout() {
    let failure = call("slow", "{}").await.outcome.unwrap_err();
    assert_eq!(failure.kind, FailureKind::Timeout);
    assert!(failure.operator_text.contains("3s"), "{}", failure.operator_text);
}

#[test]
fn the_schema_comes_from_the_type_and_is_plain_enough_for_every_provider() {
    let definitions = registry().definitions(Lang::Zh);
    let search = &definitions[0];
    assert_eq!((search.name.as_str(), search.description.as_str()), ("search_products", "搜索商品"));
    assert_eq!(search.parameters["properties"]["query"]["description"], "What the customer wants.");
    assert_eq!(search.parameters["properties"]["limit"]["maximum"], 20);
    assert_eq!(search.parameters["additionalProperties"], false);
    let text = search.parameters.to_string();
    assert!(!text.contains("$ref") && !text.contains("$schema"), "{text}");
    let spec = &registry().specs()[0];
    assert_eq!(spec.main_argument.as_deref(), Some("query"));
}

#[test]
fn a_write_has_a_key_made_of_facts_and_a_read_has_none() {
    let ctx = ctx(Principal::Customer("cus_1".into()));
    let key = |name: &str, arguments: &str| registry().effect_key(&ctx, &ToolCall::new("c", name, arguments));
    assert_eq!(key("create_return", r#"{"order": "A-1"}"#).as_deref(), Some("create_return:demo/A-1"));
    assert_eq!(key("search_products", r#"{"query":"a"}"#), None);
}

#[test]
fn two_tools_of_one_name_are_a_mistake_that_is_told_when_the_set_is_built() {
    let error = Registry::new().with::<SearchProducts>().with::<SearchProducts>().build().unwrap_err();
    assert!(error.to_string().contains("search_products"), "{error}");
}
