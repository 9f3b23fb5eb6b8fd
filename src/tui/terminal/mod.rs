//! The terminal's modes: entered once, given back always — at the end, after a panic, on a
//! kill signal and around a suspension.
//!
//! Not the drawing. Invariant: [`restore`] may be called at any time, from any thread, any
//! number of times; it writes only what was switched on.

use std::io::{self, Write as _};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use crossterm::event::{
    DisableBracketedPaste, DisableFocusChange, DisableMouseCapture, EnableBracketedPaste,
    EnableFocusChange, EnableMouseCapture, KeyboardEnhancementFlags, PopKeyboardEnhancementFlags,
    PushKeyboardEnhancementFlags,
};
use crossterm::terminal::{
    EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode,
    enable_raw_mode,
};
use crossterm::{cursor, execute, queue};

use super::theme::ColorDepth;

mod call;
mod extras;

pub use call::Line;
pub use extras::TerminalExtras;

/// Whether the modes are on. Global, because the terminal is, and because a panic hook has
/// nothing else to look at.
static ENTERED: AtomicBool = AtomicBool::new(false);
static MOUSE_ON: AtomicBool = AtomicBool::new(false);
static KITTY_ON: AtomicBool = AtomicBool::new(false);
static TITLE_ON: AtomicBool = AtomicBool::new(false);
static PROGRESS_ON: AtomicBool = AtomicBool::new(false);

/// Shift-Enter and Ctrl-I are told apart; plain typing stays plain text.
const KITTY_FLAGS: KeyboardEnhancementFlags = KeyboardEnhancementFlags::DISAMBIGUATE_ESCAPE_CODES;

/// The signal that stops the process may be taken by another thread, while this one runs
/// on for an instant: it must not take the terminal back in that instant.
const STOP_GRACE: std::time::Duration = std::time::Duration::from_millis(20);

/// The modes to switch on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TerminalOptions {
    /// The program gets wheel and clicks; the terminal's own selection then needs Shift.
    pub mouse: bool,
    /// The kitty keyboard protocol, see [`speaks_kitty_keyboard`].
    pub kitty_keyboard: bool,
    /// The window's title is ours while we have the terminal.
    pub title: bool,
}

/// Holds the terminal; dropping it gives the screen back.
#[derive(Debug)]
pub struct TerminalGuard {
    options: TerminalOptions,
}

impl TerminalGuard {
    /// Raw mode, alternate screen, bracketed paste, focus events, and what the options say.
    /// When a step fails, the steps before it are undone.
    pub fn enter(options: TerminalOptions) -> io::Result<Self> {
        let guard = Self { options };
        guard.take()?;
        Ok(guard)
    }

    /// Switches the mouse on or off while running.
    pub fn set_mouse(&mut self, on: bool) -> io::Result<()> {
        self.options.mouse = on;
        MOUSE_ON.store(on, Ordering::SeqCst);
        if on {
            execute!(io::stdout(), EnableMouseCapture)
        } else {
            execute!(io::stdout(), DisableMouseCapture)
        }
    }

    /// Takes the window's title or gives it back while running.
    pub fn set_title(&mut self, on: bool) -> io::Result<()> {
        self.options.title = on;
        if TITLE_ON.swap(on, Ordering::SeqCst) == on {
            return Ok(());
        }
        let sequence = if on {
            call::KEEP_TITLE
        } else {
            call::GIVE_TITLE_BACK
        };
        let mut out = io::stdout();
        out.write_all(sequence.as_bytes())?;
        out.flush()
    }

    /// Switches the kitty keyboard protocol on while running: the terminal said that it
    /// speaks it.
    pub fn speak_kitty_keyboard(&mut self) -> io::Result<()> {
        if std::mem::replace(&mut self.options.kitty_keyboard, true) {
            return Ok(());
        }
        KITTY_ON.store(true, Ordering::SeqCst);
        execute!(io::stdout(), PushKeyboardEnhancementFlags(KITTY_FLAGS))
    }

    /// Gives the screen back, stops the process as Ctrl-Z does, and takes the screen again
    /// when the process continues. The caller then clears and redraws everything.
    pub fn suspend(&mut self) -> io::Result<()> {
        self.outside(stop_process)?
    }

    /// Gives the screen back for the time of `run`, e.g. for an editor. The caller then
    /// clears and redraws everything.
    pub fn outside<T>(&mut self, run: impl FnOnce() -> T) -> io::Result<T> {
        restore();
        let result = run();
        self.take()?;
        Ok(result)
    }

    /// Takes the terminal again when a panic in a background task gave it back. Says
    /// whether it did; the caller then clears and redraws everything.
    pub fn retake_if_lost(&mut self) -> io::Result<bool> {
        if ENTERED.load(Ordering::SeqCst) {
            return Ok(false);
        }
        self.take()?;
        Ok(true)
    }

    fn take(&self) -> io::Result<()> {
        ENTERED.store(true, Ordering::SeqCst);
        let result = self.switch_on();
        if result.is_err() {
            restore();
        }
        result
    }

    fn switch_on(&self) -> io::Result<()> {
        enable_raw_mode()?;
        let mut out = io::stdout();
        queue!(
            out,
            EnterAlternateScreen,
            EnableBracketedPaste,
            EnableFocusChange,
            cursor::Hide
        )?;
        if self.options.mouse {
            MOUSE_ON.store(true, Ordering::SeqCst);
            queue!(out, EnableMouseCapture)?;
        }
        if self.options.title {
            TITLE_ON.store(true, Ordering::SeqCst);
            out.write_all(call::KEEP_TITLE.as_bytes())?;
        }
        if self.options.kitty_keyboard {
            KITTY_ON.store(true, Ordering::SeqCst);
            queue!(out, PushKeyboardEnhancementFlags(KITTY_FLAGS))?;
        }
        out.flush()
    }
}

impl Drop for TerminalGuard {
    fn drop(&mut self) {
        restore();
    }
}

/// Gives the terminal back as it was. Does nothing when it was not taken. Failures are
/// ignored: the terminal is gone, or the next step still helps.
pub fn restore() {
    if !ENTERED.swap(false, Ordering::SeqCst) {
        return;
    }
    let kitty = KITTY_ON.swap(false, Ordering::SeqCst);
    let mouse = MOUSE_ON.swap(false, Ordering::SeqCst);
    let title = TITLE_ON.swap(false, Ordering::SeqCst);
    if PROGRESS_ON.swap(false, Ordering::SeqCst) {
        let _ = io::stdout().write_all(extras::PROGRESS_OFF.as_bytes());
    }
    let on = TerminalOptions {
        mouse,
        kitty_keyboard: kitty,
        title,
    };
    let _ = write_restore(&mut io::stdout(), on);
    let _ = disable_raw_mode();
}

/// The sequence that shows in the terminal's tab that something runs, or that nothing does.
/// Whoever asks for it writes it; it is taken back with the terminal.
pub fn show_progress(is_running: bool) -> &'static str {
    PROGRESS_ON.store(is_running, Ordering::SeqCst);
    if is_running {
        extras::PROGRESS_ON
    } else {
        extras::PROGRESS_OFF
    }
}

/// The flags are popped before the alternate screen is left: each screen has its own stack.
fn write_restore(out: &mut impl io::Write, on: TerminalOptions) -> io::Result<()> {
    queue!(out, EndSynchronizedUpdate)?;
    if on.title {
        out.write_all(call::GIVE_TITLE_BACK.as_bytes())?;
    }
    if on.kitty_keyboard {
        queue!(out, PopKeyboardEnhancementFlags)?;
    }
    if on.mouse {
        queue!(out, DisableMouseCapture)?;
    }
    queue!(
        out,
        DisableFocusChange,
        DisableBracketedPaste,
        LeaveAlternateScreen,
        cursor::Show
    )?;
    out.flush()
}

/// The open session: its id, and its file.
static OPEN: Mutex<Option<(String, PathBuf)>> = Mutex::new(None);

/// Makes a panic give the terminal back before it is reported, so that the report is
/// readable, and say how to go on. Call once.
pub fn install_panic_hook() {
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        restore();
        report(info);
        // A session that is on no disk yet has nothing that could be missed. Whoever panics
        // may hold the lock.
        if let Ok(open) = OPEN.try_lock()
            && let Some((id, _)) = open.as_ref().filter(|(_, path)| path.is_file())
        {
            let _ = writeln!(
                io::stderr(),
                "plim: internal error; everything saved in the session is kept\nhint: continue \
                 with plim --resume {id}"
            );
        }
    }));
}

/// Tells the panic hook which session is open.
pub fn note_session(id: &str, path: Option<PathBuf>) {
    if let Ok(mut open) = OPEN.lock() {
        *open = path.map(|path| (id.to_owned(), path));
    }
}

/// A signal that asks the process to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndSignal {
    /// `SIGTERM`.
    Terminate,
    /// `SIGHUP`: the terminal is gone.
    HangUp,
    /// `SIGINT` from outside; Ctrl-C is a key in raw mode.
    Interrupt,
    /// `SIGQUIT` from outside; Ctrl-\ is a key in raw mode.
    Quit,
    /// `SIGABRT` from outside. Who aborts from inside has given the terminal back before.
    Abort,
    /// `SIGALRM`, `SIGUSR1` and the like: nobody sends them here on purpose, and all end a
    /// process that does not listen.
    Other(u8),
}

/// Further signals that would end the process at once, by their numbers.
#[cfg(target_os = "linux")]
const OTHER_SIGNALS: [u8; 4] = [10, 14, 24, 26];
#[cfg(not(target_os = "linux"))]
const OTHER_SIGNALS: [u8; 4] = [30, 14, 24, 26];
const SIGABRT: u8 = 6;

impl EndSignal {
    /// The exit code by shell convention: 128 and the signal's number.
    pub fn exit_code(self) -> u8 {
        match self {
            Self::HangUp => 129,
            Self::Interrupt => 130,
            Self::Quit => 131,
            Self::Abort => 134,
            Self::Terminate => 143,
            Self::Other(number) => 128 + number,
        }
    }
}

/// Waits for a signal that asks the process to end, gives the terminal back and returns
/// which one it was. The caller then leaves.
pub async fn ended_by_signal() -> io::Result<EndSignal> {
    let which = tokio::select! {
        ended = any_signal() => ended?,
        ended = aborted_from_outside() => ended?,
    };
    restore();
    Ok(which)
}

/// Waits for any signal that asks the process to end, the interrupt included.
pub async fn any_signal() -> io::Result<EndSignal> {
    tokio::select! {
        ended = asked_to_end() => ended,
        heard = tokio::signal::ctrl_c() => heard.map(|()| EndSignal::Interrupt),
    }
}

/// Waits for a signal that asks the process to end and is not a key.
pub async fn asked_to_end() -> io::Result<EndSignal> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate())?;
    let mut hang_up = signal(SignalKind::hangup())?;
    Ok(tokio::select! {
        _ = terminate.recv() => EndSignal::Terminate,
        _ = hang_up.recv() => EndSignal::HangUp,
    })
}

/// Waits for a signal that would end the process at once, with the screen as it is.
async fn aborted_from_outside() -> io::Result<EndSignal> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut quit = signal(SignalKind::quit())?;
    let numbered = |number: u8| signal(SignalKind::from_raw(i32::from(number)));
    let mut abort = numbered(SIGABRT)?;
    let others = OTHER_SIGNALS.map(|number| numbered(number).map(|it| (number, it)));
    let others = others.into_iter().flatten().map(|(number, mut it)| {
        Box::pin(async move {
            it.recv().await;
            number
        })
    });
    Ok(tokio::select! {
        _ = quit.recv() => EndSignal::Quit,
        _ = abort.recv() => EndSignal::Abort,
        (number, ..) = futures::future::select_all(others) => EndSignal::Other(number),
    })
}

/// A file that grows beyond what the user may write is an error of the write, as a full disk
/// is: the signal that comes with it must not end the process. Needs a runtime.
pub fn survive_file_limits() {
    use tokio::signal::unix::{SignalKind, signal};
    let kind = SignalKind::from_raw(rustix::process::Signal::XFSZ.as_raw());
    // Once it is heard it has no other effect, whether anybody listens or not; programs
    // that are started have its usual effect again.
    if let Err(error) = signal(kind) {
        tracing::warn!(%error, "a limit on file sizes ends the process");
    }
}

fn stop_process() -> io::Result<()> {
    use rustix::process::{Signal, getpid, kill_process};
    kill_process(getpid(), Signal::TSTP)?;
    std::thread::sleep(STOP_GRACE);
    Ok(())
}

/// Whether the terminal is known to speak the kitty keyboard protocol, by the environment:
/// what is known is there from the first key on. Others are asked while they run. Inside tmux
/// and screen the answer is no, whatever is outside.
pub fn speaks_kitty_keyboard(env: impl Fn(&str) -> Option<String>) -> bool {
    const PROGRAMS: [&str; 6] = [
        "ghostty",
        "WezTerm",
        "iTerm.app",
        "kitty",
        "rio",
        "WarpTerminal",
    ];
    const TERMS: [&str; 7] = [
        "xterm-kitty",
        "xterm-ghostty",
        "foot",
        "foot-extra",
        "alacritty",
        "rio",
        "wezterm",
    ];
    let is_set = |name: &str| env(name).is_some_and(|value| !value.is_empty());
    let is_one_of =
        |name: &str, known: &[&str]| env(name).is_some_and(|value| known.contains(&value.as_str()));
    if is_set("TMUX") || is_set("STY") {
        return false;
    }
    is_set("KITTY_WINDOW_ID") || is_one_of("TERM_PROGRAM", &PROGRAMS) || is_one_of("TERM", &TERMS)
}

/// Whether the background is dark, as far as the environment tells: the last field of
/// `COLORFGBG` is the background's colour number. `None` when it does not say.
pub fn has_dark_background(env: impl Fn(&str) -> Option<String>) -> Option<bool> {
    let value = env("COLORFGBG")?;
    let background: u8 = value.rsplit(';').next()?.trim().parse().ok()?;
    // Of the sixteen, light gray, white and the bright ones but gray are light.
    Some(matches!(background, 0..=6 | 8))
}

/// How many colours to use: `NO_COLOR`, then `COLORTERM`, then `TERM`.
pub fn color_depth(env: impl Fn(&str) -> Option<String>) -> ColorDepth {
    /// They all have 24 bits, and `ssh` drops `COLORTERM`.
    const TRUE_COLOR_TERMS: [&str; 5] = [
        "xterm-kitty",
        "xterm-ghostty",
        "alacritty",
        "foot",
        "wezterm",
    ];
    let get = |name: &str| env(name).unwrap_or_default();
    let term = get("TERM");
    if !get("NO_COLOR").is_empty() || term == "dumb" {
        ColorDepth::None
    } else if matches!(get("COLORTERM").as_str(), "truecolor" | "24bit")
        || term.ends_with("-direct")
        || TRUE_COLOR_TERMS.contains(&term.as_str())
        || !get("WT_SESSION").is_empty()
    {
        ColorDepth::TrueColor
    } else if term.contains("256color") {
        ColorDepth::Ansi256
    } else {
        ColorDepth::Ansi16
    }
}

#[cfg(test)]
mod tests;
