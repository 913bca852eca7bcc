//! Runs: they are listed, followed live or later, stopped, answered and forked. What one looks like inside is in [`look`].

mod look;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use axum::response::sse::Event as SseEvent;
use futures::StreamExt;
use mercer_graph::{Answers, Event, Question, RunFilter, RunId, RunOptions, RunRow};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::access::Scope;
use crate::extract::{Body, Items, Path, Query};
use crate::problem::Problem;
use crate::threads::{client_thread, parse_checkpoint};
use crate::{App, Caller, sse};

pub(crate) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(show))
        .routes(routes!(events))
        .routes(routes!(cancel))
        .routes(routes!(resume))
        .routes(routes!(fork))
        .routes(routes!(graph))
        .merge(look::routes())
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
    /// The most it may make.
    step_limit: u32,
    /// What went wrong, for the operator.
    error: Option<String>,
    /// The stable code of what went wrong, such as `effect_unknown`.
    error_code: Option<String>,
    /// The node that failed.
    error_node: Option<String>,
    /// Which attempt works on it.
    epoch: u32,
    /// Who has it.
    owner: String,
    /// What it waits for; only in the answer for one run.
    #[schema(value_type = Vec<Object>)]
    waiting: Vec<Question>,
    #[schema(value_type = Object)]
    metadata: Value,
}

impl From<RunRow> for RunBody {
    fn from(row: RunRow) -> Self {
        let (error, error_code, error_node) = match row.error {
            Some(error) => (Some(error.message), Some(error.code), error.node),
            None => (None, None, None),
        };
        Self {
            id: row.id.to_string(),
            thread: row.thread.to_string(),
            agent: row.agent,
            status: row.status.to_string(),
            created: row.created.to_string(),
            updated: row.updated.to_string(),
            steps: row.steps,
            step_limit: row.step_limit,
            error,
            error_code,
            error_node,
            epoch: row.epoch,
            owner: row.owner,
            waiting: Vec::new(),
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
pub(crate) async fn own_run(app: &App, caller: &Caller, id: &str) -> Result<RunRow, Problem> {
    let run = app.engine().run(&parse_run(id)?).await?.ok_or_else(|| Problem::not_found("run"))?;
    if run.tenant == caller.tenant.as_str() { Ok(run) } else { Err(Problem::not_found("run")) }
}

/// One run.
#[utoipa::path(get, path = "/api/v1/runs/{id}", tag = "runs", params(("id" = String, Path)), responses((status = OK, body = RunBody)))]
async fn show(State(app): State<App>, caller: Caller, Path(id): Path<String>) -> Result<Json<RunBody>, Problem> {
    let run = own_run(&app, &caller, &id).await?;
    let waiting = app.engine().questions(&run).await?;
    Ok(Json(RunBody { waiting, ..run.into() }))
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

/// How a run goes on. Nothing at all for one that failed or was stopped.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Resume {
    /// Interrupt id to answer.
    #[schema(value_type = Option<Object>)]
    answers: Option<std::collections::BTreeMap<String, Value>>,
    /// The answer to the only question.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<Object>)]
    answer: Option<Value>,
    /// A higher step limit, for a run that stopped at its limit.
    step_limit: Option<u32>,
}

/// Keeps an answer that is `null` apart from none.
fn given<'de, D: serde::Deserializer<'de>>(input: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(input).map(Some)
}

fn answers(one: Option<Value>, each: Option<std::collections::BTreeMap<String, Value>>) -> Result<Answers, Problem> {
    match (one, each) {
        (Some(_), Some(_)) => Err(Problem::invalid("Send either answer, for the only question, or answers by id.")),
        (Some(value), None) => Ok(Answers::One(value)),
        (None, Some(each)) if each.is_empty() => Ok(Answers::None),
        (None, Some(each)) => Ok(Answers::Each(each)),
        (None, None) => Ok(Answers::None),
    }
}

/// Answer what a run waits for, or raise its step limit; it goes on.
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
    let answers = answers(resume.answer, resume.answers)?;
    match resume.step_limit {
        None => app.engine().resume(&run.id, answers).await?,
        Some(_) if answers != Answers::None => {
            return Err(Problem::invalid("A run that stopped at its limit asks nothing: send step_limit alone."));
        }
        Some(limit) if limit <= run.steps => {
            return Err(Problem::invalid(format!(
                "The run has made {} steps; the new limit must be higher.",
                run.steps
            )));
        }
        Some(limit) => app.engine().resume_with_limit(&run.id, limit).await?,
    }
    Ok(StatusCode::ACCEPTED)
}

/// From where a new thread goes on.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ForkRun {
    /// A step of the run; where the run stands when not given.
    checkpoint: Option<String>,
    /// Start a run on the new thread where that step stood, instead of leaving it at rest.
    #[serde(default)]
    go_on: bool,
    /// Answers to what was open at that step, to go on with.
    #[schema(value_type = Option<Object>)]
    answers: Option<std::collections::BTreeMap<String, Value>>,
}

/// A new thread, and the run on it if one was started.
#[derive(Debug, Serialize, ToSchema)]
struct Forked {
    thread: String,
    run: Option<String>,
}

/// Make a new thread that holds the state of a step of this run.
#[utoipa::path(post, path = "/api/v1/runs/{id}/fork", tag = "runs", params(("id" = String, Path)), request_body = ForkRun,
    responses((status = CREATED, body = Forked)))]
async fn fork(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
    Body(fork): Body<ForkRun>,
) -> Result<(StatusCode, Json<Forked>), Problem> {
    caller.require(Scope::Staff)?;
    let run = own_run(&app, &caller, &id).await?;
    let checkpoint = match &fork.checkpoint {
        Some(id) => parse_checkpoint(id)?,
        None => app.engine().last_step(&run.id).await?.ok_or_else(|| Problem::not_found("checkpoint"))?,
    };
    let thread = app.engine().fork(&run.thread, Some(&checkpoint)).await?;
    if !fork.go_on {
        return Ok((StatusCode::CREATED, Json(Forked { thread: thread.to_string(), run: None })));
    }
    let options = RunOptions { metadata: serde_json::json!({"forked_from": run.id}), ..RunOptions::default() };
    match app.engine().go_on(&thread, answers(None, fork.answers)?, options).await {
        Ok(run) => {
            let forked = Forked { thread: thread.to_string(), run: Some(run.to_string()) };
            Ok((StatusCode::CREATED, Json(forked)))
        }
        Err(error) => {
            // A fork that cannot go on as asked would only be in the way.
            app.engine().delete_thread(&thread).await?;
            Err(error.into())
        }
    }
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
