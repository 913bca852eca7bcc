//! A decoded picture: upright, eight bits a channel, in memory.

use image::{DynamicImage, RgbImage, RgbaImage};

use crate::MediaType;

/// A decoded picture without any metadata of its file.
#[derive(Clone)]
pub struct Picture {
    pub(crate) pixels: Pixels,
    media: MediaType,
}

/// Transparency is kept only where there is some: an all-opaque picture is three channels, whatever its file had.
#[derive(Clone)]
pub(crate) enum Pixels {
    Opaque(RgbImage),
    Alpha(RgbaImage),
}

impl Picture {
    pub(crate) fn new(image: DynamicImage, media: MediaType) -> Self {
        let pixels = if image.color().has_alpha() {
            let image = image.into_rgba8();
            if image.pixels().all(|pixel| pixel.0[3] == u8::MAX) {
                Pixels::Opaque(DynamicImage::ImageRgba8(image).into_rgb8())
            } else {
                Pixels::Alpha(image)
            }
        } else {
            Pixels::Opaque(image.into_rgb8())
        };
        Self { pixels, media }
    }

    /// Width in pixels, upright.
    #[must_use]
    pub fn width(&self) -> u32 {
        match &self.pixels {
            Pixels::Opaque(image) => image.width(),
            Pixels::Alpha(image) => image.width(),
        }
    }

    /// Height in pixels, upright.
    #[must_use]
    pub fn height(&self) -> u32 {
        match &self.pixels {
            Pixels::Opaque(image) => image.height(),
            Pixels::Alpha(image) => image.height(),
        }
    }

    /// Whether some pixel is not opaque.
    #[must_use]
    pub fn has_alpha(&self) -> bool {
        matches!(self.pixels, Pixels::Alpha(_))
    }

    /// The format of the file it was read from.
    #[must_use]
    pub fn media_type(&self) -> MediaType {
        self.media
    }

    /// Red, green, blue and alpha of a pixel; `None` outside the picture.
    #[must_use]
    pub fn rgba(&self, x: u32, y: u32) -> Option<[u8; 4]> {
        match &self.pixels {
            Pixels::Opaque(image) => image.get_pixel_checked(x, y).map(|pixel| {
                let [red, green, blue] = pixel.0;
                [red, green, blue, u8::MAX]
            }),
            Pixels::Alpha(image) => image.get_pixel_checked(x, y).map(|pixel| pixel.0),
        }
    }
}

impl std::fmt::Debug for Picture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Picture")
            .field("media", &self.media)
            .field("width", &self.width())
            .field("height", &self.height())
            .field("alpha", &self.has_alpha())
            .finish()
    }
}
