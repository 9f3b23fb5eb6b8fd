//! Tool output with its colours.

use ratatui::text::Line;

use crate::tui::theme::Theme;

/// Tool output as styled lines.
pub fn lines(text: &str, theme: &Theme) -> Vec<Line<'static>> {
    text.lines()
        .map(|line| {
            Line::styled(
                super::safe::visible(&super::wrap::expand_tabs(line)).into_owned(),
                theme.text,
            )
        })
        .collect()
}
