//! The default ruler: byte-pair encoding with OpenAI's public tables.
//!
//! Text is fed in bounded pieces: on a whole document the library's regular
//! expression can exceed its backtracking limit (a megabyte of blanks) or take seconds
//! (a megabyte of one letter). Pieces are cut where the encoding itself never joins,
//! so the count stays exact for ordinary text.

use tiktoken_rs::CoreBPE;

use super::Ruler;
use crate::transcript::Encoding;

/// Largest piece handed to the encoder, in bytes.
const PIECE_BYTES: usize = 8 * 1024;
/// Role and separators of a message in the chat formats of these encodings.
const OVERHEAD_TOKENS: u64 = 4;

/// Counts with one of the public encodings.
#[derive(Clone, Copy)]
pub struct Bpe {
    tables: &'static CoreBPE,
    encoding: Encoding,
}

impl Bpe {
    /// Loads the tables (0.2–0.5 s of CPU the first time, then shared). Never call it
    /// on a task that draws.
    pub fn load(encoding: Encoding) -> Self {
        let tables = match encoding {
            Encoding::O200k => tiktoken_rs::o200k_base_singleton(),
            Encoding::Cl100k => tiktoken_rs::cl100k_base_singleton(),
        };
        Self { tables, encoding }
    }
}

impl Ruler for Bpe {
    fn name(&self) -> &'static str {
        match self.encoding {
            Encoding::O200k => "o200k_base",
            Encoding::Cl100k => "cl100k_base",
        }
    }

    fn text_tokens(&self, text: &str) -> u64 {
        pieces(text)
            .map(|piece| self.tables.count_ordinary(piece) as u64)
            .sum()
    }

    fn message_overhead_tokens(&self) -> u64 {
        OVERHEAD_TOKENS
    }
}

/// Cuts a text into pieces of at most [`PIECE_BYTES`].
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (piece, after) = rest.split_at(cut_position(rest));
        rest = after;
        Some(piece)
    })
}

/// Where to end the next piece: after the last newline that a letter or digit
/// follows (no token of the encodings spans such a place), else after the last
/// newline, else at a character boundary.
fn cut_position(text: &str) -> usize {
    if text.len() <= PIECE_BYTES {
        return text.len();
    }
    let end = text.floor_char_boundary(PIECE_BYTES);
    let (head, _) = text.split_at(end);
    let mut newline = None;
    for (at, _) in head.rmatch_indices('\n') {
        let after = at + 1;
        newline.get_or_insert(after);
        if is_seam(text, after) {
            return after;
        }
    }
    newline.unwrap_or(end)
}

/// Whether no token of the encodings spans the place after a newline.
pub(super) fn is_seam(text: &str, behind_newline: usize) -> bool {
    let next = text
        .get(behind_newline..)
        .and_then(|rest| rest.chars().next());
    next.is_some_and(char::is_alphanumeric)
}
