//! The cost of starting, of idling, and of one answer without a screen.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};

use super::process::sample;
use super::pty::{Pty, State};
use super::server::{Pace, serve};
use super::{COLUMNS, PROGRAM, Place, ROWS, SETTLED, online, report};

/// Starts that are measured; the first of all warms the disk cache and is not.
const STARTS: usize = 20;
/// How long an idle program is watched.
const IDLE: Duration = Duration::from_secs(2);
/// Tokens of the short answer.
const SHORT: u32 = 50;

/// From exec to a composer that takes keys, and what that costs.
pub fn starts(place: &Place) -> Result<()> {
    drop(place.offline(&[])?);
    let (mut walls, mut processors) = (Vec::new(), Vec::new());
    for _ in 0..STARTS {
        let started = Instant::now();
        let pty = Pty::start(place.command(&["--offline"]), COLUMNS, ROWS)?;
        let there = pty.wait("the composer", State::is_ready)?;
        processors.push(sample(pty.pid)?.processor);
        walls.push(there - started);
    }
    report::times("exec to prompt", &mut walls)?;
    report::times("processor until prompt", &mut processors)
}

/// One prompt without a screen. What the server takes is what it takes to read the
/// request and write the answer on this machine: next to nothing.
pub fn prints(place: &Place) -> Result<()> {
    let server = serve(Pace::Full, SHORT, "")?;
    let mut times = Vec::new();
    for _ in 0..=STARTS {
        let started = Instant::now();
        let output = Command::new(PROGRAM)
            .args(online(server.port))
            .args(["-p", "hello"])
            .env_clear()
            .env("HOME", &place.home)
            .env("PLIMSOLL_HOME", &place.home)
            .env("OPENAI_API_KEY", "x")
            .current_dir(&place.work)
            .stdin(Stdio::null())
            .output()?;
        times.push(started.elapsed());
        ensure!(output.status.success(), "{output:?}");
    }
    report::times(
        "one prompt with -p, in all",
        times.get_mut(1..).unwrap_or_default(),
    )
}

/// The cost of an idle program.
pub fn idle(place: &Place) -> Result<()> {
    let mut pty = place.offline(&[])?;
    pty.wait("the gauge", |state| state.text().contains('%'))?;
    report::memory("memory at the prompt", &pty)?;
    std::thread::sleep(SETTLED);
    let before = report::memory("memory when settled", &pty)?;
    report::line(
        "processor until settled",
        &format!("{:?}", before.processor),
    )?;
    let written = pty.state().bytes.len();
    std::thread::sleep(IDLE);
    let after = sample(pty.pid)?;
    let bytes = pty.state().bytes.len() - written;
    report::line(
        "idle for 2 s",
        &format!(
            "{bytes} bytes, {:?} processor",
            after.processor.saturating_sub(before.processor)
        ),
    )?;
    pty.send("help\r")?;
    pty.wait_for("runs a shell command")?;
    std::thread::sleep(SETTLED);
    report::memory("memory after a turn", &pty)?;
    Ok(())
}
