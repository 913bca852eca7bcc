//! What kind of file some bytes are, told by the bytes: names and declared types are not believed.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A picture format that Mercer reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MediaType {
    /// JPEG.
    Jpeg,
    /// PNG.
    Png,
    /// WebP, lossy, lossless or animated.
    WebP,
    /// GIF.
    Gif,
    /// Windows bitmap.
    Bmp,
}

impl MediaType {
    /// The internet media type, `image/jpeg`.
    #[must_use]
    pub fn mime(self) -> &'static str {
        match self {
            Self::Jpeg => "image/jpeg",
            Self::Png => "image/png",
            Self::WebP => "image/webp",
            Self::Gif => "image/gif",
            Self::Bmp => "image/bmp",
        }
    }

    /// The usual file name extension, without the dot.
    #[must_use]
    pub fn extension(self) -> &'static str {
        match self {
            Self::Jpeg => "jpg",
            Self::Png => "png",
            Self::WebP => "webp",
            Self::Gif => "gif",
            Self::Bmp => "bmp",
        }
    }

    pub(crate) fn codec(self) -> image::ImageFormat {
        match self {
            Self::Jpeg => image::ImageFormat::Jpeg,
            Self::Png => image::ImageFormat::Png,
            Self::WebP => image::ImageFormat::WebP,
            Self::Gif => image::ImageFormat::Gif,
            Self::Bmp => image::ImageFormat::Bmp,
        }
    }
}

impl fmt::Display for MediaType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Jpeg => "JPEG",
            Self::Png => "PNG",
            Self::WebP => "WebP",
            Self::Gif => "GIF",
            Self::Bmp => "BMP",
        })
    }
}

/// The picture format of a file by its first bytes; `None` when it is none of those in [`MediaType`].
#[must_use]
pub fn sniff(bytes: &[u8]) -> Option<MediaType> {
    let starts = |magic: &[u8]| bytes.starts_with(magic);
    if starts(b"\xff\xd8\xff") {
        Some(MediaType::Jpeg)
    } else if starts(b"\x89PNG\r\n\x1a\n") {
        Some(MediaType::Png)
    } else if starts(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        Some(MediaType::WebP)
    } else if starts(b"GIF87a") || starts(b"GIF89a") {
        Some(MediaType::Gif)
    } else if starts(b"BM") && bytes.get(6..10) == Some(&[0; 4]) {
        Some(MediaType::Bmp)
    } else {
        None
    }
}

/// The name of a well-known format that Mercer does not read, so that a refusal can say what the file is.
pub(crate) fn name_of_unread(bytes: &[u8]) -> Option<&'static str> {
    let starts = |magic: &[u8]| bytes.starts_with(magic);
    if starts(b"II*\0") || starts(b"MM\0*") {
        return Some("a TIFF picture");
    }
    if bytes.get(4..8) == Some(b"ftyp") {
        return Some(match bytes.get(8..12) {
            Some(b"avif" | b"avis") => "an AVIF picture",
            Some(b"heic" | b"heix" | b"hevc" | b"mif1" | b"msf1") => "an HEIC picture",
            _ => "a video",
        });
    }
    if starts(b"%PDF") {
        return Some("a PDF");
    }
    if starts(b"PK\x03\x04") {
        return Some("an archive");
    }
    let head = bytes.get(..bytes.len().min(256)).unwrap_or_default().to_ascii_lowercase();
    let text = head.trim_ascii_start();
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let holds = |needle: &[u8]| text.windows(needle.len()).any(|window| window == needle);
    if holds(b"<svg") {
        Some("an SVG drawing")
    } else if text.starts_with(b"<!doctype") || holds(b"<html") {
        Some("a web page")
    } else {
        None
    }
}

/// Whether a file reaches its own end: decoders fill the rest of a cut file with grey and call it a success.
pub(crate) fn reaches_its_end(media: MediaType, bytes: &[u8]) -> bool {
    match media {
        MediaType::Jpeg => jpeg_reaches_its_end(bytes),
        MediaType::Png => png_reaches_its_end(bytes),
        MediaType::WebP => {
            let declared = bytes.get(4..8).and_then(|size| size.try_into().ok()).map(u32::from_le_bytes);
            declared.is_some_and(|size| bytes.len() as u64 >= u64::from(size) + 8)
        }
        // The decoder reports a cut GIF or bitmap itself, and a whole first frame is all that is needed.
        MediaType::Gif | MediaType::Bmp => true,
    }
}

/// Walks the segments (ITU T.81, B.1.1) until the end-of-image marker; entropy-coded data holds no marker but restarts.
fn jpeg_reaches_its_end(bytes: &[u8]) -> bool {
    let mut at = 2;
    while let Some(rest) = bytes.get(at..) {
        let Some(step) = rest.windows(2).position(|pair| matches!(pair, [0xff, marker] if !is_filler(*marker))) else {
            return false;
        };
        at += step;
        match bytes.get(at + 1) {
            Some(0xd9) => return true,
            Some(0x01 | 0xd8) => at += 2,
            _ => {
                let length = bytes.get(at + 2..at + 4).and_then(|two| two.try_into().ok()).map(u16::from_be_bytes);
                let Some(length) = length else { return false };
                at += 2 + usize::from(length.max(2));
            }
        }
    }
    false
}

/// Bytes after 0xFF that mark nothing: stuffing, fill bytes and restart markers.
fn is_filler(marker: u8) -> bool {
    matches!(marker, 0x00 | 0xff | 0xd0..=0xd7)
}

fn png_reaches_its_end(bytes: &[u8]) -> bool {
    let mut at = 8_usize;
    while let Some(head) = bytes.get(at..at + 8) {
        if head.get(4..) == Some(b"IEND") {
            return true;
        }
        let Some(length) = head.get(..4).and_then(|four| four.try_into().ok()).map(u32::from_be_bytes) else {
            return false;
        };
        let Some(next) = usize::try_from(length).ok().and_then(|length| at.checked_add(length)?.checked_add(12)) else {
            return false;
        };
        at = next;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_what_its_bytes_say_and_a_refused_one_is_named() {
        assert_eq!(sniff(b"\xff\xd8\xff\xe0rest"), Some(MediaType::Jpeg));
        assert_eq!(sniff(b"RIFF\x10\0\0\0WEBPVP8 "), Some(MediaType::WebP));
        assert_eq!(sniff(b"RIFF\x10\0\0\0WAVEfmt "), None);
        assert_eq!(sniff(b"BM the beginning of a letter"), None);
        assert_eq!(sniff(b""), None);
        assert_eq!(name_of_unread(b"II*\0\x08\0\0\0"), Some("a TIFF picture"));
        assert_eq!(name_of_unread(b"\0\0\0\x18ftypheic"), Some("an HEIC picture"));
        assert_eq!(name_of_unread(b" \n<!DOCTYPE html><html>"), Some("a web page"));
        assert_eq!(name_of_unread(b"<?xml version='1.0'?><svg xmlns=''>"), Some("an SVG drawing"));
        assert_eq!(name_of_unread(b"hello"), None);
    }

    #[test]
    fn the_walk_through_a_file_ends_whatever_lengths_it_claims() {
        assert!(!reaches_its_end(MediaType::Jpeg, b"\xff\xd8\xff"));
        assert!(!reaches_its_end(MediaType::Jpeg, b"\xff\xd8\xff\xe0\x00\x00\xff\xe0\x00\x00"));
        assert!(reaches_its_end(MediaType::Jpeg, b"\xff\xd8\xff\xda\x00\x02\x11\xff\x00\xff\xd0\x22\xff\xd9"));
        // An end marker inside a segment, such as a thumbnail in the metadata, is not the end of the file.
        assert!(!reaches_its_end(MediaType::Jpeg, b"\xff\xd8\xff\xe1\x00\x06\xff\xd9\xff\xd9\xff\xda\x00\x02\x33"));
        assert!(!reaches_its_end(MediaType::Png, b"\x89PNG\r\n\x1a\n\xff\xff\xff\xffIDAT"));
    }
}
