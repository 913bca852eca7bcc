//! Pictures: looked at first, searched for, and meant by "this" later.

use std::sync::Arc;

use jiff::Timestamp;
use mercer_assistants::shopping::{Focus, Models};
use mercer_model::{Capabilities, ChatModel, ModelError, Script, Scripted, Support};
use mercer_shop::{Files as _, NewFile, TenantId};
use serde_json::json;

use crate::talk::Talk;

const SEEN: &str = r#"{"kind": "dress", "colours": ["red"], "gender": "women", "style": ["casual"], "material": "", "pattern": "", "features": []}"#;

async fn uploaded(talk: &Talk) -> String {
    let content: Arc<[u8]> = Arc::from(&include_bytes!("dot.png")[..]);
    let file = NewFile {
        tenant: TenantId::single(),
        media_type: "image/png".into(),
        name: "../../etc/passwd.png".into(),
        content,
        created: Timestamp::UNIX_EPOCH,
    };
    talk.files.put(file).await.unwrap().id
}

fn eyes(script: impl Into<Script>) -> (Scripted, Models) {
    let model = Scripted::new([script.into()]);
    let vision: Arc<dyn ChatModel> = Arc::new(model.clone());
    (model, Models { chat: None, vision: Some(vision) })
}

#[tokio::test]
async fn a_picture_is_looked_at_then_searched_and_this_means_it_later() {
    let (model, models) = eyes(SEEN);
    let mut talk = Talk::with(models).await;
    let picture = uploaded(&talk).await;
    let reply = talk.send("do you have something like this?", vec![picture.clone()]).await;
    assert!(reply.ids().contains(&"d01"), "{}", reply.text());
    assert!(reply.text().contains("red dress"), "{}", reply.text());
    assert_eq!(reply.message.tools[0].name, "analyze_image_style");
    assert_eq!(reply.state.focus, Some(Focus::Picture(picture.clone())));
    let asked = &model.requests()[0].messages[0];
    assert!(!asked.text().contains("passwd"), "no name or path reaches the model");
    assert_eq!(asked.images().count(), 1);
    let blue = talk.say("this in blue").await;
    assert_eq!(blue.ids()[0], "d03", "{}", blue.text());
    assert_eq!(model.requests().len(), 1, "a picture is looked at once");
    let back = talk.say("more like the picture").await;
    assert!(back.ids().contains(&"d01"), "{}", back.text());
}

#[tokio::test]
async fn without_a_vision_model_the_assistant_says_so_and_goes_by_the_words() {
    let mut talk = Talk::by_rules().await;
    let picture = uploaded(&talk).await;
    let reply = talk.send("", vec![picture.clone()]).await;
    assert!(reply.text().contains("cannot look at pictures"), "{}", reply.text());
    assert!(reply.ids().is_empty());
    let reply = talk.send("a red dress like this", vec![picture]).await;
    assert!(reply.text().contains("cannot look at pictures") && reply.ids().contains(&"d01"), "{}", reply.text());
}

#[tokio::test]
async fn a_picture_that_cannot_be_seen_and_eyes_that_fail_are_said() {
    for script in [Script::from("I see a nice thing"), Script::from("{}"), Script::from(ModelError::ContentFiltered)] {
        let (_, models) = eyes(script);
        let mut talk = Talk::with(models).await;
        let picture = uploaded(&talk).await;
        let reply = talk.send("这个有吗", vec![picture]).await;
        assert!(reply.text().contains("图片"), "{}", reply.text());
    }
    let (_, models) = eyes(SEEN);
    let mut talk = Talk::with(models).await;
    let reply = talk.send("this", vec!["fil_of_somebody_else".into()]).await;
    assert!(reply.text().contains("picture"), "{}", reply.text());
}

#[tokio::test]
async fn a_model_is_told_what_was_seen() {
    let chat = Scripted::new([
        Script::from(crate::talk::call("search_products", &json!({"query": "red dress"}))),
        Script::from("The Rose Midi Dress [[d01]] is like it."),
    ])
    .with_capabilities(Capabilities::new(Support::Supported, false));
    let eyes = Scripted::new([SEEN]);
    let models = Models { chat: Some(Arc::new(chat.clone())), vision: Some(Arc::new(eyes)) };
    let mut talk = Talk::with(models).await;
    let picture = uploaded(&talk).await;
    let reply = talk.send("find this", vec![picture.clone()]).await;
    assert_eq!(reply.ids(), ["d01"], "{}", reply.text());
    let system = chat.requests()[0].messages[0].text();
    assert!(system.contains(&format!("{picture}: red dress")), "{system}");
}
