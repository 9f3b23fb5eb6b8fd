//! Shortening of text by Unicode scalar values: heads, heads with tails, one-liners.
//! Never splits a scalar value and never lengthens a text by more than the mark.

/// Where text was left out of an excerpt.
const ELLIPSIS: char = '…';

/// The first `max_chars` characters.
pub fn head(text: &str, max_chars: usize) -> &str {
    match text.char_indices().nth(max_chars) {
        Some((at, _)) => text.get(..at).unwrap_or(text),
        None => text,
    }
}

/// The last `max_chars` characters.
pub fn tail(text: &str, max_chars: usize) -> &str {
    if max_chars == 0 {
        return "";
    }
    match text.char_indices().rev().nth(max_chars - 1) {
        Some((at, _)) => text.get(at..).unwrap_or(text),
        None => text,
    }
}

/// At most `max_chars` characters; a cut text ends with an ellipsis.
pub fn ellipsized(text: &str, max_chars: usize) -> String {
    if is_longer(text, max_chars) {
        let mut out = head(text, max_chars.saturating_sub(1)).to_owned();
        out.push(ELLIPSIS);
        out
    } else {
        text.to_owned()
    }
}

/// At most `max_chars` characters: two thirds from the start, the rest from the end.
pub fn head_and_tail(text: &str, max_chars: usize) -> String {
    if !is_longer(text, max_chars) {
        return text.to_owned();
    }
    let room = max_chars.saturating_sub(3);
    let head_chars = room * 2 / 3;
    format!(
        "{} {ELLIPSIS} {}",
        head(text, head_chars),
        tail(text, room - head_chars)
    )
}

/// The text on one line: runs of white space and control characters become one
/// space, at most `max_chars` characters. Reads no more of the text than it needs.
pub fn one_line(text: &str, max_chars: usize) -> String {
    let mut out = String::new();
    let mut count = 0;
    let mut gap = false;
    for c in text.chars() {
        if c.is_whitespace() || c.is_control() {
            gap = count > 0;
            continue;
        }
        if is_format_char(c) {
            continue;
        }
        if gap {
            out.push(' ');
            count += 1;
            gap = false;
        }
        out.push(c);
        count += 1;
        if count > max_chars {
            return ellipsized(&out, max_chars);
        }
    }
    out
}

/// Whether the text has more than `chars` characters. Stops counting there.
pub fn is_longer(text: &str, chars: usize) -> bool {
    text.len() > chars && text.chars().nth(chars).is_some()
}

/// Whether a character is invisible and can change how its neighbours read: zero
/// width, bidirectional controls, tags, the byte order mark.
pub fn is_format_char(c: char) -> bool {
    matches!(c,
        '\u{00AD}' | '\u{061C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_by_characters_and_marks_the_cut() {
        assert_eq!(head("日本語", 2), "日本");
        assert_eq!(tail("日本語", 2), "本語");
        assert_eq!(tail("日本語", 0), "");
        assert_eq!(ellipsized("abcdef", 4), "abc…");
        assert_eq!(ellipsized("abcd", 4), "abcd");
        assert_eq!(head_and_tail("0123456789", 9), "0123 … 89");
        assert_eq!(head_and_tail("abc", 0), " … ");
    }

    #[test]
    fn one_line_collapses_and_drops_what_hides() {
        assert_eq!(one_line("  a\n\n\tb\u{1b}[0m\u{200b}c ", 80), "a b [0mc");
        assert_eq!(one_line(&"x".repeat(500), 10).chars().count(), 10);
    }
}
