//! Standard output and error of the commands. What goes to a terminal is made safe there:
//! a control character in it is shown, not obeyed. What goes into a pipe or a file is
//! written byte for byte.

use std::io::{self, IsTerminal, Write};

use plimsoll::tui::render::safe;

/// A stream that may be a terminal.
pub struct SafeOutput<W> {
    out: W,
    is_terminal: bool,
    /// The beginning of a character whose end is not written yet.
    rest: Vec<u8>,
}

/// Standard output.
pub fn stdout() -> SafeOutput<io::Stdout> {
    let out = io::stdout();
    let is_terminal = out.is_terminal();
    SafeOutput::new(out, is_terminal)
}

/// Standard error.
pub fn stderr() -> SafeOutput<io::Stderr> {
    let out = io::stderr();
    let is_terminal = out.is_terminal();
    SafeOutput::new(out, is_terminal)
}

impl<W: Write> SafeOutput<W> {
    fn new(out: W, is_terminal: bool) -> Self {
        Self {
            out,
            is_terminal,
            rest: Vec::new(),
        }
    }
}

impl<W: Write> Write for SafeOutput<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.is_terminal {
            return self.out.write(bytes);
        }
        let mut all = std::mem::take(&mut self.rest);
        all.extend_from_slice(bytes);
        let whole = match std::str::from_utf8(&all) {
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            _ => all.len(),
        };
        self.rest = all.split_off(whole);
        let text = String::from_utf8_lossy(&all);
        self.out.write_all(safe::visible(&text).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(is_terminal: bool, pieces: &[&[u8]]) -> Vec<u8> {
        let mut output = SafeOutput::new(Vec::new(), is_terminal);
        for piece in pieces {
            output.write_all(piece).unwrap();
        }
        output.out
    }

    #[test]
    fn a_terminal_is_not_told_what_to_do_and_a_pipe_gets_every_byte() {
        let hostile = "a\u{1b}]0;t\u{7}b\u{9b}2Jc\n".as_bytes();
        assert_eq!(written(false, &[hostile]), hostile);
        let shown = String::from_utf8(written(true, &[hostile])).unwrap();
        assert!(
            !shown.chars().any(|c| c.is_control() && c != '\n'),
            "{shown:?}"
        );
        assert!(shown.starts_with('a') && shown.ends_with("c\n"));
    }

    #[test]
    fn a_character_may_come_in_pieces() {
        let text = "ü🚢".as_bytes();
        for at in 0..=text.len() {
            let (one, two) = text.split_at(at);
            assert_eq!(written(true, &[one, two]), text, "{at}");
        }
    }
}
