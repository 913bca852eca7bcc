//! Imports of products: a look first, then a job that reports how far it is and what it left out.
//!
//! A job's row is stored before it starts. One that is found running at start was cut off and begins again: nothing of it had been swapped in.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use axum::Json;
use axum::extract::{DefaultBodyLimit, FromRequest, Request, State};
use axum::http::{StatusCode, header};
use axum::response::sse::Event as SseEvent;
use axum::response::{IntoResponse, Response};
use mercer_search::feed::{self, Mapping, Progress};
use mercer_search::import::{self, Import, ImportError};
use mercer_search::{Catalog, Catalogs};
use mercer_shop::{Currency, Files, ImportRow, ImportState, Imports, NewFile, StorageError, TenantId};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio_util::task::TaskTracker;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::access::Scope;
use crate::extract::{Body, Form, Items, Page, Path, Query};
use crate::files::form_file;
use crate::problem::{Code, Problem};
use crate::{App, Caller, sse};

/// Largest feed upload in bytes; larger ones are imported from the server's disk.
const LARGEST_FEED: usize = 256 << 20;
/// Rows that a preview shows.
const PREVIEW_ROWS: usize = 8;

pub(crate) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(preview))
        .layer(DefaultBodyLimit::max(LARGEST_FEED + (64 << 10)))
        .routes(routes!(list, start))
        .routes(routes!(show))
        .routes(routes!(events))
        .routes(routes!(cancel))
        .routes(routes!(skipped))
}

/// What to import: exactly one of `upload`, `url` and `path`.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
struct StartImport {
    /// The id that the preview gave.
    upload: Option<String>,
    /// An http(s) address; private addresses are refused.
    url: Option<String>,
    /// A path on the server's own disk; admin keys only.
    path: Option<String>,
    /// The format, when the guess is wrong.
    format: Option<String>,
    /// The encoding, when the guess is wrong.
    encoding: Option<String>,
    /// Which column is which field.
    #[schema(value_type = Object)]
    mapping: Option<Value>,
    /// The currency of prices that state none.
    currency: Option<String>,
    /// Stop at the first bad row and change nothing.
    strict: bool,
    /// What it is called in lists; an upload's own file name when not given.
    name: Option<String>,
}

/// An import.
#[derive(Debug, Clone, Serialize, ToSchema)]
struct ImportBody {
    id: String,
    /// `running`, `done`, `failed` or `cancelled`.
    #[schema(value_type = String)]
    state: ImportState,
    /// What is being done: `waiting`, `surveying`, `grouping`, `reading` or `done`.
    phase: String,
    rows: u64,
    products: u64,
    skipped: u64,
    bytes: u64,
    total_bytes: u64,
    /// Rows a second.
    rate: f64,
    seconds_left: Option<f64>,
    created: String,
    updated: String,
    /// The file's name, the address or the path.
    name: Option<String>,
    #[schema(value_type = Object)]
    request: Value,
    /// Counts and samples by kind of problem, what changed, or why it failed.
    #[schema(value_type = Object)]
    report: Value,
}

impl ImportBody {
    fn new(row: ImportRow, progress: Option<&Progress>) -> Self {
        let stored =
            |key: &str| row.report.pointer(&format!("/feed/{key}")).and_then(Value::as_u64).unwrap_or_default();
        let phase = match (row.state, progress) {
            (ImportState::Running, None) => "waiting".to_owned(),
            (ImportState::Running, Some(progress)) => serde_json::to_value(progress.phase)
                .ok()
                .and_then(|phase| phase.as_str().map(str::to_owned))
                .unwrap_or_default(),
            _ => "done".to_owned(),
        };
        Self {
            phase,
            rows: progress.map_or_else(|| stored("rows"), |progress| progress.rows),
            products: progress.map_or_else(|| stored("products"), |progress| progress.products),
            skipped: progress.map_or_else(|| stored("skipped"), |progress| progress.skipped),
            bytes: progress.map_or(0, |progress| progress.bytes),
            total_bytes: progress.map_or(0, |progress| progress.total_bytes),
            rate: progress.map_or(0.0, |progress| progress.rows_per_second),
            seconds_left: progress.and_then(|progress| progress.seconds_left),
            id: row.id,
            state: row.state,
            created: row.created.to_string(),
            updated: row.updated.to_string(),
            name: ["name", "url", "path"].iter().find_map(|key| row.request.get(key)?.as_str()).map(str::to_owned),
            request: row.request,
            report: row.report,
        }
    }
}

/// The import jobs of a server. One import a tenant runs at a time; another waits for it.
#[derive(Debug, Clone)]
pub struct ImportJobs(Arc<Jobs>);

#[derive(Debug)]
struct Jobs {
    catalogs: Arc<Catalogs>,
    imports: Arc<dyn Imports>,
    files: Arc<dyn Files>,
    /// Where uploads are laid out for reading, and lists of skipped rows are kept.
    folder: PathBuf,
    live: Mutex<BTreeMap<String, Live>>,
    turns: Mutex<BTreeMap<TenantId, Arc<tokio::sync::Mutex<()>>>>,
    tasks: TaskTracker,
}

#[derive(Debug, Clone)]
struct Live {
    cancel: Arc<AtomicBool>,
    progress: watch::Receiver<Option<Progress>>,
}

impl ImportJobs {
    pub(crate) fn new(
        catalogs: Arc<Catalogs>,
        imports: Arc<dyn Imports>,
        files: Arc<dyn Files>,
        folder: PathBuf,
    ) -> Self {
        let (live, turns, tasks) = (Mutex::default(), Mutex::default(), TaskTracker::new());
        Self(Arc::new(Jobs { catalogs, imports, files, folder, live, turns, tasks }))
    }

    /// Starts the imports again that were cut off, and says how many.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn recover(&self) -> Result<usize, StorageError> {
        let cut_off = self.0.imports.unfinished().await?;
        let count = cut_off.len();
        for row in cut_off {
            self.spawn(row);
        }
        Ok(count)
    }

    /// Stops what runs, for the end of the process; it begins again at the next start.
    pub async fn close(&self) {
        self.0.tasks.close();
        for live in self.0.live.lock().unwrap_or_else(PoisonError::into_inner).values() {
            live.cancel.store(true, Ordering::Relaxed);
        }
        self.0.tasks.wait().await;
    }

    fn live(&self, id: &str) -> Option<Live> {
        self.0.live.lock().unwrap_or_else(PoisonError::into_inner).get(id).cloned()
    }

    async fn start(&self, tenant: &TenantId, request: &StartImport) -> Result<ImportRow, Problem> {
        let now = jiff::Timestamp::now();
        let row = ImportRow {
            id: format!("imp_{}", uuid::Uuid::now_v7().simple()),
            tenant: tenant.clone(),
            state: ImportState::Running,
            request: serde_json::to_value(request).map_err(Problem::internal)?,
            report: Value::Null,
            created: now,
            updated: now,
        };
        // Stored and begun as one, although the client may go away in between: a row that nobody works on would run for ever.
        let (jobs, begun) = (self.clone(), row.clone());
        let stored = tokio::spawn(async move {
            jobs.0.imports.save(begun.clone()).await?;
            jobs.spawn(begun);
            Ok::<_, StorageError>(())
        });
        stored.await.map_err(Problem::internal)??;
        Ok(row)
    }

    fn spawn(&self, row: ImportRow) {
        let (sender, progress) = watch::channel(None);
        let cancel = Arc::new(AtomicBool::new(false));
        let live = Live { cancel: Arc::clone(&cancel), progress };
        self.0.live.lock().unwrap_or_else(PoisonError::into_inner).insert(row.id.clone(), live);
        let jobs = self.clone();
        self.0.tasks.spawn(async move {
            let id = row.id.clone();
            if let Err(error) = jobs.work(row, sender, cancel).await {
                tracing::error!(%error, import = %id, "an import's row could not be stored");
            }
            jobs.0.live.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
        });
    }

    async fn work(
        &self,
        mut row: ImportRow,
        sender: watch::Sender<Option<Progress>>,
        cancel: Arc<AtomicBool>,
    ) -> Result<(), StorageError> {
        let turn = {
            let mut turns = self.0.turns.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(turns.entry(row.tenant.clone()).or_default())
        };
        let _turn = turn.lock().await;
        let outcome = match self.prepare(&row).await {
            Ok((catalog, import, laid_out)) => {
                let cancel = Arc::clone(&cancel);
                let work = move || {
                    let result = import::run(&catalog, import, &cancel, |progress| {
                        sender.send_replace(Some(progress.clone()));
                    });
                    drop(laid_out);
                    result
                };
                tokio::task::spawn_blocking(work)
                    .await
                    .map_err(|_panicked| "the import failed on our side; see the log".to_owned())
            }
            Err(refused) => Err(refused),
        };
        (row.state, row.report) = match outcome {
            Ok(Ok(report)) => (ImportState::Done, serde_json::to_value(report).unwrap_or_default()),
            // The process is stopping, nobody cancelled: the row stays as it is and the import begins again at the next start.
            Ok(Err(ImportError::Cancelled)) if self.0.tasks.is_closed() => return Ok(()),
            Ok(Err(ImportError::Cancelled)) => {
                (ImportState::Cancelled, json!({"error": ImportError::Cancelled.to_string()}))
            }
            Ok(Err(error)) => (ImportState::Failed, json!({"error": in_full(&error), "feed": error.report()})),
            Err(refused) => (ImportState::Failed, json!({"error": refused})),
        };
        row.updated = jiff::Timestamp::now();
        self.0.imports.save(row).await
    }

    /// The catalogue and the import that a row asks for. The upload is laid out as a temporary file that lives as long as the third value.
    async fn prepare(&self, row: &ImportRow) -> Result<(Arc<Catalog>, Import, Option<tempfile::TempDir>), String> {
        let request: StartImport = serde_json::from_value(row.request.clone()).map_err(|error| error.to_string())?;
        let mut options = options(&request).map_err(|problem| problem.detail().to_owned())?;
        std::fs::create_dir_all(&self.0.folder).map_err(|error| error.to_string())?;
        options.skipped = Some(self.skipped_path(&row.id));
        let catalog = self.0.catalogs.tenant(&row.tenant).map_err(|error| error.to_string())?;
        let (source, laid_out) = match (&request.upload, &request.url, &request.path) {
            (Some(upload), _, _) => {
                let file = self.0.files.get(&row.tenant, upload).await.map_err(|error| error.to_string())?;
                let (meta, content) = file.ok_or("the uploaded file is gone; upload it again")?;
                let (folder, path) = lay_out(&meta.name, &content).map_err(|error| error.to_string())?;
                (feed::Source::path(path), Some(folder))
            }
            (None, Some(address), _) | (None, None, Some(address)) => (feed::Source::parse(address), None),
            (None, None, None) => return Err("nothing to import was named".to_owned()),
        };
        Ok((catalog, Import { source, options, pictures: None }, laid_out))
    }

    fn skipped_path(&self, id: &str) -> PathBuf {
        self.0.folder.join(format!("{id}.skipped.csv"))
    }
}

fn in_full(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(deeper) = cause {
        text = format!("{text}: {deeper}");
        cause = deeper.source();
    }
    text
}

/// An upload as a file under its own name, which tells its kind and stands in reports, in a folder of its own that goes with the first value.
fn lay_out(name: &str, content: &[u8]) -> std::io::Result<(tempfile::TempDir, PathBuf)> {
    let name = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let name: String =
        name.chars().map(|c| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' }).take(60).collect();
    let name = name.trim_start_matches('.');
    let folder = tempfile::Builder::new().prefix("mercer-feed").tempdir()?;
    let path = folder.path().join(if name.is_empty() { "feed" } else { name });
    std::fs::write(&path, content)?;
    Ok((folder, path))
}

fn options(request: &StartImport) -> Result<feed::Options, Problem> {
    let format = request.format.as_deref().map(str::parse).transpose();
    let currency = request.currency.as_deref().map(Currency::new).transpose();
    let mapping = request.mapping.as_ref().map(|mapping| Mapping::parse(&mapping.to_string())).transpose();
    Ok(feed::Options {
        format: format.map_err(|error| Problem::invalid(format!("format: {error}")))?,
        encoding: request.encoding.clone(),
        currency: currency.map_err(|error| Problem::invalid(error.to_string()))?,
        mapping: mapping.map_err(|error| Problem::invalid(error.to_string()))?,
        strict: request.strict,
        ..feed::Options::default()
    })
}

fn refused(error: &feed::FeedError) -> Problem {
    Problem::new(Code::ImportRefused, in_full(error))
}

/// An address to look at.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct PreviewUrl {
    /// An http(s) address; private addresses are refused.
    url: String,
}

/// Upload a feed, or name its address as JSON `{"url": …}`, and see what would be read. Nothing is changed.
#[utoipa::path(post, path = "/api/v1/imports/preview", tag = "imports",
    request_body(content((PreviewUrl = "application/json"), (Object = "multipart/form-data"))), responses((status = OK, body = Object)))]
async fn preview(State(app): State<App>, caller: Caller, request: Request) -> Result<Json<Value>, Problem> {
    caller.require(Scope::Staff)?;
    let kind = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if kind.starts_with("application/json") {
        let Body(PreviewUrl { url }) = Body::from_request(request, &()).await?;
        let source = web_source(&url)?;
        let preview = tokio::task::spawn_blocking(move || preview_of(&source)).await.map_err(Problem::internal)??;
        return Ok(Json(described(&preview, &[("url", url.clone()), ("name", url)])?));
    }
    let Form(mut form) = Form::from_request(request, &()).await?;
    let (name, bytes) = form_file(&mut form).await?;
    let content: Arc<[u8]> = Arc::from(&bytes[..]);
    let (looked, called) = (Arc::clone(&content), name.clone());
    let preview = tokio::task::spawn_blocking(move || {
        let (_folder, path) = lay_out(&called, &looked).map_err(Problem::internal)?;
        preview_of(&feed::Source::path(path))
    });
    let preview = preview.await.map_err(Problem::internal)??;
    let new = NewFile {
        tenant: caller.tenant.clone(),
        media_type: "application/octet-stream".to_owned(),
        name: name.clone(),
        content,
        created: jiff::Timestamp::now(),
    };
    let meta = app.files().put(new).await?;
    Ok(Json(described(&preview, &[("upload", meta.id), ("name", name)])?))
}

fn preview_of(source: &feed::Source) -> Result<feed::Preview, Problem> {
    feed::preview(source, &feed::Options::default(), PREVIEW_ROWS).map_err(|error| refused(&error))
}

fn described(preview: &feed::Preview, more: &[(&str, String)]) -> Result<Value, Problem> {
    let mut body = serde_json::to_value(preview).map_err(Problem::internal)?;
    if let Some(body) = body.as_object_mut() {
        body.extend(more.iter().map(|(key, value)| ((*key).to_owned(), Value::from(value.clone()))));
    }
    Ok(body)
}

fn web_source(url: &str) -> Result<feed::Source, Problem> {
    if url.starts_with("http://") || url.starts_with("https://") {
        return Ok(feed::Source::parse(url));
    }
    Err(Problem::invalid("url must begin with http:// or https://."))
}

/// Start an import. It runs in the background; another one of the same shop waits for it.
#[utoipa::path(post, path = "/api/v1/imports", tag = "imports", request_body = StartImport, responses((status = ACCEPTED, body = ImportBody)))]
async fn start(
    State(app): State<App>,
    caller: Caller,
    Body(mut request): Body<StartImport>,
) -> Result<(StatusCode, Json<ImportBody>), Problem> {
    caller.require(Scope::Staff)?;
    let named = [&request.upload, &request.url, &request.path].into_iter().flatten().count();
    if named != 1 {
        return Err(Problem::invalid("Name exactly one of upload, url and path."));
    }
    if request.path.is_some() {
        caller.require(Scope::Admin)?;
    }
    if let Some(url) = &request.url {
        web_source(url)?;
    }
    if request.path.as_deref().is_some_and(|path| path.contains("://")) {
        return Err(Problem::invalid("path is a path on the server's disk; use url for an address."));
    }
    options(&request)?;
    if let Some(upload) = &request.upload {
        request.name = Some(crate::files::own_file(&app, &caller, upload).await?.0.name);
    }
    let row = app.imports().start(&caller.tenant, &request).await?;
    Ok((StatusCode::ACCEPTED, Json(ImportBody::new(row, None))))
}

/// Imports, newest first.
#[utoipa::path(get, path = "/api/v1/imports", tag = "imports", params(Page), responses((status = OK, body = Items<ImportBody>)))]
async fn list(
    State(app): State<App>,
    caller: Caller,
    Query(page): Query<Page>,
) -> Result<Json<Items<ImportBody>>, Problem> {
    caller.require(Scope::Staff)?;
    let rows = app.parts().imports.list(&caller.tenant, page.limit() + 1, page.before.as_deref()).await?;
    let bodies = rows.into_iter().map(|row| body(&app, row)).collect();
    Ok(Json(Items::page(bodies, page.limit(), |import| import.id.clone())))
}

fn body(app: &App, row: ImportRow) -> ImportBody {
    let progress = app.imports().live(&row.id).and_then(|live| live.progress.borrow().clone());
    ImportBody::new(row, progress.as_ref())
}

async fn own_import(app: &App, caller: &Caller, id: &str) -> Result<ImportRow, Problem> {
    caller.require(Scope::Staff)?;
    app.parts().imports.get(&caller.tenant, id).await?.ok_or_else(|| Problem::not_found("import"))
}

/// One import.
#[utoipa::path(get, path = "/api/v1/imports/{id}", tag = "imports", params(("id" = String, Path)), responses((status = OK, body = ImportBody)))]
async fn show(State(app): State<App>, caller: Caller, Path(id): Path<String>) -> Result<Json<ImportBody>, Problem> {
    let row = own_import(&app, &caller, &id).await?;
    Ok(Json(body(&app, row)))
}

/// How far an import is, several times a second, to its end.
#[utoipa::path(get, path = "/api/v1/imports/{id}/events", tag = "imports", params(("id" = String, Path)),
    responses((status = OK, content_type = "text/event-stream", body = String)))]
async fn events(State(app): State<App>, caller: Caller, Path(id): Path<String>) -> Result<Response, Problem> {
    own_import(&app, &caller, &id).await?;
    let stream = async_stream::stream! {
        let mut every = tokio::time::interval(std::time::Duration::from_millis(250));
        loop {
            every.tick().await;
            let Ok(row) = own_import(&app, &caller, &id).await else { break };
            let done = row.state != ImportState::Running;
            let text = serde_json::to_string(&body(&app, row)).unwrap_or_default();
            yield Ok::<_, Infallible>(SseEvent::default().event(if done { "done" } else { "progress" }).data(text));
            if done {
                break;
            }
        }
    };
    Ok(sse::respond(stream))
}

/// Stop an import. The catalogue stays as it was.
#[utoipa::path(post, path = "/api/v1/imports/{id}/cancel", tag = "imports", params(("id" = String, Path)), responses((status = ACCEPTED)))]
async fn cancel(State(app): State<App>, caller: Caller, Path(id): Path<String>) -> Result<StatusCode, Problem> {
    let row = own_import(&app, &caller, &id).await?;
    match app.imports().live(&row.id) {
        Some(live) => {
            live.cancel.store(true, Ordering::Relaxed);
            Ok(StatusCode::ACCEPTED)
        }
        None => Err(Problem::new(Code::Conflict, "This import is over already.")),
    }
}

/// The rows that were skipped, with line and reason, as CSV.
#[utoipa::path(get, path = "/api/v1/imports/{id}/skipped.csv", tag = "imports", params(("id" = String, Path)),
    responses((status = OK, content_type = "text/csv", body = String)))]
async fn skipped(State(app): State<App>, caller: Caller, Path(id): Path<String>) -> Result<Response, Problem> {
    let row = own_import(&app, &caller, &id).await?;
    let content = match tokio::fs::read(app.imports().skipped_path(&row.id)).await {
        Ok(content) => content,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Err(Problem::not_found("list of skipped rows"));
        }
        Err(error) => return Err(Problem::internal(error)),
    };
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8".to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{}.skipped.csv\"", row.id)),
    ];
    Ok((headers, content).into_response())
}
