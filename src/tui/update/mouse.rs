//! The mouse: the wheel scrolls, a click opens a card, dragging selects and copies; a double
//! click takes a word, a triple one a line.

use ratatui::buffer::Buffer;
use ratatui::layout::Position;

use super::key;
use crate::agent::NoticeLevel;
use crate::tui::effect::Effect;
use crate::tui::input::Pointer;
use crate::tui::model::Model;
use crate::tui::numbers;
use crate::tui::view;

/// Lines of one notch of the wheel.
const WHEEL_LINES: isize = 3;

/// The wheel turned.
pub(super) fn on_scroll(model: &mut Model, steps: i16) -> Vec<Effect> {
    if model.screens.topmost_over_transcript().is_some() {
        return super::overlay::on_wheel(model, steps);
    }
    key::scroll(model, isize::from(steps) * WHEEL_LINES)
}

/// The left button did something.
pub(super) fn on_pointer(model: &mut Model, kind: Pointer, column: u16, row: u16) -> Vec<Effect> {
    if model.screens.topmost_over_transcript().is_some() {
        return on_screen(model, kind, Position::new(column, row));
    }
    let now = model.now;
    match kind {
        Pointer::Down => {
            model.conversation.press(column, row, now);
            Vec::new()
        }
        Pointer::Drag => model.with_paint(|chat, paint| chat.drag(column, row, paint)),
        Pointer::Up if model.conversation.is_selecting() => copy(model),
        Pointer::Up => click(model, column, row),
    }
}

/// The left button on a screen that hides the transcript: there is nothing to click.
fn on_screen(model: &mut Model, kind: Pointer, at: Position) -> Vec<Effect> {
    match kind {
        Pointer::Down => model.screens.selection.press(at),
        Pointer::Drag => model.screens.selection.drag(at),
        Pointer::Up if model.screens.selection.is_selecting() => {
            let area = model.screens.selection.area();
            let mut buffer = Buffer::empty(area);
            view::draw(model, area, &mut buffer);
            let text = model.screens.selection.text(&buffer);
            return take(model, text);
        }
        Pointer::Up => {}
    }
    Vec::new()
}

fn click(model: &mut Model, column: u16, row: u16) -> Vec<Effect> {
    if !model.screens.is_empty() {
        return Vec::new();
    }
    if let Some(at) = model.conversation.cell_at(column, row) {
        model.conversation.toggle(at);
    }
    Vec::new()
}

fn copy(model: &mut Model) -> Vec<Effect> {
    let mut text = String::new();
    model.with_paint(|chat, paint| text = chat.selected_text(paint));
    take(model, text)
}

fn take(model: &mut Model, text: String) -> Vec<Effect> {
    if text.trim().is_empty() {
        return Vec::new();
    }
    let count = text.chars().count() as u64;
    let said = format!("copied {}", numbers::plural(count, "character"));
    model.say(NoticeLevel::Info, said);
    vec![Effect::Copy(text)]
}
