//! The resources that a process has used, from the kernel. Linux only: elsewhere zeros.

use std::fs;
use std::time::Duration;

use anyhow::{Context as _, Result};

/// The resources of a process.
pub struct Sampled {
    /// Resident memory in KiB.
    pub resident_kb: u64,
    /// Processor time of all its living threads.
    pub processor: Duration,
}

/// Takes a sample.
pub fn sample(pid: u32) -> Result<Sampled> {
    let status = fs::read_to_string(format!("/proc/{pid}/status"))?;
    let resident_kb = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))
        .and_then(|rest| rest.split_whitespace().next())
        .context("no VmRSS")?
        .parse()?;
    let mut nanoseconds = 0;
    for thread in fs::read_dir(format!("/proc/{pid}/task"))? {
        // A thread may end between the two reads.
        let Ok(text) = fs::read_to_string(thread?.path().join("schedstat")) else {
            continue;
        };
        let first: Option<u64> = text.split(' ').next().and_then(|ns| ns.parse().ok());
        nanoseconds += first.unwrap_or(0);
    }
    Ok(Sampled {
        resident_kb,
        processor: Duration::from_nanos(nanoseconds),
    })
}
