//! Runs: what an agent did, step by step, live or later.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use axum::response::sse::Event as SseEvent;
use futures::StreamExt;
use mercer_graph::{Answers, Event, RunFilter, RunId, RunRow};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::access::Scope;
use crate::extract::{Body, Items, Path, Query};
use crate::problem::Problem;
use crate::threads::client_thread;
use crate::{App, Caller, sse};

pub(crate) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(show))
        .routes(routes!(events))
        .routes(routes!(cancel))
        .routes(routes!(resume))
        .routes(routes!(graph))
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Filter {
    /// Only runs of this agent.
    agent: Option<String>,
    /// Only runs on this thread.
    thread: Option<String>,
    /// Only runs in this state.
    status: Option<String>,
    /// How many at most, 1 to 100.
    limit: Option<usize>,
    /// Go on after this run.
    before: Option<String>,
}

/// A run.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RunBody {
    id: String,
    thread: String,
    agent: String,
    /// `queued`, `running`, `interrupted`, `done`, `failed`, `cancelled` or `step_limit`.
    status: String,
    created: String,
    updated: String,
    /// Supersteps so far.
    steps: u32,
    /// What went wrong, for the operator.
    error: Option<String>,
    /// Which attempt works on it.
    epoch: u32,
    #[schema(value_type = Object)]
    metadata: Value,
}

impl From<RunRow> for RunBody {
    fn from(row: RunRow) -> Self {
        Self {
            id: row.id.to_string(),
            thread: row.thread.to_string(),
            agent: row.agent,
            status: row.status.to_string(),
            created: row.created.to_string(),
            updated: row.updated.to_string(),
            steps: row.steps,
            error: row.error.map(|error| error.message),
            epoch: row.epoch,
            metadata: row.metadata,
        }
    }
}

/// Runs, newest first.
#[utoipa::path(get, path = "/api/v1/runs", tag = "runs", params(Filter), responses((status = OK, body = Items<RunBody>)))]
async fn list(
    State(app): State<App>,
    caller: Caller,
    Query(filter): Query<Filter>,
) -> Result<Json<Items<RunBody>>, Problem> {
    caller.require(Scope::Staff)?;
    let limit = filter.limit.unwrap_or(30).clamp(1, 100);
    let status = filter.status.map(|name| {
        serde_json::from_value(Value::String(name.clone()))
            .map_err(|_unknown| Problem::invalid(format!("There is no run status {name:?}.")))
    });
    let rows = app
        .engine()
        .runs(&RunFilter {
            tenant: Some(caller.tenant.to_string()),
            thread: filter.thread.as_deref().map(|id| client_thread(&caller, id)).transpose()?,
            agent: filter.agent,
            status: status.transpose()?,
            limit: limit + 1,
            before: filter.before.as_deref().map(parse_run).transpose()?,
        })
        .await?;
    let bodies = rows.into_iter().map(RunBody::from).collect();
    Ok(Json(Items::page(bodies, limit, |run| run.id.clone())))
}

pub(crate) fn parse_run(id: &str) -> Result<RunId, Problem> {
    id.parse().map_err(|_malformed| Problem::not_found("run"))
}

/// A run of the caller's tenant. Another tenant's run answers like one that does not exist.
async fn own_run(app: &App, caller: &Caller, id: &str) -> Result<RunRow, Problem> {
    let run = app.engine().run(&parse_run(id)?).await?.ok_or_else(|| Problem::not_found("run"))?;
    if run.tenant == caller.tenant.as_str() { Ok(run) } else { Err(Problem::not_found("run")) }
}

/// One run.
#[utoipa::path(get, path = "/api/v1/runs/{id}", tag = "runs", params(("id" = String, Path)), responses((status = OK, body = RunBody)))]
async fn show(State(app): State<App>, caller: Caller, Path(id): Path<String>) -> Result<Json<RunBody>, Problem> {
    Ok(Json(own_run(&app, &caller, &id).await?.into()))
}

/// One event as server-sent: attempt and number as the id, so that a client that lost the line reads on from there, whatever was killed.
pub(crate) fn sse_event(event: &Event) -> SseEvent {
    let json = serde_json::to_value(event).unwrap_or(Value::Null);
    SseEvent::default().id(format!("{}-{}", event.epoch, event.seq)).event(event.body.kind()).data(json.to_string())
}

/// Reads the id that [`sse_event`] gives.
fn event_id(text: &str) -> Option<(u32, u64)> {
    let (epoch, seq) = text.trim().split_once('-')?;
    Some((epoch.parse().ok()?, seq.parse().ok()?))
}

/// A run's events: those that were, then those that come, to the end. `Last-Event-ID` goes on after that number.
#[utoipa::path(get, path = "/api/v1/runs/{id}/events", tag = "runs", params(("id" = String, Path)),
    responses((status = OK, content_type = "text/event-stream", body = String)))]
async fn events(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let run = own_run(&app, &caller, &id).await?;
    let after = match headers.get("last-event-id") {
        None => 0,
        Some(value) => {
            let (epoch, seq) = value.to_str().ok().and_then(event_id).ok_or_else(|| {
                Problem::invalid("Last-Event-ID must be the id of the last event that arrived, such as 1-42.")
            })?;
            app.engine().after(&run.id, epoch, seq).await?
        }
    };
    let events = app.engine().events(&run.id, after);
    Ok(sse::respond(events.filter_map(|event| async move {
        match event {
            Ok(event) => Some(Ok(sse_event(&event))),
            Err(error) => {
                tracing::error!(%error, "a run's events could not be read");
                None
            }
        }
    })))
}

/// Stop a run. What it did is kept; the thread can go on.
#[utoipa::path(post, path = "/api/v1/runs/{id}/cancel", tag = "runs", params(("id" = String, Path)), responses((status = ACCEPTED)))]
async fn cancel(State(app): State<App>, caller: Caller, Path(id): Path<String>) -> Result<StatusCode, Problem> {
    let run = own_run(&app, &caller, &id).await?;
    app.engine().cancel(&run.id).await?;
    Ok(StatusCode::ACCEPTED)
}

/// Answers to what a run waits for.
#[derive(Debug, Deserialize, ToSchema)]
struct Resume {
    /// Interrupt id to answer.
    #[schema(value_type = Object)]
    answers: std::collections::BTreeMap<String, Value>,
}

/// Answer what a run waits for; it goes on.
#[utoipa::path(post, path = "/api/v1/runs/{id}/resume", tag = "runs", params(("id" = String, Path)), request_body = Resume,
    responses((status = ACCEPTED)))]
async fn resume(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
    Body(resume): Body<Resume>,
) -> Result<StatusCode, Problem> {
    caller.require(Scope::Staff)?;
    let run = own_run(&app, &caller, &id).await?;
    app.engine().resume(&run.id, Answers::Each(resume.answers.into_iter().collect())).await?;
    Ok(StatusCode::ACCEPTED)
}

/// An agent's graph, as data and as Mermaid text.
#[derive(Debug, Serialize, ToSchema)]
struct GraphBody {
    name: String,
    mermaid: String,
    #[schema(value_type = Object)]
    shape: Value,
}

/// The graph of an agent.
#[utoipa::path(get, path = "/api/v1/graphs/{agent}", tag = "runs", params(("agent" = String, Path)), responses((status = OK, body = GraphBody)))]
async fn graph(State(app): State<App>, caller: Caller, Path(agent): Path<String>) -> Result<Json<GraphBody>, Problem> {
    caller.require(Scope::Staff)?;
    let graph = app.engine().graph(&agent).ok_or_else(|| Problem::not_found("agent"))?;
    let shape = serde_json::to_value(&graph.shape).map_err(Problem::internal)?;
    Ok(Json(GraphBody { name: agent, mermaid: graph.mermaid, shape }))
}
