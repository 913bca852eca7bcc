//! How a feed is to be read.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use mercer_shop::Currency;

use super::Format;
use super::mapping::Mapping;
use super::progress::Progress;

/// Bounds that keep a broken or hostile feed from filling memory or disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one row, JSON item or XML item.
    pub row_bytes: usize,
    /// Columns of a table.
    pub columns: usize,
    /// Nesting of JSON and XML.
    pub depth: usize,
    /// Bytes an archive may unpack to.
    pub unpacked_bytes: u64,
    /// How many times its own size an archive may unpack to.
    pub unpack_ratio: u64,
    /// Bytes an archive may unpack to whatever its own size.
    pub unpack_free: u64,
    /// Feeds in one archive.
    pub archive_entries: usize,
    /// Bytes that are fetched from an address.
    pub download_bytes: u64,
    /// How long an address may take to answer, and then be silent.
    pub fetch_silence: Duration,
    /// How long a whole download may take.
    pub fetch_total: Duration,
    /// Variants of one product.
    pub variants: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            row_bytes: 8 << 20,
            columns: 10_000,
            depth: 64,
            unpacked_bytes: 16 << 30,
            unpack_ratio: 200,
            unpack_free: 64 << 20,
            archive_entries: 1_000,
            download_bytes: 4 << 30,
            fetch_silence: Duration::from_secs(30),
            fetch_total: Duration::from_secs(3_600),
            variants: 5_000,
        }
    }
}

/// Called now and then while a feed is read.
pub type ProgressFn = Arc<dyn Fn(&Progress) + Send + Sync>;

/// How a feed is to be read. The default guesses everything.
#[derive(Clone, Default)]
pub struct Options {
    /// The format, when it should not be guessed.
    pub format: Option<Format>,
    /// The encoding by name, when it should not be guessed: `utf-8`, `gb18030`, `big5`, `windows-1252` …
    pub encoding: Option<String>,
    /// The delimiter of a table, when it should not be guessed.
    pub delimiter: Option<char>,
    /// The currency of prices that do not name one.
    pub currency: Option<Currency>,
    /// Which column is which field; goes before every format.
    pub mapping: Option<Mapping>,
    /// Stop at the first row that would be skipped.
    pub strict: bool,
    /// Where to write the rows that are skipped.
    pub skipped: Option<PathBuf>,
    /// Called now and then.
    pub progress: Option<ProgressFn>,
    /// Fetch from private, loopback and link-local addresses too.
    pub allow_private: bool,
    /// Bounds.
    pub limits: Limits,
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("format", &self.format)
            .field("encoding", &self.encoding)
            .field("delimiter", &self.delimiter)
            .field("currency", &self.currency)
            .field("mapping", &self.mapping.is_some())
            .field("strict", &self.strict)
            .field("skipped", &self.skipped)
            .field("allow_private", &self.allow_private)
            .finish_non_exhaustive()
    }
}
