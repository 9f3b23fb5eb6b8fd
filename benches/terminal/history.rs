//! Sessions with a history: opening them, what they hold, the next message.

use std::time::Instant;

use anyhow::Result;

use super::keyboard::{KEYS, echo, pause};
use super::pty::{Pty, State};
use super::server::{Pace, serve};
use super::session::{LongTurn, long_session, long_turns_session};
use super::{COLUMNS, Place, ROWS, SETTLED, online, report};

/// Turns of the working day's session.
const TURNS: usize = 300;
/// Messages of the session that goes on for weeks.
const LONG: usize = 10_000;
/// How often the working day's session is opened.
const OPENINGS: usize = 10;
/// Tokens of a short answer.
const SHORT: u32 = 20;

/// 300 turns with calls, results and long answers: opened, and gone on with. Tokens are
/// counted without tables here; the rows above say what those weigh.
pub fn long_turns(place: &Place) -> Result<()> {
    let server = serve(Pace::Full, SHORT, "THE-END")?;
    let path = place.work.join("turns.jsonl");
    let flags = ["-S", "ruler=chars4", "--session", "turns.jsonl"];
    let (mut usable, mut painted, mut sent) = (Vec::new(), Vec::new(), Vec::new());
    for opening in 0..=OPENINGS {
        long_turns_session(&path, TURNS, LongTurn::default())?;
        let mut command = place.command(&[]);
        command.args(online(server.port));
        command.args(flags);
        command.env("OPENAI_API_KEY", "x");
        let started = Instant::now();
        let mut pty = Pty::start(command, COLUMNS, ROWS)?;
        let ready = pty.wait("the composer", State::is_ready)?;
        let last = format!("end of answer {}", TURNS - 1);
        let there = pty.wait(&last, |state| state.text().contains(&last))?;
        if opening == 0 {
            std::thread::sleep(SETTLED);
            report::memory("memory, 300 long turns, no tables", &pty)?;
        }
        pause(opening);
        server.requested();
        pty.send("go")?;
        pty.wait_for("› go")?;
        let pressed = Instant::now();
        pty.send("\r")?;
        pty.wait_for("THE-END")?;
        if let Some(at) = server.requested().filter(|_| opening > 0) {
            usable.push(ready - started);
            painted.push(there - started);
            sent.push(at - pressed);
        }
    }
    report::times("exec to prompt, 300 long turns", &mut usable)?;
    report::times("… and its history painted", &mut painted)?;
    report::times("Enter to request, 300 long turns", &mut sent)
}

/// 10,000 messages: opening, and scrolling compared with a short session.
pub fn many_messages(place: &Place) -> Result<()> {
    for (name, messages) in [("short", 20), ("10,000 messages", LONG)] {
        let path = place.work.join(format!("{messages}.jsonl"));
        long_session(&path, messages)?;
        let path = path.to_string_lossy().into_owned();
        let started = Instant::now();
        let pty = Pty::start(
            place.command(&["--offline", "--session", &path]),
            COLUMNS,
            ROWS,
        )?;
        let last = format!("answer {}", messages - 1);
        let there = pty.wait(&last, |state| state.text().contains(&last))?;
        report::line(&format!("open, {name}"), &format!("{:?}", there - started))?;
        std::thread::sleep(SETTLED);
        report::memory(&format!("memory, {name}"), &pty)?;
        scroll(name, pty)?;
    }
    Ok(())
}

/// Pages up and down; each press must change the screen.
fn scroll(name: &str, mut pty: Pty) -> Result<()> {
    let mut times = Vec::new();
    for press in 0..KEYS {
        let before = pty.state().text();
        let key = if press % 2 == 0 {
            "\u{1b}[5~"
        } else {
            "\u{1b}[6~"
        };
        let pressed = Instant::now();
        pty.send(key)?;
        let seen = pty.wait("another page", |state| state.text() != before)?;
        times.push(seen - pressed);
        pause(press);
    }
    report::times(&format!("page up or down, {name}"), &mut times)?;
    let mut program = pty;
    echo(&format!("key echo, {name}"), &mut program)
}
