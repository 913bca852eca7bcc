//! `analyze_image_style`: look at a customer's picture with the vision model.

use std::sync::Arc;

use mercer_agent::{FailureKind, Nature, Tool, ToolCtx, ToolError};
use mercer_model::{ChatModel, ChatReply, ChatRequest, ImageData, ImagePart, Message, complete, json};
use mercer_shop::Lang;
use mercer_studio::{Limits, decode, fit_for_model};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::shopping::desk::{Desk, lang_of};
use crate::shopping::picture::Seen;

/// Tokens the description may have.
const TOKENS: u32 = 400;

/// Look at a picture the customer sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct AnalyzeImageStyle {
    /// The picture's id, as it stands in the conversation (fil_…).
    pub image_id: String,
}

impl Tool<Desk> for AnalyzeImageStyle {
    const NAME: &'static str = super::IMAGE;
    const NATURE: Nature = Nature::Read;
    const TIMEOUT: std::time::Duration = std::time::Duration::from_secs(60);
    type Output = Seen;

    fn describe(lang: mercer_agent::Lang) -> &'static str {
        lang.pick(
            "看顾客发来的图片：种类、颜色、风格、图案、材质。image_id 用对话中给出的图片编号。",
            "Look at a picture the customer sent: kind, colours, style, pattern, material. Use the picture id given in the conversation.",
        )
    }

    async fn call(self, ctx: &ToolCtx<Desk>) -> Result<Seen, ToolError> {
        let (desk, lang) = (ctx.deps(), lang_of(ctx));
        let known = desk.pictures.get(&self.image_id).ok_or_else(ToolError::not_found)?;
        if let Some(seen) = known {
            return Ok(seen.clone());
        }
        let Some(model) = &desk.sight else { return Err(blind(lang)) };
        let picture = load(desk, &self.image_id).await?;
        look(model, picture, lang).await
    }
}

/// The failure of a shop that has no vision model.
pub(super) fn blind(lang: Lang) -> ToolError {
    let text = match lang {
        Lang::Zh => "本店没有配置看图的模型，无法看这张图片。请让顾客用文字描述。",
        Lang::En => {
            "No vision model is configured, so the picture cannot be looked at. Ask the customer to describe it in words."
        }
    };
    ToolError::new(FailureKind::Unavailable, text)
}

/// The picture, upright and small enough for a model.
async fn load(desk: &Desk, id: &str) -> Result<ImagePart, ToolError> {
    let (_, bytes) =
        desk.files.get(&desk.tenant, id).await.map_err(ToolError::unavailable)?.ok_or_else(ToolError::not_found)?;
    let small = tokio::task::spawn_blocking(move || fit_for_model(&decode(&bytes, &Limits::default())?))
        .await
        .map_err(ToolError::internal)?
        .map_err(|error| ToolError::invalid("The picture cannot be read.").caused_by(error))?;
    Ok(ImagePart {
        media_type: small.media_type.mime().to_owned(),
        data: ImageData::Bytes(Arc::from(small.bytes)),
        id: Some(id.to_owned()),
    })
}

async fn look(model: &Arc<dyn ChatModel>, picture: ImagePart, lang: Lang) -> Result<Seen, ToolError> {
    let prompt = match lang {
        Lang::Zh => include_str!("../prompts/picture.zh.txt"),
        Lang::En => include_str!("../prompts/picture.en.txt"),
    };
    let request = ChatRequest {
        messages: vec![Message::user(prompt).with_image(picture)],
        temperature: Some(0.0),
        max_tokens: Some(TOKENS),
        purpose: "shopping.picture",
        ..ChatRequest::default()
    };
    let reply = complete(model.as_ref(), request).await.map_err(|error| blind(lang).caused_by(error))?;
    let seen =
        read(&reply).map_err(|complaint| blind(lang).for_operator(format!("the vision model's reply: {complaint}")))?;
    if seen.is_empty() {
        return Err(ToolError::new(
            FailureKind::NotFound,
            match lang {
                Lang::Zh => "图片里看不出商品。",
                Lang::En => "No article can be made out in the picture.",
            },
        ));
    }
    Ok(seen)
}

/// The description in a reply: its one JSON object.
fn read(reply: &ChatReply) -> Result<Seen, json::Complaint> {
    json::read(&reply.text, &serde_json::json!({ "type": "object" }), reply.finish).typed::<Seen>().for_read()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_is_read_out_of_a_fence_and_prose_is_none() {
        let seen = |text: &str| read(&ChatReply::text(text)).ok().map(|seen| seen.kind);
        assert_eq!(seen("```json\n{\"kind\": \"dress\"}\n```").as_deref(), Some("dress"));
        assert_eq!(seen("A red dress."), None);
        assert_eq!(seen("{\"kind\": \"dre"), None);
    }
}
