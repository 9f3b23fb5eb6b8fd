//! The cursor of a list and the part of it that is visible. Knows positions only, never
//! what is there; a list of a million rows costs no more than one of ten.
//!
//! Invariant: after [`ListCursor::layout`] the selected row is visible.

use super::keys::ScrollMotion;
use super::scroll::Scroll;

/// Which row is selected, and which rows are on screen.
#[derive(Debug, Default)]
pub struct ListCursor {
    selected: usize,
    scroll: Scroll,
    /// The row that the newest layout kept in sight, and how many there were.
    shown: usize,
    len: usize,
}

/// A row on screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VisibleItem {
    /// The line of the viewport.
    pub line: u16,
    /// The position in the list.
    pub at: usize,
    /// Whether the cursor is on it.
    pub is_selected: bool,
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
    pub fn motion(&mut self, motion: ScrollMotion, len: usize) {
        let page = self.scroll.page();
        let at = self.selected;
        let to = match motion {
            ScrollMotion::Up => at.saturating_sub(1),
            ScrollMotion::Down => at.saturating_add(1),
            ScrollMotion::PageUp => at.saturating_sub(page),
            ScrollMotion::PageDown => at.saturating_add(page),
            ScrollMotion::HalfUp => at.saturating_sub(page.div_ceil(2)),
            ScrollMotion::HalfDown => at.saturating_add(page.div_ceil(2)),
            ScrollMotion::First => 0,
            ScrollMotion::Last => len,
        };
        self.select(to, len);
    }

    /// Scrolls a list of `len` in `height` lines as little as possible, so that the selected
    /// row is visible.
    pub fn layout(&mut self, height: u16, len: usize) {
        self.layout_around(self.selected, height, len);
    }

    /// Keeps another row visible than the selected one, where rows on screen are others than
    /// those that are selected among.
    pub fn layout_around(&mut self, row: usize, height: u16, len: usize) {
        self.scroll.follow(row, height.into(), len);
        (self.shown, self.len) = (row, len);
    }

    /// The rows in sight, from the top down.
    pub fn visible(&self) -> impl Iterator<Item = VisibleItem> + use<> {
        let shown = self.shown;
        (0..)
            .zip(self.scroll.range(self.len))
            .map(move |(line, at)| VisibleItem {
                line,
                at,
                is_selected: at == shown,
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn visible(cursor: &mut ListCursor, height: u16, len: usize) -> Vec<usize> {
        cursor.layout(height, len);
        cursor.visible().map(|item| item.at).collect()
    }

    #[test]
    fn the_selected_row_stays_visible() {
        let mut cursor = ListCursor::default();
        assert_eq!(visible(&mut cursor, 5, 100), (0..5).collect::<Vec<_>>());
        cursor.motion(ScrollMotion::PageDown, 100);
        assert_eq!(cursor.selected(), 5);
        assert_eq!(visible(&mut cursor, 5, 100), (1..6).collect::<Vec<_>>());
        cursor.motion(ScrollMotion::Last, 100);
        assert_eq!(visible(&mut cursor, 5, 100), (95..100).collect::<Vec<_>>());
        cursor.motion(ScrollMotion::Up, 100);
        assert_eq!(
            visible(&mut cursor, 5, 100),
            (95..100).collect::<Vec<_>>(),
            "no jump while still visible"
        );
        cursor.motion(ScrollMotion::First, 100);
        assert_eq!(visible(&mut cursor, 5, 100), (0..5).collect::<Vec<_>>());
    }

    #[test]
    fn a_list_that_shrinks_keeps_a_valid_cursor() {
        let mut cursor = ListCursor::default();
        cursor.select(50, 100);
        assert_eq!(visible(&mut cursor, 10, 3), (0..3).collect::<Vec<_>>());
        cursor.select(cursor.selected(), 3);
        assert_eq!(cursor.selected(), 2);
        assert_eq!(visible(&mut cursor, 10, 0), (0..0).collect::<Vec<_>>());
        assert_eq!(visible(&mut cursor, 0, 3), (0..0).collect::<Vec<_>>());
    }
}
