//! A text area of several lines, for changing a text in place. Edits whole graphemes; long
//! lines are broken at the edge of the screen.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::scroll::Scroll;
use super::text::{Breaks, Buffer as TextBuffer, Layout, Motion, Piece};
use super::{keys, paint};
use crate::tui::theme::Theme;

/// Lines per screen up or down.
const PAGE_LINES: isize = 10;

/// Lines of text with a caret.
#[derive(Debug, Default)]
pub struct TextArea {
    buffer: TextBuffer,
    /// The text at the beginning.
    original: String,
    scroll: Scroll,
    /// The rows at the width of the newest layout.
    layout: Option<Layout>,
}

impl TextArea {
    /// A text area with the caret at the start of a text.
    pub fn new(text: &str) -> Self {
        let mut buffer = TextBuffer::default();
        buffer.insert(text);
        buffer.go(Motion::Start);
        Self {
            original: buffer.text(),
            buffer,
            ..Self::default()
        }
    }

    /// The text as it is now.
    pub fn text(&self) -> String {
        self.buffer.text()
    }

    /// Whether it is another text than at the beginning.
    pub fn is_changed(&self) -> bool {
        self.text() != self.original
    }

    /// Inserts text with its line breaks; other control characters but tabs are left away.
    pub fn insert(&mut self, text: &str) {
        let clean: String = text
            .chars()
            .filter(|c| matches!(c, '\n' | '\t') || !c.is_control())
            .collect();
        self.buffer.insert(&clean);
    }

    /// Takes a key; false when it means nothing here.
    pub fn on_key(&mut self, key: KeyEvent) -> bool {
        if let Some(c) = keys::typed(key) {
            self.insert(c.encode_utf8(&mut [0; 4]));
            return true;
        }
        let buffer = &mut self.buffer;
        match (key.code, keys::ctrl(key)) {
            (KeyCode::Enter, _) => buffer.insert("\n"),
            (KeyCode::Tab, _) => buffer.insert("\t"),
            (KeyCode::Backspace, _) => buffer.delete(Motion::Left),
            (KeyCode::Delete, _) | (_, Some('d')) => buffer.delete(Motion::Right),
            (KeyCode::Left, _) | (_, Some('b')) => buffer.go(Motion::Left),
            (KeyCode::Right, _) | (_, Some('f')) => buffer.go(Motion::Right),
            (KeyCode::Up, _) | (_, Some('p')) => self.go_by_lines(-1),
            (KeyCode::Down, _) | (_, Some('n')) => self.go_by_lines(1),
            (KeyCode::PageUp, _) => self.go_by_lines(-PAGE_LINES),
            (KeyCode::PageDown, _) => self.go_by_lines(PAGE_LINES),
            (KeyCode::Home, _) | (_, Some('a')) => buffer.go(Motion::LineStart),
            (KeyCode::End, _) | (_, Some('e')) => buffer.go(Motion::LineEnd),
            (_, Some('k')) => buffer.kill(Motion::LineEnd),
            _ => return false,
        }
        true
    }

    /// To another line, at the same number of graphemes; no further than the first and the
    /// last line.
    fn go_by_lines(&mut self, lines: isize) {
        let column = self.buffer.caret() - self.buffer.target(Motion::LineStart);
        for _ in 0..lines.unsigned_abs() {
            let edge = if lines < 0 {
                let start = self.buffer.target(Motion::LineStart);
                start.checked_sub(1)
            } else {
                let end = self.buffer.target(Motion::LineEnd);
                (end < self.buffer.pieces().len()).then_some(end + 1)
            };
            let Some(edge) = edge else { break };
            self.buffer.go_to(edge);
        }
        self.buffer.go(Motion::LineStart);
        let end = self.buffer.target(Motion::LineEnd);
        let at = self.buffer.caret().saturating_add(column);
        self.buffer.go_to(at.min(end));
    }

    /// Breaks the text into rows and brings the caret into sight.
    pub fn layout(&mut self, area: Rect) {
        let layout = Layout::broken(&self.buffer, area.width.into(), Breaks::AtEdge);
        let (row, rows) = (layout.caret_row, layout.rows.len());
        self.scroll.follow(row, area.height.into(), rows);
        self.layout = Some(layout);
    }

    /// Draws the rows in sight and says where the caret is.
    pub fn draw(&self, area: Rect, buffer: &mut Buffer, theme: &Theme) -> Option<Position> {
        let layout = self.layout.as_ref()?;
        let visible = self.scroll.range(layout.rows.len());
        for (y, row) in (0..area.height).zip(layout.rows.get(visible.clone())?) {
            let pieces = self.buffer.pieces().get(row.pieces.clone());
            let shown: String = pieces
                .unwrap_or_default()
                .iter()
                .map(Piece::shown)
                .collect();
            paint::text(buffer, area, (0, y), area.width, &shown, theme.text);
        }
        let row = layout.caret_row.checked_sub(visible.start)?;
        paint::position(buffer, area, (layout.caret_column as u16, row as u16))
    }
}

#[cfg(test)]
mod tests {
    use crossterm::event::KeyModifiers;

    use super::*;

    fn press(editor: &mut TextArea, codes: &[KeyCode]) {
        for code in codes {
            editor.on_key(KeyEvent::new(*code, KeyModifiers::NONE));
        }
    }

    #[test]
    fn edits_across_lines() {
        let mut editor = TextArea::new("ab\n漢字\n");
        press(
            &mut editor,
            &[KeyCode::Down, KeyCode::End, KeyCode::Backspace],
        );
        assert_eq!(editor.text(), "ab\n漢\n");
        press(
            &mut editor,
            &[KeyCode::Home, KeyCode::Backspace, KeyCode::Enter],
        );
        assert_eq!(editor.text(), "ab\n漢\n");
        press(&mut editor, &[KeyCode::Left, KeyCode::Delete]);
        assert_eq!(editor.text(), "ab漢\n");
        editor.insert("x\r\ny\u{1b}");
        assert_eq!(editor.text(), "abx\ny漢\n");
    }

    #[test]
    fn the_caret_is_always_on_screen() {
        let text = format!("{}\n{}", "漢字 wide ".repeat(40), "line\n".repeat(60));
        for (width, height) in [(1, 1), (3, 2), (20, 6), (80, 24)] {
            let mut editor = TextArea::new(&text);
            let area = Rect::new(0, 0, width, height);
            for step in 0..140 {
                let mut buffer = Buffer::empty(area);
                editor.layout(area);
                if let Some(at) = editor.draw(area, &mut buffer, &Theme::default()) {
                    assert!(area.contains(at));
                }
                let key = if step < 70 {
                    KeyCode::Right
                } else {
                    KeyCode::Down
                };
                press(&mut editor, &[key]);
            }
        }
    }
}
