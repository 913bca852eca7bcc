//! Talking to an agent: the AI SDK stream at `/api/chat`, and our own form at `/api/v1/chat`.
//!
//! Both start a run with the customer's message, whose id makes the start idempotent, and then only read the run's events: a client that
//! goes away changes nothing, and one that comes back reads on.

use std::convert::Infallible;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::sse::Event as SseEvent;
use axum::response::{IntoResponse, Response};
use futures::{Stream, StreamExt};
use mercer_graph::{Event, EventBody, RunFilter, RunId, RunRow, RunStatus, ThreadId};
use mercer_shop::Lang;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::aisdk::Encoder;
use crate::extract::{Body, Path};
use crate::problem::Problem;
use crate::threads::{open_thread, own_thread};
use crate::{App, Caller, files, sse};

/// Longest message in characters; a longer one is refused with a problem that says so.
const LONGEST_MESSAGE: usize = 8_000;
/// Longest id of a message, or key against saying it twice, in bytes.
const LONGEST_ID: usize = 200;
/// Most pictures in one message.
const MOST_PICTURES: usize = 4;

pub(crate) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(ui_chat)).routes(routes!(resume_ui_chat)).routes(routes!(chat))
}

/// A chat as `useChat` sends it.
#[derive(Debug, Deserialize, ToSchema)]
struct UiChat {
    /// The thread: an id of ours, or one that the client chose.
    id: String,
    /// The conversation as the client has it; only the last message is read, the rest is kept here.
    messages: Vec<UiMessage>,
    /// `submit-message`, or `regenerate-message` to have the last message answered again.
    trigger: Option<String>,
    /// Which agent; `shopping` when not given.
    agent: Option<String>,
    /// The language of the page, `zh` or `en`; the language of the message counts first.
    locale: Option<String>,
}

#[derive(Debug, Deserialize, ToSchema)]
struct UiMessage {
    id: String,
    role: String,
    #[serde(default)]
    parts: Vec<UiPart>,
}

/// A part of a message; types that are not read are skipped.
#[derive(Debug, Deserialize, ToSchema)]
struct UiPart {
    #[serde(rename = "type")]
    kind: String,
    text: Option<String>,
    url: Option<String>,
}

/// What a customer says, from whichever door it came in.
struct Message {
    id: String,
    text: String,
    images: Vec<String>,
    locale: Lang,
}

impl Message {
    fn check(self) -> Result<Self, Problem> {
        if self.id.is_empty() || self.id.len() > LONGEST_ID || self.id.chars().any(char::is_control) {
            return Err(Problem::invalid(format!(
                "The id of the message, or the Idempotency-Key, has 1 to {LONGEST_ID} characters; give each message its own."
            )));
        }
        if self.text.trim().is_empty() && self.images.is_empty() {
            return Err(Problem::invalid("The message is empty. Send some text or a picture."));
        }
        let length = self.text.chars().count();
        if length > LONGEST_MESSAGE {
            return Err(Problem::invalid(format!(
                "The message has {length} characters; at most {LONGEST_MESSAGE} are read. Shorten it and send it again."
            )));
        }
        if self.images.len() > MOST_PICTURES {
            return Err(Problem::invalid(format!("At most {MOST_PICTURES} pictures go with one message.")));
        }
        Ok(self)
    }
}

fn locale(tag: Option<&str>, headers: &HeaderMap) -> Lang {
    let accepted = || headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
    match tag.or_else(accepted) {
        Some(tag) if tag.trim().to_ascii_lowercase().starts_with("zh") => Lang::Zh,
        Some(_) | None => Lang::En,
    }
}

/// Chat in the AI SDK's UI message stream: what `useChat` and assistant-ui send and read.
#[utoipa::path(post, path = "/api/chat", tag = "chat", request_body = UiChat,
    responses((status = OK, description = "UI message stream, version 1", content_type = "text/event-stream", body = String)))]
async fn ui_chat(
    State(app): State<App>,
    caller: Caller,
    headers: HeaderMap,
    Body(chat): Body<UiChat>,
) -> Result<Response, Problem> {
    let said = chat.messages.iter().rev().find(|message| message.role == "user");
    let said = said.ok_or_else(|| Problem::invalid("messages holds no message with the role user."))?;
    let again = chat.trigger.as_deref() == Some("regenerate-message");
    let mut message = Message {
        id: if again { format!("{}-{}", said.id, chat.messages.len()) } else { said.id.clone() },
        text: said
            .parts
            .iter()
            .filter(|part| part.kind == "text")
            .filter_map(|part| part.text.as_deref())
            .collect::<Vec<_>>()
            .join("\n"),
        images: Vec::new(),
        locale: locale(chat.locale.as_deref(), &headers),
    };
    for url in said.parts.iter().filter(|part| part.kind == "file").filter_map(|part| part.url.as_deref()) {
        message.images.push(files::picture_of_url(&app, &caller, url, message.locale).await?);
    }
    let answer = answer_to(&message.id);
    let (thread, run) = begin(&app, &caller, chat.agent.as_deref(), Some(&chat.id), message.check()?).await?;
    Ok(ui_stream(&app, &thread, &run, answer))
}

/// The stream of the answer that is being given on a thread; 204 when none is.
#[utoipa::path(get, path = "/api/chat/{thread}/stream", tag = "chat", params(("thread" = String, Path)),
    responses((status = OK, content_type = "text/event-stream", body = String), (status = NO_CONTENT)))]
async fn resume_ui_chat(
    State(app): State<App>,
    caller: Caller,
    Path(thread): Path<String>,
) -> Result<Response, Problem> {
    let Ok(thread) = own_thread(&app, &caller, &thread).await else {
        return Ok(StatusCode::NO_CONTENT.into_response());
    };
    let filter = RunFilter { thread: Some(thread.id.clone()), limit: 1, ..RunFilter::default() };
    let newest = app.engine().runs(&filter).await?.into_iter().next();
    match newest.filter(|run| matches!(run.status, RunStatus::Running | RunStatus::Queued)) {
        Some(run) => Ok(ui_stream(&app, &thread.id, &run.id, answer_of(&app, &run).await?)),
        None => Ok(StatusCode::NO_CONTENT.into_response()),
    }
}

/// The id of the answer to a message, under which it is kept in the conversation.
fn answer_to(message: &str) -> String {
    format!("ans_{message}")
}

/// The id of the answer that a run gives: to the message that started it, or to the removal of a chip.
async fn answer_of(app: &App, run: &RunRow) -> Result<String, Problem> {
    if let Some(message) = &run.key {
        return Ok(answer_to(message));
    }
    let state = app.assistants().shopping().state(&run.thread).await?.map(|snapshot| snapshot.state);
    let turn = state.and_then(|state| state.turn).map(|turn| turn.answer);
    Ok(turn.unwrap_or_else(|| run.id.to_string()))
}

fn ui_stream(app: &App, thread: &ThreadId, run: &RunId, answer: String) -> Response {
    let metadata = json!({"thread": thread, "run": run, "by_rules": app.parts().model.state().state == "rules"});
    let mut encoder = Encoder::new(answer, metadata);
    let mut events = Box::pin(app.engine().events(run, 0));
    let parts = async_stream::stream! {
        while let Some(event) = events.next().await {
            match event {
                Ok(event) => for part in encoder.push(&event) {
                    yield part;
                },
                Err(error) => {
                    tracing::error!(%error, "a run's events could not be read");
                    yield json!({"type": "error", "errorText": "The stream was cut. Reload the page; the answer is kept."});
                    break;
                }
            }
            if encoder.is_finished() {
                break;
            }
        }
    };
    let lines = parts.map(|part| SseEvent::default().data(part.to_string()));
    let done = futures::stream::once(std::future::ready(SseEvent::default().data("[DONE]")));
    let mut response = sse::respond(lines.chain(done).map(Ok::<_, Infallible>));
    response
        .headers_mut()
        .insert(HeaderName::from_static("x-vercel-ai-ui-message-stream"), HeaderValue::from_static("v1"));
    response
}

/// A message to an agent.
#[derive(Debug, Deserialize, ToSchema)]
struct ChatRequest {
    /// Which agent; `shopping` when not given.
    agent: Option<String>,
    /// The thread to go on with; a new one is made when not given.
    thread_id: Option<String>,
    /// What the customer says.
    message: String,
    /// Ids of uploaded pictures.
    #[serde(default)]
    images: Vec<String>,
    /// The language of the page, `zh` or `en`; the language of the message counts first.
    locale: Option<String>,
}

/// An answer as a whole.
#[derive(Debug, Serialize, ToSchema)]
struct ChatAnswer {
    thread_id: String,
    run_id: String,
    /// The text of the answer.
    response: String,
    /// Cards of the products it refers to.
    #[schema(value_type = Vec<Object>)]
    products: Vec<Value>,
    /// What was looked up, in order.
    #[schema(value_type = Vec<Object>)]
    tool_calls: Vec<Value>,
    /// Where each fact comes from.
    #[schema(value_type = Vec<Object>)]
    citations: Vec<Value>,
    /// What the models used.
    #[schema(value_type = Object)]
    usage: Value,
    /// Whether the answer was made by rules, and why.
    #[schema(value_type = Object)]
    fallback: Value,
    /// What went wrong, when the answer is not whole.
    error: Option<String>,
}

/// Say something to an agent. Streams events, the last of which is `done` with the whole answer; with `Accept: application/json` only that.
/// An `Idempotency-Key` makes a repeated request return the same run.
#[utoipa::path(post, path = "/api/v1/chat", tag = "chat", request_body = ChatRequest, responses((status = OK, body = ChatAnswer)))]
async fn chat(
    State(app): State<App>,
    caller: Caller,
    headers: HeaderMap,
    Body(request): Body<ChatRequest>,
) -> Result<Response, Problem> {
    let key = headers.get("idempotency-key").and_then(|value| value.to_str().ok());
    let message = Message {
        id: key.map_or_else(|| format!("msg_{}", uuid::Uuid::now_v7().simple()), str::to_owned),
        text: request.message,
        images: request.images,
        locale: locale(request.locale.as_deref(), &headers),
    };
    let message = message.check()?;
    // A repeated request without a thread finds the thread that the first one made.
    let thread = request.thread_id.or_else(|| key.map(|key| thread_of_key(key, &message)));
    let (thread, run) = begin(&app, &caller, request.agent.as_deref(), thread.as_deref(), message).await?;
    let wants_json = headers
        .get(header::ACCEPT)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|accept| accept.contains("application/json") && !accept.contains("text/event-stream"));
    let events = app.engine().events(&run, 0);
    let mut answer = Fold::new(&thread, &run);
    if wants_json {
        let mut events = Box::pin(events);
        while let Some(event) = events.next().await {
            answer.push(&event?);
        }
        return Ok(Json(answer.finish()).into_response());
    }
    Ok(sse::respond(event_stream(events, answer)))
}

/// The thread of a request that names none: told by the key and by all that was asked, so that a key which two clients happen to share never
/// shows one of them what the other said.
fn thread_of_key(key: &str, message: &Message) -> String {
    let asked = json!([key, message.text, message.images]).to_string();
    format!("key-{}", uuid::Uuid::new_v5(&uuid::Uuid::NAMESPACE_OID, asked.as_bytes()).simple())
}

fn event_stream(
    events: impl Stream<Item = Result<Event, mercer_graph::EngineError>> + Send + 'static,
    mut answer: Fold,
) -> impl Stream<Item = Result<SseEvent, Infallible>> + Send + 'static {
    async_stream::stream! {
        let mut events = Box::pin(events);
        while let Some(event) = events.next().await {
            match event {
                Ok(event) => {
                    answer.push(&event);
                    yield Ok(crate::runs::sse_event(&event));
                }
                Err(error) => {
                    answer.cut(&error);
                    break;
                }
            }
        }
        let done = serde_json::to_string(&answer.finish()).unwrap_or_default();
        yield Ok(SseEvent::default().event("done").data(done));
    }
}

/// The whole answer as a fold of the run's events.
struct Fold {
    answer: ChatAnswer,
}

impl Fold {
    fn new(thread: &ThreadId, run: &RunId) -> Self {
        let answer = ChatAnswer {
            thread_id: thread.to_string(),
            run_id: run.to_string(),
            response: String::new(),
            products: Vec::new(),
            tool_calls: Vec::new(),
            citations: Vec::new(),
            usage: Value::Null,
            fallback: Value::Null,
            error: None,
        };
        Self { answer }
    }

    fn push(&mut self, event: &Event) {
        match &event.body {
            EventBody::MessageDelta { text, .. } => self.answer.response.push_str(text),
            EventBody::MessageRestarted { .. } => self.answer.response.clear(),
            EventBody::Custom { name, data } => match name.as_str() {
                "tool_call" => self.answer.tool_calls.push(data.clone()),
                "tool_result" => self.tool_result(data),
                "products" => self.answer.products = list(data, "products"),
                "citations" => self.answer.citations = list(data, "citations"),
                "usage" => self.answer.usage = data.clone(),
                "fallback" => self.answer.fallback = data.clone(),
                _ => {}
            },
            EventBody::RunFinished { status, .. } if *status != RunStatus::Done => {
                self.answer.error = Some(match status {
                    RunStatus::Cancelled => "The answer was stopped.".to_owned(),
                    _ => "The answer is not whole. What was said is kept; send the message again.".to_owned(),
                });
            }
            _ => {}
        }
    }

    fn tool_result(&mut self, data: &Value) {
        let id = data.get("id");
        let call = self.answer.tool_calls.iter_mut().find(|call| call.get("id") == id);
        if let Some(call) = call.and_then(Value::as_object_mut) {
            for key in ["ok", "summary"] {
                call.insert(key.to_owned(), data.get(key).cloned().unwrap_or(Value::Null));
            }
        }
    }

    /// The events could not be read to the end: what is here is not the whole answer.
    fn cut(&mut self, error: &mercer_graph::EngineError) {
        tracing::error!(%error, "a run's events could not be read");
        self.answer.error = Some("The stream was cut. Read the thread again; the answer is kept.".to_owned());
    }

    fn finish(self) -> ChatAnswer {
        self.answer
    }
}

fn list(data: &Value, key: &str) -> Vec<Value> {
    data.get(key).and_then(Value::as_array).cloned().unwrap_or_default()
}

/// Starts the run that answers a message; the same message on the same thread starts one run only.
async fn begin(
    app: &App,
    caller: &Caller,
    agent: Option<&str>,
    thread: Option<&str>,
    message: Message,
) -> Result<(ThreadId, RunId), Problem> {
    let agent = agent.unwrap_or("shopping");
    if agent != "shopping" {
        return Err(Problem::invalid(format!("There is no agent {agent:?}; this server has: shopping.")));
    }
    for image in &message.images {
        files::own_file(app, caller, image).await?;
    }
    let thread = open_thread(app, caller, agent, thread).await?;
    let run = app.assistants().say(&thread, message.id, message.text, message.images, message.locale).await?;
    Ok((thread, run))
}
