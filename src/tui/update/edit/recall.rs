//! The search through what was sent: its keys, until one of them ends it.

use crossterm::event::KeyEvent;

use super::changed;
use crate::tui::effect::Effect;
use crate::tui::keymap::{self, Action, Context};
use crate::tui::model::Model;

/// Begins the search.
pub(in crate::tui::update) fn begin(model: &mut Model) -> Vec<Effect> {
    model.completion.close();
    model.composer.begin_recall();
    Vec::new()
}

/// A key while the search goes on. `None` when it is for whoever comes next: then it has
/// taken what is shown.
pub(in crate::tui::update) fn on_key(model: &mut Model, key: KeyEvent) -> Option<Vec<Effect>> {
    model.composer.recall()?;
    match model.keymap.action(key, &[Context::Recall]) {
        Some(Action::RecallStep { older }) => model.composer.step_recall(older),
        Some(Action::RecallErase) => model.composer.shorten_recall(),
        Some(Action::RecallTake) => return Some(take(model)),
        Some(Action::RecallEnd) => model.composer.drop_recall(),
        // In this context the table has no other actions.
        Some(_) | None => {
            if let Some(c) = keymap::typed(key) {
                model.composer.extend_recall(c);
            } else {
                take(model);
                return None;
            }
        }
    }
    Some(Vec::new())
}

/// Ends the search with what is shown.
pub(in crate::tui::update) fn take(model: &mut Model) -> Vec<Effect> {
    model.composer.take_recall();
    let effects = changed(model);
    // A command that is taken has been written: there is nothing to complete.
    model.completion.close();
    effects
}
