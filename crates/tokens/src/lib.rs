//! How many tokens a text has by OpenAI's public encodings.
//!
//! Counts are those of the reference implementations, for every text. The tables are made
//! when the library is built and are read where they lie: a process that counts a short
//! text touches a few pages of them and allocates nothing. No text is refused, and the time
//! for a text of n bytes is O(n log n) at most.
//!
//! A text is cut into pieces (`split`), each piece is looked up (`vocabulary`), and one that is
//! no token is joined from its bytes (`merge`).

mod class;
mod hash;
mod merge;
mod split;
mod vocabulary;

use merge::Joiner;

/// A public encoding: a vocabulary, and a rule by which text is cut before it is looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// `o200k_base`: GPT-4o and later.
    O200k,
    /// `cl100k_base`: GPT-4 and GPT-3.5.
    Cl100k,
}

impl Encoding {
    /// Tokens of a text. Names of special tokens in it count as the text that they are.
    pub fn count(self, text: &str) -> usize {
        let vocabulary = vocabulary::of(self);
        let mut joiner = Joiner::new(vocabulary);
        let mut tokens = 0;
        let mut rest = text;
        while !rest.is_empty() {
            let (piece, after) = rest.split_at(split::first_piece(self, rest));
            rest = after;
            tokens += joiner.count(piece.as_bytes());
        }
        tokens
    }
}
