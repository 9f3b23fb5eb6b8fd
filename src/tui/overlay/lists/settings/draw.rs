//! The screen of settings: a field, the list by groups, and what is known of the selected
//! one.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::{Settings, ValueEditor, rows};
use crate::agent::SettingState;
use crate::config::{ChangeEffect, Setting};
use crate::tui::keymap::Screen;
use crate::tui::overlay::OverlayScene;
use crate::tui::overlay::hints::{self, ScreenHints};
use crate::tui::overlay::lists::picker::FILTER_LABEL;
use crate::tui::render::{safe, wrap};
use crate::tui::theme::Theme;
use crate::tui::widget::paint;

/// Columns of a key.
const KEY_COLUMNS: usize = 31;
/// Columns of an origin.
const ORIGIN_COLUMNS: usize = 22;
/// From this width on a row says where its value came from.
const WIDE: u16 = 72;
/// Rows above the list: title, field.
const HEAD_ROWS: u16 = 2;
/// Rows below the list: a rule, the help, what is accepted, where it is from, what became
/// of a change.
const DETAIL_ROWS: u16 = 7;
/// With fewer rows than this, only the two that matter most are below the list.
const TALL: u16 = 16;
const SMALL_DETAIL_ROWS: u16 = 3;

/// A line of the list.
pub(super) enum SettingLine {
    Group(&'static str),
    /// A position among the found ones.
    Setting(usize),
}

pub(super) fn screen(
    it: &Settings,
    area: Rect,
    buffer: &mut Buffer,
    scene: &OverlayScene<'_>,
) -> Option<Position> {
    let theme = scene.theme;
    paint::clear(buffer, area, theme.text);
    let detail = detail_rows(area);
    let count = format!("{} of {}", it.found.len(), it.report.rows.len());
    paint::title(buffer, area, Settings::NAME, &count, theme);
    let label = (FILTER_LABEL, theme.accent);
    let filter = it
        .filter
        .draw(area, 1, buffer, label.0, label.1, theme.text);
    let body = body(area, scene);
    let caret = list(it, body, buffer, theme);
    if detail > 0 {
        let below = Rect::new(area.x, body.bottom(), area.width, detail);
        details(it, below, buffer, theme);
    }
    ScreenHints::of(it.own_screen(), scene).draw(area, buffer);
    match &it.editing {
        Some(_) => caret,
        None => filter,
    }
}

/// Rows below the list.
fn detail_rows(area: Rect) -> u16 {
    match area.height {
        TALL.. => DETAIL_ROWS,
        8.. => SMALL_DETAIL_ROWS,
        _ => 0,
    }
}

/// Where the list is.
pub(super) fn body(area: Rect, scene: &OverlayScene<'_>) -> Rect {
    let head = HEAD_ROWS.min(area.height);
    let above = hints::above(area, head, Screen::Settings, scene);
    paint::inner(above, 0, detail_rows(area))
}

pub(super) fn selected_line(it: &Settings, lines: &[SettingLine]) -> usize {
    let selected = it.cursor.selected();
    let is_it = |line: &SettingLine| matches!(line, SettingLine::Setting(at) if *at == selected);
    lines.iter().position(is_it).unwrap_or_default()
}

pub(super) fn lines(it: &Settings) -> Vec<SettingLine> {
    let has_groups = it.filter.is_blank();
    let mut lines = Vec::new();
    let mut group = "";
    for (at, &row) in it.found.iter().enumerate() {
        let key = it.report.rows.get(row).map_or("", |state| state.key);
        let own = rows::group(key);
        if has_groups && own != group {
            group = own;
            lines.push(SettingLine::Group(own));
        }
        lines.push(SettingLine::Setting(at));
    }
    lines
}

fn list(it: &Settings, body: Rect, buffer: &mut Buffer, theme: &Theme) -> Option<Position> {
    if it.found.is_empty() {
        let text = "no setting matches";
        paint::text(buffer, body, (2, 0), body.width, text, theme.dim);
    }
    let lines = lines(it);
    let selected = it.cursor.selected();
    let mut caret = None;
    for item in it.cursor.visible() {
        let row = item.line;
        let Some(line) = lines.get(item.at) else {
            break;
        };
        match line {
            SettingLine::Group(title) => {
                paint::text(buffer, body, (1, row), body.width, title, theme.heading);
            }
            SettingLine::Setting(at) => {
                let state = it.found.get(*at).and_then(|&at| it.report.rows.get(at));
                if let Some(state) = state {
                    let editing = it.editing.as_ref().filter(|_| *at == selected);
                    caret = setting(state, editing, body, row, buffer, theme).or(caret);
                }
                if *at == selected {
                    paint::cursor(buffer, body, row, theme);
                }
            }
        }
    }
    caret
}

fn setting(
    state: &SettingState,
    editing: Option<&ValueEditor>,
    area: Rect,
    row: u16,
    buffer: &mut Buffer,
    theme: &Theme,
) -> Option<Position> {
    let width = usize::from(area.width);
    let key_columns = KEY_COLUMNS.min(width / 2);
    let key = safe::one_line(state.key, key_columns);
    paint::text(buffer, area, (2, row), area.width, &key, theme.text);
    let start = (2 + key_columns + 1) as u16;
    let is_wide = area.width >= WIDE;
    let origin_columns = if is_wide { ORIGIN_COLUMNS + 2 } else { 1 };
    let room = width.saturating_sub(usize::from(start) + origin_columns);
    let is_default = state.origin == crate::config::SettingOrigin::Default;
    if is_wide {
        let origin = safe::one_line(&rows::short_origin(&state.origin), ORIGIN_COLUMNS);
        let style = if is_default { theme.dim } else { theme.accent };
        paint::right(buffer, area, (start, row), &format!("{origin} "), style);
    }
    let place = Rect {
        x: area.x.saturating_add(start),
        width: (room as u16).min(area.width.saturating_sub(start)),
        ..area
    };
    match editing {
        Some(ValueEditor::Typed(field)) => {
            return field.draw(place, row, buffer, "", theme.text, theme.accent);
        }
        Some(ValueEditor::Chosen { names, at }) => {
            let name = names.get(*at).map_or("", String::as_str);
            let text = safe::one_line(&format!("‹ {name} ›"), room);
            paint::text(buffer, place, (0, row), place.width, &text, theme.accent);
        }
        None => {
            let text = safe::one_line(&rows::shown(state), room);
            let style = if is_default { theme.dim } else { theme.text };
            paint::text(buffer, place, (0, row), place.width, &text, style);
        }
    }
    None
}

/// The details of the selected setting.
fn details(it: &Settings, area: Rect, buffer: &mut Buffer, theme: &Theme) {
    paint::rule(buffer, area, 0, theme);
    let Some((state, setting)) = it.selected() else {
        return;
    };
    let room = usize::from(area.width).saturating_sub(2);
    let mut row = 1;
    let mut put = |text: &str, style| {
        if row < area.height {
            let text = safe::one_line(text, room);
            paint::text(buffer, area, (1, row), area.width, &text, style);
            row += 1;
        }
    };
    let said = it.said.as_ref().filter(|said| said.key == state.key);
    let outcome = said.map(|said| {
        let style = if said.is_refused {
            theme.error
        } else {
            theme.success
        };
        (said.text.as_str(), style)
    });
    let accepts = format!("accepts {}", setting.expected());
    if area.height < DETAIL_ROWS {
        if let Some((text, style)) = outcome {
            put(text, style);
        }
        put(&accepts, theme.text);
        put(setting.help, theme.dim);
        return;
    }
    for line in help(setting, room) {
        put(&line, theme.text);
    }
    let accepts = format!("{accepts}; default: {}", default(setting));
    for line in wrapped(&accepts, room).into_iter().take(2) {
        put(&line, theme.dim);
    }
    let mut from = format!("from {}", state.origin);
    match (setting.applies, &state.next_start) {
        (ChangeEffect::Live(_), _) => {}
        (ChangeEffect::AtStart, None) => from.push_str(" · read at the start"),
        (ChangeEffect::AtStart, Some(next)) => {
            let value = rows::in_words(state.key, &next.value);
            let waits = if next.is_saved {
                format!(" until the next start, then {value}")
            } else {
                format!(" · read at the start; {value} is not saved")
            };
            from.push_str(&waits);
        }
    }
    put(&from, theme.dim);
    if let Some((text, style)) = outcome {
        // A path may be longer than a row.
        for line in wrapped(text, room).into_iter().take(2) {
            put(&line, style);
        }
    }
}

fn help(setting: &Setting, room: usize) -> Vec<String> {
    let mut lines = wrapped(setting.help, room);
    lines.truncate(2);
    lines
}

fn wrapped(text: &str, room: usize) -> Vec<String> {
    let line = ratatui::text::Line::raw(safe::visible(text).into_owned());
    let lines = wrap::wrap(&line, room.max(1) as u16);
    lines.iter().map(ToString::to_string).collect()
}

fn default(setting: &Setting) -> String {
    match setting.unset {
        Some(unset) if setting.default_text() == "none" => unset.to_owned(),
        _ => setting.default_text(),
    }
}
