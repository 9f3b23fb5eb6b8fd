//! The page that tools answer in, and how its numbers are written.
//!
//! A page bounds what one call can put into the context; every cut says how to get the rest.

use crate::transcript::grouped;

pub(super) const PAGE_LINES: usize = 2_000;

/// Bytes of one page: about 12,000 tokens of code.
pub(super) const PAGE_BYTES: usize = 50 * 1024;

/// Characters of one line. Longer lines are data or minified code, which nobody reads in full.
pub(super) const LINE_CHARS: usize = 2_000;

/// Bytes that hold `LINE_CHARS` characters of any kind.
pub(super) const LINE_BYTES: usize = LINE_CHARS * 4;

/// A number with its noun: `1 line`, `2,000 lines`.
pub(super) fn counted(number: u64, one: &str, many: &str) -> String {
    format!(
        "{} {}",
        grouped(number),
        if number == 1 { one } else { many }
    )
}

/// The first `max_chars` characters, and whether that left something out.
pub(super) fn first_chars(text: &str, max_chars: usize) -> (&str, bool) {
    match text.char_indices().nth(max_chars) {
        Some((index, _)) => (text.get(..index).unwrap_or(text), true),
        None => (text, false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        let check = |number, expected| assert_eq!(grouped(number), expected);
        check(0, "0");
        check(999, "999");
        check(1_000, "1,000");
        check(12_345, "12,345");
        check(u64::MAX, "18,446,744,073,709,551,615");
        assert_eq!(counted(1, "line", "lines"), "1 line");
        assert_eq!(counted(2_000, "line", "lines"), "2,000 lines");
    }

    #[test]
    fn cuts_are_by_character() {
        assert_eq!(first_chars("aé漢", 2), ("aé", true));
        assert_eq!(first_chars("aé漢", 3), ("aé漢", false));
        assert_eq!(first_chars("", 0), ("", false));
    }
}
