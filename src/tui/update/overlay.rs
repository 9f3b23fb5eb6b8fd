//! Screens on top: who gets a key, and what their reactions mean.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{edit, help, history, question};
use crate::agent::{AgentEvent, NoticeLevel};
use crate::tui::effect::Effect;
use crate::tui::model::{Model, ScreenId};
use crate::tui::overlay::{Overlay, OverlayScene, Reaction};
use crate::tui::widget::ScrollMotion;

/// Rows that one notch of the wheel moves a list.
const WHEEL_ROWS: u16 = 3;

/// A key: first a question that came by itself, then what somebody opened, from the top
/// down, until somebody takes it. `None` when the main screen may.
pub(super) fn on_key(model: &mut Model, key: KeyEvent) -> Option<Vec<Effect>> {
    if let Some(effects) = help::on_key(model, key) {
        return Some(effects);
    }
    if model.has_question()
        && let Some(effects) = question::on_key(model, key)
    {
        return Some(effects);
    }
    on_screen_key(model, key)
}

/// A key for the screens that hide the main one.
fn on_screen_key(model: &mut Model, key: KeyEvent) -> Option<Vec<Effect>> {
    let at = model.screens.iter().rposition(Overlay::is_full_screen)?;
    let on_key = |overlay: &mut dyn Overlay, scene: &OverlayScene<'_>| overlay.on_key(key, scene);
    // A question on top has seen the key already.
    let has_seen_it = model.has_question() && at + 1 == model.screens.len();
    if !has_seen_it && let Some(effects) = ask(model, at, on_key) {
        return Some(effects);
    }
    if key.code == KeyCode::Esc {
        // An answer is never left out by closing the question.
        if model
            .screens
            .get(at)
            .is_some_and(|it| !it.comes_by_itself())
        {
            model.screens.take(at);
        }
        return Some(Vec::new());
    }
    // The main screen does not react to what is done while it is hidden; it can be left.
    let leaves = key.modifiers == KeyModifiers::CONTROL
        && matches!(key.code, KeyCode::Char('c' | 'z' | 'l'));
    (!leaves).then(Vec::new)
}

/// The wheel, as the keys that scroll: for the topmost screen that hides the transcript, whoever has
/// the keyboard.
pub(super) fn on_wheel(model: &mut Model, steps: i16) -> Vec<Effect> {
    let motion = if steps < 0 {
        ScrollMotion::Up
    } else {
        ScrollMotion::Down
    };
    let mut effects = Vec::new();
    for _ in 0..steps.unsigned_abs().saturating_mul(WHEEL_ROWS) {
        let Some(at) = model.screens.topmost_over_transcript() else {
            break;
        };
        let screen = model.screens.get(at).and_then(Overlay::screen);
        let key = model.keymap.scroll_key(screen, motion);
        let more = ask(model, at, |overlay, scene| overlay.on_wheel(key, scene));
        effects.extend(more.unwrap_or_default());
    }
    effects
}

/// A paste for the top overlay. `None` when it does not want it.
pub(super) fn on_paste(model: &mut Model, text: &str) -> Option<Vec<Effect>> {
    let mut screens = model.screens.len();
    if model.has_question() {
        if let Some(effects) = question::on_paste(model, text) {
            return Some(effects);
        }
        screens -= 1;
    }
    let at = (0..screens).rev().find(|&at| {
        let screen = model.screens.get(at);
        screen.is_some_and(Overlay::is_full_screen)
    })?;
    ask(model, at, |overlay, scene| overlay.on_paste(text, scene)).or_else(|| Some(Vec::new()))
}

/// `$EDITOR` was closed; the overlay that asked knows itself.
pub(super) fn on_edited(model: &mut Model, text: Result<String, String>) -> Vec<Effect> {
    model.screens.wants_clear = true;
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
    for at in (0..model.screens.len()).rev() {
        let edited = text.clone();
        if let Some(effects) = ask(model, at, |overlay, scene| overlay.on_edited(edited, scene)) {
            return effects;
        }
    }
    Vec::new()
}

/// The result of an event in the open screens.
#[derive(Default)]
pub(super) struct HeardEvent {
    /// Their effects.
    pub effects: Vec<Effect>,
    /// One of them shows it.
    pub is_taken: bool,
}

/// Shows an event to every open screen. Replies that somebody asked for go to the asker alone.
pub(super) fn on_event(model: &mut Model, event: &AgentEvent) -> HeardEvent {
    let mut heard = HeardEvent::default();
    for at in (0..model.screens.len()).rev() {
        let more = ask(model, at, |overlay, scene| overlay.on_event(event, scene));
        heard.is_taken |= more.is_some();
        heard.effects.extend(more.unwrap_or_default());
    }
    heard
}

/// A reply for the screen that asked for it.
pub(super) fn feed(model: &mut Model, screen: ScreenId, event: &AgentEvent) -> Vec<Effect> {
    let Some(at) = model.screens.position(screen) else {
        return Vec::new();
    };
    let effects = ask(model, at, |overlay, scene| overlay.on_event(event, scene));
    effects.unwrap_or_default()
}

/// Asks one overlay and does what it answers. `None` when it ignored the question.
pub(super) fn ask(
    model: &mut Model,
    at: usize,
    question: impl FnOnce(&mut dyn Overlay, &OverlayScene<'_>) -> Reaction,
) -> Option<Vec<Effect>> {
    // Taken out while it works: it borrows the rest of the model.
    let mut screen = model.screens.take(at)?;
    let id = screen.id;
    let reaction = question(screen.overlay.as_mut(), &model.scene());
    match reaction {
        Reaction::Close(effects) => Some(model.queries.adopt(effects, None)),
        Reaction::Return(words, effects) => {
            let mut effects = model.queries.adopt(effects, None);
            effects.extend(edit::take_words(model, &words));
            Some(effects)
        }
        Reaction::Consumed => {
            model.screens.put_back(at, screen);
            Some(Vec::new())
        }
        Reaction::Ignored => {
            model.screens.put_back(at, screen);
            None
        }
        Reaction::Act(effects) => {
            model.screens.put_back(at, screen);
            Some(model.queries.adopt(effects, Some(id)))
        }
        Reaction::Open(top) => {
            model.screens.put_back(at, screen);
            model.screens.push(top);
            Some(Vec::new())
        }
        Reaction::Leave(way, effects) => {
            model.screens.leave_to_main();
            let mut effects = model.queries.adopt(effects, None);
            effects.extend(history::go(model, way));
            Some(effects)
        }
    }
}
