//! Where a viewport begins in rows that may take several lines each. A step costs the
//! viewport, never the text.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::keys::ScrollMotion;
use super::paint;

/// Rows above one that is brought into sight.
const LEAD_ROWS: usize = 2;

/// Rows to scroll through.
pub trait ScrollRows {
    /// How many there are.
    fn count(&self) -> usize;

    /// Lines on the screen that one of them takes.
    fn lines(&self, row: usize) -> usize;
}

/// So many rows of one line each.
impl ScrollRows for usize {
    fn count(&self) -> usize {
        *self
    }

    fn lines(&self, _row: usize) -> usize {
        1
    }
}

/// The position of a viewport.
#[derive(Clone, Copy, Debug, Default)]
pub struct Scroll {
    top: ScrollTop,
    /// Lines of the viewport, as the newest layout had them.
    height: usize,
}

/// The first visible row, and how many of its lines are above the viewport.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct ScrollTop {
    row: usize,
    hidden_lines: usize,
}

impl Scroll {
    /// Takes over the viewport's height; the end of the rows stays at its bottom.
    pub fn layout(&mut self, height: usize, rows: &impl ScrollRows) {
        self.resize(height);
        self.top = self.top.min(self.last_top(rows));
    }

    /// Takes over the viewport's height and leaves the position as it is.
    pub fn resize(&mut self, height: usize) {
        self.height = height;
    }

    /// The first visible row.
    pub fn first(&self) -> usize {
        self.top.row
    }

    /// Lines of the first visible row that are above the viewport.
    pub fn hidden_lines(&self) -> usize {
        self.top.hidden_lines
    }

    /// Lines of the viewport; at least one.
    pub fn page(&self) -> usize {
        self.height.max(1)
    }

    /// The visible ones of `len` rows of one line each.
    pub fn range(&self, len: usize) -> Range<usize> {
        let first = self.top.row.min(len);
        first..first.saturating_add(self.height).min(len)
    }

    /// Scrolls.
    pub fn motion(&mut self, motion: ScrollMotion, rows: &impl ScrollRows) {
        let page = isize::try_from(self.page()).unwrap_or(isize::MAX);
        let half = (page / 2).max(1);
        match motion {
            ScrollMotion::Up => self.by(-1, rows),
            ScrollMotion::Down => self.by(1, rows),
            ScrollMotion::PageUp => self.by(-page, rows),
            ScrollMotion::PageDown => self.by(page, rows),
            ScrollMotion::HalfUp => self.by(-half, rows),
            ScrollMotion::HalfDown => self.by(half, rows),
            ScrollMotion::First => self.top = ScrollTop::default(),
            ScrollMotion::Last => self.top = self.last_top(rows),
        }
    }

    /// Puts a row of `len` at the top; the next layout goes back as far as the end demands.
    pub fn show(&mut self, row: usize, len: usize) {
        self.top = ScrollTop {
            row: row.min(len.saturating_sub(1)),
            hidden_lines: 0,
        };
    }

    /// Scrolls as far as needed to bring a row into sight.
    pub fn reveal(&mut self, row: usize, rows: &impl ScrollRows) {
        let mut used = 0;
        for at in self.top.row..=row {
            used += if at < rows.count() { rows.lines(at) } else { 0 };
            if used > self.height {
                self.show(row.saturating_sub(LEAD_ROWS), rows.count());
                return;
            }
        }
        if row < self.top.row {
            self.show(row.saturating_sub(LEAD_ROWS), rows.count());
        }
    }

    /// Scrolls as little as possible so that one of `len` rows of one line each is in sight.
    pub fn follow(&mut self, row: usize, height: usize, len: usize) {
        self.height = height;
        if height == 0 || len == 0 {
            return;
        }
        let row = row.min(len - 1);
        let lowest = row.saturating_sub(height - 1);
        let top = self.top.row.clamp(lowest, row);
        self.top = ScrollTop {
            row: top.min(len.saturating_sub(height)),
            hidden_lines: 0,
        };
    }

    /// Where the viewport is, for a status line: `all`, `top`, `37%`, `end`.
    pub fn in_words(&self, rows: &impl ScrollRows) -> String {
        let last = self.last_top(rows);
        if last == ScrollTop::default() {
            "all".to_owned()
        } else if self.top == ScrollTop::default() {
            "top".to_owned()
        } else if self.top >= last {
            "end".to_owned()
        } else {
            format!("{}%", self.top.row * 100 / rows.count().max(1))
        }
    }

    fn by(&mut self, lines: isize, rows: &impl ScrollRows) {
        let mut row = self.top.row;
        let mut line = self.top.hidden_lines as isize + lines;
        while line < 0 && row > 0 {
            row -= 1;
            line += rows.lines(row) as isize;
        }
        while row < rows.count() {
            let own = rows.lines(row) as isize;
            if line < own {
                break;
            }
            line -= own;
            row += 1;
        }
        let top = ScrollTop {
            row,
            hidden_lines: line.max(0) as usize,
        };
        self.top = top.min(self.last_top(rows));
    }

    /// The position at which the last line is at the bottom.
    fn last_top(&self, rows: &impl ScrollRows) -> ScrollTop {
        let mut left = self.height;
        for row in (0..rows.count()).rev() {
            let lines = rows.lines(row);
            if lines >= left {
                let hidden_lines = lines - left;
                return ScrollTop { row, hidden_lines };
            }
            left -= lines;
        }
        ScrollTop::default()
    }
}

/// Lines that are laid out already, with a scroll position.
#[derive(Debug, Default)]
pub struct ScrollLines {
    lines: Vec<Line<'static>>,
    scroll: Scroll,
}

impl ScrollLines {
    /// Shows these lines in a viewport of this height.
    pub fn layout(&mut self, lines: Vec<Line<'static>>, height: u16) {
        self.lines = lines;
        self.resize(height);
    }

    /// Shows the same lines in a viewport of another height.
    pub fn resize(&mut self, height: u16) {
        self.scroll.layout(height.into(), &self.lines.len());
    }

    /// How many lines there are.
    pub fn count(&self) -> usize {
        self.lines.len()
    }

    /// Lines below the viewport.
    pub fn below(&self) -> usize {
        self.count() - self.scroll.range(self.count()).end
    }

    /// Lines above the viewport.
    pub fn above(&self) -> usize {
        self.scroll.range(self.count()).start
    }

    /// Whether all lines are in sight.
    pub fn fits(&self) -> bool {
        self.count() <= self.scroll.height
    }

    /// Scrolls.
    pub fn motion(&mut self, motion: ScrollMotion) {
        self.scroll.motion(motion, &self.lines.len());
    }

    /// Scrolls by lines; up is negative.
    pub fn by(&mut self, lines: isize) {
        self.scroll.by(lines, &self.lines.len());
    }

    /// Draws what is in sight, from a column on.
    pub fn draw(&self, area: Rect, column: u16, buffer: &mut Buffer) {
        let visible = self.lines.get(self.scroll.range(self.count()));
        for (row, line) in (0..area.height).zip(visible.unwrap_or_default()) {
            paint::line(buffer, area, (column, row), line);
        }
    }
}
