//! The tokens of an attachment: by its size where the provider's formula is known, else a
//! round number.

use std::sync::Arc;

use super::Ruler;
use crate::transcript::{Image, ImageTokens, decoded_base64, picture_size_px};

/// Tokens of an image whose size nobody looked at: about a 1,100 × 1,100 picture.
const DEFAULT_IMAGE_TOKENS: u64 = 1_600;
/// By pixels: a larger picture is scaled to this edge in pixels,
const PIXELS_MAX_EDGE: f64 = 1_568.0;
/// one token is this many pixels,
const PIXELS_PER_TOKEN: f64 = 750.0;
/// and none costs more tokens than this.
const PIXELS_MAX_TOKENS: u64 = 1_600;

/// By tiles: a picture is scaled to fit a square of this edge in pixels,
const TILES_MAX_EDGE: f64 = 2_048.0;
/// then its short edge to this,
const TILES_SHORT_EDGE: f64 = 768.0;
/// and is cut into squares of this edge.
const TILE_EDGE: f64 = 512.0;
/// Tokens of any picture, and of each of its tiles.
const TILES_BASE_TOKENS: u64 = 85;
const TILE_TOKENS: u64 = 170;

/// Providers read the text of a page and look at a picture of it.
const PDF_PAGE_TOKENS: u64 = 2_000;
/// Bytes of a page, when the pages cannot be counted.
const PDF_PAGE_BYTES: u64 = 60_000;

/// Tokens of an attachment when no formula is known.
pub fn image_tokens(image: &Image) -> u64 {
    sized_tokens(image, ImageTokens::Flat)
}

/// A ruler that knows how its model's provider counts pictures.
pub struct Pictures {
    ruler: Arc<dyn Ruler>,
    by: ImageTokens,
}

impl Pictures {
    /// Counts text as `ruler` does.
    pub fn new(ruler: Arc<dyn Ruler>, by: ImageTokens) -> Self {
        Self { ruler, by }
    }
}

impl Ruler for Pictures {
    fn name(&self) -> &'static str {
        self.ruler.name()
    }

    fn text_tokens(&self, text: &str) -> u64 {
        self.ruler.text_tokens(text)
    }

    fn message_overhead_tokens(&self) -> u64 {
        self.ruler.message_overhead_tokens()
    }

    fn image_tokens(&self, image: &Image) -> u64 {
        sized_tokens(image, self.by)
    }
}

fn sized_tokens(image: &Image, by: ImageTokens) -> u64 {
    if image.mime == "application/pdf" {
        return pdf_tokens(&image.data);
    }
    let formula = match by {
        ImageTokens::Flat => return DEFAULT_IMAGE_TOKENS,
        ImageTokens::Pixels => by_pixels,
        ImageTokens::Tiles => by_tiles,
    };
    picture_size_px(&image.data).map_or(DEFAULT_IMAGE_TOKENS, |(width, height)| {
        formula(width as f64, height as f64)
    })
}

fn by_pixels(width: f64, height: f64) -> u64 {
    let scale = (PIXELS_MAX_EDGE / width.max(height)).min(1.0);
    let tokens = (width * scale) * (height * scale) / PIXELS_PER_TOKEN;
    (tokens.ceil() as u64).min(PIXELS_MAX_TOKENS)
}

fn by_tiles(width: f64, height: f64) -> u64 {
    let fit = (TILES_MAX_EDGE / width.max(height)).min(1.0);
    let (width, height) = (width * fit, height * fit);
    let shrink = (TILES_SHORT_EDGE / width.min(height)).min(1.0);
    let tiles = |edge: f64| ((edge * shrink).round() / TILE_EDGE).ceil().max(1.0) as u64;
    TILES_BASE_TOKENS + TILE_TOKENS * tiles(width) * tiles(height)
}

fn pdf_tokens(base64: &str) -> u64 {
    let bytes = decoded_base64(base64);
    let counted = pages(&bytes);
    let pages = match counted {
        0 => (bytes.len() as u64).div_ceil(PDF_PAGE_BYTES).max(1),
        _ => counted,
    };
    pages * PDF_PAGE_TOKENS
}

/// Page objects outside compressed streams.
fn pages(pdf: &[u8]) -> u64 {
    const TYPE: &[u8] = b"/Type";
    let mut count = 0;
    let mut rest = pdf;
    while let Some(at) = find(rest, TYPE) {
        rest = rest.get(at + TYPE.len()..).unwrap_or_default();
        let name = rest.trim_ascii_start();
        let is_page = name
            .strip_prefix(b"/Page")
            .is_some_and(|after| !after.first().is_some_and(u8::is_ascii_alphanumeric));
        count += u64::from(is_page);
    }
    count
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack
        .windows(needle.len())
        .position(|window| window == needle)
}

#[cfg(test)]
mod tests {
    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;

    use super::*;
    use crate::context::ruler::{Approximate, Chars4};
    use crate::transcript::{Message, Part, UserMessage};

    fn attachment(mime: &str, bytes: &[u8]) -> Image {
        Image {
            mime: mime.into(),
            data: Arc::from(STANDARD.encode(bytes)),
            name: None,
        }
    }

    fn png(width: u32, height: u32) -> Image {
        let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
        bytes.extend(width.to_be_bytes());
        bytes.extend(height.to_be_bytes());
        bytes.extend([8, 6, 0, 0, 0, 1, 2, 3, 4]);
        attachment("image/png", &bytes)
    }

    fn gif(width: u16, height: u16) -> Image {
        let mut bytes = b"GIF89a".to_vec();
        bytes.extend(width.to_le_bytes());
        bytes.extend(height.to_le_bytes());
        bytes.extend([0; 20]);
        attachment("image/gif", &bytes)
    }

    /// With a segment of `before` bytes in front of the size.
    fn jpeg(width: u16, height: u16, before: u16) -> Image {
        let mut bytes = b"\xff\xd8\xff\xe1".to_vec();
        bytes.extend((before + 2).to_be_bytes());
        bytes.extend(std::iter::repeat_n(7, before.into()));
        bytes.extend(b"\xff\xc0\0\x11\x08");
        bytes.extend(height.to_be_bytes());
        bytes.extend(width.to_be_bytes());
        bytes.extend([3; 20]);
        attachment("image/jpeg", &bytes)
    }

    fn webp(width: u32, height: u32) -> Image {
        let mut bytes = b"RIFF\x40\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0".to_vec();
        bytes.extend(&(width - 1).to_le_bytes()[..3]);
        bytes.extend(&(height - 1).to_le_bytes()[..3]);
        bytes.extend([0; 20]);
        attachment("image/webp", &bytes)
    }

    #[test]
    fn a_picture_counts_by_its_size_as_its_provider_does() {
        let check = |image: &Image, pixels: u64, tiles: u64| {
            assert_eq!(
                sized_tokens(image, ImageTokens::Pixels),
                pixels,
                "{}",
                image.mime
            );
            assert_eq!(
                sized_tokens(image, ImageTokens::Tiles),
                tiles,
                "{}",
                image.mime
            );
            assert_eq!(sized_tokens(image, ImageTokens::Flat), 1_600);
        };
        check(&png(200, 200), 54, 85 + 170);
        check(&gif(1_000, 1_000), 1_334, 85 + 170 * 4);
        check(&jpeg(1_024, 1_024, 60_000), 1_399, 85 + 170 * 4);
        check(&webp(2_048, 4_096), 1_600, 85 + 170 * 6);
        // A strip: its long edge is scaled, not its short one.
        check(&png(8_000, 100), 41, 85 + 170 * 4);
        check(&png(1, 1), 1, 85 + 170);
    }

    #[test]
    fn what_is_no_picture_counts_a_round_number() {
        for bytes in [&b""[..], b"\x89PNG\r\n\x1a\n", b"hello world, this is text"] {
            let image = attachment("image/png", bytes);
            assert_eq!(sized_tokens(&image, ImageTokens::Pixels), 1_600);
        }
        let broken = Image {
            data: Arc::from("not base64 at all!"),
            ..png(9, 9)
        };
        assert_eq!(sized_tokens(&broken, ImageTokens::Tiles), 1_600);
        assert_eq!(sized_tokens(&png(0, 9), ImageTokens::Tiles), 1_600);
    }

    #[test]
    fn a_pdf_counts_by_its_pages() {
        let paged = b"%PDF-1.4 <</Type /Pages /Count 3>> <</Type/Page /P 1>> <</Type /Page>> \
                      <</Type\n/Page/Q>> <</Type /PageLabel>>";
        let pdf = |bytes: &[u8]| image_tokens(&attachment("application/pdf", bytes));
        assert_eq!(pdf(paged), 6_000);
        assert_eq!(pdf(&"x".repeat(150_000).into_bytes()), 6_000);
        assert_eq!(pdf(b""), 2_000);
    }

    #[test]
    fn text_counts_as_before_and_the_preset_ruler_keeps_its_number() {
        let ruler = Pictures::new(Arc::new(Approximate), ImageTokens::Tiles);
        let text = Message::user_text("what is in this picture?");
        assert_eq!(
            ruler.message_tokens(&text),
            Approximate.message_tokens(&text)
        );
        let shown = Message::User(UserMessage {
            content: vec![Part::Text("see".into()), Part::Image(png(500, 500))],
        });
        assert_eq!(ruler.message_tokens(&shown), 4 + 1 + 255);
        assert_eq!(
            (ruler.name(), Chars4.message_tokens(&shown)),
            ("bytes4", 1_201)
        );
    }
}
