//! What a person at the keyboard waits for, measured on the program itself in a
//! pseudo-terminal of 120 × 40: start, echo of a key, streaming, a long session.
//!
//! Not a micro-benchmark, and it judges nothing: it prints a table of medians and p99.
//! The model is a server in this process that streams as fast as it is told to.

#[path = "terminal/process.rs"]
mod process;
#[path = "../tests/it/pty.rs"]
#[expect(dead_code, reason = "the tests use more of it")]
mod pty;
#[path = "terminal/server.rs"]
mod server;
#[path = "terminal/session.rs"]
mod session;

use std::io::Write as _;
use std::time::{Duration, Instant};

use anyhow::Result;
use portable_pty::CommandBuilder;

use process::{Sampled, sample};
use pty::{Pty, State, command};
use server::{Pace, serve};
use session::long_session;

const PROGRAM: &str = env!("CARGO_BIN_EXE_plim");
const COLUMNS: u16 = 120;
const ROWS: u16 = 40;
/// Starts that are measured; the first of all warms the disk cache and is not.
const STARTS: usize = 20;
/// Keys whose echo is measured.
const KEYS: usize = 150;
/// Between two keys: a fast typist, and not in step with frames.
const KEY_PAUSE: Duration = Duration::from_millis(37);
/// How long an idle program is watched.
const IDLE: Duration = Duration::from_secs(2);
/// Until everything that loads late has loaded.
const SETTLED: Duration = Duration::from_secs(2);
/// Deltas a second while keys are measured.
const TOKENS_PER_SECOND: u32 = 2_000;
/// Tokens of one answer at full speed.
const FULL_SPEED_TOKENS: u32 = 20_000;
/// Messages of the long session.
const LONG: usize = 10_000;
/// What the composer shows once when it is there.
const END: &str = "THE-END";

fn main() -> Result<()> {
    let dir = tempfile::tempdir()?;
    let (home, work) = (dir.path().join("home"), dir.path().join("work"));
    std::fs::create_dir(&home)?;
    std::fs::create_dir(&work)?;
    let place = Place { home, work };
    starts(&place)?;
    idle(&place)?;
    let mut program = place.offline(&[])?;
    echo("key echo, idle", &mut program)?;
    drop(program);
    streaming(&place)?;
    full_speed(&place)?;
    long(&place)
}

struct Place {
    home: std::path::PathBuf,
    work: std::path::PathBuf,
}

impl Place {
    fn command(&self, arguments: &[&str]) -> CommandBuilder {
        let mut command = command(PROGRAM, &self.home, &self.work);
        command.args(arguments);
        command
    }

    fn offline(&self, arguments: &[&str]) -> Result<Pty> {
        let mut command = self.command(&["--offline"]);
        command.args(arguments);
        ready(Pty::start(command, COLUMNS, ROWS)?)
    }

    fn online(&self, port: u16) -> Result<Pty> {
        let url = format!("http://127.0.0.1:{port}/v1");
        let mut command = self.command(&["--base-url", &url, "-m", "openai/test"]);
        command.args(["--context-window", "400000"]);
        command.env("OPENAI_API_KEY", "x");
        ready(Pty::start(command, COLUMNS, ROWS)?)
    }
}

fn ready(pty: Pty) -> Result<Pty> {
    pty.wait("the composer", State::is_ready)?;
    Ok(pty)
}

/// From exec to a composer that takes keys, and what that costs.
fn starts(place: &Place) -> Result<()> {
    drop(place.offline(&[])?);
    let (mut walls, mut processors) = (Vec::new(), Vec::new());
    for _ in 0..STARTS {
        let started = Instant::now();
        let pty = Pty::start(place.command(&["--offline"]), COLUMNS, ROWS)?;
        let there = pty.wait("the composer", State::is_ready)?;
        processors.push(sample(pty.pid)?.processor);
        walls.push(there - started);
    }
    report("exec to prompt", &mut walls)?;
    report("processor until prompt", &mut processors)
}

/// What a program that does nothing costs.
fn idle(place: &Place) -> Result<()> {
    let mut pty = place.offline(&[])?;
    pty.wait("the gauge", |state| state.text().contains('%'))?;
    memory("memory at the prompt", &pty)?;
    std::thread::sleep(SETTLED);
    let before = memory("memory when settled", &pty)?;
    line(
        "processor until settled",
        &format!("{:?}", before.processor),
    )?;
    let written = pty.state().bytes.len();
    std::thread::sleep(IDLE);
    let after = sample(pty.pid)?;
    let bytes = pty.state().bytes.len() - written;
    line(
        "idle for 2 s",
        &format!(
            "{bytes} bytes, {:?} processor",
            after.processor.saturating_sub(before.processor)
        ),
    )?;
    pty.send("help\r")?;
    pty.wait_for("runs a shell command")?;
    std::thread::sleep(SETTLED);
    memory("memory after a turn", &pty)?;
    Ok(())
}

fn memory(what: &str, pty: &Pty) -> Result<Sampled> {
    let sampled = sample(pty.pid)?;
    line(
        what,
        &format!("{:.1} MB", sampled.resident_kb as f64 / 1024.0),
    )?;
    Ok(sampled)
}

/// Types single characters and waits for each to stand in the composer.
fn echo(what: &str, pty: &mut Pty) -> Result<()> {
    let mut times = Vec::new();
    let mut typed = String::new();
    for index in 0..KEYS {
        let key = char::from(b'a' + (index % 26) as u8);
        if typed.len() >= 40 {
            pty.send("\u{15}")?;
            pty.wait("an empty composer", |state| {
                composer(state).is_some_and(|text| !text.starts_with(&typed))
            })?;
            typed.clear();
        }
        typed.push(key);
        let pressed = Instant::now();
        pty.send(&key.to_string())?;
        let seen = pty.wait("the key", |state| {
            composer(state).is_some_and(|text| text.starts_with(&typed))
        })?;
        times.push(seen - pressed);
        std::thread::sleep(KEY_PAUSE);
    }
    report(what, &mut times)
}

/// The text of the composer's first row.
fn composer(state: &State) -> Option<String> {
    let rows: Vec<String> = state.parser.screen().rows(0, COLUMNS).collect();
    let row = rows.iter().rev().find_map(|row| row.strip_prefix(" › "))?;
    Some(row.to_owned())
}

/// Echo while an answer comes in.
fn streaming(place: &Place) -> Result<()> {
    let port = serve(
        Pace::PerSecond(TOKENS_PER_SECOND),
        60 * TOKENS_PER_SECOND,
        END,
    )?;
    let mut pty = place.online(port)?;
    pty.send("go\r")?;
    pty.wait_for("word")?;
    let (before, start) = (sample(pty.pid)?, Instant::now());
    echo("key echo, 2,000 tokens/s", &mut pty)?;
    let used = sample(pty.pid)?.processor.saturating_sub(before.processor);
    let share = used.as_secs_f64() / start.elapsed().as_secs_f64() * 100.0;
    line("processor while streaming", &format!("{share:.0} % of one"))
}

/// A long answer as fast as it goes.
fn full_speed(place: &Place) -> Result<()> {
    let port = serve(Pace::Full, FULL_SPEED_TOKENS, END)?;
    let mut pty = place.online(port)?;
    let before = sample(pty.pid)?;
    let start = Instant::now();
    pty.send("go\r")?;
    let end = pty.wait_for(END)?;
    let used = sample(pty.pid)?.processor.saturating_sub(before.processor);
    line(
        "20,000 tokens, full speed",
        &format!("{:?} wall, {used:?} processor", end - start),
    )
}

/// A session of 10,000 messages: opening, and scrolling compared with a short one.
fn long(place: &Place) -> Result<()> {
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
        line(&format!("open, {name}"), &format!("{:?}", there - started))?;
        std::thread::sleep(SETTLED);
        memory(&format!("memory, {name}"), &pty)?;
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
        std::thread::sleep(KEY_PAUSE);
    }
    report(&format!("page up or down, {name}"), &mut times)?;
    let mut program = pty;
    echo(&format!("key echo, {name}"), &mut program)
}

fn report(what: &str, times: &mut [Duration]) -> Result<()> {
    times.sort_unstable();
    let at = |share: f64| {
        let last = times.len().saturating_sub(1) as f64;
        times
            .get((last * share).round() as usize)
            .copied()
            .unwrap_or_default()
    };
    let ms = |time: Duration| time.as_secs_f64() * 1000.0;
    line(
        what,
        &format!("p50 {:.1} ms, p99 {:.1} ms", ms(at(0.5)), ms(at(0.99))),
    )
}

fn line(what: &str, value: &str) -> Result<()> {
    Ok(writeln!(std::io::stdout(), "{what:<36} {value}")?)
}
