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
    /// The movement of a key while no text field has the focus.
    pub fn from_key(key: KeyEvent) -> Option<Self> {
        if let Some(motion) = Self::from_special(key) {
            return Some(motion);
        }
        match (typed(key), ctrl(key)) {
            (Some('j'), _) => Some(Self::Down),
            (Some('k'), _) => Some(Self::Up),
            // As `gg` in vi: the second one changes nothing.
            (Some('g' | '<'), _) => Some(Self::First),
            (Some('G' | '>'), _) => Some(Self::Last),
            (_, Some('d')) => Some(Self::HalfDown),
            (_, Some('u')) => Some(Self::HalfUp),
            (_, Some('f')) => Some(Self::PageDown),
            (_, Some('b')) => Some(Self::PageUp),
            _ => None,
        }
    }

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_of_a_list_have_the_keys_of_vi_and_of_pagers() {
        let motion =
            |c| ScrollMotion::from_key(KeyEvent::new(KeyCode::Char(c), KeyModifiers::NONE));
        for (keys, expected) in [("g<", ScrollMotion::First), ("G>", ScrollMotion::Last)] {
            for c in keys.chars() {
                assert_eq!(motion(c), Some(expected), "{c}");
            }
        }
        // Twice, as in vi, ends where once does; beside a text field it types.
        let key = KeyEvent::new(KeyCode::Char('g'), KeyModifiers::NONE);
        assert_eq!(ScrollMotion::from_special(key), None);
    }
}
