//! The items of an RSS, Atom or plain XML feed, with any namespace prefix. Entities that a document declares itself are refused.

use std::io::{self, BufRead, BufReader, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::error::FeedError;
use super::node::Node;

/// Elements that hold one product.
const ITEMS: [&str; 9] = ["item", "entry", "product", "offer", "shopitem", "row", "record", "article", "good"];

/// Counts lines and bounds the bytes between two resets.
struct Tracked<R> {
    input: BufReader<R>,
    line: Arc<AtomicU64>,
    since: Arc<AtomicU64>,
    bound: u64,
}

impl<R: Read> Read for Tracked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.input.read(buffer)
    }
}

#[derive(Debug, thiserror::Error)]
#[error("an item is too long")]
struct TooLong;

impl<R: Read> BufRead for Tracked<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.since.load(Ordering::Relaxed) > self.bound {
            return Err(io::Error::other(TooLong));
        }
        self.input.fill_buf()
    }

    fn consume(&mut self, n: usize) {
        let lines = memchr::memchr_iter(b'\n', self.input.buffer().get(..n).unwrap_or_default()).count();
        self.line.fetch_add(u64::try_from(lines).unwrap_or_default(), Ordering::Relaxed);
        self.since.fetch_add(u64::try_from(n).unwrap_or_default(), Ordering::Relaxed);
        self.input.consume(n);
    }
}

/// An element that is still open.
#[derive(Default)]
struct Element {
    name: String,
    text: String,
    children: Vec<(String, Node)>,
}

/// Reads items one after the other.
pub(crate) struct XmlReader<R: Read> {
    reader: Reader<Tracked<R>>,
    part: String,
    line: Arc<AtomicU64>,
    since: Arc<AtomicU64>,
    bound: u64,
    max_depth: usize,
    depth: usize,
    buffer: Vec<u8>,
    ended: bool,
}

impl<R: Read> XmlReader<R> {
    pub(crate) fn new(input: R, part: &str, max_bytes: usize, max_depth: usize) -> Self {
        let (line, since) = (Arc::new(AtomicU64::new(1)), Arc::new(AtomicU64::new(0)));
        let bound = u64::try_from(max_bytes).unwrap_or(u64::MAX);
        let input = BufReader::with_capacity(64 * 1024, input);
        let tracked = Tracked { input, line: Arc::clone(&line), since: Arc::clone(&since), bound };
        let reader = Reader::from_reader(tracked);
        let part = part.to_owned();
        Self { reader, part, line, since, bound, max_depth, depth: 0, buffer: Vec::new(), ended: false }
    }

    /// The next item and its line.
    #[expect(clippy::too_many_lines, reason = "one arm an event")]
    pub(crate) fn read(&mut self) -> Result<Option<(u64, Node)>, FeedError> {
        let mut open: Vec<Element> = Vec::new();
        let mut item_line = 0;
        while !self.ended {
            if open.is_empty() {
                self.since.store(0, Ordering::Relaxed);
            }
            self.buffer.clear();
            let line = self.line.load(Ordering::Relaxed);
            let event = self.reader.read_event_into(&mut self.buffer).map_err(|error| match &error {
                quick_xml::Error::Io(io) if io.get_ref().is_some_and(|e| e.is::<TooLong>()) => FeedError::Limit {
                    part: self.part.clone(),
                    line,
                    what: "the length of one item",
                    limit: self.bound,
                    remedy: "check that an element is not left open there",
                },
                quick_xml::Error::Io(io) => {
                    super::source::broken(&self.part, io::Error::new(io.kind(), io.to_string()))
                }
                other => FeedError::Syntax {
                    part: self.part.clone(),
                    line,
                    reason: format!("the XML is broken ({other}); export the feed again"),
                },
            })?;
            match event {
                Event::Start(start) => {
                    self.depth += 1;
                    if self.depth > self.max_depth {
                        return Err(FeedError::Limit {
                            part: self.part.clone(),
                            line,
                            what: "the nesting of elements",
                            limit: u64::try_from(self.max_depth).unwrap_or(u64::MAX),
                            remedy: "flatten the export",
                        });
                    }
                    if open.is_empty() && is_item(&start) {
                        item_line = line;
                        open.push(element(&start, true));
                    } else if !open.is_empty() {
                        open.push(element(&start, false));
                    }
                }
                Event::Empty(start) if !open.is_empty() => close(element(&start, false), &mut open),
                Event::End(_) => {
                    self.depth = self.depth.saturating_sub(1);
                    if let Some(done) = open.pop() {
                        if open.is_empty() {
                            return Ok(Some((item_line, Node::Map(collapse(done.children)))));
                        }
                        close(done, &mut open);
                    }
                }
                Event::Text(text) => {
                    if let Some(top) = open.last_mut() {
                        top.text.push_str(&text.xml10_content());
                    }
                }
                Event::CData(text) => {
                    if let Some(top) = open.last_mut() {
                        top.text.push_str(&text.xml10_content());
                    }
                }
                Event::GeneralRef(reference) => {
                    if let Some(top) = open.last_mut() {
                        match reference.resolve_char_ref() {
                            Ok(Some(c)) => top.text.push(c),
                            _ => {
                                let entity = format!("&{};", &*reference);
                                match entity.as_str() {
                                    "&lt;" => top.text.push('<'),
                                    "&gt;" => top.text.push('>'),
                                    "&amp;" => top.text.push('&'),
                                    other => top.text.push_str(other),
                                }
                            }
                        }
                    }
                }
                Event::DocType(doctype) if doctype.contains("<!ENTITY") => {
                    return Err(FeedError::Syntax {
                        part: self.part.clone(),
                        line,
                        reason:
                            "the document declares entities of its own, which no feed needs and which can fill memory; \
                                 remove the DOCTYPE"
                                .to_owned(),
                    });
                }
                Event::Eof => {
                    self.ended = true;
                    if self.depth > 0 {
                        return Err(FeedError::Syntax {
                            part: self.part.clone(),
                            line,
                            reason:
                                "the XML ends before its last element is closed; the file was cut off, fetch it again"
                                    .to_owned(),
                        });
                    }
                }
                Event::Empty(_) | Event::DocType(_) | Event::Comment(_) | Event::Decl(_) | Event::PI(_) => {}
            }
        }
        Ok(None)
    }
}

fn is_item(start: &BytesStart<'_>) -> bool {
    let name = start.local_name();
    let name: &str = name.as_ref();
    ITEMS.iter().any(|item| name.eq_ignore_ascii_case(item))
}

/// An element with its attributes as children; an address in `href` or `url` is its text.
fn element(start: &BytesStart<'_>, with_attributes: bool) -> Element {
    let name = start.name();
    let name: &str = name.as_ref();
    let mut element = Element { name: name.to_owned(), ..Element::default() };
    for attribute in start.attributes().flatten().take(50) {
        let key = attribute.key.local_name();
        let key: &str = key.as_ref();
        let value = super::text::entities(&attribute.value).into_owned();
        if matches!(key, "href" | "url") {
            element.text.push_str(&value);
        } else if with_attributes {
            element.children.push((key.to_owned(), Node::Text(value)));
        }
    }
    element
}

/// Hands a finished element to the one around it.
fn close(done: Element, open: &mut [Element]) {
    let Some(parent) = open.last_mut() else { return };
    let node = if done.children.is_empty() { Node::Text(done.text) } else { Node::Map(collapse(done.children)) };
    parent.children.push((done.name, node));
}

/// Takes prefixes off. Where the same name occurs with the feed's own prefix and plain (`g:title`, `title`), the prefixed one counts;
/// what repeats becomes a list.
fn collapse(children: Vec<(String, Node)>) -> Vec<(String, Node)> {
    let split = |name: &str| match name.split_once(':') {
        Some((prefix, local)) => (!matches!(prefix, "atom" | "dc" | "media" | "content"), local.to_owned()),
        None => (false, name.to_owned()),
    };
    let mut out: Vec<(bool, String, Node)> = Vec::new();
    for (name, node) in children {
        let (own, local) = split(&name);
        let blank = matches!(&node, Node::Text(text) if text.trim().is_empty());
        match out.iter_mut().find(|(_, known, _)| *known == local) {
            _ if blank => {}
            Some((known_own, _, known)) if *known_own == own => {
                let first = std::mem::replace(known, Node::Null);
                *known = match first {
                    Node::List(mut items) => {
                        items.push(node);
                        Node::List(items)
                    }
                    first => Node::List(vec![first, node]),
                };
            }
            Some((known_own, _, known)) if own => {
                *known_own = true;
                *known = node;
            }
            Some(_) => {}
            None => out.push((own, local, node)),
        }
    }
    out.into_iter().map(|(_, name, node)| (name, node)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(text: &str) -> Result<Vec<(u64, Node)>, FeedError> {
        let mut reader = XmlReader::new(text.as_bytes(), "t", 10_000, 16);
        let mut out = Vec::new();
        while let Some(item) = reader.read()? {
            out.push(item);
        }
        Ok(out)
    }

    #[test]
    fn rss_and_atom_items_are_read_with_any_prefix() {
        let rss = "<?xml version=\"1.0\"?>\n<rss xmlns:x=\"u\"><channel><title>Shop</title>\n<item><title>Plain</title>\
                   <x:title><![CDATA[Own & <b>]]></x:title><x:id>7</x:id><x:pic>a</x:pic><x:pic>b</x:pic>\
                   <x:shipping><x:price>1 &#8364; &eacute; &lt;</x:price></x:shipping></item></channel></rss>";
        let found = items(rss).unwrap();
        assert_eq!(found[0].0, 3);
        let item = &found[0].1;
        assert_eq!(item.get("title").and_then(Node::text), Some("Own & <b>"));
        assert_eq!(item.get("pic").map(|n| n.items().len()), Some(2));
        let mut price = Vec::new();
        item.at("shipping.price", &mut price);
        assert_eq!(price[0].text(), Some("1 € &eacute; <"));
        let atom = "<feed><entry><link rel=\"alternate\" href=\"http://x/?a=1&amp;b=2\"/><id>1</id></entry></feed>";
        assert_eq!(items(atom).unwrap()[0].1.get("link").and_then(Node::text), Some("http://x/?a=1&b=2"));
    }

    #[test]
    fn bombs_and_broken_documents_are_errors() {
        let bomb = "<!DOCTYPE a [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]><rss><item><t>&b;</t></item></rss>";
        assert!(items(bomb).unwrap_err().to_string().contains("DOCTYPE"));
        assert!(matches!(items(&"<a>".repeat(100)), Err(FeedError::Limit { what: "the nesting of elements", .. })));
        let long = format!("<rss><item><t>{}</t></item></rss>", "x".repeat(100_000));
        assert!(matches!(items(&long), Err(FeedError::Limit { what: "the length of one item", .. })));
        assert!(matches!(items("<rss><item><a></b></item></rss>"), Err(FeedError::Syntax { .. })));
        assert!(matches!(items("<rss><item><a>"), Err(FeedError::Syntax { .. })));
    }
}
