//! The items of a JSON feed, one after the other, without holding the rest: a list, a list inside an object, or one item a line.

use std::io::{BufRead, BufReader, Read};

use memchr::{memchr_iter, memchr2};

use super::error::FeedError;

/// Where the items of a JSON feed are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Layout {
    /// One item a line.
    Lines,
    /// A list; the keys that lead to it, none for a list at the top.
    List(Vec<String>),
    /// The whole is one item.
    Single,
}

/// Keys under which lists of products are known to lie, the likeliest first.
const LISTS: [&str; 12] =
    ["products", "items", "goods", "data", "list", "results", "records", "entries", "hits", "rows", "catalog", "docs"];

impl Layout {
    /// Tells the layout from the start of the text.
    pub(crate) fn sniff(sample: &[u8]) -> Self {
        let start = sample.trim_ascii_start();
        match start.first() {
            Some(b'[') => return Self::List(Vec::new()),
            Some(b'{') => {}
            _ => return Self::Lines,
        }
        let mut lines = start.split(|b| *b == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty());
        let first = lines.next().unwrap_or_default();
        let whole = serde_json::from_slice::<serde::de::IgnoredAny>(first).is_ok();
        if whole && lines.take(50).any(|line| line.starts_with(b"{")) {
            return Self::Lines;
        }
        let lists = lists(start);
        let named = LISTS.iter().find_map(|name| lists.iter().find(|path| path.last().is_some_and(|k| k == name)));
        // A single product also holds lists of objects (its variants), but has a name of its own.
        let own = [b"\"title\"".as_slice(), b"\"name\"", b"\"id\""];
        let single = named.is_none() && own.iter().any(|key| memchr::memmem::find(first_level(start), key).is_some());
        match named.or_else(|| lists.first().filter(|_| !single)) {
            Some(path) => Self::List(path.clone()),
            None => Self::Single,
        }
    }
}

/// The text up to the first nested value.
fn first_level(text: &[u8]) -> &[u8] {
    let end = text.iter().skip(1).position(|b| matches!(b, b'{' | b'[')).map_or(text.len(), |at| at + 1);
    text.get(..end).unwrap_or_default()
}

/// Paths through objects to lists of objects.
fn lists(sample: &[u8]) -> Vec<Vec<String>> {
    let mut found: Vec<Vec<String>> = Vec::new();
    // The key that leads into each open object; `None` inside a list, where nothing is looked for.
    let mut open: Vec<Option<String>> = Vec::new();
    let mut key: Option<String> = None;
    let mut at = 0;
    while let Some(&byte) = sample.get(at) {
        at += 1;
        match byte {
            b'"' => {
                let from = at;
                while let Some(&c) = sample.get(at) {
                    at += if c == b'\\' { 2 } else { 1 };
                    if c == b'"' {
                        break;
                    }
                }
                let text = sample.get(from..at.saturating_sub(1)).unwrap_or_default();
                let after = sample.get(at..).unwrap_or_default().trim_ascii_start();
                if after.first() == Some(&b':') {
                    key = Some(String::from_utf8_lossy(text).into_owned());
                }
            }
            b'{' => open.push(key.take()),
            b'[' => {
                let objects = sample.get(at..).unwrap_or_default().trim_ascii_start().first() == Some(&b'{');
                // The root has no key; everything between it and the list must have one.
                if objects && open.len() <= 5 && open.iter().skip(1).all(Option::is_some) {
                    let path: Vec<String> = open.iter().skip(1).flatten().cloned().chain(key.clone()).collect();
                    if path.len() == open.len() && found.len() < 50 {
                        found.push(path);
                    }
                }
                key = None;
                open.push(None);
            }
            b'}' | b']' => {
                open.pop();
            }
            _ => {}
        }
    }
    found
}

/// Reads items one after the other.
pub(crate) struct ItemReader<R> {
    input: BufReader<R>,
    part: String,
    layout: Layout,
    line: u64,
    begun: bool,
    ended: bool,
    max_bytes: usize,
    max_depth: usize,
}

impl<R: Read> ItemReader<R> {
    pub(crate) fn new(input: R, part: &str, layout: Layout, max_bytes: usize, max_depth: usize) -> Self {
        let input = BufReader::with_capacity(128 * 1024, input);
        Self { input, part: part.to_owned(), layout, line: 1, begun: false, ended: false, max_bytes, max_depth }
    }

    /// Reads the next item's text into `out`; gives its line, or nothing at the end.
    pub(crate) fn read(&mut self, out: &mut Vec<u8>) -> Result<Option<u64>, FeedError> {
        out.clear();
        if self.ended {
            return Ok(None);
        }
        match self.layout.clone() {
            Layout::Lines => self.read_line(out),
            Layout::Single => {
                self.ended = true;
                self.peek()?;
                let line = self.line;
                self.value(Some(out))?;
                Ok(Some(line))
            }
            Layout::List(path) => {
                if !self.begun {
                    self.begun = true;
                    self.descend(&path)?;
                }
                self.read_item(out)
            }
        }
    }

    fn read_line(&mut self, out: &mut Vec<u8>) -> Result<Option<u64>, FeedError> {
        loop {
            out.clear();
            let line = self.line;
            let bound = u64::try_from(self.max_bytes).unwrap_or(u64::MAX).saturating_add(1);
            let n = (&mut self.input)
                .take(bound)
                .read_until(b'\n', out)
                .map_err(|e| super::source::broken(&self.part, e))?;
            if n == 0 {
                self.ended = true;
                return Ok(None);
            }
            if n > self.max_bytes {
                return Err(self.too_long());
            }
            self.line += 1;
            if !out.trim_ascii().is_empty() {
                return Ok(Some(line));
            }
        }
    }

    fn read_item(&mut self, out: &mut Vec<u8>) -> Result<Option<u64>, FeedError> {
        loop {
            match self.peek()? {
                Some(b',') => self.skip(1)?,
                Some(b']') => {
                    self.ended = true;
                    return Ok(None);
                }
                Some(_) => {
                    let line = self.line;
                    self.value(Some(out))?;
                    return Ok(Some(line));
                }
                None => return Err(self.syntax("the list does not end; the file was cut off, fetch it again")),
            }
        }
    }

    /// Goes to the list that the keys lead to and into it.
    fn descend(&mut self, path: &[String]) -> Result<(), FeedError> {
        for key in path {
            if self.peek()? != Some(b'{') {
                return Err(self.no_list(path));
            }
            self.skip(1)?;
            loop {
                match self.peek()? {
                    Some(b',') => self.skip(1)?,
                    Some(b'"') => {
                        let mut name = Vec::new();
                        self.value(Some(&mut name))?;
                        if self.peek()? != Some(b':') {
                            return Err(self.syntax("a colon is missing after a key; check the JSON"));
                        }
                        self.skip(1)?;
                        self.peek()?;
                        if serde_json::from_slice::<String>(&name).is_ok_and(|name| name == *key) {
                            break;
                        }
                        self.value(None)?;
                    }
                    _ => return Err(self.no_list(path)),
                }
            }
        }
        if self.peek()? != Some(b'[') {
            return Err(self.no_list(path));
        }
        self.skip(1)
    }

    fn no_list(&self, path: &[String]) -> FeedError {
        self.syntax(&format!("there is no list at {:?}; name the list with `items` in a mapping file", path.join(".")))
    }

    fn syntax(&self, reason: &str) -> FeedError {
        FeedError::Syntax { part: self.part.clone(), line: self.line, reason: reason.to_owned() }
    }

    fn too_long(&self) -> FeedError {
        FeedError::Limit {
            part: self.part.clone(),
            line: self.line,
            what: "the length of one item",
            limit: u64::try_from(self.max_bytes).unwrap_or(u64::MAX),
            remedy: "check that a bracket or quote is not missing there",
        }
    }

    fn fill(&mut self) -> Result<&[u8], FeedError> {
        self.input.fill_buf().map_err(|e| super::source::broken(&self.part, e))
    }

    /// The next byte that is no blank, without taking it.
    fn peek(&mut self) -> Result<Option<u8>, FeedError> {
        loop {
            let buffer = self.fill()?;
            if buffer.is_empty() {
                return Ok(None);
            }
            let blanks = buffer.iter().take_while(|b| b.is_ascii_whitespace()).count();
            let next = buffer.get(blanks).copied();
            self.skip(blanks)?;
            if next.is_some() {
                return Ok(next);
            }
        }
    }

    /// Takes `n` bytes that lie in the buffer.
    fn skip(&mut self, n: usize) -> Result<(), FeedError> {
        let lines = memchr_iter(b'\n', self.fill()?.get(..n).unwrap_or_default()).count();
        self.line += u64::try_from(lines).unwrap_or_default();
        self.input.consume(n);
        Ok(())
    }

    /// Takes one value, into `out` when wanted.
    #[expect(clippy::too_many_lines, reason = "one scanner over one buffer")]
    fn value(&mut self, mut out: Option<&mut Vec<u8>>) -> Result<(), FeedError> {
        let (mut depth, mut string, mut escaped, mut begun) = (0_usize, false, false, false);
        let max_depth = self.max_depth;
        loop {
            let buffer = self.fill()?;
            if buffer.is_empty() {
                return if begun && depth == 0 && !string {
                    Ok(())
                } else {
                    Err(self.syntax("a value does not end; the file was cut off, fetch it again"))
                };
            }
            let (mut at, mut done, mut deep) = (0, false, false);
            while let Some(&byte) = buffer.get(at) {
                if string {
                    if escaped {
                        escaped = false;
                        at += 1;
                        continue;
                    }
                    let rest = buffer.get(at..).unwrap_or_default();
                    let Some(next) = memchr2(b'"', b'\\', rest) else {
                        at = buffer.len();
                        break;
                    };
                    escaped = rest.get(next) == Some(&b'\\');
                    string = escaped;
                    at += next + 1;
                    done = !string && depth == 0;
                } else {
                    match byte {
                        b'"' => string = true,
                        b'{' | b'[' => depth += 1,
                        b'}' | b']' if depth == 0 => {
                            done = true;
                            break;
                        }
                        b'}' | b']' => {
                            depth -= 1;
                            done = depth == 0;
                        }
                        b',' | b':' if depth == 0 => {
                            done = true;
                            break;
                        }
                        byte if depth == 0 && begun && byte.is_ascii_whitespace() => {
                            done = true;
                            break;
                        }
                        _ => {}
                    }
                    at += 1;
                    deep = depth > max_depth;
                }
                begun = true;
                if done || deep {
                    break;
                }
            }
            let taken = buffer.get(..at).unwrap_or_default();
            let length = out.as_mut().map_or(0, |out| {
                out.extend_from_slice(taken);
                out.len()
            });
            // A stray bracket or comma where a value should be: take it, so that reading goes on.
            let at = if done && at == 0 && !begun { 1 } else { at };
            self.skip(at)?;
            if length > self.max_bytes {
                return Err(self.too_long());
            }
            if deep {
                return Err(FeedError::Limit {
                    part: self.part.clone(),
                    line: self.line,
                    what: "the nesting of brackets",
                    limit: u64::try_from(max_depth).unwrap_or(u64::MAX),
                    remedy: "flatten the export",
                });
            }
            if done {
                return Ok(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn items(text: &str) -> Result<Vec<(u64, String)>, FeedError> {
        let mut reader = ItemReader::new(text.as_bytes(), "t", Layout::sniff(text.as_bytes()), 1_000, 8);
        let mut out = Vec::new();
        let mut found = Vec::new();
        while let Some(line) = reader.read(&mut out)? {
            found.push((line, String::from_utf8_lossy(&out).trim().to_owned()));
        }
        Ok(found)
    }

    fn texts(text: &str) -> Vec<String> {
        items(text).unwrap().into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn items_are_found_in_lists_objects_and_lines() {
        assert_eq!(texts("[{\"a\":\"]}\\\"\"},\n 3, \"x,y\" ]"), ["{\"a\":\"]}\\\"\"}", "3", "\"x,y\""]);
        assert_eq!(texts("{\"total\":2,\"data\":{\"goods\":[{\"id\":1},{\"id\":2}]}}"), ["{\"id\":1}", "{\"id\":2}"]);
        assert_eq!(items("{\"id\":1}\n\n{\"id\":2}\n").unwrap(), [(1, "{\"id\":1}".into()), (3, "{\"id\":2}".into())]);
        assert_eq!(texts("{\"id\":1,\"title\":\"x\",\n\"variants\":[{\"id\":2}]}").len(), 1);
        assert_eq!(items("[\n{\n},\n{}]").unwrap().iter().map(|i| i.0).collect::<Vec<_>>(), [2, 4]);
    }

    #[test]
    fn what_is_cut_off_too_deep_or_too_long_is_an_error() {
        assert!(matches!(items("[{\"a\":1}"), Err(FeedError::Syntax { .. })));
        assert!(matches!(
            items(&format!("[{}", "[".repeat(50))),
            Err(FeedError::Limit { what: "the nesting of brackets", .. })
        ));
        assert!(matches!(items(&format!("[\"{}\"]", "x".repeat(200_000))), Err(FeedError::Limit { .. })));
        let endless = "{\"a\":\"".to_owned() + &"x".repeat(2_000);
        assert!(matches!(items(&format!("{{\"id\":1}}\n{endless}")), Err(FeedError::Limit { .. })));
    }

    proptest! {
        #[test]
        fn no_text_breaks_the_reader(text in "[\\[\\]{}\",:a1 \n\\\\]{0,120}") {
            let _items = items(&text);
        }
    }
}
