//! Where the reader is: at the end, following, or at a line of a cell. Heights are
//! measured from there, cell by cell; nobody ever adds up the whole transcript.

use std::rc::Rc;

use ratatui::text::Line;

use super::ChatLog;
use super::cell::{Body, Cell, RenderContext};
use super::viewport::VisibleRow;

/// Cells that one step through a filter may look at when jumping between messages.
const AWAY_CELLS_MEASURED: usize = 200;

/// The position of the viewport.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Position {
    /// The end, whatever comes.
    #[default]
    Follow,
    /// This line of this cell is the first row.
    At {
        /// Index of the cell.
        cell: usize,
        /// Line of the cell, the gap above it included.
        line: usize,
    },
}

/// The state when the reader left the end.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReaderGap {
    cells: usize,
    last_height: usize,
}

impl ReaderGap {
    /// Cells went: no more can have been there than there are.
    pub(super) fn keep_within(&mut self, cells: usize) {
        self.cells = self.cells.min(cells);
    }
}

impl ChatLog {
    /// Whether new lines move the viewport.
    pub fn is_following(&self) -> bool {
        self.position == Position::Follow
    }

    /// The rows to draw in a viewport of this height.
    pub(super) fn rows(&mut self, paint: &RenderContext<'_>, height: usize) -> Vec<VisibleRow> {
        let (mut at, mut skip) = self.top(paint, height);
        let mut rows = Vec::with_capacity(height);
        while rows.len() < height && at < self.cells.len() {
            let gap = self.gap(at);
            let count = self.lines(at, paint).len();
            for line in skip..gap + count {
                if rows.len() == height {
                    break;
                }
                rows.push(VisibleRow {
                    cell: at,
                    line: line.checked_sub(gap),
                });
            }
            at += 1;
            skip = 0;
        }
        rows
    }

    /// Scrolls by lines; up is negative. At the end it follows again.
    pub fn scroll(&mut self, delta: isize, paint: &RenderContext<'_>) {
        if self.cells.is_empty() {
            return;
        }
        let height = self.page();
        let (mut cell, mut line) = self.top(paint, height);
        if delta > 0 {
            grow_at_the_end(self, paint, height);
        }
        let mut left = delta.unsigned_abs();
        while left > 0 {
            if delta < 0 {
                if line >= left {
                    line -= left;
                    break;
                }
                left -= line;
                let Some(above) = cell.checked_sub(1) else {
                    line = 0;
                    break;
                };
                cell = above;
                line = self.height(cell, paint);
            } else {
                let rest = self.height(cell, paint).saturating_sub(line);
                if rest > left {
                    line += left;
                    break;
                }
                left -= rest;
                if cell + 1 >= self.cells.len() {
                    self.follow();
                    return;
                }
                cell += 1;
                line = 0;
            }
        }
        self.go(cell, line, paint);
    }

    /// To the first line.
    pub fn scroll_to_start(&mut self, paint: &RenderContext<'_>) {
        self.go(0, 0, paint);
    }

    /// To the end, and stays there.
    pub fn follow(&mut self) {
        self.position = Position::Follow;
        self.away = None;
    }

    /// To the previous (or next) message of the user.
    pub fn jump(&mut self, forward: bool, paint: &RenderContext<'_>) {
        let (top, line) = self.top(paint, self.page());
        let is_user = |at: &usize| matches!(self.cells[*at].body, Body::User(_));
        let target = if forward {
            (top + 1..self.cells.len()).find(is_user)
        } else {
            let end = if line > self.gap_at(top) {
                top + 1
            } else {
                top
            };
            (0..end.min(self.cells.len())).rev().find(is_user)
        };
        match target {
            Some(cell) => self.go(cell, self.gap(cell), paint),
            None if forward => self.follow(),
            None => self.scroll_to_start(paint),
        }
    }

    /// Makes a cell visible.
    pub fn reveal(&mut self, cell: usize, paint: &RenderContext<'_>) {
        let height = self.page();
        let is_visible = self
            .rows(paint, height)
            .iter()
            .any(|row| row.cell == cell && row.line == Some(0));
        if !is_visible {
            self.go(cell, self.gap_at(cell), paint);
        }
    }

    /// Scrolls a cell to the top of the viewport, or as near as the end allows.
    pub fn bring_to_top(&mut self, cell: usize, paint: &RenderContext<'_>) {
        self.go(cell, self.gap_at(cell), paint);
    }

    /// Makes a line of a cell visible, with `lead` lines above it when it has to scroll.
    pub fn reveal_line(
        &mut self,
        cell: usize,
        line: usize,
        lead: usize,
        paint: &RenderContext<'_>,
    ) {
        let rows = self.rows(paint, self.page());
        let is_visible = rows
            .iter()
            .any(|row| row.cell == cell && row.line == Some(line));
        if !is_visible {
            self.go(cell, self.gap_at(cell) + line, paint);
            self.scroll(-(lead as isize), paint);
        }
    }

    /// Lines that came since the reader left the end; 0 while following.
    pub(super) fn count_new_lines(&mut self, paint: &RenderContext<'_>) -> usize {
        let Some(away) = self.away else { return 0 };
        let grown = away
            .cells
            .checked_sub(1)
            .filter(|&at| at < self.cells.len());
        let grown = grown.map_or(0, |at| {
            self.height(at, paint).saturating_sub(away.last_height)
        });
        let added: usize = (away.cells..self.cells.len())
            .take(AWAY_CELLS_MEASURED)
            .map(|at| self.height(at, paint))
            .sum();
        grown + added
    }

    fn go(&mut self, cell: usize, line: usize, paint: &RenderContext<'_>) {
        if self.is_at_end(cell, line, paint) {
            self.follow();
            return;
        }
        if self.away.is_none() {
            let last = self.cells.len().checked_sub(1);
            self.away = Some(ReaderGap {
                cells: self.cells.len(),
                last_height: last.map_or(0, |at| self.height(at, paint)),
            });
        }
        self.position = Position::At { cell, line };
    }

    /// Whether everything from here on fits.
    fn is_at_end(&mut self, cell: usize, line: usize, paint: &RenderContext<'_>) -> bool {
        let mut left = self.page() + line;
        for at in cell..self.cells.len() {
            let height = self.height(at, paint);
            if height > left {
                return false;
            }
            left -= height;
        }
        true
    }

    /// The first visible line: cell, and line within it.
    fn top(&mut self, paint: &RenderContext<'_>, height: usize) -> (usize, usize) {
        if let Position::At { cell, line } = self.position
            && cell < self.cells.len()
        {
            // A cell may have become shorter, by closing or by another width.
            return (cell, line.min(self.height(cell, paint).saturating_sub(1)));
        }
        let mut left = height;
        for at in (0..self.cells.len()).rev() {
            let tall = self.height(at, paint);
            if tall >= left {
                return (at, tall - left);
            }
            left -= tall;
        }
        (0, 0)
    }

    pub(super) fn lines(&mut self, at: usize, paint: &RenderContext<'_>) -> Rc<Vec<Line<'static>>> {
        self.cells[at].lines(paint, &self.marks, self.focus == Some(at))
    }

    fn height(&mut self, at: usize, paint: &RenderContext<'_>) -> usize {
        self.gap(at) + self.lines(at, paint).len()
    }

    /// Blank lines above a cell: none at the top and between one-line cards.
    pub(super) fn gap(&self, at: usize) -> usize {
        let Some(above) = at.checked_sub(1).and_then(|above| self.cells.get(above)) else {
            return 0;
        };
        let is_dense = above.is_compact() && self.cells.get(at).is_some_and(Cell::is_compact);
        usize::from(!is_dense)
    }

    fn gap_at(&self, at: usize) -> usize {
        if at < self.cells.len() {
            self.gap(at)
        } else {
            0
        }
    }
}

/// Lets the cell at the bottom of the viewport show more, when its end is near.
fn grow_at_the_end(log: &mut ChatLog, paint: &RenderContext<'_>, height: usize) {
    let Some(last) = log.rows(paint, height).last().copied() else {
        return;
    };
    let count = log.lines(last.cell, paint).len();
    let is_near = last.line.unwrap_or(0) + height >= count;
    let cell = log.cells.get_mut(last.cell);
    if let Some(cell) = cell.filter(|cell| cell.has_more && is_near) {
        cell.grow();
    }
}
