//! Columns and line breaking: graphemes are never split, styles are kept, and every
//! visible grapheme of the input is in the output.
//!
//! Not a justifier and not Unicode line breaking in full: blanks, hyphen-free words, and
//! between CJK characters.

use std::borrow::Cow;

use ratatui::buffer::CellWidth as _;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::UnicodeWidthChar as _;

/// Columns between tab stops. Four is what most code is read with.
pub const TAB_COLUMNS: usize = 4;

/// Columns of a wide character: what a row has to have room for.
const WIDE_COLUMNS: usize = 2;

/// An empty span in this style ends a row that goes on in the next one, cut inside a word.
const CUT_INSIDE: Style = Style::new().add_modifier(Modifier::HIDDEN);
/// The style of that span where a blank was dropped.
const CUT_AT_BLANK: Style = Style::new().add_modifier(Modifier::HIDDEN.union(Modifier::DIM));

/// Whether a span shows nothing and only says that its row goes on.
pub fn is_joint(span: &Span<'_>) -> bool {
    span.content.is_empty() && span.style.add_modifier.contains(Modifier::HIDDEN)
}

/// The text between a row and the next one before the line was broken: a blank, or
/// nothing. `None` where the line ends.
pub fn joint(row: &Line<'_>) -> Option<&'static str> {
    let last = row.spans.last().filter(|span| is_joint(span))?;
    let at_blank = last.style.add_modifier.contains(Modifier::DIM);
    Some(if at_blank { " " } else { "" })
}

/// Columns that a text takes on screen: by grapheme, CJK and emoji two, control
/// characters none. Expand tabs first.
pub fn width(text: &str) -> usize {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return text.len();
    }
    text.graphemes(true).map(grapheme_width).sum()
}

/// Columns of one grapheme, as the terminal buffer counts them.
pub fn grapheme_width(grapheme: &str) -> usize {
    if grapheme.contains(char::is_control) {
        0
    } else {
        usize::from(grapheme.cell_width())
    }
}

/// Replaces tabs by blanks up to the next tab stop, line by line.
pub fn expand_tabs(text: &str) -> Cow<'_, str> {
    if !text.contains('\t') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + text.len() / 2);
    let mut column = 0;
    expand_into(text, &mut column, &mut out);
    Cow::Owned(out)
}

fn expand_into(text: &str, column: &mut usize, out: &mut String) {
    for grapheme in text.graphemes(true) {
        match grapheme {
            "\t" => {
                let blanks = TAB_COLUMNS - *column % TAB_COLUMNS;
                out.extend(std::iter::repeat_n(' ', blanks));
                *column += blanks;
            }
            "\n" | "\r\n" => {
                out.push_str(grapheme);
                *column = 0;
            }
            _ => {
                out.push_str(grapheme);
                *column += grapheme_width(grapheme);
            }
        }
    }
}

/// Breaks a line into rows of at most `width` columns, at blanks where possible, inside
/// words where not. Blanks at a break are dropped. A width of 0 counts as 1; a character
/// wider than the whole width gets a row of its own.
pub fn wrap(line: &Line<'_>, width: u16) -> Vec<Line<'static>> {
    wrap_indent(line, width, 0)
}

/// As [`wrap`]; every row but the first starts with `indent` blanks (at most half the
/// width, so that something of the text fits).
pub fn wrap_indent(line: &Line<'_>, width: u16, indent: u16) -> Vec<Line<'static>> {
    let columns = usize::from(width.max(1));
    let total: usize = line
        .spans
        .iter()
        .map(|span| self::width(&span.content))
        .sum();
    let has_controls = line
        .spans
        .iter()
        .any(|span| span.content.contains(char::is_control));
    if total <= columns && !has_controls {
        return vec![owned(line)];
    }
    let cleaned;
    let line = if has_controls {
        cleaned = without_controls(line);
        &cleaned
    } else {
        line
    };
    let indent = usize::from(indent)
        .min(columns / 2)
        .min(columns.saturating_sub(WIDE_COLUMNS));
    let cells = cells(line, columns - indent);
    let mut rows = Vec::with_capacity(total / columns + 1);
    let mut start = 0;
    loop {
        let prefix = if rows.is_empty() { 0 } else { indent };
        let (end, next) = break_row(&cells, start, columns - prefix);
        let mut row = row(line, cells.get(start..end).unwrap_or_default(), prefix);
        if next >= cells.len() {
            rows.push(row);
            return rows;
        }
        let cut = if next > end { CUT_AT_BLANK } else { CUT_INSIDE };
        row.spans.push(Span::styled("", cut));
        rows.push(row);
        start = next;
    }
}

/// One grapheme with what wrapping has to know about it.
struct Cell<'a> {
    text: &'a str,
    style: Style,
    columns: usize,
    is_blank: bool,
    /// A piece of a grapheme that was cut.
    is_cut: bool,
}

impl<'a> Cell<'a> {
    fn new(text: &'a str, style: Style) -> Self {
        Self {
            text,
            style,
            columns: grapheme_width(text),
            is_blank: text == " ",
            is_cut: false,
        }
    }
}

/// The graphemes of a line. One that is wider than a whole row (a pile of emoji
/// modifiers, say) comes in pieces, each on a row of its own: side by side they would
/// become one grapheme again.
fn cells<'a>(line: &'a Line<'_>, columns: usize) -> Vec<Cell<'a>> {
    let mut cells = Vec::new();
    for span in &line.spans {
        for text in span.content.graphemes(true) {
            let cell = Cell::new(text, span.style);
            if cell.columns > columns.max(WIDE_COLUMNS) {
                let cut = pieces(text).map(|piece| Cell {
                    is_cut: true,
                    ..Cell::new(piece, span.style)
                });
                cells.extend(cut);
            } else {
                cells.push(cell);
            }
        }
    }
    cells
}

/// Cuts a grapheme before each character that takes room of its own.
fn pieces(grapheme: &str) -> impl Iterator<Item = &str> {
    let mut rest = grapheme;
    std::iter::from_fn(move || {
        let has_room = |c: char| c.width().is_some_and(|columns| columns > 0);
        let cut = rest.char_indices().skip(1).find(|&(_, c)| has_room(c));
        let (piece, after) = rest.split_at_checked(cut.map_or(rest.len(), |(at, _)| at))?;
        rest = after;
        (!piece.is_empty()).then_some(piece)
    })
}

/// Where the row that starts at `start` ends, and where the next one starts.
fn break_row(cells: &[Cell<'_>], start: usize, columns: usize) -> (usize, usize) {
    let mut used = 0;
    let mut best = None;
    let mut has_text = false;
    for (index, cell) in cells.iter().enumerate().skip(start) {
        let previous = index
            .checked_sub(1)
            .filter(|&p| p >= start)
            .and_then(|p| cells.get(p));
        if has_text && !cell.is_blank && previous.is_some_and(|p| may_break_between(p, cell)) {
            best = Some(index);
        }
        used += cell.columns;
        if (used > columns || cell.is_cut) && index > start {
            let at = if cell.is_blank || cell.is_cut {
                index
            } else {
                best.unwrap_or(index)
            };
            return (trim_back(cells, start, at), skip_blanks(cells, at));
        }
        has_text |= !cell.is_blank;
    }
    (cells.len(), cells.len())
}

fn may_break_between(before: &Cell<'_>, after: &Cell<'_>) -> bool {
    /// Punctuation that belongs to the character before it.
    const CLOSING: &str = "、。，．！？：；）」』】》〉”’…!?,.:;)]}";
    before.is_blank
        || ((before.columns == 2 || after.columns == 2) && !CLOSING.contains(after.text))
}

fn trim_back(cells: &[Cell<'_>], start: usize, mut end: usize) -> usize {
    while end > start && cells.get(end - 1).is_some_and(|cell| cell.is_blank) {
        end -= 1;
    }
    end
}

fn skip_blanks(cells: &[Cell<'_>], mut index: usize) -> usize {
    while cells.get(index).is_some_and(|cell| cell.is_blank) {
        index += 1;
    }
    index
}

fn row(line: &Line<'_>, cells: &[Cell<'_>], prefix: usize) -> Line<'static> {
    let mut spans: Vec<Span<'static>> = Vec::new();
    if prefix > 0 {
        spans.push(Span::raw(" ".repeat(prefix)));
    }
    let mut text = String::new();
    let mut style = None;
    for cell in cells {
        if style != Some(cell.style) {
            if let Some(style) = style.filter(|_| !text.is_empty()) {
                spans.push(Span::styled(std::mem::take(&mut text), style));
            }
            style = Some(cell.style);
        }
        text.push_str(cell.text);
    }
    if let Some(style) = style.filter(|_| !text.is_empty()) {
        spans.push(Span::styled(text, style));
    }
    Line {
        style: line.style,
        alignment: line.alignment,
        spans,
    }
}

/// A copy of the line that owns its text.
fn owned(line: &Line<'_>) -> Line<'static> {
    let spans = line
        .spans
        .iter()
        .map(|span| Span::styled(span.content.clone().into_owned(), span.style))
        .collect();
    Line {
        style: line.style,
        alignment: line.alignment,
        spans,
    }
}

/// Tabs become blanks, line breaks become one blank, other control characters go.
pub(super) fn without_controls(line: &Line<'_>) -> Line<'static> {
    let mut column = 0;
    let mut spans = Vec::with_capacity(line.spans.len());
    for span in &line.spans {
        let mut text = String::with_capacity(span.content.len());
        expand_into(
            &span.content.replace(['\n', '\r'], " "),
            &mut column,
            &mut text,
        );
        text.retain(|c| !c.is_control());
        spans.push(Span::styled(text, span.style));
    }
    Line {
        style: line.style,
        alignment: line.alignment,
        spans,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use ratatui::style::Color;

    fn plain(line: &Line<'_>) -> String {
        line.spans
            .iter()
            .map(|span| span.content.as_ref())
            .collect()
    }

    fn visible(text: &str) -> String {
        text.chars()
            .filter(|c| !c.is_whitespace() && !c.is_control())
            .collect()
    }

    #[track_caller]
    fn check(text: &str, width: u16, expected: &[&str]) {
        let rows: Vec<String> = wrap(&Line::raw(text.to_owned()), width)
            .iter()
            .map(plain)
            .collect();
        assert_eq!(rows, expected, "{text:?}");
    }

    #[test]
    fn breaks_at_blanks_and_inside_long_words() {
        check("", 5, &[""]);
        check("one two three", 7, &["one two", "three"]);
        check("one two", 7, &["one two"]);
        check("abcdefgh", 3, &["abc", "def", "gh"]);
        check("ab cdefgh", 4, &["ab", "cdef", "gh"]);
        check("    indented text", 12, &["    indented", "text"]);
        check("a    b", 3, &["a", "b"]);
        check("abc", 0, &["a", "b", "c"]);
    }

    #[test]
    fn wide_characters_are_never_split() {
        check("你好世界", 4, &["你好", "世界"]);
        check("你好，世界", 4, &["你", "好，", "世界"]);
        check("你好世界", 3, &["你", "好", "世", "界"]);
        check("a👩‍👩‍👧b", 3, &["a👩‍👩‍👧", "b"]);
        check("e\u{301}e\u{301}", 1, &["e\u{301}", "e\u{301}"]);
    }

    #[test]
    fn widths() {
        for (text, columns) in [
            ("abc", 3),
            ("你好", 4),
            ("👩‍👩‍👧‍👦", 2),
            ("❤️", 2),
            ("👍🏽", 2),
            ("e\u{301}", 1),
            ("\u{1b}", 0),
            ("🇩🇪", 2),
        ] {
            assert_eq!(width(text), columns, "{text:?}");
        }
    }

    #[test]
    fn tabs_go_to_the_next_stop() {
        assert_eq!(expand_tabs("\ta\tb\n\tc"), "    a   b\n    c");
        assert_eq!(expand_tabs("你\tx"), "你  x");
        check("a\tb", 10, &["a   b"]);
    }

    #[test]
    fn styles_and_indent_survive() {
        let red = Style::new().fg(Color::Red);
        let line = Line::from(vec![Span::raw("plain "), Span::styled("red words", red)]);
        let rows = wrap_indent(&line, 9, 2);
        assert_eq!(
            rows.iter().map(plain).collect::<Vec<_>>(),
            ["plain red", "  words"]
        );
        assert_eq!(rows[1].spans[1].style, red);
    }

    #[test]
    fn a_broken_line_knows_what_stood_at_the_break() {
        let rows = wrap(&Line::raw("one two abcdefgh"), 4);
        let joints: Vec<_> = rows.iter().map(joint).collect();
        assert_eq!(joints, [Some(" "), Some(" "), Some(""), None]);
        let whole = wrap(&Line::raw("one two"), 7);
        assert_eq!(joint(&whole[0]), None);
    }

    fn text() -> impl Strategy<Value = String> {
        prop_oneof![
            any::<String>(),
            "[a-z ]{0,60}",
            "[ a你好，。é👍🏽\u{301}\t\u{200d}❤️]{0,30}",
        ]
    }

    proptest! {
        #[test]
        fn rows_fit_and_keep_all_visible_text(
            texts in proptest::collection::vec(text(), 1..4), width in 2u16..40, indent in 0u16..6,
        ) {
            let spans: Vec<Span<'_>> = texts
                .iter()
                .enumerate()
                .map(|(index, text)| Span::styled(text.clone(), Style::new().fg(Color::Indexed(index as u8))))
                .collect();
            let rows = wrap_indent(&Line::from(spans), width, indent);
            for row in &rows {
                let columns: usize = row.spans.iter().map(|s| self::width(&s.content)).sum();
                prop_assert!(columns <= usize::from(width), "{row:?}");
            }
            let shown: String = rows.iter().map(plain).collect();
            prop_assert_eq!(visible(&shown), visible(&texts.concat()));
        }

        #[test]
        fn one_column_keeps_the_text(text in text()) {
            let shown: String = wrap(&Line::raw(text.clone()), 1).iter().map(plain).collect();
            prop_assert_eq!(visible(&shown), visible(&text));
        }
    }
}
