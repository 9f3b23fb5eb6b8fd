//! The composer and what waits above it.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

use super::super::composer::{Layout, Piece, Row};
use super::super::model::Model;
use super::super::numbers;
use super::super::overlay::question::Keyboard;
use super::super::render::{safe, wrap};
use super::rows::{indented, put};
use super::{PROMPT, PROMPT_FROM};
use crate::agent::SubmitWhen;
use crate::context::Category;

/// Placeholder of an empty composer.
const PLACEHOLDER: &str = "write a message · / commands · @ files · ! shell · ? help";
/// Placeholder while an answer streams.
const PLACEHOLDER_BUSY: &str =
    "Enter: send after this step · Alt-Enter: queue for later · Esc: stop";

/// Placeholder in plan mode.
const PLACEHOLDER_PLAN: &str = "plan mode: nothing is changed · Shift-Tab: ask mode";

/// Placeholder while a question that came by itself is open.
const PLACEHOLDER_QUESTION: &str = "what you type here is a message, not an answer";

/// Columns of text in a composer of this width. One column is left for the caret.
pub(super) fn columns(width: u16) -> u16 {
    width.saturating_sub(prompt_columns(width) + 1).max(1)
}

fn prompt_columns(width: u16) -> u16 {
    if width < PROMPT_FROM {
        0
    } else {
        wrap::width(PROMPT) as u16
    }
}

/// Messages and commands that wait for what runs.
pub(super) fn queued(model: &Model, area: Rect, buffer: &mut Buffer) {
    let mut area = indented(area);
    let theme = &model.look.theme;
    if model.outgoing.replaces.is_some() && area.height > 0 {
        area.height -= 1;
        let text = "editing an earlier message (new branch) · Ctrl-C: cancel";
        let line = Line::from(vec![
            Span::styled("✎ ", theme.accent),
            Span::styled(
                safe::one_line(text, usize::from(area.width.saturating_sub(2))),
                theme.dim,
            ),
        ]);
        let below = Rect {
            y: area.bottom(),
            height: 1,
            ..area
        };
        put(buffer, below, 0, &line);
    }
    // The newest are shown: they are the ones that can be taken back.
    let skip = model
        .activity
        .queued
        .len()
        .saturating_sub(area.height.into());
    for (y, message) in (0..area.height).zip(model.activity.queued.iter().skip(skip)) {
        let when = match message.when {
            SubmitWhen::NextStep => "next",
            SubmitWhen::AfterTurn => "later",
        };
        let when = match skip {
            // What is not in sight comes before.
            1.. if y == 0 => format!("after {skip} more: {when}"),
            _ => when.to_owned(),
        };
        let when = when.as_str();
        let is_last = y + 1 == area.height;
        // At rest the arrows are a question's.
        let hint = match model.keyboard_state().keyboard {
            _ if !is_last => "",
            // With a draft the arrows and ctrl-u are the composer's.
            _ if !model.composer.buffer.is_empty() => " · /unqueue: back to input",
            Keyboard::Ready | Keyboard::Inside if model.has_question() => {
                " · Ctrl-U: back to input"
            }
            _ => " · ↑: back to input",
        };
        let room =
            usize::from(area.width).saturating_sub(wrap::width(when) + wrap::width(hint) + 3);
        let line = Line::from(vec![
            Span::styled("⧗ ", theme.accent),
            Span::styled(format!("{when} "), theme.dim),
            Span::styled(safe::one_line(&message.text, room), theme.text),
            Span::styled(hint, theme.dim),
        ]);
        put(buffer, area, y, &line);
    }
}

/// The text, and the caret's place.
pub(super) fn composer(model: &Model, area: Rect, buffer: &mut Buffer) -> Option<Position> {
    if area.is_empty() {
        return None;
    }
    let theme = &model.look.theme;
    let text = &model.composer.buffer;
    let layout = Layout::of(text, columns(area.width).into());
    let indent = prompt_columns(area.width);
    if indent > 0 {
        let style = if text.text_in(0..1) == "!" {
            theme.warning
        } else {
            theme.accent
        };
        put(buffer, area, 0, &Line::styled(PROMPT, style));
    }
    let inner = Rect {
        x: area.x + indent,
        width: area.width - indent,
        ..area
    };
    let height = usize::from(area.height);
    // The caret's row is always in sight.
    let first = (layout.caret_row + 1).saturating_sub(height);
    let selection = model.composer.selection();
    for (y, row) in (0..area.height).zip(layout.rows.iter().skip(first)) {
        put(buffer, inner, y, &row_line(model, row, selection.as_ref()));
    }
    let last = layout.rows.get(first + height - 1).or(layout.rows.last());
    let used = last.filter(|_| layout.rows.len() >= height || height == 1);
    if text.is_empty() {
        let placeholder = if model.has_question() {
            PLACEHOLDER_QUESTION
        } else if model.activity.is_turn_running() {
            PLACEHOLDER_BUSY
        } else if model.session.mode.is_planning {
            PLACEHOLDER_PLAN
        } else {
            PLACEHOLDER
        };
        let placeholder = safe::one_line(placeholder, inner.width.into());
        put(buffer, inner, 0, &Line::styled(placeholder, theme.dim));
    } else {
        let used = used
            .or(layout.rows.last())
            .map_or(0, |row| row_line(model, row, None).width());
        let row = layout
            .rows
            .len()
            .saturating_sub(first)
            .min(height)
            .saturating_sub(1);
        estimate(model, inner, row as u16, used, buffer);
    }
    let column = (layout.caret_column as u16).min(inner.width.saturating_sub(1));
    let row = (layout.caret_row - first) as u16;
    Some(Position::new(inner.x + column, area.y + row))
}

/// The text of a row. A line break that is selected is one column behind it.
fn row_line<'a>(model: &'a Model, row: &Row, selection: Option<&Range<usize>>) -> Line<'a> {
    let theme = &model.look.theme;
    let all = model.composer.buffer.pieces();
    let is_selected = |at: usize| selection.is_some_and(|it| it.contains(&at));
    let pieces = row
        .pieces
        .clone()
        .zip(all.get(row.pieces.clone()).unwrap_or_default());
    let spans = pieces.map(|(at, piece)| {
        let style = match piece {
            Piece::Grapheme(_) => theme.text,
            Piece::Paste(_) | Piece::Image(_) => theme.accent,
        };
        let style = if is_selected(at) {
            style.patch(theme.selection)
        } else {
            style
        };
        Span::styled(piece.shown(), style)
    });
    let end = row.pieces.end;
    let has_break = all.get(end).is_some_and(Piece::is_newline) && is_selected(end);
    let line_break = has_break.then(|| Span::styled(" ", theme.selection));
    spans.chain(line_break).collect()
}

/// Tokens of the draft, right of the last row, where there is room.
fn estimate(model: &Model, area: Rect, row: u16, used: usize, buffer: &mut Buffer) {
    let view = model.session.view.as_ref();
    let tokens = view.map_or(0, |view| view.usage.by_category.get(Category::Pending));
    if tokens == 0 {
        return;
    }
    let text = format!("~{} ", numbers::plural(tokens, "token"));
    let width = wrap::width(&text);
    if used + width + 2 > usize::from(area.width) {
        return;
    }
    let place = Rect {
        x: area.right() - width as u16,
        width: width as u16,
        ..area
    };
    put(
        buffer,
        place,
        row,
        &Line::styled(text, model.look.theme.dim),
    );
}
