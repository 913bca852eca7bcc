//! Real and really broken files, from the data beside the project.

use std::path::PathBuf;

use mercer_studio::{Limits, MediaType, Picture, PictureError, decode, fit_for_model, thumbnail};

/// Reads a file below `data/images`, or says that the data is not there.
fn shared(path: &str) -> Option<Vec<u8>> {
    let root = option_env!("MERCER_SHARED")
        .map_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared")), PathBuf::from);
    let file = root.join("data/images").join(path);
    match std::fs::read(&file) {
        Ok(bytes) => Some(bytes),
        Err(error) => {
            eprintln!("SKIPPED: {} ({error})", file.display());
            None
        }
    }
}

fn read(path: &str) -> Option<Result<Picture, PictureError>> {
    shared(path).map(|bytes| decode(&bytes, &Limits::default()))
}

/// Mean difference of the channels on a grid, for two pictures of one ratio.
fn difference(a: &Picture, b: &Picture) -> f64 {
    let mut sum = 0;
    for (gx, gy) in (0..16).flat_map(|gx| (0..16).map(move |gy| (gx, gy))) {
        let at = |picture: &Picture| {
            let spot = |edge: u32, g: u32| edge * (2 * g + 1) / 32;
            picture.rgba(spot(picture.width(), gx), spot(picture.height(), gy)).unwrap()
        };
        sum += at(a).iter().zip(at(b)).map(|(x, y)| u32::from(x.abs_diff(y))).sum::<u32>();
    }
    f64::from(sum) / f64::from(16 * 16 * 4)
}

#[test]
fn bad_files_are_refused_with_the_right_reason() {
    for (file, code) in [
        ("bad/bomb_20000x20000_1bit.png", "picture_too_many_pixels"),
        ("bad/empty.jpg", "picture_empty"),
        ("bad/html_as.jpg", "picture_unsupported"),
        ("bad/imagers_ycbcr_lzw_broken.tif", "picture_unsupported"),
        ("bad/truncated.png", "picture_cut_off"),
        ("bad/truncated_half.jpg", "picture_cut_off"),
        ("bad/truncated_header.jpg", "picture_cut_off"),
        ("bad/crc_error.png", "picture_damaged"),
    ] {
        let Some(outcome) = read(file) else { continue };
        let error = outcome.expect_err(file);
        assert_eq!(error.code(), code, "{file}: {error}");
    }
    for (file, media, size) in [
        ("bad/webp_named.png", MediaType::WebP, None),
        ("bad/one_pixel.png", MediaType::Png, Some((1, 1))),
        ("bad/extreme_ratio.png", MediaType::Png, Some((3000, 2))),
        ("bad/placeholder_60x40.gif", MediaType::Gif, Some((60, 40))),
    ] {
        let Some(outcome) = read(file) else { continue };
        let picture = outcome.expect(file);
        assert_eq!(picture.media_type(), media, "{file}");
        assert!(size.is_none_or(|size| size == (picture.width(), picture.height())), "{file}: {picture:?}");
        assert!(thumbnail(&picture, 256).is_ok() && fit_for_model(&picture).is_ok(), "{file}");
    }
}

#[test]
fn every_format_in_the_wild_decodes_and_makes_a_small_copy() {
    for file in [
        "derived_alpha_lossless.webp",
        "derived_alpha_lossy.webp",
        "derived_cmyk.jpg",
        "derived_gray.jpg",
        "derived_icc_srgb.jpg",
        "derived_lossy.webp",
        "derived_palette.png",
        "derived_progressive_420.jpg",
        "imagers_anim.gif",
        "imagers_progressive_cat.jpg",
        "imagers_rgba16.png",
    ] {
        let Some(outcome) = read(&format!("formats/{file}")) else { continue };
        let picture = outcome.expect(file);
        assert!(!file.contains("alpha") || picture.has_alpha(), "{file}: {picture:?}");
        let copy = thumbnail(&picture, 256).expect(file);
        assert!(copy.width.max(copy.height) <= 256 && copy.bytes.len() < 200_000, "{file}: {} bytes", copy.bytes.len());
        let again = decode(&copy.bytes, &Limits::default()).expect(file);
        assert!(difference(&picture, &again) < 14.0, "{file}: {}", difference(&picture, &again));
    }
}

#[test]
fn a_cmyk_photo_has_the_colours_of_its_rgb_twin() {
    let (Some(cmyk), Some(rgb)) = (read("formats/derived_cmyk.jpg"), read("formats/derived_icc_srgb.jpg")) else {
        return;
    };
    let (cmyk, rgb) = (cmyk.unwrap(), rgb.unwrap());
    assert!(difference(&cmyk, &rgb) < 3.0, "inverted or unconverted inks: {}", difference(&cmyk, &rgb));
}

#[test]
fn one_photo_under_four_orientations_is_turned_as_exif_says() {
    // The files hold the same stored pixels and differ in the tag alone (CIPA DC-008, 4.6.4, tag 274).
    type Turn = fn(u32, u32, u32, u32) -> (u32, u32);
    let turns: [(u8, Turn); 3] =
        [(5, |x, y, _, _| (y, x)), (6, |x, y, _, h| (h - 1 - y, x)), (7, |x, y, w, h| (h - 1 - y, w - 1 - x))];
    let Some(mirrored) = read("exif/derived_orient_2.jpg") else { return };
    let mirrored = mirrored.unwrap();
    let (w, h) = (mirrored.width(), mirrored.height());
    assert_eq!((w, h), (300, 400));
    for (n, turn) in turns {
        let Some(turned) = read(&format!("exif/derived_orient_{n}.jpg")) else { return };
        let turned = turned.unwrap();
        assert_eq!((turned.width(), turned.height()), (h, w), "{n}");
        for (x, y) in (0..w).step_by(7).flat_map(|x| (0..h).step_by(7).map(move |y| (x, y))) {
            let (tx, ty) = turn(x, y, w, h);
            assert_eq!(turned.rgba(tx, ty), mirrored.rgba(w - 1 - x, y), "{n} at ({x}, {y})");
        }
    }
    for (file, tall) in [
        ("exif_Landscape_6.jpg", false),
        ("exif_Portrait_3.jpg", true),
        ("exif_Portrait_8.jpg", true),
        ("imagers_portrait_2.jpg", true),
    ] {
        let Some(outcome) = read(&format!("exif/{file}")) else { continue };
        let picture = outcome.expect(file);
        assert_eq!(picture.height() > picture.width(), tall, "{file}: {picture:?}");
    }
}

#[test]
fn a_48_megapixel_photo_is_read_within_the_default_limits() {
    let Some(outcome) = read("formats/derived_huge_48mp.jpg") else { return };
    let picture = outcome.unwrap();
    assert_eq!(u64::from(picture.width()) * u64::from(picture.height()), 48_000_000);
    let copy = thumbnail(&picture, 640).unwrap();
    assert_eq!(copy.width.max(copy.height), 640);
}
