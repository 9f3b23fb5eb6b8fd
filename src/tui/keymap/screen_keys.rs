//! The keys of the screens on top: which row a key reaches, and the rows of a screen.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::context_keys::CONTEXT_KEYS;
use super::history_keys::HISTORY_KEYS;
use super::list_keys::LIST_KEYS;
use super::review_keys::REVIEW_KEYS;
use super::{Action, Binding, Chord, Context, Keymap, Row, Screen, ScreenAction};
use crate::tui::widget::ScrollMotion;

/// All rows, in the order of help.
pub(super) fn screen_bindings() -> impl Iterator<Item = &'static Binding> {
    let parts = [CONTEXT_KEYS, REVIEW_KEYS, HISTORY_KEYS, LIST_KEYS];
    parts.into_iter().flatten()
}

impl Keymap {
    /// The action of a key on a screen: its own rows come before those that it shares.
    pub fn screen_action(&self, screen: Screen, key: KeyEvent) -> Option<ScreenAction> {
        let own = [Context::Screen(screen)];
        let shared = screen.shared().map(Context::Screen);
        let action = self
            .action(key, &own)
            .or_else(|| self.action(key, &[shared?]));
        match action? {
            Action::Screen(action) => Some(action),
            _ => None,
        }
    }

    /// The key that shows the keys of a question, by name; empty when none does.
    pub fn help_of_questions(&self) -> &str {
        let mut rows = self.rows().iter();
        let row = rows.find(|row| {
            row.binding.context == Context::Question && row.binding.action == Action::Help
        });
        row.and_then(|row| row.keys.first())
            .map_or("", String::as_str)
    }

    /// The key that scrolls a screen so; an arrow where none does.
    pub fn scroll_key(&self, screen: Option<Screen>, motion: ScrollMotion) -> KeyEvent {
        let rows = screen
            .map(|screen| self.screen_rows(screen))
            .unwrap_or_default();
        let is_it = |row: &&ScreenRow<'_>| row.action == ScreenAction::Scroll(motion);
        let name = rows.iter().find(is_it).and_then(|row| row.keys.first());
        let chord = name.and_then(|name| Chord::parse(name));
        chord.map_or_else(|| arrow(motion), Chord::event)
    }

    /// The rows of a screen that have keys, its own first, without keys that its own rows
    /// take from the shared ones.
    pub fn screen_rows(&self, screen: Screen) -> Vec<ScreenRow<'_>> {
        let mut taken: Vec<&str> = Vec::new();
        let mut found = Vec::new();
        for place in [Some(screen), screen.shared()].into_iter().flatten() {
            let is_own = place == screen;
            for row in self.rows() {
                let (Context::Screen(at), Action::Screen(action)) =
                    (row.binding.context, row.binding.action)
                else {
                    continue;
                };
                if at != place {
                    continue;
                }
                let keys = row.keys.iter().map(String::as_str);
                let keys: Vec<&str> = keys.filter(|key| is_own || !taken.contains(key)).collect();
                if is_own {
                    taken.extend(&keys);
                }
                if !keys.is_empty() {
                    found.push(ScreenRow {
                        row,
                        action,
                        keys,
                        is_own,
                    });
                }
            }
        }
        found
    }
}

fn arrow(motion: ScrollMotion) -> KeyEvent {
    let code = match motion {
        ScrollMotion::Up | ScrollMotion::PageUp | ScrollMotion::HalfUp | ScrollMotion::First => {
            KeyCode::Up
        }
        ScrollMotion::Down
        | ScrollMotion::PageDown
        | ScrollMotion::HalfDown
        | ScrollMotion::Last => KeyCode::Down,
    };
    KeyEvent::new(code, KeyModifiers::NONE)
}

/// A row of a screen as it holds there.
pub struct ScreenRow<'a> {
    /// The row.
    pub row: &'a Row,
    /// Its action.
    pub action: ScreenAction,
    /// Its keys by name; at least one.
    pub keys: Vec<&'a str>,
    /// Whether other screens do not have it.
    pub is_own: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::keymap::event;

    #[test]
    fn each_screen_reaches_all_of_its_rows() {
        let keymap = Keymap::default();
        for screen in Screen::ALL {
            for row in keymap.screen_rows(screen) {
                for key in &row.keys {
                    let pressed = event(key).unwrap();
                    assert_eq!(
                        keymap.screen_action(screen, pressed),
                        Some(row.action),
                        "{key} in {screen:?}"
                    );
                }
                assert!(!row.row.binding.help.is_empty());
            }
        }
    }

    #[test]
    fn where_text_is_typed_no_key_is_a_character() {
        for binding in screen_bindings() {
            let Context::Screen(screen) = binding.context else {
                panic!("{binding:?}");
            };
            for key in binding.keys {
                let is_text = Chord::parse(key).is_some_and(Chord::is_text);
                assert!(!(is_text && screen.takes_text()), "{key} in {screen:?}");
            }
        }
    }

    #[test]
    fn every_screen_has_a_way_back_and_its_help() {
        let keymap = Keymap::default();
        for screen in Screen::ALL {
            let action = |key: &str| keymap.screen_action(screen, event(key).unwrap());
            assert_eq!(action("f1"), Some(ScreenAction::Help), "{screen:?}");
            assert!(action("esc").is_some(), "{screen:?}");
            let is_reading = screen.shared() == Some(Screen::Reading);
            let expected = is_reading.then_some(ScreenAction::Help);
            assert_eq!(action("?"), expected.or(action("?")), "{screen:?}");
        }
    }

    #[test]
    fn names_of_places_and_rows_are_unique() {
        let mut names: Vec<&str> = Context::all().map(Context::name).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
        let mut rows: Vec<(&str, &str)> = screen_bindings()
            .map(|it| (it.context.name(), it.name))
            .collect();
        let count = rows.len();
        rows.sort_unstable();
        rows.dedup();
        assert_eq!(rows.len(), count);
    }
}
