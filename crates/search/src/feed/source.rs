//! Where a feed lies: a file, a folder, an archive, an address; and the parts it consists of.

use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::read::MultiGzDecoder;
use tempfile::NamedTempFile;
use url::Url;

use super::error::FeedError;
use super::options::{Limits, Options};

/// Where a feed lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// A file: CSV, TSV, JSON, JSONL or XML, also as `.gz` or `.zip`.
    File(PathBuf),
    /// A folder with such files.
    Dir(PathBuf),
    /// An address to fetch such a file from.
    Url(Url),
}

impl Source {
    /// Reads what a person typed: an address when it begins with `http://` or `https://`, else a path.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        match Url::parse(text) {
            Ok(url) if matches!(url.scheme(), "http" | "https") => Self::Url(url),
            _ => Self::path(PathBuf::from(text)),
        }
    }

    /// A file or folder, by what lies there.
    #[must_use]
    pub fn path(path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        if path.is_dir() { Self::Dir(path) } else { Self::File(path) }
    }
}

/// One file of a feed.
#[derive(Debug)]
pub(crate) struct Part {
    /// Its name in reports.
    pub(crate) name: String,
    /// Its size as it lies there.
    pub(crate) size: u64,
    place: Place,
}

#[derive(Debug)]
enum Place {
    Path(PathBuf),
    /// Fetched or unpacked; removed when dropped.
    Temporary(NamedTempFile),
    /// The start of a feed, for a preview.
    Memory(Arc<[u8]>),
}

/// A part's bytes, unpacked; counts the bytes it took from the disk.
pub(crate) type PartReader = Box<dyn Read + Send>;

impl Part {
    /// A part that is held in memory.
    pub(crate) fn memory(name: &str, bytes: Vec<u8>) -> Self {
        let size = u64::try_from(bytes.len()).unwrap_or_default();
        Self { name: name.to_owned(), size, place: Place::Memory(bytes.into()) }
    }

    fn path(&self) -> &Path {
        match &self.place {
            Place::Path(path) => path,
            Place::Temporary(file) => file.path(),
            Place::Memory(_) => Path::new(&self.name),
        }
    }

    /// Opens the part from its start. `read` counts the raw bytes.
    pub(crate) fn open(&self, limits: &Limits, read: &Arc<AtomicU64>) -> Result<PartReader, FeedError> {
        if let Place::Memory(bytes) = &self.place {
            return Ok(Box::new(io::Cursor::new(Arc::clone(bytes))));
        }
        let mut file = open(self.path())?;
        let gz = is_gzip(&mut file).map_err(|source| self.broken(source))?;
        let counted = Counted { input: file, read: Arc::clone(read) };
        if !gz {
            return Ok(Box::new(counted));
        }
        let bound = bound(self.size, limits);
        let input = MultiGzDecoder::new(BufReader::with_capacity(64 * 1024, counted));
        Ok(Box::new(Bounded { input, left: bound, bound }))
    }

    pub(crate) fn broken(&self, source: io::Error) -> FeedError {
        broken(&self.name, source)
    }
}

/// The error of a read, with bounds told apart.
pub(crate) fn broken(part: &str, source: io::Error) -> FeedError {
    match source.get_ref().and_then(|inner| inner.downcast_ref::<Bomb>()) {
        Some(bomb) => FeedError::Limit {
            part: part.to_owned(),
            line: 0,
            what: "the size of the unpacked archive",
            limit: bomb.0,
            remedy: "unpack it yourself and import the file, if you trust it",
        },
        None => FeedError::Read { part: part.to_owned(), source },
    }
}

/// The most that an archive of `size` bytes may unpack to: a small one anything sensible, a large one so many times its size.
fn bound(size: u64, limits: &Limits) -> u64 {
    limits.unpacked_bytes.min(size.saturating_mul(limits.unpack_ratio).max(limits.unpack_free))
}

#[derive(Debug, thiserror::Error)]
#[error("the archive unpacks to more than {0} bytes")]
struct Bomb(u64);

struct Bounded<R> {
    input: R,
    left: u64,
    bound: u64,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.input.read(buffer)?;
        match self.left.checked_sub(u64::try_from(n).unwrap_or(u64::MAX)) {
            Some(left) => self.left = left,
            None => return Err(io::Error::other(Bomb(self.bound))),
        }
        Ok(n)
    }
}

struct Counted<R> {
    input: R,
    read: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.input.read(buffer)?;
        self.read.fetch_add(u64::try_from(n).unwrap_or_default(), Ordering::Relaxed);
        Ok(n)
    }
}

fn open(path: &Path) -> Result<File, FeedError> {
    File::open(path).map_err(|source| FeedError::Open { path: path.to_owned(), source })
}

fn magic(file: &mut File) -> io::Result<[u8; 8]> {
    let mut head = [0; 8];
    let mut at = 0;
    while let Some(free) = head.get_mut(at..).filter(|free| !free.is_empty()) {
        match file.read(free)? {
            0 => break,
            n => at += n,
        }
    }
    file.seek(SeekFrom::Start(0))?;
    Ok(head)
}

fn is_gzip(file: &mut File) -> io::Result<bool> {
    Ok(magic(file)?.starts_with(&[0x1f, 0x8b]))
}

/// The parts of a source, in the order of their names.
pub(crate) fn parts(source: &Source, options: &Options) -> Result<Vec<Part>, FeedError> {
    match source {
        Source::File(path) => file_parts(path, options),
        Source::Dir(path) => {
            let mut files = Vec::new();
            let entries = fs::read_dir(path).map_err(|source| FeedError::Open { path: path.clone(), source })?;
            for entry in entries {
                let entry = entry.map_err(|source| FeedError::Open { path: path.clone(), source })?;
                if entry.path().is_file() && is_feed_name(&entry.file_name().to_string_lossy()) {
                    files.push(entry.path());
                }
            }
            files.sort();
            let mut parts = Vec::new();
            for file in files {
                parts.extend(file_parts(&file, options)?);
            }
            if parts.is_empty() {
                return Err(FeedError::Empty { part: path.display().to_string() });
            }
            Ok(parts)
        }
        Source::Url(url) => {
            let (file, name) = super::fetch::blocking(url, options)?;
            let size = size(file.path())?;
            unpack(Part { name, size, place: Place::Temporary(file) }, options)
        }
    }
}

fn size(path: &Path) -> Result<u64, FeedError> {
    Ok(fs::metadata(path).map_err(|source| FeedError::Open { path: path.to_owned(), source })?.len())
}

fn file_parts(path: &Path, options: &Options) -> Result<Vec<Part>, FeedError> {
    let name = path.file_name().map_or_else(|| path.display().to_string(), |n| n.to_string_lossy().into_owned());
    let size = size(path)?;
    unpack(Part { name, size, place: Place::Path(path.to_owned()) }, options)
}

/// A zip archive becomes its feeds; anything else stays what it is.
fn unpack(part: Part, options: &Options) -> Result<Vec<Part>, FeedError> {
    let mut file = open(part.path())?;
    let head = magic(&mut file).map_err(|source| part.broken(source))?;
    if !head.starts_with(b"PK\x03\x04") {
        return Ok(vec![part]);
    }
    let syntax = |reason: String| FeedError::Syntax { part: part.name.clone(), line: 0, reason };
    let mut archive = zip::ZipArchive::new(BufReader::new(file))
        .map_err(|error| syntax(format!("the zip archive cannot be read ({error}); pack it again")))?;
    if archive.file_names().any(|name| name.is_ok_and(|name| name == "[Content_Types].xml")) {
        return Err(FeedError::NotAFeed {
            part: part.name,
            found: "an Excel or Office document",
            remedy: "save it as CSV UTF-8 and import that",
        });
    }
    // Names that are no text are no feeds.
    let names = (0..archive.len()).filter_map(|at| Some((archive.name_for_index(at)?.ok()?.into_owned(), at)));
    let mut names: Vec<(String, usize)> = names.filter(|(name, _)| is_feed_name(base_name(name))).collect();
    names.sort();
    if names.len() > options.limits.archive_entries {
        return Err(syntax(format!("the archive holds {} feeds; pack them into one", names.len())));
    }
    let bound = bound(part.size, &options.limits);
    let mut left = bound;
    let mut parts = Vec::new();
    for (name, at) in names {
        let entry = archive.by_index(at).map_err(|error| {
            syntax(format!("{name} in the zip archive cannot be read ({error}); pack it without a password"))
        })?;
        let label = format!("{}/{name}", part.name);
        let file = temporary(Bounded { input: entry, left, bound }).map_err(|source| broken(&label, source))?;
        let size = size(file.path())?;
        left = left.saturating_sub(size);
        parts.push(Part { name: label, size, place: Place::Temporary(file) });
    }
    if parts.is_empty() {
        return Err(FeedError::NotAFeed {
            part: part.name,
            found: "an archive without CSV, TSV, JSON or XML",
            remedy: "import the table; pictures are given separately",
        });
    }
    Ok(parts)
}

fn temporary(mut input: impl Read) -> io::Result<NamedTempFile> {
    let mut file = NamedTempFile::new()?;
    io::copy(&mut input, &mut file)?;
    file.flush()?;
    Ok(file)
}

fn base_name(name: &str) -> &str {
    name.rsplit(['/', '\\']).next().unwrap_or(name)
}

/// Whether a name in a folder or archive may be a feed; pictures, notes and hidden files are not.
fn is_feed_name(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let stem = [".gz", ".zip"].iter().find_map(|ext| lower.strip_suffix(ext)).unwrap_or(&lower);
    let table = [".csv", ".tsv", ".txt", ".json", ".jsonl", ".ndjson", ".xml", ".rss", ".atom"];
    !name.starts_with('.') && !name.starts_with("__MACOSX") && table.iter().any(|ext| stem.ends_with(ext))
}

/// What the first bytes are when they are no text, and what to do about it.
pub(crate) fn binary(head: &[u8]) -> Option<(&'static str, &'static str)> {
    const EXPORT: &str = "export the catalogue as CSV, JSON or XML and import that";
    let known: [(&[u8], &str, &str); 16] = [
        (b"\x89PNG", "a PNG picture", "import the product table; pictures are given separately"),
        (b"\xff\xd8\xff", "a JPEG picture", "import the product table; pictures are given separately"),
        (b"GIF8", "a GIF picture", "import the product table; pictures are given separately"),
        (b"RIFF", "a picture or a sound", "import the product table; pictures are given separately"),
        (b"%PDF", "a PDF document", EXPORT),
        (b"\xd0\xcf\x11\xe0", "an old Excel or Office document", "save it as CSV UTF-8 and import that"),
        (b"PAR1", "a Parquet file", EXPORT),
        (b"ORC", "an ORC file", EXPORT),
        (b"SQLite format 3", "an SQLite database", EXPORT),
        (b"7z\xbc\xaf", "a 7z archive", "unpack it and import the table"),
        (b"Rar!", "a RAR archive", "unpack it and import the table"),
        (b"BZh", "a bzip2 archive", "unpack it and import the table"),
        (b"\xfd7zXZ", "an xz archive", "unpack it and import the table"),
        (b"\x28\xb5\x2f\xfd", "a zstd archive", "unpack it and import the table"),
        (b"PK\x03\x04", "an archive inside an archive", "unpack it and import the table"),
        (b"\x7fELF", "a program", EXPORT),
    ];
    if let Some((_, found, remedy)) = known.iter().find(|(magic, _, _)| head.starts_with(magic)) {
        return Some((found, remedy));
    }
    None
}

/// Whether decoded text holds so many control characters that it is no text.
pub(crate) fn is_garbage(text: &[u8]) -> bool {
    let sample = text.get(..text.len().min(8_192)).unwrap_or_default();
    let controls = sample.iter().filter(|b| matches!(b, 0..=8 | 0xe..=0x1a | 0x1c..=0x1e | 0x7f)).count();
    controls * 20 > sample.len()
}
