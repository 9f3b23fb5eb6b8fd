//! Reading key presses: the few distinctions that widgets make.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// The character that was typed, without Ctrl or Alt.
pub fn typed(key: KeyEvent) -> Option<char> {
    match key.code {
        KeyCode::Char(c)
            if !key
                .modifiers
                .intersects(KeyModifiers::CONTROL | KeyModifiers::ALT) =>
        {
            Some(c)
        }
        _ => None,
    }
}

/// The letter that was pressed together with Ctrl, in lower case.
pub fn ctrl(key: KeyEvent) -> Option<char> {
    match key.code {
        KeyCode::Char(c) if key.modifiers.contains(KeyModifiers::CONTROL) => {
            Some(c.to_ascii_lowercase())
        }
        _ => None,
    }
}

/// A movement in a list or a text, by arrows, vi or readline keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScrollMotion {
    /// One up.
    Up,
    /// One down.
    Down,
    /// A screen up.
    PageUp,
    /// A screen down.
    PageDown,
    /// Half a screen up.
    HalfUp,
    /// Half a screen down.
    HalfDown,
    /// To the first.
    First,
    /// To the last.
    Last,
}

impl ScrollMotion {
    /// The movement of a key that types nothing: works beside a text field.
    pub fn from_special(key: KeyEvent) -> Option<Self> {
        match (key.code, ctrl(key)) {
            (KeyCode::Up, _) | (_, Some('p')) => Some(Self::Up),
            (KeyCode::Down, _) | (_, Some('n')) => Some(Self::Down),
            (KeyCode::PageUp, _) => Some(Self::PageUp),
            (KeyCode::PageDown, _) => Some(Self::PageDown),
            (KeyCode::Home, _) => Some(Self::First),
            (KeyCode::End, _) => Some(Self::Last),
            _ => None,
        }
    }
}
