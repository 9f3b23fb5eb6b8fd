//! A key by name: `enter`, `ctrl-x`, `alt-<`, `f3`. Names are what help shows, what the
//! configuration holds and what tests press.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

const MODIFIERS: [(&str, KeyModifiers); 3] = [
    ("ctrl-", KeyModifiers::CONTROL),
    ("alt-", KeyModifiers::ALT),
    ("shift-", KeyModifiers::SHIFT),
];

const NAMED: [(&str, KeyCode); 15] = [
    ("enter", KeyCode::Enter),
    ("esc", KeyCode::Esc),
    ("tab", KeyCode::Tab),
    ("up", KeyCode::Up),
    ("down", KeyCode::Down),
    ("left", KeyCode::Left),
    ("right", KeyCode::Right),
    ("home", KeyCode::Home),
    ("end", KeyCode::End),
    ("pageup", KeyCode::PageUp),
    ("pagedown", KeyCode::PageDown),
    ("insert", KeyCode::Insert),
    ("backspace", KeyCode::Backspace),
    ("delete", KeyCode::Delete),
    ("space", KeyCode::Char(' ')),
];

/// Keyboards have no more.
const FUNCTION_KEYS: u8 = 24;

/// A key with what is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chord {
    modifiers: KeyModifiers,
    code: KeyCode,
}

impl Chord {
    /// The key of this name; `None` when there is no such key. Names are read in lower
    /// case, but for single letters.
    pub fn parse(text: &str) -> Option<Self> {
        let mut modifiers = KeyModifiers::NONE;
        let mut rest = text.trim();
        while let Some((shorter, modifier)) = MODIFIERS.iter().find_map(|(prefix, modifier)| {
            let held = rest.get(..prefix.len())?;
            // `ctrl--` is Ctrl and the minus key.
            let shorter = rest
                .get(prefix.len()..)
                .filter(|shorter| !shorter.is_empty())?;
            held.eq_ignore_ascii_case(prefix)
                .then_some((shorter, *modifier))
        }) {
            modifiers |= modifier;
            rest = shorter;
        }
        let mut code = code(rest)?;
        if code == KeyCode::Tab && modifiers.contains(KeyModifiers::SHIFT) {
            code = KeyCode::BackTab;
        }
        if let KeyCode::Char(c) = code
            && modifiers.contains(KeyModifiers::CONTROL)
        {
            code = KeyCode::Char(c.to_ascii_lowercase());
        }
        // Shift is part of what a character key types, and of BackTab.
        if matches!(code, KeyCode::Char(_) | KeyCode::BackTab) {
            modifiers.remove(KeyModifiers::SHIFT);
        }
        Some(Self { modifiers, code })
    }

    /// Whether a key event is this key.
    pub fn matches(self, key: KeyEvent) -> bool {
        let pressed = match key.code {
            KeyCode::Char(_) | KeyCode::BackTab => key.modifiers.difference(KeyModifiers::SHIFT),
            _ => key.modifiers,
        };
        let code_is = match (self.code, key.code) {
            (KeyCode::Char(a), KeyCode::Char(b))
                if self.modifiers.contains(KeyModifiers::CONTROL) =>
            {
                a.eq_ignore_ascii_case(&b)
            }
            (a, b) => a == b,
        };
        code_is && self.modifiers == pressed
    }

    /// Whether it is a character that is typed.
    pub fn is_text(self) -> bool {
        self.modifiers.is_empty() && matches!(self.code, KeyCode::Char(_))
    }

    /// The event that pressing it makes.
    pub fn event(self) -> KeyEvent {
        KeyEvent::new(self.code, self.modifiers)
    }
}

fn code(name: &str) -> Option<KeyCode> {
    let mut chars = name.chars();
    if let (Some(c), None) = (chars.next(), chars.next()) {
        return (!c.is_control()).then_some(KeyCode::Char(c));
    }
    let lower = name.to_ascii_lowercase();
    let named = NAMED.iter().find(|(known, _)| *known == lower);
    named.map(|(_, code)| *code).or_else(|| {
        let number: u8 = lower.strip_prefix('f')?.parse().ok()?;
        (1..=FUNCTION_KEYS)
            .contains(&number)
            .then_some(KeyCode::F(number))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_keys() {
        for (name, code, modifiers) in [
            ("ctrl--", KeyCode::Char('-'), KeyModifiers::CONTROL),
            ("Ctrl-X", KeyCode::Char('x'), KeyModifiers::CONTROL),
            ("alt-X", KeyCode::Char('X'), KeyModifiers::ALT),
            ("shift-tab", KeyCode::BackTab, KeyModifiers::NONE),
            ("shift-F12", KeyCode::F(12), KeyModifiers::SHIFT),
            ("space", KeyCode::Char(' '), KeyModifiers::NONE),
            ("漢", KeyCode::Char('漢'), KeyModifiers::NONE),
        ] {
            let chord = Chord::parse(name).unwrap_or_else(|| panic!("{name}"));
            assert_eq!(chord.event(), KeyEvent::new(code, modifiers), "{name}");
            assert!(chord.matches(chord.event()), "{name}");
        }
        for name in ["", "ctrl-", "f0", "f99", "enterr", "\u{1b}", "漢字"] {
            assert_eq!(Chord::parse(name), None, "{name}");
        }
    }
}
