//! The selection with the mouse: a stretch of the transcript, not of the screen. It stays on
//! its text while that scrolls, and is copied as it was before it was broken to fit.

use std::ops::Range;

use ratatui::text::Line;

use super::ChatLog;
use super::cell::RenderContext;
use super::lines;
use super::shown::{Glyph, continued, glyphs};
use super::viewport::{Viewport, VisibleRow};
use crate::transcript::Timestamp;
use crate::tui::render::wrap;

/// A second click within this time is part of the first one.
const MULTI_CLICK_MS: i64 = 400;
/// Letters besides alphanumeric ones that a double click takes along: paths, addresses.
const WORD_SIGNS: &str = "_-./~:@+%#?&=";

/// A place in the transcript: where the pointer was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TextPlace {
    cell: usize,
    line: usize,
    /// The column, gutter included.
    column: usize,
}

/// How much one step of the pointer takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum SelectionUnit {
    /// The letter under the pointer.
    #[default]
    Letter,
    Word,
    /// The line, as it was before it was broken.
    Line,
}

/// The button's last press, and what it selects.
#[derive(Clone, Copy, Debug)]
pub(super) struct PointerPress {
    anchor: TextPlace,
    head: TextPlace,
    unit: SelectionUnit,
    at: Timestamp,
    /// A click alone selects nothing.
    is_selecting: bool,
}

impl PointerPress {
    fn range(&self) -> (TextPlace, TextPlace) {
        (self.anchor.min(self.head), self.anchor.max(self.head))
    }
}

impl ChatLog {
    /// The button went down. False outside the transcript.
    pub fn press(&mut self, column: u16, row: u16, now: Timestamp) -> bool {
        let Some(place) = self.place_at(column, row) else {
            self.press = None;
            return false;
        };
        let again = self.press.filter(|last| {
            now.0.saturating_sub(last.at.0) <= MULTI_CLICK_MS
                && (last.anchor.cell, last.anchor.line) == (place.cell, place.line)
                && last.anchor.column.abs_diff(place.column) <= 1
        });
        let unit = match again.map(|last| last.unit) {
            Some(SelectionUnit::Letter) => SelectionUnit::Word,
            Some(SelectionUnit::Word) => SelectionUnit::Line,
            Some(SelectionUnit::Line) | None => SelectionUnit::Letter,
        };
        self.press = Some(PointerPress {
            anchor: place,
            head: place,
            unit,
            at: now,
            is_selecting: unit != SelectionUnit::Letter,
        });
        true
    }

    /// The pointer moved with the button down; beyond an edge the text scrolls along.
    pub fn drag(&mut self, column: u16, row: u16, paint: &RenderContext<'_>) {
        if self.press.is_none() {
            return;
        }
        let area = self.viewport.area;
        if area.is_empty() {
            return;
        }
        if row < area.y {
            self.scroll(-1, paint);
        } else if row >= area.bottom() {
            self.scroll(1, paint);
        }
        let column = column.clamp(area.x, area.right() - 1);
        let row = row.clamp(area.y, area.bottom() - 1);
        if let (Some(place), Some(press)) = (self.place_at(column, row), &mut self.press) {
            press.is_selecting |= place != press.anchor;
            press.head = place;
        }
    }

    /// Whether anything is selected.
    pub fn is_selecting(&self) -> bool {
        self.press.is_some_and(|press| press.is_selecting)
    }

    /// Selects nothing; false when nothing was.
    pub fn deselect(&mut self) -> bool {
        self.press.take().is_some_and(|press| press.is_selecting)
    }

    /// The selected text. Empty when nothing is selected.
    pub fn selected_text(&mut self, paint: &RenderContext<'_>) -> String {
        let Some(press) = self.press.filter(|press| press.is_selecting) else {
            return String::new();
        };
        let (start, end) = press.range();
        let gutter = usize::from(lines::gutter(paint.width));
        let mut text = String::new();
        let mut joint = None;
        for cell in start.cell..=end.cell.min(self.cells.len().saturating_sub(1)) {
            let rows = self.lines(cell, paint);
            if cell > start.cell {
                // The blank line above a cell is one in the copy too.
                text.push_str(if self.gap(cell) > 0 { "\n\n" } else { "\n" });
                joint = None;
            }
            let (from, to) = reach(&press, cell, &rows);
            for (nth, at) in (from..=to).enumerate() {
                let Some(row) = rows.get(at) else { break };
                // A blank line has no columns and is a line all the same.
                let columns = selected(&press, cell, at, &rows, gutter).unwrap_or_default();
                let taken = |it: &Glyph<'_>| columns.contains(&it.columns.start);
                if let Some(joint) = joint {
                    text.push_str(joint);
                    text.extend(continued(row, gutter).filter(taken).map(|it| it.text));
                } else {
                    text.push_str(if nth > 0 { "\n" } else { "" });
                    text.extend(glyphs(row, gutter).filter(taken).map(|it| it.text));
                }
                joint = wrap::joint(row);
                if joint.is_none() {
                    text.truncate(text.trim_end_matches(' ').len());
                }
            }
        }
        text
    }

    /// The selected columns of a line; `None` when nothing of it is.
    pub(super) fn selected_columns(
        &self,
        cell: usize,
        line: usize,
        rows: &[Line<'_>],
        gutter: usize,
    ) -> Option<Range<usize>> {
        let press = self.press.as_ref().filter(|press| press.is_selecting)?;
        selected(press, cell, line, rows, gutter)
    }

    fn place_at(&self, column: u16, row: u16) -> Option<TextPlace> {
        let Viewport { area, rows, .. } = &self.viewport;
        if !area.contains((column, row).into()) {
            return None;
        }
        let row = usize::from(row - area.y);
        let column = usize::from(column - area.x);
        let place = |&VisibleRow { cell, line }: &VisibleRow| match line {
            Some(line) => TextPlace { cell, line, column },
            // The gap belongs to the start of what is below it.
            None => TextPlace {
                cell,
                line: 0,
                column: 0,
            },
        };
        let below_all = || {
            let VisibleRow { cell, line } = *rows.last()?;
            Some(TextPlace {
                cell,
                line: line.unwrap_or(0),
                column: usize::MAX,
            })
        };
        rows.get(row).map(place).or_else(below_all)
    }
}

/// First and last line of a cell that a selection touches.
fn reach(press: &PointerPress, cell: usize, rows: &[Line<'_>]) -> (usize, usize) {
    let (start, end) = press.range();
    let last = rows.len().saturating_sub(1);
    let mut from = if cell == start.cell { start.line } else { 0 };
    let mut to = if cell == end.cell { end.line } else { last };
    if press.unit == SelectionUnit::Line {
        let goes_on = |at: usize| rows.get(at).is_some_and(|row| wrap::joint(row).is_some());
        while from > 0 && goes_on(from - 1) {
            from -= 1;
        }
        while to < last && goes_on(to) {
            to += 1;
        }
    }
    (from, to.min(last))
}

fn selected(
    press: &PointerPress,
    cell: usize,
    line: usize,
    rows: &[Line<'_>],
    gutter: usize,
) -> Option<Range<usize>> {
    let (start, end) = press.range();
    if cell < start.cell || cell > end.cell {
        return None;
    }
    let (from, to) = reach(press, cell, rows);
    if line < from || line > to {
        return None;
    }
    let row = rows.get(line)?;
    let width = glyphs(row, 0).last().map_or(0, |it| it.columns.end);
    let mut columns = gutter..width;
    if press.unit != SelectionUnit::Line {
        if (cell, line) == (start.cell, start.line) {
            columns.start = edge(press.unit, row, gutter, start.column)
                .start
                .max(gutter);
        }
        if (cell, line) == (end.cell, end.line) {
            columns.end = edge(press.unit, row, gutter, end.column).end.min(width);
        }
    }
    (columns.start < columns.end).then_some(columns)
}

/// The columns of the letter or word at a column.
fn edge(unit: SelectionUnit, row: &Line<'_>, gutter: usize, column: usize) -> Range<usize> {
    let is_in_word = |text: &str| {
        text.chars()
            .any(|c| c.is_alphanumeric() || WORD_SIGNS.contains(c))
    };
    let mut word: Option<Range<usize>> = None;
    for glyph in glyphs(row, gutter) {
        let is_here = glyph.columns.contains(&column);
        if unit == SelectionUnit::Letter || !is_in_word(glyph.text) {
            if is_here {
                return glyph.columns;
            }
            if let Some(word) = word.take().filter(|word| word.contains(&column)) {
                return word;
            }
            continue;
        }
        let start = word.map_or(glyph.columns.start, |word| word.start);
        word = Some(start..glyph.columns.end);
    }
    word.filter(|word| word.contains(&column))
        .unwrap_or(column..column.saturating_add(1))
}
