//! A text field of one line. Edits whole graphemes; what is pasted becomes one line.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;

use super::text::{Buffer as TextBuffer, Motion, Piece};
use super::{keys, paint};

/// One line of editable text.
#[derive(Clone, Debug, Default)]
pub struct TextField {
    buffer: TextBuffer,
}

impl TextField {
    /// A field that holds `text`, with the caret after it.
    pub fn new(text: &str) -> Self {
        let mut field = Self::default();
        field.insert(text);
        field
    }

    /// The text.
    pub fn text(&self) -> String {
        self.buffer.text()
    }

    /// Whether there is nothing in it but spaces.
    pub fn is_blank(&self) -> bool {
        self.buffer.pieces().iter().all(Piece::is_space)
    }

    /// Inserts text at the caret. Line breaks and tabs become spaces, other control
    /// characters are left away.
    pub fn insert(&mut self, text: &str) {
        let clean: String = text
            .chars()
            .map(|c| if matches!(c, '\n' | '\t') { ' ' } else { c })
            .filter(|c| !c.is_control())
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
            (KeyCode::Backspace, _) | (_, Some('h')) => buffer.delete(Motion::Left),
            (KeyCode::Delete, _) | (_, Some('d')) => buffer.delete(Motion::Right),
            (KeyCode::Left, _) | (_, Some('b')) => buffer.go(Motion::Left),
            (KeyCode::Right, _) | (_, Some('f')) => buffer.go(Motion::Right),
            (KeyCode::Home, _) | (_, Some('a')) => buffer.go(Motion::Start),
            (KeyCode::End, _) | (_, Some('e')) => buffer.go(Motion::End),
            (_, Some('u')) => buffer.delete(Motion::Start),
            (_, Some('k')) => buffer.delete(Motion::End),
            (_, Some('w')) => buffer.delete(Motion::BigWordLeft),
            _ => return false,
        }
        true
    }

    /// Draws `label` and the text into one row, scrolled so that the caret is visible,
    /// and says where the caret is.
    pub fn draw(
        &self,
        area: Rect,
        row: u16,
        buffer: &mut Buffer,
        label: &str,
        label_style: Style,
        style: Style,
    ) -> Option<Position> {
        let used = paint::text(buffer, area, (0, row), area.width, label, label_style);
        let room = usize::from(area.width.saturating_sub(used)).checked_sub(1)?;
        let pieces = self.buffer.pieces();
        let mut columns = 0;
        let mut first = self.buffer.caret();
        for piece in pieces.get(..first)?.iter().rev() {
            if columns + piece.width() > room {
                break;
            }
            columns += piece.width();
            first -= 1;
        }
        let shown: String = pieces.get(first..)?.iter().map(Piece::shown).collect();
        let width = area.width.saturating_sub(used);
        paint::text(buffer, area, (used, row), width, &shown, style);
        paint::position(buffer, area, (used.saturating_add(columns as u16), row))
    }
}

#[cfg(test)]
mod tests {
    use crossterm::event::KeyModifiers;

    use super::*;

    fn press(field: &mut TextField, code: KeyCode) {
        field.on_key(KeyEvent::new(code, KeyModifiers::NONE));
    }

    fn press_ctrl(field: &mut TextField, c: char) {
        field.on_key(KeyEvent::new(KeyCode::Char(c), KeyModifiers::CONTROL));
    }

    #[test]
    fn edits_whole_graphemes() {
        let mut field = TextField::new("a👨‍👩‍👧e\u{301}");
        press(&mut field, KeyCode::Backspace);
        assert_eq!(field.text(), "a👨‍👩‍👧");
        press(&mut field, KeyCode::Left);
        press(&mut field, KeyCode::Char('漢'));
        assert_eq!(field.text(), "a漢👨‍👩‍👧");
        press(&mut field, KeyCode::Delete);
        assert_eq!(field.text(), "a漢");
        press(&mut field, KeyCode::Home);
        press(&mut field, KeyCode::Backspace);
        assert_eq!(field.text(), "a漢");
    }

    #[test]
    fn words_and_lines_go_at_once() {
        let mut field = TextField::new("keep the  migration steps");
        press_ctrl(&mut field, 'w');
        assert_eq!(field.text(), "keep the  migration ");
        press_ctrl(&mut field, 'w');
        assert_eq!(field.text(), "keep the  ");
        press_ctrl(&mut field, 'a');
        press_ctrl(&mut field, 'k');
        assert_eq!(field.text(), "");
    }

    #[test]
    fn a_paste_becomes_one_line_without_control_characters() {
        let mut field = TextField::default();
        field.insert("a\r\nb\tc\u{1b}[31m");
        assert_eq!(field.text(), "a b c[31m");
    }

    #[test]
    fn the_caret_stays_inside_a_narrow_field() {
        for width in 0..12 {
            let area = Rect::new(0, 0, width, 1);
            let mut buffer = Buffer::empty(area);
            let field = TextField::new("漢字漢字漢字 text");
            let at = field.draw(area, 0, &mut buffer, "> ", Style::new(), Style::new());
            if let Some(at) = at {
                assert!(at.x < width, "caret {at} at width {width}");
            }
        }
    }
}
