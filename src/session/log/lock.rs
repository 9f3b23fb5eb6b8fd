//! One writer per session: an advisory lock on a file beside it that holds the writer's
//! pid. The system releases the lock when its holder dies, so a stale lock file is simply
//! taken over; its text is for people, and says how long waiting may help: a dying process,
//! or a child that it was just starting, still holds the lock for an instant.

use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::clock::Stopwatch;
use crate::disk::{open, private};
use crate::session::paths;

/// How often to start over when the lock file vanishes between opening and locking it.
const MAX_ATTEMPTS: u32 = 5;
/// A pid has at most this many bytes as text.
const MAX_PID_BYTES: u64 = 20;
/// How long to wait for the lock of a process that is gone.
const PATIENCE_WITH_THE_DEAD: Duration = Duration::from_secs(2);
/// How long to wait for one that runs: it may be about to end, or to say who it is.
const PATIENCE_WITH_THE_LIVING: Duration = Duration::from_millis(250);
/// How often to try meanwhile.
const TRY_AGAIN: Duration = Duration::from_millis(10);

/// The right to write to a session; given back when dropped.
#[derive(Debug)]
pub(in crate::session) struct SessionLock {
    file: File,
    path: PathBuf,
}

/// The outcome of trying to lock.
#[derive(Debug)]
pub(in crate::session) enum LockAttempt {
    /// This process may write.
    Held(SessionLock),
    /// Another one may; its pid, when it can be read.
    Busy(Option<u32>),
}

impl SessionLock {
    /// Tries to become the writer of a session. Waits an instant for a process that has it
    /// and seems to end; one that stays keeps it.
    pub(in crate::session) fn acquire(session: &Path) -> io::Result<LockAttempt> {
        let began = Stopwatch::start();
        loop {
            let busy = match Self::try_acquire(session)? {
                LockAttempt::Busy(pid) => pid,
                held @ LockAttempt::Held(_) => return Ok(held),
            };
            if began.elapsed() >= patience(busy) {
                return Ok(LockAttempt::Busy(busy));
            }
            std::thread::sleep(TRY_AGAIN);
        }
    }

    fn try_acquire(session: &Path) -> io::Result<LockAttempt> {
        let path = paths::beside(session, "lock");
        for _ in 0..MAX_ATTEMPTS {
            let mut file = open_lock(&path)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Ok(LockAttempt::Busy(read_pid(&mut file))),
                // Some network file systems have no locks: better unguarded than unsaved.
                Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
                Err(TryLockError::Error(error)) => return Err(error),
            }
            // The former holder removes the file when it is done: a lock on a file that is
            // no longer there keeps nobody out.
            if !private::is_at(&file, &path) {
                continue;
            }
            // Only people read it: a full disk is no reason to go without the lock.
            let _ = file
                .set_len(0)
                .and_then(|()| write!(file, "{}", std::process::id()));
            return Ok(LockAttempt::Held(Self { file, path }));
        }
        Err(io::Error::other("the lock file keeps disappearing"))
    }
}

impl Drop for SessionLock {
    fn drop(&mut self) {
        // Removed while it is still held, so that nobody else's file is removed.
        let _ = std::fs::remove_file(&self.path);
        let _ = self.file.unlock();
    }
}

/// The lock file, made when it is missing. It may have come with the session from elsewhere:
/// what it writes to must be its own.
fn open_lock(path: &Path) -> io::Result<File> {
    let mut options = private::options();
    options.read(true).write(true).create(true).truncate(false);
    let file = open::with_options(path, &mut options).and_then(|file| {
        if has_other_names(&file)? {
            return Err(io::Error::other("it has a second name (hard link)"));
        }
        Ok(file)
    });
    file.map_err(|error| {
        let text = format!("the lock file {} is not used: {error}", path.display());
        io::Error::new(error.kind(), text)
    })
}

/// Whether a file has a second name, which a lock never has.
fn has_other_names(file: &File) -> io::Result<bool> {
    Ok(std::os::unix::fs::MetadataExt::nlink(&file.metadata()?) > 1)
}

fn read_pid(file: &mut File) -> Option<u32> {
    let mut text = String::new();
    file.rewind().ok()?;
    file.take(MAX_PID_BYTES).read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
}

/// How long the lock of a process may be waited for.
fn patience(holder: Option<u32>) -> Duration {
    match holder {
        // This one would wait for itself.
        Some(pid) if pid == std::process::id() => Duration::ZERO,
        Some(pid) if !is_running(pid) => PATIENCE_WITH_THE_DEAD,
        _ => PATIENCE_WITH_THE_LIVING,
    }
}

/// Whether a process runs, as far as it can be told. One that has ended and that its parent
/// has not asked about yet does not.
fn is_running(pid: u32) -> bool {
    let Some(pid) = i32::try_from(pid)
        .ok()
        .and_then(rustix::process::Pid::from_raw)
    else {
        return false;
    };
    match rustix::process::test_kill_process(pid) {
        Err(error) => error != rustix::io::Errno::SRCH,
        Ok(()) => !is_zombie(pid),
    }
}

/// Where the system shows its processes as files.
fn is_zombie(pid: rustix::process::Pid) -> bool {
    let path = format!("/proc/{}/stat", pid.as_raw_nonzero());
    let stat = std::fs::read_to_string(path).unwrap_or_default();
    // The name of the program comes before it, in brackets, and may hold anything.
    let state = stat.rsplit_once(')').map(|(_, rest)| rest.trim_start());
    state.is_some_and(|state| state.starts_with(['Z', 'X']))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A lock on a session whose file says that this process holds it; given back after a
    /// while.
    fn held_by(pid: u32, session: &Path, until: Duration) -> std::thread::JoinHandle<()> {
        let Ok(LockAttempt::Held(lock)) = SessionLock::acquire(session) else {
            panic!("it is free");
        };
        std::fs::write(&lock.path, pid.to_string()).unwrap();
        std::thread::spawn(move || {
            std::thread::sleep(until);
            drop(lock);
        })
    }

    fn dead() -> u32 {
        let mut child = std::process::Command::new("true").spawn().unwrap();
        child.wait().unwrap();
        child.id()
    }

    #[test]
    fn the_lock_of_a_process_that_has_just_died_is_waited_for() {
        let home = tempfile::tempdir().unwrap();
        let session = home.path().join("s.jsonl");
        let mut zombie = std::process::Command::new("true").spawn().unwrap();
        for pid in [dead(), zombie.id()] {
            let holder = held_by(pid, &session, PATIENCE_WITH_THE_LIVING * 2);
            let taken = SessionLock::acquire(&session).unwrap();
            assert!(matches!(taken, LockAttempt::Held(_)), "{taken:?}");
            holder.join().unwrap();
        }
        zombie.wait().unwrap();
    }

    #[test]
    fn a_process_that_runs_keeps_its_lock() {
        let home = tempfile::tempdir().unwrap();
        let session = home.path().join("s.jsonl");
        let mut child = std::process::Command::new("sleep")
            .arg("30")
            .spawn()
            .unwrap();
        let holder = held_by(child.id(), &session, PATIENCE_WITH_THE_LIVING * 4);
        let began = Stopwatch::start();
        let taken = SessionLock::acquire(&session).unwrap();
        assert!(matches!(taken, LockAttempt::Busy(Some(pid)) if pid == child.id()));
        assert!(began.elapsed() >= PATIENCE_WITH_THE_LIVING);
        holder.join().unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
    }
}
