//! From untrusted bytes to a [`Picture`].
//!
//! The order matters: size of the file, kind by content, size in pixels by header, completeness, and only then pixels. A few
//! kilobytes can claim hundreds of millions of pixels, and decoders fill a half file with grey without an error.

use std::io::Cursor;

use image::{DynamicImage, ImageDecoder, ImageError, ImageReader};

use crate::media::{name_of_unread, reaches_its_end, sniff};
use crate::{MediaType, Picture, PictureError};

/// What a picture may cost before it is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Most bytes of the file.
    pub bytes: u64,
    /// Most pixels of one frame.
    pub pixels: u64,
    /// Longest edge in pixels.
    pub edge: u32,
}

/// 25 MiB, 50 million pixels (a 48-megapixel phone photo passes), 16,384 along an edge.
impl Default for Limits {
    fn default() -> Self {
        Self { bytes: 25 << 20, pixels: 50_000_000, edge: 16_384 }
    }
}

/// Decodes a picture: JPEG (also CMYK), PNG, WebP, GIF or BMP, told by content; of an animation the first frame.
///
/// The picture is turned upright by its EXIF orientation. Memory stays below about eight bytes a pixel plus the file.
///
/// # Errors
/// When the file is empty, too large in bytes or pixels, another kind of file, cut off, or damaged.
pub fn decode(bytes: &[u8], limits: &Limits) -> Result<Picture, PictureError> {
    if bytes.is_empty() {
        return Err(PictureError::Empty);
    }
    let size = bytes.len() as u64;
    if size > limits.bytes {
        return Err(PictureError::TooManyBytes { bytes: size, limit: limits.bytes });
    }
    let media = sniff(bytes).ok_or_else(|| PictureError::Unsupported { found: name_of_unread(bytes) })?;
    let fault = |error: ImageError| fault(media, error);
    let mut reader = ImageReader::with_format(Cursor::new(bytes), media.codec());
    reader.limits(codec_limits(limits));
    let mut decoder = reader.into_decoder().map_err(|error| refused(media, bytes, limits, error))?;
    let (width, height) = decoder.dimensions();
    within(width, height, limits)?;
    if !reaches_its_end(media, bytes) {
        return Err(PictureError::CutOff(media));
    }
    let orientation = decoder.orientation().map_err(fault)?;
    let mut image = DynamicImage::from_decoder(decoder).map_err(fault)?;
    image.apply_orientation(orientation);
    Ok(Picture::new(image, media))
}

/// The codecs' own limits: a second fence behind the check of the dimensions, and the only one for compressed metadata.
fn codec_limits(limits: &Limits) -> image::Limits {
    let mut codec = image::Limits::default();
    codec.max_alloc = Some(limits.pixels.saturating_mul(8).saturating_add(64 << 20));
    codec
}

fn within(width: u32, height: u32, limits: &Limits) -> Result<(), PictureError> {
    let pixels = u64::from(width) * u64::from(height);
    if pixels > limits.pixels || width.max(height) > limits.edge {
        return Err(PictureError::TooManyPixels { width, height, limit: limits.pixels, edge: limits.edge });
    }
    Ok(())
}

/// A header that cannot be read: cut off when the file ends early, else damaged.
fn refused(media: MediaType, bytes: &[u8], limits: &Limits, error: ImageError) -> PictureError {
    if matches!(error, ImageError::Limits(_)) {
        return PictureError::TooManyPixels { width: 0, height: 0, limit: limits.pixels, edge: limits.edge };
    }
    if reaches_its_end(media, bytes) { fault(media, error) } else { PictureError::CutOff(media) }
}

fn fault(media: MediaType, error: ImageError) -> PictureError {
    match error {
        ImageError::IoError(io) if io.kind() == std::io::ErrorKind::UnexpectedEof => PictureError::CutOff(media),
        other => PictureError::Damaged { media, detail: other.to_string() },
    }
}
