//! Terminal events, reduced to what the interface reacts to.
//!
//! Key releases, mouse moves and repeats of modifiers never reach `update`.

use crossterm::event::{Event, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind};

/// One thing the user or the terminal did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A key was pressed or repeats.
    Key(KeyEvent),
    /// Text was pasted.
    Paste(String),
    /// The terminal has a new size.
    Resize {
        /// Columns.
        columns: u16,
        /// Rows.
        rows: u16,
    },
    /// The window gained (`true`) or lost the focus.
    Focus(bool),
    /// The wheel turned; negative rows are up.
    Scroll {
        /// Steps: −1 is one notch up.
        steps: i16,
        /// Column under the pointer.
        column: u16,
        /// Row under the pointer.
        row: u16,
    },
    /// The left button went down, moved or was let go.
    Pointer {
        /// The event of the button.
        kind: Pointer,
        /// Column under the pointer.
        column: u16,
        /// Row under the pointer.
        row: u16,
    },
}

/// The event of the left mouse button.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pointer {
    /// Pressed.
    Down,
    /// Moved while pressed.
    Drag,
    /// Let go.
    Up,
}

/// The input in an event; `None` for what the interface ignores.
pub fn from_event(event: Event) -> Option<Input> {
    match event {
        Event::Key(key) if key.kind == KeyEventKind::Release => None,
        Event::Key(key) => Some(Input::Key(key)),
        // Some terminals send pasted line breaks as carriage returns.
        Event::Paste(text) => Some(Input::Paste(text.replace("\r\n", "\n").replace('\r', "\n"))),
        Event::Resize(columns, rows) => Some(Input::Resize { columns, rows }),
        Event::FocusGained => Some(Input::Focus(true)),
        Event::FocusLost => Some(Input::Focus(false)),
        // With shift the mouse belongs to the terminal, whatever it passes on.
        Event::Mouse(mouse) if mouse.modifiers.contains(KeyModifiers::SHIFT) => None,
        Event::Mouse(mouse) => {
            let (column, row) = (mouse.column, mouse.row);
            let pointer = |kind| Some(Input::Pointer { kind, column, row });
            match mouse.kind {
                MouseEventKind::ScrollUp => Some(Input::Scroll {
                    steps: -1,
                    column,
                    row,
                }),
                MouseEventKind::ScrollDown => Some(Input::Scroll {
                    steps: 1,
                    column,
                    row,
                }),
                MouseEventKind::Down(MouseButton::Left) => pointer(Pointer::Down),
                MouseEventKind::Drag(MouseButton::Left) => pointer(Pointer::Drag),
                MouseEventKind::Up(MouseButton::Left) => pointer(Pointer::Up),
                _ => None,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crossterm::event::{KeyCode, MouseEvent};

    #[test]
    fn releases_are_ignored_presses_and_repeats_kept() {
        let key = |kind| KeyEvent::new_with_kind(KeyCode::Char('a'), KeyModifiers::NONE, kind);
        for (kind, kept) in [
            (KeyEventKind::Press, true),
            (KeyEventKind::Repeat, true),
            (KeyEventKind::Release, false),
        ] {
            assert_eq!(
                from_event(Event::Key(key(kind))).is_some(),
                kept,
                "{kind:?}"
            );
        }
    }

    #[test]
    fn pasted_line_breaks_are_newlines() {
        assert_eq!(
            from_event(Event::Paste("a\r\nb\rc\n".to_owned())),
            Some(Input::Paste("a\nb\nc\n".to_owned()))
        );
    }

    #[test]
    fn mouse_wheel_and_left_button() {
        let mouse = |kind| {
            from_event(Event::Mouse(MouseEvent {
                kind,
                column: 3,
                row: 4,
                modifiers: KeyModifiers::NONE,
            }))
        };
        assert_eq!(
            mouse(MouseEventKind::ScrollUp),
            Some(Input::Scroll {
                steps: -1,
                column: 3,
                row: 4
            })
        );
        assert_eq!(
            mouse(MouseEventKind::Down(MouseButton::Left)),
            Some(Input::Pointer {
                kind: Pointer::Down,
                column: 3,
                row: 4
            })
        );
        assert_eq!(mouse(MouseEventKind::Moved), None);
        assert_eq!(mouse(MouseEventKind::Down(MouseButton::Right)), None);
        let shifted = from_event(Event::Mouse(MouseEvent {
            kind: MouseEventKind::Down(MouseButton::Left),
            column: 3,
            row: 4,
            modifiers: KeyModifiers::SHIFT,
        }));
        assert_eq!(shifted, None);
        assert_eq!(from_event(Event::FocusLost), Some(Input::Focus(false)));
    }
}
