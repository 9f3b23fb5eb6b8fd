//! Markdown to lines.

use ratatui::text::Line;

use super::highlight::Highlighter;
use super::{safe, wrap};
use crate::tui::theme::Theme;

/// Markdown as styled, wrapped lines.
pub fn render(
    text: &str,
    width: u16,
    theme: &Theme,
    _highlighter: &Highlighter,
) -> Vec<Line<'static>> {
    text.lines()
        .flat_map(|line| {
            let text = wrap::expand_tabs(&safe::visible(line)).into_owned();
            wrap::wrap(&Line::styled(text, theme.text), width)
        })
        .collect()
}

/// Markdown that is still arriving.
#[derive(Debug, Default)]
pub struct MarkdownStream {
    text: String,
    lines: Vec<Line<'static>>,
}

impl MarkdownStream {
    /// An empty stream.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds what arrived.
    pub fn push(&mut self, delta: &str) {
        self.text.push_str(delta);
    }

    /// The lines of everything so far.
    pub fn lines(
        &mut self,
        width: u16,
        theme: &Theme,
        highlighter: &Highlighter,
    ) -> &[Line<'static>] {
        self.lines = render(&self.text, width, theme, highlighter);
        &self.lines
    }

    /// Everything so far.
    pub fn text(&self) -> &str {
        &self.text
    }
}
