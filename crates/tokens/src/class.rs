//! Classes of characters, as the rules for pieces tell them apart.

/// For each 256 characters the number of their block.
static INDEX: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/class_index.bin"));
/// Blocks of 256 classes.
static BLOCKS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/class_blocks.bin"));

/// What a character is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Punctuation, symbols, control characters and whatever has no other class.
    Other,
    /// White space without `\r` and `\n`.
    Blank,
    /// `\r` and `\n`.
    Newline,
    /// Digits and numbers of all scripts.
    Number,
    /// Upper case and title case.
    Upper,
    /// Lower case.
    Lower,
    /// Letters of scripts without case, and modifier letters.
    Caseless,
    /// Combining marks.
    Mark,
}

impl Class {
    /// The class of a character.
    pub fn of(character: char) -> Self {
        let code = character as usize;
        let block = INDEX.get(code >> 8).map_or(0, |&block| usize::from(block));
        match BLOCKS.get(block << 8 | code & 0xff) {
            Some(1) => Self::Blank,
            Some(2) => Self::Newline,
            Some(3) => Self::Number,
            Some(4) => Self::Upper,
            Some(5) => Self::Lower,
            Some(6) => Self::Caseless,
            Some(7) => Self::Mark,
            _ => Self::Other,
        }
    }

    /// Letters of all kinds, without marks.
    pub fn is_letter(self) -> bool {
        matches!(self, Self::Upper | Self::Lower | Self::Caseless)
    }

    /// White space of all kinds.
    pub fn is_space(self) -> bool {
        matches!(self, Self::Blank | Self::Newline)
    }

    /// What may stand before a word and belong to its piece: a blank, a mark, a sign.
    pub fn is_prefix(self) -> bool {
        matches!(self, Self::Other | Self::Blank | Self::Mark)
    }

    /// Neither white space nor letter nor number.
    pub fn is_sign(self) -> bool {
        matches!(self, Self::Other | Self::Mark)
    }
}
