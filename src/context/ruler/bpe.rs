//! The default ruler: byte-pair encoding with OpenAI's public tables.

use plimsoll_tokens as tokens;

use super::Ruler;
use crate::transcript::Encoding;

/// Role and separators of a message in the chat formats of these encodings.
const OVERHEAD_TOKENS: u64 = 4;

/// Counts with one of the public encodings.
#[derive(Clone, Copy)]
pub struct Bpe {
    encoding: Encoding,
}

impl Bpe {
    /// The ruler of an encoding. Its tables are part of the program.
    pub fn new(encoding: Encoding) -> Self {
        Self { encoding }
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
        let encoding = match self.encoding {
            Encoding::O200k => tokens::Encoding::O200k,
            Encoding::Cl100k => tokens::Encoding::Cl100k,
        };
        encoding.count(text) as u64
    }

    fn message_overhead_tokens(&self) -> u64 {
        OVERHEAD_TOKENS
    }
}
