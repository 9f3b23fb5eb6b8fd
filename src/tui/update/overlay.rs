//! Screens on top: who gets a key, and what their answers mean.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::history;
use crate::agent::{AgentEvent, NoticeLevel};
use crate::tui::effect::Effect;
use crate::tui::model::Model;
use crate::tui::overlay::{Overlay, Reaction, Scene};

/// Rows that one notch of the wheel moves a list.
const WHEEL_ROWS: u16 = 3;

/// A key: from the top down, until somebody takes it. `None` when the main screen may.
pub(super) fn on_key(model: &mut Model, key: KeyEvent) -> Option<Vec<Effect>> {
    let is_unasked = model.overlays.last().is_some_and(|it| it.comes_by_itself());
    if key.code != KeyCode::Esc && is_unasked && model.is_mid_sentence() {
        return None;
    }
    let hides_main = model
        .overlays
        .iter()
        .any(|overlay| overlay.is_full_screen());
    for at in (0..model.overlays.len()).rev() {
        if let Some(effects) = ask(model, at, |overlay, scene| overlay.on_key(key, scene)) {
            return Some(effects);
        }
        // What it hides does not react behind its back.
        if model.overlays.get(at).is_some_and(|it| it.is_full_screen()) {
            break;
        }
    }
    // The main screen does not react to what is done behind its back; it can be left.
    let leaves = key.modifiers == KeyModifiers::CONTROL
        && matches!(key.code, KeyCode::Char('c' | 'z' | 'l'));
    if hides_main && key.code == KeyCode::Esc {
        model.overlays.pop();
        return Some(Vec::new());
    }
    (hides_main && !leaves).then(Vec::new)
}

/// The wheel, as arrow keys.
pub(super) fn on_wheel(model: &mut Model, steps: i16) -> Vec<Effect> {
    let code = if steps < 0 {
        KeyCode::Up
    } else {
        KeyCode::Down
    };
    let mut effects = Vec::new();
    for _ in 0..steps.unsigned_abs().saturating_mul(WHEEL_ROWS) {
        let key = KeyEvent::new(code, KeyModifiers::NONE);
        effects.extend(on_key(model, key).unwrap_or_default());
    }
    effects
}

/// A paste for the top overlay. `None` when it does not want it.
pub(super) fn on_paste(model: &mut Model, text: &str) -> Option<Vec<Effect>> {
    let top = model.overlays.len().checked_sub(1)?;
    let hides_main = model.overlays[top].is_full_screen();
    ask(model, top, |overlay, scene| overlay.on_paste(text, scene))
        .or_else(|| hides_main.then(Vec::new))
}

/// `$EDITOR` was closed; the overlay that asked knows itself.
pub(super) fn on_edited(model: &mut Model, text: Result<String, String>) -> Vec<Effect> {
    model.wants_clear = true;
    let text = match text {
        Ok(text) => text,
        Err(reason) => {
            model.say(
                NoticeLevel::Warning,
                format!("{reason}; the text is as it was"),
            );
            return Vec::new();
        }
    };
    for at in (0..model.overlays.len()).rev() {
        let edited = text.clone();
        if let Some(effects) = ask(model, at, |overlay, scene| overlay.on_edited(edited, scene)) {
            return effects;
        }
    }
    Vec::new()
}

/// Every overlay sees every event.
pub(super) fn on_event(model: &mut Model, event: &AgentEvent) -> Vec<Effect> {
    let mut effects = Vec::new();
    for at in (0..model.overlays.len()).rev() {
        let more = ask(model, at, |overlay, scene| overlay.on_event(event, scene));
        effects.extend(more.unwrap_or_default());
    }
    effects
}

/// Asks one overlay and does what it answers. `None` when it ignored the question.
fn ask(
    model: &mut Model,
    at: usize,
    question: impl FnOnce(&mut dyn Overlay, &Scene<'_>) -> Reaction,
) -> Option<Vec<Effect>> {
    // Taken out while it works: it borrows the rest of the model.
    let mut overlay = model.overlays.remove(at);
    let reaction = question(overlay.as_mut(), &model.scene());
    match reaction {
        Reaction::Close(effects) => Some(effects),
        Reaction::Consumed => {
            model.overlays.insert(at, overlay);
            Some(Vec::new())
        }
        Reaction::Ignored => {
            model.overlays.insert(at, overlay);
            None
        }
        Reaction::Act(effects) => {
            model.overlays.insert(at, overlay);
            Some(effects)
        }
        Reaction::Open(top) => {
            model.overlays.insert(at, overlay);
            model.overlays.push(top);
            Some(Vec::new())
        }
        Reaction::Leave(way, mut effects) => {
            model.overlays.retain(|overlay| !overlay.is_full_screen());
            effects.extend(history::go(model, way));
            Some(effects)
        }
    }
}
