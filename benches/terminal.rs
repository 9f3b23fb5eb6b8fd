//! The waits of a person at the keyboard, measured on the program itself in a
//! pseudo-terminal of 120 × 40: start, echo of a key, streaming, long sessions.
//!
//! Not a micro-benchmark, and it judges nothing: it prints a table of medians and p99.
//! The model is a server in this process that streams as fast as it is told to. With
//! names behind `--` only those rows are measured:
//! `cargo bench --bench terminal -- streaming print`.

#[path = "../tests/it/alone.rs"]
mod alone;
#[path = "terminal/files.rs"]
mod files;
#[path = "terminal/history.rs"]
mod history;
#[path = "terminal/keyboard.rs"]
mod keyboard;
#[path = "terminal/process.rs"]
mod process;
#[path = "../tests/it/pty.rs"]
#[expect(dead_code, reason = "the tests use more of it")]
mod pty;
#[path = "terminal/report.rs"]
mod report;
#[path = "terminal/server.rs"]
mod server;
#[path = "terminal/servers.rs"]
mod servers;
#[path = "terminal/session.rs"]
mod session;
#[path = "terminal/start.rs"]
mod start;
#[path = "terminal/streaming.rs"]
mod streaming;

use std::time::Duration;

use anyhow::Result;
use portable_pty::CommandBuilder;

use pty::{Pty, State, command};

const PROGRAM: &str = env!("CARGO_BIN_EXE_plim");
const COLUMNS: u16 = 120;
const ROWS: u16 = 40;
/// Until everything that loads late has loaded.
const SETTLED: Duration = Duration::from_secs(2);

/// A name to ask for, and what it measures.
type Measure = (&'static str, fn(&Place) -> Result<()>);

const MEASURES: &[Measure] = &[
    ("start", start::starts),
    ("print", start::prints),
    ("servers", servers::starts),
    ("idle", start::idle),
    ("echo", keyboard::idle_echo),
    ("streaming", streaming::echoes),
    ("agents", streaming::agents),
    ("full-speed", streaming::full_speed),
    ("steady", streaming::steady),
    ("turns", history::long_turns),
    ("messages", history::many_messages),
    ("files", files::looks),
];

fn main() -> Result<()> {
    if servers::serve_if_asked()? {
        return Ok(());
    }
    let dir = tempfile::tempdir()?;
    let (home, work) = (dir.path().join("home"), dir.path().join("work"));
    std::fs::create_dir(&home)?;
    std::fs::create_dir(&work)?;
    let place = Place { home, work };
    // `cargo bench` says `--bench` to whoever has no harness.
    let asked: Vec<String> = std::env::args()
        .skip(1)
        .filter(|name| !name.starts_with("--"))
        .collect();
    for (name, measure) in MEASURES {
        if asked.is_empty() || asked.iter().any(|wanted| wanted == name) {
            measure(&place)?;
        }
    }
    Ok(())
}

/// Where the program lives and works while it is measured.
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

    /// The program with the model that listens on `port`.
    fn online(&self, port: u16, arguments: &[&str]) -> Result<Pty> {
        let mut command = self.command(&[]);
        command.args(online(port));
        command.args(arguments);
        command.env("OPENAI_API_KEY", "x");
        ready(Pty::start(command, COLUMNS, ROWS)?)
    }
}

/// Flags that name the model on `port`.
fn online(port: u16) -> Vec<String> {
    let url = format!("http://127.0.0.1:{port}/v1");
    let flags = [
        "--base-url",
        &url,
        "-m",
        "openai/test",
        "--context-window",
        "4000000",
    ];
    flags.map(ToOwned::to_owned).to_vec()
}

fn ready(pty: Pty) -> Result<Pty> {
    pty.wait("the composer", State::is_ready)?;
    Ok(pty)
}
