//! Every key of the main screen: one table. Dispatch, the help screen and the README
//! read it; nothing else names a key.

mod table;

use std::fmt::Write as _;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::composer::Motion;

pub use table::BINDINGS;

/// Where a key works. Earlier ones win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Context {
    /// A completion list is open.
    List,
    /// The composer is empty.
    Empty,
    /// The main screen.
    Main,
}

impl Context {
    /// The heading in help.
    pub fn title(self) -> &'static str {
        match self {
            Self::List => "completion list",
            Self::Empty => "empty composer",
            Self::Main => "everywhere",
        }
    }
}

/// What a key does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Send the message.
    Send,
    /// Send the message after the running turn.
    SendAfterTurn,
    /// Begin a new line.
    Newline,
    /// Stop what runs, or step back.
    Escape,
    /// Empty the composer; twice: leave.
    Clear,
    /// Leave.
    Exit,
    /// Stop the process.
    Suspend,
    /// Draw the whole screen again.
    Redraw,
    /// Open `$EDITOR`.
    Editor,
    /// Show help.
    Help,
    /// Show the ledger.
    Ledger,
    /// Move the caret.
    Move(Motion),
    /// Remove up to there.
    Delete(Motion),
    /// Remove up to there and keep it.
    Kill(Motion),
    /// Put back what was removed.
    Yank,
    /// Swap two characters.
    Transpose,
    /// Take back an edit.
    Undo,
    /// Unfold the paste at the caret.
    Unfold,
    /// A row up, or an older message.
    Up,
    /// A row down, or a newer message.
    Down,
    /// An older message, whatever the row.
    Older,
    /// A newer message, whatever the row.
    Newer,
    /// Take back the newest queued message.
    TakeBack,
    /// Scroll by lines (in tenths of a page when `page`).
    ScrollPage(isize),
    /// Scroll by lines.
    ScrollLines(isize),
    /// To the start of the transcript.
    ScrollStart,
    /// To the end of the transcript.
    ScrollEnd,
    /// To another message of the user.
    Jump {
        /// Towards the end.
        forward: bool,
    },
    /// Open or close a card.
    ToggleCard,
    /// Put another card in focus.
    Focus {
        /// Towards the end.
        forward: bool,
    },
    /// Choose another line of the list.
    ListSelect {
        /// Downwards.
        forward: bool,
    },
    /// Take the chosen line.
    ListAccept,
    /// Take the chosen line; a command without arguments runs.
    ListSubmit,
    /// Close the list.
    ListClose,
}

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Binding {
    /// The keys, as help shows them.
    pub keys: &'static [&'static str],
    /// Where they work.
    pub context: Context,
    /// What they do.
    pub action: Action,
    /// The same in words.
    pub help: &'static str,
}

/// What a key does in the first of these contexts that knows it.
pub fn action(key: KeyEvent, contexts: &[Context]) -> Option<Action> {
    let find = |context: &Context| {
        BINDINGS
            .iter()
            .filter(|binding| binding.context == *context)
            .find(|binding| binding.keys.iter().any(|text| matches(text, key)))
    };
    contexts.iter().find_map(find).map(|binding| binding.action)
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
    let mut out = String::from("| key | where | what it does |\n|---|---|---|\n");
    for binding in BINDINGS {
        let keys: Vec<String> = binding.keys.iter().map(|key| format!("`{key}`")).collect();
        let _ = writeln!(
            out,
            "| {} | {} | {} |",
            keys.join(", "),
            binding.context.title(),
            binding.help
        );
    }
    out
}

/// Whether a key event is the key of this name.
fn matches(text: &str, key: KeyEvent) -> bool {
    let Some((modifiers, code)) = parse(text) else {
        return false;
    };
    // Shift is part of what a character key types, and of BackTab.
    let pressed = match key.code {
        KeyCode::Char(_) | KeyCode::BackTab => key.modifiers.difference(KeyModifiers::SHIFT),
        _ => key.modifiers,
    };
    let code_is = match (code, key.code) {
        (KeyCode::Char(a), KeyCode::Char(b)) if modifiers.contains(KeyModifiers::CONTROL) => {
            a.eq_ignore_ascii_case(&b)
        }
        (a, b) => a == b,
    };
    code_is && modifiers == pressed
}

fn parse(text: &str) -> Option<(KeyModifiers, KeyCode)> {
    let mut modifiers = KeyModifiers::NONE;
    let mut rest = text;
    for (prefix, modifier) in [
        ("ctrl-", KeyModifiers::CONTROL),
        ("alt-", KeyModifiers::ALT),
        ("shift-", KeyModifiers::SHIFT),
    ] {
        if let Some(shorter) = rest.strip_prefix(prefix) {
            modifiers |= modifier;
            rest = shorter;
        }
    }
    let code = match rest {
        "enter" => KeyCode::Enter,
        "esc" => KeyCode::Esc,
        "tab" if modifiers.contains(KeyModifiers::SHIFT) => {
            return Some((modifiers.difference(KeyModifiers::SHIFT), KeyCode::BackTab));
        }
        "tab" => KeyCode::Tab,
        "up" => KeyCode::Up,
        "down" => KeyCode::Down,
        "left" => KeyCode::Left,
        "right" => KeyCode::Right,
        "home" => KeyCode::Home,
        "end" => KeyCode::End,
        "pageup" => KeyCode::PageUp,
        "pagedown" => KeyCode::PageDown,
        "backspace" => KeyCode::Backspace,
        "delete" => KeyCode::Delete,
        "f1" => KeyCode::F(1),
        "f2" => KeyCode::F(2),
        _ => {
            let mut chars = rest.chars();
            let c = chars.next()?;
            chars.next().is_none().then_some(KeyCode::Char(c))?
        }
    };
    Some((modifiers, code))
}

/// The event of a key by its name; for tests.
pub fn event(text: &str) -> Option<KeyEvent> {
    parse(text).map(|(modifiers, code)| KeyEvent::new(code, modifiers))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_of_the_table_reaches_its_row() {
        let mut seen = Vec::new();
        for binding in BINDINGS {
            for key in binding.keys {
                let event = event(key).unwrap_or_else(|| panic!("{key} is no key"));
                assert_eq!(
                    action(event, &[binding.context]),
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
        let key = KeyEvent::new(KeyCode::Char('A'), KeyModifiers::SHIFT);
        assert_eq!(
            (typed(key), action(key, &[Context::Main])),
            (Some('A'), None)
        );
        let key = KeyEvent::new(KeyCode::Char('C'), KeyModifiers::CONTROL);
        assert_eq!(typed(key), None);
        assert_eq!(action(key, &[Context::Main]), Some(Action::Clear));
        let key = KeyEvent::new(KeyCode::Char('?'), KeyModifiers::SHIFT);
        assert_eq!(
            action(key, &[Context::Empty, Context::Main]),
            Some(Action::Help)
        );
        assert_eq!(action(key, &[Context::Main]), None);
    }
}
