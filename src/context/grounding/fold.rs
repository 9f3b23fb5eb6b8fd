//! Letters without case, accent and width, and the words that they make: what remains the
//! same when a name is spelt another way.

use crate::context::identifiers::is_unspaced;

/// What stands between a word and the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WordGap {
    /// The text begins.
    Start,
    /// Nothing: a script without spaces.
    None,
    /// White space on one line.
    Space,
    /// `/` or `\`.
    Slash,
    /// `.`
    Dot,
    /// `-`
    Hyphen,
    /// `_`
    Underscore,
    /// `:` or `::`
    Colon,
    /// A line end.
    Newline,
    /// Other signs.
    Sign,
}

impl WordGap {
    /// Whether the words on both sides can be one name, however it is joined.
    pub(super) fn joins(self) -> bool {
        !matches!(self, Self::Start | Self::Newline | Self::Sign)
    }

    fn of(between: &str) -> Self {
        match between {
            "" => Self::None,
            " " => Self::Space,
            "." => Self::Dot,
            "-" => Self::Hyphen,
            "_" => Self::Underscore,
            ":" | "::" => Self::Colon,
            "/" | "\\" | "/." | "\\\\" | "./" => Self::Slash,
            _ if between.bytes().all(|b| b == b'_') => Self::Underscore,
            _ if between.contains('\n') => Self::Newline,
            _ if between.trim().is_empty() => Self::Space,
            _ => Self::Sign,
        }
    }
}

/// A word of a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct FoldedWord {
    /// First byte.
    pub start: usize,
    /// Byte after the last.
    pub end: usize,
    /// The same for all spellings.
    pub hash: u64,
    /// What stands before it.
    pub gap: WordGap,
}

/// A letter or digit without case, accent and width; `None` for a mark that is written
/// over another letter.
pub(super) fn folded(c: char) -> Option<char> {
    if c.is_ascii() {
        return Some(c.to_ascii_lowercase());
    }
    Some(match u32::from(c) {
        0x0300..=0x036F | 0x1AB0..=0x1AFF | 0x1DC0..=0x1DFF | 0x20D0..=0x20FF => return None,
        0xC0..=0xC5 | 0xE0..=0xE5 | 0x100..=0x105 => 'a',
        0xC7 | 0xE7 | 0x106..=0x10D => 'c',
        0x10E..=0x111 => 'd',
        0xC8..=0xCB | 0xE8..=0xEB | 0x112..=0x11B => 'e',
        0x11C..=0x123 => 'g',
        0xCC..=0xCF | 0xEC..=0xEF | 0x128..=0x131 => 'i',
        0xD1 | 0xF1 | 0x143..=0x14B => 'n',
        0x139..=0x142 => 'l',
        0xD2..=0xD6 | 0xD8 | 0xF2..=0xF6 | 0xF8 | 0x14C..=0x151 => 'o',
        0x154..=0x159 => 'r',
        0xDF | 0x15A..=0x161 | 0x218..=0x219 => 's',
        0x162..=0x167 | 0x21A..=0x21B => 't',
        0xD9..=0xDC | 0xF9..=0xFC | 0x168..=0x173 => 'u',
        0xDD | 0xFD | 0xFF | 0x176..=0x178 => 'y',
        0x179..=0x17E => 'z',
        0x401 | 0x451 => 'е',
        wide @ 0xFF01..=0xFF5E => {
            return char::from_u32(wide - 0xFEE0).map(|c| c.to_ascii_lowercase());
        }
        _ => c.to_lowercase().next().unwrap_or(c),
    })
}

/// The end of a text, at most so many bytes.
pub(super) fn tail_of(text: &str, max_bytes: usize) -> &str {
    let from = text.ceil_char_boundary(text.len().saturating_sub(max_bytes));
    text.get(from..).unwrap_or_default()
}

/// A text in which every letter is folded.
pub(super) fn folded_text(text: &str) -> String {
    text.chars().filter_map(folded).collect()
}

/// A folded text that knows where its bytes come from.
#[derive(Debug, Default)]
pub(super) struct FoldedLine {
    /// The folded text.
    pub text: String,
    starts: Vec<usize>,
    end: usize,
}

impl FoldedLine {
    /// Folds a line.
    pub(super) fn of(line: &str) -> Self {
        let mut out = Self {
            end: line.len(),
            ..Self::default()
        };
        for (at, c) in line.char_indices() {
            if let Some(c) = folded(c) {
                out.text.push(c);
                out.starts.resize(out.text.len(), at);
            }
        }
        out
    }

    /// A line in lower case, with its accents.
    pub(super) fn lowered(line: &str) -> Self {
        let mut out = Self {
            end: line.len(),
            ..Self::default()
        };
        for (at, c) in line.char_indices() {
            out.text.extend(c.to_lowercase());
            out.starts.resize(out.text.len(), at);
        }
        out
    }

    /// The bytes of the line that a range of the folded text comes from.
    pub(super) fn original(&self, folded: std::ops::Range<usize>) -> std::ops::Range<usize> {
        let at = |i: usize| self.starts.get(i).copied().unwrap_or(self.end);
        at(folded.start)..at(folded.end)
    }
}

const FNV_BASIS: u64 = 0xcbf2_9ce4_8422_2325;
const FNV_PRIME: u64 = 0x0100_0000_01b3;

/// Classes of the bytes of ASCII: other, or the folded letter or digit.
const ASCII_WORD: [u8; 128] = {
    let mut table = [0; 128];
    let mut i = 0;
    while i < 128 {
        let byte = i as u8;
        if byte.is_ascii_alphanumeric() {
            table[i] = byte.to_ascii_lowercase();
        }
        i += 1;
    }
    table
};

fn mixed(hash: u64) -> u64 {
    let hash = (hash ^ (hash >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    hash ^ (hash >> 29)
}

/// The hash of one word, spelt in any way; signs in it do not count.
pub(super) fn word_hash(word: &str) -> u64 {
    let letters = word.chars().filter_map(folded);
    let hash = letters
        .filter(|c| c.is_alphanumeric())
        .fold(FNV_BASIS, |hash, c| {
            (hash ^ u64::from(u32::from(c))).wrapping_mul(FNV_PRIME)
        });
    mixed(hash)
}

/// Hands over the words of a text: runs of letters and digits; in scripts without spaces
/// each character is one. Linear in the text.
pub(super) fn each_word(text: &str, found: &mut impl FnMut(FoldedWord)) {
    let bytes = text.as_bytes();
    let mut at = 0;
    let mut previous: Option<usize> = None;
    while at < bytes.len() {
        let Some((start, end, hash)) = next_word(text, at) else {
            return;
        };
        let gap = previous.map_or(WordGap::Start, |from| {
            WordGap::of(text.get(from..start).unwrap_or_default())
        });
        found(FoldedWord {
            start,
            end,
            hash: mixed(hash),
            gap,
        });
        previous = Some(end);
        at = end;
    }
}

fn next_word(text: &str, from: usize) -> Option<(usize, usize, u64)> {
    let bytes = text.as_bytes();
    let mut at = from;
    let mut start = None;
    let mut hash = FNV_BASIS;
    while let Some(&byte) = bytes.get(at) {
        if byte < 128 {
            let letter = ASCII_WORD[usize::from(byte)];
            if letter == 0 {
                if start.is_some() {
                    break;
                }
            } else {
                start.get_or_insert(at);
                hash = (hash ^ u64::from(letter)).wrapping_mul(FNV_PRIME);
            }
            at += 1;
            continue;
        }
        let c = text.get(at..)?.chars().next()?;
        let end = at + c.len_utf8();
        match folded(c).filter(|c| c.is_alphanumeric()) {
            Some(letter) if is_unspaced(c) && !letter.is_ascii() => {
                if start.is_some() {
                    break;
                }
                let hash = (hash ^ u64::from(u32::from(letter))).wrapping_mul(FNV_PRIME);
                return Some((at, end, hash));
            }
            Some(letter) => {
                start.get_or_insert(at);
                hash = (hash ^ u64::from(u32::from(letter))).wrapping_mul(FNV_PRIME);
            }
            None if folded(c).is_none() => {}
            None if start.is_some() => break,
            None => {}
        }
        at = end;
    }
    start.map(|start| (start, at, hash))
}

/// The words of a text.
pub(super) fn words_of(text: &str) -> Vec<FoldedWord> {
    let mut out = Vec::new();
    each_word(text, &mut |word| out.push(word));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spelling_case_accents_and_width_make_the_same_word() {
        for (a, b) in [
            ("João", "JOAO"),
            ("ＡＰＩ", "api"),
            ("e\u{301}t", "Ét"),
            ("MergeError", "mergeerror"),
        ] {
            assert_eq!(word_hash(a), word_hash(b), "{a} {b}");
        }
        let text = "src/a_b.rs 令牌x2:  Straße\n- né";
        let texts: Vec<&str> = words_of(text)
            .iter()
            .filter_map(|word| text.get(word.start..word.end))
            .collect();
        assert_eq!(
            texts,
            ["src", "a", "b", "rs", "令", "牌", "x2", "Straße", "né"]
        );
    }

    #[test]
    fn a_folded_line_knows_where_its_bytes_come_from() {
        let line = FoldedLine::of("Jörg löscht");
        assert_eq!(line.text, "jorg loscht");
        assert_eq!(line.original(5..11), 6..13);
    }
}
