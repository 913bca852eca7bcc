//! Rows of a CSV or TSV file as merchants' programs write them: quoted line ends, bare carriage returns, blanks after a closing
//! quote, quotes that are never closed. A row is bounded in bytes and cells, and so is memory.

use std::io::{self, Read};

use memchr::{memchr, memchr_iter, memchr2, memrchr};

/// How a table separates its cells and rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Dialect {
    /// Between cells.
    pub(crate) delimiter: u8,
    /// Between rows: `\n` (a `\r` before it belongs to it) or, in files of old, `\r`.
    pub(crate) newline: u8,
}

/// Delimiters that are looked for.
const DELIMITERS: [u8; 5] = [b',', b'\t', b';', b'|', 0x1f];

impl Dialect {
    /// Tells the dialect from the start of a file: the delimiter that gives most rows the same number of cells, more than one.
    pub(crate) fn sniff(sample: &[u8]) -> Self {
        let newline = if memchr(b'\n', sample).is_some() || memchr(b'\r', sample).is_none() { b'\n' } else { b'\r' };
        let score = |delimiter: u8| {
            let mut reader = RowReader::new(sample, Self { delimiter, newline }, 256 * 1024, usize::MAX);
            let mut row = Row::default();
            let mut counts: Vec<usize> = Vec::new();
            while counts.len() < 30 && matches!(reader.read(&mut row), Ok(Read1::Row)) {
                counts.push(row.len());
            }
            // The last row of a sample is usually cut.
            if counts.len() > 2 {
                counts.pop();
            }
            let header = counts.first().copied().unwrap_or_default();
            let same = counts.iter().filter(|&&c| c == header).count();
            if header < 2 { 0 } else { same * 1_000 / counts.len().max(1) * 100 + header.min(99) }
        };
        let best = DELIMITERS.into_iter().max_by_key(|&d| (score(d), d == b',')).filter(|&d| score(d) > 0);
        Self { delimiter: best.unwrap_or(b','), newline }
    }
}

/// One row: its cells in one buffer.
#[derive(Debug, Default, Clone)]
pub(crate) struct Row {
    text: String,
    data: Vec<u8>,
    ends: Vec<usize>,
    /// The line where it starts, from 1.
    pub(crate) line: u64,
    /// Whether it held bytes that are no text; they are replaced by U+FFFD.
    pub(crate) bad_bytes: bool,
}

impl Row {
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn get(&self, at: usize) -> Option<&str> {
        let end = *self.ends.get(at)?;
        let start = at.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        self.text.get(start..end)
    }

    pub(crate) fn cells(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).filter_map(|at| self.get(at))
    }

    pub(crate) fn is_blank(&self) -> bool {
        self.text.bytes().all(|b| b.is_ascii_whitespace())
    }

    /// Joins the cells from `keep - 1` on with the delimiter: an unquoted delimiter in the last column.
    pub(crate) fn join_tail(&mut self, keep: usize, delimiter: char) {
        if keep == 0 || self.len() <= keep {
            return;
        }
        let tail: Vec<&str> = (keep - 1..self.len()).filter_map(|at| self.get(at)).collect();
        let mut separator = [0; 4];
        let joined = tail.join(&*delimiter.encode_utf8(&mut separator));
        let start = keep.checked_sub(2).and_then(|at| self.ends.get(at)).copied().unwrap_or(0);
        self.text.truncate(start);
        self.text.push_str(&joined);
        self.ends.truncate(keep - 1);
        self.ends.push(self.text.len());
    }

    fn clear(&mut self) {
        self.data = std::mem::take(&mut self.text).into_bytes();
        self.data.clear();
        self.ends.clear();
        self.bad_bytes = false;
    }

    fn finish(&mut self) {
        match String::from_utf8(std::mem::take(&mut self.data)) {
            Ok(text) => self.text = text,
            Err(error) => {
                // Rare: cell by cell, so that the cells keep their bounds.
                self.bad_bytes = true;
                let bytes = error.into_bytes();
                let mut start = 0;
                self.text.clear();
                for end in &mut self.ends {
                    self.text.push_str(&String::from_utf8_lossy(bytes.get(start..*end).unwrap_or_default()));
                    start = *end;
                    *end = self.text.len();
                }
            }
        }
    }
}

/// What a read gave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Read1 {
    /// A row.
    Row,
    /// A line whose quote is never closed; the row holds it as one cell, reading goes on with the next line.
    Unclosed,
    /// The end.
    End,
}

/// Why no further row can be read.
#[derive(Debug)]
pub(crate) enum RowError {
    Io(io::Error),
    /// A row passes the bound of bytes.
    TooLong {
        line: u64,
    },
    /// A row passes the bound of cells.
    TooMany {
        line: u64,
    },
    /// So many quotes are not closed that quoting means nothing here.
    Quotes {
        line: u64,
    },
}

impl From<io::Error> for RowError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Lines with an unclosed quote that are recovered before the file is given up.
const RECOVERIES: u32 = 200;
const CHUNK: usize = 128 * 1024;

/// Reads rows. The current row always lies in one buffer, so that a quote that is never closed can be taken back.
pub(crate) struct RowReader<R> {
    input: R,
    dialect: Dialect,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    eof: bool,
    line: u64,
    max_bytes: usize,
    max_cells: usize,
    recoveries: u32,
}

enum Parsed {
    /// A row up to this place in the buffer.
    Complete(usize),
    /// The buffer ends inside the row.
    More {
        quoted: bool,
    },
    TooMany,
}

impl<R: Read> RowReader<R> {
    pub(crate) fn new(input: R, dialect: Dialect, max_bytes: usize, max_cells: usize) -> Self {
        Self {
            input,
            dialect,
            buffer: Vec::new(),
            start: 0,
            end: 0,
            eof: false,
            line: 1,
            max_bytes,
            max_cells,
            recoveries: 0,
        }
    }

    /// Reads the next row into `row`.
    pub(crate) fn read(&mut self, row: &mut Row) -> Result<Read1, RowError> {
        loop {
            row.clear();
            row.line = self.line;
            if self.start == self.end && !self.fill()? {
                return Ok(Read1::End);
            }
            match self.parse(row) {
                Parsed::Complete(next) => {
                    self.advance(next);
                    row.finish();
                    return Ok(Read1::Row);
                }
                Parsed::TooMany => return Err(RowError::TooMany { line: self.line }),
                Parsed::More { quoted } => {
                    if self.eof || self.end - self.start >= self.max_bytes {
                        return if quoted { self.recover(row) } else { Err(RowError::TooLong { line: self.line }) };
                    }
                    self.fill()?;
                }
            }
        }
    }

    /// A quote was not closed within the bound: takes the first line alone and goes on behind it.
    fn recover(&mut self, row: &mut Row) -> Result<Read1, RowError> {
        self.recoveries += 1;
        if self.recoveries > RECOVERIES {
            return Err(RowError::Quotes { line: self.line });
        }
        let pending = self.pending();
        let first = match memchr(self.dialect.newline, pending) {
            Some(at) => at + 1,
            None if self.eof => pending.len(),
            None => return Err(RowError::TooLong { line: self.line }),
        };
        row.clear();
        row.data.extend_from_slice(pending.get(..first).unwrap_or_default());
        row.ends.push(first);
        row.finish();
        self.advance(self.start + first);
        Ok(Read1::Unclosed)
    }

    fn pending(&self) -> &[u8] {
        self.buffer.get(self.start..self.end).unwrap_or_default()
    }

    fn advance(&mut self, next: usize) {
        let passed = self.buffer.get(self.start..next).unwrap_or_default();
        let lines = memchr_iter(self.dialect.newline, passed).count();
        self.line += u64::try_from(lines).unwrap_or_default();
        self.start = next;
    }

    /// Reads more behind what is pending; false at the end.
    fn fill(&mut self) -> io::Result<bool> {
        if self.eof {
            return Ok(false);
        }
        if self.start > 0 {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
        }
        // Doubles, so that a long row costs no more than twice its length to read.
        let room = (self.end + CHUNK).max(self.end * 2);
        if self.buffer.len() < room {
            self.buffer.resize(room, 0);
        }
        // Until the buffer is full: a long row is then parsed again only each time it has doubled.
        let before = self.end;
        while let Some(free) = self.buffer.get_mut(self.end..).filter(|free| !free.is_empty()) {
            match self.input.read(free) {
                Ok(0) => {
                    self.eof = true;
                    break;
                }
                Ok(n) => self.end += n,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(self.end > before)
    }

    /// Parses one row out of the pending bytes.
    fn parse(&self, row: &mut Row) -> Parsed {
        let Dialect { delimiter, newline } = self.dialect;
        let bytes = self.buffer.get(..self.end).unwrap_or_default();
        let mut at = self.start;
        loop {
            let rest = bytes.get(at..).unwrap_or_default();
            // A quoted cell.
            if rest.first() == Some(&b'"') {
                match self.quoted(rest, row) {
                    Some(used) => at += used,
                    None => return Parsed::More { quoted: true },
                }
            }
            // The rest of the cell, or all of it when it is not quoted.
            let rest = bytes.get(at..).unwrap_or_default();
            let (used, ended) = match memchr2(delimiter, newline, rest) {
                Some(used) => (used, true),
                None => (rest.len(), false),
            };
            if !ended && !self.eof {
                return Parsed::More { quoted: false };
            }
            let mut cell = rest.get(..used).unwrap_or_default();
            let row_ends = !ended || rest.get(used) == Some(&newline);
            if row_ends && newline == b'\n' {
                cell = cell.strip_suffix(b"\r").unwrap_or(cell);
            }
            row.data.extend_from_slice(cell);
            row.ends.push(row.data.len());
            if row.ends.len() > self.max_cells {
                return Parsed::TooMany;
            }
            at += used + usize::from(ended);
            if row_ends {
                return Parsed::Complete(at);
            }
        }
    }

    /// The content of a quoted cell at the start of `rest`; gives the bytes used, or nothing when it does not end here.
    fn quoted(&self, rest: &[u8], row: &mut Row) -> Option<usize> {
        let Dialect { delimiter, newline } = self.dialect;
        let mut at = 1;
        loop {
            let tail = rest.get(at..)?;
            let quote = memchr(b'"', tail)?;
            row.data.extend_from_slice(tail.get(..quote)?);
            at += quote + 1;
            let after = rest.get(at..)?;
            match after.first() {
                None => return self.eof.then_some(at),
                Some(b'"') => {
                    row.data.push(b'"');
                    at += 1;
                }
                Some(&next) if next == delimiter || next == newline => return Some(at),
                Some(_) => {
                    let blanks =
                        after.iter().take_while(|b| matches!(b, b' ' | b'\r' | b'\t') && **b != delimiter).count();
                    match after.get(blanks) {
                        None => return self.eof.then_some(at + blanks),
                        Some(&next) if next == delimiter || next == newline => return Some(at + blanks),
                        Some(_) => {}
                    }
                    // A quote inside a quoted cell that nobody doubled (`"Dell 24" monitor",`): text when a real closing quote
                    // follows on this line, else the end of the quoting.
                    let line_end = memchr(newline, after).unwrap_or(after.len());
                    let line = after.get(..line_end)?;
                    let closes = memchr_iter(b'"', line).any(|q| {
                        let behind = line.get(q + 1..).unwrap_or_default();
                        matches!(behind.first(), None | Some(b'\r')) || behind.first() == Some(&delimiter)
                    });
                    if !closes {
                        return Some(at);
                    }
                    row.data.push(b'"');
                }
            }
        }
    }
}

/// The sample up to its last complete line, so that a cut row misleads nobody.
pub(crate) fn whole_lines(sample: &[u8]) -> &[u8] {
    match memrchr(b'\n', sample) {
        Some(at) if at > 0 => sample.get(..=at).unwrap_or(sample),
        _ => sample,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn rows(text: &str) -> Vec<Vec<String>> {
        let mut reader = RowReader::new(text.as_bytes(), Dialect::sniff(text.as_bytes()), 4_096, 1_000);
        let mut row = Row::default();
        let mut out = Vec::new();
        while reader.read(&mut row).unwrap() != Read1::End {
            out.push(row.cells().map(str::to_owned).collect());
        }
        out
    }

    #[test]
    fn cells_are_read_as_the_programs_of_merchants_write_them() {
        assert_eq!(rows("a,b\r\n\"1\n2\",\"x\"\"y\"\r\n"), [vec!["a", "b"], vec!["1\n2", "x\"y"]]);
        assert_eq!(rows("a;b\n1;2,5\n"), [vec!["a", "b"], vec!["1", "2,5"]]);
        assert_eq!(rows("a\tb\n1\t\"q\"\n"), [vec!["a", "b"], vec!["1", "q"]]);
        assert_eq!(rows("a,b\nx\ry,2\n"), [vec!["a", "b"], vec!["x\ry", "2"]]);
        assert_eq!(rows("a,b\r1,2\r3,4"), [vec!["a", "b"], vec!["1", "2"], vec!["3", "4"]]);
        assert_eq!(rows("a,b\n\"p\"   ,\"Dell 24\" monitor\"\n"), [vec!["a", "b"], vec!["p", "Dell 24\" monitor"]]);
        assert_eq!(rows("a,b\n17\" bag,\"x\"y\n"), [vec!["a", "b"], vec!["17\" bag", "xy"]]);
    }

    #[test]
    fn a_quote_that_is_never_closed_costs_its_own_line_only() {
        let text = "a,b\n1,\"open\n2,two\n3,three\n";
        let mut reader = RowReader::new(text.as_bytes(), Dialect { delimiter: b',', newline: b'\n' }, 4_096, 1_000);
        let mut row = Row::default();
        assert_eq!(reader.read(&mut row).unwrap(), Read1::Row);
        assert_eq!(reader.read(&mut row).unwrap(), Read1::Unclosed);
        assert_eq!((row.line, row.get(0)), (2, Some("1,\"open\n")));
        assert_eq!(reader.read(&mut row).unwrap(), Read1::Row);
        assert_eq!((row.line, row.get(1)), (3, Some("two")));
    }

    #[test]
    fn a_row_is_bounded_in_bytes_and_cells() {
        let dialect = Dialect { delimiter: b',', newline: b'\n' };
        let mut row = Row::default();
        let long = std::io::repeat(b'x').take(1 << 32);
        let mut reader = RowReader::new(long, dialect, 1 << 20, 1_000);
        assert!(matches!(reader.read(&mut row), Err(RowError::TooLong { line: 1 })));
        assert!(reader.buffer.len() < 4 << 20);
        let mut reader = RowReader::new(std::io::repeat(b',').take(1 << 20), dialect, 4 << 20, 1_000);
        assert!(matches!(reader.read(&mut row), Err(RowError::TooMany { line: 1 })));
    }

    #[test]
    fn bytes_that_are_no_text_stay_in_their_cell_and_a_tail_can_be_joined() {
        let mut reader =
            RowReader::new(&b"a\xffb,c,d\n"[..], Dialect { delimiter: b',', newline: b'\n' }, 4_096, 1_000);
        let mut row = Row::default();
        reader.read(&mut row).unwrap();
        assert!(row.bad_bytes);
        assert_eq!(row.cells().collect::<Vec<_>>(), ["a\u{fffd}b", "c", "d"]);
        row.join_tail(2, ',');
        assert_eq!(row.cells().collect::<Vec<_>>(), ["a\u{fffd}b", "c,d"]);
    }

    proptest! {
        #[test]
        fn what_a_writer_writes_is_read_back(table in prop::collection::vec(prop::collection::vec("[a-z\", \n]{0,6}", 3), 1..6)) {
            let mut writer = csv::WriterBuilder::new().quote_style(csv::QuoteStyle::Always).from_writer(Vec::new());
            table.iter().for_each(|row| writer.write_record(row).unwrap());
            let bytes = writer.into_inner().unwrap();
            let mut reader = RowReader::new(&bytes[..], Dialect { delimiter: b',', newline: b'\n' }, 4_096, 100);
            let mut row = Row::default();
            for expected in &table {
                prop_assert_eq!(reader.read(&mut row).unwrap(), Read1::Row);
                prop_assert_eq!(&row.cells().map(str::to_owned).collect::<Vec<_>>(), expected);
            }
            prop_assert_eq!(reader.read(&mut row).unwrap(), Read1::End);
        }

        #[test]
        fn no_bytes_break_the_reader(bytes in prop::collection::vec(prop::sample::select(b"a,\"\n\r\t \xff;".to_vec()), 0..200)) {
            let mut reader = RowReader::new(&bytes[..], Dialect::sniff(&bytes), 64, 10);
            let mut row = Row::default();
            while matches!(reader.read(&mut row), Ok(Read1::Row | Read1::Unclosed)) {}
        }
    }
}
