use proptest::prelude::*;
use ratatui::style::{Color, Style};
use ratatui::text::Span;

use super::*;
use crate::tui::render::wrap;

fn look(width: u16, theme: &Theme) -> DiffLook<'_> {
    DiffLook {
        width,
        theme,
        highlighter: None,
        sides: DiffSides::Auto,
        path: "",
    }
}

fn plain(line: &Line<'_>) -> String {
    line.spans
        .iter()
        .map(|span| span.content.as_ref())
        .collect()
}

#[track_caller]
fn check(text: &str, width: u16, expected: &[&str]) {
    let rows: Vec<String> = lines(text, &look(width, &Theme::default()))
        .iter()
        .map(plain)
        .collect();
    assert_eq!(rows, expected);
}

const SAMPLE: &str =
    "--- a/x.rs\n+++ b/x.rs\n@@ -9,3 +9,4 @@ fn f\n same\n-let a = 1;\n+let a = 2;\n+\tnew\n end\n";

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
    let text = "@@ -1 +1 @@\n-let alpha = 1;\n+let beta = 1;\n";
    let lines = lines(text, &look(60, &theme));
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
        width in 4u16..200,
    ) {
        for (theme, sides) in themes().iter().zip([DiffSides::Unified, DiffSides::Split].iter().cycle()) {
            let look = DiffLook { sides: *sides, ..look(width, theme) };
            for line in lines(&parts.concat(), &look) {
            let text = plain(&line);
            prop_assert!(!text.contains(char::is_control), "{text:?}");
            prop_assert!(wrap::width(&text) <= usize::from(width), "{text:?}");
            }
        }
    }
}

/// One of sixteen colours, and one with backgrounds.
fn themes() -> [Theme; 2] {
    [Theme::default(), Theme::bundled("dark").unwrap()]
}

/// The text of a row in pieces of one style each, blanks at the end left out.
fn pieces(line: &Line<'_>) -> Vec<(String, Style)> {
    let mut out: Vec<(String, Style)> = Vec::new();
    for Span { content, style } in &line.spans {
        match out.last_mut().filter(|last| last.1 == *style) {
            Some(last) => last.0.push_str(content),
            None => out.push((content.to_string(), *style)),
        }
    }
    out
}

#[test]
fn the_sides_are_beside_each_other_where_there_is_room() {
    let theme = Theme::default();
    let split = DiffLook {
        sides: DiffSides::Split,
        ..look(81, &theme)
    };
    let rows: Vec<String> = lines(SAMPLE, &split).iter().map(plain).collect();
    let row = |old: &str, new: &str| format!("{old:<40}│{new}");
    assert_eq!(
        rows,
        [
            "--- a/x.rs".to_owned(),
            "+++ b/x.rs".to_owned(),
            "@@ -9,3 +9,4 @@ fn f".to_owned(),
            row(" 9   same", " 9   same"),
            row("10 - let a = 1;", "10 + let a = 2;"),
            row("", "11 +     new"),
            row("11   end", "12   end"),
        ]
    );
    for (sides, width, expected) in [
        (DiffSides::Auto, 149, false),
        (DiffSides::Auto, 150, true),
        (DiffSides::Unified, 300, false),
        (DiffSides::Split, 80, true),
        (DiffSides::Split, 79, false),
    ] {
        let look = DiffLook {
            sides,
            ..look(width, &theme)
        };
        assert_eq!(look.is_split(), expected, "{sides:?} at {width}");
    }
}

#[test]
fn code_has_its_colours_on_the_background_of_its_side() {
    let theme = Theme::bundled("dark").unwrap();
    let highlighter = Highlighter::new();
    highlighter.warm("rs", "let a = 1;");
    let coloured = DiffLook {
        highlighter: Some(&highlighter),
        path: "src/x.rs",
        ..look(40, &theme)
    };
    let text = "@@ -31 +31 @@\n same(\"s\")\n-let a = 1;\n+let b = 1;\n";
    let rows = lines(text, &coloured);
    let style = |row: usize, word: &str| {
        let found = pieces(&rows[row]);
        let piece = found.iter().find(|(text, _)| text.contains(word));
        piece.unwrap_or_else(|| panic!("{word}: {found:?}")).1
    };
    for (row, line, word) in [
        (2, theme.diff_removed_line, theme.diff_removed_word),
        (3, theme.diff_added_line, theme.diff_added_word),
    ] {
        assert_eq!(style(row, "let").fg, theme.syntax_keyword.fg);
        assert_eq!(style(row, "let").bg, line.bg);
        let name = if row == 2 { "a" } else { "b" };
        assert_eq!(style(row, name), word);
        // The background goes to the end of the row.
        let width: usize = rows[row].spans.iter().map(Span::width).sum();
        assert_eq!(
            (width, rows[row].spans.last().unwrap().style.bg),
            (40, line.bg)
        );
    }
    assert_eq!(style(1, "s\"").fg, theme.syntax_string.fg);
    assert_eq!(style(1, "s\"").bg, None);
    // Of sixteen colours there is no background: a line has the colour of its side.
    let plain = Theme::default();
    let rows = lines(
        text,
        &DiffLook {
            theme: &plain,
            ..coloured
        },
    );
    assert_eq!(
        rows[2]
            .spans
            .iter()
            .find(|it| it.content.contains("let"))
            .unwrap()
            .style,
        plain.diff_removed
    );
    assert!(
        rows.iter()
            .flat_map(|row| &row.spans)
            .all(|span| span.style.bg.is_none_or(|bg| bg == Color::Reset))
    );
}

#[test]
fn a_hunk_whose_place_is_not_known_has_no_numbers() {
    check(
        "@@ @@\n same\n-old\n+new\n@@ -7 +7 @@\n-a\n+b\n",
        40,
        &[
            "@@ @@",
            "      same",
            "    - old",
            "    + new",
            "@@ -7 +7 @@",
            "7   - a",
            "  7 + b",
        ],
    );
}

#[test]
fn the_title_of_a_diff_has_the_names_and_the_first_change_is_found() {
    let theme = Theme::default();
    assert_eq!(
        without_names(SAMPLE).lines().next(),
        Some("@@ -9,3 +9,4 @@ fn f")
    );
    assert_eq!(without_names("-a\n+b"), "-a\n+b");
    let rows = lines(without_names(SAMPLE), &look(60, &theme));
    assert_eq!(first_change(&rows), 2);
    let rows = lines(without_names(SAMPLE), &look(30, &theme));
    assert_eq!(first_change(&rows), 2);
    assert_eq!(first_change(&[]), 0);
}

#[test]
fn the_language_is_that_of_the_file() {
    assert_eq!(language(SAMPLE, "y.py"), "rs");
    assert_eq!(language("@@ -1 +1 @@", "src/y.py"), "py");
    assert_eq!(language("--- /dev/null\n+++ Makefile\n@@", ""), "Makefile");
    assert_eq!(language("--- old.js\n+++ /dev/null\n@@", ""), "js");
}
