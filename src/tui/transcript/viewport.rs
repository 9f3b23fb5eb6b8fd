//! The visible part of the transcript. The layout step computes it before each frame; drawing,
//! clicks and scrolling by pages read it.

use ratatui::layout::Rect;
use ratatui::text::Line;

use super::ChatLog;
use super::cell::RenderContext;
use super::highlight::RowHighlight;

/// The newest layout.
#[derive(Debug, Default)]
pub(super) struct Viewport {
    /// Where the transcript is on the screen.
    pub area: Rect,
    /// The content of each row.
    pub rows: Vec<VisibleRow>,
    highlights: Vec<RowHighlight>,
    new_lines: usize,
}

/// One row of the viewport.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VisibleRow {
    /// The cell it belongs to.
    pub cell: usize,
    /// Which line of the cell; `None` in the gap above it.
    pub line: Option<usize>,
}

impl ChatLog {
    /// Computes what is drawn in an area; `paint.width` is the area's.
    pub fn layout(&mut self, area: Rect, paint: &RenderContext<'_>) {
        let rows = if area.is_empty() {
            Vec::new()
        } else {
            self.rows(paint, area.height.into())
        };
        self.viewport = Viewport {
            area,
            highlights: self.highlights(&rows, paint),
            rows,
            new_lines: self.count_new_lines(paint),
        };
    }

    /// The rows in sight from the top down; `None` is a blank one.
    pub fn visible_lines(&self) -> impl Iterator<Item = Option<&Line<'static>>> {
        self.viewport
            .rows
            .iter()
            .map(|row| self.cells.get(row.cell)?.laid_out().get(row.line?))
    }

    /// Highlights in the rows in sight, later ones on top.
    pub fn visible_highlights(&self) -> &[RowHighlight] {
        &self.viewport.highlights
    }

    /// Lines that came since the reader left the end; 0 while following.
    pub fn new_lines(&self) -> usize {
        self.viewport.new_lines
    }

    /// Rows of the viewport; at least one.
    pub fn page(&self) -> usize {
        usize::from(self.viewport.area.height).max(1)
    }

    /// Columns of the viewport.
    pub fn width(&self) -> u16 {
        self.viewport.area.width
    }

    /// The cell at a place of the screen.
    pub fn cell_at(&self, column: u16, row: u16) -> Option<usize> {
        let Viewport { area, rows, .. } = &self.viewport;
        if !area.contains((column, row).into()) {
            return None;
        }
        let row = rows.get(usize::from(row - area.y))?;
        row.line.map(|_| row.cell)
    }
}
