//! Pictures: safe decoding of what people upload and shops link to, and small copies of it.
//!
//! Everything here is pure and synchronous: bytes in, pixels or bytes out. Call it from a blocking task. The pixels of a
//! [`Picture`] are upright, eight bits deep and free of the file's metadata, so nothing written from one can carry a place,
//! a name or a camera. This crate is the only one that knows an image codec; it fetches nothing and opens no file.

mod decode;
mod error;
mod media;
mod picture;
mod render;

pub use decode::{Limits, decode};
pub use error::PictureError;
pub use media::{MediaType, sniff};
pub use picture::Picture;
pub use render::{Encoded, MODEL_MAX_EDGE, fit_for_model, thumbnail};
