//! Pick one of many by typing a few of its letters: models, themes. One
//! picker; what differs is how a row looks and what Enter does.

mod models;
mod themes;

pub use models::Models;
pub use themes::Themes;

use crossterm::event::KeyEvent;
use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::Line;

use super::super::OverlayScene;
use super::super::hints::{self, ScreenHints};
use crate::tui::keymap::{Screen, ScreenAction};
use crate::tui::render::{safe, wrap};
use crate::tui::theme::Theme;
use crate::tui::widget::{ListCursor, TextField, paint};

/// Something that can be picked.
pub(super) trait PickerChoice {
    /// Whether the remarks say what the row means, so that a long label is cut for them.
    const LABEL_GIVES_WAY: bool = false;
    /// The first column of the row.
    fn label(&self) -> String;
    /// The text that typing is matched against.
    fn sought(&self) -> String {
        self.label()
    }
    /// The columns on the right of the row, most important last.
    fn remarks(&self, scene: &OverlayScene<'_>) -> Vec<String>;
    /// The headings of these columns; none when they need none.
    fn headings() -> &'static [&'static str] {
        &[]
    }
    /// All that is known of it, shown below the list for the row under the cursor.
    fn detail(&self) -> Option<String> {
        None
    }
    /// How it looks.
    fn style(&self, theme: &Theme) -> Style;
}

/// Before what is typed to filter a list.
pub(super) const FILTER_LABEL: &str = " filter › ";
/// Columns between two columns.
const COLUMN_SPACE: usize = 2;
/// A label is not cut to less than this for the remarks.
const LABEL_LEAST: usize = 24;
/// Where not all remarks fit, the one that matters most is cut to this for the others.
const LAST_LEAST: usize = 24;
/// A remark that is longer than this may be cut when there is not room for all of it.
const WORTH_CUTTING: usize = 12;

/// From this height on the columns have headings.
const HEADED_HEIGHT: u16 = 10;
/// From this height on the row under the cursor is described below the list.
const DETAILED_HEIGHT: u16 = 12;
/// Lines of such a description at most.
const DETAIL_LINES: u16 = 3;

/// Widths that all rows share; 0 where there is no room.
#[derive(Default)]
struct PickerColumns {
    label: usize,
    remarks: Vec<usize>,
}

impl PickerColumns {
    /// Cuts the last remark so far that all others fit, or else the one before it.
    fn shorten_last(&mut self, room: usize) {
        let Some((last, others)) = self.remarks.split_last_mut() else {
            return;
        };
        for first in [0, others.len().saturating_sub(1)] {
            let kept = others.get(first..).unwrap_or_default();
            let kept: usize = kept.iter().map(|it| it + COLUMN_SPACE).sum();
            let left = room.saturating_sub(self.label + kept + COLUMN_SPACE);
            if left >= LAST_LEAST {
                *last = left.min(*last);
                return;
            }
        }
    }
}

/// Where the parts of the list are.
struct PickerAreas {
    /// The row of the text field.
    field_row: u16,
    /// The description of the row under the cursor.
    detail: Vec<String>,
    /// The rows with the names of their columns.
    whole: Rect,
    is_headed: bool,
    /// The rows.
    body: Rect,
}

/// A filtered list.
pub(super) struct Picker<T> {
    choices: Vec<T>,
    field: TextField,
    cursor: ListCursor,
    /// Positions in `choices`, best match first.
    found: Vec<usize>,
}

impl<T: PickerChoice> Picker<T> {
    /// A list of these, all of them shown.
    pub(super) fn new(choices: Vec<T>) -> Self {
        Self {
            found: (0..choices.len()).collect(),
            choices,
            field: TextField::default(),
            cursor: ListCursor::default(),
        }
    }

    /// The row under the cursor.
    pub(super) fn selected(&self) -> Option<&T> {
        let at = self.found.get(self.cursor.selected())?;
        self.choices.get(*at)
    }

    /// Other choices in the place of these; the cursor keeps what it is on, or its row.
    pub(super) fn replace(&mut self, choices: Vec<T>) {
        let label = self.selected().map(PickerChoice::label);
        let row = self.cursor.selected();
        self.choices = choices;
        self.filter();
        let mut found = self.found.iter().filter_map(|&at| self.choices.get(at));
        let same = label.and_then(|label| found.position(|it| it.label() == label));
        self.cursor.select(same.unwrap_or(row), self.found.len());
    }

    /// Takes a key that moves or is typed; false when it means nothing here.
    pub(super) fn on_key(&mut self, key: KeyEvent, action: Option<ScreenAction>) -> bool {
        if hints::scrolls_list(&mut self.cursor, action, self.found.len()) {
            return true;
        }
        let changed = self.field.on_key(key);
        if changed {
            self.filter();
        }
        changed
    }

    /// Takes pasted text.
    pub(super) fn paste(&mut self, text: &str) {
        self.field.insert(text);
        self.filter();
    }

    fn filter(&mut self) {
        let labels = self.choices.iter().map(PickerChoice::sought);
        self.found = ranked(&self.field.text(), labels);
        let query = self.field.text().to_lowercase();
        // Who types a name wants what is called so, not what mentions it.
        let choices = &self.choices;
        self.found
            .sort_by_cached_key(|&at| choices.get(at).map(|it| distance(&it.label(), &query)));
        self.cursor.select(0, self.found.len());
    }

    /// Columns that all rows share: the label matters more, so remarks give way when not
    /// all fit, the first ones first.
    fn columns(&self, area: Rect, scene: &OverlayScene<'_>) -> PickerColumns {
        let room = usize::from(area.width).saturating_sub(3);
        let mut columns = PickerColumns {
            label: 0,
            remarks: T::headings().iter().map(|it| wrap::width(it)).collect(),
        };
        let listed = self.found.iter().filter_map(|&at| self.choices.get(at));
        for choice in listed {
            columns.label = columns.label.max(wrap::width(&choice.label()));
            for (at, remark) in choice.remarks(scene).iter().enumerate() {
                let width = wrap::width(remark);
                match columns.remarks.get_mut(at) {
                    Some(widest) => *widest = width.max(*widest),
                    None => columns.remarks.push(width),
                }
            }
        }
        if !T::LABEL_GIVES_WAY {
            columns.shorten_last(room);
        }
        let others: usize = columns.remarks.iter().map(|it| it + COLUMN_SPACE).sum();
        // The remark that matters most is seen where half of the room is enough for names.
        let last = columns.remarks.last().map_or(0, |it| it + COLUMN_SPACE);
        let beside = room.saturating_sub(last);
        let shortest = if beside < room / 2 { room } else { beside };
        let most = if T::LABEL_GIVES_WAY {
            room.saturating_sub(others)
                .max(room / 2)
                .max(shortest.min(LABEL_LEAST))
        } else {
            room
        };
        columns.label = columns.label.min(most);
        let mut left = room - columns.label;
        for (at, width) in columns.remarks.iter_mut().rev().enumerate() {
            let may_cut = T::LABEL_GIVES_WAY || at == 0;
            let wanted = *width + COLUMN_SPACE;
            *width = if wanted <= left {
                *width
            } else if may_cut && *width >= WORTH_CUTTING && left >= WORTH_CUTTING + COLUMN_SPACE {
                left - COLUMN_SPACE
            } else {
                0
            };
            left = left.saturating_sub(*width + COLUMN_SPACE);
        }
        columns
    }

    /// The description of the row under the cursor, in lines, a free one before them.
    fn detail(&self, area: Rect) -> Vec<String> {
        let text = self.selected().and_then(PickerChoice::detail);
        let Some(text) = text.filter(|_| area.height >= DETAILED_HEIGHT) else {
            return Vec::new();
        };
        let room = area.width.saturating_sub(2);
        let text = safe::one_line(&text, usize::from(room) * usize::from(DETAIL_LINES));
        let lines = wrap::wrap(&Line::raw(text), room).into_iter();
        let lines = lines
            .take(DETAIL_LINES.into())
            .map(|line| line.spans.iter().map(|span| &*span.content).collect());
        std::iter::once(String::new()).chain(lines).collect()
    }

    /// Where the rows are.
    fn areas(&self, area: Rect, screen: Screen, scene: &OverlayScene<'_>) -> PickerAreas {
        let field_row = u16::from(area.height > 3);
        let detail = self.detail(area);
        let foot = if area.height > 2 {
            hints::rows(area, screen, scene)
        } else {
            0
        };
        let whole = paint::inner(area, field_row + 1, foot + detail.len() as u16);
        let is_headed = area.height >= HEADED_HEIGHT && !T::headings().is_empty();
        PickerAreas {
            field_row,
            detail,
            whole,
            is_headed,
            body: paint::inner(whole, u16::from(is_headed), 0),
        }
    }

    /// Brings the selected row into sight.
    pub(super) fn layout(&mut self, area: Rect, screen: Screen, scene: &OverlayScene<'_>) {
        let height = self.areas(area, screen, scene).body.height;
        self.cursor.layout(height, self.found.len());
    }

    /// Draws everything; answers where the caret is.
    pub(super) fn draw(
        &self,
        title: &str,
        screen: Screen,
        area: Rect,
        buffer: &mut Buffer,
        scene: &OverlayScene<'_>,
    ) -> Option<Position> {
        let theme = scene.theme;
        paint::clear(buffer, area, theme.text);
        let count = format!("{} of {}", self.found.len(), self.choices.len());
        let PickerAreas {
            field_row,
            detail,
            whole,
            is_headed,
            body,
        } = self.areas(area, screen, scene);
        if field_row > 0 {
            paint::title(buffer, area, title, &count, theme);
        }
        let columns = self.columns(whole, scene);
        if is_headed {
            draw_headings(T::headings(), &columns, whole, buffer, theme);
        }
        for (row, line) in (whole.bottom() - area.y..).zip(&detail) {
            paint::text(buffer, area, (1, row), area.width, line, theme.dim);
        }
        self.draw_rows(&columns, body, buffer, scene);
        if area.height > 2 {
            ScreenHints::of(screen, scene).draw(area, buffer);
        }
        let label = (FILTER_LABEL, theme.accent);
        self.field
            .draw(area, field_row, buffer, label.0, label.1, theme.text)
    }

    /// The rows that fit.
    fn draw_rows(
        &self,
        columns: &PickerColumns,
        area: Rect,
        buffer: &mut Buffer,
        scene: &OverlayScene<'_>,
    ) {
        if self.found.is_empty() {
            let text = "nothing matches";
            paint::text(buffer, area, (2, 0), area.width, text, scene.theme.dim);
        }
        for item in self.cursor.visible() {
            let choice = self.found.get(item.at);
            if let Some(choice) = choice.and_then(|&at| self.choices.get(at)) {
                draw_choice(choice, columns, item.line, area, buffer, scene);
                if item.is_selected {
                    paint::cursor(buffer, area, item.line, scene.theme);
                }
            }
        }
    }
}

/// Names of the columns that are shown.
fn draw_headings(
    headings: &[&str],
    columns: &PickerColumns,
    area: Rect,
    buffer: &mut Buffer,
    theme: &Theme,
) {
    let mut x = 2 + columns.label;
    for (heading, &width) in headings.iter().zip(&columns.remarks) {
        if width > 0 {
            x += COLUMN_SPACE;
            paint::text(
                buffer,
                area,
                (x as u16, 0),
                width as u16,
                heading,
                theme.dim,
            );
            x += width;
        }
    }
}

/// How far a query (in lower case) is from a name: 0 begins it, 1 is in it, 2 is not.
fn distance(name: &str, query: &str) -> u8 {
    let name = name.to_lowercase();
    match name.trim_start_matches('/').find(query) {
        Some(0) => 0,
        Some(_) => 1,
        None => 2,
    }
}

/// Positions of the labels that have the letters of a query, best match first; an empty
/// query matches all, in their order.
pub(super) fn ranked(query: &str, labels: impl Iterator<Item = String>) -> Vec<usize> {
    let pattern = Pattern::parse(query, CaseMatching::Smart, Normalization::Smart);
    let mut matcher = Matcher::new(Config::DEFAULT);
    let mut letters = Vec::new();
    let mut scored: Vec<(u32, usize)> = Vec::new();
    for (at, label) in labels.enumerate() {
        let text = Utf32Str::new(&label, &mut letters);
        if let Some(score) = pattern.score(text, &mut matcher) {
            scored.push((score, at));
        }
    }
    scored.sort_by_key(|&(score, at)| (std::cmp::Reverse(score), at));
    scored.into_iter().map(|(_, at)| at).collect()
}

fn draw_choice(
    choice: &impl PickerChoice,
    columns: &PickerColumns,
    row: u16,
    area: Rect,
    buffer: &mut Buffer,
    scene: &OverlayScene<'_>,
) {
    let theme = scene.theme;
    let style = choice.style(theme);
    let label = safe::one_line(&choice.label(), columns.label);
    paint::text(buffer, area, (2, row), area.width, &label, style);
    let mut x = 2 + columns.label;
    let remarks = choice.remarks(scene);
    for (remark, &width) in remarks.iter().zip(&columns.remarks) {
        if width > 0 {
            x += COLUMN_SPACE;
            let text = safe::one_line(remark, width);
            paint::text(
                buffer,
                area,
                (x as u16, row),
                width as u16,
                &text,
                theme.dim,
            );
            x += width;
        }
    }
}
