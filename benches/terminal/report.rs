//! The table that is printed: a name, and what was measured.

use std::io::Write as _;
use std::time::Duration;

use anyhow::Result;

use super::process::{Sampled, sample};
use super::pty::Pty;

/// A row of times: median and p99.
pub fn times(what: &str, times: &mut [Duration]) -> Result<()> {
    times.sort_unstable();
    let at = |share: f64| {
        let last = times.len().saturating_sub(1) as f64;
        milliseconds(
            times
                .get((last * share).round() as usize)
                .copied()
                .unwrap_or_default(),
        )
    };
    line(
        what,
        &format!("p50 {:.1} ms, p99 {:.1} ms", at(0.5), at(0.99)),
    )
}

/// A time as a number.
pub fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// A row of what the program holds in memory now.
pub fn memory(what: &str, pty: &Pty) -> Result<Sampled> {
    let sampled = sample(pty.pid)?;
    line(
        what,
        &format!("{:.1} MB", sampled.resident_kb as f64 / 1024.0),
    )?;
    Ok(sampled)
}

/// A row.
pub fn line(what: &str, value: &str) -> Result<()> {
    Ok(writeln!(std::io::stdout(), "{what:<36} {value}")?)
}
