//! Effects: what happens outside the state, journaled so that it happens once.

use std::sync::atomic::Ordering;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::ctx::Scope;
use crate::store::{Batch, EffectRecord, Guard, StoreError, Write};

/// What an effect is known by. Two effects of the same name and key are the same effect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EffectKey {
    parts: Vec<String>,
    of_task: bool,
}

impl EffectKey {
    /// A key made of business facts — order, action, amount, policy decision — and shared by every run of the tenant.
    #[must_use]
    pub fn of<P: std::fmt::Display>(facts: impl IntoIterator<Item = P>) -> Self {
        Self { parts: facts.into_iter().map(|fact| fact.to_string()).collect(), of_task: false }
    }

    /// A key for this task alone: the effect is done once by it, and again by every other task.
    pub fn task(label: impl Into<String>) -> Self {
        Self { parts: vec![label.into()], of_task: true }
    }

    fn full(&self, scope: &Scope, name: &str) -> Result<String, EffectError> {
        let mut parts: Vec<&str> = vec![&scope.tenant, name];
        if self.of_task {
            parts.extend([scope.run.as_str(), scope.task.id.as_str()]);
        }
        parts.extend(self.parts.iter().map(String::as_str));
        serde_json::to_string(&parts).map_err(EffectError::Encoding)
    }
}

/// What to do about an effect that started and has no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnUnknown {
    /// Do it again with the same key: the other side knows the key and does it once.
    Repeat,
    /// Fail with [`EffectError::Unknown`]; a person decides.
    Ask,
}

/// How an effect failed, as the code that does it knows it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EffectFault {
    /// It certainly did not happen.
    #[error("{0}")]
    NotDone(String),
    /// It may have happened.
    #[error("{0}")]
    Unknown(String),
}

/// Why an effect has no result.
#[derive(Debug, thiserror::Error)]
pub enum EffectError {
    /// It certainly did not happen; the journal has forgotten it.
    #[error("{name} was not done: {reason}")]
    NotDone {
        /// The effect.
        name: String,
        /// Why.
        reason: String,
    },
    /// It may have happened. [`Engine::settle_effect`](crate::Engine::settle_effect) takes a person's word for it.
    #[error("whether {name} happened is not known ({key})")]
    Unknown {
        /// The effect.
        name: String,
        /// Its full key in the journal.
        key: String,
    },
    /// Its result cannot be encoded or decoded.
    #[error("the result of an effect cannot be read")]
    Encoding(#[source] serde_json::Error),
    /// The journal could not be written, or the run was taken over. The engine stops this attempt.
    #[error("the journal of effects failed")]
    Lost(#[source] StoreError),
}

pub(crate) async fn perform<T, F>(
    scope: &Scope,
    name: &str,
    key: &EffectKey,
    on_unknown: OnUnknown,
    run: F,
) -> Result<T, EffectError>
where
    T: Serialize + DeserializeOwned + Send,
    F: Future<Output = Result<T, EffectFault>> + Send,
{
    let key = key.full(scope, name)?;
    scope.beat();
    if let Some(result) = begin(scope, name, &key, on_unknown).await? {
        return serde_json::from_slice(&result).map_err(EffectError::Encoding);
    }
    match run.await {
        Ok(value) => {
            let result = Some(serde_json::to_vec(&value).map_err(EffectError::Encoding)?);
            write(scope, Batch::new().write(Write::Effect(record(scope, &key, result)))).await?;
            scope.beat();
            Ok(value)
        }
        Err(EffectFault::NotDone(reason)) => {
            write(scope, Batch::new().write(Write::ForgetEffect(key))).await?;
            Err(EffectError::NotDone { name: name.to_owned(), reason })
        }
        Err(EffectFault::Unknown(reason)) => match on_unknown {
            OnUnknown::Repeat => Err(EffectError::NotDone { name: name.to_owned(), reason }),
            OnUnknown::Ask => Err(EffectError::Unknown { name: name.to_owned(), key }),
        },
    }
}

/// Writes *started*, unless the journal knows the effect: then its result is given, or its policy decides.
async fn begin(scope: &Scope, name: &str, key: &str, on_unknown: OnUnknown) -> Result<Option<Vec<u8>>, EffectError> {
    loop {
        match scope.inner.store.effect(key).await.map_err(|error| lose(scope, error))? {
            Some(EffectRecord { result: Some(result), .. }) => return Ok(Some(result)),
            Some(_) if on_unknown == OnUnknown::Repeat => return Ok(None),
            Some(_) => return Err(EffectError::Unknown { name: name.to_owned(), key: key.to_owned() }),
            None => {}
        }
        let batch = Batch::new()
            .guard(Guard::Epoch { run: scope.run.clone(), epoch: scope.epoch })
            .guard(Guard::NoEffect(key.to_owned()))
            .write(Write::Effect(record(scope, key, None)));
        match scope.inner.store.commit(batch).await {
            Ok(()) => return Ok(None),
            Err(StoreError::Exists(_)) => {}
            Err(error) => return Err(lose(scope, error)),
        }
    }
}

fn record(scope: &Scope, key: &str, result: Option<Vec<u8>>) -> EffectRecord {
    EffectRecord { key: key.to_owned(), run: scope.run.clone(), started: scope.inner.clock.now(), result }
}

async fn write(scope: &Scope, batch: Batch) -> Result<(), EffectError> {
    scope.inner.store.commit(batch).await.map_err(|error| lose(scope, error))
}

fn lose(scope: &Scope, error: StoreError) -> EffectError {
    scope.lost.store(true, Ordering::Release);
    EffectError::Lost(error)
}
