//! Searches: what is looked for, and a `/` search over rows with a field while typing, then
//! `n` and `N` from hit to hit. Case matters only when the query has a capital letter.

use std::ops::Range;

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::Span;
use regex::{Regex, RegexBuilder};

use crate::tui::theme::Theme;

use super::paint;
use super::text_field::TextField;

/// Text to look for. Small letters find capitals too.
#[derive(Clone, Debug, Default)]
pub struct Needle {
    /// `None` finds nothing.
    pattern: Option<Regex>,
    /// The longest word of the text.
    longest_word: Option<Regex>,
}

impl Needle {
    /// Looks for a text; an empty one is nowhere.
    pub fn new(text: &str) -> Self {
        let ignores_case = !text.chars().any(char::is_uppercase);
        let pattern = |text: &str| {
            let mut builder = RegexBuilder::new(&regex::escape(text));
            builder.case_insensitive(ignores_case).build().ok()
        };
        let longest_word = text.split_whitespace().max_by_key(|word| word.len());
        Self {
            pattern: (!text.is_empty()).then(|| pattern(text)).flatten(),
            longest_word: longest_word.and_then(pattern),
        }
    }

    /// Whether it looks for anything.
    pub fn is_empty(&self) -> bool {
        self.pattern.is_none()
    }

    /// Whether a text holds it.
    pub fn is_in(&self, text: &str) -> bool {
        self.pattern.as_ref().is_some_and(|it| it.is_match(text))
    }

    /// Whether the source of a text can hold it: its longest word is there. Marks of Markdown
    /// between the words are not seen on the screen.
    pub fn may_be_in(&self, source: &str) -> bool {
        let word = self.longest_word.as_ref();
        word.is_some_and(|it| it.is_match(source))
    }

    /// Where it is in a text, in bytes, from the start on.
    pub fn find_in(&self, text: &str) -> impl Iterator<Item = Range<usize>> {
        let pattern = self.pattern.iter();
        pattern.flat_map(|it| it.find_iter(text).map(|hit| hit.range()))
    }
}

/// The effect of a key on a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchOutcome {
    /// Nothing: it is for somebody else.
    Ignored,
    /// It changed the search; there is no row to go to.
    Consumed,
    /// This row is to be shown.
    Hit(usize),
}

impl SearchOutcome {
    fn of(hit: Option<usize>) -> Self {
        hit.map_or(Self::Consumed, Self::Hit)
    }
}

/// A search over rows.
#[derive(Debug, Default)]
pub struct RowSearch {
    field: Option<TextField>,
    needle: Needle,
    hit: Option<usize>,
}

impl RowSearch {
    /// Whether the field has the focus.
    pub fn is_open(&self) -> bool {
        self.field.is_some()
    }

    /// The row of the current hit.
    pub fn hit(&self) -> Option<usize> {
        self.hit
    }

    /// Opens the field.
    pub fn begin(&mut self) {
        self.field = Some(TextField::default());
    }

    /// To the next match among `len` rows from `start` on, or the one before, in a circle;
    /// `Ignored` when nothing is searched for.
    pub fn step(
        &mut self,
        forward: bool,
        start: usize,
        len: usize,
        is_match: impl Fn(usize, &Needle) -> bool,
    ) -> SearchOutcome {
        if self.needle.is_empty() {
            return SearchOutcome::Ignored;
        }
        let row_at = |step: usize| {
            if forward {
                (start + step) % len
            } else {
                (start + len - step % len) % len
            }
        };
        let mut rows = (1..=len).map(row_at);
        self.hit = rows.find(|&row| is_match(row, &self.needle)).or(self.hit);
        SearchOutcome::of(self.hit)
    }

    /// Takes a key for the open field and looks among `len` rows, from `start` on, in a
    /// circle.
    pub fn on_key(
        &mut self,
        key: KeyEvent,
        start: usize,
        len: usize,
        is_match: impl Fn(usize, &Needle) -> bool,
    ) -> SearchOutcome {
        match key.code {
            KeyCode::Esc => {
                *self = Self::default();
                return SearchOutcome::Consumed;
            }
            KeyCode::Enter => {
                self.field = None;
                return SearchOutcome::of(self.hit);
            }
            _ => {}
        }
        let Some(field) = self.field.as_mut() else {
            return SearchOutcome::Ignored;
        };
        if !field.on_key(key) {
            return SearchOutcome::Consumed;
        }
        self.needle = Needle::new(&field.text());
        let mut rows = (0..len).map(|step| (start + step) % len);
        self.hit = rows.find(|&row| is_match(row, &self.needle));
        SearchOutcome::of(self.hit)
    }

    /// Pastes into the field; false when it is closed.
    pub fn on_paste(&mut self, text: &str) -> bool {
        let Some(field) = &mut self.field else {
            return false;
        };
        field.insert(text);
        self.needle = Needle::new(&field.text());
        true
    }

    /// The spans of a text with its matches in another style.
    pub fn highlight(&self, text: &str, style: Style, emphasis: Style) -> Vec<Span<'static>> {
        let part = |range: Range<usize>| text.get(range).unwrap_or_default().to_owned();
        let mut spans = Vec::new();
        let mut done = 0;
        for hit in self.needle.find_in(text) {
            spans.push(Span::styled(part(done..hit.start), style));
            spans.push(Span::styled(part(hit.clone()), style.patch(emphasis)));
            done = hit.end;
        }
        spans.push(Span::styled(part(done..text.len()), style));
        spans
    }

    /// Draws the open field into a row and says where the caret is.
    pub fn draw(
        &self,
        area: Rect,
        row: u16,
        buffer: &mut Buffer,
        theme: &Theme,
    ) -> Option<Position> {
        let field = self.field.as_ref()?;
        if self.hit.is_none() && !field.is_blank() {
            let place = (area.width / 2, row);
            paint::right(buffer, area, place, "not found ", theme.warning);
        }
        field.draw(area, row, buffer, "/", theme.accent, theme.text)
    }
}
