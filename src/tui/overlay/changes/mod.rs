//! What the session has changed in files: which, how much, by what; each with its
//! difference to what it was before the session. Shows; changes nothing.

mod view;

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;

use super::list::ListCursor;
use super::{Overlay, Reaction, Scene, Way, keys, paint};
use crate::agent::{ChangeKind, ChangedFile, ChangesReport};
use crate::tui::numbers;
use crate::tui::render::{diff, safe, wrap};
use crate::tui::theme::Theme;
use view::FileDiff;

/// Rows above the list: the title and a rule.
const HEAD_ROWS: u16 = 2;
/// From this height on the difference of the selected file is shown below the list,
const TALL_ROWS: u16 = 16;
/// which then takes at most this share of the screen.
const LIST_SHARE: u16 = 3;
/// Columns that a name has at least before what is said about it gives way.
const NAME_COLUMNS: usize = 24;

/// The list.
pub struct Changes {
    report: ChangesReport,
    cursor: ListCursor,
}

/// The sign of what happened to a file, and its colour.
fn sign(kind: ChangeKind, theme: &Theme) -> (&'static str, Style) {
    match kind {
        ChangeKind::Added => ("+", theme.diff_added),
        ChangeKind::Modified => ("~", theme.accent),
        ChangeKind::Deleted => ("−", theme.diff_removed),
    }
}

/// What is said of a file beside its name.
pub fn remarks(file: &ChangedFile) -> String {
    let mut facts = Vec::new();
    if file.changed_since {
        facts.push("changed outside since".to_owned());
    }
    facts.extend(file.by.words());
    facts.extend(file.note.as_ref().map(|note| safe::one_line(note, 60)));
    let (added, removed) = (file.difference.added, file.difference.removed);
    if added + removed > 0 {
        facts.push(format!("+{added} −{removed}"));
    }
    facts.join(" · ")
}

impl Changes {
    /// Shows this report.
    pub fn new(report: ChangesReport) -> Self {
        Self {
            report,
            cursor: ListCursor::default(),
        }
    }

    fn selected(&self) -> Option<&ChangedFile> {
        self.report.files.get(self.cursor.selected())
    }

    fn row(&self, at: usize, area: Rect, row: u16, buffer: &mut Buffer, theme: &Theme) {
        let Some(file) = self.report.files.get(at) else {
            return;
        };
        let is_selected = at == self.cursor.selected();
        let mark = if is_selected { "›" } else { " " };
        paint::text(buffer, area, (0, row), 1, mark, theme.accent);
        let (sign, style) = sign(file.kind, theme);
        paint::text(buffer, area, (2, row), 1, sign, style);
        let facts = remarks(file);
        let room = usize::from(area.width).saturating_sub(5);
        let has_facts =
            room >= NAME_COLUMNS.min(wrap::width(&file.shown)) + wrap::width(&facts) + 2;
        let name_room = if has_facts {
            room - wrap::width(&facts) - 2
        } else {
            room
        };
        let name = safe::one_line(&file.shown, name_room);
        let used = 4 + paint::text(buffer, area, (4, row), area.width, &name, theme.text);
        if has_facts {
            let style = if file.changed_since {
                theme.warning
            } else {
                theme.dim
            };
            paint::right(buffer, area, (used + 1, row), &format!("{facts} "), style);
        }
        if is_selected {
            paint::tint(buffer, area, row, theme.selection);
        }
    }

    /// How the difference of the selected file begins.
    fn preview(&self, area: Rect, buffer: &mut Buffer, theme: &Theme) {
        let Some(file) = self.selected().filter(|_| area.width > 0) else {
            return;
        };
        let text = &file.difference.diff;
        if text.is_empty() {
            let note = safe::one_line(&view::nothing_to_show(file), area.width.into());
            paint::text(buffer, area, (1, 0), area.width, &note, theme.dim);
            return;
        }
        // As many lines as there are rows are enough to fill them.
        let end = text
            .match_indices('\n')
            .nth(area.height.into())
            .map_or(text.len(), |(at, _)| at);
        let head = text.get(..end).unwrap_or(text);
        let lines = diff::unified(head, area.width, theme);
        for (row, line) in (0..area.height).zip(&lines) {
            paint::line(buffer, area, (0, row), line);
        }
    }

    /// What is not in the list.
    fn gaps(&self) -> Option<String> {
        let mut parts = Vec::new();
        if self.report.unlisted > 0 {
            let changes = numbers::plural(self.report.unlisted, "more change");
            parts.push(format!("{changes} by commands, too many to list"));
        }
        if let Some(why) = &self.report.unseen {
            parts.push(format!("what commands changed is not known: {why}"));
        }
        (!parts.is_empty()).then(|| parts.join("; "))
    }
}

impl Overlay for Changes {
    fn name(&self) -> &'static str {
        "diff"
    }

    fn on_key(&mut self, key: KeyEvent, _scene: &Scene<'_>) -> Reaction {
        if self.cursor.on_key(key, self.report.files.len()) {
            return Reaction::Consumed;
        }
        match (key.code, keys::typed(key), self.selected()) {
            (KeyCode::Esc, ..) | (_, Some('q'), _) => Reaction::Close(Vec::new()),
            (KeyCode::Enter, _, Some(file)) => Reaction::Open(Box::new(FileDiff::new(file))),
            (_, Some('r'), _) => Reaction::Leave(Way::Command("rewind".to_owned()), Vec::new()),
            _ => Reaction::Ignored,
        }
    }

    fn draw(&self, area: Rect, buffer: &mut Buffer, scene: &Scene<'_>) -> Option<Position> {
        let theme = scene.theme;
        paint::clear(buffer, area, theme.text);
        let sum =
            |pick: fn(&ChangedFile) -> usize| -> usize { self.report.files.iter().map(pick).sum() };
        let count = format!(
            "{} · +{} −{}",
            numbers::plural(self.report.files.len() as u64, "file"),
            sum(|file| file.difference.added),
            sum(|file| file.difference.removed),
        );
        paint::title(buffer, area, 0, ("changed by this session", &count), theme);
        paint::rule(buffer, area, 1, theme);
        let mut body = paint::inner(area, HEAD_ROWS, 1);
        if let Some(gaps) = self.gaps().filter(|_| body.height > 1) {
            let gaps = safe::one_line(&gaps, usize::from(area.width).saturating_sub(2));
            paint::text(buffer, body, (1, 0), body.width, &gaps, theme.warning);
            body = paint::inner(body, 1, 0);
        }
        let files = self.report.files.len() as u16;
        let most = if area.height >= TALL_ROWS {
            area.height / LIST_SHARE
        } else {
            body.height
        };
        let list = paint::inner(body, 0, body.height.saturating_sub(files.min(most)));
        let rows = self.cursor.viewport(list.height, self.report.files.len());
        for (row, at) in (0..list.height).zip(rows) {
            self.row(at, list, row, buffer, theme);
        }
        let below = paint::inner(body, list.height, 0);
        if below.height > 1 && !self.report.files.is_empty() {
            paint::rule(buffer, below, 0, theme);
            self.preview(paint::inner(below, 1, 0), buffer, theme);
        }
        let hints = [
            ("esc", "back"),
            ("enter", "all of it"),
            ("r", "rewind"),
            ("j k", "select"),
        ];
        paint::hints(buffer, area, area.height.saturating_sub(1), &hints, theme);
        None
    }
}

#[cfg(test)]
mod tests;
