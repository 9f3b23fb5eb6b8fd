//! Rows of the screen: where they begin, and how a line is put into one.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Line;

/// One column of margin where there is room for it.
pub(super) fn indented(area: Rect) -> Rect {
    const MARGIN_FROM: u16 = 40;
    if area.width < MARGIN_FROM {
        return area;
    }
    Rect {
        x: area.x + 1,
        width: area.width - 2,
        ..area
    }
}

/// Puts a line into a row of an area, cut at its edge.
pub(super) fn put(buffer: &mut Buffer, area: Rect, row: u16, line: &Line<'_>) {
    if row < area.height {
        buffer.set_line(area.x, area.y + row, line, area.width);
    }
}

/// Fills an area with blanks in a style.
pub(super) fn blank(buffer: &mut Buffer, area: Rect, style: Style) {
    for position in area.positions() {
        if let Some(cell) = buffer.cell_mut(position) {
            cell.reset();
            cell.set_style(style);
        }
    }
}

/// A line with a half at the left edge and one at the right, which yields.
pub(super) fn halves(area: Rect, buffer: &mut Buffer, left: &Line<'_>, right: &Line<'_>) {
    put(buffer, area, 0, left);
    let width = right.width() as u16;
    if width < area.width && left.width() + right.width() < usize::from(area.width) {
        let place = Rect {
            x: area.right() - width,
            width,
            ..area
        };
        put(buffer, place, 0, right);
    }
}
