//! A text field of one line. Edits whole graphemes; what is pasted becomes one line.
//!
//! Invariant: the caret is a byte offset on a grapheme boundary of the text.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use unicode_segmentation::UnicodeSegmentation;

use crate::tui::render::{safe, wrap};

use super::{keys, paint};

/// One line of editable text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Field {
    text: String,
    caret: usize,
}

impl Field {
    /// A field that holds `text`, with the caret behind it.
    pub fn new(text: impl Into<String>) -> Self {
        let text = text.into();
        Self {
            caret: text.len(),
            text,
        }
    }

    /// What stands in it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether anything but spaces stands in it.
    pub fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// Inserts text at the caret. Line breaks and tabs become spaces, other control
    /// characters are left away.
    pub fn insert(&mut self, text: &str) {
        let clean: String = text
            .chars()
            .map(|c| if matches!(c, '\n' | '\t') { ' ' } else { c })
            .filter(|c| !c.is_control())
            .collect();
        self.text.insert_str(self.caret, &clean);
        self.caret += clean.len();
    }

    /// Takes a key; false when it means nothing here.
    pub fn on_key(&mut self, key: KeyEvent) -> bool {
        if let Some(c) = keys::typed(key) {
            self.insert(c.encode_utf8(&mut [0; 4]));
            return true;
        }
        match (key.code, keys::ctrl(key)) {
            (KeyCode::Backspace, _) | (_, Some('h')) => self.remove(self.before()..self.caret),
            (KeyCode::Delete, _) | (_, Some('d')) => self.remove(self.caret..self.after()),
            (KeyCode::Left, _) | (_, Some('b')) => self.caret = self.before(),
            (KeyCode::Right, _) | (_, Some('f')) => self.caret = self.after(),
            (KeyCode::Home, _) | (_, Some('a')) => self.caret = 0,
            (KeyCode::End, _) | (_, Some('e')) => self.caret = self.text.len(),
            (_, Some('u')) => self.remove(0..self.caret),
            (_, Some('k')) => self.remove(self.caret..self.text.len()),
            (_, Some('w')) => self.remove(self.word_start()..self.caret),
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
        label: (&str, Style),
        style: Style,
    ) -> Option<Position> {
        let used = paint::text(buffer, area, (0, row), area.width, label.0, label.1);
        let room = usize::from(area.width.saturating_sub(used)).checked_sub(1)?;
        let (head, tail) = self.text.split_at_checked(self.caret)?;
        let mut shown: Vec<&str> = Vec::new();
        let mut columns = 0;
        for grapheme in head.graphemes(true).rev() {
            let width = wrap::width(&safe::visible(grapheme));
            if columns + width > room {
                break;
            }
            columns += width;
            shown.push(grapheme);
        }
        shown.reverse();
        let text = shown.concat() + tail;
        let width = area.width.saturating_sub(used);
        paint::text(
            buffer,
            area,
            (used, row),
            width,
            &safe::visible(&text),
            style,
        );
        paint::position(buffer, area, used.saturating_add(columns as u16), row)
    }

    fn remove(&mut self, range: std::ops::Range<usize>) {
        self.caret = range.start;
        self.text.replace_range(range, "");
    }

    fn before(&self) -> usize {
        let last = self
            .text
            .get(..self.caret)
            .and_then(|head| head.graphemes(true).next_back());
        self.caret - last.map_or(0, str::len)
    }

    fn after(&self) -> usize {
        let next = self
            .text
            .get(self.caret..)
            .and_then(|tail| tail.graphemes(true).next());
        self.caret + next.map_or(0, str::len)
    }

    fn word_start(&self) -> usize {
        let head = self.text.get(..self.caret).unwrap_or_default();
        let trimmed = head.trim_end();
        trimmed
            .char_indices()
            .rev()
            .find(|(_, c)| c.is_whitespace())
            .map_or(0, |(at, c)| at + c.len_utf8())
    }
}

#[cfg(test)]
mod tests {
    use crossterm::event::KeyModifiers;

    use super::*;

    fn press(field: &mut Field, code: KeyCode) {
        field.on_key(KeyEvent::new(code, KeyModifiers::NONE));
    }

    fn press_ctrl(field: &mut Field, c: char) {
        field.on_key(KeyEvent::new(KeyCode::Char(c), KeyModifiers::CONTROL));
    }

    #[test]
    fn edits_whole_graphemes() {
        let mut field = Field::new("a👨‍👩‍👧e\u{301}");
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
        let mut field = Field::new("keep the  migration steps");
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
        let mut field = Field::default();
        field.insert("a\r\nb\tc\u{1b}[31m");
        assert_eq!(field.text(), "a b c[31m");
    }

    #[test]
    fn the_caret_stays_inside_a_narrow_field() {
        for width in 0..12 {
            let area = Rect::new(0, 0, width, 1);
            let mut buffer = Buffer::empty(area);
            let field = Field::new("漢字漢字漢字 text");
            let at = field.draw(area, 0, &mut buffer, ("> ", Style::new()), Style::new());
            if let Some(at) = at {
                assert!(at.x < width, "caret {at} at width {width}");
            }
        }
    }
}
