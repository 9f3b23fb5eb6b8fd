//! What a word says for a language, as the build script writes it.

/// What a word says for a language.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WordVote {
    /// The word is frequent in it.
    pub is_common: bool,
    /// 0 where the language has no such word.
    pub weight: u8,
}

impl WordVote {
    /// The bit of a byte that says that the word is frequent; the others are the weight.
    pub(crate) const COMMON: u8 = 0x80;

    pub(crate) fn of_byte(byte: u8) -> Self {
        Self {
            is_common: byte & Self::COMMON != 0,
            weight: byte & !Self::COMMON,
        }
    }
}
