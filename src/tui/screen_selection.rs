//! The selection with the mouse on a screen that hides the transcript: a stretch of the cells
//! as they are drawn, as a terminal would select it if the mouse were its own. Beside the line
//! between two columns only the side that was pressed is taken.
//!
//! Invariant: whoever moves the text below it (a key, the wheel, a size) ends it.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;

use super::render::wrap;

/// The separator of two texts side by side.
const DIVIDER: &str = "│";

/// See the module's description.
#[derive(Debug, Default)]
pub struct ScreenSelection {
    /// The screen as it was drawn last.
    area: Rect,
    /// Where the button went down, and where the pointer is since.
    press: Option<(Position, Position)>,
}

impl ScreenSelection {
    /// The screen is drawn here.
    pub fn follow(&mut self, area: Rect) {
        self.area = area;
    }

    /// Where the screen was drawn last.
    pub fn area(&self) -> Rect {
        self.area
    }

    /// The button went down.
    pub fn press(&mut self, at: Position) {
        self.press = Some((at, at));
    }

    /// The pointer moved with the button down.
    pub fn drag(&mut self, at: Position) {
        if let Some((_, head)) = &mut self.press {
            *head = at;
        }
    }

    /// Whether anything is selected: a click alone selects nothing.
    pub fn is_selecting(&self) -> bool {
        self.press.is_some_and(|(anchor, head)| anchor != head)
    }

    /// Selects nothing.
    pub fn clear(&mut self) {
        self.press = None;
    }

    /// Shows what is selected.
    pub fn tint(&self, buffer: &mut Buffer, style: Style) {
        for (row, columns) in self.stretch(buffer) {
            for column in columns {
                if let Some(cell) = buffer.cell_mut((column, row)) {
                    cell.set_style(style);
                }
            }
        }
    }

    /// The selected text of a drawn screen, without blanks at the ends of lines.
    pub fn text(&self, buffer: &Buffer) -> String {
        let rows = self.stretch(buffer).into_iter();
        let lines: Vec<String> = rows
            .map(|(row, columns)| line(buffer, row, columns))
            .collect();
        lines.join("\n")
    }

    /// The selected columns of each selected row.
    fn stretch(&self, buffer: &Buffer) -> Vec<(u16, Range<u16>)> {
        let Some((anchor, head)) = self.press.filter(|_| self.is_selecting()) else {
            return Vec::new();
        };
        let ordered = (anchor.y, anchor.x) <= (head.y, head.x);
        let (start, end) = if ordered {
            (anchor, head)
        } else {
            (head, anchor)
        };
        let side = side(buffer, start, end);
        let rows = start.y..=end.y.min(buffer.area.bottom().saturating_sub(1));
        rows.map(|row| {
            let from = if row == start.y { start.x } else { side.start };
            let upto = if row == end.y { end.x + 1 } else { side.end };
            (row, from.max(side.start)..upto.min(side.end))
        })
        .collect()
    }
}

/// The columns between the dividers around a stretch; one that it crosses is none.
fn side(buffer: &Buffer, start: Position, end: Position) -> Range<u16> {
    let is_divider = |column: &u16| {
        (start.y..=end.y).all(|row| {
            let cell = buffer.cell((*column, row));
            cell.is_some_and(|cell| cell.symbol() == DIVIDER)
        })
    };
    let (first, last) = (start.x.min(end.x), start.x.max(end.x));
    let left = (buffer.area.left()..first).rev().find(is_divider);
    let right = (last + 1..buffer.area.right()).find(is_divider);
    left.map_or(buffer.area.left(), |divider| divider + 1)..right.unwrap_or(buffer.area.right())
}

fn line(buffer: &Buffer, row: u16, columns: Range<u16>) -> String {
    let mut text = String::new();
    let mut column = columns.start;
    while column < columns.end {
        let symbol = buffer.cell((column, row)).map_or(" ", |cell| cell.symbol());
        text.push_str(symbol);
        // A wide letter is in its first cell.
        column += (wrap::width(symbol) as u16).max(1);
    }
    text.truncate(text.trim_end().len());
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn selected(rows: [&str; 3], from: (u16, u16), to: (u16, u16)) -> String {
        let area = Rect::new(0, 0, 12, 3);
        let mut buffer = Buffer::empty(area);
        for (y, row) in (0..).zip(rows) {
            buffer.set_string(0, y, row, Style::new());
        }
        let mut selection = ScreenSelection::default();
        selection.press(from.into());
        selection.drag(to.into());
        selection.text(&buffer)
    }

    #[test]
    fn beside_a_divider_only_the_side_that_was_pressed_is_selected() {
        let rows = ["left │right", "old  │new", "end  │last"];
        assert_eq!(selected(rows, (1, 0), (1, 2)), "eft\nold\nen");
        assert_eq!(selected(rows, (8, 2), (7, 0)), "ight\nnew\nlas");
        // Across it is everything, and a sign in one line divides nothing.
        assert_eq!(selected(rows, (2, 0), (8, 1)), "ft │right\nold  │new");
        let one = ["a │ b", "c d e", "f"];
        assert_eq!(selected(one, (0, 0), (0, 2)), "a │ b\nc d e\nf");
    }

    #[test]
    fn a_place_beyond_the_screen_is_its_edge() {
        let rows = ["漢字", "two", "three"];
        assert_eq!(selected(rows, (2, 0), (90, 90)), "字\ntwo\nthree");
    }
}
