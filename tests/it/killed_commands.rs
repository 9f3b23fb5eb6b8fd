//! A program that is killed takes its commands with it, with all that they started; those
//! that had ended by themselves may leave behind what they left running.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use rustix::process::{Pid, Signal, kill_process, test_kill_process};

use super::alone::ALONE;
use super::pty::Pty;
use super::terminal::{Place, ready};

/// What is killed has this long to be gone, with everything that it had started. Half of it
/// is for those who do not end when they are asked to.
const GONE_WITHIN: Duration = Duration::from_secs(1);
/// On a machine with as much to do as one that runs all tests.
const SLACK: Duration = Duration::from_secs(25);
/// Until something that must happen is given up.
const PATIENCE: Duration = Duration::from_secs(30);

/// Processes below a shell below a shell, one of them deaf to polite signals, each of which
/// says its id.
const FAMILY: &str = "sleep 301 & echo $! >> pids; (sleep 302 & echo $! >> pids; wait) & \
    (trap \"\" TERM; sleep 303 & echo $! >> pids; wait; sleep 304) & wait";

fn wait(what: &str, limit: Duration, is_so: impl Fn() -> bool) -> Result<Duration> {
    let began = Instant::now();
    while !is_so() {
        ensure!(began.elapsed() < limit, "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
    Ok(began.elapsed())
}

/// The ids in a file, once there are so many.
fn pids(file: &Path, count: usize) -> Result<Vec<Pid>> {
    let read = || -> Vec<Pid> {
        let text = fs::read_to_string(file).unwrap_or_default();
        let numbers = text.lines().filter_map(|line| line.parse().ok());
        numbers.filter_map(Pid::from_raw).collect()
    };
    wait("the command has not begun", PATIENCE, || {
        read().len() >= count
    })?;
    Ok(read())
}

/// Whether a process runs; one that only waits to be collected does not.
fn runs(pid: Pid) -> bool {
    let state = fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_pid()));
    let is_zombie = state.is_ok_and(|text| text.contains(") Z "));
    !is_zombie && test_kill_process(pid).is_ok()
}

fn are_gone(pids: &[Pid]) -> Result<()> {
    let limit = GONE_WITHIN + SLACK;
    let took = wait("it goes on", limit, || !pids.iter().any(|pid| runs(*pid)));
    for pid in pids.iter().filter(|pid| runs(**pid)) {
        let _ = kill_process(*pid, Signal::KILL);
    }
    took.map(drop)
}

fn kill(id: u32, signal: Signal) -> Result<()> {
    let pid = Pid::from_raw(i32::try_from(id)?).context("no process id")?;
    Ok(kill_process(pid, signal)?)
}

fn headless(place: &Place, arguments: &[&str]) -> Result<Child> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_plim"));
    command
        .args(["--offline", "--approve", "all"])
        .args(arguments)
        .current_dir(place.work())
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("HOME", place.home())
        .env("PLIMSOLL_HOME", place.home())
        .envs(ALONE)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    Ok(command.spawn()?)
}

#[test]
fn a_command_ends_with_a_program_that_was_killed() -> Result<()> {
    for signal in [Signal::KILL, Signal::TERM, Signal::HUP] {
        let place = Place::new()?;
        let mut plim = headless(&place, &["-p", &format!("run {FAMILY}")])?;
        let family = pids(&place.work().join("pids"), 3)?;
        ensure!(family.iter().all(|pid| runs(*pid)));
        kill(plim.id(), signal)?;
        plim.wait()?;
        are_gone(&family).with_context(|| format!("{signal:?}"))?;
    }
    Ok(())
}

#[test]
fn a_command_and_a_job_end_with_a_screen_that_was_killed_and_its_terminal() -> Result<()> {
    let place = Place::new()?;
    let mut pty = ready(Pty::start(place.plim(&["--approve", "all"]), 120, 40)?)?;
    pty.send(&format!("run {FAMILY}\r"))?;
    let file = place.work().join("pids");
    pids(&file, 3)?;
    pty.send("\u{2}")?;
    pty.wait_for("ends it.")?;
    pty.send(&format!("run {FAMILY}\r"))?;
    let family = pids(&file, 6)?;
    ensure!(family.iter().all(|pid| runs(*pid)));
    kill(pty.pid, Signal::KILL)?;
    pty.wait_for_end()?;
    // The terminal goes as well: whoever it had in front is told to hang up.
    drop(pty);
    are_gone(&family)
}

#[test]
fn a_hook_ends_with_a_program_that_was_killed() -> Result<()> {
    let place = Place::new()?;
    fs::write(place.work().join("hook"), FAMILY)?;
    let hook = ["-S", "hooks.before_request=sh ./hook", "-p", "list ."];
    let mut plim = headless(&place, &hook)?;
    let family = pids(&place.work().join("pids"), 3)?;
    kill(plim.id(), Signal::KILL)?;
    plim.wait()?;
    are_gone(&family)
}

/// What a command leaves running outlives the program's end, and so it does its death.
#[test]
fn what_a_command_left_running_is_not_hunted() -> Result<()> {
    let place = Place::new()?;
    let mut pty = ready(Pty::start(place.plim(&["--approve", "all"]), 120, 40)?)?;
    pty.send("run sleep 305 & echo $! > left; echo begun-$((40+2))\r")?;
    pty.wait_for("begun-42")?;
    let left = pids(&place.work().join("left"), 1)?;
    pty.wait_for("still running")?;
    pty.send(&format!("run {FAMILY}\r"))?;
    let family = pids(&place.work().join("pids"), 3)?;
    kill(pty.pid, Signal::KILL)?;
    pty.wait_for_end()?;
    are_gone(&family)?;
    ensure!(left.iter().all(|pid| runs(*pid)), "it was told to go on");
    for pid in left {
        kill_process(pid, Signal::KILL)?;
    }
    Ok(())
}
