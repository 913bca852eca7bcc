//! What one part of a feed is: its encoding, its container, its columns, its format. Found before a row is read.

use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use encoding_rs::Encoding;
use sha2::{Digest, Sha256};

use super::encoding::{self, Decoding, EncodingGuess, HEAD, Survey};
use super::error::FeedError;
use super::format::{self, Columns, Fit};
use super::json::{ItemReader, Layout};
use super::mapping::Mapping;
use super::node::Node;
use super::options::Options;
use super::record::Header;
use super::records::{Records, header_row};
use super::rows::{Dialect, whole_lines};
use super::shapes::Shape;
use super::source::{self, Part};
use super::xml::XmlReader;

/// How rows or items lie in the text.
#[derive(Debug, Clone)]
pub(crate) enum Container {
    Table(Dialect),
    Json(Layout),
    Xml,
}

impl Container {
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Table(Dialect { delimiter: b'\t', .. }) => "TSV",
            Self::Table(_) => "CSV",
            Self::Json(Layout::Lines) => "JSONL",
            Self::Json(_) => "JSON",
            Self::Xml => "XML",
        }
    }
}

/// What a part is.
pub(crate) struct Probe {
    pub(crate) encoding: &'static Encoding,
    pub(crate) guess: EncodingGuess,
    pub(crate) container: Container,
    /// The start of the text, as UTF-8.
    pub(crate) head: Vec<u8>,
    pub(crate) header: Header,
    pub(crate) items: Vec<Node>,
    /// Formats that fit, the likeliest first.
    pub(crate) fits: Vec<Fit>,
    /// SHA-256 of the whole part as it lies there.
    pub(crate) hash: [u8; 32],
}

/// Items that are looked at to know the columns.
const ITEMS: usize = 60;

impl Probe {
    /// Looks at a part; only at its start when `partial`.
    pub(crate) fn new(part: &Part, options: &Options, read: &Arc<AtomicU64>, partial: bool) -> Result<Self, FeedError> {
        let mut reader = part.open(&options.limits, read)?;
        let mut survey = Survey::new();
        let mut digest = Sha256::new();
        let mut buffer = vec![0; 256 * 1024];
        let mut total = 0;
        loop {
            let n = reader.read(&mut buffer).map_err(|e| part.broken(e))?;
            let bytes = buffer.get(..n).unwrap_or_default();
            if n == 0 {
                break;
            }
            if total == 0
                && let Some((found, remedy)) = source::binary(bytes)
            {
                return Err(FeedError::NotAFeed { part: part.name.clone(), found, remedy });
            }
            digest.update(bytes);
            survey.feed(bytes);
            total += n;
            if partial && total >= HEAD {
                break;
            }
        }
        if survey.head().iter().all(u8::is_ascii_whitespace) {
            return Err(FeedError::Empty { part: part.name.clone() });
        }
        let cut = partial && total >= HEAD;
        let (raw, encoding, evidence) = survey.finish(options.encoding.as_deref(), cut)?;
        let mut head = Vec::new();
        Decoding::new(raw.as_slice(), encoding).read_to_end(&mut head).map_err(|e| part.broken(e))?;
        if source::is_garbage(&head) {
            let remedy = "export the catalogue as CSV, JSON or XML and import that";
            return Err(FeedError::NotAFeed { part: part.name.clone(), found: "a binary file", remedy });
        }
        if is_web_page(&head) {
            let remedy = "give the address of the feed itself; it may need a login";
            return Err(FeedError::NotAFeed { part: part.name.clone(), found: "a web page", remedy });
        }
        let container = container(&head, options);
        let guess = EncodingGuess { name: encoding.name(), evidence };
        let hash = digest.finalize().into();
        let mut probe = Self {
            encoding,
            guess,
            container,
            head,
            header: Header::default(),
            items: Vec::new(),
            fits: Vec::new(),
            hash,
        };
        probe.read_columns(part, options)?;
        probe.fits = format::fits(&probe.columns());
        Ok(probe)
    }

    fn read_columns(&mut self, part: &Part, options: &Options) -> Result<(), FeedError> {
        let limits = &options.limits;
        let whole = whole_lines(&self.head);
        match &self.container {
            Container::Table(dialect) => {
                let names = header_row(self.head.as_slice(), *dialect, &part.name, limits)?;
                self.header = Header::new(names.iter().map(String::as_str));
            }
            Container::Json(layout) => {
                let lines = *layout == Layout::Lines;
                let text = if lines { whole } else { &self.head };
                let mut reader = ItemReader::new(text, &part.name, layout.clone(), limits.row_bytes, limits.depth);
                let mut item = Vec::new();
                while self.items.len() < ITEMS {
                    match reader.read(&mut item) {
                        Ok(Some(_)) => self.items.extend(serde_json::from_slice::<Node>(&item).ok()),
                        Ok(None) => break,
                        // The head ends inside an item; an error before the first item is the feed's.
                        Err(error) if self.items.is_empty() && self.head.len() < HEAD => return Err(error),
                        Err(error @ FeedError::Limit { .. }) if self.items.is_empty() => return Err(error),
                        Err(_) => break,
                    }
                }
                self.items.retain(|item| matches!(item, Node::Map(_)));
            }
            Container::Xml => {
                let mut reader = XmlReader::new(self.head.as_slice(), &part.name, limits.row_bytes, limits.depth);
                while self.items.len() < ITEMS {
                    match reader.read() {
                        Ok(Some((_, node))) => self.items.push(node),
                        Ok(None) => break,
                        Err(error) if self.items.is_empty() && self.head.len() < HEAD => return Err(error),
                        Err(error @ FeedError::Limit { .. }) if self.items.is_empty() => return Err(error),
                        Err(_) => break,
                    }
                }
            }
        }
        Ok(())
    }

    pub(crate) fn columns(&self) -> Columns<'_> {
        match self.container {
            Container::Table(_) => Columns::Table(&self.header),
            Container::Json(_) | Container::Xml => Columns::Items(&self.items),
        }
    }

    /// The format to read the part in.
    pub(crate) fn choose(&self, part: &str, options: &Options) -> Result<Fit, FeedError> {
        if options.mapping.is_some() {
            return Ok(Fit { format: super::Format::Generic, confidence: 1.0, mapping: options.mapping.clone() });
        }
        if let Some(format) = options.format {
            if let Some(column) = format.missing(&self.columns()) {
                return Err(FeedError::MissingColumn { part: part.to_owned(), format: format.name(), column });
            }
            let known = self.fits.iter().find(|fit| fit.format == format);
            return Ok(Fit { format, confidence: 1.0, mapping: known.and_then(|fit| fit.mapping.clone()) });
        }
        self.fits.first().cloned().ok_or_else(|| {
            let mut columns = self.columns().names();
            columns.truncate(12);
            FeedError::NoProducts {
                part: part.to_owned(),
                columns: super::text::cut(&columns.join(", "), 300).to_owned(),
            }
        })
    }

    /// What reads the format, and its mapping when it has one.
    pub(crate) fn shape(&self, fit: &Fit, options: &Options) -> Result<(Box<dyn Shape>, Option<Mapping>), FeedError> {
        format::shape(fit, &self.columns(), options.mapping.as_ref())
    }

    /// Opens the part's rows from the start.
    pub(crate) fn records(&self, part: &Part, options: &Options, read: &Arc<AtomicU64>) -> Result<Records, FeedError> {
        let input: Box<dyn Read + Send> = Box::new(Decoding::new(part.open(&options.limits, read)?, self.encoding));
        Records::open(input, &self.container, &part.name, &options.limits)
    }
}

fn container(head: &[u8], options: &Options) -> Container {
    let start = head.trim_ascii_start();
    let items = options.mapping.as_ref().and_then(|m| m.items.as_ref());
    match start.first() {
        Some(b'<') => Container::Xml,
        Some(b'{' | b'[') => Container::Json(match items {
            Some(path) => Layout::List(path.split('.').filter(|k| !k.is_empty()).map(str::to_owned).collect()),
            None => Layout::sniff(start),
        }),
        _ => {
            let mut dialect = Dialect::sniff(whole_lines(head));
            if let Some(delimiter) = options.delimiter.and_then(|c| u8::try_from(c).ok()) {
                dialect.delimiter = delimiter;
            } else if let Some(stated) = stated_delimiter(head) {
                dialect.delimiter = stated;
            }
            Container::Table(dialect)
        }
    }
}

fn is_web_page(head: &[u8]) -> bool {
    let start = head.trim_ascii_start();
    [b"<!doctype html".as_slice(), b"<html"]
        .iter()
        .any(|tag| start.get(..tag.len()).is_some_and(|s| s.eq_ignore_ascii_case(tag)))
}

/// Excel's own first line, `sep=;`.
fn stated_delimiter(head: &[u8]) -> Option<u8> {
    let rest = head.strip_prefix(b"sep=")?;
    rest.first().copied().filter(|_| matches!(rest.get(1), Some(b'\r' | b'\n')))
}

/// An encoding asked for by name must exist, before anything is read.
pub(crate) fn check(options: &Options) -> Result<(), FeedError> {
    if let Some(name) = &options.encoding {
        encoding::by_name(name)?;
    }
    options.mapping.as_ref().map_or(Ok(()), Mapping::check)
}
