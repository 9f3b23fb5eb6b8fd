//! Unified diffs.

use ratatui::text::Line;

use super::{safe, wrap};
use crate::tui::theme::Theme;

/// A unified diff as styled, wrapped lines.
pub fn unified(diff_text: &str, width: u16, theme: &Theme) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    for line in diff_text.lines() {
        let style = match line.chars().next() {
            Some('+') => theme.diff_added,
            Some('-') => theme.diff_removed,
            _ => theme.text,
        };
        let text = wrap::expand_tabs(&safe::visible(line)).into_owned();
        lines.extend(wrap::wrap(&Line::styled(text, style), width));
    }
    lines
}
