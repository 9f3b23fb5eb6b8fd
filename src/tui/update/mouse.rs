//! The mouse: the wheel scrolls, a click opens a card.

use super::key;
use crate::tui::effect::Effect;
use crate::tui::input::Pointer;
use crate::tui::model::Model;

/// Lines of one notch of the wheel.
const WHEEL_LINES: isize = 3;

/// The wheel turned.
pub(super) fn on_scroll(model: &mut Model, steps: i16) -> Vec<Effect> {
    if model
        .overlays
        .last()
        .is_some_and(|top| top.is_full_screen())
    {
        return super::overlay::on_wheel(model, steps);
    }
    key::scroll(model, isize::from(steps) * WHEEL_LINES)
}

/// The left button did something.
pub(super) fn on_pointer(model: &mut Model, kind: Pointer, column: u16, row: u16) -> Vec<Effect> {
    if kind != Pointer::Up || !model.overlays.is_empty() {
        return Vec::new();
    }
    if let Some(at) = model.conversation.cell_at(column, row) {
        model.conversation.toggle(at);
    }
    Vec::new()
}
