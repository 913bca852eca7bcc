//! Extractors whose refusals are problems, not axum's plain text.

use axum::extract::{FromRequest, FromRequestParts, Multipart, Request};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use crate::problem::{Code, Problem};

/// A JSON body.
#[derive(Debug, FromRequest)]
#[from_request(via(axum::Json), rejection(Problem))]
pub(crate) struct Body<T>(pub(crate) T);

/// Query parameters.
#[derive(Debug, FromRequestParts)]
#[from_request(via(axum::extract::Query), rejection(Problem))]
pub(crate) struct Query<T>(pub(crate) T);

/// Path parameters.
#[derive(Debug, FromRequestParts)]
#[from_request(via(axum::extract::Path), rejection(Problem))]
pub(crate) struct Path<T>(pub(crate) T);

/// A multipart form.
#[derive(Debug)]
pub(crate) struct Form(pub(crate) Multipart);

impl<S: Send + Sync> FromRequest<S> for Form {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let form = Multipart::from_request(request, state).await;
        form.map(Self).map_err(|_rejected| {
            Problem::new(Code::UnsupportedMedia, "Send multipart/form-data with one part named file.")
        })
    }
}

/// Where a list is read on, and how much of it.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Page {
    /// How many items at most, 1 to 100; 30 when not given.
    pub(crate) limit: Option<usize>,
    /// Go on after this id, the `next` of the page before.
    pub(crate) before: Option<String>,
}

impl Page {
    pub(crate) fn limit(&self) -> usize {
        self.limit.unwrap_or(30).clamp(1, 100)
    }
}

/// A page of a list.
#[derive(Debug, serde::Serialize, ToSchema)]
pub(crate) struct Items<T> {
    /// The items, newest first.
    pub(crate) items: Vec<T>,
    /// Hand this in as `before` to go on; absent at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) next: Option<String>,
}

impl<T> Items<T> {
    /// A page from up to `limit + 1` items: one more than shown means that there is more.
    pub(crate) fn page(mut items: Vec<T>, limit: usize, id: impl Fn(&T) -> String) -> Self {
        let more = items.len() > limit;
        items.truncate(limit);
        let next = if more { items.last().map(id) } else { None };
        Self { items, next }
    }
}
