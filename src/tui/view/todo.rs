//! The list of steps that the model keeps: a line that says how far it is, and below it the
//! steps around the one in progress.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::super::model::Model;
use super::super::render::{safe, wrap};
use super::rows::{indented, put};
use crate::transcript::{TodoItem, TodoList, TodoState};

/// Steps that are shown at once.
const STEPS_SHOWN: usize = 5;
/// Rows of the screen from which there is a line for the list.
const LINE_FROM: u16 = 12;
/// Rows of the screen from which there is room for steps.
const STEPS_FROM: u16 = 18;

/// Between how far it is and what comes next.
const SEPARATOR: &str = " · ";

/// Rows that the list takes on a screen of this height.
pub(super) fn rows(model: &Model, height: u16) -> u16 {
    let Some(list) = shown(model).filter(|_| height >= LINE_FROM) else {
        return 0;
    };
    if model.session.todo.is_folded || height < STEPS_FROM {
        return 1;
    }
    1 + list.items.len().min(STEPS_SHOWN) as u16
}

/// The list, while something of it is left to do.
fn shown(model: &Model) -> Option<&TodoList> {
    model
        .session
        .todo
        .list
        .as_ref()
        .filter(|it| !it.is_finished())
}

pub(super) fn draw(model: &Model, area: Rect, buffer: &mut Buffer) {
    let Some(list) = shown(model).filter(|_| !area.is_empty()) else {
        return;
    };
    let area = indented(area);
    let theme = &model.look.theme;
    let room = usize::from(area.width);
    let standing = format!("todo {}/{}", list.done(), list.items.len());
    let now = list
        .items
        .iter()
        .find(|it| it.state == TodoState::InProgress);
    let is_folded = area.height == 1;
    let rest = match now.filter(|_| is_folded) {
        Some(item) => item.text.as_str(),
        None if is_folded => "/todo: unfold",
        None => "/todo folds",
    };
    let used = wrap::width(&standing) + wrap::width(SEPARATOR);
    let rest = safe::one_line(rest, room.saturating_sub(used));
    let head = Line::from(vec![
        Span::styled(standing, theme.accent),
        Span::styled(SEPARATOR, theme.dim),
        Span::styled(rest, theme.dim),
    ]);
    put(buffer, area, 0, &head);
    let steps = usize::from(area.height - 1);
    for (row, item) in (1..area.height).zip(list.items.iter().skip(first(list, steps))) {
        put(buffer, area, row, &step(model, item, room));
    }
}

/// The first step in sight: one that is done stays above what comes next.
fn first(list: &TodoList, steps: usize) -> usize {
    let next = list.items.iter().position(|it| it.state != TodoState::Done);
    let above = next.unwrap_or(0).saturating_sub(1);
    above.min(list.items.len().saturating_sub(steps))
}

fn step(model: &Model, item: &TodoItem, room: usize) -> Line<'static> {
    let theme = &model.look.theme;
    let (sign, style) = match item.state {
        TodoState::Done => ("✓ ", theme.dim),
        TodoState::InProgress => ("▸ ", theme.accent),
        TodoState::Pending => ("○ ", theme.text),
    };
    let text = safe::one_line(&item.text, room.saturating_sub(2));
    Line::from(vec![Span::styled(sign, style), Span::styled(text, style)])
}
