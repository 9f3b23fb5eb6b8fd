//! A small editor for several lines, for changing a summary in place. Edits whole
//! graphemes; long lines wrap at the edge of the screen.
//!
//! Invariant: there is at least one line, and the caret is on a grapheme boundary of one.

use std::cell::Cell;

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use unicode_segmentation::UnicodeSegmentation;

use super::{keys, paint};
use crate::tui::render::{safe, wrap};
use crate::tui::theme::Theme;

/// Lines per screen up or down.
const PAGE_LINES: usize = 10;

/// Lines of text with a caret.
#[derive(Debug)]
pub struct Editor {
    lines: Vec<String>,
    row: usize,
    /// Byte offset in the line.
    caret: usize,
    /// First line on screen.
    top: Cell<usize>,
}

impl Default for Editor {
    fn default() -> Self {
        Self::new("")
    }
}

impl Editor {
    /// An editor with the caret at the start of a text.
    pub fn new(text: &str) -> Self {
        Self {
            lines: text.split('\n').map(str::to_owned).collect(),
            row: 0,
            caret: 0,
            top: Cell::new(0),
        }
    }

    /// The text as it stands.
    pub fn text(&self) -> String {
        self.lines.join("\n")
    }

    /// Inserts text with its line breaks; other control characters but tabs are left away.
    pub fn insert(&mut self, text: &str) {
        let clean: String = text
            .chars()
            .filter(|c| matches!(c, '\n' | '\t') || !c.is_control())
            .collect();
        for (at, piece) in clean.split('\n').enumerate() {
            if at > 0 {
                self.break_line();
            }
            let caret = self.caret;
            if let Some(line) = self.lines.get_mut(self.row) {
                line.insert_str(caret, piece);
                self.caret += piece.len();
            }
        }
    }

    /// Takes a key; false when it means nothing here.
    pub fn on_key(&mut self, key: KeyEvent) -> bool {
        if let Some(c) = keys::typed(key) {
            self.insert(c.encode_utf8(&mut [0; 4]));
            return true;
        }
        match (key.code, keys::ctrl(key)) {
            (KeyCode::Enter, _) => self.break_line(),
            (KeyCode::Tab, _) => self.insert("\t"),
            (KeyCode::Backspace, _) => self.backspace(),
            (KeyCode::Delete, _) | (_, Some('d')) => self.delete(),
            (KeyCode::Left, _) | (_, Some('b')) => self.left(),
            (KeyCode::Right, _) | (_, Some('f')) => self.right(),
            (KeyCode::Up, _) | (_, Some('p')) => self.go(self.row.saturating_sub(1)),
            (KeyCode::Down, _) | (_, Some('n')) => self.go(self.row + 1),
            (KeyCode::PageUp, _) => self.go(self.row.saturating_sub(PAGE_LINES)),
            (KeyCode::PageDown, _) => self.go(self.row + PAGE_LINES),
            (KeyCode::Home, _) | (_, Some('a')) => self.caret = 0,
            (KeyCode::End, _) | (_, Some('e')) => self.caret = self.line().len(),
            (_, Some('k')) => self.kill(),
            _ => return false,
        }
        true
    }

    /// Draws the lines around the caret and says where it is.
    pub fn draw(&self, area: Rect, buffer: &mut Buffer, theme: &Theme) -> Option<Position> {
        let width = usize::from(area.width.max(1));
        let height = usize::from(area.height);
        let own = self.rows_of(self.row, width);
        let (down, column) = self.caret_cell(width);
        let mut top = self.top.get().min(self.row);
        // Bring the caret's row on screen: no line above it counts more than the height.
        let above = |top: usize| -> usize {
            (top..self.row)
                .map(|row| self.rows_of(row, width).len())
                .sum()
        };
        top = top.max(self.row.saturating_sub(height));
        while top < self.row && above(top) + down >= height {
            top += 1;
        }
        self.top.set(top);
        let skip = (above(top) + down + 1).saturating_sub(height);
        let caret_row = (above(top) + down).saturating_sub(skip);
        let rows = (top..self.lines.len()).flat_map(|row| self.rows_of(row, width));
        for (y, row) in rows.skip(skip).take(height).enumerate() {
            paint::text(buffer, area, (0, y as u16), area.width, &row, theme.text);
        }
        debug_assert!(down <= own.len());
        paint::position(buffer, area, column as u16, caret_row as u16)
    }

    fn line(&self) -> &str {
        self.lines.get(self.row).map_or("", String::as_str)
    }

    fn split(&self) -> (&str, &str) {
        self.line().split_at_checked(self.caret).unwrap_or_default()
    }

    /// A line as drawn: broken at the width, at graphemes.
    fn rows_of(&self, row: usize, width: usize) -> Vec<String> {
        let line = self.lines.get(row).map_or("", String::as_str);
        broken(line, width)
    }

    /// Row below the start of the line, and column, of the caret.
    fn caret_cell(&self, width: usize) -> (usize, usize) {
        let rows = broken(self.split().0, width);
        let last = rows.last().map_or(0, |row| wrap::width(row));
        let down = rows.len().saturating_sub(1);
        if last >= width {
            (down + 1, 0)
        } else {
            (down, last)
        }
    }

    fn break_line(&mut self) {
        let caret = self.caret;
        if let Some(line) = self.lines.get_mut(self.row) {
            let tail = line.split_off(caret);
            self.lines.insert(self.row + 1, tail);
            self.row += 1;
            self.caret = 0;
        }
    }

    fn backspace(&mut self) {
        if self.caret == 0 {
            if self.row > 0 {
                let line = self.lines.remove(self.row);
                self.row -= 1;
                self.caret = self.line().len();
                if let Some(before) = self.lines.get_mut(self.row) {
                    before.push_str(&line);
                }
            }
            return;
        }
        self.left();
        self.delete();
    }

    fn delete(&mut self) {
        let caret = self.caret;
        let next = self.split().1.graphemes(true).next().map_or(0, str::len);
        if next == 0 {
            if self.row + 1 < self.lines.len() {
                let below = self.lines.remove(self.row + 1);
                if let Some(line) = self.lines.get_mut(self.row) {
                    line.push_str(&below);
                }
            }
        } else if let Some(line) = self.lines.get_mut(self.row) {
            line.replace_range(caret..caret + next, "");
        }
    }

    fn kill(&mut self) {
        let caret = self.caret;
        if self.split().1.is_empty() {
            self.delete();
        } else if let Some(line) = self.lines.get_mut(self.row) {
            line.truncate(caret);
        }
    }

    fn left(&mut self) {
        if self.caret == 0 && self.row > 0 {
            self.row -= 1;
            self.caret = self.line().len();
            return;
        }
        let last = self
            .split()
            .0
            .graphemes(true)
            .next_back()
            .map_or(0, str::len);
        self.caret -= last;
    }

    fn right(&mut self) {
        let next = self.split().1.graphemes(true).next().map_or(0, str::len);
        if next == 0 && self.row + 1 < self.lines.len() {
            self.row += 1;
            self.caret = 0;
        } else {
            self.caret += next;
        }
    }

    /// To another line, at the same number of graphemes.
    fn go(&mut self, row: usize) {
        let graphemes = self.split().0.graphemes(true).count();
        self.row = row.min(self.lines.len().saturating_sub(1));
        self.caret = self
            .line()
            .graphemes(true)
            .take(graphemes)
            .map(str::len)
            .sum();
    }
}

fn broken(line: &str, width: usize) -> Vec<String> {
    let mut rows = vec![String::new()];
    let mut columns = 0;
    for grapheme in line.graphemes(true) {
        let shown = match grapheme {
            "\t" => "    ".into(),
            other => safe::visible(other),
        };
        let own = wrap::width(&shown);
        if columns + own > width && columns > 0 {
            rows.push(String::new());
            columns = 0;
        }
        columns += own;
        if let Some(row) = rows.last_mut() {
            row.push_str(&shown);
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use crossterm::event::KeyModifiers;

    use super::*;

    fn press(editor: &mut Editor, codes: &[KeyCode]) {
        for code in codes {
            editor.on_key(KeyEvent::new(*code, KeyModifiers::NONE));
        }
    }

    #[test]
    fn edits_across_lines() {
        let mut editor = Editor::new("ab\n漢字\n");
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
            let mut editor = Editor::new(&text);
            let area = Rect::new(0, 0, width, height);
            for step in 0..140 {
                let mut buffer = Buffer::empty(area);
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
