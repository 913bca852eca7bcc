//! Pictures made in the test, so that every pixel is known.

use std::io::Cursor;

use image::codecs::jpeg::JpegEncoder;
use image::{DynamicImage, ImageBuffer, ImageEncoder, ImageFormat, Luma, Rgb, Rgba, RgbaImage};
use mercer_shop::Lang;
use mercer_studio::{Limits, MODEL_MAX_EDGE, MediaType, PictureError, decode, fit_for_model, sniff, thumbnail};

fn write(image: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

/// Left half red, right half blue, a green row on top.
fn flag(width: u32, height: u32) -> DynamicImage {
    DynamicImage::ImageRgb8(ImageBuffer::from_fn(width, height, |x, y| match (x < width / 2, y < height / 8) {
        (_, true) => Rgb([0, 200, 0]),
        (true, _) => Rgb([220, 0, 0]),
        (false, _) => Rgb([0, 0, 220]),
    }))
}

/// A TIFF header with one entry: tag 0x0112 (orientation), type SHORT, count 1.
fn exif(orientation: u8) -> Vec<u8> {
    let mut bytes = b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0".to_vec();
    bytes.extend([orientation, 0, 0, 0, 0, 0, 0, 0]);
    bytes
}

fn near(found: [u8; 4], wanted: [u8; 4]) -> bool {
    found.iter().zip(wanted).all(|(a, b)| a.abs_diff(b) <= 12)
}

#[test]
fn every_format_is_read_by_its_content() {
    let limits = Limits::default();
    for (format, media) in [
        (ImageFormat::Png, MediaType::Png),
        (ImageFormat::Jpeg, MediaType::Jpeg),
        (ImageFormat::WebP, MediaType::WebP),
        (ImageFormat::Gif, MediaType::Gif),
        (ImageFormat::Bmp, MediaType::Bmp),
    ] {
        let bytes = write(&flag(32, 32), format);
        assert_eq!(sniff(&bytes), Some(media));
        let picture = decode(&bytes, &limits).unwrap();
        assert_eq!((picture.width(), picture.height(), picture.has_alpha()), (32, 32, false), "{media}");
        assert_eq!(picture.media_type(), media);
        assert!(near(picture.rgba(4, 28).unwrap(), [220, 0, 0, 255]), "{media}: {:?}", picture.rgba(4, 28));
        assert!(near(picture.rgba(28, 28).unwrap(), [0, 0, 220, 255]), "{media}");
        assert_eq!(picture.rgba(32, 0), None);
    }
}

#[test]
fn deep_grey_and_transparent_pictures_become_eight_bits_without_losing_their_meaning() {
    let limits = Limits::default();
    let deep = DynamicImage::ImageRgba16(ImageBuffer::from_pixel(8, 8, Rgba([0xffff, 0x8080, 0, 0x8080])));
    let picture = decode(&write(&deep, ImageFormat::Png), &limits).unwrap();
    assert_eq!(picture.rgba(3, 3), Some([255, 128, 0, 128]));
    assert!(picture.has_alpha());

    let grey = DynamicImage::ImageLuma16(ImageBuffer::from_pixel(8, 8, Luma([0x4040])));
    let picture = decode(&write(&grey, ImageFormat::Png), &limits).unwrap();
    assert_eq!(picture.rgba(0, 0), Some([64, 64, 64, 255]));

    let opaque = DynamicImage::ImageRgba8(RgbaImage::from_pixel(8, 8, Rgba([1, 2, 3, 255])));
    assert!(!decode(&write(&opaque, ImageFormat::Png), &limits).unwrap().has_alpha(), "an unused channel is dropped");
}

#[test]
fn a_photo_taken_with_a_turned_camera_stands_upright() {
    let mut bytes = Vec::new();
    let mut encoder = JpegEncoder::new_with_quality(&mut bytes, 95);
    encoder.set_exif_metadata(exif(6)).unwrap();
    let lying = flag(64, 32);
    encoder.write_image(lying.as_bytes(), 64, 32, image::ExtendedColorType::Rgb8).unwrap();
    let picture = decode(&bytes, &Limits::default()).unwrap();
    assert_eq!((picture.width(), picture.height()), (32, 64));
    // Turned a quarter to the right: the left half is on top, the top row on the right.
    assert!(near(picture.rgba(4, 8).unwrap(), [220, 0, 0, 255]));
    assert!(near(picture.rgba(4, 56).unwrap(), [0, 0, 220, 255]));
    assert!(near(picture.rgba(31, 30).unwrap(), [0, 200, 0, 255]));

    let copy = thumbnail(&picture, 16).unwrap();
    assert!(!copy.bytes.windows(4).any(|window| window == b"Exif"), "no metadata leaves with a copy");
    let again = decode(&copy.bytes, &Limits::default()).unwrap();
    assert_eq!((again.width(), again.height()), (8, 16));
}

#[test]
fn a_copy_of_an_opaque_picture_is_jpeg_and_of_a_transparent_one_webp() {
    let limits = Limits::default();
    let opaque = decode(&write(&flag(800, 600), ImageFormat::Png), &limits).unwrap();
    let copy = thumbnail(&opaque, 256).unwrap();
    assert_eq!((copy.media_type, copy.width, copy.height), (MediaType::Jpeg, 256, 192));
    assert_eq!(sniff(&copy.bytes), Some(MediaType::Jpeg));

    // A red disc on transparent black: black must not darken the edge.
    let disc = RgbaImage::from_fn(200, 200, |x, y| {
        let (dx, dy) = (i64::from(x) - 100, i64::from(y) - 100);
        if dx * dx + dy * dy < 80 * 80 { Rgba([255, 0, 0, 255]) } else { Rgba([0, 0, 0, 0]) }
    });
    let disc = decode(&write(&DynamicImage::ImageRgba8(disc), ImageFormat::Png), &limits).unwrap();
    let copy = thumbnail(&disc, 50).unwrap();
    assert_eq!((copy.media_type, copy.width, copy.height), (MediaType::WebP, 50, 50));
    let small = decode(&copy.bytes, &limits).unwrap();
    for (x, y) in (0..50).flat_map(|x| (0..50).map(move |y| (x, y))) {
        let [red, _, _, alpha] = small.rgba(x, y).unwrap();
        assert!(alpha < 16 || red > 230, "({x}, {y}) is {red} at alpha {alpha}");
    }

    let seen = fit_for_model(&disc).unwrap();
    assert_eq!((seen.media_type, seen.width), (MediaType::Jpeg, 200));
    let seen = decode(&seen.bytes, &limits).unwrap();
    assert!(near(seen.rgba(2, 2).unwrap(), [255, 255, 255, 255]), "transparent is white for a model");
    let large = decode(&write(&flag(3000, 1500), ImageFormat::Png), &limits).unwrap();
    assert_eq!(fit_for_model(&large).unwrap().width, MODEL_MAX_EDGE);
}

#[test]
fn limits_are_checked_before_any_pixel_is_decoded() {
    let bytes = write(&flag(300, 200), ImageFormat::Png);
    let of = |limits: Limits| decode(&bytes, &limits).unwrap_err();
    let few = of(Limits { pixels: 59_999, ..Limits::default() });
    assert_eq!(few, PictureError::TooManyPixels { width: 300, height: 200, limit: 59_999, edge: 16_384 });
    assert_eq!(few.code(), "picture_too_many_pixels");
    assert!(few.public(Lang::Zh).contains("300 × 200"));
    assert!(matches!(of(Limits { edge: 299, ..Limits::default() }), PictureError::TooManyPixels { .. }));
    assert!(matches!(of(Limits { bytes: 10, ..Limits::default() }), PictureError::TooManyBytes { limit: 10, .. }));
    assert!(decode(&bytes, &Limits { pixels: 60_000, edge: 300, ..Limits::default() }).is_ok());
}

#[test]
fn a_file_cut_anywhere_is_refused_and_never_shown_half_grey() {
    let limits = Limits::default();
    for format in [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::WebP] {
        let whole = write(&flag(64, 64), format);
        for length in 1..whole.len() {
            let part = &whole[..length];
            match decode(part, &limits) {
                Err(PictureError::CutOff(_) | PictureError::Unsupported { found: None }) => {}
                // A PNG that lacks only its checksum of the end chunk, or WebP's padding byte, is whole.
                Ok(picture) => assert!(length + 8 > whole.len(), "{picture:?} from {length} of {}", whole.len()),
                Err(other) => panic!("{format:?} cut at {length} of {}: {other}", whole.len()),
            }
        }
    }
}

#[test]
fn flipped_bytes_end_in_a_picture_or_in_words_and_never_in_a_panic() {
    for format in [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::WebP, ImageFormat::Gif, ImageFormat::Bmp] {
        let whole = write(&flag(24, 24), format);
        for at in 0..whole.len() {
            for flip in [0x01, 0x80, 0xff] {
                let mut bytes = whole.clone();
                bytes[at] ^= flip;
                if let Err(error) = decode(&bytes, &Limits { pixels: 1_000_000, ..Limits::default() }) {
                    assert!(!error.to_string().is_empty() && !error.public(Lang::En).is_empty());
                }
            }
        }
    }
}
