//! Every key, of the main screen and of each screen on top: one table. Dispatch, hints, help
//! and the documents read it; nothing else names a key. What the user binds otherwise is
//! laid over it.

mod binding;
mod chord;
mod configured;
mod context_keys;
mod history_keys;
mod list_keys;
mod review_keys;
mod screen;
mod screen_keys;
mod table;

use std::fmt::Write as _;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::widget::vi::VI_KEYS;
use screen_keys::screen_bindings;
use table::BINDINGS;

pub use binding::{Action, Binding, Context, QuestionKey};
pub use chord::Chord;
pub use configured::{Keymap, Row};
pub use screen::{Screen, ScreenAction};
pub use screen_keys::ScreenRow;

/// Every row, in the order of help.
pub fn bindings() -> impl Iterator<Item = &'static Binding> {
    BINDINGS.iter().chain(screen_bindings())
}

/// The text that a key types, if it types any.
pub fn typed(key: KeyEvent) -> Option<char> {
    let held = key.modifiers.difference(KeyModifiers::SHIFT);
    match key.code {
        // AltGr arrives as both at once, where a terminal cannot tell.
        KeyCode::Char(c)
            if held.is_empty() || held == KeyModifiers::CONTROL | KeyModifiers::ALT =>
        {
            Some(c)
        }
        _ => None,
    }
}

/// The table for the README.
pub fn keys_markdown() -> String {
    let mut out = String::from("| key | where | what it does | `[keys]` |\n|---|---|---|---|\n");
    for binding in bindings() {
        let keys: Vec<String> = binding.keys.iter().map(|key| code(key)).collect();
        let _ = writeln!(
            out,
            "| {} | {} | {} | `{}.{}` |",
            keys.join(", "),
            binding.context.title(),
            binding.help,
            binding.context.name(),
            binding.name
        );
    }
    for row in VI_KEYS {
        let keys: Vec<String> = row.keys.iter().map(|key| code(key)).collect();
        let _ = writeln!(
            out,
            "| {} | {} | {} | – |",
            keys.join(", "),
            row.mode(),
            row.help
        );
    }
    out
}

/// A key as code in a table of Markdown.
fn code(key: &str) -> String {
    let key = key.replace('|', "\\|");
    if key.contains('`') {
        format!("`` {key} ``")
    } else {
        format!("`{key}`")
    }
}

/// The event of a key by its name; for tests.
pub fn event(text: &str) -> Option<KeyEvent> {
    Chord::parse(text).map(Chord::event)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_of_the_table_reaches_its_row() {
        let mut seen = Vec::new();
        for binding in bindings() {
            for key in binding.keys {
                let event = event(key).unwrap_or_else(|| panic!("{key} is no key"));
                assert_eq!(
                    Keymap::default().action(event, &[binding.context]),
                    Some(binding.action),
                    "{key}"
                );
                assert!(
                    !seen.contains(&(binding.context.title(), key)),
                    "{key} twice"
                );
                seen.push((binding.context.title(), key));
            }
            assert!(keys_markdown().contains(binding.help));
        }
    }

    #[test]
    fn shifted_letters_are_text_and_control_letters_are_not() {
        let keymap = Keymap::default();
        let key = KeyEvent::new(KeyCode::Char('A'), KeyModifiers::SHIFT);
        assert_eq!(
            (typed(key), keymap.action(key, &[Context::Main])),
            (Some('A'), None)
        );
        let key = KeyEvent::new(KeyCode::Char('C'), KeyModifiers::CONTROL);
        assert_eq!(typed(key), None);
        assert_eq!(keymap.action(key, &[Context::Main]), Some(Action::Clear));
        let key = KeyEvent::new(KeyCode::Char('?'), KeyModifiers::SHIFT);
        assert_eq!(
            keymap.action(key, &[Context::Empty, Context::Main]),
            Some(Action::Help)
        );
        assert_eq!(keymap.action(key, &[Context::Main]), None);
    }
}
