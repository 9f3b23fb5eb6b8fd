//! Unified diffs as people read them: line numbers, signs, and inside a changed line the
//! words that changed.
//!
//! Not a diff algorithm for files. Meaning is in the sign; the colour repeats it.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::{safe, wrap};
use crate::context::diff::{self, word_diff};
use crate::tui::theme::Theme;

/// Longer lines are not compared word by word: the comparison is quadratic at worst and
/// nobody reads it.
const MAX_WORD_DIFF_BYTES: usize = 1_000;

/// Lines that have less than this part in common are not a change of one another.
const MIN_ALIKE: f32 = 0.3;

/// Below this many columns line numbers are left out: the text needs the room.
const MIN_NUMBERED_COLUMNS: u16 = 40;

/// Line numbers with more digits are not those of a file that can be edited: not shown.
const MAX_NUMBER_DIGITS: usize = 7;

/// A unified diff as lines of at most `width` columns. Text that is not a diff is shown as
/// context.
pub fn unified(diff_text: &str, width: u16, theme: &Theme) -> Vec<Line<'static>> {
    let digits = if width < MIN_NUMBERED_COLUMNS {
        0
    } else {
        number_digits(diff_text)
    };
    let mut view = View {
        theme,
        width,
        digits,
        out: Vec::new(),
        old: 1,
        new: 1,
    };
    // Lines that a hunk still owes: until then `--- x` is a removed `-- x`, not a header.
    let mut left = (0, 0);
    let mut removed: Vec<&str> = Vec::new();
    let mut added: Vec<&str> = Vec::new();
    for line in diff_text.lines() {
        if line.starts_with("diff --git ") {
            // A hunk that promised more lines than it has ends here.
            left = (0, 0);
        }
        let in_hunk = left != (0, 0);
        let body = line.get(1..).unwrap_or_default();
        match line.chars().next() {
            Some('-') if in_hunk || !line.starts_with("--- ") => {
                if !added.is_empty() {
                    view.changes(&mut removed, &mut added);
                }
                removed.push(body);
                left.0 = u64::saturating_sub(left.0, 1);
                continue;
            }
            Some('+') if in_hunk || !line.starts_with("+++ ") => {
                added.push(body);
                left.1 = u64::saturating_sub(left.1, 1);
                continue;
            }
            _ => view.changes(&mut removed, &mut added),
        }
        if let Some(hunk) = Hunk::parse(line) {
            (view.old, view.new) = (hunk.old, hunk.new);
            left = (hunk.old_len, hunk.new_len);
            view.header(line, theme.accent);
        } else if !in_hunk && is_file_header(line) {
            view.header(line, theme.heading);
        } else if line.starts_with('\\') {
            view.header(line, theme.dim);
        } else {
            view.context(line.strip_prefix(' ').unwrap_or(line));
            left = (
                u64::saturating_sub(left.0, 1),
                u64::saturating_sub(left.1, 1),
            );
        }
    }
    view.changes(&mut removed, &mut added);
    view.out
}

fn is_file_header(line: &str) -> bool {
    const STARTS: [&str; 12] = [
        "diff ",
        "index ",
        "--- ",
        "+++ ",
        "new file",
        "deleted file",
        "old mode",
        "new mode",
        "rename ",
        "copy ",
        "similarity ",
        "Binary files",
    ];
    STARTS.iter().any(|start| line.starts_with(start))
}

/// `@@ -old,len +new,len @@`.
struct Hunk {
    old: u64,
    old_len: u64,
    new: u64,
    new_len: u64,
}

impl Hunk {
    fn parse(line: &str) -> Option<Self> {
        let (ranges, _) = line.strip_prefix("@@ -")?.split_once(" @@")?;
        let (old, new) = ranges.split_once(" +")?;
        let (old, old_len) = range(old)?;
        let (new, new_len) = range(new)?;
        Some(Self {
            old,
            old_len,
            new,
            new_len,
        })
    }
}

fn range(text: &str) -> Option<(u64, u64)> {
    let (start, len) = text.split_once(',').unwrap_or((text, "1"));
    Some((start.parse().ok()?, len.parse().ok()?))
}

fn number_digits(diff_text: &str) -> usize {
    let last = diff_text
        .lines()
        .filter_map(Hunk::parse)
        .map(|hunk| {
            (hunk.old.saturating_add(hunk.old_len)).max(hunk.new.saturating_add(hunk.new_len))
        })
        .max();
    last.map_or(0, |last| last.to_string().len())
        .min(MAX_NUMBER_DIGITS)
}

struct View<'a> {
    theme: &'a Theme,
    width: u16,
    /// Columns of a line number; 0 for none.
    digits: usize,
    out: Vec<Line<'static>>,
    old: u64,
    new: u64,
}

impl View<'_> {
    fn header(&mut self, line: &str, style: Style) {
        let text = wrap::expand_tabs(&safe::visible(line)).into_owned();
        self.out
            .extend(wrap::wrap(&Line::styled(text, style), self.width));
    }

    fn context(&mut self, body: &str) {
        let (old, new) = (Some(self.old), Some(self.new));
        (self.old, self.new) = (self.old.saturating_add(1), self.new.saturating_add(1));
        self.row(
            old,
            new,
            ' ',
            vec![(body.to_owned(), self.theme.text)],
            self.theme.text,
        );
    }

    /// A run of removed lines and the added ones that follow it. Equally many lines are
    /// pairs, of which the changed words are marked.
    fn changes(&mut self, removed: &mut Vec<&str>, added: &mut Vec<&str>) {
        let theme = self.theme;
        let are_pairs = removed.len() == added.len();
        let pairs: Vec<Option<StyledPair>> = removed
            .iter()
            .zip(added.iter())
            .map(|(old, new)| {
                if are_pairs {
                    styled_pair(old, new, theme)
                } else {
                    None
                }
            })
            .collect();
        for (index, line) in removed.iter().enumerate() {
            let parts = pairs
                .get(index)
                .and_then(Option::as_ref)
                .map(|pair| pair.old.clone());
            let parts = parts.unwrap_or_else(|| vec![((*line).to_owned(), theme.diff_removed)]);
            self.row(Some(self.old), None, '-', parts, theme.diff_removed);
            self.old = self.old.saturating_add(1);
        }
        for (index, line) in added.iter().enumerate() {
            let parts = pairs
                .get(index)
                .and_then(Option::as_ref)
                .map(|pair| pair.new.clone());
            let parts = parts.unwrap_or_else(|| vec![((*line).to_owned(), theme.diff_added)]);
            self.row(None, Some(self.new), '+', parts, theme.diff_added);
            self.new = self.new.saturating_add(1);
        }
        removed.clear();
        added.clear();
    }

    fn row(
        &mut self,
        old: Option<u64>,
        new: Option<u64>,
        sign: char,
        parts: Vec<(String, Style)>,
        sign_style: Style,
    ) {
        let digits = self.digits;
        let mut gutter = String::new();
        if digits > 0 {
            let show = |number: Option<u64>| {
                number
                    .map(|n| n.to_string())
                    .filter(|n| n.len() <= digits)
                    .unwrap_or_default()
            };
            gutter = format!("{:>digits$} {:>digits$} ", show(old), show(new));
        }
        let room = usize::from(self.width)
            .saturating_sub(gutter.len() + 2)
            .max(1);
        let spans: Vec<Span<'_>> = parts
            .into_iter()
            .map(|(text, style)| Span::styled(safe::visible(&text).into_owned(), style))
            .collect();
        for (index, row) in wrap::wrap(&Line::from(spans), room as u16)
            .into_iter()
            .enumerate()
        {
            // The sign is repeated, the numbers are not: a wrapped row is not a new line.
            let numbers = if index == 0 {
                gutter.clone()
            } else {
                " ".repeat(gutter.len())
            };
            let mut spans = vec![
                Span::styled(numbers, self.theme.dim),
                Span::styled(format!("{sign} "), sign_style),
            ];
            // With its own sign each row stays a row when it is copied.
            spans.extend(row.spans.into_iter().filter(|it| !wrap::is_joint(it)));
            self.out.push(Line::from(spans));
        }
    }
}

/// The two lines of a pair in parts, changed ones in their own style.
struct StyledPair {
    old: Vec<(String, Style)>,
    new: Vec<(String, Style)>,
}

fn styled_pair(old: &str, new: &str, theme: &Theme) -> Option<StyledPair> {
    let diff = word_diff(old, new, MAX_WORD_DIFF_BYTES)?;
    let styled = |spans: Vec<diff::Span>, same: Style, changed: Style| {
        let style = |is_changed| if is_changed { changed } else { same };
        let spans = spans.into_iter();
        spans.map(|it| (it.text, style(it.changed))).collect()
    };
    (diff.alike >= MIN_ALIKE).then(|| StyledPair {
        old: styled(diff.old, theme.diff_removed, theme.diff_removed_word),
        new: styled(diff.new, theme.diff_added, theme.diff_added_word),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn plain(line: &Line<'_>) -> String {
        line.spans
            .iter()
            .map(|span| span.content.as_ref())
            .collect()
    }

    #[track_caller]
    fn check(text: &str, width: u16, expected: &[&str]) {
        let rows: Vec<String> = unified(text, width, &Theme::default())
            .iter()
            .map(plain)
            .collect();
        assert_eq!(rows, expected);
    }

    const SAMPLE: &str = "--- a/x.rs\n+++ b/x.rs\n@@ -9,3 +9,4 @@ fn f\n same\n-let a = 1;\n+let a = 2;\n+\tnew\n end\n";

    #[test]
    fn numbers_and_signs() {
        check(
            SAMPLE,
            60,
            &[
                "--- a/x.rs",
                "+++ b/x.rs",
                "@@ -9,3 +9,4 @@ fn f",
                " 9  9   same",
                "10    - let a = 1;",
                "   10 + let a = 2;",
                "   11 +     new",
                "11 12   end",
            ],
        );
    }

    #[test]
    fn narrow_screens_wrap_without_numbers() {
        check(
            "@@ -1 +1 @@\n-one two three\n+one",
            12,
            &["@@ -1 +1 @@", "- one two", "- three", "+ one"],
        );
    }

    #[test]
    fn a_removed_line_that_looks_like_a_header_is_removed() {
        check(
            "@@ -1,2 +1,1 @@\n--- note\n+++ note\n",
            20,
            &["@@ -1,2 +1,1 @@", "- -- note", "+ ++ note"],
        );
    }

    #[test]
    fn a_hunk_that_is_too_short_ends_with_its_file() {
        let text = "@@ -1,9 +1,9 @@\n-a\ndiff --git a/x b/x\n--- a/x\n";
        check(
            text,
            30,
            &["@@ -1,9 +1,9 @@", "- a", "diff --git a/x b/x", "--- a/x"],
        );
    }

    #[test]
    fn changed_words_are_marked() {
        let theme = Theme::default();
        let lines = unified("@@ -1 +1 @@\n-let alpha = 1;\n+let beta = 1;\n", 60, &theme);
        let styled = |style| {
            lines
                .iter()
                .flat_map(|l| &l.spans)
                .filter(|s| s.style == style)
                .map(|s| s.content.trim().to_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(styled(theme.diff_removed_word), ["alpha"]);
        assert_eq!(styled(theme.diff_added_word), ["beta"]);
    }

    proptest! {
        #[test]
        fn fits_and_is_safe(
            parts in proptest::collection::vec(
                prop_oneof![any::<String>(), "[-+ @\\\\][a-zé漢\t ]{0,30}\n", "@@ -[0-9]{1,21},[0-9] \\+[0-9]{1,20} @@\n"],
                0..12,
            ),
            width in 4u16..80,
        ) {
            for line in unified(&parts.concat(), width, &Theme::default()) {
                let text = plain(&line);
                prop_assert!(!text.contains(char::is_control), "{text:?}");
                prop_assert!(wrap::width(&text) <= usize::from(width), "{text:?}");
            }
        }
    }
}
