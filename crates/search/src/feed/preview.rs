//! What a feed looks like before it is imported.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use mercer_shop::Product;
use serde::Serialize;

use super::Format;
use super::encoding::EncodingGuess;
use super::error::FeedError;
use super::options::{Limits, Options};
use super::probe::{Container, Probe, check};
use super::reader::{Feed, item_cells};
use super::report::RowProblem;
use super::rows::{Read1, Row, RowReader, whole_lines};
use super::source::{self, Part, Source};
use super::text;

/// A column and what becomes of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Column {
    /// Its name; JSON paths with dots.
    pub name: String,
    /// The field it fills; nothing when it is left out.
    pub maps_to: Option<String>,
}

/// A format that fits.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Candidate {
    /// The format.
    pub format: Format,
    /// How sure that is, from 0 to 1.
    pub confidence: f32,
}

/// What a feed looks like before it is imported.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Preview {
    /// The file, or the entry of an archive, that is shown: the first that holds products.
    pub part: String,
    /// All files and entries.
    pub parts: Vec<String>,
    /// The format it would be read in.
    pub format: Format,
    /// How sure that is, from 0 to 1.
    pub confidence: f32,
    /// All formats that fit, the likeliest first.
    pub candidates: Vec<Candidate>,
    /// The encoding.
    pub encoding: EncodingGuess,
    /// `CSV`, `TSV`, `JSON`, `JSONL` or `XML`.
    pub container: &'static str,
    /// The delimiter of a table.
    pub delimiter: Option<char>,
    /// The columns and what becomes of each.
    pub columns: Vec<Column>,
    /// The first rows, in the order of the columns.
    pub rows: Vec<Vec<String>>,
    /// The products that these rows give.
    pub products: Vec<Product>,
    /// What is wrong with them.
    pub problems: Vec<RowProblem>,
    /// What concerns the whole feed.
    pub warnings: Vec<String>,
}

/// Shows what a feed is, from its start alone: format, encoding, columns, the first `n` rows and the products they give.
///
/// # Errors
/// When the source cannot be read, is no feed, or holds no products.
pub fn preview(source: &Source, options: &Options, n: usize) -> Result<Preview, FeedError> {
    check(options)?;
    let parts = source::parts(source, options)?;
    let names: Vec<String> = parts.iter().map(|part| part.name.clone()).collect();
    let mut first_error = None;
    for part in parts {
        match show(&part, options, n, names.clone()) {
            Ok(preview) => return Ok(preview),
            Err(error @ (FeedError::NoProducts { .. } | FeedError::Empty { .. } | FeedError::NotAFeed { .. })) => {
                first_error.get_or_insert(error);
            }
            Err(error) => return Err(error),
        }
    }
    Err(first_error.unwrap_or_else(|| FeedError::Empty { part: "the source".to_owned() }))
}

fn show(part: &Part, options: &Options, n: usize, parts: Vec<String>) -> Result<Preview, FeedError> {
    let read = Arc::new(AtomicU64::new(0));
    let probe = Probe::new(part, options, &read, true)?;
    let fit = probe.choose(&part.name, options)?;
    let (shape, _) = probe.shape(&fit, options)?;
    let names = probe.columns().names();
    let rows = match &probe.container {
        Container::Table(dialect) => table_rows(&probe.head, *dialect, n, &options.limits),
        Container::Json(_) | Container::Xml => {
            probe.items.iter().take(n).map(|item| item_cells(item, &names)).collect()
        }
    };
    let delimiter = match &probe.container {
        Container::Table(dialect) => Some(char::from(dialect.delimiter)),
        Container::Json(_) | Container::Xml => None,
    };
    let columns = names.into_iter().map(|name| Column { maps_to: shape.maps_to(&name), name }).collect();
    let (products, problems, warnings) = sample(part, &probe, options, n)?;
    Ok(Preview {
        part: part.name.clone(),
        parts,
        format: fit.format,
        confidence: fit.confidence,
        candidates: probe.fits.iter().map(|f| Candidate { format: f.format, confidence: f.confidence }).collect(),
        encoding: probe.guess,
        container: probe.container.name(),
        delimiter,
        columns,
        rows,
        products,
        problems,
        warnings,
    })
}

fn table_rows(head: &[u8], dialect: super::rows::Dialect, n: usize, limits: &Limits) -> Vec<Vec<String>> {
    let mut reader = RowReader::new(whole_lines(head), dialect, limits.row_bytes, limits.columns);
    let mut row = Row::default();
    let mut rows = Vec::new();
    let mut header = true;
    while rows.len() < n && matches!(reader.read(&mut row), Ok(Read1::Row)) {
        if row.is_blank() || row.get(0).is_some_and(|cell| cell.starts_with("sep=")) {
            continue;
        }
        if !std::mem::take(&mut header) {
            rows.push(row.cells().map(|cell| text::cut(&text::line(cell), 300).to_owned()).collect());
        }
    }
    rows
}

type Sample = (Vec<Product>, Vec<RowProblem>, Vec<String>);

/// Imports the start of the part for show. What is cut off at its end is no fault of the feed.
fn sample(part: &Part, probe: &Probe, options: &Options, n: usize) -> Result<Sample, FeedError> {
    let text = match probe.container {
        Container::Table(_) | Container::Json(super::json::Layout::Lines) => whole_lines(&probe.head),
        Container::Json(_) | Container::Xml => &probe.head,
    };
    let options = Options {
        encoding: Some("utf-8".to_owned()),
        delimiter: match &probe.container {
            Container::Table(dialect) => Some(char::from(dialect.delimiter)),
            Container::Json(_) | Container::Xml => None,
        },
        strict: false,
        skipped: None,
        progress: None,
        ..options.clone()
    };
    let mut feed = Feed::new(vec![Part::memory(&part.name, text.to_vec())], options, false)?;
    let products = feed.by_ref().take(n).filter_map(Result::ok).collect();
    let report = feed.into_report();
    let problems = report.by_kind.into_values().flat_map(|kind| kind.samples).take(50).collect();
    Ok((products, problems, report.warnings))
}
