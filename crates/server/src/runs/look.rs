//! A run from inside: the way it took through its graph, the state at each step and what changed, its effects.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use jiff::{SignedDuration, Timestamp};
use mercer_graph::{CheckpointView, DifferenceKind, EffectView, differences};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::own_run;
use crate::access::Scope;
use crate::extract::{Body, Items, Path, Query};
use crate::problem::Problem;
use crate::threads::parse_checkpoint;
use crate::{App, Caller};

/// The most differences that one answer shows.
const MOST_CHANGES: usize = 500;
/// The most effects that one answer shows.
const MOST_EFFECTS: usize = 500;

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(way))
        .routes(routes!(steps))
        .routes(routes!(step))
        .routes(routes!(effects))
        .routes(routes!(settle))
}

/// A line of the graph that the run took.
#[derive(Debug, Serialize, ToSchema)]
struct Taken {
    from: String,
    to: String,
    times: u32,
}

/// A run's graph with the way it took.
#[derive(Debug, Serialize, ToSchema)]
struct WayBody {
    name: String,
    /// The drawing in Mermaid's language, with the way in it.
    mermaid: String,
    #[schema(value_type = Object)]
    shape: Value,
    /// Whether the program's graph is another than the one that the run began with.
    changed: bool,
    /// Finished tasks by node.
    #[schema(value_type = Object)]
    visits: std::collections::BTreeMap<String, u32>,
    taken: Vec<Taken>,
    /// Where it stands.
    next: Vec<String>,
    /// Nodes that wait for an answer.
    waiting: Vec<String>,
}

/// The graph of a run, and the way the run took through it.
#[utoipa::path(get, path = "/api/v1/runs/{id}/graph", tag = "runs", params(("id" = String, Path)), responses((status = OK, body = WayBody)))]
async fn way(State(app): State<App>, caller: Caller, Path(id): Path<String>) -> Result<Json<WayBody>, Problem> {
    caller.require(Scope::Staff)?;
    let run = own_run(&app, &caller, &id).await?;
    let graph = app.engine().graph(&run.agent).ok_or_else(|| Problem::not_found("agent"))?;
    let way = app.engine().way(&run, &graph.shape).await?;
    let taken =
        |line: &mercer_graph::TakenLine| Taken { from: line.from.clone(), to: line.to.clone(), times: line.times };
    Ok(Json(WayBody {
        name: run.agent,
        mermaid: graph.shape.mermaid_of(&way),
        shape: serde_json::to_value(&graph.shape).map_err(Problem::internal)?,
        changed: graph.hash != run.shape,
        taken: way.taken.iter().map(taken).collect(),
        visits: way.visits,
        next: way.next,
        waiting: way.waiting,
    }))
}

/// A step of a run: a checkpoint that it made.
#[derive(Debug, Serialize, ToSchema)]
struct StepBody {
    id: String,
    /// Its number on the thread.
    step: u64,
    at: String,
    /// `input`, `step`, `answer`, `update`, `stop` or `fork`.
    source: String,
    /// The nodes whose updates it holds.
    nodes: Vec<String>,
    /// The nodes that run next.
    next: Vec<String>,
    #[schema(value_type = Vec<Object>)]
    updates: Value,
    /// Since the checkpoint before it.
    milliseconds: Option<i64>,
}

impl StepBody {
    fn of(view: CheckpointView, earlier: Option<Timestamp>) -> Self {
        let took = |earlier| view.at.duration_since(earlier).max(SignedDuration::ZERO).as_millis();
        Self {
            milliseconds: earlier.map(took).and_then(|ms| i64::try_from(ms).ok()),
            id: view.id.to_string(),
            step: view.step,
            at: view.at.to_string(),
            source: view.source,
            nodes: view.nodes,
            next: view.next,
            updates: view.updates,
        }
    }
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct After {
    /// Go on after the step of this number, the `next` of the page before.
    after: Option<u64>,
    /// How many at most, 1 to 200; 100 when not given.
    limit: Option<usize>,
}

/// The steps of a run, the oldest first.
#[utoipa::path(get, path = "/api/v1/runs/{id}/steps", tag = "runs", params(("id" = String, Path), After), responses((status = OK, body = Items<StepBody>)))]
async fn steps(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
    Query(page): Query<After>,
) -> Result<Json<Items<StepBody>>, Problem> {
    caller.require(Scope::Staff)?;
    let run = own_run(&app, &caller, &id).await?;
    let limit = page.limit.unwrap_or(100).clamp(1, 200);
    let views = app.engine().run_steps(&run.id, page.after, limit + 1).await?;
    let mut earlier = None;
    let bodies = views.into_iter().map(|view| {
        let at = view.at;
        StepBody::of(view, earlier.replace(at))
    });
    Ok(Json(Items::page(bodies.collect(), limit, |step| step.step.to_string())))
}

/// A place in the state that a step changed.
#[derive(Debug, Serialize, ToSchema)]
struct Change {
    /// Where: a JSON Pointer.
    path: String,
    /// `added`, `removed` or `changed`.
    #[schema(value_type = String)]
    kind: DifferenceKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    before: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    after: Option<Value>,
}

/// A step with the state it left.
#[derive(Debug, Serialize, ToSchema)]
struct StepDetail {
    step: StepBody,
    #[schema(value_type = Object)]
    state: Value,
    /// What is different from the state before it.
    changes: Vec<Change>,
    /// Whether there are more differences than shown.
    more: bool,
}

/// The state after a step, and what the step changed.
#[utoipa::path(get, path = "/api/v1/runs/{id}/steps/{checkpoint}", tag = "runs",
    params(("id" = String, Path), ("checkpoint" = String, Path)), responses((status = OK, body = StepDetail)))]
async fn step(
    State(app): State<App>,
    caller: Caller,
    Path((id, checkpoint)): Path<(String, String)>,
) -> Result<Json<StepDetail>, Problem> {
    caller.require(Scope::Staff)?;
    let run = own_run(&app, &caller, &id).await?;
    let view = app.engine().step_json(&run.thread, &parse_checkpoint(&checkpoint)?).await?;
    if view.checkpoint.run.as_ref() != Some(&run.id) {
        return Err(Problem::not_found("checkpoint"));
    }
    let (found, more) = differences(&view.before, &view.state, MOST_CHANGES);
    let changes = found.into_iter().map(|place| Change {
        path: place.path,
        kind: place.kind,
        before: place.before,
        after: place.after,
    });
    let (changes, step) = (changes.collect(), StepBody::of(view.checkpoint, view.earlier));
    Ok(Json(StepDetail { step, state: view.state, changes, more }))
}

/// Something that the run did outside its state.
#[derive(Debug, Serialize, ToSchema)]
struct EffectBody {
    /// What it is known by in the journal; to be sent back as it is.
    key: String,
    name: String,
    facts: Vec<String>,
    /// `done`, or `open`: under way, or its outcome is not known.
    state: &'static str,
    started: String,
    #[schema(value_type = Option<Object>)]
    result: Option<Value>,
}

impl From<EffectView> for EffectBody {
    fn from(view: EffectView) -> Self {
        Self {
            key: view.key,
            name: view.name,
            facts: view.facts,
            state: if view.open { "open" } else { "done" },
            started: view.started.to_string(),
            result: view.result,
        }
    }
}

/// The effects that a run started, the oldest first.
#[utoipa::path(get, path = "/api/v1/runs/{id}/effects", tag = "runs", params(("id" = String, Path)), responses((status = OK, body = Items<EffectBody>)))]
async fn effects(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<Items<EffectBody>>, Problem> {
    caller.require(Scope::Staff)?;
    let run = own_run(&app, &caller, &id).await?;
    let effects = app.engine().effects_of(&run.id, MOST_EFFECTS).await?;
    Ok(Json(Items { items: effects.into_iter().map(EffectBody::from).collect(), next: None }))
}

/// A person's word for an effect whose outcome is not known.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Settle {
    /// The effect.
    key: String,
    /// Whether it happened.
    happened: bool,
    /// What came of it, in the form that the effect's own results have.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    result: Value,
}

/// Say whether an effect happened whose outcome is not known. The run is resumed after it.
#[utoipa::path(post, path = "/api/v1/runs/{id}/effects/settle", tag = "runs", params(("id" = String, Path)), request_body = Settle,
    responses((status = NO_CONTENT)))]
async fn settle(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
    Body(settle): Body<Settle>,
) -> Result<StatusCode, Problem> {
    caller.require(Scope::Staff)?;
    let run = own_run(&app, &caller, &id).await?;
    let effect = app.engine().effect_of_key(&settle.key).await?.filter(|effect| effect.run == run.id);
    let effect = effect.ok_or_else(|| Problem::not_found("effect"))?;
    app.engine().settle_effect(&effect.key, settle.happened.then_some(&settle.result)).await?;
    tracing::info!(run = %run.id, effect = effect.key, happened = settle.happened, "a person settled an effect");
    Ok(StatusCode::NO_CONTENT)
}
