//! The program itself in a pseudo-terminal: what it writes, what it leaves behind, and
//! that it always gives the terminal back.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use portable_pty::CommandBuilder;
use rustix::process::Signal;

use super::pty::{Pty, State, command};

const PROGRAM: &str = env!("CARGO_BIN_EXE_plim");

/// The sequences that give a terminal back: paste and focus reports off, main screen, cursor.
const GIVEN_BACK: [&str; 4] = [
    "\u{1b}[?1004l",
    "\u{1b}[?2004l",
    "\u{1b}[?1049l",
    "\u{1b}[?25h",
];
const MOUSE_OFF: &str = "\u{1b}[?1006l";
const KITTY_OFF: &str = "\u{1b}[<1u";

/// A home and a workspace of its own.
pub struct Place {
    dir: tempfile::TempDir,
}

impl Place {
    pub fn new() -> Result<Self> {
        let dir = tempfile::tempdir()?;
        fs::create_dir(dir.path().join("home"))?;
        fs::create_dir(dir.path().join("work"))?;
        Ok(Self { dir })
    }

    pub fn home(&self) -> PathBuf {
        self.dir.path().join("home")
    }

    pub fn work(&self) -> PathBuf {
        self.dir.path().join("work")
    }

    pub fn command(&self, program: &str) -> CommandBuilder {
        command(program, &self.dir.path().join("home"), &self.work())
    }

    pub fn plim(&self, arguments: &[&str]) -> CommandBuilder {
        let mut command = self.command(PROGRAM);
        command.arg("--offline");
        command.args(arguments);
        command
    }

    /// The program on a screen of 120 × 40, ready for keys.
    fn open(&self) -> Result<Pty> {
        ready(Pty::start(self.plim(&[]), 120, 40)?)
    }
}

pub fn ready(pty: Pty) -> Result<Pty> {
    pty.wait("the composer", State::is_ready)?;
    pty.wait("the gauge", |state| state.text().contains('%'))?;
    Ok(pty)
}

pub fn has(bytes: &[u8], text: &str) -> bool {
    bytes
        .windows(text.len())
        .any(|part| part == text.as_bytes())
}

/// Everything that was switched on is off, and the cursor is visible on the main screen.
fn assert_given_back(pty: &Pty, before: &str) -> Result<()> {
    pty.wait("the main screen", |state| {
        has(&state.bytes, "\u{1b}[?1049l")
    })?;
    let state = pty.state();
    for sequence in GIVEN_BACK {
        assert!(has(&state.bytes, sequence), "{sequence:?} is missing");
    }
    let screen = state.parser.screen();
    assert!(!screen.alternate_screen());
    assert!(!screen.hide_cursor());
    assert!(!screen.bracketed_paste());
    assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None);
    drop(state);
    assert_eq!(pty.modes(), before, "the terminal is still raw");
    Ok(())
}

/// The modes of a terminal before any program changed them.
fn fresh_modes(place: &Place) -> Result<String> {
    let mut command = place.command("true");
    command.arg("true");
    let pty = Pty::start(command, 120, 40)?;
    pty.wait_for_end()?;
    Ok(pty.modes())
}

#[test]
fn a_message_is_answered_and_the_gauge_shows_a_share() -> Result<()> {
    for (columns, rows) in [(120, 40), (80, 24)] {
        let place = Place::new()?;
        fs::write(place.work().join("note.txt"), "remember the milk\n")?;
        let mut pty = ready(Pty::start(place.plim(&[]), columns, rows)?)?;
        pty.send("read note.txt")?;
        pty.wait_for("› read note.txt")?;
        pty.send("\r")?;
        pty.wait_for("answered with 1 line")?;
        pty.wait_for("remember the milk")?;
        pty.wait_for("%")?;
    }
    Ok(())
}

#[test]
fn quitting_leaves_the_main_screen_with_the_way_back() -> Result<()> {
    let place = Place::new()?;
    let before = fresh_modes(&place)?;
    let mut pty = place.open()?;
    assert_ne!(pty.modes(), before, "keys come one by one while it runs");
    pty.send("help\r")?;
    pty.wait_for("runs a shell command")?;
    pty.send("/quit\r")?;
    assert_eq!(pty.wait_for_end()?, 0);
    pty.wait_for("plim --resume ")?;
    assert_given_back(&pty, &before)?;
    let text = pty.state().text();
    let lines: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
    assert_eq!(lines.len(), 2, "{text}");
    Ok(())
}

#[test]
fn leaving_an_empty_session_leaves_nothing() -> Result<()> {
    let place = Place::new()?;
    let before = fresh_modes(&place)?;
    let mut pty = place.open()?;
    pty.send("\u{3}")?;
    pty.wait_for("again")?;
    pty.send("\u{3}")?;
    assert_eq!(pty.wait_for_end()?, 0);
    assert_given_back(&pty, &before)?;
    assert_eq!(pty.state().text().trim(), "");
    Ok(())
}

#[test]
fn a_signal_gives_the_terminal_back() -> Result<()> {
    let cases = [
        (Signal::TERM, 143, ""),
        (Signal::HUP, 129, ""),
        (Signal::TERM, 143, "run sleep 20\r"),
        (Signal::HUP, 129, "run sleep 20\r"),
    ];
    for (signal, code, message) in cases {
        let place = Place::new()?;
        let before = fresh_modes(&place)?;
        let mut command = place.plim(&["-S", "approvals.mode=all", "-S", "mouse=true"]);
        command.env("TERM", "xterm-kitty");
        let mut pty = ready(Pty::start(command, 120, 40)?)?;
        if !message.is_empty() {
            pty.send(message)?;
            pty.wait_for("sleep 20")?;
            pty.wait("the running turn", |state| {
                state.text().contains("Esc: stop")
            })?;
        }
        pty.signal(signal)?;
        assert_eq!(pty.wait_for_end()?, code, "{signal:?} {message:?}");
        assert_given_back(&pty, &before)?;
        let state = pty.state();
        assert!(has(&state.bytes, MOUSE_OFF));
        assert!(has(&state.bytes, KITTY_OFF));
    }
    Ok(())
}

/// A shell with job control: without one nobody could continue the program.
#[test]
fn a_suspended_program_comes_back_and_draws_everything() -> Result<()> {
    let place = Place::new()?;
    let mut shell = place.command("sh");
    shell.args([
        "-c",
        "set -m; \"$0\" --offline; echo it stopped; read go; fg; echo it ended",
        PROGRAM,
    ]);
    let mut pty = ready(Pty::start(shell, 120, 40)?)?;
    pty.send("half a thought")?;
    pty.wait_for("› half a thought")?;
    pty.send("\u{1a}")?;
    pty.wait_for("it stopped")?;
    assert!(!pty.state().parser.screen().alternate_screen());
    pty.send("\n")?;
    pty.wait("the whole screen again", |state| {
        state.is_ready() && state.text().contains("› half a thought") && state.text().contains('%')
    })?;
    pty.send(" more")?;
    pty.wait_for("› half a thought more")?;
    pty.send("\u{3}")?;
    pty.wait_for("write a message")?;
    pty.send("\u{3}\u{3}")?;
    pty.wait_for("it ended")?;
    Ok(())
}

#[test]
fn a_tiny_terminal_and_back_goes_on() -> Result<()> {
    let place = Place::new()?;
    let mut pty = place.open()?;
    pty.send("help\r")?;
    pty.wait_for("runs a shell command")?;
    for (columns, rows) in [(20, 6), (9, 2), (200, 3), (120, 40)] {
        pty.resize(columns, rows)?;
    }
    pty.send("still here")?;
    pty.wait_for("› still here")?;
    pty.resize(20, 6)?;
    pty.send("!")?;
    pty.wait_for("here!")?;
    pty.resize(120, 40)?;
    pty.wait_for("› still here!")?;
    assert!(pty.state().exit_code.is_none());
    Ok(())
}

#[test]
fn a_long_paste_is_folded() -> Result<()> {
    let place = Place::new()?;
    let mut pty = place.open()?;
    let lines = "pasted words in a row\n".repeat(40);
    pty.send(&format!("\u{1b}[200~{lines}\u{1b}[201~"))?;
    pty.wait_for("[paste")?;
    assert!(!pty.state().text().contains("pasted words in a row"));
    Ok(())
}

#[test]
fn escape_sequences_in_a_file_never_reach_the_terminal() -> Result<()> {
    let place = Place::new()?;
    let hostile = "one\u{1b}]0;owned\u{7}two\u{1b}]52;c;b3duZWQ=\u{7}three\u{1b}[2Jfour\
                   \u{1b}P+q544e\u{1b}\\five\u{9b}31msix\u{1b}[?1049lseven\rEIGHT\n";
    fs::write(place.work().join("hostile.txt"), hostile)?;
    let mut pty = place.open()?;
    pty.send("read hostile.txt\r")?;
    pty.wait_for("answered with")?;
    pty.send("run cat hostile.txt\r")?;
    pty.wait("the second answer", |state| {
        state.text().contains("cat hostile.txt` answered") || state.text().contains("EIGHT")
    })?;
    let state = pty.state();
    for sequence in [
        "\u{1b}]0",
        "\u{1b}]52",
        "\u{1b}P",
        "\u{1b}[?1049l",
        "\u{9b}",
    ] {
        assert!(!has(&state.bytes, sequence), "{sequence:?} came through");
    }
    Ok(())
}

#[test]
fn a_killed_session_goes_on_where_it_was() -> Result<()> {
    let place = Place::new()?;
    fs::write(place.work().join("note.txt"), "remember the milk\n")?;
    let mut pty = place.open()?;
    pty.send("read note.txt\r")?;
    pty.wait_for("answered with 1 line")?;
    pty.wait("the end of the turn", |state| {
        !state.text().contains("esc: stop")
    })?;
    pty.signal(Signal::KILL)?;
    pty.wait_for_end()?;
    let again = ready(Pty::start(place.plim(&["-c"]), 120, 40)?)?;
    again.wait_for("answered with 1 line")?;
    again.wait("what was asked", |state| {
        state.text().contains("read note.txt")
    })?;
    Ok(())
}

#[test]
fn the_plain_chat_prints_lines_and_asks_in_words() -> Result<()> {
    for (flag, term) in [("--plain", "xterm-256color"), ("--no-color", "dumb")] {
        let place = Place::new()?;
        let before = fresh_modes(&place)?;
        fs::write(place.work().join("note.txt"), "remember the milk\n")?;
        let mut command = place.plim(&[flag]);
        command.env("TERM", term);
        let mut pty = Pty::start(command, 80, 24)?;
        pty.wait_for("you: ")?;
        pty.send("read note.txt\n")?;
        pty.wait_for("answered with 1 line")?;
        pty.wait_for("% full")?;
        pty.send("run echo from the shell\n")?;
        pty.wait_for("question: allow shell?")?;
        pty.wait_for("answer: ")?;
        pty.send("y\n")?;
        pty.wait_for("from the shell` answered")?;
        pty.send("/quit\n")?;
        assert_eq!(pty.wait_for_end()?, 0);
        pty.wait_for("plim --resume ")?;
        let state = pty.state();
        assert!(!state.bytes.contains(&0x1b), "{term}: an escape sequence");
        let text = String::from_utf8_lossy(&state.bytes).into_owned();
        let is_box = |c: char| ('\u{2500}'..='\u{259f}').contains(&c);
        assert!(!text.contains(is_box), "{text}");
        drop(state);
        assert_eq!(pty.modes(), before, "{term}");
    }
    Ok(())
}

#[test]
fn ctrl_c_stops_a_plain_answer_and_ctrl_d_leaves() -> Result<()> {
    let place = Place::new()?;
    let mut pty = Pty::start(place.plim(&["--plain", "-S", "approvals.mode=all"]), 80, 24)?;
    pty.wait_for("you: ")?;
    pty.send("run sleep 20\n")?;
    pty.wait_for("tool: shell")?;
    pty.send("\u{3}")?;
    pty.wait_for("stopping")?;
    pty.wait("the prompt again", |state| {
        state.text().trim_end().ends_with("you:")
    })?;
    pty.send("\u{4}")?;
    assert_eq!(pty.wait_for_end()?, 0);
    Ok(())
}

#[test]
fn the_window_is_named_and_the_user_is_called() -> Result<()> {
    let place = Place::new()?;
    let mut command = place.plim(&["-S", "approvals.mode=all"]);
    command.env("TERM_PROGRAM", "WezTerm");
    let mut pty = ready(Pty::start(command, 120, 40)?)?;
    let wrote = |what: &'static str| move |state: &State| has(&state.bytes, what);
    pty.wait("a title", wrote("\u{1b}[22;2t"))?;
    pty.wait("the name", wrote("\u{1b}]2;work · plimsoll\u{7}"))?;
    // The window loses the focus.
    pty.send("\u{1b}[O")?;
    pty.send("run sleep 0.3\r")?;
    pty.wait("the state", wrote("\u{1b}]2;working · "))?;
    pty.wait("the call", wrote("\u{1b}]9;"))?;
    pty.send("\u{3}\u{3}")?;
    pty.wait_for_end()?;
    assert!(has(&pty.state().bytes, "\u{1b}]2;\u{7}\u{1b}[23;2t"));
    Ok(())
}

/// Debug builds panic on this signal.
#[cfg(debug_assertions)]
#[test]
fn a_panic_gives_the_terminal_back_and_says_where_the_session_is() -> Result<()> {
    for arguments in [&[][..], &["--plain"]] {
        let place = Place::new()?;
        let before = fresh_modes(&place)?;
        fs::write(place.work().join("note.txt"), "remember the milk\n")?;
        let is_plain = !arguments.is_empty();
        let pty = Pty::start(place.plim(arguments), 120, 40)?;
        let mut pty = if is_plain { pty } else { ready(pty)? };
        pty.wait_for(if is_plain { "you:" } else { "›" })?;
        pty.send("read note.txt\r")?;
        pty.wait_for("remember the milk")?;
        pty.signal(Signal::USR2)?;
        assert_eq!(pty.wait_for_end()?, 101);
        if !is_plain {
            assert_given_back(&pty, &before)?;
        }
        let told = pty.state().text();
        assert!(told.contains("requested by SIGUSR2"), "{told}");
        let (_, id) = told.split_once("plim --resume ").context("no way back")?;
        let id = id.split_whitespace().next().context("no id")?;
        let mut again = Pty::start(place.plim(&["--resume", id]), 120, 40)?;
        again = ready(again)?;
        again.wait_for("remember the milk")?;
    }
    Ok(())
}
