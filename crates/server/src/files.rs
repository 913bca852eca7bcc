//! Uploaded pictures: taken by content, kept under an opaque id, shown small.

use std::path::PathBuf;
use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Multipart, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use mercer_shop::{FileMeta, Lang, NewFile};
use mercer_studio::{Limits, PictureError};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::extract::{Form, Path, Query};
use crate::problem::{Code, Problem};
use crate::products::language;
use crate::{App, Caller};

/// Largest picture upload in bytes.
const LARGEST_PICTURE: usize = 20 << 20;

pub(crate) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(upload))
        .layer(DefaultBodyLimit::max(LARGEST_PICTURE + (64 << 10)))
        .routes(routes!(download))
}

/// A stored picture.
#[derive(Debug, Serialize, ToSchema)]
struct FileBody {
    id: String,
    url: String,
    media_type: String,
    width: u32,
    height: u32,
    bytes: u64,
}

/// A multipart form with one part `file`.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "describes the form in the OpenAPI document")]
struct UploadForm {
    #[schema(value_type = String, format = Binary)]
    file: Vec<u8>,
}

/// The part `file` of a multipart form: its name and content.
pub(crate) async fn form_file(form: &mut Multipart) -> Result<(String, Bytes), Problem> {
    let broken = |error: axum::extract::multipart::MultipartError| match error.status() {
        StatusCode::PAYLOAD_TOO_LARGE => {
            Problem::new(Code::TooLarge, "The file is larger than this endpoint takes. Send a smaller one.")
        }
        _ => Problem::invalid("The form could not be read. Send multipart/form-data with one part named file."),
    };
    while let Some(field) = form.next_field().await.map_err(broken)? {
        if field.name() == Some("file") {
            let name = field.file_name().unwrap_or("file").chars().filter(|c| !c.is_control()).take(200).collect();
            return Ok((name, field.bytes().await.map_err(broken)?));
        }
    }
    Err(Problem::invalid("The form has no part named file."))
}

fn unreadable(error: &PictureError, lang: Lang) -> Problem {
    Problem::new(Code::UnreadablePicture, error.public(lang))
}

/// Store a picture that was checked to be one.
async fn store(
    app: &App,
    caller: &Caller,
    name: String,
    content: Arc<[u8]>,
    lang: Lang,
) -> Result<(FileMeta, (u32, u32)), Problem> {
    let looked = Arc::clone(&content);
    let picture = tokio::task::spawn_blocking(move || mercer_studio::decode(&looked, &Limits::default()))
        .await
        .map_err(Problem::internal)?
        .map_err(|error| unreadable(&error, lang))?;
    let media_type = mercer_studio::sniff(&content).map(|kind| kind.mime().to_owned()).unwrap_or_default();
    let new = NewFile { tenant: caller.tenant.clone(), media_type, name, content, created: jiff::Timestamp::now() };
    Ok((app.files().put(new).await?, (picture.width(), picture.height())))
}

/// Upload a picture to talk about. JPEG, PNG, WebP, GIF and BMP are taken, told by content.
#[utoipa::path(post, path = "/api/v1/files", tag = "files", request_body(content = UploadForm, content_type = "multipart/form-data"),
    responses((status = CREATED, body = FileBody)))]
async fn upload(
    State(app): State<App>,
    caller: Caller,
    headers: HeaderMap,
    Form(mut form): Form,
) -> Result<(StatusCode, Json<FileBody>), Problem> {
    let (name, bytes) = form_file(&mut form).await?;
    let lang = language(None, "", &headers);
    let (meta, (width, height)) = store(&app, &caller, name, Arc::from(&bytes[..]), lang).await?;
    let url = format!("/api/v1/files/{}", meta.id);
    Ok((
        StatusCode::CREATED,
        Json(FileBody { url, width, height, bytes: meta.bytes, media_type: meta.media_type, id: meta.id }),
    ))
}

pub(crate) async fn own_file(app: &App, caller: &Caller, id: &str) -> Result<(FileMeta, Arc<[u8]>), Problem> {
    app.files().get(&caller.tenant, id).await?.ok_or_else(|| Problem::not_found("file"))
}

/// The id of a picture that a client refers to: our own address, or a data URL, which is stored. Other addresses are not fetched.
pub(crate) async fn picture_of_url(app: &App, caller: &Caller, url: &str, lang: Lang) -> Result<String, Problem> {
    if let Some((_, id)) = url.split_once("/api/v1/files/") {
        let id = id.split(['?', '#']).next().unwrap_or_default();
        return Ok(own_file(app, caller, id).await?.0.id);
    }
    let data = url.strip_prefix("data:").and_then(|rest| rest.split_once(";base64,")).map(|(_, data)| data);
    let Some(data) = data else {
        return Err(Problem::invalid("A picture is sent as a data URL, or uploaded to /api/v1/files first."));
    };
    let bytes = decode_base64(data).ok_or_else(|| Problem::invalid("The picture's data URL is not valid base64."))?;
    if bytes.len() > LARGEST_PICTURE {
        return Err(Problem::new(Code::TooLarge, "The picture is larger than 20 MB. Send a smaller one."));
    }
    Ok(store(app, caller, "picture".to_owned(), bytes.into(), lang).await?.0.id)
}

fn decode_base64(text: &str) -> Option<Vec<u8>> {
    use base64::Engine;
    base64::engine::general_purpose::STANDARD.decode(text.trim()).ok()
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Size {
    /// Width in pixels of the copy to send: 160, 320, 640 or 1024; other values are rounded up to one of these.
    pub(crate) w: Option<u32>,
}

/// A file, whole or as a small copy.
#[utoipa::path(get, path = "/api/v1/files/{id}", tag = "files", params(("id" = String, Path), Size),
    responses((status = OK, content_type = "image/*", body = Vec<u8>)))]
async fn download(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
    Query(size): Query<Size>,
) -> Result<Response, Problem> {
    let (meta, content) = own_file(&app, &caller, &id).await?;
    let key = format!("{}-{}", meta.id, meta.sha256);
    picture_response(&app, &key, &meta.media_type, content, size.w).await
}

/// A picture as a response: as it is, or a cached small copy.
pub(crate) async fn picture_response(
    app: &App,
    key: &str,
    media_type: &str,
    content: Arc<[u8]>,
    width: Option<u32>,
) -> Result<Response, Problem> {
    let Some(width) = width else {
        let disposition = if media_type.starts_with("image/") { "inline" } else { "attachment" };
        return Ok(respond(media_type, disposition, content.to_vec()));
    };
    let edge = [160, 320, 640, 1024].into_iter().find(|&edge| edge >= width).unwrap_or(1024);
    let small = thumbnail(app.parts().cache.join("thumbnails"), format!("{key}-{edge}"), content, edge).await?;
    let kind = mercer_studio::sniff(&small).map_or("application/octet-stream", |kind| kind.mime());
    Ok(respond(kind, "inline", small))
}

fn respond(media_type: &str, disposition: &'static str, bytes: Vec<u8>) -> Response {
    let headers = [
        (header::CONTENT_TYPE, media_type.to_owned()),
        (header::CONTENT_DISPOSITION, disposition.to_owned()),
        (header::CACHE_CONTROL, "private, max-age=86400".to_owned()),
        // An uploaded file must not run as a page of ours, whatever it holds.
        (header::CONTENT_SECURITY_POLICY, "default-src 'none'; sandbox".to_owned()),
    ];
    (headers, bytes).into_response()
}

async fn thumbnail(folder: PathBuf, name: String, content: Arc<[u8]>, edge: u32) -> Result<Vec<u8>, Problem> {
    let path = folder.join(&name);
    if let Ok(cached) = tokio::fs::read(&path).await {
        return Ok(cached);
    }
    let made = tokio::task::spawn_blocking(move || {
        let picture = mercer_studio::decode(&content, &Limits::default())?;
        mercer_studio::thumbnail(&picture, edge).map(|small| small.bytes)
    });
    let small = made.await.map_err(Problem::internal)?.map_err(|error| unreadable(&error, Lang::default()))?;
    // The cache is a convenience: a full disk must not cost the answer.
    if let Err(error) = cache(&folder, &name, &small).await {
        tracing::warn!(%error, "a thumbnail could not be cached");
    }
    Ok(small)
}

async fn cache(folder: &std::path::Path, name: &str, bytes: &[u8]) -> std::io::Result<()> {
    tokio::fs::create_dir_all(folder).await?;
    let partial = folder.join(format!("{name}.{}", uuid::Uuid::now_v7().simple()));
    tokio::fs::write(&partial, bytes).await?;
    tokio::fs::rename(&partial, folder.join(name)).await
}
