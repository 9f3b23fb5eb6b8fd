//! The text of an answer that streams, and how it looks. A frame costs what has changed
//! since the one before it, not the whole answer: lines that are finished are framed once
//! and shared with the screen.

use std::rc::Rc;

use ratatui::text::Line;

use crate::tui::render::highlight::Highlighter;
use crate::tui::render::markdown::{MarkdownStream, TextColumns};
use crate::tui::theme::Theme;

/// See the module's description.
#[derive(Debug, Default)]
pub struct StreamedText {
    markdown: MarkdownStream,
    framed: Rc<Vec<Line<'static>>>,
    /// How many of `framed` stay as they are.
    settled: usize,
    /// Width of the cell and restarts of the Markdown that `framed` was made for.
    made_for: (u16, u64),
}

/// The context for drawing the text.
pub(super) struct StreamBrush<'a> {
    /// Columns of the cell.
    pub width: u16,
    /// Columns of the text in it.
    pub columns: TextColumns,
    pub theme: &'a Theme,
    pub highlighter: &'a Highlighter,
}

impl StreamedText {
    /// Adds what arrived.
    pub fn push(&mut self, delta: &str) {
        self.markdown.push(delta);
    }

    /// Everything that arrived so far, as it was.
    pub fn text(&self) -> &str {
        self.markdown.text()
    }

    /// The lines of everything so far. `frame` puts the gutter before lines, each for
    /// itself.
    pub(super) fn lines(
        &mut self,
        brush: &StreamBrush<'_>,
        frame: impl Fn(Vec<Line<'static>>) -> Vec<Line<'static>>,
    ) -> Rc<Vec<Line<'static>>> {
        self.markdown
            .lines(brush.columns, brush.theme, brush.highlighter);
        let made_for = (brush.width, self.markdown.restarts());
        if made_for != self.made_for {
            self.made_for = made_for;
            self.settled = 0;
        }
        // Nobody else holds the lines of the last frame: nothing is copied.
        let framed = Rc::make_mut(&mut self.framed);
        framed.truncate(self.settled);
        framed.extend(frame(self.markdown.shown_from(self.settled).to_vec()));
        self.settled = self.markdown.settled();
        Rc::clone(&self.framed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_grows_looks_like_one_that_came_at_once() {
        let (theme, highlighter) = (Theme::default(), Highlighter::new());
        let text = "# Head\n\nOne *two* three four.\n\n- a\n- b\n\n```rust\nlet x = 1;\nlet y = \
                    2;\n```\n\nThe end of it.";
        let frame = |lines: Vec<Line<'static>>| {
            let framed = lines.into_iter().map(|line| {
                let mut spans = vec!["> ".into()];
                spans.extend(line.spans);
                Line::from(spans)
            });
            framed.collect()
        };
        let brush = |width| StreamBrush {
            width,
            columns: TextColumns::from(width - 2),
            theme: &theme,
            highlighter: &highlighter,
        };
        for widths in [[40, 40], [12, 12], [40, 12]] {
            let mut grown = StreamedText::default();
            for (at, char) in text.char_indices() {
                grown.push(char.encode_utf8(&mut [0; 4]));
                let so_far = text.get(..at + char.len_utf8()).unwrap();
                let width = widths[at % 2];
                let mut whole = StreamedText::default();
                whole.push(so_far);
                let expected = whole.lines(&brush(width), frame);
                assert_eq!(grown.lines(&brush(width), frame), expected, "{so_far:?}");
            }
        }
    }
}
