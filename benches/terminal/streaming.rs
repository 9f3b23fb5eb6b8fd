//! An answer that comes in: echo of keys meanwhile, and what it costs in all.

use std::time::Instant;

use anyhow::Result;

use super::keyboard::echo;
use super::process::sample;
use super::server::{Pace, START_AGENTS, serve, serve_agents};
use super::{Place, report};

/// Deltas a second while keys are measured: a fast model, and one as none is.
const SPEEDS: [u32; 2] = [200, 2_000];
/// Sub-agents at the same time.
const AGENTS: u32 = 10;
/// Seconds that such an answer lasts at least.
const SECONDS: u32 = 60;
/// Tokens of one long answer.
const LONG_ANSWER: u32 = 20_000;
/// Tokens a second of the steady answer.
const STEADY: u32 = 200;
/// The text at its end.
const END: &str = "THE-END";

/// Echo while an answer comes in.
pub fn echoes(place: &Place) -> Result<()> {
    for speed in SPEEDS {
        let server = serve(Pace::PerSecond(speed), SECONDS * speed, END)?;
        let mut pty = place.online(server.port, &[])?;
        pty.send("go\r")?;
        pty.wait_for("word")?;
        let (before, start) = (sample(pty.pid)?, Instant::now());
        echo(&format!("key echo, {speed} tokens/s"), &mut pty)?;
        let used = sample(pty.pid)?.processor.saturating_sub(before.processor);
        let share = used.as_secs_f64() / start.elapsed().as_secs_f64() * 100.0;
        report::line("processor meanwhile", &format!("{share:.0} % of one"))?;
    }
    Ok(())
}

/// Echo while ten sub-agents work.
pub fn agents(place: &Place) -> Result<()> {
    let speed = SPEEDS[0];
    let server = serve_agents(Pace::PerSecond(speed), SECONDS * speed, END, AGENTS)?;
    let mut pty = place.online(server.port, &["-S", "lanes.global=16"])?;
    pty.send(&format!("{START_AGENTS}\r"))?;
    pty.wait("ten agents", |state| state.text().contains("10 agents"))?;
    let (before, start) = (sample(pty.pid)?, Instant::now());
    echo(
        &format!("key echo, {AGENTS} agents at {speed} tokens/s"),
        &mut pty,
    )?;
    let used = sample(pty.pid)?.processor.saturating_sub(before.processor);
    let share = used.as_secs_f64() / start.elapsed().as_secs_f64() * 100.0;
    report::line("processor meanwhile", &format!("{share:.0} % of one"))
}

/// A long answer as fast as it goes.
pub fn full_speed(place: &Place) -> Result<()> {
    answer(place, "20,000 tokens, full speed", Pace::Full)
}

/// A long answer at the speed of a model, in real time.
pub fn steady(place: &Place) -> Result<()> {
    answer(place, "20,000 tokens, 200/s", Pace::PerSecond(STEADY))
}

fn answer(place: &Place, what: &str, speed: Pace) -> Result<()> {
    let server = serve(speed, LONG_ANSWER, END)?;
    let mut pty = place.online(server.port, &[])?;
    let (before, written) = (sample(pty.pid)?, pty.state().bytes.len());
    let start = Instant::now();
    pty.send("go\r")?;
    let end = pty.wait_within("the end", ANSWER_LIMIT, |state| state.text().contains(END))?;
    let used = sample(pty.pid)?.processor.saturating_sub(before.processor);
    let kilobytes = (pty.state().bytes.len() - written) / 1024;
    report::line(
        what,
        &format!(
            "{:.2} s wall, {:.2} s processor, {kilobytes} KiB written",
            (end - start).as_secs_f64(),
            used.as_secs_f64()
        ),
    )
}

/// The steady answer lasts 100 s.
const ANSWER_LIMIT: std::time::Duration = std::time::Duration::from_mins(3);
