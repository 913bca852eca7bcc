//! Why a file cannot be used as a picture, in words for the operator and for the person who sent it.

use mercer_shop::Lang;

use crate::MediaType;

/// Why some bytes are not a picture that Mercer can use.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PictureError {
    /// No bytes at all.
    #[error("the file is empty")]
    Empty,
    /// Too large as a file.
    #[error("the file has {bytes} bytes; at most {limit} are read")]
    TooManyBytes {
        /// Its size.
        bytes: u64,
        /// The most that is read.
        limit: u64,
    },
    /// Another kind of file.
    #[error("{}; JPEG, PNG, WebP, GIF and BMP pictures are read", .found.map_or_else(|| "the file is no known picture".to_owned(), |found| format!("the file is {found}")))]
    Unsupported {
        /// What it is, when that is known, with its article: "a PDF".
        found: Option<&'static str>,
    },
    /// Too many pixels, told by the header before anything is decoded.
    #[error("the picture is {width} × {height} pixels; at most {limit} pixels and {edge} along an edge are decoded")]
    TooManyPixels {
        /// Its width in pixels.
        width: u32,
        /// Its height in pixels.
        height: u32,
        /// The most pixels that are decoded.
        limit: u64,
        /// The longest edge that is decoded.
        edge: u32,
    },
    /// The file ends before the picture does.
    #[error("the {0} file is cut off before its end")]
    CutOff(MediaType),
    /// The bytes contradict their format.
    #[error("the {media} file is damaged: {detail}")]
    Damaged {
        /// Its format.
        media: MediaType,
        /// What the decoder says.
        detail: String,
    },
    /// A picture could not be written; this is a fault of Mercer, not of the file.
    #[error("a {media} picture could not be written: {detail}")]
    Encode {
        /// The format to write.
        media: MediaType,
        /// What the encoder says.
        detail: String,
    },
}

impl PictureError {
    /// A stable name of the reason, for protocols and pages of documentation.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Empty => "picture_empty",
            Self::TooManyBytes { .. } => "picture_too_many_bytes",
            Self::Unsupported { .. } => "picture_unsupported",
            Self::TooManyPixels { .. } => "picture_too_many_pixels",
            Self::CutOff(_) => "picture_cut_off",
            Self::Damaged { .. } => "picture_damaged",
            Self::Encode { .. } => "picture_not_written",
        }
    }

    /// What to tell the person who sent the file: what is wrong and what to do, without a decoder's words.
    #[must_use]
    pub fn public(&self, lang: Lang) -> String {
        match (self, lang) {
            (Self::Empty, Lang::En) => "This file is empty. Please send the picture again.".to_owned(),
            (Self::Empty, Lang::Zh) => "这个文件是空的，请重新发送图片。".to_owned(),
            (Self::TooManyBytes { limit, .. }, Lang::En) => {
                format!("This picture is too large. Please send one of at most {} MB.", limit >> 20)
            }
            (Self::TooManyBytes { limit, .. }, Lang::Zh) => {
                format!("图片太大了，请发送不超过 {} MB 的图片。", limit >> 20)
            }
            (Self::Unsupported { .. }, Lang::En) => {
                "This file is not a picture I can open. Please send a JPEG, PNG, WebP or GIF.".to_owned()
            }
            (Self::Unsupported { .. }, Lang::Zh) => {
                "这个文件不是我能打开的图片，请发送 JPEG、PNG、WebP 或 GIF。".to_owned()
            }
            (Self::TooManyPixels { width, height, .. }, Lang::En) => {
                format!("This picture is {width} × {height} pixels, which is too large. Please send a smaller one.")
            }
            (Self::TooManyPixels { width, height, .. }, Lang::Zh) => {
                format!("这张图片有 {width} × {height} 像素，太大了，请发送小一些的图片。")
            }
            (Self::CutOff(_), Lang::En) => "Only a part of this picture arrived. Please send it again.".to_owned(),
            (Self::CutOff(_), Lang::Zh) => "这张图片没有传完整，请重新发送。".to_owned(),
            (Self::Damaged { .. }, Lang::En) => {
                "This picture is damaged and cannot be opened. Please send another one.".to_owned()
            }
            (Self::Damaged { .. }, Lang::Zh) => "这张图片已损坏，打不开，请换一张。".to_owned(),
            (Self::Encode { .. }, Lang::En) => "The picture could not be prepared. Please try again.".to_owned(),
            (Self::Encode { .. }, Lang::Zh) => "图片没有处理成功，请再试一次。".to_owned(),
        }
    }
}
