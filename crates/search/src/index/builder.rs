//! Writing a new generation beside the one that is being read, and the swap.

use std::fmt;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, mpsc};
use std::thread::JoinHandle;

use mercer_shop::Product;
use rustc_hash::FxHashMap;
use tantivy::{Index, IndexWriter, Term};

use super::document::{Prepared, prepare};
use super::generation::{fingerprints, write, write_beside};
use super::schema::{Fields, schema};
use super::vocabulary::Vocabulary;
use crate::error::SearchError;

pub(crate) const CURRENT: &str = "CURRENT";
const LOCK: &str = "import.lock";
const PREFIX: &str = "gen-";
/// Memory for each of tantivy's writing threads, in bytes.
const WRITER_MEMORY: usize = 96 << 20;
/// Products waiting for a free thread; bounds memory whatever the feed's speed.
const QUEUE: usize = 512;
/// Segments of this many products are not merged further during an import.
const LARGE_SEGMENT: usize = 250_000;

/// What an import changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct Committed {
    /// Products in the catalogue now.
    pub products: usize,
    /// Products that were not there before.
    pub added: usize,
    /// Products whose record changed.
    pub changed: usize,
    /// Products that are gone.
    pub removed: usize,
    /// Products that are as they were.
    pub unchanged: usize,
    /// Rows that repeated the id of an earlier row of the same import; the last one counts.
    pub duplicates: usize,
    /// Whether readers see a new generation; an import without any change keeps the old one.
    pub swapped: bool,
}

/// An import under way. Dropping it leaves the catalogue as it was.
pub struct Builder {
    root: PathBuf,
    dir: PathBuf,
    fields: Fields,
    writer: Option<Arc<IndexWriter>>,
    seen: FxHashMap<u64, u64>,
    repeated: Vec<Product>,
    queue: Option<mpsc::SyncSender<Product>>,
    workers: Vec<JoinHandle<Result<Seen, SearchError>>>,
    duplicates: usize,
    finished: bool,
    _lock: File,
}

/// What one worker saw.
#[derive(Debug, Default)]
struct Seen {
    vocabulary: Vocabulary,
    fingerprints: Vec<(u64, u64)>,
}

impl Builder {
    pub(crate) fn begin(root: &Path) -> Result<Self, SearchError> {
        fs::create_dir_all(root).map_err(SearchError::io("written", root))?;
        let lock = lock(root)?;
        remove_leftovers(root)?;
        let dir = root.join(fresh_name(root)?);
        fs::create_dir(&dir).map_err(SearchError::io("written", &dir))?;
        let (schema, fields) = schema();
        let index = Index::create_in_dir(&dir, schema)?;
        let writer: IndexWriter = index.writer_with_num_threads(threads(), WRITER_MEMORY * threads())?;
        let mut policy = tantivy::indexer::LogMergePolicy::default();
        policy.set_max_docs_before_merge(LARGE_SEGMENT);
        policy.set_min_num_segments(6);
        writer.set_merge_policy(Box::new(policy));
        let mut builder = Self {
            root: root.to_owned(),
            dir,
            fields,
            writer: Some(Arc::new(writer)),
            seen: FxHashMap::default(),
            repeated: Vec::new(),
            queue: None,
            workers: Vec::new(),
            duplicates: 0,
            finished: false,
            _lock: lock,
        };
        builder.start();
        Ok(builder)
    }

    fn start(&mut self) {
        let Some(writer) = &self.writer else { return };
        let (queue, waiting) = mpsc::sync_channel(QUEUE);
        let waiting = Arc::new(Mutex::new(waiting));
        for _ in 0..threads() {
            let (waiting, writer, fields) = (Arc::clone(&waiting), Arc::clone(writer), self.fields);
            self.workers.push(std::thread::spawn(move || work(&waiting, &writer, &fields)));
        }
        self.queue = Some(queue);
    }

    /// Adds a product; of several with one id the last one counts.
    ///
    /// # Errors
    /// When the index cannot be written, for example because the disk is full.
    pub fn add(&mut self, product: Product) -> Result<(), SearchError> {
        if self.seen.insert(id_hash(product.id.as_str()), 0).is_some() {
            self.duplicates += 1;
            self.repeated.push(product);
            return Ok(());
        }
        if self.queue.as_ref().is_some_and(|queue| queue.send(product).is_ok()) {
            return Ok(());
        }
        Err(self.join().err().unwrap_or_else(stopped))
    }

    /// How many different products were added so far.
    #[must_use]
    pub fn len(&self) -> usize {
        self.seen.len()
    }

    /// Whether nothing was added so far.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.seen.is_empty()
    }

    /// Finishes the new generation and makes it the one that is read. An import that changes nothing keeps the old one.
    ///
    /// # Errors
    /// When the index cannot be written; the catalogue then stays as it was.
    pub fn commit(mut self) -> Result<Committed, SearchError> {
        let mut seen = self.join()?;
        self.replace_repeated(&mut seen)?;
        self.seen.extend(seen.fingerprints.drain(..));
        let old = self.old_fingerprints()?;
        let mut committed = compare(&old, &self.seen);
        committed.duplicates = self.duplicates;
        let unchanged = committed.added + committed.changed + committed.removed == 0;
        if unchanged && self.root.join(CURRENT).exists() {
            return Ok(committed);
        }
        self.write_index()?;
        write_beside(&self.dir, &seen.vocabulary, &self.seen)?;
        self.swap()?;
        self.finished = true;
        committed.swapped = true;
        remove_leftovers(&self.root)?;
        Ok(committed)
    }

    /// Waits for the workers.
    fn join(&mut self) -> Result<Seen, SearchError> {
        self.queue = None;
        let mut all = Seen::default();
        for worker in self.workers.drain(..) {
            let seen = worker.join().map_err(|_poisoned| stopped())??;
            all.vocabulary.merge(seen.vocabulary);
            all.fingerprints.extend(seen.fingerprints);
        }
        Ok(all)
    }

    /// Later rows of an id replace the first one. Counts in the vocabulary keep the first row's values, which only rank suggestions.
    fn replace_repeated(&mut self, seen: &mut Seen) -> Result<(), SearchError> {
        let writer = self.writer.as_ref().ok_or_else(stopped)?;
        for product in std::mem::take(&mut self.repeated) {
            let prepared = prepare(&product, &self.fields)?;
            writer.delete_term(Term::from_field_text(self.fields.id, &prepared.id));
            seen.fingerprints.push((id_hash(&prepared.id), prepared.fingerprint));
            writer.add_document(prepared.document)?;
        }
        Ok(())
    }

    fn old_fingerprints(&self) -> Result<FxHashMap<u64, u64>, SearchError> {
        match current(&self.root)? {
            Some(name) => fingerprints(&self.root.join(name)),
            None => Ok(FxHashMap::default()),
        }
    }

    fn write_index(&mut self) -> Result<(), SearchError> {
        let mut writer = self.writer.take().and_then(Arc::into_inner).ok_or_else(stopped)?;
        writer.commit()?;
        writer.wait_merging_threads()?;
        Ok(())
    }

    fn swap(&self) -> Result<(), SearchError> {
        let name = self.dir.file_name().unwrap_or_default().to_string_lossy();
        let fresh = self.root.join("CURRENT.new");
        write(&fresh, name.as_bytes())?;
        let current = self.root.join(CURRENT);
        fs::rename(&fresh, &current).map_err(SearchError::io("written", &current))
    }
}

impl fmt::Debug for Builder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Builder").field("dir", &self.dir).field("products", &self.seen.len()).finish_non_exhaustive()
    }
}

impl Drop for Builder {
    fn drop(&mut self) {
        if !self.finished {
            let ended = self.join();
            tracing::debug!(ended = ended.is_ok(), "an import was given up");
            self.writer = None;
            if let Err(error) = fs::remove_dir_all(&self.dir) {
                tracing::warn!(%error, dir = %self.dir.display(), "an unfinished import could not be removed");
            }
        }
    }
}

/// Prepares products until the queue ends. After a failure it keeps taking products, so that the feeding side never waits for ever.
fn work(waiting: &Mutex<mpsc::Receiver<Product>>, writer: &IndexWriter, fields: &Fields) -> Result<Seen, SearchError> {
    let mut seen = Seen::default();
    loop {
        let next = waiting.lock().map_err(|_poisoned| stopped())?.recv();
        let Ok(product) = next else { return Ok(seen) };
        let Prepared { id, fingerprint, facts, levels, document, has_chinese } = prepare(&product, fields)?;
        seen.vocabulary.add(&product, &facts, &levels, has_chinese);
        seen.fingerprints.push((id_hash(&id), fingerprint));
        writer.add_document(document)?;
    }
}

fn stopped() -> SearchError {
    SearchError::Index(tantivy::TantivyError::SystemError("the import's threads stopped".into()))
}

fn threads() -> usize {
    std::thread::available_parallelism().map_or(2, |n| n.get().min(4))
}

/// A 64-bit hash of an id (FNV-1a with a final mix), the same in every process.
fn id_hash(id: &str) -> u64 {
    let hash = id.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3));
    (hash ^ (hash >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

fn compare(old: &FxHashMap<u64, u64>, new: &FxHashMap<u64, u64>) -> Committed {
    let mut committed = Committed { products: new.len(), ..Committed::default() };
    for (id, print) in new {
        match old.get(id) {
            None => committed.added += 1,
            Some(known) if known == print => committed.unchanged += 1,
            Some(_) => committed.changed += 1,
        }
    }
    committed.removed = old.keys().filter(|id| !new.contains_key(*id)).count();
    committed
}

/// The name of the generation that is read.
pub(crate) fn current(root: &Path) -> Result<Option<String>, SearchError> {
    let path = root.join(CURRENT);
    match fs::read_to_string(&path) {
        Ok(name) => {
            Ok(Some(name.trim().to_owned()).filter(|name| name.starts_with(PREFIX) && !name.contains(['/', '\\'])))
        }
        Err(missing) if missing.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(SearchError::io("read", path)(error)),
    }
}

fn lock(root: &Path) -> Result<File, SearchError> {
    let path = root.join(LOCK);
    let file = File::create(&path).map_err(SearchError::io("locked", &path))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(SearchError::Busy),
        Err(TryLockError::Error(error)) => Err(SearchError::io("locked", path)(error)),
    }
}

fn generations(root: &Path) -> Result<Vec<String>, SearchError> {
    let entries = fs::read_dir(root).map_err(SearchError::io("read", root))?;
    let names = entries.filter_map(Result::ok).map(|entry| entry.file_name().to_string_lossy().into_owned());
    Ok(names.filter(|name| name.starts_with(PREFIX)).collect())
}

/// Removes generations that nobody will open any more: old ones and those of imports that died. The caller holds the lock.
fn remove_leftovers(root: &Path) -> Result<(), SearchError> {
    let current = current(root)?;
    for name in generations(root)?.into_iter().filter(|name| Some(name) != current.as_ref()) {
        let path = root.join(&name);
        fs::remove_dir_all(&path).map_err(SearchError::io("removed", path))?;
    }
    Ok(())
}

/// The name of the next generation, one above all that exist.
fn fresh_name(root: &Path) -> Result<String, SearchError> {
    let highest = generations(root)?.iter().filter_map(|name| name.strip_prefix(PREFIX)?.parse::<u64>().ok()).max();
    Ok(format!("{PREFIX}{:06}", highest.unwrap_or(0) + 1))
}
