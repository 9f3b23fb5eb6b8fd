//! The session's changes to files: which, how much, by what; each with its difference to what
//! it was before the session. Shows; changes nothing.

mod view;

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::Line;

use super::super::hints::{self, ScreenHints};
use super::super::{Overlay, OverlayExit, OverlayScene, Reaction};
use crate::agent::{ChangeKind, ChangedFile, ChangesReport};
use crate::config::DiffSides;
use crate::tui::keymap::{Screen, ScreenAction};
use crate::tui::numbers;
use crate::tui::render::{diff, link, safe, wrap};
use crate::tui::theme::Theme;
use crate::tui::widget::{ListCursor, Page, VisibleItem, paint};
use view::FileDiff;

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
    preview: DiffPreview,
}

/// How the difference of the selected file begins, as it was laid out last.
#[derive(Default)]
struct DiffPreview {
    made_for: Option<(usize, Rect, DiffKey)>,
    lines: Vec<Line<'static>>,
}

/// All that the look of a diff depends on.
#[derive(Clone, PartialEq)]
struct DiffKey {
    theme: Theme,
    code_generation: u64,
    sides: DiffSides,
}

impl DiffKey {
    fn of(scene: &OverlayScene<'_>) -> Self {
        Self {
            theme: scene.theme.clone(),
            code_generation: scene.highlighter.generation(),
            sides: scene.diff_sides,
        }
    }
}

/// Where the parts of the screen are.
struct ChangesAreas {
    /// The remark in the first row of the body, when there is one.
    gaps: Option<String>,
    body: Rect,
    list: Rect,
    below: Rect,
}

/// The sign of what happened to a file, and its colour.
fn sign(kind: ChangeKind, theme: &Theme) -> (&'static str, Style) {
    match kind {
        ChangeKind::Added => ("+", theme.diff_added),
        ChangeKind::Modified => ("~", theme.accent),
        ChangeKind::Deleted => ("−", theme.diff_removed),
    }
}

/// The remarks beside the name of a file.
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
            preview: DiffPreview::default(),
        }
    }

    fn selected(&self) -> Option<&ChangedFile> {
        self.report.files.get(self.cursor.selected())
    }

    fn row(&self, item: VisibleItem, area: Rect, buffer: &mut Buffer, scene: &OverlayScene<'_>) {
        let theme = scene.theme;
        let Some(file) = self.report.files.get(item.at) else {
            return;
        };
        let row = item.line;
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
        let address = link::file(scene.files, &file.shown);
        let style = link::to(theme.text, address);
        let used = 4 + paint::text(buffer, area, (4, row), area.width, &name, style);
        if has_facts {
            let style = if file.changed_since {
                theme.warning
            } else {
                theme.dim
            };
            paint::right(buffer, area, (used + 1, row), &format!("{facts} "), style);
        }
        if item.is_selected {
            paint::cursor(buffer, area, row, theme);
        }
    }

    /// Lays out how the difference of the selected file begins.
    fn lay_out_preview(&mut self, area: Rect, scene: &OverlayScene<'_>) {
        let made_for = Some((self.cursor.selected(), area, DiffKey::of(scene)));
        if self.preview.made_for == made_for {
            return;
        }
        let lines = self.selected().map_or_else(Vec::new, |file| {
            let text = diff::without_names(&file.difference.diff);
            // As many lines as there are rows are enough to fill them.
            let end = text
                .match_indices('\n')
                .nth(area.height.into())
                .map_or(text.len(), |(at, _)| at);
            let head = text.get(..end).unwrap_or(text);
            diff::lines(head, &scene.diff_look(area.width, &file.shown))
        });
        self.preview = DiffPreview { made_for, lines };
    }

    /// Draws how the difference of the selected file begins.
    fn draw_preview(&self, area: Rect, buffer: &mut Buffer, theme: &Theme) {
        let Some(file) = self.selected().filter(|_| area.width > 0) else {
            return;
        };
        if file.difference.diff.is_empty() {
            let note = safe::one_line(&view::nothing_to_show(file), area.width.into());
            paint::text(buffer, area, (1, 0), area.width, &note, theme.dim);
            return;
        }
        for (row, line) in (0..area.height).zip(&self.preview.lines) {
            paint::line(buffer, area, (0, row), line);
        }
    }

    /// The areas below the title: a remark on what is not listed, the list, and a difference.
    fn areas(&self, area: Rect, scene: &OverlayScene<'_>) -> ChangesAreas {
        let body = hints::body(area, Screen::Changes, scene);
        let gaps = self.gaps().filter(|_| body.height > 1);
        let rest = paint::inner(body, u16::from(gaps.is_some()), 0);
        let most = if area.height >= TALL_ROWS {
            area.height / LIST_SHARE
        } else {
            rest.height
        };
        let rows = (self.report.files.len() as u16).min(most);
        let list = paint::inner(rest, 0, rest.height.saturating_sub(rows));
        ChangesAreas {
            gaps,
            body,
            list,
            below: paint::inner(rest, list.height, 0),
        }
    }

    /// The changes that are not in the list.
    fn gaps(&self) -> Option<String> {
        let mut parts = Vec::new();
        if self.report.unlisted > 0 {
            let changes = numbers::plural(self.report.unlisted, "more change");
            parts.push(format!("{changes} by commands, too many to list"));
        }
        if let Some(why) = &self.report.unseen {
            parts.push(format!("changes by commands unknown: {why}"));
        }
        (!parts.is_empty()).then(|| parts.join("; "))
    }
}

impl Overlay for Changes {
    fn name(&self) -> &'static str {
        "diff"
    }

    fn screen(&self) -> Option<Screen> {
        Some(Screen::Changes)
    }

    fn on_key(&mut self, key: KeyEvent, scene: &OverlayScene<'_>) -> Reaction {
        let action = scene.keymap.screen_action(Screen::Changes, key);
        if hints::scrolls_list(&mut self.cursor, action, self.report.files.len()) {
            return Reaction::Consumed;
        }
        match (action, self.selected()) {
            (Some(ScreenAction::Back), _) => Reaction::Close(Vec::new()),
            (Some(ScreenAction::Open), Some(file)) => Reaction::Open(Box::new(FileDiff::new(file))),
            (Some(ScreenAction::Rewind), _) => {
                Reaction::Leave(OverlayExit::Command("rewind".to_owned()), Vec::new())
            }
            _ => Reaction::Ignored,
        }
    }

    fn layout(&mut self, area: Rect, scene: &OverlayScene<'_>) {
        let areas = self.areas(area, scene);
        self.cursor
            .layout(areas.list.height, self.report.files.len());
        self.lay_out_preview(paint::inner(areas.below, 1, 0), scene);
    }

    fn draw(&self, area: Rect, buffer: &mut Buffer, scene: &OverlayScene<'_>) -> Option<Position> {
        let theme = scene.theme;
        let files = &self.report.files;
        let sum = |pick: fn(&ChangedFile) -> usize| -> usize { files.iter().map(pick).sum() };
        let page = Page {
            title: "changed by this session",
            remark: &format!(
                "{} · +{} −{}",
                numbers::plural(files.len() as u64, "file"),
                sum(|file| file.difference.added),
                sum(|file| file.difference.removed),
            ),
        };
        page.draw(area, buffer, theme);
        ScreenHints::of(Screen::Changes, scene).draw(area, buffer);
        let areas = self.areas(area, scene);
        if let Some(gaps) = &areas.gaps {
            let gaps = safe::one_line(gaps, usize::from(area.width).saturating_sub(2));
            paint::text(buffer, areas.body, (1, 0), area.width, &gaps, theme.warning);
        }
        for item in self.cursor.visible() {
            self.row(item, areas.list, buffer, scene);
        }
        if areas.below.height > 1 && !files.is_empty() {
            paint::rule(buffer, areas.below, 0, theme);
            self.draw_preview(paint::inner(areas.below, 1, 0), buffer, theme);
        }
        None
    }
}

#[cfg(test)]
mod tests;
