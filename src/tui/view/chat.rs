//! The transcript's viewport.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::{Line, Span};

use super::super::model::Model;
use super::super::numbers;
use super::super::render::{safe, wrap};
use super::super::transcript::{Highlight, RowHighlight};
use super::rows::put;
use crate::context::window::ASSUMED_WINDOW_TOKENS;

/// Columns of a model's name in the greeting.
const NAME_COLUMNS: usize = 48;

/// Draws the rows in sight, or a greeting.
pub(super) fn draw(model: &Model, area: Rect, buffer: &mut Buffer) {
    let chat = &model.conversation;
    let theme = &model.look.theme;
    if area.is_empty() {
        return;
    }
    for (y, line) in (0..area.height).zip(chat.visible_lines()) {
        if let Some(line) = line {
            put(buffer, area, y, line);
        }
    }
    for RowHighlight { row, columns, why } in chat.visible_highlights() {
        let style = match why {
            Highlight::Found => theme.accent.add_modifier(Modifier::UNDERLINED),
            Highlight::Shown => theme.warning.add_modifier(Modifier::REVERSED),
            Highlight::Selected => theme.selection,
        };
        let end = columns.end.min(area.width.into());
        for column in columns.start..end {
            let place = (area.x + column as u16, area.y + *row as u16);
            if let Some(cell) = buffer.cell_mut(place) {
                cell.set_style(style);
            }
        }
    }
    if chat.is_empty() {
        greeting(model, area, buffer);
    }
}

/// The provider when no other can be reached.
const NO_KEY_PROVIDER: &str = "offline";

/// How large the window is and who says so.
fn window(model: &Model) -> String {
    let Some(view) = &model.session.view else {
        return String::new();
    };
    match view.window.tokens {
        Some(tokens) => format!(
            " · window {} ({})",
            numbers::tokens(tokens),
            view.window.source.name()
        ),
        None => format!(
            " · window unknown, {} assumed",
            numbers::tokens(ASSUMED_WINDOW_TOKENS)
        ),
    }
}

fn greeting(model: &Model, area: Rect, buffer: &mut Buffer) {
    let theme = &model.look.theme;
    let mut lines = vec![Line::from(vec![
        Span::styled("⊖ ", theme.accent),
        Span::styled("plimsoll", theme.heading),
    ])];
    if !model.session.model.model.is_empty() {
        let name = safe::one_line(&model.session.model.label(), NAME_COLUMNS);
        let window = window(model);
        lines.push(Line::styled(format!("{name}{window}"), theme.text));
        let reason = safe::one_line(&model.session.about_model.reason, area.width.into());
        lines.push(Line::styled(reason, theme.dim));
        if let Some(state) = &model.session.about_model.reasoning {
            let words = format!("reasoning: {}", state.words());
            lines.push(Line::styled(words, theme.dim));
        }
        lines.push(Line::from(vec![
            Span::styled("/model", theme.accent),
            Span::styled(": switch model", theme.dim),
        ]));
        if model.session.model.provider == NO_KEY_PROVIDER {
            lines.push(Line::from(vec![
                Span::styled("/login", theme.accent),
                Span::styled(": enter a provider's key", theme.dim),
            ]));
        }
    }
    lines.push(Line::default());
    for (keys, what) in [
        ("enter", "send"),
        ("/", "commands"),
        ("@", "files"),
        ("!", "run a command"),
        ("?", "help"),
    ] {
        lines.push(Line::from(vec![
            Span::styled(format!("{keys:>6} "), theme.accent),
            Span::styled(what, theme.dim),
        ]));
    }
    let top = area.height.saturating_sub(lines.len() as u16) / 3;
    let widest = lines.iter().map(Line::width).max().unwrap_or(0);
    let left = area.width.saturating_sub(widest as u16) / 2;
    let inner = Rect {
        x: area.x + left,
        width: area.width - left,
        ..area
    };
    for (y, line) in (top..area.height).zip(&lines) {
        let line = wrap::wrap(line, inner.width).into_iter().next();
        put(buffer, inner, y, &line.unwrap_or_default());
    }
}
