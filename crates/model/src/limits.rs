//! The waits of a call, and what every adapter does with a response.

use std::future::Future;
use std::time::Duration;

use futures::StreamExt as _;
use tokio::time::{Instant, timeout_at};

use crate::error::{ModelError, Phase};
use crate::event::ChatEvent;
use crate::http::HttpResponse;
use crate::settings::{Endpoint, Timeouts};

/// The most of an error body that is read.
const MAX_REFUSAL: usize = 64 * 1024;

/// How long usage and the end mark may take after the finish reason; a server may keep the connection open.
pub(crate) const LAST_WORDS: Duration = Duration::from_secs(2);

/// The waits of one call, as moments.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    first: Instant,
    total: Instant,
    timeouts: Timeouts,
}

impl Limits {
    pub(crate) fn new(timeouts: Timeouts) -> Self {
        let now = Instant::now();
        Self { first: now + timeouts.first_token, total: now + timeouts.total, timeouts }
    }

    /// Without a stream the first token comes with the last.
    pub(crate) const fn for_whole(self) -> Self {
        let timeouts = Timeouts { first_token: self.timeouts.total, ..self.timeouts };
        Self { first: self.total, total: self.total, timeouts }
    }

    pub(crate) async fn first<T>(&self, future: impl Future<Output = T>) -> Result<T, ModelError> {
        self.within(future, self.first, Phase::FirstToken, self.timeouts.first_token).await
    }

    pub(crate) async fn idle<T>(&self, future: impl Future<Output = T>) -> Result<T, ModelError> {
        let idle = self.timeouts.idle;
        self.within(future, Instant::now() + idle, Phase::Idle, idle).await
    }

    pub(crate) async fn within<T>(
        &self,
        future: impl Future<Output = T>,
        until: Instant,
        which: Phase,
        limit: Duration,
    ) -> Result<T, ModelError> {
        let total = ModelError::Timeout { which: Phase::Total, limit: self.timeouts.total };
        let own = ModelError::Timeout { which, limit };
        let (until, error) = if until < self.total { (until, own) } else { (self.total, total) };
        timeout_at(until, future).await.map_err(|_elapsed| error)
    }
}

/// The words of a refusal; what cannot be read is left out.
pub(crate) async fn refusal_text(mut response: HttpResponse) -> String {
    let mut bytes = Vec::new();
    while let Some(Ok(piece)) = response.body.next().await {
        bytes.extend_from_slice(&piece);
        if bytes.len() > MAX_REFUSAL {
            break;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Adds the cost to the usage when the price is known.
pub(crate) fn priced(event: Result<ChatEvent, ModelError>, endpoint: &Endpoint) -> Result<ChatEvent, ModelError> {
    match (event, &endpoint.price) {
        (Ok(ChatEvent::Usage(mut usage)), Some(price)) => {
            usage.cost = Some(price.cost(&usage));
            Ok(ChatEvent::Usage(usage))
        }
        (event, _) => event,
    }
}
