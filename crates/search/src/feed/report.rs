//! What an import says about the rows it could not take as they are.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// What is wrong with a row, as a word that can be counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ProblemKind {
    /// No id, or one that cannot be an id.
    BadId,
    /// No name.
    MissingTitle,
    /// An id or SKU that an earlier row already used.
    DuplicateId,
    /// A variant whose product is not in the feed.
    MissingParent,
    /// No price.
    MissingPrice,
    /// A price that cannot be read; it counts as unknown.
    BadPrice,
    /// A price of zero.
    ZeroPrice,
    /// Another cell that cannot be read.
    BadValue,
    /// Bytes that are not text in the feed's encoding.
    BadBytes,
    /// More or fewer cells than the header has.
    CellCount,
    /// A quote that is never closed.
    UnclosedQuote,
    /// JSON or XML of one item that cannot be read.
    BadSyntax,
    /// A text that was cut to its longest length.
    TooLong,
    /// Values of one product that contradict each other.
    Contradiction,
    /// A row that is no product by its own words: unpublished, disabled, another kind of record.
    NotForSale,
}

impl ProblemKind {
    /// The kind as one word, `bad_price`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::BadId => "bad_id",
            Self::MissingTitle => "missing_title",
            Self::DuplicateId => "duplicate_id",
            Self::MissingParent => "missing_parent",
            Self::MissingPrice => "missing_price",
            Self::BadPrice => "bad_price",
            Self::ZeroPrice => "zero_price",
            Self::BadValue => "bad_value",
            Self::BadBytes => "bad_bytes",
            Self::CellCount => "cell_count",
            Self::UnclosedQuote => "unclosed_quote",
            Self::BadSyntax => "bad_syntax",
            Self::TooLong => "too_long",
            Self::Contradiction => "contradiction",
            Self::NotForSale => "not_for_sale",
        }
    }
}

impl fmt::Display for ProblemKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One thing that is wrong with one row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowProblem {
    /// The file, or the entry of an archive.
    pub part: String,
    /// The line where the row starts, counted from 1.
    pub line: u64,
    /// The column, when one is to blame.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
    /// What kind of problem it is.
    pub kind: ProblemKind,
    /// What is wrong, for people.
    pub reason: String,
    /// Whether the row was taken all the same, without the value in question.
    pub kept: bool,
    /// The cells as they were read, or the item's text; long ones are cut.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub raw: Vec<String>,
}

impl fmt::Display for RowProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, line {}", self.part, self.line)?;
        if let Some(column) = &self.column {
            write!(f, ", column {column}")?;
        }
        write!(f, ": {}", self.reason)
    }
}

/// How many problems of a kind there were, and the first few.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct KindReport {
    /// Rows that were skipped.
    pub skipped: u64,
    /// Notes about rows that were taken all the same.
    pub noted: u64,
    /// The first few.
    pub samples: Vec<RowProblem>,
}

/// What an import read, took and left out.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Report {
    /// Rows or items that were read, without headers.
    pub rows: u64,
    /// Products that came out.
    pub products: u64,
    /// Rows that were skipped.
    pub skipped: u64,
    /// Rows that were taken although something about them had to be left out.
    pub kept_with_problem: u64,
    /// Problems by kind.
    pub by_kind: BTreeMap<ProblemKind, KindReport>,
    /// What concerns the whole feed, such as an assumed currency.
    pub warnings: Vec<String>,
    /// SHA-256 of the source as it lay there, in hexadecimal.
    pub source_hash: String,
    /// The format and encoding each file was read as.
    pub formats: Vec<String>,
}

/// Samples kept for each kind.
const SAMPLES: usize = 10;
/// Bytes of a raw cell that a problem keeps.
const RAW_CELL: usize = 4_000;
/// Raw cells that a problem keeps.
const RAW_CELLS: usize = 400;

impl Report {
    pub(crate) fn add(&mut self, problem: &RowProblem) {
        let kind = self.by_kind.entry(problem.kind).or_default();
        if problem.kept {
            kind.noted += 1;
        } else {
            kind.skipped += 1;
            self.skipped += 1;
        }
        if kind.samples.len() < SAMPLES {
            kind.samples.push(problem.clone());
        }
    }

    pub(crate) fn warn(&mut self, warning: impl Into<String>) {
        let warning = warning.into();
        if self.warnings.len() < 100 && !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    /// How many problems of a kind there were, skipped or noted.
    #[must_use]
    pub fn count(&self, kind: ProblemKind) -> u64 {
        self.by_kind.get(&kind).map_or(0, |k| k.skipped + k.noted)
    }
}

/// Cuts the cells of a row to what a report keeps.
pub(crate) fn raw_cells<'a>(cells: impl Iterator<Item = &'a str>) -> Vec<String> {
    cells.take(RAW_CELLS).map(|cell| super::text::cut(cell, RAW_CELL).to_owned()).collect()
}

/// Writes `skipped.csv`: part, line, column, kind, reason, then the original cells. The file appears with the first skipped row.
#[derive(Debug)]
pub(crate) struct SkippedWriter {
    path: PathBuf,
    writer: Option<csv::Writer<File>>,
}

impl SkippedWriter {
    pub(crate) fn new(path: PathBuf) -> Self {
        Self { path, writer: None }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn write(&mut self, problem: &RowProblem) -> io::Result<()> {
        let writer = match &mut self.writer {
            Some(writer) => writer,
            None => {
                let mut writer = csv::WriterBuilder::new().flexible(true).from_path(&self.path)?;
                writer.write_record(["part", "line", "column", "kind", "reason", "cells"])?;
                self.writer.insert(writer)
            }
        };
        let line = problem.line.to_string();
        let column = problem.column.as_deref().unwrap_or_default();
        let head = [problem.part.as_str(), &line, column, problem.kind.name(), &problem.reason];
        writer.write_record(head.into_iter().chain(problem.raw.iter().map(String::as_str)))?;
        Ok(())
    }

    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.writer.as_mut().map_or(Ok(()), csv::Writer::flush)
    }
}
