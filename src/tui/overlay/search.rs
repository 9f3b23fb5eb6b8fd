//! `/` search over rows: a field while typing, then `n` and `N` from hit to hit.
//! Case matters only when the query has a capital letter.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::Span;
use regex::{Regex, RegexBuilder};

use crate::tui::theme::Theme;

use super::field::Field;
use super::{keys, paint};

/// What a key did to a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing: it is for somebody else.
    Ignored,
    /// It changed the search; there is no row to go to.
    Consumed,
    /// This row is to be shown.
    Hit(usize),
}

impl Outcome {
    fn of(hit: Option<usize>) -> Self {
        hit.map_or(Self::Consumed, Self::Hit)
    }
}

/// The state of a search.
#[derive(Debug, Default)]
pub struct Search {
    field: Option<Field>,
    pattern: Option<Regex>,
    hit: Option<usize>,
}

impl Search {
    /// Whether the field has the focus.
    pub fn is_open(&self) -> bool {
        self.field.is_some()
    }

    /// The row of the current hit.
    pub fn hit(&self) -> Option<usize> {
        self.hit
    }

    /// Whether the query occurs in a text.
    pub fn matches(&self, text: &str) -> bool {
        self.pattern
            .as_ref()
            .is_some_and(|pattern| pattern.is_match(text))
    }

    /// Takes a key and looks among `len` rows, from `start` on.
    pub fn on_key(
        &mut self,
        key: KeyEvent,
        start: usize,
        len: usize,
        is_match: impl Fn(usize, &Self) -> bool,
    ) -> Outcome {
        if let Some(field) = &mut self.field {
            match key.code {
                KeyCode::Esc => {
                    self.field = None;
                    self.pattern = None;
                    self.hit = None;
                    return Outcome::Consumed;
                }
                KeyCode::Enter => {
                    self.field = None;
                    return Outcome::of(self.hit);
                }
                _ => {}
            }
            if !field.on_key(key) {
                return Outcome::Consumed;
            }
            self.compile();
            self.hit = (0..len)
                .map(|step| (start + step) % len)
                .find(|&row| is_match(row, self));
            return Outcome::of(self.hit);
        }
        match keys::typed(key) {
            Some('/') => {
                self.field = Some(Field::default());
                Outcome::Consumed
            }
            Some('n') if self.pattern.is_some() => {
                let next = (1..=len)
                    .map(|step| (start + step) % len)
                    .find(|&row| is_match(row, self));
                self.hit = next.or(self.hit);
                Outcome::of(self.hit)
            }
            Some('N') if self.pattern.is_some() => {
                let previous = (1..=len)
                    .map(|step| (start + len - step % len) % len)
                    .find(|&row| is_match(row, self));
                self.hit = previous.or(self.hit);
                Outcome::of(self.hit)
            }
            _ => Outcome::Ignored,
        }
    }

    /// Pastes into the field; false when it is closed.
    pub fn on_paste(&mut self, text: &str) -> bool {
        let Some(field) = &mut self.field else {
            return false;
        };
        field.insert(text);
        self.compile();
        true
    }

    /// The spans of a text with its matches in another style.
    pub fn highlight(&self, text: &str, style: Style, emphasis: Style) -> Vec<Span<'static>> {
        let mut spans = Vec::new();
        let mut done = 0;
        let found = self
            .pattern
            .iter()
            .flat_map(|pattern| pattern.find_iter(text));
        for hit in found {
            let before = text.get(done..hit.start()).unwrap_or_default();
            spans.push(Span::styled(before.to_owned(), style));
            spans.push(Span::styled(hit.as_str().to_owned(), style.patch(emphasis)));
            done = hit.end();
        }
        spans.push(Span::styled(
            text.get(done..).unwrap_or_default().to_owned(),
            style,
        ));
        spans
    }

    /// Draws the field into a row and says where the caret is.
    pub fn draw(
        &self,
        area: Rect,
        row: u16,
        buffer: &mut Buffer,
        theme: &Theme,
    ) -> Option<Position> {
        let field = self.field.as_ref()?;
        if self.hit.is_none() && !field.is_blank() {
            paint::right(
                buffer,
                area,
                (area.width / 2, row),
                "not found ",
                theme.warning,
            );
        }
        field.draw(area, row, buffer, ("/", theme.accent), theme.text)
    }

    fn compile(&mut self) {
        let query = self.field.as_ref().map_or("", Field::text);
        self.pattern = if query.is_empty() {
            None
        } else {
            RegexBuilder::new(&regex::escape(query))
                .case_insensitive(!query.chars().any(char::is_uppercase))
                .build()
                .ok()
        };
    }
}
