//! Drawing that cannot leave its area: text, titles, rules and key hints. Everything a
//! screen on top shows goes through here, so a 1×1 terminal is as safe as a large one.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::Line;

use crate::tui::render::{safe, wrap};
use crate::tui::theme::Theme;

/// The separator of two keys of a footer, and its columns.
const HINT_GAP: &str = " · ";
const HINT_GAP_COLUMNS: usize = 3;

/// The part of `area` that the buffer has.
pub fn clip(area: Rect, buffer: &Buffer) -> Rect {
    area.intersection(buffer.area)
}

/// Blanks an area.
pub fn clear(buffer: &mut Buffer, area: Rect, style: Style) {
    let area = clip(area, buffer);
    for y in area.top()..area.bottom() {
        for x in area.left()..area.right() {
            if let Some(cell) = buffer.cell_mut((x, y)) {
                cell.reset();
                cell.set_style(style);
            }
        }
    }
}

/// Puts text at column and row of an area, at most `width` columns of it. The text
/// must be safe already. Returns the columns used.
pub fn text(
    buffer: &mut Buffer,
    area: Rect,
    at: impl Into<Position>,
    width: u16,
    text: &str,
    style: Style,
) -> u16 {
    let place = at.into();
    let Some(at) = position(buffer, area, place) else {
        return 0;
    };
    let width = width.min(area.width.saturating_sub(place.x));
    let (x, _) = buffer.set_stringn(at.x, at.y, text, usize::from(width), style);
    x.saturating_sub(at.x)
}

/// Puts a line of spans into a row.
pub fn line(buffer: &mut Buffer, area: Rect, at: impl Into<Position>, line: &Line<'_>) {
    let place = at.into();
    if let Some(at) = position(buffer, area, place) {
        buffer.set_line(at.x, at.y, line, area.width.saturating_sub(place.x));
    }
}

/// Puts text at the right end of a row if `column` leaves room for all of it.
pub fn right(buffer: &mut Buffer, area: Rect, at: impl Into<Position>, label: &str, style: Style) {
    let Position { x: column, y: row } = at.into();
    let width = wrap::width(label) as u16;
    if column.saturating_add(width) < area.width {
        text(buffer, area, (area.width - width, row), width, label, style);
    }
}

/// Words with a remark at the right end of their row.
pub struct RemarkedWords<'a> {
    /// The words; made safe.
    pub words: &'a str,
    /// How they look.
    pub style: Style,
    /// The remark; safe already.
    pub remark: &'a str,
    /// Columns that the words leave for the remark.
    pub remark_columns: u16,
    /// How the remark looks.
    pub remark_style: Style,
}

impl RemarkedWords<'_> {
    /// Draws them into the row of `at`, from its column on.
    pub fn draw(&self, buffer: &mut Buffer, area: Rect, at: impl Into<Position>) {
        let at = at.into();
        let taken = at.x.saturating_add(self.remark_columns);
        let room = area.width.saturating_sub(taken);
        let shown = safe::one_line(self.words, usize::from(room));
        text(buffer, area, at, room, &shown, self.style);
        let remark = format!("{} ", self.remark);
        right(buffer, area, at, &remark, self.remark_style);
    }
}

/// The screen position of a cell of an area, when it exists.
pub fn position(buffer: &Buffer, area: Rect, at: impl Into<Position>) -> Option<Position> {
    let place = at.into();
    let at = Position::new(area.x.checked_add(place.x)?, area.y.checked_add(place.y)?);
    (clip(area, buffer).contains(at)).then_some(at)
}

/// Lays a style over a whole row.
pub fn tint(buffer: &mut Buffer, area: Rect, row: u16, style: Style) {
    let strip = Rect::new(area.x, area.y.saturating_add(row), area.width, 1);
    if row < area.height {
        buffer.set_style(clip(strip, buffer), style);
    }
}

/// A horizontal rule.
pub fn rule(buffer: &mut Buffer, area: Rect, row: u16, theme: &Theme) {
    for column in 0..area.width {
        text(buffer, area, (column, row), 1, "─", theme.border);
    }
}

/// Shows that the cursor of a list is on a row.
pub fn cursor(buffer: &mut Buffer, area: Rect, row: u16, theme: &Theme) {
    tint(buffer, area, row, theme.selection);
    text(buffer, area, (0, row), 1, "›", theme.accent);
}

/// A title on the left and a remark on the right of the first row.
pub fn title(buffer: &mut Buffer, area: Rect, title: &str, remark: &str, theme: &Theme) {
    let shown = safe::one_line(title, usize::from(area.width.saturating_sub(1)));
    let used = text(buffer, area, (1, 0), area.width, &shown, theme.heading);
    right(
        buffer,
        area,
        (used + 2, 0),
        &format!("{remark} "),
        theme.dim,
    );
}

/// A key and what it does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyHint {
    /// The key, or several.
    pub key: String,
    /// Its action in a word or two.
    pub words: String,
}

impl KeyHint {
    /// A hint.
    pub fn new(key: impl Into<String>, words: impl Into<String>) -> Self {
        Self {
            key: key.into(),
            words: words.into(),
        }
    }

    fn width(&self) -> usize {
        wrap::width(&self.key) + 1 + wrap::width(&self.words)
    }
}

/// The words of the help's key where all hints are shown, and where some are not.
const ALL_SHOWN: &str = "help";
const MORE: &str = "more";

/// Whether hints fit in one row, with the key of the help at the end.
pub fn hints_fit(hints: &[KeyHint], help: &str, width: u16) -> bool {
    let end = KeyHint::new(help, ALL_SHOWN);
    let all: Vec<&KeyHint> = hints.iter().chain([&end]).collect();
    row_width(&all) <= hint_room(width)
}

/// Keys and what they do in the last `rows` rows, in their order, as many as fit; at the end
/// the key of the help, which says whether there is more.
pub fn hint_rows(
    buffer: &mut Buffer,
    area: Rect,
    rows: u16,
    hints: &[KeyHint],
    help: &str,
    theme: &Theme,
) {
    let room = hint_room(area.width);
    let ends = [ALL_SHOWN, MORE].map(|words| KeyHint::new(help, words));
    let whole = hints.iter().chain([&ends[0]]).collect();
    let lines = split_hints(whole, rows, room).unwrap_or_else(|| {
        let beginnings = (0..hints.len()).rev().map(|count| {
            let first = hints.get(..count).unwrap_or_default();
            first.iter().chain([&ends[1]]).collect::<Vec<_>>()
        });
        let mut fitting = beginnings.filter_map(|it| split_hints(it, rows, room));
        // Cut, the first one still says more than nothing.
        fitting
            .next()
            .unwrap_or_else(|| vec![hints.iter().take(1).collect()])
    });
    let top = area.height.saturating_sub(lines.len() as u16);
    for (row, line) in (top..).zip(lines) {
        hint_row(buffer, area, row, &line, theme);
    }
}

/// Hints in at most this many rows; `None` when they need more.
fn split_hints(hints: Vec<&KeyHint>, rows: u16, room: usize) -> Option<Vec<Vec<&KeyHint>>> {
    let mut lines: Vec<Vec<&KeyHint>> = vec![Vec::new()];
    for hint in hints {
        let line = lines.last_mut()?;
        line.push(hint);
        if row_width(line) > room {
            line.pop();
            if line.is_empty() {
                return None;
            }
            lines.push(vec![hint]);
            if hint.width() > room {
                return None;
            }
        }
    }
    (lines.len() <= usize::from(rows)).then_some(lines)
}

fn row_width(hints: &[&KeyHint]) -> usize {
    let gaps = hints.len().saturating_sub(1) * HINT_GAP_COLUMNS;
    hints.iter().map(|hint| hint.width()).sum::<usize>() + gaps
}

/// The column of the first hint.
fn hint_column(width: u16) -> u16 {
    u16::from(width > 20)
}

fn hint_room(width: u16) -> usize {
    usize::from(width.saturating_sub(hint_column(width)))
}

fn hint_row(buffer: &mut Buffer, area: Rect, row: u16, hints: &[&KeyHint], theme: &Theme) {
    let mut column = hint_column(area.width);
    for (at, hint) in hints.iter().enumerate() {
        if at > 0 {
            let gap = HINT_GAP_COLUMNS as u16;
            column += text(buffer, area, (column, row), gap, HINT_GAP, theme.border);
        }
        column += text(
            buffer,
            area,
            (column, row),
            area.width,
            &hint.key,
            theme.accent,
        );
        column += 1;
        column += text(
            buffer,
            area,
            (column, row),
            area.width,
            &hint.words,
            theme.dim,
        );
    }
}

/// Keys and what they do in the last row, as many as fit; the first ones matter most, and the
/// way out stays. Where some do not fit, the key of the help says that there is more, or a
/// sign where that has no room either.
pub fn hints(buffer: &mut Buffer, area: Rect, hints: &[KeyHint], help: &str, theme: &Theme) {
    let row = area.height.saturating_sub(1);
    let room = hint_room(area.width);
    let mut shown = fitting(hints, room);
    let more = KeyHint::new(help, MORE);
    let used = row_width(&shown);
    let is_cut = shown.len() < hints.len();
    let has_room = used + HINT_GAP_COLUMNS + more.width() <= room;
    let names_help = is_cut && has_room && !help.is_empty();
    if names_help {
        shown.push(&more);
    }
    hint_row(buffer, area, row, &shown, theme);
    if is_cut && !names_help && used + 2 <= room {
        let end = hint_column(area.width) + used as u16 + 1;
        text(buffer, area, (end, row), 1, "…", theme.accent);
    }
}

/// The longest beginning that fits in `room` columns together with what `esc` does; where
/// there is no room for two, the first one.
fn fitting(hints: &[KeyHint], room: usize) -> Vec<&KeyHint> {
    let is_exit = |hint: &KeyHint| hint.key.trim_end_matches(':').eq_ignore_ascii_case("esc");
    let exit = hints.iter().position(is_exit);
    let mut beginnings = (1..=hints.len()).rev().map(|count| {
        let exit = exit.filter(|at| *at >= count).and_then(|at| hints.get(at));
        hints.iter().take(count).chain(exit).collect::<Vec<_>>()
    });
    let alone = hints.iter().take(1).collect();
    beginnings
        .find(|shown| row_width(shown) <= room)
        .unwrap_or(alone)
}

/// Cuts rows off an area: `top` at its start and `bottom` at its end.
pub fn inner(area: Rect, top: u16, bottom: u16) -> Rect {
    let top = top.min(area.height);
    let height = area.height.saturating_sub(top).saturating_sub(bottom);
    Rect::new(area.x, area.y.saturating_add(top), area.width, height)
}

/// An area without its first and last column, where it has more than two.
pub fn margin(area: Rect) -> Rect {
    if area.width < 3 {
        return area;
    }
    Rect {
        x: area.x + 1,
        width: area.width - 2,
        ..area
    }
}
