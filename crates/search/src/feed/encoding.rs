//! The encoding of a feed: byte order mark first, then strict UTF-8, then a guess from the text itself, which the merchant can
//! override. Excel in Chinese writes GBK without a mark; GB18030 contains it. Big5, Shift_JIS and Windows-1252 are told apart.

use std::io::{self, Read};

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Decoder, Encoding, GB18030, GBK, UTF_8, UTF_16BE, UTF_16LE};
use serde::Serialize;

use super::error::FeedError;

/// What encoding a feed is read in, and how that was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EncodingGuess {
    /// Its name, as in `UTF-8`, `gb18030`, `Big5`.
    pub name: &'static str,
    /// How it was found.
    pub evidence: Evidence,
}

/// How an encoding was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Evidence {
    /// The merchant said so.
    Asked,
    /// A byte order mark.
    Mark,
    /// All of it is valid.
    Valid,
    /// Nearly all of it is valid UTF-8; the rest is damage.
    MostlyValid,
    /// NUL bytes at every second place.
    Pattern,
    /// The file says so and it fits.
    Declared,
    /// Told from the frequency of byte pairs: a guess.
    Statistics,
}

impl EncodingGuess {
    /// Whether a person should look at the preview before trusting it.
    #[must_use]
    pub fn is_guess(&self) -> bool {
        self.evidence == Evidence::Statistics
    }
}

/// An encoding by its name.
pub(crate) fn by_name(name: &str) -> Result<&'static Encoding, FeedError> {
    let encoding = Encoding::for_label(name.trim().as_bytes()).ok_or_else(|| FeedError::Encoding(name.to_owned()))?;
    Ok(if encoding == GBK { GB18030 } else { encoding })
}

/// Looks at a feed's bytes as they pass and then tells their encoding.
pub(crate) struct Survey {
    head: Vec<u8>,
    utf8: Utf8Count,
    detector: EncodingDetector,
    fed: usize,
}

/// Bytes with non-ASCII text in them that the statistics see.
const STATISTICS: usize = 2 << 20;
/// Bytes of the start that are kept.
pub(crate) const HEAD: usize = 1 << 20;

impl Survey {
    pub(crate) fn new() -> Self {
        let detector = EncodingDetector::new(Iso2022JpDetection::Deny);
        Self { head: Vec::new(), utf8: Utf8Count::default(), detector, fed: 0 }
    }

    pub(crate) fn feed(&mut self, bytes: &[u8]) {
        if self.head.len() < HEAD {
            let room = (HEAD - self.head.len()).min(bytes.len());
            self.head.extend_from_slice(bytes.get(..room).unwrap_or_default());
        }
        self.utf8.feed(bytes);
        if self.fed < STATISTICS && !bytes.is_ascii() {
            self.detector.feed(bytes, false);
            self.fed += bytes.len();
        }
    }

    pub(crate) fn head(&self) -> &[u8] {
        &self.head
    }

    /// The encoding of what was fed; `partial` when more follows.
    pub(crate) fn finish(
        mut self,
        asked: Option<&str>,
        partial: bool,
    ) -> Result<(Vec<u8>, &'static Encoding, Evidence), FeedError> {
        let (encoding, evidence) = match asked {
            Some(name) => (by_name(name)?, Evidence::Asked),
            None => self.tell(partial),
        };
        Ok((self.head, encoding, evidence))
    }

    fn tell(&mut self, partial: bool) -> (&'static Encoding, Evidence) {
        if let Some((encoding, _)) = Encoding::for_bom(&self.head) {
            return (encoding, Evidence::Mark);
        }
        if let Some(encoding) = utf16_without_mark(&self.head) {
            return (encoding, Evidence::Pattern);
        }
        let (good, bad) = self.utf8.finish(partial);
        if bad == 0 {
            return (UTF_8, Evidence::Valid);
        }
        if good > 20 * bad {
            return (UTF_8, Evidence::MostlyValid);
        }
        if let Some(encoding) = declared(&self.head) {
            return (encoding, Evidence::Declared);
        }
        self.detector.feed(&[], true);
        let encoding = self.detector.guess(None, Utf8Detection::Deny);
        (if encoding == GBK { GB18030 } else { encoding }, Evidence::Statistics)
    }
}

/// The encoding an XML declaration names, when the head decodes in it without an error. UTF-8 was already ruled out.
fn declared(head: &[u8]) -> Option<&'static Encoding> {
    let start = String::from_utf8_lossy(head.get(..200.min(head.len()))?).into_owned();
    let declaration = start.trim_start().strip_prefix("<?xml")?.split("?>").next()?.to_owned();
    let value = declaration.split_once("encoding=")?.1;
    let name = value.get(1..)?.split(['"', '\'']).next()?;
    let encoding = by_name(name).ok().filter(|e| *e != UTF_8 && *e != UTF_16LE && *e != UTF_16BE)?;
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut out = String::with_capacity(decoder.max_utf8_buffer_length(head.len())?);
    let (_, _, errors) = decoder.decode_to_string(head, &mut out, false);
    (!errors).then_some(encoding)
}

fn utf16_without_mark(head: &[u8]) -> Option<&'static Encoding> {
    let sample = head.get(..head.len().min(2_048))?;
    let nuls = |odd: usize| sample.iter().skip(odd).step_by(2).filter(|b| **b == 0).count();
    let (even, odd) = (nuls(0), nuls(1));
    let pairs = sample.len() / 2;
    // A picture also has NULs; a table has them at one side only, and many.
    if pairs < 4 {
        None
    } else if odd * 10 > pairs * 3 && even == 0 {
        Some(UTF_16LE)
    } else if even * 10 > pairs * 3 && odd == 0 {
        Some(UTF_16BE)
    } else {
        None
    }
}

/// Counts multi-byte UTF-8 characters and invalid sequences over chunks.
#[derive(Default)]
struct Utf8Count {
    carry: Vec<u8>,
    good: u64,
    bad: u64,
}

impl Utf8Count {
    fn feed(&mut self, bytes: &[u8]) {
        if self.carry.is_empty() {
            self.count(bytes);
        } else {
            let mut joined = std::mem::take(&mut self.carry);
            joined.extend_from_slice(bytes);
            self.count(&joined);
        }
    }

    fn count(&mut self, mut bytes: &[u8]) {
        if bytes.is_ascii() {
            return;
        }
        loop {
            let (valid, error) = match std::str::from_utf8(bytes) {
                Ok(text) => (text, None),
                Err(error) => {
                    let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
                    (std::str::from_utf8(valid).unwrap_or_default(), Some(error))
                }
            };
            let multi = valid.bytes().filter(|b| *b >= 0xc0).count();
            self.good += u64::try_from(multi).unwrap_or_default();
            let Some(error) = error else { return };
            match error.error_len() {
                Some(length) => {
                    self.bad += 1;
                    bytes = bytes.get(error.valid_up_to() + length..).unwrap_or_default();
                }
                None => {
                    self.carry = bytes.get(error.valid_up_to()..).unwrap_or_default().to_vec();
                    return;
                }
            }
        }
    }

    fn finish(&self, partial: bool) -> (u64, u64) {
        (self.good, self.bad + u64::from(!partial && !self.carry.is_empty()))
    }
}

/// Reads a feed as UTF-8. Malformed bytes of other encodings become U+FFFD; those of UTF-8 pass, for the row to report.
pub(crate) struct Decoding<R> {
    input: R,
    decoder: Option<Decoder>,
    raw: Vec<u8>,
    raw_start: usize,
    raw_end: usize,
    out: Vec<u8>,
    out_start: usize,
    out_end: usize,
    finished: bool,
    begun: bool,
}

const CHUNK: usize = 64 * 1024;

impl<R: Read> Decoding<R> {
    pub(crate) fn new(input: R, encoding: &'static Encoding) -> Self {
        let utf8 = encoding == UTF_8;
        let decoder = (!utf8).then(|| encoding.new_decoder_with_bom_removal());
        let (raw, out) = if utf8 { (vec![0; 3], Vec::new()) } else { (vec![0; CHUNK], vec![0; CHUNK * 3]) };
        Self {
            input,
            decoder,
            raw,
            raw_start: 0,
            raw_end: 0,
            out,
            out_start: 0,
            out_end: 0,
            finished: false,
            begun: false,
        }
    }

    /// UTF-8: bytes pass as they are, without the mark.
    fn pass(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if !self.begun {
            self.begun = true;
            while self.raw_end < 3 {
                match self.input.read(self.raw.get_mut(self.raw_end..).unwrap_or_default())? {
                    0 => break,
                    n => self.raw_end += n,
                }
            }
            if self.raw.starts_with(b"\xef\xbb\xbf") && self.raw_end == 3 {
                self.raw_start = 3;
            }
        }
        let kept = self.raw.get(self.raw_start..self.raw_end).unwrap_or_default();
        if kept.is_empty() {
            return self.input.read(buffer);
        }
        let n = kept.len().min(buffer.len());
        buffer.iter_mut().zip(kept).for_each(|(to, from)| *to = *from);
        self.raw_start += n;
        Ok(n)
    }

    fn decode(&mut self) -> io::Result<()> {
        while self.out_start == self.out_end && !self.finished {
            if self.raw_start == self.raw_end {
                self.raw_end = self.input.read(&mut self.raw)?;
                self.raw_start = 0;
            }
            let last = self.raw_end == 0;
            let Some(decoder) = &mut self.decoder else { return Ok(()) };
            let pending = self.raw.get(self.raw_start..self.raw_end).unwrap_or_default();
            let (result, read, written, _) = decoder.decode_to_utf8(pending, &mut self.out, last);
            self.raw_start += read;
            (self.out_start, self.out_end) = (0, written);
            self.finished = last && result == encoding_rs::CoderResult::InputEmpty;
        }
        Ok(())
    }
}

impl<R: Read> Read for Decoding<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.decoder.is_none() {
            return self.pass(buffer);
        }
        self.decode()?;
        let ready = self.out.get(self.out_start..self.out_end).unwrap_or_default();
        let n = ready.len().min(buffer.len());
        buffer.iter_mut().zip(ready).for_each(|(to, from)| *to = *from);
        self.out_start += n;
        Ok(n)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn told(bytes: &[u8]) -> (String, Evidence, String) {
        let mut survey = Survey::new();
        bytes.chunks(7).for_each(|chunk| survey.feed(chunk));
        let (_, encoding, evidence) = survey.finish(None, false).unwrap();
        let mut text = String::new();
        Decoding::new(bytes, encoding).read_to_string(&mut text).unwrap();
        (encoding.name().to_owned(), evidence, text)
    }

    #[test]
    fn encodings_of_merchants_are_told_apart() {
        let chinese = "商品编号,商品名称,价格,颜色\n1001,纯棉刺绣连衣裙,299,红色\n1002,羽绒服男士短款,899,黑色\n";
        let traditional = "編號,品名,價格\n1,GPU顯示卡與電腦螢幕,299\n2,無線滑鼠與鍵盤組合,99\n3,網路攝影機,120\n";
        let japanese =
            "番号,商品名,価格\n1,レディース長袖ワンピースです,2990\n2,メンズのダウンジャケットはこちら,8990\n";
        let western = "id,title,price\n1,Café crème à la façon d'été,12\n2,Größe für Mädchen – schön,13\n";
        for (name, text) in
            [("gb18030", chinese), ("Big5", traditional), ("Shift_JIS", japanese), ("windows-1252", western)]
        {
            let (bytes, _, bad) = Encoding::for_label(name.as_bytes()).unwrap().encode(text);
            assert!(!bad, "{name}");
            assert_eq!(told(&bytes), (name.to_owned(), Evidence::Statistics, text.to_owned()));
        }
        assert_eq!(told(chinese.as_bytes()), ("UTF-8".to_owned(), Evidence::Valid, chinese.to_owned()));
        let marked = [b"\xef\xbb\xbf", chinese.as_bytes()].concat();
        assert_eq!(told(&marked), ("UTF-8".to_owned(), Evidence::Mark, chinese.to_owned()));
        let wide: Vec<u8> = western.encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(told(&wide), ("UTF-16LE".to_owned(), Evidence::Pattern, western.to_owned()));
        let marked: Vec<u8> =
            [0xfe, 0xff].into_iter().chain(chinese.encode_utf16().flat_map(u16::to_be_bytes)).collect();
        assert_eq!(told(&marked), ("UTF-16BE".to_owned(), Evidence::Mark, chinese.to_owned()));
    }

    #[test]
    fn one_damaged_character_does_not_turn_utf_8_into_something_else() {
        let mut bytes = "商品编号商品名称纯棉刺绣连衣裙羽绒服男士短款黑色".as_bytes().to_vec();
        bytes.push(0xff);
        assert_eq!(told(&bytes[..bytes.len() - 1]).1, Evidence::Valid);
        let mut survey = Survey::new();
        survey.feed(&bytes);
        assert_eq!(survey.finish(None, false).unwrap().2, Evidence::MostlyValid);
        assert!(by_name("klingon").is_err());
        assert_eq!(by_name("gb2312").unwrap().name(), "gb18030");
    }

    #[test]
    fn an_xml_declaration_counts_only_when_it_fits() {
        let xml = "<?xml version=\"1.0\" encoding=\"iso-8859-2\"?><a>Żółć</a>";
        let bytes = Encoding::for_label(b"iso-8859-2").unwrap().encode(xml).0.into_owned();
        assert_eq!(told(&bytes).1, Evidence::Declared);
        let lie = "<?xml version=\"1.0\" encoding=\"iso-8859-1\"?><a>商品</a>";
        assert_eq!(told(lie.as_bytes()).1, Evidence::Valid);
    }

    proptest! {
        #[test]
        fn no_bytes_break_the_survey(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let _told = told_lossy(&bytes);
        }
    }

    fn told_lossy(bytes: &[u8]) -> usize {
        let mut survey = Survey::new();
        survey.feed(bytes);
        let (_, encoding, _) = survey.finish(None, true).unwrap();
        let mut out = Vec::new();
        Decoding::new(bytes, encoding).read_to_end(&mut out).unwrap()
    }
}
