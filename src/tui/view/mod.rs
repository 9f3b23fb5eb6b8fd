//! The screen, drawn from the model and nothing else, at any size. Two steps: [`layout`]
//! computes what depends on the size, and [`draw`] borrows the model and changes nothing.

mod areas;
mod chat;
mod header;
mod input;
mod popup;
mod rows;
mod status;
mod title;
mod todo;
mod tour;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::Line;

use super::gauge;
use super::model::Model;
use super::overlay::question::Keyboard;
use super::overlay::{Overlay, OverlayScene};

use rows::{blank, indented, put};

pub use areas::Areas;
pub use title::title;

/// Columns before the composer's text on a screen with room: ` › `.
pub(crate) const PROMPT: &str = " › ";
/// Below this many columns the composer has no prompt.
pub(crate) const PROMPT_FROM: u16 = 12;

/// A frame: the layout, then the drawing.
pub fn frame(model: &mut Model, area: Rect, buffer: &mut Buffer) -> Option<Position> {
    layout(model, area);
    draw(model, area, buffer)
}

/// Computes what depends on the size: wrapped lines, visible rows, scroll positions. To be
/// called before [`draw`] with the same area.
pub fn layout(model: &mut Model, screen: Rect) {
    if screen.is_empty() {
        return;
    }
    let area = tour::above(model, screen);
    let hidden = model.screens.iter().rposition(<dyn Overlay>::covers_screen);
    let areas = Areas::of(model, area);
    let keyboard = model.keyboard_state();
    let mut screens = std::mem::take(&mut model.screens);
    let scene = OverlayScene {
        keyboard,
        ..model.scene()
    };
    for overlay in screens.iter_mut().skip(hidden.unwrap_or(0)) {
        let is_panel = hidden.is_none() && !overlay.covers_screen();
        let place = if is_panel {
            areas.above_composer()
        } else {
            area
        };
        overlay.layout(place, &scene);
    }
    model.screens = screens;
    if hidden.is_none() {
        let chat = chat_area(model, &areas);
        let mut conversation = std::mem::take(&mut model.conversation);
        conversation.layout(chat, &model.paint(chat.width));
        model.conversation = conversation;
    }
    model.screens.has_offered_enter = keyboard.keyboard == Keyboard::Ready;
    if model.screens.iter().any(Overlay::hides_transcript) {
        model.screens.selection.follow(screen);
    }
}

/// Draws everything and says where the hardware cursor is.
pub fn draw(model: &Model, area: Rect, buffer: &mut Buffer) -> Option<Position> {
    if area.is_empty() {
        return None;
    }
    let screen = area;
    tour::draw(model, screen, buffer);
    let area = tour::above(model, screen);
    let hidden = model.screens.iter().rposition(<dyn Overlay>::covers_screen);
    let mut cursor = match hidden {
        Some(_) => None,
        None => main_screen(model, area, buffer),
    };
    let scene = model.scene();
    let above = Areas::of(model, area).above_composer();
    for overlay in model.screens.iter().skip(hidden.unwrap_or(0)) {
        let is_panel = hidden.is_none() && !overlay.covers_screen();
        let caret = overlay.draw(if is_panel { above } else { area }, buffer, &scene);
        // The caret is where the next character goes.
        if overlay.has_keyboard() {
            cursor = caret;
        }
    }
    if hidden.is_none() {
        // What is being written may be a command: its list is above a question.
        popup::draw(model, Areas::of(model, area).popup, buffer);
    }
    if model.screens.iter().any(Overlay::hides_transcript) {
        selected(model, screen, buffer);
    }
    cursor
}

/// Draws the selection on a screen that hides the transcript, and that it was copied.
fn selected(model: &Model, area: Rect, buffer: &mut Buffer) {
    let selection = &model.screens.selection;
    if !selection.is_selecting() {
        return;
    }
    selection.tint(buffer, model.look.theme.selection);
    if let Some(toast) = &model.status.toast {
        let line = Line::styled(format!(" {} ", toast.text), model.look.theme.accent);
        let last = area.height.saturating_sub(1);
        blank(
            buffer,
            Rect {
                y: area.y + last,
                height: 1,
                ..area
            },
            Style::new(),
        );
        put(buffer, area, last, &line);
    }
}

/// The rows of the transcript that no panel hides.
fn chat_area(model: &Model, areas: &Areas) -> Rect {
    let above = areas.above_composer();
    let covered = model.screens.iter().map(|it| it.rows(above)).max();
    let panel = covered.unwrap_or(0);
    let bottom = above.bottom().saturating_sub(panel);
    Rect {
        height: areas.chat.height.min(bottom.saturating_sub(areas.chat.y)),
        ..areas.chat
    }
}

/// Columns of the composer's text in the newest frame's width.
pub fn composer_columns(model: &Model) -> usize {
    usize::from(input::columns(model.conversation.width()))
}

fn main_screen(model: &Model, area: Rect, buffer: &mut Buffer) -> Option<Position> {
    let areas = Areas::of(model, area);
    header::draw(model, areas.header, buffer);
    rule(model, areas.header_rule, buffer);
    chat::draw(model, chat_area(model, &areas), buffer);
    status::line(model, areas.status, buffer);
    todo::draw(model, areas.todo, buffer);
    input::queued(model, areas.queued, buffer);
    rule(model, areas.composer_rule, buffer);
    let cursor = input::composer(model, areas.composer, buffer);
    if !areas.gauge.is_empty() {
        let inner = indented(areas.gauge);
        put(
            buffer,
            inner,
            0,
            &gauge::line(&model.reading(), inner.width, &model.look.theme),
        );
    }
    cursor
}

fn rule(model: &Model, area: Rect, buffer: &mut Buffer) {
    for position in area.positions() {
        if let Some(cell) = buffer.cell_mut(position) {
            cell.set_symbol("─").set_style(model.look.theme.border);
        }
    }
}
