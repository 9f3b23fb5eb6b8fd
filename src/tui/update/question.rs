//! Questions that came by themselves: which keys are theirs, and who has the rest.
//!
//! Invariant: text is never an answer. A key that types, and every paste, goes to the
//! composer unless a field is open in a question that somebody moved the keyboard into.

use crossterm::event::KeyEvent;

use super::overlay;
use crate::tui::effect::Effect;
use crate::tui::keymap::{self, Action, Context};
use crate::tui::model::Model;
use crate::tui::overlay::question::{Keyboard, QuestionKey};

/// A key while a question is on top. `None` when it is for what is below: a screen that
/// somebody opened, or the main screen.
pub(super) fn on_key(model: &mut Model, key: KeyEvent) -> Option<Vec<Effect>> {
    let at = model.screens.len().checked_sub(1)?;
    let state = model.keyboard_state();
    let top = model.screens.top()?;
    let is_read_first = top.is_read_first();
    if state.keyboard == Keyboard::Inside && top.takes_text() {
        return overlay::ask(model, at, |overlay, scene| overlay.on_key(key, scene));
    }
    let Some(pressed) = question_key(model, key) else {
        return leave(model, at);
    };
    let is_over_screen = model.screens.is_above_screen();
    let is_inside = state.keyboard == Keyboard::Inside;
    match (pressed, state.keyboard) {
        (_, Keyboard::Busy) => None,
        (QuestionKey::Switch, _) => {
            model.screens.give_keyboard(at, !is_inside);
            Some(Vec::new())
        }
        (QuestionKey::PageUp | QuestionKey::PageDown, _) if is_over_screen && !is_inside => None,
        (QuestionKey::PageUp | QuestionKey::PageDown, _) | (_, Keyboard::Inside) => {
            press(model, at, pressed)
        }
        (QuestionKey::Refuse, _) if state.escape_is_taken => None,
        (QuestionKey::Refuse, _) => press(model, at, pressed),
        (QuestionKey::Up | QuestionKey::Down | QuestionKey::Choose, Keyboard::Ready)
            if model.screens.has_offered_enter =>
        {
            model.screens.give_keyboard(at, true);
            if is_read_first {
                return Some(Vec::new());
            }
            press(model, at, pressed)
        }
        (
            QuestionKey::Up | QuestionKey::Down | QuestionKey::Choose,
            Keyboard::Ready | Keyboard::Away,
        ) => None,
    }
}

/// A paste while a question is on top. `None` when it is for what is below.
pub(super) fn on_paste(model: &mut Model, text: &str) -> Option<Vec<Effect>> {
    let at = model.screens.len().checked_sub(1)?;
    let question = model.screens.top()?;
    if question.has_keyboard() && question.takes_text() {
        return overlay::ask(model, at, |overlay, scene| overlay.on_paste(text, scene));
    }
    leave(model, at)
}

/// The meaning of a key for a question; a key that types has none.
fn question_key(model: &Model, key: KeyEvent) -> Option<QuestionKey> {
    if keymap::typed(key).is_some() {
        return None;
    }
    let action = model.keymap.action(key, &[Context::Question])?;
    let Action::Question(pressed) = action else {
        return None;
    };
    Some(pressed)
}

fn press(model: &mut Model, at: usize, pressed: QuestionKey) -> Option<Vec<Effect>> {
    overlay::ask(model, at, |overlay, scene| {
        overlay.on_question_key(pressed, scene)
    })
}

/// Somebody goes on with something else: the keyboard goes back to the composer. Over a
/// screen that hides the composer what is typed would act on that screen unseen, so it
/// has no effect there.
fn leave(model: &mut Model, at: usize) -> Option<Vec<Effect>> {
    if model.screens.top()?.has_keyboard() && model.screens.is_above_screen() {
        return Some(Vec::new());
    }
    model.screens.give_keyboard(at, false);
    None
}
