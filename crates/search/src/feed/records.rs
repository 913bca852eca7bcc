//! The rows or items of a part, one after the other, whatever the container.

use std::io::Read;

use mercer_shop::Product;

use super::draft::Problem;
use super::error::FeedError;
use super::json::ItemReader;
use super::node::Node;
use super::options::Limits;
use super::probe::Container;
use super::record::{Header, Record};
use super::report::{ProblemKind, raw_cells};
use super::rows::{Dialect, Read1, Row, RowError, RowReader};
use super::text;
use super::xml::XmlReader;

type Input = Box<dyn Read + Send>;

/// What a step gave.
pub(crate) enum Step {
    /// A record at this line; [`Records::record`] gives it.
    Record { line: u64 },
    /// Something that is no record.
    Bad { line: u64, problem: Problem, raw: Vec<String> },
    /// The end.
    End,
}

/// The rows or items of a part.
pub(crate) enum Records {
    Table { reader: RowReader<Input>, header: Header, row: Row, part: String, delimiter: u8 },
    Json { reader: ItemReader<Input>, item: Vec<u8>, node: Node },
    Xml { reader: XmlReader<Input>, node: Node },
}

impl Records {
    pub(crate) fn open(input: Input, container: &Container, part: &str, limits: &Limits) -> Result<Self, FeedError> {
        Ok(match container {
            Container::Table(dialect) => {
                let mut reader = RowReader::new(input, *dialect, limits.row_bytes, limits.columns);
                let mut row = Row::default();
                read_header(&mut reader, &mut row, part, limits)?;
                let header = Header::new(row.cells());
                Self::Table { reader, header, row, part: part.to_owned(), delimiter: dialect.delimiter }
            }
            Container::Json(layout) => {
                let reader = ItemReader::new(input, part, layout.clone(), limits.row_bytes, limits.depth);
                Self::Json { reader, item: Vec::new(), node: Node::Null }
            }
            Container::Xml => {
                Self::Xml { reader: XmlReader::new(input, part, limits.row_bytes, limits.depth), node: Node::Null }
            }
        })
    }

    /// Goes to the next record. `notes` takes what is odd about a record that can be used all the same.
    pub(crate) fn step(
        &mut self,
        join_tail: bool,
        limits: &Limits,
        notes: &mut Vec<Problem>,
    ) -> Result<Step, FeedError> {
        match self {
            Self::Table { reader, header, row, part, delimiter } => loop {
                let read = reader.read(row).map_err(|error| row_error(error, part, limits))?;
                return Ok(match read {
                    Read1::End => Step::End,
                    Read1::Unclosed => Step::Bad {
                        line: row.line,
                        problem: Problem::new(
                            ProblemKind::UnclosedQuote,
                            None,
                            "a quote in this line is never closed; reading goes on with the next line",
                        ),
                        raw: raw_cells(row.cells()),
                    },
                    Read1::Row if row.is_blank() => continue,
                    Read1::Row => {
                        if join_tail {
                            row.join_tail(header.names.len(), char::from(*delimiter));
                        }
                        table_row(row, header, notes)
                    }
                });
            },
            Self::Json { reader, item, node } => {
                let Some(line) = reader.read(item)? else { return Ok(Step::End) };
                let bad = |reason: String, item: &[u8]| {
                    let raw = raw_cells(std::iter::once(&*String::from_utf8_lossy(item)));
                    Step::Bad { line, problem: Problem::new(ProblemKind::BadSyntax, None, reason), raw }
                };
                let parsed = match std::str::from_utf8(item) {
                    Ok(text) => serde_json::from_str(text),
                    Err(_) => {
                        notes.push(bad_bytes(None));
                        serde_json::from_str(&String::from_utf8_lossy(item))
                    }
                };
                Ok(match parsed {
                    Ok(parsed @ Node::Map(_)) => {
                        *node = parsed;
                        Step::Record { line }
                    }
                    Ok(_) => bad("the item is no JSON object".to_owned(), item),
                    Err(error) => bad(format!("the item is not valid JSON: {error}"), item),
                })
            }
            Self::Xml { reader, node } => Ok(match reader.read()? {
                Some((line, item)) => {
                    *node = item;
                    Step::Record { line }
                }
                None => Step::End,
            }),
        }
    }

    /// The record that the last step went to.
    pub(crate) fn record(&self) -> Record<'_> {
        match self {
            Self::Table { header, row, .. } => Record::Row { header, row },
            Self::Json { node, .. } | Self::Xml { node, .. } => Record::Node(node),
        }
    }

    /// The record as a product in our own JSON.
    pub(crate) fn product(&self) -> Option<Result<Product, serde_json::Error>> {
        match self {
            Self::Json { item, .. } => Some(serde_json::from_slice(item)),
            Self::Table { .. } | Self::Xml { .. } => None,
        }
    }
}

fn table_row(row: &Row, header: &Header, notes: &mut Vec<Problem>) -> Step {
    let (cells, columns) = (row.len(), header.names.len());
    if row.bad_bytes || row.cells().any(|cell| cell.contains('\u{fffd}')) {
        let at = row.cells().position(|cell| cell.contains('\u{fffd}'));
        notes.push(bad_bytes(at.and_then(|at| header.names.get(at)).map(String::as_str)));
    }
    let extra = (columns..cells).filter_map(|at| row.get(at)).any(|cell| !cell.trim().is_empty());
    if extra {
        let reason = format!("the row has {cells} cells, the header {columns}; a delimiter in a cell is not quoted");
        return Step::Bad {
            line: row.line,
            problem: Problem::new(ProblemKind::CellCount, None, reason),
            raw: raw_cells(row.cells()),
        };
    }
    if cells < columns {
        let reason = format!("the row has {cells} cells, the header {columns}; the missing ones count as empty");
        notes.push(Problem::new(ProblemKind::CellCount, None, reason));
    }
    Step::Record { line: row.line }
}

fn bad_bytes(column: Option<&str>) -> Problem {
    Problem {
        column: column.map(str::to_owned),
        kind: ProblemKind::BadBytes,
        reason: "some bytes are no text in the feed's encoding; they are shown as \u{fffd}".to_owned(),
    }
}

fn row_error(error: RowError, part: &str, limits: &Limits) -> FeedError {
    let limit = |line, what, limit: usize, remedy| FeedError::Limit {
        part: part.to_owned(),
        line,
        what,
        limit: u64::try_from(limit).unwrap_or(u64::MAX),
        remedy,
    };
    match error {
        RowError::Io(error) => super::source::broken(part, error),
        RowError::TooLong { line } => {
            limit(line, "the length of one row", limits.row_bytes, "check the line ends and the quotes there")
        }
        RowError::TooMany { line } => {
            limit(line, "the number of columns", limits.columns, "check the delimiter, or export fewer columns")
        }
        RowError::Quotes { line } => FeedError::Syntax {
            part: part.to_owned(),
            line,
            reason: "hundreds of quotes are not closed; export the table again with quoting, or as TSV".to_owned(),
        },
    }
}

/// Reads up to the header: blank rows and Excel's `sep=` line before it are passed.
fn read_header<R: Read>(
    reader: &mut RowReader<R>,
    row: &mut Row,
    part: &str,
    limits: &Limits,
) -> Result<(), FeedError> {
    loop {
        match reader.read(row).map_err(|error| row_error(error, part, limits))? {
            Read1::End => return Err(FeedError::Empty { part: part.to_owned() }),
            Read1::Unclosed => {
                return Err(FeedError::Syntax {
                    part: part.to_owned(),
                    line: row.line,
                    reason: "a quote in the header is not closed; check the first line".to_owned(),
                });
            }
            Read1::Row if row.is_blank() || row.get(0).is_some_and(|cell| cell.starts_with("sep=")) => {}
            Read1::Row => return Ok(()),
        }
    }
}

/// The names in the header of a table.
pub(crate) fn header_row(head: &[u8], dialect: Dialect, part: &str, limits: &Limits) -> Result<Vec<String>, FeedError> {
    let mut reader = RowReader::new(head, dialect, limits.row_bytes, limits.columns);
    let mut row = Row::default();
    read_header(&mut reader, &mut row, part, limits)?;
    Ok(row.cells().map(|cell| text::line(cell).into_owned()).collect())
}
