//! What pure nodes returned, kept in memory for tasks that would return the same.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::Value;
use tokio::time::Instant;

use crate::core::Exit;
use crate::ctx::Ctx;
use crate::graph::NodeFn;
use crate::{State, Step};

/// The most that is kept, in entries and in bytes.
const ENTRIES: usize = 4096;
const BYTES: usize = 32 << 20;

/// Makes a key of what a node depends on.
pub(crate) type Key<S> = Arc<dyn Fn(&S, Option<&Value>) -> String + Send + Sync>;

/// By what a node's results are known, and for how long.
pub(crate) struct Rule<S> {
    pub(crate) ttl: Duration,
    pub(crate) key: Key<S>,
}

/// The results of an engine's cached nodes. Losing it costs time, nothing else.
#[derive(Debug, Default)]
pub(crate) struct Cache {
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    entries: BTreeMap<[String; 4], Entry>,
    bytes: usize,
    /// Rises with each use.
    turn: u64,
}

#[derive(Debug)]
struct Entry {
    outcome: Arc<[u8]>,
    until: Instant,
    used: u64,
}

impl Cache {
    fn get(&self, key: &[String; 4]) -> Option<Arc<[u8]>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.turn += 1;
        let turn = kept.turn;
        let entry = kept.entries.get_mut(key)?;
        if entry.until <= Instant::now() {
            kept.remove(key);
            return None;
        }
        entry.used = turn;
        Some(Arc::clone(&entry.outcome))
    }

    fn put(&self, key: [String; 4], outcome: Vec<u8>, ttl: Duration) {
        if outcome.len() > BYTES / 8 {
            return;
        }
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.remove(&key);
        kept.turn += 1;
        kept.bytes += outcome.len();
        let entry = Entry { outcome: outcome.into(), until: Instant::now() + ttl, used: kept.turn };
        kept.entries.insert(key, entry);
        kept.trim();
    }
}

impl Kept {
    fn remove(&mut self, key: &[String; 4]) {
        if let Some(entry) = self.entries.remove(key) {
            self.bytes -= entry.outcome.len();
        }
    }

    /// Drops what is out of date, and then an eighth of what was not used for longest, when there is too much.
    fn trim(&mut self) {
        if self.entries.len() <= ENTRIES && self.bytes <= BYTES {
            return;
        }
        let now = Instant::now();
        self.entries.retain(|_, entry| entry.until > now);
        let mut uses: Vec<u64> = self.entries.values().map(|entry| entry.used).collect();
        uses.sort_unstable();
        if let Some(&oldest) = uses.get(uses.len() / 8) {
            self.entries.retain(|_, entry| entry.used > oldest);
        }
        self.bytes = self.entries.values().map(|entry| entry.outcome.len()).sum();
    }
}

/// The node, run only for keys whose result is not kept.
pub(crate) fn keeping<S: State, D: 'static>(graph: String, rule: Rule<S>, run: NodeFn<S, D>) -> NodeFn<S, D> {
    let rule = Arc::new(rule);
    Arc::new(move |ctx: Ctx<D>, state: Arc<S>| {
        let scope = ctx.scope();
        let by = (rule.key)(&state, scope.task.input.as_ref());
        let key = [scope.tenant.clone(), graph.clone(), scope.task.node.clone(), by];
        let inner = Arc::clone(&scope.inner);
        if let Some(outcome) = inner.cache.get(&key)
            && let Ok(step) = serde_json::from_slice::<Step<S>>(&outcome)
        {
            return Box::pin(std::future::ready(Ok(step)));
        }
        let (work, ttl) = (run(ctx, state), rule.ttl);
        Box::pin(async move {
            let step = work.await?;
            if !matches!(step.exit, Exit::Asks { .. })
                && let Ok(outcome) = serde_json::to_vec(&step)
            {
                inner.cache.put(key, outcome, ttl);
            }
            Ok(step)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(by: &impl ToString) -> [String; 4] {
        ["t".to_owned(), "g".to_owned(), "n".to_owned(), by.to_string()]
    }

    #[tokio::test(start_paused = true)]
    async fn entries_end_with_their_time_and_the_least_used_go_first() {
        let cache = Cache::default();
        cache.put(key(&"a"), b"1".to_vec(), Duration::from_secs(10));
        assert_eq!(cache.get(&key(&"a")).as_deref(), Some(&b"1"[..]));
        tokio::time::advance(Duration::from_secs(10)).await;
        assert_eq!(cache.get(&key(&"a")), None);
        for number in 0..=ENTRIES {
            cache.put(key(&number), vec![0; 10], Duration::from_secs(10));
            cache.get(&key(&0));
        }
        assert!(cache.get(&key(&0)).is_some(), "what is used stays");
        assert_eq!(cache.get(&key(&1)), None);
        let kept = cache.kept.lock().unwrap();
        assert!(kept.entries.len() <= ENTRIES && kept.bytes == kept.entries.len() * 10);
    }
}
