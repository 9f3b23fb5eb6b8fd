//! What a sheet that fills the screen looks like: a title with a remark, a rule, the rows,
//! the keys.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::paint;
use super::sheet::Sheet;
use crate::tui::theme::Theme;

/// A sheet with what stands around it.
pub(super) struct Page<'a> {
    pub title: &'a str,
    /// What is said at the right end, made of where the screen stands.
    pub remark: &'a dyn Fn(&str) -> String,
    pub sheet: &'a Sheet,
    /// In two columns.
    pub split: bool,
    pub hints: &'a [(&'a str, &'a str)],
}

impl Page<'_> {
    /// Draws everything; answers where the caret of a search is.
    pub(super) fn draw(&self, area: Rect, buffer: &mut Buffer, theme: &Theme) -> Option<Position> {
        paint::clear(buffer, area, theme.text);
        let body = paint::inner(area, 2, 1);
        let caret = self.sheet.draw(body, buffer, self.split, theme);
        // Only what was drawn says where it stands.
        let remark = (self.remark)(&self.sheet.place());
        paint::title(buffer, area, 0, (self.title, &remark), theme);
        paint::rule(buffer, area, 1, theme);
        let bottom = area.height.saturating_sub(1);
        paint::hints(buffer, area, bottom, self.hints, theme);
        caret
    }
}
