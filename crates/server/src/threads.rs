//! Threads: conversations that last. They can be listed, renamed, read, forked and deleted.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use mercer_graph::{CheckpointId, HistoryFilter, NewThread, RunStatus, ThreadFilter, ThreadId, ThreadRow};
use mercer_shop::Lang;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::access::Scope;
use crate::extract::{Body, Items, Path, Query};
use crate::problem::Problem;
use crate::{App, Caller};

/// Longest title in characters.
const LONGEST_TITLE: usize = 200;

pub(crate) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list, create))
        .routes(routes!(show, rename, delete))
        .routes(routes!(messages))
        .routes(routes!(state))
        .routes(routes!(history))
        .routes(routes!(fork))
        .routes(routes!(remove_condition))
}

/// A thread.
#[derive(Debug, Serialize, ToSchema)]
struct ThreadBody {
    id: String,
    title: Option<String>,
    agent: String,
    created: String,
    updated: String,
    /// `idle`, `busy`, `interrupted` or `error`.
    status: &'static str,
}

impl From<ThreadRow> for ThreadBody {
    fn from(row: ThreadRow) -> Self {
        let status = match row.status {
            Some(status) if row.active.is_some() && status.is_active() => "busy",
            Some(RunStatus::Interrupted) => "interrupted",
            Some(RunStatus::Failed | RunStatus::StepLimit) => "error",
            _ => "idle",
        };
        Self {
            id: row.id.to_string(),
            title: row.title,
            agent: row.agent,
            created: row.created.to_string(),
            updated: row.updated.to_string(),
            status,
        }
    }
}

pub(crate) fn parse_thread(id: &str) -> Result<ThreadId, Problem> {
    let ours = id.starts_with("thr_").then(|| id.parse().ok()).flatten();
    ours.ok_or_else(|| Problem::not_found("thread"))
}

/// A thread of the caller's tenant. Another tenant's thread answers like one that does not exist.
pub(crate) async fn own_thread(app: &App, caller: &Caller, id: &str) -> Result<ThreadRow, Problem> {
    let id = client_thread(caller, id)?;
    let thread = app.engine().thread(&id).await?;
    thread.filter(|thread| thread.tenant == caller.tenant.as_str()).ok_or_else(|| Problem::not_found("thread"))
}

/// Our id, or the id that a client such as `useChat` chose, made ours: the tenant is part of it, so that two shops' clients never meet.
pub(crate) fn client_thread(caller: &Caller, id: &str) -> Result<ThreadId, Problem> {
    if id.starts_with("thr_") {
        return parse_thread(id);
    }
    let fits = (8..=64).contains(&id.len()) && id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
    if !fits {
        return Err(Problem::invalid(
            "A thread id of your own has 8 to 64 letters, digits, - and _; or leave it out to get one.",
        ));
    }
    let name = format!("{}/{id}", caller.tenant);
    parse_thread(&format!("thr_{}", uuid::Uuid::new_v5(&uuid::Uuid::NAMESPACE_URL, name.as_bytes()).simple()))
}

/// The thread to go on with, made when it does not exist.
pub(crate) async fn open_thread(
    app: &App,
    caller: &Caller,
    agent: &str,
    id: Option<&str>,
) -> Result<ThreadId, Problem> {
    let new =
        NewThread { tenant: caller.tenant.to_string(), agent: agent.to_owned(), title: None, metadata: Value::Null };
    let Some(id) = id else {
        return Ok(app.engine().create_thread(new).await?);
    };
    let ours = id.starts_with("thr_");
    let id = client_thread(caller, id)?;
    match app.engine().thread(&id).await? {
        Some(thread) if thread.tenant == caller.tenant.as_str() => Ok(id),
        Some(_) => Err(Problem::not_found("thread")),
        None if ours => Err(Problem::not_found("thread")),
        None => Ok(app.engine().ensure_thread(id, new).await?.id),
    }
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Filter {
    /// Only threads of this agent.
    agent: Option<String>,
    /// How many at most, 1 to 100.
    limit: Option<usize>,
    /// Go on after this thread.
    before: Option<String>,
}

/// Threads of the shop, newest first.
#[utoipa::path(get, path = "/api/v1/threads", tag = "threads", params(Filter), responses((status = OK, body = Items<ThreadBody>)))]
async fn list(
    State(app): State<App>,
    caller: Caller,
    Query(filter): Query<Filter>,
) -> Result<Json<Items<ThreadBody>>, Problem> {
    caller.require(Scope::Staff)?;
    let limit = filter.limit.unwrap_or(30).clamp(1, 100);
    let rows = app
        .engine()
        .threads(&ThreadFilter {
            tenant: Some(caller.tenant.to_string()),
            agent: filter.agent,
            limit: limit + 1,
            before: filter.before.as_deref().map(parse_thread).transpose()?,
        })
        .await?;
    let bodies = rows.into_iter().map(ThreadBody::from).collect();
    Ok(Json(Items::page(bodies, limit, |thread| thread.id.clone())))
}

#[derive(Debug, Deserialize, ToSchema)]
struct Create {
    /// Which agent; `shopping` when not given.
    agent: Option<String>,
    /// A title; made from the first message when not given.
    title: Option<String>,
}

/// Make a thread.
#[utoipa::path(post, path = "/api/v1/threads", tag = "threads", request_body = Create, responses((status = CREATED, body = ThreadBody)))]
async fn create(
    State(app): State<App>,
    caller: Caller,
    Body(create): Body<Create>,
) -> Result<(StatusCode, Json<ThreadBody>), Problem> {
    let agent = create.agent.unwrap_or_else(|| "shopping".to_owned());
    if app.engine().graph(&agent).is_none() {
        return Err(Problem::invalid(format!("There is no agent {agent:?}.")));
    }
    let title = create.title.map(|title| checked_title(&title)).transpose()?;
    let new = NewThread { tenant: caller.tenant.to_string(), agent, title, metadata: Value::Null };
    let id = app.engine().create_thread(new).await?;
    let row =
        app.engine().thread(&id).await?.ok_or_else(|| Problem::internal("a thread vanished after it was made"))?;
    Ok((StatusCode::CREATED, Json(row.into())))
}

fn checked_title(title: &str) -> Result<String, Problem> {
    let title = title.trim();
    if title.is_empty() || title.chars().count() > LONGEST_TITLE {
        return Err(Problem::invalid(format!("A title has 1 to {LONGEST_TITLE} characters.")));
    }
    Ok(title.to_owned())
}

/// One thread.
#[utoipa::path(get, path = "/api/v1/threads/{id}", tag = "threads", params(("id" = String, Path)), responses((status = OK, body = ThreadBody)))]
async fn show(State(app): State<App>, caller: Caller, Path(id): Path<String>) -> Result<Json<ThreadBody>, Problem> {
    Ok(Json(own_thread(&app, &caller, &id).await?.into()))
}

#[derive(Debug, Deserialize, ToSchema)]
struct Rename {
    title: String,
}

/// Rename a thread.
#[utoipa::path(patch, path = "/api/v1/threads/{id}", tag = "threads", params(("id" = String, Path)), request_body = Rename,
    responses((status = OK, body = ThreadBody)))]
async fn rename(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
    Body(new): Body<Rename>,
) -> Result<Json<ThreadBody>, Problem> {
    let thread = own_thread(&app, &caller, &id).await?;
    app.engine().rename(&thread.id, Some(checked_title(&new.title)?)).await?;
    Ok(Json(own_thread(&app, &caller, thread.id.as_str()).await?.into()))
}

/// Delete a thread with its checkpoints, runs and events.
#[utoipa::path(delete, path = "/api/v1/threads/{id}", tag = "threads", params(("id" = String, Path)), responses((status = NO_CONTENT)))]
async fn delete(State(app): State<App>, caller: Caller, Path(id): Path<String>) -> Result<StatusCode, Problem> {
    let thread = own_thread(&app, &caller, &id).await?;
    app.engine().delete_thread(&thread.id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The conversation as the AI SDK's UI messages, with the chips that stand.
#[derive(Debug, Serialize, ToSchema)]
struct Messages {
    #[schema(value_type = Vec<Object>)]
    messages: Vec<Value>,
    /// What was understood and still holds; each can be removed.
    #[schema(value_type = Vec<Object>)]
    conditions: Value,
}

/// The conversation on a thread.
#[utoipa::path(get, path = "/api/v1/threads/{id}/messages", tag = "threads", params(("id" = String, Path)), responses((status = OK, body = Messages)))]
async fn messages(State(app): State<App>, caller: Caller, Path(id): Path<String>) -> Result<Json<Messages>, Problem> {
    let thread = own_thread(&app, &caller, &id).await?;
    // A thread on which nothing was said yet has no state.
    let (views, conditions) = match thread.head {
        Some(_) => (app.assistants().messages(&thread.id).await?, app.assistants().conditions(&thread.id).await?),
        None => (Vec::new(), Vec::new()),
    };
    let messages =
        views.iter().map(|view| serde_json::to_value(view).map(|view| ui_message(&view))).collect::<Result<_, _>>();
    Ok(Json(Messages {
        messages: messages.map_err(Problem::internal)?,
        conditions: serde_json::to_value(conditions).map_err(Problem::internal)?,
    }))
}

fn ui_message(view: &Value) -> Value {
    let field = |key: &str| view.get(key).cloned().unwrap_or(Value::Null);
    let list = |key: &str| view.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
    let mut parts = Vec::new();
    for image in list("images") {
        let url = format!("/api/v1/files/{}", image.as_str().unwrap_or_default());
        parts.push(json!({"type": "file", "mediaType": "image/*", "url": url}));
    }
    for tool in list("tools") {
        let at = |key: &str| tool.get(key).cloned().unwrap_or(Value::Null);
        let failed = tool.get("ok").and_then(Value::as_bool) == Some(false);
        let mut part =
            json!({"type": "dynamic-tool", "toolCallId": at("id"), "toolName": at("name"), "input": at("arguments")});
        if let Some(part) = part.as_object_mut() {
            if failed {
                part.insert("state".into(), "output-error".into());
                part.insert("errorText".into(), at("summary"));
            } else {
                part.insert("state".into(), "output-available".into());
                part.insert("output".into(), json!({"summary": at("summary"), "output": at("output")}));
            }
        }
        parts.push(part);
    }
    if view.get("text").and_then(Value::as_str).is_some_and(|text| !text.is_empty()) {
        parts.push(json!({"type": "text", "text": field("text"), "state": "done"}));
    }
    if !list("products").is_empty() {
        let data = json!({"message": field("id"), "products": field("products")});
        parts.push(json!({"type": "data-products", "id": field("id"), "data": data}));
    }
    if !list("citations").is_empty() {
        parts.push(json!({"type": "data-citations", "id": "citations", "data": {"citations": field("citations")}}));
    }
    let metadata = json!({"by_rules": field("by_rules"), "run": field("run"), "error": field("error")});
    json!({"id": field("id"), "role": field("role"), "parts": parts, "metadata": metadata})
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct At {
    /// The checkpoint to look at; the newest when not given.
    checkpoint: Option<String>,
}

pub(crate) fn parse_checkpoint(id: &str) -> Result<CheckpointId, Problem> {
    id.parse().map_err(|_malformed| Problem::not_found("checkpoint"))
}

/// The state of a thread, now or at a checkpoint.
#[utoipa::path(get, path = "/api/v1/threads/{id}/state", tag = "threads", params(("id" = String, Path), At), responses((status = OK, body = Object)))]
async fn state(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
    Query(at): Query<At>,
) -> Result<Json<Value>, Problem> {
    caller.require(Scope::Staff)?;
    let thread = own_thread(&app, &caller, &id).await?;
    let checkpoint = at.checkpoint.as_deref().map(parse_checkpoint).transpose()?;
    Ok(Json(app.engine().state_json(&thread.id, checkpoint.as_ref()).await?))
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Which {
    /// Only those made by `input`, `step`, `answer`, `update`, `stop` or `fork`.
    source: Option<String>,
    /// Only those with updates of this node, or of a node of this subgraph.
    node: Option<String>,
    /// Only those of this run.
    run: Option<String>,
    /// How many at most, 1 to 100; 30 when not given.
    limit: Option<usize>,
    /// Go on after this checkpoint, the `next` of the page before.
    before: Option<String>,
}

/// The checkpoints of a thread, newest first: which node made each, with what updates.
#[utoipa::path(get, path = "/api/v1/threads/{id}/history", tag = "threads", params(("id" = String, Path), Which), responses((status = OK, body = Items<Object>)))]
async fn history(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
    Query(which): Query<Which>,
) -> Result<Json<Items<Value>>, Problem> {
    caller.require(Scope::Staff)?;
    let thread = own_thread(&app, &caller, &id).await?;
    let limit = which.limit.unwrap_or(30).clamp(1, 100);
    let filter = HistoryFilter {
        limit: limit + 1,
        before: which.before.as_deref().map(parse_checkpoint).transpose()?,
        source: which.source,
        node: which.node,
        run: which.run.as_deref().map(crate::runs::parse_run).transpose()?,
    };
    let views = app.engine().history_where(&thread.id, &filter).await?;
    let items = views.iter().map(serde_json::to_value).collect::<Result<Vec<_>, _>>().map_err(Problem::internal)?;
    Ok(Json(Items::page(items, limit, |view| view.get("id").and_then(Value::as_str).unwrap_or_default().to_owned())))
}

#[derive(Debug, Default, Deserialize, ToSchema)]
struct Fork {
    /// The checkpoint to start from; the newest when not given.
    checkpoint: Option<String>,
}

/// Make a new thread that goes on from a checkpoint of this one.
#[utoipa::path(post, path = "/api/v1/threads/{id}/fork", tag = "threads", params(("id" = String, Path)), request_body = Fork,
    responses((status = CREATED, body = ThreadBody)))]
async fn fork(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
    Body(fork): Body<Fork>,
) -> Result<(StatusCode, Json<ThreadBody>), Problem> {
    caller.require(Scope::Staff)?;
    let thread = own_thread(&app, &caller, &id).await?;
    let checkpoint = fork.checkpoint.as_deref().map(parse_checkpoint).transpose()?;
    let new = app.engine().fork(&thread.id, checkpoint.as_ref()).await?;
    Ok((StatusCode::CREATED, Json(own_thread(&app, &caller, new.as_str()).await?.into())))
}

/// What was started.
#[derive(Debug, Serialize, ToSchema)]
struct Started {
    run: String,
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Speaking {
    /// The language of the page, `zh` or `en`.
    locale: Option<String>,
}

/// Take back something that was understood; the search is done again without it.
#[utoipa::path(delete, path = "/api/v1/threads/{id}/conditions/{condition}", tag = "threads",
    params(("id" = String, Path), ("condition" = String, Path), Speaking), responses((status = ACCEPTED, body = Started)))]
async fn remove_condition(
    State(app): State<App>,
    caller: Caller,
    Path((id, condition)): Path<(String, String)>,
    Query(speaking): Query<Speaking>,
) -> Result<(StatusCode, Json<Started>), Problem> {
    let thread = own_thread(&app, &caller, &id).await?;
    let locale = if speaking.locale.is_some_and(|tag| tag.starts_with("zh")) { Lang::Zh } else { Lang::En };
    let run = app.assistants().remove_condition(&thread.id, &condition, locale).await?;
    Ok((StatusCode::ACCEPTED, Json(Started { run: run.to_string() })))
}
