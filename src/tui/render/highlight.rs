//! Syntax highlighting.

use ratatui::text::Line;

use super::{safe, wrap};
use crate::tui::theme::Theme;

/// Colours code. Cheap to clone; all clones share the grammars.
#[derive(Clone, Debug, Default)]
pub struct Highlighter {}

impl Highlighter {
    /// A highlighter whose grammars are not loaded yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Loads the grammars; blocks.
    pub fn warm(&self) {}

    /// Whether grammars are loaded.
    pub fn is_ready(&self) -> bool {
        false
    }

    /// Changes when highlighted text would look different than before.
    pub fn generation(&self) -> u64 {
        0
    }

    /// Code as styled lines, not wrapped.
    pub fn highlight(&self, code: &str, _language: &str, theme: &Theme) -> Vec<Line<'static>> {
        code.lines()
            .map(|line| {
                Line::styled(
                    wrap::expand_tabs(&safe::visible(line)).into_owned(),
                    theme.code,
                )
            })
            .collect()
    }
}
