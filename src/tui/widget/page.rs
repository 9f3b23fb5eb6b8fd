//! The layout of a screen with a title: the title with a remark, a rule, the body, the rows
//! of the keys.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::paint;
use crate::tui::theme::Theme;

/// Rows above the body: the title and a rule.
pub const HEAD_ROWS: u16 = 2;

/// The frame of a body.
pub struct Page<'a> {
    /// On the left of the first row; made safe.
    pub title: &'a str,
    /// On its right; safe already.
    pub remark: &'a str,
}

impl Page<'_> {
    /// Draws title and rule on a blank area.
    pub fn draw(&self, area: Rect, buffer: &mut Buffer, theme: &Theme) {
        paint::clear(buffer, area, theme.text);
        paint::title(buffer, area, self.title, self.remark, theme);
        paint::rule(buffer, area, 1, theme);
    }
}
