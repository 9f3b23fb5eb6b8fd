//! The facts in the bytes of an attachment. Reads only the header of a picture, never its
//! pixels.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// Base64 characters that are decoded for the header of a picture: most say their size at
/// once,
const SHORT_HEADER_CHARS: usize = 4 * 1024;
/// a JPEG may hold a thumbnail and a colour profile before it.
const HEADER_CHARS: usize = 512 * 1024;

/// Width and height in pixels; `None` when the header says nothing sensible.
pub fn picture_size_px(base64: &str) -> Option<(u64, u64)> {
    [SHORT_HEADER_CHARS, HEADER_CHARS]
        .into_iter()
        .find_map(|chars| {
            let header = decoded_base64(base64.get(..chars).unwrap_or(base64));
            let size = imagesize::blob_size(&header).ok()?;
            let is_sensible = size.width > 0 && size.height > 0;
            is_sensible.then_some((size.width as u64, size.height as u64))
        })
}

/// The bytes of base64 that may end anywhere or not be any.
pub fn decoded_base64(base64: &str) -> Vec<u8> {
    let whole = base64.trim_end_matches('=').len() / 4 * 4;
    STANDARD
        .decode(base64.get(..whole).unwrap_or_default())
        .unwrap_or_default()
}
