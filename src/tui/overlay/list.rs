//! The cursor of a list and the part of it that is visible. Knows positions only, never
//! what stands there; a list of a million rows costs no more than one of ten.
//!
//! Invariant: after [`ListCursor::viewport`] the selected row is inside the range it gave.

use std::cell::Cell;
use std::ops::Range;

use crossterm::event::KeyEvent;

use super::keys::Motion;

/// Which row is selected, and which rows are on screen.
#[derive(Debug, Default)]
pub struct ListCursor {
    selected: usize,
    // Drawing knows the height, and drawing borrows: hence the cells.
    top: Cell<usize>,
    height: Cell<usize>,
}

impl ListCursor {
    /// The selected row, or 0 in an empty list.
    pub fn selected(&self) -> usize {
        self.selected
    }

    /// Selects a row of a list of `len`; the nearest when there is no such row.
    pub fn select(&mut self, row: usize, len: usize) {
        self.selected = row.min(len.saturating_sub(1));
    }

    /// Moves within a list of `len`.
    pub fn motion(&mut self, motion: Motion, len: usize) {
        let page = self.height.get().max(1);
        let at = self.selected;
        let to = match motion {
            Motion::Up => at.saturating_sub(1),
            Motion::Down => at.saturating_add(1),
            Motion::PageUp => at.saturating_sub(page),
            Motion::PageDown => at.saturating_add(page),
            Motion::HalfUp => at.saturating_sub(page.div_ceil(2)),
            Motion::HalfDown => at.saturating_add(page.div_ceil(2)),
            Motion::First => 0,
            Motion::Last => len,
        };
        self.select(to, len);
    }

    /// Takes a key that moves in a list of `len`; false when it means nothing here.
    pub fn on_key(&mut self, key: KeyEvent, len: usize) -> bool {
        let motion = Motion::from_key(key);
        if let Some(motion) = motion {
            self.motion(motion, len);
        }
        motion.is_some()
    }

    /// The rows to draw in `height` lines of a list of `len`, moved as little as
    /// possible since the last time.
    pub fn viewport(&self, height: u16, len: usize) -> Range<usize> {
        self.viewport_at(self.selected, height, len)
    }

    /// The same when another row than the own one has to be visible.
    pub fn viewport_at(&self, selected: usize, height: u16, len: usize) -> Range<usize> {
        let height = usize::from(height);
        self.height.set(height);
        if height == 0 || len == 0 {
            return 0..0;
        }
        let selected = selected.min(len - 1);
        let lowest = selected.saturating_sub(height - 1);
        let top = self
            .top
            .get()
            .clamp(lowest, selected)
            .min(len.saturating_sub(height));
        self.top.set(top);
        top..(top + height).min(len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_selected_row_stays_visible() {
        let mut cursor = ListCursor::default();
        assert_eq!(cursor.viewport(5, 100), 0..5);
        cursor.motion(Motion::PageDown, 100);
        assert_eq!(cursor.selected(), 5);
        assert_eq!(cursor.viewport(5, 100), 1..6);
        cursor.motion(Motion::Last, 100);
        assert_eq!(cursor.viewport(5, 100), 95..100);
        cursor.motion(Motion::Up, 100);
        assert_eq!(
            cursor.viewport(5, 100),
            95..100,
            "no jump while still visible"
        );
        cursor.motion(Motion::First, 100);
        assert_eq!(cursor.viewport(5, 100), 0..5);
    }

    #[test]
    fn a_list_that_shrinks_keeps_a_valid_cursor() {
        let mut cursor = ListCursor::default();
        cursor.select(50, 100);
        assert_eq!(cursor.viewport(10, 3), 0..3);
        cursor.select(cursor.selected(), 3);
        assert_eq!(cursor.selected(), 2);
        assert_eq!(cursor.viewport(10, 0), 0..0);
        assert_eq!(cursor.viewport(0, 3), 0..0);
    }
}
