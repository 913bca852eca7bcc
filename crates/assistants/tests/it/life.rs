//! The life of a conversation: title, repetition, cancel, restart, reading back.

use std::sync::Arc;

use futures::StreamExt as _;
use mercer_assistants::Assistants;
use mercer_assistants::shopping::{INTERRUPTED, Models, ShoppingDeps, Speaker};
use mercer_graph::{Engine, EngineOptions, MemoryStore, RunStatus};
use mercer_model::{Capabilities, ChatModel, ChatRequest, ChatStream, Script, Scripted, Support};
use mercer_shop::{InMemory, Lang};

use crate::shop;
use crate::talk::{Still, Talk, new_thread, search};

/// A model that plays a script and then never answers.
#[derive(Debug)]
struct Stalling(Scripted, usize);

impl ChatModel for Stalling {
    fn name(&self) -> &'static str {
        "stalling"
    }

    fn stream(&self, request: ChatRequest) -> ChatStream {
        if self.0.requests().len() < self.1 { self.0.stream(request) } else { futures::stream::pending().boxed() }
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::new(Support::Supported, false)
    }
}

fn scripts() -> Vec<Script> {
    vec![search("red dresses under 300").into(), "The Rose Midi Dress [[d01]] fits.".into()]
}

#[tokio::test]
async fn a_thread_is_named_by_its_first_message_and_a_repeated_message_is_one_turn() {
    let mut talk = Talk::by_rules().await;
    talk.say("red dresses under 300").await;
    talk.say("in blue").await;
    let row = talk.engine.thread(&talk.thread).await.unwrap().unwrap();
    assert_eq!(row.title.as_deref(), Some("red dresses under 300"));
    let again = talk.assistants.say(&talk.thread, "m2".into(), "in blue".into(), Vec::new(), Lang::En).await.unwrap();
    talk.engine.wait(&again).await.unwrap();
    assert_eq!(talk.state().await.messages.len(), 4);
}

#[tokio::test]
async fn a_conversation_is_read_back_with_cards_from_the_catalogue() {
    let mut talk = Talk::by_rules().await;
    talk.say("red dresses under 300").await;
    let messages = talk.assistants.messages(&talk.thread).await.unwrap();
    assert_eq!(messages.len(), 2);
    assert_eq!((messages[0].role, messages[0].text.as_str()), (Speaker::User, "red dresses under 300"));
    let answer = &messages[1];
    assert_eq!(answer.products[0].title, "Rose Midi Dress");
    assert!(!answer.products[0].matched.is_empty());
    assert!(answer.by_rules && answer.run.is_some() && answer.error.is_none());
    assert_eq!(answer.tools[0].name, "search_products");
    let json = serde_json::to_value(answer).unwrap();
    assert_eq!(json["role"], "assistant");
}

#[tokio::test]
async fn a_cancelled_turn_leaves_a_conversation_that_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let model: Arc<dyn ChatModel> = Arc::new(Stalling(Scripted::new(scripts()), 1));
    let (engine, assistants) = shop_over(MemoryStore::default(), dir.path(), Some(model));
    let thread = engine.create_thread(new_thread()).await.unwrap();
    let say = |id: &str, text: &str| assistants.say(&thread, id.to_owned(), text.to_owned(), Vec::new(), Lang::En);
    let run = say("m1", "red dresses under 300").await.unwrap();
    let mut events = Box::pin(engine.events(&run, 0));
    while let Some(event) = events.next().await {
        if matches!(&event.unwrap().body, mercer_graph::EventBody::Custom { name, .. } if name == "tool_result") {
            break;
        }
    }
    engine.cancel(&run).await.unwrap();
    assert_eq!(engine.wait(&run).await.unwrap().status, RunStatus::Cancelled);
    // The next message finds the conversation whole.
    let (_, patient) = shop_over_engine(&engine, dir.path(), None);
    let run = patient.say(&thread, "m2".into(), "bags".into(), Vec::new(), Lang::En).await.unwrap();
    assert_eq!(engine.wait(&run).await.unwrap().status, RunStatus::Done);
    let state = patient.shopping().state(&thread).await.unwrap().unwrap().state;
    let told: Vec<(&str, Option<&str>)> = state.messages.iter().map(|m| (m.id.as_str(), m.error.as_deref())).collect();
    assert_eq!(told, [("m1", None), ("ans_m1", Some(INTERRUPTED)), ("m2", None), ("ans_m2", None)]);
    assert!(state.messages[3].product_ids.iter().all(|id| id.as_str().starts_with('b')));
}

#[tokio::test]
async fn a_turn_that_a_crash_cut_off_is_answered_by_the_next_process() {
    for stall_at in 0..2 {
        let dir = tempfile::tempdir().unwrap();
        let store = MemoryStore::default();
        let model: Arc<dyn ChatModel> = Arc::new(Stalling(Scripted::new(scripts()), stall_at));
        let (engine, assistants) = shop_over(store.clone(), dir.path(), Some(model));
        let thread = engine.create_thread(new_thread()).await.unwrap();
        let run =
            assistants.say(&thread, "m1".into(), "red dresses under 300".into(), Vec::new(), Lang::En).await.unwrap();
        let mut events = Box::pin(engine.events(&run, 0));
        while let Some(event) = events.next().await {
            let event = event.unwrap();
            let asked = matches!(&event.body, mercer_graph::EventBody::TaskStarted { node, .. } if node == "agent");
            let looked = matches!(&event.body, mercer_graph::EventBody::Custom { name, .. } if name == "tool_result");
            if stall_at == 0 && asked || looked {
                break;
            }
        }
        drop(events);
        engine.abort().await;
        let rest: Vec<Script> = scripts().into_iter().skip(stall_at).collect();
        let model = Scripted::answering({
            let mut rest = rest.into_iter().peekable();
            move |request| {
                // A step whose reply was not stored is asked again.
                let looked = request.messages.iter().any(|m| m.tool_call_id.is_some());
                if looked { scripts().pop().unwrap() } else { rest.next().unwrap_or_else(|| scripts().swap_remove(0)) }
            }
        });
        let (engine, assistants) = shop_over(store, dir.path(), Some(Arc::new(model)));
        assert_eq!(engine.recover().await.unwrap(), std::slice::from_ref(&run));
        assert_eq!(engine.wait(&run).await.unwrap().status, RunStatus::Done);
        let state = assistants.shopping().state(&thread).await.unwrap().unwrap().state;
        assert_eq!(state.messages.len(), 2, "stalled at call {stall_at}");
        assert_eq!(state.messages[1].text, "The Rose Midi Dress fits.");
        assert_eq!(state.messages[1].tools.len(), 1, "what was looked up is not looked up again");
    }
}

#[tokio::test]
async fn two_shops_on_one_server_see_their_own_catalogues_only() {
    let dir = tempfile::tempdir().unwrap();
    let (engine, assistants) = shop_over(MemoryStore::default(), dir.path(), None);
    let mut other = new_thread();
    other.tenant = "other".into();
    let thread = engine.create_thread(other).await.unwrap();
    let run = assistants.say(&thread, "m1".into(), "dresses".into(), Vec::new(), Lang::En).await.unwrap();
    assert_eq!(engine.wait(&run).await.unwrap().status, RunStatus::Done);
    let messages = assistants.messages(&thread).await.unwrap();
    assert!(messages[1].products.is_empty(), "{}", messages[1].text);
}

#[tokio::test]
async fn messages_said_while_an_answer_is_made_are_answered_in_order() {
    let mut talk = Talk::by_rules().await;
    let mut runs = Vec::new();
    for (id, text) in [("a", "dresses"), ("b", "in blue"), ("c", "thanks")] {
        runs.push(talk.assistants.say(&talk.thread, id.into(), text.into(), Vec::new(), Lang::En).await.unwrap());
    }
    for run in &runs {
        assert_eq!(talk.engine.wait(run).await.unwrap().status, RunStatus::Done);
    }
    let ids: Vec<String> = talk.state().await.messages.iter().map(|m| m.id.clone()).collect();
    assert_eq!(ids, ["a", "ans_a", "b", "ans_b", "c", "ans_c"]);
    talk.say("more").await;
}

fn shop_over(store: MemoryStore, dir: &std::path::Path, chat: Option<Arc<dyn ChatModel>>) -> (Engine, Assistants) {
    let engine = Engine::new(store, EngineOptions::default());
    shop_over_engine(&engine, dir, chat)
}

fn shop_over_engine(engine: &Engine, dir: &std::path::Path, chat: Option<Arc<dyn ChatModel>>) -> (Engine, Assistants) {
    let deps = ShoppingDeps {
        catalogs: shop::catalogs(dir),
        models: Models { chat, vision: None },
        files: Arc::new(InMemory::default()),
        clock: Arc::new(Still),
    };
    (engine.clone(), Assistants::build(engine, deps).unwrap())
}
