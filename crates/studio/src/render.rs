//! Small copies of a picture: for cards, and for a model that looks at it.
//!
//! Opaque pictures become JPEG, transparent ones lossless WebP. Nothing but pixels is written.

use fast_image_resize::images::Image;
use fast_image_resize::{FilterType, PixelType, ResizeAlg, ResizeOptions, Resizer};
use image::codecs::jpeg::JpegEncoder;
use image::codecs::webp::WebPEncoder;
use image::{ExtendedColorType, ImageEncoder};

use crate::picture::Pixels;
use crate::{MediaType, Picture, PictureError};

/// Longest edge, in pixels, of a picture handed to a vision model: what the large providers look at in one piece.
pub const MODEL_MAX_EDGE: u32 = 1_024;

/// JPEG quality where a person sees no loss on a card.
const JPEG_QUALITY: u8 = 82;

/// A picture written as a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Encoded {
    /// The file.
    pub bytes: Vec<u8>,
    /// Its format.
    pub media_type: MediaType,
    /// Its width in pixels.
    pub width: u32,
    /// Its height in pixels.
    pub height: u32,
}

/// A copy whose longest edge is at most `max_edge` pixels (at least 1); a smaller picture keeps its size.
///
/// # Errors
/// When the copy cannot be written.
pub fn thumbnail(picture: &Picture, max_edge: u32) -> Result<Encoded, PictureError> {
    let (width, height) = fitted(picture.width(), picture.height(), max_edge);
    match &picture.pixels {
        Pixels::Opaque(image) => {
            let small = resize(image.as_raw(), (image.width(), image.height()), (width, height), PixelType::U8x3)
                .map_err(|detail| PictureError::Encode { media: MediaType::Jpeg, detail })?;
            jpeg(small.as_deref().unwrap_or(image.as_raw()), width, height)
        }
        Pixels::Alpha(image) => {
            let small = resize(image.as_raw(), (image.width(), image.height()), (width, height), PixelType::U8x4)
                .map_err(|detail| PictureError::Encode { media: MediaType::WebP, detail })?;
            webp(small.as_deref().unwrap_or(image.as_raw()), width, height)
        }
    }
}

/// The picture as a JPEG of at most [`MODEL_MAX_EDGE`] pixels, on white where it is transparent.
///
/// # Errors
/// When the copy cannot be written.
pub fn fit_for_model(picture: &Picture) -> Result<Encoded, PictureError> {
    let Pixels::Alpha(image) = &picture.pixels else {
        return thumbnail(picture, MODEL_MAX_EDGE);
    };
    let (width, height) = fitted(image.width(), image.height(), MODEL_MAX_EDGE);
    let small = resize(image.as_raw(), (image.width(), image.height()), (width, height), PixelType::U8x4)
        .map_err(|detail| PictureError::Encode { media: MediaType::Jpeg, detail })?;
    let flat = on_white(small.as_deref().unwrap_or(image.as_raw()));
    jpeg(&flat, width, height)
}

/// The size with the same ratio inside a square; never larger than the original, never zero.
fn fitted(width: u32, height: u32, max_edge: u32) -> (u32, u32) {
    let (long, max_edge) = (width.max(height).max(1), max_edge.max(1));
    if long <= max_edge {
        return (width, height);
    }
    let scaled = |edge: u32| {
        let rounded = (u64::from(edge) * u64::from(max_edge) + u64::from(long) / 2) / u64::from(long);
        u32::try_from(rounded).unwrap_or(max_edge).max(1)
    };
    (scaled(width), scaled(height))
}

/// The resized pixels, or `None` when the size stays. Transparent pixels do not bleed their colour into the edge.
fn resize(raw: &[u8], from: (u32, u32), to: (u32, u32), kind: PixelType) -> Result<Option<Vec<u8>>, String> {
    if from == to {
        return Ok(None);
    }
    let source = fast_image_resize::images::ImageRef::new(from.0, from.1, raw, kind).map_err(|e| e.to_string())?;
    let mut target = Image::new(to.0, to.1, kind);
    let options = ResizeOptions::new().resize_alg(ResizeAlg::Convolution(FilterType::Lanczos3)).use_alpha(true);
    Resizer::new().resize(&source, &mut target, &options).map_err(|e| e.to_string())?;
    Ok(Some(target.into_vec()))
}

fn on_white(rgba: &[u8]) -> Vec<u8> {
    let over = |channel: u8, alpha: u8| {
        let (channel, alpha) = (u32::from(channel), u32::from(alpha));
        u8::try_from((channel * alpha + 255 * (255 - alpha) + 127) / 255).unwrap_or(u8::MAX)
    };
    let (pixels, _) = rgba.as_chunks::<4>();
    pixels
        .iter()
        .flat_map(|[red, green, blue, alpha]| [red, green, blue].map(|channel| over(*channel, *alpha)))
        .collect()
}

fn jpeg(rgb: &[u8], width: u32, height: u32) -> Result<Encoded, PictureError> {
    let mut bytes = Vec::new();
    JpegEncoder::new_with_quality(&mut bytes, JPEG_QUALITY)
        .write_image(rgb, width, height, ExtendedColorType::Rgb8)
        .map_err(|error| PictureError::Encode { media: MediaType::Jpeg, detail: error.to_string() })?;
    Ok(Encoded { bytes, media_type: MediaType::Jpeg, width, height })
}

fn webp(rgba: &[u8], width: u32, height: u32) -> Result<Encoded, PictureError> {
    let mut bytes = Vec::new();
    WebPEncoder::new_lossless(&mut bytes)
        .write_image(rgba, width, height, ExtendedColorType::Rgba8)
        .map_err(|error| PictureError::Encode { media: MediaType::WebP, detail: error.to_string() })?;
    Ok(Encoded { bytes, media_type: MediaType::WebP, width, height })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_keeps_the_ratio_and_never_grows_or_vanishes() {
        assert_eq!(fitted(4000, 3000, 640), (640, 480));
        assert_eq!(fitted(3000, 4000, 640), (480, 640));
        assert_eq!(fitted(100, 80, 640), (100, 80));
        assert_eq!(fitted(3000, 2, 256), (256, 1));
        assert_eq!(fitted(9, 9, 0), (1, 1));
    }

    #[test]
    fn transparency_becomes_white_in_equal_parts() {
        assert_eq!(
            on_white(&[10, 20, 30, 255, 0, 0, 0, 0, 255, 0, 0, 128]),
            [10, 20, 30, 255, 255, 255, 255, 127, 127]
        );
    }
}
