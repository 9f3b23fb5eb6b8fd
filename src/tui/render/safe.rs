//! Foreign text made safe to show: what could move the cursor, reorder or hide text
//! becomes a visible escape.
//!
//! Not a parser of colours (see [`super::ansi`]). Invariant: the result has no control
//! character but `\n` and `\t`, and no character that a reader could not notice.

use std::borrow::Cow;
use std::fmt::Write as _;

use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::UnicodeWidthChar as _;

use super::wrap;

/// Marks on one base character above this are shown as escapes: no script stacks more,
/// and hundreds of them paint over the neighbouring rows.
const MAX_STACKED_MARKS: usize = 8;

/// [`one_line`] reads at most this many characters per wanted column, so that a
/// one-line preview of a huge result costs nothing.
const CHARS_READ_PER_COLUMN: usize = 16;

/// The last character of an escape.
const ESCAPE_END: char = '}';

/// First picture of a control character (`␀`); `␛` is this plus 0x1b.
const CONTROL_PICTURES: u32 = 0x2400;

/// The picture of DEL.
const DELETE_PICTURE: char = '\u{2421}';

/// Shows what would be invisible or would act on the terminal: control characters except
/// `\n` and `\t`, bidi controls, zero-width and tag characters. `\r\n` becomes `\n`.
/// Joiners and variation selectors stay where they shape the character before them.
pub fn visible(text: &str) -> Cow<'_, str> {
    if text
        .bytes()
        .all(|byte| matches!(byte, b'\n' | b'\t' | b' '..=b'~'))
    {
        return Cow::Borrowed(text);
    }
    if !needs_escape(text) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut reading = EscapeReader::default();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let next = chars.peek().copied();
        if c == '\r' && next == Some('\n') {
            continue;
        }
        if reading.shows(c, next) {
            out.push(c);
        } else {
            push_escape(&mut out, c);
        }
    }
    Cow::Owned(out)
}

/// The text on one line of at most `max_columns` columns, safe; line breaks and runs of
/// blanks become one space, and `…` says that something was cut.
pub fn one_line(text: &str, max_columns: usize) -> String {
    let limit = max_columns
        .saturating_add(1)
        .saturating_mul(CHARS_READ_PER_COLUMN);
    let mut chars = text.char_indices();
    let read = chars
        .nth(limit)
        .map_or(text, |(end, _)| text.get(..end).unwrap_or(text));
    let mut line = String::new();
    for word in visible(read).split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    if read.len() == text.len() && wrap::width(&line) <= max_columns {
        return line;
    }
    let mut out = String::new();
    let mut columns = 0;
    for grapheme in line.graphemes(true) {
        columns += wrap::grapheme_width(grapheme);
        if columns >= max_columns {
            break;
        }
        out.push_str(grapheme);
    }
    if max_columns > 0 {
        out.truncate(out.trim_end().len());
        out.push('…');
    }
    out
}

fn needs_escape(text: &str) -> bool {
    let mut reading = EscapeReader::default();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if !reading.shows(c, chars.peek().copied()) {
            return true;
        }
    }
    false
}

/// The state of reading escapes, as far as the next character depends on it.
#[derive(Default)]
struct EscapeReader {
    /// Marks in a row.
    marks: usize,
    /// The text before, as it is shown.
    before: Option<char>,
}

impl EscapeReader {
    /// Whether the next character is shown as it is. What is shown once is shown the same
    /// when it is read again: an escape joins nothing.
    fn shows(&mut self, c: char, next: Option<char>) -> bool {
        self.marks = if is_mark(c) { self.marks + 1 } else { 0 };
        let has_room = self.marks < MAX_STACKED_MARKS;
        let next = next.filter(|&next| has_room || !is_mark(next));
        let is_shown = self.marks <= MAX_STACKED_MARKS && is_plain(c, self.before, next);
        self.before = Some(if is_shown { c } else { ESCAPE_END });
        is_shown
    }
}

fn is_mark(c: char) -> bool {
    !c.is_ascii() && c.width() == Some(0)
}

/// Whether a character may be shown as it is between these neighbours.
fn is_plain(c: char, before: Option<char>, next: Option<char>) -> bool {
    match c {
        '\n' | '\t' => true,
        // Variation selectors 15 and 16 choose text or emoji form of what is before them.
        c if is_variation_selector(c) => {
            before.is_some_and(|b| b > ' ' && !b.is_control() && !is_hidden(b) && !is_joiner(b))
        }
        // The joiners shape emoji, Persian and Indic words; elsewhere they only hide.
        '\u{200c}' | '\u{200d}' => {
            let shapes =
                |n: char| !n.is_ascii() && !n.is_control() && !is_hidden(n) && !is_joiner(n);
            let is_shaped = |n: char| shapes(n) && !is_variation_selector(n);
            before.is_some_and(shapes) && next.is_some_and(is_shaped)
        }
        _ => !c.is_control() && !is_hidden(c),
    }
}

fn is_variation_selector(c: char) -> bool {
    matches!(c, '\u{fe0e}' | '\u{fe0f}')
}

fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}')
}

/// Characters that take no room, reorder their neighbours or carry hidden data.
fn is_hidden(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}' | '\u{200e}' | '\u{200f}'
        | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
        | '\u{fe00}'..='\u{fe0d}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
        | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
}

fn push_escape(out: &mut String, c: char) {
    let code = u32::from(c);
    if code < 0x20 {
        out.extend(char::from_u32(CONTROL_PICTURES + code));
    } else if c == '\u{7f}' {
        out.push(DELETE_PICTURE);
    } else {
        // Writing to a String cannot fail.
        let _ = write!(out, "\\u{{{code:x}}}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(visible(text), expected);
    }

    #[test]
    fn what_acts_or_hides_is_shown() {
        check("plain\ttext\n", "plain\ttext\n");
        check("\u{1b}[31mred\u{7}", "␛[31mred␇");
        check("a\r\nb\rc", "a\nb␍c");
        check("\u{7f}\u{9b}2J", "␡\\u{9b}2J");
        check("abc\u{202e}fdp.exe", "abc\\u{202e}fdp.exe");
        check("pass\u{200b}word", "pass\\u{200b}word");
        check("a\u{200d}b", "a\\u{200d}b");
        check("\u{e0041}\u{e007f}", "\\u{e0041}\\u{e007f}");
        check("x\u{fe0f}\u{fe0f}", "x\u{fe0f}\u{fe0f}");
        check("\u{feff}bom", "\\u{feff}bom");
    }

    /// A joiner after a control character shapes nothing; found by fuzzing.
    #[test]
    fn what_is_safe_stays_as_it_is() {
        for text in [
            "\u{200f}\u{80}\u{200c}\u{fffd}".to_owned(),
            "é\u{200c}\u{80}".to_owned(),
            "\u{80}\u{fe0f}".to_owned(),
            format!("é{}\u{200d}\u{301}é", "\u{301}".repeat(8)),
            format!("é{}\u{200d}é\u{200d}\u{301}", "\u{301}".repeat(9)),
        ] {
            let once = visible(&text).into_owned();
            assert_eq!(visible(&once), once, "{text:?}");
        }
    }

    #[test]
    fn scripts_and_emoji_stay_as_they_are() {
        for text in [
            "👩‍👩‍👧‍👦",
            "❤️",
            "👍🏽",
            "你好，世界",
            "می‌خواهم",
            "क्षि",
            "e\u{301}",
            "🏳️‍🌈",
        ] {
            check(text, text);
            assert!(matches!(visible(text), Cow::Borrowed(_)));
        }
    }

    #[test]
    fn stacked_marks_are_cut_open() {
        let zalgo = format!("a{}", "\u{301}".repeat(20));
        assert!(visible(&zalgo).contains("\\u{301}"));
    }

    #[test]
    fn one_line_collapses_and_cuts() {
        assert_eq!(one_line("  two\n\n  lines ", 20), "two lines");
        assert_eq!(one_line("exactly", 7), "exactly");
        assert_eq!(one_line("too long for it", 8), "too lon…");
        assert_eq!(one_line("你好世界", 5), "你好…");
        assert_eq!(one_line("你好世界", 4), "你…");
        assert_eq!(one_line("abc", 1), "…");
        assert_eq!(one_line("abc", 0), "");
        assert_eq!(one_line("\u{1b}]0;t\u{7}", 20), "␛]0;t␇");
        assert!(one_line(&"word ".repeat(100_000), 30).ends_with('…'));
    }

    /// Characters whose neighbours decide how they are shown, close together.
    fn ugly() -> impl Strategy<Value = String> {
        let one = prop::sample::select(vec![
            'a',
            'é',
            '字',
            '\u{301}',
            '\u{200c}',
            '\u{200d}',
            '\u{fe0f}',
            '\u{80}',
            '\u{7}',
            '\u{202e}',
            '\u{200b}',
            '\u{e0041}',
            '\r',
            '\n',
        ]);
        prop::collection::vec(one, 0..30).prop_map(String::from_iter)
    }

    proptest! {
        #[test]
        fn nothing_that_acts_is_left(text in prop_oneof![any::<String>(), ugly()]) {
            let shown = visible(&text);
            prop_assert!(!shown.chars().any(|c| c.is_control() && c != '\n' && c != '\t'));
            prop_assert!(!shown.chars().any(is_hidden));
            // What is shown is safe to show again.
            prop_assert_eq!(visible(&shown), shown.as_ref());
        }

        #[test]
        fn one_line_fits(text in any::<String>(), columns in 0usize..40) {
            let line = one_line(&text, columns);
            prop_assert!(wrap::width(&line) <= columns, "{line:?}");
            prop_assert!(!line.chars().any(char::is_control));
        }
    }
}
