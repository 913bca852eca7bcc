//! Pictures made here, so that no file has to be kept.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::ZlibEncoder;

fn chunk(kind: &[u8; 4], content: &[u8]) -> Vec<u8> {
    let mut sum = flate2::Crc::new();
    sum.update(kind);
    sum.update(content);
    let mut bytes = u32::try_from(content.len()).unwrap().to_be_bytes().to_vec();
    bytes.extend_from_slice(kind);
    bytes.extend_from_slice(content);
    bytes.extend_from_slice(&sum.sum().to_be_bytes());
    bytes
}

/// A grey PNG of this size, one bit a pixel: small on the disk, whatever its size in pixels.
pub(crate) fn png(width: u32, height: u32) -> Vec<u8> {
    let mut head = width.to_be_bytes().to_vec();
    head.extend_from_slice(&height.to_be_bytes());
    head.extend_from_slice(&[1, 0, 0, 0, 0]);
    let row = vec![0_u8; usize::try_from(width.div_ceil(8)).unwrap() + 1];
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::fast());
    for _ in 0..height {
        packed.write_all(&row).unwrap();
    }
    let mut bytes = b"\x89PNG\r\n\x1a\n".to_vec();
    bytes.extend(chunk(b"IHDR", &head));
    bytes.extend(chunk(b"IDAT", &packed.finish().unwrap()));
    bytes.extend(chunk(b"IEND", &[]));
    bytes
}
