//! Columns and line breaking: graphemes are never split, styles are kept, and every
//! visible grapheme of the input is in the output.
//!
//! Not a justifier and not Unicode line breaking in full: blanks, hyphen-free words, and
//! between CJK characters.

use std::borrow::Cow;

use ratatui::buffer::CellWidth as _;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_segmentation::UnicodeSegmentation as _;

/// Columns between tab stops. Four is what most code is read with.
pub const TAB_COLUMNS: usize = 4;

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
    let cells = cells(line);
    let indent = usize::from(indent).min(columns / 2);
    let mut rows = Vec::with_capacity(total / columns + 1);
    let mut start = 0;
    loop {
        let prefix = if rows.is_empty() { 0 } else { indent };
        let (end, next) = break_row(&cells, start, columns - prefix);
        rows.push(row(line, cells.get(start..end).unwrap_or_default(), prefix));
        if next >= cells.len() {
            return rows;
        }
        start = next;
    }
}

/// One grapheme with what wrapping has to know about it.
struct Cell<'a> {
    text: &'a str,
    style: Style,
    columns: usize,
    is_blank: bool,
}

fn cells<'a>(line: &'a Line<'_>) -> Vec<Cell<'a>> {
    let mut cells = Vec::new();
    for span in &line.spans {
        cells.extend(span.content.graphemes(true).map(|text| Cell {
            text,
            style: span.style,
            columns: grapheme_width(text),
            is_blank: text == " ",
        }));
    }
    cells
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
        if used > columns && index > start {
            let at = if cell.is_blank {
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

/// The same line, owning its text.
pub fn owned(line: &Line<'_>) -> Line<'static> {
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
fn without_controls(line: &Line<'_>) -> Line<'static> {
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
